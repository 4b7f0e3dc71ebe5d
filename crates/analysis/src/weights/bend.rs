//! The share of its volume that a surface keeps when a joint bends by 90°, in each mode.

use glam::{DQuat, DVec3};
use rayon::prelude::*;
use serde::Serialize;

use super::bones::Bones;
use super::finding::{FoundJoint, found_joint};
use super::skinned::{bare, places, turn};
use super::surface::Surface;
use super::volume::Closed;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::distinct::{Distinct, scales};
use sinew_skinning::pairing::influences::NO_JOINT;
use sinew_skinning::pose::{Names, Pose, PoseChoice};

/// The maximum work for all skins together, counted in vertices, nodes and joints in poses. More takes too long for a
/// report.
const MAX_WORK: usize = 40_000_000;

/// The cost of a joint in vertices, because it is decomposed for each pose.
const PER_JOINT: usize = 16;

/// The remaining volume.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VolumeKept {
    /// The number of closed parts of the surface.
    pub closed_parts: usize,
    /// The number of joints that were bent.
    pub bent: usize,
    /// The number of joints that were left out to save time: those that move least.
    pub left_out: usize,
    /// The result of each mode.
    pub modes: Vec<ModeVolume>,
    /// The modes that are left out, because they equal *dqs*.
    pub equal_to_dqs: Vec<&'static str>,
    /// A sentence on them.
    #[serde(skip)]
    pub equal: Option<String>,
}

/// The remaining volume in one mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModeVolume {
    /// The mode.
    pub mode: &'static str,
    /// The mean over all bent joints; null if none was bent.
    pub mean: Option<f64>,
    /// The smallest share; null if none was bent.
    pub smallest: Option<f64>,
    /// The joint of the smallest share.
    pub joint: Option<FoundJoint>,
}

/// The remaining budget of work.
#[derive(Clone, Copy, Debug)]
pub struct Work(usize);

impl Default for Work {
    fn default() -> Self {
        Self(MAX_WORK)
    }
}

/// Bends, one at a time, each joint of the surface's skin that has a parent joint and moves a closed part. Compares the
/// volume of the closed parts that it moves with that in the rest pose.
pub fn volume_kept(
    model: &Model,
    names: &Names<'_>,
    surface: &Surface,
    bones: &Bones,
    work: &mut Work,
) -> VolumeKept {
    let closed = Closed::new(surface);
    let mut instances: Vec<usize> = surface.primitives.iter().map(|drawn| drawn.instance).collect();
    instances.dedup();
    let bare = bare(model, &instances);
    let (rest, turns) = (Pose::rest(&bare.rig), Turns::new(model, surface, bones));
    let mut bends = bends(surface, &closed, &turns, &rest);
    let scales = scales(model, [PoseChoice::Rest]);
    let is_equal = |mode: &SkinningMode| mode.facts().is_dialect && !scales;
    let (equal_to_dqs, modes): (Vec<_>, Vec<_>) = SkinningMode::ALL.into_iter().partition(is_equal);
    let each = modes.len() * (surface.point_of.len() + bare.rig.len() + PER_JOINT * bones.parents.len());
    let most = (work.0 / each.max(1)).saturating_sub(1).min(bends.len());
    let left_out = bends.len() - most;
    bends.truncate(most);
    work.0 = work.0.saturating_sub(each.saturating_mul(most.saturating_add(1)));

    let of_mode = |mode: SkinningMode| {
        let kept = if bends.is_empty() { Vec::new() } else { kept(&bare, &closed, mode, &rest, &bends) };
        let found: Vec<(f64, usize)> = kept.into_iter().flatten().collect();
        let smallest = found.iter().min_by(|(a, _), (b, _)| a.total_cmp(b));
        let mean = found.iter().map(|(ratio, _)| ratio).sum::<f64>() / found.len() as f64;
        ModeVolume {
            mode: mode.name(),
            mean: Some(mean).filter(|mean| mean.is_finite()),
            smallest: smallest.map(|(ratio, _)| *ratio),
            joint: smallest.map(|(_, joint)| found_joint(model, names, surface.skin, *joint)),
        }
    };
    let measured = modes.iter().map(|mode| of_mode(*mode)).collect();
    let distinct = Distinct { modes, equal_to_dqs };
    VolumeKept {
        closed_parts: closed.pieces.len(),
        bent: bends.len(),
        left_out,
        modes: measured,
        equal_to_dqs: distinct.left_out(),
        equal: distinct.sentence(),
    }
}

/// A joint to bend.
struct Bend {
    joint: usize,
    node: usize,
    /// The rotation in the space of the node's parent.
    rotation: DQuat,
    /// The closed parts that it moves, by their indices.
    parts: Vec<usize>,
    /// The sum of its weights.
    weight: f64,
}

/// The input for the turns of joints.
struct Turns<'a> {
    model: &'a Model,
    bones: &'a Bones,
    nodes: &'a [usize],
}

