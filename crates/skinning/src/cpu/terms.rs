//! The memory layout of the terms of *ddm*: blocks of sixteen points, a row for each number of a term.
//!
//! Vertices at one place share a point, whose motion is computed once in each window.

use crate::vectors::{ROW, Row};
use sinew_model::{DdmRow, DdmRows, DdmTerm};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// "No joint": an index that no palette reaches.
pub const NO_JOINT: u32 = u32::MAX;

/// The place of a vertex without terms: an index that no window reaches.
pub const NO_PLACE: u16 = u16::MAX;

/// The terms of the mesh to which a primitive belongs.
#[derive(Debug)]
pub struct Terms {
    /// The terms as they were found.
    pub rows: Arc<DdmRows>,
    /// The windows of the primitive.
    pub windows: Vec<OfWindow>,
    /// All joints of any vertex and of any term, each once.
    pub used_joints: Vec<u32>,
    /// The minimum number of slots in a palette.
    pub palette: usize,
}

impl Terms {
    /// Returns the terms of a vertex, by its block among all and its lane.
    pub fn of(&self, block: usize, lane: usize) -> Option<DdmRow<'_>> {
        let window = self.windows.partition_point(|window| window.first_block <= block).checked_sub(1)?;
        let window = self.windows.get(window)?;
        let place = usize::from(window.places.get(block - window.first_block)?[lane]);
        self.rows.of_point(window.blocks.get(place / ROW)?.points[place % ROW])
    }
}

/// The terms of a window's vertices.
#[derive(Debug)]
pub struct OfWindow {
    /// The window's first block of vertices.
    first_block: usize,
    /// For each block of vertices, the places of their points in the blocks of points.
    places: Vec<[u16; ROW]>,
    /// The points, each once.
    pub blocks: Vec<Points>,
    /// The joints of the terms of all blocks, without the first of each point.
    pub joints: Vec<u32>,
    /// The numbers of these terms.
    pub terms: Vec<Numbers>,
}

/// Sixteen points. The last block of a window may be partly filled: its unused lanes repeat the last point.
#[derive(Debug)]
pub struct Points {
    /// Their numbers among the mesh's.
    pub points: [u32; ROW],
    /// Their centres.
    pub centers: [Row; 3],
    /// The joints of their first terms.
    pub firsts: [u32; ROW],
    /// Their first terms.
    pub first: Numbers,
    /// The other terms in [`OfWindow::terms`], each of one joint. A point without a term of it has zeros, which add nothing.
    pub others: Range<usize>,
}

/// A term of sixteen points.
#[derive(Debug)]
pub struct Numbers {
    /// The products: xx, yy, zz, yz, xz, xy.
    pub products: [Row; 6],
    /// The offsets.
    pub offset: [Row; 3],
    /// The weights.
    pub weight: Row,
}

impl Numbers {
    fn new(terms: &[DdmTerm; ROW]) -> Self {
        Self {
            products: [0, 1, 2, 3, 4, 5].map(|at| Row(terms.map(|term| term.products[at]))),
            offset: [0, 1, 2].map(|axis| Row(terms.map(|term| term.offset[axis]))),
            weight: Row(terms.map(|term| term.weight)),
        }
    }
}

impl OfWindow {
    /// Lays out the terms of blocks of vertices, given the point of each vertex.
    pub fn new(rows: &DdmRows, first_block: usize, vertices: &[[u32; ROW]]) -> Self {
        let known = |point: &u32| rows.of_point(*point).is_some();
        let mut points: Vec<u32> = vertices.as_flattened().iter().copied().filter(known).collect();
        points.sort_unstable();
        points.dedup();
        points.sort_by(|a, b| by_joints(terms_of(rows, *a), terms_of(rows, *b)));
        let mut place_of: Vec<(u32, u16)> = points.iter().copied().zip(0..).collect();
        place_of.sort_unstable();
        let place = |point: u32| {
            let found = place_of.binary_search_by_key(&point, |of| of.0).ok();
            found.and_then(|found| place_of.get(found)).map_or(NO_PLACE, |of| of.1)
        };
        let places = vertices.iter().map(|block| block.map(place)).collect();
        let mut out = Self { first_block, places, blocks: Vec::new(), joints: Vec::new(), terms: Vec::new() };
        for block in points.chunks(ROW) {
            out.push(rows, std::array::from_fn(|lane| block[lane.min(block.len() - 1)]));
        }
        out
    }

    /// Returns the places of the points of a block of vertices, by its number in the window.
    pub fn places_of(&self, block: usize) -> &[u16; ROW] {
        self.places.get(block).unwrap_or(&[NO_PLACE; ROW])
    }

    /// Adds a block of points.
    fn push(&mut self, rows: &DdmRows, points: [u32; ROW]) {
        let of = points.map(|point| rows.of_point(point).unwrap_or(DdmRow { center: [0.0; 3], terms: &[] }));
        let mut left = of.map(|row| row.terms);
        let none = DdmTerm { joint: -1, ..DdmTerm::default() };
        let first = left.each_mut().map(|terms| terms.split_off_first().copied().unwrap_or(none));
        let start = self.terms.len();
        // The terms of a point are in the order of joints, so each joint comes up once. In any other order some come up
        // again.
        while let Some(joint) =
            left.iter().filter_map(|terms| terms.first()).map(|term| number(term.joint)).min()
        {
            let terms = left.each_mut().map(|terms| {
                let (own, rest) = terms.split_first().filter(|(own, _)| number(own.joint) == joint)?;
                *terms = rest;
                Some(*own)
            });
            self.joints.push(joint);
            self.terms.push(Numbers::new(&terms.map(Option::unwrap_or_default)));
        }
        self.blocks.push(Points {
            points,
            centers: [0, 1, 2].map(|axis| Row(of.map(|row| row.center[axis]))),
            firsts: first.map(|term| number(term.joint)),
            first: Numbers::new(&first),
            others: start..self.terms.len(),
        });
    }
}

/// Returns a joint's index, or [`NO_JOINT`].
fn number(joint: i32) -> u32 {
    u32::try_from(joint).unwrap_or(NO_JOINT)
}

fn terms_of(rows: &DdmRows, point: u32) -> &[DdmTerm] {
    rows.of_point(point).map_or(&[], |row| row.terms)
}

/// Compares points by the joints of their terms.
fn by_joints(a: &[DdmTerm], b: &[DdmTerm]) -> Ordering {
    a.iter().map(|term| number(term.joint)).cmp(b.iter().map(|term| number(term.joint)))
}
