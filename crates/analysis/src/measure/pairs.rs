//! Pairs of vertices, measured side by side: distances of positions, and angles between normals. The functions are loops
//! over lanes, each with the formula of one pair, which the compiler vectorises.

#![allow(clippy::needless_range_loop, reason = "a lane is an index into many arrays")]

use glam::DVec3;
use sinew_skinning::wide::Work;

/// The number of pairs that are measured at once.
pub const LANES: usize = 128;

/// A number of each pair.
type Number = [f64; LANES];

/// Three coordinates of each pair.
type Vectors = [Number; 3];

const ZERO: Number = [0.0; LANES];

/// Pairs of vertices.
pub struct Pairs {
    positions: [Vectors; 2],
    normals: [Vectors; 2],
}

/// The measures of some pairs.
pub struct Measures {
    /// The distances of positions.
    pub apart: Number,
    /// The dot products of normals.
    pub cosines: Number,
    /// The squares of the lengths of their cross products.
    pub sines: Number,
}

impl Measures {
    /// Makes room.
    pub fn new() -> Self {
        Self { apart: ZERO, cosines: ZERO, sines: ZERO }
    }
}

impl Pairs {
    /// Makes room.
    pub fn new() -> Self {
        let room = [[ZERO; 3]; 2];
        Self { positions: room, normals: room }
    }

    /// Sets a pair.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, positions: [DVec3; 2], normals: [DVec3; 2]) {
        let lane = lane % LANES;
        for (of, to) in [(&mut self.positions, positions), (&mut self.normals, normals)] {
            for (of, to) in of.iter_mut().zip(to) {
                (of[0][lane], of[1][lane], of[2][lane]) = (to.x, to.y, to.z);
            }
        }
    }

    /// Returns the normals of a pair.
    pub fn normals(&self, lane: usize) -> [DVec3; 2] {
        [vector(&self.normals[0], lane), vector(&self.normals[1], lane)]
    }
}

#[inline(always)]
fn vector([x, y, z]: &Vectors, lane: usize) -> DVec3 {
    DVec3::new(x[lane], y[lane], z[lane])
}

/// Measures all pairs.
pub struct MeasureAll<'a> {
    /// The pairs.
    pub pairs: &'a Pairs,
    /// The results.
    pub out: &'a mut Measures,
    /// True to measure normals, too.
    pub has_normals: bool,
}

impl Work for MeasureAll<'_> {
    #[inline(always)]
    fn work(self) {
        let Pairs { positions: [p, q], normals: [n, m] } = self.pairs;
        let Measures { apart, cosines, sines } = self.out;
        for lane in 0..LANES {
            apart[lane] = vector(p, lane).distance(vector(q, lane));
        }
        if !self.has_normals {
            return;
        }
        for lane in 0..LANES {
            let (a, b) = (vector(n, lane), vector(m, lane));
            cosines[lane] = a.dot(b);
            sines[lane] = a.cross(b).length_squared();
        }
    }
}

/// Measures consecutive vertices, at most [`LANES`].
pub struct MeasureRun<'a> {
    /// The positions.
    pub positions: [&'a [[f64; 3]]; 2],
    /// As many normals, if there are any.
    pub normals: Option<[&'a [[f64; 3]]; 2]>,
    /// The results.
    pub out: &'a mut Measures,
}

impl Work for MeasureRun<'_> {
    #[inline(always)]
    fn work(self) {
        let Self { positions: [p, q], normals, out: Measures { apart, cosines, sines } } = self;
        for ((apart, p), q) in apart.iter_mut().zip(p).zip(q) {
            *apart = DVec3::from_array(*p).distance(DVec3::from_array(*q));
        }
        let Some([n, m]) = normals else { return };
        for ((cosine, sine), (n, m)) in cosines.iter_mut().zip(sines).zip(n.iter().zip(m)) {
            let (a, b) = (DVec3::from_array(*n), DVec3::from_array(*m));
            *cosine = a.dot(b);
            *sine = a.cross(b).length_squared();
        }
    }
}
