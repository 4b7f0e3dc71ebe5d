//! Texture coordinates and tangents of the cloth wound around each limb, and the normal map of its padding.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use sinew_model::Picture;

use super::skeleton::{Skeleton, left};
use super::territory::Territories;

/// The width of a pad, in metres.
const PAD: f64 = 0.025;
/// The width and height of the padded part of the texture, in pads. To the right of the pads it is smooth.
const PADS: [f64; 2] = [24.0, 8.0];
/// Its width with the smooth part, in pads.
const WIDTH: f64 = 32.0;
/// The start of padded cloth in the texture, and the middle and width of the smooth part, in pads.
const PADDED: f64 = 2.0;
const SMOOTH: [f64; 2] = [28.0, 5.0];
/// Pixels of a pad.
const PIXELS: u32 = 16;
/// The depth of the stitches relative to the width of a pad.
const DEPTH: f64 = 0.16;

/// A limb to wind cloth around, on the left half.
struct Limb {
    origin: DVec3,
    /// Up the limb.
    axis: DVec3,
    /// The direction in which the cloth starts, perpendicular to the axis; its seam is half a turn from there.
    start: DVec3,
    /// True if it ends in the figure's middle, where its mirror image begins.
    is_half: bool,
    /// The number of pads that go around: a whole number, so that the seam does not show.
    pads: f64,
}

impl Limb {
    fn new(origin: DVec3, axis: DVec3, toward: DVec3, radius: f64) -> Self {
        let axis = axis.normalize();
        let start = (toward - axis * toward.dot(axis)).normalize();
        Self { origin, axis, start, is_half: false, pads: (TAU * radius / PAD).round() }
    }

    /// A limb on the middle plane; the left half of the figure has half of it.
    fn half(height: f64, behind: f64, radius: f64) -> Self {
        let origin = DVec3::new(0.0, height, -behind);
        Self { is_half: true, ..Self::new(origin, DVec3::Y, DVec3::Z, radius) }
    }

    /// The angle of a point around the limb, from −π to π.
    fn angle(&self, p: DVec3) -> f64 {
        let q = p - self.origin;
        libm::atan2(q.dot(self.axis.cross(self.start)), q.dot(self.start))
    }
}

/// A vertex's values for one of its triangles. Vertices with equal [`Corner::key`] can be one.
pub struct Corner {
    /// The texture coordinates.
    pub texcoord: [f32; 2],
    /// Along growing u, with the handedness in w.
    pub tangent: [f32; 4],
    /// The limb, whether it is padded, the side of the figure, and how often the cloth has passed its seam.
    pub key: (usize, bool, bool, i8),
}

/// The cloth of the whole figure.
pub struct Cloth {
    territories: Territories,
    /// The limb of each joint, for joints of hands.
    hands: Vec<Option<Limb>>,
    head: Limb,
    torso: Limb,
    leg: Limb,
    foot: Limb,
    arm: Limb,
}

/// The start of the cloth of head and torso, in metres above the ground.
const COLLAR: f64 = 1.500;
const BELT: f64 = 1.035;

impl Cloth {
    /// The cloth for a figure with these bones.
    pub fn new(skeleton: &Skeleton) -> Self {
        let [shoulder, wrist, hip, ankle, toe] =
            [left::SHOULDER, left::WRIST, left::HIP, left::ANKLE, left::TOE].map(DVec3::from);
        let hand_of = |joint: &super::skeleton::Joint| {
            let is_palm = joint.name == "hand.L";
            let is_hand = ["hand", "thumb", "index", "middle", "ring", "pinky"]
                .iter()
                .any(|part| joint.name.starts_with(part) && joint.name.ends_with(".L"));
            let radius = if is_palm { 0.030 } else { 0.009 };
            is_hand.then(|| Limb::new(joint.at, -joint.axes.y_axis, -joint.axes.z_axis, radius))
        };
        Self {
            territories: Territories::new(skeleton),
            hands: skeleton.joints.iter().map(hand_of).collect(),
            head: Limb::half(COLLAR, 0.005, 0.085),
            torso: Limb::half(BELT, 0.012, 0.140),
            leg: Limb::new(ankle, hip - ankle, DVec3::X, 0.075),
            foot: Limb::new(toe, ankle.with_y(toe.y) - toe, DVec3::Y, 0.045),
            arm: Limb::new(wrist, shoulder - wrist, DVec3::new(1.0, 1.0, 0.0), 0.052),
        }
    }

