//! Keeps the bits of a file's weights in a model that is to be written: loading rounds them, so that a written file would have
//! other bits even where nothing changed.

use super::{GRID, Influence, MAX_INFLUENCES, PER_SPAN, SUM_TOLERANCE, empty_spans, to_grid};
use crate::mesh::Influences;

/// The number of sums that are tried: one, and those around it in half steps of the grid.
const SUMS: u32 = 65;

/// A weight that a file is to have.
#[derive(Clone, Copy, Debug)]
struct Written {
    joint: i32,
    /// The loaded weight in steps of the grid.
    parts: u32,
    /// The weight in the file.
    weight: f32,
    /// True for a weight of the original file.
    is_kept: bool,
}

impl Influences {
    /// Gives weights that are equal to those of `loaded` the bits of `stored`, from which these were loaded. A file with the
    /// result has the same weights when it is loaded. Where that needs other bits, only locked joints keep them. Returns the
    /// number of vertices for which no such bits were found: they stay as they are.
    pub fn keep_stored(&mut self, loaded: &Self, stored: &Self, is_locked: &dyn Fn(i32) -> bool) -> usize {
        let count = |of: &Self| of.spans.iter().map(|span| span.joints.len().min(span.weights.len())).min();
        let vertices = count(self).unwrap_or(0);
        if count(loaded) != Some(vertices) || count(stored) != Some(vertices) {
            return vertices;
        }
        let mut left_out: usize = 0;
        let mut spans = empty_spans(self.spans.len(), vertices);
        for vertex in 0..vertices {
            let row = self.row(vertex);
            let (loaded, stored) = (loaded.row(vertex), stored.row(vertex));
            let made =
                kept(&row, &loaded, &stored, &|_| true).or_else(|| kept(&row, &loaded, &stored, is_locked));
            left_out = left_out.saturating_add(usize::from(made.is_none()));
            let made = made.unwrap_or(row);
            let last = made.last().map_or(0, |(joint, _)| *joint);
            for (number, span) in spans.iter_mut().enumerate() {
                for slot in 0..PER_SPAN {
                    let found = made.get(number.saturating_mul(PER_SPAN).saturating_add(slot));
                    let (joint, weight) = found.copied().unwrap_or((last, 0.0));
                    if let Some(of) = span.joints.get_mut(vertex).and_then(|joints| joints.get_mut(slot)) {
                        *of = joint;
                    }
                    if let Some(of) = span.weights.get_mut(vertex).and_then(|weights| weights.get_mut(slot)) {
                        *of = weight;
                    }
                }
            }
        }
        self.spans = spans;
        left_out
    }

    /// The joints of a vertex with their weights above zero.
    fn row(&self, vertex: usize) -> Vec<(i32, f32)> {
        let slots = (0..self.spans.len()).flat_map(|span| {
            let (joints, weights) = self.of_vertex(span, vertex);
            joints.into_iter().zip(weights)
        });
        slots.filter(|(_, weight)| *weight > 0.0).collect()
    }
}

/// The steps of a loaded weight.
fn steps(weight: f32) -> u32 {
    (f64::from(weight) * f64::from(GRID)).round() as u32
}

