//! Closed parts of the surface and their volumes.

use std::ops::Range;

use glam::DVec3;

use super::frame::Place;
use super::points::{Corners, Points};
use crate::triangles::{NONE, Surface, volume, volume_below};

/// A part with at most this ratio of volume to the cube of its size is empty.
const EMPTY: f64 = 1e-9;

/// A closed part: triangles connected by their edges, where each edge joins two of them, in opposite directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Index into the model's instances.
    pub instance: usize,
    /// The primitives of the instance's mesh that contain it.
    pub primitives: Vec<usize>,
    /// The number of points: vertices at one position count as one.
    pub points: usize,
    /// The number of triangles.
    pub triangles: usize,
    /// The signed volume in the bind pose, in cubic metres; negative if the part is inside out.
    pub volume: f64,
    /// One of its vertices.
    pub vertex: Place,
}

/// The closed parts, prepared for measuring.
pub struct Parts {
    /// The parts.
    pub list: Vec<Part>,
    /// The part of each triangle; [`NONE`] for triangles of no part.
    part_of: Vec<u32>,
    /// A point of each part, about which its volume is summed. Far from the origin, sums about the origin would cancel.
    centres: Vec<u32>,
}

impl Parts {
    /// Returns the part of a triangle.
    pub fn part_of(&self, triangle: usize) -> Option<usize> {
        self.part_of.get(triangle).filter(|part| **part != NONE).map(|part| *part as usize)
    }
}

/// A connected piece of the surface, while its triangles are counted.
struct Piece {
    part: Part,
    centre: u32,
    lowest: DVec3,
    highest: DVec3,
}

/// Finds the closed parts that enclose a volume.
pub fn parts(surface: &Surface, points: &Points, corners: &[Corners]) -> Parts {
    let mut pieces: Vec<Option<Piece>> = surface.is_closed.iter().map(|_| None).collect();
    // The piece that last counted a point; two pieces may touch at one.
    let mut counted = vec![NONE; points.bind.len()];
    for (corners, &piece) in corners.iter().zip(&surface.piece_of) {
        if !surface.is_closed[piece as usize] {
            continue;
        }
        let found = pieces[piece as usize].get_or_insert_with(|| Piece::new(points, corners));
        let primitive = points.drawn[corners.drawn as usize].primitive;
        // Triangles come primitive by primitive.
        if found.part.primitives.last() != Some(&primitive) {
            found.part.primitives.push(primitive);
        }
        let places = corners.points.map(|point| points.bind[point as usize]);
        found.part.triangles += 1;
        found.part.volume += volume(points.bind[found.centre as usize], places);
        for point in corners.points {
            let at = points.bind[point as usize];
            (found.lowest, found.highest) = (found.lowest.min(at), found.highest.max(at));
            if std::mem::replace(&mut counted[point as usize], piece) != piece {
                found.part.points += 1;
            }
        }
    }
    numbered(pieces, surface)
}

impl Piece {
    fn new(points: &Points, first: &Corners) -> Self {
        let centre = first.points[0];
        let at = points.bind[centre as usize];
        let part = Part {
            instance: points.drawn[first.drawn as usize].instance,
            primitives: Vec::new(),
            points: 0,
            triangles: 0,
            volume: 0.0,
            vertex: points.place(centre),
        };
        Self { part, centre, lowest: at, highest: at }
    }

    fn encloses(&self) -> bool {
        let size = self.lowest.distance(self.highest);
        self.part.volume.is_finite() && self.part.volume.abs() > EMPTY * size.powi(3)
    }
}

/// Numbers the pieces that enclose a volume.
fn numbered(pieces: Vec<Option<Piece>>, surface: &Surface) -> Parts {
    let mut parts = Parts { list: Vec::new(), part_of: Vec::new(), centres: Vec::new() };
    let mut of_piece = vec![NONE; pieces.len()];
    for (number, piece) in of_piece.iter_mut().zip(pieces) {
        if let Some(piece) = piece.filter(Piece::encloses) {
            *number = parts.list.len() as u32;
            parts.list.push(piece.part);
            parts.centres.push(piece.centre);
        }
    }
    parts.part_of = surface.piece_of.iter().map(|&piece| of_piece[piece as usize]).collect();
    parts
}

/// Volumes in a pose, summed triangle by triangle.
pub struct Volumes<'a> {
    parts: &'a Parts,
    points: &'a [DVec3],
    sums: &'a mut Vec<f64>,
    /// The part of the last triangle, the point of its sum, and the sum so far. Neighbours in the list mostly belong to one
    /// part.
    part: u32,
    centre: DVec3,
    sum: f64,
}

impl<'a> Volumes<'a> {
    /// Begins a sum for points in a pose; `sums` is reused memory.
    pub fn new(parts: &'a Parts, points: &'a [DVec3], sums: &'a mut Vec<f64>) -> Self {
        sums.clear();
        sums.resize(parts.list.len(), 0.0);
        Self { parts, points, sums, part: NONE, centre: DVec3::ZERO, sum: 0.0 }
    }

    /// Adds a triangle by a corner and the normal, twice the area long.
    #[inline]
    pub fn add(&mut self, triangle: usize, corner: DVec3, normal: DVec3) {
        let part = self.parts.part_of[triangle];
        if part != self.part {
            self.change(part);
        }
        self.sum += volume_below(self.centre, corner, normal);
    }

    /// Returns the point about which the volumes of these triangles are summed, if all of them belong to one part or to none.
    pub fn enter(&mut self, triangles: Range<usize>) -> Option<DVec3> {
        let (first, others) = self.parts.part_of.get(triangles)?.split_first()?;
        if !others.iter().fold(true, |all, part| all & (part == first)) {
            return None;
        }
        if *first != self.part {
            self.change(*first);
        }
        Some(self.centre)
    }

    /// Adds volumes of triangles of this part.
    pub fn add_all(&mut self, volumes: &[f64]) {
        volumes.iter().for_each(|volume| self.sum += volume);
    }

    /// Goes on with another part.
    fn change(&mut self, part: u32) {
        self.put_down();
        let centre = self.parts.centres.get(part as usize);
        self.centre = centre.map_or(DVec3::ZERO, |&centre| self.points[centre as usize]);
        self.part = part;
    }

    /// Adds the sum to its part.
    fn put_down(&mut self) {
        if let Some(whole) = self.sums.get_mut(self.part as usize) {
            *whole += self.sum;
        }
        self.sum = 0.0;
    }

    /// Returns each part's volume relative to its volume in the bind pose.
    pub fn ratios(mut self) -> impl Iterator<Item = f64> {
        self.put_down();
        self.sums.iter().zip(&self.parts.list).map(|(sum, part)| sum / part.volume)
    }
}
