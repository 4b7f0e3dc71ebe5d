//! The recipes of the built-in models. They must not depend on the machine: trigonometry comes from `libm` and
//! nothing is random, so everyone gets the same bytes.

use std::path::{Path, PathBuf};

use sinew_model::Model;
use sinew_model::gltf::{WriteError, write_glb};

mod character;
mod elbow;
mod robot;
mod rod;
mod strip;

/// Makes a model.
pub type Recipe = fn() -> Model;

/// Every recipe with the name of its file.
pub const ALL: [(&str, Recipe); 6] = [
    ("strip", strip::strip),
    ("twist", rod::twist),
    ("bend", rod::bend),
    ("elbow", elbow::elbow),
    ("robot", robot::robot),
    ("character", character::character),
];

/// The file of a built-in model in `assets/`.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets").join(format!("{name}.glb"))
}

/// The recipe of that name.
pub fn recipe(name: &str) -> Option<Recipe> {
    ALL.iter().find(|(n, _)| *n == name).map(|&(_, recipe)| recipe)
}

/// The bytes of the file for a recipe's model.
pub fn file(name: &str, model: &Model) -> Result<Vec<u8>, WriteError> {
    let mut glb = write_glb(model)?;
    if name == "strip" {
        strip::name_both_joints(&mut glb);
    }
    Ok(glb)
}
