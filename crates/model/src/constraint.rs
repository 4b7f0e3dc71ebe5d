//! Constraints: rules by which a node's rotation follows another node, after clips and edits (VRMC_node_constraint).

use glam::DVec3;

/// A rule by which a node's rotation follows another node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The node that is turned.
    pub node: usize,
    /// The node that it follows.
    pub source: usize,
    /// The rule.
    pub rule: Follow,
    /// The share of the way from the node's rest to the rule's rotation, 0 to 1.
    pub weight: f64,
}

/// A constraint's rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Follow {
    /// The source's turn from its rest about an axis of the node.
    Roll(DVec3),
    /// The smallest turn that points an axis of the node at the source.
    Aim(DVec3),
    /// The source's turn from its rest.
    Rotation,
}

/// A node of the rig in the search for an order: its constraint, or all on it and above.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Own(usize),
    Above(usize),
}

/// Brings constraints, of which a node has one at most, into an order in which each comes after all that it depends on.
/// Returns the constraints that depend on themselves apart.
pub fn in_order(parents: &[Option<u32>], constraints: Vec<Constraint>) -> (Vec<Constraint>, Vec<Constraint>) {
    let count = parents.len();
    let mut of_node: Vec<Option<Constraint>> = vec![None; count];
    for constraint in &constraints {
        if let Some(slot) = of_node.get_mut(constraint.node) {
            *slot = Some(*constraint);
        }
    }
    let parent = |node: usize| parents.get(node).copied().flatten().map(|parent| parent as usize);
    let before = |step: Step| match step {
        Step::Above(node) => [Some(Step::Own(node)), parent(node).map(Step::Above)],
        Step::Own(node) => match of_node.get(node).copied().flatten() {
            Some(Constraint { source, rule: Follow::Aim(_), .. }) => {
                [Some(Step::Above(source)), parent(node).map(Step::Above)]
            }
            Some(Constraint { source, .. }) => [Some(Step::Above(source)), None],
            None => [None, None],
        },
    };
    let place = |step: Step| match step {
        Step::Own(node) => node,
        Step::Above(node) => node.saturating_add(count),
    };
    let mut states = vec![State::New; count.saturating_mul(2)];
    let (mut sorted, mut knotted) = (Vec::new(), vec![false; count]);
    for constraint in &constraints {
        // A stack of our own: chains may be as long as the file. Steps are there twice, to be opened and to be closed.
        let mut stack = vec![(Step::Own(constraint.node), false)];
        while let Some((step, is_over)) = stack.pop() {
            let Some(state) = states.get_mut(place(step)) else { continue };
            match (*state, is_over) {
                (State::New, _) => {
                    *state = State::Open;
                    stack.push((step, true));
                    stack.extend(before(step).into_iter().flatten().map(|step| (step, false)));
                }
                (State::Open, true) => {
                    *state = State::Done;
                    if let Step::Own(node) = step {
                        sorted.push(node);
                    }
                }
                // A step leads back to one that is open: all open constraints from there on depend on themselves.
                (State::Open, false) => {
                    let closing = stack.iter().rev().filter(|(_, is_over)| *is_over).map(|(step, _)| *step);
                    for open in closing {
                        if let Step::Own(node) = open
                            && let Some(slot) = knotted.get_mut(node)
                        {
                            *slot = true;
                        }
                        if open == step {
                            break;
                        }
                    }
                }
                (State::Done, _) => {}
            }
        }
    }
    let found = sorted.into_iter().filter_map(|node| of_node.get(node).copied().flatten());
    found.partition(|constraint| !knotted.get(constraint.node).copied().unwrap_or(false))
}

/// State of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rolls(pairs: &[(usize, usize)]) -> Vec<Constraint> {
        let roll = |&(node, source)| Constraint { node, source, rule: Follow::Rotation, weight: 1.0 };
        pairs.iter().map(roll).collect()
    }

    fn nodes(of: &[Constraint]) -> Vec<usize> {
        of.iter().map(|constraint| constraint.node).collect()
    }

    #[test]
    fn what_is_followed_comes_first() {
        // 0 > 1 > 2, and 3, 4 and 5 beside them.
        let parents = [None, Some(0), Some(1), None, None, None];
        let (sorted, knots) = in_order(&parents, rolls(&[(5, 4), (4, 3), (3, 2), (1, 0)]));
        assert_eq!((nodes(&sorted), knots.len()), (vec![1, 3, 4, 5], 0), "and those above what is followed");
        let aim = Constraint { rule: Follow::Aim(DVec3::X), ..rolls(&[(2, 4)])[0] };
        let (sorted, _) = in_order(&parents, vec![aim, rolls(&[(1, 5)])[0]]);
        assert_eq!(nodes(&sorted), [1, 2], "an aim depends on the node's parent");
    }

    #[test]
    fn circles_are_left_out() {
        let parents = [None, Some(0), None, None];
        let (sorted, knots) = in_order(&parents, rolls(&[(2, 3), (3, 2)]));
        assert_eq!((sorted.len(), nodes(&knots)), (0, vec![3, 2]));
        // A node that follows its own child depends on itself.
        let (sorted, knots) = in_order(&parents, rolls(&[(0, 1), (3, 2)]));
        assert_eq!((nodes(&sorted), nodes(&knots)), (vec![3], vec![0]));
        assert_eq!(nodes(&in_order(&parents, rolls(&[(0, 0)])).1), [0]);
    }

    #[test]
    fn long_chains_end_soon() {
        let count = 200_000;
        let parents: Vec<_> = (0..count as u32).map(|node| node.checked_sub(1)).collect();
        let all: Vec<_> = (1..count).map(|node| (node, node - 1)).collect();
        assert_eq!(in_order(&parents, rolls(&all)).0.len(), count - 1);
        let back: Vec<_> = (0..count - 1).map(|node| (node, node + 1)).collect();
        assert_eq!(in_order(&parents, rolls(&back)).1.len(), count - 1);
    }
}
