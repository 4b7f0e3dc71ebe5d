//! The files of a scene, and the flags with which they are read.

use sinew_model::{DdmSettings, Reader};

/// The files that a scene shows, as the user gave them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Files {
    /// The model: a path or `builtin:NAME`.
    pub model: String,
    /// The file's scene to show; `None` is the file's default.
    pub scene: Option<String>,
    /// Variants to select: names of sets and variants.
    pub variants: Vec<(String, String)>,
    /// True to allow references to files outside the model's folder.
    pub allow_outside: bool,
    /// Samples per second for the motion of FBX files, if different from the file's frame rate.
    pub fbx_rate: Option<f64>,
    /// Files with clips to append to the model's own.
    pub clip_from: Vec<String>,
    /// The joint map between their rigs and the model's.
    pub joint_map: Option<String>,
    /// True to match joints by the map and by name alone.
    pub no_guess: bool,
    /// The parser of glTF's JSON.
    pub reader: Reader,
    /// The settings of direct delta mush, if they are not the defaults.
    pub ddm: Option<DdmSettings>,
    /// The length by which its dropped terms may move vertices, as a flag has it.
    pub ddm_within: Option<String>,
    /// A second file to show or to compare with.
    pub other: Option<String>,
}

impl<T: Into<String>> From<T> for Files {
    /// Returns a model that is read without flags.
    fn from(model: T) -> Self {
        Self { model: model.into(), ..Self::default() }
    }
}
