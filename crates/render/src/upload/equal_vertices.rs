//! Vertices that are equal in every bit that drawing reads. Indices for drawing name the first of them, so that a GPU
//! shades it once: files without indices repeat it for each triangle around it.

use bytemuck::NoUninit;

use crate::interface::streams::Stream;
use sinew_model::{Deltas, Morphs, Primitive};
use sinew_skinning::partition::Part;

/// The number of places in the table that a vertex may take. Vertices that find none of them free stay apart.
const PLACES: usize = 16;

/// The number of vertices after which the search ends if all of them differ. A repeated vertex is near its first.
const SAMPLE: u32 = 4096;

/// The first equal vertex of each vertex of a part; `None` if no two are equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EqualVertices(Option<Vec<u32>>);

impl EqualVertices {
    /// Finds the equal vertices of a part. Finds none if its indices use a vertex twice on average, because the file
    /// then shares them.
    pub fn find(primitive: &Primitive, part: &Part) -> Self {
        let is_shared = part.indices.len() >= 2 * part.vertices.len();
        Self(if is_shared { None } else { first_equals(primitive, part) })
    }

    /// Returns true if no two vertices are equal.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the first vertex that is equal to this one.
    pub fn first(&self, vertex: u32) -> u32 {
        let first = self.0.as_ref().and_then(|firsts| firsts.get(vertex as usize));
        first.copied().unwrap_or(vertex)
    }
}

fn first_equals(primitive: &Primitive, part: &Part) -> Option<Vec<u32>> {
    let streams = Streams::of(primitive)?;
    // Each place has the vertex after the one that took it; 0 if it is free.
    let mut table = vec![0_u32; (2 * part.vertices.len()).next_power_of_two()];
    let mask = table.len() - 1;
    // The upper bits of a product depend on all of its factors.
    let shift = u64::BITS - table.len().trailing_zeros();
    let mut firsts = Vec::with_capacity(part.vertices.len());
    let mut is_any = false;
    for (vertex, &source) in (0_u32..).zip(&part.vertices) {
        if vertex == SAMPLE && !is_any {
            break;
        }
        let begin = (streams.hash(source) >> shift) as usize;
        let mut first = vertex;
        for place in begin..begin + PLACES {
            let place = place & mask;
            match table[place].checked_sub(1) {
                None => {
                    table[place] = vertex + 1;
                    break;
                }
                Some(other) if streams.are_equal(part.vertices[other as usize], source) => {
                    (first, is_any) = (other, true);
                    break;
                }
                Some(_) => {}
            }
        }
        firsts.push(first);
    }
    is_any.then_some(firsts)
}

/// Everything that may differ between a primitive's vertices.
struct Streams<'a> {
    streams: Vec<Words<'a>>,
    vertices: usize,
    /// False if a stream of a hand-built model lacks elements.
    is_whole: bool,
}

/// A stream's bits.
struct Words<'a> {
    words: &'a [u32],
    /// Words per element.
    width: usize,
    /// End of each vertex's elements; `None` if each vertex has one.
    ends: Option<&'a [u32]>,
}

impl<'a> Streams<'a> {
    /// Lists the streams; `None` if one lacks elements. The streams of modes follow from these: shares and centres from
    /// influences and painted shares, points of *ddm* from positions. The colours of views may not.
    fn of(primitive: &'a Primitive) -> Option<Self> {
        let Primitive {
            positions,
            normals,
            tangents,
            texcoords,
            colors,
            influences,
            morphs,
            shares,
            // Of the whole primitive.
            file_index: _,
            topology: _,
            indices: _,
            material: _,
            steps: _,
            // Only views show them.
            unequal_sums: _,
            first_joints: _,
            control_points: _,
        } = primitive;
        let mut all = Self { streams: Vec::new(), vertices: positions.len(), is_whole: true };
        all.add(positions);
        normals.iter().for_each(|normals| all.add(normals));
        tangents.iter().for_each(|tangents| all.add(tangents));
        texcoords.iter().take(Stream::TEXCOORDS.len()).for_each(|texcoords| all.add(texcoords));
        colors.iter().for_each(|colors| all.add(colors));
        for span in influences.iter().flat_map(|influences| &influences.spans) {
            all.add(&span.joints);
            all.add(&span.weights);
        }
        shares.iter().for_each(|shares| all.add(shares));
        if let Some(Morphs { positions, normals, tangents, texcoords, colors }) = morphs {
            all.add_deltas(positions);
            all.add_deltas(normals);
            all.add_deltas(tangents);
            texcoords.iter().take(Stream::TEXCOORDS.len()).for_each(|deltas| all.add_deltas(deltas));
            all.add_deltas(colors);
        }
        all.is_whole.then_some(all)
    }

