//! Tests morph targets from the model to the picture: GPU and CPU agree to the bit, both are near the reference, and a
//! morphed model looks like a model with the morphed values written out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::proof::assert_same;

use std::sync::Arc;

use glam::{DMat4, DQuat, DVec3};
use sinew::analysis::verify::{Samples, verify};
use sinew::image::Image;
use sinew::model::{
    Channel, Clip, Deltas, Influences, Instance, Interpolation, LocalTransform, Material, Mesh, Model,
    Morphs, Moves, Period, Picture, Primitive, Property, Rig, Skin, Span, TextureRef,
};
use sinew::render::Renderer;
use sinew::scene::{Crowd, Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::skin_model;
use sinew::vulkan::VulkanError;

/// Pseudorandom numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end
    }

    /// From −1 to 1.
    fn signed(&mut self) -> f32 {
        self.next() as f32 / u32::MAX as f32 * 2.0 - 1.0
    }

    fn vector<const N: usize>(&mut self) -> [f32; N] {
        [(); N].map(|()| self.signed())
    }

    /// A random unit vector.
    fn unit(&mut self) -> [f32; 3] {
        let v = glam::Vec3::from_array(self.vector());
        v.try_normalize().unwrap_or(glam::Vec3::X).to_array()
    }

    /// Random deltas: the first target moves every vertex, the second none, the others a few.
    fn deltas<const N: usize>(&mut self, vertices: usize, targets: usize) -> Option<Deltas<N>> {
        let moves = |random: &mut Self, target: usize| -> Moves<N> {
            let share = match target {
                0 => 1,
                1 => return Moves::new(),
                _ => 3 + random.below(40),
            };
            let moved = (0..vertices as u32).filter(|_| random.below(share) == 0).collect::<Vec<_>>();
            moved.into_iter().map(|vertex| (vertex, random.vector().map(|x| x * 0.2))).collect()
        };
        let targets: Vec<Moves<N>> = (0..targets).map(|target| moves(self, target)).collect();
        Deltas::new(vertices, &targets)
    }
}

/// The size of a random model.
#[derive(Clone, Copy)]
struct Size {
    vertices: usize,
    targets: usize,
    /// Spans of influences; 0 for a mesh without a skin.
    spans: usize,
    joints: usize,
}

/// A mesh drawn at two nodes with different weights, one of them 0.
fn random_model(seed: u64, size: Size) -> Model {
    let Size { vertices, targets, spans, joints } = size;
    let random = &mut Random(seed);
    let local = |random: &mut Random| LocalTransform::Trs {
        translation: DVec3::from_array(random.vector().map(f64::from)),
        rotation: DQuat::from_axis_angle(DVec3::from_array(random.unit().map(f64::from)).normalize(), 1.0),
        scale: DVec3::from_array(random.vector().map(|x: f32| 1.0 + f64::from(x) * 0.1)),
    };
    let nodes = 2 + joints;
    let span = |random: &mut Random, number: usize| Span {
        joints: (0..vertices).map(|_| [(); 4].map(|()| random.below(joints) as i32)).collect(),
        weights: (0..vertices)
            .map(|_| if number == 0 { [0.5, 0.25, 0.125, 0.125] } else { [0.0; 4] })
            .collect(),
    };
    let influences =
        (spans > 0).then(|| Influences { spans: (0..spans).map(|number| span(random, number)).collect() });
    let primitive = Primitive {
        indices: (0..vertices as u32 / 3 * 3).collect(),
        positions: (0..vertices).map(|_| random.vector()).collect(),
        normals: Some((0..vertices).map(|_| random.unit()).collect()),
        tangents: Some(
            (0..vertices)
                .map(|_| {
                    let [x, y, z] = random.unit();
                    [x, y, z, -1.0]
                })
                .collect(),
        ),
        influences,
        morphs: Some(Morphs {
            positions: random.deltas(vertices, targets),
            normals: random.deltas(vertices, targets),
            tangents: random.deltas(vertices, targets),
            ..Morphs::default()
        }),
        ..Primitive::default()
    };
    let mut rest_weights: Vec<f32> = (0..2 * targets).map(|_| random.signed() * 1.5).collect();
    if targets > 1 {
        rest_weights[targets / 2] = 0.0;
    }
    let skin = (spans > 0).then_some(0);
    Model {
        rig: Rig {
            names: vec![String::new(); nodes],
            parents: vec![None; nodes],
            rest: (0..nodes).map(|_| local(random)).collect(),
            file_index: (0..nodes as u32).collect(),
            rest_weights,
            weight_ends: (0..nodes).map(|node| (targets * (node + 1).min(2)) as u32).collect(),
            ..Rig::default()
        },
        meshes: vec![Mesh {
            primitives: vec![primitive],
            target_names: vec![String::new(); targets],
            ..Mesh::default()
        }],
        skins: vec![Skin {
            name: String::new(),
            joints: (2..nodes).collect(),
            joint_from_bind: (0..joints).map(|_| local(random).parent_from_node().inverse()).collect(),
            method: None,
        }],
        instances: vec![Instance { node: 0, mesh: 0, skin }, Instance { node: 1, mesh: 0, skin }],
        ..Model::default()
    }
}

