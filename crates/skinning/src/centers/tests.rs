//! The fast sums against the definition.

use super::{SIGMA, find, of, prepare};
use glam::DVec3;
use sinew_model::{Influences, Instance, Mesh, Model, Primitive, Skin, Span, Topology, builtin, gltf};
use std::collections::BTreeMap;

/// Returns a vertex's weights by joint.
fn weights(primitive: &Primitive, vertex: usize) -> BTreeMap<i32, f64> {
    let mut out = BTreeMap::new();
    for span in primitive.influences.iter().flat_map(|influences| &influences.spans) {
        for (&joint, &weight) in span.joints[vertex].iter().zip(&span.weights[vertex]) {
            if weight > 0.0 {
                *out.entry(joint).or_insert(0.0) += f64::from(weight);
            }
        }
    }
    out
}

struct Triangle {
    weights: BTreeMap<i32, f64>,
    area: f64,
    center: DVec3,
}

fn triangles(primitive: &Primitive) -> Vec<Triangle> {
    if primitive.topology != Topology::Triangles {
        return Vec::new();
    }
    let triangle = |corners: &[u32; 3]| {
        let mut mean = BTreeMap::new();
        for &corner in corners {
            for (joint, weight) in weights(primitive, corner as usize) {
                *mean.entry(joint).or_insert(0.0) += weight / 3.0;
            }
        }
        let [a, b, c] =
            corners.map(|corner| DVec3::from(primitive.positions[corner as usize].map(f64::from)));
        Triangle { weights: mean, area: (b - a).cross(c - a).length() / 2.0, center: (a + b + c) / 3.0 }
    };
    primitive.indices.as_chunks::<3>().0.iter().map(triangle).collect()
}

/// Returns s(v, t)
fn likeness(v: &BTreeMap<i32, f64>, t: &BTreeMap<i32, f64>) -> f64 {
    let both: Vec<i32> = v.keys().copied().filter(|joint| t.contains_key(joint)).collect();
    let mut sum = 0.0;
    for (number, j) in both.iter().enumerate() {
        for k in &both[number + 1..] {
            let apart = (v[j] * t[k] - v[k] * t[j]) / SIGMA;
            sum += v[j] * v[k] * t[j] * t[k] * (-apart * apart).exp();
        }
    }
    sum
}

/// Returns the centre of a vertex by the definition.
fn by_definition(position: [f32; 3], v: &BTreeMap<i32, f64>, triangles: &[Triangle]) -> DVec3 {
    let (mut area, mut moment) = (0.0, DVec3::ZERO);
    for triangle in triangles {
        let alike = likeness(v, &triangle.weights) * triangle.area;
        area += alike;
        moment += triangle.center * alike;
    }
    if area > 0.0 { moment / area } else { DVec3::from(position.map(f64::from)) }
}

/// Returns the largest distance from the definition over every `step`th vertex, and the number of these vertices.
fn furthest(model: &Model, step: usize) -> (f64, usize) {
    let (mut furthest, mut count) = (0.0f64, 0);
    for (skin, meshes) in super::drawn(model) {
        let primitives = || meshes.iter().flat_map(|&mesh| &model.meshes[mesh].primitives);
        let all: Vec<Triangle> = primitives().flat_map(triangles).collect();
        for &mesh in &meshes {
            for (number, primitive) in model.meshes[mesh].primitives.iter().enumerate() {
                let Some(centers) = of(model, skin, mesh, number) else { continue };
                assert_eq!(centers.len(), primitive.positions.len());
                for vertex in (0..centers.len()).step_by(step) {
                    let want = by_definition(primitive.positions[vertex], &weights(primitive, vertex), &all);
                    furthest = furthest.max(want.distance(DVec3::from(centers[vertex].map(f64::from))));
                    count += 1;
                }
            }
        }
    }
    (furthest, count)
}

