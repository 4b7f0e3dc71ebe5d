//! Writes a whole [`Model`](crate::Model) as a USD layer: its nodes, skeletons, skins, blend shapes, clips and materials. It
//! must not depend on where the model came from or how files are read.

#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "writes models that are already checked; it reads no bytes from outside"
)]

mod binary;
mod frames;
mod keys;
mod looks;
mod mesh;
mod motion;
mod on_nodes;
mod prim;
mod scene;
mod shapes;
mod sheet;
mod skeletons;
mod tree;
mod values;

use std::io::Cursor;
use std::path::Path;

use openusd::sdf::AbstractData;
use openusd::usda::TextWriter;
use openusd::usdz::ArchiveWriter;

pub use self::frames::{Frames, Points};

use self::prim::Layer;
use self::scene::Scene;
use crate::gltf::{WriteError, png_bytes, without_joint};
use crate::{Model, SkinningMethod};

/// The form of a USD file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text, `.usda`.
    Text,
    /// Binary, `.usdc`.
    Binary,
    /// An archive with a binary layer and its pictures, `.usdz`.
    Archive,
}

impl Form {
    /// The form of a file's name, if it is that of a USD file.
    pub fn of(path: &Path) -> Option<Self> {
        let is = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        [("usda", Self::Text), ("usdc", Self::Binary), ("usd", Self::Binary), ("usdz", Self::Archive)]
            .into_iter()
            .find_map(|(ending, form)| is(ending).then_some(form))
    }
}

/// A USD file, and what it could not hold.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// Pictures that belong in its folder, as names and PNG files; none for an archive.
    pub pictures: Vec<(String, Vec<u8>)>,
    /// Parts of the model that the format has no place for, a phrase each.
    pub losses: Vec<String>,
    /// The parts of each mesh of the file, in their order.
    pub meshes: Vec<Vec<Part>>,
}

/// A primitive in a mesh of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The node that draws it.
    pub node: usize,
    /// Its index among the primitives of the model's mesh.
    pub primitive: usize,
    /// The point of each of its vertices.
    pub points: Vec<u32>,
}

/// The model as a USD file. Pictures are named after `stem`. `method` is the skinning method of all meshes; without one, each
/// has that of its skin. The same model gives the same bytes every time.
///
/// # Errors
/// A picture that PNG cannot hold, or a vertex with weight on "no joint".
pub fn write_usd(
    model: &Model,
    form: Form,
    stem: &str,
    method: Option<SkinningMethod>,
) -> Result<Written, WriteError> {
    if let Some(vertex) = without_joint(model) {
        return Err(WriteError::NoJoint { format: "USD", vertex });
    }
    written(model, Scene::of(model, stem, method, None)?, form, stem)
}

/// The meshes of a model as a USD file in which their points move from frame to frame.
///
/// # Errors
/// A picture that PNG cannot hold.
pub fn write_points(model: &Model, frames: &Frames, form: Form, stem: &str) -> Result<Written, WriteError> {
    written(model, Scene::of(model, stem, None, Some(frames))?, form, stem)
}

fn written(model: &Model, scene: Scene, form: Form, stem: &str) -> Result<Written, WriteError> {
    let Scene { layer, pictures, losses, meshes } = scene;
    let mut named = Vec::new();
    for (picture, name) in pictures {
        let Some(pixels) = model.pictures.get(picture).and_then(Option::as_ref) else { continue };
        let bytes = png_bytes(pixels).map_err(|source| WriteError::Picture { picture, source })?;
        named.push((name, bytes));
    }
    let bytes = match form {
        Form::Text => text(layer)?,
        Form::Binary => binary(&layer)?,
        Form::Archive => archive(&format!("{}.usdc", scene::identifier(stem)), &binary(&layer)?, &named)?,
    };
    if form == Form::Archive {
        named.clear();
    }
    Ok(Written { bytes, pictures: named, losses, meshes })
}

fn text(layer: Layer) -> Result<Vec<u8>, WriteError> {
    let text = TextWriter::write_to_string(&layer.into_data() as &dyn AbstractData).map_err(fault)?;
    // OpenUSD wants lists in brackets, also those of one word.
    let line = |line: &str| match line.split_once("prepend apiSchemas = \"") {
        Some((indent, word)) if indent.trim().is_empty() => {
            format!("{indent}prepend apiSchemas = [\"{word}]")
        }
        _ => line.to_owned(),
    };
    let mut lines: Vec<String> = text.lines().map(line).collect();
    lines.push(String::new());
    Ok(lines.join("\n").into_bytes())
}

fn binary(layer: &Layer) -> Result<Vec<u8>, WriteError> {
    binary::write(layer).map_err(fault)
}

/// An archive of a layer and pictures, in which each begins at a multiple of 64 bytes.
fn archive(name: &str, layer: &[u8], pictures: &[(String, Vec<u8>)]) -> Result<Vec<u8>, WriteError> {
    let mut archive = ArchiveWriter::new(Cursor::new(Vec::new()));
    archive.add_layer(name, layer).map_err(fault)?;
    for (name, bytes) in pictures {
        archive.add_layer(name, bytes).map_err(fault)?;
    }
    Ok(archive.finish().map_err(fault)?.into_inner())
}

fn fault(error: impl std::fmt::Display) -> WriteError {
    WriteError::Layer { message: format!("{error:#}") }
}
