//! All vertices of a model, to search by position: the drawn ones, and the surface between them.

use std::collections::HashMap;
use std::sync::OnceLock;

use glam::DVec3;

use super::nearest::Tree;
use super::parts::{Part, Space};
use super::surface::{SurfacePoint, SurfaceTree};
use sinew_model::Topology;

/// The parts of a model in one space. Vertices are numbered through all parts.
pub struct Field<'a> {
    /// The parts.
    pub parts: &'a [Part<'a>],
    /// The space.
    pub space: Space,
    /// The index of each part's first vertex.
    first: Vec<u32>,
    points: Vec<DVec3>,
    /// The vertices by position.
    same: OnceLock<Places>,
    tree: OnceLock<Tree>,
    surface: OnceLock<SurfaceTree>,
    /// The corners of the box around all drawn vertices; inverted if there are none.
    pub limits: [DVec3; 2],
}

/// The last vertex at each position, to the bit, and for each vertex the previous one at its position.
type Places = (HashMap<[u64; 3], u32>, Vec<u32>);

/// The end of a list of vertices at one position; indices are smaller.
const NO_VERTEX: u32 = u32::MAX;

/// Returns a position as a key; adding 0 makes −0 the same position.
pub fn bits(place: DVec3) -> [u64; 3] {
    place.to_array().map(|at| (at + 0.0).to_bits())
}

impl<'a> Field<'a> {
    /// Prepares the search; skips vertices beyond the largest index.
    pub fn new(parts: &'a [Part<'a>], space: Space) -> Self {
        let mut first = Vec::with_capacity(parts.len());
        let mut points = Vec::new();
        let mut limits = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        for part in parts {
            let start = points.len();
            let count = part.bind.positions.len();
            first.push(u32::try_from(start).unwrap_or(u32::MAX));
            if u32::try_from(start.saturating_add(count)).is_err() {
                continue;
            }
            points.resize(start + count, DVec3::NAN);
            for &vertex in &part.drawn {
                let Some(place) = part.place(space, vertex) else { continue };
                limits = [limits[0].min(place), limits[1].max(place)];
                if let Some(point) = points.get_mut(start + vertex as usize) {
                    *point = place;
                }
            }
        }
        let (same, tree, surface) = Default::default();
        Self { parts, space, first, points, same, tree, surface, limits }
    }

    /// Returns the largest coordinate.
    pub fn reach(&self) -> f64 {
        let reach = self.limits[0].abs().max(self.limits[1].abs()).max_element();
        if reach.is_finite() { reach } else { 0.0 }
    }

    /// Returns the diagonal of the box.
    pub fn size(&self) -> f64 {
        let size = (self.limits[1] - self.limits[0]).length();
        if size.is_finite() { size } else { 0.0 }
    }

    /// Returns the step of the coarsest grid of positions; 0 without any.
    pub fn step(&self) -> f64 {
        let step = |part: &Part| part.step_m.map(|step| step / part.metres(self.space));
        self.parts.iter().filter_map(step).filter(|step| step.is_finite()).fold(0.0, f64::max)
    }

    /// Returns the part of a vertex, and the vertex's index in it.
    pub fn of_vertex(&self, number: u32) -> (usize, u32) {
        let part = self.first.partition_point(|first| *first <= number).saturating_sub(1);
        (part, number - self.first.get(part).copied().unwrap_or(0))
    }

    /// Returns the nearest vertex within a distance that passes a test.
    pub fn nearest(&self, to: DVec3, most: f64, passes: impl Fn(u32) -> bool) -> Option<(u32, f64)> {
        self.tree().nearest_where(to, most, passes)
    }

    /// Lists the vertices within a distance, in ascending order.
    pub fn within(&self, to: DVec3, most: f64, out: &mut Vec<u32>) {
        self.tree().within(to, most, out);
        out.sort_unstable();
    }

    /// Returns the vertices at a position, to the bit, at most 256 of them; most exports change no coordinate.
    pub fn at(&self, place: DVec3) -> Vec<u32> {
        let (first, next) = self.same.get_or_init(|| self.places());
        let step = |vertex: &u32| next.get(*vertex as usize).copied().filter(|next| *next != NO_VERTEX);
        let all = std::iter::successors(first.get(&bits(place)).copied(), step);
        let mut found: Vec<u32> = all.take(256).collect();
        found.sort_unstable();
        found
    }

    fn places(&self) -> Places {
        let mut first = HashMap::with_capacity(self.points.len());
        let mut next = vec![NO_VERTEX; self.points.len()];
        let drawn =
            self.points.iter().zip(0_u32..).zip(&mut next).filter(|((point, _), _)| point.is_finite());
        for ((point, number), next) in drawn {
            *next = first.insert(bits(*point), number).unwrap_or(NO_VERTEX);
        }
        (first, next)
    }

    fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| Tree::new(self.points.iter().copied()))
    }

    /// Returns the nearest point of a surface whose triangles pass a test; the test takes the part and the corners in it.
    pub fn on_surface(
        &self,
        to: DVec3,
        passes: impl Fn(usize, [u32; 3]) -> bool,
    ) -> Option<(usize, SurfacePoint, f64)> {
        let local = |corners: [u32; 3]| {
            let of = corners.map(|corner| self.of_vertex(corner));
            (of[0].0, of.map(|(_, vertex)| vertex))
        };
        let is_taken = |corners: [u32; 3]| {
            let (part, corners) = local(corners);
            passes(part, corners)
        };
        let (point, apart) = self.surface().nearest_where(to, is_taken)?;
        let (part, corners) = local(point.corners);
        Some((part, SurfacePoint { corners, ..point }, apart))
    }

    /// Returns the surface; lines and points are triangles without area.
    fn surface(&self) -> &SurfaceTree {
        self.surface.get_or_init(|| {
            let mut places: Vec<[f64; 3]> = Vec::new();
            let mut triangles: Vec<[u32; 3]> = Vec::new();
            for (part, &first) in self.parts.iter().zip(&self.first) {
                if places.len() != first as usize {
                    break;
                }
                let count = u32::try_from(part.bind.positions.len()).unwrap_or(u32::MAX);
                if first.checked_add(count).is_none() {
                    break;
                }
                let place = |vertex| part.place(self.space, vertex).unwrap_or(DVec3::NAN).to_array();
                places.extend((0..count).map(place));
                let primitive = part.found.primitive;
                let of = |corners: [u32; 3]| corners.map(|corner| first.saturating_add(corner));
                match primitive.topology {
                    Topology::Triangles => {
                        triangles
                            .extend(primitive.indices.as_chunks::<3>().0.iter().map(|corners| of(*corners)));
                    }
                    Topology::Lines => {
                        triangles.extend(
                            primitive.indices.as_chunks::<2>().0.iter().map(|[a, b]| of([*a, *b, *b])),
                        );
                    }
                    Topology::Points => triangles.extend(primitive.indices.iter().map(|a| of([*a; 3]))),
                }
            }
            SurfaceTree::new(&places, triangles.into_iter())
        })
    }
}
