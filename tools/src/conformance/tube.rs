//! The figure of most rigs: a tapered tube along y on a chain of joints, with a clip that bends and twists it. A recipe changes
//! what it is about, and may edit the file's JSON afterwards.

use serde_json::json;

use super::gltf::{F32, Gltf, U8, U16, bytes_of, shorts_of};

/// The vertices of a ring, and the times of keys.
pub const AROUND: usize = 4;
pub const TIMES: [f32; 3] = [0.0, 0.5, 1.0];

/// The nodes: the mesh's, and the first joint's.
pub const BODY: usize = 0;
pub const JOINT: usize = 1;

/// A rotation, in xyzw.
pub type Quat = [f32; 4];

/// A joint of the chain, which is also a node of the file.
#[derive(Clone, Debug)]
pub struct Joint {
    pub name: String,
    /// The number of its parent among the joints.
    pub parent: Option<usize>,
    pub translation: [f32; 3],
    /// Its rotations at [`TIMES`], if the clip turns it.
    pub turns: Option<[Quat; 3]>,
}

/// The tube, and how its file stores it.
#[derive(Clone, Debug)]
pub struct Tube {
    pub positions: Vec<[f32; 3]>,
    pub normals: Option<Vec<[f32; 3]>>,
    pub tangents: Option<Vec<[f32; 4]>>,
    pub triangles: Vec<u16>,
    /// Joints and weights of each vertex, in the order of the file.
    pub influences: Vec<Vec<(u16, f32)>>,
    pub joints: Vec<Joint>,
    /// The component types of joints and weights.
    pub joint_type: u32,
    pub weight_type: u32,
    pub has_inverse_binds: bool,
}

/// The height of the tube.
const HEIGHT: f64 = 1.5;

impl Tube {
    /// Seven rings on a chain of joints, with this many influences a vertex.
    pub fn new(joints: usize, influences: usize) -> Self {
        Self::with_rings(7, joints, influences)
    }

    /// As many rings as given.
    pub fn with_rings(rings: usize, joints: usize, influences: usize) -> Self {
        // Sums of such steps are exact.
        let step = (HEIGHT / joints as f64 * 1024.0).round() / 1024.0;
        let at = |joint: usize| step * joint as f64;
        let mut tube = Self {
            positions: Vec::new(),
            normals: Some(Vec::new()),
            tangents: None,
            triangles: Vec::new(),
            influences: Vec::new(),
            joints: (0..joints).map(|joint| chain(joint, joints, step)).collect(),
            joint_type: U8,
            weight_type: F32,
            has_inverse_binds: true,
        };
        for ring in 0..rings {
            let y = HEIGHT * ring as f64 / (rings - 1) as f64;
            let wide = 0.25 - 0.0625 * y;
            for [x, z] in [[1.0, 0.0], [0.0, 0.75], [-1.0, 0.0], [0.0, -0.75]] {
                tube.positions.push([(wide * x) as f32, y as f32, (wide * z) as f32]);
                let normal = unit([x, 0.0625, z / 0.75]);
                tube.normals.get_or_insert_default().push(normal.map(|value| value as f32));
                let near = |joint: usize| 1.0 / ((y - at(joint) - 0.5 * step).abs() + 0.25);
                tube.influences.push(shared((0..joints).map(near).collect(), influences));
            }
        }
        for ring in 0..rings - 1 {
            for side in 0..AROUND {
                let corner = |up: usize, on: usize| ((ring + up) * AROUND + (side + on) % AROUND) as u16;
                let [a, b, c, d] = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
                tube.triangles.extend([a, d, b, b, d, c]);
            }
        }
        tube
    }

    /// The file.
    pub fn file(&self) -> Gltf {
        let mut file = Gltf::default();
        self.add_mesh(&mut file);
        file.push("nodes", json!({"name": "body", "mesh": 0, "skin": 0}));
        for (number, joint) in self.joints.iter().enumerate() {
            let mut node = json!({"name": joint.name, "translation": joint.translation});
            let children = self.joints.iter().enumerate().filter(|(_, child)| child.parent == Some(number));
            let children: Vec<usize> = children.map(|(child, _)| JOINT + child).collect();
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            file.push("nodes", node);
        }
        let roots = self.joints.iter().enumerate().filter(|(_, joint)| joint.parent.is_none());
        let roots: Vec<usize> = [BODY].into_iter().chain(roots.map(|(root, _)| JOINT + root)).collect();
        file.push("scenes", json!({"nodes": roots}));
        file.json["scene"] = json!(0);
        self.add_skin(&mut file);
        self.add_clip(&mut file);
        file
    }

