//! Finds the nearest of many points with a tree that halves them along one axis after the other.

use glam::DVec3;

/// The maximum number of points that a search visits before it takes the nearest so far. Only points at nearly equal
/// distances need more.
const MAX_LOOKS: usize = 4096;

/// The maximum number of listed points within a distance.
const MAX_WITHIN: usize = 256;

/// Points to search.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The points. The middle element of each range splits it: those before are not above it along the axis, those behind
    /// not below.
    points: Vec<(DVec3, u32)>,
}

/// A range of points that may hold the nearest.
#[derive(Clone, Copy)]
struct Range {
    begin: usize,
    end: usize,
    axis: usize,
    /// The square of the least distance of a point in the range.
    least: f64,
}

impl Range {
    fn middle(&self) -> usize {
        self.begin + (self.end - self.begin) / 2
    }

    fn halves(&self) -> [Self; 2] {
        let axis = (self.axis + 1) % 3;
        [Self { end: self.middle(), axis, ..*self }, Self { begin: self.middle() + 1, axis, ..*self }]
    }
}

impl Tree {
    /// Builds a tree of the finite points among these; a point's index is its position in the list.
    pub fn new(points: impl Iterator<Item = DVec3>) -> Self {
        let mut points: Vec<(DVec3, u32)> = points.zip(0..).filter(|(point, _)| point.is_finite()).collect();
        let mut ranges = vec![Range { begin: 0, end: points.len(), axis: 0, least: 0.0 }];
        while let Some(range) = ranges.pop() {
            let Some(part) = points.get_mut(range.begin..range.end).filter(|part| part.len() > 1) else {
                continue;
            };
            let along = |(point, _): &(DVec3, u32)| point[range.axis];
            part.select_nth_unstable_by(range.middle() - range.begin, |a, b| along(a).total_cmp(&along(b)));
            ranges.extend(range.halves());
        }
        Self { points }
    }

    /// Returns the nearest point that is no further than `most`, with its distance; the first of equally near ones.
    pub fn nearest(&self, to: DVec3, most: f64) -> Option<(u32, f64)> {
        self.nearest_where(to, most, |_| true)
    }

    /// Returns the nearest point that is no further than `most` and passes a test.
    pub fn nearest_where(&self, to: DVec3, most: f64, passes: impl Fn(u32) -> bool) -> Option<(u32, f64)> {
        let mut best: Option<(f64, u32)> = None;
        let mut looks = 0_usize;
        let mut waiting = vec![Range { begin: 0, end: self.points.len(), axis: 0, least: 0.0 }];
        while let Some(range) = waiting.pop() {
            let limit = best.map_or(most * most, |(squared, _)| squared);
            let Some((point, number)) = self.points.get(range.middle()).filter(|_| range.begin < range.end)
            else {
                continue;
            };
            if range.least > limit || looks >= MAX_LOOKS {
                continue;
            }
            looks += 1;
            let squared = point.distance_squared(to);
            let is_nearer = match best {
                Some(best) => squared < best.0 || (squared == best.0 && *number < best.1),
                None => squared <= limit,
            };
            if is_nearer && passes(*number) {
                best = Some((squared, *number));
            }
            let side = to[range.axis] - point[range.axis];
            let [low, high] = range.halves();
            let (near, mut far) = if side < 0.0 { (low, high) } else { (high, low) };
            far.least = far.least.max(side * side);
            waiting.extend([far, near]);
        }
        best.map(|(squared, number)| (number, squared.sqrt()))
    }

    /// Adds the points that are no further than `most`, at most `MAX_WITHIN` of them.
    pub fn within(&self, to: DVec3, most: f64, out: &mut Vec<u32>) {
        let mut waiting = vec![Range { begin: 0, end: self.points.len(), axis: 0, least: 0.0 }];
        while let Some(range) = waiting.pop() {
            let Some((point, number)) = self.points.get(range.middle()).filter(|_| range.begin < range.end)
            else {
                continue;
            };
            if out.len() >= MAX_WITHIN {
                return;
            }
            if point.distance(to) <= most {
                out.push(*number);
            }
            let side = to[range.axis] - point[range.axis];
            let [low, high] = range.halves();
            if side <= most {
                waiting.push(low);
            }
            if -side <= most {
                waiting.push(high);
            }
        }
    }
}
