//! Finds the bones of a human by the names of joints. Rigs disagree on words, so the words of a limb are read together: a
//! shoulder is a clavicle if there is an upper arm, and an upper arm if there is a collar or an elbow.

use std::collections::{BTreeMap, HashMap};

use super::figure::Figure;
use super::part::Part;
use super::skeleton::Skeleton;
use super::terms::Term;
use sinew_model::{Finger, Side};

/// Joints by the meaning of their names.
struct Terms<'a> {
    skeleton: &'a Skeleton,
    found: BTreeMap<(Term, Option<Side>), Vec<usize>>,
}

/// Returns the bones that names tell.
pub fn find(skeleton: &Skeleton) -> Figure {
    let terms = Terms::new(skeleton);
    let mut figure = Figure::default();
    for side in Side::BOTH {
        terms.arm(side, &mut figure);
        terms.leg(side, &mut figure);
    }
    terms.fingers(&mut figure);
    let hips = terms.hips(&figure);
    figure.add(Part::Hips, hips.as_slice(), false);
    terms.spine(&mut figure);
    figure.add(Part::Jaw, terms.one(Term::Jaw, None).as_slice(), false);
    for side in Side::BOTH {
        figure.add(Part::Eye(side), terms.one(Term::Eye, Some(side)).as_slice(), false);
    }
    figure
}

impl<'a> Terms<'a> {
    /// Sorts the joints, the topmost first. Of joints with the same words, those of a skin count; several of these count
    /// as none.
    fn new(skeleton: &'a Skeleton) -> Self {
        let rank = |node: usize| {
            let is_joint = skeleton.is_joint.get(node) == Some(&true);
            (!is_joint, skeleton.words.get(node).is_some_and(|words| words.is_aside))
        };
        let mut same: HashMap<_, Vec<usize>> = HashMap::new();
        for node in skeleton.kept() {
            let Some(words) = skeleton.words.get(node) else { continue };
            if Term::of(&words.stem).is_some() {
                same.entry((words.side, &words.stem, &words.numbers)).or_default().push(node);
            }
        }
        let mut found: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for ((side, stem, _), nodes) in same {
            let Some(term) = Term::of(stem) else { continue };
            let best = nodes.iter().map(|node| rank(*node)).min();
            let mut best = nodes.iter().filter(|node| Some(rank(**node)) == best);
            if let (Some(node), None) = (best.next(), best.next()) {
                found.entry((term, side)).or_default().push(*node);
            }
        }
        for nodes in found.values_mut() {
            let best = nodes.iter().map(|node| rank(*node)).min();
            nodes.retain(|node| Some(rank(*node)) == best);
            nodes.sort_unstable_by_key(|node| {
                (skeleton.depth(*node), skeleton.words.get(*node).map(|words| words.numbers.clone()), *node)
            });
        }
        Self { skeleton, found }
    }

    fn all(&self, term: Term, side: Option<Side>) -> &[usize] {
        self.found.get(&(term, side)).map_or(&[], Vec::as_slice)
    }

    /// Returns the topmost joint of a term, if all others are below it.
    fn one(&self, term: Term, side: Option<Side>) -> Option<usize> {
        let (first, others) = self.all(term, side).split_first()?;
        others.iter().all(|other| self.skeleton.tree.is_below(*other, *first)).then_some(*first)
    }

    /// Returns the joint of the first term that has one.
    fn first(&self, terms: &[Term], side: Side) -> Option<usize> {
        terms.iter().find_map(|term| self.one(*term, Some(side)))
    }

    fn has(&self, terms: &[Term], side: Side) -> bool {
        terms.iter().any(|term| !self.all(*term, Some(side)).is_empty())
    }

    fn arm(&self, side: Side, figure: &mut Figure) {
        // A chain of numbered arms has all bones, which the numbers do not tell.
        let is_numbered =
            self.all(Term::Arm, Some(side)).len() > 1 && !self.has(&[Term::LowerArm, Term::Elbow], side);
        let upper: &[Term] = match is_numbered {
            true => &[Term::UpperArm],
            false => &[Term::UpperArm, Term::Arm, Term::Shoulder],
        };
        let upper = self.first(upper, side);
        let lower = self.first(&[Term::LowerArm, Term::Elbow], side);
        let hand = self.upper_of(self.one(Term::Wrist, Some(side)), self.one(Term::Hand, Some(side)));
        figure.add(Part::UpperArm(side), upper.as_slice(), false);
        figure.add(Part::LowerArm(side), lower.as_slice(), false);
        figure.add(Part::Hand(side), hand.as_slice(), false);
        let shoulder = self.first(&[Term::Clavicle, Term::Shoulder], side);
        figure.add(Part::Shoulder(side), shoulder.as_slice(), false);
    }

    fn leg(&self, side: Side, figure: &mut Figure) {
        let has_lower = self.has(&[Term::LowerLeg, Term::Knee], side);
        let has_upper = self.has(&[Term::UpperLeg], side);
        let upper: &[Term] = match (has_lower, self.all(Term::Leg, Some(side)).len()) {
            (true, _) => &[Term::UpperLeg, Term::Leg, Term::Hip],
            (false, 1) => &[Term::UpperLeg, Term::Hip],
            (false, _) => &[Term::UpperLeg],
        };
        let upper = self.first(upper, side);
        let lower: &[Term] = match has_upper || upper.is_some() {
            true => &[Term::LowerLeg, Term::Knee, Term::Leg],
            false => &[Term::LowerLeg, Term::Knee],
        };
        let lower = self.first(lower, side);
        let (ankle, foot) = (self.one(Term::Ankle, Some(side)), self.one(Term::Foot, Some(side)));
        figure.add(Part::UpperLeg(side), upper.as_slice(), false);
        figure.add(Part::LowerLeg(side), lower.as_slice(), false);
        figure.add(Part::Foot(side), self.upper_of(ankle, foot).as_slice(), false);
        let toes = self.one(Term::Toes, Some(side)).or(foot.filter(|_| ankle.is_some()));
        figure.add(Part::Toes(side), toes.as_slice(), false);
    }

