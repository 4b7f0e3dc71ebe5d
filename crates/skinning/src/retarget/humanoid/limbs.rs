//! Branches of a skeleton that look alike, such as two legs, and which of their joints are knee, ankle, elbow and wrist.

use super::skeleton::Skeleton;
use glam::DVec3;
use sinew_model::Side;

/// The maximum number of joints from the root of a limb to the tip of its longest finger.
const MAX_CHAIN: usize = 24;

/// The maximum number of branches of one joint that are compared, the longest ones.
const MAX_BRANCHES: usize = 12;

/// The maximum difference of two limbs, as a share of their length.
const ALIKE: f64 = 0.12;

/// The ratios of upper to lower leg and arm.
const RATIOS: [f64; 2] = [1.0, 1.1];

/// The cost of leaving out a limb's whole length.
const LEFT_OUT: f64 = 0.5;

/// Each joint's longest way down.
pub struct Branches {
    /// The length of the longest way down.
    pub extent: Vec<f64>,
    /// The next joint on it.
    heavy: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
}

/// Two branches of one joint that look alike.
#[derive(Clone, Debug)]
pub struct Twins {
    /// The joint that they begin at.
    pub above: usize,
    /// The joints of each, along the longest way.
    pub chains: [Vec<usize>; 2],
    /// The length of the shorter one.
    pub length: f64,
}

impl Branches {
    /// Measures the whole tree, from the ends.
    pub fn new(skeleton: &Skeleton) -> Self {
        let count = skeleton.parents.len();
        let mut found =
            Self { extent: vec![0.0; count], heavy: vec![None; count], children: vec![Vec::new(); count] };
        let kept: Vec<usize> = skeleton.kept().collect();
        for node in kept.into_iter().rev() {
            let Some(parent) = skeleton.parent(node) else { continue };
            let own = found.extent.get(node).copied().unwrap_or_default() + skeleton.length(node, parent);
            let Some(extent) = found.extent.get_mut(parent) else { continue };
            let Some(heavy) = found.heavy.get_mut(parent) else { continue };
            if heavy.is_none() || own >= *extent {
                (*extent, *heavy) = (own, Some(node));
            }
            if let Some(children) = found.children.get_mut(parent) {
                children.push(node);
            }
        }
        found
    }

    /// Returns the children, the last one first.
    pub fn children(&self, node: usize) -> &[usize] {
        self.children.get(node).map_or(&[], Vec::as_slice)
    }

    /// Returns the longest way down, with the joint itself.
    pub fn chain(&self, node: usize) -> Vec<usize> {
        let next = |node: &usize| self.heavy.get(*node).copied().flatten();
        std::iter::successors(Some(node), next).take(MAX_CHAIN.saturating_add(1)).collect()
    }

    /// Returns the pairs of branches below a joint that look alike.
    pub fn twins(&self, skeleton: &Skeleton, above: usize) -> Vec<Twins> {
        let reach = |node: &usize| {
            self.extent.get(*node).copied().unwrap_or_default() + skeleton.length(*node, above)
        };
        let mut longest: Vec<usize> =
            self.children(above).iter().copied().filter(|node| self.extent.get(*node) > Some(&0.0)).collect();
        longest.sort_by(|one, other| reach(other).total_cmp(&reach(one)).then(one.cmp(other)));
        longest.truncate(MAX_BRANCHES);
        let mut found = Vec::new();
        for (number, one) in longest.iter().enumerate() {
            for other in longest.iter().skip(number.saturating_add(1)) {
                if !is_near(reach(one), reach(other)) {
                    break;
                }
                let chains = [self.chain(*one), self.chain(*other)];
                let lengths = chains.each_ref().map(|chain| lengths(skeleton, chain));
                if is_alike(&lengths) {
                    let length = reach(one).min(reach(other));
                    found.push(Twins { above, chains, length });
                }
            }
        }
        found
    }
}

/// Returns the length from a chain's first joint to each.
fn lengths(skeleton: &Skeleton, chain: &[usize]) -> Vec<f64> {
    let mut sum = 0.0;
    let steps = chain.iter().zip(chain.iter().skip(1)).map(|(above, below)| {
        sum += skeleton.length(*above, *below);
        sum
    });
    std::iter::once(0.0).chain(steps).collect()
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= ALIKE * one.max(other)
}

