//! The joints of a rig by the parts of a human skeleton.

use std::collections::{BTreeMap, HashMap};

use super::part::Part;

/// The joints of each part that a rig has.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    parts: BTreeMap<Part, Vec<usize>>,
    /// The part of each joint; true if only the shape of the tree says so.
    joints: HashMap<usize, (Part, bool)>,
}

impl Figure {
    /// Adds a part, unless it has joints or one of these is another part. `by_shape` says where it comes from.
    pub fn add(&mut self, part: Part, joints: &[usize], by_shape: bool) {
        let is_free =
            !self.parts.contains_key(&part) && joints.iter().all(|joint| !self.joints.contains_key(joint));
        if is_free && !joints.is_empty() {
            self.joints.extend(joints.iter().map(|joint| (*joint, (part, by_shape))));
            self.parts.insert(part, joints.to_vec());
        }
    }

    /// Returns the joints of a part.
    pub fn joints(&self, part: Part) -> &[usize] {
        self.parts.get(&part).map_or(&[], Vec::as_slice)
    }

    /// Returns the first joint of a part.
    pub fn joint(&self, part: Part) -> Option<usize> {
        self.joints(part).first().copied()
    }

    /// Returns true if a part has joints.
    pub fn has(&self, part: Part) -> bool {
        self.parts.contains_key(&part)
    }

    /// Returns all parts with joints, in a fixed order.
    pub fn parts(&self) -> impl Iterator<Item = (Part, &[usize])> {
        self.parts.iter().map(|(part, joints)| (*part, joints.as_slice()))
    }

    /// Returns the part of a joint.
    pub fn part_of(&self, joint: usize) -> Option<Part> {
        self.joints.get(&joint).map(|(part, _)| *part)
    }

    /// Returns true if only the shape of the tree names the joint's part.
    pub fn is_by_shape(&self, joint: usize) -> bool {
        self.joints.get(&joint).is_some_and(|(_, by_shape)| *by_shape)
    }
}
