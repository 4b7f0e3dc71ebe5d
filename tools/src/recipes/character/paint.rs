//! Paints the figure: the colour of each point, the seams between colours, and the part of the figure it
//! belongs to. Patches share no vertices, so edges between colours are crisp.

use std::collections::HashMap;

use glam::DVec3;

use super::fingers::left_hand_axes;
use super::skeleton::left;
use super::surface::Surface;
use super::wrap::{Cloth, Part};

/// A signed field whose zero line is an edge between colours.
pub type Seam = Box<dyn Fn(DVec3) -> f64>;

/// Colours by name, as sRGB bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Dye {
    Porcelain,
    Navy,
    Coral,
    Graphite,
    White,
}

impl Dye {
    fn srgb(self) -> [u8; 3] {
        match self {
            Self::Porcelain => [232, 224, 212],
            Self::Navy => [30, 78, 116],
            Self::Coral => [240, 98, 56],
            Self::Graphite => [58, 64, 74],
            Self::White => [246, 244, 240],
        }
    }

    /// Linear, in whole 255ths, so that the file needs one byte for each.
    fn linear(self) -> [f32; 4] {
        let [r, g, b] = self.srgb().map(|c| {
            let c = f64::from(c) / 255.0;
            let linear = if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) };
            (linear * 255.0).round() as f32 / 255.0
        });
        [r, g, b, 1.0]
    }
}

/// A point of the left half in terms of limbs. All numbers are continuous, because a jump would be cut like a
/// seam.
struct Spot {
    p: DVec3,
    /// Positive on the arm and the hand.
    arm: f64,
    /// Metres along the upper arm.
    upper_arm: f64,
    /// Metres along the forearm; beyond [`FOREARM`] on the hand.
    forearm: f64,
    /// Metres from the middle of the line along the outside of the arm.
    beside_line: f64,
}

impl Spot {
    fn new(p: DVec3) -> Self {
        let p = DVec3::new(p.x.abs(), p.y, p.z);
        let (shoulder, elbow, wrist) =
            (DVec3::from(left::SHOULDER), DVec3::from(left::ELBOW), DVec3::from(left::WRIST));
        let along = (elbow - shoulder).normalize();
        let q = p - shoulder;
        let upper_arm = q.dot(along);
        let aside = (q - along * upper_arm).length();
        let hand = left_hand_axes();
        // On the inside of the arm, the line is as far away as the arm is thick.
        let inside = ((p - elbow).dot(hand.z_axis) * 4.0).max(0.0);
        Self {
            p,
            arm: (0.17 - aside).min(upper_arm - 0.03).min(p.x - 0.17),
            upper_arm,
            forearm: (p - elbow).dot((wrist - elbow).normalize()),
            beside_line: (p - elbow).dot(hand.x_axis).abs() + inside,
        }
    }

    /// Negative on the line along the outside of the arm.
    fn arm_line(&self) -> f64 {
        // It ends under the trim of the sleeve and under the cuff.
        (self.beside_line - LINE).max(SLEEVE - self.upper_arm).max(self.forearm - CUFF[1]).max(-self.arm)
    }

    /// Negative on the stripe along the side of the shorts.
    fn side_stripe(&self) -> f64 {
        let p = self.p;
        let beside = (p.z + 0.004).abs() - 0.014;
        beside.max(p.y - BELT).max(HEM - p.y).max(0.06 - p.x).max(self.arm)
    }

    /// Positive above the tilted plane around the neck.
    fn collar(&self) -> f64 {
        let aside = (self.p.x * self.p.x + 0.0004).sqrt() - 0.02;
        self.p.y - 1.500 + 0.45 * (self.p.z + 0.02) - 0.45 * aside
    }

    /// Positive on the hair: above the brow and the ears, behind them down to the nape.
    fn hair(&self) -> f64 {
        let ease = |t: f64| {
            let t = t.clamp(0.0, 1.0);
            t * t * (3.0 - 2.0 * t)
        };
        let rise = 0.044 * ease(self.p.z / 0.075) - 0.100 * ease((-0.028 - self.p.z) / 0.062);
        self.p.y - 1.712 - rise
    }

    /// Positive above the shoe, which is lower at the heel than at the instep.
    fn shoe_top(&self) -> f64 {
        self.p.y - SHOE - 0.15 * (self.p.z + 0.03).clamp(-0.06, 0.03)
    }
}

const FOREARM: f64 = 0.255;
const SLEEVE: f64 = 0.150;
const TRIM: f64 = 0.010;
const LINE: f64 = 0.0065;
/// Bands around the forearm.
const BANDS: [[f64; 2]; 3] = [[0.090, 0.107], [0.135, 0.152], [0.180, 0.197]];
const CUFF: [f64; 2] = [FOREARM - 0.020, FOREARM + 0.002];
const BELT: f64 = 1.035;
const HEM: f64 = 0.700;
const SOCK: f64 = 0.270;
const SHOE: f64 = 0.105;
const SOLE: f64 = 0.026;