fn posed(model: &Model, choice: PoseChoice) -> Pose {
    let mut pose = Pose::default();
    pose.set(model, &choice);
    pose
}

/// Every mode, on the GPU, the twin, the fast path and the reference.
#[test]
fn everybody_morphs_alike() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    assert!(renderer.is_exact(), "the tests run on a software driver");
    let sizes = [
        Size { vertices: 20_000, targets: 60, spans: 2, joints: 40 },
        Size { vertices: 3_000, targets: 60, spans: 0, joints: 1 },
        Size { vertices: 3_001, targets: 7, spans: 1, joints: 3 },
        // More joints than palette slots, so splitting into batches reorders vertices.
        Size { vertices: 3_000, targets: 5, spans: 3, joints: 700 },
        Size { vertices: 65, targets: 1_500, spans: 4, joints: 9 },
        Size { vertices: 1, targets: 1, spans: 1, joints: 1 },
    ];
    for (number, size) in sizes.into_iter().enumerate() {
        let model = Arc::new(random_model(number as u64 + 1, size));
        let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
        type Failure = Box<dyn std::error::Error>;
        let skin = |mode, pose: &PoseChoice| renderer.skin(&mut gpu, mode, pose).map_err(Failure::from);
        let report = verify(&model, &SkinningMode::ALL, true, Samples::default(), skin, |_, _| ()).unwrap();
        // Two poses (bind and rest) of two instances.
        assert_eq!(report.rows.len(), SkinningMode::ALL.len() * 4);
        for row in &report.rows {
            assert_eq!(row.faults, [""; 0], "model {number}: {} {}", row.mode, row.pose);
            assert_eq!(row.figures.gpu_twin.components, 10 * size.vertices as u64, "model {number}");
        }
        // The weights have an effect: each instance has its own.
        let mut skinned = skin_model(&model, SkinningMode::Linear, &posed(&model, PoseChoice::Rest));
        let mut unmorphed = Model::clone(&model);
        unmorphed.meshes[0].primitives[0].morphs = None;
        let plain = skin_model(&unmorphed, SkinningMode::Linear, &posed(&model, PoseChoice::Rest));
        for (skinned, plain) in skinned.iter().zip(&plain) {
            let moved = skinned.positions.iter().zip(&plain.positions).filter(|(a, b)| a != b).count();
            assert!(moved * 2 > size.vertices, "model {number}: {moved} vertices moved");
        }
        if size.spans > 0 {
            // With a skin, only the weights differ between the instances.
            let (second, first) = (skinned.pop().unwrap(), skinned.pop().unwrap());
            assert_ne!(first.positions, second.positions, "model {number}");
        }
    }
    let messages = renderer.device().messages();
    assert_eq!((messages.errors(), messages.warnings()), (vec![], vec![]));
}

