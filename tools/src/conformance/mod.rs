//! The recipes of the conformance suite's rigs, and its manifest. They must not depend on the machine: trigonometry comes from
//! `libm` and nothing is random, so everyone gets the same bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sinew_conformance::matrix::{Incomplete, complete};
use sinew_conformance::{Case, Class, Manifest, Part, Source, Tolerance};

mod animation;
mod assembly;
mod compression;
#[path = "../../../crates/model/tests/fbx/document/mod.rs"]
mod document;
mod fbx;
mod gltf;
mod influences;
mod morphs;
mod names;
mod scene;
mod skins;
mod storage;
mod surface;
mod transforms;
mod tube;
mod weights;

use document::Document;
use gltf::Gltf;

/// The classes of modes by their names.
pub type Modes = &'static [(&'static str, Class)];

/// Modes that many cases have.
const LBS: Modes = &[("lbs", Class::Required)];
const ALL_MODES: Modes = &[
    ("lbs", Class::Required),
    ("rigid", Class::Informative),
    ("dqs", Class::Informative),
    ("dqs-blender", Class::Informative),
    ("cor", Class::Informative),
];
const BLENDING: Modes = &[
    ("lbs", Class::Required),
    ("dqs", Class::Informative),
    ("dqs-blender", Class::Informative),
    ("cor", Class::Informative),
];
const TURNING: Modes = &[("lbs", Class::Required), ("dqs", Class::Informative)];
const SCALING: Modes =
    &[("lbs", Class::Required), ("dqs", Class::Informative), ("dqs-blender", Class::Informative)];

/// What an extension demands, or what the specification lets engines leave out.
const EXTENSION: Modes = &[("lbs", Class::Recommended)];

/// What the specification leaves open.
const OPEN: Modes = &[("lbs", Class::Informative)];

/// A case, and how its rig is made.
pub struct Recipe {
    /// The case's name.
    pub name: &'static str,
    /// The subject of the test.
    pub tests: &'static str,
    /// The reason for the test: what goes wrong without it.
    pub why: &'static str,
    /// A sentence word for word, and its document and section.
    pub source: (&'static str, &'static str),
    /// False if the file breaks a rule of its format on purpose.
    pub is_valid: bool,
    /// The clip by its number; `None` for the rest pose.
    pub clip: Option<usize>,
    /// The judged times, in seconds.
    pub times: &'static [f64],
    /// The modes that make sense for the rig.
    pub modes: Modes,
    /// The deviations that the case is made for, by mode.
    pub made_for: &'static [(&'static str, &'static [&'static str])],
    /// The rig.
    pub file: File,
}

/// The way to make a rig's file.
pub enum File {
    /// A `.glb` file.
    Glb(fn() -> Gltf),
    /// A `.gltf` file, where the JSON is the point.
    Text(fn() -> Gltf),
    /// A binary `.fbx` file.
    Fbx(fn() -> Document),
    /// An `.fbx` file of text.
    FbxText(fn() -> Document),
}

/// A case on the keys of the first clip that every engine must pass by linear blending.
const CASE: Recipe = Recipe {
    name: "",
    tests: "",
    why: "",
    source: ("", ""),
    is_valid: true,
    clip: Some(0),
    times: &[0.0, 0.5, 1.0],
    modes: LBS,
    made_for: &[],
    file: File::Glb(Gltf::default),
};

impl Recipe {
    /// The name of the rig's file.
    pub fn file_name(&self) -> String {
        let ending = match self.file {
            File::Glb(_) => "glb",
            File::Text(_) => "gltf",
            File::Fbx(_) | File::FbxText(_) => "fbx",
        };
        format!("{}.{ending}", self.name)
    }

    /// The bytes of the rig's file.
    pub fn bytes(&self) -> Vec<u8> {
        match self.file {
            File::Glb(file) => file().glb(),
            File::Text(file) => file().text(),
            File::Fbx(file) => file().binary(),
            File::FbxText(file) => file().ascii(),
        }
    }

