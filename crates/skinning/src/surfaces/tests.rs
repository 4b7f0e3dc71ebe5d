use super::*;
use crate::pose::{ClipMix, PoseChoice};
use crate::posed::{Truth, reference_model, reference_surfaces};
use glam::{DQuat, EulerRot};
use sinew_model::{Deltas, LocalTransform, Morphs, builtin, gltf};

/// Compares every mode with the definition, to the bit, in memory that other models have used.
fn check(
    model: &Model,
    choice: &PoseChoice,
    scratch: &mut Scratch,
    out: &mut Vec<Vec<SkinnedPrimitive<f64>>>,
) {
    let mut pose = Pose::default();
    pose.set(model, choice);
    Surfaces::new(model).skin(model, &SkinningMode::ALL, &pose, scratch, out);
    let bits = |vectors: &[[f64; 3]]| vectors.as_flattened().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    for (mode, found) in SkinningMode::ALL.into_iter().zip(out) {
        let mut defined = Vec::new();
        reference_surfaces(model, mode, &pose, &mut defined);
        assert_eq!(found.len(), defined.len());
        for (found, defined) in found.iter().zip(&defined) {
            assert_eq!((found.instance, found.primitive), (defined.instance, defined.primitive));
            assert!(bits(&found.positions) == bits(&defined.positions), "{mode}: positions");
            let [found, defined] = [found, defined].map(|primitive| primitive.normals.as_deref().map(bits));
            assert!(found == defined, "{mode}: normals");
        }
    }
    check_truths(model, &pose, scratch);
}

/// Compares all that is known of skinned vertices with the definition, to the bit.
fn check_truths(model: &Model, pose: &Pose, scratch: &mut Scratch) {
    let mut found = Vec::new();
    let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let all = |truth: &Truth| {
        let SkinnedPrimitive { instance, primitive, positions, normals, tangents } = &truth.skinned;
        (
            (*instance, *primitive, truth.reach.to_bits(), bits(positions.as_flattened())),
            normals.as_ref().map(|normals| bits(normals.as_flattened())),
            tangents.as_ref().map(|tangents| bits(tangents.as_flattened())),
            (bits(&truth.steadiness), bits(&truth.reaches), truth.is_side_certain.clone()),
        )
    };
    for mode in SkinningMode::ALL {
        Surfaces::new(model).truths(model, mode, pose, scratch, &mut found);
        let defined = reference_model(model, mode, pose);
        assert_eq!(found.len(), defined.len());
        for (found, defined) in found.iter().zip(&defined) {
            let (found, defined) = (all(found), all(defined));
            assert!(found.0 == defined.0, "{mode}: positions or reach");
            assert!(found.1 == defined.1, "{mode}: normals");
            assert!(found.2 == defined.2, "{mode}: tangents");
            assert!(found.3 == defined.3, "{mode}: steadiness");
        }
    }
}

/// Returns a clip with shares that make *blend* differ from the modes it blends.
fn clip(clip: usize, time_secs: f64) -> PoseChoice {
    let mut mix = ClipMix { clips: vec![clip], time_secs, ..ClipMix::default() };
    mix.edits.shares.set_all(0.4);
    PoseChoice::Clips(mix)
}

fn load(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

#[test]
fn all_modes_have_the_bits_of_the_definition() {
    let (mut scratch, mut out) = (Scratch::default(), Vec::new());
    for name in ["character", "strip", "twist", "bend"] {
        let model = load(name);
        for choice in
            [PoseChoice::Bind, PoseChoice::Rest, PoseChoice::clip(0, 0.7), clip(0, 1.3), clip(0, 2.0)]
        {
            check(&model, &choice, &mut scratch, &mut out);
        }
    }
}

/// Joints turn to the other side, cancel, shear, mirror, shrink to nothing and are missing; targets move vertices.
#[test]
fn rare_joints_have_the_bits_of_the_definition() {
    let (mut scratch, mut out) = (Scratch::default(), Vec::new());
    let mut model = load("bend");
    let count = model.meshes[0].primitives[0].positions.len();
    let primitive = &mut model.meshes[0].primitives[0];
    let target: Vec<_> = (0..count as u32).step_by(2).map(|vertex| (vertex, [0.1, -0.2, 0.3])).collect();
    primitive.morphs = Some(Morphs {
        positions: Deltas::new(count, std::slice::from_ref(&target)),
        normals: Deltas::new(count, &[target]),
        ..Morphs::default()
    });
    let joints = &mut primitive.influences.as_mut().unwrap().spans[0].joints;
    joints.iter_mut().step_by(3).for_each(|joints| joints[0] = -1);
    joints.iter_mut().step_by(7).for_each(|joints| joints[1] = 99);
    let unskinned = sinew_model::Instance { skin: None, ..model.instances[0] };
    model.instances.push(unskinned);
    let joints = model.skins[0].joints.clone();
    for number in 0..40 {
        let turned = f64::from(number);
        for (&joint, own) in joints.iter().zip(1u32..) {
            if let LocalTransform::Trs { rotation, scale, .. } = &mut model.rig.rest[joint] {
                let angle = turned * f64::from(own);
                *rotation = if number % 8 == 0 {
                    DQuat::from_rotation_x(std::f64::consts::PI * f64::from(own))
                } else {
                    DQuat::from_euler(EulerRot::XYZ, angle, angle * 0.7, angle * 1.9)
                };
                *scale = match number % 5 {
                    0 => DVec3::ONE,
                    1 => DVec3::new(1.0, 1.3, 0.7),
                    2 => DVec3::new(1.0, -1.0, 1.0),
                    3 => DVec3::new(1.0, 0.0, 1.0),
                    _ => DVec3::splat(0.0),
                };
            }
        }
        check(&model, &PoseChoice::Rest, &mut scratch, &mut out);
    }
}
