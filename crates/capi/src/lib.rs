//! sinew for C and C++: load a model, pose it, skin it into the caller's memory, judge vertices. The header
//! `include/sinew.h` is generated from this crate. It must not compute anything itself; the crates below it do.
//!
//! Every call that can fail returns a [`sinew_status`] and, through a pointer that may be null, a message. No call unwinds
//! into C, and none keeps state besides the handles. A handle may be used by several threads, but not while one frees it.
#![allow(non_camel_case_types, reason = "they are C's names")]
#![allow(unsafe_code, reason = "C passes pointers")]

mod call;
mod sized;

// In the order of the header.
mod model;

mod pose;

mod out;

mod mesh;

mod judge;

pub use call::{sinew_error, sinew_status};
pub use judge::{sinew_diagnose, sinew_string_free, sinew_vertices};
pub use mesh::{sinew_arrays, sinew_mesh, sinew_mesh_free, sinew_mesh_new, sinew_mesh_skin};
pub use model::{
    sinew_clip_count, sinew_clip_name, sinew_clip_seconds, sinew_joint_count, sinew_joint_name,
    sinew_load_bytes, sinew_load_file, sinew_model, sinew_model_free, sinew_primitive_count,
    sinew_primitive_vertices, sinew_skin_count, sinew_warning, sinew_warning_count,
};
pub use out::{SINEW_ALL_CORES, SINEW_EXACT, sinew_out};
pub use pose::{
    sinew_palette, sinew_pose, sinew_pose_bind, sinew_pose_clip, sinew_pose_free, sinew_pose_rest, sinew_skin,
};

use std::ffi::c_char;

/// Threads may share handles: all of them are `Send` and `Sync`, or this does not compile.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<sinew_model>();
    is_shared::<sinew_pose>();
    is_shared::<sinew_mesh>();
};

/// The ways to skin vertices.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum sinew_mode {
    /// Each vertex follows its heaviest joint.
    SINEW_RIGID = 0,
    /// Linear blend skinning.
    SINEW_LBS = 1,
    /// Dual quaternions, with stretches blended linearly, as in Maya and OpenUSD.
    SINEW_DQS = 2,
    /// A share of dqs and the rest of lbs.
    SINEW_BLEND = 3,
    /// Optimized centres of rotation.
    SINEW_COR = 4,
    /// Dual quaternions as Blender's Preserve Volume has them.
    SINEW_DQS_BLENDER = 5,
    /// Dual quaternions without scale.
    SINEW_DQS_RIGID = 6,
    /// Direct delta mush: models only, because it needs their triangles.
    SINEW_DDM = 7,
}

/// The library's version, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn sinew_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
