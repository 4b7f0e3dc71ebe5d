//! Tests of vertices that no skin moves, indices out of range, and numbers that are not finite.

use super::*;
use glam::{DMat4, DVec3};
use sinew_model::NotDrawn;

const ALL: [f32; 4] = [1.0, 0.0, 0.0, 0.0];

#[test]
fn a_node_moves_what_has_no_skin() {
    let (mut model, pose) = model(&[DMat4::from_translation(DVec3::Y)], ALL);
    model.instances[0].skin = None;
    let explanation = explain(&model, &pose, vertex(0)).unwrap();
    assert_eq!(explanation.mover, Mover::Node);
    let [node] = &explanation.influences[..] else { panic!("one influence") };
    assert_eq!((node.joint, node.node, node.weight, node.sign), (None, Some(10), 1.0, None));
    assert_eq!(node.transforms.world_from_joint, node.transforms.world_from_bind);
    for moved in &explanation.modes {
        assert_eq!(moved.place.position, Some([1.0, 1.0, 0.0]));
        assert!(moved.distances.iter().all(|distance| distance.distance == Some(0.0)));
    }
    assert!(explanation.dual_quaternions.is_none());
    let text = all_lines(&explanation);
    assert!(text.contains("drawn and moved by node 10 'j0': no skin moves it"), "{text}");
    assert!(!text.contains("Signs"));
}

#[test]
fn indexes_of_nothing_are_errors() {
    let (mut model, pose) = model(&[DMat4::IDENTITY], ALL);
    let index = |instance, primitive, vertex| VertexIndex { instance, primitive, vertex };
    for far in [1, usize::MAX] {
        let asked = [index(far, 0, 0), index(0, far, 0), index(0, 0, far)];
        let errors = asked.map(|at| explain(&model, &pose, at).unwrap_err());
        assert!(matches!(errors[0], NotDrawn::Owner(_)), "{}", errors[0]);
        assert!(matches!(errors[1], NotDrawn::Primitive(_)), "{}", errors[1]);
        assert!(matches!(errors[2], NotDrawn::Vertex { count: 1, .. }), "{}", errors[2]);
    }
    model.instances[0].mesh = 9;
    assert!(explain(&model, &pose, index(0, 0, 0)).is_err());
    assert!(explain(&Model::default(), &Pose::default(), index(0, 0, 0)).is_err());
}

/// "No joint", and joints that the skin does not have, leave the vertex in place.
#[test]
fn no_joint_and_unknown_joints_stay() {
    let (mut model, pose) = model(&[DMat4::from_translation(DVec3::Y)], [0.5, 0.25, 0.125, 0.125]);
    let spans = &mut model.meshes[0].primitives[0].influences.as_mut().unwrap().spans;
    spans[0].joints[0] = [0, -1, 7, i32::MIN];
    let explanation = explain(&model, &pose, vertex(0)).unwrap();
    let joints: Vec<_> = explanation.influences.iter().map(|influence| influence.joint).collect();
    assert_eq!(joints, [Some(0), Some(-1), Some(-1), Some(-1)]);
    assert_eq!(explanation.influences[2].alone, Some([1.0, 0.0, 0.0]));
    assert_eq!(explanation.modes[1].place.position, Some([1.0, 0.5, 0.0]));
    assert_eq!(drawing(&explanation).joints[1].label, "no joint");
    let text = all_lines(&explanation);
    assert!(text.contains("no joint (-1)"));
    // Half of the weight, and 1 m.
    assert!(
        text.contains("read as joint 0, it would by 500 mm in lbs (--inject no-joint-as-zero)"),
        "{text}"
    );
    model.meshes[0].primitives[0].influences.as_mut().unwrap().spans[0].joints[0] = [0; 4];
    assert!(!all_lines(&explain(&model, &pose, vertex(0)).unwrap()).contains("no-joint"));
}

/// Numbers that overflow or are missing become null, in every combination.
#[test]
fn broken_models_are_explained() {
    let wild = [f64::NAN, f64::INFINITY, 1e300, 0.0];
    for number in wild {
        let scaled = DMat4::from_scale(DVec3::splat(number));
        for weights in [[number as f32; 4], [f32::INFINITY, f32::NAN, -1.0, 1.0], [0.5; 4]] {
            let (mut model, mut pose) = model(&[scaled, scaled], weights);
            model.skins[0].joint_from_bind = [model.skins[0].joint_from_bind[0]].into();
            model.skins[0].joints.push(usize::MAX);
            let primitive = &mut model.meshes[0].primitives[0];
            primitive.positions[0] = [f32::NAN, f32::MAX, -f32::INFINITY];
            primitive.normals = Some(Vec::new());
            check(&model, &pose);
            pose = Pose::default();
            check(&model, &pose);
            let primitive = &mut model.meshes[0].primitives[0];
            primitive.influences.as_mut().unwrap().spans[0].joints.clear();
            check(&model, &pose);
            model.meshes[0].primitives[0].influences.as_mut().unwrap().spans.clear();
            check(&model, &pose);
            model.instances[0] = Instance { node: usize::MAX, mesh: 0, skin: Some(usize::MAX) };
            check(&model, &pose);
        }
    }
}

fn check(model: &Model, pose: &Pose) {
    let explanation = explain(model, pose, vertex(0)).unwrap();
    assert!(!serde_json::to_string(&explanation).unwrap().contains("NaN"));
    assert!(!text::lines(&explanation).is_empty());
    let drawn = drawing(&explanation);
    let points = drawn.joints.iter().map(|joint| joint.position);
    let modes = drawn.modes.iter().map(|mode| mode.position);
    assert!(points.chain(modes).chain(drawn.bind).flatten().all(f64::is_finite));
}