    /// The limb at a point of the left half, and its number.
    fn limb(&self, p: DVec3, part: Part) -> (usize, &Limb) {
        match part {
            Part::Head => (0, &self.head),
            Part::Torso => (1, &self.torso),
            Part::Leg => (2, &self.leg),
            Part::Foot => (3, &self.foot),
            Part::Arm => (4, &self.arm),
            Part::Hand => {
                let (joint, _) = self.territories.home(p);
                match self.hands.get(joint) {
                    Some(Some(limb)) => (5 + joint, limb),
                    _ => (4, &self.arm),
                }
            }
        }
    }

    /// The corners of a triangle, from its points and the surface's normals there.
    pub fn corners(
        &self,
        places: [DVec3; 3],
        normals: [DVec3; 3],
        wear: impl Fn(DVec3) -> (Part, bool),
    ) -> [Corner; 3] {
        let middle = (places[0] + places[1] + places[2]) / 3.0;
        let is_right = middle.x < 0.0;
        let side = DVec3::new(if is_right { -1.0 } else { 1.0 }, 1.0, 1.0);
        let (part, is_padded) = wear(middle * side);
        let (number, limb) = self.limb(middle * side, part);
        let about = limb.angle(middle * side);
        std::array::from_fn(|corner| {
            let (p, n) = (places[corner] * side, normals[corner] * side);
            let near = limb.angle(p);
            let turns = ((about - near) / TAU).round();
            let q = p - limb.origin;
            let along = q.dot(limb.axis);
            let tangent = tangent(limb, q - limb.axis * along, n) * side;
            // Half charts, which end in the figure's middle, start there.
            let around = near / TAU + turns + if limb.is_half { 0.0 } else { 0.5 };
            let column = match is_padded {
                true => PADDED + around * limb.pads,
                false => SMOOTH[0] + (near / TAU + turns) * SMOOTH[1],
            };
            Corner {
                // A texture's v points down.
                texcoord: [column / WIDTH, -along / PAD / PADS[1]].map(|part| part as f32),
                tangent: tangent.as_vec3().extend(if is_right { -1.0 } else { 1.0 }).to_array(),
                key: (number, is_padded, is_right, turns as i8),
            }
        })
    }
}

/// The part of the figure at a point of its left half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Above the collar.
    Head,
    /// From the collar to the belt.
    Torso,
    /// From the belt to the shoe.
    Leg,
    /// The shoe.
    Foot,
    /// From the shoulder to the cuff.
    Arm,
    /// Beyond the cuff.
    Hand,
}

/// Around the limb, perpendicular to the normal.
fn tangent(limb: &Limb, outward: DVec3, normal: DVec3) -> DVec3 {
    let flat = |along: DVec3| along - normal * normal.dot(along);
    let around = flat(limb.axis.cross(outward).normalize_or_zero());
    // Where the surface faces along the cloth, no direction in it goes around.
    let tangent =
        if around.length() > 0.05 { around } else { flat(limb.axis.cross(normal).normalize_or_zero()) };
    tangent.normalize_or(normal.any_orthonormal_vector())
}

/// The normal map: square pads between stitches, and a smooth part beside them.
pub fn padding() -> Picture {
    // In pads; a stitch is wherever one of the two is an integer.
    let height = |column: f64, row: f64| {
        let puff = |t: f64| libm::sqrt(libm::fabs(libm::sin(PI * t)));
        if (0.0..=PADS[0]).contains(&column) { DEPTH * puff(column) * puff(row) } else { 0.0 }
    };
    let step = 1.0 / f64::from(PIXELS);
    let [width, height_in_pixels] = [WIDTH, PADS[1]].map(|pads| pads as u32 * PIXELS);
    let mut rgba = Vec::new();
    for y in 0..height_in_pixels {
        for x in 0..width {
            let [column, row] = [x, y].map(|pixel| (f64::from(pixel) + 0.5) * step);
            let slope = |ahead: f64, behind: f64| (ahead - behind) / (2.0 * step);
            let along_u = slope(height(column + step, row), height(column - step, row));
            let along_v = slope(height(column, row + step), height(column, row - step));
            // The map's y points up in the texture, against v.
            let normal = DVec3::new(-along_u, along_v, 1.0).normalize();
            rgba.extend(normal.to_array().map(|part| (part * 127.0 + 127.5).round() as u8));
            rgba.push(255);
        }
    }
    Picture { width, height: height_in_pixels, rgba }
}
