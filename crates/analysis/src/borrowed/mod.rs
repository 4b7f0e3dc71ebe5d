//! The report on clips from another file: the pairs of joints, the difference of the rest poses, and the conversion of each
//! clip.

pub mod text;

use serde::Serialize;
use sinew_model::{Model, Property};
use sinew_skinning::pairing::clip_name;
use sinew_skinning::pose::Names;
use sinew_skinning::retarget::{Borrowed, Carried, Match};

/// The report on one file of clips.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The file as given.
    pub file: String,
    /// The number of its nodes that its clips move.
    pub moving: usize,
    /// The number of these with a pair.
    pub moving_matched: usize,
    /// The rotation of the model's skeleton in the world, if it is otherwise the same; else 0.
    pub turn_degrees: f64,
    /// The pairs, in the order of the model's rig.
    pub pairs: Vec<Pair>,
    /// Joints of the model without a pair.
    pub unmatched: Vec<String>,
    /// Joints and moving nodes of the file without a pair.
    pub unmatched_in_file: Vec<Stray>,
    /// The file's clips.
    pub clips: Vec<Clip>,
}

/// A joint of the model and the joint that it follows.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// The joint in the model.
    pub joint: String,
    /// The joint in the file of the clips.
    pub follows: String,
    /// The criterion that paired them.
    pub by: &'static str,
    /// The turn between their axes in both rest poses, in the world.
    pub rest_degrees: f64,
    /// The angle between their bones in both rest poses, in the world.
    pub bone_degrees: Option<f64>,
    /// The length of the bone relative to the file's; the height for a joint that moves the whole figure.
    pub length_ratio: Option<f64>,
    /// True if its translation moves the whole figure.
    pub is_root: bool,
}

/// A node of the file without a pair.
#[derive(Clone, Debug, Serialize)]
pub struct Stray {
    /// The name.
    pub name: String,
    /// True if several joints share the name.
    pub is_ambiguous: bool,
}

/// A clip of the file.
#[derive(Clone, Debug, Serialize)]
pub struct Clip {
    /// The name in the file, or its number.
    pub name: String,
    /// The name beside the model's own clips.
    pub plays_as: String,
    /// The length in seconds.
    pub duration_secs: f32,
    /// The number of channels that keep their bits.
    pub as_is: usize,
    /// The number of channels that are converted key by key.
    pub converted: usize,
    /// The number of channels that are resampled.
    pub resampled: usize,
    /// Channels that are left out.
    pub dropped: Vec<Dropped>,
}

/// A channel that is left out.
#[derive(Clone, Debug, Serialize)]
pub struct Dropped {
    /// The node of the file that the channel moves.
    pub node: String,
    /// The animated property.
    pub property: &'static str,
    /// The reason.
    pub why: &'static str,
}

/// Makes the report on one file; its clips get these names.
pub fn report(
    file: String,
    (model, source): (&Model, &Model),
    matched: &Match,
    clips: &[(Borrowed, String)],
) -> Report {
    let (there, here) = (Names::new(model), Names::new(source));
    let pairs = matched.pairs.iter().map(|pair| Pair {
        joint: there.node_name(pair.target),
        follows: here.node_name(pair.source),
        by: pair.by.name(),
        rest_degrees: pair.rest_degrees,
        bone_degrees: pair.bone_degrees,
        length_ratio: pair.length_ratio,
        is_root: pair.is_root,
    });
    let strays = matched.strays.iter().map(|stray| Stray {
        // If several joints have one name, the name is the relevant part.
        name: match source.rig.names.get(stray.node) {
            Some(name) if stray.is_ambiguous => name.clone(),
            _ => here.node_name(stray.node),
        },
        is_ambiguous: stray.is_ambiguous,
    });
    let (moving, moving_matched) = matched.animated;
    Report {
        file,
        moving,
        moving_matched,
        turn_degrees: 2.0 * matched.turn.xyz().length().atan2(matched.turn.w.abs()).to_degrees(),
        pairs: pairs.collect(),
        unmatched: matched.unmatched.iter().map(|node| there.node_name(*node)).collect(),
        unmatched_in_file: strays.collect(),
        clips: clips.iter().enumerate().map(|(number, clip)| carried(source, &here, number, clip)).collect(),
    }
}

fn carried(source: &Model, names: &Names, number: usize, (found, plays_as): &(Borrowed, String)) -> Clip {
    let count = |how: Carried| found.carried.iter().filter(|carried| **carried == how).count();
    let channels = source.clips.get(number).map_or(&[][..], |clip| &clip.channels);
    let dropped = channels.iter().zip(&found.carried).filter_map(|(channel, how)| match how {
        Carried::Dropped(_) => Some(Dropped {
            node: names.node_name(channel.node),
            property: property_name(channel.property),
            why: how.name(),
        }),
        Carried::AsIs | Carried::Converted | Carried::Resampled => None,
    });
    Clip {
        name: clip_name(source, number),
        plays_as: plays_as.clone(),
        duration_secs: found.clip.duration_secs,
        as_is: count(Carried::AsIs),
        converted: count(Carried::Converted),
        resampled: count(Carried::Resampled),
        dropped: dropped.collect(),
    }
}

fn property_name(property: Property) -> &'static str {
    match property {
        Property::Translation => "translation",
        Property::Rotation => "rotation",
        Property::Scale => "scale",
        Property::Weights | Property::Weight(_) => "weights",
    }
}
