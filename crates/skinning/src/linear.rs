//! Linear blend skinning: the weighted sum of the joints' matrices, which shrinks twisted parts. Twin of
//! `shaders/skinning/linear.glsl`.

use super::affine::{add3, scale3};
use super::{Affine, Facts, Slot, VertexSkin, slot::slot_of};
use glam::DMat4;

/// The facts of the mode.
pub const FACTS: Facts = Facts {
    name: "lbs",
    title: "linear blend skinning",
    help: "matrices are averaged, as in every engine",
    slot: "columns 0 to 3 are those of the matrix",
    bound: 1e-6,
    gpu_roundings: 8.0,
    drops_scale: false,
    is_dialect: false,
    needs_centers: false,
    needs_ddm: false,
};

/// The slot of "no joint": the identity.
pub const NO_JOINT: Slot = Slot {
    columns: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
};

/// Returns a joint's slot: the matrix itself, rounded once.
pub fn slot(world_from_bind: &DMat4) -> Slot {
    Slot { columns: world_from_bind.as_mat4().to_cols_array_2d() }
}

/// Returns `B = Σ w_i M_{j_i}`.
pub fn blend(slots: &[Slot], vertex: &VertexSkin) -> Affine {
    let mut b = Affine::default();
    for (joint, weight) in vertex.influences() {
        let slot = slot_of(slots, joint, &NO_JOINT);
        b.x = add3(b.x, scale3(slot.xyz(0), weight));
        b.y = add3(b.y, scale3(slot.xyz(1), weight));
        b.z = add3(b.z, scale3(slot.xyz(2), weight));
        b.translation = add3(b.translation, scale3(slot.xyz(3), weight));
    }
    b
}
