//! Transforms of all helpers in one pose, by Gauss and Newton's method. Sums over points are made once for all steps.

use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3, DVec4};

use crate::sums::{Rows, rows};

/// The numbers of one helper's small motion: a turn and a shift.
const NUMBERS: usize = 6;

/// The pull of a helper to its home, as a share of the pull of its points.
const HOME: f64 = 1e-7;

/// The least number on the diagonal of the equations, as a share of the largest.
const FLOOR: f64 = 1e-13;

/// For two helpers each, the sum over points of both weights times the product of the place, with a one at its end, and itself.
pub struct Moments {
    count: usize,
    pairs: Vec<DMat4>,
}

impl Moments {
    /// Sums up points, each with its helpers and their weights.
    pub fn new<'a>(count: usize, points: impl Iterator<Item = (DVec3, &'a [(u32, f64)])>) -> Self {
        let mut pairs = vec![DMat4::ZERO; count * count];
        for (at, helpers) in points {
            let at = at.extend(1.0);
            let square = DMat4::from_cols(at * at.x, at * at.y, at * at.z, at);
            for (one, weight) in helpers {
                for (other, other_weight) in helpers {
                    pairs[*one as usize * count + *other as usize] += square * (weight * other_weight);
                }
            }
        }
        Self { count, pairs }
    }

    fn of(&self, one: usize, other: usize) -> &DMat4 {
        &self.pairs[one * self.count + other]
    }
}

/// The ways that points have still to go in a pose.
#[derive(Clone)]
pub struct Ways {
    /// The sum of their squared lengths.
    error: f64,
    /// For each helper the sum of weights times ways times places: one row for each axis of the way.
    sums: Vec<Rows>,
}

impl Ways {
    /// Makes the sums of no point.
    pub fn new(count: usize) -> Self {
        Self { error: 0.0, sums: vec![[DVec4::ZERO; 3]; count] }
    }

    /// Adds a point with its helpers and their weights, and its way.
    pub fn add(&mut self, at: DVec3, helpers: &[(u32, f64)], way: DVec3) {
        self.error += way.length_squared();
        let at = at.extend(1.0);
        for (helper, weight) in helpers {
            for (row, way) in self.sums[*helper as usize].iter_mut().zip((way * *weight).to_array()) {
                *row += at * way;
            }
        }
    }
}

/// Moves helpers towards the transforms that move points nearest to their wanted places, in a few steps. Each stays close to
/// its `home` where points do not say otherwise.
pub fn refine(helpers: &mut [DAffine3], homes: &[DAffine3], moments: &Moments, ways: &Ways, steps: usize) {
    let pose = Pose { start: helpers.iter().map(rows).collect(), homes, moments, ways };
    let mut damping = 1e-9;
    let mut before = pose.cost(helpers);
    for _ in 0..steps {
        let Some(moved) = pose.step(helpers, damping) else {
            damping *= 100.0;
            continue;
        };
        let after = pose.cost(&moved);
        if after < before {
            let gain = before - after;
            helpers.copy_from_slice(&moved);
            damping = f64::max(damping * 0.1, 1e-12);
            before = after;
            if gain < 1e-6 * before {
                break;
            }
        } else {
            damping *= 100.0;
        }
    }
}

/// A pose and the transforms from which the ways are.
struct Pose<'a> {
    start: Vec<Rows>,
    homes: &'a [DAffine3],
    moments: &'a Moments,
    ways: &'a Ways,
}

