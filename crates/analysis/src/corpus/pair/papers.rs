//! Figures that papers on rigging report: joints and bones by place, influences, and distances over random poses.

use glam::DVec3;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::pairing::Found;
use sinew_skinning::pairing::influences::Influence;
use sinew_skinning::pairing::joints::row;
use sinew_skinning::pose::{Pose, PoseChoice};

use super::sides::{Sides, set_share};
use crate::corpus::asset::{Asset, Figure};
use crate::corpus::level::Level;
use crate::weights::random_poses;

/// The distance within which joints are the same, as a share of the diagonal.
const NEAR: f64 = 0.02;

/// The weight above which a joint influences a vertex.
const INFLUENCES: f64 = 1e-4;

/// The number of random poses, and their seed.
const RANDOM: (usize, u64) = (10, 1);

/// A bone: the places of a joint and of a child of it.
type Bone = [DVec3; 2];

/// Measures joints and bones; above the quick level random poses, too.
pub fn measure(sides: &Sides<'_>, level: Level, asset: &mut Asset) {
    let [old, new] = sides.models;
    let (old_joints, old_bones) = skeleton(old);
    let (mut new_joints, mut new_bones) = skeleton(new);
    new_joints.iter_mut().for_each(|at| *at = sides.new_from_old.undo(*at));
    new_bones.iter_mut().flatten().for_each(|at| *at = sides.new_from_old.undo(*at));
    let near_m = NEAR * sides.size_m;
    if !old_joints.is_empty() && !new_joints.is_empty() {
        let share = |from: &[DVec3], to: &[DVec3]| shared(from, |at| nearest(to, *at) <= near_m);
        asset.set(Figure::JointPrecision, share(&new_joints, &old_joints));
        asset.set(Figure::JointRecall, share(&old_joints, &new_joints));
        let mean = |from: &[DVec3], to: &[DVec3]| {
            from.iter().map(|at| nearest(to, *at)).sum::<f64>() / from.len() as f64
        };
        let chamfer_m = 0.5 * (mean(&old_joints, &new_joints) + mean(&new_joints, &old_joints));
        set_share(asset, Figure::JointChamfer, chamfer_m, sides.size_m);
    }
    if !old_bones.is_empty() && !new_bones.is_empty() {
        let is_near = |[a, b]: &Bone, [c, d]: &Bone| a.distance(*c).max(b.distance(*d)) <= near_m;
        let share =
            |from: &[Bone], to: &[Bone]| shared(from, |bone| to.iter().any(|other| is_near(bone, other)));
        asset.set(Figure::BonePrecision, share(&new_bones, &old_bones));
        asset.set(Figure::BoneRecall, share(&old_bones, &new_bones));
    }
    influences(sides, asset);
    if level != Level::Quick {
        let mode = SkinningMode::authored(old).unwrap_or_default();
        let (poses, seed) = RANDOM;
        let random = random_poses(old, new, mode, poses, seed);
        for (figure, metres) in [(Figure::RandomMax, random.largest), (Figure::RandomMean, random.mean)] {
            metres.into_iter().for_each(|metres| set_share(asset, figure, metres, sides.size_m));
        }
    }
}

/// The share of items for which a condition holds.
fn shared<T>(items: &[T], holds: impl Fn(&T) -> bool) -> f64 {
    items.iter().filter(|item| holds(item)).count() as f64 / items.len().max(1) as f64
}

fn nearest(places: &[DVec3], at: DVec3) -> f64 {
    places.iter().map(|place| place.distance(at)).fold(f64::INFINITY, f64::min)
}

/// Returns the places of a model's joints at rest, and its bones.
fn skeleton(model: &Model) -> (Vec<DVec3>, Vec<Bone>) {
    let mut pose = Pose::default();
    pose.set(model, &PoseChoice::Rest);
    let mut is_joint = vec![false; model.rig.len()];
    for node in model.skins.iter().flat_map(|skin| &skin.joints) {
        if let Some(is_joint) = is_joint.get_mut(*node) {
            *is_joint = true;
        }
    }
    let place = |node: usize| {
        let is_joint = is_joint.get(node).copied().unwrap_or(false);
        pose.world_from_node.get(node).filter(|_| is_joint).map(|world| world.w_axis.truncate())
    };
    let nodes = 0..model.rig.len();
    let bone = |node: usize| {
        let parent = model.rig.parents.get(node).copied().flatten()?;
        Some([place(parent as usize)?, place(node)?])
    };
    (nodes.clone().filter_map(place).collect(), nodes.filter_map(bone).collect())
}

/// Counts the influences that both files have, vertex by vertex.
fn influences(sides: &Sides<'_>, asset: &mut Asset) {
    let found = sides.models.map(Found::all);
    let (mut both, mut of_old, mut of_new) = (0_usize, 0_usize, 0_usize);
    let (mut old_row, mut new_row): (Vec<Influence>, Vec<Influence>) = (Vec::new(), Vec::new());
    for pair in &sides.pairing.pairs {
        let (Some(old), Some(new)) = (found[0].get(pair.old), found[1].get(pair.new)) else { continue };
        let fill = |side: usize, found: &Found<'_>, vertex: usize, out: &mut Vec<Influence>| {
            let model = sides.models[side];
            let skin = model.instances.get(found.instance).and_then(|instance| instance.skin);
            row(model, &sides.joints.of_node[side], skin, (found.primitive, vertex), out);
            out.retain(|influence| influence.weight > INFLUENCES);
        };
        for (vertex, spot) in &pair.spots {
            let sinew_skinning::pairing::Spot::Vertex(other) = spot else { continue };
            fill(0, old, *vertex as usize, &mut old_row);
            fill(1, new, *other as usize, &mut new_row);
            let shared = old_row.iter().filter(|a| new_row.iter().any(|b| a.joint == b.joint)).count();
            both = both.saturating_add(shared);
            of_old = of_old.saturating_add(old_row.len());
            of_new = of_new.saturating_add(new_row.len());
        }
    }
    if of_old > 0 && of_new > 0 {
        asset.set(Figure::InfluencePrecision, both as f64 / of_new as f64);
        asset.set(Figure::InfluenceRecall, both as f64 / of_old as f64);
    }
}
