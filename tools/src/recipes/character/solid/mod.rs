//! Solids as signed distances that blend into each other: negative inside, in metres. They must not depend on that
//! they are parts of a figure.

use glam::DVec3;

mod loft;
mod shape;

pub use loft::Loft;
pub use shape::{Ellipsoid, RoundCone, Shape};

/// The way in which a piece joins those before it.
#[derive(Clone, Copy, PartialEq)]
enum Join {
    Add,
    Carve,
}

struct Piece {
    shape: Shape,
    join: Join,
    /// The distance over which the seam is rounded.
    blend: f64,
    center: DVec3,
    radius: f64,
}

/// Pieces joined one after the other.
#[derive(Default)]
pub struct Solid {
    pieces: Vec<Piece>,
    mirrored: bool,
}

impl Solid {
    /// Adds a shape; `blend` is the width of the fillet between it and the solid.
    pub fn add(&mut self, blend: f64, shape: impl Into<Shape>) -> &mut Self {
        self.join(Join::Add, blend, shape.into())
    }

    /// Subtracts a shape, rounding the edge over `blend`.
    pub fn carve(&mut self, blend: f64, shape: impl Into<Shape>) -> &mut Self {
        self.join(Join::Carve, blend, shape.into())
    }

    /// The solid with its half at positive x mirrored to negative x.
    pub fn mirrored(self) -> Self {
        Self { mirrored: true, ..self }
    }

    fn join(&mut self, join: Join, blend: f64, shape: Shape) -> &mut Self {
        let (center, radius) = shape.bounds();
        self.pieces.push(Piece { shape, join, blend, center, radius });
        self
    }

    /// A sphere around everything added.
    fn bounds(&self) -> (DVec3, f64) {
        let added = || self.pieces.iter().filter(|p| p.join == Join::Add);
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        for piece in added() {
            low = low.min(piece.center - piece.radius);
            high = high.max(piece.center + piece.radius);
        }
        let center = (low + high) / 2.0;
        let reach = |p: &Piece| (p.center - center).length() + p.radius + p.blend;
        (center, added().map(reach).fold(0.0, f64::max))
    }

    /// The signed distance at a point, exact on the surface and close to it nearby.
    pub fn distance(&self, p: DVec3) -> f64 {
        let p = if self.mirrored { DVec3::new(p.x.abs(), p.y, p.z) } else { p };
        let mut d = f64::INFINITY;
        for piece in &self.pieces {
            // A shape that is surely farther than its fillet reaches changes nothing.
            let at_least = (p - piece.center).length() - piece.radius;
            d = match piece.join {
                Join::Add if at_least > d + piece.blend => d,
                Join::Add => smooth_min(d, piece.shape.distance(p).max(at_least), piece.blend),
                Join::Carve if at_least > piece.blend - d => d,
                Join::Carve => -smooth_min(-d, piece.shape.distance(p).max(at_least), piece.blend),
            };
        }
        d
    }

    /// The direction in which the distance grows, by differences over a tenth of a millimetre.
    pub fn gradient(&self, p: DVec3) -> DVec3 {
        const H: f64 = 1e-4;
        let along = |axis: DVec3| self.distance(p + axis * H) - self.distance(p - axis * H);
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)) / (2.0 * H)
    }

    /// The point on the surface near `p`, by Newton's method.
    pub fn project(&self, mut p: DVec3) -> DVec3 {
        for _ in 0..3 {
            let d = self.distance(p);
            if d.abs() < 1e-6 {
                break;
            }
            let g = self.gradient(p);
            // Where the distance is far from one (creases), a full step would overshoot.
            p -= (g * d / g.length_squared().max(0.25)).clamp_length_max(0.01);
        }
        p
    }
}

/// The smaller of two, rounded where they differ by less than `width`.
fn smooth_min(a: f64, b: f64, width: f64) -> f64 {
    let h = (width - (a - b).abs()).max(0.0);
    if h == 0.0 { a.min(b) } else { a.min(b) - h * h / (4.0 * width) }
}
