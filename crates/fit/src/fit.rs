//! The loop: helpers are added where the error is, then transforms and weights are improved in turn.

use glam::DAffine3;
use rayon::prelude::*;

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

/// Rounds after each new helper, after the last one in few poses, and in all poses.
const ROUNDS: [usize; 3] = [2, 12, 30];

/// Minimum share by which a round lowers the error; the first round below it is the last.
const MIN_GAIN: f64 = 5e-3;

/// The number of poses in which places of helpers are found.
const FEW_POSES: usize = 16;

/// Minimum share by which a helper at another place lowers the error.
const MIN_EXCHANGE: f64 = 0.01;

/// Helpers in turn that may be of no more use elsewhere before the search ends.
const MAX_FAILURES: usize = 2;

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
    let start = Fit { helpers: Vec::new(), influences };
    let apart = problem.largest(&start);
    let largest = apart.iter().copied().fold(0.0, f64::max);
    let least = LEFT_ALONE * if let Goal::Within(distance) = goal { distance } else { largest };
    let active = problem.points.iter().zip(&apart).map(|(point, apart)| *apart > least && !point.is_fixed);
    let active: Vec<bool> = active.collect();
    // Places of helpers are found in few poses.
    let step = problem.wanted.len() / FEW_POSES;
    let few = (step > 1).then(|| problem.one_in(step));
    let of = |problem| Solver { problem, weights: Weights::new(problem, max_influences, &active) };
    let all = of(problem);
    let few = few.as_ref().map(of);
    let solvers = [few.as_ref().unwrap_or(&all), &all];
    match goal {
        Goal::Helpers(count) => fit_count(solvers, &start, count, &mut progress),
        Goal::Within(distance) => {
            let is_near = |fit: &Fit| problem.largest(fit).iter().all(|apart| *apart <= distance);
            fewest(start, is_near, |start, count| fit_count(solvers, start, count, &mut progress))
        }
    }
}

/// Finds the fit with the fewest helpers that is near enough: twice as many until one is, then by halves. Without one, it is the
/// fit with the most.
fn fewest<E>(
    start: Fit,
    is_near: impl Fn(&Fit) -> bool,
    mut with: impl FnMut(&Fit, usize) -> Result<Fit, E>,
) -> Result<Fit, E> {
    let (mut too_few, mut count, mut best) = (0, 1, start.clone());
    if is_near(&best) {
        return Ok(best);
    }
    let is_enough = loop {
        best = with(&start, count)?;
        let is_enough = is_near(&best);
        if count == MAX_HELPERS || is_enough {
            break is_enough;
        }
        too_few = count;
        count = (2 * count).min(MAX_HELPERS);
    };
    while count - too_few > 1 && is_enough {
        let middle = usize::midpoint(count, too_few);
        let fit = with(&start, middle)?;
        if is_near(&fit) {
            (best, count) = (fit, middle);
        } else {
            too_few = middle;
        }
    }
    Ok(best)
}

/// Fits a number of helpers, first in few poses and then in all.
fn fit_count<E>(
    [few, all]: [&Solver; 2],
    start: &Fit,
    count: usize,
    progress: &mut impl FnMut(usize) -> Result<(), E>,
) -> Result<Fit, E> {
    let problem = all.problem;
    let mut state = State { errors: few.errors(start), fit: start.clone() };
    few.place(&mut state, count, progress)?;
    let moves = Moves::new(few.problem, &state.fit);
    let carry = |pose: usize| moves.carry((few.problem, &state.fit), problem, pose);
    let poses: Vec<Vec<DAffine3>> = (0..problem.wanted.len()).into_par_iter().map(carry).collect();
    let of = |helper: usize| poses.iter().map(|helpers| helpers[helper]).collect();
    state.fit.helpers = (0..state.fit.helpers.len()).map(of).collect();
    all.rounds(&mut state, ROUNDS[2]);
    let mut fit = state.fit;
    // Weights changed last; transforms follow them once more.
    Moves::new(problem, &fit).improve_all(problem, &mut fit, 3);
    Ok(fit)
}

/// A problem, and the weights that may change.
struct Solver<'a> {
    problem: &'a Problem,
    weights: Weights,
}

/// A fit, and the squared error of each point whose weights may change, 0 for the others.
#[derive(Clone)]
struct State {
    fit: Fit,
    errors: Vec<f64>,
}

impl State {
    fn error(&self) -> f64 {
        self.errors.iter().sum()
    }
}

impl Solver<'_> {
    /// Adds helpers until there are so many, or no place needs one.
    fn place<E>(
        &self,
        state: &mut State,
        count: usize,
        progress: &mut impl FnMut(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        while state.fit.helpers.len() < count {
            progress(state.fit.helpers.len())?;
            if !self.add(state) {
                break;
            }
        }
        progress(state.fit.helpers.len())?;
        self.rounds(state, ROUNDS[1]);
        self.exchange(state, progress)
    }

    /// The squared error of each point whose weights may change.
    fn errors(&self, fit: &Fit) -> Vec<f64> {
        let all = self.problem.errors(fit);
        let mut errors = vec![0.0; all.len()];
        self.weights.active().for_each(|index| errors[index] = all[index]);
        errors
    }

    /// Adds a helper where the error is; returns false if there is no place for one.
    fn add(&self, state: &mut State) -> bool {
        let mut errors = state.errors.clone();
        errors.iter_mut().filter(|error| !error.is_finite()).for_each(|error| *error = 0.0);
        let Some(motion) = seed(self.problem, &state.fit, &self.weights, &errors) else { return false };
        let newest = state.fit.helpers.len();
        state.fit.helpers.push(motion);
        state.errors = self.weights.update(self.problem, &mut state.fit, newest);
        self.rounds(state, ROUNDS[0]);
        true
    }

    /// Improves transforms and weights in turn.
    fn rounds(&self, state: &mut State, rounds: usize) {
        for round in 0..rounds {
            let before = state.error();
            Moves::new(self.problem, &state.fit).improve_all(self.problem, &mut state.fit, 3);
            let newest = state.fit.helpers.len();
            state.errors = self.weights.update(self.problem, &mut state.fit, newest);
            if round > 0 && before - state.error() <= MIN_GAIN * before {
                break;
            }
        }
    }

    /// Takes away the helper of least use and adds one elsewhere, as long as that lowers the error.
    fn exchange<E>(
        &self,
        state: &mut State,
        progress: &mut impl FnMut(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut failures = 0;
        for _ in 0..2 * state.fit.helpers.len() {
            progress(state.fit.helpers.len())?;
            let uses = self.weights.uses(self.problem, &state.fit, &state.errors);
            let mut uses: Vec<(usize, f64)> = uses.into_iter().enumerate().collect();
            uses.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            let Some((least, _)) = uses.get(failures) else { break };
            let mut other = state.clone();
            other.fit.remove(self.problem.joint_count(), *least);
            let newest = other.fit.helpers.len();
            other.errors = self.weights.update(self.problem, &mut other.fit, newest);
            self.rounds(&mut other, 1);
            self.add(&mut other);
            if other.error() < (1.0 - MIN_EXCHANGE) * state.error() {
                self.rounds(&mut other, ROUNDS[1]);
                (*state, failures) = (other, 0);
            } else {
                failures += 1;
                if failures == MAX_FAILURES {
                    break;
                }
            }
        }
        Ok(())
    }
}
