//! Helpers that need no keys: each follows the rotation of one joint, by a polynomial.

use std::collections::BTreeSet;

use glam::{DQuat, DVec3};
use rayon::prelude::*;
use sinew_model::{LocalTransform, Model, Property};
use sinew_skinning::pose::Pose;

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

/// Each pose of this number checks a table instead of making it.
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
        let terms: Vec<f64> = terms(vector(self.joint_rest.inverse() * joint), self.shift.len()).collect();
        let sum = |vectors: &[DVec3]| vectors.iter().zip(&terms).map(|(one, term)| *one * *term).sum();
        (sum(&self.shift), self.rest * DQuat::from_scaled_axis(sum(&self.turn)))
    }
}

/// Makes the table of each helper from the keys of some clips, and returns the model with keys from the tables in all clips.
pub fn drive(fitted: &Fitted, clips: &[usize]) -> (Vec<Driver>, Model) {
    let make = |(helper, radius): (usize, &f64)| driver(fitted, helper, *radius, clips);
    let helpers: Vec<(usize, &f64)> = fitted.helpers.clone().zip(&fitted.radii).collect();
    let drivers: Vec<Driver> = helpers.into_par_iter().map(make).collect();
    let mut model = fitted.model.clone();
    for (clip, made) in fitted.model.clips.iter().zip(&mut model.clips) {
        let mut pose = Pose::default();
        for channel in &mut made.channels {
            let Some(driver) = drivers.iter().find(|driver| driver.helper == channel.node) else { continue };
            let mut values = Vec::with_capacity(channel.values.len());
            for time in &channel.times {
                pose.set_clip(&fitted.model.rig, clip, f64::from(*time));
                let (shift, turn) = driver.apply(rotation(&pose.locals, driver.joint));
                match channel.property {
                    Property::Translation => values.extend(shift.as_vec3().to_array()),
                    Property::Rotation => values.extend(turn.as_quat().to_array()),
                    _ => {}
                }
            }
            if values.len() == channel.values.len() {
                channel.values = values;
            }
        }
    }
    (drivers, model)
}

/// Makes the table of a helper.
fn driver(fitted: &Fitted, helper: usize, radius: f64, clips: &[usize]) -> Driver {
    let model = &fitted.model;
    let rest = rotation(&model.rig.rest, helper);
    let joints = candidates(fitted, helper);
    let samples = samples(model, helper, &joints, clips);
    let error = |turn: DVec3, shift: DVec3| shift.length_squared() + (radius * turn).length_squared();
    let mut best: Option<(f64, usize, usize)> = None;
    for count in COUNTS {
        for place in 0..joints.len() {
            let (checked, made): (Vec<_>, Vec<_>) =
                samples.iter().enumerate().partition(|(number, _)| number % CHECKED == CHECKED / 2);
            let made: Vec<&Sample> = made.into_iter().map(|(_, sample)| sample).collect();
            let Some((shift, turn)) = table(&made, place, count) else { continue };
            let apart = |sample: &Sample| {
                let terms: Vec<f64> = terms(sample.joints[place], count).collect();
                let sum = |vectors: &[DVec3]| -> DVec3 {
                    vectors.iter().zip(&terms).map(|(one, term)| *one * *term).sum()
                };
                error(sum(&turn) - sample.turn, sum(&shift) - sample.shift)
            };
            let apart: f64 = checked.iter().map(|(_, sample)| apart(sample)).sum();
            if best.is_none_or(|(least, ..)| apart < BETTER * least) {
                best = Some((apart, place, count));
            }
        }
    }
    let (_, place, count) = best.unwrap_or((0.0, 0, 1));
    let all: Vec<&Sample> = samples.iter().collect();
    let at_rest = match model.rig.rest.get(helper) {
        Some(LocalTransform::Trs { translation, .. }) => *translation,
        _ => DVec3::ZERO,
    };
    let (shift, turn) = table(&all, place, count).unwrap_or((vec![at_rest], vec![DVec3::ZERO]));
    let joint = joints.get(place).copied().unwrap_or(helper);
    Driver { helper, joint, rest, joint_rest: rotation(&model.rig.rest, joint), shift, turn }
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
            let shift = match pose.locals.get(helper) {
                Some(LocalTransform::Trs { translation, .. }) => *translation,
                _ => DVec3::ZERO,
            };
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

/// The rotation of a node in its parent.
fn rotation(locals: &[LocalTransform], node: usize) -> DQuat {
    match locals.get(node) {
        Some(LocalTransform::Trs { rotation, .. }) => *rotation,
        Some(LocalTransform::Matrix(matrix)) => matrix.to_scale_rotation_translation().1,
        None => DQuat::IDENTITY,
    }
}
