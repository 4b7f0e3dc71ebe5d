//! Weights of one point: quadratic minimisation over weights that are not negative and sum to one.

/// A symmetric matrix `g` and a vector `b`: the cost of weights `w` is `w·g·w / 2 − b·w`.
pub struct Quadratic {
    size: usize,
    g: Vec<f64>,
    b: Vec<f64>,
}

/// A value below this share of the matrix's largest entry counts as zero.
const ZERO_TOLERANCE: f64 = 1e-13;

impl Quadratic {
    /// Makes the cost with a matrix of this size, of which it asks for the lower half.
    pub fn new(size: usize, product: impl Fn(usize, usize) -> f64) -> Self {
        let mut g = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                g[row * size + column] = product(row, column);
            }
        }
        Self { size, g, b: vec![0.0; size] }
    }

    /// Adds the squared distance from given weights, times a factor.
    pub fn add_pull(&mut self, factor: f64, to: impl Iterator<Item = f64>) {
        for (row, to) in to.take(self.size).enumerate() {
            self.g[row * self.size + row] += factor;
            self.b[row] += factor * to;
        }
    }

    /// Finds the weights of least cost, of which at most `most` are not zero. The search begins at other weights, which change
    /// nothing but its length.
    pub fn least(&self, most: usize, start: &[f64]) -> Vec<f64> {
        let mut allowed = vec![true; self.size];
        let mut weights = self.least_among(&allowed, start);
        loop {
            let used: Vec<usize> = (0..self.size).filter(|index| weights[*index] > 0.0).collect();
            if used.len() <= most.max(1) {
                return weights;
            }
            for (index, allowed) in allowed.iter_mut().enumerate() {
                *allowed &= used.contains(&index);
            }
            // Of the smaller half, the weight whose loss costs least goes.
            let mut smaller = used.clone();
            smaller.sort_by(|a, b| weights[*a].total_cmp(&weights[*b]));
            smaller.truncate(used.len().div_ceil(2));
            let without = |index: &usize| {
                let (mut fewer, mut start) = (allowed.clone(), weights.clone());
                (fewer[*index], start[*index]) = (false, 0.0);
                let found = self.least_among(&fewer, &start);
                (self.cost(&found), *index, found)
            };
            let cheapest = smaller.iter().map(without).min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, cheapest, found)) = cheapest else { return weights };
            allowed[cheapest] = false;
            weights = found;
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
    fn least_among(&self, allowed: &[bool], start: &[f64]) -> Vec<f64> {
        let (mut weights, mut used) = self.begin(allowed, start);
        let largest = (0..self.size).map(|index| self.at(index, index)).fold(0.0, f64::max);
        // Each round lowers the cost, so no set comes twice; rounding could still repeat one.
        for _ in 0..4 * self.size {
            let slope = |index: usize| self.product(index, &weights) - self.b[index];
            let level: f64 = used.iter().map(|index| weights[*index] * slope(*index)).sum();
            let steepest = (0..self.size)
                .filter(|index| allowed[*index] && !used.contains(index))
                .map(|index| (slope(index), index))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, steepest)) = steepest.filter(|(slope, _)| *slope < level - ZERO_TOLERANCE * largest)
            else {
                break;
            };
            used.push(steepest);
            if !self.descend(&mut used, &mut weights) {
                break;
            }
        }
        weights
    }

    /// Returns weights to begin with, and those that are not zero: the best of the same set as at the start, or else the best one
    /// alone.
    fn begin(&self, allowed: &[bool], start: &[f64]) -> (Vec<f64>, Vec<usize>) {
        let mut used: Vec<usize> =
            (0..self.size).filter(|index| allowed[*index] && start[*index] > 0.0).collect();
        let sum: f64 = used.iter().map(|index| start[*index]).sum();
        let mut weights = vec![0.0; self.size];
        if sum > 0.0 {
            used.iter().for_each(|index| weights[*index] = start[*index] / sum);
            if self.descend(&mut used, &mut weights) {
                return (weights, used);
            }
            weights.fill(0.0);
        }
        let alone = |index: &usize| {
            let cost = 0.5 * self.at(*index, *index) - self.b[*index];
            if cost.is_nan() { f64::INFINITY } else { cost }
        };
        let candidates = (0..self.size).filter(|index| allowed[*index]);
        let first = candidates.min_by(|a, b| alone(a).total_cmp(&alone(b))).unwrap_or(0);
        weights[first] = 1.0;
        (weights, vec![first])
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
                    let least = ZERO_TOLERANCE * self.at(used[row], used[row]);
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
