//! Correspondence of two models' primitives: by the names of their nodes and meshes, then by order.

use std::collections::{HashMap, VecDeque};

use sinew_model::{Model, Primitive};

/// A primitive that an instance draws.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Index into the model's instances.
    pub instance: usize,
    /// Index into the mesh's primitives.
    pub number: usize,
    /// The primitive.
    pub primitive: &'a Primitive,
    /// The name of the node that draws it; empty if it has none.
    pub(super) node: &'a str,
    /// The name of its mesh; empty if it has none.
    pub(super) mesh: &'a str,
}

impl<'a> Found<'a> {
    /// Returns a primitive of an instance's mesh, by its index; `None` if the model lacks it.
    pub fn new(model: &'a Model, instance: usize, number: usize) -> Option<Self> {
        let found = model.instances.get(instance)?;
        let mesh = model.meshes.get(found.mesh)?;
        let primitive = mesh.primitives.get(number)?;
        let node = model.rig.names.get(found.node).map_or("", String::as_str);
        Some(Self { instance, number, primitive, node, mesh: &mesh.name })
    }

    /// Returns all primitives that instances draw, in the order of [`Drawn`](crate::Drawn).
    pub fn all(model: &'a Model) -> Vec<Self> {
        let instances = model.instances.iter().enumerate();
        let of_instance = instances.flat_map(|(number, instance)| {
            let primitives = model.meshes.get(instance.mesh).map_or(0, |mesh| mesh.primitives.len());
            (0..primitives).filter_map(move |primitive| Found::new(model, number, primitive))
        });
        of_instance.collect()
    }

    /// Returns the key that partners share; `None` without a name.
    fn key(&self, by: By) -> Option<(&'a str, usize)> {
        let name = match by {
            By::Node => self.node,
            By::Mesh => self.mesh,
            By::Order => return Some(("", 0)),
        };
        (!name.is_empty()).then_some((name, self.primitive.file_index))
    }
}

/// The criterion for corresponding primitives. Those of one name correspond if they have the same index in their meshes;
/// several of one name and index do in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The names of their nodes.
    Node,
    /// The names of their meshes.
    Mesh,
    /// Their order alone.
    Order,
}

/// The partners of two lists of primitives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partners {
    /// For each of the first list, the index of its partner in the second.
    pub of_first: Vec<Option<usize>>,
    /// The indices of those without a partner, in each list.
    pub alone: [Vec<usize>; 2],
}

impl Partners {
    /// Pairs two lists: as many as possible by the first way, then by the next.
    pub fn new(first: &[Found], second: &[Found], ways: [By; 3]) -> Self {
        let mut of_first = vec![None; first.len()];
        let mut is_free = vec![true; second.len()];
        for by in ways {
            let mut waiting: HashMap<(&str, usize), VecDeque<usize>> = HashMap::new();
            for (number, found) in second.iter().enumerate().filter(|(number, _)| is_free[*number]) {
                if let Some(key) = found.key(by) {
                    waiting.entry(key).or_default().push_back(number);
                }
            }
            for (found, partner) in first.iter().zip(&mut of_first).filter(|(_, partner)| partner.is_none()) {
                let queue = found.key(by).and_then(|key| waiting.get_mut(&key));
                *partner = queue.and_then(VecDeque::pop_front);
                if let Some(taken) = *partner {
                    is_free[taken] = false;
                }
            }
        }
        let numbers = |is_alone: &mut dyn Iterator<Item = bool>| {
            is_alone.enumerate().filter(|(_, is_alone)| *is_alone).map(|(number, _)| number).collect()
        };
        let alone = [numbers(&mut of_first.iter().map(Option::is_none)), numbers(&mut is_free.into_iter())];
        Self { of_first, alone }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'a>(primitives: &'a [Primitive], names: &[(&'a str, &'a str)]) -> Vec<Found<'a>> {
        let one = |(number, (primitive, &(node, mesh)))| Found { instance: 0, number, primitive, node, mesh };
        primitives.iter().zip(names).enumerate().map(one).collect()
    }

    #[test]
    fn names_come_before_order() {
        let primitives: Vec<Primitive> = std::iter::repeat_with(Primitive::default).take(4).collect();
        let a = found(&primitives, &[("hat", "m1"), ("", "m2"), ("coat", ""), ("shoe", "m4")]);
        let b = found(&primitives, &[("belt", ""), ("shoe", "m1"), ("hat", "m2")]);
        let by = |ways| Partners::new(&a, &b, ways);
        let of_nodes = by([By::Node, By::Mesh, By::Order]);
        assert_eq!(of_nodes.of_first, [Some(2), Some(0), None, Some(1)]);
        assert_eq!(of_nodes.alone, [vec![2], vec![]]);
        let of_meshes = by([By::Mesh, By::Node, By::Order]);
        assert_eq!(of_meshes.of_first, [Some(1), Some(2), Some(0), None]);
        assert_eq!(of_meshes.alone, [vec![3], vec![]]);
        let back = Partners::new(&b, &a, [By::Node, By::Mesh, By::Order]);
        assert_eq!(back.alone, [vec![], vec![2]]);
    }

    #[test]
    fn one_name_needs_the_same_number_and_then_the_order() {
        let primitive = |file_index| Primitive { file_index, ..Primitive::default() };
        let primitives = [0, 1, 0].map(primitive);
        let a = found(&primitives, &[("n", "m"); 3]);
        let [mut b, turned] = [a.clone(), a.iter().rev().copied().collect::<Vec<_>>()];
        let by_node = |a: &[Found], b: &[Found]| Partners::new(a, b, [By::Node; 3]).of_first;
        assert_eq!(by_node(&a, &b), [Some(0), Some(1), Some(2)]);
        assert_eq!(by_node(&a, &turned), [Some(0), Some(1), Some(2)]);
        b.remove(0);
        assert_eq!(by_node(&a, &b), [Some(1), Some(0), None]);
        assert_eq!(by_node(&[], &b), []);
    }
}
