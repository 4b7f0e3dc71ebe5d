//! From a pose to the palette: `world_from_bind` per joint in `f64`, and the 64-byte slots that shaders read.

use crate::fault;
use crate::mode::SkinningMode;
use crate::pose::{Joints, Pose};
use crate::slot::Slot;
use glam::DMat4;
use sinew_model::{Instance, Model, Skin};

/// Returns one matrix per joint of the skin, from bind space to the world: the joint's pose times the inverse of its bind
/// pose. In the bind pose they are identities.
pub fn world_from_bind(skin: &Skin, pose: &Pose) -> Vec<DMat4> {
    let mut out = Vec::with_capacity(skin.joints.len());
    world_from_bind_into(skin, pose, &mut out);
    out
}

/// Computes [`world_from_bind`] into a reused buffer.
pub fn world_from_bind_into(skin: &Skin, pose: &Pose, out: &mut Vec<DMat4>) {
    out.clear();
    let matrix = |(joint, &node): (usize, &usize)| {
        let world_from_joint = pose.world_from_node.get(node).copied().unwrap_or(DMat4::IDENTITY);
        let joint_from_bind = skin.joint_from_bind.get(joint).copied().unwrap_or(DMat4::IDENTITY);
        world_from_joint * joint_from_bind
    };
    let joints = skin.joints.iter().enumerate();
    let of_all = match pose.skins.joints {
        Joints::Each => None,
        Joints::Only(only, on_the_way) => {
            let found = joints.clone().find(|(_, node)| **node == only);
            found.map(|found| match on_the_way {
                None => matrix(found),
                Some(way) => way * skin.joint_from_bind.get(found.0).copied().unwrap_or(DMat4::IDENTITY),
            })
        }
        Joints::Bind => Some(DMat4::IDENTITY),
    };
    match of_all {
        Some(matrix) => out.resize(skin.joints.len(), matrix),
        None => out.extend(joints.map(matrix)),
    }
}

/// Returns the skin that moves a primitive of an instance; `None` for a primitive that moves with its node because it has no
/// joints or the instance has no skin.
pub fn skin_of<'a>(model: &'a Model, instance: &Instance, has_influences: bool) -> Option<&'a Skin> {
    instance.skin.filter(|_| has_influences).and_then(|skin| model.skins.get(skin))
}

/// The owner of the matrices that move a primitive; consecutive primitives of one owner share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// A skin, which all its instances share.
    Skin(usize),
    /// An instance: its node, or its skin with a fault that depends on the instance.
    Instance(usize, bool),
}

impl Whose {
    /// Returns the owner in a pose. `is_skinned` is true if the instance's skin moves the primitive.
    pub(crate) fn of(number: usize, instance: &Instance, is_skinned: bool, pose: &Pose) -> Self {
        match instance.skin.filter(|_| is_skinned && pose.skins.spoilt.is_none()) {
            Some(skin) => Self::Skin(skin),
            None => Self::Instance(number, is_skinned),
        }
    }
}

/// Writes the matrices that move a primitive of an instance: its skin's palette, or its node as the only joint.
pub fn matrices_into(
    model: &Model,
    instance: &Instance,
    has_influences: bool,
    pose: &Pose,
    out: &mut Vec<DMat4>,
) {
    match skin_of(model, instance, has_influences) {
        Some(skin) => {
            world_from_bind_into(skin, pose, out);
            fault::spoil(model, instance, skin, pose, out);
        }
        None => {
            out.clear();
            out.push(pose.world_from_node.get(instance.node).copied().unwrap_or(DMat4::IDENTITY));
        }
    }
}

/// The palette of one skin or node at a time. Each requested joint's slot is made once.
#[derive(Default)]
pub struct Palette {
    whose: Option<Whose>,
    matrices: Vec<DMat4>,
    /// The mode of the slots, for the same skin or node.
    mode: Option<SkinningMode>,
    slots: Vec<Slot>,
    /// True for each slot that is made.
    is_made: Vec<bool>,
    /// The joints to make in a call, their matrices, and their slots.
    missing: Vec<u32>,
    of_missing: Vec<DMat4>,
    made: Vec<Slot>,
}

impl Palette {
    /// Clears everything, for another pose.
    pub fn forget(&mut self) {
        self.whose = None;
    }

    /// Returns the matrices that move a primitive of an instance: its skin's, or its node's as the only joint.
    pub fn matrices(&mut self, model: &Model, number: usize, has_influences: bool, pose: &Pose) -> &[DMat4] {
        let Some(instance) = model.instances.get(number) else { return &[] };
        let whose = Whose::of(number, instance, skin_of(model, instance, has_influences).is_some(), pose);
        if self.whose != Some(whose) {
            (self.whose, self.mode) = (Some(whose), None);
            matrices_into(model, instance, has_influences, pose, &mut self.matrices);
        }
        &self.matrices
    }

    /// Returns a mode's slots for the matrices that the last call of [`Palette::matrices`] gave. Only those of `joints` are
    /// valid; indices that the palette lacks are skipped.
    pub fn slots(&mut self, mode: SkinningMode, joints: &[u32]) -> &[Slot] {
        if self.mode != Some(mode) {
            self.mode = Some(mode);
            self.is_made.clear();
            self.is_made.resize(self.matrices.len(), false);
            self.slots.resize(self.matrices.len(), Slot::ZERO);
        }
        self.missing.clear();
        self.of_missing.clear();
        for &joint in joints {
            let place = joint as usize;
            if let (Some(is_made @ false), Some(matrix)) =
                (self.is_made.get_mut(place), self.matrices.get(place))
            {
                *is_made = true;
                self.missing.push(joint);
                self.of_missing.push(*matrix);
            }
        }
        if !self.missing.is_empty() {
            mode.slots_into(&self.of_missing, &mut self.made);
            for (&joint, made) in self.missing.iter().zip(&self.made) {
                self.slots[joint as usize] = *made;
            }
        }
        &self.slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn slots_are_made_for_joints_that_are_asked_for_and_kept() {
        let joints = 5;
        let skin = Skin {
            joints: (0..joints).collect(),
            joint_from_bind: vec![DMat4::IDENTITY; joints].into(),
            ..Skin::default()
        };
        let instance = Instance { node: 0, mesh: 0, skin: Some(0) };
        let model = Model { skins: vec![skin], instances: vec![instance], ..Model::default() };
        let place = |joint: usize| DMat4::from_translation(DVec3::X * joint as f64);
        let posed = |places: Vec<DMat4>| {
            let mut pose = Pose::default();
            pose.world_from_node.extend(places);
            pose
        };
        let pose = posed((0..joints).map(place).collect());
        let mode = SkinningMode::DualQuat;
        let (mut palette, mut all) = (Palette::default(), Vec::new());
        mode.slots_into(palette.matrices(&model, 0, true, &pose), &mut all);

        let slots = palette.slots(mode, &[3, 1, 3, 9]);
        assert_eq!([slots[1], slots[3]], [all[1], all[3]]);
        assert_eq!([slots[0], slots[2], slots[4]], [Slot::ZERO; 3], "these were not asked for");
        assert_eq!(palette.slots(mode, &[0, 1, 2, 4]), all);
        assert_eq!(palette.missing, [0, 2, 4], "1 was there");

        let linear = palette.slots(SkinningMode::Linear, &[2]);
        assert_eq!(linear[2], SkinningMode::Linear.slot(&place(2)), "another mode makes its own");
        palette.forget();
        palette.matrices(&model, 0, true, &posed(vec![place(7); joints]));
        assert_eq!(palette.slots(mode, &[1])[1], mode.slot(&place(7)));
    }
}
