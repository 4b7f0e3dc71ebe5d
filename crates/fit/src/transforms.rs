//! Transforms of all helpers in one pose, by Gauss and Newton's method.

use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A point that helpers move, in one pose.
pub struct Pulled<'a> {
    /// Its place in the bind pose.
    pub at: DVec3,
    /// Its distance from the wanted place, without the helpers' part.
    pub left: DVec3,
    /// Its helpers and their weights.
    pub helpers: &'a [(u32, f64)],
}

/// The numbers of one helper's small motion: a turn and a shift.
const NUMBERS: usize = 6;

/// Moves helpers towards the transforms that move points nearest to their wanted places, in a few steps. Each stays close to
/// its `home` where points do not say otherwise.
pub fn refine(helpers: &mut [DAffine3], homes: &[DAffine3], points: &[Pulled], steps: usize) {
    let mut damping = 1e-9;
    let mut before = cost(helpers, homes, points);
    for _ in 0..steps {
        let Some(moved) = step(helpers, homes, points, damping) else {
            damping *= 100.0;
            continue;
        };
        let after = cost(&moved, homes, points);
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

/// The pull of a helper to its home, as a share of the pull of its points.
const HOME: f64 = 1e-7;

fn cost(helpers: &[DAffine3], homes: &[DAffine3], points: &[Pulled]) -> f64 {
    let of = |point: &Pulled| (point.left - moved(point, helpers)).length_squared();
    let all: f64 = points.iter().map(of).sum();
    let mut pull = 0.0;
    for point in points {
        for (helper, weight) in point.helpers {
            let helper = *helper as usize;
            let apart = helpers[helper].transform_point3(point.at) - homes[helper].transform_point3(point.at);
            pull += weight * weight * apart.length_squared();
        }
    }
    all + HOME * pull
}

fn moved(point: &Pulled, helpers: &[DAffine3]) -> DVec3 {
    let of = |(helper, weight): &(u32, f64)| helpers[*helper as usize].transform_point3(point.at) * *weight;
    point.helpers.iter().map(of).sum()
}

/// Returns the helpers after one step; `None` if the equations have no solution.
fn step(helpers: &[DAffine3], homes: &[DAffine3], points: &[Pulled], damping: f64) -> Option<Vec<DAffine3>> {
    let size = helpers.len() * NUMBERS;
    let (mut matrix, mut right) = (vec![0.0; size * size], vec![0.0; size]);
    let centers = centers(helpers, points);
    for point in points {
        let left = point.left - moved(point, helpers);
        let arms: Vec<(usize, f64, DVec3)> = point
            .helpers
            .iter()
            .map(|(helper, weight)| {
                let helper = *helper as usize;
                (helper, *weight, helpers[helper].transform_point3(point.at) - centers[helper])
            })
            .collect();
        for (helper, weight, arm) in &arms {
            let start = helper * NUMBERS;
            let home = homes[*helper].transform_point3(point.at) - (*arm + centers[*helper]);
            let pull = left * *weight + home * (HOME * weight * weight);
            add(&mut right[start..], arm.cross(pull), pull);
            for (other, other_weight, other_arm) in &arms {
                if other <= helper {
                    let both = weight * other_weight;
                    let own = if other == helper { HOME * both } else { 0.0 };
                    add_block(&mut matrix, size, (start, other * NUMBERS), (*arm, *other_arm), both + own);
                }
            }
        }
    }
    for index in 0..size {
        let diagonal = &mut matrix[index * size + index];
        *diagonal += damping * *diagonal + f64::MIN_POSITIVE;
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

/// The centre of the points that each helper moves, by the square of their weights.
fn centers(helpers: &[DAffine3], points: &[Pulled]) -> Vec<DVec3> {
    let mut sums = vec![(DVec3::ZERO, 0.0); helpers.len()];
    for point in points {
        for (helper, weight) in point.helpers {
            let (sum, weights) = &mut sums[*helper as usize];
            *sum += point.at * (weight * weight);
            *weights += weight * weight;
        }
    }
    let center = |(helper, (sum, weights)): (&DAffine3, (DVec3, f64))| {
        helper.transform_point3(if weights > 0.0 { sum / weights } else { DVec3::ZERO })
    };
    helpers.iter().zip(sums).map(center).collect()
}

fn add(to: &mut [f64], turn: DVec3, shift: DVec3) {
    for (to, value) in to.iter_mut().zip(turn.to_array().into_iter().chain(shift.to_array())) {
        *to += value;
    }
}

/// Adds the product of the derivatives of two helpers' motion. That of a turn ω about the centre is ω × arm.
fn add_block(
    matrix: &mut [f64],
    size: usize,
    (row, column): (usize, usize),
    (a, b): (DVec3, DVec3),
    factor: f64,
) {
    let (cross_a, cross_b) = (cross(a), cross(b));
    // ω × a = −[a] ω, so both signs cancel in the product of two turns.
    let turns = cross_a.transpose() * cross_b;
    let blocks = [[turns, -cross_a.transpose()], [-cross_b, DMat3::IDENTITY]];
    for (i, pair) in blocks.iter().enumerate() {
        for (j, block) in pair.iter().enumerate() {
            for (k, values) in block.transpose().to_cols_array_2d().iter().enumerate() {
                let start = (row + 3 * i + k) * size + column + 3 * j;
                for (to, value) in matrix[start..].iter_mut().zip(values) {
                    *to += factor * value;
                }
            }
        }
    }
}

/// The matrix of a cross product: `cross(a) * b` is `a × b`.
fn cross(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}

/// Solves equations with a symmetric positive matrix, whose lower half is given, by Cholesky's method.
fn solve(mut matrix: Vec<f64>, mut x: Vec<f64>) -> Option<Vec<f64>> {
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
