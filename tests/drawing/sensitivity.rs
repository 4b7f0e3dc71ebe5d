//! Tests that golden tests would notice damage: each kind of damage to a picture or a model must fail the exact
//! comparison and the limits of the project's own goldens on SwiftShader. Stored pictures play no part.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::studio;

use std::sync::Arc;

use common::{builtin, scene};
use glam::{DMat4, DVec3};
use sinew::golden::{Drawn, Limits, List, Takes, Tolerances, Verdict, judge};
use sinew::image::Image;
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use studio::Studio;

/// The limits for SwiftShader from the project's list.
fn swiftshader() -> Limits {
    let text = include_str!("../golden/golden.toml");
    let kinds = |key: &str| Ok(if key == "flat" { Takes::Switch } else { Takes::One });
    let list = List::parse(text, &kinds, &|pattern: &str| Err(pattern.to_owned())).unwrap();
    let none = Tolerances::default();
    let (limits, part) = Tolerances::choose(&none, &list.tolerances, "SwiftShader Device");
    assert_eq!(part, Some("swiftshader"));
    let [mean, tile] = limits.flip.unwrap();
    assert!(limits.pixels.is_none() && mean <= 0.010 && tile <= 0.25, "{limits}");
    limits
}

/// Fails unless both comparisons tell the pictures apart.
#[track_caller]
fn assert_noticed(what: &str, expected: &Image, damaged: &Image, limits: &Limits) {
    let drawn = Drawn { image: damaged.clone(), blank: None, skinned: Default::default() };
    for limits in [&Limits::default(), limits] {
        let (verdict, _) = judge(&Ok(Some(expected.clone())), &drawn, limits);
        eprintln!("{what}: {}", verdict.detail());
        assert!(matches!(verdict, Verdict::Differs(_)), "{what}: {verdict:?} though {limits}");
    }
}

/// The rods in the poses of the goldens.
fn rods() -> [(&'static str, PoseChoice); 2] {
    [("twist", PoseChoice::clip(0, 1.0)), ("bend", PoseChoice::clip(0, 1.0))]
}

/// The character's pose in the goldens.
fn walk() -> PoseChoice {
    PoseChoice::clip(1, 0.1)
}

/// The size of the goldens.
const SIZE: [u32; 2] = [128, 128];

fn draw(studio: &mut Studio, model: &Model, pose: &PoseChoice, mode: SkinningMode) -> Image {
    studio.draw(model, &Scene { ..scene(mode, pose.clone(), SIZE) })
}

/// The model with one joint off by a hundredth of the model's size.
fn with_joint_off(model: &Model, joint: usize) -> Model {
    let mut damaged = model.clone();
    let positions = model.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(|p| &p.positions);
    let (low, high) = positions.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
        let p = DVec3::from(p.map(f64::from));
        (low.min(p), high.max(p))
    });
    let off = (high - low).max_element() * 0.01;
    let bind = &mut Arc::make_mut(&mut damaged.skins[0].joint_from_bind)[joint];
    *bind *= DMat4::from_translation(DVec3::X * off);
    damaged
}

/// Each joint of the rods, in each mode. The character's limbs are only a few pixels wide at this size: a hundredth at
/// a finger gives a mean FLIP of 0.0002, at a thigh 0.004, and SwiftShader's different edges alone give 0.004, so only
/// the exact comparison can tell.
#[test]
fn a_joint_off_by_one_hundredth_is_noticed() {
    let mut studio = Studio::open();
    let limits = swiftshader();
    for (name, pose) in rods() {
        let model = builtin(name);
        for mode in SkinningMode::ALL {
            let expected = draw(&mut studio, &model, &pose, mode);
            for joint in 0..model.skins[0].joints.len() {
                let damaged = draw(&mut studio, &with_joint_off(&model, joint), &pose, mode);
                assert_noticed(&format!("{name} {mode}, joint {joint}"), &expected, &damaged, &limits);
            }
        }
    }
    let model = builtin("character");
    // The largest size of a golden, because fingertips are small. In the rest pose, because framing a clip depends on
    // the model.
    let large = scene(SkinningMode::Linear, PoseChoice::Rest, [256, 256]);
    let expected = studio.draw(&model, &large);
    let weights = model.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(|p| &p.influences);
    let mut used: Vec<usize> = weights
        .flat_map(|influences| &influences.spans)
        .flat_map(|span| span.joints.iter().flatten().zip(span.weights.iter().flatten()))
        .filter(|(_, weight)| **weight > 0.5)
        .map(|(joint, _)| usize::try_from(*joint).unwrap())
        .collect();
    used.sort_unstable();
    used.dedup();
    assert!(used.len() > 30, "only {} joints carry something", used.len());
    for joint in used {
        let damaged = studio.draw(&with_joint_off(&model, joint), &large);
        assert!(damaged != expected, "joint {joint} of the character may be off");
    }
    studio.close();
}