    /// The attributes of [`Self::file`]'s primitive.
    fn add_mesh(&self, file: &mut Gltf) {
        let mut attributes = json!({"POSITION": file.bounded("VEC3", self.positions.as_flattened())});
        if let Some(normals) = &self.normals {
            attributes["NORMAL"] = json!(file.floats("VEC3", normals.as_flattened()));
        }
        if let Some(tangents) = &self.tangents {
            attributes["TANGENT"] = json!(file.floats("VEC4", tangents.as_flattened()));
        }
        attributes["TEXCOORD_0"] = json!(file.floats("VEC2", texcoords(self.positions.len()).as_flattened()));
        for set in 0..self.sets() {
            let (joints, weights) = (self.joints_of(set), self.weights_of(set));
            attributes[format!("JOINTS_{set}")] = json!(file.accessor("VEC4", self.joint_type, &joints));
            let accessor = file.accessor("VEC4", self.weight_type, &weights);
            if self.weight_type != F32 {
                file.json["accessors"][accessor]["normalized"] = json!(true);
            }
            attributes[format!("WEIGHTS_{set}")] = json!(accessor);
        }
        let indices = file.accessor("SCALAR", U16, &shorts_of(&self.triangles));
        let primitive = json!({"attributes": attributes, "indices": indices});
        file.push("meshes", json!({"name": "body", "primitives": [primitive]}));
    }

    /// The number of sets that the influences take.
    fn sets(&self) -> usize {
        self.influences.iter().map(Vec::len).max().unwrap_or(0).div_ceil(4)
    }

    /// A set of four joints a vertex.
    pub fn joints_of(&self, set: usize) -> Vec<u8> {
        let joint = |of: &Vec<(u16, f32)>, slot: usize| of.get(4 * set + slot).map_or(0, |(joint, _)| *joint);
        let all = self.influences.iter().flat_map(|of| (0..4).map(move |slot| joint(of, slot)));
        match self.joint_type {
            U8 => all.map(|joint| joint as u8).collect(),
            _ => shorts_of(&all.collect::<Vec<u16>>()),
        }
    }

    /// A set of four weights a vertex. Integers sum to the largest one over all sets, if the weights sum to 1.
    pub fn weights_of(&self, set: usize) -> Vec<u8> {
        let whole = match self.weight_type {
            U8 => 255.0,
            U16 => 65535.0,
            _ => {
                let weight = |of: &Vec<(u16, f32)>, slot: usize| {
                    of.get(4 * set + slot).map_or(0.0, |(_, weight)| *weight)
                };
                let all = self.influences.iter().flat_map(|of| (0..4).map(move |slot| weight(of, slot)));
                return bytes_of(&all.collect::<Vec<f32>>());
            }
        };
        let stored = self.influences.iter().flat_map(|of| {
            let all = parts(of, whole);
            (0..4).map(move |slot| all.get(4 * set + slot).copied().unwrap_or(0))
        });
        match self.weight_type {
            U8 => stored.map(|weight| weight as u8).collect(),
            _ => shorts_of(&stored.map(|weight| weight as u16).collect::<Vec<u16>>()),
        }
    }

    /// Adds the skin. Joints only move, so inverse bind matrices move back.
    fn add_skin(&self, file: &mut Gltf) {
        let joints: Vec<usize> = (0..self.joints.len()).map(|joint| JOINT + joint).collect();
        file.push("skins", json!({"joints": joints}));
        if self.has_inverse_binds {
            let matrices: Vec<f32> =
                (0..joints.len()).flat_map(|joint| moved(self.place(joint).map(|v| -v))).collect();
            file.json["skins"][0]["inverseBindMatrices"] = json!(file.floats("MAT4", &matrices));
        }
    }

    /// The joint's place in the bind pose.
    pub fn place(&self, joint: usize) -> [f32; 3] {
        let Joint { parent, translation, .. } = &self.joints[joint];
        let below = parent.map_or([0.0; 3], |parent| self.place(parent));
        [0, 1, 2].map(|axis| below[axis] + translation[axis])
    }

