//! The shapes that make up solids, each with its signed distance and a bounding sphere.

use glam::DVec3;

use super::{Loft, Solid};

/// Any shape.
pub enum Shape {
    /// Two balls and the cone that wraps them.
    RoundCone(RoundCone),
    /// A ball squeezed along three axes.
    Ellipsoid(Ellipsoid),
    /// A limb drawn by its outlines.
    Loft(Loft),
    /// A solid as a shape, which keeps its own seams.
    Solid(Solid),
}

impl Shape {
    /// The signed distance at a point.
    pub fn distance(&self, p: DVec3) -> f64 {
        match self {
            Self::RoundCone(cone) => cone.distance(p),
            Self::Ellipsoid(ellipsoid) => ellipsoid.distance(p),
            Self::Loft(loft) => loft.distance(p),
            Self::Solid(solid) => solid.distance(p),
        }
    }

    /// A bounding sphere.
    pub fn bounds(&self) -> (DVec3, f64) {
        match self {
            Self::RoundCone(c) => {
                ((c.from + c.to) / 2.0, (c.to - c.from).length() / 2.0 + c.from_radius.max(c.to_radius))
            }
            Self::Ellipsoid(e) => (e.center, e.radii.max_element()),
            Self::Loft(loft) => loft.bounds(),
            Self::Solid(s) => s.bounds(),
        }
    }
}

/// Two balls and the cone that wraps them.
pub struct RoundCone {
    /// Centre of the first ball.
    pub from: DVec3,
    /// Its radius.
    pub from_radius: f64,
    /// Centre of the second ball.
    pub to: DVec3,
    /// Its radius.
    pub to_radius: f64,
}

impl RoundCone {
    /// The wrapping cone leans along the axis by the difference of the radii: measuring along its own normal
    /// turns the problem into the distance from a plain segment.
    fn distance(&self, p: DVec3) -> f64 {
        let axis = self.to - self.from;
        let length = axis.length();
        let axis = axis / length;
        let q = p - self.from;
        let h = q.dot(axis);
        let r = (q - axis * h).length();
        let sin = (self.from_radius - self.to_radius) / length;
        let cos = (1.0 - sin * sin).max(0.0).sqrt();
        // Where the normal of the cone through p meets the axis.
        let foot = h - r * sin / cos.max(1e-9);
        if foot <= 0.0 {
            q.length() - self.from_radius
        } else if foot >= length {
            (p - self.to).length() - self.to_radius
        } else {
            r * cos + h * sin - self.from_radius
        }
    }
}

impl From<RoundCone> for Shape {
    fn from(cone: RoundCone) -> Self {
        Self::RoundCone(cone)
    }
}

/// A ball squeezed along three axes.
pub struct Ellipsoid {
    /// Its centre.
    pub center: DVec3,
    /// Half its size along each axis.
    pub radii: DVec3,
    /// The axes, perpendicular and of length one.
    pub axes: [DVec3; 3],
}

impl Ellipsoid {
    /// An ellipsoid along the world's axes.
    pub fn new(center: [f64; 3], radii: [f64; 3]) -> Self {
        Self { center: center.into(), radii: radii.into(), axes: [DVec3::X, DVec3::Y, DVec3::Z] }
    }

    /// The ellipsoid turned so that its y axis is along `y` and its z axis as near `z` as that allows.
    pub fn aimed(self, y: DVec3, z: DVec3) -> Self {
        let y = y.normalize();
        let x = y.cross(z).normalize();
        Self { axes: [x, y, x.cross(y)], ..self }
    }

    fn distance(&self, p: DVec3) -> f64 {
        let q = p - self.center;
        let q = DVec3::new(q.dot(self.axes[0]), q.dot(self.axes[1]), q.dot(self.axes[2]));
        scaled_ball(q, self.radii)
    }
}

impl From<Ellipsoid> for Shape {
    fn from(ellipsoid: Ellipsoid) -> Self {
        Self::Ellipsoid(ellipsoid)
    }
}

impl From<Solid> for Shape {
    fn from(solid: Solid) -> Self {
        Self::Solid(solid)
    }
}

/// Distance from an ellipsoid to first order: the implicit function over its gradient's length.
pub fn scaled_ball(q: DVec3, radii: DVec3) -> f64 {
    let k = (q / radii).length();
    let slope = (q / (radii * radii)).length();
    if slope < 1e-9 { -radii.min_element() } else { k * (k - 1.0) / slope }
}

impl From<Loft> for Shape {
    fn from(loft: Loft) -> Self {
        Self::Loft(loft)
    }
}
