//! Picking: the nearest point of the skinned surfaces along a ray. It must not depend on windows, or on how surfaces are
//! drawn.

use glam::{DVec2, DVec3, Vec3};

use sinew_model::{Model, Topology, VertexIndex};
use sinew_skinning::posed::SkinnedPrimitive;

use crate::camera::Camera;

/// A half line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// The start.
    pub origin: DVec3,
    /// The direction, of any length.
    pub direction: DVec3,
}

/// A point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The vertices of the triangle.
    pub vertices: [u32; 3],
    /// The nearest of them.
    pub nearest: VertexIndex,
    /// The point in the world.
    pub place: DVec3,
    /// The distance along the ray, in lengths of its direction.
    pub along: f64,
}

/// Returns the first point of a triangle along the ray, from either side.
pub fn pick(model: &Model, skinned: &[SkinnedPrimitive<f32>], ray: &Ray) -> Option<Hit> {
    let mut first: Option<Hit> = None;
    for drawn in skinned {
        let mesh = model.instances.get(drawn.instance).and_then(|instance| model.meshes.get(instance.mesh));
        let primitive = mesh.and_then(|mesh| mesh.primitives.get(drawn.primitive));
        let Some(primitive) = primitive.filter(|primitive| primitive.topology == Topology::Triangles) else {
            continue;
        };
        let (triangles, _) = primitive.indices.as_chunks::<3>();
        for &vertices in triangles {
            let place = |vertex: u32| {
                drawn.positions.get(vertex as usize).map(|position| Vec3::from(*position).as_dvec3())
            };
            let [Some(a), Some(b), Some(c)] = vertices.map(place) else { continue };
            let Some(along) = ray.to_triangle([a, b, c]) else { continue };
            if first.is_none_or(|first| along < first.along) {
                let place = ray.origin + ray.direction * along;
                let apart = [a, b, c].map(|corner| corner.distance_squared(place));
                let nearest = vertices.into_iter().zip(apart).min_by(|(_, a), (_, b)| a.total_cmp(b));
                let nearest = nearest.map_or(0, |(vertex, _)| vertex);
                let vertex = nearest as usize;
                let nearest = VertexIndex { instance: drawn.instance, primitive: drawn.primitive, vertex };
                first = Some(Hit { vertices, nearest, place, along });
            }
        }
    }
    first
}

/// The share of the distance from the eye within which a surface does not hide a vertex.
const SLACK: f64 = 1e-4;

/// A triangle in front of the camera, and the pixels that bound it.
struct Shield {
    corners: [DVec3; 3],
    low: DVec2,
    high: DVec2,
}

/// Returns the vertices in a rectangle of pixels that no triangle hides from the camera, for a picture of this size.
pub fn pick_within(
    model: &Model,
    skinned: &[SkinnedPrimitive<f32>],
    (camera, size): (&Camera, [u32; 2]),
    [low, high]: [DVec2; 2],
) -> Vec<VertexIndex> {
    let (mut shields, mut found) = (Vec::new(), Vec::new());
    for drawn in skinned {
        let mesh = model.instances.get(drawn.instance).and_then(|instance| model.meshes.get(instance.mesh));
        let Some(primitive) = mesh.and_then(|mesh| mesh.primitives.get(drawn.primitive)) else { continue };
        let places: Vec<DVec3> = drawn.positions.iter().map(|place| Vec3::from(*place).as_dvec3()).collect();
        let pixels: Vec<Option<DVec2>> = places.iter().map(|place| camera.pixel(*place, size)).collect();
        let is_within = |pixel: &DVec2| pixel.cmpge(low).all() && pixel.cmple(high).all();
        for (vertex, (place, pixel)) in places.iter().zip(&pixels).enumerate() {
            if let Some(pixel) = pixel.filter(is_within) {
                let index = VertexIndex { instance: drawn.instance, primitive: drawn.primitive, vertex };
                found.push((index, *place, pixel));
            }
        }
        if primitive.topology != Topology::Triangles {
            continue;
        }
        let (triangles, _) = primitive.indices.as_chunks::<3>();
        for vertices in triangles {
            let corners = vertices.map(|vertex| places.get(vertex as usize).copied());
            let corner_pixels = vertices.map(|vertex| pixels.get(vertex as usize).copied().flatten());
            let ([Some(a), Some(b), Some(c)], [Some(p), Some(q), Some(r)]) = (corners, corner_pixels) else {
                continue;
            };
            let shield = Shield { corners: [a, b, c], low: p.min(q).min(r), high: p.max(q).max(r) };
            if shield.high.cmpge(low).all() && shield.low.cmple(high).all() {
                shields.push(shield);
            }
        }
    }
    let is_seen = |(_, place, pixel): &(VertexIndex, DVec3, DVec2)| {
        let (origin, direction) = camera.sight(*pixel, size);
        let own = (*place - origin).dot(direction) / direction.length_squared();
        let ray = Ray { origin, direction };
        let covers = |shield: &&Shield| pixel.cmpge(shield.low).all() && pixel.cmple(shield.high).all();
        let mut hits = shields.iter().filter(covers).filter_map(|shield| ray.to_triangle(shield.corners));
        !hits.any(|along| along < own * (1.0 - SLACK))
    };
    found.into_iter().filter(is_seen).map(|(index, ..)| index).collect()
}

