//! Tests that the units and axes a mesh is bound in change no figure: a file whose mesh is stored in centimetres with z up,
//! below joints that scale and turn it back, has the figures of the one in metres.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::f64::consts::FRAC_PI_2;
use std::path::Path;
use std::sync::Arc;

use glam::{DMat3, DMat4, DQuat, DVec3};
use serde_json::Value;
use sinew::model::gltf::write_glb;
use sinew::model::{LocalTransform, Model, Property};

use crate::common;

/// The character without morph targets, in a third of a second of its walk, at rest as it was bound: units and axes are those on
/// which most joints agree there.
fn plain() -> Model {
    let mut model = Model::clone(&common::builtin("character"));
    model.clips.retain(|clip| clip.name == "walk");
    for channel in model.clips.iter_mut().flat_map(|clip| &mut clip.channels) {
        let width = channel.values.len() / channel.times.len();
        let kept = channel.times.iter().filter(|time| **time <= 0.34).count().max(1);
        channel.times.truncate(kept);
        channel.values.truncate(kept * width);
    }
    let primitives = model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
    primitives.for_each(|primitive| primitive.morphs = None);
    let skin = model.skins[0].clone();
    let bound = |node: usize| {
        let joint = skin.joints.iter().position(|joint| *joint == node);
        joint.map_or(DMat4::IDENTITY, |joint| skin.joint_from_bind[joint].inverse())
    };
    for &node in &skin.joints {
        let above = model.rig.parents[node].map_or(DMat4::IDENTITY, |parent| bound(parent as usize));
        let LocalTransform::Trs { rotation, .. } = &mut model.rig.rest[node] else { panic!("a matrix") };
        *rotation = DQuat::from_mat4(&(above.inverse() * bound(node))).normalize();
    }
    model
}

/// Converts a figure to other units and axes: stored by `stored_from_metres`, below a root that is larger by `joints`.
fn bound_in(mut model: Model, stored_from_metres: DMat3, joints: f64) -> Model {
    let directions = stored_from_metres * stored_from_metres.determinant().cbrt().recip();
    let into = |matrix: DMat3, v: [f32; 3]| (matrix * DVec3::from(v.map(f64::from))).as_vec3().to_array();
    for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.positions.iter_mut().for_each(|at| *at = into(stored_from_metres, *at));
        primitive.normals.iter_mut().flatten().for_each(|normal| *normal = into(directions, *normal));
        primitive.tangents = None;
    }
    for skin in &mut model.skins {
        for joint in Arc::make_mut(&mut skin.joint_from_bind) {
            let larger = DMat4::from_scale(DVec3::splat(joints.recip()));
            *joint = larger * *joint * DMat4::from_mat3(stored_from_metres.inverse());
        }
    }
    for (node, rest) in model.rig.rest.iter_mut().enumerate() {
        let LocalTransform::Trs { translation, scale, .. } = rest else { panic!("a node with a matrix") };
        match model.rig.parents[node] {
            None => *scale *= joints,
            Some(_) => *translation /= joints,
        }
    }
    let parents = &model.rig.parents;
    let channels = model.clips.iter_mut().flat_map(|clip| &mut clip.channels);
    for channel in channels.filter(|channel| parents[channel.node].is_some()) {
        if channel.property == Property::Translation {
            channel.values.iter_mut().for_each(|value| *value = (f64::from(*value) / joints) as f32);
        }
    }
    model
}

fn json(words: &[&str]) -> Value {
    serde_json::from_slice(&common::run_well(&mut common::sinew(words))).unwrap()
}

