//! The compiled shaders, looked up by mode and span count; `build.rs` writes the lookup.

use super::packed::Packed;
use sinew_skinning::SkinningMode;

/// A shader that exists for several modes and span counts.
#[derive(Clone, Copy, Debug)]
pub struct Shader {
    /// The compiled words.
    pub spirv: Packed,
    /// The locations of its inputs, sorted.
    pub inputs: &'static [u32],
}

include!(concat!(env!("OUT_DIR"), "/shaders.rs"));
