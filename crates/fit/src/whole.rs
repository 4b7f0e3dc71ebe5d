//! The whole decomposition: a skeleton for vertices that have none.

use std::sync::Arc;

use glam::{DAffine3, DMat4, DQuat};
use sinew_model::{
    Channel, Clip, Influences, Instance, Interpolation, LocalTransform, Mesh, Model, Primitive, Property,
    Rig, Skin, Span,
};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, reference_surfaces};

use crate::problem::{Fit, Problem};
use crate::sample::Layout;
use crate::seed::rigid;
use crate::target::{Frames, Target};

/// Returns the surface of a model at rest, all of which follows one joint, `root`. It has one clip, which moves nothing.
pub fn one_joint(model: &Model, clip: &str) -> Model {
    let mut made = Model {
        materials: model.materials.clone(),
        pictures: model.pictures.clone(),
        clips: vec![Clip { name: clip.to_owned(), ..Clip::default() }],
        ..Model::default()
    };
    add_node(&mut made.rig, "root", None);
    made.skins.push(Skin {
        name: "root".to_owned(),
        joints: vec![0],
        joint_from_bind: Arc::from([DMat4::IDENTITY]),
        method: None,
    });
    let mut surfaces = Vec::new();
    reference_surfaces(model, SkinningMode::Linear, &Pose::rest(&model.rig), &mut surfaces);
    let mut drawn = None;
    for surface in &surfaces {
        let instance = &model.instances[surface.instance];
        let mesh = &model.meshes[instance.mesh];
        if drawn.replace(surface.instance) != Some(surface.instance) {
            let node = made.rig.len();
            add_node(&mut made.rig, &model.rig.names[instance.node], None);
            made.instances.push(Instance { node, mesh: made.meshes.len(), skin: Some(0) });
            made.meshes.push(Mesh { name: mesh.name.clone(), ..Mesh::default() });
        }
        if let Some(last) = made.meshes.last_mut() {
            last.primitives.push(at_rest(&mesh.primitives[surface.primitive], surface));
        }
    }
    made
}

fn add_node(rig: &mut Rig, name: &str, parent: Option<u32>) {
    rig.file_index.push(rig.len() as u32);
    rig.names.push(name.to_owned());
    rig.rest.push(LocalTransform::IDENTITY);
    rig.parents.push(parent);
}

/// A primitive as a pose shows it, which follows the first joint.
fn at_rest(primitive: &Primitive, surface: &SkinnedPrimitive<f64>) -> Primitive {
    let count = primitive.positions.len();
    let vectors = |all: &[[f64; 3]]| all.iter().map(|one| one.map(|number| number as f32)).collect();
    let span = Span { joints: vec![[0; 4]; count], weights: vec![[1.0, 0.0, 0.0, 0.0]; count] };
    let tangents = |all: &Vec<[f64; 4]>| all.iter().map(|one| one.map(|number| number as f32)).collect();
    Primitive {
        positions: vectors(&surface.positions),
        normals: surface.normals.as_deref().map(vectors),
        tangents: surface.tangents.as_ref().map(tangents),
        influences: Some(Influences { spans: vec![span] }),
        unequal_sums: Vec::new(),
        first_joints: Vec::new(),
        morphs: None,
        shares: None,
        steps: Default::default(),
        ..primitive.clone()
    }
}

/// Moves the root of [`one_joint`]'s model by the rigid motion that takes all points nearest to their wanted places.
pub fn move_root(model: &mut Model, frames: Frames) {
    let layout = Layout::new(model);
    let (mut places, mut turns, mut last) = (Vec::new(), Vec::new(), DQuat::IDENTITY);
    for times in frames.times.chunks(layout.poses_at_once().clamp(1, 64)) {
        let poses: Vec<PoseChoice> = times.iter().map(|time| PoseChoice::clip(frames.clip, *time)).collect();
        for wanted in layout.sample(model, &Target::Frames(frames), &poses).wanted {
            let pairs = layout.points.iter().zip(&wanted).map(|(point, wanted)| (point.at, *wanted, 1.0));
            let moved = rigid(pairs).unwrap_or(DAffine3::IDENTITY);
            let (_, turn, place) = moved.to_scale_rotation_translation();
            last = if turn.dot(last) < 0.0 { -turn } else { turn };
            places.extend(place.as_vec3().to_array());
            turns.extend(last.as_quat().to_array());
        }
    }
    let times: Vec<f32> = frames.times.iter().map(|time| *time as f32).collect();
    let Some(clip) = model.clips.get_mut(frames.clip) else { return };
    clip.duration_secs = times.last().copied().unwrap_or_default();
    for (property, values) in [(Property::Translation, places), (Property::Rotation, turns)] {
        let interpolation = Interpolation::Linear;
        clip.channels.push(Channel { node: 0, property, interpolation, times: times.clone(), values });
    }
}

/// Orders helpers so that each comes after its parent, and returns the parents: `None` for children of the root. Two helpers
/// belong together by the weights that they share (Prim's method).
pub fn order(problem: &Problem, fit: &mut Fit) -> Vec<Option<usize>> {
    let (count, joints) = (fit.helpers.len(), problem.joint_count() as u32);
    let mut shared = vec![vec![0.0; count + 1]; count + 1];
    // The root is the last.
    let place = |joint: u32| joint.checked_sub(joints).map_or(count, |helper| helper as usize);
    for influences in &fit.influences {
        for (one, weight) in influences {
            for (other, other_weight) in influences {
                shared[place(*one)][place(*other)] += weight * other_weight;
            }
        }
    }
    let (mut order, mut parents): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    while order.len() < count {
        let from = |helper: usize| {
            let done = [count].into_iter().chain(order.iter().copied());
            done.map(move |parent| (parent, helper))
        };
        let free = (0..count).filter(|helper| !order.contains(helper)).flat_map(from);
        let best = free.reduce(|a, b| if shared[b.0][b.1] > shared[a.0][a.1] { b } else { a });
        let Some((parent, helper)) = best else { break };
        parents.push(order.iter().position(|done| *done == parent));
        order.push(helper);
    }
    fit.helpers = order.iter().map(|helper| fit.helpers[*helper].clone()).collect();
    for (joint, _) in fit.influences.iter_mut().flatten() {
        if let Some(helper) = joint.checked_sub(joints) {
            let now = order.iter().position(|one| *one == helper as usize);
            *joint = joints + now.unwrap_or_default() as u32;
        }
    }
    parents
}
