//! The loop: helpers are added where the error is, then transforms and weights are improved in turn.

use crate::helpers::Moves;
use crate::problem::{Fit, Problem};
use crate::seed::seed;
use crate::weights::Weights;

/// The end of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// This number of helpers.
    Helpers(usize),
    /// As few helpers as keep every point within this distance in all poses, in the unit of the points.
    Within(f64),
}

/// Maximum number of helpers.
pub const MAX_HELPERS: usize = 64;

/// Rounds after each new helper, and after the last one.
const ROUNDS: [usize; 2] = [3, 20];

/// Minimum share by which a round lowers the error; the first round below it is the last.
const MIN_GAIN: f64 = 2e-3;

/// The multiple of a distance to keep below which more work is done before the next helper.
const NEAR: f64 = 3.0;

/// Minimum share by which a helper at another place lowers the error.
const MIN_EXCHANGE: f64 = 0.01;

/// Helpers in turn that may be of no more use elsewhere before the search ends.
const FAILURES: usize = 3;

/// The share of the largest distance, or of the wanted one, below which a point keeps its weights.
const LEFT_ALONE: f64 = 0.02;

/// Fits helpers. `progress` gets the number of helpers so far; an error from it ends the fit.
///
/// # Errors
/// Errors of `progress`.
pub fn fit<E>(
    problem: &Problem,
    goal: Goal,
    max_influences: usize,
    mut progress: impl FnMut(usize) -> Result<(), E>,
) -> Result<Fit, E> {
    let influences = problem.points.iter().map(|point| point.influences.clone()).collect();
    let mut fit = Fit { helpers: Vec::new(), influences };
    let apart = problem.largest(&fit);
    let largest = apart.iter().copied().fold(0.0, f64::max);
    let (most, within) = match goal {
        Goal::Helpers(count) => (count, 0.0),
        Goal::Within(distance) => (MAX_HELPERS, distance),
    };
    let least = LEFT_ALONE * if within > 0.0 { within } else { largest };
    let active = problem.points.iter().zip(&apart).map(|(point, apart)| *apart > least && !point.is_fixed);
    let active = active.collect();
    let weights = Weights::new(problem, max_influences, active);
    let solver = Solver { problem, weights, within };
    let reached = |fit: &Fit| problem.largest(fit).iter().all(|apart| *apart <= within);
    let [_, many] = ROUNDS;
    while fit.helpers.len() < most && !(within > 0.0 && reached(&fit)) {
        progress(fit.helpers.len())?;
        if !solver.add(&mut fit) {
            break;
        }
        let largest = problem.largest(&fit).into_iter().fold(0.0, f64::max);
        // More rounds, or other places, may save a helper.
        if within > 0.0 && largest < NEAR * within && !reached(&fit) {
            solver.improve(&mut fit, many);
            if !reached(&fit) {
                solver.exchange(&mut fit, &mut progress)?;
            }
        }
    }
    progress(fit.helpers.len())?;
    solver.improve(&mut fit, many);
    if within == 0.0 {
        solver.exchange(&mut fit, &mut progress)?;
    }
    // Weights changed last; transforms follow them once more.
    Moves::new(problem, &fit).improve_all(problem, &mut fit, 3);
    Ok(fit)
}

/// A problem, and the weights that may change.
struct Solver<'a> {
    problem: &'a Problem,
    weights: Weights,
    /// The distance to keep; 0 for none.
    within: f64,
}

impl Solver<'_> {
    /// Adds a helper where the error is; returns false if there is no place for one.
    fn add(&self, fit: &mut Fit) -> bool {
        let mut errors = self.problem.errors(fit);
        let apart = self.problem.largest(fit);
        for ((error, active), apart) in errors.iter_mut().zip(&self.weights.active).zip(apart) {
            // With a distance to keep, only points beyond it need a helper.
            if !active || !error.is_finite() || apart <= self.within {
                *error = 0.0;
            }
        }
        let Some(motion) = seed(self.problem, fit, &self.weights, &errors) else { return false };
        let newest = fit.helpers.len();
        fit.helpers.push(motion);
        self.weights.update(self.problem, fit, newest);
        self.rounds(fit, newest, ROUNDS[0]);
        true
    }

    /// Improves transforms and weights in turn.
    fn improve(&self, fit: &mut Fit, rounds: usize) {
        let newest = fit.helpers.len();
        self.rounds(fit, newest, rounds);
    }

    fn rounds(&self, fit: &mut Fit, newest: usize, rounds: usize) {
        let mut before = f64::INFINITY;
        for _ in 0..rounds {
            Moves::new(self.problem, fit).improve_all(self.problem, fit, 3);
            self.weights.update(self.problem, fit, newest);
            let error = self.error(fit);
            if before - error <= MIN_GAIN * error {
                break;
            }
            before = error;
        }
    }

    fn error(&self, fit: &Fit) -> f64 {
        self.problem.errors(fit).iter().sum()
    }

    /// Takes away the helper of least use and adds one elsewhere, as long as that lowers the error.
    fn exchange<E>(&self, fit: &mut Fit, progress: &mut impl FnMut(usize) -> Result<(), E>) -> Result<(), E> {
        let (mut error, mut failures) = (self.error(fit), 0);
        for _ in 0..2 * fit.helpers.len() {
            progress(fit.helpers.len())?;
            let mut uses: Vec<(usize, f64)> =
                self.weights.uses(self.problem, fit).into_iter().enumerate().collect();
            uses.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            let Some((least, _)) = uses.get(failures) else { break };
            let mut other = fit.clone();
            other.remove(self.problem.joint_count(), *least);
            self.weights.update(self.problem, &mut other, usize::MAX);
            self.improve(&mut other, 1);
            self.add(&mut other);
            let after = self.error(&other);
            if after < (1.0 - MIN_EXCHANGE) * error {
                self.improve(&mut other, ROUNDS[1]);
                (error, failures) = (self.error(&other), 0);
                *fit = other;
            } else {
                failures += 1;
                if failures == FAILURES {
                    break;
                }
            }
        }
        Ok(())
    }
}
