//! Weights of one point: quadratic minimisation over weights that are not negative and sum to one.

/// A symmetric matrix `g` and a vector `b`: the cost of weights `w` is `w·g·w / 2 − b·w`.
pub struct Quadratic {
    size: usize,
    g: Vec<f64>,
    b: Vec<f64>,
}

/// A value below this share of the matrix's largest entry counts as zero.
const NOISE: f64 = 1e-13;

impl Quadratic {
    /// Makes the cost 0 for any weights.
    pub fn zero(size: usize) -> Self {
        Self { size, g: vec![0.0; size * size], b: vec![0.0; size] }
    }

    /// Adds the squared length of the weighted sum of some vectors.
    pub fn add_square(&mut self, vectors: &[glam::DVec3]) {
        for (row, one) in vectors.iter().enumerate() {
            for (column, other) in vectors.iter().enumerate().take(row + 1) {
                self.g[row * self.size + column] += one.dot(*other);
            }
        }
    }

    /// Adds the squared distance from given weights, times a factor.
    pub fn add_pull(&mut self, factor: f64, to: impl Iterator<Item = f64>) {
        for (row, to) in to.take(self.size).enumerate() {
            self.g[row * self.size + row] += factor;
            self.b[row] += factor * to;
        }
    }

    /// Finds the weights of least cost, of which at most `most` are not zero.
    pub fn least(&self, most: usize) -> Vec<f64> {
        let mut allowed = vec![true; self.size];
        loop {
            let weights = self.least_among(&allowed);
            let used = weights.iter().filter(|weight| **weight > 0.0).count();
            if used <= most.max(1) {
                return weights;
            }
            // The weight whose loss costs least goes.
            let without = |index: usize| {
                let mut fewer: Vec<bool> = weights.iter().map(|weight| *weight > 0.0).collect();
                fewer[index] = false;
                self.cost(&self.least_among(&fewer))
            };
            let used = (0..self.size).filter(|index| weights[*index] > 0.0);
            let cheapest = used.map(|index| (without(index), index)).min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, cheapest)) = cheapest else { return weights };
            for (allowed, weight) in allowed.iter_mut().zip(&weights) {
                *allowed &= *weight > 0.0;
            }
            allowed[cheapest] = false;
        }
    }

    /// Returns the cost of weights.
    pub fn cost(&self, weights: &[f64]) -> f64 {
        let rows = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        rows.map(|(row, weight)| weight * (0.5 * self.product(row, weights) - self.b[row])).sum()
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.g[row.max(column) * self.size + row.min(column)]
    }

    fn product(&self, row: usize, weights: &[f64]) -> f64 {
        weights.iter().enumerate().map(|(column, weight)| self.at(row, column) * weight).sum()
    }

    /// Finds the weights of least cost where some must be zero, by an active set (Lawson and Hanson 1974).
    fn least_among(&self, allowed: &[bool]) -> Vec<f64> {
        let alone = |index: &usize| 0.5 * self.at(*index, *index) - self.b[*index];
        let candidates = (0..self.size).filter(|index| allowed[*index]);
        let first = candidates.min_by(|a, b| alone(a).total_cmp(&alone(b))).unwrap_or(0);
        let mut weights = vec![0.0; self.size];
        weights[first] = 1.0;
        let mut used = vec![first];
        let largest = (0..self.size).map(|index| self.at(index, index)).fold(0.0, f64::max);
        // Each round lowers the cost, so no set comes twice; rounding could still repeat one.
        for _ in 0..4 * self.size {
            let slopes: Vec<f64> =
                (0..self.size).map(|index| self.product(index, &weights) - self.b[index]).collect();
            let level: f64 = used.iter().map(|index| weights[*index] * slopes[*index]).sum();
            let steepest = (0..self.size)
                .filter(|index| allowed[*index] && !used.contains(index))
                .min_by(|a, b| slopes[*a].total_cmp(&slopes[*b]));
            let Some(steepest) = steepest.filter(|index| slopes[*index] < level - NOISE * largest) else {
                break;
            };
            used.push(steepest);
            if !self.descend(&mut used, &mut weights) {
                break;
            }
        }
        weights
    }

    /// Goes to the least cost of the used weights, and drops those that become zero on the way. Returns false if the last one
    /// cannot grow.
    fn descend(&self, used: &mut Vec<usize>, weights: &mut [f64]) -> bool {
        let newest = used.last().copied();
        loop {
            let Some(wanted) = self.stationary(used) else { return false };
            if wanted.iter().all(|weight| *weight > 0.0) {
                for (index, weight) in used.iter().zip(wanted) {
                    weights[*index] = weight;
                }
                return true;
            }
            let ends = used.iter().zip(&wanted).filter(|(_, wanted)| **wanted <= 0.0);
            let ends = ends.map(|(index, wanted)| (weights[*index] / (weights[*index] - wanted), *index));
            let Some((share, end)) = ends.min_by(|a, b| a.0.total_cmp(&b.0)) else { return false };
            if Some(end) == newest && weights[end] == 0.0 {
                used.pop();
                return false;
            }
            for (index, wanted) in used.iter().zip(wanted) {
                weights[*index] += share * (wanted - weights[*index]);
            }
            weights[end] = 0.0;
            used.retain(|index| weights[*index] > 0.0 || Some(*index) == newest);
        }
    }

    /// Returns the weights of least cost whose sum is one, of any sign; `None` if they are not unique.
    fn stationary(&self, used: &[usize]) -> Option<Vec<f64>> {
        let size = used.len();
        let mut lower = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                let above: f64 = (0..column).map(|k| lower[row * size + k] * lower[column * size + k]).sum();
                let left = self.at(used[row], used[column]) - above;
                lower[row * size + column] = if row == column {
                    let least = NOISE * self.at(used[row], used[row]);
                    (left > least).then(|| left.sqrt())?
                } else {
                    left / lower[column * size + column]
                };
            }
        }
        let solve = |mut x: Vec<f64>| {
            for row in 0..size {
                let before: f64 = (0..row).map(|k| lower[row * size + k] * x[k]).sum();
                x[row] = (x[row] - before) / lower[row * size + row];
            }
            for row in (0..size).rev() {
                let after: f64 = (row + 1..size).map(|k| lower[k * size + row] * x[k]).sum();
                x[row] = (x[row] - after) / lower[row * size + row];
            }
            x
        };
        let to_b = solve(used.iter().map(|index| self.b[*index]).collect());
        let to_one = solve(vec![1.0; size]);
        let level = (to_b.iter().sum::<f64>() - 1.0) / to_one.iter().sum::<f64>();
        Some(to_b.iter().zip(to_one).map(|(b, one)| b - level * one).collect())
    }
}