    fn add_clip(&self, file: &mut Gltf) {
        let turning = self.joints.iter().enumerate().filter_map(|(joint, of)| Some((joint, of.turns?)));
        let turning: Vec<(usize, [Quat; 3])> = turning.collect();
        if turning.is_empty() {
            return;
        }
        let input = file.bounded("SCALAR", &TIMES);
        file.push("animations", json!({"name": "bend", "channels": [], "samplers": []}));
        for (joint, turns) in turning {
            let output = file.floats("VEC4", turns.as_flattened());
            add_channel(file, JOINT + joint, "rotation", json!({"input": input, "output": output}));
        }
    }
}

/// Adds a channel with its sampler to the first clip.
pub fn add_channel(file: &mut Gltf, node: usize, path: &str, sampler: serde_json::Value) {
    let clip = &mut file.json["animations"][0];
    let samplers = clip["samplers"].as_array_mut().expect("the clip has samplers");
    samplers.push(sampler);
    let sampler = samplers.len() - 1;
    let channels = clip["channels"].as_array_mut().expect("the clip has channels");
    channels.push(json!({"sampler": sampler, "target": {"node": node, "path": path}}));
}

/// A joint of a chain. The first turns about y and tilts, the others bend and twist, together by about a right angle.
fn chain(joint: usize, joints: usize, step: f64) -> Joint {
    let step = step as f32;
    let part = 1.0 / joints as f64;
    let axis = [[0.0, 1.0, 0.25], [0.25, 0.25, 1.0], [1.0, 0.5, -0.25]][joint % 3];
    let degrees = if joint == 0 { 30.0 } else { 180.0 * part };
    Joint {
        name: format!("joint-{joint}"),
        parent: joint.checked_sub(1),
        translation: if joint == 0 { [0.0; 3] } else { [0.0, step, 0.0] },
        turns: Some([0.0, 0.5, 1.0].map(|of| turn(axis, degrees * of))),
    }
}

/// The rotation about an axis.
pub fn turn(axis: [f64; 3], degrees: f64) -> Quat {
    let half = 0.5 * degrees.to_radians();
    let (sin, cos) = (libm::sin(half), libm::cos(half));
    let [x, y, z] = unit(axis).map(|value| (value * sin) as f32);
    [x, y, z, cos as f32]
}

/// The vector of length 1.
pub fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.map(|value| value * value).iter().sum::<f64>().sqrt();
    v.map(|value| value / length)
}

/// A matrix that moves, by columns.
pub fn moved([x, y, z]: [f32; 3]) -> [f32; 16] {
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
}

/// The heaviest of these shares, heaviest first, as multiples of 2⁻¹⁶ that sum to 1.
pub fn shared(shares: Vec<f64>, most: usize) -> Vec<(u16, f32)> {
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]).then(a.cmp(b)));
    order.truncate(most);
    let sum: f64 = order.iter().map(|joint| shares[*joint]).sum();
    let weights: Vec<f32> = order.iter().map(|joint| (shares[*joint] / sum) as f32).collect();
    let of: Vec<(u16, f32)> = order.iter().map(|joint| *joint as u16).zip(weights).collect();
    let parts = parts(&of, 65536.0);
    of.iter().zip(parts).map(|((joint, _), part)| (*joint, part as f32 / 65536.0)).collect()
}

/// The weights in parts of a whole. The heaviest takes what rounding leaves.
fn parts(of: &[(u16, f32)], whole: f64) -> Vec<u32> {
    let sum: f64 = of.iter().map(|(_, weight)| f64::from(*weight)).sum();
    let mut parts: Vec<f64> = of.iter().map(|(_, weight)| (f64::from(*weight) * whole).round()).collect();
    let heaviest = (0..of.len()).reduce(|a, b| if of[b].1 > of[a].1 { b } else { a });
    if let Some(heaviest) = heaviest {
        parts[heaviest] += (whole * sum).round() - parts.iter().sum::<f64>();
    }
    parts.into_iter().map(|part| part as u32).collect()
}

/// Texture coordinates by which each vertex can be told from all others.
pub fn texcoords(count: usize) -> Vec<[f32; 2]> {
    (0..count).map(|vertex| [((vertex as f64 + 0.5) / count as f64) as f32, 0.5]).collect()
}
