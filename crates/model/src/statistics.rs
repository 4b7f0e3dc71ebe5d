//! Statistics of a primitive's joints and weights as stored in the file, before they are prepared.

use super::influences::RawSet;

/// Common limits on influences in renderers.
pub const LIMITS: [usize; 3] = [4, 8, 16];

/// Statistics of a primitive's influences.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InfluenceStatistics {
    /// Number of vertices by the number of their weights above zero.
    pub histogram: Vec<usize>,
    /// The largest error of a sum of weights; a vertex without weight is off by one.
    pub largest_sum_error: f64,
    /// The vertex with that sum.
    pub largest_sum_vertex: usize,
    /// The loss in a renderer with each of [`LIMITS`].
    pub losses: [Loss; LIMITS.len()],
    /// For each joint of the skin, whether any vertex gives it weight.
    pub used: Vec<bool>,
}

/// The loss in a renderer that keeps only the heaviest influences of each vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// Number of vertices that exceed the limit.
    pub vertices: usize,
    /// The sum of the shares that those vertices lose.
    pub sum: f64,
    /// The largest share.
    pub worst: f64,
    /// The vertex that loses it.
    pub worst_vertex: usize,
}

impl Loss {
    /// The mean share that vertices over the limit lose.
    pub fn mean(&self) -> f64 {
        if self.vertices == 0 { 0.0 } else { self.sum / self.vertices as f64 }
    }

    /// Adds another primitive's losses.
    pub fn merge(&mut self, other: &Self) {
        self.vertices = self.vertices.saturating_add(other.vertices);
        self.sum += other.sum;
        if other.worst > self.worst {
            (self.worst, self.worst_vertex) = (other.worst, other.worst_vertex);
        }
    }
}

impl InfluenceStatistics {
    /// The statistics of one primitive's sets, for a skin with `joint_count` joints.
    pub fn of(sets: &[RawSet], joint_count: usize) -> Self {
        let mut statistics = Self { used: vec![false; joint_count], ..Self::default() };
        let vertices = sets.iter().map(|set| set.joints.len().min(set.weights.len())).min().unwrap_or(0);
        let mut weights: Vec<f64> = Vec::new();
        for vertex in 0..vertices {
            weights.clear();
            for set in sets {
                let joints = set.joints.get(vertex).copied().unwrap_or_default();
                let stored = set.weights.get(vertex).copied().unwrap_or_default();
                for (joint, weight) in joints.into_iter().zip(stored) {
                    if weight.is_finite() && weight > 0.0 {
                        weights.push(f64::from(weight));
                        if let Some(used) = statistics.used.get_mut(usize::from(joint)) {
                            *used = true;
                        }
                    }
                }
            }
            statistics.take(vertex, &mut weights);
        }
        statistics
    }

    /// Counts a vertex by its weights above zero.
    fn take(&mut self, vertex: usize, weights: &mut [f64]) {
        if self.histogram.len() <= weights.len() {
            self.histogram.resize(weights.len().saturating_add(1), 0);
        }
        if let Some(count) = self.histogram.get_mut(weights.len()) {
            *count = count.saturating_add(1);
        }
        let sum: f64 = weights.iter().sum();
        let error = (sum - 1.0).abs();
        if error > self.largest_sum_error {
            (self.largest_sum_error, self.largest_sum_vertex) = (error, vertex);
        }
        if weights.len() > LIMITS[0] {
            weights.sort_by(|a, b| b.total_cmp(a));
        }
        for (limit, loss) in LIMITS.into_iter().zip(&mut self.losses) {
            let lost: f64 = weights.iter().skip(limit).sum();
            if weights.len() > limit {
                let share = lost / sum;
                loss.merge(&Loss { vertices: 1, sum: share, worst: share, worst_vertex: vertex });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set made of single vertices.
    fn set(vertices: &[([u16; 4], [f32; 4])]) -> RawSet {
        let (joints, weights) = vertices.iter().copied().unzip();
        RawSet { joints, weights }
    }

    #[test]
    fn influences_are_counted_as_stored() {
        let first = set(&[
            ([0, 1, 2, 3], [0.25, 0.25, 0.25, 0.125]),
            ([4, 0, 0, 9], [0.75, 0.0, f32::NAN, -1.0]),
            ([0; 4], [0.0; 4]),
        ]);
        let second =
            set(&[([6, 1, 0, 0], [0.0625, 0.0625, 0.0, 0.0]), ([0; 4], [0.0; 4]), ([0; 4], [0.0; 4])]);
        let statistics = InfluenceStatistics::of(&[first, second], 8);
        assert_eq!(statistics.histogram, [1, 1, 0, 0, 0, 0, 1]);
        assert_eq!((statistics.largest_sum_error, statistics.largest_sum_vertex), (1.0, 2));
        assert_eq!(statistics.used, [true, true, true, true, true, false, true, false]);
        let [four, eight, sixteen] = statistics.losses;
        assert_eq!(four, Loss { vertices: 1, sum: 0.125, worst: 0.125, worst_vertex: 0 });
        assert_eq!((eight, sixteen), (Loss::default(), Loss::default()));
    }

    #[test]
    fn losses_are_shares_of_the_weight_there_is() {
        // Of five equal weights, which sum to a half, the fifth is a share of one fifth.
        let first = set(&[([0; 4], [0.1; 4])]);
        let second = set(&[([0; 4], [0.1, 0.0, 0.0, 0.0])]);
        let statistics = InfluenceStatistics::of(&[first, second], 1);
        assert!((statistics.losses[0].mean() - 0.2).abs() < 1e-15);
        assert!((statistics.largest_sum_error - 0.5).abs() < 1e-7);
    }
}
