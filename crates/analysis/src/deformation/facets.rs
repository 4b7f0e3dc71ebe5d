//! One pass over all triangles for their normals, which give the volumes and the triangles that are turned inside out.

#![allow(clippy::needless_range_loop, reason = "a lane is an index into many arrays")]

use glam::{DMat3, DMat4, DVec3};
use sinew_skinning::wide::{self, Work};

use super::followers::Followers;
use super::frame::Turned;
use super::parts::Volumes;
use super::points::Points;
use crate::triangles::{NONE, Surface, volume_below};

/// A triangle with at most this share of its area in the bind pose is flat: its normal is the noise of rounding.
const FLAT: f64 = 1e-10;

/// The ratio of height to longest side in the bind pose below which a triangle's normal is only the rounding of single
/// precision.
const THIN: f64 = 1e-6;

/// Directions are opposite if their cosine is below the negative of this; at right angles, rounding must not decide.
const CLEARLY: f64 = 1e-6;

/// The number of triangles that are measured at once.
const LANES: usize = 64;

/// A number of each triangle.
type Number = [f64; LANES];

/// Three coordinates of each triangle.
pub type Vectors = [Number; 3];

/// The data of a triangle for the pass.
pub struct Facet {
    /// The normal in the bind pose, twice its area long.
    normal: DVec3,
    /// The heaviest joint of its first corner. [`NONE`] for a triangle that cannot be turned, because it is too thin, or no
    /// skin or only one joint moves it.
    joint: u32,
}

/// Prepares the triangles.
pub fn facets(surface: &Surface, points: &Points, followers: &Followers) -> Vec<Facet> {
    let facet = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|point| points.bind[point as usize]);
        let normal = (b - a).cross(c - a);
        let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
        let is_sound = normal.length() > THIN * longest && normal.length_squared().is_finite();
        let [first, second, third] = corners.map(|point| followers.joints(points, point));
        let can_turn = match first {
            [only] => second != [*only] || third != [*only],
            joints => !joints.is_empty(),
        };
        let heaviest = first.first().filter(|_| is_sound && can_turn);
        Facet { normal, joint: heaviest.copied().unwrap_or(NONE) }
    };
    surface.triangles.iter().map(facet).collect()
}

/// Writes the matrix by which each joint turns normals of the bind pose as its skin draws it: the cofactors of its transform
/// from there. `bind_from_bound` takes the bind pose as drawn back to that of the file.
pub fn normals_into(transforms: &[DMat4], bind_from_bound: &[DMat3], out: &mut Vec<DMat3>) {
    out.clear();
    out.extend(transforms.iter().zip(bind_from_bound).map(|(transform, bind_from_bound)| {
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = DMat3::from_mat4(*transform) * *bind_from_bound;
        DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y))
    }));
}

/// Writes the normal of each triangle as its first joint alone would turn it; NaN for triangles that cannot be turned. All
/// modes share them.
pub fn facing_into(facets: &[Facet], joint_normals: &[DMat3], out: &mut Vec<Vectors>) {
    out.resize(facets.len().div_ceil(LANES), [[f64::NAN; LANES]; 3]);
    for (facets, out) in facets.chunks(LANES).zip(out) {
        for (lane, facet) in facets.iter().enumerate() {
            let joint = joint_normals.get(facet.joint as usize);
            set(out, lane, joint.map_or(DVec3::NAN, |joint| *joint * facet.normal));
        }
    }
}

/// The input of the pass over the triangles.
pub struct Pass<'a> {
    /// The triangles.
    pub surface: &'a Surface,
    /// The data of each triangle.
    pub facets: &'a [Facet],
    /// The welded vertices.
    pub points: &'a Points,
    /// The joints that move them.
    pub followers: &'a Followers,
    /// The positions of the points in the pose.
    pub places: &'a [DVec3],
    /// The matrix by which each joint turns normals.
    pub joint_normals: &'a [DMat3],
    /// The triangles' normals by these.
    pub facing: &'a [Vectors],
}

