//! The homes of joints on a surface, and the points near them.
//!
//! The points that a joint moves form *patches* that are connected by edges. A joint is *at home* where no joint has more
//! weight, in its heaviest patch and in others with at least a quarter of that one's weight. If it dominates no point of its
//! heaviest patch, its home is where its weight is at least nine tenths of the largest. A point is *near* if the path over
//! the surface from the joint's home is at most the joint's reach. On a piece of the surface without the joint's home, a
//! point is near if the joint's bones are at most that much further away, in a straight line, than those of the nearest
//! joint that moves the point.

use super::bones::Bones;
use super::rows::Rows;
use super::surface::Surface;
use super::walk::Walk;
use sinew_skinning::pairing::influences::NO_JOINT;

/// The share of the heaviest patch's weight that makes another patch a home.
const SECOND_HOME: f64 = 0.25;

/// The share of its largest weight that makes the home of a joint that dominates no point.
const PEAK: f64 = 0.9;

/// Working memory for the joints of a surface, one after the other.
pub struct Homes<'a> {
    surface: &'a Surface,
    bones: &'a Bones,
    /// For each joint, the points that it moves and its weights there.
    moved: Rows<(u32, f64)>,
    walk: Walk,
    /// Each point's index in the list of the joint that last used it.
    place_of: Vec<(u32, u32)>,
    /// The joint that last found a home on each piece.
    home_on: Vec<u32>,
}

/// A joint and the points that it moves.
#[derive(Clone, Debug, Default)]
pub struct Moved {
    /// The points.
    pub points: Vec<MovedPoint>,
    /// The connected groups of these points.
    pub patches: Vec<Patch>,
    /// True if the budget of steps sufficed to measure near points; otherwise, all count as near.
    pub is_measured: bool,
}

/// A point that a joint moves.
#[derive(Clone, Copy, Debug)]
pub struct MovedPoint {
    /// The point.
    pub point: u32,
    /// The joint's weight.
    pub weight: f64,
    /// Index into [`Moved::patches`].
    pub patch: usize,
    /// True if it is near to the joint's home.
    pub is_near: bool,
}

/// Connected points that a joint moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patch {
    /// The sum of the joint's weights.
    pub weight: f64,
    /// The largest of them.
    pub largest: f64,
    /// True if the joint is at home in it.
    pub has_home: bool,
    /// True if the joint is at home somewhere on the same piece of the surface.
    pub is_on_home_piece: bool,
    /// True if one of its points is near.
    pub is_near: bool,
}

impl<'a> Homes<'a> {
    /// Prepares for all joints of a surface.
    pub fn new(surface: &'a Surface, bones: &'a Bones) -> Self {
        let rows = (0_u32..).zip(surface.weights.iter());
        let by_joint = rows.flat_map(|(point, row)| {
            let moving = row.iter().filter(|influence| influence.joint != NO_JOINT);
            moving.map(move |influence| (influence.joint as usize, (point, influence.weight)))
        });
        Self {
            surface,
            bones,
            moved: Rows::sorted(bones.parents.len(), by_joint),
            walk: Walk::new(surface),
            place_of: vec![(NO_JOINT, 0); surface.positions.len()],
            home_on: vec![NO_JOINT; surface.pieces],
        }
    }

    /// Returns the points that a joint moves, their patches and homes; subtracts from the remaining steps.
    pub fn of(&mut self, joint: usize, steps: &mut usize) -> Moved {
        let number = joint as u32;
        let mut moved = self.patches(joint, number);
        let is_home = self.settle(&mut moved, number);
        self.measure(&mut moved, joint, number, &is_home, steps);
        for point in &moved.points {
            if let Some(patch) = moved.patches.get_mut(point.patch) {
                patch.is_near |= point.is_near;
            }
        }
        moved
    }

    fn patches(&mut self, joint: usize, number: u32) -> Moved {
        let list = self.moved.row(joint);
        for (place, (point, _)) in (0..).zip(list) {
            if let Some(place_of) = self.place_of.get_mut(*point as usize) {
                *place_of = (number, place);
            }
        }
        let unset = usize::MAX;
        let new = |&(point, weight): &(u32, f64)| MovedPoint { point, weight, patch: unset, is_near: true };
        let mut points: Vec<MovedPoint> = list.iter().map(new).collect();
        let mut patches = Vec::new();
        let mut waiting = Vec::new();
        for start in 0..points.len() {
            if points.get(start).is_none_or(|point| point.patch != unset) {
                continue;
            }
            let mut patch = Patch::default();
            waiting.push(start as u32);
            while let Some(place) = waiting.pop() {
                let Some(found) = points.get_mut(place as usize).filter(|point| point.patch == unset) else {
                    continue;
                };
                found.patch = patches.len();
                patch.weight += found.weight;
                patch.largest = patch.largest.max(found.weight);
                let neighbours = self.surface.neighbours.row(found.point as usize).iter();
                let places = neighbours.filter_map(|other| self.place_of.get(other.point as usize));
                waiting.extend(places.filter(|(of, _)| *of == number).map(|(_, place)| *place));
            }
            patches.push(patch);
        }
        Moved { points, patches, is_measured: true }
    }

