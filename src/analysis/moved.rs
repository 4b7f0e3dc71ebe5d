//! How much of each vertex turns with a joint.

use sinew_model::{Instance, Model, Primitive};
use sinew_skinning::{Drawn, skin_of};

/// For each drawn vertex, the share of its weight that turns with a node: the node's and that of all nodes below it.
pub fn shares(model: &Model, node: usize, drawn: &Drawn) -> Vec<f64> {
    let is_below = below(model, node);
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

/// The share of a vertex's weight that turns with the nodes.
fn share<'a>(
    model: &'a Model,
    instance: &Instance,
    primitive: &'a Primitive,
    is_below: &'a [bool],
) -> impl Fn(usize) -> f64 + use<'a> {
    let is_node_below = is_below.get(instance.node).copied().unwrap_or(false);
    let skin = skin_of(model, instance, primitive.influences.is_some());
    let has = move |joint: i32| {
        let node = usize::try_from(joint).ok().and_then(|joint| skin?.joints.get(joint));
        node.and_then(|node| is_below.get(*node)).copied().unwrap_or(false)
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

/// For each node, whether it is the given one or below it.
fn below(model: &Model, node: usize) -> Vec<bool> {
    let mut is_below: Vec<bool> = Vec::with_capacity(model.rig.parents.len());
    // Parents come before children.
    for (number, parent) in model.rig.parents.iter().enumerate() {
        let is_parent_below = parent.and_then(|parent| is_below.get(parent as usize).copied());
        is_below.push(number == node || is_parent_below.unwrap_or(false));
    }
    is_below
}
