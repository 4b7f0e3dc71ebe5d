//! Makes a tube around a chain of any number of joints.

use std::f64::consts::{PI, TAU};
use std::ops::RangeInclusive;

use glam::{DMat4, DQuat, DVec3};

use super::on_grid;
use crate::{
    Channel, Clip, Influences, Instance, Interpolation, LocalTransform, Material, Mesh, Model, Primitive,
    Property, Rig, Skin, Span, Topology,
};

/// The possible numbers of joints.
pub const JOINTS: RangeInclusive<usize> = 2..=4096;

/// Longer chains are wound into a spring: straight ones would look as thin as a hair.
const LONGEST_STRAIGHT: usize = 128;
const JOINTS_PER_TURN: f64 = 64.0;
const COIL_RADIUS: f64 = 0.5;
const HEIGHT: f64 = 2.0;
const THICKEST: f64 = 0.14;
/// The share of the room between two turns that the tube fills.
const FILL: f64 = 0.42;

const CAP_RINGS: usize = 6;
const WAVE_SECS: f64 = 3.0;
const WAVE_KEYS: usize = 12;

/// Creates a tube with `joints` joints on the plane y = 0, with one clip, `wave`.
pub fn tube(joints: usize) -> Model {
    let path = Path::new(joints);
    let mut rig = Rig {
        names: vec!["tube".into()],
        parents: vec![None],
        rest: vec![LocalTransform::IDENTITY],
        file_index: vec![0],
        ..Rig::default()
    };
    let mut skin = Skin { name: "tube".into(), ..Skin::default() };
    let mut joint_from_bind = Vec::with_capacity(joints);
    let mut before = DVec3::ZERO;
    for joint in 0..joints {
        let at = path.center(joint as f64);
        rig.names.push(format!("joint_{joint:04}"));
        rig.parents.push((joint > 0).then_some(joint as u32));
        rig.file_index.push(joint as u32 + 1);
        rig.rest.push(LocalTransform::Trs {
            translation: at - before,
            rotation: DQuat::IDENTITY,
            scale: DVec3::ONE,
        });
        skin.joints.push(joint + 1);
        joint_from_bind.push(DMat4::from_translation(-at));
        before = at;
    }
    skin.joint_from_bind = joint_from_bind.into();
    Model {
        rig,
        meshes: vec![Mesh { name: "tube".into(), primitives: vec![path.surface()], ..Mesh::default() }],
        skins: vec![skin],
        instances: vec![Instance { node: 0, mesh: 0, skin: Some(0) }],
        clips: vec![wave(joints)],
        materials: vec![Material {
            name: "tube".into(),
            metallic: 0.0,
            roughness: 0.45,
            ..Material::default()
        }],
        ..Model::default()
    }
}

/// The centre line of the tube. Lengths along it are in joints: joint `i` is at `i`.
struct Path {
    joints: usize,
    /// 0 for a straight tube.
    turns: f64,
    thickness: f64,
}

impl Path {
    fn new(joints: usize) -> Self {
        let turns = if joints > LONGEST_STRAIGHT { joints as f64 / JOINTS_PER_TURN } else { 0.0 };
        let thickness = if turns > 0.0 { THICKEST.min(FILL * HEIGHT / turns) } else { THICKEST };
        Self { joints, turns, thickness }
    }

    fn center(&self, along: f64) -> DVec3 {
        let part = along / self.joints as f64;
        let height = DVec3::Y * (self.thickness + HEIGHT * part);
        if self.turns == 0.0 {
            return height;
        }
        let (sin, cos) = (TAU * self.turns * part).sin_cos();
        height + COIL_RADIUS * DVec3::new(cos, 0.0, sin)
    }

    /// A right-handed frame: two directions across the tube and one along it.
    fn frame(&self, along: f64) -> (DVec3, DVec3, DVec3) {
        let angle = TAU * self.turns * along / self.joints as f64;
        let (sin, cos) = angle.sin_cos();
        let around = COIL_RADIUS * TAU * self.turns * DVec3::new(-sin, 0.0, cos);
        let forward = (around + DVec3::Y * HEIGHT).normalize();
        let out = DVec3::new(cos, 0.0, sin);
        (out, forward.cross(out), forward)
    }

    fn surface(&self) -> Primitive {
        let body_rings = self.joints.max((self.joints * 8).clamp(64, 2048));
        let segments = if body_rings > 2048 { 12 } else { 24 };
        let mut p = Primitive {
            topology: Topology::Triangles,
            texcoords: vec![Vec::new()],
            material: Some(0),
            ..Primitive::default()
        };
        let (mut normals, mut colors, mut span) = (Vec::new(), Vec::new(), Span::default());

        let rings = body_rings + 2 * CAP_RINGS;
        for ring in 0..=rings {
            // Each cap is half a sphere: latitude shrinks the ring and moves it outward.
            let low = CAP_RINGS.saturating_sub(ring) as f64;
            let high = ring.saturating_sub(CAP_RINGS + body_rings) as f64;
            let (sin, cos) = ((high - low) / CAP_RINGS as f64 * PI / 2.0).sin_cos();
            let body = ring.clamp(CAP_RINGS, CAP_RINGS + body_rings) - CAP_RINGS;
            let along = body as f64 / body_rings as f64 * self.joints as f64;

            let center = self.center(along);
            let (x, y, forward) = self.frame(along);
            let (joints, weights) = influences(along, self.joints);
            let color = color(along, self.joints);
            for segment in 0..=segments {
                let u = segment as f64 / segments as f64;
                let (around_sin, around_cos) = (TAU * u).sin_cos();
                let normal = (x * around_cos + y * around_sin) * cos + forward * sin;
                p.positions.push((center + normal * self.thickness).as_vec3().to_array());
                normals.push(normal.normalize().as_vec3().to_array());
                p.texcoords[0].push([u as f32, (ring as f64 / rings as f64) as f32]);
                colors.push(color);
                span.joints.push(joints);
                span.weights.push(weights);
            }
        }
        let row = segments as u32 + 1;
        for ring in 0..rings as u32 {
            for segment in 0..segments as u32 {
                let a = ring * row + segment;
                // At the poles, one of a quad's two triangles is degenerate.
                if ring > 0 {
                    p.indices.extend([a, a + 1, a + row + 1]);
                }
                if ring + 1 < rings as u32 {
                    p.indices.extend([a, a + row + 1, a + row]);
                }
            }
        }
        p.normals = Some(normals);
        p.colors = Some(colors);
        p.influences = Some(Influences { spans: vec![span] });
        p
    }
}