/// Finds weights of a vertex with the bits of the stored ones where they are equal to the loaded ones and may be kept.
fn kept(
    row: &[(i32, f32)],
    loaded: &[(i32, f32)],
    stored: &[(i32, f32)],
    may_keep: &dyn Fn(i32) -> bool,
) -> Option<Vec<(i32, f32)>> {
    // Loading repairs sums, and joints that are named twice become one.
    let sum: f64 = stored.iter().map(|(_, weight)| f64::from(*weight)).sum();
    let tolerance = |count: usize| SUM_TOLERANCE * count as f64;
    let is_whole = (sum - 1.0).abs() <= tolerance(stored.len()) && stored.len() <= MAX_INFLUENCES;
    let is_repeated = stored
        .iter()
        .enumerate()
        .any(|(at, (joint, _))| stored.iter().take(at).any(|(earlier, _)| earlier == joint));
    if !is_whole || is_repeated {
        return None;
    }
    let of = |joint: i32, weights: &[(i32, f32)]| {
        weights.iter().find(|(other, _)| *other == joint).map(|(_, weight)| *weight)
    };
    let written = |&(joint, weight): &(i32, f32)| {
        let old = of(joint, stored).filter(|_| may_keep(joint) && of(joint, loaded) == Some(weight));
        Written { joint, parts: steps(weight), weight: old.unwrap_or(weight), is_kept: old.is_some() }
    };
    let all: Vec<Written> = row.iter().map(written).collect();
    for number in 0..SUMS {
        let off = f64::from(number.div_ceil(2)) * if number % 2 == 0 { 0.5 } else { -0.5 };
        for rounded_up in 0..=all.len() {
            let made = with_sum(&all, 1.0 + off / f64::from(GRID), rounded_up);
            if let Some(made) = made.filter(|made| is_read_alike(made, tolerance(made.len()))) {
                return Some(made.iter().map(|one| (one.joint, one.weight)).collect());
            }
        }
    }
    None
}

/// Chooses the weights that are not kept, so that loading divides by this sum and then rounds up this number of weights, the
/// heaviest; `None` if the kept ones are then rounded to others than wanted. The weights are sorted as loading sorts them.
fn with_sum(all: &[Written], sum: f64, rounded_up: usize) -> Option<Vec<Written>> {
    let floor = |at: usize, one: &Written| f64::from(one.parts) - f64::from(u8::from(at < rounded_up));
    let free = all.iter().filter(|one| !one.is_kept).count();
    // Parts of steps that loading distributes again.
    let mut left = rounded_up as f64;
    for (at, one) in all.iter().enumerate().filter(|(_, one)| one.is_kept) {
        let over = f64::from(one.weight) / sum * f64::from(GRID) - floor(at, one);
        if !(0.0..1.0).contains(&over) && free > 0 {
            return None;
        }
        left -= over;
    }
    let share = left / free.max(1) as f64;
    if !(0.0..1.0).contains(&share) && free > 0 {
        return None;
    }
    let weighed = |(at, one): (usize, &Written)| match one.is_kept {
        true => *one,
        false => Written { weight: ((floor(at, one) + share) * sum / f64::from(GRID)) as f32, ..*one },
    };
    let mut made: Vec<Written> = all.iter().enumerate().map(weighed).collect();
    made.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    made.iter().all(|one| one.weight > 0.0).then_some(made)
}

