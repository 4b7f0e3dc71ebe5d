//! Helpers that need no keys: each follows the rotation of one joint, by a polynomial.

use std::collections::BTreeSet;

use glam::{DQuat, DVec3};
use rayon::prelude::*;
use sinew_model::{Channel, LocalTransform, Model, Property};
use sinew_skinning::pose::{Pose, parts};

use crate::fitted::Fitted;
use crate::transforms::solve;

/// A table that moves a helper by the rotation of one joint.
///
/// Let `v` be the joint's rotation from rest as an axis times an angle of at most half a turn. The helper's translation is the
/// sum of [`Driver::shift`], each vector times its term of `v`. Its rotation is that at rest, times the rotation whose axis times
/// angle is the same sum over [`Driver::turn`].
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    /// The node of the helper.
    pub helper: usize,
    /// The node of the joint.
    pub joint: usize,
    /// The helper's rotation at rest, in its parent.
    pub rest: DQuat,
    /// The joint's rotation at rest, in its parent.
    pub joint_rest: DQuat,
    /// The vector of each term that sums up to the helper's translation.
    pub shift: Vec<DVec3>,
    /// The vector of each term that sums up to its rotation from rest.
    pub turn: Vec<DVec3>,
}

/// Powers of x, y and z in each term, by degree.
pub const TERMS: [[u8; 3]; 20] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [2, 0, 0],
    [0, 2, 0],
    [0, 0, 2],
    [1, 1, 0],
    [0, 1, 1],
    [1, 0, 1],
    [3, 0, 0],
    [0, 3, 0],
    [0, 0, 3],
    [2, 1, 0],
    [2, 0, 1],
    [1, 2, 0],
    [0, 2, 1],
    [1, 0, 2],
    [0, 1, 2],
    [1, 1, 1],
];

/// The number of terms up to degrees 0 to 3.
const COUNTS: [usize; 4] = [1, 4, 10, 20];

/// Maximum number of poses that a table is made from.
const MAX_SAMPLES: usize = 4_000;

/// Every Nth pose checks a table instead of making it.
const CHECKED: usize = 5;

/// The share of the error by which another joint or more terms must be better.
const BETTER: f64 = 0.95;

/// The pull of terms to zero, as a share of the number of poses.
const RIDGE: f64 = 1e-7;

/// A helper and a joint in one pose.
struct Sample {
    /// The rotation of each node that may drive the helper, from rest.
    joints: Vec<DVec3>,
    shift: DVec3,
    turn: DVec3,
}

impl Driver {
    /// Returns the helper's translation and rotation for a rotation of the joint.
    pub fn apply(&self, joint: DQuat) -> (DVec3, DQuat) {
        let turned = vector(self.joint_rest.inverse() * joint);
        (sum(&self.shift, turned), self.rest * DQuat::from_scaled_axis(sum(&self.turn, turned)))
    }
}

/// Makes the table of each helper that has a parent from the keys of some clips, and returns the model with keys from the tables in
/// all clips.
pub fn drive(fitted: &Fitted, clips: &[usize]) -> (Vec<Driver>, Model) {
    let make = |(helper, radius): (usize, &f64)| driver(fitted, helper, *radius, clips);
    let helpers: Vec<(usize, &f64)> = fitted.helpers.clone().zip(&fitted.radii).collect();
    let drivers: Vec<Driver> = helpers.into_par_iter().filter_map(make).collect();
    let mut model = fitted.model.clone();
    for (clip, made) in fitted.model.clips.iter().zip(&mut model.clips) {
        let is_driven = |channel: &&Channel| drivers.iter().any(|driver| driver.helper == channel.node);
        let Some(times) = clip.channels.iter().find(is_driven).map(|channel| &channel.times) else {
            continue;
        };
        let mut pose = Pose::default();
        let at = |time: &f32| {
            pose.set_clip(&fitted.model.rig, clip, f64::from(*time));
            drivers.iter().map(|driver| driver.apply(rotation(&pose.locals, driver.joint))).collect()
        };
        let moved: Vec<Vec<(DVec3, DQuat)>> = times.iter().map(at).collect();
        for channel in made.channels.iter_mut().filter(|channel| channel.times == *times) {
            let Some(number) = drivers.iter().position(|driver| driver.helper == channel.node) else {
                continue;
            };
            let of = |moved: &Vec<(DVec3, DQuat)>| match channel.property {
                Property::Translation => moved[number].0.as_vec3().to_array().to_vec(),
                Property::Rotation => moved[number].1.as_quat().to_array().to_vec(),
                _ => of_node(&fitted.model.rig.rest, channel.node).2.as_vec3().to_array().to_vec(),
            };
            channel.values = moved.iter().flat_map(of).collect();
        }
    }
    (drivers, model)
}

