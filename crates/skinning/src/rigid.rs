//! Rigid skinning: each vertex follows its heaviest joint alone, so surfaces tear between joints. Twin of
//! `shaders/skinning/rigid.glsl`.

use super::{Affine, Facts, Slot, linear, palette::slot_of};
use glam::DMat4;

/// The facts of the mode.
pub const FACTS: Facts = Facts {
    name: "rigid",
    title: "rigid skinning",
    help: "each vertex follows its heaviest joint",
    slot: "columns 0 to 3 are those of the matrix",
    bound: 1e-6,
    gpu_roundings: 8.0,
};

/// The slot of "no joint": the identity.
pub const NO_JOINT: Slot = linear::NO_JOINT;

/// A joint's slot: the matrix itself.
pub fn slot(world_from_bind: &DMat4) -> Slot {
    linear::slot(world_from_bind)
}

/// `B = M_{j_0}`: the loader sorts influences, so the first is the heaviest.
pub fn blend(slots: &[Slot], joints: &[[i32; 4]], _weights: &[[f32; 4]]) -> Affine {
    let heaviest = joints.first().map_or(-1, |span| span[0]);
    let slot = slot_of(slots, heaviest, &NO_JOINT);
    Affine { x: slot.xyz(0), y: slot.xyz(1), z: slot.xyz(2), translation: slot.xyz(3) }
}
