//! What `inspect` tells of a file besides its model: notes, raw statistics, and facts such as its generator.

use std::collections::BTreeMap;

use super::json::Document;
use super::support::{self, Support};
use crate::reading::files::ModelFile;
use crate::reading::message::one_line;
use crate::statistics::InfluenceStatistics;
use crate::{Model, Warning};

/// A model, and what `inspect` tells besides.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The model; what is broken is in its warnings.
    pub model: Model,
    /// What is allowed, but odd or wasteful.
    pub notes: Vec<Warning>,
    /// Joints and weights as stored, by the primitive's JSON path, such as `meshes[0].primitives[1]`.
    pub influences: BTreeMap<String, InfluenceStatistics>,
    /// What the file says of itself.
    pub facts: FileFacts,
    /// The files that it names.
    pub files: Vec<ModelFile>,
}

/// What a file says of itself.
#[derive(Clone, Debug, Default)]
pub struct FileFacts {
    /// The format's name: `glTF`, `FBX` or `OBJ`.
    pub format: &'static str,
    /// The version of the format that it was written for.
    pub version: String,
    /// The program that wrote it.
    pub generator: Option<String>,
    /// All scenes: each with its name and how many root nodes it has.
    pub scenes: Vec<(String, usize)>,
    /// The extensions it uses, by name.
    pub extensions: Vec<ExtensionUse>,
    /// The file's axes and units, where they may be others than metres and y up.
    pub conversion: Option<Conversion>,
}

/// A file's own axes, units and frames; the model's root node turns them to y up and metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion {
    /// How long the file's unit is.
    pub metres_per_unit: f64,
    /// The axis that points up, such as `+z`.
    pub up: &'static str,
    /// The axis that points to the viewer.
    pub front: &'static str,
    /// The frame rate that it was made at.
    pub frames_per_second: f64,
}

/// An extension that a file uses.
#[derive(Clone, Debug)]
pub struct ExtensionUse {
    /// Its name.
    pub name: String,
    /// Whether the file says that it cannot be shown without.
    pub required: bool,
    /// How well it is shown.
    pub support: Support,
    /// What differs or is lost; empty where nothing is.
    pub lost: &'static str,
}

/// What the document says of itself.
pub fn facts(document: &Document) -> FileFacts {
    let mut names: Vec<&String> =
        document.extensions_used.iter().chain(&document.extensions_required).collect();
    names.sort_unstable();
    names.dedup();
    let extension = |name: &String| {
        let (support, lost) = support::verdict(name);
        let required = document.extensions_required.contains(name);
        ExtensionUse { name: one_line(name), required, support, lost }
    };
    FileFacts {
        format: "glTF",
        conversion: None,
        version: one_line(&document.asset.version),
        generator: document.asset.generator.as_deref().map(one_line),
        scenes: document.scenes.iter().map(|scene| (one_line(&scene.name), scene.nodes.len())).collect(),
        extensions: names.into_iter().map(extension).collect(),
    }
}
