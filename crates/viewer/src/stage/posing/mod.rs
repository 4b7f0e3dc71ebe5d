//! Posing with handles: a drag's effect on a joint, pinned joints, the mirrored pose, and poses as text.

use glam::{DMat4, DVec3};

use super::state::Stage;
use crate::gizmo::{Change, Placed};
use sinew_model::LocalTransform;
use sinew_scene::pose_file;
use sinew_skinning::ik::{self, Pin};
use sinew_skinning::mirror;
use sinew_skinning::pose::{ClipMix, Edits, Pose, PoseChoice, parts};

/// Number of bones above a pinned joint that turn to hold its position.
const PIN_BONES: usize = 2;

/// Tolerance for a pinned joint before it is restored, in parts of the figure's size and in radians.
const PIN_OFF: f64 = 1e-9;

/// Tolerance within which rotations, or distances in parts of the figure's size, are equal.
const SAME: f64 = 1e-9;

impl Stage {
    /// Returns the current pose.
    pub(super) fn pose(&self) -> Pose {
        let mut pose = Pose::default();
        pose.set(&self.model, &self.scene.pose);
        pose
    }

    /// Returns a node's transforms in the current pose.
    pub fn placed(&self, pose: &Pose, node: usize) -> Option<Placed> {
        let parent = self.model.rig.parents.get(node).copied().flatten();
        let above = parent.and_then(|parent| pose.world_from_node.get(parent as usize));
        Some(Placed {
            local: *pose.locals.get(node)?,
            world_from_joint: *pose.world_from_node.get(node)?,
            world_from_parent: above.copied().unwrap_or(DMat4::IDENTITY),
        })
    }

    /// Returns the length of the figure's diagonal.
    pub fn figure_size(&self) -> f64 {
        let bounds = sinew_scene::camera::Bounds::around(&self.points).or_unit();
        (bounds.max - bounds.min).length().max(f64::MIN_POSITIVE)
    }

    /// Applies a change to a node; pinned joints stay, unless it is one of them.
    pub fn change(&mut self, node: usize, change: Change) {
        let pinned = self.pins.iter().position(|pin| pin.node == node).map(|at| self.pins.remove(at));
        let turned = match change {
            Change::Goal(goal) => {
                let pose = self.pose();
                let chain = ik::chain(&self.model.rig, &pose, node, self.bones);
                chain.map(|chain| ik::reach(&self.model, &pose, &chain, goal)).unwrap_or_default()
            }
            Change::Rotation(rotation) => vec![(node, rotation)],
            Change::Translation(_) | Change::Scale(_) => Vec::new(),
        };
        self.edit(|edits, model| {
            for (node, rotation) in turned {
                edits.set_rotation(model, node, rotation);
            }
            match change {
                Change::Translation(translation) => drop(edits.set_translation(model, node, translation)),
                Change::Scale(scale) => drop(edits.set_scale(model, node, scale)),
                Change::Rotation(_) | Change::Goal(_) => {}
            }
        });
        if pinned.is_some() {
            self.pins.extend(ik::pin(&self.pose(), node));
        }
    }

    /// Pins the chosen joint to its position in the world, or releases it.
    pub(super) fn pin_chosen(&mut self) {
        let Some(node) = self.chosen.filter(|_| !self.is_bound()) else { return };
        let before = self.pins.len();
        self.pins.retain(|pin| pin.node != node);
        if self.pins.len() == before {
            self.pins.extend(ik::pin(&self.pose(), node));
        }
    }

    /// Returns the positions of the pinned joints.
    pub fn pinned(&self) -> impl Iterator<Item = DVec3> {
        self.pins.iter().map(|pin| pin.place)
    }

    /// Returns true if a node is pinned.
    pub fn is_pinned(&self, node: usize) -> bool {
        self.pins.iter().any(|pin| pin.node == node)
    }

    /// Turns the joints above each pin to restore its position.
    pub(super) fn hold_pins(&mut self) {
        if self.pins.is_empty() || self.is_bound() {
            return;
        }
        let mut pins = self.pins.clone();
        // Parents first: holding one may move the next.
        pins.sort_by_key(|pin| pin.node);
        let most = self.figure_size() * PIN_OFF;
        for pin in pins {
            let pose = self.pose();
            let is_there = |now: Pin| {
                now.place.distance(pin.place) <= most && now.rotation.angle_between(pin.rotation) <= PIN_OFF
            };
            if ik::pin(&pose, pin.node).is_none_or(is_there) {
                continue;
            }
            let turned = ik::hold(&self.model, &pose, &pin, PIN_BONES);
            if let PoseChoice::Clips(mix) = &mut self.scene.pose {
                for (node, rotation) in turned {
                    mix.edits.set_rotation(&self.model, node, rotation);
                }
            }
        }
    }

