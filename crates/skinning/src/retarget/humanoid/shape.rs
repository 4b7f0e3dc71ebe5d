//! Finds the bones of a human by the shape of the tree: two legs below the hips, two arms above, a head between them. A
//! quadruped is refused, because its spine does not stand on its legs.

use super::figure::Figure;
use super::limbs::{self, Branches, Limb, Twins, stated_side};
use super::part::Part;
use super::skeleton::Skeleton;
use glam::DVec3;
use sinew_model::Side;

/// The maximum number of pairs of branches that are tried, the longest ones.
const MAX_TWINS: usize = 24;

/// The least height of the shoulders above the hips, as a share of the legs' length.
const TORSO: f64 = 0.12;

/// The maximum number of joints from that which carries the legs up to that which also carries the spine.
const PELVIS: usize = 3;

/// The cosine of the largest angle between spine and legs.
const UPRIGHT: f64 = 0.7;

/// The least length of a leg between its ends, as a share of its bones: legs stand.
const STRAIGHT: f64 = 0.55;

/// The lengths of arms that are possible, as shares of the legs' length.
const ARMS: std::ops::RangeInclusive<f64> = 0.35..=1.8;

/// The least length of toes or of a knee's bend that tells front from back, as a share of the leg.
const AHEAD: f64 = 0.02;

/// The share of a sideways turn that makes front and back uncertain.
const UNCERTAIN: f64 = 0.3;

/// A human that a tree may be.
struct Human<'a> {
    /// The joint that carries legs and spine.
    root: usize,
    legs: &'a Twins,
    arms: &'a Twins,
    up: DVec3,
    leg: [Limb; 2],
    arm: [Limb; 2],
}

/// Returns the bones that the tree's shape tells; without any if it is no human.
pub fn find(skeleton: &Skeleton) -> Figure {
    let branches = Branches::new(skeleton);
    let mut twins: Vec<Twins> = skeleton.kept().flat_map(|node| branches.twins(skeleton, node)).collect();
    twins.sort_by(|one, other| other.length.total_cmp(&one.length).then(one.above.cmp(&other.above)));
    twins.truncate(MAX_TWINS);
    let mut best: Option<(f64, Human)> = None;
    for legs in &twins {
        for arms in &twins {
            let length = legs.length + arms.length;
            if best.as_ref().is_none_or(|(most, _)| length > *most)
                && let Some(human) = human(skeleton, &branches, legs, arms)
            {
                best = Some((length, human));
            }
        }
    }
    best.map(|(_, human)| human.figure(skeleton, &branches)).unwrap_or_default()
}

/// Returns the human with these legs and arms, if it can be one.
fn human<'a>(
    skeleton: &Skeleton,
    branches: &Branches,
    legs: &'a Twins,
    arms: &'a Twins,
) -> Option<Human<'a>> {
    // Legs may hang on a pelvis beside the spine.
    let mut above = std::iter::successors(Some(legs.above), |node| skeleton.parent(*node));
    let root = above.by_ref().take(PELVIS).find(|node| skeleton.tree.is_below(arms.above, *node))?;
    let is_leg =
        |chain: &Vec<usize>| chain.first().is_some_and(|first| skeleton.is_within(arms.above, *first));
    if legs.chains.iter().any(is_leg) {
        return None;
    }
    let hips = skeleton.place(legs.above);
    let ends = legs.chains.each_ref().map(|chain| chain.last().map_or(hips, |end| skeleton.place(*end)));
    let [left, right] = ends;
    let up = (hips - (left + right) / 2.0).try_normalize()?;
    let spine = skeleton.place(arms.above) - hips;
    let is_upright = spine.dot(up) >= (TORSO * legs.length).max(UPRIGHT * spine.length());
    let stands = legs.chains.iter().zip(ends).all(|(_, end)| (hips - end).dot(up) >= STRAIGHT * legs.length);
    if !stands || !is_upright || !ARMS.contains(&(arms.length / legs.length)) {
        return None;
    }
    // Feet lead ahead, but the spine does not.
    let up = (up + spine.normalize_or_zero()).try_normalize()?;
    // A head is above the arms, on a branch apart from them.
    head_chain(skeleton, branches, arms, up)?;
    let [one, other] = &legs.chains;
    let leg = [limbs::leg(skeleton, one, up)?, limbs::leg(skeleton, other, up)?];
    // Distances from the middle, relative to the hips'.
    let across = across(skeleton, legs);
    let from_middle = |joint: usize| (skeleton.place(joint) - hips).dot(across).abs();
    let hip = legs.chains.iter().zip(leg).filter_map(|(chain, limb)| chain.get(*limb.joints.first()?));
    let hip = hip.map(|joint| from_middle(*joint)).sum::<f64>() / 2.0;
    let [one, other] = arms
        .chains
        .each_ref()
        .map(|chain| limbs::arm(skeleton, branches, chain, |joint| from_middle(joint) / hip));
    let arm = [one?, other?];
    let is_same = |limbs: &[Limb; 2]| limbs.first() == limbs.last();
    (is_same(&leg) && is_same(&arm)).then_some(Human { root, legs, arms, up, leg, arm })
}

