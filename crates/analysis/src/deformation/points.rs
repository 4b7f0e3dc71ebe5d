//! Welds the drawn vertices to points, and finds the points in a pose.

use std::collections::HashMap;

use glam::{DAffine3, DMat3, DVec3};

use super::frame::Place;
use sinew_model::{Instance, Model, Primitive, Topology};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::{skin_of, world_from_bound};

/// A primitive as an instance draws it.
pub struct Drawn {
    /// Index into the model's instances.
    pub instance: usize,
    /// The index in the instance's mesh.
    pub primitive: usize,
    /// The end of its points; they begin at the end of the previous one's.
    end: usize,
}

/// Welded vertices. Points of an instance are consecutive.
pub struct Points {
    /// All drawn primitives, in the model's order.
    pub drawn: Vec<Drawn>,
    /// The position of each point in the bind pose.
    pub bind: Vec<DVec3>,
    /// The vertex that each point follows, in its primitive.
    vertices: Vec<u32>,
}

/// A triangle's corners as points, and the drawn primitive that it belongs to.
pub struct Corners {
    /// The points.
    pub points: [u32; 3],
    /// Index into [`Points::drawn`].
    pub drawn: u32,
}

/// Welds a model, and returns its triangles with three different, finite corners, instance after instance.
pub fn weld(model: &Model) -> (Points, Vec<Corners>) {
    let rest = Pose::rest(&model.rig);
    let bound = bound_axes(model);
    let mut points = Points { drawn: Vec::new(), bind: Vec::new(), vertices: Vec::new() };
    let mut triangles = Vec::new();
    for (number, instance) in model.instances.iter().enumerate() {
        let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
        let placed = |primitive| placed(model, instance, primitive, &rest, &bound);
        let mut welder = Welder::new(primitives.iter().flat_map(placed));
        for (p, primitive) in primitives.iter().enumerate() {
            if primitive.topology == Topology::Triangles {
                let of_vertex: Vec<u32> = (0u32..)
                    .zip(placed(primitive))
                    .map(|(vertex, at)| welder.point(&mut points, vertex, at))
                    .collect();
                let drawn = points.drawn.len() as u32;
                triangles.extend(points.corners(primitive, &of_vertex, drawn));
            }
            points.drawn.push(Drawn { instance: number, primitive: p, end: points.bind.len() });
        }
    }
    (points, triangles)
}

/// Returns for each skin the units and axes in which it draws its bind pose. Its position does not affect a shape, and far
/// from the origin it would cost digits.
pub fn bound_axes(model: &Model) -> Vec<DMat3> {
    world_from_bound(model).into_iter().map(|placed| placed.matrix3).collect()
}

/// Returns the positions of a primitive's vertices in the bind pose.
fn placed(
    model: &Model,
    instance: &Instance,
    primitive: &Primitive,
    rest: &Pose,
    bound: &[DMat3],
) -> impl Iterator<Item = DVec3> {
    let skin = instance.skin.filter(|_| skin_of(model, instance, primitive.influences.is_some()).is_some());
    let placed = match skin {
        Some(skin) => bound.get(skin).copied().map(DAffine3::from_mat3),
        None => rest.world_from_node.get(instance.node).copied().map(DAffine3::from_mat4),
    };
    primitive.positions.iter().map(move |position| {
        let stored = DVec3::from_array(position.map(f64::from));
        placed.map_or(stored, |placed| placed.transform_point3(stored))
    })
}

/// Finds the point of a position, for one instance.
struct Welder {
    /// The points by their cells in a grid.
    found: HashMap<[i64; 3], u32>,
    /// The size of a cell: the spacing of single precision at the largest coordinate. Programs that compute both ends of a
    /// seam often get positions that differ in their last digits.
    cell: f64,
}

impl Welder {
    fn new(places: impl Iterator<Item = DVec3>) -> Self {
        let reach = places.filter(|at| at.is_finite()).map(|at| at.abs().max_element()).fold(0.0, f64::max);
        Self { found: HashMap::new(), cell: reach * f64::from(f32::EPSILON) }
    }

    /// Returns the point at a position; adds one, which follows the vertex, if there is none.
    fn point(&mut self, points: &mut Points, vertex: u32, at: DVec3) -> u32 {
        let mut add = || {
            points.bind.push(at);
            points.vertices.push(vertex);
            points.bind.len() as u32 - 1
        };
        if !at.is_finite() {
            return add();
        }
        // Zero is in the middle of its cell. Too large numbers share a cell at the end of the grid.
        let key = at.to_array().map(|coordinate| (coordinate / self.cell).round() as i64);
        *self.found.entry(key).or_insert_with(add)
    }
}

impl Points {
    /// Returns the triangles of a primitive that have an area to measure.
    fn corners(&self, primitive: &Primitive, of_vertex: &[u32], drawn: u32) -> impl Iterator<Item = Corners> {
        let (triples, _) = primitive.indices.as_chunks::<3>();
        triples.iter().filter_map(move |triple| {
            let [a, b, c] = triple.map(|vertex| of_vertex.get(vertex as usize).copied());
            let points = [a?, b?, c?];
            let [a, b, c] = points;
            let finite = |&point: &u32| self.bind.get(point as usize).is_some_and(|at| at.is_finite());
            let sound = a != b && b != c && c != a && points.iter().all(finite);
            sound.then_some(Corners { points, drawn })
        })
    }

    /// Writes the position of each point. A point whose vertex is missing has no position.
    pub fn pose_into(&self, skinned: &[SkinnedPrimitive<f64>], out: &mut Vec<DVec3>) {
        out.clear();
        let mut begin = 0;
        for (number, drawn) in self.drawn.iter().enumerate() {
            let vertices = self.vertices.get(begin..drawn.end).unwrap_or_default();
            let positions = skinned.get(number).map_or(&[][..], |skinned| &skinned.positions);
            out.extend(vertices.iter().map(|&vertex| {
                positions.get(vertex as usize).map_or(DVec3::NAN, |&position| DVec3::from_array(position))
            }));
            begin = drawn.end;
        }
    }

    /// Returns the vertex that a point follows: the index of the drawn primitive, and the vertex in it.
    pub fn vertex(&self, point: u32) -> (usize, usize) {
        let point = point as usize;
        let drawn = self.drawn.partition_point(|drawn| drawn.end <= point);
        (drawn, self.vertices.get(point).map_or(0, |vertex| *vertex as usize))
    }

    /// Returns the position of the vertex that a point follows.
    pub fn place(&self, point: u32) -> Place {
        let (drawn, vertex) = self.vertex(point);
        let (instance, primitive) =
            self.drawn.get(drawn).map_or((0, 0), |drawn| (drawn.instance, drawn.primitive));
        Place { instance, primitive, vertex }
    }
}