/// Mesa's software driver ends a shader's loops after 65,535 rounds, without a word. More targets than the shader can sum on
/// it are refused.
#[test]
fn a_vertex_is_moved_by_very_many_targets() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let mut moved_by = |targets: usize| {
        let mut model = random_model(7, Size { vertices: 3, targets: 2, spans: 0, joints: 1 });
        let every = |step: f32| vec![vec![(1, [step, -step, 0.5 * step])]; targets];
        let morphs = model.meshes[0].primitives[0].morphs.as_mut().unwrap();
        morphs.positions = Deltas::new(3, &every(1e-4));
        morphs.normals = Deltas::new(3, &every(3e-5));
        model.meshes[0].target_names = vec![String::new(); targets];
        model.rig.rest_weights = (0..targets * 2).map(|number| 0.5 + (number % 7) as f32).collect();
        model.rig.weight_ends = (1..=model.rig.len()).map(|node| (targets * node.min(2)) as u32).collect();
        let model = Arc::new(model);
        let mut gpu = renderer.upload(Arc::clone(&model))?;
        type Failure = Box<dyn std::error::Error>;
        let skin = |mode, pose: &PoseChoice| renderer.skin(&mut gpu, mode, pose).map_err(Failure::from);
        let report = verify(&model, &SkinningMode::ALL, true, Samples::default(), skin, |_, _| ()).unwrap();
        for row in &report.rows {
            assert_eq!(row.figures.gpu_twin.differing, 0, "{targets} targets: {} {}", row.mode, row.pose);
        }
        Ok::<_, VulkanError>(report.rows.len())
    };
    for targets in [65_535, 65_536, 100_000] {
        assert!(moved_by(targets).unwrap() > 0);
    }
    let error = moved_by(140_000).unwrap_err().to_string();
    let parts = ["needs 140000 morph targets on one vertex, but ", " allows at most 131070"];
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
}

/// Every comparison notices one target's weight off by a thousandth.
#[test]
fn a_wrong_weight_is_noticed() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let size = Size { vertices: 300, targets: 4, spans: 1, joints: 5 };
    let model = Arc::new(random_model(9, size));
    let mut other = Model::clone(&model);
    other.rig.rest_weights[0] += 1e-3;
    let mut gpu = renderer.upload(Arc::new(other)).unwrap();
    let skin = |mode, pose: &PoseChoice| {
        renderer.skin(&mut gpu, mode, pose).map_err(|error| -> Box<dyn std::error::Error> { error.into() })
    };
    let report = verify(&model, &SkinningMode::ALL, true, Samples::default(), skin, |_, _| ()).unwrap();
    for row in report.rows.iter().filter(|row| row.in_file.node == 0 && row.pose == "rest") {
        assert!(row.figures.gpu_twin.differing > 300 && row.figures.gpu.max > 1e-5, "{} {row:?}", row.mode);
        assert_eq!(row.faults.len(), 3, "{:?}", row.faults);
    }
    for row in report.rows.iter().filter(|row| row.in_file.node == 1 || row.pose == "bind") {
        assert_eq!(row.faults, [""; 0]);
    }
}

/// Numbers so small that some processors flush them to zero.
#[test]
fn tiny_numbers_are_the_same_for_everybody() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let mut model = random_model(4, Size { vertices: 200, targets: 3, spans: 0, joints: 1 });
    model.rig.rest[0] = LocalTransform::IDENTITY;
    model.rig.rest_weights[..3].copy_from_slice(&[1e-20, 3e-38, 1e-40]);
    let primitive = &mut model.meshes[0].primitives[0];
    primitive.positions = (0..200).map(|v| if v % 2 == 0 { [0.0; 3] } else { [1e-19; 3] }).collect();
    let tiny = |scale: f32| (0..200).map(|v| (v, [scale * v as f32, -scale, scale])).collect::<Vec<_>>();
    let morphs = primitive.morphs.as_mut().unwrap();
    morphs.positions = Deltas::new(200, &[tiny(1e-20), tiny(0.25), tiny(1e30)]);
    let model = Arc::new(model);
    let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
    let skin = |mode, pose: &PoseChoice| {
        renderer.skin(&mut gpu, mode, pose).map_err(|error| -> Box<dyn std::error::Error> { error.into() })
    };
    for row in verify(&model, &SkinningMode::ALL, true, Samples::default(), skin, |_, _| ()).unwrap().rows {
        assert_eq!(
            (row.figures.gpu_twin.differing, row.figures.fast_twin.differing),
            (0, 0),
            "{} {}",
            row.mode,
            row.pose
        );
    }
}

