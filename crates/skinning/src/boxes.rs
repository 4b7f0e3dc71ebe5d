//! A tree of boxes around triangles, which finds those near something without visiting the others.

use std::ops::Range;

use glam::DVec3;

/// The maximum number of items in an undivided box.
const LEAF: usize = 8;

/// A tree over items that each have three corners: triangles, or their numbers.
#[derive(Debug)]
pub struct BoxTree<T> {
    /// The boxes, each followed by those of its first half and then by those of its second.
    nodes: Vec<Node>,
    /// The items. Those of a box are consecutive.
    items: Vec<T>,
}

#[derive(Debug)]
struct Node {
    bounds: Bounds,
    items: Range<usize>,
    /// The index of the first box outside this one.
    end: usize,
}

/// A box along the axes. Without items, it is empty: its lowest corner is above its highest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lowest corner.
    pub low: DVec3,
    /// The highest corner.
    pub high: DVec3,
}

impl Bounds {
    fn around(points: impl Iterator<Item = DVec3>) -> Self {
        let none = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        points.fold(none, |Self { low, high }, point| Self { low: low.min(point), high: high.max(point) })
    }

    /// Returns the distance of a point from the box; 0 inside, and infinite if the box is empty.
    pub fn distance(&self, to: DVec3) -> f64 {
        (self.low - to).max(to - self.high).max(DVec3::ZERO).length()
    }
}

impl<T> BoxTree<T> {
    /// Builds a tree. `corners` returns an item's corners, which must be finite. Boxes are halved at the median of
    /// `along`, the position of an item along an axis.
    pub fn new(items: Vec<T>, corners: impl Fn(&T) -> [DVec3; 3], along: impl Fn(&T, usize) -> f64) -> Self {
        let mut tree = Self { nodes: Vec::new(), items };
        tree.add(0..tree.items.len(), &corners, &along);
        tree
    }

    /// Adds the box of a range of items, and divides it. Ranges are halved, so the recursion is shallow.
    fn add(
        &mut self,
        range: Range<usize>,
        corners: &impl Fn(&T) -> [DVec3; 3],
        along: &impl Fn(&T, usize) -> f64,
    ) {
        let items = &mut self.items[range.clone()];
        let bounds = Bounds::around(items.iter().flat_map(corners));
        let number = self.nodes.len();
        self.nodes.push(Node { bounds, items: range.clone(), end: 0 });
        if range.len() > LEAF {
            let longest = (bounds.high - bounds.low).max_position();
            let half = range.len() / 2;
            items.select_nth_unstable_by(half, |a, b| along(a, longest).total_cmp(&along(b, longest)));
            self.add(range.start..range.start + half, corners, along);
            self.add(range.start + half..range.end, corners, along);
        }
        self.nodes[number].end = self.nodes.len();
    }

    /// Visits the items of undivided boxes that pass a test, as do all boxes around them. Returns the number of boxes that
    /// were tested.
    pub fn each_where(&self, passes: impl Fn(&Bounds) -> bool, mut visit: impl FnMut(&[T])) -> u64 {
        let (mut number, mut tested) = (0, 0);
        while let Some(node) = self.nodes.get(number) {
            let next = number + 1;
            let does_pass = passes(&node.bounds);
            if does_pass && node.end == next {
                visit(&self.items[node.items.clone()]);
            }
            number = if does_pass { next } else { node.end };
            tested += 1;
        }
        tested
    }

