//! The vertices of a primitive, grouped by equal joints and weights, and laid out for computing many side by side.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::twin::{MAX_SPANS, Vertices};
use sinew_model::Primitive;

/// The maximum number of joints of a vertex.
pub const MAX_JOINTS: usize = 4 * MAX_SPANS;

/// The number of rows in a block.
pub const LANES: usize = 32;

/// The maximum number of vertices of a row. Others with the same joints and weights make more rows.
const MAX_VERTICES: usize = 16;

/// A joint by its index in the palette, and its weight.
pub type Influence = (u32, f32);

/// Joints and weights, and the vertices that have them; rows with most vertices first.
pub struct Rows {
    influences: Lists<Influence>,
    vertices: Lists<u32>,
    rounds: Vec<Round>,
    /// The end of each block's rounds, after a 0.
    ends: Vec<usize>,
}

/// A vertex of each row of a block.
pub struct Round {
    /// The vertices. Rows with fewer than the longest repeat their last one; a block with fewer rows repeats its last row.
    pub vertices: [u32; LANES],
    /// Their positions, as stored.
    pub positions: [[f32; LANES]; 3],
    /// Their normals, if the primitive has any.
    pub normals: [[f32; LANES]; 3],
}

impl Rows {
    /// Groups the vertices of a primitive.
    pub fn new(primitive: &Primitive) -> Self {
        let source = Vertices::of(primitive);
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        // Lists of unlike vertices take much memory, so this holds hashes. Of two lists with one hash, the second makes a row
        // for each of its vertices.
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        let mut influences = Lists::default();
        let mut found = Vec::new();
        let of_vertex: Vec<u32> = (0..source.positions.len())
            .map(|vertex| {
                influences_into(&source, vertex, &mut found);
                let next = influences.len() as u32;
                let number = *numbers.entry(hasher.hash_one(&found)).or_insert(next);
                let is_equal = |row: &[Influence]| {
                    row.iter().map(|&(joint, weight)| (joint, weight.to_bits())).eq(found.iter().copied())
                };
                if number != next && is_equal(influences.get(number as usize)) {
                    return number;
                }
                influences.push(found.iter().map(|&(joint, bits)| (joint, f32::from_bits(bits))));
                next
            })
            .collect();
        let mut order: Vec<u32> = (0..of_vertex.len() as u32).collect();
        order.sort_by_key(|vertex| of_vertex.get(*vertex as usize));
        let groups = order.chunk_by(|a, b| of_vertex.get(*a as usize) == of_vertex.get(*b as usize));
        let mut all: Vec<(usize, &[u32])> = groups
            .enumerate()
            .flat_map(|(number, group)| group.chunks(MAX_VERTICES).map(move |row| (number, row)))
            .collect();
        all.sort_by_key(|(_, row)| std::cmp::Reverse(row.len()));
        let mut sorted = Self {
            influences: Lists::default(),
            vertices: Lists::default(),
            rounds: Vec::new(),
            ends: vec![0],
        };
        for (number, row) in all {
            sorted.influences.push(influences.get(number).iter().copied());
            sorted.vertices.push(row.iter().copied());
        }
        sorted.lay_out(primitive);
        sorted
    }

    /// Lays out the vertices of each block in rounds.
    fn lay_out(&mut self, primitive: &Primitive) {
        let of = |stream: &[[f32; 3]], vertex: u32| stream.get(vertex as usize).copied().unwrap_or_default();
        for block in (0..self.vertices.len()).step_by(LANES) {
            for number in 0..self.vertices.get(block).len() {
                let zeros = [[0.0; LANES]; 3];
                let mut round = Round { vertices: [0; LANES], positions: zeros, normals: zeros };
                for lane in 0..LANES {
                    let row = self.vertices.get((block + lane).min(self.vertices.len() - 1));
                    let vertex = row.get(number).or(row.last()).copied().unwrap_or_default();
                    let position = of(&primitive.positions, vertex);
                    let normal = of(primitive.normals.as_deref().unwrap_or_default(), vertex);
                    round.vertices[lane] = vertex;
                    for axis in 0..3 {
                        round.positions[axis][lane] = position[axis];
                        round.normals[axis][lane] = normal[axis];
                    }
                }
                self.rounds.push(round);
            }
            self.ends.push(self.rounds.len());
        }
    }

