//! Rewrites every node of a rig so that a file can hold it, and adds nodes that follow the morph weights of others.

use std::collections::HashMap;

use sinew_model::{Channel, Driver, LocalTransform, Model, Property};

/// Turns copies of nodes, which share their original's morph weights, into nodes with separate weights. Also gives nodes
/// that clips move translation, rotation and scale, which the format requires.
pub(super) fn own_all(model: &mut Model) {
    let rig = &mut model.rig;
    let mut weights = Vec::new();
    let mut ends = Vec::with_capacity(rig.len());
    for node in 0..rig.len() {
        weights.extend_from_slice(rig.rest_weights.get(rig.weights_of(node)).unwrap_or_default());
        ends.push(u32::try_from(weights.len()).unwrap_or(u32::MAX));
    }
    let original = |node: usize| {
        rig.copy_number(node)
            .and(rig.parents.get(node).copied().flatten())
            .map(|parent| (parent as usize, node))
    };
    let copies: Vec<(usize, usize)> = (0..rig.len()).filter_map(original).collect();
    (rig.rest_weights, rig.weight_ends, rig.copies) = (weights, ends, Vec::new());
    // The file will number nodes in the rig's order.
    rig.file_index = (0u32..).take(rig.len()).collect();
    play_along(model, &copies);
    let channels = model.clips.iter().flat_map(|clip| &clip.channels);
    for channel in channels.filter(|channel| !is_weight(channel)) {
        let Some(local) = model.rig.rest.get_mut(channel.node) else { continue };
        if let LocalTransform::Matrix(matrix) = local {
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            let rotation = if rotation.is_finite() { rotation } else { glam::DQuat::IDENTITY };
            *local = LocalTransform::Trs { translation, rotation, scale };
        }
    }
}

/// Adds a node with the morph weights of another one, and returns its index. The node is a sibling, as the format requires
/// for nodes that joints move, or a child.
pub(super) fn add(model: &mut Model, node: usize, is_below: bool, name: String) -> usize {
    let rig = &mut model.rig;
    let added = rig.len();
    rig.names.push(name);
    rig.parents.push(match is_below {
        true => u32::try_from(node).ok(),
        false => rig.parents.get(node).copied().flatten(),
    });
    rig.rest.push(LocalTransform::IDENTITY);
    rig.file_index.push(u32::try_from(added).unwrap_or(u32::MAX));
    let weights = rig.rest_weights.get(rig.weights_of(node)).unwrap_or_default().to_vec();
    rig.rest_weights.extend(weights);
    rig.weight_ends.push(u32::try_from(rig.rest_weights.len()).unwrap_or(u32::MAX));
    added
}

/// Copies the drivers and the clips' keys of morph weights to other nodes: each pair is a node that has them and one that gets them.
pub(super) fn play_along(model: &mut Model, pairs: &[(usize, usize)]) {
    if pairs.is_empty() {
        return;
    }
    let mut followers: HashMap<usize, Vec<usize>> = HashMap::new();
    for &(leader, follower) in pairs {
        followers.entry(leader).or_default().push(follower);
    }
    let driven = model.rig.drivers.iter().flat_map(|driver| {
        let nodes = followers.get(&driver.node).into_iter().flatten();
        nodes.map(|&node| Driver { node, ..driver.clone() })
    });
    let driven: Vec<Driver> = driven.collect();
    model.rig.drivers.extend(driven);
    for clip in &mut model.clips {
        let leading = clip.channels.iter().filter(|channel| is_weight(channel));
        let following = leading.flat_map(|channel| {
            let nodes = followers.get(&channel.node).into_iter().flatten();
            nodes.map(|&node| Channel { node, ..channel.clone() })
        });
        let following: Vec<Channel> = following.collect();
        clip.channels.extend(following);
    }
}

fn is_weight(channel: &Channel) -> bool {
    matches!(channel.property, Property::Weights | Property::Weight(_))
}
