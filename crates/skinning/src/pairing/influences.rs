//! The weights of a vertex as a short list sorted by joint, and the distance between two such lists.

use sinew_model::Influences;

/// A joint's share of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Influence {
    /// The joint's index in the skin; [`NO_JOINT`] for "no joint".
    pub joint: u32,
    /// Above 0.
    pub weight: f64,
}

/// The index for "no joint" and for joints that the skin lacks.
pub const NO_JOINT: u32 = u32::MAX;

/// Lists the weights of a vertex above 0, sorted by joint, each joint once.
pub fn influences_of(stored: &Influences, vertex: usize, joints: usize, out: &mut Vec<Influence>) {
    out.clear();
    if stored.spans.is_empty() {
        out.push(Influence { joint: if joints > 0 { 0 } else { NO_JOINT }, weight: 1.0 });
    }
    for span in 0..stored.spans.len() {
        let (numbers, weights) = stored.of_vertex(span, vertex);
        for (number, weight) in numbers.into_iter().zip(weights).map(|(n, w)| (n, f64::from(w))) {
            if weight > 0.0 && weight.is_finite() {
                let joint = u32::try_from(number).ok().filter(|joint| (*joint as usize) < joints);
                out.push(Influence { joint: joint.unwrap_or(NO_JOINT), weight });
            }
        }
    }
    merge(out);
}

/// Computes the mean of some vertices' weights.
pub fn mean<'a>(rows: impl Iterator<Item = &'a [Influence]>, out: &mut Vec<Influence>) {
    out.clear();
    let mut count = 0_u32;
    for row in rows {
        out.extend_from_slice(row);
        count = count.saturating_add(1);
    }
    merge(out);
    for influence in out {
        influence.weight /= f64::from(count.max(1));
    }
}

/// Sorts by joint and adds up the weights of each joint.
pub fn merge(influences: &mut Vec<Influence>) {
    // A stable sort makes the sums independent of the sort.
    influences.sort_by_key(|influence| influence.joint);
    influences.dedup_by(|next, kept| {
        let is_same = next.joint == kept.joint;
        if is_same {
            kept.weight += next.weight;
        }
        is_same
    });
}

/// Returns a joint's weight in a list; 0 if it has none.
pub fn weight_of(row: &[Influence], joint: u32) -> f64 {
    let found = row.binary_search_by_key(&joint, |influence| influence.joint);
    found.ok().and_then(|at| row.get(at)).map_or(0.0, |influence| influence.weight)
}

/// Calls `each` with every joint of two lists, and its weight in both.
pub fn pairs(a: &[Influence], b: &[Influence], mut each: impl FnMut(u32, f64, f64)) {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let joint = match (a.peek(), b.peek()) {
            (Some(a), Some(b)) => a.joint.min(b.joint),
            (Some(only), None) | (None, Some(only)) => only.joint,
            (None, None) => return,
        };
        let of_joint = |influence: &&Influence| influence.joint == joint;
        let weight = |found: Option<&Influence>| found.map_or(0.0, |found| found.weight);
        let (in_a, in_b) = (a.next_if(of_joint), b.next_if(of_joint));
        each(joint, weight(in_a), weight(in_b));
    }
}

/// Returns the sum of |Δw| over all joints: 0 if equal, 2 if no joint is shared.
pub fn distance(a: &[Influence], b: &[Influence]) -> f64 {
    let mut sum = 0.0;
    pairs(a, b, |_, a, b| sum += (a - b).abs());
    sum
}

/// Returns the sum of (Δw)² over all joints.
pub fn squared_distance(a: &[Influence], b: &[Influence]) -> f64 {
    let mut sum = 0.0;
    pairs(a, b, |_, a, b| sum += (a - b) * (a - b));
    sum
}
