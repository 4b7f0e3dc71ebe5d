//! The figure of most rigs: a tapered tube along y on a chain of joints, with a clip that bends and twists it. A recipe changes
//! what it is about, and may edit the file's JSON afterwards.

use super::gltf::{F32, U8};

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
    /// The joints in the order of the skin.
    pub skin_order: Vec<usize>,
    /// The first vertex's number and the number of all vertices, for texture coordinates, if the file has more vertices.
    pub numbers: Option<[usize; 2]>,
    /// The component types of joints and weights.
    pub joint_type: u32,
    pub weight_type: u32,
    pub binds: Binds,
}

/// The inverse bind matrices of a skin.
#[derive(Clone, Debug)]
pub enum Binds {
    /// Those that bind the joints where they are.
    Inverse,
    /// No matrices.
    None,
    /// These, by columns.
    Given(Vec<f32>),
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
            skin_order: (0..joints).collect(),
            numbers: None,
            joint_type: U8,
            weight_type: F32,
            binds: Binds::Inverse,
        };
        for ring in 0..rings {
            let y = HEIGHT * ring as f64 / (rings - 1) as f64;
            let wide = 0.25 - 0.0625 * y;
            for [x, z] in [[1.0, 0.0], [0.0, 0.75], [-1.0, 0.0], [0.0, -0.75]] {
                tube.positions.push([(wide * x) as f32, y as f32, (wide * z) as f32]);
                let normal = unit([x, 0.0625, z / 0.75]);
                tube.normals.get_or_insert_default().push(normal.map(|value| value as f32));
            }
        }
        let near = |y: f64, joint: usize| 1.0 / ((y - at(joint) - 0.5 * step).abs() + 0.25);
        tube.weigh(influences, |y| (0..joints).map(|joint| near(y, joint)).collect());
        for ring in 0..rings - 1 {
            for side in 0..AROUND {
                let corner = |up: usize, on: usize| ((ring + up) * AROUND + (side + on) % AROUND) as u16;
                let [a, b, c, d] = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
                tube.triangles.extend([a, d, b, b, d, c]);
            }
        }
        tube
    }

    /// Gives each vertex the heaviest of the joints' shares at its height.
    pub fn weigh(&mut self, most: usize, shares: impl Fn(f64) -> Vec<f64>) {
        self.influences =
            self.positions.iter().map(|[_, y, _]| shared(shares(f64::from(*y)), most)).collect();
    }

    /// The same without a clip.
    pub fn still(mut self) -> Self {
        self.joints.iter_mut().for_each(|joint| joint.turns = None);
        self
    }

    /// The same with one joint that turns about an axis to these angles, and no other.
    pub fn turning(self, joint: usize, axis: [f64; 3], degrees: [f64; 3]) -> Self {
        let mut tube = self.still();
        tube.joints[joint].turns = Some(degrees.map(|degrees| turn(axis, degrees)));
        tube
    }

    /// The joint's place in the bind pose.
    pub fn place(&self, joint: usize) -> [f32; 3] {
        let Joint { parent, translation, .. } = &self.joints[joint];
        let below = parent.map_or([0.0; 3], |parent| self.place(parent));
        [0, 1, 2].map(|axis| below[axis] + translation[axis])
    }
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
    let mut order: Vec<usize> = (0..shares.len()).filter(|joint| shares[*joint] > 0.0).collect();
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]).then(a.cmp(b)));
    order.truncate(most);
    let sum: f64 = order.iter().map(|joint| shares[*joint]).sum();
    let weights: Vec<f32> = order.iter().map(|joint| (shares[*joint] / sum) as f32).collect();
    let of: Vec<(u16, f32)> = order.iter().map(|joint| *joint as u16).zip(weights).collect();
    let parts = parts(&of, 65536.0);
    of.iter().zip(parts).map(|((joint, _), part)| (*joint, part as f32 / 65536.0)).collect()
}

/// The weights in parts of a whole. The heaviest takes what rounding leaves.
pub fn parts(of: &[(u16, f32)], whole: f64) -> Vec<u32> {
    let sum: f64 = of.iter().map(|(_, weight)| f64::from(*weight)).sum();
    let mut parts: Vec<f64> = of.iter().map(|(_, weight)| (f64::from(*weight) * whole).round()).collect();
    let heaviest = (0..of.len()).reduce(|a, b| if of[b].1 > of[a].1 { b } else { a });
    if let Some(heaviest) = heaviest {
        parts[heaviest] += (whole * sum).round() - parts.iter().sum::<f64>();
    }
    parts.into_iter().map(|part| part as u32).collect()
}

/// Texture coordinates by which each vertex can be told from all others.
pub fn texcoords(first: usize, count: usize, all: usize) -> Vec<[f32; 2]> {
    (first..first + count).map(|vertex| [((vertex as f64 + 0.5) / all as f64) as f32, 0.5]).collect()
}
