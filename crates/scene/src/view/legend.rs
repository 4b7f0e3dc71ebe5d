//! Legends: the meaning of a view's colours.

use std::collections::HashSet;

use super::facts::{Ramp, Scale};
use super::joint_colors::JointColors;
use super::weights::influences;
use sinew_model::{Instance, Model};

/// Number of steps of a legend's ramp: a multiple of both three and eight.
pub const RAMP_STEPS: u8 = 96;

/// The meaning of a view's colours.
#[derive(Clone, Debug, PartialEq)]
pub enum Legend {
    /// List of named colours, in sRGB.
    List {
        /// The first entries.
        entries: Vec<([u8; 3], String)>,
        /// Number of further entries.
        more: usize,
        /// True if some parts have no joints, and are hatched.
        hatched: bool,
    },
    /// A colour for each number from 0 to 1.
    Ramp {
        /// The name of the number.
        title: String,
        /// Numbers with their labels, in rising order.
        ticks: Vec<(f32, String)>,
        /// Colours in sRGB, in even steps from 0 to 1.
        colors: Vec<[u8; 3]>,
    },
}

/// Returns a legend of numbers from 0 to 1.
pub fn ramp(title: String, ticks: Vec<(f32, String)>, color: impl Fn(f32) -> [u8; 3]) -> Legend {
    let colors = (0..=RAMP_STEPS).map(|step| color(f32::from(step) / f32::from(RAMP_STEPS))).collect();
    Legend::Ramp { title, ticks, colors }
}

impl Scale {
    /// Returns the meaning of the colours; `of` is the view's parameter.
    pub fn legend(&self, of: Option<String>, flat: bool) -> Legend {
        let title = of.map_or_else(|| self.title.to_owned(), |of| format!("{} {of}", self.title));
        let ticks = self.ticks.iter().map(|(at, text)| (*at, (*text).to_owned())).collect();
        ramp(title, ticks, |share| match self.ramp {
            Ramp::Rising => self.color(share, flat),
            Ramp::Balance => self.color(share * 2.0 - 1.0, flat),
        })
    }
}

/// The largest number of joints in a legend: more than fit any picture.
const MAX_NAMED: usize = 1000;

/// Lists the joints with weight on some drawn vertex, skin by skin, with their colours. The legend also notes if some
/// vertex has no joint.
pub fn weighted_joints(model: &Model, colors: &JointColors) -> Legend {
    let is_drawn = |mesh: usize| model.meshes.get(mesh).is_some_and(|mesh| !mesh.primitives.is_empty());
    let skinless = |shown: &Instance| shown.skin.is_none_or(|skin| skin >= model.skins.len());
    let mut hatched = model.instances.iter().any(|shown| skinless(shown) && is_drawn(shown.mesh));
    let (mut entries, mut more) = (Vec::new(), 0);
    let mut known = HashSet::new();
    for (number, skin) in model.skins.iter().enumerate() {
        let mut has_weight = vec![false; skin.joints.len()];
        let mut meshes: Vec<usize> = model
            .instances
            .iter()
            .filter(|shown| shown.skin == Some(number))
            .map(|shown| shown.mesh)
            .collect();
        meshes.sort_unstable();
        meshes.dedup();
        let meshes = meshes.into_iter().filter_map(|mesh| model.meshes.get(mesh));
        for primitive in meshes.flat_map(|mesh| &mesh.primitives) {
            for vertex in 0..primitive.positions.len() {
                let mut is_moved = false;
                for (joint, _) in influences(primitive, Some(skin), vertex) {
                    if let Some(has_weight) = has_weight.get_mut(joint) {
                        *has_weight = true;
                        is_moved = true;
                    }
                }
                hatched |= !is_moved;
            }
        }
        for (joint, (node, _)) in skin.joints.iter().zip(has_weight).enumerate().filter(|(_, (_, has))| *has)
        {
            if !known.insert(*node) {
                continue;
            }
            if entries.len() == MAX_NAMED {
                more += 1;
                continue;
            }
            let name = model.rig.names.get(*node).filter(|name| !name.is_empty());
            entries.push((colors.of(*node), name.map_or_else(|| format!("joint {joint}"), String::clone)));
        }
    }
    Legend::List { entries, more, hatched }
}