    /// Visits the items of undivided boxes from near to far from a point. `visit` returns the distance that items still to
    /// come must be below, if there is one: boxes that are as far or further are left out.
    pub fn nearest_first(&self, to: DVec3, mut visit: impl FnMut(&[T]) -> Option<f64>) {
        let mut least = None;
        let mut open = vec![0];
        let distance = |number: usize| self.nodes[number].bounds.distance(to);
        while let Some(number) = open.pop() {
            if least.is_some_and(|least| distance(number) >= least) {
                continue;
            }
            let node = &self.nodes[number];
            let first = number + 1;
            if node.end == first {
                least = visit(&self.items[node.items.clone()]);
                continue;
            }
            let second = self.nodes[first].end;
            // The nearer half comes off the stack first.
            match distance(second) < distance(first) {
                true => open.extend([first, second]),
                false => open.extend([second, first]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns triangles in a row of steps, many of them with equal positions along each axis.
    fn triangles(count: u32) -> Vec<[DVec3; 3]> {
        let triangle = |number: u32| {
            let at = DVec3::new(f64::from(number % 7), f64::from(number / 7 % 5), f64::from(number / 35));
            [at, at + DVec3::X, at + DVec3::new(0.5, 0.25, -0.5)]
        };
        (0..count).map(triangle).collect()
    }

    fn tree(triangles: &[[DVec3; 3]]) -> BoxTree<usize> {
        let along = |item: &usize, axis: usize| triangles[*item].iter().map(|corner| corner[axis]).sum();
        BoxTree::new((0..triangles.len()).collect(), |item| triangles[*item], along)
    }

    #[test]
    fn boxes_halve_their_items_and_hold_their_corners() {
        for count in [0, 1, 8, 9, 100, 333] {
            let triangles = triangles(count);
            let tree = tree(&triangles);
            let mut all = Vec::new();
            assert_eq!(
                tree.each_where(|_| true, |items| all.extend_from_slice(items)),
                tree.nodes.len() as u64
            );
            all.sort_unstable();
            assert_eq!(all, (0..triangles.len()).collect::<Vec<_>>());
            for (number, node) in tree.nodes.iter().enumerate() {
                let items = &tree.items[node.items.clone()];
                assert!(
                    items.iter().flat_map(|item| triangles[*item]).all(|p| node.bounds.distance(p) == 0.0)
                );
                let is_leaf = node.end == number + 1;
                assert_eq!(is_leaf, items.len() <= LEAF);
                if !is_leaf {
                    let [first, second] =
                        [number + 1, tree.nodes[number + 1].end].map(|half| &tree.nodes[half]);
                    assert_eq!((first.items.start, first.items.end), (node.items.start, second.items.start));
                    assert_eq!((second.items.end, second.end), (node.items.end, node.end));
                    assert!(first.items.len().abs_diff(second.items.len()) <= 1);
                }
            }
        }
    }

    #[test]
    fn only_boxes_that_pass_are_visited() {
        let triangles = triangles(333);
        let tree = tree(&triangles);
        let is_cut = |low: DVec3, high: DVec3| low.x <= 3.25 && high.x >= 3.25;
        let mut found = Vec::new();
        let tested = tree.each_where(
            |bounds| is_cut(bounds.low, bounds.high),
            |items| {
                found.extend(items.iter().copied().filter(|item| {
                    let bounds = Bounds::around(triangles[*item].into_iter());
                    is_cut(bounds.low, bounds.high)
                }))
            },
        );
        found.sort_unstable();
        let cut = |item: &usize| {
            triangles[*item].iter().any(|p| p.x <= 3.25) && triangles[*item].iter().any(|p| p.x >= 3.25)
        };
        assert_eq!(found, (0..triangles.len()).filter(cut).collect::<Vec<_>>());
        assert!(tested < tree.nodes.len() as u64, "{tested} of {}", tree.nodes.len());
    }

    #[test]
    fn the_nearest_item_is_found_in_few_boxes() {
        let triangles = triangles(333);
        let tree = tree(&triangles);
        let apart = |item: usize, to: DVec3| triangles[item][0].distance(to);
        for step in 0..50 {
            let to = DVec3::new(0.13, 0.11, 0.17) * f64::from(step) - DVec3::ONE;
            let (mut least, mut visited) = (None, 0);
            tree.nearest_first(to, |items| {
                visited += items.len();
                for item in items {
                    least = Some(apart(*item, to).min(least.unwrap_or(f64::INFINITY)));
                }
                least
            });
            let expected = (0..triangles.len()).map(|item| apart(item, to)).reduce(f64::min);
            assert!(
                least == expected && visited < triangles.len() / 2,
                "{to}: {least:?} {expected:?} {visited}"
            );
        }
        BoxTree::<usize>::new(Vec::new(), |_| [DVec3::ZERO; 3], |_, _| 0.0).nearest_first(
            DVec3::ZERO,
            |items| {
                assert!(items.is_empty());
                None
            },
        );
    }
}