    /// Finds the joint's home. Returns true for each of its points that belongs to it.
    fn settle(&mut self, moved: &mut Moved, number: u32) -> Vec<bool> {
        let heaviest = moved.patches.iter().map(|patch| patch.weight).fold(0.0, f64::max);
        let main = moved.patches.iter().position(|patch| patch.weight >= heaviest);
        let is_kept: Vec<bool> =
            moved.patches.iter().map(|patch| patch.weight >= SECOND_HOME * heaviest).collect();
        let has_most = |point: &MovedPoint| {
            let row = self.surface.weights.row(point.point as usize);
            row.iter().all(|influence| influence.weight <= point.weight)
        };
        let mut is_home: Vec<bool> = moved
            .points
            .iter()
            .map(|point| is_kept.get(point.patch) == Some(&true) && has_most(point))
            .collect();
        let mut in_main = moved.points.iter().zip(&is_home).filter(|(point, _)| Some(point.patch) == main);
        if !in_main.any(|(_, is_home)| *is_home) {
            let largest = main.and_then(|main| moved.patches.get(main)).map_or(0.0, |patch| patch.largest);
            for (is_home, point) in is_home.iter_mut().zip(&moved.points) {
                *is_home |= Some(point.patch) == main && point.weight >= PEAK * largest;
            }
        }
        for (point, _) in moved.points.iter().zip(&is_home).filter(|(_, is_home)| **is_home) {
            if let Some(patch) = moved.patches.get_mut(point.patch) {
                patch.has_home = true;
            }
            if let Some(home_on) = home_on_mut(&mut self.home_on, self.surface, point.point) {
                *home_on = number;
            }
        }
        for point in &moved.points {
            let is_on_home_piece = self.is_on_home_piece(point.point, number);
            if let Some(patch) = moved.patches.get_mut(point.patch) {
                patch.is_on_home_piece = is_on_home_piece;
            }
        }
        is_home
    }

    /// Marks the points that are near.
    fn measure(&mut self, moved: &mut Moved, joint: usize, number: u32, is_home: &[bool], steps: &mut usize) {
        let on_piece = |point: &&MovedPoint| self.is_on_home_piece(point.point, number);
        let wanted = moved.points.iter().filter(on_piece).count();
        let starts = moved.points.iter().zip(is_home).filter(|(_, is_home)| **is_home);
        let starts = starts.map(|(point, _)| point.point);
        let place_of = &self.place_of;
        let is_moved = |point: u32| place_of.get(point as usize).is_some_and(|(of, _)| *of == number);
        let reach = self.bones.reach(joint);
        moved.is_measured = self.walk.go(self.surface, starts, reach, wanted, is_moved, steps);
        if !moved.is_measured {
            return;
        }
        for point in &mut moved.points {
            point.is_near = if self.is_on_home_piece(point.point, number) {
                self.walk.distance(point.point) <= reach
            } else {
                self.is_near_through_air(point.point, joint)
            };
        }
    }

    fn is_near_through_air(&self, point: u32, joint: usize) -> bool {
        let from = self.surface.position(point);
        let Some(own) = self.bones.distance(joint, from) else { return true };
        let others =
            self.surface.weights.row(point as usize).iter().map(|influence| influence.joint as usize);
        let nearest = others.filter_map(|joint| self.bones.distance(joint, from)).fold(own, f64::min);
        own <= nearest + self.bones.reach(joint)
    }

    fn is_on_home_piece(&self, point: u32, number: u32) -> bool {
        let piece = self.surface.piece_of.get(point as usize);
        piece.and_then(|piece| self.home_on.get(*piece as usize)) == Some(&number)
    }
}

fn home_on_mut<'h>(home_on: &'h mut [u32], surface: &Surface, point: u32) -> Option<&'h mut u32> {
    let piece = *surface.piece_of.get(point as usize)?;
    home_on.get_mut(piece as usize)
}