/// Makes the table of a helper; `None` for one without a parent.
fn driver(fitted: &Fitted, helper: usize, radius: f64, clips: &[usize]) -> Option<Driver> {
    let model = &fitted.model;
    let rest = rotation(&model.rig.rest, helper);
    let joints = candidates(fitted, helper);
    let samples = samples(model, helper, &joints, clips);
    let (checked, made): (Vec<_>, Vec<_>) =
        samples.iter().enumerate().partition(|(number, _)| number % CHECKED == CHECKED / 2);
    let made: Vec<&Sample> = made.into_iter().map(|(_, sample)| sample).collect();
    let mut best: Option<(f64, usize, usize)> = None;
    for count in COUNTS {
        for place in 0..joints.len() {
            let Some((shift, turn)) = table(&made, place, count) else { continue };
            let apart = |sample: &Sample| {
                let shift = sum(&shift, sample.joints[place]) - sample.shift;
                let turn = (sum(&turn, sample.joints[place]) - sample.turn) * radius;
                shift.length_squared() + turn.length_squared()
            };
            let apart: f64 = checked.iter().map(|(_, sample)| apart(sample)).sum();
            if best.is_none_or(|(least, ..)| apart < BETTER * least) {
                best = Some((apart, place, count));
            }
        }
    }
    let (_, place, count) = best.unwrap_or((0.0, 0, 1));
    let joint = joints.get(place).copied()?;
    let all: Vec<&Sample> = samples.iter().collect();
    let at_rest = of_node(&model.rig.rest, helper).0;
    let (shift, turn) = table(&all, place, count).unwrap_or((vec![at_rest], vec![DVec3::ZERO]));
    Some(Driver { helper, joint, rest, joint_rest: rotation(&model.rig.rest, joint), shift, turn })
}

/// Returns the sum of vectors, each times its term of a vector.
fn sum(vectors: &[DVec3], of: DVec3) -> DVec3 {
    vectors.iter().zip(terms(of, vectors.len())).map(|(one, term)| *one * term).sum()
}

/// Lists the joints that may drive a helper: its parent, the parent's children, and the parent's parent.
fn candidates(fitted: &Fitted, helper: usize) -> Vec<usize> {
    let Model { rig, skins, .. } = &fitted.model;
    let parent = |node: usize| rig.parents.get(node).copied().flatten().map(|parent| parent as usize);
    let Some(home) = parent(helper) else { return Vec::new() };
    let joints: BTreeSet<usize> = skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let children = joints.into_iter().filter(|node| parent(*node) == Some(home));
    let children = children.filter(|node| !fitted.helpers.contains(node));
    [home].into_iter().chain(children).chain(parent(home)).collect()
}

/// Samples a helper in the keys of some clips.
fn samples(model: &Model, helper: usize, joints: &[usize], clips: &[usize]) -> Vec<Sample> {
    let rest = rotation(&model.rig.rest, helper);
    let mut samples = Vec::new();
    let (mut pose, count) = (Pose::default(), clips.len().max(1));
    for clip in clips.iter().filter_map(|clip| model.clips.get(*clip)) {
        let mut channels = clip.channels.iter();
        let Some(channel) = channels.find(|channel| channel.node == helper) else { continue };
        let step = channel.times.len().div_ceil((MAX_SAMPLES / count).max(1));
        for time in channel.times.iter().step_by(step.max(1)) {
            pose.set_clip(&model.rig, clip, f64::from(*time));
            let from_rest = |joint: &usize| {
                vector(rotation(&model.rig.rest, *joint).inverse() * rotation(&pose.locals, *joint))
            };
            let shift = of_node(&pose.locals, helper).0;
            let turn = vector(rest.inverse() * rotation(&pose.locals, helper));
            samples.push(Sample { joints: joints.iter().map(from_rest).collect(), shift, turn });
        }
    }
    samples
}

/// Finds the vectors of terms with the least squared error; `None` if rounding prevents it.
fn table(samples: &[&Sample], place: usize, count: usize) -> Option<(Vec<DVec3>, Vec<DVec3>)> {
    let mut matrix = vec![0.0; count * count];
    let mut right = vec![vec![0.0; count]; 6];
    for sample in samples {
        let terms: Vec<f64> = terms(*sample.joints.get(place)?, count).collect();
        let values = sample.shift.to_array().into_iter().chain(sample.turn.to_array());
        for (right, value) in right.iter_mut().zip(values) {
            for (right, term) in right.iter_mut().zip(&terms) {
                *right += term * value;
            }
        }
        for (row, one) in terms.iter().enumerate() {
            for (column, other) in terms.iter().enumerate().take(row + 1) {
                matrix[row * count + column] += one * other;
            }
        }
    }
    for index in 1..count {
        matrix[index * count + index] += RIDGE * samples.len() as f64;
    }
    let solved: Option<Vec<Vec<f64>>> = right.into_iter().map(|right| solve(matrix.clone(), right)).collect();
    let [a, b, c, d, e, f] = <[Vec<f64>; 6]>::try_from(solved?).ok()?;
    let zip = |x: Vec<f64>, y: Vec<f64>, z: Vec<f64>| {
        x.into_iter().zip(y).zip(z).map(|((x, y), z)| DVec3::new(x, y, z)).collect()
    };
    Some((zip(a, b, c), zip(d, e, f)))
}

/// The first terms of a vector.
fn terms(v: DVec3, count: usize) -> impl Iterator<Item = f64> {
    let term = move |powers: &[u8; 3]| -> f64 {
        v.to_array().iter().zip(powers).map(|(one, power)| one.powi(i32::from(*power))).product()
    };
    TERMS[..count].iter().map(term)
}

/// A rotation as its axis times its angle, which is at most half a turn.
fn vector(rotation: DQuat) -> DVec3 {
    // Half a turn stays as it is, whatever the sign of the rounding.
    if rotation.w < -1e-6 { -rotation } else { rotation }.to_scaled_axis()
}

/// The translation, rotation and scale of a node in its parent.
fn of_node(locals: &[LocalTransform], node: usize) -> (DVec3, DQuat, DVec3) {
    locals.get(node).map_or((DVec3::ZERO, DQuat::IDENTITY, DVec3::ONE), parts)
}

fn rotation(locals: &[LocalTransform], node: usize) -> DQuat {
    of_node(locals, node).1
}