    /// The case without tolerances and catches.
    fn case(&self) -> Case {
        let primitives = match self.file {
            File::Glb(file) | File::Text(file) => primitives(&file().json),
            File::Fbx(_) | File::FbxText(_) => vec![fbx::part()],
        };
        let unknown = |class: Class| Tolerance { class, positions: 0.0, normals: None, tangents: None };
        Case {
            name: self.name.to_owned(),
            file: self.file_name(),
            tests: self.tests.to_owned(),
            why: self.why.to_owned(),
            source: Source { quote: self.source.0.to_owned(), place: self.source.1.to_owned() },
            valid: self.is_valid,
            clip: self.clip,
            times: self.times.to_vec(),
            primitives,
            modes: self.modes.iter().map(|(mode, class)| ((*mode).to_owned(), unknown(*class))).collect(),
            catches: BTreeMap::new(),
        }
    }
}

/// Every recipe, in the order of the manifest.
pub fn all() -> Vec<Recipe> {
    [
        influences::all(),
        weights::all(),
        skins::all(),
        transforms::all(),
        storage::all(),
        animation::all(),
        morphs::all(),
        scene::all(),
        names::all(),
        surface::all(),
        fbx::all(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The suite's folder.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance")
}

/// The manifest of these recipes, with tolerances and caught deviations.
///
/// # Errors
/// If a rig is no model, or cannot be judged in one of its modes.
pub fn manifest(recipes: &[Recipe]) -> Result<Manifest, Incomplete> {
    let cases = recipes.iter().map(Recipe::case).collect();
    let mut manifest = Manifest { suite: "sinew-conformance".into(), version: 1, cases };
    let of_file = |file: &str| recipes.iter().find(|recipe| recipe.file_name() == file);
    complete(&mut manifest, &|file| of_file(file).map(Recipe::bytes).unwrap_or_default())?;
    Ok(manifest)
}

/// The manifest as the repository stores it.
pub fn text(manifest: &Manifest) -> serde_json::Result<String> {
    serde_json::to_string_pretty(manifest).map(|text| text + "\n")
}

/// The primitives of the scene in the order of the manifest: nodes depth first, each with its primitives.
fn primitives(json: &Value) -> Vec<Part> {
    let scene = json["scene"].as_u64().unwrap_or(0) as usize;
    let mut parts = Vec::new();
    for root in numbers(&json["scenes"][scene]["nodes"]) {
        add_primitives(json, root, &mut parts);
    }
    parts
}

fn add_primitives(json: &Value, node: usize, parts: &mut Vec<Part>) {
    let node = &json["nodes"][node];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if let Some(mesh) = node["mesh"].as_u64() {
        let mesh = &json["meshes"][mesh as usize];
        let instancing = &node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["TRANSLATION"];
        let copies = instancing.as_u64().map_or(1, |accessor| count(json, accessor));
        let primitives = mesh["primitives"].as_array().into_iter().flatten().enumerate();
        for (number, primitive) in (0..copies).flat_map(|_| primitives.clone()) {
            let vertices =
                primitive["attributes"]["POSITION"].as_u64().map_or(0, |accessor| count(json, accessor));
            let [node, mesh] = [&node["name"], &mesh["name"]].map(text);
            parts.push(Part { node, mesh, primitive: number, vertices });
        }
    }
    for child in numbers(&node["children"]) {
        add_primitives(json, child, parts);
    }
}

/// The number of elements of an accessor.
fn count(json: &Value, accessor: u64) -> usize {
    json["accessors"][accessor as usize]["count"].as_u64().unwrap_or(0) as usize
}

fn numbers(list: &Value) -> impl Iterator<Item = usize> {
    list.as_array().into_iter().flatten().filter_map(|number| Some(number.as_u64()? as usize))
}
