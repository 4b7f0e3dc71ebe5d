//! Poses of a model, their palettes, and skinning in them.

use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::world_from_bind;

use std::sync::Arc;

use crate::call::{Failure, borrow, call, free, handle, make, mode, sinew_error, sinew_status};
use crate::model::{known, sinew_model};
use crate::out::sinew_out;
use crate::sized::read_sized;

/// A pose of one model.
pub struct sinew_pose {
    /// The choice of the pose.
    pub choice: PoseChoice,
    pose: Pose,
    /// The token of its model.
    model: Arc<()>,
}

impl sinew_pose {
    fn made(model: &sinew_model, choice: PoseChoice) -> *mut Self {
        let mut pose = Pose::default();
        pose.set(&model.model, &choice);
        handle(Self { choice, pose, model: model.token.clone() })
    }
}

/// Borrows a pose that fits a model.
///
/// # Safety
/// `pose` is null or a pose.
pub unsafe fn fitting<'a>(pose: *const sinew_pose, model: &sinew_model) -> Result<&'a sinew_pose, Failure> {
    // SAFETY: the caller promises it.
    let pose = unsafe { borrow(pose, "pose") }?;
    match Arc::ptr_eq(&pose.model, &model.token) {
        true => Ok(pose),
        false => Err(Failure::usage("the pose is one of another model")),
    }
}

/// Makes a pose of a clip at a time in seconds; before its first key and after its last, that key holds. Free it with
/// `sinew_pose_free`.
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
        make(pose, "pose", error, || {
            let model = known(model)?;
            let clips = model.model.clips.len();
            if clip >= clips {
                return Err(Failure::usage(format!("no clip {clip}; the model has {clips}")));
            }
            if !seconds.is_finite() {
                return Err(Failure::usage("seconds is not finite"));
            }
            Ok(sinew_pose::made(model, PoseChoice::clip(clip, seconds)))
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
    unsafe { make(pose, "pose", error, || Ok(sinew_pose::made(known(model)?, PoseChoice::Rest))) }
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
    unsafe { make(pose, "pose", error, || Ok(sinew_pose::made(known(model)?, PoseChoice::Bind))) }
}

/// Frees a pose; null is left alone.
///
/// # Safety
/// `pose` is null, or came from `sinew_pose_clip`, `_rest` or `_bind` and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_pose_free(pose: *mut sinew_pose) {
    // SAFETY: the caller promises it.
    unsafe { free(pose) }
}

/// Writes the matrices of a skin's joints from the bind pose to the world, in the order of `sinew_joint_name`: 16 numbers per
/// joint, column after column.
///
/// # Safety
/// `matrices` is null or has room for `joints` times 16 numbers; the rest is as for `sinew_pose_clip`.
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

/// Skins a drawn primitive in a pose by a `sinew_mode`, into your memory. Nothing is written unless it succeeds.
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
            let out = read_sized(out)?;
            let count = model.primitives.len();
            let unknown = || Failure::usage(format!("no primitive {primitive}; the model draws {count}"));
            let settings = out.check(*model.primitives.get(primitive).ok_or_else(unknown)?)?;
            let skinned = model.layout.with(&model.model, |layout| {
                layout.skin_one(&model.model, primitive, mode, &pose.pose, &settings)
            });
            let skinned = skinned.map_err(Failure::usage)?.ok_or_else(unknown)?;
            out.write(&skinned.positions, skinned.normals.as_deref(), skinned.tangents.as_deref());
            Ok(())
        })
    }
}
