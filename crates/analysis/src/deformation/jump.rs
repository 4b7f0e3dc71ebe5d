//! Jumps: steps of vertices from one frame to the next that are longer than any of their joints alone would make.
//!
//! Modes that average the positions to which the joints would move a vertex cannot jump. By the triangle inequality, the
//! average moves no further than the one that moves furthest.

use glam::{DAffine3, DMat3, DMat4, DVec3};
use sinew_skinning::wide::{self, Work};

use super::followers::{Followed, Followers};
use super::frame::{Jump, Place};
use sinew_model::{Model, Primitive};
use sinew_skinning::morph::{morph_exactly, weights_of};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::SkinnedPrimitive;

/// The rounding of a step, in units of the terms that sum to it. Measured positions are off by a few units in the last place
/// of the largest term, and there are up to 16 terms.
const ROUNDING: f64 = 1e-13;

/// The number of vertices that are measured at once.
const LANES: usize = 64;

/// The motion of all joints from one frame to the next, which all modes share.
#[derive(Default)]
pub struct Motion {
    /// True if there was a frame.
    is_set: bool,
    /// The joints' transforms in the previous frame.
    transforms: Vec<DMat4>,
    /// The morph weights there.
    weights: Vec<f64>,
    /// The motion of the joints.
    steps: Vec<Step>,
    /// The part of each skinned vertex's motion that they explain.
    explained: Explained,
}

/// The parts of vertices' motions that joints explain.
#[derive(Default)]
struct Explained {
    /// The square of the furthest distance that one of its joints alone would have moved each vertex; infinite if it is not
    /// known, and −1 without joints.
    furthest: Vec<f64>,
    /// The size of the terms.
    sizes: Vec<f64>,
}

/// The state that one frame of a mode leaves for the next.
#[derive(Default)]
pub struct Track {
    /// True if there was a frame.
    is_set: bool,
    /// The previous positions of all skinned vertices.
    places: Vec<[f64; 3]>,
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

impl Motion {
    /// Clears the previous frame.
    pub fn restart(&mut self) {
        self.is_set = false;
    }

    /// Goes on to the next frame. `transforms` are those of all joints.
    pub fn advance(&mut self, followers: &Followers, model: &Model, pose: &Pose, transforms: &[DMat4]) {
        let Self { is_set, transforms: known, weights, steps, explained } = self;
        explained.furthest.clear();
        explained.sizes.clear();
        if std::mem::replace(is_set, true) {
            steps.clear();
            steps.extend(transforms.iter().zip(&*known).map(|(now, before)| Step::new(now, before)));
            for followed in followers.drawn.iter().flatten() {
                let source = Source::of(model, followed, &pose.weights, weights);
                explained.add(followed, source.as_ref(), steps);
            }
        }
        weights.clear();
        weights.extend_from_slice(&pose.weights);
        known.clear();
        known.extend_from_slice(transforms);
    }
}

impl Explained {
    /// Adds the vertices of a primitive.
    fn add(&mut self, followed: &Followed, source: Option<&Source>, steps: &[Step]) {
        for (vertex, joints) in followed.vertices().enumerate() {
            let found = source.and_then(|source| explained(source, vertex, joints, steps));
            let (furthest, size) = found.unwrap_or((f64::INFINITY, 0.0));
            self.furthest.push(furthest);
            self.sizes.push(size);
        }
    }
}

/// Returns what joints explain of the motion of a vertex; `None` if it or one of them is missing.
fn explained(source: &Source, vertex: usize, joints: &[u32], steps: &[Step]) -> Option<(f64, f64)> {
    let (place, shift, size) = source.vertex(vertex)?;
    let (mut furthest, mut rounding) = (-1.0f64, 0.0f64);
    for &joint in joints {
        let step = steps.get(joint as usize)?;
        // Position now minus position before: M p − M' p' = (M − M') p + M' (p − p').
        let mut way = step.difference.transform_point3(place);
        if let Some(shift) = shift {
            way += step.before * shift;
        }
        furthest = furthest.max(way.length_squared());
        rounding = rounding.max(step.factor * size + step.offset);
    }
    Some((furthest, rounding))
}

impl Track {
    /// Clears the previous frame.
    pub fn restart(&mut self) {
        self.is_set = false;
    }

