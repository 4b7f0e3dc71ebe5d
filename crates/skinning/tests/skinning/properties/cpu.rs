//! The fast path stays within the definition's bounds, with every set of instructions that this processor has,
//! over random rigs and the built-in models.

use super::cases::*;
use glam::{DMat4, DVec3};
use proptest::prelude::*;
use sinew_model::{builtin, gltf};
use sinew_skinning::cpu::{Exactness, Level, Out, Prepared, Settings};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::twin::Vertices;
use sinew_skinning::{SkinningMode, Slot, ddm_terms, matrices_into, reference};
use std::sync::Arc;

pub fn levels() -> impl Iterator<Item = Level> {
    Level::NAMED.into_iter().filter(|level| level.is_available())
}

#[allow(clippy::unwrap_used, reason = "what is wrong here fails the test")]
pub fn fast(mode: SkinningMode, slots: &[Slot], vertices: &Vertices, settings: &Settings) -> Moved {
    let mut prepared = Prepared::of(vertices).unwrap();
    if let Some((rows, primitive)) = vertices.ddm {
        prepared.set_ddm(Some((&Arc::new(rows.clone()), primitive))).unwrap();
    }
    let count = prepared.len();
    let (mut positions, mut normals, mut tangents) =
        (vec![[0.0; 3]; count], vec![[0.0; 3]; count], vec![[0.0; 4]; count]);
    let out = Out {
        positions: Some(&mut positions),
        normals: vertices.normals.map(|_| &mut normals[..]),
        tangents: vertices.normals.and(vertices.tangents).map(|_| &mut tangents[..]),
    };
    prepared.skin(mode, slots, out, settings).unwrap();
    Moved { positions, normals, tangents }
}

