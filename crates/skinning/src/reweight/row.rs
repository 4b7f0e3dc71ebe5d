//! The weights of one vertex in steps of the grid of loaded weights: they sum to one, and weights that nothing changes stay to
//! the bit.

use sinew_model::{Influences, MAX_INFLUENCES};

/// The number of steps from 0 to 1.
const WHOLE: u32 = 1 << 24;

/// The joints that move a vertex, each once, with their shares in steps of 2⁻²⁴; the sum is one.
#[derive(Clone, Debug, Default)]
pub struct Row(Vec<(i32, u32)>);

/// Rows are equal if the joints have the same shares, in any order.
impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|(joint, steps)| other.steps(*joint) == *steps)
    }
}

impl Eq for Row {}

impl Row {
    /// Reads a vertex's weights.
    pub fn of(stored: &Influences, vertex: usize) -> Self {
        let mut row = Self::default();
        for span in 0..stored.spans.len() {
            let (joints, weights) = stored.of_vertex(span, vertex);
            for (joint, weight) in joints.into_iter().zip(weights) {
                // Loaded weights are on the grid, so that this is exact.
                row.add(joint, (f64::from(weight) * f64::from(WHOLE)).round() as u32);
            }
        }
        // Those that no file was loaded for may be off it.
        let sum = row.0.iter().fold(0, |sum: u32, (_, steps)| sum.saturating_add(*steps));
        if sum != WHOLE {
            row.0 = shared(WHOLE, &row.unlocked(&|_| false));
        }
        row
    }

    /// The joints with their weights.
    pub fn weights(&self) -> impl Iterator<Item = (i32, f64)> {
        self.0.iter().map(|&(joint, steps)| (joint, f64::from(steps) / f64::from(WHOLE)))
    }

    /// Returns the weight of a joint; 0 if it does not move the vertex.
    pub fn weight(&self, joint: i32) -> f64 {
        f64::from(self.steps(joint)) / f64::from(WHOLE)
    }

    /// Returns the heaviest joint, the first of several.
    pub fn heaviest(&self) -> Option<i32> {
        self.0.iter().rev().max_by_key(|(_, steps)| *steps).map(|(joint, _)| *joint)
    }

    fn steps(&self, joint: i32) -> u32 {
        self.0.iter().find(|(of, _)| *of == joint).map_or(0, |(_, steps)| *steps)
    }

    fn add(&mut self, joint: i32, steps: u32) {
        match self.0.iter_mut().find(|(of, _)| *of == joint) {
            Some((_, known)) => *known = known.saturating_add(steps),
            None if steps > 0 => self.0.push((joint, steps)),
            None => {}
        }
    }

    /// Renames joints.
    pub fn rename(&mut self, name: impl Fn(i32) -> i32) {
        for (joint, steps) in std::mem::take(&mut self.0) {
            self.add(name(joint), steps);
        }
    }

    /// Gives a joint a weight; the others that are not locked share what is left in the proportions that they had. Returns
    /// false if locked joints leave less, or if there is no other joint to take what is left.
    pub fn set(&mut self, joint: i32, weight: f64, is_locked: &dyn Fn(i32) -> bool) -> bool {
        let (own, free) = (self.steps(joint), self.free(is_locked));
        let asked = (weight.clamp(0.0, 1.0) * f64::from(WHOLE)).round() as u32;
        let others: Vec<(i32, f64)> = self
            .0
            .iter()
            .filter(|(other, _)| *other != joint && !is_locked(*other))
            .map(|&(other, steps)| (other, f64::from(steps)))
            .collect();
        if is_locked(joint) || (others.is_empty() && asked < own) {
            return asked == own;
        }
        let steps = if others.is_empty() { own } else { asked.min(free) };
        self.0.retain(|(other, _)| is_locked(*other));
        let locked = self.0.len();
        self.0.extend(shared(free.saturating_sub(steps), &others));
        self.add(joint, steps);
        self.shorten(MAX_INFLUENCES.max(locked.saturating_add(1)), is_locked);
        self.steps(joint) == asked
    }