/// Returns true if two chains have equal bones, whatever their pose.
fn is_alike([one, other]: &[Vec<f64>; 2]) -> bool {
    let (Some(first), Some(second)) = (one.last(), other.last()) else { return false };
    let most = ALIKE * first.max(*second);
    let is_limb = (2..=MAX_CHAIN).contains(&one.len()) && one.len() == other.len();
    is_limb && one.iter().zip(other).all(|(one, other)| (one - other).abs() <= most)
}

/// The joints of a limb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limb {
    /// Its numbers in the chain: shoulder or hip, elbow or knee, wrist or ankle.
    pub joints: [usize; 3],
}

/// Returns the three joints of a limb that may end at any of `ends`: those that divide it best. `inside` is the cost of a
/// first joint that belongs to the body.
fn fit(
    skeleton: &Skeleton,
    chain: &[usize],
    ends: &[usize],
    ratio: f64,
    inside: impl Fn(usize) -> f64,
) -> Option<Limb> {
    let along = lengths(skeleton, chain);
    let at = |number: usize| along.get(number).copied().unwrap_or_default();
    let total = along.last().copied().filter(|total| *total > 0.0)?;
    let mut best: Option<(f64, Limb)> = None;
    for &end in ends {
        for (upper, lower) in
            (0..end).flat_map(|upper| (upper.saturating_add(1)..end).map(move |l| (upper, l)))
        {
            let found = (at(lower) - at(upper)) / (at(end) - at(lower));
            let cost =
                (found / ratio).ln().abs() + LEFT_OUT * (1.0 - (at(end) - at(upper)) / total) + inside(upper);
            if cost.is_finite() && best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, Limb { joints: [upper, lower, end] }));
            }
        }
    }
    best.map(|(_, limb)| limb)
}

/// The share of a leg's height within which a foot stands.
const FOOT: f64 = 0.16;

/// The cosine of the angle from the vertical at which a bone is none of a leg.
const FLAT: f64 = 0.8;

/// The least distance of a shoulder from the middle, relative to that of a hip.
const SHOULDER: f64 = 1.2;

/// The cost of an arm that begins nearer to the middle.
const INSIDE: f64 = 0.3;

/// Returns the joints of a leg, and of its toes.
pub fn leg(skeleton: &Skeleton, chain: &[usize], up: DVec3) -> Option<Limb> {
    let heights: Vec<f64> = chain.iter().map(|joint| skeleton.place(*joint).dot(up)).collect();
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let size = heights.first()? - low;
    // The first joint that is as low as an ankle.
    let ankle = heights.iter().position(|height| height - low <= FOOT * size).filter(|place| *place >= 2)?;
    let is_flat = |number: usize| {
        let bone = |number: usize| {
            let [above, below] = [chain.get(number), chain.get(number.saturating_add(1))];
            Some((skeleton.place(*below?) - skeleton.place(*above?)).normalize_or_zero())
        };
        f64::from(u8::from(bone(number).is_some_and(|bone| bone.dot(up) > -FLAT)))
    };
    fit(skeleton, chain, &[ankle], RATIOS[0], is_flat)
}

/// Returns the joints of an arm. `aside` is the distance of a joint from the middle of the body, relative to that of a hip.
pub fn arm(
    skeleton: &Skeleton,
    branches: &Branches,
    chain: &[usize],
    aside: impl Fn(usize) -> f64,
) -> Option<Limb> {
    let last = chain.len().checked_sub(1)?;
    // Two fingers make a hand, or three of one joint each. A twist joint has no length.
    let is_hand = |joint: &usize| {
        let children = branches.children(*joint);
        let long = children.iter().filter(|joint| branches.extent.get(**joint) > Some(&0.0)).count();
        long > 1 || (long == 0 && children.len() > 2)
    };
    let hand = chain.iter().position(is_hand).filter(|place| *place >= 2);
    let ends = match hand {
        Some(hand) => vec![hand],
        None => (last.saturating_sub(2).max(2)..=last).collect(),
    };
    let inside = |number: usize| match chain.get(number).is_some_and(|joint| aside(*joint) < SHOULDER) {
        true => INSIDE,
        false => 0.0,
    };
    fit(skeleton, chain, &ends, RATIOS[1], inside)
}

/// Returns the side of the body that words in a chain's names state, if they agree.
pub fn stated_side(skeleton: &Skeleton, chain: &[usize]) -> Option<Side> {
    let mut sides = chain.iter().filter_map(|joint| skeleton.words.get(*joint)?.side);
    let first = sides.next()?;
    sides.all(|side| side == first).then_some(first)
}
