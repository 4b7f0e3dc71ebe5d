//! A mesh as one surface: vertices at one place are one point, however many primitives and seams there are.

use glam::DVec3;
use sinew_model::{DdmOddities, Mesh, Topology};
use std::collections::HashMap;

/// The least height of a triangle whose shape counts, as a share of its longest edge.
const FLAT: f64 = 1e-10;

/// A mesh's points, and how much each follows its neighbours.
pub struct Surface {
    /// The point of each vertex, primitive by primitive.
    point_of: Vec<u32>,
    /// The index in `point_of` of each primitive's first vertex.
    firsts: Vec<usize>,
    /// Bind-space positions.
    pub points: Vec<DVec3>,
    /// The end of each point's neighbours.
    ends: Vec<u32>,
    /// Neighbours with their shares, which sum to one.
    neighbours: Vec<(u32, f64)>,
    /// An upper bound for the eigenvalues of the Laplacian.
    pub top: f64,
    /// The oddities found on the way.
    pub oddities: DdmOddities,
}

impl Surface {
    /// Joins the primitives of a mesh, and makes its Laplacian.
    pub fn new(mesh: &Mesh) -> Self {
        let mut surface = Self::welded(mesh);
        surface.connect(&surface.triangles(mesh));
        surface
    }

    /// Joins the primitives of a mesh. No point has neighbours yet.
    pub fn welded(mesh: &Mesh) -> Self {
        let mut surface = Self {
            point_of: Vec::new(),
            firsts: Vec::new(),
            points: Vec::new(),
            ends: Vec::new(),
            neighbours: Vec::new(),
            top: 0.0,
            oddities: DdmOddities::default(),
        };
        surface.weld(mesh);
        surface
    }

    /// Returns the points of a primitive's vertices.
    pub fn points_of(&self, primitive: usize) -> &[u32] {
        let end = self.firsts.get(primitive + 1).copied().unwrap_or(self.point_of.len());
        self.firsts.get(primitive).and_then(|&first| self.point_of.get(first..end)).unwrap_or_default()
    }

    /// Returns a point's neighbours with their shares.
    pub fn around(&self, point: u32) -> &[(u32, f64)] {
        let start = point.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.neighbours[start as usize..self.ends[point as usize] as usize]
    }

    /// Gives vertices at one place one point. Points are in the order of their first vertices.
    fn weld(&mut self, mesh: &Mesh) {
        let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
        for primitive in &mesh.primitives {
            self.firsts.push(self.point_of.len());
            for &position in &primitive.positions {
                // Zero has two signs.
                let place = position.map(|x| (x + 0.0).to_bits());
                let next = self.points.len() as u32;
                let point = *numbers.entry(place).or_insert(next);
                if point == next {
                    self.points.push(DVec3::from(position.map(f64::from)));
                }
                self.point_of.push(point);
            }
        }
    }

    /// Returns the triangles of skinned primitives between points.
    pub fn triangles(&self, mesh: &Mesh) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            if primitive.topology == Topology::Triangles && primitive.influences.is_some() {
                let points = self.points_of(number);
                let (corners, _) = primitive.indices.as_chunks::<3>();
                triangles.extend(corners.iter().filter_map(|corners| {
                    let [a, b, c] = corners.map(|corner| points.get(corner as usize).copied());
                    Some([a?, b?, c?])
                }));
            }
        }
        triangles
    }

    /// Makes the Laplacian of cotangents, each row divided by its diagonal.
    fn connect(&mut self, triangles: &[[u32; 3]]) {
        // Each edge in both directions, with the cotangent opposite to it.
        let mut halves: Vec<(u32, u32, f64)> = Vec::with_capacity(triangles.len() * 6);
        let mut most = 0.0_f64;
        for &triangle in triangles {
            let Some(cotangents) = self.cotangents(triangle) else {
                self.oddities.degenerate += 1;
                continue;
            };
            most = most.max(largest_eigenvalue(cotangents));
            for (corner, cotangent) in cotangents.into_iter().enumerate() {
                let (a, b) = (triangle[(corner + 1) % 3], triangle[(corner + 2) % 3]);
                halves.extend([(a, b, cotangent), (b, a, cotangent)]);
            }
        }
        // The order of triangles stays, so that sums do not depend on the sort.
        halves.sort_by_key(|&(a, b, _)| (a, b));
        let (mut next, mut widest) = (0, 0.0_f64);
        for point in 0..self.points.len() as u32 {
            let first = self.neighbours.len();
            let count = halves[next..].partition_point(|half| half.0 == point);
            for edge in halves[next..next + count].chunk_by(|a, b| a.1 == b.1) {
                self.oddities.non_manifold += usize::from(edge.len() > 2 && point < edge[0].1);
                self.neighbours.push((edge[0].1, edge.iter().map(|half| half.2).sum()));
            }
            next += count;
            let own = &mut self.neighbours[first..];
            let diagonal: f64 = own.iter().map(|neighbour| neighbour.1).sum();
            own.iter_mut().for_each(|neighbour| neighbour.1 /= diagonal);
            widest = widest.max(1.0 + own.iter().map(|neighbour| neighbour.1.abs()).sum::<f64>());
            self.oddities.loose += usize::from(own.is_empty());
            self.ends.push(self.neighbours.len() as u32);
        }
        // Of rounding, and of a surface without triangles.
        self.top = most.min(widest).max(1.0);
    }

    /// Returns the cotangents of a triangle's angles; `None` if it has no area.
    fn cotangents(&self, triangle: [u32; 3]) -> Option<[f64; 3]> {
        let corners = triangle.map(|point| self.points[point as usize]);
        let edges = [0, 1, 2].map(|corner| corners[(corner + 2) % 3] - corners[(corner + 1) % 3]);
        let area = edges[0].cross(edges[1]).length();
        let longest = edges.iter().fold(0.0, |longest: f64, edge| longest.max(edge.length_squared()));
        let has_area = area.is_finite() && area > longest * FLAT;
        has_area.then(|| [0, 1, 2].map(|corner| -edges[(corner + 1) % 3].dot(edges[(corner + 2) % 3]) / area))
    }
}

/// Returns the largest eigenvalue of a triangle's Laplacian, each row divided by its diagonal; at most 3. No eigenvalue of
/// the whole surface is larger than that of its worst triangle.
fn largest_eigenvalue(cotangents: [f64; 3]) -> f64 {
    // The eigenvalues are 0 and two whose sum is the trace, 3; their product is the sum of the principal minors.
    let [a, b, c] = cotangents;
    let minor = |shared: f64, x: f64, y: f64| 1.0 - shared * shared / ((shared + x) * (shared + y));
    let product = minor(a, b, c) + minor(b, c, a) + minor(c, a, b);
    1.5 + (2.25 - product).max(0.0).sqrt()
}
