//! The skeleton of the figure: positions, names and axes of its joints.

use glam::{DMat3, DQuat, DVec3};

use super::fingers::{FINGERS, left_finger, left_hand_axes};

/// One joint in the bind pose.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name; sides end in `.L` and `.R`.
    pub name: String,
    /// Index of the parent.
    pub parent: Option<usize>,
    /// Position in the world.
    pub at: DVec3,
    /// The end of the bone.
    pub tip: DVec3,
    /// Axes in the world: y along the bone, z where a turn about +x moves it.
    pub axes: DMat3,
}

impl Joint {
    /// The joint's rotation in the world.
    pub fn rotation(&self) -> DQuat {
        quat(self.axes)
    }
}

/// All joints, parents first.
#[derive(Clone, Debug)]
pub struct Skeleton {
    /// The joints.
    pub joints: Vec<Joint>,
}

/// A joint as a row: name, parent, position, tip, and the direction it flexes towards.
type Row = (&'static str, &'static str, [f64; 3], [f64; 3], [f64; 3]);

const UP: [f64; 3] = [0.0, 1.0, 0.0];
const FORWARD: [f64; 3] = [0.0, 0.0, 1.0];
const BACKWARD: [f64; 3] = [0.0, 0.0, -1.0];

/// Shoulder, elbow, wrist; hip, knee, ankle, ball, toe of the left side.
pub mod left {
    /// Inner end of the collar bone.
    pub const CLAVICLE: [f64; 3] = [0.022, 1.432, 0.018];
    /// Shoulder joint.
    pub const SHOULDER: [f64; 3] = [0.176, 1.428, -0.022];
    /// Elbow.
    pub const ELBOW: [f64; 3] = [0.384, 1.236, -0.030];
    /// Wrist.
    pub const WRIST: [f64; 3] = [0.568, 1.062, 0.004];
    /// Hip joint.
    pub const HIP: [f64; 3] = [0.092, 0.945, -0.002];
    /// Knee.
    pub const KNEE: [f64; 3] = [0.116, 0.510, 0.006];
    /// Ankle.
    pub const ANKLE: [f64; 3] = [0.132, 0.090, -0.028];
    /// Ball of the foot.
    pub const BALL: [f64; 3] = [0.148, 0.026, 0.098];
    /// Tip of the toes.
    pub const TOE: [f64; 3] = [0.158, 0.026, 0.182];
}

const CENTER: [Row; 7] = [
    ("root", "", [0.0, 0.0, 0.0], [0.0, 0.2, 0.0], FORWARD),
    ("hips", "root", [0.0, 0.975, -0.004], [0.0, 1.065, -0.006], FORWARD),
    ("spine_01", "hips", [0.0, 1.065, -0.006], [0.0, 1.175, -0.010], FORWARD),
    ("spine_02", "spine_01", [0.0, 1.175, -0.010], [0.0, 1.290, -0.020], FORWARD),
    ("spine_03", "spine_02", [0.0, 1.290, -0.020], [0.0, 1.470, -0.030], FORWARD),
    ("neck", "spine_03", [0.0, 1.470, -0.030], [0.0, 1.575, -0.006], FORWARD),
    ("head", "neck", [0.0, 1.575, -0.006], [0.0, 1.800, 0.0], FORWARD),
];

const SIDE: [Row; 7] = [
    ("clavicle", "spine_03", left::CLAVICLE, left::SHOULDER, UP),
    ("upper_arm", "clavicle", left::SHOULDER, left::ELBOW, FORWARD),
    ("forearm", "upper_arm", left::ELBOW, left::WRIST, FORWARD),
    ("thigh", "hips", left::HIP, left::KNEE, FORWARD),
    ("shin", "thigh", left::KNEE, left::ANKLE, BACKWARD),
    ("foot", "shin", left::ANKLE, left::BALL, UP),
    ("toe", "foot", left::BALL, left::TOE, UP),
];

/// The whole skeleton in the bind pose.
pub fn skeleton() -> Skeleton {
    let mut s = Skeleton { joints: Vec::new() };
    for (name, parent, at, tip, flex) in CENTER {
        s.push(name.into(), parent, at.into(), tip.into(), flex.into());
    }
    for side in ["L", "R"] {
        let mirror = DVec3::new(if side == "L" { 1.0 } else { -1.0 }, 1.0, 1.0);
        let sided = |name: &str| format!("{name}.{side}");
        for (name, parent, at, tip, flex) in SIDE {
            let parent = if matches!(parent, "spine_03" | "hips") { parent.into() } else { sided(parent) };
            s.push(sided(name), &parent, mirror * DVec3::from(at), mirror * DVec3::from(tip), flex.into());
            if name != "forearm" {
                continue;
            }
            // The hand hangs between the arm's rows and the leg's.
            let axes = left_hand_axes();
            let wrist = DVec3::from(left::WRIST);
            let knuckle = mirror * (wrist + axes * DVec3::new(0.0, 0.095, 0.0));
            s.push(sided("hand"), &sided("forearm"), mirror * wrist, knuckle, mirror * axes.z_axis);
            for finger in &FINGERS {
                let (places, flex) = left_finger(finger);
                for bone in 0..3 {
                    let name = sided(&format!("{}_{:02}", finger.name, bone + 1));
                    let parent =
                        if bone == 0 { sided("hand") } else { sided(&format!("{}_{bone:02}", finger.name)) };
                    let (at, tip) = (mirror * places[bone], mirror * places[bone + 1]);
                    s.push(name, &parent, at, tip, mirror * flex[bone]);
                }
            }
        }
    }
    s
}

impl Skeleton {
    fn push(&mut self, name: String, parent: &str, at: DVec3, tip: DVec3, flex: DVec3) {
        // Whole micrometres, so that the file's numbers are short.
        let at = (at * 1e6).round() / 1e6;
        let y = (tip - at).normalize();
        let x = y.cross(flex).normalize();
        let axes = DMat3::from_cols(x, y, x.cross(y));
        self.joints.push(Joint { name, parent: self.find(parent), at, tip, axes });
    }

    /// The joint of that name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|j| j.name == name)
    }

    /// The joint of that name, which must exist.
    pub fn joint(&self, name: &str) -> usize {
        self.find(name).unwrap_or_else(|| unreachable!("no joint is called {name}"))
    }
}

/// The unit quaternion of a rotation matrix, by its largest component.
pub fn quat(m: DMat3) -> DQuat {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let squares = [x.x - y.y - z.z, y.y - x.x - z.z, z.z - x.x - y.y, x.x + y.y + z.z];
    let mut largest = 3;
    for k in 0..3 {
        if squares[k] > squares[largest] {
            largest = k;
        }
    }
    let v = (squares[largest] + 1.0).sqrt() / 2.0;
    let f = 0.25 / v;
    let q = match largest {
        0 => [v, (y.x + x.y) * f, (z.x + x.z) * f, (y.z - z.y) * f],
        1 => [(y.x + x.y) * f, v, (z.y + y.z) * f, (z.x - x.z) * f],
        2 => [(z.x + x.z) * f, (z.y + y.z) * f, v, (x.y - y.x) * f],
        _ => [(y.z - z.y) * f, (z.x - x.z) * f, (x.y - y.x) * f, v],
    };
    DQuat::from_array(q).normalize()
}
