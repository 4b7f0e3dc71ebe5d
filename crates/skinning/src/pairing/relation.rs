//! Possible correspondences between the parts of two models, by the names of their nodes and meshes.

use std::collections::HashMap;

use super::partners::{By, Found, Partners};

/// The names of a part as indices; `None` without one.
#[derive(Clone, Copy, Debug, Default)]
struct Names {
    node: Option<u32>,
    mesh: Option<u32>,
}

/// Relations between the parts of two models.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    old: Vec<Names>,
    new: Vec<Names>,
    /// The parts paired one by one: by names, then by order.
    pub partners: Partners,
    /// For each old part, the largest rank of new parts that may hold its vertices.
    farthest: Vec<u8>,
    /// True if the old model has each new part's node and mesh.
    is_known: Vec<[bool; 2]>,
}

impl Relations {
    /// Compares the names of all parts.
    pub fn new(old: &[Found], new: &[Found]) -> Self {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let (mut nodes, mut meshes) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for (side, parts) in [old, new].into_iter().enumerate() {
            for part in parts {
                for (name, list) in [(part.node, &mut nodes[side]), (part.mesh, &mut meshes[side])] {
                    let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                    list.push((!name.is_empty()).then(|| *numbers.entry(name).or_insert(next)));
                }
            }
        }
        let known = |lists: &[Vec<Option<u32>>; 2], side: usize| {
            let mut known = vec![false; numbers.len()];
            for number in lists[side].iter().flatten() {
                if let Some(known) = known.get_mut(*number as usize) {
                    *known = true;
                }
            }
            move |name: Option<u32>| name.and_then(|name| known.get(name as usize).copied()).unwrap_or(false)
        };
        let names = |side: usize| {
            let both = nodes[side].iter().zip(&meshes[side]);
            both.map(|(node, mesh)| Names { node: *node, mesh: *mesh }).collect::<Vec<_>>()
        };
        let (a, b) = (names(0), names(1));
        let (node_in_new, mesh_in_new) = (known(&nodes, 1), known(&meshes, 1));
        let (node_in_old, mesh_in_old) = (known(&nodes, 0), known(&meshes, 0));
        Self {
            partners: Partners::new(old, new, [By::Node, By::Mesh, By::Order]),
            farthest: (a.iter())
                .map(|part| match (node_in_new(part.node), mesh_in_new(part.mesh)) {
                    (true, _) => 1,
                    (false, true) => 2,
                    (false, false) => 3,
                })
                .collect(),
            is_known: b.iter().map(|part| [node_in_old(part.node), mesh_in_old(part.mesh)]).collect(),
            old: a,
            new: b,
        }
    }

    /// Returns the distance between the names of two parts:
    /// - 0 for those of one node, or of one mesh whose new node has no old name
    /// - 1 for a new part of unknown names
    /// - 2 for one mesh under another node
    /// - 3 for all others
    pub fn rank(&self, old: usize, new: usize) -> u8 {
        let (Some(a), Some(b), Some(known)) = (self.old.get(old), self.new.get(new), self.is_known.get(new))
        else {
            return 3;
        };
        let is_same = |a: Option<u32>, b: Option<u32>| a.is_some() && a == b;
        match known {
            _ if is_same(a.node, b.node) || self.is_partner(old, new) => 0,
            [false, _] if is_same(a.mesh, b.mesh) => 0,
            [false, false] => 1,
            _ if is_same(a.mesh, b.mesh) => 2,
            _ => 3,
        }
    }

    /// Returns true if vertices of the old part may be in the new one. A part without a name in the new model may be
    /// anywhere.
    pub fn allow(&self, old: usize, new: usize) -> bool {
        self.rank(old, new) <= self.farthest.get(old).copied().unwrap_or(3)
    }

    /// Returns true if the new model has a part of the old one's node or mesh.
    pub fn is_named(&self, old: usize) -> bool {
        self.farthest.get(old).is_some_and(|farthest| *farthest < 3)
    }

    /// Returns true if the old model has a part of the new one's node or mesh.
    pub fn is_known(&self, new: usize) -> bool {
        self.is_known.get(new).is_some_and(|known| *known != [false, false])
    }

    /// Returns true if two parts are paired one by one.
    pub fn is_partner(&self, old: usize, new: usize) -> bool {
        self.partners.of_first.get(old).copied().flatten() == Some(new)
    }
}