/// All pairs of modes. They differ least on the walking character (lbs and dqs by a mean FLIP of 0.0024), which only
/// the exact comparison tells apart.
#[test]
fn swapped_modes_are_noticed() {
    let mut studio = Studio::open();
    let limits = swiftshader();
    for (name, pose) in rods().into_iter().chain([("character", walk())]) {
        let model = builtin(name);
        let limits = if name == "character" { Limits::default() } else { limits };
        // A share that no other mode has, and a scale, without which the dialects of dqs are one mode.
        let mut half = pose.clone();
        if let PoseChoice::Clips(mix) = &mut half {
            assert!(mix.edits.shares.set_all(0.5));
            let scaled = if name == "character" { "thigh.L" } else { "upper" };
            let node = model.rig.names.iter().position(|joint| joint == scaled).unwrap();
            assert!(mix.edits.set_scale(&model, node, DVec3::new(1.6, 0.7, 1.3)));
        }
        let pictures = SkinningMode::ALL.map(|mode| (mode, draw(&mut studio, &model, &half, mode)));
        for (number, (a, picture)) in pictures.iter().enumerate() {
            for (b, other) in &pictures[number + 1..] {
                // Twisted, a rod turns about its axis in both.
                if name == "twist" && (*a, *b) == (SkinningMode::DualQuat, SkinningMode::CenterOfRotation) {
                    continue;
                }
                assert_noticed(&format!("{name}: {a}, {b}"), picture, other, &limits);
            }
        }
    }
    studio.close();
}

#[test]
fn a_shift_and_a_wrong_encoding_are_noticed() {
    let mut studio = Studio::open();
    let limits = swiftshader();
    for (name, pose) in rods().into_iter().chain([("character", walk())]) {
        let expected = draw(&mut studio, &builtin(name), &pose, SkinningMode::Linear);
        let mut across = expected.clone();
        across.rgba.chunks_exact_mut(SIZE[0] as usize * 4).for_each(|row| row.rotate_right(4));
        let mut down = expected.clone();
        down.rgba.rotate_right(SIZE[0] as usize * 4);
        assert_noticed(&format!("{name}, a pixel across"), &expected, &across, &limits);
        assert_noticed(&format!("{name}, a pixel down"), &expected, &down, &limits);

        // Linear values instead of sRGB, and sRGB encoded twice.
        for (what, encode) in
            [("not encoded", linear_from_srgb as fn(f64) -> f64), ("encoded twice", srgb_from_linear)]
        {
            let mut wrong = expected.clone();
            for channel in wrong.rgba.chunks_exact_mut(4).flat_map(|pixel| &mut pixel[..3]) {
                *channel = (encode(f64::from(*channel) / 255.0) * 255.0).round() as u8;
            }
            assert_noticed(&format!("{name}, {what}"), &expected, &wrong, &limits);
        }
    }
    studio.close();
}

fn linear_from_srgb(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn srgb_from_linear(value: f64) -> f64 {
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}

/// A lost patch of 16x16 pixels is noticed wherever it shows little but the model.
#[test]
fn a_lost_patch_is_noticed() {
    let mut studio = Studio::open();
    let limits = swiftshader();
    for (name, pose) in rods().into_iter().chain([("character", walk())]) {
        let expected = draw(&mut studio, &builtin(name), &pose, SkinningMode::Linear);
        let covered = studio.covered(&expected);
        let mut patches = 0;
        for (left, top) in
            (0..112).step_by(8).flat_map(|top| (0..112).step_by(8).map(move |left| (left, top)))
        {
            let pixels: Vec<usize> =
                (0..256).map(|i| (top + i / 16) * SIZE[0] as usize + left + i % 16).collect();
            if pixels.iter().filter(|&&pixel| covered[pixel]).count() < 240 {
                continue;
            }
            patches += 1;
            let mut lost = expected.clone();
            for pixel in pixels {
                lost.rgba[pixel * 4..pixel * 4 + 4].copy_from_slice(&studio.background);
            }
            assert_noticed(&format!("{name}, the patch at {left},{top}"), &expected, &lost, &limits);
        }
        assert!(patches > 0 || name == "bend", "{name}: no patch is covered");
    }
    studio.close();
}

/// Any quarter of a rod's triangles.
#[test]
fn missing_triangles_are_noticed() {
    let mut studio = Studio::open();
    let limits = swiftshader();
    for (name, pose) in rods() {
        let model = builtin(name);
        let expected = draw(&mut studio, &model, &pose, SkinningMode::Linear);
        for quarter in 0..4 {
            let mut damaged = Model::clone(&model);
            let indices = &mut damaged.meshes[0].primitives[0].indices;
            let length = indices.len() / 12 * 3;
            indices.drain(quarter * length..(quarter + 1) * length);
            let damaged = draw(&mut studio, &damaged, &pose, SkinningMode::Linear);
            assert_noticed(&format!("{name} without quarter {quarter}"), &expected, &damaged, &limits);
        }
    }
    studio.close();
}
