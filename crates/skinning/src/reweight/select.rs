//! Selections of vertices by place: their neighbours over the surface, and edits of them in a list.

use std::collections::BTreeSet;

use sinew_model::Model;

use super::points::Points;
use super::{Chosen, Done, Edit, EditError, Places, Weights, Where};

/// An edit of the vertices at some places.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedEdit {
    /// The places.
    pub places: Places,
    /// The edit.
    pub edit: Edit,
}

/// A model after a list of edits.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The model.
    pub model: Model,
    /// The numbers of vertices of the last edit that the model can have.
    pub done: Done,
    /// Edits that the model cannot have, such as those of a joint that it lacks.
    pub failed: Vec<EditError>,
}

/// Makes edits in their order; those that the model cannot have change nothing.
pub fn edited(model: &Model, edits: &[PlacedEdit]) -> Edited {
    let mut weights = Weights::new(model);
    let (mut done, mut failed) = (Done::default(), Vec::new());
    for PlacedEdit { places, edit } in edits {
        let chosen = weights.choose(&[Where::At(places.clone())]);
        match chosen.and_then(|chosen| weights.apply(edit, &chosen)) {
            Ok(of_edit) => done = of_edit,
            Err(error) => failed.push(error),
        }
    }
    Edited { model: weights.model(), done, failed }
}

impl Weights<'_> {
    /// Returns the places of the chosen vertices.
    pub fn places(&self, chosen: &Chosen) -> Places {
        let parts = self.parts.iter().enumerate();
        let places = parts.flat_map(|(number, part)| {
            let positions = part.primitive(self.model).map_or(&[][..], |primitive| &primitive.positions);
            let vertices = positions.iter().enumerate();
            vertices.filter(move |(vertex, _)| chosen.has(number, *vertex)).map(|(_, place)| *place)
        });
        places.collect()
    }

    /// Returns the places with those next to them on the surface.
    pub fn grown(&self, places: &Places) -> Places {
        places.with(&self.beside(|place| places.has(place)))
    }

    /// Returns the places whose neighbours on the surface are all among them.
    pub fn shrunk(&self, places: &Places) -> Places {
        places.without(&self.beside(|place| !places.has(place)))
    }

    /// Returns the places that have a neighbour for which a condition holds.
    fn beside(&self, holds: impl Fn([f32; 3]) -> bool) -> Places {
        let mut found = Vec::new();
        for skin in self.parts.iter().map(|part| part.skin).collect::<BTreeSet<usize>>() {
            let points = Points::new(self.model, &self.parts, skin);
            for point in 0..points.len() {
                if points.place(self.model, &self.parts, point).is_some_and(&holds) {
                    found.extend(
                        points
                            .around(point)
                            .iter()
                            .filter_map(|other| points.place(self.model, &self.parts, *other as usize)),
                    );
                }
            }
        }
        found.into_iter().collect()
    }
}
