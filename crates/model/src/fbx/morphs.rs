//! Blend shapes. Each shape of a channel, in-betweens included, becomes a morph target. A channel's weight determines
//! the weight of each of its shapes.

use super::Work;
use crate::Rig;
use crate::reading::LoadError;

/// A shape as a morph target.
pub struct Target<'a> {
    pub name: String,
    pub shape: &'a ufbx::BlendShape,
    /// The channel that moves it.
    pub channel: &'a ufbx::BlendChannel,
    /// Index of the shape in its channel.
    pub number: usize,
}

impl Target<'_> {
    /// The target's weight where the channel has this one.
    pub fn weight(&self, channel: f64) -> f64 {
        let keys: Vec<f64> = self.channel.keyframes.iter().map(|key| key.target_weight).collect();
        let weight = share(&keys, self.number, channel);
        if (weight as f32).is_finite() { weight } else { 0.0 }
    }
}

/// Returns all shapes of a mesh.
pub fn targets_of(mesh: &ufbx::Mesh) -> Vec<Target<'_>> {
    let channels = mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
    let shapes = |channel| {
        let channel: &ufbx::BlendChannel = channel;
        channel.keyframes.iter().enumerate().map(move |(number, key)| {
            let shape = &*key.shape;
            let name = match channel.keyframes.len() {
                1 => channel.element.name.to_string(),
                _ => shape.element.name.to_string(),
            };
            Target { name, shape, channel, number }
        })
    };
    channels.flat_map(|channel| shapes(channel)).collect()
}

/// Returns the weight of the shape with this number, in a channel whose shapes have full weight at `keys`. Weights are
/// interpolated from 0 and from shape to shape, and extrapolated beyond the last.
fn share(keys: &[f64], number: usize, weight: f64) -> f64 {
    let negative = keys.iter().take_while(|key| **key < 0.0).count();
    let outwards: Vec<usize> = match weight > 0.0 {
        true => (negative..keys.len()).collect(),
        false => (0..negative).rev().collect(),
    };
    if outwards.is_empty() {
        // The line of the other side goes on through 0.
        let nearest = if weight > 0.0 { negative.checked_sub(1) } else { Some(negative) };
        let key = nearest.filter(|nearest| *nearest == number).and_then(|nearest| keys.get(nearest));
        return key.map_or(0.0, |key| weight / key);
    }
    let reached = |at: &usize| keys.get(*at).is_some_and(|key| key.abs() > weight.abs());
    let next = outwards.iter().position(reached).unwrap_or(outwards.len().saturating_sub(1));
    let key = |place: usize| outwards.get(place).and_then(|at| keys.get(*at)).copied().unwrap_or(0.0);
    let before = next.checked_sub(1).map_or(0.0, key);
    let distance = key(next) - before;
    // Of shapes that are whole at the same weight, the last.
    let part = if distance == 0.0 { 1.0 } else { (weight - before) / distance };
    let is = |place: Option<usize>| place.and_then(|place| outwards.get(place)) == Some(&number);
    if is(Some(next)) {
        part
    } else if is(next.checked_sub(1)) {
        1.0 - part
    } else {
        0.0
    }
}

/// Bytes that one weight takes in the rig, in poses and on the way to the GPU.
const WEIGHT_BYTES: usize = 24;

/// Sets the weights that nodes have as the file opens.
pub fn set_rest(
    scene: &ufbx::Scene,
    targets: &[Vec<Target<'_>>],
    rig: &mut Rig,
    work: &mut Work<'_>,
) -> Result<(), LoadError> {
    for (number, node) in scene.nodes.iter().enumerate() {
        let mesh = node.mesh.as_ref().and_then(|mesh| targets.get(mesh.element.typed_id as usize));
        work.budget.charge(&format!("nodes[{number}]"), mesh.map_or(0, Vec::len), WEIGHT_BYTES)?;
        let weights = mesh.into_iter().flatten().map(|target| target.weight(target.channel.weight) as f32);
        rig.rest_weights.extend(weights);
        rig.weight_ends.push(rig.rest_weights.len() as u32);
    }
    Ok(())
}

/// Nodes that are not the file's have no weights: copies of bones, and the nodes of cameras and lights.
pub fn pad_rest(rig: &mut Rig) {
    rig.weight_ends.resize(rig.len(), rig.rest_weights.len() as u32);
    if rig.rest_weights.is_empty() {
        rig.weight_ends.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn in_betweens_are_reached_in_lines() {
        let keys = [-0.5, -0.25, 0.5, 1.0];
        let shares = |weight| [0, 1, 2, 3].map(|number| share(&keys, number, weight));
        assert_eq!(shares(0.0), [0.0, 0.0, 0.0, 0.0]);
        assert_eq!(shares(0.25), [0.0, 0.0, 0.5, 0.0]);
        assert_eq!(shares(0.5), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(shares(0.75), [0.0, 0.0, 0.5, 0.5]);
        assert_eq!(shares(1.5), [0.0, 0.0, -1.0, 2.0]);
        assert_eq!(shares(-0.125), [0.0, 0.5, 0.0, 0.0]);
        assert_eq!(shares(-0.375), [0.5, 0.5, 0.0, 0.0]);
        assert_eq!(shares(-1.0), [3.0, -2.0, 0.0, 0.0]);
        assert_eq!(share(&[1.0], 0, -1.0), -1.0);
        assert_eq!([0, 1].map(|number| share(&[0.5, 0.5], number, 0.5)), [0.0, 1.0]);
    }
}
