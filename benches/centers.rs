//! Times how long centres of rotation take to find, counts the memory that needs, and prints the table of
//! `benches/RESULTS.md`: for the built-in figure, for a large made-up body, and for the models whose files are given.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run has nothing else to say")]
#![allow(clippy::disallowed_methods, reason = "reads the models that it is given")]

mod counting;

use std::f64::consts::TAU;
use std::hint::black_box;
use std::sync::atomic::Ordering;
use std::time::Instant;

use glam::{DMat4, DVec3};
use sinew::model::{Influences, Instance, Mesh, Model, Primitive, Skin, Span, builtin, gltf};
use sinew::skinning::centers;

use counting::{PEAK, USED};

const ROUNDS: usize = 5;

/// Vertices around a limb of [`body`].
const SIDES: u32 = 64;

/// The distance between the joints of a limb of [`body`], and its radius.
const STEP: f64 = 0.05;
const RADIUS: f64 = 0.1;

/// A trunk of 40 joints and eight limbs of 20, 99,840 vertices with four influences, hardly two of them alike.
fn body() -> Model {
    let mut mesh = Limbs::default();
    for limb in 0..9u32 {
        let angle = TAU * f64::from(limb) / 8.0;
        let (way, side) = match limb {
            0 => (DVec3::Y, DVec3::X),
            _ => (DVec3::new(angle.cos(), 0.0, angle.sin()), DVec3::Y),
        };
        let root = DVec3::Y * f64::from(limb % 2);
        mesh.add(if limb == 0 { 40 } else { 20 }, &|along, around| {
            let (sin, cos) = around.sin_cos();
            let out = side * cos + way.cross(side) * sin;
            (root + way * along + out * (RADIUS + 0.01 * (3.0 * around + 20.0 * along).sin()))
                .as_vec3()
                .into()
        });
    }
    let joints = mesh.joints as usize;
    let influences = Influences { spans: vec![mesh.span] };
    let primitive = Primitive {
        positions: mesh.positions,
        indices: mesh.indices,
        influences: Some(influences),
        ..Primitive::default()
    };
    Model {
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        skins: vec![Skin {
            joints: vec![0; joints],
            joint_from_bind: vec![DMat4::IDENTITY; joints].into(),
            ..Skin::default()
        }],
        instances: vec![Instance { node: 0, mesh: 0, skin: Some(0) }],
        ..Model::default()
    }
}

/// Limbs in one mesh.
#[derive(Default)]
struct Limbs {
    joints: i32,
    positions: Vec<[f32; 3]>,
    span: Span,
    indices: Vec<u32>,
}

impl Limbs {
    /// Adds a limb of some joints; `place` says where the vertex is that lies so far along it and around it.
    fn add(&mut self, joints: i32, place: &dyn Fn(f64, f64) -> [f32; 3]) {
        let rings = joints as u32 * 39 / 5;
        let first = self.positions.len() as u32;
        for ring in 0..rings {
            let along = f64::from(ring) / f64::from(rings - 1) * STEP * f64::from(joints - 1);
            for side in 0..SIDES {
                let around = TAU * f64::from(side) / f64::from(SIDES);
                self.positions.push(place(along, around));
                // The four joints nearest to the ring.
                let nearest = ((along / STEP) as i32 - 1).clamp(0, joints - 4);
                let near = [0, 1, 2, 3].map(|offset| nearest + offset);
                let raw = near.map(|joint| {
                    let apart = (f64::from(joint) * STEP - along) / (1.2 * STEP);
                    (-apart * apart * (1.0 + 0.2 * (2.0 * around + f64::from(joint)).sin())).exp() + 1e-3
                });
                let sum: f64 = raw.iter().sum();
                self.span.joints.push(near.map(|joint| self.joints + joint));
                self.span.weights.push(raw.map(|weight| (weight / sum) as f32));
                if ring + 1 < rings {
                    let [a, b] = [side, (side + 1) % SIDES].map(|side| first + ring * SIDES + side);
                    self.indices.extend([a, b, a + SIDES, b, b + SIDES, a + SIDES]);
                }
            }
        }
        self.joints += joints;
    }
}

/// The smallest and the median time, in seconds.
fn seconds(model: &Model) -> (f64, f64) {
    let round = |_| {
        let begin = Instant::now();
        black_box(centers::find(black_box(model), &|_| true));
        begin.elapsed().as_secs_f64()
    };
    let mut times: Vec<f64> = (0..ROUNDS).map(round).collect();
    times.sort_by(f64::total_cmp);
    (times[0], times[ROUNDS / 2])
}

/// The most memory in use at once, beyond what was there before, in bytes.
fn peak(model: &Model) -> usize {
    let before = USED.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    black_box(centers::find(model, &|_| true));
    PEAK.load(Ordering::Relaxed) - before
}

/// Vertices, triangles and joints of all that skins draw.
fn counts(model: &Model) -> [usize; 3] {
    let skinned = centers::drawn(model);
    let meshes = skinned.values().flatten().map(|&mesh| &model.meshes[mesh]);
    let mut counts = [0, 0, skinned.keys().map(|&skin| model.skins[skin].joints.len()).sum()];
    for primitive in meshes.flat_map(|mesh| &mesh.primitives) {
        counts[0] += primitive.positions.len();
        counts[1] += primitive.indices.len() / 3;
    }
    counts
}

fn main() {
    let glb = builtin::glb("character").expect("a built-in model");
    let mut models = vec![
        ("builtin:character".to_owned(), gltf::load_bytes(&glb, None).expect("a sound model")),
        ("a body of tubes".to_owned(), body()),
    ];
    for path in std::env::args().skip(1).filter(|argument| !argument.starts_with('-')) {
        let bytes = std::fs::read(&path).expect("a file");
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        models.push((name, gltf::load_bytes(&bytes, None).expect("a sound model")));
    }
    println!(
        "| model | vertices | triangles | joints | s, smallest | median | bytes a vertex and triangle |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for (name, model) in &models {
        let [vertices, triangles, joints] = counts(model);
        let (least, median) = seconds(model);
        let bytes = peak(model) / (vertices + triangles).max(1);
        println!("| {name} | {vertices} | {triangles} | {joints} | {least:.3} | {median:.3} | {bytes} |");
    }
}
