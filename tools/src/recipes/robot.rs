//! A robot of boxes with rigid weights, in a T pose: each vertex follows one joint. The limbs of its left side have a ring of
//! vertices at each joint and no more; those of its right side have *relief vertices*, two rings close to each joint.

use std::f64::consts::PI;

use glam::{DMat4, DQuat, DVec3};
use sinew_model::{
    Channel, Clip, Influences, Instance, Interpolation, LocalTransform, Material, Mesh, Model, Primitive,
    Property, Rig, Skin, Span,
};

/// Joints of the trunk and of the left side: name, parent and place.
const JOINTS: [(&str, Option<&str>, [f64; 3]); 9] = [
    ("hips", None, [0.0, 0.9, 0.0]),
    ("spine", Some("hips"), [0.0, 1.02, 0.0]),
    ("head", Some("spine"), [0.0, 1.5, 0.0]),
    ("upper_arm.L", Some("spine"), [0.26, 1.38, 0.0]),
    ("forearm.L", Some("upper_arm.L"), [0.54, 1.38, 0.0]),
    ("hand.L", Some("forearm.L"), [0.8, 1.38, 0.0]),
    ("thigh.L", Some("hips"), [0.12, 0.84, 0.0]),
    ("shin.L", Some("thigh.L"), [0.12, 0.46, 0.0]),
    ("foot.L", Some("shin.L"), [0.12, 0.08, 0.0]),
];

/// The distance of relief vertices from their joint.
const RELIEF: f64 = 0.05;

const STEEL: [f32; 4] = [0.32, 0.36, 0.42, 1.0];
const ORANGE: [f32; 4] = [0.75, 0.22, 0.03, 1.0];

/// A ring of four corners around a limb: its middle, and the joint that it follows.
struct Ring {
    at: DVec3,
    joint: usize,
}

/// The robot, with a clip that bends elbows and knees, and one with few keys that are far apart.
pub fn robot() -> Model {
    let joints = joints();
    let places: Vec<DVec3> = joints.iter().map(|(_, _, at)| *at).collect();
    let parents: Vec<Option<u32>> = joints.iter().map(|(_, parent, _)| *parent).collect();
    let rest = joints.iter().map(|(_, parent, at)| {
        let translation = *at - parent.map_or(DVec3::ZERO, |parent| places[parent as usize]);
        LocalTransform::Trs { translation, rotation: DQuat::IDENTITY, scale: DVec3::ONE }
    });
    Model {
        rig: Rig {
            names: ["robot".to_owned()]
                .into_iter()
                .chain(joints.iter().map(|(name, ..)| name.clone()))
                .collect(),
            parents: [None]
                .into_iter()
                .chain(parents.iter().map(|parent| parent.map(|one| one + 1)))
                .collect(),
            rest: [LocalTransform::IDENTITY].into_iter().chain(rest).collect(),
            file_index: (0..=joints.len() as u32).collect(),
            ..Rig::default()
        },
        meshes: vec![Mesh { name: "robot".into(), primitives: vec![surface(&joints)], ..Mesh::default() }],
        skins: vec![Skin {
            name: "robot".into(),
            joints: (1..=joints.len()).collect(),
            joint_from_bind: places.iter().map(|at| DMat4::from_translation(-*at)).collect::<Vec<_>>().into(),
            method: None,
        }],
        instances: vec![Instance { node: 0, mesh: 0, skin: Some(0) }],
        clips: vec![bend(&joints), salute(&joints)],
        materials: vec![Material {
            name: "paint".into(),
            metallic: 0.0,
            roughness: 0.45,
            ..Material::default()
        }],
        ..Model::default()
    }
}

/// All joints: those of the left side, and their mirror images. A parent is a number in the list.
fn joints() -> Vec<(String, Option<u32>, DVec3)> {
    let right = JOINTS.iter().filter(|(name, ..)| name.ends_with(".L")).map(|(name, parent, [x, y, z])| {
        (name.replace(".L", ".R"), parent.map(|parent| parent.replace(".L", ".R")), DVec3::new(-x, *y, *z))
    });
    let left = JOINTS
        .iter()
        .map(|(name, parent, at)| ((*name).to_owned(), parent.map(str::to_owned), DVec3::from_array(*at)));
    let all: Vec<(String, Option<String>, DVec3)> = left.chain(right).collect();
    let number = |name: &String| all.iter().position(|(other, ..)| other == name).map(|place| place as u32);
    all.iter().map(|(name, parent, at)| (name.clone(), parent.as_ref().and_then(number), *at)).collect()
}

