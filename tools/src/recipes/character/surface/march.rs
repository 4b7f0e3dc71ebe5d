//! Finds the surface of a solid on a grid of tetrahedra, which unlike cubes have no ambiguous cases: the result
//! is closed and every edge has two triangles.

use std::collections::HashMap;

use glam::DVec3;

use super::super::solid::Solid;
use super::Surface;

/// Cells along the side of a block; blocks far from the surface are skipped.
const BLOCK: usize = 8;

/// A cube's six tetrahedra around the diagonal from corner 0 to corner 7, corners numbered by
/// bits x, y, z. All six have the same orientation.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// The surface between `low` and `high` on a grid of that step. It is open where it leaves the box.
pub fn march(solid: &Solid, low: DVec3, high: DVec3, step: f64) -> Surface {
    let grid = Grid::sample(solid, low, high, step);
    let mut surface = Surface::default();
    // Vertices by the grid edge they lie on. The map is only for look-up, so its order does not matter.
    let mut on_edge: HashMap<(usize, usize), u32> = HashMap::new();
    let [nx, ny, nz] = grid.size;
    for z in 0..nz - 1 {
        for y in 0..ny - 1 {
            for x in 0..nx - 1 {
                let corner = |k: usize| grid.index(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2));
                let corners: [usize; 8] = std::array::from_fn(corner);
                let inside = corners.iter().filter(|&&c| grid.values[c] < 0.0).count();
                if inside == 0 || inside == 8 {
                    continue;
                }
                for tetrahedron in TETRAHEDRA {
                    let four = tetrahedron.map(|k| corners[k]);
                    let mut vertex = |a: usize, b: usize| {
                        *on_edge.entry((a.min(b), a.max(b))).or_insert_with(|| {
                            surface.places.push(grid.crossing(a.min(b), a.max(b)));
                            surface.places.len() as u32 - 1
                        })
                    };
                    slice(&grid, four, &mut vertex, &mut surface.triangles);
                }
            }
        }
    }
    surface
}

/// The triangles in which the surface cuts one tetrahedron.
fn slice(
    grid: &Grid,
    four: [usize; 4],
    vertex: &mut impl FnMut(usize, usize) -> u32,
    triangles: &mut Vec<[u32; 3]>,
) {
    let is_in = four.map(|c| grid.values[c] < 0.0);
    // Even permutations keep the orientation, so that one case each is enough.
    let turn = |k: usize| match k {
        0 => four,
        1 => [four[1], four[0], four[3], four[2]],
        2 => [four[2], four[3], four[0], four[1]],
        _ => [four[3], four[2], four[1], four[0]],
    };
    match is_in.iter().filter(|&&i| i).count() {
        1 | 3 => {
            let lone_is_in = is_in.iter().filter(|&&i| i).count() == 1;
            let lone = is_in.iter().position(|&i| i == lone_is_in).unwrap_or(0);
            let [a, b, c, d] = turn(lone);
            let t = [vertex(a, b), vertex(a, c), vertex(a, d)];
            triangles.push(if lone_is_in { t } else { [t[0], t[2], t[1]] });
        }
        2 => {
            let first = is_in.iter().position(|&i| i).unwrap_or(0);
            let [a, mut b, mut c, mut d] = turn(first);
            // Bring the second inner corner next to the first, turning the other three.
            let is = |v: usize| grid.values[v] < 0.0;
            while !is(b) {
                (b, c, d) = (c, d, b);
            }
            let quad = [vertex(a, c), vertex(a, d), vertex(b, d), vertex(b, c)];
            triangles.push([quad[0], quad[1], quad[2]]);
            triangles.push([quad[0], quad[2], quad[3]]);
        }
        _ => {}
    }
}

/// Distances at grid points.
struct Grid {
    low: DVec3,
    step: f64,
    size: [usize; 3],
    values: Vec<f64>,
}

impl Grid {
    fn sample(solid: &Solid, low: DVec3, high: DVec3, step: f64) -> Self {
        let count = |k: usize| {
            let cells = ((high - low)[k] / step).ceil() as usize;
            cells.next_multiple_of(BLOCK) + 1
        };
        let size = [count(0), count(1), count(2)];
        let mut grid = Self { low, step, size, values: vec![f64::INFINITY; size.iter().product()] };
        // Distances are off by some tens of percent between shapes: hence the wide margin.
        let reach = step * BLOCK as f64 * 3f64.sqrt() / 2.0 * 1.6;
        for bz in (0..size[2] - 1).step_by(BLOCK) {
            for by in (0..size[1] - 1).step_by(BLOCK) {
                for bx in (0..size[0] - 1).step_by(BLOCK) {
                    let half = DVec3::splat(BLOCK as f64 / 2.0);
                    let middle = DVec3::new(bx as f64, by as f64, bz as f64) + half;
                    let d = solid.distance(low + middle * step);
                    grid.fill(solid, [bx, by, bz], if d.abs() > reach { Some(d) } else { None });
                }
            }
        }
        grid
    }

    fn fill(&mut self, solid: &Solid, block: [usize; 3], far: Option<f64>) {
        for z in block[2]..=block[2] + BLOCK {
            for y in block[1]..=block[1] + BLOCK {
                for x in block[0]..=block[0] + BLOCK {
                    let index = self.index(x, y, z);
                    if let Some(d) = far {
                        // Blocks share faces: a neighbour may have set the exact value.
                        if self.values[index] == f64::INFINITY {
                            self.values[index] = d;
                        }
                    } else {
                        let p = self.low + DVec3::new(x as f64, y as f64, z as f64) * self.step;
                        self.values[index] = solid.distance(p);
                    }
                }
            }
        }
    }

    fn index(&self, x: usize, y: usize, z: usize) -> usize {
        (z * self.size[1] + y) * self.size[0] + x
    }

    fn place(&self, index: usize) -> DVec3 {
        let [nx, ny, _] = self.size;
        let (x, y, z) = (index % nx, index / nx % ny, index / nx / ny);
        self.low + DVec3::new(x as f64, y as f64, z as f64) * self.step
    }

    /// Finds the point at which the surface crosses a grid edge, kept off the ends, where triangles would shrink to nothing.
    fn crossing(&self, a: usize, b: usize) -> DVec3 {
        let (da, db) = (self.values[a], self.values[b]);
        self.place(a).lerp(self.place(b), (da / (da - db)).clamp(0.05, 0.95))
    }
}