fn by(level: Level, mode: SkinningMode, case: &Case) -> Moved {
    let settings = Settings { level, ..Settings::default() };
    fast(
        mode,
        &slots(mode, &case.world_from_bind),
        &Own::of(&case.primitive).vertices(&case.primitive),
        &settings,
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn the_bind_pose_is_the_mesh_to_the_bit(mut case in case()) {
        case.world_from_bind.fill(DMat4::IDENTITY);
        for mode in SkinningMode::ALL {
            for level in levels() {
                let got = by(level, mode, &case).positions;
                prop_assert_eq!(&got, &case.primitive.positions, "{} by {}", mode, level);
            }
        }
    }

    #[test]
    fn hostile_rigs_stay_within_bounds(case in case()) {
        prop_assume!(nearest_to_half_turn(&case) > 1e-5);
        for mode in SkinningMode::ALL {
            let want = reference(mode, &case);
            for level in levels() {
                let compared = compare_positions(&by(level, mode, &case).positions, &want.positions, hostile(mode));
                prop_assert!(compared.is_ok(), "{} by {}: {:?}", mode, level, compared);
            }
        }
    }

    #[test]
    fn usual_poses_stay_within_bounds(case in usual_case()) {
        prop_assume!(nearest_to_half_turn(&case) > 1e-5);
        for (mode, bound) in SkinningMode::ALL.map(|mode| (mode, mode.facts().bound)) {
            let want = reference(mode, &case);
            for level in levels() {
                let got = by(level, mode, &case);
                let compared = compare_positions(&got.positions, &want.positions, bound);
                prop_assert!(compared.is_ok(), "{} by {}: {:?}", mode, level, compared);
                let difference = largest_turn(&got, &want);
                prop_assert!(difference < 2e-5, "{mode} by {level}: turned by {difference:e}");
            }
        }
    }

    /// Sizes at which squares overflow or vanish: the twin has to step in.
    #[test]
    fn directions_do_not_depend_on_the_size_of_joints(
        case in usual_case(),
        exponent in -100..100,
        mirrored in any::<bool>(),
    ) {
        let mut scale = DVec3::splat(2.0_f64.powi(exponent));
        scale.x *= if mirrored { -1.0 } else { 1.0 };
        let mut resized = case;
        resized.world_from_bind.iter_mut().for_each(|matrix| *matrix *= DMat4::from_scale(scale));
        for mode in SkinningMode::ALL {
            let want = reference(mode, &resized);
            for level in levels() {
                let difference = largest_turn(&by(level, mode, &resized), &want);
                prop_assert!(difference < 2e-5, "{mode} by {level}: turned by {difference:e}");
            }
        }
    }

    /// All joints scaled to zero along one, two or three axes.
    #[test]
    fn degenerate_joints_are_the_twins(case in case().prop_map(one_influence), axes in 1..8) {
        let axis = |bit: i32| if axes & bit != 0 { 0.0 } else { 1.0 };
        let flat = DMat4::from_scale(DVec3::new(axis(1), axis(2), axis(4)));
        let mut case = case;
        case.world_from_bind.fill(flat);
        for mode in SkinningMode::ALL {
            let want = twin(mode, &case);
            for level in levels() {
                let got = by(level, mode, &case);
                for (got, want) in got.normals.iter().zip(&want.normals) {
                    let near = got.iter().zip(want).all(|(got, want)| (got - want).abs() < 2e-5);
                    prop_assert!(near, "{mode} by {level}: {got:?} instead of {want:?}");
                }
            }
        }
    }

    #[test]
    fn asked_for_the_twins_bits_all_levels_give_them(case in case()) {
        for mode in SkinningMode::ALL {
            let slots = slots(mode, &case.world_from_bind);
            let want = twin(mode, &case);
            for level in levels() {
                let settings = Settings { level, exactness: Exactness::Twin, ..Settings::default() };
                let got = fast(mode, &slots, &Own::of(&case.primitive).vertices(&case.primitive), &settings);
                prop_assert!(got == want, "{mode} by {level}");
            }
        }
    }
}

/// Every built-in model in every clip, at four times.
#[test]
fn built_in_models_stay_within_bounds() {
    let mut compared = 0;
    for name in ["character", "twist", "bend", "strip", "tube-7", "tube-600"] {
        let model = gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap();
        let mut bind = Pose::rest(&model.rig);
        bind.set(&model, &PoseChoice::Bind);
        let mut poses = vec![bind, Pose::rest(&model.rig)];
        for clip in &model.clips {
            for quarter in 0..4 {
                let mut pose = Pose::rest(&model.rig);
                pose.set_clip(&model.rig, clip, f64::from(clip.duration_secs) * f64::from(quarter) / 4.0);
                poses.push(pose);
            }
        }
        for pose in &poses {
            for instance in &model.instances {
                for primitive in &model.meshes[instance.mesh].primitives {
                    let own = Own::of(primitive);
                    let vertices = own.vertices(primitive);
                    let mut palette = vec![];
                    matrices_into(&model, instance, primitive.influences.is_some(), pose, &mut palette);
                    for (mode, bound) in SkinningMode::ALL.map(|mode| (mode, mode.facts().bound)) {
                        let want = reference::skin(mode, &palette, &vertices);
                        for level in levels() {
                            let settings = Settings { level, ..Settings::default() };
                            let got = fast(mode, &slots(mode, &palette), &vertices, &settings);
                            compare_positions(&got.positions, &want.positions, bound)
                                .unwrap_or_else(|why| panic!("{name}, {mode} by {level}: {why}"));
                            let turned = largest_turn(&got, &want);
                            assert!(turned < 2e-5, "{name}, {mode} by {level}: turned by {turned:e}");
                            compared += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(compared > 100);
}

/// The built-in models by their terms, in every clip, in the bind pose to the bit.
#[test]
fn terms_of_built_in_models_stay_within_bounds() {
    let (mode, bound) = (SkinningMode::DirectDeltaMush, SkinningMode::DirectDeltaMush.facts().bound);
    for name in ["character", "twist", "bend", "tube-7"] {
        let model = gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap();
        let mut poses = vec![PoseChoice::Bind, PoseChoice::Rest];
        for (number, clip) in model.clips.iter().enumerate() {
            let time_secs = |quarter: f64| f64::from(clip.duration_secs) * quarter / 4.0;
            poses.extend([0.0, 1.0, 2.0, 3.0].map(|quarter| PoseChoice::clip(number, time_secs(quarter))));
        }
        let instance = model.instances.iter().find(|instance| instance.skin.is_some()).unwrap();
        let rows = ddm_terms::of(&model, instance.mesh).unwrap();
        for (number, primitive) in model.meshes[instance.mesh].primitives.iter().enumerate() {
            let vertices = Vertices { ddm: Some((&rows, number)), ..Vertices::of(primitive) };
            for choice in &poses {
                let mut pose = Pose::rest(&model.rig);
                pose.set(&model, choice);
                let mut palette = vec![];
                matrices_into(&model, instance, true, &pose, &mut palette);
                let slots = slots(mode, &palette);
                let want = reference::skin(mode, &palette, &vertices);
                let exact = skin_vertices(mode, &slots, &vertices);
                for level in levels() {
                    let got = fast(mode, &slots, &vertices, &Settings { level, ..Settings::default() });
                    compare_positions(&got.positions, &want.positions, bound)
                        .unwrap_or_else(|why| panic!("{name}, {choice:?} by {level}: {why}"));
                    let turned = largest_turn(&got, &want);
                    assert!(turned < 2e-5, "{name}, {choice:?} by {level}: turned by {turned:e}");
                    let exactness = Exactness::Twin;
                    let got =
                        fast(mode, &slots, &vertices, &Settings { level, exactness, ..Settings::default() });
                    assert!(got == exact, "{name}, {choice:?} by {level}");
                }
                if *choice == PoseChoice::Bind {
                    let got = fast(mode, &slots, &vertices, &Settings::default());
                    assert!(got.positions == primitive.positions, "{name}");
                }
            }
        }
    }
}

/// The comparison must be able to fail: it notices a thousandth in one joint at every level.
#[test]
fn a_nudged_joint_is_seen() {
    let model = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
    let primitive = &model.meshes[0].primitives[0];
    let joints = model.skins[0].joints.len();
    let case = Case { world_from_bind: vec![DMat4::IDENTITY; joints], primitive: primitive.clone() };
    for mode in SkinningMode::ALL {
        let want = reference(mode, &case).positions;
        let mut nudged = case.clone();
        nudged.world_from_bind[0] = DMat4::from_translation(DVec3::new(0.0, 1e-3, 0.0));
        for level in levels() {
            assert_eq!(compare_positions(&by(level, mode, &case).positions, &want, 1e-6), Ok(()));
            let got = by(level, mode, &nudged).positions;
            assert!(compare_positions(&got, &want, hostile(mode)).is_err(), "{mode} by {level}");
        }
    }
}
