//! How a file is to be read.

use super::watch::Watch;

/// How to read a file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which scene to draw, by name or number; `None` is the file's own choice.
    pub scene: Option<String>,
    /// Whether a file may name others outside its folder.
    pub allow_outside: bool,
    /// Samples a second at which the motion of FBX files is read, at least; `None` takes the file's frame rate.
    pub fbx_rate: Option<f64>,
    /// Who is told how far the read is, and may end it.
    pub watch: Watch,
}
