//! The manifest: what each case tests, and what counts as right.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The whole suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The suite's name.
    pub suite: String,
    /// The version of the suite's formats.
    pub version: u32,
    /// Every case.
    pub cases: Vec<Case>,
}

/// A rig, and the moments at which it is judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The case's name, which is also that of its files.
    pub name: String,
    /// The rig's file in `rigs/`.
    pub file: String,
    /// The subject of the test.
    pub tests: String,
    /// The reason for the test: what goes wrong without it.
    pub why: String,
    /// The statement that the case rests on.
    pub source: Source,
    /// False if the file breaks a rule of its format on purpose.
    #[serde(default = "valid", skip_serializing_if = "is_valid")]
    pub valid: bool,
    /// The clip by its number; `None` for the rest pose.
    pub clip: Option<usize>,
    /// The judged times, in seconds.
    pub times: Vec<f64>,
    /// The primitives in the order of vertices.
    pub primitives: Vec<Part>,
    /// The modes that make sense for the rig, by their names.
    pub modes: BTreeMap<String, Tolerance>,
    /// For each mode, the deviations that leave its tolerance at one of the times.
    #[serde(default)]
    pub catches: BTreeMap<String, Vec<String>>,
}

/// A sentence of a specification or paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The sentence, word for word.
    pub quote: String,
    /// The document and its section.
    #[serde(rename = "where")]
    pub place: String,
}

/// A primitive of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The node's name.
    pub node: String,
    /// The mesh's name.
    pub mesh: String,
    /// The primitive's number in its mesh.
    pub primitive: usize,
    /// The number of vertices.
    pub vertices: usize,
}

/// The obligation to pass a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// glTF without extensions demands it.
    Required,
    /// A specification recommends it, or an extension or another format demands it.
    Recommended,
    /// Specifications leave it open.
    Informative,
}

/// The largest distances from the expected values that single precision explains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tolerance {
    /// The obligation to pass in this mode.
    pub class: Class,
    /// The distance of positions, in the file's unit.
    pub positions: f64,
    /// The distance of unit normals, if the case judges normals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normals: Option<f64>,
    /// The distance of unit tangents, if the case judges tangents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangents: Option<f64>,
}

impl Class {
    /// Returns the name in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Recommended => "recommended",
            Self::Informative => "informative",
        }
    }
}

fn valid() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_valid(valid: &bool) -> bool {
    *valid
}
