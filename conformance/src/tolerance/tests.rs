//! An engine in single precision, the twins and the fast path lie within the bounds.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use glam::{DMat4, Mat4, Quat, Vec3};
use sinew_model::LocalTransform;
use sinew_skinning::posed::{AS_TWIN, PreparedModel, SkinnedPrimitive, skin_model};

use super::*;
use crate::{Tolerance, files};

/// Computes world matrices in single precision, from parents to children.
fn chain_in_single(model: &Model, pose: &mut Pose) {
    let mut worlds: Vec<Mat4> = Vec::new();
    for (node, local) in pose.locals.iter().enumerate() {
        let own = match *local {
            LocalTransform::Trs { translation, rotation, scale } => {
                let q = rotation.to_array().map(|x| x as f32);
                let [t, s] = [translation, scale].map(|v| Vec3::from(v.to_array().map(|x| x as f32)));
                Mat4::from_scale_rotation_translation(s, Quat::from_array(q).normalize(), t)
            }
            LocalTransform::Matrix(m) => DMat4::from(m).as_mat4(),
        };
        let parent = model.rig.parents[node].map_or(Mat4::IDENTITY, |parent| worlds[parent as usize]);
        worlds.push(parent * own);
    }
    pose.world_from_node = worlds.iter().map(Mat4::as_dmat4).collect();
}

/// Skins positions by linear blending in single precision.
fn linear_in_single(model: &Model, pose: &Pose, surface: &mut Surface) {
    let mut positions = surface.positions.iter_mut();
    for instance in &model.instances {
        for primitive in &model.meshes[instance.mesh].primitives {
            let skin = skin_of(model, instance, primitive.influences.is_some());
            let weights = weights_of(&model.rig, instance, &pose.weights);
            for at in 0..primitive.positions.len() {
                let out = positions.next().unwrap();
                let Some(skin) = skin else { continue };
                let p = Start::of(primitive, at, weights).position.as_vec3();
                let moved = influences(primitive, at).into_iter().map(|(joint, weight)| {
                    let matrix = usize::try_from(joint).map_or(Mat4::IDENTITY, |joint| {
                        pose.world_from_node[skin.joints[joint]].as_mat4()
                            * skin.joint_from_bind[joint].as_mat4()
                    });
                    matrix.transform_point3(p) * weight as f32
                });
                *out = moved.sum::<Vec3>().as_dvec3();
            }
        }
    }
}

fn surface_of(primitives: &[SkinnedPrimitive<f32>]) -> Surface {
    let mut surface = Surface::default();
    for one in primitives {
        let wide =
            |rows: &[[f32; 3]]| rows.iter().map(|row| DVec3::from(row.map(f64::from))).collect::<Vec<_>>();
        let count = one.positions.len();
        surface.positions.extend(wide(&one.positions));
        surface.normals.extend(wide(one.normals.as_deref().unwrap_or(&vec![[f32::NAN; 3]; count])));
        let tangents = one.tangents.clone().unwrap_or_else(|| vec![[f32::NAN; 4]; count]);
        surface.tangents.extend(tangents.into_iter().map(|row| DVec4::from(row.map(f64::from))));
    }
    surface
}

/// Returns the largest share of the tolerance that each of three programs needs: single precision throughout, the twins, the
/// fast path.
fn shares(case: &Case, model: &Model, mode: SkinningMode, tolerance: &Tolerance) -> [f64; 3] {
    let mut shares = [0.0_f64; 3];
    let mut prepared = PreparedModel::new(model).unwrap();
    let limits = [Some(tolerance.positions), tolerance.normals, tolerance.tangents];
    for &time in &case.times {
        let choice = expected::choice(case, time);
        let truth = expected::surface(model, mode, &choice);
        let mut pose = Pose::default();
        pose.set(model, &choice);
        let twin = surface_of(&skin_model(model, mode, &pose));
        let fast = surface_of(&prepared.skin(model, mode, &pose, &AS_TWIN).unwrap());
        chain_in_single(model, &mut pose);
        let mut single = surface_of(&skin_model(model, mode, &pose));
        if mode == SkinningMode::Linear {
            linear_in_single(model, &pose, &mut single);
        }
        for (share, made) in shares.iter_mut().zip([single, twin, fast]) {
            for (apart, limit) in Surface::distances(&truth, &made).into_iter().zip(limits) {
                // No distance is within a bound of 0.
                let of = limit.filter(|_| apart > 0.0).map_or(0.0, |limit| apart / limit);
                *share = share.max(of);
            }
        }
    }
    shares
}

#[test]
fn bounds_hold_and_are_not_slack() {
    let mut needed = Vec::new();
    for case in &files::manifest().cases {
        let model = expected::model(case).unwrap();
        for (name, tolerance) in &case.modes {
            let mode = name.parse().unwrap();
            let bounds = bounds(case, &model, mode).unwrap();
            let found = (bounds.positions, bounds.normals, bounds.tangents);
            assert_eq!(
                found,
                (tolerance.positions, tolerance.normals, tolerance.tangents),
                "{} {name}",
                case.name
            );
            let shares = shares(case, &model, mode, tolerance);
            println!("{:28} {name:12} {:8.1e} {shares:.4?}", case.name, tolerance.positions);
            assert!(shares.iter().all(|share| *share <= 1.0), "{} {name}: {shares:?}", case.name);
            needed.push(shares[0]);
        }
    }
    needed.sort_by(f64::total_cmp);
    let median = needed[needed.len() / 2];
    println!("median {median:.4}, largest {:.4}", needed[needed.len() - 1]);
    assert!(median > 1.0 / 200.0, "the bounds are slack: {median}");
}

#[test]
fn bounds_are_rounded_up_to_two_digits() {
    assert_eq!([1.23e-6, 1.2e-6, 9.99e-7, 0.0].map(rounded_up), [1.3e-6, 1.2e-6, 1.0e-6, 0.0]);
}