/// Everything that commands measure.
fn figures(path: &Path) -> Vec<(&'static str, Value)> {
    let file = path.to_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    common::run_well(common::sinew(["report", file, "--no-pictures", "-o"]).arg(&report));
    let report: Value = serde_json::from_slice(&std::fs::read(report.join("report.json")).unwrap()).unwrap();
    let compared = json(&["compare", file, "--clip", "walk", "--frames", "4", "--json"]);
    let sweep = ["--joint", "forearm.L", "--axis", "x", "--range", "0..120", "--steps", "3", "--json"];
    let explained =
        json(&["explain", file, "--clip", "walk", "--time", "0.3", "--vertex", "node0:0:4000", "--json"]);
    let alone = |influence: &Value| influence["alone_from_bind"].clone();
    let weights = json(&["inspect", file, "--weights", "--json"]);
    vec![
        ("diagonal", report["diagonal_m"].clone()),
        ("summary", report["summary"].clone()),
        ("sections", report["sections"].clone()),
        ("parts", report["parts"].clone()),
        ("compare", compared["clips"].clone()),
        ("diagonal of compare", compared["diagonal_m"].clone()),
        ("sweep", json(&[&["sweep", file], &sweep[..]].concat())["steps"].clone()),
        ("explain", explained["influences"].as_array().unwrap().iter().map(alone).collect()),
        ("weights", weights["weights"]["skins"].clone()),
    ]
}

/// Leaves out what the dialects of dqs have, as where they equal dqs.
fn without_dialects(value: &mut Value) {
    match value {
        Value::Array(list) => {
            // *ddm* leaves out scale, and with it other units.
            let is_left_out = |mode: &str| mode.starts_with("dqs-") || mode == "ddm";
            list.retain(|one| !one["mode"].as_str().is_some_and(is_left_out));
            list.iter_mut().for_each(without_dialects);
        }
        Value::Object(keys) => {
            keys.remove("equal_to_dqs");
            keys.values_mut().for_each(without_dialects);
        }
        _ => {}
    }
}

/// Compares what two files have: numbers to a thousandth of themselves, but times and places only where they are no
/// matter of rounding.
fn compare(path: &str, a: &Value, b: &Value) {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            let allowed = 1e-3 * a.abs().max(b.abs()) + 1e-4;
            assert!((a - b).abs() <= allowed, "{path}: {a} and {b}");
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{path}");
            a.iter().zip(b).enumerate().for_each(|(at, (a, b))| compare(&format!("{path}[{at}]"), a, b));
        }
        (Value::Object(a), Value::Object(b)) => {
            assert!(a.keys().eq(b.keys()), "{path}");
            for ((key, a), b) in
                a.iter().zip(b.values()).filter(|((key, _), _)| !PLACES.contains(&key.as_str()))
            {
                compare(&format!("{path}.{key}"), a, b);
            }
        }
        _ => assert_eq!(a.is_null(), b.is_null(), "{path}: {a} and {b}"),
    }
}

/// Keys for places and times of extremes: of two that are as good as equal, rounding picks one.
const PLACES: [&str; 6] = ["worst_vertex", "at", "time", "name", "clip", "score"];

#[test]
fn units_and_axes_of_the_bind_pose_change_no_figure() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, model: &Model| {
        let path = folder.path().join(name);
        std::fs::write(&path, write_glb(model).unwrap()).unwrap();
        path
    };
    let mut metres = figures(&write("metres.glb", &bound_in(plain(), DMat3::IDENTITY, 1.0)));
    metres.iter_mut().for_each(|(_, value)| without_dialects(value));
    assert!(metres[0].1.as_f64().unwrap() > 1.0);
    let small = DMat3::from_diagonal(DVec3::splat(0.01));
    let lying = DMat3::from_quat(DQuat::from_rotation_x(FRAC_PI_2)) * 100.0;
    for (name, stored, joints) in [("small.glb", small, 100.0), ("lying.glb", lying, 1.0)] {
        let mut found = figures(&write(name, &bound_in(plain(), stored, joints)));
        // Bound in other units, joints scale in every pose, so that the dialects of dqs are listed.
        found.iter_mut().for_each(|(_, value)| without_dialects(value));
        for ((what, a), (_, b)) in metres.iter().zip(&found) {
            compare(&format!("{name}: {what}"), a, b);
        }
    }
}