/// Returns the joints from the neck up.
fn head_chain(skeleton: &Skeleton, branches: &Branches, arms: &Twins, up: DVec3) -> Option<Vec<usize>> {
    let shoulders = skeleton.place(arms.above);
    let chains = branches.children(arms.above).iter().map(|root| branches.chain(*root));
    let is_arm = |chain: &Vec<usize>| arms.chains.iter().any(|arm| arm.first() == chain.first());
    let rise = |chain: &Vec<usize>| {
        let end = chain.last().map_or(shoulders, |end| skeleton.place(*end)) - shoulders;
        end.dot(up)
    };
    let free = chains.filter(|chain| !is_arm(chain) && rise(chain) > 0.0);
    free.max_by(|one, other| rise(one).total_cmp(&rise(other)).then(other.cmp(one)))
}

impl Human<'_> {
    fn figure(&self, skeleton: &Skeleton, branches: &Branches) -> Figure {
        let mut figure = Figure::default();
        let mut add = |part: Part, joints: &[usize]| figure.add(part, joints, true);
        add(Part::Hips, &[self.root]);
        let mut torso: Vec<usize> =
            std::iter::successors(Some(self.arms.above), |node| skeleton.parent(*node))
                .take_while(|node| *node != self.root)
                .collect();
        torso.reverse();
        let mut chain = head_chain(skeleton, branches, self.arms, self.up).unwrap_or_default();
        // A joint above the clavicles is the neck, although they hang on it.
        let rise = |joint: &usize| (skeleton.place(*joint) - skeleton.place(self.arms.above)).dot(self.up);
        let is_neck = self.arms.chains.iter().filter_map(|chain| chain.first()).all(|root| rise(root) < 0.0);
        let has_clavicles = self.arm.iter().all(|limb| limb.joints.first() > Some(&0));
        if is_neck && has_clavicles && torso.len() > 1 {
            chain.splice(0..0, torso.pop());
        }
        add(Part::Torso, &torso);
        if !chain.is_empty() {
            let head = head(skeleton, branches, &chain);
            add(Part::Head, chain.get(head..=head).unwrap_or_default());
            add(Part::Neck, chain.get(..head).unwrap_or_default());
        }
        let left = self.left(skeleton);
        for (twins, limbs, parts) in [
            (self.legs, &self.leg, [Part::UpperLeg, Part::LowerLeg, Part::Foot]),
            (self.arms, &self.arm, [Part::UpperArm, Part::LowerArm, Part::Hand]),
        ] {
            for ((chain, limb), side) in twins.chains.iter().zip(limbs).zip(sides(skeleton, twins, left)) {
                for (place, part) in limb.joints.into_iter().zip(parts) {
                    add(part(side), chain.get(place..=place).unwrap_or_default());
                }
                let [first, _, end] = limb.joints;
                let beside = match std::ptr::eq(twins, self.legs) {
                    true => (Part::Toes(side), end.checked_add(1)),
                    false => (Part::Shoulder(side), (first > 0).then_some(0)),
                };
                let joint = beside.1.and_then(|place| chain.get(place));
                add(beside.0, joint.map(std::slice::from_ref).unwrap_or_default());
            }
        }
        figure
    }

    /// Returns the direction to the figure's left: by names with sides, by toes, by knees, or as files usually stand.
    fn left(&self, skeleton: &Skeleton) -> DVec3 {
        for twins in [self.legs, self.arms] {
            let sides = twins.chains.each_ref().map(|chain| stated_side(skeleton, chain));
            match sides {
                [Some(Side::Right), Some(Side::Left)] => return across(skeleton, twins),
                [Some(Side::Left), Some(Side::Right)] => return -across(skeleton, twins),
                _ => {}
            }
        }
        let (across, arms) = (across(skeleton, self.legs), across(skeleton, self.arms));
        let across = across + arms * arms.dot(across).signum();
        // Models of glTF face +Z; where Z is up, they face −Y.
        let usual = if self.up.z.abs() > 0.7 { DVec3::NEG_Y } else { DVec3::Z };
        for ahead in [self.toes(skeleton), self.knees(skeleton), usual] {
            let left = self.up.cross(ahead);
            let along = left.dot(across.normalize_or_zero());
            if ahead.length() > AHEAD && along.abs() > UNCERTAIN * left.length() {
                return across * along.signum();
            }
        }
        across
    }

    /// Returns the direction from ankles to toes, relative to the legs' length.
    fn toes(&self, skeleton: &Skeleton) -> DVec3 {
        let toes = self.legs.chains.iter().zip(&self.leg).map(|(chain, limb)| {
            let [_, _, ankle] = limb.joints;
            match (chain.get(ankle), chain.last()) {
                (Some(ankle), Some(end)) => skeleton.place(*end) - skeleton.place(*ankle),
                _ => DVec3::ZERO,
            }
        });
        self.level(toes.sum())
    }

    /// Returns the direction in which knees are bent, relative to the legs' length.
    fn knees(&self, skeleton: &Skeleton) -> DVec3 {
        let knees = self.legs.chains.iter().zip(&self.leg).map(|(chain, limb)| {
            let place = |number: usize| chain.get(number).map_or(DVec3::ZERO, |joint| skeleton.place(*joint));
            let [hip, knee, ankle] = limb.joints.map(place);
            let along = (ankle - hip).normalize_or_zero();
            (knee - hip) - along * (knee - hip).dot(along)
        });
        self.level(knees.sum())
    }

    fn level(&self, ahead: DVec3) -> DVec3 {
        (ahead - self.up * ahead.dot(self.up)) / self.legs.length
    }
}

