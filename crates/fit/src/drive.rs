//! Helpers that need no keys: each follows the rotation of one joint, by a polynomial.

use std::collections::BTreeSet;
use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use rayon::prelude::*;
use sinew_model::{Channel, LocalTransform, Model, Property};
use sinew_skinning::pose::{Pose, parts};

use crate::fitted::Fitted;
use crate::transforms::solve;

/// A table that moves a helper by the rotation of one joint.
///
/// Let `v` be the joint's rotation from rest as an axis times an angle. Of the two such vectors, a full turn apart, it is the one
/// nearer to [`Driver::center`]. The helper's translation is the sum of [`Driver::translation`], each vector times its term of `v`.
/// Its rotation is that at rest, times the rotation whose axis times angle is the same sum over [`Driver::rotation`].
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
    /// The middle of the joint's rotations from rest, as an axis times an angle.
    pub center: DVec3,
    /// The vector of each term that sums up to the helper's translation.
    pub translation: Vec<DVec3>,
    /// The vector of each term that sums up to its rotation from rest.
    pub rotation: Vec<DVec3>,
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

/// Rounds in which the middle of rotations is found.
const CENTER_ROUNDS: usize = 4;

/// A helper in one pose, and the rotations of the nodes that may drive it, from rest.
struct Sample {
    joints: Vec<DVec3>,
    translation: DVec3,
    rotation: DVec3,
}

