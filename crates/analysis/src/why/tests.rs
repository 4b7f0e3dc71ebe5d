use super::*;
use crate::measure::{Frames, times};
use crate::turns::Axis;
use sinew_model::{Model, builtin, gltf};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{ClipMix, PoseChoice};

fn model(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

fn motions(model: &Model) -> Vec<Motion> {
    let motion = |clip: usize| {
        let mix = ClipMix { clips: vec![clip], ..ClipMix::default() };
        let name = format!("clip {}", model.clips[clip].name);
        let times = times(model, &mix, Frames::Evenly(21));
        Motion { clip: Some(clip), name, choice: PoseChoice::clip(clip, 0.0), times }
    };
    (0..model.clips.len()).map(motion).collect()
}

fn ask(model: &Model, joint: Option<&str>, mode: SkinningMode) -> Result<Answer, Nothing> {
    let nodes = joint.map(|joint| crate::body::joints_called(model, joint).unwrap());
    let motions = motions(model);
    let modes: Vec<SkinningMode> = SkinningMode::ALL.to_vec();
    why(model, Question { nodes: nodes.as_deref(), motions: &motions, modes: &modes, mode }, || ())
}

#[test]
fn each_frame_is_progress() {
    let model = model("twist");
    let motions = motions(&model);
    let count = std::sync::atomic::AtomicUsize::new(0);
    let progress = || {
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    };
    let mode = SkinningMode::Linear;
    let found =
        why(&model, Question { nodes: None, motions: &motions, modes: &[mode], mode }, progress).unwrap();
    assert_eq!((found.frames, count.into_inner()), (21, 21));
}

#[test]
fn a_twist_is_a_candy_wrapper_that_dual_quaternions_mend() {
    let model = model("twist");
    let found = ask(&model, Some("upper"), SkinningMode::Linear).unwrap();
    assert_eq!((found.joint.as_str(), found.mode, found.measure), ("upper", "lbs", Kind::Section));
    assert_eq!((found.worst.clip, found.frames), (Some(0), 21));
    // The clip turns the upper half by half a turn about the rod.
    assert!((found.turn.degrees - 180.0).abs() < 1.0 && found.turn.axis == Axis::Y, "{:?}", found.turn);
    assert_eq!(found.turn.is_twist, Some(true));
    let of = |mode: &str| found.modes.iter().find(|answer| answer.mode == mode).unwrap();
    assert!(of("lbs").kept < 0.01 && of("dqs").kept > 0.99);
    // The whole radius is gone.
    assert!((of("lbs").change_m + found.size_m).abs() < 1e-3 * found.size_m);
    assert_eq!((found.choose.mode, found.choose.is_enough), ("dqs", true));
    assert!(!found.blame.is_empty() && found.blame[0].distance_m > 0.9 * found.size_m);
    let weights: f64 = found.blame[0].influences.iter().map(|influence| influence.weight).sum();
    assert!((weights - 1.0).abs() < 1e-6);
    // For a question about the right mode, that mode is the one to choose.
    let right = ask(&model, Some("upper"), SkinningMode::DualQuat).unwrap();
    assert_eq!((right.choose.mode, right.mode), ("dqs", "dqs"));
}

#[test]
fn of_several_joints_the_worst_is_taken_and_all_are_looked_at_without_a_name() {
    let model = model("character");
    let elbow = ask(&model, Some("elbow"), SkinningMode::Linear).unwrap();
    assert!(elbow.joint.starts_with("forearm.") && elbow.others.len() == 1, "{elbow:?}");
    let off = |kept: f64| (kept - 1.0).abs();
    let kept = elbow.broken().unwrap().kept;
    assert!(elbow.others[0].joint.starts_with("forearm.") && off(elbow.others[0].kept) <= off(kept));
    let one = ask(&model, Some(&elbow.joint), SkinningMode::Linear).unwrap();
    assert_eq!((one.worst.clone(), one.others.len()), (elbow.worst, 0));
    let all = ask(&model, None, SkinningMode::Linear).unwrap();
    assert!(off(all.broken().unwrap().kept) >= off(kept), "{all:?}");
    // No frame of any mode is worse than its own worst.
    for mode in &all.modes {
        assert!(off(mode.worst_kept) >= off(mode.kept), "{mode:?}");
    }
}

#[test]
fn an_open_surface_has_a_spread() {
    let mut model = model("twist");
    // Without its last triangles no plane cuts it in a loop.
    let primitive = &mut model.meshes[0].primitives[0];
    let few = primitive.indices.chunks_exact(3).step_by(2).flatten().copied().collect();
    primitive.indices = few;
    let found = ask(&model, Some("upper"), SkinningMode::Linear).unwrap();
    assert_eq!(found.measure, Kind::Spread);
    let of = |mode: &str| found.modes.iter().find(|answer| answer.mode == mode).unwrap();
    assert!(of("lbs").kept < of("dqs").kept && found.choose.mode == "dqs", "{found:?}");
    // Vertices that follow one joint alone cannot break.
    model.meshes[0].primitives[0].influences.as_mut().unwrap().spans[0].joints.fill([0; 4]);
    assert_eq!(ask(&model, Some("upper"), SkinningMode::Linear).unwrap_err(), Nothing::NothingBends);
}

/// Returns a joint and its descendants.
fn at_and_below(model: &Model, joint: &str) -> Vec<String> {
    let descent = crate::moved::Descent::new(model);
    let node = model.rig.names.iter().position(|name| name == joint).unwrap();
    let below = (0..model.rig.len()).filter(|other| descent.is_below(node, *other));
    below.map(|other| model.rig.names[other].clone()).collect()
}

#[test]
fn the_vertices_to_blame_bend_at_the_joint() {
    let model = model("character");
    let mut asked = 0;
    for joint in ["neck", "forearm.R", "shin.L", "upper_arm.L", "thigh.R", "spine_02", "hand.L"] {
        let Ok(found) = ask(&model, Some(joint), SkinningMode::Linear) else { continue };
        let moving = at_and_below(&model, joint);
        for blamed in &found.blame {
            let own = blamed.influences.iter().filter(|influence| moving.contains(&influence.joint));
            let share: f64 = own.map(|influence| influence.weight).sum();
            assert!((0.1..=0.9).contains(&share), "{joint}: {blamed:?}");
            asked += 1;
        }
    }
    assert!(asked > 20, "{asked}");
}

#[test]
fn frames_that_turn_the_joint_come_first_and_else_its_neighbour_is_named() {
    let mut model = model("character");
    let found = ask(&model, Some("shin.L"), SkinningMode::Linear).unwrap();
    assert!(!found.turn.is_rest() && found.beside.is_none(), "{:?}", found.turn);
    assert!(found.turned_frames > 0 && found.turned_frames <= found.frames);
    // With the neck held still, the collarbones and the spine move the surface around it.
    let neck = model.rig.names.iter().position(|name| name == "neck").unwrap();
    for clip in &mut model.clips {
        clip.channels.retain(|channel| channel.node != neck);
    }
    let still = ask(&model, Some("neck"), SkinningMode::Linear).unwrap();
    assert!(still.turn.is_rest() && still.turned_frames == 0, "{:?}", still.turn);
    let beside = still.beside.unwrap();
    assert!(beside.joint != "neck" && beside.degrees > 1.0, "{beside:?}");
}

#[test]
fn a_file_that_counts_frames_has_the_frame() {
    let mut model = model("twist");
    let seconds = ask(&model, Some("upper"), SkinningMode::Linear).unwrap();
    assert_eq!(seconds.worst.frame, None);
    model.frames_per_second = Some(24.0);
    let frames = ask(&model, Some("upper"), SkinningMode::Linear).unwrap();
    let frame = frames.worst.frame.unwrap();
    assert!((frame / 24.0 - frames.worst.time).abs() < 1e-3, "{:?}", frames.worst);
}