/// The lines to cut the surface along.
pub fn seams() -> Vec<Seam> {
    let mut seams: Vec<Seam> = Vec::new();
    let mut seam = |field: fn(Spot, f64) -> f64, at: f64| {
        seams.push(Box::new(move |p| field(Spot::new(p), at)));
    };
    for at in [SLEEVE, SLEEVE + TRIM] {
        seam(|s, at| (s.upper_arm - at).min(s.arm), at);
    }
    for at in BANDS.into_iter().chain([CUFF]).flatten() {
        seam(|s, at| (s.forearm - at).min(s.arm), at);
    }
    seam(|s, _| s.arm_line(), 0.0);
    for at in [BELT, HEM, HEM + TRIM, SOCK, SOCK - TRIM, SOLE] {
        seam(|s, at| (s.p.y - at).max(s.arm), at);
    }
    seam(|s, _| s.side_stripe(), 0.0);
    seam(|s, _| s.collar(), 0.0);
    seam(|s, _| s.hair(), 0.0);
    seam(|s, _| s.shoe_top(), 0.0);
    seams
}

/// The colour at a place.
fn dye(p: DVec3) -> Dye {
    let s = Spot::new(p);
    if s.arm > 0.0 {
        let band = |b: &[f64; 2]| (b[0]..b[1]).contains(&s.forearm);
        return match s.upper_arm {
            u if u < SLEEVE => Dye::Navy,
            u if u < SLEEVE + TRIM => Dye::Coral,
            _ if band(&CUFF) => Dye::Navy,
            _ if s.arm_line() < 0.0 => Dye::Coral,
            _ if BANDS.iter().any(band) => Dye::Navy,
            _ => Dye::Porcelain,
        };
    }
    match s.p.y {
        _ if s.hair() > 0.0 => Dye::Graphite,
        _ if s.collar() > 0.0 => Dye::Porcelain,
        y if y > BELT => Dye::Navy,
        _ if s.side_stripe() < 0.0 => Dye::Coral,
        y if y > HEM + TRIM => Dye::Graphite,
        y if y > HEM => Dye::Coral,
        y if y > SOCK => Dye::Porcelain,
        y if y > SOCK - TRIM => Dye::Coral,
        _ if s.shoe_top() > 0.0 => Dye::Navy,
        y if y > SOLE => Dye::Coral,
        _ => Dye::White,
    }
}

/// The part of the figure at a point, and whether its cloth is padded.
fn wear(p: DVec3) -> (Part, bool) {
    let s = Spot::new(p);
    match s.p.y {
        _ if s.arm > 0.0 && s.forearm > CUFF[1] => (Part::Hand, false),
        _ if s.arm > 0.0 => (Part::Arm, s.upper_arm < SLEEVE + TRIM),
        _ if s.collar() > 0.0 => (Part::Head, false),
        y if y > BELT => (Part::Torso, true),
        y if s.shoe_top() > 0.0 => (Part::Leg, !(SOCK..=HEM).contains(&y)),
        _ => (Part::Foot, false),
    }
}

/// A surface whose vertices have one colour each, and one place in the cloth.
#[derive(Default)]
pub struct Painted {
    /// For each vertex, the one it is a copy of.
    pub vertices: Vec<u32>,
    /// For each vertex, linear with alpha.
    pub colors: Vec<[f32; 4]>,
    /// For each vertex, its texture coordinates in the cloth.
    pub texcoords: Vec<[f32; 2]>,
    /// For each vertex, the direction in which u grows.
    pub tangents: Vec<[f32; 4]>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
}

/// Gives every triangle the colour of its middle, and lays the cloth over it.
pub fn paint(surface: &Surface, cloth: &Cloth, normal: &impl Fn(u32) -> DVec3) -> Painted {
    let mut painted = Painted::default();
    let mut copies = HashMap::new();
    for &t in &surface.triangles {
        let places = t.map(|v| surface.places[v as usize]);
        let dye = dye(places.iter().sum::<DVec3>() / 3.0);
        let corners = cloth.corners(places, t.map(normal), wear);
        let vertices = std::array::from_fn(|k| {
            *copies.entry((t[k], dye, corners[k].key)).or_insert_with(|| {
                painted.vertices.push(t[k]);
                painted.colors.push(dye.linear());
                painted.texcoords.push(corners[k].texcoord);
                painted.tangents.push(corners[k].tangent);
                painted.vertices.len() as u32 - 1
            })
        });
        painted.triangles.push(vertices);
    }
    painted
}
