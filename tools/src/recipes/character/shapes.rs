//! The morph targets of the face: `jaw` opens the mouth, `blink` squeezes the closed lids. Each is a smooth field of moves
//! around the face. Normals are those of the moved triangles. The closed surface between the lips is drawn in.

use std::collections::HashMap;

use glam::DVec3;
use sinew_model::{Deltas, Model, Morphs, Moves, Primitive};

/// The names of the targets.
const NAMES: [&str; 2] = ["jaw", "blink"];

/// Adds the targets to the first primitive of the model, with weights of 0.
pub fn add(model: &mut Model) {
    let primitive = &mut model.meshes[0].primitives[0];
    primitive.morphs = Some(morphs(primitive));
    model.meshes[0].target_names = NAMES.map(String::from).into();
    model.rig.rest_weights = vec![0.0; NAMES.len()];
    model.rig.weight_ends = vec![NAMES.len() as u32; model.rig.parents.len()];
}

fn morphs(primitive: &Primitive) -> Morphs {
    let fields: [fn(DVec3) -> DVec3; 2] = [jaw, blink];
    let tangents = directions(primitive.tangents.iter().flatten().map(|[x, y, z, _]| [*x, *y, *z]));
    let places = directions(primitive.positions.iter().copied());
    let at_rest = normals(&places, &places, &primitive.indices);
    let mut moves = [(); 3].map(|()| [Moves::<3>::new(), Moves::new()]);
    for (target, field) in fields.into_iter().enumerate() {
        let moved: Vec<DVec3> = places.iter().map(|&at| at + field(at)).collect();
        let turned = normals(&places, &moved, &primitive.indices);
        for (vertex, &at) in (0..).zip(&places) {
            let normal = turned[vertex as usize];
            let turn = normal - at_rest[vertex as usize];
            let tangent = tangents[vertex as usize];
            let along = match turn == DVec3::ZERO {
                true => DVec3::ZERO,
                false => (tangent - normal * normal.dot(tangent)).normalize() - tangent,
            };
            for (all, delta) in moves.iter_mut().zip([field(at), turn, along]) {
                all[target].push((vertex, delta.as_vec3().to_array()));
            }
        }
    }
    let count = places.len();
    Morphs {
        positions: Deltas::new(count, &moves[0]),
        normals: Deltas::new(count, &moves[1]),
        tangents: Deltas::new(count, &moves[2]),
        texcoords: vec![None],
        colors: None,
    }
}

fn directions(values: impl Iterator<Item = [f32; 3]>) -> Vec<DVec3> {
    values.map(|value| DVec3::from_array(value.map(f64::from))).collect()
}

/// Returns the normal of each vertex of a moved surface: the mean of its triangles by area, those of all vertices in the same
/// place at rest and in its mirror image.
fn normals(at_rest: &[DVec3], moved: &[DVec3], indices: &[u32]) -> Vec<DVec3> {
    let mirror = |at: DVec3| DVec3::new(if at.x < 0.0 { -1.0 } else { 1.0 }, 1.0, 1.0);
    let key = |at: DVec3| [at.x.abs(), at.y, at.z].map(f64::to_bits);
    let mut sums: HashMap<[u64; 3], DVec3> = HashMap::new();
    for corners in indices.as_chunks::<3>().0 {
        let [a, b, c] = corners.map(|corner| moved[corner as usize]);
        let normal = (b - a).cross(c - a);
        for corner in corners {
            let at = at_rest[*corner as usize];
            *sums.entry(key(at)).or_default() += normal * mirror(at);
        }
    }
    let normal = |&at: &DVec3| {
        let mut sum = sums[&key(at)] * mirror(at);
        if at.x == 0.0 {
            sum.x = 0.0;
        }
        sum.normalize()
    };
    at_rest.iter().map(normal).collect()
}

/// The corner of the mouth.
const CORNER: f64 = 0.0198;

