//! Reads vertices that other programs made: arrays of NumPy, meshes, point caches and raw numbers. Reading must not depend
//! on the model that they are compared with.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod budget;
mod bytes;
mod cache;
mod error;
mod frames;
mod json;
mod model;
mod npy;
mod npz;
mod obj;
mod ply;
mod precision;
mod raw;
mod zip;

#[cfg(test)]
mod tests;

pub use error::ReadError;
pub use frames::{Moments, moments};

use std::fmt;
use std::str::FromStr;

use budget::Budget;

/// Vertices that another program made, in the file's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The parts of the file, at least one, not all of them empty.
    pub parts: Vec<Part>,
    /// The precision of the positions: the coarsest of all parts.
    pub stored: Stored,
}

/// One primitive, object or array of a file; the whole of a file that has none of these.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The key of an array in an `.npz`, the object of an `.obj`, the name of a primitive in the JSON of `sinew export` or in
    /// glTF.
    pub name: Option<String>,
    /// Positions as stored, NaN and infinity included.
    pub positions: Vec<[f64; 3]>,
    /// As many normals as positions.
    pub normals: Option<Vec<[f64; 3]>>,
    /// As many tangents as positions.
    pub tangents: Option<Vec<[f64; 4]>>,
    /// As many texture coordinates as positions, as stored: OBJ and PLY count from the bottom, glTF from the top.
    pub texcoords: Option<Vec<[f64; 2]>>,
}

/// The precision of the stored numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stored {
    /// Half precision.
    F16,
    /// Single precision, also as text with all its digits.
    F32,
    /// Double precision.
    F64,
    /// Text with this distance of neighbouring numbers, such as 1e-6.
    Decimals(f64),
}

impl Stored {
    /// Returns the coarser of two binary precisions.
    fn coarser(self, other: Self) -> Self {
        [Self::F16, Self::F32].into_iter().find(|kind| [self, other].contains(kind)).unwrap_or(self)
    }
}

/// The order of the numbers of a file without a header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Three numbers per vertex: its position.
    #[default]
    Xyz,
    /// Six numbers per vertex: its position and its normal.
    XyzNormals,
}

impl Layout {
    /// All layouts.
    pub const ALL: [Self; 2] = [Self::Xyz, Self::XyzNormals];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Xyz => "xyz",
            Self::XyzNormals => "xyz,nxnynz",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Layout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|layout| layout.name() == text);
        named.ok_or_else(|| "expected xyz or xyz,nxnynz".to_owned())
    }
}

/// The parts of a file's meaning that the file does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The layout of a file without a header.
    pub layout: Layout,
    /// The frame to read, counted from 0; without it, the first.
    pub frame: Option<usize>,
}

impl Options {
    /// Returns the frame to read of so many.
    fn frame_of(&self, frames: usize) -> Result<usize, ReadError> {
        let asked = self.frame.unwrap_or(0);
        if asked < frames { Ok(asked) } else { Err(ReadError::NoFrame { asked, frames }) }
    }
}

/// Reads the vertices of a file with this extension, without its dot. Content of an extension that is unknown or empty is
/// told by its first bytes; without any that are known, it is raw little-endian `f32`.
///
/// # Errors
/// If the content is not of that format, is incomplete, or needs more memory than a file of its size may take.
pub fn read(bytes: &[u8], extension: &str, options: &Options) -> Result<Given, ReadError> {
    let budget = &mut Budget::of(bytes.len());
    let given = match format_of(bytes, extension) {
        "npy" => npy::read(bytes, options),
        "npz" => npz::read(bytes, options, budget),
        "obj" => obj::read(bytes, options),
        "ply" => ply::read(bytes, options),
        "json" => json::read(bytes, options, budget),
        "pc2" => cache::pc2(bytes, options),
        "mdd" => cache::mdd(bytes, options),
        "gltf" => model::read(bytes, options, budget),
        _ => raw::read(bytes, options),
    }?;
    let is_empty = given.parts.iter().all(|part| part.positions.is_empty());
    if is_empty { Err(ReadError::Empty) } else { Ok(given) }
}

/// Returns the format of an extension, or the one that the first bytes show.
fn format_of(bytes: &[u8], extension: &str) -> &'static str {
    known(&extension.to_ascii_lowercase()).unwrap_or_else(|| sniffed(bytes))
}

/// Returns the format of an extension.
fn known(extension: &str) -> Option<&'static str> {
    let formats = ["npy", "npz", "obj", "ply", "json", "pc2", "mdd", "gltf"];
    match extension {
        "glb" => Some("gltf"),
        "bin" | "raw" | "f32" => Some("raw"),
        _ => formats.into_iter().find(|format| *format == extension),
    }
}

/// Returns the format that the first bytes show.
fn sniffed(bytes: &[u8]) -> &'static str {
    let starts: [(&[u8], &str); 9] = [
        (b"\x93NUMPY", "npy"),
        (b"PK\x03\x04", "npz"),
        (b"ply\n", "ply"),
        (b"ply\r\n", "ply"),
        (b"glTF", "gltf"),
        (b"POINTCACHE2", "pc2"),
        (b"{", "json"),
        (b"[{", "json"),
        (b"v ", "obj"),
    ];
    let found = starts.into_iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, format)| format);
    // Numbers have bytes that text does not have.
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let is_text = bytes.iter().take(256).all(|byte| byte.is_ascii() && !is_control(byte));
    found.unwrap_or(match is_text {
        true => "obj",
        false if cache::is_mdd(bytes) => "mdd",
        false => "raw",
    })
}
