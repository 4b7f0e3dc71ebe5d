//! The positions of a skin's joints in the bind pose, and the directions of their bones.

use glam::{DAffine3, DMat3, DVec3};

use sinew_model::{Rig, Skin};

/// The distance, in units of their coordinates, below which a direction between two joints is noise.
const APART: f64 = 1e-6;

/// The length below which the sum of two bones' directions at a joint means that they are opposite.
const OPPOSITE: f64 = 1e-3;

/// A joint of a skin with a bone.
pub struct Bone {
    /// The index in the skin.
    pub joint: usize,
    /// The index in the rig.
    pub node: usize,
    /// The position of the joint in the bind pose.
    pub at: DVec3,
    /// The direction of its bones there: the sum of the direction from its parent joint and that to the middle of its child
    /// joints, length one.
    pub along: DVec3,
}

impl Bone {
    /// Returns the bone in the units and axes in which the skin draws its bind pose.
    pub fn placed(self, axes: &DMat3) -> Self {
        let along = (*axes * self.along).normalize_or(self.along);
        Self { at: *axes * self.at, along, ..self }
    }
}

/// A depth-first walk of the rig: all nodes below a node follow it.
pub struct Walk {
    /// The time at which the walk reaches each node.
    enters: Vec<usize>,
    /// The time at which it has left everything below the node.
    leaves: Vec<usize>,
}

/// A joint while its bones are collected.
struct Joint {
    joint: usize,
    node: usize,
    at: DVec3,
    from_parent: Option<DVec3>,
    children: DVec3,
    child_count: f64,
}

impl Walk {
    /// Walks a rig.
    pub fn new(rig: &Rig) -> Self {
        let parent = |node: usize| rig.parents.get(node).copied().flatten().map(|parent| parent as usize);
        let mut sizes = vec![1usize; rig.len()];
        for node in (0..rig.len()).rev() {
            let size = sizes.get(node).copied().unwrap_or_default();
            if let Some(above) = parent(node).and_then(|parent| sizes.get_mut(parent)) {
                *above = above.saturating_add(size);
            }
        }
        // The time at which the next child of each node is reached.
        let mut next = vec![0usize; rig.len()];
        let mut next_root = 0usize;
        let mut walk = Self { enters: Vec::new(), leaves: Vec::new() };
        for (node, &size) in sizes.iter().enumerate() {
            let time = parent(node).and_then(|parent| next.get_mut(parent)).unwrap_or(&mut next_root);
            let enter = *time;
            *time = enter.saturating_add(size);
            walk.enters.push(enter);
            walk.leaves.push(enter.saturating_add(size));
            if let Some(first_child) = next.get_mut(node) {
                *first_child = enter.saturating_add(1);
            }
        }
        walk
    }
}

/// Returns the joints of a skin that have a position in the bind pose and a bone. A joint's parent is the next joint of the
/// skin above it.
pub fn bones(skin: &Skin, walk: &Walk) -> Vec<Bone> {
    let mut joints: Vec<Joint> = placed(skin, walk);
    joints.sort_by_key(|joint| walk.enters.get(joint.node));
    // The joints from a root down to the current one, as indices.
    let mut above: Vec<usize> = Vec::new();
    for number in 0..joints.len() {
        let entered = walk.enters.get(joints[number].node);
        while above.last().is_some_and(|&last| walk.leaves.get(joints[last].node) <= entered) {
            above.pop();
        }
        if let Some(&parent) = above.last() {
            let at = joints[number].at;
            joints[number].from_parent = direction(joints[parent].at, at);
            joints[parent].children += at;
            joints[parent].child_count += 1.0;
        }
        above.push(number);
    }
    joints.sort_by_key(|joint| joint.joint);
    let bone = |joint: &Joint| {
        Some(Bone { joint: joint.joint, node: joint.node, at: joint.at, along: joint.along()? })
    };
    joints.iter().filter_map(bone).collect()
}

