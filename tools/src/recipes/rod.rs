//! Two chequered rods that show the two classic failures of linear blending: `twist`, the candy wrapper, and
//! `bend`, the collapsing elbow. They differ only in their motion.

use std::f64::consts::{PI, TAU};

use glam::{DMat4, DQuat, DVec3};
use sinew_model::builtin::on_grid;
use sinew_model::{
    Channel, Clip, Influences, Instance, Interpolation, LocalTransform, Material, Mesh, Model, Primitive,
    Property, Rig, Skin, Span,
};

const RADIUS: f64 = 0.2;
const HEIGHT: f64 = 2.0;
const RINGS: u32 = 96;
const SEGMENTS: u32 = 48;
const CAP_RINGS: u32 = 8;
/// Stripes along the rod and squares around it; both divide the grid, so that edges are straight.
const SQUARES_ALONG: u32 = 16;
const SQUARES_AROUND: u32 = 8;
/// The length around the rod's middle over which the weights go from one joint to the other.
const BLEND_LENGTH: f64 = 1.0;
/// The number of keys of a clip after the first.
pub const KEYS: u32 = 8;

/// The upper half turns by half a turn about the rod's axis.
pub fn twist() -> Model {
    rod("twist", DVec3::ZERO, DVec3::Y, PI)
}

/// The upper half folds down onto the lower one, far further than an elbow does, so that everyone sees it. The
/// hinge lies a little towards the inside, as in an elbow, so that the folded halves do not share surfaces,
/// which would flicker.
pub fn bend() -> Model {
    rod("bend", DVec3::X * 0.03, DVec3::NEG_Z, PI)
}

fn rod(name: &str, off_axis: DVec3, axis: DVec3, angle: f64) -> Model {
    let middle = DVec3::Y * (HEIGHT / 2.0) + off_axis;
    Model {
        rig: Rig {
            names: [name, "lower", "upper"].map(String::from).to_vec(),
            parents: vec![None, None, Some(1)],
            rest: vec![
                LocalTransform::IDENTITY,
                LocalTransform::IDENTITY,
                LocalTransform::Trs { translation: middle, rotation: DQuat::IDENTITY, scale: DVec3::ONE },
            ],
            file_index: vec![0, 1, 2],
            ..Rig::default()
        },
        meshes: vec![Mesh { name: name.into(), primitives: vec![surface()], ..Mesh::default() }],
        skins: vec![Skin {
            name: name.into(),
            joints: vec![1, 2],
            joint_from_bind: [DMat4::IDENTITY, DMat4::from_translation(-middle)].into(),
            method: None,
        }],
        instances: vec![Instance { node: 0, mesh: 0, skin: Some(0) }],
        clips: vec![turn(name, axis, angle)],
        materials: vec![Material {
            name: "squares".into(),
            metallic: 0.0,
            roughness: 0.5,
            ..Material::default()
        }],
        ..Model::default()
    }
}

/// Evenly from 0 at the start to the whole angle at 2 s.
fn turn(name: &str, axis: DVec3, angle: f64) -> Clip {
    let keys = || (0..=KEYS).map(|k| f64::from(k) / f64::from(KEYS));
    let rotation = |part: f64| {
        let half = part * angle / 2.0;
        let v = axis * libm::sin(half);
        [v.x as f32, v.y as f32, v.z as f32, libm::cos(half) as f32]
    };
    Clip {
        name: name.into(),
        duration_secs: 2.0,
        channels: vec![Channel {
            node: 2,
            property: Property::Rotation,
            interpolation: Interpolation::Linear,
            times: keys().map(|part| 2.0 * part as f32).collect(),
            values: keys().flat_map(rotation).collect(),
        }],
    }
}

