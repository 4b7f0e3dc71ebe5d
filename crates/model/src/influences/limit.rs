//! Drops influences for programs that take fewer of them.

use super::{Influence, PER_SPAN, Room, empty_spans, store, to_grid};
use crate::mesh::{Influences, Span};

/// Limits on a vertex's influences; its heaviest always stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Maximum number, the heaviest first.
    pub most: usize,
    /// The least weight.
    pub least: f64,
}

/// Influences removed by one limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dropped {
    /// Number of vertices that lost influences.
    pub vertices: usize,
    /// Number of lost influences.
    pub influences: usize,
    /// The largest weight of these.
    pub largest: f64,
}

impl Dropped {
    fn add(&mut self, weights: &[Influence]) {
        if weights.is_empty() {
            return;
        }
        self.vertices = self.vertices.saturating_add(1);
        self.influences = self.influences.saturating_add(weights.len());
        self.largest = weights.iter().map(|influence| influence.weight).fold(self.largest, f64::max);
    }

    /// Adds the losses of another primitive.
    pub fn merge(&mut self, other: &Self) {
        self.vertices = self.vertices.saturating_add(other.vertices);
        self.influences = self.influences.saturating_add(other.influences);
        self.largest = self.largest.max(other.largest);
    }
}

/// Changes made by [`Influences::limit`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limited {
    /// Vertices that change at all.
    pub vertices: usize,
    /// Vertices that named a joint twice; now its weights are one.
    pub repeated: usize,
    /// Influences beyond [`Limits::most`].
    pub beyond_most: Dropped,
    /// Influences below [`Limits::least`].
    pub below_least: Dropped,
}

impl Limited {
    /// Adds the changes of another primitive.
    pub fn merge(&mut self, other: &Self) {
        self.vertices = self.vertices.saturating_add(other.vertices);
        self.repeated = self.repeated.saturating_add(other.repeated);
        self.beyond_most.merge(&other.beyond_most);
        self.below_least.merge(&other.below_least);
    }
}

impl Influences {
    /// Drops influences beyond the limits, and scales the rest to a sum of one. Each joint is named once afterwards. "No
    /// joint" counts as a joint, but stays only where it is not dropped.
    pub fn limit(&mut self, limits: &Limits) -> Limited {
        let mut limited = Limited::default();
        let vertices =
            self.spans.iter().map(|span| span.joints.len().min(span.weights.len())).min().unwrap_or(0);
        let mut spans = empty_spans(self.spans.len(), vertices);
        let mut rooms: Vec<Room<'_>> = spans
            .iter_mut()
            .map(|Span { joints, weights }| Room {
                joints: joints.as_mut_slice(),
                weights: weights.as_mut_slice(),
            })
            .collect();
        let mut widest = 1;
        let mut influences = Vec::new();
        for vertex in 0..vertices {
            influences.clear();
            for span in 0..self.spans.len() {
                let (joints, weights) = self.of_vertex(span, vertex);
                let pairs = joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
                influences
                    .extend(pairs.map(|(joint, weight)| Influence { joint, weight: f64::from(weight) }));
            }
            let stored = influences.len();
            cut(&mut influences, limits, &mut limited);
            limited.vertices = limited.vertices.saturating_add(usize::from(influences.len() < stored));
            widest = widest.max(store(&influences, &to_grid(&influences), vertex, &mut rooms));
        }
        spans.truncate(widest.div_ceil(PER_SPAN));
        self.spans = spans;
        limited
    }
}

