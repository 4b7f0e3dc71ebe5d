//! The times of a clip that verification checks: every key of a channel that moves the picture, and one between
//! every two. They depend only on the model and the number wanted, so all machines check the same poses.

use std::fmt;
use std::str::FromStr;

use sinew_model::{Clip, Model, Property};
use sinew_skinning::skin_of;

/// The place between two keys: the golden section, where no exporter puts a key.
const BETWEEN: f64 = 0.381_966_011_250_105;

/// A clip's ends are always checked.
const ENDS: usize = 2;

/// How many times of a clip to check, at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Samples {
    /// All of them.
    All,
    /// At most this many, but at least the two ends.
    AtMost(usize),
}

impl Default for Samples {
    fn default() -> Self {
        Self::AtMost(400)
    }
}

impl fmt::Display for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.pad("all"),
            Self::AtMost(most) => most.fmt(f),
        }
    }
}

/// Text that is no number of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a whole number from 2 up, or all")]
pub struct NoSamples;

impl FromStr for Samples {
    type Err = NoSamples;

    fn from_str(text: &str) -> Result<Self, NoSamples> {
        match text {
            "all" => Ok(Self::All),
            number => number.parse().ok().filter(|most| *most >= ENDS).map(Self::AtMost).ok_or(NoSamples),
        }
    }
}

/// Times of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// The times to check, in seconds, rising.
    pub chosen: Vec<f64>,
    /// How many there are to choose from.
    pub of: usize,
}

/// The times of a clip to check. If there are more than wanted, the first and the last stay, keys take
/// precedence over times between them, and the rest is spread evenly.
pub fn times(model: &Model, clip: &Clip, samples: Samples) -> Times {
    let keys = keys(model, clip);
    let between: Vec<f64> = keys.windows(2).filter_map(|pair| between(pair[0], pair[1])).collect();
    let of = keys.len() + between.len();
    let most = match samples {
        Samples::All => of,
        Samples::AtMost(most) => most.max(ENDS),
    };
    let mut chosen = spread(&keys, most);
    chosen.extend(spread(&between, most.saturating_sub(chosen.len())));
    chosen.sort_by(f64::total_cmp);
    Times { chosen, of }
}

/// The key times of channels that move the picture, and the clip's ends, each once.
fn keys(model: &Model, clip: &Clip) -> Vec<f64> {
    let moving = Moving::new(model);
    let channels = clip.channels.iter().filter(|channel| moving.has(model, channel.node, channel.property));
    let mut keys: Vec<f64> =
        channels.flat_map(|channel| &channel.times).map(|&secs| f64::from(secs)).collect();
    keys.extend([0.0, f64::from(clip.duration_secs)]);
    keys.sort_by(f64::total_cmp);
    // Not by their bits: -0 and 0 are one time.
    keys.dedup_by(|a, b| a == b);
    keys
}

/// A time between two keys, unless no number lies between them.
fn between(before: f64, after: f64) -> Option<f64> {
    let time = before + (after - before) * BETWEEN;
    (before < time && time < after).then_some(time)
}

/// This many of a list, evenly spread, with the first and the last.
fn spread(list: &[f64], most: usize) -> Vec<f64> {
    if list.len() <= most {
        return list.to_vec();
    }
    let last = list.len() - 1;
    let steps = most.saturating_sub(1).max(1);
    // In integers, so that all machines round alike.
    let place = |number: usize| (number as u128 * last as u128 / steps as u128) as usize;
    (0..most).filter_map(|number| list.get(place(number))).copied().collect()
}

/// The nodes of a rig that move the picture.
struct Moving {
    /// Nodes whose transforms do.
    transforms: Vec<bool>,
    /// Nodes whose morph weights do.
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

    /// Marks a node and all above it.
    fn mark(&mut self, model: &Model, node: usize) {
        let mut next = Some(node);
        while let Some(node) = next {
            match self.transforms.get_mut(node) {
                Some(marked) if !*marked => *marked = true,
                // If a node is marked, so are all above it.
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
