//! Places of nodes at a time. `ufbx` evaluates a node's own properties; the scales that it inherits are multiplied here.
//! `ufbx` takes one that the file leaves out for zero, and one beside an overridden property for the scale at rest. Its
//! helpers scale about the origin of their node, and not the pivots of nodes below. Without helpers `ufbx` scales about the
//! scaling pivot, and all pivots below, as the FBX SDK does.

use std::collections::HashSet;
use std::iter;

use glam::DVec3;

use super::curves::{Rounded, SCALING, TRANSLATION};
use super::matrices::{quat, vec3, vector};

/// A node's transform without the scales of helpers: `IGNORE_SCALE_HELPER` and `IGNORE_COMPONENTWISE_SCALE` of `ufbx`.
const OWN: u32 = 0x3;

/// The point that a node is scaled about.
const PIVOT: &str = "ScalingPivot";

/// Evaluates nodes of a stack.
pub struct Places<'a> {
    pub scene: &'a ufbx::Scene,
    pub stack: &'a ufbx::AnimStack,
    pub rounded: &'a Rounded<'a>,
}

impl Places<'_> {
    /// A node's place in its parent.
    pub fn at(&self, node: &ufbx::Node, time: f64) -> ufbx::Transform {
        let mut place = self.own(node, time);
        if let Some(helper) = &node.scale_helper {
            let pivot = ufbx::evaluate_prop(&self.stack.anim, &node.element, PIVOT, time).value_vec4;
            scale_about(&mut place, first_three(&pivot), vec3(&self.own(helper, time).scale));
        }
        let helpers = scaled_by(node).map(|helper| vec3(&self.own(helper, time).scale));
        scale(&mut place, node, helpers.product());
        place
    }

    fn own(&self, node: &ufbx::Node, time: f64) -> ufbx::Transform {
        let meant = self.rounded.anim(self.scene, node, time);
        let anim = meant.as_deref().unwrap_or(&self.stack.anim);
        ufbx::evaluate_transform_flags(anim, node, time, OWN)
    }
}

/// A node's place in its parent as the file opens.
pub fn at_rest(node: &ufbx::Node) -> ufbx::Transform {
    let mut place = node.local_transform;
    // A helper's scale has those it inherits. Those below it have it in their translation, but not in their pivots.
    let helper = scaled_by(node).next().filter(|_| !node.is_scale_helper);
    let scaled = helper.map(|helper| vec3(&helper.local_transform.scale));
    if let Some((scaled, own)) = scaled.zip(of(node, TRANSLATION)) {
        place.translation = vector(vec3(&place.translation) + own - own * scaled);
    }
    if let Some(helper) = &node.scale_helper {
        let pivot = of(node, PIVOT).unwrap_or(DVec3::ZERO);
        scale_about(&mut place, pivot, of(helper, SCALING).unwrap_or(DVec3::ONE));
    }
    if let Some(scaled) = scaled {
        scale(&mut place, node, scaled);
    }
    place
}

/// A property of a node as the file opens.
fn of(node: &ufbx::Node, property: &str) -> Option<DVec3> {
    node.element.props.find_prop(property).map(|known| first_three(&known.value_vec4))
}

fn first_three(vector: &ufbx::Vec4) -> DVec3 {
    DVec3::new(vector.x, vector.y, vector.z)
}

/// Moves a node whose helper scales it about a pivot, which the helper does not have.
fn scale_about(place: &mut ufbx::Transform, pivot: DVec3, scale: DVec3) {
    place.translation = vector(vec3(&place.translation) + quat(&place.rotation) * (pivot - pivot * scale));
}

/// Scales a position: by a helper's own scale, or a node's distance from its parent, with all its pivots.
fn scale(place: &mut ufbx::Transform, node: &ufbx::Node, by: DVec3) {
    let scaled = if node.is_scale_helper { &mut place.scale } else { &mut place.translation };
    *scaled = vector(vec3(scaled) * by);
}

/// Returns the helpers whose scales affect a node's position. For a helper, these are the ones its node inherits; for
/// another node, those of its parent, if that has a helper.
pub fn scaled_by(node: &ufbx::Node) -> impl Iterator<Item = &ufbx::Node> {
    let parent = node.parent.as_deref();
    let first = match node.is_scale_helper {
        true => parent.and_then(|own| own.inherit_scale_node.as_deref()),
        false => parent,
    };
    let scaled = iter::successors(first, |scaled| scaled.inherit_scale_node.as_deref());
    scaled.map_while(|scaled| scaled.scale_helper.as_deref())
}

/// Returns whether any of these elements moves a node in its parent.
pub fn is_moved(node: &ufbx::Node, elements: &HashSet<u32>) -> bool {
    iter::once(node).chain(scaled_by(node)).any(|node| elements.contains(&node.element.element_id))
}
