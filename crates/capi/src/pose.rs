//! Poses of a model, their palettes, and skinning in them.

use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::world_from_bind;

use crate::call::{Failure, borrow, call, hand_over, mode, sinew_error, sinew_status};
use crate::model::{known, sinew_model};
use crate::out::sinew_out;

/// A pose of one model.
pub struct sinew_pose {
    /// The choice.
    pub choice: PoseChoice,
    pose: Pose,
    /// The number of the model's nodes, which tells most other models.
    nodes: usize,
}

impl sinew_pose {
    fn new(model: &sinew_model, choice: PoseChoice) -> Self {
        let mut pose = Pose::default();
        pose.set(&model.model, &choice);
        Self { choice, pose, nodes: model.model.rig.len() }
    }
}

/// Borrows a pose that fits a model.
///
/// # Safety
/// `pose` is null or a pose.
pub unsafe fn fitting<'a>(pose: *const sinew_pose, model: &sinew_model) -> Result<&'a sinew_pose, Failure> {
    // SAFETY: the caller promises it.
    let pose = unsafe { borrow(pose, "pose") }?;
    match pose.nodes == model.model.rig.len() {
        true => Ok(pose),
        false => Err(Failure::usage("the pose is one of another model")),
    }
}

/// Makes a pose of a clip at a time in seconds. Free it with `sinew_pose_free`.
///
/// # Safety
/// `model` is null or a model; `pose` may be written; `error` is null or has its `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_pose_clip(
    model: *const sinew_model,
    clip: usize,
    seconds: f64,
    pose: *mut *mut sinew_pose,
    error: *mut sinew_error,
) -> sinew_status {
    // SAFETY: the caller promises it.
    unsafe {
        call(error, || {
            let model = known(model)?;
            let clips = model.model.clips.len();
            if clip >= clips {
                return Err(Failure::usage(format!("no clip {clip}; the model has {clips}")));
            }
            if !seconds.is_finite() {
                return Err(Failure::usage("seconds is not finite"));
            }
            hand_over(pose, sinew_pose::new(model, PoseChoice::clip(clip, seconds)), "pose")
        })
    }
}

/// Makes the pose that the file stores.
///
/// # Safety
/// As for `sinew_pose_clip`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_pose_rest(
    model: *const sinew_model,
    pose: *mut *mut sinew_pose,
    error: *mut sinew_error,
) -> sinew_status {
    // SAFETY: the caller promises it.
    unsafe { call(error, || hand_over(pose, sinew_pose::new(known(model)?, PoseChoice::Rest), "pose")) }
}

/// Makes the bind pose, in which vertices are as stored.
///
/// # Safety
/// As for `sinew_pose_clip`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_pose_bind(
    model: *const sinew_model,
    pose: *mut *mut sinew_pose,
    error: *mut sinew_error,
) -> sinew_status {
    // SAFETY: the caller promises it.
    unsafe { call(error, || hand_over(pose, sinew_pose::new(known(model)?, PoseChoice::Bind), "pose")) }
}

/// Frees a pose; null is left alone.
///
/// # Safety
/// `pose` came from a `sinew_pose_…` and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_pose_free(pose: *mut sinew_pose) {
    if !pose.is_null() {
        // SAFETY: the caller promises it.
        drop(unsafe { Box::from_raw(pose) });
    }
}

/// Writes the matrices of a skin's joints from the bind pose to the world: 16 numbers a joint, column after column.
///
/// # Safety
/// `matrices` has room for `joints` times 16 numbers; the rest is as for `sinew_pose_clip`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_palette(
    model: *const sinew_model,
    pose: *const sinew_pose,
    skin: usize,
    matrices: *mut f64,
    joints: usize,
    error: *mut sinew_error,
) -> sinew_status {
    // SAFETY: the caller promises it.
    unsafe {
        call(error, || {
            let model = known(model)?;
            let pose = fitting(pose, model)?;
            let skins = model.model.skins.len();
            let found = model.model.skins.get(skin);
            let found =
                found.ok_or_else(|| Failure::usage(format!("no skin {skin}; the model has {skins}")))?;
            let palette = world_from_bind(found, &pose.pose);
            if matrices.is_null() || joints < palette.len() {
                return Err(Failure::usage(format!(
                    "matrices is null, or has no room for {} joints",
                    palette.len()
                )));
            }
            for (joint, matrix) in palette.iter().enumerate() {
                matrices.add(joint * 16).cast::<[f64; 16]>().write_unaligned(matrix.to_cols_array());
            }
            Ok(())
        })
    }
}

/// Skins the drawn primitive with this number in a pose, into the caller's memory.
///
/// # Safety
/// The pointers of `out` are null or have room for its `vertices` at their strides; the rest is as for `sinew_pose_clip`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skin(
    model: *const sinew_model,
    pose: *const sinew_pose,
    mode: i32,
    primitive: usize,
    out: *const sinew_out,
    error: *mut sinew_error,
) -> sinew_status {
    // SAFETY: the caller promises it.
    unsafe {
        call(error, || {
            let model = known(model)?;
            let pose = fitting(pose, model)?;
            let mode = self::mode(mode)?;
            let out = borrow(out, "out")?;
            let count = model.primitives.len();
            let vertices = model.primitives.get(primitive);
            let vertices = vertices.ok_or_else(|| {
                Failure::usage(format!("no primitive {primitive}; the model draws {count}"))
            })?;
            let settings = out.check(*vertices)?;
            let skinned = model.skinned(primitive, mode, &pose.pose, &settings).map_err(Failure::usage)?;
            let skinned = skinned.ok_or_else(|| Failure::usage(format!("no primitive {primitive}")))?;
            out.write(&skinned.positions, skinned.normals.as_deref(), skinned.tangents.as_deref());
            Ok(())
        })
    }
}
