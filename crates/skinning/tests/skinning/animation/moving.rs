//! A small animated file for tests to change: three nodes, two of them with a mesh that has two morph targets.

use serde_json::{Value, json};

use crate::file::File;

/// Scalars at 0, 1 and 2.
pub const TIMES: usize = 0;
/// One vector for each of three keys.
pub const VECTORS: usize = 1;
/// One rotation for each of three keys: none, 90° and 180° about z.
pub const ROTATIONS: usize = 2;
/// Two morph weights for each of three keys.
pub const WEIGHTS: usize = 3;
/// One morph weight for each of three keys.
pub const ONE_WEIGHT: usize = 4;

/// A file with one clip of these channels; each target comes with the accessor of its values.
pub fn moving(channels: &[(Value, usize)]) -> File {
    let mut file = File::new(json!({
        "asset": {"version": "2.0"},
        "nodes": [{"mesh": 0}, {"mesh": 0, "weights": [0.25, 0.75]}, {"name": "plain"}],
        "scenes": [{"nodes": [0, 1, 2]}],
    }));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    file.floats("SCALAR", &[0.0, 1.0, 2.0]);
    file.floats("VEC3", &[1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 6.0, 0.0, 8.0]);
    file.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half, 0.0, 0.0, 1.0, 0.0]);
    file.floats("SCALAR", &[0.0, 1.0, 0.5, 0.5, 1.0, 0.0]);
    file.floats("SCALAR", &[0.0, 0.5, 1.0]);
    let triangle = file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    file.json["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": triangle},
        "targets": [{"POSITION": triangle}, {"POSITION": triangle}]}]}]);
    let samplers = channels.iter().map(|(_, output)| json!({"input": TIMES, "output": output}));
    let samplers = samplers.collect::<Vec<_>>();
    let target =
        |(number, (target, _)): (usize, &(Value, usize))| json!({"sampler": number, "target": target});
    let channels = channels.iter().enumerate().map(target).collect::<Vec<_>>();
    file.json["animations"] = json!([{"channels": channels, "samplers": samplers}]);
    file
}

/// The target of a channel that moves a node's property.
pub fn node(number: usize, path: &str) -> Value {
    json!({"node": number, "path": path})
}

/// The target of a channel with a pointer.
pub fn pointer(pointer: &str) -> Value {
    json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}})
}
