//! The points of the surface that a skin moves, and a column of weights smoothed over it. Vertices at one place are one point,
//! also where meshes meet.

use std::collections::HashMap;

use sinew_model::{Model, Topology};

use super::{Chosen, Part, Row};

/// The surface of one skin.
#[derive(Default)]
pub struct Points {
    /// The vertices of each point: the part and the number in it.
    vertices: Vec<Vec<(usize, usize)>>,
    /// The end of each point's neighbours.
    ends: Vec<usize>,
    /// Neighbours, each once a point.
    neighbours: Vec<u32>,
}

impl Points {
    /// Joins the parts of a skin.
    pub fn new(model: &Model, parts: &[Part], skin: usize) -> Self {
        let mut points = Self::default();
        let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
        let mut halves: Vec<(u32, u32)> = Vec::new();
        for (number, part) in parts.iter().enumerate().filter(|(_, part)| part.skin == skin) {
            let Some(primitive) = part.primitive(model) else { continue };
            let mut place = |position: &[f32; 3]| {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                // Zero has two signs.
                *numbers.entry(position.map(|x| (x + 0.0).to_bits())).or_insert(next)
            };
            let of_vertex: Vec<u32> = primitive.positions.iter().map(&mut place).collect();
            let corners = match primitive.topology {
                Topology::Triangles => 3,
                Topology::Lines => 2,
                Topology::Points => 1,
            };
            for element in primitive.indices.chunks_exact(corners) {
                let found = element.iter().filter_map(|vertex| of_vertex.get(*vertex as usize).copied());
                let found: Vec<u32> = found.collect();
                let pairs = found.iter().flat_map(|a| found.iter().map(move |b| (*a, *b)));
                halves.extend(pairs.filter(|(a, b)| a != b));
            }
            points.vertices.resize(numbers.len(), Vec::new());
            for (vertex, point) in of_vertex.iter().enumerate() {
                if let Some(vertices) = points.vertices.get_mut(*point as usize) {
                    vertices.push((number, vertex));
                }
            }
        }
        halves.sort_unstable();
        halves.dedup();
        let mut end = 0;
        points.ends = (0..numbers.len())
            .map(|point| {
                let of_point = halves.get(end..).unwrap_or_default();
                end += of_point.iter().take_while(|(from, _)| *from as usize == point).count();
                end
            })
            .collect();
        points.neighbours = halves.into_iter().map(|(_, to)| to).collect();
        points
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Returns the place of a point in the bind pose.
    pub fn place(&self, model: &Model, parts: &[Part], point: usize) -> Option<[f32; 3]> {
        let (part, vertex) = self.vertices.get(point)?.first()?;
        parts.get(*part)?.primitive(model)?.positions.get(*vertex).copied()
    }

    /// Returns the neighbours of a point.
    pub fn around(&self, point: usize) -> &[u32] {
        let start = point.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(point).copied().unwrap_or(start);
        self.neighbours.get(start..end).unwrap_or_default()
    }

    /// The rows of a point's vertices.
    fn rows<'a>(&'a self, parts: &'a [Part], point: u32) -> impl Iterator<Item = &'a Row> {
        let vertices = self.vertices.get(point as usize).into_iter().flatten();
        vertices.filter_map(|(part, vertex)| parts.get(*part)?.rows.get(*vertex))
    }

    /// Moves a joint's weight at each chosen point halfway to the mean of the neighbours, all points at once. Where it falls
    /// and there is no other joint to rise, those of the place and its neighbours do.
    pub fn smooth(&self, parts: &[Part], chosen: &Chosen, joint: i32) -> Vec<Smoothed> {
        let weight = |point: u32| {
            let (mut sum, mut count) = (0.0, 0_u32);
            for row in self.rows(parts, point) {
                (sum, count) = (sum + row.weight(joint), count.saturating_add(1));
            }
            sum / f64::from(count.max(1))
        };
        let weights: Vec<f64> = (0..self.vertices.len()).map(|point| weight(point as u32)).collect();
        let of = |point: u32| weights.get(point as usize).copied().unwrap_or(0.0);
        let mut smoothed = Vec::new();
        for (point, vertices) in self.vertices.iter().enumerate() {
            let around = self.around(point);
            let is_chosen = vertices.iter().any(|(part, vertex)| chosen.has(*part, *vertex));
            if !is_chosen || around.is_empty() {
                continue;
            }
            let mean = around.iter().map(|other| of(*other)).sum::<f64>() / around.len() as f64;
            let (own, here) = (of(point as u32), point as u32);
            if own == 0.0 && mean == 0.0 {
                continue;
            }
            let weight = 0.5 * (own + mean);
            let falls = self.rows(parts, here).any(|row| row.weight(joint) > weight);
            let mut others: Vec<(i32, f64)> = Vec::new();
            if falls {
                let near = around.iter().chain([&here]);
                let rows = near.flat_map(|other| self.rows(parts, *other)).flat_map(Row::weights);
                for (other, weight) in rows.filter(|(other, _)| *other != joint) {
                    match others.iter_mut().find(|(known, _)| *known == other) {
                        Some((_, sum)) => *sum += weight,
                        None => others.push((other, weight)),
                    }
                }
            }
            smoothed.push(Smoothed { vertices: vertices.clone(), weight, others });
        }
        smoothed
    }
}

/// The new weight of a joint at a point.
pub struct Smoothed {
    /// The point's vertices, each with its part.
    pub vertices: Vec<(usize, usize)>,
    /// The weight.
    pub weight: f64,
    /// Other joints of the neighbours in proportions.
    pub others: Vec<(i32, f64)>,
}
