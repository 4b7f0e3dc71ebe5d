//! Small rigs with clips, and the motion of their joints in the world.

use crate::pose::Pose;
use crate::retarget::axes::{Axes, angle, world_axes};
use crate::retarget::{Borrowed, By, JointMap, Match};
use glam::{DQuat, DVec3};
use sinew_model::{Channel, Clip, Interpolation, LocalTransform, Model, Property, Rig, Skin};

/// A node by name, parent, translation and rotation.
pub type Node<'a> = (&'a str, Option<u32>, [f64; 3], DQuat);

/// Makes a model of joints alone; every node is one.
pub fn model(nodes: &[Node]) -> Model {
    let rest = |&(_, _, translation, rotation): &Node| LocalTransform::Trs {
        translation: translation.into(),
        rotation,
        scale: DVec3::ONE,
    };
    let rig = Rig {
        names: nodes.iter().map(|node| node.0.to_owned()).collect(),
        parents: nodes.iter().map(|node| node.1).collect(),
        rest: nodes.iter().map(rest).collect(),
        file_index: (0..nodes.len() as u32).collect(),
        ..Rig::default()
    };
    let skin = Skin { joints: (0..nodes.len()).collect(), ..Skin::default() };
    Model { rig, skins: vec![skin], ..Model::default() }
}

pub fn turn(axis: [f64; 3], degrees: f64) -> DQuat {
    DQuat::from_axis_angle(DVec3::from(axis).normalize(), degrees.to_radians())
}

pub const STILL: DQuat = DQuat::IDENTITY;

/// A figure with an arm; upright, axes along the world's.
pub const FIGURE: [Node; 5] = [
    ("hips", None, [0.0, 1.0, 0.0], STILL),
    ("spine", Some(0), [0.0, 0.4, 0.05], STILL),
    ("arm", Some(1), [0.3, 0.1, 0.0], STILL),
    ("hand", Some(2), [0.5, 0.0, 0.02], STILL),
    ("foot", Some(0), [0.1, -1.0, 0.0], STILL),
];

pub fn channel(node: usize, property: Property, interpolation: Interpolation, values: Vec<f32>) -> Channel {
    let size = match property {
        Property::Rotation => 4,
        _ => 3,
    } * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let times = (0..values.len() / size).map(|key| key as f32 * 0.5).collect();
    Channel { node, property, interpolation, times, values }
}

/// Returns keys that turn a joint from its rest rotation, in its own axes.
pub fn turns(model: &Model, node: usize, interpolation: Interpolation) -> Channel {
    let LocalTransform::Trs { rotation, .. } = model.rig.rest[node] else { panic!("a matrix") };
    let seed = node as f64;
    let key = |number: f64| {
        let axis = [(seed + number).sin(), (2.0 * seed - number).cos(), 0.3 + (seed * number).sin()];
        let key = rotation * turn(axis, 35.0 * number + 10.0 * seed);
        key.to_array().map(|number| number as f32)
    };
    let keys = (0..4).map(|number| key(f64::from(number)));
    let values = match interpolation {
        Interpolation::CubicSpline => keys
            .enumerate()
            .flat_map(|(number, key)| {
                let tangent = |sign: f32| key.map(|v| sign * v * 0.3 + 0.2 * number as f32).to_vec();
                [tangent(1.0), key.to_vec(), tangent(-1.0)].concat()
            })
            .collect(),
        _ => keys.flatten().collect(),
    };
    channel(node, Property::Rotation, interpolation, values)
}

/// Adds a clip that turns every joint.
pub fn with_turns(mut model: Model, interpolation: Interpolation) -> Model {
    let channels: Vec<Channel> =
        (0..model.rig.len()).map(|node| turns(&model, node, interpolation)).collect();
    model.clips.push(Clip { name: "turns".to_owned(), duration_secs: 1.5, channels });
    model
}

pub fn no_map() -> JointMap {
    JointMap::default()
}

/// Returns the only clip on another rig.
pub fn borrowed(target: &Model, source: &Model) -> Borrowed {
    Match::new(target, source, &no_map()).unwrap().clips().remove(0)
}

/// Returns names of the pairs, and the criterion for each.
pub fn pairs(target: &Model, source: &Model, map: &[(&str, &str)]) -> Vec<(String, String, By)> {
    let pairs = map.iter().map(|(key, name)| ((*key).to_owned(), (*name).to_owned())).collect();
    let map = JointMap { pairs };
    let found = Match::new(target, source, &map).unwrap();
    let name = |model: &Model, node: usize| model.rig.names[node].clone();
    found.pairs.iter().map(|p| (name(target, p.target), name(source, p.source), p.by)).collect()
}

/// Returns the axes and positions of all nodes in a clip's pose.
pub fn posed(model: &Model, clip: Option<&Clip>, time_secs: f64) -> (Vec<Axes>, Vec<DVec3>) {
    let mut pose = Pose::rest(&model.rig);
    if let Some(clip) = clip {
        pose.set_clip(&model.rig, clip, time_secs);
    }
    let mut axes = Vec::new();
    world_axes(&model.rig, &pose.locals, &mut axes);
    (axes, pose.world_from_node.iter().map(|world| world.w_axis.truncate()).collect())
}

/// Returns each node's turn from rest in the world.
pub fn world_turns(model: &Model, clip: &Clip, time_secs: f64) -> Vec<DQuat> {
    let (rest, _) = posed(model, None, 0.0);
    let (now, _) = posed(model, Some(clip), time_secs);
    now.iter().zip(rest).map(|(now, rest)| now.rotation * rest.rotation.conjugate()).collect()
}

/// Returns keys, and times between them.
pub fn times() -> impl Iterator<Item = f64> {
    (0..=24).map(|step| f64::from(step) / 16.0)
}

/// Asserts that both turn alike, at the `pairs` of target and source nodes.
#[track_caller]
pub fn assert_turns(target: (&Model, &Clip), source: &Model, pairs: &[(usize, usize)], most: f64) {
    for time in times() {
        let there = world_turns(target.0, target.1, time);
        let here = world_turns(source, &source.clips[0], time);
        for &(to, from) in pairs {
            let apart = angle(there[to] * here[from].conjugate());
            assert!(apart < most, "{} at {time}: {apart}", source.rig.names[from]);
        }
    }
}
