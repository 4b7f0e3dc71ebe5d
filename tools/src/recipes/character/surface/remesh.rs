//! Evens out a surface: edges of the wanted length at each point, about six around every vertex, every vertex
//! on the solid. After Botsch and Kobbelt, "A remeshing approach to multiresolution modeling" (2004).

use glam::DVec3;

use super::super::solid::Solid;
use super::Surface;

const ROUNDS: usize = 7;
/// Edges outside these multiples of the wanted length are split or collapsed; with these two,
/// neither undoes the other.
const MAX_EDGE: f64 = 4.0 / 3.0;
const SHORTEST: f64 = 4.0 / 5.0;

/// Evens out `surface`. An open rim stays as it is.
pub fn remesh(surface: Surface, solid: &Solid, length: &dyn Fn(DVec3) -> f64) -> Surface {
    let mut mesh = Mesh::new(surface, length);
    for _ in 0..ROUNDS {
        mesh.split(solid);
        mesh.collapse();
        mesh.flip();
        mesh.relax(solid);
    }
    mesh.finish()
}

/// A surface with a list of the triangles around each vertex.
struct Mesh<'a> {
    surface: Surface,
    /// A dead triangle has all three vertices the same.
    around: Vec<Vec<u32>>,
    rim: Vec<bool>,
    length: &'a dyn Fn(DVec3) -> f64,
    wanted: Vec<f64>,
}

impl<'a> Mesh<'a> {
    fn new(surface: Surface, length: &'a dyn Fn(DVec3) -> f64) -> Self {
        let mut around = vec![Vec::new(); surface.places.len()];
        for (t, triangle) in surface.triangles.iter().enumerate() {
            for &v in triangle {
                around[v as usize].push(t as u32);
            }
        }
        let wanted = surface.places.iter().map(|&p| length(p)).collect();
        let rim = vec![false; surface.places.len()];
        let mut mesh = Self { surface, around, rim, length, wanted };
        for v in 0..mesh.around.len() as u32 {
            mesh.rim[v as usize] = mesh.neighbours(v).iter().any(|&n| mesh.wings(v, n).len() != 2);
        }
        mesh
    }

    fn finish(mut self) -> Surface {
        self.surface.triangles.retain(|t| t[0] != t[1]);
        self.surface.compact();
        self.surface
    }

    fn place(&self, v: u32) -> DVec3 {
        self.surface.places[v as usize]
    }

    fn triangle(&self, t: u32) -> [u32; 3] {
        self.surface.triangles[t as usize]
    }

    /// The vertices joined to `v`, each once, in the order of the triangles around it.
    fn neighbours(&self, v: u32) -> Vec<u32> {
        let mut found = Vec::with_capacity(8);
        for &t in &self.around[v as usize] {
            for n in self.triangle(t) {
                if n != v && !found.contains(&n) {
                    found.push(n);
                }
            }
        }
        found
    }

    /// The triangles on the edge between `a` and `b`.
    fn wings(&self, a: u32, b: u32) -> Vec<u32> {
        self.around[a as usize].iter().copied().filter(|&t| self.triangle(t).contains(&b)).collect()
    }

    fn third(&self, t: u32, a: u32, b: u32) -> u32 {
        self.triangle(t).into_iter().find(|&v| v != a && v != b).unwrap_or(a)
    }

    fn wanted(&self, a: u32, b: u32) -> f64 {
        (self.wanted[a as usize] + self.wanted[b as usize]) / 2.0
    }

    fn edge_length(&self, a: u32, b: u32) -> f64 {
        (self.place(a) - self.place(b)).length()
    }

    fn normal(&self, t: [u32; 3]) -> DVec3 {
        let [a, b, c] = t.map(|v| self.place(v));
        (b - a).cross(c - a)
    }

    /// All edges once, lower vertex first, in the order of vertices.
    fn edges(&self) -> Vec<(u32, u32)> {
        let mut edges = Vec::new();
        for v in 0..self.around.len() as u32 {
            let higher = self.neighbours(v).into_iter().filter(|&n| n > v);
            edges.extend(higher.map(|n| (v, n)));
        }
        edges
    }

    fn split(&mut self, solid: &Solid) {
        for (a, b) in self.edges() {
            let wings = self.wings(a, b);
            if wings.len() != 2 || self.edge_length(a, b) <= MAX_EDGE * self.wanted(a, b) {
                continue;
            }
            let middle = self.surface.places.len() as u32;
            let place = solid.project((self.place(a) + self.place(b)) / 2.0);
            self.surface.places.push(place);
            self.wanted.push((self.length)(place));
            self.rim.push(false);
            self.around.push(Vec::new());
            for t in wings {
                let old = self.triangle(t);
                let half = |keep: u32, replace: u32| {
                    old.map(|v| if v == replace { middle } else { v })
                        .map(|v| if v == keep { keep } else { v })
                };
                let (with_a, with_b) = (half(a, b), half(b, a));
                let new = self.surface.triangles.len() as u32;
                self.surface.triangles[t as usize] = with_a;
                self.surface.triangles.push(with_b);
                let opposite = with_a.into_iter().find(|&v| v != a && v != middle).unwrap_or(a);
                self.around[b as usize].retain(|&s| s != t);
                self.around[b as usize].push(new);
                self.around[opposite as usize].push(new);
                self.around[middle as usize].extend([t, new]);
            }
        }
    }

