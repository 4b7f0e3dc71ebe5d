//! Assigns each point of the figure to a bone, before weights are smoothed, and measures its distance.

use glam::DVec3;

use super::skeleton::Skeleton;

/// A segment that belongs to a joint; thick parts have several.
struct Bone {
    joint: usize,
    from: DVec3,
    to: DVec3,
    /// Points behind this plane (point, direction) belong to another bone.
    gate: Option<(DVec3, DVec3)>,
}

/// The bones of the whole figure.
pub struct Territories {
    bones: Vec<Bone>,
}

/// Extra segments in thick parts, left side: the joint, from, to.
const FILLINGS: [(&str, [f64; 3], [f64; 3]); 14] = [
    ("hips", [0.0, 0.93, 0.0], [0.085, 0.99, 0.0]),
    ("hips", [0.0, 0.90, 0.0], [0.0, 1.0, 0.0]),
    ("hips", [0.02, 0.96, -0.04], [0.075, 0.965, -0.05]),
    ("spine_01", [0.07, 1.075, 0.0], [0.07, 1.165, 0.0]),
    ("spine_02", [0.07, 1.180, 0.0], [0.08, 1.280, 0.0]),
    ("spine_03", [0.09, 1.300, 0.0], [0.09, 1.390, 0.0]),
    ("spine_03", [0.09, 1.310, -0.05], [0.08, 1.400, -0.06]),
    ("spine_03", [0.06, 1.320, 0.05], [0.07, 1.390, 0.05]),
    ("head", [0.0, 1.600, 0.0], [0.0, 1.600, 0.07]),
    ("head", [0.04, 1.620, 0.0], [0.035, 1.620, 0.05]),
    ("head", [0.0, 1.70, -0.05], [0.0, 1.70, 0.05]),
    ("head", [0.0, 1.645, -0.04], [0.0, 1.67, -0.06]),
    ("foot", [0.125, 0.045, -0.03], [0.122, 0.045, -0.05]),
    ("foot", [0.13, 0.03, 0.0], [0.148, 0.026, 0.09]),
];

/// Planes that end a territory, left side: where a limb begins. Point, direction into the limb.
const GATES: [(&str, [f64; 3], [f64; 3]); 5] = [
    ("upper_arm", [0.172, 1.415, -0.02], [1.0, -0.12, 0.0]),
    ("thigh", [0.080, 0.945, 0.0], [0.35, -1.0, 0.10]),
    ("clavicle", [0.050, 1.400, 0.0], [0.25, 1.0, 0.0]),
    ("neck", [0.0, 1.475, 0.0], [0.0, 1.0, 0.10]),
    ("toe", [0.148, 0.0, 0.095], [0.12, 0.0, 1.0]),
];

impl Territories {
    /// The territories of the skeleton's joints.
    pub fn new(skeleton: &Skeleton) -> Self {
        let mut bones = Vec::new();
        for (joint, j) in skeleton.joints.iter().enumerate() {
            let plain = j.name.trim_end_matches(".L").trim_end_matches(".R");
            let right = j.name.ends_with(".R");
            let mirror = DVec3::new(if right { -1.0 } else { 1.0 }, 1.0, 1.0);
            let gate = GATES.iter().find(|(name, ..)| *name == plain);
            let gate = gate.map(|&(_, at, into)| (mirror * DVec3::from(at), mirror * DVec3::from(into)));
            if plain == "root" {
                continue;
            }
            bones.push(Bone { joint, from: j.at, to: j.tip, gate });
            if plain == "hand" {
                // The palm is as wide as its knuckles.
                for k in skeleton.joints.iter().filter(|k| k.parent == Some(joint)) {
                    let end = k.at.lerp(j.at, 0.12);
                    let to = if k.name.starts_with("thumb") { k.at.lerp(j.at, 0.4) } else { end };
                    bones.push(Bone { joint, from: j.at, to, gate: None });
                }
            }
            for &(_, from, to) in FILLINGS.iter().filter(|(name, ..)| *name == plain) {
                let sides: &[f64] = if j.name.contains('.') { &[mirror.x] } else { &[1.0, -1.0] };
                for &x in sides {
                    let flip = DVec3::new(x, 1.0, 1.0);
                    let (from, to) = (flip * DVec3::from(from), flip * DVec3::from(to));
                    bones.push(Bone { joint, from, to, gate });
                }
            }
        }
        Self { bones }
    }

    /// The joint of a point, and the distance to its nearest bone.
    pub fn home(&self, p: DVec3) -> (usize, f64) {
        let mut best = (0, f64::INFINITY);
        for bone in &self.bones {
            if bone.gate.is_some_and(|(at, into)| (p - at).dot(into) < 0.0) {
                continue;
            }
            let axis = bone.to - bone.from;
            let t = ((p - bone.from).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
            let d = (p - bone.from - axis * t).length();
            if d < best.1 {
                best = (bone.joint, d);
            }
        }
        // A bone may touch the surface; heat must not become infinite there.
        (best.0, best.1.max(0.004))
    }
}
