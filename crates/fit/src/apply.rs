//! A fit as a model: helpers as joints with keys in every clip, and new weights.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::{DAffine3, DMat4, DQuat, DVec3};
use rayon::prelude::*;
use sinew_model::{
    Channel, Influences, Interpolation, LocalTransform, Model, Property, RawSet, SkinningMethod, Span,
    prepare_influences,
};
use sinew_skinning::pose::{Pose, PoseChoice};

use crate::helpers::Moves;
use crate::problem::{Fit, Problem};
use crate::sample::Layout;
use crate::target::Wanted;

/// A fit, and what it was fitted to.
pub struct Apply<'a> {
    /// The original.
    pub model: &'a Model,
    /// The deformation that linear blending imitates.
    pub wanted: &'a Wanted<'a>,
    /// The points of the original.
    pub layout: &'a Layout,
    /// The sampled poses.
    pub problem: &'a Problem,
    /// The helpers and weights.
    pub fit: &'a Fit,
    /// The helper that each helper hangs on, before it; `None` for joints as parents.
    pub parents: Option<Vec<Option<usize>>>,
}

/// Maximum number of frames that are solved at a time.
const MAX_AT_ONCE: usize = 64;

/// The largest part of a helper's transform that is neither a turn, nor a shift, nor a scale.
const SHEAR_TOLERANCE: f64 = 1e-6;

