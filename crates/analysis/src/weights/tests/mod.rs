//! Tests of the measures of weights, on built-in and hand-made models.

mod comparing;
mod faults;
mod geometry;
mod hostile;
mod mending;
mod scores;

use glam::DMat4;
use sinew_model::{
    Influences, Instance, LocalTransform, Mesh, Model, Primitive, Rig, Skin, Span, builtin, gltf,
};

/// Loads a built-in model.
fn built_in(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

/// Returns a joint's index in the first skin, by name.
fn joint(model: &Model, name: &str) -> i32 {
    model.skins[0].joints.iter().position(|node| model.rig.names[*node] == name).unwrap() as i32
}

fn primitive(model: &mut Model) -> &mut Primitive {
    &mut model.meshes[0].primitives[0]
}

/// Returns a joint's weight on a vertex of the first primitive.
fn weight(model: &Model, vertex: usize, joint: i32) -> f32 {
    let spans = &model.meshes[0].primitives[0].influences.as_ref().unwrap().spans;
    let all = spans.iter().flat_map(|span| span.joints[vertex].into_iter().zip(span.weights[vertex]));
    all.filter(|(number, _)| *number == joint).map(|(_, weight)| weight).sum()
}

/// Gives a joint a share of a vertex of the first primitive, in an added span; all other weights shrink.
fn give(model: &mut Model, vertex: usize, joint: i32, share: f32) {
    let p = primitive(model);
    let count = p.positions.len();
    let spans = &mut p.influences.as_mut().unwrap().spans;
    for span in spans.iter_mut() {
        span.weights[vertex] = span.weights[vertex].map(|weight| weight * (1.0 - share));
    }
    if spans.last().is_none_or(|span| span.weights[vertex][0] > 0.0) {
        spans.push(Span { joints: vec![[0; 4]; count], weights: vec![[0.0; 4]; count] });
    }
    let last = spans.last_mut().unwrap();
    (last.joints[vertex][0], last.weights[vertex][0]) = (joint, share);
}

/// Returns all vertices of the first primitive at the position of one of them.
fn at_place_of(model: &Model, vertex: usize) -> Vec<usize> {
    let positions = &model.meshes[0].primitives[0].positions;
    (0..positions.len()).filter(|other| positions[*other] == positions[vertex]).collect()
}

/// Returns the vertex of the first primitive that is nearest to a position.
fn nearest_to(model: &Model, place: [f32; 3]) -> usize {
    let positions = &model.meshes[0].primitives[0].positions;
    let squared = |v: usize| (0..3).map(|k| (positions[v][k] - place[k]).powi(2)).sum::<f32>();
    (0..positions.len()).min_by(|a, b| squared(*a).total_cmp(&squared(*b))).unwrap()
}

/// Makes a model with one primitive and a chain of joints along x, at these positions.
fn by_hand(joints: &[f64], positions: &[[f32; 3]], indices: &[u32], rows: &[([i32; 4], [f32; 4])]) -> Model {
    let mut before = 0.0;
    let mut rest = vec![LocalTransform::IDENTITY];
    for &at in joints {
        let translation = glam::DVec3::X * (at - before);
        rest.push(LocalTransform::Trs {
            translation,
            rotation: glam::DQuat::IDENTITY,
            scale: glam::DVec3::ONE,
        });
        before = at;
    }
    let count = joints.len() as u32;
    let span = Span {
        joints: rows.iter().map(|row| row.0).collect(),
        weights: rows.iter().map(|row| row.1).collect(),
    };
    let primitive = Primitive {
        positions: positions.to_vec(),
        indices: indices.to_vec(),
        influences: Some(Influences { spans: vec![span] }),
        ..Primitive::default()
    };
    Model {
        rig: Rig {
            names: std::iter::once("mesh".to_owned()).chain((0..count).map(|n| format!("j{n}"))).collect(),
            parents: (0..=count).map(|n| (n > 1).then(|| n - 1)).collect(),
            rest,
            file_index: (0..=count).collect(),
            ..Rig::default()
        },
        meshes: vec![Mesh { name: "m".into(), primitives: vec![primitive], ..Mesh::default() }],
        skins: vec![Skin {
            joints: (1..=joints.len()).collect(),
            joint_from_bind: joints.iter().map(|at| DMat4::from_translation(glam::DVec3::X * -at)).collect(),
            ..Skin::default()
        }],
        instances: vec![Instance { node: 0, mesh: 0, skin: Some(0) }],
        ..Model::default()
    }
}

/// Makes a cube from −1 to 1 whose left half follows joint 0 and whose right half joint 1.
fn cube() -> Model {
    let corner = |n: u32| [0, 1, 2].map(|axis| if n >> axis & 1 == 1 { 1.0 } else { -1.0 });
    let positions: Vec<[f32; 3]> = (0..8).map(corner).collect();
    let faces: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let indices: Vec<u32> = faces.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *a, *c, *d]).collect();
    let row = |n: u32| ([(n & 1) as i32, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
    by_hand(&[-1.0, 0.0], &positions, &indices, &(0..8).map(row).collect::<Vec<_>>())
}

/// Makes two quads side by side, whose shared edge is a seam.
fn seam(right: f32) -> Model {
    let positions =
        [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0]];
    let positions = positions.map(|[x, y]| [x, y, 0.0]);
    let row = |share: f32| ([0, 1, 0, 0], [1.0 - share, share, 0.0, 0.0]);
    let rows = [0.0, 0.5, 0.5, 0.0, right, 1.0, 1.0, 0.5].map(row);
    by_hand(&[0.0, 1.0], &positions, &[0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7], &rows)
}

/// Makes a character with a vertex whose weight of the hips differs from that of its neighbours. Returns all vertices there.
fn with_outlier() -> (Model, Vec<usize>) {
    let mut model = built_in("character");
    let (hips, thigh) = (joint(&model, "hips"), joint(&model, "thigh.L"));
    let count = primitive(&mut model).positions.len();
    let is_between =
        |v: &usize| (0.1..0.2).contains(&weight(&model, *v, hips)) && weight(&model, *v, thigh) > 0.75;
    let vertex = (0..count).find(is_between).unwrap();
    let all = at_place_of(&model, vertex);
    for &vertex in &all {
        give(&mut model, vertex, hips, 0.5);
    }
    (model, all)
}
