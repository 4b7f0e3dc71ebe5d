//! Writes the window's edits of weights: the model and a recipe beside it, and a recipe in case the window ends early.

#![allow(clippy::disallowed_methods, reason = "reads only recipes that an earlier window wrote")]

use std::io::Write;
use std::path::Path;

use crate::cli::args::Step;
use crate::cli::commands::rigged::begin_at_zero;
use crate::cli::commands::weights::keep_stored;
use crate::cli::commands::weights::recipe::{self, Group};
use crate::cli::window::free_names::write_beside;
use crate::export::rigged::{Wanted, rigged};
use crate::model::gltf::{StoredWeights, read_file_of, write_glb};
use crate::model::{Loaded, Model};
use crate::output::{self, Closed, Output};
use crate::skinning::reweight::{PlacedEdit, Where};

/// Writes a model with its edited weights and the recipe of the edits under free names, and returns a message with their paths.
/// Weights that are not edited keep the bits of the original.
///
/// # Errors
/// If the model cannot be a glTF file, or a file cannot be written.
pub fn write(
    file: &str,
    edits: &[PlacedEdit],
    model: &Model,
    original: Option<&(Loaded, StoredWeights)>,
    inputs: &Closed,
) -> Result<String, String> {
    let recipe = write_beside((file, "-weights", "json"), inputs, |output| save(output, edits));
    let glb = glb(model, original).and_then(|bytes| {
        write_beside((file, "-weights", "glb"), inputs, |output| {
            output::write(output, |out| out.write_all(&bytes))
        })
    });
    match (glb, recipe) {
        (Ok(glb), Ok(recipe)) => Ok(format!("{glb}; {recipe}")),
        (Err(first), Ok(second) | Err(second)) | (Ok(second), Err(first)) => {
            Err(format!("{first}; {second}"))
        }
    }
}

/// The bytes of the file of a model with edited weights.
fn glb(model: &Model, original: Option<&(Loaded, StoredWeights)>) -> Result<Vec<u8>, String> {
    let mut model = model.clone();
    begin_at_zero(&mut model);
    let mut rigged = rigged(&model, &Wanted::ANYTHING).map_err(|error| error.to_string())?;
    if let Some((loaded, stored)) = original {
        keep_stored(&mut rigged.model, &loaded.model, stored, &|_, _, _| false);
    }
    write_glb(&rigged.model).map_err(|error| error.to_string())
}

/// Writes the recipe of edits.
///
/// # Errors
/// If it cannot be written.
pub fn save(output: &Output, edits: &[PlacedEdit]) -> std::io::Result<()> {
    let groups = groups(edits);
    output::write(output, |out: &mut dyn Write| recipe::write(&groups, Where::clone, output.path(), out))
}

/// Returns the groups of edits. Edits of the same places are one group.
fn groups(edits: &[PlacedEdit]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for PlacedEdit { places, edit } in edits {
        let condition = Where::At(places.clone());
        let step = Step::Edit(edit.clone());
        match groups.last_mut().filter(|group| group.conditions == [condition.clone()]) {
            Some(group) => group.steps.push(step),
            None => groups.push(Group { conditions: vec![condition], steps: vec![step], ..Group::default() }),
        }
    }
    groups
}

/// Reads the recipe of edits that [`save`] wrote; `None` for any other file.
pub fn load(path: &Path) -> Option<Vec<PlacedEdit>> {
    let text = read_file_of(path, recipe::MAX_BYTES).ok()?;
    let groups = recipe::read(&text, Path::new("")).ok()?;
    let mut edits = Vec::new();
    for Group { lock, conditions, steps, .. } in groups {
        let ([Where::At(places)], []) = (conditions.as_slice(), lock.as_slice()) else { return None };
        for step in steps {
            let Step::Edit(edit) = step else { return None };
            edits.push(PlacedEdit { places: places.clone(), edit });
        }
    }
    Some(edits)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;
    use crate::skinning::reweight::Edit;

    #[test]
    fn edits_of_places_read_as_they_were_written() {
        let edit = |x: f32, by: f64| PlacedEdit {
            places: [[x, 0.1, -2.0], [x + 1.0, 0.0, 1e-9]].into_iter().collect(),
            edit: Edit::Add("elbow".to_owned(), by),
        };
        let edits = vec![edit(0.5, 0.1), edit(0.5, -0.2), edit(0.25, 1.0)];
        assert_eq!(groups(&edits).iter().map(|group| group.steps.len()).collect::<Vec<_>>(), [2, 1]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recipe.json");
        let mut text = Vec::new();
        recipe::write(&groups(&edits), Where::clone, &path, &mut text).unwrap();
        std::fs::write(&path, text).unwrap();
        assert_eq!(load(&path), Some(edits));
        std::fs::write(&path, r#"{"groups": [{"edits": ["fix"]}]}"#).unwrap();
        assert_eq!(load(&path), None);
    }
}
