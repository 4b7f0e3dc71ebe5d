//! Finds joints that do more than turn and move the mesh: those that scale, shear or mirror it in the rest pose or in a
//! clip. The skinning modes treat these differently.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DMat3, DMat4, DVec3};
use serde::Serialize;

use super::file_node;
use sinew_model::{Clip, Model, Period, Property, Skin};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::world_from_bind_into;

/// A joint that stretches the mesh in some pose.
#[derive(Clone, Debug, Serialize)]
pub struct Stretched {
    /// The index in the skin.
    pub joint: usize,
    /// The node's index in the file.
    pub node: u32,
    /// The name.
    pub name: String,
    /// The smallest factor by which it stretches the mesh along one of its axes.
    pub smallest: f64,
    /// The largest such factor.
    pub largest: f64,
    /// True if its axes do not stay at right angles to each other.
    pub shear: bool,
    /// True if it turns the mesh inside out.
    pub mirror: bool,
    /// The pose in which it stretches most: `rest`, or a clip's name.
    pub pose: String,
    /// The time in the clip.
    pub seconds: f64,
}

/// The tolerance of a factor from one, or of a cosine from zero, for the rounding of files with single precision.
const TOLERANCE: f64 = 1e-3;

/// The number of evenly spaced times of a clip to sample, both ends included, besides the keys of scale channels.
const EVENLY: usize = 17;

/// The maximum number of keys of a clip to sample.
const MAX_KEYS: usize = 64;

/// The maximum number of joints in poses to examine before the number of times is reduced.
const MAX_JOINTS: usize = 4_000_000;

/// Returns the stretching joints of each skin. The conversion of the file's unit to metres is not a stretch.
pub fn stretched(model: &Model, metres_per_unit: f64) -> Vec<Vec<Stretched>> {
    let axes = axes_of_skins(model);
    let mut found: Vec<BTreeMap<usize, (f64, Stretched)>> = vec![BTreeMap::new(); model.skins.len()];
    let joints: usize = model.skins.iter().map(|skin| skin.joints.len()).sum();
    let most_times = (MAX_JOINTS / (joints + model.rig.len()).max(1) / model.clips.len().max(1)).max(2);

    let mut pose = Pose::default();
    let mut palette = Vec::new();
    let mut look = |choice: &PoseChoice, name: &str, seconds: f64| {
        pose.set(model, choice);
        for ((skin, axes), found) in model.skins.iter().zip(&axes).zip(&mut found) {
            world_from_bind_into(skin, &pose, &mut palette);
            for (joint, matrix) in palette.iter().enumerate() {
                let axes = axes.get(joint).copied().unwrap_or(DMat3::IDENTITY);
                let Some(stretch) = Stretch::of(matrix, axes / metres_per_unit) else { continue };
                let (most, entry) = found.entry(joint).or_insert_with(|| {
                    let node = skin.joints.get(joint).copied().unwrap_or(0);
                    (0.0, nothing(model, joint, node))
                });
                stretch.put_into(most, entry, name, seconds);
            }
        }
    };
    if !model.skins.is_empty() {
        look(&PoseChoice::Rest, "rest", 0.0);
        for (number, clip) in model.clips.iter().enumerate() {
            for seconds in times(model.period_of(clip), clip, most_times) {
                look(&PoseChoice::clip(number, seconds), &clip.name, seconds);
            }
        }
    }
    found.into_iter().map(|joints| joints.into_values().map(|(_, joint)| joint).collect()).collect()
}

/// Makes the entry of a joint before any stretch is found.
fn nothing(model: &Model, joint: usize, node: usize) -> Stretched {
    Stretched {
        joint,
        node: file_node(model, node),
        name: model.rig.names.get(node).cloned().unwrap_or_default(),
        smallest: f64::INFINITY,
        largest: 0.0,
        shear: false,
        mirror: false,
        pose: String::new(),
        seconds: 0.0,
    }
}

/// Returns the times to sample.
fn times(period: Period, clip: &Clip, most: usize) -> Vec<f64> {
    let scales = clip.channels.iter().filter(|channel| channel.property == Property::Scale);
    let keys = scales.flat_map(|channel| channel.times.iter().copied()).map(f64::from);
    let mut keys: Vec<f64> = keys.collect();
    keys.sort_by(f64::total_cmp);
    keys.dedup();
    let every = keys.len().div_ceil(MAX_KEYS.min(most)).max(1);
    let count = EVENLY.min(most).max(2);
    let last = count.saturating_sub(1) as f64;
    let evenly = (0..count).map(|step| period.start + period.length() * step as f64 / last);
    evenly.chain(keys.into_iter().step_by(every)).collect()
}

