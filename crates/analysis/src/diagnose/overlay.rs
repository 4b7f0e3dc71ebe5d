//! Given vertices as a model that can be shown over the original.

use std::collections::HashMap;

use sinew_model::{Model, VertexIndex};
use sinew_skinning::pose::PoseChoice;

use super::answer::Answer;
use super::deviation::Step;
use super::directions;
use super::engine::{Posed, Scratch};
use super::recipe::Recipe;
use super::subject::Subject;
use crate::unskinned;
use crate::vertices::Part;

/// Returns the model with the given vertices: the stored mesh, and one morph target of full weight that moves it there, so
/// that its vertices are found by their stored positions. Vertices that were not given are where the verdict has them.
pub fn overlay(model: &Model, answer: &Answer) -> Model {
    let subject = Subject::new(model);
    let posed = Posed::new(&subject, &answer.recipe, &answer.choice);
    let mut scratch = Scratch::default();
    let key = |index: &VertexIndex| (index.instance, index.primitive, index.vertex);
    let theirs: HashMap<_, [f64; 3]> = answer.theirs.iter().map(|(index, at)| (key(index), *at)).collect();
    let mut made = unskinned::like(model);
    let mut last = None;
    for part in &subject.parts {
        if last != Some(part.number) {
            last = Some(part.number);
            unskinned::begin(&mut made, model, part.instance, vec!["given".into()]);
        }
        let moves = part.primitive.positions.iter().enumerate().map(|(vertex, stored)| {
            let to = theirs.get(&(part.number, part.in_mesh, vertex)).copied();
            let to = to.unwrap_or_else(|| posed.position(part.first + vertex, &mut scratch).to_array());
            let moved = [0, 1, 2].map(|axis| (to[axis] - f64::from(stored[axis])) as f32);
            (vertex as u32, if moved.iter().all(|x| x.is_finite()) { moved } else { [0.0; 3] })
        });
        let moves = moves.collect();
        unskinned::add(&mut made, part.primitive);
        if let Some(primitive) = made.meshes.last_mut().and_then(|mesh| mesh.primitives.last_mut()) {
            unskinned::set_targets(primitive, &[moves], &[]);
        }
    }
    if let PoseChoice::Clips(mix) = &answer.choice {
        let clips = mix.all().filter_map(|clip| model.clips.get(clip));
        made.clips = clips.map(|clip| unskinned::clip(&clip.name, &made, &[0.0])).collect();
    }
    made
}

/// Returns the drawn vertices as a recipe makes them, with the normals and tangents that the model has, one part for each
/// primitive.
pub fn vertices(model: &Model, recipe: &Recipe, choice: &PoseChoice) -> Vec<Part> {
    let subject = Subject::new(model);
    let posed = Posed::new(&subject, recipe, choice);
    let mut scratch = Scratch::default();
    let ways = [Step::Normals, Step::Tangents, Step::Handedness].map(|step| directions::way(recipe, step));
    let [by_normal, by_tangent, by_hand] = ways;
    let mut part = |part: &super::subject::Part| {
        let mut made = Part::default();
        for vertex in part.first..part.first + part.len() {
            let Some(moved) = posed.moved(vertex, &mut scratch) else { continue };
            made.positions.push(moved.position.to_array());
            let Some(surface) = posed.surface(vertex, &moved, &mut scratch) else { continue };
            let normal = surface.normal(by_normal);
            made.normals.get_or_insert_default().push(normal.to_array());
            if let Some(tangent) = surface.tangent {
                let direction = surface.tangent(tangent, by_tangent, normal);
                let row = direction.extend(surface.handedness(tangent, by_hand, 1.0));
                made.tangents.get_or_insert_default().push(row.to_array());
            }
        }
        made
    };
    subject.parts.iter().map(&mut part).collect()
}

/// Returns the positions of all drawn vertices as a recipe makes them, primitive after primitive.
pub fn positions(model: &Model, recipe: &Recipe, choice: &PoseChoice) -> Vec<[f64; 3]> {
    let subject = Subject::new(model);
    let posed = Posed::new(&subject, recipe, choice);
    let mut scratch = Scratch::default();
    (0..subject.len).map(|vertex| posed.position(vertex, &mut scratch).to_array()).collect()
}