/// The four joints around a place and their weights: a cubic B-spline over the chain, so the surface bends without
/// visible seams.
fn influences(along: f64, joints: usize) -> ([i32; 4], [f32; 4]) {
    let last = joints as i32 - 1;
    let first = (along - 0.5).floor() as i32 - 1;
    let mut ids = [0; 4];
    let mut raw = [0.0; 4];
    for slot in 0..4 {
        let joint = first + slot as i32;
        let distance = (along - 0.5 - f64::from(joint)).abs();
        let weight = if distance < 1.0 {
            2.0 / 3.0 - distance * distance + distance.powi(3) / 2.0
        } else {
            (2.0 - distance).max(0.0).powi(3) / 6.0
        };
        // Beyond the ends there are no joints: the end joint takes their shares, in one slot.
        let joint = joint.clamp(0, last);
        let into = (0..slot).find(|&s| ids[s] == joint).unwrap_or(slot);
        ids[into] = joint;
        raw[into] += weight;
    }
    let weights = on_grid(raw);
    for slot in 0..4 {
        if weights[slot] == 0.0 {
            ids[slot] = 0;
        }
    }
    (ids, weights)
}

/// A colour from indigo through rose to amber along the tube; every second joint is a shade darker.
fn color(along: f64, joints: usize) -> [f32; 4] {
    const STOPS: [[f64; 3]; 4] =
        [[0.05, 0.07, 0.42], [0.42, 0.06, 0.40], [0.88, 0.17, 0.16], [0.95, 0.62, 0.10]];
    let joint = (along.floor() as usize).min(joints - 1);
    let at = joint as f64 / (joints - 1) as f64 * 3.0;
    let stop = (at.floor() as usize).min(2);
    let mix = at - stop as f64;
    let shade = if joint.is_multiple_of(2) { 1.0 } else { 0.72 };
    let channel = |k: usize| (STOPS[stop][k] * (1.0 - mix) + STOPS[stop + 1][k] * mix) * shade;
    // Round to multiples of 1/255, so that the file needs one byte per channel.
    let byte = |k: usize| (channel(k) * 255.0).round() as f32 / 255.0;
    [byte(0), byte(1), byte(2), 1.0]
}

/// Creates one period of a wave along the chain. Each joint swings about z a little later than the one before. The
/// joints together lean equally far, for any number of them.
fn wave(joints: usize) -> Clip {
    let swing = (0.75 * PI / joints as f64).min(0.6);
    let times: Vec<f32> = (0..=WAVE_KEYS).map(|k| (WAVE_SECS * k as f64 / WAVE_KEYS as f64) as f32).collect();
    let channels = (0..joints)
        .map(|joint| {
            let mut values = Vec::with_capacity(4 * times.len());
            for key in 0..=WAVE_KEYS {
                let phase = key as f64 / WAVE_KEYS as f64 - joint as f64 / joints as f64;
                let turn = DQuat::from_rotation_z(swing * (TAU * phase).sin());
                values.extend(turn.to_array().map(|v| v as f32));
            }
            Channel {
                node: joint + 1,
                property: Property::Rotation,
                interpolation: Interpolation::Linear,
                times: times.clone(),
                values,
            }
        })
        .collect();
    Clip { name: "wave".into(), duration_secs: WAVE_SECS as f32, channels }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tubes_are_whole_at_both_ends_of_the_range() {
        for joints in [2, 3, 128, 129, 512, 2049, 4096] {
            let model = tube(joints);
            let p = &model.meshes[0].primitives[0];
            assert!((1500..60_000).contains(&p.positions.len()), "{joints}: {}", p.positions.len());
            let span = &p.influences.as_ref().unwrap().spans[0];
            let mut used = vec![false; joints];
            for (ids, weights) in span.joints.iter().zip(&span.weights) {
                assert_eq!(weights.iter().sum::<f32>(), 1.0);
                for (id, weight) in ids.iter().zip(weights) {
                    used[*id as usize] |= *weight > 0.0;
                }
            }
            assert!(used.iter().all(|u| *u), "{joints}: a joint moves nothing");
            let low = p.positions.iter().map(|p| p[1]).fold(f32::INFINITY, f32::min);
            assert!(low.abs() < 1e-3, "{joints}: stands at {low}");
        }
    }

    #[test]
    fn every_joint_moves_and_the_wave_closes() {
        for channel in &tube(4096).clips[0].channels {
            let (first, last) = (&channel.values[..4], &channel.values[channel.values.len() - 4..]);
            assert!(first.iter().zip(last).all(|(a, b)| (a - b).abs() < 1e-6));
            let z = channel.values.iter().skip(2).step_by(4);
            assert!(z.clone().copied().fold(f32::MIN, f32::max) > 1e-4);
            assert!(z.copied().fold(f32::MAX, f32::min) < -1e-4);
        }
    }
}