impl Pose<'_> {
    /// The motion of each helper since the start.
    fn moved(&self, helpers: &[DAffine3]) -> Vec<Rows> {
        let apart = |(start, helper): (&Rows, &DAffine3)| apart(rows(helper), *start);
        self.start.iter().zip(helpers).map(apart).collect()
    }

    fn cost(&self, helpers: &[DAffine3]) -> f64 {
        let moved = self.moved(helpers);
        let mut cost = self.ways.error;
        for (one, rows) in moved.iter().enumerate() {
            for (row, sum) in rows.iter().zip(&self.ways.sums[one]) {
                cost -= 2.0 * row.dot(*sum);
            }
            for (other, others) in moved.iter().enumerate() {
                cost += product(rows, self.moments.of(one, other), others);
            }
        }
        let mut pull = 0.0;
        for (number, (helper, home)) in helpers.iter().zip(self.homes).enumerate() {
            let apart = apart(rows(helper), rows(home));
            pull += product(&apart, self.moments.of(number, number), &apart);
        }
        cost + HOME * pull
    }

    /// Returns the helpers after one step; `None` if the equations have no solution.
    fn step(&self, helpers: &[DAffine3], damping: f64) -> Option<Vec<DAffine3>> {
        let size = helpers.len() * NUMBERS;
        let (mut matrix, mut right) = (vec![0.0; size * size], vec![0.0; size]);
        let moved = self.moved(helpers);
        let centers: Vec<DVec3> = (0..helpers.len()).map(|helper| self.center(helper, helpers)).collect();
        // Each takes a place to its way from the centre.
        let arms: Vec<Rows> = helpers
            .iter()
            .zip(&centers)
            .map(|(helper, center)| rows(&(DAffine3::from_translation(-*center) * *helper)))
            .collect();
        for (one, arm) in arms.iter().enumerate() {
            let own = self.moments.of(one, one);
            let to_home = apart(rows(&self.homes[one]), rows(&helpers[one]));
            let mut left = self.ways.sums[one];
            for (axis, row) in left.iter_mut().enumerate() {
                *row += *own * to_home[axis] * HOME;
                for (other, moved) in moved.iter().enumerate() {
                    *row -= *self.moments.of(one, other) * moved[axis];
                }
            }
            // The sums of arm × way and of the ways.
            let of = |a: usize, b: usize| arm[a].dot(left[b]);
            let turn = DVec3::new(of(1, 2) - of(2, 1), of(2, 0) - of(0, 2), of(0, 1) - of(1, 0));
            let numbers = turn.to_array().into_iter().chain(left.map(|row| row.w));
            for (right, number) in right[one * NUMBERS..].iter_mut().zip(numbers) {
                *right = number;
            }
            for (other, other_arm) in arms.iter().enumerate().take(one + 1) {
                let factor = if one == other { 1.0 + HOME } else { 1.0 };
                let moments = *self.moments.of(one, other) * factor;
                if moments.w_axis.w != 0.0 {
                    set_block(&mut matrix, size, (one, other), (arm, other_arm), &moments);
                }
            }
        }
        // A helper of one point, or of none, has no best turn.
        let largest = (0..size).map(|index| matrix[index * size + index]).fold(0.0, f64::max);
        for index in 0..size {
            let diagonal = &mut matrix[index * size + index];
            *diagonal += damping * *diagonal + FLOOR * largest + f64::MIN_POSITIVE;
        }
        let solution = solve(matrix, right)?;
        let turned = helpers.iter().zip(&centers).enumerate().map(|(index, (helper, center))| {
            let numbers = &solution[index * NUMBERS..];
            let turn = DQuat::from_scaled_axis(DVec3::from_slice(numbers));
            let shift = DVec3::from_slice(&numbers[3..]);
            let rotation = (turn * DQuat::from_mat3(&helper.matrix3)).normalize();
            let matrix3 = DMat3::from_quat(rotation);
            DAffine3 { matrix3, translation: turn * (helper.translation - *center) + *center + shift }
        });
        Some(turned.collect())
    }

    /// The centre of the points that a helper moves, by the square of their weights.
    fn center(&self, helper: usize, helpers: &[DAffine3]) -> DVec3 {
        let sum = self.moments.of(helper, helper).w_axis;
        helpers[helper].transform_point3(if sum.w > 0.0 { sum.truncate() / sum.w } else { DVec3::ZERO })
    }
}

fn apart(a: Rows, b: Rows) -> Rows {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

fn product(a: &Rows, moments: &DMat4, b: &Rows) -> f64 {
    (0..3).map(|axis| a[axis].dot(*moments * b[axis])).sum()
}

/// Sets the sum of products of two helpers' derivatives. That of a turn ω about the centre is ω × arm.
fn set_block(
    matrix: &mut [f64],
    size: usize,
    (row, column): (usize, usize),
    (a, b): (&Rows, &Rows),
    moments: &DMat4,
) {
    // The sum of a bᵀ. The product of both cross products is the trace of that, less its transpose.
    let of = |i: usize, j: usize| a[i].dot(*moments * b[j]);
    let trace = of(0, 0) + of(1, 1) + of(2, 2);
    let turns =
        [0, 1, 2].map(|i: usize| [0, 1, 2].map(|j: usize| if i == j { trace } else { 0.0 } - of(j, i)));
    let sum = |rows: &Rows, of: DVec4| DVec3::from_array(rows.map(|row| row.dot(of)));
    let (last_row, last_column) = (moments.transpose().w_axis, moments.w_axis);
    let turn_shift = cross(sum(a, last_column));
    let shift_turn = cross(sum(b, last_row)).map(|row| row.map(|number: f64| -number));
    let mass = moments.w_axis.w;
    let shifts = [0, 1, 2].map(|i: usize| [0, 1, 2].map(|j: usize| if i == j { mass } else { 0.0 }));
    for (i, pair) in [[turns, turn_shift], [shift_turn, shifts]].iter().enumerate() {
        for (j, block) in pair.iter().enumerate() {
            for (k, values) in block.iter().enumerate() {
                let start = (row * NUMBERS + 3 * i + k) * size + column * NUMBERS + 3 * j;
                matrix[start..start + 3].copy_from_slice(values);
            }
        }
    }
}

/// The rows of a cross product's matrix: those of `cross(a) * b` are `a × b`.
fn cross(a: DVec3) -> [[f64; 3]; 3] {
    [[0.0, -a.z, a.y], [a.z, 0.0, -a.x], [-a.y, a.x, 0.0]]
}

/// Solves equations with a symmetric positive matrix, whose lower half is given, by Cholesky's method.
pub fn solve(mut matrix: Vec<f64>, mut x: Vec<f64>) -> Option<Vec<f64>> {
    let size = x.len();
    for row in 0..size {
        let (done, rest) = matrix.split_at_mut(row * size);
        let rest = &mut rest[..size];
        for column in 0..row {
            let above = &done[column * size..][..=column];
            let sum: f64 = above[..column].iter().zip(&rest[..column]).map(|(a, b)| a * b).sum();
            rest[column] = (rest[column] - sum) / above[column];
        }
        let sum: f64 = rest[..row].iter().map(|a| a * a).sum();
        let left = rest[row] - sum;
        rest[row] = (left > 0.0).then(|| left.sqrt())?;
        let sum: f64 = rest[..row].iter().zip(&x).map(|(a, b)| a * b).sum();
        x[row] = (x[row] - sum) / rest[row];
    }
    for row in (0..size).rev() {
        x[row] /= matrix[row * size + row];
        let value = x[row];
        for column in 0..row {
            x[column] -= matrix[row * size + column] * value;
        }
    }
    Some(x)
}