impl Ray {
    /// Returns the distance along the ray to a triangle, in lengths of its direction (Möller and Trumbore 1997).
    pub fn to_triangle(&self, [a, b, c]: [DVec3; 3]) -> Option<f64> {
        let (ab, ac) = (b - a, c - a);
        let across = self.direction.cross(ac);
        let volume = ab.dot(across);
        if volume == 0.0 || !volume.is_finite() {
            return None;
        }
        let from = self.origin - a;
        let u = from.dot(across) / volume;
        let up = from.cross(ab);
        let v = self.direction.dot(up) / volume;
        let along = ac.dot(up) / volume;
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && along > 0.0 && along.is_finite()).then_some(along)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Orbit;
    use sinew_model::{Instance, Mesh, Primitive};

    /// Returns two squares that face +z, at z = 0 and z = -1; the second is wider.
    fn squares() -> (Model, Vec<SkinnedPrimitive<f32>>) {
        let corners =
            |half: f32, z: f32| vec![[-half, -half, z], [half, -half, z], [half, half, z], [-half, half, z]];
        let primitive =
            |positions| Primitive { positions, indices: vec![0, 1, 2, 0, 2, 3], ..Primitive::default() };
        let primitives = vec![primitive(corners(1.0, 0.0)), primitive(corners(3.0, -1.0))];
        let skinned = primitives
            .iter()
            .enumerate()
            .map(|(number, primitive)| SkinnedPrimitive {
                instance: 0,
                primitive: number,
                positions: primitive.positions.clone(),
                normals: None,
                tangents: None,
            })
            .collect();
        let model = Model {
            meshes: vec![Mesh { primitives, ..Mesh::default() }],
            instances: vec![Instance { node: 0, mesh: 0, skin: None }],
            ..Model::default()
        };
        (model, skinned)
    }

    /// The near square hides the middle of the far one, whose corners are beside it.
    #[test]
    fn a_rectangle_has_the_vertices_in_sight() {
        let (model, skinned) = squares();
        let size = [200, 200];
        let corners = [DVec3::new(-3.0, -3.0, -1.0), DVec3::new(3.0, 3.0, 0.0)];
        let orbit = Orbit { yaw_degrees: 0.0, pitch_degrees: 0.0, ..Orbit::default() };
        let camera = Camera::new(&orbit, &corners, size);
        let within = |low: [f64; 2], high: [f64; 2]| {
            let found = pick_within(&model, &skinned, (&camera, size), [low.into(), high.into()]);
            found.iter().map(|index| (index.primitive, index.vertex)).collect::<Vec<_>>()
        };
        let all = [0, 1].into_iter().flat_map(|of| (0..4).map(move |vertex| (of, vertex)));
        assert_eq!(within([0.0, 0.0], [200.0, 200.0]), all.collect::<Vec<_>>());
        let right = within([100.0, 0.0], [200.0, 200.0]);
        assert_eq!(right, [(0, 1), (0, 2), (1, 1), (1, 2)]);
        assert_eq!(within([90.0, 90.0], [110.0, 110.0]), []);
        // From behind, the far square is in front.
        let orbit = Orbit { yaw_degrees: 180.0, pitch_degrees: 0.0, ..Orbit::default() };
        let camera = Camera::new(&orbit, &corners, size);
        let found = pick_within(&model, &skinned, (&camera, size), [DVec2::splat(-1.0), DVec2::splat(201.0)]);
        assert!(found.len() == 4 && found.iter().all(|index| index.primitive == 1), "{found:?}");
    }

    #[test]
    fn the_nearest_surface_is_found_from_both_sides() {
        let (model, skinned) = squares();
        let hit = |x: f64, y: f64, z: f64, direction: DVec3| {
            pick(&model, &skinned, &Ray { origin: DVec3::new(x, y, z), direction })
        };
        let front = hit(0.5, 0.25, 4.0, DVec3::NEG_Z * 2.0).unwrap();
        assert_eq!((front.nearest.primitive, front.vertices, front.nearest.vertex), (0, [0, 1, 2], 2));
        assert_eq!((front.place, front.along), (DVec3::new(0.5, 0.25, 0.0), 2.0));
        let beside = hit(-2.0, 2.5, 4.0, DVec3::NEG_Z).unwrap();
        assert_eq!((beside.nearest.primitive, beside.vertices, beside.nearest.vertex), (1, [0, 2, 3], 3));
        let behind = hit(0.5, 0.25, -4.0, DVec3::Z).unwrap();
        assert_eq!((behind.nearest.primitive, behind.place.z), (1, -1.0));
        for nothing in
            [hit(3.5, 0.0, 4.0, DVec3::NEG_Z), hit(0.0, 0.0, 4.0, DVec3::Z), hit(0.0, 0.0, 4.0, DVec3::X)]
        {
            assert_eq!(nothing, None);
        }
        assert_eq!(hit(0.0, 0.0, f64::NAN, DVec3::NEG_Z), None);
    }
}