    fn collapse(&mut self) {
        for (a, b) in self.edges() {
            if self.around[a as usize].is_empty() || self.around[b as usize].is_empty() {
                continue;
            }
            let wings = self.wings(a, b);
            if wings.len() != 2 || self.edge_length(a, b) >= SHORTEST * self.wanted(a, b) {
                continue;
            }
            // Keep the rim: none of its vertices goes.
            let (keep, gone) = if self.rim[b as usize] { (b, a) } else { (a, b) };
            if self.rim[gone as usize] || !self.may_merge(keep, gone) {
                continue;
            }
            for t in wings {
                for v in self.triangle(t) {
                    self.around[v as usize].retain(|&s| s != t);
                }
                self.surface.triangles[t as usize] = [keep; 3];
            }
            for t in std::mem::take(&mut self.around[gone as usize]) {
                for v in &mut self.surface.triangles[t as usize] {
                    if *v == gone {
                        *v = keep;
                    }
                }
                self.around[keep as usize].push(t);
            }
        }
    }

    /// Returns true if moving `gone` onto `keep` leaves a surface, turns no triangle over and makes no
    /// edge that would be split again.
    fn may_merge(&self, keep: u32, gone: u32) -> bool {
        let near = self.neighbours(keep);
        let far = self.neighbours(gone);
        if far.iter().filter(|n| near.contains(n)).count() != 2 {
            return false;
        }
        if far.iter().any(|&n| n != keep && self.edge_length(keep, n) > MAX_EDGE * self.wanted(keep, n)) {
            return false;
        }
        self.around[gone as usize].iter().all(|&t| {
            let old = self.triangle(t);
            if old.contains(&keep) {
                return true;
            }
            let new = self.normal(old.map(|v| if v == gone { keep } else { v }));
            let old = self.normal(old);
            new.dot(old) > 0.3 * new.length() * old.length()
        })
    }

    /// Flips edges inside their two triangles if that brings vertices closer to six edges.
    fn flip(&mut self) {
        for (a, b) in self.edges() {
            let wings = self.wings(a, b);
            let [s, t] = wings[..] else { continue };
            let (c, d) = (self.third(s, a, b), self.third(t, a, b));
            if c == d || self.neighbours(c).contains(&d) {
                continue;
            }
            let off = |v: u32, change: i32| {
                let ideal = if self.rim[v as usize] { 4 } else { 6 };
                (self.around[v as usize].len() as i32 + change - ideal).pow(2)
            };
            let now = off(a, 0) + off(b, 0) + off(c, 0) + off(d, 0);
            let then = off(a, -1) + off(b, -1) + off(c, 1) + off(d, 1);
            if then >= now {
                continue;
            }
            // In s the corners run a, b, c or b, a, c; the new triangles keep that sense.
            let forward = {
                let k = self.triangle(s);
                let at = k.iter().position(|&v| v == a).unwrap_or(0);
                k[(at + 1) % 3] == b
            };
            let (first, second) = if forward { ([a, d, c], [d, b, c]) } else { ([a, c, d], [d, c, b]) };
            let old = (self.normal(self.triangle(s)) + self.normal(self.triangle(t))).normalize_or_zero();
            let facing = |k: [u32; 3]| {
                let n = self.normal(k);
                n.dot(old) > 0.5 * n.length() && n.length() > 0.0
            };
            if !facing(first) || !facing(second) {
                continue;
            }
            self.surface.triangles[s as usize] = first;
            self.surface.triangles[t as usize] = second;
            self.around[a as usize].retain(|&k| k != t);
            self.around[b as usize].retain(|&k| k != s);
            self.around[c as usize].push(t);
            self.around[d as usize].push(s);
        }
    }

    /// Moves every vertex toward the middle of its neighbours, along the surface, and back onto it.
    fn relax(&mut self, solid: &Solid) {
        let mut moved = self.surface.places.clone();
        for v in 0..self.around.len() as u32 {
            if self.around[v as usize].is_empty() || self.rim[v as usize] {
                continue;
            }
            let p = self.place(v);
            // Triangles count by their size in wanted edges, so that fine and coarse regions meet evenly.
            let (mut sum, mut total, mut normal) = (DVec3::ZERO, 0.0, DVec3::ZERO);
            for &t in &self.around[v as usize] {
                let k = self.triangle(t);
                let n = self.normal(k);
                let wanted = k.iter().map(|&v| self.wanted[v as usize]).sum::<f64>() / 3.0;
                let weight = n.length() / (wanted * wanted);
                sum += k.iter().map(|&v| self.place(v)).sum::<DVec3>() / 3.0 * weight;
                total += weight;
                normal += n;
            }
            let normal = normal.normalize_or_zero();
            let step = sum / total - p;
            moved[v as usize] = solid.project(p + (step - normal * step.dot(normal)));
        }
        self.surface.places = moved;
        for (wanted, &place) in self.wanted.iter_mut().zip(&self.surface.places) {
            *wanted = (self.length)(place);
        }
    }
}
