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
    let improve = |fit: &mut Fit, newest: usize, rounds: usize| {
        let mut before = f64::INFINITY;
        for _ in 0..rounds {
            Moves::new(problem, fit).improve_all(problem, fit, 3);
            weights.update(problem, fit, newest);
            let error: f64 = problem.errors(fit).iter().sum();
            if before - error <= MIN_GAIN * error {
                break;
            }
            before = error;
        }
    };
    let reached = |fit: &Fit| problem.largest(fit).iter().all(|apart| *apart <= within);
    let [few, many] = ROUNDS;
    while fit.helpers.len() < most && !(within > 0.0 && reached(&fit)) {
        progress(fit.helpers.len())?;
        let mut errors = problem.errors(&fit);
        let apart = problem.largest(&fit);
        for ((error, active), apart) in errors.iter_mut().zip(&weights.active).zip(apart) {
            // With a distance to keep, only points beyond it need a helper.
            if !active || !error.is_finite() || apart <= within {
                *error = 0.0;
            }
        }
        let Some(motion) = seed(problem, &fit, &weights, &errors) else { break };
        let newest = fit.helpers.len();
        fit.helpers.push(motion);
        weights.update(problem, &mut fit, newest);
        improve(&mut fit, newest, few);
        let largest = problem.largest(&fit).into_iter().fold(0.0, f64::max);
        // More rounds may save a helper.
        if within > 0.0 && largest < 1.5 * within {
            let newest = fit.helpers.len();
            improve(&mut fit, newest, many);
        }
    }
    progress(fit.helpers.len())?;
    let newest = fit.helpers.len();
    improve(&mut fit, newest, many);
    // Weights changed last; transforms follow them once more.
    Moves::new(problem, &fit).improve_all(problem, &mut fit, 3);
    Ok(fit)
}
