//! Finds the worst values: the worst for each mode and metric, and a list of problems in which each clip, mode, metric and
//! place appears once.

use std::collections::HashMap;

use super::location::Key;
use crate::metric::{At, Metric, is_problem};

/// The maximum number of listed problems.
const MAX_LISTED: usize = 12;

/// A value of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The index of the mode.
    pub mode: usize,
    /// The metric.
    pub metric: Metric,
    /// The value.
    pub value: f64,
    /// The score.
    pub score: Option<f64>,
    /// The index of the clip.
    pub clip: usize,
    /// The time in seconds.
    pub time: f64,
    /// The place.
    pub at: At,
}

impl Candidate {
    fn is_worse_than(&self, other: &Self) -> bool {
        self.metric.deviation(self.value) > self.metric.deviation(other.value)
    }
}

/// The worst values so far.
#[derive(Default)]
pub struct Ranking {
    /// The worst of each mode and metric.
    worst: HashMap<(usize, Metric), Candidate>,
    /// The problems of the current clip.
    of_clip: HashMap<(usize, Metric, Key), Candidate>,
    /// The worst problems of the previous clips, for each mode.
    listed: Vec<Vec<Candidate>>,
    /// The number of problems of each mode.
    counts: Vec<usize>,
}

impl Ranking {
    /// Adds a value. `key` is called only for problems.
    pub fn add(&mut self, found: Candidate, key: impl FnOnce(At) -> Key) {
        let worst = self.worst.entry((found.mode, found.metric)).or_insert(found);
        if found.is_worse_than(worst) {
            *worst = found;
        }
        if is_problem(found.score) {
            let worst = self.of_clip.entry((found.mode, found.metric, key(found.at))).or_insert(found);
            if found.is_worse_than(worst) {
                *worst = found;
            }
        }
    }

    /// Ends a clip and keeps the worst of its problems.
    pub fn end_clip(&mut self) {
        for (_, found) in self.of_clip.drain() {
            if self.listed.len() <= found.mode {
                self.listed.resize(found.mode + 1, Vec::new());
                self.counts.resize(found.mode + 1, 0);
            }
            self.counts[found.mode] += 1;
            self.listed[found.mode].push(found);
        }
        for listed in &mut self.listed {
            sort(listed);
            listed.truncate(MAX_LISTED);
        }
    }

    /// Returns the worst value of a mode in a metric.
    pub fn worst(&self, mode: usize, metric: Metric) -> Option<&Candidate> {
        self.worst.get(&(mode, metric))
    }

    /// Returns the number of problems of a mode.
    pub fn problems(&self, mode: usize) -> usize {
        self.counts.get(mode).copied().unwrap_or_default()
    }

    /// Returns the worst problems of some modes, worst first. Each mode has the same share of the list, so that one bad mode
    /// does not hide the others; unused shares go to the worst of all.
    pub fn list(&self, modes: &[usize]) -> Vec<Candidate> {
        let share = MAX_LISTED / modes.len().max(1);
        let listed = || modes.iter().filter_map(|mode| self.listed.get(*mode));
        let mut list: Vec<Candidate> = listed().flat_map(|mode| mode.iter().take(share)).copied().collect();
        let mut rest: Vec<Candidate> = listed().flat_map(|mode| mode.iter().skip(share)).copied().collect();
        sort(&mut rest);
        list.extend(rest.into_iter().take(MAX_LISTED.saturating_sub(list.len())));
        sort(&mut list);
        list
    }
}

/// Sorts worst first. Equal scores are in the order of clips, times, modes and metrics.
fn sort(list: &mut [Candidate]) {
    list.sort_by(|a, b| {
        let [x, y] = [a, b].map(|found| found.score.unwrap_or_default());
        y.total_cmp(&x)
            .then(a.clip.cmp(&b.clip))
            .then(a.time.total_cmp(&b.time))
            .then((a.mode, a.metric).cmp(&(b.mode, b.metric)))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_listed_once_and_each_mode_has_its_share() {
        let mut ranking = Ranking::default();
        let mut add = |mode: usize, clip: usize, part: usize, value: f64| {
            let (metric, at) = (Metric::VolumeLargest, At::Part(part));
            let score = Some((value - 1.0) * 10.0);
            let found = Candidate { mode, metric, value, score, clip, time: value, at };
            ranking.add(found, |_| Key::Part(part));
        };
        for frame in 0..5 {
            (0..20).for_each(|part| add(0, 0, part, 9.0 + f64::from(frame) + part as f64));
        }
        add(1, 0, 0, 1.3);
        add(1, 0, 0, 1.2);
        add(1, 0, 1, 1.05);
        ranking.end_clip();
        assert!(ranking.list(&[1, 2]).iter().all(|found| found.mode == 1));
        let list = ranking.list(&[0, 1, 2]);
        assert_eq!(
            (list.len(), ranking.problems(0), ranking.problems(1), ranking.problems(2)),
            (12, 20, 1, 0)
        );
        assert_eq!((list[0].value, list[10].value, list[11].mode, list[11].value), (32.0, 22.0, 1, 1.3));
        assert_eq!(ranking.worst(1, Metric::VolumeLargest).unwrap().value, 1.3);
    }
}