fn surface() -> Primitive {
    let mut rod = Primitive { material: Some(0), ..Primitive::default() };
    let (mut normals, mut colors, mut span) = (Vec::new(), Vec::new(), Span::default());
    let (mut texcoords, mut tangents) = (Vec::new(), Vec::new());
    for strip in strips() {
        let first = rod.positions.len() as u32;
        for &(height, latitude) in &strip.rings {
            let upper = (((height - HEIGHT / 2.0) / BLEND_LENGTH) + 0.5).clamp(0.0, 1.0);
            for step in 0..=strip.steps {
                let angle = TAU * f64::from(strip.start + step) / f64::from(SEGMENTS);
                let normal = DVec3::new(
                    libm::cos(angle) * libm::cos(latitude),
                    libm::sin(latitude),
                    -libm::sin(angle) * libm::cos(latitude),
                );
                let position = DVec3::Y * height + normal * RADIUS;
                rod.positions.push(position.as_vec3().to_array());
                normals.push(normal.normalize().as_vec3().to_array());
                colors.push(strip.color);
                // Once around, and up the rod as far as squares are square; a texture's v points down.
                let up = (height + RADIUS * latitude) / (TAU * RADIUS);
                texcoords.push([angle / TAU, -up].map(|part| part as f32));
                tangents.push([-libm::sin(angle), 0.0, -libm::cos(angle), 1.0].map(|part| part as f32));
                let joints = if upper == 0.0 { [0; 4] } else { [0, 1, 0, 0] };
                span.joints.push(joints);
                span.weights.push(on_grid([1.0 - upper, upper, 0.0, 0.0]));
            }
        }
        let row = strip.steps + 1;
        for ring in 0..strip.rings.len() as u32 - 1 {
            for step in 0..strip.steps {
                let a = first + ring * row + step;
                let pole = |k: u32| libm::fabs(strip.rings[k as usize].1) == PI / 2.0;
                if !pole(ring) {
                    rod.indices.extend([a, a + 1, a + row + 1]);
                }
                if !pole(ring + 1) {
                    rod.indices.extend([a, a + row + 1, a + row]);
                }
            }
        }
    }
    rod.normals = Some(normals);
    rod.tangents = Some(tangents);
    rod.texcoords = vec![texcoords];
    rod.colors = Some(colors);
    rod.influences = Some(Influences { spans: vec![span] });
    rod
}

/// One square of the pattern: neighbours do not share vertices, which keeps colours crisp.
struct Strip {
    /// Height of the ring's centre and latitude on the cap's half sphere (0 on the body).
    rings: Vec<(f64, f64)>,
    start: u32,
    steps: u32,
    color: [f32; 4],
}

/// A checkerboard with one column in a warm colour, whose line shows how far the rod is turned.
fn strips() -> Vec<Strip> {
    const LIGHT: [u8; 3] = [214, 208, 196];
    const DARK: [u8; 3] = [26, 48, 74];
    const LINE: [u8; 3] = [232, 92, 28];
    const LINE_DARK: [u8; 3] = [150, 36, 12];
    let color = |rgb: [u8; 3]| {
        let [r, g, b] = rgb.map(|c| f32::from(c) / 255.0);
        [r, g, b, 1.0]
    };
    let cap = |height: f64, from: i32, to: i32| -> Vec<(f64, f64)> {
        (from..=to).map(|k| (height, f64::from(k) / f64::from(CAP_RINGS) * PI / 2.0)).collect()
    };
    let caps = CAP_RINGS as i32;
    let mut rows = vec![cap(0.0, -caps, 0)];
    let rings = RINGS / SQUARES_ALONG;
    for row in 0..SQUARES_ALONG {
        let ring = |k: u32| HEIGHT * f64::from(row * rings + k) / f64::from(RINGS);
        rows.push((0..=rings).map(|k| (ring(k), 0.0)).collect());
    }
    rows.push(cap(HEIGHT, 0, caps));

    let steps = SEGMENTS / SQUARES_AROUND;
    let mut strips = Vec::new();
    for (r, rings) in rows.iter().enumerate() {
        for column in 0..SQUARES_AROUND {
            let even = (r + column as usize).is_multiple_of(2);
            let rgb = match (column, even) {
                (6, true) => LINE,
                (6, false) => LINE_DARK,
                (_, true) => LIGHT,
                (_, false) => DARK,
            };
            strips.push(Strip { rings: rings.clone(), start: column * steps, steps, color: color(rgb) });
        }
    }
    strips
}
