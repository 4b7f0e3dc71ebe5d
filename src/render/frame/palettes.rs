//! The palettes of one frame: from the scene's pose to the slots each draw reads.

use glam::DMat4;

use crate::render::model::draws::Draw;
use crate::render::upload::mesh_buffer::Batch;
use sinew_model::Model;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::{Fault, SkinningMode, Slot, matrices_into};

/// The pose and palettes of a frame, in room that is used again from frame to frame.
#[derive(Default)]
pub struct Palettes {
    pose: Pose,
    /// The instance that the matrices and slots belong to, and whether they are its skin's.
    instance: Option<(usize, bool)>,
    world_from_bind: Vec<DMat4>,
    slots: Vec<Slot>,
    of_batch: Vec<Slot>,
}

/// One draw's palette.
pub struct DrawPalette<'a> {
    /// The slots that shaders read.
    pub slots: &'a [Slot],
    /// The matrices of all joints of the instance's skin.
    pub world_from_bind: &'a [DMat4],
    /// How the joints change the winding of triangles.
    pub winding: Winding,
}

/// How the triangles of a batch wind once its joints have moved it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winding {
    /// As the mesh lists them.
    Kept,
    /// Reversed: every joint mirrors.
    Turned,
    /// It differs from triangle to triangle: some joints mirror and some do not.
    Mixed,
}

impl Palettes {
    /// Takes the pose for the next palettes, with a fault where one is wanted.
    pub fn set_pose(&mut self, model: &Model, choice: &PoseChoice, fault: Option<Fault>) {
        self.instance = None;
        self.pose.set_with(model, choice, fault);
    }

    /// The pose of the next palettes.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The palette of a draw.
    pub fn of_draw(
        &mut self,
        model: &Model,
        draw: &Draw,
        batch: &Batch,
        mode: SkinningMode,
    ) -> DrawPalette<'_> {
        // An unskinned batch is one rigid joint: its node.
        let mode = if draw.skinned { mode } else { SkinningMode::Rigid };
        if self.instance != Some((draw.instance, draw.skinned)) {
            self.instance = Some((draw.instance, draw.skinned));
            let instance = draw.instance_of(model);
            matrices_into(model, instance, draw.skinned, &self.pose, &mut self.world_from_bind);
            mode.slots_into(&self.world_from_bind, &mut self.slots);
        }
        let joints = if draw.skinned { &batch.joints[..] } else { &[0] };
        // A model built by hand may name joints that its skin lacks; they count as "no joint".
        let of_joint = |joint: &u32| *self.slots.get(*joint as usize).unwrap_or(mode.no_joint());
        self.of_batch.clear();
        self.of_batch.extend(joints.iter().map(of_joint));
        let matrices = joints.iter().filter_map(|&joint| self.world_from_bind.get(joint as usize));
        let mirroring = matrices.filter(|matrix| matrix.determinant() < 0.0).count();
        let winding = match mirroring {
            0 => Winding::Kept,
            all if all == joints.len() && !(draw.skinned && batch.has_no_joint) => Winding::Turned,
            _ => Winding::Mixed,
        };
        DrawPalette { slots: &self.of_batch, world_from_bind: &self.world_from_bind, winding }
    }
}
