//! Takes a model through everything before the graphics card: posing, framing, each way of skinning, measuring
//! and writing.

use sinew::analysis::verify::{Samples, verify};
use sinew::camera::{Camera, Orbit};
use sinew::export::bake::{Frames, Targets, times};
use sinew::export::rigged::{Landings, Wanted, rigged};
use sinew::export::{Export, Format, write};
use sinew::framing::hull;
#[cfg(feature = "usd")]
use sinew::model::usd;
use sinew::model::{Limits, Model, gltf};
use sinew::skinning::cpu;
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::{reference_model, skin_model};
use sinew::skinning::{MeshNormals, Normals, SkinningMode};

/// Runs all of it. Numbers may leave the range of `f32`; nothing may panic.
pub fn show(model: &Model) {
    let mut choices = vec![PoseChoice::Bind, PoseChoice::Rest];
    choices.extend((0..model.clips.len().min(2)).map(|clip| PoseChoice::clip(clip, 0.3)));
    let mut pose = Pose::default();
    let recomputed = MeshNormals::new(model);
    for choice in &choices {
        let points = hull(model, choice);
        assert!(points.iter().all(|point| point.is_finite()));
        let camera = Camera::new(&Orbit::default(), &points, [64, 48]);
        assert!(camera.eye_in_world.is_finite() && camera.view_from_world.is_finite(), "{camera:?}");
        assert!(camera.clip_from_view.is_finite(), "{camera:?}");
        pose.set(model, choice);
        for mode in SkinningMode::ALL {
            let mut primitives = skin_model(model, mode, &pose);
            recomputed.apply(model, &pose, &mut primitives);
            let truth = reference_model(model, mode, &pose);
            assert_eq!(primitives.len(), truth.len());
            let export = Export {
                given: "hostile",
                model,
                mode,
                normals: Normals::Recomputed,
                pose: choice.clone(),
                on: "cpu",
                primitives: &primitives,
            };
            if export.not_finite().is_none() {
                for format in [Format::Json, Format::Ply, Format::Obj, Format::Glb, Format::Npy, Format::Npz]
                {
                    write(&export, format, &mut std::io::sink()).expect("a sink takes everything");
                }
            }
        }
    }
    pass_on(model);
    // The twin stands in for the graphics card.
    let skin = |mode: SkinningMode, choice: &PoseChoice| {
        let mut pose = Pose::default();
        pose.set(model, choice);
        Ok::<_, cpu::Error>(skin_model(model, mode, &pose))
    };
    if let Ok(report) = verify(model, &SkinningMode::ALL, true, Samples::AtMost(5), skin, |_, _| {}) {
        for row in &report.rows {
            assert_eq!(
                (row.figures.gpu_twin.differing, row.figures.fast_twin.differing),
                (0, 0),
                "{} {}",
                row.mode,
                row.pose
            );
        }
        report.worst.iter().for_each(|worst| assert!(!worst.to_string().is_empty()));
    }
}

/// Writes the model for programs with limits, and bakes a few frames of its first clip.
fn pass_on(model: &Model) {
    let wanted = Wanted { influences: Limits { most: 4, least: 0.01 }, max_joints: Some(12) };
    if let Ok(made) = rigged(model, &wanted)
        && let Ok(glb) = gltf::write_glb(&made.model)
        && let Ok(read) = gltf::load_bytes(&glb, None)
    {
        assert!(read.skins.iter().all(|skin| skin.joints.len() <= 12));
        made.pairing(model, &Landings::by_node(&read));
    }
    #[cfg(feature = "usd")]
    if let Ok(made) = rigged(model, &wanted) {
        for form in [usd::Form::Text, usd::Form::Binary] {
            if let Ok(written) = usd::write_usd(&made.model, form, "a", None) {
                let _ = usd::load_bytes(&written.bytes, None, &sinew::model::Options::default());
            }
        }
    }
    let motion = PoseChoice::clip(0, 0.0);
    let Ok(mut times) = times(model, &motion, 2.0) else { return };
    times.truncate(3);
    let Ok(mut frames) = Frames::new(model, (SkinningMode::DualQuat, Normals::Recomputed), &motion) else {
        return;
    };
    let mut targets = None;
    for &time in &times {
        let Ok(primitives) = frames.skin(time) else { return };
        let export = Export {
            given: "hostile",
            model,
            mode: SkinningMode::DualQuat,
            normals: Normals::Recomputed,
            pose: frames.at(time),
            on: "cpu",
            primitives: &primitives,
        };
        if export.not_finite().is_some() {
            return;
        }
        match &mut targets {
            None => targets = Targets::new(&export, &times).ok(),
            Some(targets) => targets.push(&export).expect("three frames are few"),
        }
    }
    let glb = targets.map(|targets| targets.glb("baked", model.materials.clone(), model.pictures.clone()));
    assert!(glb.is_none_or(|glb| glb.is_ok_and(|glb| glb.starts_with(b"glTF"))));
}