/// In the bind pose the mesh is as stored, whatever the weights.
#[test]
fn the_bind_pose_is_not_morphed() {
    let model = random_model(3, Size { vertices: 50, targets: 3, spans: 1, joints: 2 });
    for mode in SkinningMode::ALL {
        let skinned = skin_model(&model, mode, &posed(&model, PoseChoice::Bind));
        assert_eq!(skinned[0].positions, model.meshes[0].primitives[0].positions, "{mode}");
    }
}

/// Two models of a textured and coloured square: one with targets that move everything, at weights of a half and a
/// quarter, and one with the results written out.
fn squares() -> (Model, Model) {
    let picture = Picture { width: 2, height: 2, rgba: (0..16).map(|byte| byte * 16).collect() };
    fn all<const N: usize>(value: [f32; N]) -> Moves<N> {
        (0..4).map(|vertex| (vertex, value)).collect()
    }
    let primitive = Primitive {
        indices: vec![0, 1, 2, 0, 2, 3],
        positions: vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]],
        normals: Some(vec![[0.0, 0.0, 1.0]; 4]),
        texcoords: vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]],
        colors: Some(vec![[0.5, 0.5, 0.25, 1.0]; 4]),
        material: Some(0),
        morphs: Some(Morphs {
            positions: Deltas::new(4, &[vec![(2, [1.0, 2.0, 0.0])], vec![(2, [0.0, -2.0, 4.0])]]),
            normals: Deltas::new(4, &[all([2.0, 0.0, -1.0]), vec![]]),
            texcoords: vec![Deltas::new(4, &[all([0.25, 0.5]), vec![(0, [-1.0, 0.0])]])],
            colors: Deltas::new(4, &[all([1.0, -2.0, 0.125, 0.0]), vec![(1, [0.0, 0.0, 1.0, 0.0])]]),
            ..Morphs::default()
        }),
        ..Primitive::default()
    };
    let mut written_out = primitive.clone();
    written_out.morphs = None;
    written_out.positions[2] = [1.5, 1.5, 1.0];
    written_out.normals = Some(vec![[1.0, 0.0, 0.5]; 4]);
    written_out.texcoords = vec![vec![[-0.125, 1.25], [1.125, 1.25], [1.125, 0.25], [0.125, 0.25]]];
    written_out.colors = Some(vec![[1.0, 0.0, 0.3125, 1.0]; 4]);
    written_out.colors.as_mut().unwrap()[1][2] = 0.5625;
    let model = |primitive: Primitive| Model {
        rig: Rig {
            names: vec![String::new()],
            parents: vec![None],
            rest: vec![LocalTransform::from_matrix(DMat4::IDENTITY)],
            file_index: vec![0],
            rest_weights: vec![0.5, 0.25],
            weight_ends: vec![2],
            ..Rig::default()
        },
        meshes: vec![Mesh {
            primitives: vec![primitive],
            target_names: vec![String::new(); 2],
            ..Mesh::default()
        }],
        instances: vec![Instance { node: 0, mesh: 0, skin: None }],
        materials: vec![Material {
            base_color_texture: Some(TextureRef::default()),
            double_sided: true,
            ..Material::default()
        }],
        pictures: vec![Some(picture.clone())],
        ..Model::default()
    };
    (model(primitive), model(written_out))
}