impl Apply<'_> {
    /// Makes the model, and returns the radius of each helper's vertices.
    pub fn model(&self) -> (Model, Vec<f64>) {
        let moves = Moves::new(self.problem, self.fit);
        let (centers, radii) = self.centers();
        let keys: Vec<Keys> =
            (0..self.model.clips.len()).map(|clip| self.keys(clip, &moves, &centers)).collect();
        let mut model = self.model.clone();
        let mut helpers: Vec<Node> = Vec::new();
        for (number, home) in moves.homes.iter().enumerate() {
            helpers.push(self.node(number, *home, &centers, &keys));
        }
        for (number, helper) in helpers.iter().enumerate() {
            let node = add_node(&mut model, helper, self.model.rig.len());
            for (clip, keys) in keys.iter().enumerate() {
                self.add_keys(&mut model, (clip, keys), (node, number), helper);
            }
        }
        self.write_weights(&mut model, &centers);
        model.skins.iter_mut().for_each(|skin| skin.method = skin.method.map(|_| SkinningMethod::Linear));
        (model.centers, model.ddm) = Default::default();
        (model, radii)
    }

    /// The place of each helper in the bind pose, the centre of its points, and the root of their mean squared distance.
    fn centers(&self) -> (Vec<DVec3>, Vec<f64>) {
        let count = self.problem.joint_count();
        let mut sums = vec![(DVec3::ZERO, 0.0, 0.0); self.fit.helpers.len()];
        for (point, influences) in self.problem.points.iter().zip(&self.fit.influences) {
            for (joint, weight) in influences {
                if let Some(helper) = (*joint as usize).checked_sub(count) {
                    let (sum, squares, weights) = &mut sums[helper];
                    *sum += point.at * *weight;
                    *squares += point.at.length_squared() * weight;
                    *weights += weight;
                }
            }
        }
        let of = |(sum, squares, weight): (DVec3, f64, f64)| {
            let center = if weight > 0.0 { sum / weight } else { DVec3::ZERO };
            let squared = if weight > 0.0 { squares / weight - center.length_squared() } else { 0.0 };
            (center, squared.max(0.0).sqrt())
        };
        sums.into_iter().map(of).unzip()
    }

    /// The transforms of all helpers, as nodes in the world, in the frames of a clip, with their times.
    fn keys(&self, clip: usize, moves: &Moves, centers: &[DVec3]) -> Keys {
        let times = self.wanted.target.times(self.model, clip, self.wanted.rate);
        let mut keys = Vec::with_capacity(times.len());
        for times in times.chunks(self.layout.poses_at_once().clamp(1, MAX_AT_ONCE)) {
            let poses: Vec<PoseChoice> = times.iter().map(|time| PoseChoice::clip(clip, *time)).collect();
            let frames = self.layout.sample(self.model, &self.wanted.target, &poses);
            let solve = |pose: usize| {
                let mut helpers = moves.carry((self.problem, self.fit), &frames, pose);
                for (helper, center) in helpers.iter_mut().zip(centers) {
                    *helper *= DAffine3::from_translation(*center);
                }
                helpers
            };
            let solved: Vec<Vec<DAffine3>> = (0..poses.len()).into_par_iter().map(solve).collect();
            keys.extend(times.iter().copied().zip(solved));
        }
        keys
    }

    /// The node of a helper: below another helper, or below the joint that it follows or the nearest one above without a
    /// shear.
    fn node(&self, number: usize, home: usize, centers: &[DVec3], keys: &[Keys]) -> Node {
        let (skin, joint) = self.layout.joint(home).unwrap_or_default();
        let node = self.model.skins.get(skin).and_then(|skin| skin.joints.get(joint)).copied().unwrap_or(0);
        let mut rest = Pose::default();
        rest.set(self.model, &PoseChoice::Rest);
        let at_home = self.layout.joints(self.model, &rest)[home];
        let at_rest = |helper: usize| at_home * DAffine3::from_translation(centers[helper]);
        if let Some(parents) = &self.parents {
            let name = format!("joint{}", number + 1);
            let Some(above) = parents[number] else {
                let rest = world_of(&rest, Some(node)).inverse() * at_rest(number);
                return Node { parent: Parent::Joint(Some(node)), name, rest };
            };
            return Node {
                parent: Parent::Helper(above),
                name,
                rest: at_rest(above).inverse() * at_rest(number),
            };
        }
        let name = self.model.rig.names.get(node).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("joint{joint}"), Clone::clone);
        let name = format!("{name}_helper{number}");
        let mut parent = Some(node);
        while let Some(joint) = parent {
            let local =
                |pose: &Pose, world: DAffine3| is_plain(&(world_of(pose, Some(joint)).inverse() * world));
            let mut pose = Pose::default();
            let fits = |(clip, keys): (usize, &Keys)| {
                keys.iter().all(|(time, helpers)| {
                    pose.set(self.model, &PoseChoice::clip(clip, *time));
                    local(&pose, helpers[number])
                })
            };
            if local(&rest, at_rest(number)) && keys.iter().enumerate().all(fits) {
                break;
            }
            parent = self.model.rig.parents.get(joint).copied().flatten().map(|parent| parent as usize);
        }
        let rest = world_of(&rest, parent).inverse() * at_rest(number);
        Node { parent: Parent::Joint(parent), name, rest }
    }

    /// Adds the keys of a helper to a clip.
    fn add_keys(
        &self,
        model: &mut Model,
        (clip, keys): (usize, &Keys),
        (node, number): (usize, usize),
        helper: &Node,
    ) {
        let [mut times, mut places, mut turns, mut sizes] = [const { Vec::new() }; 4];
        let (mut pose, mut last) = (Pose::default(), DQuat::IDENTITY);
        for (time, helpers) in keys {
            pose.set(self.model, &PoseChoice::clip(clip, *time));
            let parent = match helper.parent {
                Parent::Joint(joint) => world_of(&pose, joint),
                Parent::Helper(above) => helpers[above],
            };
            let (size, turn, place) = (parent.inverse() * helpers[number]).to_scale_rotation_translation();
            last = if turn.dot(last) < 0.0 { -turn } else { turn };
            // Times nearer than the precision of `f32` are one.
            if times.last() == Some(&(*time as f32)) {
                continue;
            }
            times.push(*time as f32);
            places.extend(place.as_vec3().to_array());
            turns.extend(last.as_quat().to_array());
            sizes.extend(size.as_vec3().to_array());
        }
        let Some(clip) = model.clips.get_mut(clip).filter(|_| !times.is_empty()) else { return };
        let channels =
            [(Property::Translation, places), (Property::Rotation, turns), (Property::Scale, sizes)];
        for (property, values) in channels {
            let interpolation = Interpolation::Linear;
            clip.channels.push(Channel { node, property, interpolation, times: times.clone(), values });
        }
        clip.duration_secs = clip.duration_secs.max(times.last().copied().unwrap_or_default());
    }

    /// Writes the weights of points that follow helpers, and adds these to the skins.
    fn write_weights(&self, model: &mut Model, centers: &[DVec3]) {
        let first_node = self.model.rig.len();
        let count = self.problem.joint_count();
        let mut used: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); model.skins.len()];
        for part in &self.layout.parts {
            let influences = part.points.iter().flat_map(|point| &self.fit.influences[*point as usize]);
            used[part.skin].extend(influences.filter_map(|(joint, _)| (*joint as usize).checked_sub(count)));
        }
        let mut places: Vec<BTreeMap<usize, usize>> = Vec::new();
        for (skin, used) in model.skins.iter_mut().zip(&used) {
            let first = skin.joints.len();
            places.push(used.iter().enumerate().map(|(place, helper)| (*helper, first + place)).collect());
            skin.joints.extend(used.iter().map(|helper| first_node + helper));
            let inverse = used.iter().map(|helper| DMat4::from_translation(-centers[*helper]));
            let mut binds = skin.joint_from_bind.to_vec();
            binds.resize(first, DMat4::IDENTITY);
            binds.extend(inverse);
            skin.joint_from_bind = Arc::from(binds);
        }
        let mut owners: BTreeMap<usize, usize> = BTreeMap::new();
        for part in &self.layout.parts {
            // Weights of a mesh that is drawn twice may differ.
            let mesh = model.instances[part.instance].mesh;
            if *owners.entry(mesh).or_insert(part.instance) != part.instance {
                model.meshes.push(self.model.meshes[mesh].clone());
                model.instances[part.instance].mesh = model.meshes.len() - 1;
            }
            let mesh = model.instances[part.instance].mesh;
            owners.insert(mesh, part.instance);
            let joints = model.skins[part.skin].joints.len();
            let rows = part.points.iter().map(|point| {
                let own = &self.problem.points[*point as usize].influences;
                let made = &self.fit.influences[*point as usize];
                let place = |(joint, weight): &(u32, f64)| {
                    let joint = *joint as usize;
                    let place = match joint.checked_sub(count) {
                        Some(helper) => places[part.skin].get(&helper).copied(),
                        None => self.layout.joint(joint).map(|(_, joint)| joint),
                    };
                    Some((u16::try_from(place?).ok()?, *weight as f32))
                };
                (own != made).then(|| made.iter().filter_map(place).collect::<Vec<_>>())
            });
            let primitive = &mut model.meshes[mesh].primitives[part.primitive];
            if let Some(influences) = &mut primitive.influences {
                replace(influences, rows.collect(), joints);
                primitive.unequal_sums.clear();
                primitive.first_joints.clear();
            }
        }
    }
}

