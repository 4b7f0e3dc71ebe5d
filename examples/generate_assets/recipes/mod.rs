//! How each built-in model is made. Nothing here may depend on the machine: trigonometry comes
//! from `libm` and random choices from nowhere, so that everyone gets the same bytes.

use sinew::model::Model;

mod character;
mod rod;
mod strip;

/// Makes a model.
pub type Recipe = fn() -> Model;

/// Every recipe with the name of its file.
pub const ALL: [(&str, Recipe); 4] = [
    ("strip", strip::strip),
    ("twist", rod::twist),
    ("bend", rod::bend),
    ("character", character::character),
];

/// The recipe of that name.
pub fn recipe(name: &str) -> Option<Recipe> {
    ALL.iter().find(|(n, _)| *n == name).map(|&(_, recipe)| recipe)
}
