//! The solver on problems with known answers, and fits of the built-in models.

use glam::{DAffine3, DQuat, DVec3};
use sinew_model::{Clip, LocalTransform, Model, Period, Property, builtin, gltf};
use sinew_skinning::SkinningMode;
use sinew_skinning::pairing::Pairing;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::reference_surfaces;

use crate::quadratic::Quadratic;
use crate::target::key_times;
use crate::transforms::{Moments, Ways, refine};
use crate::{Fitted, Frames, Goal, Target, Wanted, drive, fit_model, move_root, one_joint, range_of_motion};

fn model(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

fn wanted(goal: Goal) -> Wanted<'static> {
    Wanted {
        target: Target::Mode(SkinningMode::DualQuat),
        goal,
        max_influences: 4,
        clips: vec![0],
        rate: 30.0,
        is_whole: false,
    }
}

fn fitted(model: &Model, goal: Goal) -> Fitted {
    fit_model(model, &wanted(goal), |_| true).unwrap()
}

/// The distances of linear blending in a model from dual quaternions in the original.
fn apart(original: &Model, made: &Model, times: &[f64]) -> Vec<f64> {
    let mut apart = Vec::new();
    for time in times {
        let surface = |model: &Model, mode| {
            let (mut pose, mut found) = (Pose::default(), Vec::new());
            pose.set(model, &PoseChoice::clip(0, *time));
            reference_surfaces(model, mode, &pose, &mut found);
            found.into_iter().flat_map(|part| part.positions).map(DVec3::from_array).collect::<Vec<_>>()
        };
        let [ours, theirs] = [surface(made, SkinningMode::Linear), surface(original, SkinningMode::DualQuat)];
        apart.extend(ours.iter().zip(&theirs).map(|(a, b)| a.distance(*b)));
    }
    apart
}

fn rms(apart: &[f64]) -> f64 {
    (apart.iter().map(|apart| apart * apart).sum::<f64>() / apart.len() as f64).sqrt()
}