/// Returns the height above the line where the lips meet. The line falls towards the corners, as the rows of vertices do.
fn above_lips(p: DVec3) -> f64 {
    p.y - 1.6141 + 0.155 * p.x.abs().min(0.022)
}

/// Opens the mouth: turns the lower jaw about the line through both of its hinges, and draws in the surface between the lips.
/// Across the lips and the cheeks, the share of the turn is that of a sheet which tears between the corners of the mouth: each
/// lip is half an ellipse, and beside the corners the share goes from 0 to 1 over some centimetres.
fn jaw(at: DVec3) -> DVec3 {
    /// Beside the ears.
    const HINGE: DVec3 = DVec3::new(0.0, 1.642, -0.004);
    const OPEN: f64 = 0.22;
    const HOLLOW: f64 = 0.024;
    /// Half the thickness of the sheet between the lips, at the middle.
    const THIN: f64 = 0.0015;
    let (x, y) = (at.x.abs(), above_lips(at));
    // The real part of the square root of CORNER² - (x + iy)².
    let real = CORNER * CORNER - x * x + y * y;
    let length = (real * real + 4.0 * x * x * y * y).sqrt();
    let apart = level(((length + real).max(0.0) / 2.0).sqrt() / CORNER);
    let thin = THIN * (1.0 - (x / CORNER) * (x / CORNER)).max(1e-12).sqrt();
    let side = (y / thin).clamp(-1.0, 1.0);
    let below = 0.5 - 0.5 * side * (1.5 - 0.5 * side * side) * apart;
    let ahead = ease((at.z - 0.004) / 0.050);
    let above_neck = ease((at.y - 1.545) / 0.034);
    let share = below * ahead * above_neck;
    let arm = DVec3::new(0.0, at.y - HINGE.y, at.z - HINGE.z);
    let (sine, cosine) = (libm::sin(OPEN), libm::cos(OPEN));
    let turned = DVec3::new(0.0, arm.y * cosine - arm.z * sine, arm.y * sine + arm.z * cosine);
    let inside = inside_mouth(at);
    (turned - arm) * share - DVec3::Z * (HOLLOW * inside * inside.sqrt())
}

/// Returns 1 in the middle of the mouth and 0 outside of the lips.
fn inside_mouth(at: DVec3) -> f64 {
    let (x, y) = (at.x.abs() / 0.0208, above_lips(at) / 0.0070);
    (1.0 - y * y - x * x * x).max(0.0) * ease((at.z - 0.060) / 0.010)
}

/// Squeezes the lids: lowers the upper one and raises the lower one towards a crease. The brow stays.
fn blink(at: DVec3) -> DVec3 {
    /// Place where the lids meet.
    const LINE: [f64; 2] = [0.0325, 1.6790];
    const WIDTH: f64 = 0.0190;
    /// Heights of the lids, and the parts of them that fold.
    const UPPER: [f64; 2] = [0.0155, 0.62];
    const LOWER: [f64; 2] = [0.0120, 0.25];
    const CREASE: f64 = 0.0035;
    let (x, y) = ((at.x.abs() - LINE[0]) / WIDTH, at.y - LINE[1]);
    let [height, folds] = if y > 0.0 { UPPER } else { LOWER };
    let ahead = ease((at.z - 0.050) / 0.010);
    let lid = (1.0 - x * x - (y / height) * (y / height)).max(0.0);
    let across = (1.0 - (y / 0.0055) * (y / 0.0055)).max(0.0) * (1.0 - x * x).max(0.0);
    DVec3::new(0.0, -folds * y * lid * lid.sqrt(), -CREASE * across) * ahead
}

/// Follows a number that is not negative up to 0.7, and levels out to 1.
fn level(t: f64) -> f64 {
    const ROUND: f64 = 0.3;
    let beyond = (t - (1.0 - ROUND)).clamp(0.0, 2.0 * ROUND);
    t.min(1.0 + ROUND) - beyond * beyond / (4.0 * ROUND)
}

fn ease(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