impl Pass<'_> {
    /// Adds each triangle to the volumes, and finds those that are turned inside out: they face away from every direction in
    /// which one of their corners' joints alone would turn them.
    pub fn run(&self, volumes: &mut Volumes) -> Turned {
        let mut turned = Turned::default();
        let mut largest = 0.0;
        let mut block = Block::default();
        let blocks = self.surface.triangles.chunks(LANES).zip(self.facets.chunks(LANES)).zip(self.facing);
        for (number, ((triangles, facets), facing)) in blocks.enumerate() {
            for (lane, corners) in triangles.iter().enumerate() {
                for corner in 0..3 {
                    set(&mut block.corners[corner], lane, self.places[corners[corner] as usize]);
                }
            }
            let numbers = number * LANES..number * LANES + triangles.len();
            let centre = volumes.enter(numbers.clone());
            wide::run(Face { block: &mut block, facing, centre: centre.unwrap_or_default() });
            match centre {
                Some(_) => volumes.add_all(&block.volumes[..triangles.len()]),
                None => numbers.enumerate().for_each(|(lane, number)| {
                    volumes.add(number, vector(&block.corners[0], lane), vector(&block.normals, lane));
                }),
            }
            let along = &block.along[..triangles.len()];
            // For nearly all triangles, the first joint explains their direction.
            if !along.iter().fold(false, |any, along| any | (*along < 0.0)) {
                continue;
            }
            for (lane, (corners, facet)) in triangles.iter().zip(facets).enumerate() {
                let normal = vector(&block.normals, lane);
                if along[lane] < 0.0 && self.is_turned(corners, facet.normal, normal) {
                    turned.count += 1;
                    let size = facet.normal.length_squared();
                    if size > largest {
                        largest = size;
                        turned.largest = Some(self.points.place(corners[0]));
                    }
                }
            }
        }
        turned
    }

    /// Returns true if a triangle that faces along `now` is opposite to all joints of its corners.
    fn is_turned(&self, corners: &[u32; 3], bind: DVec3, now: DVec3) -> bool {
        let size = now.length();
        let is_flat = size <= FLAT * bind.length() || !size.is_finite();
        let is_against = |joint: &u32| {
            let alone = self.joint_normals.get(*joint as usize).map_or(DVec3::ZERO, |joint| *joint * bind);
            now.dot(alone) < -CLEARLY * size * alone.length()
        };
        let mut joints = corners.iter().flat_map(|&point| self.followers.joints(self.points, point));
        !is_flat && joints.all(is_against)
    }
}

/// Triangles in a pose.
struct Block {
    corners: [Vectors; 3],
    /// The normals, twice the areas long.
    normals: Vectors,
    /// The volumes below them.
    volumes: Number,
    /// The dot products with the normals by their first joints.
    along: Number,
}

impl Default for Block {
    fn default() -> Self {
        let zero = [0.0; LANES];
        Self { corners: [[zero; 3]; 3], normals: [zero; 3], volumes: zero, along: zero }
    }
}

/// Measures some triangles.
struct Face<'a> {
    block: &'a mut Block,
    facing: &'a Vectors,
    /// The point about which volumes are summed.
    centre: DVec3,
}

impl Work for Face<'_> {
    #[inline(always)]
    fn work(self) {
        let Self { block: Block { corners: [a, b, c], normals, volumes, along }, facing, centre } = self;
        for lane in 0..LANES {
            let (a, b, c) = (vector(a, lane), vector(b, lane), vector(c, lane));
            let normal = (b - a).cross(c - a);
            volumes[lane] = volume_below(centre, a, normal);
            along[lane] = normal.dot(vector(facing, lane));
            set(normals, lane, normal);
        }
    }
}

#[inline(always)]
fn vector([x, y, z]: &Vectors, lane: usize) -> DVec3 {
    DVec3::new(x[lane], y[lane], z[lane])
}

#[inline(always)]
fn set([x, y, z]: &mut Vectors, lane: usize, to: DVec3) {
    // In range without a test.
    let lane = lane % LANES;
    (x[lane], y[lane], z[lane]) = (to.x, to.y, to.z);
}
