//! Compares joints and weights as stored with those in use, to find the changes during loading.

use std::collections::BTreeMap;

use super::changes::{Change, Stored, StoredSlot};
use super::explanation::{Influence, Mover};
use super::place::one;
use sinew_model::gltf::StoredSet;
use sinew_model::{MAX_INFLUENCES, SUM_TOLERANCE};

/// Returns the stored influences, and their changes.
pub fn stored(sets: &[StoredSet], mover: &Mover, used: &[Influence]) -> Stored {
    let of_set = |set: &StoredSet| {
        let slots = set.joints.into_iter().zip(set.weights);
        slots.map(|(joint, weight)| (set.number, joint, f64::from(weight))).collect::<Vec<_>>()
    };
    let all: Vec<(usize, u16, f64)> = sets.iter().flat_map(of_set).collect();
    let weights = all.iter().filter(|(.., weight)| *weight > 0.0 && weight.is_finite());
    let weights: Vec<(u16, f64)> = weights.map(|&(_, joint, weight)| (joint, weight)).collect();
    let changes = match mover {
        Mover::Node if all.is_empty() => Vec::new(),
        Mover::Node => vec![Change::NotUsed],
        Mover::Skin(_) => changes(&all, &weights, used),
    };
    let slot = |&(set, joint, weight): &(usize, u16, f64)| StoredSlot { set, joint, weight: one(weight) };
    Stored {
        slots: all.iter().map(slot).collect(),
        sum: one(weights.iter().map(|(_, weight)| weight).sum()),
        changes,
    }
}

fn changes(all: &[(usize, u16, f64)], weights: &[(u16, f64)], used: &[Influence]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut count = |change: fn(usize) -> Change, is: fn(f64) -> bool| {
        let slots = all.iter().filter(|(.., weight)| is(*weight)).count();
        changes.extend((slots > 0).then(|| change(slots)));
    };
    count(|slots| Change::NotFinite { slots }, |weight| !weight.is_finite());
    count(|slots| Change::Negative { slots }, |weight| weight < 0.0 && weight.is_finite());
    if weights.is_empty() {
        let joint = used.first().and_then(|influence| influence.joint);
        changes.extend(joint.map(|joint| Change::NoWeight { joint }));
        return changes;
    }
    let mut sorted: Vec<f64> = weights.iter().map(|(_, weight)| *weight).collect();
    if !sorted.is_sorted_by(|a, b| a >= b) {
        changes.push(Change::Sorted);
        sorted.sort_by(|a, b| b.total_cmp(a));
    }
    let sum: f64 = sorted.iter().sum();
    let beyond = sorted.len().saturating_sub(MAX_INFLUENCES);
    if beyond > 0 {
        let lost: f64 = sorted.iter().skip(MAX_INFLUENCES).sum();
        changes.push(Change::Dropped { slots: beyond, share: one(lost / sum) });
    }
    let too_small = sorted.len().min(MAX_INFLUENCES).saturating_sub(used.len());
    changes.extend((too_small > 0).then_some(Change::TooSmall { slots: too_small }));
    if (sum - 1.0).abs() > SUM_TOLERANCE * weights.len() as f64 {
        changes.push(Change::Rescaled { sum: one(sum) });
    }
    let mut times: BTreeMap<u16, usize> = BTreeMap::new();
    for (joint, _) in weights {
        let named = times.entry(*joint).or_default();
        *named = named.saturating_add(1);
    }
    let repeated = times.into_iter().filter(|(_, times)| *times > 1);
    changes.extend(repeated.map(|(joint, times)| Change::Repeated { joint, times }));
    changes
}