impl<'a> Turns<'a> {
    fn new(model: &'a Model, surface: &Surface, bones: &'a Bones) -> Self {
        let nodes = model.skins.get(surface.skin).map_or(&[][..], |skin| &skin.joints);
        Self { model, bones, nodes }
    }

    /// Returns a turn by 90° about an axis across the joint's bone, and across the axis of the parent that the bone follows
    /// least. The bone goes to the middle of the joint's children; without children, it comes from the parent joint.
    fn quarter(&self, joint: usize, rest: &Pose) -> Option<DQuat> {
        let place = |joint: usize| {
            let node = self.nodes.get(joint)?;
            Some(rest.world_from_node.get(*node)?.w_axis.truncate())
        };
        let own = place(joint)?;
        let children = self.bones.children.get(joint)?;
        let ends: Vec<DVec3> = children.iter().filter_map(|child| place(*child)).collect();
        let end = ends.iter().sum::<DVec3>() / ends.len().max(1) as f64;
        let bone = match self.bones.parents.get(joint).copied().flatten().and_then(place) {
            Some(parent) if ends.is_empty() || end.distance(own) == 0.0 => own - parent,
            _ => end - own,
        };
        let node = *self.nodes.get(joint)?;
        let parent = self.model.rig.parents.get(node).copied().flatten();
        let world_from_parent = parent.and_then(|parent| rest.world_from_node.get(parent as usize));
        let parent_from_world = world_from_parent.map(|world| world.inverse()).unwrap_or_default();
        let along = parent_from_world.transform_vector3(bone).try_normalize()?;
        let [x, y, z] = along.abs().to_array();
        let least = if x <= y && x <= z {
            DVec3::X
        } else if y <= z {
            DVec3::Y
        } else {
            DVec3::Z
        };
        let axis = along.cross(least).try_normalize()?;
        Some(DQuat::from_axis_angle(axis, std::f64::consts::FRAC_PI_2))
            .filter(|rotation| rotation.is_finite())
    }
}

/// Returns the joints that can be bent, those that move most first.
fn bends(surface: &Surface, closed: &Closed, turns: &Turns<'_>, rest: &Pose) -> Vec<Bend> {
    let mut part_of = vec![None; surface.pieces];
    for (part, piece) in closed.pieces.iter().enumerate() {
        if let Some(part_of) = part_of.get_mut(*piece as usize) {
            *part_of = Some(part);
        }
    }
    let mut moved: Vec<(f64, Vec<usize>)> = vec![Default::default(); turns.nodes.len()];
    for (piece, row) in surface.piece_of.iter().zip(surface.weights.iter()) {
        let Some(part) = part_of.get(*piece as usize).copied().flatten() else { continue };
        for influence in row.iter().filter(|influence| influence.joint != NO_JOINT) {
            let Some((weight, parts)) = moved.get_mut(influence.joint as usize) else { continue };
            *weight += influence.weight;
            if parts.last() != Some(&part) {
                parts.push(part);
            }
        }
    }
    let bend = |(joint, (weight, mut parts)): (usize, (f64, Vec<usize>))| {
        turns.bones.parents.get(joint).copied().flatten()?;
        parts.sort_unstable();
        parts.dedup();
        let (node, rotation) = (*turns.nodes.get(joint)?, turns.quarter(joint, rest)?);
        (!parts.is_empty()).then_some(Bend { joint, node, rotation, parts, weight })
    };
    let mut bends: Vec<Bend> = moved.into_iter().enumerate().filter_map(bend).collect();
    bends.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
    bends
}

/// Returns for each bend the volume as a share of that in the rest pose.
fn kept(
    bare: &Model,
    closed: &Closed,
    mode: SkinningMode,
    rest: &Pose,
    bends: &[Bend],
) -> Vec<Option<(f64, usize)>> {
    let (mut skinned, mut at) = (Vec::new(), Vec::new());
    places(bare, mode, rest, &mut skinned, &mut at);
    let before: Vec<f64> = (0..closed.pieces.len()).map(|part| closed.volume(part, &at)).collect();
    let bent = |(pose, skinned, at): &mut (Pose, Vec<_>, Vec<DVec3>), bend: &Bend| {
        pose.locals.clone_from(&rest.locals);
        turn(pose, bend.node, bend.rotation);
        pose.update_world(&bare.rig);
        places(bare, mode, pose, skinned, at);
        // The sign at rest makes the volume of inside-out parts positive.
        let of = |part: &usize| before.get(*part).copied().unwrap_or_default();
        let volume: f64 = bend.parts.iter().map(|part| closed.volume(*part, at) * of(part).signum()).sum();
        let ratio = volume / bend.parts.iter().map(|part| of(part).abs()).sum::<f64>();
        ratio.is_finite().then_some((ratio, bend.joint))
    };
    bends.par_iter().map_init(|| (rest.clone(), Vec::new(), Vec::new()), bent).collect()
}
