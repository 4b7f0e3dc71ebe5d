//! Jumps: steps of vertices from one frame to the next that are longer than any of their joints alone would make.
//!
//! Modes that average the positions to which the joints would move a vertex cannot jump. By the triangle inequality, the
//! average moves no further than the one that moves furthest.

use glam::{DAffine3, DMat3, DMat4, DVec3};

use super::followers::{Followed, Followers};
use super::frame::{Jump, Place};
use sinew_model::{Model, Primitive};
use sinew_skinning::morph::{morph_exactly, weights_of};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::SkinnedPrimitive;

/// The rounding of a step, in units of the terms that sum to it. Measured positions are off by a few units in the last place
/// of the largest term, and there are up to 16 terms.
const ROUNDING: f64 = 1e-13;

/// The state that one frame leaves for the next.
#[derive(Default)]
pub struct Track {
    /// True if there was a frame.
    is_set: bool,
    /// The previous positions of all skinned vertices.
    places: Vec<DVec3>,
    /// The joints' transforms.
    transforms: Vec<DMat4>,
    /// The morph weights.
    weights: Vec<f64>,
    /// The motion of the joints, while a frame is measured.
    steps: Vec<Step>,
}

/// The motion of a joint from one frame to the next.
struct Step {
    /// The transform now, minus that before.
    difference: DAffine3,
    /// The previous rotation and stretch.
    before: DMat3,
    /// The size of the terms for a coordinate of 1 in both transforms.
    factor: f64,
    /// The size of the terms that do not depend on coordinates.
    offset: f64,
}

impl Step {
    fn new(now: &DMat4, before: &DMat4) -> Self {
        let (now, before) = (DAffine3::from_mat4(*now), DAffine3::from_mat4(*before));
        let factor = |m: &DMat3| (m.x_axis.abs() + m.y_axis.abs() + m.z_axis.abs()).max_element();
        let offset = |m: &DAffine3| m.translation.abs().max_element();
        Self {
            difference: DAffine3 {
                matrix3: now.matrix3 - before.matrix3,
                translation: now.translation - before.translation,
            },
            before: before.matrix3,
            factor: factor(&now.matrix3) + factor(&before.matrix3),
            offset: offset(&now) + offset(&before),
        }
    }
}

impl Track {
    /// Clears the previous frame.
    pub fn restart(&mut self) {
        self.is_set = false;
    }

    /// Finds the largest jump since the previous frame, and keeps this one for the next. `transforms` are those of all
    /// joints.
    pub fn advance(
        &mut self,
        followers: &Followers,
        model: &Model,
        pose: &Pose,
        transforms: &[DMat4],
        skinned: &[SkinnedPrimitive<f64>],
    ) -> Option<Jump> {
        self.steps.clear();
        let joints = transforms.iter().zip(&self.transforms);
        self.steps.extend(joints.map(|(now, before)| Step::new(now, before)));
        let mut largest = Jump { metres: 0.0, vertex: Place { instance: 0, primitive: 0, vertex: 0 } };
        let mut begin = 0;
        for (followed, skinned) in followers.drawn.iter().zip(skinned) {
            let Some(followed) = followed else { continue };
            let end = begin + followed.len();
            if self.places.len() < end {
                self.places.resize(end, DVec3::NAN);
            }
            let before = &mut self.places[begin..end];
            begin = end;
            let source = Source::of(model, followed, &pose.weights, &self.weights).filter(|_| self.is_set);
            match source {
                Some(source) => {
                    find(followed, &source, &self.steps, &skinned.positions, before, &mut largest)
                }
                None => keep(&skinned.positions, before),
            }
        }
        self.weights.clear();
        self.weights.extend_from_slice(&pose.weights);
        self.transforms.clear();
        self.transforms.extend_from_slice(transforms);
        self.is_set = true;
        (largest.metres > 0.0).then_some(largest)
    }
}

