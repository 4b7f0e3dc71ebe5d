//! Chooses the viewpoint of a sweep: the joint in the middle, and what turns with it around it.

use glam::{DMat4, DVec3};

use crate::analysis::sweep::{Axis, turned};
use crate::camera::{Lens, Orbit, Viewpoint};
use crate::length::rounded;
use crate::model::{Instance, Model, Primitive};
use crate::skinning::pose::Pose;
use crate::skinning::posed::reference_surfaces;
use crate::skinning::{Drawn, SkinningMode, diagonal, skin_of};

/// A vertex turns with joints that have this share of its weight.
const MOST: f64 = 0.5;

/// The smallest distance of the eye, in diagonals of the model.
const NEAREST: f64 = 0.01;

/// One viewpoint for all angles: the joint in the middle, as near as everything that turns with it stays in the picture.
/// At most half of the model is around it.
pub fn at_joint(
    model: &Model,
    (node, axis): (usize, Axis),
    degrees: impl Iterator<Item = f64>,
    lens: Lens,
) -> Viewpoint {
    let mut pose = Pose::default();
    pose.set(model, &turned(model, node, axis, 0.0));
    let (place, drawn) = (place(&pose, node), Drawn::new(model));
    let size = diagonal(model, &drawn);
    let Some(target) = place.filter(|_| size > 0.0) else {
        return Orbit { lens, ..Orbit::default() }.into();
    };
    let orbit = Orbit { target: Some(target), lens, ..Orbit::default() };
    let moved = moved(model, node, &pose, &drawn);
    let joint_from_world = pose.world_from_node.get(node).map(DMat4::inverse).unwrap_or_default();
    let fits = |degrees: f64| {
        pose.set(model, &turned(model, node, axis, degrees));
        let now_from_rest = *pose.world_from_node.get(node)? * joint_from_world;
        let places = moved.iter().map(|at| now_from_rest.transform_point3(*at));
        let places: Vec<DVec3> = places.filter(|at| at.is_finite()).collect();
        (!places.is_empty()).then(|| orbit.distance_to_show(&places, [1, 1]))
    };
    // From one diagonal, the usual lens sees half of the model.
    let most = size * Lens::default().tan_y() / lens.tan_y();
    let distance = degrees.filter_map(fits).reduce(f64::max).unwrap_or(most);
    let distance = Some(rounded(distance.min(most).max(size * NEAREST)));
    Orbit { distance, ..orbit }.into()
}

fn place(pose: &Pose, node: usize) -> Option<DVec3> {
    let place = pose.world_from_node.get(node)?.w_axis.truncate();
    place.is_finite().then_some(place)
}

/// Where the drawn vertices are that turn with a node in this pose.
fn moved(model: &Model, node: usize, pose: &Pose, drawn: &Drawn) -> Vec<DVec3> {
    let is_below = below(model, node);
    let mut skinned = Vec::new();
    reference_surfaces(model, SkinningMode::Linear, pose, &mut skinned);
    let mut moved = Vec::new();
    for (primitive, vertices) in skinned.iter().zip(drawn.primitives()) {
        let Some(instance) = model.instances.get(primitive.instance) else { continue };
        let mesh = model.meshes.get(instance.mesh);
        let Some(found) = mesh.and_then(|mesh| mesh.primitives.get(primitive.primitive)) else { continue };
        let turns = turns(model, instance, found, &is_below);
        let turning = vertices.iter().map(|vertex| *vertex as usize).filter(|vertex| turns(*vertex));
        let places = turning.filter_map(|vertex| primitive.positions.get(vertex));
        moved.extend(places.map(|at| DVec3::from_array(*at)).filter(|at| at.is_finite()));
    }
    moved
}

/// Tells which vertices of a primitive turn with the nodes.
fn turns<'a>(
    model: &'a Model,
    instance: &Instance,
    primitive: &'a Primitive,
    is_below: &'a [bool],
) -> impl Fn(usize) -> bool + use<'a> {
    let is_node_below = is_below.get(instance.node).copied().unwrap_or(false);
    let has_influences = primitive.influences.is_some();
    let skin = skin_of(model, instance, has_influences);
    let has = move |joint: i32| {
        let node = usize::try_from(joint).ok().and_then(|joint| skin?.joints.get(joint));
        node.and_then(|node| is_below.get(*node)).copied().unwrap_or(false)
    };
    move |vertex| match primitive.influences.as_ref().filter(|_| skin.is_some()) {
        Some(influences) => {
            let spans = (0..influences.spans.len()).map(|span| influences.of_vertex(span, vertex));
            let all = spans.flat_map(|(joints, weights)| joints.into_iter().zip(weights));
            all.filter(|(joint, _)| has(*joint)).map(|(_, weight)| f64::from(weight)).sum::<f64>() >= MOST
        }
        None => is_node_below,
    }
}

/// For each node, whether it is the given one or below it.
fn below(model: &Model, node: usize) -> Vec<bool> {
    let mut is_below: Vec<bool> = Vec::with_capacity(model.rig.parents.len());
    // Parents come before children.
    for (number, parent) in model.rig.parents.iter().enumerate() {
        let is_parent_below = parent.and_then(|parent| is_below.get(parent as usize).copied());
        is_below.push(number == node || is_parent_below.unwrap_or(false));
    }
    is_below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{builtin, gltf};

    /// The distance for a joint by its name, in diagonals of the model.
    fn distance(name: &str, joint: &str, range: [f64; 2], lens: Lens) -> f64 {
        let model = gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap();
        let node = model.rig.names.iter().position(|name| name == joint).unwrap();
        let Viewpoint::Orbit(orbit) = at_joint(&model, (node, Axis::X), range.into_iter(), lens) else {
            panic!("{name} {joint}")
        };
        orbit.distance.unwrap() / diagonal(&model, &Drawn::new(&model))
    }

    #[test]
    fn small_joints_are_seen_from_near() {
        let usual = |name, joint| distance(name, joint, [0.0, 90.0], Lens::default());
        let close = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-3;
        for (name, joint) in [("twist", "upper"), ("character", "hips"), ("character", "thigh.R")] {
            assert!(close(usual(name, joint), 1.0), "{name} {joint}: {}", usual(name, joint));
        }
        let [finger, elbow] = ["index_02.R", "forearm.R"].map(|joint| usual("character", joint));
        assert!((0.02..0.2).contains(&finger) && (0.4..1.0).contains(&elbow), "{finger} {elbow}");
        // A joint that moves no vertex.
        let mut model = gltf::load_bytes(&builtin::glb("strip").unwrap(), None).unwrap();
        let size = diagonal(&model, &Drawn::new(&model));
        model.meshes[0].primitives[0].influences.as_mut().unwrap().spans[0].joints.fill([0; 4]);
        let viewpoint =
            at_joint(&model, (model.skins[0].joints[1], Axis::Z), [0.0].into_iter(), Lens::default());
        assert!(matches!(viewpoint, Viewpoint::Orbit(orbit) if close(orbit.distance.unwrap(), size)));
    }

    #[test]
    fn a_wider_lens_sees_the_same_from_nearer() {
        let wide = Lens { fov_degrees: 56.0, parallel: false };
        for joint in ["index_02.R", "thigh.R"] {
            let [usual, wide] =
                [Lens::default(), wide].map(|lens| distance("character", joint, [0.0, 90.0], lens));
            assert!(wide < 0.65 * usual, "{joint}: {wide} {usual}");
        }
    }
}