    /// Adds a stream whose elements are all of this many words.
    fn add<T: NoUninit>(&mut self, stream: &'a [T]) {
        self.is_whole &= stream.len() == self.vertices;
        let width = size_of::<T>() / size_of::<u32>();
        self.streams.push(Words { words: bytemuck::cast_slice(stream), width, ends: None });
    }

    fn add_deltas<const N: usize>(&mut self, deltas: &'a Option<Deltas<N>>) {
        if let Some(Deltas { ends, targets, values }) = deltas {
            self.is_whole &= ends.len() == self.vertices;
            let values = bytemuck::cast_slice(values.as_flattened());
            self.streams.push(Words { words: targets, width: 1, ends: Some(ends) });
            self.streams.push(Words { words: values, width: N, ends: Some(ends) });
        }
    }

    fn hash(&self, vertex: u32) -> u64 {
        let words = self.streams.iter().flat_map(|stream| stream.of(vertex));
        // The multiplier is 2⁶⁴ divided by the golden ratio.
        words.fold(0, |hash: u64, &word| {
            (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    fn are_equal(&self, a: u32, b: u32) -> bool {
        self.streams.iter().all(|stream| stream.of(a) == stream.of(b))
    }
}

impl<'a> Words<'a> {
    /// Returns the words of a vertex.
    fn of(&self, vertex: u32) -> &'a [u32] {
        let vertex = vertex as usize;
        let range = match self.ends {
            None => vertex..vertex + 1,
            Some(ends) => {
                let end = |vertex: usize| ends.get(vertex).map_or(0, |end| *end as usize);
                vertex.checked_sub(1).map_or(0, end)..end(vertex)
            }
        };
        self.words.get(range.start * self.width..range.end * self.width).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{Influences, Span};
    use sinew_skinning::partition::partition;

    type Change = fn(&mut Primitive);

    /// Returns three equal vertices with everything a vertex can have.
    fn equal() -> Primitive {
        fn moves<const N: usize>() -> Option<Deltas<N>> {
            Deltas::new(3, &[(0..3).map(|vertex| (vertex, [0.5; N])).collect(), vec![]])
        }
        let span = |first: i32| Span {
            joints: vec![[first, first + 1, first + 2, first + 3]; 3],
            weights: vec![[0.0625; 4]; 3],
        };
        Primitive {
            indices: vec![0, 1, 2],
            positions: vec![[1.0, -0.0, f32::NAN]; 3],
            normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
            tangents: Some(vec![[1.0, 0.0, 0.0, 1.0]; 3]),
            texcoords: vec![vec![[0.25, 0.5]; 3], vec![[0.75, 1.0]; 3]],
            colors: Some(vec![[0.5; 4]; 3]),
            influences: Some(Influences { spans: [0, 4, 8, 12].map(span).into() }),
            morphs: Some(Morphs {
                positions: moves(),
                normals: moves(),
                tangents: moves(),
                texcoords: vec![moves(), moves()],
                colors: moves(),
            }),
            shares: Some(vec![0.5; 3]),
            ..Primitive::default()
        }
    }

    fn firsts(primitive: &Primitive) -> Vec<u32> {
        let found = EqualVertices::find(primitive, &partition(primitive, 64)[0]);
        (0..3).map(|vertex| found.first(vertex)).collect()
    }

    /// Turns the last bit of a vertex's number.
    fn turn(number: &mut f32) {
        *number = f32::from_bits(number.to_bits() ^ 1);
    }

    #[test]
    fn one_bit_of_any_stream_keeps_vertices_apart() {
        assert_eq!(firsts(&equal()), [0, 0, 0]);
        let own: [Change; 10] = [
            |of| turn(&mut of.positions[1][2]),
            |of| of.positions[1][1] = 0.0,
            |of| turn(&mut of.normals.as_mut().unwrap()[1][0]),
            |of| turn(&mut of.tangents.as_mut().unwrap()[1][3]),
            |of| turn(&mut of.texcoords[0][1][0]),
            |of| turn(&mut of.texcoords[1][1][1]),
            |of| turn(&mut of.colors.as_mut().unwrap()[1][3]),
            |of| of.influences.as_mut().unwrap().spans[0].joints[1][3] = 1,
            |of| of.influences.as_mut().unwrap().spans[3].joints[1][0] = -1,
            |of| turn(&mut of.shares.as_mut().unwrap()[1]),
        ];
        let morphed: [Change; 7] = [
            |of| turn(&mut of.morphs.as_mut().unwrap().positions.as_mut().unwrap().values[1][0]),
            |of| turn(&mut of.morphs.as_mut().unwrap().normals.as_mut().unwrap().values[1][1]),
            |of| turn(&mut of.morphs.as_mut().unwrap().tangents.as_mut().unwrap().values[1][2]),
            |of| turn(&mut of.morphs.as_mut().unwrap().texcoords[0].as_mut().unwrap().values[1][0]),
            |of| turn(&mut of.morphs.as_mut().unwrap().texcoords[1].as_mut().unwrap().values[1][1]),
            |of| turn(&mut of.morphs.as_mut().unwrap().colors.as_mut().unwrap().values[1][3]),
            |of| of.morphs.as_mut().unwrap().positions.as_mut().unwrap().targets[1] = 1,
        ];
        for (number, change) in own.into_iter().chain(morphed).enumerate() {
            let mut changed = equal();
            change(&mut changed);
            assert_eq!(firsts(&changed), [0, 1, 0], "change {number}");
        }
        for span in 0..4 {
            let mut changed = equal();
            turn(&mut changed.influences.as_mut().unwrap().spans[span].weights[1][3]);
            assert_eq!(firsts(&changed), [0, 1, 0], "weights of span {span}");
        }
    }

    #[test]
    fn vertices_stay_apart_where_indices_share_them_or_streams_end_early() {
        let mut shared = equal();
        shared.indices = vec![0, 1, 2, 2, 1, 0];
        assert_eq!(firsts(&shared), [0, 1, 2]);
        let mut short = equal();
        short.normals.as_mut().unwrap().pop();
        assert_eq!(firsts(&short), [0, 1, 2]);
        let mut short = equal();
        short.morphs.as_mut().unwrap().normals.as_mut().unwrap().ends.pop();
        assert_eq!(firsts(&short), [0, 1, 2]);
        assert!(EqualVertices::find(&Primitive::default(), &Part::default()).is_empty());
    }

    /// The search takes little time where it finds nothing.
    #[test]
    fn vertices_stay_apart_where_the_first_many_differ() {
        let count = SAMPLE + 3;
        let with = |repeated: u32| Primitive {
            indices: (0..count).collect(),
            positions: (0..count).map(|vertex| [vertex.min(repeated) as f32; 3]).collect(),
            ..Primitive::default()
        };
        for (repeated, is_empty) in [(SAMPLE, true), (SAMPLE - 1, true), (SAMPLE - 2, false)] {
            let primitive = with(repeated);
            let found = EqualVertices::find(&primitive, &partition(&primitive, 64)[0]);
            assert_eq!(found.is_empty(), is_empty, "{repeated}");
            assert_eq!(found.first(count - 1), if is_empty { count - 1 } else { repeated });
        }
    }

    /// Parts number vertices anew, and an equal vertex may be in another part.
    #[test]
    fn equal_vertices_are_found_in_each_part() {
        let part = Part { vertices: vec![2, 1], indices: vec![0, 1], ..Part::default() };
        let found = EqualVertices::find(&equal(), &part);
        assert_eq!([0, 1].map(|vertex| found.first(vertex)), [0, 0]);
    }
}
