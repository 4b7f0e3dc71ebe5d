//! Writes skinned geometry to files: JSON and arrays of NumPy for scripts; PLY, OBJ and GLB for other programs. This module
//! must not depend on the way vertices are skinned.

pub mod bake;
mod glb;
mod json;
mod list;
mod materials;
mod npy;
mod npz;
mod obj;
mod ply;
pub mod rigged;
mod terms;

pub use list::List;
pub use materials::Library;
pub use terms::write_terms;

use std::io::{self, Write};

use serde::Serialize;

use crate::measure::InFile;
use sinew_model::gltf::WriteError;
use sinew_model::{Instance, Mesh, Model, Primitive, VertexIndex, VertexName};
use sinew_skinning::morph::{self, Surface};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::{Normals, SkinningMode};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// All numbers, in a form that reads back the same.
    Json,
    /// ASCII PLY: all primitives as one mesh.
    Ply,
    /// Wavefront OBJ: one object per primitive.
    Obj,
    /// A static glTF model with the materials.
    Glb,
    /// The positions of all primitives, as an array of NumPy.
    Npy,
    /// All streams of all primitives, as arrays of NumPy.
    Npz,
}

impl Format {
    /// Returns the format for a file name's extension; JSON for `-`.
    pub fn of(path: &std::path::Path) -> Option<Self> {
        if path == std::path::Path::new("-") {
            return Some(Self::Json);
        }
        match path.extension()?.to_string_lossy().to_lowercase().as_str() {
            "json" => Some(Self::Json),
            "ply" => Some(Self::Ply),
            "obj" => Some(Self::Obj),
            "glb" => Some(Self::Glb),
            "npy" => Some(Self::Npy),
            "npz" => Some(Self::Npz),
            _ => None,
        }
    }
}

/// Skinned geometry and its origin.
#[derive(Clone)]
pub struct Export<'a, T> {
    /// The model as the user gave it.
    pub given: &'a str,
    /// The model.
    pub model: &'a Model,
    /// The mode that skinned it.
    pub mode: SkinningMode,
    /// The source of the normals.
    pub normals: Normals,
    /// The pose.
    pub pose: PoseChoice,
    /// The path that skinned it: `gpu`, `cpu` or `reference`.
    pub on: &'a str,
    /// All drawn primitives.
    pub primitives: &'a [SkinnedPrimitive<T>],
}

/// A coordinate: `f32` from GPU and CPU, `f64` from the reference.
pub trait Number: Copy + Into<f64> + std::fmt::Display + Serialize {}
impl<T: Copy + Into<f64> + std::fmt::Display + Serialize> Number for T {}

/// A reason why geometry could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The file or the stream failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The model holds a texture that cannot be stored.
    #[error("{0}")]
    Glb(#[from] WriteError),
    /// The arrays are too large for an archive.
    #[error(
        "the arrays need more than {} MiB; choose fewer frames, a name with {{frame}}, or .npy for positions alone",
        npz::MAX_BYTES >> 20
    )]
    TooLarge,
}

/// Writes the geometry.
pub fn write<T: Number>(
    export: &Export<'_, T>,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    match format {
        Format::Json => Ok(json::write(export, out)?),
        Format::Ply => Ok(ply::write(export, out)?),
        Format::Obj => Ok(obj::write(export, None, out)?),
        Format::Glb => glb::write(export, out),
        Format::Npy => {
            npy::begin(export, None, out)?;
            Ok(npy::positions(export, out)?)
        }
        Format::Npz => {
            let mut arrays = npz::Arrays::new(None);
            arrays.add(export)?;
            Ok(arrays.write(out)?)
        }
    }
}

/// Writes the geometry as OBJ with the materials of a library, which is a separate file.
pub fn write_obj<T: Number>(
    export: &Export<'_, T>,
    library: &Library<'_>,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    Ok(obj::write(export, Some(library), out)?)
}

/// Returns the model for `.glb` files of the geometry: still, and without materials.
pub fn still_model<T: Number>(export: &Export<'_, T>) -> Model {
    glb::still_model(export)
}

/// The origin of a skinned primitive.
struct Source<'a> {
    instance: &'a Instance,
    mesh: &'a Mesh,
    primitive: &'a Primitive,
    in_file: InFile,
}

/// Texture coordinates and colours of primitives, which morph targets may move.
struct Surfaces<'a> {
    model: &'a Model,
    weights: Vec<f32>,
}

impl Surfaces<'_> {
    fn texcoords(&self, source: &Source<'_>) -> Vec<Vec<[f32; 2]>> {
        let mut moved = self.moved(source).texcoords.into_iter();
        let sets = source.primitive.texcoords.iter();
        sets.map(|set| moved.next().flatten().unwrap_or_else(|| set.clone())).collect()
    }

    fn colors(&self, source: &Source<'_>) -> Option<Vec<[f32; 4]>> {
        self.moved(source).colors.or_else(|| source.primitive.colors.clone())
    }

    /// Returns the surface with the effect of morph targets.
    fn moved(&self, source: &Source<'_>) -> Surface {
        let weights = morph::weights_of(&self.model.rig, source.instance, &self.weights);
        Surface::of(source.primitive, weights)
    }
}

impl<T> Export<'_, T> {
    /// Returns the texture coordinates and colours in the pose.
    fn surfaces(&self) -> Surfaces<'_> {
        let mut pose = Pose::default();
        pose.set(self.model, &self.pose);
        let mut weights = Vec::new();
        morph::weights_into(&pose, &mut weights);
        Surfaces { model: self.model, weights }
    }

    fn source(&self, skinned: &SkinnedPrimitive<T>) -> Option<Source<'_>> {
        let instance = self.model.instances.get(skinned.instance)?;
        let mesh = self.model.meshes.get(instance.mesh)?;
        let primitive = mesh.primitives.get(skinned.primitive)?;
        Some(Source {
            instance,
            mesh,
            primitive,
            in_file: InFile::of(self.model, (skinned.instance, skinned.primitive))?,
        })
    }

    /// Returns the JSON path of the first primitive with a NaN or infinite coordinate, and the name of the vertex.
    pub fn not_finite(&self) -> Option<String>
    where
        T: Number,
    {
        let bad = |numbers: &[T]| numbers.iter().any(|&number| !number.into().is_finite());
        self.parts().find_map(|(skinned, source)| {
            let normals = skinned.normals.as_deref().unwrap_or_default();
            let tangents = skinned.tangents.as_deref().unwrap_or_default();
            let vertex = (skinned.positions.iter().position(|p| bad(p)))
                .or_else(|| normals.iter().position(|n| bad(n)))
                .or_else(|| tangents.iter().position(|t| bad(t)))?;
            let SkinnedPrimitive { instance, primitive, .. } = *skinned;
            let name = VertexName::of(self.model, VertexIndex { instance, primitive, vertex });
            let InFile { mesh, primitive, .. } = source.in_file;
            Some(format!("meshes[{mesh}].primitives[{primitive}]: vertex {name}"))
        })
    }

    /// Returns each skinned primitive with its origin.
    fn parts(&self) -> impl Iterator<Item = (&SkinnedPrimitive<T>, Source<'_>)> {
        self.primitives.iter().filter_map(|skinned| Some((skinned, self.source(skinned)?)))
    }
}
