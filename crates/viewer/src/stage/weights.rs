//! Weights by hand: the selected vertices, and the edits of their weights since the file was read. Edits are kept as a list,
//! so that undo and a reloaded file start again from the file's weights.

use std::collections::HashSet;
use std::sync::Arc;

use super::state::Stage;
use super::weighed::Weighed;
use sinew_model::{Model, VertexIndex};
use sinew_skinning::pose::Names;
use sinew_skinning::reweight::{Done, Edit, Edited, PlacedEdit, Places, Weights, edited};
use sinew_text::words::many;

/// The maximum number of edits, as in a recipe.
const MAX_EDITS: usize = 1000;

/// The effect of vertices on the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// Vertices replace it.
    Only,
    /// Vertices join it.
    Add,
    /// Vertices leave it.
    Remove,
}

/// A model with edited weights, and what there is to say of it.
pub struct Reweighed {
    pub model: Arc<Model>,
    /// The effect of the last edit, or the error of edits that the model cannot have.
    pub said: Option<Result<String, String>>,
}

/// The weights of the chosen joint at the selected vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub least: f64,
    pub mean: f64,
    pub most: f64,
}

impl Stage {
    /// Returns the number of selected places.
    pub fn selected_count(&self) -> usize {
        self.weighed.places.len()
    }

    /// Returns one vertex of each selected place, for each instance that draws it.
    pub fn selected(&self) -> &[VertexIndex] {
        &self.selected
    }

    /// Starts or ends selecting. The selection stays.
    pub(super) fn toggle_selecting(&mut self) {
        self.is_selecting ^= true;
    }

    /// Changes the selection.
    pub fn select(&mut self, vertices: &[VertexIndex], how: Select) {
        let places = vertices.iter().filter_map(|index| {
            let mesh = self.model.instances.get(index.instance).filter(|found| found.skin.is_some())?.mesh;
            let primitive = self.model.meshes.get(mesh)?.primitives.get(index.primitive)?;
            primitive.influences.as_ref()?;
            primitive.positions.get(index.vertex).copied()
        });
        let (before, places) = (&self.weighed.places, places.collect());
        let places = match how {
            Select::Only => places,
            Select::Add => before.with(&places),
            Select::Remove => before.without(&places),
        };
        self.set_places(places);
    }

    /// Grows the selection over the surface, or shrinks it.
    pub(super) fn grow(&mut self, by: i32) {
        let weights = Weights::new(&self.model);
        let places = &self.weighed.places;
        let places = if by > 0 { weights.grown(places) } else { weights.shrunk(places) };
        self.set_places(places);
    }

    /// Clears the selection. Returns true if there was one.
    pub fn clear_selection(&mut self) -> bool {
        let had = !self.weighed.places.is_empty();
        self.set_places(Places::default());
        had
    }

    fn set_places(&mut self, places: Places) {
        self.weighed.places = places;
        self.find_selected();
    }

    /// Finds the selected vertices of the model.
    pub(super) fn find_selected(&mut self) {
        self.selected.clear();
        if self.weighed.places.is_empty() {
            return;
        }
        for (instance, found) in self.model.instances.iter().enumerate().filter(|(_, i)| i.skin.is_some()) {
            let mut seen = HashSet::new();
            let primitives = self.model.meshes.get(found.mesh).map_or(&[][..], |mesh| &mesh.primitives);
            for (primitive, stored) in primitives.iter().enumerate().filter(|(_, p)| p.influences.is_some()) {
                for (vertex, place) in stored.positions.iter().enumerate() {
                    if self.weighed.places.has(*place) && seen.insert(place.map(f32::to_bits)) {
                        self.selected.push(VertexIndex { instance, primitive, vertex });
                    }
                }
            }
        }
    }

    /// Edits the chosen joint's weights at the selected vertices; `edit` gets its name.
    pub fn edit_weights(&mut self, edit: impl FnOnce(String) -> Edit) -> Result<(), String> {
        let Some(node) = self.chosen.filter(|node| self.is_joint(*node)) else {
            return Err("choose a joint first: its weights change".to_owned());
        };
        let joint = Names::new(&self.model).node_name(node);
        self.edit_selected(edit(joint))
    }

