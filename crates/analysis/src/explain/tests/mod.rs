//! Closed forms by hand, every built-in model against the reference, and models with faults.

mod faults;
mod files;
mod hand;

use super::*;
use sinew_model::{
    Influences, Instance, LocalTransform, Mesh, Model, Primitive, Rig, Skin, Span, VertexIndex, builtin, gltf,
};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::reference_model;
use sinew_skinning::{SkinningMode, skin_of, world_from_bind};

/// Returns a vertex of the only primitive of the only instance.
fn vertex(vertex: usize) -> VertexIndex {
    VertexIndex { instance: 0, primitive: 0, vertex }
}

/// Makes a model of one vertex at (1, 0, 0) with a normal along x, moved by joints with these transforms in the world. Their
/// bind pose is the origin.
fn model(joints: &[glam::DMat4], weights: [f32; 4]) -> (Model, Pose) {
    let count = joints.len();
    let rig = Rig {
        names: (0..count).map(|joint| format!("j{joint}")).collect(),
        parents: vec![None; count],
        rest: joints.iter().map(|joint| LocalTransform::from_matrix(*joint)).collect(),
        file_index: (10..).take(count).collect(),
        ..Rig::default()
    };
    let last = count as i32 - 1;
    let span = Span { joints: vec![[0, 1, 2, 3].map(|joint: i32| joint.min(last))], weights: vec![weights] };
    let primitive = Primitive {
        file_index: 3,
        positions: vec![[1.0, 0.0, 0.0]],
        normals: Some(vec![[1.0, 0.0, 0.0]]),
        influences: Some(Influences { spans: vec![span] }),
        ..Primitive::default()
    };
    let joint_from_bind = vec![glam::DMat4::IDENTITY; count].into();
    let pose = Pose::rest(&rig);
    let model = Model {
        rig,
        meshes: vec![Mesh { name: "m".into(), primitives: vec![primitive], ..Mesh::default() }],
        skins: vec![Skin { name: "s".into(), joints: (0..count).collect(), joint_from_bind, method: None }],
        instances: vec![Instance { node: 0, mesh: 0, skin: Some(0) }],
        ..Model::default()
    };
    (model, pose)
}

fn all_lines(explanation: &Explanation) -> String {
    text::lines(explanation).join("\n")
}

/// For every built-in model in every pose, the modes' results equal the reference's to the bit, and each joint's matrix that
/// of the palette.
#[test]
fn explanations_agree_with_the_reference() {
    for name in ["character", "twist", "bend", "strip", "tube-40"] {
        let model = gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap();
        for choice in
            [PoseChoice::Bind, PoseChoice::Rest, PoseChoice::SkinSpace(None), PoseChoice::clip(0, 0.6)]
        {
            let mut pose = Pose::default();
            pose.set(&model, &choice);
            assert!(pose.skins.shares.set_all(0.25));
            let truths = SkinningMode::ALL.map(|mode| reference_model(&model, mode, &pose));
            for (number, first) in truths[0].iter().enumerate() {
                let drawn = &first.skinned;
                for vertex in (0..drawn.positions.len()).step_by(7) {
                    let at = VertexIndex { instance: drawn.instance, primitive: drawn.primitive, vertex };
                    let explanation = explain(&model, &pose, at).unwrap();
                    for moved in &explanation.modes {
                        // Modes that are equal here are left out.
                        let of_mode = SkinningMode::ALL.iter().position(|mode| *mode == moved.mode).unwrap();
                        let truth = &truths[of_mode][number].skinned;
                        assert_eq!(
                            moved.place.position,
                            Some(truth.positions[vertex]),
                            "{name} {vertex} {}",
                            moved.mode
                        );
                        let normal = truth.normals.as_ref().map(|normals| normals[vertex]);
                        assert_eq!(moved.place.normal, normal, "{name} {vertex}");
                    }
                    check_joints(&model, &pose, at, &explanation);
                }
            }
        }
    }
}

fn check_joints(model: &Model, pose: &Pose, at: VertexIndex, explanation: &Explanation) {
    let instance = &model.instances[at.instance];
    let Some(skin) = skin_of(model, instance, true) else { return };
    let palette = world_from_bind(skin, pose);
    let mut sum = 0.0;
    for influence in &explanation.influences {
        let joint = influence.joint.unwrap() as usize;
        assert_eq!(influence.transforms.world_from_bind, Some(palette[joint].to_cols_array_2d()));
        assert_eq!(influence.node, Some(model.rig.file_index[skin.joints[joint]]));
        assert_eq!(influence.name, model.rig.names[skin.joints[joint]]);
        sum += influence.weight;
    }
    assert_eq!(sum, 1.0);
    let text = all_lines(explanation);
    assert!(text.lines().all(|line| line.chars().count() <= 120), "a line is too long:\n{text}");
}

/// One clip moves morph weights: the vertex is explained after its targets.
#[test]
fn morphed_vertices_say_so() {
    let (mut model, mut pose) = model(&[glam::DMat4::IDENTITY], [1.0, 0.0, 0.0, 0.0]);
    let moves = vec![vec![(0, [0.0, 2.0, 0.0])]];
    let positions = sinew_model::Deltas::new(1, &moves);
    model.meshes[0].primitives[0].morphs =
        Some(sinew_model::Morphs { positions, ..sinew_model::Morphs::default() });
    model.rig.rest_weights = vec![0.5];
    model.rig.weight_ends = vec![1];
    pose.weights = vec![0.5];
    let explanation = explain(&model, &pose, vertex(0)).unwrap();
    assert_eq!(explanation.stored.position, Some([1.0, 0.0, 0.0]));
    assert_eq!(explanation.morphed.unwrap().position, Some([1.0, 1.0, 0.0]));
    assert_eq!(explanation.influences[0].alone, Some([1.0, 1.0, 0.0]));
    assert_eq!(drawing(&explanation).bind, Some([1.0, 1.0, 0.0]));
    let truth = reference_model(&model, SkinningMode::Linear, &pose);
    assert_eq!(explanation.modes[1].place.position, Some(truth[0].skinned.positions[0]));
    pose.set_bind(&model.rig);
    let explanation = explain(&model, &pose, vertex(0)).unwrap();
    assert_eq!((explanation.morphed, explanation.is_bind_pose), (None, true));
    assert!(all_lines(&explanation).contains("bind pose: joints and morph targets are left out"));
}