    /// Finds the largest jump since the previous frame, and keeps this one for the next.
    pub fn advance(
        &mut self,
        followers: &Followers,
        motion: &Motion,
        skinned: &[SkinnedPrimitive<f64>],
    ) -> Option<Jump> {
        let mut largest = Jump { metres: 0.0, vertex: Place { instance: 0, primitive: 0, vertex: 0 } };
        let mut begin = 0;
        for (followed, skinned) in followers.drawn.iter().zip(skinned) {
            let Some(followed) = followed else { continue };
            let end = begin + followed.len();
            if self.places.len() < end {
                self.places.resize(end, [f64::NAN; 3]);
            }
            let before = &mut self.places[begin..end];
            let Explained { furthest, sizes } = &motion.explained;
            let explained = furthest.get(begin..end).zip(sizes.get(begin..end)).filter(|_| self.is_set);
            if let Some((furthest, sizes)) = explained {
                find(followed, &skinned.positions, (furthest, sizes), before, &mut largest);
            }
            before.iter_mut().zip(&skinned.positions).for_each(|(before, now)| *before = *now);
            begin = end;
        }
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

/// Compares a primitive with the largest jump so far.
fn find(
    followed: &Followed,
    positions: &[[f64; 3]],
    (furthest, sizes): (&[f64], &[f64]),
    before: &[[f64; 3]],
    largest: &mut Jump,
) {
    let blocks = positions.chunks(LANES).zip(before.chunks(LANES));
    let explained = furthest.chunks(LANES).zip(sizes.chunks(LANES));
    let mut jumps = [0.0; LANES];
    for (number, ((now, before), (furthest, sizes))) in blocks.zip(explained).enumerate() {
        let count = now.len().min(before.len());
        let metres = largest.metres;
        wide::run(Measure { now, before, furthest, sizes, largest: metres, jumps: &mut jumps });
        // Compared with a larger jump, others are none, too.
        if !jumps[..count].iter().fold(false, |any, jump| any | (*jump > metres)) {
            continue;
        }
        for lane in 0..count {
            let metres = jump(&now[lane], &before[lane], furthest[lane], sizes[lane], largest.metres);
            if metres > largest.metres {
                let Followed { instance, primitive, .. } = *followed;
                *largest =
                    Jump { metres, vertex: Place { instance, primitive, vertex: number * LANES + lane } };
            }
        }
    }
}

/// Measures the jumps of some vertices.
struct Measure<'a> {
    now: &'a [[f64; 3]],
    before: &'a [[f64; 3]],
    furthest: &'a [f64],
    sizes: &'a [f64],
    /// The largest so far.
    largest: f64,
    jumps: &'a mut [f64; LANES],
}

impl Work for Measure<'_> {
    #[inline(always)]
    fn work(self) {
        let Self { now, before, furthest, sizes, largest, jumps } = self;
        let vertices = now.iter().zip(before).zip(furthest.iter().zip(sizes));
        for (out, ((now, before), (&furthest, &size))) in jumps.iter_mut().zip(vertices) {
            *out = jump(now, before, furthest, size, largest);
        }
    }
}

/// Returns the distance that a vertex moved beyond the furthest that any of its joints alone would have moved it; −1 if that
/// cannot be above the largest so far.
#[inline(always)]
fn jump(now: &[f64; 3], before: &[f64; 3], furthest: f64, size: f64, largest: f64) -> f64 {
    let moved = DVec3::from_array(*now).distance(DVec3::from_array(*before));
    let needed = moved - largest;
    // Each comparison also fails for NaN.
    let is_far = (moved > largest) & (moved < f64::INFINITY);
    let is_explained = furthest >= needed * needed;
    let square = if furthest > 0.0 { furthest } else { 0.0 };
    let metres = moved - square.sqrt() - ROUNDING * size;
    if is_far & !is_explained { metres } else { -1.0 }
}