/// Elbows bend forward and knees backward, by 100 degrees and back.
fn bend(joints: &[(String, Option<u32>, DVec3)]) -> Clip {
    let channel = |(number, (name, ..)): (usize, &(String, Option<u32>, DVec3))| {
        let axis = match name.as_str() {
            "forearm.L" => DVec3::NEG_Y,
            "forearm.R" => DVec3::Y,
            "shin.L" | "shin.R" => DVec3::X,
            _ => return None,
        };
        let rotation = |key: u32| {
            // 0, a half and all of the way, and back.
            let part = [0.0, 0.5, 1.0, 0.5, 0.0][key as usize];
            let half = part * 100.0 / 180.0 * PI / 2.0;
            let v = axis * libm::sin(half);
            [v.x as f32, v.y as f32, v.z as f32, libm::cos(half) as f32]
        };
        Some(Channel {
            node: number + 1,
            property: Property::Rotation,
            interpolation: Interpolation::Linear,
            times: (0..5).map(|key| 0.5 * key as f32).collect(),
            values: (0..5).flat_map(rotation).collect(),
        })
    };
    Clip {
        name: "bend".into(),
        duration_secs: 2.0,
        channels: joints.iter().enumerate().filter_map(channel).collect(),
    }
}

/// Arms go up and forward at once and come back: three keys, a second apart, with turns about several axes between them.
fn salute(joints: &[(String, Option<u32>, DVec3)]) -> Clip {
    let turned = |x: f64, y: f64, z: f64| {
        let half = |degrees: f64| degrees / 180.0 * PI / 2.0;
        let about = |axis: DVec3, degrees: f64| {
            let v = axis * libm::sin(half(degrees));
            DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(half(degrees)))
        };
        about(DVec3::X, x) * about(DVec3::Y, y) * about(DVec3::Z, z)
    };
    let channel = |(number, (name, ..)): (usize, &(String, Option<u32>, DVec3))| {
        let (x, y, z) = match name.as_str() {
            "upper_arm.L" => (100.0, -75.0, 60.0),
            "upper_arm.R" => (100.0, 75.0, -60.0),
            "forearm.L" => (0.0, -110.0, 40.0),
            "forearm.R" => (0.0, 110.0, -40.0),
            _ => return None,
        };
        let keys = [DQuat::IDENTITY, turned(x, y, z), DQuat::IDENTITY];
        let numbers = |key: &DQuat| key.to_array().map(|number| number as f32);
        Some(Channel {
            node: number + 1,
            property: Property::Rotation,
            interpolation: Interpolation::Linear,
            times: vec![0.0, 1.0, 2.0],
            values: keys.iter().flat_map(numbers).collect(),
        })
    };
    Clip {
        name: "salute".into(),
        duration_secs: 2.0,
        channels: joints.iter().enumerate().filter_map(channel).collect(),
    }
}

fn surface(joints: &[(String, Option<u32>, DVec3)]) -> Primitive {
    let mut body = Body::default();
    let number = |name: &str| joints.iter().position(|(other, ..)| other == name).unwrap_or(0);
    let place = |name: &str| joints[number(name)].2;
    let block = |body: &mut Body, name: &str, [from, to]: [DVec3; 2], half: [f64; 2], color| {
        let joint = number(name);
        body.tube(&[Ring { at: from, joint }, Ring { at: to, joint }], half, color);
    };
    let up = |y: f64| DVec3::new(0.0, y, 0.0);
    block(&mut body, "hips", [up(0.82), up(0.98)], [0.17, 0.1], STEEL);
    block(&mut body, "spine", [up(1.0), up(1.46)], [0.2, 0.12], ORANGE);
    block(&mut body, "head", [up(1.5), up(1.76)], [0.11, 0.11], STEEL);
    for side in ["L", "R"] {
        let named = |name: &str| format!("{name}.{side}");
        let out = if side == "L" { DVec3::X } else { DVec3::NEG_X };
        let arm = ["upper_arm", "forearm", "hand"].map(named);
        let end = place(&arm[2]) + out * 0.16;
        body.tube(
            &limb(&arm.each_ref().map(|name| (number(name), place(name))), end, side == "R"),
            [0.055, 0.055],
            ORANGE,
        );
        let leg = ["thigh", "shin"].map(named);
        let end = place(&named("foot")) + DVec3::Y * 0.02;
        body.tube(
            &limb(&leg.each_ref().map(|name| (number(name), place(name))), end, side == "R"),
            [0.075, 0.075],
            STEEL,
        );
        let foot = DVec3::new(place(&named("foot")).x, 0.04, 0.0);
        block(
            &mut body,
            &named("foot"),
            [foot + DVec3::NEG_Z * 0.08, foot + DVec3::Z * 0.18],
            [0.07, 0.04],
            ORANGE,
        );
    }
    body.finish()
}

