//! Poses with a fault.

use super::{Fault, Spoilt};
use crate::pose::{Pose, PoseChoice};
use glam::{DMat4, DQuat, DVec3, EulerRot};
use sinew_model::{LocalTransform, Model, Rig};

/// The delay of a stale palette: three frames at 30 per second.
pub const STALE_SECS: f64 = 0.1;

impl Pose {
    /// Sets the chosen pose with a fault, or without any.
    pub fn set_with(&mut self, model: &Model, choice: &PoseChoice, fault: Option<Fault>) {
        self.set_at(model, choice, choice.time_secs(), fault);
    }

    /// Sets the pose like [`Pose::set_with`], with clips at the given time instead of the choice's time.
    pub fn set_at(&mut self, model: &Model, choice: &PoseChoice, time_secs: f64, fault: Option<Fault>) {
        let earlier = match (fault, choice) {
            (Some(Fault::StalePalette), PoseChoice::Clips(_)) => {
                self.set_moment(model, choice, time_secs - STALE_SECS);
                std::mem::take(&mut self.world_from_node)
            }
            _ => Vec::new(),
        };
        self.set_moment(model, choice, time_secs);
        // Skin space omits every step that could be wrong.
        let is_posed = !matches!(choice, PoseChoice::SkinSpace(_));
        let Some(fault) = fault.filter(|_| is_posed) else { return };
        match fault {
            Fault::QuaternionWxyz => {
                self.locals.iter_mut().for_each(misread);
                self.update_world(&model.rig);
            }
            Fault::UnsortedParents => self.update_unsorted(model),
            Fault::MatrixLerp | Fault::EulerAngles => self.between_keys(model, choice, time_secs, fault),
            _ => {}
        }
        self.skins.spoilt = Some(Spoilt { fault, earlier });
    }

    /// Interpolates between the two nearest key times as the fault does. All clips and joints share these times.
    fn between_keys(&mut self, model: &Model, choice: &PoseChoice, time_secs: f64, fault: Fault) {
        let PoseChoice::Clips(mix) = choice else { return };
        let clips = mix.all().filter_map(|clip| model.clips.get(clip));
        let times = clips.flat_map(|clip| &clip.channels).flat_map(|channel| &channel.times);
        let (mut before, mut after) = (f64::NEG_INFINITY, f64::INFINITY);
        for time in times.map(|time| f64::from(*time)) {
            match time <= time_secs {
                true => before = before.max(time),
                false => after = after.min(time),
            }
        }
        if !before.is_finite() || !after.is_finite() {
            return;
        }
        let share = (time_secs - before) / (after - before);
        let mut next = Self::default();
        next.set_moment(model, choice, after);
        self.set_moment(model, choice, before);
        self.weights
            .iter_mut()
            .zip(&next.weights)
            .for_each(|(weight, next)| *weight += (next - *weight) * share);
        if fault == Fault::MatrixLerp {
            let mix = |a: &DMat4, b: &DMat4| *a * (1.0 - share) + *b * share;
            self.world_from_node =
                self.world_from_node.iter().zip(&next.world_from_node).map(|(a, b)| mix(a, b)).collect();
            return;
        }
        self.locals.iter_mut().zip(&next.locals).for_each(|(local, next)| turn_by_angles(local, next, share));
        self.update_world(&model.rig);
    }

    /// Returns the pose's fault, if any.
    pub fn fault(&self) -> Option<Fault> {
        self.skins.spoilt.as_ref().map(|spoilt| spoilt.fault)
    }

    /// Returns the transform of a node some frames before.
    pub(super) fn earlier(&self, node: usize) -> Option<DMat4> {
        self.skins.spoilt.as_ref()?.earlier.get(node).copied()
    }

    /// Computes world transforms in the order of the file's nodes, with identities for parents that come later. If the file
    /// lists all joints after their parents, the last node comes first.
    fn update_unsorted(&mut self, model: &Model) {
        let rig = &model.rig;
        let mut is_joint = vec![false; self.locals.len()];
        for &joint in model.skins.iter().flat_map(|skin| &skin.joints) {
            let mut above = Some(joint);
            while let Some(is_joint) = above.and_then(|node| is_joint.get_mut(node)).filter(|seen| !**seen) {
                *is_joint = true;
                above = above.and_then(|node| parent(rig, node));
            }
        }
        let mut order: Vec<usize> = (0..self.locals.len()).collect();
        order.sort_by_key(|&node| rig.file_index.get(node));
        let mut is_done = vec![false; order.len()];
        let mut is_sorted = true;
        for &node in &order {
            let parent = parent(rig, node);
            let is_ready = parent.is_none_or(|parent| is_done.get(parent).copied().unwrap_or(true));
            is_sorted &= is_ready || !is_joint[node];
            is_done[node] = true;
        }
        if is_sorted {
            order.reverse();
        }
        let mut world: Vec<Option<DMat4>> = vec![None; order.len()];
        for node in order {
            let above = parent(rig, node).and_then(|parent| world.get(parent).copied().flatten());
            world[node] = Some(above.unwrap_or(DMat4::IDENTITY) * self.locals[node].parent_from_node());
        }
        self.world_from_node.clear();
        self.world_from_node.extend(world.into_iter().map(|world| world.unwrap_or(DMat4::IDENTITY)));
    }
}

fn parent(rig: &Rig, node: usize) -> Option<usize> {
    rig.parents.get(node).copied().flatten().map(|parent| parent as usize)
}

/// Moves a transform a share of the way to another: its rotation by Euler angles, the rest as is right.
fn turn_by_angles(local: &mut LocalTransform, next: &LocalTransform, share: f64) {
    let (
        LocalTransform::Trs { translation, rotation, scale },
        LocalTransform::Trs { translation: to, rotation: end, scale: size },
    ) = (local, next)
    else {
        return;
    };
    let angles = |rotation: DQuat| DVec3::from(rotation.to_euler(EulerRot::XYZ));
    let DVec3 { x, y, z } = angles(*rotation).lerp(angles(*end), share);
    *rotation = DQuat::from_euler(EulerRot::XYZ, x, y, z);
    *translation = translation.lerp(*to, share);
    *scale = scale.lerp(*size, share);
}

/// Reads a rotation's components as w, x, y, z.
fn misread(local: &mut LocalTransform) {
    if let LocalTransform::Trs { rotation, .. } = local {
        let [first, second, third, fourth] = rotation.to_array();
        *rotation = DQuat::from_xyzw(second, third, fourth, first);
    }
}
