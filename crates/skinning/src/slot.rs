//! The 64 bytes of a joint that shaders read.

use bytemuck::{Pod, Zeroable};

/// One joint as the GPU reads it; `SkinningBuffer` lays it out as `mat4 bones[512]`. Rigid and linear store a
/// matrix here, dual quaternions the columns listed in [`super::dual_quat`].
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct Slot {
    /// Four columns of four.
    pub columns: [[f32; 4]; 4],
}

const _: () = assert!(size_of::<Slot>() == 64);

impl Slot {
    /// All zeros: the start of a sum, and unused padding.
    pub const ZERO: Self = Self { columns: [[0.0; 4]; 4] };

    /// Returns the first three numbers of a column.
    pub(super) fn xyz(&self, column: usize) -> [f32; 3] {
        let [x, y, z, _] = self.columns[column];
        [x, y, z]
    }
}

/// Returns a joint's slot; the mode's slot of the identity for −1, "no joint", and for a joint beyond the palette.
pub(super) fn slot_of<'a>(slots: &'a [Slot], joint: i32, no_joint: &'a Slot) -> &'a Slot {
    usize::try_from(joint).ok().and_then(|joint| slots.get(joint)).unwrap_or(no_joint)
}
