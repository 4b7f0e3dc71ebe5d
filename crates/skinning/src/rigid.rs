//! Rigid skinning: each vertex follows its heaviest joint alone, so surfaces tear between joints. Twin of
//! `shaders/skinning/rigid.glsl`.

use super::{Affine, Facts, Slot, VertexSkin, linear, slot::slot_of};
use glam::DMat4;

/// The facts of the mode.
pub const FACTS: Facts = Facts {
    name: "rigid",
    title: "rigid skinning",
    help: "each vertex follows its heaviest joint",
    slot: "columns 0 to 3 are those of the matrix",
    bound: 1e-6,
    gpu_roundings: 8.0,
    drops_scale: false,
    is_dialect: false,
    needs_centers: false,
    needs_ddm: false,
};

/// The slot of "no joint": the identity.
pub const NO_JOINT: Slot = linear::NO_JOINT;

/// Returns a joint's slot: the matrix itself.
pub fn slot(world_from_bind: &DMat4) -> Slot {
    linear::slot(world_from_bind)
}

/// Returns `B = M_{j_0}`: the loader sorts influences, so the first is the heaviest.
pub fn blend(slots: &[Slot], vertex: &VertexSkin) -> Affine {
    let slot = slot_of(slots, vertex.heaviest(), &NO_JOINT);
    Affine { x: slot.xyz(0), y: slot.xyz(1), z: slot.xyz(2), translation: slot.xyz(3) }
}