/// Returns the joints with an invertible inverse bind matrix and a node in the rig.
fn placed(skin: &Skin, walk: &Walk) -> Vec<Joint> {
    let numbered = skin.joints.iter().enumerate().filter(|(_, node)| **node < walk.enters.len());
    let placed = numbered.filter_map(|(joint, &node)| {
        let joint_from_bind = skin.joint_from_bind.get(joint).copied().unwrap_or_default();
        let at = DAffine3::from_mat4(joint_from_bind).inverse().translation;
        let none = DVec3::ZERO;
        let found = Joint { joint, node, at, from_parent: None, children: none, child_count: 0.0 };
        at.is_finite().then_some(found)
    });
    placed.collect()
}

impl Joint {
    fn along(&self) -> Option<DVec3> {
        let to_children =
            if self.child_count > 0.0 { direction(self.at, self.children / self.child_count) } else { None };
        match (self.from_parent, to_children) {
            (Some(from), Some(to)) if (from + to).length() > OPPOSITE => (from + to).try_normalize(),
            (from, to) => from.or(to),
        }
    }
}

/// Returns the direction from one position to another, unless they are the same but for rounding.
fn direction(from: DVec3, to: DVec3) -> Option<DVec3> {
    let size = from.abs().max_element().max(to.abs().max_element());
    let way = to - from;
    if way.length() > APART * size { way.try_normalize() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DMat4;
    use std::sync::Arc;

    /// Makes a rig by its parents, and a skin of some of its nodes at some positions.
    fn rig_and_skin(parents: &[Option<u32>], joints: &[(usize, [f64; 3])]) -> (Rig, Skin) {
        let rig = Rig { parents: parents.to_vec(), ..Rig::default() };
        let inverse = |at: &[f64; 3]| DMat4::from_translation(-DVec3::from_array(*at));
        let skin = Skin {
            joints: joints.iter().map(|joint| joint.0).collect(),
            joint_from_bind: joints.iter().map(|joint| inverse(&joint.1)).collect(),
            ..Skin::default()
        };
        (rig, skin)
    }

    #[test]
    fn bones_run_from_the_parent_joint_to_the_middle_of_the_children() {
        // 0 has 1 and 4; 1 has 2; 2 has 3 and 5. Node 2 is not a joint.
        let parents = [None, Some(0), Some(1), Some(2), Some(0), Some(2)];
        let places =
            [(5, [1.0, 3.0, 0.0]), (3, [-1.0, 3.0, 0.0]), (1, [0.0, 1.0, 0.0]), (0, [0.0; 3]), (4, [0.0; 3])];
        let (rig, skin) = rig_and_skin(&parents, &places);
        let found = bones(&skin, &Walk::new(&rig));
        let named: Vec<_> = found.iter().map(|bone| (bone.joint, bone.node)).collect();
        // Node 4 is at its parent's position.
        assert_eq!(named, [(0, 5), (1, 3), (2, 1), (3, 0)]);
        let close = |bone: usize, along: [f64; 3]| {
            let along = DVec3::from_array(along).normalize();
            assert!(found[bone].along.distance(along) < 1e-12, "{bone}: {}", found[bone].along);
        };
        close(0, [1.0, 2.0, 0.0]);
        close(1, [-1.0, 2.0, 0.0]);
        close(2, [0.0, 1.0, 0.0]);
        close(3, [0.0, 1.0, 0.0]);
    }

    #[test]
    fn joints_without_a_place_or_a_node_have_no_bone() {
        let (rig, mut skin) =
            rig_and_skin(&[None, Some(0)], &[(0, [0.0; 3]), (1, [0.0, 1.0, 0.0]), (9, [1.0; 3])]);
        assert_eq!(bones(&skin, &Walk::new(&rig)).len(), 2);
        Arc::make_mut(&mut skin.joint_from_bind)[1] = DMat4::ZERO;
        assert_eq!(bones(&skin, &Walk::new(&rig)).len(), 0);
        skin.joint_from_bind = [].into();
        assert_eq!(bones(&skin, &Walk::new(&rig)).len(), 0);
    }
}