impl Driver {
    /// Returns the helper's translation and rotation for a rotation of the joint.
    pub fn apply(&self, joint: DQuat) -> (DVec3, DQuat) {
        let turned = vector(self.joint_rest.inverse() * joint, self.center);
        (sum(&self.translation, turned), self.rest * DQuat::from_scaled_axis(sum(&self.rotation, turned)))
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
    let (samples, centers) = samples(model, helper, &joints, clips);
    let (checked, made): (Vec<_>, Vec<_>) =
        samples.iter().enumerate().partition(|(number, _)| number % CHECKED == CHECKED / 2);
    let made: Vec<&Sample> = made.into_iter().map(|(_, sample)| sample).collect();
    let mut best: Option<(f64, usize, usize)> = None;
    for count in COUNTS {
        for place in 0..joints.len() {
            let Some((translation, rotation)) = table(&made, place, count) else { continue };
            let apart = |sample: &Sample| {
                let translation = sum(&translation, sample.joints[place]) - sample.translation;
                let rotation = (sum(&rotation, sample.joints[place]) - sample.rotation) * radius;
                translation.length_squared() + rotation.length_squared()
            };
            let apart: f64 = checked.iter().map(|(_, sample)| apart(sample)).sum();
            if best.is_none_or(|(least, ..)| apart < BETTER * least) {
                best = Some((apart, place, count));
            }
        }
    }
    let (_, place, count) = best.unwrap_or((0.0, 0, 1));
    let (joint, center) = joints.get(place).copied().zip(centers.get(place).copied())?;
    let all: Vec<&Sample> = samples.iter().collect();
    let at_rest = of_node(&model.rig.rest, helper).0;
    let made = table(&all, place, count).unwrap_or((vec![at_rest], vec![DVec3::ZERO]));
    let joint_rest = self::rotation(&model.rig.rest, joint);
    Some(Driver { helper, joint, rest, joint_rest, center, translation: made.0, rotation: made.1 })
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

/// Samples a helper in the keys of some clips, and returns the middle of each joint's rotations.
fn samples(model: &Model, helper: usize, joints: &[usize], clips: &[usize]) -> (Vec<Sample>, Vec<DVec3>) {
    let rest: Vec<DQuat> = joints.iter().map(|joint| rotation(&model.rig.rest, *joint)).collect();
    let own_rest = rotation(&model.rig.rest, helper);
    // Of each joint, and of the helper.
    let (mut turns, mut own): (Vec<Vec<DQuat>>, Vec<_>) = (vec![Vec::new(); joints.len()], Vec::new());
    let (mut pose, mut places, count) = (Pose::default(), Vec::new(), clips.len().max(1));
    for clip in clips.iter().filter_map(|clip| model.clips.get(*clip)) {
        let mut channels = clip.channels.iter();
        let Some(channel) = channels.find(|channel| channel.node == helper) else { continue };
        let step = channel.times.len().div_ceil((MAX_SAMPLES / count).max(1));
        for time in channel.times.iter().step_by(step.max(1)) {
            pose.set_clip(&model.rig, clip, f64::from(*time));
            for ((joint, rest), turns) in joints.iter().zip(&rest).zip(&mut turns) {
                turns.push(rest.inverse() * rotation(&pose.locals, *joint));
            }
            own.push(own_rest.inverse() * rotation(&pose.locals, helper));
            places.push(of_node(&pose.locals, helper).0);
        }
    }
    let centers: Vec<DVec3> = turns.iter().map(|turns| center(turns)).collect();
    let own_center = center(&own);
    let sample = |(number, translation)| Sample {
        joints: turns.iter().zip(&centers).map(|(turns, center)| vector(turns[number], *center)).collect(),
        translation,
        rotation: vector(own[number], own_center),
    };
    (places.into_iter().enumerate().map(sample).collect(), centers)
}

/// The mean of rotations as an axis times an angle, each as the vector that is nearer to that mean.
fn center(rotations: &[DQuat]) -> DVec3 {
    let mean = |center| {
        let sum: DVec3 = rotations.iter().map(|rotation| vector(*rotation, center)).sum();
        sum / rotations.len().max(1) as f64
    };
    (0..CENTER_ROUNDS).fold(DVec3::ZERO, |center, _| mean(center))
}

/// Finds the vectors of terms with the least squared error; `None` if rounding prevents it.
fn table(samples: &[&Sample], place: usize, count: usize) -> Option<(Vec<DVec3>, Vec<DVec3>)> {
    let mut matrix = vec![0.0; count * count];
    let mut right = vec![vec![0.0; count]; 6];
    for sample in samples {
        let terms: Vec<f64> = terms(*sample.joints.get(place)?, count).collect();
        let values = sample.translation.to_array().into_iter().chain(sample.rotation.to_array());
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

/// A rotation as its axis times its angle: of the two such vectors, a full turn apart, the one nearer to another vector.
fn vector(rotation: DQuat, near: DVec3) -> DVec3 {
    let short = if rotation.w < 0.0 { -rotation } else { rotation }.to_scaled_axis();
    let long = short - TAU * short.normalize_or_zero();
    if near.distance_squared(long) < near.distance_squared(short) { long } else { short }
}

/// The translation, rotation and scale of a node in its parent.
fn of_node(locals: &[LocalTransform], node: usize) -> (DVec3, DQuat, DVec3) {
    locals.get(node).map_or((DVec3::ZERO, DQuat::IDENTITY, DVec3::ONE), parts)
}

fn rotation(locals: &[LocalTransform], node: usize) -> DQuat {
    of_node(locals, node).1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rotation from rest to 250 degrees passes half a turn without a jump.
    #[test]
    fn vectors_pass_half_a_turn() {
        let axis = DVec3::new(0.6, 0.0, 0.8);
        let angles: Vec<f64> = (0..=250).map(|degrees| f64::from(degrees).to_radians()).collect();
        let of = |angle: &f64| DQuat::from_axis_angle(axis, *angle);
        let turns: Vec<DQuat> = angles.iter().map(of).collect();
        let center = center(&turns);
        assert!(center.distance(axis * 125_f64.to_radians()) < 1e-9, "{center}");
        for (angle, turn) in angles.iter().zip(turns) {
            let signs = [turn, -turn].map(|turn| vector(turn, center));
            assert!(signs.iter().all(|vector| vector.distance(axis * *angle) < 1e-9), "{angle} {signs:?}");
        }
        assert_eq!(vector(DQuat::IDENTITY, center), DVec3::ZERO);
    }
}