    /// Returns the number of blocks.
    pub fn blocks(&self) -> usize {
        self.ends.len() - 1
    }

    /// Returns the rounds of a block.
    #[inline(always)]
    pub fn rounds(&self, block: usize) -> &[Round] {
        let end = |number: usize| self.ends.get(number).copied().unwrap_or_default();
        self.rounds.get(end(block)..end(block + 1)).unwrap_or_default()
    }

    /// Returns the joints of a row of a block, slot 0 first.
    #[inline(always)]
    pub fn influences(&self, block: usize, lane: usize) -> &[Influence] {
        self.influences.get((block * LANES + lane).min(self.influences.len() - 1))
    }

    /// Returns the vertices of a row of a block; none if the block has fewer rows.
    #[inline(always)]
    pub fn vertices(&self, block: usize, lane: usize) -> &[u32] {
        self.vertices.get(block * LANES + lane)
    }
}

/// Lists the joints of a vertex with the bits of their weights, as [`reference`](crate::reference) does: slot 0, and the
/// others that have weight. "No joint" has the largest index.
fn influences_into(source: &Vertices, vertex: usize, out: &mut Vec<(u32, u32)>) {
    let (joints, weights, spans) = source.influences_of(vertex);
    let (joints, weights) = (joints[..spans].as_flattened(), weights[..spans].as_flattened());
    out.clear();
    let mut all = joints
        .iter()
        .zip(weights)
        .map(|(joint, weight)| (u32::try_from(*joint).unwrap_or(u32::MAX), weight.to_bits()));
    out.extend(all.next());
    out.extend(all.filter(|(_, bits)| f32::from_bits(*bits) != 0.0));
}

/// Lists in one allocation.
struct Lists<T> {
    items: Vec<T>,
    /// The end of each list, after a 0.
    ends: Vec<u32>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ends: vec![0] }
    }
}

impl<T> Lists<T> {
    fn push(&mut self, items: impl Iterator<Item = T>) {
        self.items.extend(items);
        self.ends.push(self.items.len() as u32);
    }

    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    #[inline(always)]
    fn get(&self, number: usize) -> &[T] {
        let end = |number: usize| self.ends.get(number).map_or(0, |end| *end as usize);
        self.items.get(end(number)..end(number + 1)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{Influences, Span};

    #[test]
    fn equal_joints_and_weights_make_a_row() {
        let span = Span {
            joints: vec![[1, 0, 2, 0], [-1, 0, 0, 0], [1, 2, 0, 0], [1, 9, 2, 0]],
            weights: vec![
                [0.75, 0.0, 0.25, 0.0],
                [1.0, 0.0, 0.0, 0.0],
                [0.75, 0.25, 0.0, 0.0],
                [0.75, 0.0, 0.25, 0.0],
            ],
        };
        let influences = Some(Influences { spans: vec![span] });
        let primitive = Primitive { positions: vec![[0.0; 3]; 5], influences, ..Primitive::default() };
        let rows = Rows::new(&primitive);
        let all: Vec<_> = (0..2).map(|row| (rows.influences(0, row), rows.vertices(0, row))).collect();
        // Vertex 4 is missing in the span.
        let expected: [(&[Influence], &[u32]); 2] =
            [(&[(1, 0.75), (2, 0.25)], &[0, 2, 3]), (&[(u32::MAX, 1.0)], &[1, 4])];
        assert_eq!(all, expected);
        let rounds: Vec<_> = rows.rounds(0).iter().map(|round| round.vertices[..3].to_vec()).collect();
        assert_eq!((rounds, rows.blocks()), (vec![vec![0, 1, 1], vec![2, 4, 4], vec![3, 4, 4]], 1));
        assert!(rows.vertices(0, 2).is_empty() && rows.influences(0, 2) == rows.influences(0, 1));
    }
}