    /// Edits the weights of the selected vertices.
    pub fn edit_selected(&mut self, edit: Edit) -> Result<(), String> {
        if self.weighed.places.is_empty() {
            return Err("select vertices first: F4, then click or drag a rectangle".to_owned());
        }
        if self.weighed.edits.len() >= MAX_EDITS {
            return Err(format!("a recipe has up to {MAX_EDITS} edits; save them, and open the saved file"));
        }
        let placed = PlacedEdit { places: self.weighed.places.clone(), edit };
        Arc::make_mut(&mut self.weighed.edits).push(placed);
        Ok(())
    }

    /// Returns the edits of weights.
    pub fn weight_edits(&self) -> &[PlacedEdit] {
        &self.weighed.edits
    }

    /// Returns the model with the current edits, if it shows others, and a message about the last edit or about edits that the
    /// model cannot have.
    pub fn reweighed(&self) -> Option<Reweighed> {
        if Arc::ptr_eq(&self.applied, &self.weighed.edits) {
            return None;
        }
        if self.weighed.edits.is_empty() {
            return Some(Reweighed { model: Arc::clone(&self.stored), said: None });
        }
        let is_more = self.weighed.edits.len() > self.applied.len();
        let Edited { model, done, failed } = edited(&self.stored, &self.weighed.edits);
        let fault = failed.first().map(|first| {
            let edits = many(failed.len(), "edit");
            Err(format!("{edits} of weights changed nothing in this file: {first}"))
        });
        let said = fault.or_else(|| is_more.then(|| Ok(words_of(done))));
        Some(Reweighed { model: Arc::new(model), said })
    }

    /// Shows the model that [`Stage::reweighed`] returned.
    pub fn take_weights(&mut self, model: Arc<Model>) {
        self.model = model;
        self.applied = Arc::clone(&self.weighed.edits);
        self.apply_ddm();
    }

    /// Keeps the edits of weights for a reloaded file, to be made again; another file has none.
    pub(super) fn carry_weights(&mut self, is_other: bool) {
        self.stored = Arc::clone(&self.model);
        if is_other {
            self.weighed = Weighed::default();
        }
        // The new model has no edits yet.
        self.applied = match self.weighed.edits.is_empty() {
            true => Arc::clone(&self.weighed.edits),
            false => Arc::default(),
        };
        self.find_selected();
    }

    /// Makes edits that an earlier window left.
    pub fn take_back_weights(&mut self, edits: Vec<PlacedEdit>) {
        self.weighed.edits = Arc::new(edits);
    }

    /// Returns the chosen joint's weights at the selected vertices.
    pub fn selected_weights(&self) -> Option<Range> {
        let node = self.chosen?;
        let weight = |index: &VertexIndex| {
            let instance = self.model.instances.get(index.instance)?;
            let joints = &self.model.skins.get(instance.skin?)?.joints;
            let number = i32::try_from(joints.iter().position(|joint| *joint == node)?).ok()?;
            let primitive = self.model.meshes.get(instance.mesh)?.primitives.get(index.primitive)?;
            let spans = &primitive.influences.as_ref()?.spans;
            let own = spans.iter().filter_map(|span| {
                Some(span.joints.get(index.vertex)?.iter().zip(span.weights.get(index.vertex)?))
            });
            let own = own.flatten().filter(|(joint, _)| **joint == number);
            Some(own.map(|(_, weight)| f64::from(*weight)).sum::<f64>())
        };
        let weights: Vec<f64> = self.selected.iter().filter_map(weight).collect();
        let least = weights.iter().copied().reduce(f64::min)?;
        let most = weights.iter().copied().reduce(f64::max)?;
        Some(Range { least, mean: weights.iter().sum::<f64>() / weights.len() as f64, most })
    }
}

/// Describes the effect of an edit.
fn words_of(done: Done) -> String {
    let changed = format!("weights of {} changed", many(done.changed, "vertex"));
    match done.short {
        0 => changed,
        short => format!("{changed}; {short} could not follow"),
    }
}