fn loaded(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

/// Within 2e-7 metres, the rounding to `f32` in models of two metres.
#[test]
fn centers_are_those_of_the_definition() {
    for (name, step, least) in
        [("twist", 1, 500), ("bend", 1, 500), ("tube-2", 7, 100), ("character", 977, 20)]
    {
        let (furthest, count) = furthest(&loaded(name), step);
        assert!(count >= least && furthest < 2e-7, "{name}: {furthest} of {count}");
    }
}

/// Makes a row of triangles between points on the x axis and points beside them.
fn strip(weights: &[[f32; 4]], joints: &[[i32; 4]]) -> Model {
    let count = weights.len() as u32 / 2;
    let positions = (0..count).flat_map(|x| [[x as f32, 0.0, 0.0], [x as f32, 1.0, 0.0]]).collect();
    let quad = |x: u32| [2 * x, 2 * x + 2, 2 * x + 1, 2 * x + 1, 2 * x + 2, 2 * x + 3];
    let spans = vec![Span { joints: joints.to_vec(), weights: weights.to_vec() }];
    let primitive = Primitive {
        indices: (0..count - 1).flat_map(quad).collect(),
        positions,
        influences: Some(Influences { spans }),
        ..Primitive::default()
    };
    Model {
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        skins: vec![Skin { joints: vec![0; 4], ..Skin::default() }],
        instances: vec![Instance { node: 0, mesh: 0, skin: Some(0) }],
        ..Model::default()
    }
}

#[test]
fn a_vertex_that_nothing_resembles_is_its_own_center() {
    let one = [1.0, 0.0, 0.0, 0.0];
    // One influence each; no pair of joints anywhere.
    let model = strip(&[one; 6], &[[0; 4], [0; 4], [1; 4], [1; 4], [2; 4], [2; 4]]);
    assert_eq!(of(&model, 0, 0, 0).unwrap(), model.meshes[0].primitives[0].positions);
    // A joint listed twice is one joint.
    let model = strip(&[[0.5, 0.5, 0.0, 0.0]; 6], &[[3, 3, 3, 3]; 6]);
    assert_eq!(of(&model, 0, 0, 0).unwrap(), model.meshes[0].primitives[0].positions);
}

#[test]
fn equal_weights_have_one_center_however_they_are_listed() {
    let (a, b) = ([0.75, 0.25, 0.0, 0.0], [0.25, 0.75, 0.0, 0.0]);
    let model = strip(
        &[a, b, a, b, a, b],
        &[[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 1, 1], [1, 0, 0, 0]],
    );
    let centers = of(&model, 0, 0, 0).unwrap();
    // The middle of the strip.
    assert!(centers.iter().all(|center| center == &centers[0]), "{centers:?}");
    assert!((DVec3::from(centers[0].map(f64::from)) - DVec3::new(1.0, 0.5, 0.0)).length() < 1e-6);
}

/// "No joint" is a joint that never moves, here too.
#[test]
fn no_joint_is_a_joint_that_does_not_move() {
    let weights = [[0.75, 0.25, 0.0, 0.0], [0.25, 0.75, 0.0, 0.0]].repeat(3);
    let without = strip(&weights, &[[0, -1, 0, 0]; 6]);
    let with = strip(&weights, &[[0, 1, 0, 0]; 6]);
    assert_eq!(of(&without, 0, 0, 0), of(&with, 0, 0, 0));
    assert!(of(&with, 0, 0, 0).unwrap() != with.meshes[0].primitives[0].positions);
}

#[test]
fn points_and_lines_have_centers_but_give_none() {
    let weights = [0.5, 0.5, 0.0, 0.0];
    let mut model = strip(&[weights; 4], &[[0, 1, 0, 0]; 4]);
    let mut points = model.meshes[0].primitives[0].clone();
    points.topology = Topology::Points;
    points.positions.iter_mut().for_each(|position| position[0] += 100.0);
    model.meshes[0].primitives.push(points);
    // The strip's own centre, without any part of the points.
    let centers = of(&model, 0, 0, 1).unwrap();
    assert!(
        (DVec3::from(centers[0].map(f64::from)) - DVec3::new(0.5, 0.5, 0.0)).length() < 1e-6,
        "{centers:?}"
    );
    let mut only = model.clone();
    only.meshes[0].primitives.remove(0);
    assert_eq!(of(&only, 0, 0, 0).unwrap(), only.meshes[0].primitives[0].positions);
}

#[test]
fn weights_that_are_hardly_alike_still_decide() {
    // s is about e⁻⁹⁶ here, and the only term.
    let mut model = strip(&[[0.01, 0.99, 0.0, 0.0]; 4], &[[0, 1, 0, 0]; 4]);
    let mut points = model.meshes[0].primitives[0].clone();
    points.topology = Topology::Points;
    let spans = &mut points.influences.as_mut().unwrap().spans;
    spans[0].weights = vec![[0.99, 0.01, 0.0, 0.0]; 4];
    points.positions = vec![[7.0; 3]; 4];
    model.meshes[0].primitives.push(points);
    let center = of(&model, 0, 0, 1).unwrap()[0];
    assert!((DVec3::from(center.map(f64::from)) - DVec3::new(0.5, 0.5, 0.0)).length() < 1e-6, "{center:?}");
}

#[test]
fn broken_numbers_make_no_center() {
    let mut model = strip(&[[0.5, 0.5, 0.0, 0.0]; 6], &[[0, 1, 0, 0]; 6]);
    let positions = &mut model.meshes[0].primitives[0].positions;
    positions[0] = [f32::NAN, f32::INFINITY, 0.0];
    positions[5] = [f32::MAX; 3];
    let centers = of(&model, 0, 0, 0).unwrap();
    assert!(centers[1..5].as_flattened().iter().all(|number| number.is_finite()), "{centers:?}");
    // Indices and skins that do not exist.
    model.meshes[0].primitives[0].indices = vec![0, 1, 99];
    model.instances.push(Instance { node: 0, mesh: 9, skin: Some(0) });
    model.instances.push(Instance { node: 0, mesh: 0, skin: Some(9) });
    let model = model.clone();
    assert_eq!(of(&model, 0, 0, 0).unwrap()[1], model.meshes[0].primitives[0].positions[1]);
    assert_eq!((of(&model, 9, 0, 0), of(&model, 0, 9, 0), of(&model, 0, 0, 9)), (None, None, None));
}

/// Joint indices that no skin has take no memory, and count as "no joint".
#[test]
fn joints_that_there_are_not_do_not_move() {
    let weights = [[0.6, 0.4, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.4, 0.6, 0.0, 0.0], [0.3, 0.7, 0.0, 0.0]];
    let none = find(&strip(&weights, &[[0, -1, 0, 0]; 4]), &|_| true);
    for joint in [i32::MAX, i32::MIN, 99] {
        assert_eq!(find(&strip(&weights, &[[0, joint, 0, 0]; 4]), &|_| true), none, "{joint}");
    }
}

#[test]
fn whoever_watches_can_stop_it() {
    let model = loaded("bend");
    let stops = |at: f64| find(&model, &move |share| share < at).is_none();
    assert!(stops(0.0) && !stops(2.0));
    assert!(!prepare(&model, &|_| false) && model.centers.get().is_none());
    assert!(prepare(&model, &|_| true) && model.centers.get().is_some());
    // The centres are known, so there is nothing to stop.
    assert!(prepare(&model, &|_| false));
    // A copy may be changed, so it starts without centres.
    assert!(model.clone().centers.get().is_none());
}

/// One thread and many give the same bits.
#[test]
fn threads_do_not_matter() {
    let model = loaded("character");
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| find(&model, &|_| true)).unwrap()
    };
    assert!(on(1) == on(3));
}
