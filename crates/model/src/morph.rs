//! Morph targets as sparse deltas per vertex. Their cost depends on the moved vertices, not on their number.

/// Moves by the morph targets of a primitive; none by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Morphs {
    /// Deltas of positions.
    pub positions: Option<Deltas<3>>,
    /// Deltas of normals, which skinning normalizes afterwards.
    pub normals: Option<Deltas<3>>,
    /// Deltas of tangents; the handedness stays.
    pub tangents: Option<Deltas<3>>,
    /// Deltas of each set of texture coordinates, as many as the primitive has.
    pub texcoords: Vec<Option<Deltas<2>>>,
    /// Deltas of colours, added before clamping to 0 to 1.
    pub colors: Option<Deltas<4>>,
}

impl Morphs {
    /// Returns true if the targets move nothing.
    pub fn is_empty(&self) -> bool {
        let Self { positions, normals, tangents, texcoords, colors } = self;
        positions.is_none()
            && normals.is_none()
            && tangents.is_none()
            && texcoords.iter().all(Option::is_none)
            && colors.is_none()
    }
}

/// The deltas of one stream, vertex after vertex, without zeros.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deltas<const N: usize> {
    /// End of each vertex's entries in the other two lists; they begin at the previous vertex's end.
    pub ends: Vec<u32>,
    /// The target of each entry, ascending within a vertex.
    pub targets: Vec<u32>,
    /// The delta at weight 1.
    pub values: Vec<[f32; N]>,
}

/// The deltas of one target: vertex indices, each at most once, with values.
pub type Moves<const N: usize> = Vec<(u32, [f32; N])>;

impl<const N: usize> Deltas<N> {
    /// Deltas for a stream of `vertices` vertices; `None` if nothing moves.
    ///
    /// # Panics
    /// With more than 2³² entries.
    pub fn new(vertices: usize, targets: &[Moves<N>]) -> Option<Self> {
        let moves = || {
            let numbered = (0u32..).zip(targets);
            let all = numbered.flat_map(|(target, moves)| moves.iter().map(move |&(v, d)| (target, v, d)));
            all.filter(|(_, vertex, delta)| (*vertex as usize) < vertices && *delta != [0.0; N])
        };
        let count = moves().count();
        assert!(u32::try_from(count).is_ok(), "{count} morph target entries exceed 32-bit indices");
        if count == 0 {
            return None;
        }
        // Count the entries of each vertex, then find where they begin; filling them in moves each mark to the end.
        let mut ends = vec![0u32; vertices];
        for (_, vertex, _) in moves() {
            if let Some(end) = ends.get_mut(vertex as usize) {
                *end += 1;
            }
        }
        let mut begin = 0;
        for end in &mut ends {
            begin += std::mem::replace(end, begin);
        }
        let (mut numbers, mut values) = (vec![0; count], vec![[0.0; N]; count]);
        for (target, vertex, delta) in moves() {
            let Some(end) = ends.get_mut(vertex as usize) else { continue };
            if let (Some(number), Some(value)) =
                (numbers.get_mut(*end as usize), values.get_mut(*end as usize))
            {
                (*number, *value) = (target, delta);
            }
            *end += 1;
        }
        Some(Self { ends, targets: numbers, values })
    }

    /// A vertex's targets with their deltas.
    pub fn of(&self, vertex: usize) -> impl Iterator<Item = (u32, [f32; N])> {
        let end = |vertex: usize| self.ends.get(vertex).map_or(0, |end| *end as usize);
        let range = vertex.checked_sub(1).map_or(0, end)..end(vertex);
        let targets = self.targets.get(range.clone()).unwrap_or_default();
        let values = self.values.get(range).unwrap_or_default();
        targets.iter().copied().zip(values.iter().copied())
    }

    /// The deltas of some vertices, in any order and with repetitions.
    pub fn pick(&self, vertices: impl IntoIterator<Item = usize>) -> Self {
        let mut picked = Self::default();
        for vertex in vertices {
            for (target, value) in self.of(vertex) {
                picked.targets.push(target);
                picked.values.push(value);
            }
            picked.ends.push(picked.targets.len() as u32);
        }
        picked
    }

    /// The deltas of each of `count` targets in vertex order, as files store them.
    pub fn by_target(&self, count: usize) -> Vec<Moves<N>> {
        let mut targets = vec![Moves::new(); count];
        for vertex in 0..self.ends.len() {
            for (target, value) in self.of(vertex) {
                if let Some(moves) = targets.get_mut(target as usize) {
                    moves.push((vertex as u32, value));
                }
            }
        }
        targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_kept_vertex_by_vertex_in_the_targets_order() {
        let targets = [
            vec![(2, [1.0, 0.0]), (0, [2.0, 0.0])],
            vec![],
            vec![(2, [3.0, 4.0]), (1, [0.0, -0.0]), (9, [5.0, 5.0])],
        ];
        let deltas = Deltas::new(4, &targets).unwrap();
        assert_eq!(deltas.ends, [1, 1, 3, 3]);
        assert_eq!(deltas.targets, [0, 0, 2]);
        assert_eq!(deltas.values, [[2.0, 0.0], [1.0, 0.0], [3.0, 4.0]]);
        assert_eq!(deltas.of(2).collect::<Vec<_>>(), [(0, [1.0, 0.0]), (2, [3.0, 4.0])]);
        assert_eq!(deltas.of(1).count() + deltas.of(3).count() + deltas.of(4).count(), 0);
        assert_eq!(Deltas::new(4, &[vec![(1, [0.0])]]), None);
    }

    #[test]
    fn picking_and_turning_over_lose_nothing() {
        let targets = [vec![(0, [1.0]), (2, [2.0])], vec![(2, [3.0])]];
        let deltas = Deltas::new(3, &targets).unwrap();
        assert_eq!(deltas.by_target(2), targets);
        let picked = deltas.pick([2, 1, 2]);
        assert_eq!((&picked.ends[..], &picked.targets[..]), (&[2, 2, 4][..], &[0, 1, 0, 1][..]));
        assert_eq!(picked.values, [[2.0], [3.0], [2.0], [3.0]]);
    }
}
