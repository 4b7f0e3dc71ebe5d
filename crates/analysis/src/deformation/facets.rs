//! One pass over all triangles for their normals, which give the volumes and the triangles that are turned inside out.

use glam::{DMat3, DMat4, DVec3};

use super::followers::Followers;
use super::frame::Turned;
use super::parts::Volumes;
use super::points::Points;
use crate::triangles::{NONE, Surface};

/// A triangle with at most this share of its area in the bind pose is flat: its normal is the noise of rounding.
const FLAT: f64 = 1e-10;

/// The ratio of height to longest side in the bind pose below which a triangle's normal is only the rounding of single
/// precision.
const THIN: f64 = 1e-6;

/// Directions are opposite if their cosine is below the negative of this; at right angles, rounding must not decide.
const CLEARLY: f64 = 1e-6;

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
}

impl Pass<'_> {
    /// Adds each triangle to the volumes, and finds those that are turned inside out: they face away from every direction in
    /// which one of their corners' joints alone would turn them.
    pub fn run(&self, volumes: &mut Volumes) -> Turned {
        let mut turned = Turned::default();
        let mut largest = 0.0;
        for (number, (corners, facet)) in self.surface.triangles.iter().zip(self.facets).enumerate() {
            let [a, b, c] = corners.map(|point| self.places[point as usize]);
            let normal = (b - a).cross(c - a);
            volumes.add(number, a, normal);
            // For nearly all triangles, the first joint explains their direction.
            let Some(joint) = self.joint_normals.get(facet.joint as usize) else { continue };
            if normal.dot(*joint * facet.normal) < 0.0 && self.is_turned(corners, facet.normal, normal) {
                turned.count += 1;
                let size = facet.normal.length_squared();
                if size > largest {
                    largest = size;
                    turned.largest = Some(self.points.place(corners[0]));
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