    /// Gives a joint a weight, and what is left to others in these proportions. Returns false if locked joints leave less.
    pub fn set_with(
        &mut self,
        joint: i32,
        weight: f64,
        others: &[(i32, f64)],
        is_locked: &dyn Fn(i32) -> bool,
    ) -> bool {
        let left = f64::from(self.free(is_locked)) / f64::from(WHOLE) - weight;
        let others = others.iter().filter(|(other, _)| *other != joint && !is_locked(*other));
        let sum: f64 = others.clone().map(|(_, weight)| weight).sum();
        if left < 0.0 || sum <= 0.0 || is_locked(joint) {
            return false;
        }
        let wanted = others.map(|(other, weight)| (*other, weight / sum * left));
        self.put(&wanted.chain([(joint, weight)]).collect::<Vec<_>>(), is_locked)
    }

    /// Gives the joints that are not locked these proportions. Returns false if none of these is free.
    pub fn put(&mut self, wanted: &[(i32, f64)], is_locked: &dyn Fn(i32) -> bool) -> bool {
        let wanted: Vec<(i32, f64)> =
            wanted.iter().filter(|(joint, weight)| !is_locked(*joint) && *weight > 0.0).copied().collect();
        if wanted.is_empty() {
            return false;
        }
        let free = self.free(is_locked);
        self.0.retain(|(joint, _)| is_locked(*joint));
        for (joint, steps) in shared(free, &wanted) {
            self.add(joint, steps);
        }
        self.shorten(MAX_INFLUENCES, is_locked);
        true
    }

    /// Removes joints below a weight; those that stay share theirs. The heaviest that is not locked stays.
    pub fn prune(&mut self, least: f64, is_locked: &dyn Fn(i32) -> bool) {
        let mut kept = self.unlocked(is_locked);
        let count = kept.iter().filter(|(_, steps)| steps / f64::from(WHOLE) >= least).count();
        kept.truncate(count.max(1));
        self.put(&kept, is_locked);
    }

    /// Removes the lightest joints until so few are left; those that stay share theirs. Returns false if locked joints leave
    /// more.
    pub fn shorten(&mut self, most: usize, is_locked: &dyn Fn(i32) -> bool) -> bool {
        if self.0.len() <= most {
            return true;
        }
        let mut kept = self.unlocked(is_locked);
        let locked = self.0.len().saturating_sub(kept.len());
        kept.truncate(most.saturating_sub(locked).max(1));
        self.put(&kept, is_locked);
        self.0.len() <= most
    }

    /// The joints that are not locked, the heaviest first.
    fn unlocked(&self, is_locked: &dyn Fn(i32) -> bool) -> Vec<(i32, f64)> {
        let free = self.0.iter().filter(|(joint, _)| !is_locked(*joint));
        let mut free: Vec<(i32, f64)> = free.map(|&(joint, steps)| (joint, f64::from(steps))).collect();
        free.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        free
    }

    /// The steps that locked joints leave.
    fn free(&self, is_locked: &dyn Fn(i32) -> bool) -> u32 {
        let locked = self.0.iter().filter(|(joint, _)| is_locked(*joint)).map(|(_, steps)| *steps);
        locked.fold(WHOLE, u32::saturating_sub)
    }
}

