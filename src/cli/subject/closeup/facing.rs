//! The direction from which one vertex is visible: its triangles face the eye, and nothing hides them.

use glam::DVec3;

use super::orbits::{around, towards};
use crate::camera::Orbit;
use crate::model::{Model, Primitive, Topology, VertexIndex};
use crate::obstacles::Obstacles;
use crate::picking::Ray;
use crate::skinning::posed::SkinnedPrimitive;

/// Heights from which a vertex may be seen, in degrees, the usual one first.
const PITCHES: [f64; 6] = [10.0, -25.0, 40.0, -55.0, 70.0, -80.0];

/// A share of the vertex's triangles in full view that is good enough.
const GOOD_SHARE: f64 = 0.4;

/// Penalty for the direction opposite to the usual one; triangles in full view count 1.
const UNUSUAL: f64 = 0.2;

/// Maximum number of the vertex's triangles that are tested.
const MAX_OWN: usize = 12;

/// Maximum number of tests of a ray against a triangle for one vertex.
const MAX_TESTS: usize = 20_000_000;

/// Shares of a ray's length that count as its ends.
const ENDS: f64 = 1e-4;

/// A triangle of the vertex.
struct Own {
    /// Its number, and that of its primitive.
    number: (usize, usize),
    /// A point in it, near the vertex.
    place: DVec3,
    /// The distance of its corners from the vertex.
    reach: f64,
    /// Its normal, as long as its area.
    normal: DVec3,
    /// True if its normal points out of the surface, so that it is visible from that side only.
    is_oriented: bool,
}

/// Turns an orbit around a vertex to the direction that shows the vertex's triangles best. Without one, the orbit is
/// unchanged.
pub fn facing(
    model: &Model,
    surfaces: &[SkinnedPrimitive<f64>],
    vertex: VertexIndex,
    orbit: Orbit,
    (target, distance): (DVec3, f64),
) -> Orbit {
    let own = own(model, surfaces, vertex);
    let full: f64 = own.iter().map(|own| own.normal.length()).sum();
    if full <= 0.0 {
        return orbit;
    }
    let usual = towards(&orbit);
    let score =
        |eye: DVec3, seen: f64| (seen / full).min(GOOD_SHARE) - UNUSUAL * 0.5 * (1.0 - eye.dot(usual));
    let turned = |own: &Own, eye: DVec3| {
        let turned = own.normal.dot(eye);
        if own.is_oriented { turned.max(0.0) } else { turned.abs() }
    };
    // The best that each direction can be, if nothing stands before the triangles.
    let mut all: Vec<(f64, Orbit)> = around(orbit, &PITCHES)
        .map(|orbit| {
            let eye = towards(&orbit);
            (score(eye, own.iter().map(|own| turned(own, eye)).sum()), orbit)
        })
        .collect();
    all.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let each = own.len().saturating_mul(triangles(model, surfaces).count()).max(1);
    let (mut obstacles, mut numbers) = (Obstacles::default(), Vec::new());
    for (number, surface, corners) in triangles(model, surfaces) {
        if let Some(places) = places(surface, corners) {
            obstacles.add(places);
            numbers.push(number);
        }
    }
    let is_hidden = |own: &Own, eye: DVec3| {
        let ray = Ray { origin: own.place, direction: eye - own.place };
        obstacles.are_on(&ray, &(ENDS..1.0 - ENDS), numbers.binary_search(&own.number).ok())
    };
    let mut best = (score(usual, 0.0), orbit);
    for (bound, orbit) in all.into_iter().take((MAX_TESTS / each).max(1)) {
        if bound <= best.0 {
            break;
        }
        let eye = towards(&orbit);
        let is_seen = |own: &&Own| turned(own, eye) > 0.0 && !is_hidden(own, target + eye * distance);
        let found = score(eye, own.iter().filter(is_seen).map(|own| turned(own, eye)).sum());
        if found > best.0 {
            best = (found, orbit);
        }
    }
    best.1
}

/// The distance of the furthest corner of the triangles at a vertex.
pub fn reach(model: &Model, surfaces: &[SkinnedPrimitive<f64>], vertex: VertexIndex) -> f64 {
    own(model, surfaces, vertex).iter().map(|own| own.reach).fold(0.0, f64::max)
}

/// The triangles at a vertex.
fn own(model: &Model, surfaces: &[SkinnedPrimitive<f64>], vertex: VertexIndex) -> Vec<Own> {
    let is_its = |surface: &SkinnedPrimitive<f64>| {
        surface.instance == vertex.instance && surface.primitive == vertex.primitive
    };
    let Some(number) = surfaces.iter().position(is_its) else { return Vec::new() };
    let Some(surface) = surfaces.get(number) else { return Vec::new() };
    let normal = surface.normals.as_ref().and_then(|normals| normals.get(vertex.vertex));
    let normal = normal.map(|normal| DVec3::from_array(*normal));
    let corners = primitive(model, surface).map_or(&[][..], |primitive| &primitive.indices).chunks_exact(3);
    let at_it = corners.enumerate().filter(|(_, corners)| corners.contains(&(vertex.vertex as u32)));
    let own = at_it.filter_map(|(triangle, corners)| {
        let [a, b, c] = places(surface, corners)?;
        let at = DVec3::from_array(*surface.positions.get(vertex.vertex)?);
        let own = (b - a).cross(c - a);
        Some(Own {
            number: (number, triangle),
            place: (a + b + c + at) / 4.0,
            reach: [a, b, c].map(|corner| corner.distance(at)).into_iter().fold(0.0, f64::max),
            normal: if normal.is_some_and(|normal| normal.dot(own) < 0.0) { -own } else { own },
            is_oriented: normal.is_some(),
        })
    });
    own.take(MAX_OWN).collect()
}

/// A triangle's number and its primitive's, its surface, and its indices.
type Triangle<'a> = ((usize, usize), &'a SkinnedPrimitive<f64>, &'a [u32]);

/// Every triangle that is drawn.
fn triangles<'a>(
    model: &'a Model,
    surfaces: &'a [SkinnedPrimitive<f64>],
) -> impl Iterator<Item = Triangle<'a>> {
    surfaces.iter().enumerate().flat_map(move |(number, surface)| {
        let indices = primitive(model, surface).map_or(&[][..], |primitive| &primitive.indices);
        indices
            .chunks_exact(3)
            .enumerate()
            .map(move |(triangle, corners)| ((number, triangle), surface, corners))
    })
}

/// The primitive of a surface, if it has triangles.
fn primitive<'a>(model: &'a Model, surface: &SkinnedPrimitive<f64>) -> Option<&'a Primitive> {
    let mesh = model.instances.get(surface.instance)?.mesh;
    let primitive = model.meshes.get(mesh)?.primitives.get(surface.primitive)?;
    (primitive.topology == Topology::Triangles).then_some(primitive)
}

fn places(surface: &SkinnedPrimitive<f64>, corners: &[u32]) -> Option<[DVec3; 3]> {
    let place = |corner: u32| Some(DVec3::from_array(*surface.positions.get(corner as usize)?));
    let &[a, b, c] = corners else { return None };
    Some([place(a)?, place(b)?, place(c)?]).filter(|places| places.iter().all(|place| place.is_finite()))
}
