//! The share of each vertex that turns with a joint.

use sinew_model::{Instance, Model, Primitive, VertexIndex};
use sinew_skinning::{Drawn, skin_of};

/// The minimum share of a vertex's weight that turns with a joint, and the minimum share of the rest, for the vertex to bend
/// there.
pub const BENDS: f64 = 0.1;

/// The minimum share of a cut's vertices that a joint must move for the cut to be one through its own limb.
const MIN_MOVED: f64 = 1.0 / 3.0;

/// Returns for each drawn vertex the share of its weight that turns with a node: the node's and that of its descendants.
pub fn shares(model: &Model, node: usize, drawn: &Drawn) -> Vec<f64> {
    let descent = Descent::new(model);
    let is_below = |other: usize| descent.is_below(node, other);
    let primitives = model.instances.iter().flat_map(|instance| {
        let mesh = model.meshes.get(instance.mesh);
        mesh.into_iter().flat_map(move |mesh| mesh.primitives.iter().map(move |found| (instance, found)))
    });
    let of_primitive = |((instance, primitive), vertices): ((&Instance, &Primitive), &[u32])| {
        let share = share(model, instance, primitive, &is_below);
        vertices.iter().map(|vertex| share(*vertex as usize)).collect::<Vec<f64>>()
    };
    primitives.zip(drawn.primitives()).flat_map(of_primitive).collect()
}

/// Checks whether a cut goes through a joint's own limb: the joint moves enough of the cut's vertices, and not all of each.
/// A plane through a knee may also cut the hip, and a loop there does not measure the knee.
pub fn is_bent(
    model: &Model,
    (descent, node): (&Descent, usize),
    cut: impl Iterator<Item = VertexIndex>,
) -> bool {
    let (mut moved, mut held, mut all) = (0_usize, 0_usize, 0_usize);
    for share in cut.map(|vertex| descent.share(model, node, vertex)) {
        all += 1;
        moved += usize::from(share >= BENDS);
        held += usize::from(share <= 1.0 - BENDS);
    }
    held > 0 && moved as f64 >= MIN_MOVED * all as f64
}

/// Descendants of each node, found without walking, because those of one node have consecutive numbers.
pub struct Descent {
    /// The number of each node.
    number: Vec<usize>,
    /// The number of nodes at and below each.
    count: Vec<usize>,
}

impl Descent {
    /// Numbers the nodes of a model.
    pub fn new(model: &Model) -> Self {
        let parents = &model.rig.parents;
        // Parents come before children.
        let parent = |node: usize| parents.get(node).copied().flatten().map(|parent| parent as usize);
        let parent = |node: usize| parent(node).filter(|parent| *parent < node);
        let mut count = vec![1_usize; parents.len()];
        for node in (0..parents.len()).rev() {
            if let Some(parent) = parent(node) {
                count[parent] += count[node];
            }
        }
        let (mut number, mut next) = (vec![0; parents.len()], vec![0; parents.len()]);
        let mut next_root = 0;
        for node in 0..parents.len() {
            let free = parent(node).map_or(&mut next_root, |parent| &mut next[parent]);
            number[node] = *free;
            *free += count[node];
            next[node] = number[node] + 1;
        }
        Self { number, count }
    }

    /// Returns true if a node is another or below it.
    pub fn is_below(&self, node: usize, below: usize) -> bool {
        let number = |node: usize| self.number.get(node).copied();
        let (Some(first), Some(count), Some(below)) = (number(node), self.count.get(node), number(below))
        else {
            return false;
        };
        (first..first + count).contains(&below)
    }

    /// Returns the share of a vertex's weight that turns with a node.
    pub fn share(&self, model: &Model, node: usize, vertex: VertexIndex) -> f64 {
        let is_below = |other: usize| self.is_below(node, other);
        let instance = model.instances.get(vertex.instance);
        let found = instance.and_then(|instance| {
            let primitive = model.meshes.get(instance.mesh)?.primitives.get(vertex.primitive)?;
            Some(share(model, instance, primitive, &is_below)(vertex.vertex))
        });
        found.unwrap_or(0.0)
    }
}

/// Returns the share of a vertex's weight that turns with the nodes.
fn share<'a>(
    model: &'a Model,
    instance: &Instance,
    primitive: &'a Primitive,
    is_below: &'a impl Fn(usize) -> bool,
) -> impl Fn(usize) -> f64 {
    let is_node_below = is_below(instance.node);
    let skin = skin_of(model, instance, primitive.influences.is_some());
    let has = move |joint: i32| {
        let node = usize::try_from(joint).ok().and_then(|joint| skin?.joints.get(joint));
        node.is_some_and(|node| is_below(*node))
    };
    move |vertex| match primitive.influences.as_ref().filter(|_| skin.is_some()) {
        Some(influences) => {
            let spans = (0..influences.spans.len()).map(|span| influences.of_vertex(span, vertex));
            let all = spans.flat_map(|(joints, weights)| joints.into_iter().zip(weights));
            all.filter(|(joint, _)| has(*joint)).map(|(_, weight)| f64::from(weight)).sum()
        }
        None if is_node_below => 1.0,
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{LocalTransform, Rig, builtin, gltf};

    #[test]
    fn descendants_are_those_that_parents_lead_to() {
        // Interleaved subtrees, and two roots.
        let parents = [None, Some(0), Some(0), Some(1), None, Some(2), Some(3), Some(4), Some(1)];
        let rig = Rig {
            parents: parents.to_vec(),
            rest: vec![LocalTransform::IDENTITY; parents.len()],
            ..Rig::default()
        };
        let model = Model { rig, ..Model::default() };
        let descent = Descent::new(&model);
        for node in 0..parents.len() {
            for below in 0..parents.len() {
                let up = |node: &usize| parents[*node].map(|parent| parent as usize);
                let expected = std::iter::successors(Some(below), up).any(|above| above == node);
                assert_eq!(descent.is_below(node, below), expected, "{node} {below}");
            }
        }
        assert!(!descent.is_below(0, 99) && !descent.is_below(99, 0));
    }

    #[test]
    fn a_cut_is_bent_by_the_joint_that_it_goes_through() {
        let model = gltf::load_bytes(&builtin::glb("twist").unwrap(), None).unwrap();
        let node = |name: &str| model.rig.names.iter().position(|known| known == name).unwrap();
        let descent = Descent::new(&model);
        let vertex = |vertex: usize| VertexIndex { instance: 0, primitive: 0, vertex };
        let count = model.meshes[0].primitives[0].positions.len();
        let upper = node("upper");
        let of_share = |range: std::ops::RangeInclusive<f64>| -> Vec<VertexIndex> {
            let is_there = |index: &VertexIndex| range.contains(&descent.share(&model, upper, *index));
            (0..count).map(vertex).filter(is_there).collect()
        };
        let is_bent = |cut: Vec<VertexIndex>| is_bent(&model, (&descent, upper), cut.into_iter());
        assert!(is_bent(of_share(0.2..=0.8)));
        assert!(!is_bent(of_share(0.0..=0.05)) && !is_bent(of_share(0.95..=1.0)));
    }
}