/// Divides steps in these proportions; what rounding leaves goes to the first of the heaviest.
fn shared(steps: u32, among: &[(i32, f64)]) -> Vec<(i32, u32)> {
    let sum: f64 = among.iter().map(|(_, weight)| weight).sum();
    let mut left = steps;
    let mut made: Vec<(i32, u32)> = among
        .iter()
        .map(|&(joint, weight)| {
            // Numbers below 2⁵³ have an exact product, so that equal sums change nothing.
            let own = ((f64::from(steps) * weight / sum) as u32).min(left);
            left = left.saturating_sub(own);
            (joint, own)
        })
        .collect();
    let heaviest = made.iter_mut().rev().max_by_key(|(_, steps)| *steps);
    if let Some((_, most)) = heaviest {
        *most = most.saturating_add(left);
    }
    made.retain(|(_, steps)| *steps > 0);
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(shares: &[(i32, u32)]) -> Row {
        Row(shares.to_vec())
    }

    const HALF: u32 = WHOLE / 2;
    const QUARTER: u32 = WHOLE / 4;

    fn sum(row: &Row) -> u32 {
        row.0.iter().map(|(_, steps)| steps).sum()
    }

    #[test]
    fn a_new_weight_leaves_locked_ones_to_the_bit_and_scales_the_rest() {
        let start = row(&[(1, HALF - 7), (2, QUARTER + 7), (3, QUARTER)]);
        let mut made = start.clone();
        assert!(made.set(3, 0.5, &|joint| joint == 1), "room is there");
        assert_eq!((made.steps(1), made.steps(3), sum(&made)), (HALF - 7, HALF, WHOLE));
        assert_eq!(made.steps(2), 7, "the rest");

        let mut made = start.clone();
        assert!(!made.set(3, 0.9, &|joint| joint == 1), "more than the lock leaves");
        assert_eq!(made, row(&[(1, HALF - 7), (3, HALF + 7)]));

        let mut made = start.clone();
        assert!(made.set(1, 0.0, &|_| false));
        assert_eq!((made.steps(1), sum(&made)), (0, WHOLE));
        assert!((made.weight(2) - 0.5).abs() < 1e-6);

        let mut made = start.clone();
        assert!(!made.set(1, 0.2, &|joint| joint == 1), "it is locked");
        assert_eq!(made, start);
    }

    #[test]
    fn a_joint_that_is_alone_keeps_its_weight() {
        let mut made = row(&[(1, WHOLE)]);
        assert!(!made.set(1, 0.3, &|_| false));
        assert!(!made.put(&[(2, 1.0)], &|joint| joint == 2), "the only one wanted is locked");
        assert!(!made.put(&[(2, 0.0)], &|_| false), "nothing is wanted");
        assert_eq!(made, row(&[(1, WHOLE)]));
        assert!(made.set(2, 0.25, &|_| false), "a joint that is new");
        assert_eq!(made, row(&[(1, WHOLE - QUARTER), (2, QUARTER)]));
    }

    #[test]
    fn what_is_put_back_is_equal_to_the_bit() {
        let start = row(&[(4, 9_000_001), (1, 5_000_003), (9, WHOLE - 14_000_004)]);
        let stored: Vec<(i32, f64)> = start.weights().collect();
        let mut made = row(&[(7, WHOLE)]);
        assert!(made.put(&stored, &|_| false));
        assert_eq!(made, start);
        made.prune(0.0, &|_| false);
        assert_eq!((sum(&made), made.steps(4), made.steps(1)), (WHOLE, 9_000_001, 5_000_003));
    }

    #[test]
    fn pruned_and_shortened_rows_keep_their_locks_and_one_more() {
        let start = row(&[(1, 1000), (2, HALF), (3, QUARTER), (4, QUARTER - 1000)]);
        let mut made = start.clone();
        made.prune(0.3, &|joint| joint == 1);
        assert_eq!(made, row(&[(1, 1000), (2, WHOLE - 1000)]));
        let mut made = start.clone();
        made.shorten(1, &|joint| joint == 1 || joint == 3);
        assert_eq!((made.steps(1), made.steps(3), made.0.len(), sum(&made)), (1000, QUARTER, 3, WHOLE));
        let mut made = start;
        made.rename(|joint| if joint == 4 { 3 } else { joint });
        assert_eq!(made, row(&[(1, 1000), (2, HALF), (3, HALF - 1000)]));
        assert_eq!(made.heaviest(), Some(2));
    }
}