/// The rings of a limb. Without relief vertices there is one at each joint, which follows it; with them there is one on either
/// side of each joint, which follows the joint of that side.
fn limb(joints: &[(usize, DVec3)], end: DVec3, has_relief: bool) -> Vec<Ring> {
    let mut rings = vec![Ring { at: joints[0].1, joint: joints[0].0 }];
    for pair in joints.windows(2) {
        let [(above, from), (below, at)] = [pair[0], pair[1]];
        let along = (at - from).normalize() * RELIEF;
        match has_relief {
            true => {
                rings.extend([Ring { at: at - along, joint: above }, Ring { at: at + along, joint: below }])
            }
            false => rings.push(Ring { at, joint: below }),
        }
    }
    let last = joints[joints.len() - 1].0;
    rings.push(Ring { at: end, joint: last });
    rings
}

/// A surface of flat faces, each with vertices that no other face has.
#[derive(Default)]
struct Body {
    primitive: Primitive,
    normals: Vec<[f32; 3]>,
    colors: Vec<[f32; 4]>,
    span: Span,
}

impl Body {
    /// Adds a tube of square cross-section through rings, with both ends closed.
    fn tube(&mut self, rings: &[Ring], [half_width, half_depth]: [f64; 2], color: [f32; 4]) {
        let (first, last) = (&rings[0], &rings[rings.len() - 1]);
        let along = (last.at - first.at).normalize();
        // Width goes to the side of what stands or lies, and up for what points to a side.
        let across = if along.x.abs() > 0.5 { DVec3::Y } else { DVec3::X };
        let depth = along.cross(across);
        let corners = |ring: &Ring| {
            [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
                .map(|(a, b)| ring.at + across * (a * half_width) + depth * (b * half_depth))
        };
        for pair in rings.windows(2) {
            let [lower, upper] = [corners(&pair[0]), corners(&pair[1])];
            for side in 0..4 {
                let next = (side + 1) % 4;
                let quad = [lower[side], lower[next], upper[next], upper[side]];
                let of = [pair[0].joint, pair[0].joint, pair[1].joint, pair[1].joint];
                self.quad(quad, of, color);
            }
        }
        let [a, b, c, d] = corners(first);
        self.quad([d, c, b, a], [first.joint; 4], color);
        self.quad(corners(last), [last.joint; 4], color);
    }

    fn quad(&mut self, corners: [DVec3; 4], joints: [usize; 4], color: [f32; 4]) {
        let normal = (corners[1] - corners[0]).cross(corners[3] - corners[0]).normalize();
        let start = self.primitive.positions.len() as u32;
        for (corner, joint) in corners.into_iter().zip(joints) {
            self.primitive.positions.push(corner.as_vec3().to_array());
            self.normals.push(normal.as_vec3().to_array());
            self.colors.push(color);
            self.span.joints.push([joint as i32, 0, 0, 0]);
            self.span.weights.push([1.0, 0.0, 0.0, 0.0]);
        }
        self.primitive.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| start + corner));
    }

    fn finish(self) -> Primitive {
        Primitive {
            normals: Some(self.normals),
            colors: Some(self.colors),
            influences: Some(Influences { spans: vec![self.span] }),
            material: Some(0),
            ..self.primitive
        }
    }
}