/// Times, and the transforms of all helpers at each.
type Keys = Vec<(f64, Vec<DAffine3>)>;

/// The node of a helper.
struct Node {
    parent: Parent,
    name: String,
    /// Its transform in its parent at rest.
    rest: DAffine3,
}

/// The parent of a helper.
#[derive(Clone, Copy)]
enum Parent {
    /// A joint of the original, or none.
    Joint(Option<usize>),
    /// An earlier helper.
    Helper(usize),
}

fn world_of(pose: &Pose, node: Option<usize>) -> DAffine3 {
    let world = node.and_then(|node| pose.world_from_node.get(node)).copied();
    world.map_or(DAffine3::IDENTITY, DAffine3::from_mat4)
}

/// Returns true if a transform is a turn, a shift and a scale.
fn is_plain(local: &DAffine3) -> bool {
    let (size, turn, place) = local.to_scale_rotation_translation();
    let again = DAffine3::from_scale_rotation_translation(size, turn, place);
    local.is_finite()
        && (again.matrix3 - local.matrix3)
            .to_cols_array()
            .iter()
            .all(|apart| apart.abs() <= SHEAR_TOLERANCE * size.max_element().abs())
}

fn add_node(model: &mut Model, helper: &Node, first: usize) -> usize {
    let rig = &mut model.rig;
    let node = rig.names.len();
    let (scale, rotation, translation) = helper.rest.to_scale_rotation_translation();
    let parent = match helper.parent {
        Parent::Joint(joint) => joint,
        Parent::Helper(above) => Some(first + above),
    };
    rig.names.push(helper.name.clone());
    rig.parents.push(parent.map(|parent| parent as u32));
    rig.rest.push(LocalTransform::Trs { translation, rotation, scale });
    rig.file_index.push(rig.file_index.iter().max().map_or(0, |last| last + 1));
    if let Some(last) = rig.weight_ends.last().copied() {
        rig.weight_ends.push(last);
    }
    node
}

/// Replaces the joints and weights of some vertices; the others keep their bits.
fn replace(influences: &mut Influences, rows: Vec<Option<Vec<(u16, f32)>>>, joints: usize) {
    let changed: Vec<(usize, Vec<(u16, f32)>)> =
        rows.into_iter().enumerate().filter_map(|(vertex, row)| Some((vertex, row?))).collect();
    let widest = changed.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    let sets: Vec<RawSet> = (0..widest.div_ceil(4))
        .map(|set| {
            let at =
                |row: &Vec<(u16, f32)>, slot: usize| row.get(4 * set + slot).copied().unwrap_or_default();
            let slots = |row: &Vec<(u16, f32)>| [0, 1, 2, 3].map(|slot| at(row, slot));
            RawSet {
                joints: changed.iter().map(|(_, row)| slots(row).map(|(joint, _)| joint)).collect(),
                weights: changed.iter().map(|(_, row)| slots(row).map(|(_, weight)| weight)).collect(),
            }
        })
        .collect();
    let Ok(prepared) = prepare_influences(&sets, joints) else { return };
    let made = prepared.influences;
    while influences.spans.len() < made.spans.len() {
        let last = influences.spans.last().cloned().unwrap_or_default();
        // Unused slots repeat the last used joint.
        influences.spans.push(Span {
            joints: last.joints.iter().map(|joints| [joints[3]; 4]).collect(),
            weights: vec![[0.0; 4]; last.joints.len()],
        });
    }
    for (row, (vertex, _)) in changed.iter().enumerate() {
        let mut last = 0;
        for (number, span) in influences.spans.iter_mut().enumerate() {
            let new = made.spans.get(number).map(|span| (span.joints[row], span.weights[row]));
            let (joints, weights) = new.unwrap_or(([last; 4], [0.0; 4]));
            last = joints[3];
            (span.joints[*vertex], span.weights[*vertex]) = (joints, weights);
        }
    }
}