/// The unskinned vertices of a primitive.
struct Source<'a> {
    primitive: &'a Primitive,
    /// The weights of its morph targets now and before; empty if they have no effect.
    weights: [&'a [f64]; 2],
}

impl<'a> Source<'a> {
    fn of(model: &'a Model, followed: &Followed, now: &'a [f64], before: &'a [f64]) -> Option<Self> {
        let instance = model.instances.get(followed.instance)?;
        let primitive = model.meshes.get(instance.mesh)?.primitives.get(followed.primitive)?;
        let weights = [now, before].map(|weights| weights_of(&model.rig, instance, weights));
        let is_morphed = weights.iter().any(|weights| weights.iter().any(|weight| *weight != 0.0));
        Some(Self { primitive, weights: if is_morphed { weights } else { [&[]; 2] } })
    }

    /// Returns the position of a vertex before skinning, its shift by morph targets since the previous frame, and the
    /// largest coordinate of all that.
    fn vertex(&self, vertex: usize) -> Option<(DVec3, Option<DVec3>, f64)> {
        let &stored = self.primitive.positions.get(vertex)?;
        let deltas = self.primitive.morphs.as_ref().and_then(|morphs| morphs.positions.as_ref());
        let Some(deltas) = deltas.filter(|_| self.weights.iter().any(|weights| !weights.is_empty())) else {
            let place = DVec3::from_array(stored.map(f64::from));
            return Some((place, None, place.abs().max_element()));
        };
        let [(now, size_now), (before, size_before)] =
            self.weights.map(|weights| morph_exactly(stored, Some(deltas), vertex, weights));
        let now = DVec3::from_array(now);
        let size = DVec3::from_array(size_now).max(DVec3::from_array(size_before)).max_element();
        Some((now, Some(now - DVec3::from_array(before)), size))
    }
}

/// Compares a primitive with the largest jump so far, and keeps the positions of its vertices.
fn find(
    followed: &Followed,
    source: &Source,
    steps: &[Step],
    positions: &[[f64; 3]],
    before: &mut [DVec3],
    largest: &mut Jump,
) {
    for (vertex, ((position, before), joints)) in
        positions.iter().zip(before).zip(followed.vertices()).enumerate()
    {
        let now = DVec3::from_array(*position);
        let moved = now.distance(std::mem::replace(before, now));
        // The comparison also fails for NaN.
        if moved > largest.metres && moved < f64::INFINITY {
            let needed = moved - largest.metres;
            let unexplained = unexplained(source, vertex, joints, steps, moved, needed);
            if let Some(metres) = unexplained.filter(|metres| *metres > largest.metres) {
                let Followed { instance, primitive, .. } = *followed;
                *largest = Jump { metres, vertex: Place { instance, primitive, vertex } };
            }
        }
    }
}

/// Returns the distance that a vertex moved beyond the furthest that any of its joints alone would have moved it. `None` as
/// soon as one of them explains the needed distance.
fn unexplained(
    source: &Source,
    vertex: usize,
    joints: &[u32],
    steps: &[Step],
    moved: f64,
    needed: f64,
) -> Option<f64> {
    let (place, shift, size) = source.vertex(vertex)?;
    let (mut furthest, mut rounding) = (0.0f64, 0.0f64);
    for &joint in joints {
        let step = steps.get(joint as usize)?;
        // Position now minus position before: M p − M' p' = (M − M') p + M' (p − p').
        let mut way = step.difference.transform_point3(place);
        if let Some(shift) = shift {
            way += step.before * shift;
        }
        let square = way.length_squared();
        if square >= needed * needed {
            return None;
        }
        furthest = furthest.max(square);
        rounding = rounding.max(step.factor * size + step.offset);
    }
    Some(moved - furthest.sqrt() - ROUNDING * rounding)
}

/// Keeps the positions of the vertices.
fn keep(positions: &[[f64; 3]], places: &mut [DVec3]) {
    for (place, &position) in places.iter_mut().zip(positions) {
        *place = DVec3::from_array(position);
    }
}
