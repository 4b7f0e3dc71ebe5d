//! Lofts: shapes drawn by their outlines from the front and from the side.

use glam::DVec3;

use super::shape::scaled_ball;

/// A cross-section: half-extents in four directions.
#[derive(Clone, Copy)]
struct Station {
    /// Position along the axis, 0 to 1.
    at: f64,
    /// Toward `x`.
    out: f64,
    /// Away from `x`.
    inward: f64,
    /// Toward `z`.
    front: f64,
    /// Away from `z`.
    back: f64,
}

/// A limb drawn by its outlines: quarter ellipses through four smooth curves along an axis,
/// closed by half ellipsoids.
pub struct Loft {
    from: DVec3,
    axis: DVec3,
    length: f64,
    x: DVec3,
    z: DVec3,
    stations: Vec<Station>,
    square: f64,
    cap: f64,
}

impl Loft {
    /// A loft along `from`–`to` whose front is `z`; rows are at, out, inward, front, back.
    pub fn new(from: DVec3, to: DVec3, x: DVec3, z: DVec3, rows: &[[f64; 5]]) -> Self {
        let axis = (to - from).normalize();
        let z = (z - axis * z.dot(axis)).normalize();
        let side = axis.cross(z);
        let station = |&[at, out, inward, front, back]: &[f64; 5]| Station { at, out, inward, front, back };
        Self {
            from,
            axis,
            length: (to - from).length(),
            x: if side.dot(x) < 0.0 { -side } else { side },
            z,
            stations: rows.iter().map(station).collect(),
            square: 0.0,
            cap: 1.0,
        }
    }

    /// From round (0) to nearly rectangular (1) cross-sections.
    pub fn square(self, square: f64) -> Self {
        Self { square, ..self }
    }

    /// Sets the bulge of the ends, in multiples of their own width.
    pub fn cap(self, cap: f64) -> Self {
        Self { cap, ..self }
    }

    /// A bounding sphere.
    pub fn bounds(&self) -> (DVec3, f64) {
        let widest = self.stations.iter().flat_map(|s| [s.out, s.inward, s.front, s.back]);
        // Curves may swing out beyond their stations, and the ends bulge.
        let widest = widest.fold(0.0, f64::max) * 1.5;
        (self.from + self.axis * (self.length / 2.0), self.length / 2.0 + widest)
    }

    /// The signed distance at a point, to first order.
    pub fn distance(&self, p: DVec3) -> f64 {
        let q = p - self.from;
        let h = q.dot(self.axis);
        let [out, inward, front, back] = self.outline(h / self.length);
        let (x, z) = (q.dot(self.x), q.dot(self.z));
        let a = if x > 0.0 { out } else { inward };
        let b = if z > 0.0 { front } else { back };
        let beyond = (h - self.length).max(-h).max(0.0);
        let c = self.cap * (out + inward + front + back) / 4.0;
        let (x, z) = self.round_off(x / a, z / b, a, b);
        scaled_ball(DVec3::new(x, beyond, z), DVec3::new(a, c, b))
    }

    /// Maps a squarish cross-section onto the round one of the same extents.
    fn round_off(&self, u: f64, v: f64, a: f64, b: f64) -> (f64, f64) {
        let (u2, v2) = (u * u, v * v);
        let round = (u2 + v2).sqrt();
        if self.square == 0.0 || round < 1e-9 {
            return (u * a, v * b);
        }
        let rect = (u2 * u2 + v2 * v2).sqrt().sqrt();
        let k = 1.0 + self.square * (rect / round - 1.0);
        (u * a * k, v * b * k)
    }

    /// The four extents at `t`, by cubic curves through the stations.
    fn outline(&self, t: f64) -> [f64; 4] {
        let s = &self.stations;
        let last = s.len() - 1;
        let row = |k: usize| [s[k].out, s[k].inward, s[k].front, s[k].back];
        if t <= s[0].at {
            return row(0);
        }
        if t >= s[last].at {
            return row(last);
        }
        let k = (0..last).rev().find(|&k| s[k].at <= t).unwrap_or(0);
        let span = s[k + 1].at - s[k].at;
        let u = (t - s[k].at) / span;
        // Flat at both ends, where the half ellipsoids take over.
        let slope = |k: usize, c: usize| {
            if k == 0 || k == last {
                return 0.0;
            }
            let (before, after) = (k.saturating_sub(1), (k + 1).min(last));
            (row(after)[c] - row(before)[c]) / (s[after].at - s[before].at)
        };
        std::array::from_fn(|c| {
            let (p0, p1) = (row(k)[c], row(k + 1)[c]);
            let (m0, m1) = (slope(k, c) * span, slope(k + 1, c) * span);
            let (u2, u3) = (u * u, u * u * u);
            (2.0 * u3 - 3.0 * u2 + 1.0) * p0
                + (u3 - 2.0 * u2 + u) * m0
                + (3.0 * u2 - 2.0 * u3) * p1
                + (u3 - u2) * m1
        })
    }
}