/// Returns the axes of each skin's joints; skins that share their matrices share these, too.
fn axes_of_skins(model: &Model) -> Vec<Arc<[DMat3]>> {
    let mut all: Vec<Arc<[DMat3]>> = Vec::with_capacity(model.skins.len());
    let mut before: Option<&Skin> = None;
    for skin in &model.skins {
        let shared = before.is_some_and(|before| Arc::ptr_eq(&before.joint_from_bind, &skin.joint_from_bind));
        let axes = all.last().filter(|_| shared).map_or_else(|| joint_axes(skin), Arc::clone);
        all.push(axes);
        before = Some(skin);
    }
    all
}

/// Returns for each joint the directions of its axes in the bind pose; the mesh's own axes if they are skew.
fn joint_axes(skin: &Skin) -> Arc<[DMat3]> {
    let axes = |joint_from_bind: &DMat4| {
        let linear = DMat3::from_mat4(*joint_from_bind);
        let columns = linear.inverse();
        let axes = [columns.x_axis, columns.y_axis, columns.z_axis].map(DVec3::normalize_or_zero);
        let [x, y, z] = axes;
        let skew = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
        let is_whole = axes.iter().all(|axis| (axis.length() - 1.0).abs() < 1e-6);
        if is_whole && skew < TOLERANCE { DMat3::from_cols(x, y, z) } else { DMat3::IDENTITY }
    };
    skin.joint_from_bind.iter().map(axes).collect()
}

/// The part of a joint's matrix besides rotation and translation.
struct Stretch {
    factors: [f64; 3],
    shear: f64,
    mirror: bool,
}

impl Stretch {
    /// Finds the stretch; `None` for a matrix that only turns and moves.
    fn of(world_from_bind: &DMat4, axes: DMat3) -> Option<Self> {
        let linear = DMat3::from_mat4(*world_from_bind);
        let [x, y, z] = [linear * axes.x_axis, linear * axes.y_axis, linear * axes.z_axis];
        let factors = [x.length(), y.length(), z.length()];
        let cosine = |a: DVec3, b: DVec3| a.normalize_or_zero().dot(b.normalize_or_zero()).abs();
        let shear = cosine(x, y).max(cosine(y, z)).max(cosine(z, x));
        let mirror = linear.determinant() < 0.0;
        let is_rigid = factors.iter().all(|factor| (factor - 1.0).abs() <= TOLERANCE);
        (!is_rigid || shear > TOLERANCE || mirror).then_some(Self { factors, shear, mirror })
    }

    /// Adds the stretch to a joint's entry, and the pose if it is the largest so far.
    fn put_into(&self, most: &mut f64, entry: &mut Stretched, pose: &str, seconds: f64) {
        let [x, y, z] = self.factors;
        entry.smallest = entry.smallest.min(x).min(y).min(z);
        entry.largest = entry.largest.max(x).max(y).max(z);
        entry.shear |= self.shear > TOLERANCE;
        entry.mirror |= self.mirror;
        let off = self.factors.iter().map(|factor| (factor - 1.0).abs()).fold(self.shear, f64::max);
        if entry.pose.is_empty() || off > *most {
            *most = off;
            entry.pose = pose.to_owned();
            entry.seconds = seconds;
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    fn stretch(matrix: DMat3) -> Option<Stretch> {
        Stretch::of(&DMat4::from_mat3(matrix), DMat3::IDENTITY)
    }

    #[test]
    fn turning_is_no_stretch() {
        let turn = DMat3::from_quat(DQuat::from_rotation_y(1.0));
        assert!(stretch(turn).is_none());
        assert!(stretch(turn * 1.0005).is_none());
    }

    #[test]
    fn scale_shear_and_mirror_are_told_apart() {
        let turn = DMat3::from_quat(DQuat::from_rotation_z(0.5));
        let scaled = stretch(turn * DMat3::from_diagonal(DVec3::new(2.0, 1.0, 0.5))).unwrap();
        assert!(!scaled.mirror && scaled.shear < 1e-12);
        assert!((scaled.factors[0] - 2.0).abs() < 1e-12 && (scaled.factors[2] - 0.5).abs() < 1e-12);
        let sheared = stretch(DMat3::from_cols(DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Z)).unwrap();
        assert!((sheared.shear - 0.5_f64.sqrt()).abs() < 1e-12);
        assert!(stretch(DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0))).unwrap().mirror);
    }

    #[test]
    fn scale_along_a_joints_own_axes_is_no_shear() {
        // The joint's axes are at 45 degrees to the mesh's; it doubles along its own x.
        let axes = DMat3::from_quat(DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4));
        let matrix = axes * DMat3::from_diagonal(DVec3::new(2.0, 1.0, 1.0)) * axes.transpose();
        let found = Stretch::of(&DMat4::from_mat3(matrix), axes).unwrap();
        assert!(found.shear < 1e-12);
        assert!(stretch(matrix).unwrap().shear > 0.1);
    }
}
