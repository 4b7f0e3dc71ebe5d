//! All streams of a model's vertices as a recipe makes them.

use sinew_model::Model;
use sinew_skinning::pose::PoseChoice;

use super::deviation::Step;
use super::directions::way;
use super::engine::{Posed, Scratch};
use super::recipe::Recipe;
use super::subject::Subject;

/// A vertex as a recipe makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// The position.
    pub position: [f64; 3],
    /// The normal, if the primitive has normals.
    pub normal: Option<[f64; 3]>,
    /// The tangent, if the primitive has normals and tangents.
    pub tangent: Option<[f64; 4]>,
}

/// Returns all drawn vertices as a recipe makes them, primitive after primitive.
pub fn made(model: &Model, recipe: &Recipe, choice: &PoseChoice) -> Vec<Made> {
    let subject = Subject::new(model);
    let posed = Posed::new(&subject, recipe, choice);
    let mut scratch = Scratch::default();
    let [normal_way, tangent_way, hand_way] =
        [Step::Normals, Step::Tangents, Step::Handedness].map(|step| way(recipe, step));
    let one = |vertex| {
        let moved = posed.moved(vertex, &mut scratch)?;
        let surface = posed.surface(vertex, &moved, &mut scratch);
        let normal = surface.as_ref().map(|surface| surface.normal(normal_way));
        let tangent = surface.as_ref().zip(normal).and_then(|(surface, normal)| {
            let tangent = surface.tangent?;
            let hand = surface.handedness(tangent, hand_way, 1.0);
            Some(surface.tangent(tangent, tangent_way, normal).extend(hand).to_array())
        });
        Some(Made { position: moved.position.to_array(), normal: normal.map(|n| n.to_array()), tangent })
    };
    (0..subject.len).filter_map(one).collect()
}
