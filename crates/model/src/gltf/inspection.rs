//! Facts about a file besides its model, for `inspect`: notes, raw statistics, and metadata such as its generator.

use std::collections::BTreeMap;

use super::json::Document;
use super::support::{self, Support};
use super::variants;
use crate::reading::Options;
use crate::reading::files::ModelFile;
use crate::reading::message::one_line;
use crate::statistics::InfluenceStatistics;
use crate::{Model, Warning};

/// A model, and further facts for `inspect`.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The model. Its warnings list the broken parts.
    pub model: Model,
    /// Odd or wasteful data that is allowed.
    pub notes: Vec<Warning>,
    /// Joints and weights as stored, by the primitive's JSON path, such as `meshes[0].primitives[1]`.
    pub influences: BTreeMap<String, InfluenceStatistics>,
    /// The file's metadata.
    pub facts: FileFacts,
    /// The files that it names.
    pub files: Vec<ModelFile>,
}

/// A file's metadata.
#[derive(Clone, Debug, Default)]
pub struct FileFacts {
    /// The format's name: `glTF`, `FBX`, `OBJ` or `USD`.
    pub format: &'static str,
    /// The version of the format that it was written for.
    pub version: String,
    /// The program that wrote it.
    pub generator: Option<String>,
    /// All scenes, each with its name and its number of root nodes.
    pub scenes: Vec<(String, usize)>,
    /// The extensions it uses, by name.
    pub extensions: Vec<ExtensionUse>,
    /// The file's axes and units, where they may be others than metres and y up.
    pub conversion: Option<Conversion>,
    /// The variant sets of a USD file, or that of a glTF file's materials.
    pub variants: Vec<VariantSet>,
}

/// A set of variants of a part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantSet {
    /// The path of the part.
    pub prim: String,
    /// The name of the set.
    pub name: String,
    /// Names of its variants.
    pub variants: Vec<String>,
    /// The variant that is shown; `None` for none of them.
    pub selected: Option<String>,
}

/// A file's own axes, units and frames; the model's root node turns them to y up and metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion {
    /// Length of the file's unit in metres.
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
    /// True if the file declares the extension as required.
    pub required: bool,
    /// Degree of support.
    pub support: Support,
    /// Differences or losses in the picture; empty if there are none.
    pub lost: &'static str,
}

/// Returns the document's metadata.
pub fn facts(document: &Document, options: &Options) -> FileFacts {
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
        variants: variant_set(document, options).into_iter().collect(),
        version: one_line(&document.asset.version),
        generator: document.asset.generator.as_deref().map(one_line),
        scenes: document.scenes.iter().map(|scene| (one_line(&scene.name), scene.nodes.len())).collect(),
        extensions: names.into_iter().map(extension).collect(),
    }
}

/// The set of the file's variants of materials, if it has any.
fn variant_set(document: &Document, options: &Options) -> Option<VariantSet> {
    let variants = variants::names(document);
    let mut asked = options.variants.iter().rev().map(|(_, name)| name);
    let selected = asked.find(|name| variants.contains(name)).cloned();
    let set = VariantSet { prim: "/".to_owned(), name: variants::SET.to_owned(), variants, selected };
    Some(set).filter(|set| !set.variants.is_empty())
}
