//! A tree of boxes around triangles, which finds those that a plane may cut without visiting the others.

use glam::DVec3;

/// The maximum number of triangles in an undivided box.
const LEAF: usize = 8;

/// A plane through a point.
#[derive(Clone, Copy)]
pub struct Plane {
    /// The point.
    pub at: DVec3,
    /// The normal.
    pub normal: DVec3,
}

impl Plane {
    /// Returns the height of a position above the plane.
    pub fn height(&self, place: DVec3) -> f64 {
        self.normal.dot(place - self.at)
    }
}

/// Boxes, each followed by its contents.
pub struct Tree {
    boxes: Vec<Bounds>,
    triangles: Vec<u32>,
}

/// A box around some triangles.
struct Bounds {
    lowest: DVec3,
    highest: DVec3,
    /// The index of the first box outside this one.
    end: usize,
    /// For an undivided box, its triangles in the tree's list.
    triangles: std::ops::Range<usize>,
}

impl Tree {
    /// Builds a tree over some triangles. All indices must be in range.
    pub fn new(numbers: std::ops::Range<u32>, corners: &[[u32; 3]], points: &[DVec3]) -> Self {
        let first = numbers.start;
        let places = |triangle: u32| corners[triangle as usize].map(|point| points[point as usize]);
        let middles: Vec<DVec3> = numbers.clone().map(|triangle| places(triangle).iter().sum()).collect();
        let middle = |triangle: u32| middles[(triangle - first) as usize];
        let mut tree = Self { boxes: Vec::new(), triangles: numbers.collect() };
        let all = 0..tree.triangles.len();
        tree.add(all, &places, &middle);
        tree
    }

    /// Adds the box of a range of the list, and divides it. Ranges are halved, so the recursion is shallow.
    fn add(
        &mut self,
        range: std::ops::Range<usize>,
        places: &impl Fn(u32) -> [DVec3; 3],
        middle: &impl Fn(u32) -> DVec3,
    ) {
        let triangles = &mut self.triangles[range.clone()];
        let corners = triangles.iter().flat_map(|&triangle| places(triangle));
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (lowest, highest) = corners.fold(none, |(low, high), at| (low.min(at), high.max(at)));
        let number = self.boxes.len();
        let half = range.len() / 2;
        let is_leaf = range.len() <= LEAF;
        if !is_leaf {
            let longest = (highest - lowest).max_position();
            let key = |triangle: u32| middle(triangle)[longest];
            triangles.select_nth_unstable_by(half, |&a, &b| key(a).total_cmp(&key(b)));
        }
        let own = if is_leaf { range.clone() } else { 0..0 };
        self.boxes.push(Bounds { lowest, highest, end: 0, triangles: own });
        if !is_leaf {
            self.add(range.start..range.start + half, places, middle);
            self.add(range.start + half..range.end, places, middle);
        }
        self.boxes[number].end = self.boxes.len();
    }

    /// Lists the triangles that a plane may cut. Returns the number of boxes and triangles that it visited.
    pub fn near_into(&self, plane: &Plane, out: &mut Vec<u32>) -> u64 {
        out.clear();
        let (mut number, mut steps) = (0, 0);
        while let Some(next) = self.boxes.get(number) {
            let half = (next.highest - next.lowest) * 0.5;
            let height = plane.height(next.lowest + half);
            // Rounding must not lose a triangle that touches the plane.
            let reach = plane.normal.abs().dot(half) + 1e-9 * (height.abs() + half.length());
            let is_cut = height.abs() <= reach;
            if is_cut {
                out.extend_from_slice(&self.triangles[next.triangles.clone()]);
            }
            number = if is_cut { number + 1 } else { next.end };
            steps += 1;
        }
        steps + out.len() as u64
    }
}
