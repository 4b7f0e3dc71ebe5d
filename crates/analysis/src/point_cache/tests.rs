//! Point caches that a known mode made are found to be that, in other axes, units and rates.

use glam::{DMat3, DVec3};
use sinew_model::{Model, builtin, gltf};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::reference_model;

use super::{CacheError, PointCache};
use crate::diagnose::{By, Placement};

fn model(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

/// The positions of all drawn vertices in a mode.
fn posed(model: &Model, mode: SkinningMode, choice: &PoseChoice) -> Vec<DVec3> {
    let mut pose = Pose::default();
    pose.set(model, choice);
    let parts = reference_model(model, mode, &pose);
    parts.iter().flat_map(|part| part.skinned.positions.iter().copied().map(DVec3::from)).collect()
}

/// A cache of this many frames of a clip.
fn pc2(model: &Model, mode: SkinningMode, clip: usize, rate: f64, frames: u32, to: &Placement) -> Vec<u8> {
    let mut bytes = Vec::new();
    for frame in 0..frames {
        let moved = posed(model, mode, &PoseChoice::clip(clip, f64::from(frame) / rate));
        if frame == 0 {
            bytes.extend(b"POINTCACHE2\0");
            [1, moved.len() as u32].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            [0.0_f32, 1.0].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            bytes.extend(frames.to_le_bytes());
        }
        for number in moved.iter().flat_map(|at| to.apply(*at).to_array()) {
            bytes.extend((number as f32).to_le_bytes());
        }
    }
    bytes
}

fn cache(bytes: Vec<u8>) -> PointCache {
    PointCache::new(bytes, "pc2").unwrap()
}

#[test]
fn axes_units_and_rates_are_found_and_taken_off() {
    let model = model("character");
    let z_up = DMat3::from_cols(DVec3::X, DVec3::Z, -DVec3::Y);
    let in_cm = Placement { scale: 100.0, axes: z_up, shift: DVec3::ZERO };
    for (mode, rate, to) in [
        (SkinningMode::DualQuat, 25.0, Placement::SAME),
        (SkinningMode::Linear, 24.0, in_cm),
        (SkinningMode::CenterOfRotation, 19.0 / 4.0, Placement::SAME),
        (SkinningMode::Rigid, 60.0, Placement { axes: DMat3::IDENTITY, ..in_cm }),
    ] {
        let made = cache(pc2(&model, mode, 0, rate, 20, &to));
        let found = made.fitted(&model, &PoseChoice::clip(0, 0.0)).unwrap();
        assert_eq!(found.facts.frames_per_second, Some(rate), "{mode}");
        assert_eq!((found.facts.matched, found.facts.has_normals), (By::Order, false));
        assert_eq!(found.facts.placement, to.words());
        let clip = found.model.clips.iter().position(|clip| clip.name == model.clips[0].name).unwrap();
        for (frame, time) in found.times.iter().enumerate() {
            assert!((time - frame as f64 / rate).abs() < 1e-12);
            let ours = posed(&model, mode, &PoseChoice::clip(0, *time));
            let theirs = posed(&found.model, SkinningMode::Rigid, &PoseChoice::clip(clip, *time));
            assert_eq!(ours.len(), theirs.len());
            let apart = ours.iter().zip(&theirs).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            assert!(apart < 5e-7, "{mode} frame {frame}: {apart}");
        }
    }
}

#[test]
fn the_clip_that_fits_best_is_found() {
    let model = model("character");
    assert!(model.clips.len() > 2);
    for (number, clip) in model.clips.iter().enumerate() {
        let frames = (model.period_of(clip).end * 24.0) as u32;
        let made = cache(pc2(&model, SkinningMode::DualQuat, number, 24.0, frames, &Placement::SAME));
        assert_eq!(made.clip_of(&model).unwrap(), number, "{}", clip.name);
    }
}

#[test]
fn one_frame_is_at_the_time_of_the_pose() {
    let model = model("bend");
    let made = cache(pc2(&model, SkinningMode::Linear, 0, 24.0, 1, &Placement::SAME));
    let found = made.fitted(&model, &PoseChoice::clip(0, 0.5)).unwrap();
    assert_eq!((found.times, found.facts.frames_per_second), (vec![0.5], None));
    let at_rest = made.fitted(&model, &PoseChoice::Rest).unwrap();
    assert!(at_rest.model.clips.is_empty());
    let here = posed(&model, SkinningMode::Linear, &PoseChoice::clip(0, 0.0));
    let shown = posed(&at_rest.model, SkinningMode::Linear, &PoseChoice::Rest);
    assert!(here.iter().zip(&shown).all(|(a, b)| a.distance(*b) < 1e-6));
}

#[test]
fn caches_that_do_not_fit_say_why() {
    let model = model("bend");
    let bytes = pc2(&model, SkinningMode::Linear, 0, 24.0, 3, &Placement::SAME);
    let made = cache(bytes.clone());
    let error = |model: &Model, choice| made.fitted(model, &choice).unwrap_err();
    assert!(matches!(error(&model, PoseChoice::Rest), CacheError::NoMotion { frames: 3, .. }));
    let other = self::model("character");
    assert!(matches!(error(&other, PoseChoice::clip(0, 0.0)), CacheError::Count(_)));
    let still = Model { clips: Vec::new(), ..model.clone() };
    let said = error(&still, PoseChoice::Rest).to_string();
    assert_eq!(said, "it has 3 frames, but the model has no clip");
    let files = (0..20_000).map(|number| (number, b"v 0 0 0\n".to_vec())).collect();
    let long = PointCache::of_files(files, "obj").fitted(&model, &PoseChoice::clip(0, 0.0)).unwrap_err();
    assert_eq!(long.to_string(), "it has 20000 frames; the limit is 10000");
    let empty = [
        b"\x93NUMPY\x01\x00\x76\x00".as_slice(),
        format!(
            "{:<117}\n",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000000000, 0, 3), }"
        )
        .as_bytes(),
    ]
    .concat();
    assert!(PointCache::new(empty, "npy").is_err());
    for cut in (0..bytes.len()).step_by(61) {
        assert!(PointCache::new(bytes[..cut].to_vec(), "pc2").is_err(), "{cut}");
    }
}

#[test]
fn a_file_for_each_frame_keeps_its_number() {
    let model = model("bend");
    let obj = |time: f64| {
        let lines = posed(&model, SkinningMode::DualQuat, &PoseChoice::clip(0, time));
        lines.iter().map(|at| format!("v {} {} {}\n", at.x, at.y, at.z)).collect::<String>().into_bytes()
    };
    // Every other frame of thirty a second.
    let files = (0..8_u64).map(|frame| (100 + 2 * frame, obj(2.0 * frame as f64 / 30.0))).collect();
    let found = PointCache::of_files(files, "obj").fitted(&model, &PoseChoice::clip(0, 0.0)).unwrap();
    assert_eq!((found.facts.frames, found.facts.frames_per_second), (8, Some(30.0)));
    let uneven = PointCache::of_files(vec![(1, obj(0.0)), (2, b"v 0 0 0\n".to_vec())], "obj");
    let error = uneven.fitted(&model, &PoseChoice::clip(0, 0.0)).unwrap_err();
    assert!(error.to_string().starts_with("frame 1 has 1 vertices, but the first has"), "{error}");
}
