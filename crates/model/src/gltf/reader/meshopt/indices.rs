//! Decodes indices, stored as references to recent ones.
//!
//! The layouts are those of appendix A, modes 1 and 2, of EXT_meshopt_compression.

use super::bytes::{Bytes, Fault, Fifo, split};

/// Decodes `count` indices of a triangle list.
pub fn decode_triangles(stream: &[u8], count: usize) -> Result<Vec<u32>, Fault> {
    let (header, mut data, table) = split(stream, 16)?;
    if header != 0xe1 {
        return Err("not a stream of triangles");
    }
    let is_full = |byte: &u8| byte >> 4 == 15 || byte & 15 == 15;
    if !table.ends_with(&[0, 0]) || table.iter().any(is_full) {
        return Err("the table at the end of the triangles is broken");
    }
    let codes = data.take(count / 3)?;
    let mut state = Triangles { data, next: 0, last: 0, edges: Fifo::new(), vertices: Fifo::new() };
    let mut out = Vec::with_capacity(codes.len().saturating_mul(3));
    for code in codes {
        out.extend(state.triangle(*code, table)?);
    }
    state.data.finish()?;
    Ok(out)
}

/// The vertices and edges that a triangle may refer to.
struct Triangles<'a> {
    data: Bytes<'a>,
    /// The lowest index that has not come up yet.
    next: u32,
    /// The last index that was spelled out.
    last: u32,
    edges: Fifo<[u32; 2]>,
    vertices: Fifo<u32>,
}

impl Triangles<'_> {
    fn triangle(&mut self, code: u8, table: &[u8]) -> Result<[u32; 3], Fault> {
        let (edge, vertex) = (code >> 4, code & 15);
        if edge < 15 {
            return self.at_edge(edge, vertex);
        }
        if vertex < 14 {
            let pair = table.get(usize::from(vertex)).copied().unwrap_or_default();
            return self.fan_out(None, pair);
        }
        let pair = self.data.byte()?;
        if pair == 0 {
            self.next = 0;
        }
        let first = if vertex == 15 { Some(self.spelled_out()?) } else { None };
        self.fan_out(first, pair)
    }

    /// A triangle at an edge that came up before.
    fn at_edge(&mut self, edge: u8, vertex: u8) -> Result<[u32; 3], Fault> {
        let [a, b] = self.edges.get(edge)?;
        let c = match vertex {
            0 => self.unseen(),
            13 => self.beside(u32::MAX),
            14 => self.beside(1),
            15 => self.spelled_out()?,
            _ => self.vertices.get(vertex)?,
        };
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        if matches!(vertex, 0 | 13..) {
            self.vertices.push(c);
        }
        Ok([a, b, c])
    }

    /// Decodes a triangle without a known edge. Its first vertex is given or new; `pair` encodes the other two.
    fn fan_out(&mut self, first: Option<u32>, pair: u8) -> Result<[u32; 3], Fault> {
        let a = match first {
            Some(first) => first,
            None => self.unseen(),
        };
        let (second, third) = (pair >> 4, pair & 15);
        let b = self.vertex(second)?;
        let c = self.vertex(third)?;
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        self.vertices.push(a);
        for (code, vertex) in [(second, b), (third, c)] {
            if matches!(code, 0 | 15) {
                self.vertices.push(vertex);
            }
        }
        Ok([a, b, c])
    }

    fn vertex(&mut self, code: u8) -> Result<u32, Fault> {
        match code {
            0 => Ok(self.unseen()),
            15 => self.spelled_out(),
            _ => self.vertices.get(code.wrapping_sub(1)),
        }
    }

    fn unseen(&mut self) -> u32 {
        let vertex = self.next;
        self.next = vertex.wrapping_add(1);
        vertex
    }

    fn beside(&mut self, step: u32) -> u32 {
        self.last = self.last.wrapping_add(step);
        self.last
    }

    fn spelled_out(&mut self) -> Result<u32, Fault> {
        let delta = self.data.number()?;
        Ok(self.beside((delta >> 1) ^ (delta & 1).wrapping_neg()))
    }
}

/// Decodes `count` indices of any kind.
pub fn decode_indices(stream: &[u8], count: usize) -> Result<Vec<u32>, Fault> {
    let (header, mut data, _) = split(stream, 4)?;
    if header != 0xd1 {
        return Err("not a stream of indices");
    }
    // Each takes a byte at least.
    if count > data.0.len() {
        return Err("the stream ends too early");
    }
    let mut out = Vec::with_capacity(count);
    let (mut even, mut odd) = (0_u32, 0_u32);
    for _ in 0..count {
        let code = data.number()?;
        let last = if code & 1 == 0 { &mut even } else { &mut odd };
        *last = last.wrapping_add((code >> 2) ^ ((code >> 1) & 1).wrapping_neg());
        out.push(*last);
    }
    data.finish()?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles with a common edge, by hand: the first of three unseen vertices (table entry 0),
    /// the second at the edge that was pushed last but one, (2, 1), with an unseen vertex.
    #[test]
    fn triangles_by_hand() {
        let mut stream = vec![0xe1, 0xf0, 0x10];
        stream.extend([0; 16]);
        assert_eq!(decode_triangles(&stream, 6), Ok(vec![0, 1, 2, 2, 1, 3]));
        // An edge that does not exist, a table with a full nibble, one byte too many.
        let broken = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut stream = stream.clone();
            change(&mut stream);
            decode_triangles(&stream, 6).unwrap_err()
        };
        assert!(broken(&|s| s[2] = 0x30).contains("before the first"));
        assert!(broken(&|s| s[5] = 0x0f).contains("table"));
        assert!(broken(&|s| s.insert(3, 0)).contains("continues after"));
        assert!(broken(&|s| s.truncate(17)).contains("table"));
        assert!(broken(&|s| s.truncate(16)).contains("too short"));
        assert!(broken(&|s| s[0] = 0xe2).contains("not a stream"));
    }

    #[test]
    fn indices_by_hand() {
        // From the even baseline: +1 (4), +1; from the odd one: -1 (2 | 1); all bits of a delta.
        assert_eq!(decode_indices(&[0xd1, 4, 4, 3, 0, 0, 0, 0], 3), Ok(vec![1, 2, u32::MAX]));
        for (stream, count) in
            [(&[0xd1, 4, 0, 0, 0, 0][..], 2), (&[0xd1, 4, 4, 0, 0, 0, 0], 1), (&[0xd1, 0, 0], 0)]
        {
            assert!(decode_indices(stream, count).is_err(), "{stream:?}");
        }
        assert!(decode_indices(&[0xd1, 0, 0, 0, 0], usize::MAX).is_err());
    }
}