    /// Returns the upper one of two joints in a chain; the first if they are not in one.
    fn upper_of(&self, one: Option<usize>, other: Option<usize>) -> Option<usize> {
        match (one, other) {
            (Some(one), Some(other)) if self.skeleton.tree.is_below(one, other) => Some(other),
            (one, other) => one.or(other),
        }
    }

    fn fingers(&self, figure: &mut Figure) {
        // Some rigs count fingers from 0, others from 1.
        let digits = |node: &usize| {
            let words = self.skeleton.words.get(*node);
            let first = words.and_then(|words| words.numbers.first());
            first.and_then(|number| number.chars().next()).and_then(|digit| digit.to_digit(10))
        };
        let numbered = |side| self.all(Term::NumberedFinger, Some(side));
        let from_zero =
            Side::BOTH.iter().flat_map(|side| numbered(*side)).any(|node| digits(node) == Some(0));
        for side in Side::BOTH {
            for (number, finger) in (u32::from(!from_zero)..).zip(Finger::ALL) {
                let by_number =
                    || numbered(side).iter().copied().filter(|node| digits(node) == Some(number)).collect();
                let named = self.all(Term::Finger(finger), Some(side)).to_vec();
                let joints: Vec<usize> = if named.is_empty() { by_number() } else { named };
                let is_chain = joints
                    .iter()
                    .zip(joints.iter().skip(1))
                    .all(|(above, below)| self.skeleton.tree.is_below(*below, *above));
                if is_chain {
                    // A fourth joint is the tip.
                    figure.add(Part::Finger(side, finger), joints.get(..3).unwrap_or(&joints), false);
                }
                let palm = self.one(Term::Metacarpal(finger), Some(side));
                figure.add(Part::Metacarpal(side, finger), palm.as_slice(), false);
            }
        }
    }

    /// Returns the joint that carries spine and legs: by name, or the lowest one above both legs.
    fn hips(&self, figure: &Figure) -> Option<usize> {
        let legs = Side::BOTH.map(|side| figure.joint(Part::UpperLeg(side)));
        let spine = [self.all(Term::Torso, None).first(), self.all(Term::Neck, None).first()];
        let spine = spine.into_iter().flatten().next().copied();
        let named: Vec<usize> = [self.all(Term::Hips, None), self.all(Term::Hip, None)].concat();
        let carries = |node: &usize, below: &[Option<usize>]| {
            below.iter().flatten().all(|below| self.skeleton.tree.is_below(*below, *node))
        };
        let all = [legs.as_slice(), &[spine]].concat();
        let mut lowest: Vec<usize> = named.iter().copied().filter(|node| carries(node, &all)).collect();
        lowest.sort_unstable_by_key(|node| (self.skeleton.depth(*node), *node));
        let [left, right] = legs;
        lowest.pop().or(named.first().copied()).or_else(|| self.skeleton.common(left?, right?))
    }

    /// Sorts the joints between hips and head.
    fn spine(&self, figure: &mut Figure) {
        let hips = figure.joint(Part::Hips);
        let arms: Vec<usize> = Side::BOTH
            .into_iter()
            .filter_map(|side| figure.joint(Part::Shoulder(side)).or(figure.joint(Part::UpperArm(side))))
            .collect();
        let head = self.one(Term::Head, None);
        let below_hips = |node: &usize| {
            Some(*node) != hips && hips.is_none_or(|hips| !self.skeleton.tree.is_below(hips, *node))
        };
        let named: Vec<usize> = self.all(Term::Torso, None).iter().copied().filter(below_hips).collect();
        let neck: Vec<usize> = self.all(Term::Neck, None).iter().copied().filter(below_hips).collect();
        let carries = |node: &usize, below: &[usize]| {
            below.iter().any(|below| self.skeleton.tree.is_below(*below, *node))
        };
        // Rigify numbers the spine up to the head. Its joints above the arms are neck and head.
        let is_whole = arms.len() == 2 && head.is_none() && neck.is_empty();
        let (torso, above): (Vec<usize>, Vec<usize>) =
            named.iter().copied().partition(|node| !is_whole || carries(node, &arms));
        let ends = [arms.as_slice(), neck.as_slice(), head.as_slice()].concat();
        let is_tree = torso.iter().any(|node| carries(node, &ends));
        let torso: Vec<usize> = torso.into_iter().filter(|node| !is_tree || carries(node, &ends)).collect();
        figure.add(Part::Torso, &torso, false);
        match above.split_last() {
            Some((last, neck)) => {
                figure.add(Part::Head, &[*last], false);
                figure.add(Part::Neck, neck, false);
            }
            None => {
                figure.add(Part::Head, head.as_slice(), false);
                figure.add(Part::Neck, &neck, false);
            }
        }
    }
}
