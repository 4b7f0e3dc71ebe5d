//! The palettes of one frame's figure: from the scene's pose to the slots of each draw.

use glam::DMat4;

use crate::model::draws::Draw;
use crate::upload::mesh_buffer::Batch;
use sinew_model::Model;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::{Fault, Palette, SkinningMode, Slot};

/// The pose and palettes of a frame, in memory that is reused from frame to frame.
#[derive(Default)]
pub struct Palettes {
    pose: Pose,
    palette: Palette,
    of_batch: Vec<Slot>,
}

/// Winding of a batch's triangles after its joints have moved them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winding {
    /// Unchanged from the mesh.
    Kept,
    /// Reversed: every joint mirrors.
    Turned,
    /// Varies from triangle to triangle: some joints mirror and some do not.
    Mixed,
}

impl Palettes {
    /// Sets the pose for the next palettes, with a fault if requested.
    pub fn set_pose(&mut self, model: &Model, choice: &PoseChoice, fault: Option<Fault>) {
        self.palette.forget();
        self.pose.set_with(model, choice, fault);
    }

    /// Returns the pose of the next palettes.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Returns the matrices of all joints that move a draw.
    pub fn matrices(&mut self, model: &Model, draw: &Draw) -> &[DMat4] {
        self.palette.matrices(model, draw.instance, draw.skinned, &self.pose)
    }

    /// Returns the effect of the joints on the winding of a draw's triangles.
    pub fn winding(&mut self, model: &Model, draw: &Draw, batch: &Batch) -> Winding {
        let all = self.matrices(model, draw);
        let joints = if draw.skinned { &batch.joints } else { &[0][..] };
        let matrices = joints.iter().filter_map(|&joint| all.get(joint as usize));
        let mirroring = matrices.filter(|matrix| matrix.determinant() < 0.0).count();
        match mirroring {
            0 => Winding::Kept,
            all if all == joints.len() && !(draw.skinned && batch.has_no_joint) => Winding::Turned,
            _ => Winding::Mixed,
        }
    }

    /// Returns the shaders' slots for a draw.
    pub fn slots(&mut self, model: &Model, draw: &Draw, batch: &Batch, mode: SkinningMode) -> &[Slot] {
        self.matrices(model, draw);
        let slots = self.palette.slots(mode_of(draw, mode), joints_of(draw, batch, mode));
        self.of_batch.clear();
        self.of_batch.extend(slots_of(draw, batch, slots, mode));
        &self.of_batch
    }
}

/// Returns the joints of a draw's palette in a mode. An unskinned batch has one rigid joint: its node.
pub fn joints_of<'a>(draw: &Draw, batch: &'a Batch, mode: SkinningMode) -> &'a [u32] {
    match draw.skinned {
        true if mode.facts().needs_ddm => &batch.mesh_joints,
        true => &batch.joints,
        false => &[0],
    }
}

/// Returns the mode that moves a draw.
pub fn mode_of(draw: &Draw, mode: SkinningMode) -> SkinningMode {
    if draw.skinned { mode } else { SkinningMode::Rigid }
}

/// Returns the slots of a draw's palette, selected from those of all joints. A hand-built model may name joints that
/// its skin lacks; they count as "no joint".
pub fn slots_of(draw: &Draw, batch: &Batch, all: &[Slot], mode: SkinningMode) -> impl Iterator<Item = Slot> {
    let no_joint = mode_of(draw, mode).no_joint();
    joints_of(draw, batch, mode).iter().map(move |&joint| *all.get(joint as usize).unwrap_or(no_joint))
}
