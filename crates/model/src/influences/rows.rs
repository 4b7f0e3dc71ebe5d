//! Influences from lists of joints and weights.

use super::{Influence, MAX_INFLUENCES, PER_SPAN, Room, empty_spans, keep_largest, store, to_grid};
use crate::mesh::Influences;

impl Influences {
    /// Makes influences of each vertex's joints with their weights above 0, each joint once. They are sorted, cut down to
    /// [`MAX_INFLUENCES`] and rounded, as at load. A vertex without any follows no joint.
    pub fn from_rows(rows: impl ExactSizeIterator<Item = Vec<(i32, f64)>>) -> Self {
        let mut spans = empty_spans(MAX_INFLUENCES / PER_SPAN, rows.len());
        let mut rooms: Vec<Room<'_>> = spans
            .iter_mut()
            .map(|span| Room { joints: &mut span.joints, weights: &mut span.weights })
            .collect();
        let mut widest = 1;
        for (vertex, row) in rows.enumerate() {
            let weighty = row.into_iter().filter(|(_, weight)| weight.is_finite() && *weight > 0.0);
            let mut influences: Vec<Influence> =
                weighty.map(|(joint, weight)| Influence { joint, weight }).collect();
            if influences.is_empty() {
                influences.push(Influence { joint: -1, weight: 1.0 });
            }
            // The sort is stable: equal weights keep their order.
            influences.sort_by(|a, b| b.weight.total_cmp(&a.weight));
            keep_largest(&mut influences);
            widest = widest.max(store(&influences, &to_grid(&influences), vertex, &mut rooms));
        }
        spans.truncate(widest.div_ceil(PER_SPAN));
        Self { spans }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_whole() {
        let rows = [vec![(3, 0.25), (1, 0.5), (-1, 0.25)], vec![], vec![(7, 3.0), (2, 1.0), (4, f64::NAN)]];
        let made = Influences::from_rows(rows.into_iter());
        assert_eq!(made.spans.len(), 1);
        assert_eq!(made.spans[0].joints, [[1, 3, -1, -1], [-1; 4], [7, 2, 2, 2]]);
        assert_eq!(
            made.spans[0].weights,
            [[0.5, 0.25, 0.25, 0.0], [1.0, 0.0, 0.0, 0.0], [0.75, 0.25, 0.0, 0.0]]
        );
        let many = (0..20).map(|joint| (joint, 1.0 + f64::from(joint))).collect();
        let made = Influences::from_rows([many].into_iter());
        assert_eq!(made.spans.len(), 4);
        assert_eq!(made.spans[0].joints, [[19, 18, 17, 16]]);
        let sum: f32 = made.spans.iter().flat_map(|span| span.weights[0]).sum();
        assert_eq!(sum, 1.0);
    }
}