#[test]
fn a_morphed_model_looks_like_its_values_written_out() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let (morphed, written_out) = squares();
    let mut unmorphed = morphed.clone();
    unmorphed.rig.rest_weights = vec![0.0; 2];
    let [mut morphed, mut written_out, mut unmorphed] =
        [morphed, written_out, unmorphed].map(|model| renderer.upload(Arc::new(model)).unwrap());
    let scene = |pose, skin| Scene {
        skin,
        camera: "30,20,1".parse::<sinew::camera::Orbit>().unwrap().into(),
        ..common::scene(SkinningMode::Linear, pose, [96, 96])
    };
    let mut draw = |gpu: &mut _, pose, skin| -> Image {
        renderer.draw(gpu, &scene(pose, skin)).unwrap();
        renderer.read().unwrap()
    };
    let want = draw(&mut written_out, PoseChoice::Rest, Processor::Gpu);
    let still = draw(&mut unmorphed, PoseChoice::Rest, Processor::Gpu);
    assert!(want.rgba != still.rgba);
    // In this order some computed streams are reused and others recomputed.
    for (pose, skin) in [
        (PoseChoice::Rest, Processor::Gpu),
        (PoseChoice::Rest, Processor::Gpu),
        (PoseChoice::Bind, Processor::Cpu),
        (PoseChoice::Rest, Processor::Gpu),
        (PoseChoice::Bind, Processor::Gpu),
        (PoseChoice::Bind, Processor::Gpu),
        (PoseChoice::Rest, Processor::Cpu),
        (PoseChoice::Rest, Processor::Compute),
        (PoseChoice::Bind, Processor::Compute),
        (PoseChoice::Bind, Processor::Compute),
        (PoseChoice::Rest, Processor::Gpu),
    ] {
        let want = if pose == PoseChoice::Rest { &want } else { &still };
        let got = draw(&mut morphed, pose.clone(), skin);
        assert_same(&got, want, &format!("{pose:?} {skin:?}"));
    }
    // Frames without a wait in between: none may overwrite what the previous one still reads.
    for skin in [Processor::Gpu, Processor::Compute] {
        for pose in [PoseChoice::Bind, PoseChoice::Rest, PoseChoice::Bind, PoseChoice::Rest] {
            renderer.draw(&mut morphed, &scene(pose, skin)).unwrap();
        }
        assert!(renderer.read().unwrap().rgba == want.rgba);
    }
    renderer.device().wait_idle().unwrap();
    drop((morphed, written_out, unmorphed));
    let messages = renderer.device().messages();
    assert_eq!((messages.errors(), messages.warnings()), (vec![], vec![]));
}

/// Figures of a crowd morph by separate weights: shape, texture coordinates and colours.
#[test]
fn figures_of_a_crowd_morph_by_their_own_weights() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let (mut moving, _) = squares();
    let channel = Channel {
        node: 0,
        property: Property::Weights,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 2.0],
        values: vec![0.0, 1.0, 1.0, -0.5],
    };
    moving.clips = vec![Clip { name: String::new(), duration_secs: 2.0, channels: vec![channel] }];
    let mut gpu = renderer.upload(Arc::new(moving)).unwrap();
    let alone = |time_secs| common::scene(SkinningMode::Linear, PoseChoice::clip(0, time_secs), [96, 96]);
    let mut draw = |scene: Scene| -> Image {
        renderer.draw(&mut gpu, &scene).unwrap();
        renderer.read().unwrap()
    };
    let mut seen = Vec::new();
    for seed in [0, 1, 2] {
        let crowd = Crowd { count: 1, seed };
        let time_secs =
            crowd.member(0, &crowd.grid(DVec3::ONE), 0.25, Period { start: 0.0, end: 2.0 }).time_secs;
        for skin in [Processor::Gpu, Processor::Cpu] {
            let figure = draw(Scene { skin, crowd: Some(crowd), ..alone(0.25) });
            assert_same(&figure, &draw(Scene { skin, ..alone(time_secs) }), &format!("{seed} {skin:?}"));
            seen.push(figure.rgba);
        }
    }
    assert!(seen[0] != seen[2] && seen[2] != seen[4]);
    let nine = Scene { crowd: Some(Crowd { count: 9, seed: 0 }), ..alone(0.25) };
    let [on_gpu, on_cpu] = [Processor::Gpu, Processor::Cpu].map(|skin| draw(Scene { skin, ..nine.clone() }));
    assert_same(&on_gpu, &on_cpu, "nine");
    renderer.device().wait_idle().unwrap();
}
