//! Stances of the figure: turns of joints in degrees, and the places of the hips and the feet.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};

use super::super::skeleton::Skeleton;
use super::leg;

/// Left or right; left is where x is positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The figure's left.
    L,
    /// The figure's right.
    R,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::L, Self::R];

    /// 1 on the left, −1 on the right.
    pub fn sign(self) -> f64 {
        if self == Self::L { 1.0 } else { -1.0 }
    }

    fn suffix(self) -> &'static str {
        if self == Self::L { ".L" } else { ".R" }
    }
}

/// The place of a foot, relative to the bind pose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Foot {
    /// Offset of the ankle in metres; x is outward.
    pub offset: DVec3,
    /// Toes outward, degrees.
    pub yaw: f64,
    /// Toes up, degrees.
    pub pitch: f64,
    /// 0: the leg reaches for the foot; 1: the leg's own turns count and the foot follows them.
    pub free: f64,
}

/// A stance. Turns are flex (about x), twist (about y, the bone), side (about z), in degrees; the right side
/// mirrors them, so that equal numbers look alike.
#[derive(Clone, Debug, Default)]
pub struct Stance {
    turns: BTreeMap<String, [f64; 3]>,
    /// Offset of the hips in metres.
    pub hips: DVec3,
    /// Left and right foot.
    pub feet: [Foot; 2],
}

impl Stance {
    /// Turns a joint in the middle.
    pub fn turn(&mut self, joint: &str, flex: f64, twist: f64, side: f64) -> &mut Self {
        self.turns.insert(joint.into(), [flex, twist, side]);
        self
    }

    /// Turns a joint of one side.
    pub fn limb(&mut self, on: Side, joint: &str, flex: f64, twist: f64, side: f64) -> &mut Self {
        self.turns.insert(format!("{joint}{}", on.suffix()), [flex, twist, side]);
        self
    }

    /// Turns a joint on both sides.
    pub fn both(&mut self, joint: &str, flex: f64, twist: f64, side: f64) -> &mut Self {
        for on in Side::BOTH {
            self.limb(on, joint, flex, twist, side);
        }
        self
    }

    /// Adds to a joint's turn.
    pub fn add(&mut self, joint: &str, by: [f64; 3]) -> &mut Self {
        let turn = self.turns.entry(joint.into()).or_default();
        *turn = std::array::from_fn(|k| turn[k] + by[k]);
        self
    }

    /// Bends all fingers of a hand: 0 straight as bound, 1 a fist. The thumb folds over last.
    pub fn fist(&mut self, on: Side, curl: f64) -> &mut Self {
        for (name, lag) in [("index", 0.0), ("middle", 0.04), ("ring", 0.08), ("pinky", 0.10)] {
            let curl = curl + lag * (1.0 - curl) * curl.signum();
            // Spread fingers come together as they close.
            let close = match name {
                "index" => -6.0,
                "ring" => 6.0,
                "pinky" => 11.0,
                _ => 0.0,
            } * curl.clamp(0.0, 1.0);
            self.limb(on, &format!("{name}_01"), 72.0 * curl, 0.0, close);
            self.limb(on, &format!("{name}_02"), 88.0 * curl, 0.0, 0.0);
            self.limb(on, &format!("{name}_03"), 58.0 * curl, 0.0, 0.0);
        }
        self.limb(on, "thumb_01", 24.0 * curl, 0.0, 0.0);
        self.limb(on, "thumb_02", 34.0 * curl, 0.0, 0.0);
        self.limb(on, "thumb_03", 46.0 * curl, 0.0, 0.0)
    }

    /// Bends the fingers of both hands.
    pub fn fists(&mut self, curl: f64) -> &mut Self {
        self.fist(Side::L, curl).fist(Side::R, curl)
    }

    /// A stance between two.
    pub fn mix(&self, other: &Self, t: f64) -> Self {
        let mut mixed = Self::default();
        let zero = [0.0; 3];
        for joint in self.turns.keys().chain(other.turns.keys()) {
            let a = self.turns.get(joint).unwrap_or(&zero);
            let b = other.turns.get(joint).unwrap_or(&zero);
            // For a leg that reaches for the floor in only one stance, the other stance's turns count: the
            // reaching leg does not depend on turns.
            let of_leg = ["thigh", "shin", "foot"].iter().any(|leg| joint.starts_with(leg));
            let side = usize::from(joint.ends_with(".R"));
            let t = match (of_leg, self.feet[side].free, other.feet[side].free) {
                (true, 0.0, 1.0) => 1.0,
                (true, 1.0, 0.0) => 0.0,
                _ => t,
            };
            mixed.turns.insert(joint.clone(), std::array::from_fn(|k| a[k] + (b[k] - a[k]) * t));
        }
        mixed.hips = self.hips.lerp(other.hips, t);
        for k in 0..2 {
            let (a, b) = (&self.feet[k], &other.feet[k]);
            let between = |a: f64, b: f64| a + (b - a) * t;
            mixed.feet[k] = Foot {
                offset: a.offset.lerp(b.offset, t),
                yaw: between(a.yaw, b.yaw),
                pitch: between(a.pitch, b.pitch),
                free: between(a.free, b.free),
            };
        }
        mixed
    }

    /// The joints' turns in their parents.
    pub fn pose(&self, skeleton: &Skeleton) -> Pose {
        let mut local = rest(skeleton);
        for (name, &[flex, twist, side]) in &self.turns {
            let sign = if name.ends_with(".R") { -1.0 } else { 1.0 };
            let turn = about(DVec3::X, flex) * about(DVec3::Z, side * sign) * about(DVec3::Y, twist * sign);
            let joint = skeleton.joint(name);
            local[joint] *= turn;
        }
        let mut pose = Pose { local, hips: self.hips };
        for (foot, on) in self.feet.iter().zip(Side::BOTH) {
            if foot.free < 1.0 {
                leg::reach(&mut pose, skeleton, on, foot, self.turns.get(&format!("thigh{}", on.suffix())));
            }
        }
        pose
    }
}

/// A resolved stance: each joint's rotation in its parent, and the hips' offset.
pub struct Pose {
    /// Rotation in the parent.
    pub local: Vec<DQuat>,
    /// Offset of the hips.
    pub hips: DVec3,
}

impl Pose {
    /// Position and rotation of a joint in the world.
    pub fn world(&self, skeleton: &Skeleton, joint: usize) -> (DVec3, DQuat) {
        let j = &skeleton.joints[joint];
        let Some(parent) = j.parent else {
            return (j.at, self.local[joint]);
        };
        let (at, rotation) = self.world(skeleton, parent);
        let p = &skeleton.joints[parent];
        let mut offset = p.rotation().inverse() * (j.at - p.at);
        if j.name == "hips" {
            offset += p.rotation().inverse() * self.hips;
        }
        (at + rotation * offset, rotation * self.local[joint])
    }
}

/// Each joint's rotation in its parent in the bind pose.
pub fn rest(skeleton: &Skeleton) -> Vec<DQuat> {
    let parent = |p: usize| skeleton.joints[p].rotation().inverse();
    skeleton.joints.iter().map(|j| j.parent.map_or(DQuat::IDENTITY, parent) * j.rotation()).collect()
}

/// A turn about an axis, in degrees.
pub fn about(axis: DVec3, degrees: f64) -> DQuat {
    let half = degrees.to_radians() / 2.0;
    let v = axis * libm::sin(half);
    DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(half))
}