    /// Swaps left and right. If a joint is chosen, copies it and its descendants to the other side.
    ///
    /// # Errors
    /// If names do not identify the sides.
    pub fn mirror(&mut self) -> Result<String, String> {
        if self.is_bound() {
            return Err("joints cannot be turned in the bind pose".to_owned());
        }
        let no_sides =
            "no joints are called left and right, such as hand.L and hand.R, or LeftHand and RightHand";
        let pose = self.pose();
        let mirrored = mirror::mirrored(&self.model, &pose).ok_or(no_sides)?;
        let (nodes, said) = match self.chosen {
            None => ((0..mirrored.len()).collect(), "left and right exchanged".to_owned()),
            Some(chosen) => {
                let other = mirror::counterparts(&self.model.rig).get(chosen).copied().unwrap_or(chosen);
                if other == chosen {
                    let name = self.node_name(chosen);
                    return Err(format!("{name} has no other side; choose none to exchange left and right"));
                }
                (self.hanging_on(other), format!("copied to {}", self.node_name(other)))
            }
        };
        let size = self.figure_size();
        self.edit(|edits, model| {
            for node in nodes {
                let both = (pose.locals.get(node).copied(), mirrored.get(node).copied());
                let (Some(before), Some(after)) = both else { continue };
                set_what_differs(edits, model, node, [before, after], size);
            }
        });
        Ok(said)
    }

    /// Returns a node and its descendants.
    fn hanging_on(&self, top: usize) -> Vec<usize> {
        let mut hangs = vec![false; self.model.rig.len()];
        for (node, parent) in self.model.rig.parents.iter().enumerate() {
            let above = parent.is_some_and(|parent| hangs.get(parent as usize) == Some(&true));
            if let Some(hangs) = hangs.get_mut(node) {
                *hangs = above || node == top;
            }
        }
        (0..hangs.len()).filter(|node| hangs.get(*node) == Some(&true)).collect()
    }

    /// Returns the chosen joint's transform as the text of a pose file; the whole pose if no joint is chosen.
    ///
    /// # Errors
    /// If there is no pose to copy.
    pub fn pose_text(&self) -> Result<String, String> {
        let mix = match (self.chosen, &self.scene.pose) {
            (_, PoseChoice::Bind | PoseChoice::SkinSpace(_)) => {
                return Err("the bind pose cannot be copied".to_owned());
            }
            (Some(node), _) => {
                let mut edits = Edits::default();
                if let Some(local) = self.pose().locals.get(node) {
                    let (translation, rotation, scale) = parts(local);
                    edits.set_rotation(&self.model, node, rotation);
                    edits.set_translation(&self.model, node, translation);
                    edits.set_scale(&self.model, node, scale);
                }
                ClipMix { edits, ..ClipMix::default() }
            }
            (None, PoseChoice::Rest) => ClipMix::default(),
            (None, PoseChoice::Clips(mix)) => mix.clone(),
        };
        let mut text = Vec::new();
        pose_file::write(&mix, &self.model, &mut text).map_err(|error| error.to_string())?;
        String::from_utf8(text).map_err(|error| error.to_string())
    }

    /// Applies the text of a pose file: replaces the current pose if the text has clips, else adds its edits to it.
    ///
    /// # Errors
    /// If the text is no pose of this model, or the pose cannot be edited.
    pub fn paste_pose(&mut self, text: &str) -> Result<String, String> {
        if self.is_bound() {
            return Err("nothing can be pasted into the bind pose".to_owned());
        }
        if text.len() as u64 > pose_file::MAX_BYTES {
            return Err("the clipboard's text is too long for a pose".to_owned());
        }
        let mix = pose_file::parse(text.as_bytes(), &self.model)
            .map_err(|error| format!("the clipboard's text is no pose of this model: {error}"))?;
        let count = mix.edits.joints().count();
        match mix.clips.is_empty() {
            false => {
                self.settle();
                self.posed = None;
                self.scene.pose = PoseChoice::Clips(mix);
            }
            true => self.edit(|edits, _| {
                let before = std::mem::take(edits);
                *edits = before.with_changes(&Edits::default(), &mix.edits);
            }),
        }
        Ok(format!("pasted the pose of {}", sinew_text::words::many(count, "joint")))
    }
}

/// Sets the parts of a node's transform in which two differ.
fn set_what_differs(
    edits: &mut Edits,
    model: &sinew_model::Model,
    node: usize,
    [before, after]: [LocalTransform; 2],
    size: f64,
) {
    let (before, after) = (parts(&before), parts(&after));
    if before.0.distance(after.0) > size * SAME {
        edits.set_translation(model, node, after.0);
    }
    if before.1.angle_between(after.1) > SAME.sqrt() {
        edits.set_rotation(model, node, after.1);
    }
    if before.2.distance(after.2) > SAME * before.2.length() {
        edits.set_scale(model, node, after.2);
    }
}

#[cfg(test)]
mod tests;