/// Cuts the influences of one vertex down to the limits.
fn cut(influences: &mut Vec<Influence>, limits: &Limits, limited: &mut Limited) {
    let stored = influences.len();
    let mut named: Vec<Influence> = Vec::with_capacity(stored);
    for influence in influences.drain(..) {
        match named.iter_mut().find(|earlier| earlier.joint == influence.joint) {
            Some(earlier) => earlier.weight += influence.weight,
            None => named.push(influence),
        }
    }
    limited.repeated = limited.repeated.saturating_add(usize::from(named.len() < stored));
    // The sort is stable: equal weights keep their order.
    named.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let kept = limits.most.clamp(1, named.len().max(1));
    limited.beyond_most.add(named.get(kept..).unwrap_or_default());
    named.truncate(kept);
    let kept = named.iter().skip(1).take_while(|influence| influence.weight >= limits.least).count();
    let kept = kept.saturating_add(1);
    limited.below_least.add(named.get(kept..).unwrap_or_default());
    named.truncate(kept);
    *influences = named;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four influences of a vertex.
    type Row = ([i32; 4], [f32; 4]);

    /// Vertices of two spans.
    fn influences(rows: &[[Row; 2]]) -> Influences {
        let span = |number: usize| Span {
            joints: rows.iter().map(|row| row[number].0).collect(),
            weights: rows.iter().map(|row| row[number].1).collect(),
        };
        Influences { spans: vec![span(0), span(1)] }
    }

    const NONE: Row = ([0; 4], [0.0; 4]);

    #[test]
    fn what_is_within_the_limits_stays_to_the_bit() {
        let third = (1 << 24) as f32 / 3.0;
        let third = third.floor() / (1 << 24) as f32;
        let rows = [[([7, 3, 9, 9], [third, third, 1.0 - 2.0 * third, 0.0]), NONE]];
        let mut kept = influences(&rows);
        let limited = kept.limit(&Limits { most: 16, least: 0.0 });
        assert_eq!(limited, Limited::default());
        // The heaviest comes first, as at load; equal ones keep their order.
        assert_eq!(kept.spans.len(), 1);
        assert_eq!(kept.spans[0].joints, [[9, 7, 3, 3]]);
        assert_eq!(kept.spans[0].weights, [[1.0 - 2.0 * third, third, third, 0.0]]);
    }

    #[test]
    fn the_heaviest_are_kept_and_sum_to_one() {
        let five = [([5, 4, 3, 2], [0.5, 0.25, 0.125, 0.0625]), ([1, 0, 0, 0], [0.0625, 0.0, 0.0, 0.0])];
        let two = [([1, 2, 2, 2], [0.75, 0.25, 0.0, 0.0]), NONE];
        let mut kept = influences(&[five, two]);
        let limited = kept.limit(&Limits { most: 4, least: 0.0 });
        let beyond_most = Dropped { vertices: 1, influences: 1, largest: 0.0625 };
        assert_eq!(limited, Limited { vertices: 1, beyond_most, ..Limited::default() });
        assert_eq!(kept.spans.len(), 1);
        assert_eq!(kept.spans[0].joints, [[5, 4, 3, 2], [1, 2, 2, 2]]);
        assert_eq!(kept.spans[0].weights[0].iter().sum::<f32>(), 1.0);
        assert!((kept.spans[0].weights[0][0] - 0.5 / 0.9375).abs() < 1e-7);

        let limited = kept.limit(&Limits { most: 4, least: 0.3 });
        let below_least = Dropped { vertices: 2, influences: 4, largest: 0.25 / 0.9375 };
        assert_eq!(
            (limited.vertices, limited.below_least.vertices, limited.below_least.influences),
            (2, 2, 4)
        );
        assert!((limited.below_least.largest - below_least.largest).abs() < 1e-7);
        assert_eq!(kept.spans[0].weights, [[1.0, 0.0, 0.0, 0.0]; 2]);
        assert_eq!(kept.limit(&Limits { most: 0, least: 9.0 }), Limited::default(), "the heaviest stays");
    }

    #[test]
    fn a_joint_is_named_once() {
        let twice = [([5, 4, 5, 5], [0.375, 0.375, 0.25, 0.0]), NONE];
        let mut kept = influences(&[twice]);
        let limited = kept.limit(&Limits { most: 2, least: 0.0 });
        assert_eq!(limited, Limited { vertices: 1, repeated: 1, ..Limited::default() });
        assert_eq!(kept.spans[0].joints, [[5, 4, 4, 4]]);
        assert_eq!(kept.spans[0].weights, [[0.625, 0.375, 0.0, 0.0]]);
        let mut none = Influences::default();
        assert_eq!(none.limit(&Limits { most: 4, least: 0.0 }), Limited::default());
        assert!(none.spans.is_empty());
    }
}