/// A fixed sequence of numbers between −1 and 1.
fn numbers() -> impl FnMut() -> f64 {
    let mut state = 7_u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

#[test]
fn weights_are_the_best_of_a_fine_grid() {
    let mut number = numbers();
    for _ in 0..40 {
        let vectors: Vec<[DVec3; 3]> =
            (0..4).map(|_| [0, 1, 2].map(|_| DVec3::new(number(), number(), number()))).collect();
        let product = |a: usize, b: usize| vectors.iter().map(|all| all[a].dot(all[b])).sum();
        let mut cost = Quadratic::new(3, product);
        cost.add_pull(0.5, [number(), number(), number()].into_iter());
        let found = cost.least(3, &[0.0; 3]);
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{found:?}");
        assert!(found.iter().all(|weight| *weight >= 0.0), "{found:?}");
        let steps = 200;
        for a in 0..=steps {
            for b in 0..=steps - a {
                let [a, b] = [a, b].map(|step| f64::from(step) / f64::from(steps));
                assert!(cost.cost(&found) <= cost.cost(&[a, b, 1.0 - a - b]) + 1e-9);
            }
        }
        let few = cost.least(2, &[0.2, 0.3, 0.5]);
        assert!(few.iter().filter(|weight| **weight > 0.0).count() <= 2, "{few:?}");
        assert!(cost.cost(&few) >= cost.cost(&found) - 1e-12);
    }
}

#[test]
fn equal_or_broken_candidates_still_give_weights() {
    let cost = Quadratic::new(4, |_, _| 1.0);
    assert!((cost.least(4, &[0.0; 4]).iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let broken = [1.0, f64::NAN, 0.0, f64::INFINITY];
    assert_eq!(Quadratic::new(4, |a, b| broken[a] * broken[b]).least(2, &[0.0; 4]).len(), 4);
}

#[test]
fn transforms_are_found_again() {
    let mut number = numbers();
    let mut vector = || DVec3::new(number(), number(), number());
    let truth: Vec<DAffine3> = (0..3)
        .map(|_| DAffine3::from_rotation_translation(DQuat::from_scaled_axis(vector() * 0.8), vector()))
        .collect();
    let weights = [[(0, 0.7), (1, 0.3)], [(1, 0.6), (2, 0.4)], [(2, 0.5), (0, 0.5)]];
    let places: Vec<DVec3> = (0..60).map(|_| vector()).collect();
    let points = || places.iter().enumerate().map(|(index, at)| (*at, weights[index % 3].as_slice()));
    let moved = |helpers: &[DAffine3], at: DVec3, weights: &[(u32, f64)]| -> DVec3 {
        let of = |(helper, weight): &(u32, f64)| helpers[*helper as usize].transform_point3(at) * *weight;
        weights.iter().map(of).sum()
    };
    let mut found = vec![DAffine3::IDENTITY; 3];
    let moments = Moments::new(3, points());
    let mut ways = Ways::new(3);
    for (at, weights) in points() {
        ways.add(at, weights, moved(&truth, at, weights) - moved(&found, at, weights));
    }
    // Homes that pull nowhere else.
    refine(&mut found, &truth, &moments, &ways, 60);
    for (found, truth) in found.iter().zip(&truth) {
        assert!(found.abs_diff_eq(*truth, 1e-6), "{found:?} {truth:?}");
        assert!((found.matrix3.determinant() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_twist_keeps_its_radius_by_helpers() {
    let model = model("twist");
    let times: Vec<f64> = (0..60).map(|frame| f64::from(frame) / 30.0 + 0.01).collect();
    let size = 2.466;
    let before = rms(&apart(&model, &model, &times));
    assert!(before / size > 0.01, "{before}");
    let eight = fitted(&model, Goal::Helpers(8));
    let after = rms(&apart(&model, &eight.model, &times));
    assert!(after / size < 4e-4, "{:.6}", after / size);
    // All that was there stays as it was.
    let (old, new) = (&model, &eight.model);
    assert_eq!(old.rig.names, new.rig.names[..old.rig.len()]);
    assert_eq!(new.rig.len(), old.rig.len() + 8);
    assert_eq!(old.skins[0].joints, new.skins[0].joints[..old.skins[0].joints.len()]);
    for (old, new) in old.clips[0].channels.iter().zip(&new.clips[0].channels) {
        assert_eq!((old.node, &old.times, &old.values), (new.node, &new.times, &new.values));
    }
    let [old, new] = [old, new].map(|model| model.meshes[0].primitives[0].influences.as_ref().unwrap());
    assert_eq!(new.spans.len(), 1);
    // The ends of the rod turn with one joint.
    let kept = (0..old.spans[0].joints.len()).filter(|vertex| {
        let row = |spans: &sinew_model::Influences| spans.of_vertex(0, *vertex);
        row(old) == row(new)
    });
    assert!(kept.count() > 1000);
    assert!(
        (0..new.spans[0].weights.len()).all(|vertex| new.spans[0].weights[vertex].iter().sum::<f32>() == 1.0)
    );
}

#[test]
fn a_distance_is_kept_with_few_helpers() {
    let model = model("bend");
    let found = fitted(&model, Goal::Within(0.02));
    let times: Vec<f64> = found.poses.iter().map(|(_, time)| *time).collect();
    let largest = apart(&model, &found.model, &times).into_iter().fold(0.0, f64::max);
    assert!(largest < 0.0205, "{largest}");
    let count = found.helpers.len();
    let one_less = fitted(&model, Goal::Helpers(count - 1));
    let largest = apart(&model, &one_less.model, &times).into_iter().fold(0.0, f64::max);
    assert!(largest > 0.02, "{largest} with {}", count - 1);
}

#[test]
fn threads_do_not_matter() {
    let model = model("bend");
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| gltf::write_glb(&fitted(&model, Goal::Helpers(2)).model).unwrap())
    };
    assert!(on(1) == on(3));
}

/// Cuts every triangle apart: no two share a vertex.
#[test]
fn a_cut_mesh_gets_the_same_weights() {
    let model = model("bend");
    let mut cut = model.clone();
    let primitive = &mut cut.meshes[0].primitives[0];
    let corners = std::mem::take(&mut primitive.indices);
    primitive.indices = (0..corners.len() as u32).collect();
    primitive.positions = corners.iter().map(|corner| primitive.positions[*corner as usize]).collect();
    primitive.influences = primitive.influences.as_ref().map(|influences| influences.pick(&corners));
    (primitive.normals, primitive.tangents, primitive.colors) = Default::default();
    primitive.texcoords.clear();
    let [whole, cut] = [&model, &cut].map(|model| fitted(model, Goal::Helpers(3)).model);
    let [whole, cut] = [&whole, &cut].map(|model| model.meshes[0].primitives[0].influences.clone().unwrap());
    assert!(whole.pick(&corners) == cut);
}

/// A mesh that two skins draw becomes two, and vertices without a joint keep their rows.
#[test]
fn each_skin_gets_its_weights_and_no_joint_stays() {
    let mut model = model("bend");
    let primitive = &mut model.meshes[0].primitives[0];
    let span = &mut primitive.influences.as_mut().unwrap().spans[0];
    let row = span.joints.iter().zip(&span.weights).position(|(_, weights)| weights[1] > 0.4).unwrap();
    (span.joints[row], span.weights[row]) = ([-1; 4], [1.0, 0.0, 0.0, 0.0]);
    let (instance, mut skin) = (model.instances[0], model.skins[0].clone());
    // The second skin has its joints in another order, which turns its mesh into another motion.
    skin.joints.reverse();
    skin.joint_from_bind = skin.joint_from_bind.iter().rev().copied().collect();
    model.skins.push(skin);
    model.instances.push(sinew_model::Instance { skin: Some(1), ..instance });
    let made = fitted(&model, Goal::Helpers(4)).model;
    assert_eq!((made.meshes.len(), made.instances[0].mesh, made.instances[1].mesh), (2, 0, 1));
    for mesh in &made.meshes {
        let influences = mesh.primitives[0].influences.as_ref().unwrap();
        assert_eq!(influences.of_vertex(0, row), ([-1; 4], [1.0, 0.0, 0.0, 0.0]));
        let joints = influences.spans[0].joints.iter().flatten();
        assert!(
            joints.copied().max().unwrap()
                < made.skins[0].joints.len().max(made.skins[1].joints.len()) as i32
        );
    }
    let [first, second] = [0, 1].map(|mesh: usize| made.meshes[mesh].primitives[0].influences.clone());
    assert!(first != second);
}

#[test]
fn models_without_anything_to_fit_say_why() {
    let mut still = model("bend");
    still.clips.clear();
    let error =
        |model: &Model| fit_model(model, &wanted(Goal::Helpers(2)), |_| true).err().unwrap().to_string();
    assert!(error(&still).contains("no clip"));
    still.skins.clear();
    still.instances.iter_mut().for_each(|instance| instance.skin = None);
    assert!(error(&still).contains("no skin"));
    let stopped = fit_model(&model("bend"), &wanted(Goal::Helpers(2)), |helpers| helpers < 1);
    assert_eq!(stopped.err().unwrap().to_string(), "stopped");
}

#[test]
fn a_mesh_of_ten_vertices_gets_its_helper() {
    let model = model("strip");
    assert_eq!(fitted(&model, Goal::Helpers(1)).helpers.len(), 1);
}

#[test]
fn endless_clips_have_bounded_keys() {
    let times = |end: f64| key_times(Period { start: 0.0, end }, 30.0);
    assert_eq!(times(1.0).len(), 31);
    assert_eq!(times(0.0), [0.0]);
    for end in [1e5, f64::from(f32::MAX)] {
        let times = times(end);
        assert_eq!((times.len(), times.last()), (20_000, Some(&end)));
    }
}

#[test]
fn places_that_are_not_finite_move_nothing() {
    let mut broken = model("bend");
    broken.meshes[0].primitives[0].positions[3] = [f32::NAN; 3];
    broken.clips[0].channels.iter_mut().for_each(|channel| channel.values[0] = f32::INFINITY);
    let found = fitted(&broken, Goal::Helpers(2));
    assert!(found.model.rig.len() >= broken.rig.len());
}

#[test]
fn one_pose_in_five_is_kept_out() {
    let fitted = fitted(&model("twist"), Goal::Helpers(1));
    assert_eq!(fitted.poses.len(), 61 - 12);
    let kept = fit_model(&model("twist"), &wanted(Goal::Within(0.1)), |_| true).unwrap();
    assert_eq!(kept.poses.len(), 61);
}

/// Vertices that two rigid bones move are decomposed into these bones.
#[test]
fn bones_of_moving_vertices_are_found_again() {
    let original = model("bend");
    let truth = rigid_frames(&original);
    let times: Vec<f64> = (0..20).map(|frame| f64::from(frame) * 0.1).collect();
    let mut subject = one_joint(&original, "frames");
    let pairing = Pairing::new(&subject, &truth);
    let frames = Frames { model: &truth, pairing: &pairing, clip: 0, times: &times };
    move_root(&mut subject, frames);
    let wanted = Wanted { target: Target::Frames(frames), is_whole: true, ..wanted(Goal::Helpers(2)) };
    let fitted = fit_model(&subject, &wanted, |_| true).unwrap();
    assert_eq!(fitted.model.skins[0].joints.len(), 3);
    assert!(fitted.helpers.clone().all(|node| fitted.model.rig.parents[node].is_some()));
    let places = |model: &Model, time: f64| {
        let (mut pose, mut found) = (Pose::default(), Vec::new());
        pose.set(model, &PoseChoice::clip(0, time));
        reference_surfaces(model, SkinningMode::Linear, &pose, &mut found);
        found.into_iter().flat_map(|part| part.positions).map(DVec3::from_array).collect::<Vec<_>>()
    };
    // Vertices that no triangle draws go nowhere.
    let drawn: Vec<u32> = pairing.pairs[0].spots.iter().map(|(vertex, _)| *vertex).collect();
    for time in &times {
        let [ours, theirs] = [places(&fitted.model, *time), places(&truth, *time)];
        let apart = drawn.iter().map(|vertex| ours[*vertex as usize].distance(theirs[*vertex as usize]));
        let apart: Vec<f64> = apart.collect();
        let largest = apart.iter().copied().fold(0.0, f64::max);
        assert!(largest < 1e-2, "{largest} at {time}");
    }
}

/// The model with vertices that each follow one joint.
fn rigid_frames(model: &Model) -> Model {
    let mut rigid = model.clone();
    for primitive in rigid.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        for span in primitive.influences.iter_mut().flat_map(|influences| &mut influences.spans) {
            for weights in &mut span.weights {
                let first = weights[0] >= 0.5;
                *weights = if first { [1.0, 0.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0, 0.0] };
            }
        }
    }
    rigid
}

#[test]
fn random_poses_are_made_of_the_clips_rotations() {
    let model = model("character");
    let clip = range_of_motion(&model, 20, 1, 30.0);
    assert!(clip.channels.len() > 10);
    let again = range_of_motion(&model, 20, 1, 30.0);
    let other = range_of_motion(&model, 20, 2, 30.0);
    let values =
        |clip: &Clip| clip.channels.iter().flat_map(|channel| channel.values.clone()).collect::<Vec<_>>();
    assert_eq!(values(&clip), values(&again));
    assert_ne!(values(&clip), values(&other));
    for channel in &clip.channels {
        // No farther from rest than any of its clips goes.
        let LocalTransform::Trs { rotation, .. } = model.rig.rest[channel.node] else { panic!() };
        let far = |values: &[f32]| {
            let turns = values
                .chunks_exact(4)
                .map(|key| DQuat::from_array([0, 1, 2, 3].map(|at| f64::from(key[at]))));
            turns.map(|turn| turn.angle_between(rotation)).fold(0.0, f64::max)
        };
        let own = model.clips.iter().flat_map(|clip| &clip.channels);
        let own = own.filter(|one| one.node == channel.node && one.property == Property::Rotation);
        let most = own.map(|one| far(&one.values)).fold(0.0, f64::max);
        assert!(far(&channel.values) <= most + 1e-5, "{}", model.rig.names[channel.node]);
    }
}

#[test]
fn driven_helpers_need_no_keys() {
    let original = model("bend");
    let fitted = fitted(&original, Goal::Helpers(3));
    let (drivers, driven) = drive(&fitted, &[0]);
    assert_eq!(drivers.len(), 3);
    let times: Vec<f64> = (0..40).map(|frame| f64::from(frame) / 20.0).collect();
    let [before, keyed, by_table] =
        [&original, &fitted.model, &driven].map(|made| rms(&apart(&original, made, &times)));
    assert!(keyed < 0.2 * before && by_table < 0.4 * before, "{before} {keyed} {by_table}");
    // The keys are those of the tables.
    for driver in &drivers {
        let clip = &driven.clips[0];
        let channel = |property| {
            clip.channels.iter().find(|one| one.node == driver.helper && one.property == property).unwrap()
        };
        let (shifts, turns) = (channel(Property::Translation), channel(Property::Rotation));
        for (key, time) in shifts.times.iter().enumerate() {
            let mut pose = Pose::default();
            pose.set(&driven, &PoseChoice::clip(0, f64::from(*time)));
            let LocalTransform::Trs { rotation, .. } = pose.locals[driver.joint] else { panic!() };
            let (shift, turn) = driver.apply(rotation);
            assert_eq!(shift.as_vec3().to_array(), shifts.values[3 * key..][..3]);
            assert_eq!(turn.as_quat().to_array(), turns.values[4 * key..][..4]);
        }
    }
}
