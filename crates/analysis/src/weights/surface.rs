//! The surface that a skin moves: all its meshes in bind space, welded where positions are the same to the bit.

use std::collections::{HashMap, HashSet};

use glam::DVec3;

use super::rows::Rows;
use sinew_model::{Model, Primitive, Topology};
use sinew_skinning::pairing::influences::{Influence, influences_of, mean};

/// All primitives that instances draw with a skin, each mesh once.
///
/// Vertices are numbered through all primitives. Those at the same position are one *point*. Elements connected by edges are
/// one *piece*. An element with a corner that is not finite is left out.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// The skin's index.
    pub skin: usize,
    /// The primitives, in the order of instances.
    pub primitives: Vec<Drawn>,
    /// The weights of each vertex.
    pub influences: Rows<Influence>,
    /// Each vertex's point.
    pub point_of: Vec<u32>,
    /// The position of each point.
    pub positions: Vec<DVec3>,
    /// The mean weights of each point's vertices.
    pub weights: Rows<Influence>,
    /// The vertices of each point.
    pub vertices: Rows<u32>,
    /// Triangles as vertices; their points differ.
    pub triangles: Vec<[u32; 3]>,
    /// Each edge once, as points in ascending order.
    pub edges: Vec<[u32; 2]>,
    /// The edges of each point.
    pub neighbours: Rows<Neighbour>,
    /// The piece of each point.
    pub piece_of: Vec<u32>,
    /// The number of pieces.
    pub pieces: usize,
}

/// A primitive as the first instance draws it with the skin.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// Index into the model's instances.
    pub instance: usize,
    /// Index into the model's meshes.
    pub mesh: usize,
    /// Index into the mesh's primitives.
    pub primitive: usize,
    /// The index of its first vertex on the surface.
    pub first: u32,
}

/// The other end of an edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Neighbour {
    /// The point.
    pub point: u32,
    /// The length of the edge.
    pub length: f32,
}

impl Surface {
    /// Prepares the surface of a skin that draws these instances.
    pub fn new(model: &Model, skin: usize, instances: &[usize]) -> Self {
        let mut surface = Self { skin, ..Self::default() };
        let joints = model.skins.get(skin).map_or(0, |skin| skin.joints.len());
        let mut points = HashMap::new();
        let mut elements = Vec::new();
        for (instance, mesh, primitive, found) in skinned(model, instances) {
            let Ok(first) = u32::try_from(surface.point_of.len()) else { break };
            // The largest index is not a vertex, so that counts fit as well.
            if found.positions.len() >= (u32::MAX - first) as usize {
                break;
            }
            surface.primitives.push(Drawn { instance, mesh, primitive, first });
            surface.add_vertices(found, joints, &mut points);
            surface.add_elements(found, first, &mut elements);
        }
        drop(points);
        surface.weigh();
        surface.connect(elements);
        surface.number_pieces();
        surface
    }

    fn add_vertices(&mut self, found: &Primitive, joints: usize, points: &mut HashMap<[u32; 3], u32>) {
        let Some(stored) = &found.influences else { return };
        let mut row = Vec::new();
        for (vertex, position) in found.positions.iter().enumerate() {
            influences_of(stored, vertex, joints, &mut row);
            self.influences.push(row.iter().copied());
            // Adding 0 makes −0 the same position.
            let key = position.map(|coordinate| (coordinate + 0.0).to_bits());
            let next = self.positions.len() as u32;
            let point = *points.entry(key).or_insert(next);
            if point == next {
                self.positions.push(DVec3::from_array(position.map(f64::from)));
            }
            self.point_of.push(point);
        }
    }

    /// Adds triangles, and the edges of all elements as pairs of points.
    fn add_elements(&mut self, found: &Primitive, first: u32, edges: &mut Vec<[u32; 2]>) {
        let corners = match found.topology {
            Topology::Triangles => 3,
            Topology::Lines => 2,
            Topology::Points => return,
        };
        for element in found.indices.chunks_exact(corners) {
            let vertices = element.iter().map(|vertex| first.saturating_add(*vertex));
            let points = vertices.clone().map(|vertex| self.point(vertex));
            let is_finite = |point: Option<u32>| {
                point.and_then(|point| self.positions.get(point as usize)).is_some_and(|at| at.is_finite())
            };
            if !points.clone().all(is_finite) {
                continue;
            }
            let (vertices, points): (Vec<u32>, Vec<u32>) = (vertices.collect(), points.flatten().collect());
            let around = points.iter().zip(points.iter().cycle().skip(1));
            edges.extend(around.filter(|(a, b)| a != b).map(|(a, b)| [*a.min(b), *a.max(b)]));
            if let (&[a, b, c], &[p, q, r]) = (&vertices[..], &points[..])
                && p != q
                && q != r
                && r != p
            {
                self.triangles.push([a, b, c]);
            }
        }
    }

