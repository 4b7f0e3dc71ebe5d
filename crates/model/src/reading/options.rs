//! Options for reading a file.

use super::watch::Watch;

/// Options for reading a file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Name or number of the scene to draw; `None` is the file's default.
    pub scene: Option<String>,
    /// Variants to select: names of sets and variants. A glTF file's set is `materials`.
    pub variants: Vec<(String, String)>,
    /// True if a file may refer to others outside its folder.
    pub allow_outside: bool,
    /// Minimum number of samples per second for the motion of FBX files; `None` takes the file's frame rate.
    pub fbx_rate: Option<f64>,
    /// The parser of glTF's JSON.
    pub reader: Reader,
    /// Progress callback, which may end the read.
    pub watch: Watch,
}

/// The parser of a glTF file's JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reader {
    /// The loader's own.
    #[default]
    Own,
    /// The `gltf` crate, which also validates; its document is written out and read by the loader.
    Gltf,
}
