//! The vertices of a primitive, grouped by equal joints and weights.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::twin::{MAX_SPANS, Vertices};
use sinew_model::Primitive;

/// The maximum number of joints of a vertex.
pub const MAX_JOINTS: usize = 4 * MAX_SPANS;

/// A joint by its index in the palette, and its weight.
pub type Influence = (u32, f32);

/// Joints and weights, and the vertices that have them.
#[derive(Default)]
pub struct Rows {
    influences: Lists<Influence>,
    vertices: Lists<u32>,
}

impl Rows {
    /// Groups the vertices of a primitive.
    pub fn new(primitive: &Primitive) -> Self {
        let source = Vertices::of(primitive);
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        // Lists of unlike vertices take much memory, so this holds hashes. Of two lists with one hash, the second makes a row
        // for each of its vertices.
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        let mut rows = Self::default();
        let mut found = Vec::new();
        let of_vertex: Vec<u32> = (0..source.positions.len())
            .map(|vertex| {
                influences_into(&source, vertex, &mut found);
                let next = rows.influences.len() as u32;
                let number = *numbers.entry(hasher.hash_one(&found)).or_insert(next);
                let is_equal = |row: &[Influence]| {
                    row.iter().map(|&(joint, weight)| (joint, weight.to_bits())).eq(found.iter().copied())
                };
                if number != next && is_equal(rows.influences(number as usize)) {
                    return number;
                }
                rows.influences.push(found.iter().map(|&(joint, bits)| (joint, f32::from_bits(bits))));
                next
            })
            .collect();
        let mut order: Vec<u32> = (0..of_vertex.len() as u32).collect();
        order.sort_by_key(|vertex| of_vertex.get(*vertex as usize));
        for row in order.chunk_by(|a, b| of_vertex.get(*a as usize) == of_vertex.get(*b as usize)) {
            rows.vertices.push(row.iter().copied());
        }
        rows
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.influences.len()
    }

    /// Returns the joints of a row, slot 0 first.
    #[inline(always)]
    pub fn influences(&self, row: usize) -> &[Influence] {
        self.influences.get(row)
    }

    /// Returns the vertices of a row.
    #[inline(always)]
    pub fn vertices(&self, row: usize) -> &[u32] {
        self.vertices.get(row)
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
        let all: Vec<_> = (0..rows.len()).map(|row| (rows.influences(row), rows.vertices(row))).collect();
        // Vertex 4 is missing in the span.
        let expected: [(&[Influence], &[u32]); 2] =
            [(&[(1, 0.75), (2, 0.25)], &[0, 2, 3]), (&[(u32::MAX, 1.0)], &[1, 4])];
        assert_eq!(all, expected);
    }
}