/// Returns true if loading gives these weights the wanted steps, without a warning.
fn is_read_alike(made: &[Written], tolerance: f64) -> bool {
    let influences: Vec<Influence> =
        made.iter().map(|one| Influence { joint: one.joint, weight: f64::from(one.weight) }).collect();
    let sum: f64 = influences.iter().map(|influence| influence.weight).sum();
    let grid = to_grid(&influences);
    (sum - 1.0).abs() <= tolerance && grid.iter().zip(made).all(|(parts, one)| *parts == one.parts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::influences::{RawSet, prepare};
    use crate::mesh::Span;

    /// One vertex as stored in a file.
    fn stored(row: &[(i32, f32)]) -> Influences {
        let spans = row.chunks(PER_SPAN).map(|four| {
            let at = |slot: usize| four.get(slot).copied().unwrap_or((0, 0.0));
            Span {
                joints: vec![[0, 1, 2, 3].map(|slot| at(slot).0)],
                weights: vec![[0, 1, 2, 3].map(|slot| at(slot).1)],
            }
        });
        Influences { spans: spans.collect() }
    }

    fn load(stored: &Influences) -> Influences {
        let set = |span: &Span| RawSet {
            joints: span.joints.iter().map(|joints| joints.map(|joint| joint as u16)).collect(),
            weights: span.weights.clone(),
        };
        prepare(&stored.spans.iter().map(set).collect::<Vec<_>>(), 100).unwrap().influences
    }

    fn sorted(of: &Influences) -> Vec<(i32, u32)> {
        let mut row: Vec<(i32, u32)> =
            of.row(0).iter().map(|(joint, weight)| (*joint, weight.to_bits())).collect();
        row.sort_unstable();
        row
    }

    fn bits(of: &Influences, joint: i32) -> Option<u32> {
        of.row(0).iter().find(|(other, _)| *other == joint).map(|(_, weight)| weight.to_bits())
    }

    #[test]
    fn fractions_of_bytes_stay_beside_edited_weights() {
        let byte = |k: u8| f32::from(k) / 255.0;
        let old = stored(&[(5, byte(51)), (6, byte(160)), (7, byte(44))]);
        let loaded = load(&old);
        assert_ne!(bits(&loaded, 5), bits(&old, 5), "loading rounds it");
        // Joint 6 gives half of its weight to joint 8; joint 5 has its steps.
        let own =
            loaded.row(0).iter().map(|(joint, weight)| (*joint, f64::from(*weight))).collect::<Vec<_>>();
        let all = own.iter().find(|(joint, _)| *joint == 6).unwrap().1;
        let half = (0.5 * all * f64::from(GRID)).floor() / f64::from(GRID);
        let others =
            own.into_iter().filter(|(joint, _)| *joint != 6).chain([(6, half), (8, all - half)]).collect();
        let edited = Influences::from_rows([others].into_iter());
        let mut written = edited.clone();
        assert_eq!(written.keep_stored(&loaded, &old, &|joint| joint == 1), 0);
        for joint in [5, 7] {
            assert_eq!(bits(&written, joint), bits(&old, joint), "{joint}");
        }
        assert_eq!(sorted(&load(&written)), sorted(&edited));
        // Nothing changed: every bit stays.
        let mut same = loaded.clone();
        assert_eq!(same.keep_stored(&loaded, &old, &|joint| joint == 1), 0);
        assert_eq!(sorted(&same), sorted(&old));
        // A sum that loading repairs has no bits to keep.
        let broken = stored(&[(5, 0.5), (6, 0.1)]);
        let mut repaired = load(&broken);
        assert_eq!(repaired.keep_stored(&load(&broken), &broken, &|_| true), 1);
        assert_eq!(repaired, load(&broken));
    }

    proptest! {
        #[test]
        fn written_weights_are_loaded_alike(
            bytes in prop::collection::vec(1_u32..4000, 2..9), divisor in prop_oneof![Just(255.0), Just(65535.0), Just(0.0)],
            taken in 0_usize..8, share in 0.0..1.0_f64
        ) {
            let sum: u32 = bytes.iter().sum();
            let mut row: Vec<(i32, f32)> = (0..).zip(&bytes).map(|(joint, byte)| {
                let weight = f64::from(*byte) / f64::from(sum);
                (joint, if divisor > 0.0 { ((weight * divisor).round() / divisor) as f32 } else { weight as f32 })
            }).filter(|(_, weight)| *weight > 0.0).collect();
            let rest: f64 = row.iter().skip(1).map(|(_, weight)| f64::from(*weight)).sum();
            row[0].1 = (1.0 - rest) as f32;
            prop_assume!(row[0].1 > 0.0);
            let old = stored(&row);
            let loaded = load(&old);
            // One joint gives a share to a new one.
            let mut edited: Vec<(i32, f64)> = loaded.row(0).iter().map(|(joint, weight)| (*joint, f64::from(*weight))).collect();
            let at = taken % edited.len();
            let given = (edited[at].1 * share * f64::from(GRID)).floor() / f64::from(GRID);
            edited[at].1 -= given;
            edited.push((50, given));
            let edited = Influences::from_rows([edited].into_iter());
            let mut written = edited.clone();
            let left_out = written.keep_stored(&loaded, &old, &|joint| joint == 1);
            prop_assert_eq!(sorted(&load(&written)), sorted(&edited));
            prop_assert_eq!(left_out, 0);
            if bits(&loaded, 1) == bits(&edited, 1) && bits(&edited, 1).is_some() {
                prop_assert_eq!(bits(&written, 1), bits(&old, 1), "it is locked");
            }
        }
    }
}
