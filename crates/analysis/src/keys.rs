//! The key times of a clip with a visible effect.

use sinew_model::{Channel, Clip, Model, Property};
use sinew_skinning::skin_of;

/// Finds key times in the clips of a model.
pub struct Keys<'a> {
    /// The model.
    pub model: &'a Model,
    moving: Moving,
}

impl<'a> Keys<'a> {
    /// Prepares a model for all its clips.
    pub fn new(model: &'a Model) -> Self {
        Self { model, moving: Moving::new(model) }
    }

    /// Returns the key times of channels that change the picture, and the clip's ends, each once.
    pub fn of(&self, clip: &Clip) -> Vec<f64> {
        let moves = |channel: &&Channel| self.moving.has(self.model, channel.node, channel.property);
        let channels = clip.channels.iter().filter(moves);
        let mut keys: Vec<f64> =
            channels.flat_map(|channel| &channel.times).map(|&secs| f64::from(secs)).collect();
        let period = self.model.period_of(clip);
        keys.extend([period.start, period.end]);
        keys.sort_by(f64::total_cmp);
        // Not by their bits: -0 and 0 are one time.
        keys.dedup_by(|a, b| a == b);
        keys
    }
}

/// The nodes of a rig that affect the picture.
struct Moving {
    /// True for nodes whose transforms do.
    transforms: Vec<bool>,
    /// True for nodes whose morph weights do.
    weights: Vec<bool>,
}

impl Moving {
    fn new(model: &Model) -> Self {
        let nodes = model.rig.len();
        let mut moving = Self { transforms: vec![false; nodes], weights: vec![false; nodes] };
        for instance in &model.instances {
            let original = match model.rig.copy_number(instance.node) {
                Some(_) => model.rig.parents.get(instance.node).copied().flatten().map(|node| node as usize),
                None => Some(instance.node),
            };
            if let Some(weights) = original.and_then(|node| moving.weights.get_mut(node)) {
                *weights = true;
            }
            let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
            for primitive in primitives {
                match skin_of(model, instance, primitive.influences.is_some()) {
                    Some(skin) => skin.joints.iter().for_each(|&joint| moving.mark(model, joint)),
                    None => moving.mark(model, instance.node),
                }
            }
        }
        moving
    }

    /// Marks a node and its ancestors.
    fn mark(&mut self, model: &Model, node: usize) {
        let mut next = Some(node);
        while let Some(node) = next {
            match self.transforms.get_mut(node) {
                Some(marked) if !*marked => *marked = true,
                // If a node is marked, so are its ancestors.
                _ => return,
            }
            next = model.rig.parents.get(node).copied().flatten().map(|parent| parent as usize);
        }
    }

    fn has(&self, model: &Model, node: usize, property: Property) -> bool {
        let moved = match property {
            Property::Translation | Property::Rotation | Property::Scale => self.transforms.get(node),
            Property::Weights | Property::Weight(_) => {
                self.weights.get(node).filter(|_| !model.rig.weights_of(node).is_empty())
            }
        };
        moved.copied().unwrap_or(false)
    }
}
