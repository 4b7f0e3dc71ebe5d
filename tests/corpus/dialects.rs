//! Compares *dqs* and its dialects with results made elsewhere, on joints that scale: with an implementation in `f64`, and
//! with Blender's *Preserve Volume*, if `make peers` has installed Blender.

use std::path::{Path, PathBuf};

use glam::{DQuat, DVec3};
use serde_json::Value;
use sinew::model::gltf::{self, write_glb};
use sinew::model::{LocalTransform, Model};
use sinew::skinning::pose::PoseChoice;
use sinew::skinning::posed::{reference_model, skin_model};
use sinew::skinning::{Drawn, SkinningMode, diagonal};

use crate::proven::posed;
use crate::{diagnosed, peers};

/// Modes that are at most this far from each other, in diagonals of the model, are one.
const SAME: f64 = 5e-6;

const MODES: [SkinningMode; 4] = [
    SkinningMode::Linear,
    SkinningMode::DualQuat,
    SkinningMode::DualQuatBlender,
    SkinningMode::DualQuatRigid,
];

/// The folder of a figure with scaled joints, and of what each mode makes of it.
pub fn truth(corpus: &Path) -> PathBuf {
    corpus.join("../truth")
}

/// Each mode is its file, and no other mode is.
pub fn modes_with_scaled_joints_are_as_computed_elsewhere(corpus: &Path) -> usize {
    let model = gltf::load(&truth(corpus).join("scaled_figure.glb")).unwrap();
    let size = diagonal(&model, &Drawn::new(&model));
    for expected in MODES {
        let file = truth(corpus).join(format!("scaled_figure.{expected}.json"));
        let found: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        assert_eq!(found["mode"], expected.name());
        let clip = found["clip"].as_u64().unwrap() as usize;
        let pose = posed(&model, &PoseChoice::clip(clip, found["time"].as_f64().unwrap()));
        let want = numbers(&found["primitives"][0]["positions"]);
        for mode in MODES {
            let twin = skin_model(&model, mode, &pose).remove(0).positions;
            let twin = twin.as_flattened().iter().map(|number| f64::from(*number));
            let exact = reference_model(&model, mode, &pose).remove(0).skinned.positions;
            let exact = exact.as_flattened().iter().copied();
            let off = furthest(exact, &want).max(furthest(twin, &want)) / size;
            println!("{mode} is {off:.1e} of the size from {expected}");
            assert_eq!(off < SAME, mode == expected, "{mode} against {expected}: {off:e}");
            assert!(mode == expected || off > 20.0 * SAME, "{mode} against {expected}: {off:e}");
        }
    }
    MODES.len()
}

/// The joints to scale, and by how much.
type Scales = &'static [(&'static str, [f64; 3])];

/// Figures whose joints turn and scale, and how far Blender may be off. Joints below one that scales unevenly shear, and
/// Blender takes another rotation from a sheared matrix.
const SCALED: [(&str, Scales, f64); 3] = [
    ("even", &[("torso_joint_2", [1.3; 3]), ("leg_joint_L_2", [0.6; 3])], SAME),
    ("uneven", &[("leg_joint_R_5", [0.5, 1.4, 1.0]), ("arm_joint_L_3", [1.2, 0.7, 1.6])], SAME),
    ("sheared", &[("torso_joint_2", [1.2, 0.8, 1.0]), ("leg_joint_L_2", [0.7, 1.0, 1.3])], SHEARED),
];

/// The distance from Blender on sheared joints, in diagonals of the model.
const SHEARED: f64 = 5e-4;

pub fn blender_preserves_volume_as_dqs_blender_does(corpus: &Path) -> usize {
    let Some(python) = peers::blender() else { return 0 };
    let folder = tempfile::tempdir().unwrap();
    let figure = gltf::load(&corpus.join("models/RiggedFigure/RiggedFigure.glb")).unwrap();
    let mut models = Vec::new();
    for (name, scales, _) in SCALED {
        let mut model = figure.clone();
        model.clips.clear();
        turn_and_scale(&mut model, scales);
        let path = folder.path().join(format!("{name}.glb"));
        std::fs::write(&path, write_glb(&model).unwrap()).unwrap();
        models.push((gltf::load(&path).unwrap(), path));
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/preserve_volume.py");
    peers::run(peers::process(&python).arg(script).args(models.iter().map(|(_, path)| path)));
    for ((name, _, bound), (model, path)) in SCALED.into_iter().zip(&models) {
        let made: Value =
            serde_json::from_slice(&std::fs::read(path.with_extension("json")).unwrap()).unwrap();
        let want = numbers(&made);
        let size = diagonal(model, &Drawn::new(model));
        let off = |mode| {
            let found = reference_model(model, mode, &posed(model, &PoseChoice::Rest)).remove(0);
            furthest(found.skinned.positions.as_flattened().iter().copied(), &want) / size
        };
        let [blender, dqs] = [SkinningMode::DualQuatBlender, SkinningMode::DualQuat].map(off);
        println!("{name}: dqs-blender is {blender:.1e} of the size from Blender, dqs {dqs:.1e}");
        assert!(blender < bound && dqs > 20.0 * SAME, "{name}: {blender:e} and {dqs:e}");
        if bound <= SAME {
            let named = diagnosed::named(model, &want, &PoseChoice::Rest);
            assert_eq!(named, "dqs-blender", "{name}");
        }
    }
    SCALED.len()
}

/// Turns all joints at rest, and scales some. Without turns, all modes but *rigid* agree.
fn turn_and_scale(model: &mut Model, scales: Scales) {
    let mut count = 0;
    for (name, rest) in model.rig.names.iter().zip(&mut model.rig.rest) {
        let LocalTransform::Trs { rotation, scale, .. } = rest else { continue };
        *rotation *= DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.4);
        if let Some((_, by)) = scales.iter().find(|(scaled, _)| scaled == name) {
            *scale *= DVec3::from(*by);
            count += 1;
        }
    }
    assert_eq!(count, scales.len(), "{:?}", model.rig.names);
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Returns the largest difference of a coordinate.
fn furthest(found: impl ExactSizeIterator<Item = f64>, want: &[f64]) -> f64 {
    assert_eq!(found.len(), want.len());
    found.zip(want).map(|(found, want)| (found - want).abs()).fold(0.0, f64::max)
}