    fn weigh(&mut self) {
        let by_point =
            self.point_of.iter().enumerate().map(|(vertex, point)| (*point as usize, vertex as u32));
        self.vertices = Rows::sorted(self.positions.len(), by_point);
        let mut row = Vec::new();
        for vertices in self.vertices.iter() {
            match vertices {
                [only] => self.weights.push(self.influences.row(*only as usize).iter().copied()),
                several => {
                    mean(several.iter().map(|vertex| self.influences.row(*vertex as usize)), &mut row);
                    self.weights.push(row.iter().copied());
                }
            }
        }
    }

    fn connect(&mut self, mut edges: Vec<[u32; 2]>) {
        edges.sort_unstable();
        edges.dedup();
        let length = |a: u32, b: u32| match (self.positions.get(a as usize), self.positions.get(b as usize)) {
            (Some(a), Some(b)) => a.distance(*b) as f32,
            _ => f32::INFINITY,
        };
        let both = edges.iter().flat_map(|&[a, b]| {
            let length = length(a, b);
            [(a, b), (b, a)].map(|(from, point)| (from as usize, Neighbour { point, length }))
        });
        self.neighbours = Rows::sorted(self.positions.len(), both);
        self.edges = edges;
    }

    fn number_pieces(&mut self) {
        let mut piece_of = vec![u32::MAX; self.positions.len()];
        let mut waiting = Vec::new();
        for start in 0..piece_of.len() {
            if piece_of.get(start) != Some(&u32::MAX) {
                continue;
            }
            waiting.push(start as u32);
            while let Some(point) = waiting.pop() {
                let Some(piece) = piece_of.get_mut(point as usize).filter(|piece| **piece == u32::MAX) else {
                    continue;
                };
                *piece = self.pieces as u32;
                waiting.extend(self.neighbours.row(point as usize).iter().map(|other| other.point));
            }
            self.pieces += 1;
        }
        self.piece_of = piece_of;
    }

    /// Returns the point of a vertex.
    pub fn point(&self, vertex: u32) -> Option<u32> {
        self.point_of.get(vertex as usize).copied()
    }

    /// Returns the position of a point; the origin for an index out of range.
    pub fn position(&self, point: u32) -> DVec3 {
        self.positions.get(point as usize).copied().unwrap_or_default()
    }

    /// Returns the primitive of a vertex, as an index into [`Surface::primitives`], and the vertex's index in it.
    pub fn locate(&self, vertex: u32) -> Option<(usize, u32)> {
        let number = self.primitives.partition_point(|drawn| drawn.first <= vertex).checked_sub(1)?;
        let drawn = self.primitives.get(number)?;
        Some((number, vertex.saturating_sub(drawn.first)))
    }
}

/// Returns the instances of each skin.
pub fn instances_by_skin(model: &Model) -> Rows<usize> {
    let instances = model.instances.iter().enumerate();
    let by_skin = instances.filter_map(|(number, instance)| Some((instance.skin?, number)));
    Rows::sorted(model.skins.len(), by_skin)
}

/// Returns the primitives with joints of some instances' meshes, each mesh once, with the instance, the mesh and the index
/// of the primitive.
pub fn skinned<'a>(model: &'a Model, instances: &[usize]) -> Vec<(usize, usize, usize, &'a Primitive)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for &number in instances {
        let Some(instance) = model.instances.get(number).filter(|instance| seen.insert(instance.mesh)) else {
            continue;
        };
        let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
        let skinned = primitives.iter().enumerate().filter(|(_, primitive)| primitive.influences.is_some());
        found.extend(skinned.map(|(p, primitive)| (number, instance.mesh, p, primitive)));
    }
    found
}
