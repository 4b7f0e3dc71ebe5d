//! Unrolls strips, fans and loops into lists of triangles, lines and points.

use crate::mesh::Topology;

/// Topology of a primitive's indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One index a point.
    Points,
    /// Two indices a line.
    Lines,
    /// A line strip whose end is joined to its start.
    LineLoop,
    /// Each index after the first ends a line.
    LineStrip,
    /// Three indices a triangle.
    Triangles,
    /// Each index after the second ends a triangle with the two before it.
    TriangleStrip,
    /// Each index after the second ends a triangle with the one before it and the first.
    TriangleFan,
}

impl Mode {
    /// Returns the mode of a number.
    pub fn from_code(code: usize) -> Option<Self> {
        match code {
            0 => Some(Self::Points),
            1 => Some(Self::Lines),
            2 => Some(Self::LineLoop),
            3 => Some(Self::LineStrip),
            4 => Some(Self::Triangles),
            5 => Some(Self::TriangleStrip),
            6 => Some(Self::TriangleFan),
            _ => None,
        }
    }

    /// The maximum number of indices a list has for each index of this mode, to count memory by.
    pub fn unrolled_factor(self) -> usize {
        match self {
            Self::Points | Self::Lines | Self::Triangles => 0,
            Self::LineLoop | Self::LineStrip => 2,
            Self::TriangleStrip | Self::TriangleFan => 3,
        }
    }
}

/// The list that draws the same, and the number of indices at the end that do not make another part.
///
/// Triangles keep the winding and the order of vertices that the format gives them. Triangles of a
/// strip or fan that name a vertex twice only join its pieces and are left out.
pub fn to_list(mode: Mode, mut indices: Vec<u32>) -> (Topology, Vec<u32>, usize) {
    match mode {
        Mode::Points => (Topology::Points, indices, 0),
        Mode::Lines => {
            let extra = indices.len() % 2;
            indices.truncate(indices.len().saturating_sub(extra));
            (Topology::Lines, indices, extra)
        }
        Mode::Triangles => {
            let extra = indices.len() % 3;
            indices.truncate(indices.len().saturating_sub(extra));
            (Topology::Triangles, indices, extra)
        }
        Mode::LineStrip => (Topology::Lines, line_strip(&indices), too_few(&indices, 2)),
        Mode::LineLoop => {
            let extra = too_few(&indices, 2);
            if let (Some(first), true) = (indices.first().copied(), extra == 0) {
                indices.push(first);
            }
            (Topology::Lines, line_strip(&indices), extra)
        }
        Mode::TriangleStrip => {
            let mut list = Vec::with_capacity(indices.len().saturating_mul(3));
            for (number, window) in indices.windows(3).enumerate() {
                if let [a, b, c] = *window {
                    // Every other triangle of a strip is wound the other way round.
                    push_triangle(&mut list, if number % 2 == 0 { [a, b, c] } else { [a, c, b] });
                }
            }
            (Topology::Triangles, list, too_few(&indices, 3))
        }
        Mode::TriangleFan => {
            let mut list = Vec::with_capacity(indices.len().saturating_mul(3));
            if let Some((center, rim)) = indices.split_first() {
                for window in rim.windows(2) {
                    if let [b, c] = *window {
                        push_triangle(&mut list, [b, c, *center]);
                    }
                }
            }
            (Topology::Triangles, list, too_few(&indices, 3))
        }
    }
}

/// Returns the number of all indices if they are fewer than one primitive needs.
fn too_few(indices: &[u32], needed: usize) -> usize {
    if indices.len() < needed { indices.len() } else { 0 }
}

fn line_strip(indices: &[u32]) -> Vec<u32> {
    let mut list = Vec::with_capacity(indices.len().saturating_mul(2));
    for window in indices.windows(2) {
        list.extend_from_slice(window);
    }
    list
}

fn push_triangle(list: &mut Vec<u32>, [a, b, c]: [u32; 3]) {
    if a != b && b != c && c != a {
        list.extend_from_slice(&[a, b, c]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unroll(code: usize, indices: &[u32]) -> (Vec<u32>, usize) {
        let (_, list, extra) = to_list(Mode::from_code(code).unwrap(), indices.to_vec());
        (list, extra)
    }

    #[test]
    fn strips_and_fans_keep_their_winding() {
        assert_eq!(unroll(5, &[0, 1, 2, 3, 4]).0, [0, 1, 2, 1, 3, 2, 2, 3, 4]);
        assert_eq!(unroll(6, &[0, 1, 2, 3]).0, [1, 2, 0, 2, 3, 0]);
        // The stitch 2 2 3 3 counts for the winding but draws nothing.
        assert_eq!(unroll(5, &[0, 1, 2, 2, 3, 3, 4, 5]).0, [0, 1, 2, 3, 5, 4]);
    }

    #[test]
    fn line_modes() {
        assert_eq!(unroll(3, &[0, 1, 2]).0, [0, 1, 1, 2]);
        assert_eq!(unroll(2, &[0, 1, 2]).0, [0, 1, 1, 2, 2, 0]);
        assert_eq!(unroll(1, &[0, 1, 2]), (vec![0, 1], 1));
        assert_eq!(unroll(0, &[2, 1]), (vec![2, 1], 0));
    }

    #[test]
    fn leftovers_are_counted() {
        assert_eq!(unroll(4, &[0, 1, 2, 3, 4]), (vec![0, 1, 2], 2));
        for (code, needed) in [(2, 2), (3, 2), (4, 3), (5, 3), (6, 3)] {
            let few: Vec<u32> = (1..needed).collect();
            assert_eq!(unroll(code, &few), (vec![], few.len()), "mode {code}");
            assert_eq!(unroll(code, &[]), (vec![], 0));
        }
        assert_eq!(Mode::from_code(7), None);
    }
}