/// Returns the direction from the first branch to the second.
fn across(skeleton: &Skeleton, twins: &Twins) -> DVec3 {
    let [one, other] = &twins.chains;
    let steps = one.iter().zip(other).map(|(one, other)| skeleton.place(*other) - skeleton.place(*one));
    steps.sum::<DVec3>().normalize_or_zero()
}

/// Returns the side of each branch.
fn sides(skeleton: &Skeleton, twins: &Twins, left: DVec3) -> [Side; 2] {
    match across(skeleton, twins).dot(left) < 0.0 {
        true => Side::BOTH,
        false => [Side::Right, Side::Left],
    }
}

/// Returns the place of the head in the chain from the neck up: the first joint with eyes or a jaw, else the last one,
/// unless that only marks the top of the head.
fn head(skeleton: &Skeleton, branches: &Branches, chain: &[usize]) -> usize {
    let last = chain.len().saturating_sub(1);
    let step = |number: usize| match (chain.get(number), chain.get(number.saturating_add(1))) {
        (Some(above), Some(below)) => skeleton.length(*above, *below),
        _ => 0.0,
    };
    if let Some(place) = chain.iter().skip(1).position(|joint| branches.children(*joint).len() > 1) {
        // A joint for the face is where the head is.
        let is_face = place >= 1 && step(place) < 0.3 * step(place.saturating_sub(1));
        return if is_face { place } else { place.saturating_add(1) };
    }
    let is_top = last >= 2 && step(last.saturating_sub(1)) > 1.2 * step(last.saturating_sub(2));
    last.saturating_sub(usize::from(is_top))
}
