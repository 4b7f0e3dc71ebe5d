//! The tree of a rig, numbered so that two comparisons tell whether one node is below another.

use sinew_model::Rig;

/// Every node's position in a walk in which each subtree is contiguous.
#[derive(Clone, Debug)]
pub struct Tree {
    first: Vec<usize>,
    count: Vec<usize>,
}

impl Tree {
    /// Walks the rig once.
    pub fn new(rig: &Rig) -> Self {
        let parents = || rig.parents.iter().map(|parent| parent.map(|parent| parent as usize));
        let mut count = vec![1_usize; rig.len()];
        for (node, parent) in parents().enumerate().rev() {
            let own = count.get(node).copied().unwrap_or_default();
            if let Some(of_parent) = parent.and_then(|parent| count.get_mut(parent)) {
                *of_parent = of_parent.saturating_add(own);
            }
        }
        // The start of each node's next child; the last entry is that of the roots.
        let (mut first, mut next, mut next_root) = (Vec::with_capacity(rig.len()), Vec::new(), 0_usize);
        for (parent, own) in parents().zip(&count) {
            let place = match parent.and_then(|parent| next.get_mut(parent)) {
                Some(place) => place,
                None => &mut next_root,
            };
            let begin = *place;
            *place = begin.saturating_add(*own);
            first.push(begin);
            next.push(begin.saturating_add(1));
        }
        Self { first, count }
    }

    /// Returns true if a node is a descendant of another.
    pub fn is_below(&self, node: usize, above: usize) -> bool {
        let (Some(place), Some(first)) = (self.first.get(node), self.first.get(above)) else { return false };
        let count = self.count.get(above).copied().unwrap_or_default();
        place > first && *place < first.saturating_add(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_below_its_ancestors_and_no_other() {
        let parents = [None, Some(0), Some(0), Some(1), Some(2), Some(1), None, Some(6)];
        let rig = Rig { parents: parents.to_vec(), ..Rig::default() };
        let tree = Tree::new(&rig);
        let is_below = |node: usize, above: usize| {
            let up = |node: &usize| parents[*node].map(|parent| parent as usize);
            std::iter::successors(up(&node), up).any(|found| found == above)
        };
        for node in 0..parents.len() {
            for above in 0..parents.len() {
                assert_eq!(tree.is_below(node, above), is_below(node, above), "{node} {above}");
            }
        }
        assert!(!tree.is_below(9, 0) && !tree.is_below(0, 9));
    }
}
