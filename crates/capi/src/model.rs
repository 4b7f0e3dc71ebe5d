//! Models and their names.

use std::ffi::{CString, c_char};
use std::path::Path;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use ::sinew_model::gltf::read_file;
use ::sinew_model::{Model, Options, load_bytes};
use sinew_skinning::SkinningMode;
use sinew_skinning::cpu::{Error, Settings};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::{Drawn, PreparedModel, SkinnedPrimitive, Skinner};

use crate::call::{Failure, borrow, call, hand_over, sinew_error, sinew_status, text};

/// A model.
pub struct sinew_model {
    /// The model.
    pub model: Model,
    clips: Vec<CString>,
    joints: Vec<Vec<CString>>,
    warnings: Vec<CString>,
    /// The number of vertices of each drawn primitive.
    pub primitives: Vec<usize>,
    /// Instance and number in its mesh of each drawn primitive.
    drawn: Vec<(usize, usize)>,
    prepared: Mutex<Option<PreparedModel>>,
}

impl sinew_model {
    fn new(model: Model) -> Self {
        let c = |text: &str| CString::new(text.replace('\0', "?")).unwrap_or_default();
        let joint = |node: &usize| c(model.rig.names.get(*node).map_or("", String::as_str));
        let (mut primitives, mut drawn) = (Vec::new(), Vec::new());
        for (number, instance) in model.instances.iter().enumerate() {
            let mesh = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
            primitives.extend(mesh.iter().map(|primitive| primitive.positions.len()));
            drawn.extend((0..mesh.len()).map(|in_mesh| (number, in_mesh)));
        }
        let warning =
            |one: &::sinew_model::Warning| c(&format!("{}: {} [{}]", one.path, one.message, one.code));
        Self {
            clips: model.clips.iter().map(|clip| c(&clip.name)).collect(),
            joints: model.skins.iter().map(|skin| skin.joints.iter().map(joint).collect()).collect(),
            warnings: model.warnings.iter().map(warning).collect(),
            primitives,
            drawn,
            prepared: Mutex::new(None),
            model,
        }
    }

    /// Skins a drawn primitive.
    pub fn skinned(
        &self,
        number: usize,
        mode: SkinningMode,
        pose: &Pose,
        settings: &Settings,
    ) -> Result<Option<SkinnedPrimitive<f32>>, Error> {
        let mut layout = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let prepared = match layout.take() {
            Some(prepared) => prepared,
            None => PreparedModel::new(&self.model)?,
        };
        let prepared = layout.insert(prepared);
        prepared.set_mode(&self.model, mode, pose)?;
        let Some(&(instance, in_mesh)) = self.drawn.get(number) else { return Ok(None) };
        let mesh = self.model.instances.get(instance).and_then(|one| self.model.meshes.get(one.mesh));
        let Some(primitive) = mesh.and_then(|mesh| mesh.primitives.get(in_mesh)) else { return Ok(None) };
        let mut skinner = Skinner::default();
        skinner.take_pose(pose);
        let mut skinned = SkinnedPrimitive::of(primitive, instance, in_mesh);
        let drawn = Drawn { number, instance, primitive };
        prepared.skin_primitive(&mut skinner, &self.model, drawn, mode, skinned.out(), settings)?;
        Ok(Some(skinned))
    }
}

/// Loads a glTF, FBX or OBJ file. Free the model with `sinew_model_free`.
///
/// # Safety
/// `path` ends with a zero; `model` may be written; `error` is null or has its `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_load_file(
    path: *const c_char,
    model: *mut *mut sinew_model,
    error: *mut sinew_error,
) -> sinew_status {
    // SAFETY: the caller promises it.
    unsafe {
        call(error, || {
            let name = text(path, "path")?;
            let path = Path::new(name);
            let fault = |cause: &dyn std::fmt::Display| Failure::input(format!("{name}: {cause}"));
            let bytes = read_file(path).map_err(|error| fault(&error))?;
            let loaded = load_bytes(&bytes, path.parent(), &Options::default());
            hand_over(model, sinew_model::new(loaded.map_err(|error| fault(&error))?.model), "model")
        })
    }
}

/// Loads a model from memory. Files that it names are read from the folder `base`, or not at all if that is null.
///
/// # Safety
/// `bytes` has `length` bytes; the rest is as for `sinew_load_file`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_load_bytes(
    bytes: *const u8,
    length: usize,
    base: *const c_char,
    model: *mut *mut sinew_model,
    error: *mut sinew_error,
) -> sinew_status {
    // SAFETY: the caller promises it.
    unsafe {
        call(error, || {
            if bytes.is_null() || isize::try_from(length).is_err() {
                return Err(Failure::usage("bytes is null, or length is too large"));
            }
            let bytes = std::slice::from_raw_parts(bytes, length);
            let base = if base.is_null() { None } else { Some(Path::new(text(base, "base")?)) };
            let loaded = load_bytes(bytes, base, &Options::default()).map_err(Failure::input)?;
            hand_over(model, sinew_model::new(loaded.model), "model")
        })
    }
}

/// Frees a model; null is left alone.
///
/// # Safety
/// `model` came from `sinew_load_file` or `sinew_load_bytes`, was not freed, and no pose of it is used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_free(model: *mut sinew_model) {
    if !model.is_null() {
        // SAFETY: the caller promises it.
        drop(unsafe { Box::from_raw(model) });
    }
}

/// Returns a number of a model, 0 for null.
unsafe fn count(model: *const sinew_model, of: impl FnOnce(&sinew_model) -> usize) -> usize {
    // SAFETY: the callers' callers promise that it is null or a model.
    unsafe { model.as_ref() }.map_or(0, of)
}

/// Returns a text of a model, null if there is none.
unsafe fn name(
    model: *const sinew_model,
    of: impl FnOnce(&sinew_model) -> Option<&CString>,
) -> *const c_char {
    // SAFETY: as for `count`.
    unsafe { model.as_ref() }.and_then(of).map_or(ptr::null(), |text| text.as_ptr())
}

/// The number of clips.
///
/// # Safety
/// `model` is null or a model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_clip_count(model: *const sinew_model) -> usize {
    // SAFETY: the caller promises it.
    unsafe { count(model, |model| model.clips.len()) }
}

/// A clip's name, valid as long as the model; null if there is no such clip.
///
/// # Safety
/// `model` is null or a model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_clip_name(model: *const sinew_model, clip: usize) -> *const c_char {
    // SAFETY: the caller promises it.
    unsafe { name(model, |model| model.clips.get(clip)) }
}

/// The time of a clip's last key in seconds; 0 if there is no such clip.
///
/// # Safety
/// `model` is null or a model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_clip_seconds(model: *const sinew_model, clip: usize) -> f64 {
    // SAFETY: the caller promises it.
    let clip = unsafe { model.as_ref() }.and_then(|model| model.model.clips.get(clip));
    clip.map_or(0.0, |clip| f64::from(clip.duration_secs))
}

/// The number of skins.
///
/// # Safety
/// `model` is null or a model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_skin_count(model: *const sinew_model) -> usize {
    // SAFETY: the caller promises it.
    unsafe { count(model, |model| model.joints.len()) }
}

/// The number of a skin's joints.
///
/// # Safety
/// `model` is null or a model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_joint_count(model: *const sinew_model, skin: usize) -> usize {
    // SAFETY: the caller promises it.
    unsafe { count(model, |model| model.joints.get(skin).map_or(0, Vec::len)) }
}

/// A joint's name, valid as long as the model; null if there is no such joint.
///
/// # Safety
/// `model` is null or a model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_joint_name(
    model: *const sinew_model,
    skin: usize,
    joint: usize,
) -> *const c_char {
    // SAFETY: the caller promises it.
    unsafe { name(model, |model| model.joints.get(skin)?.get(joint)) }
}

/// The number of primitives that are drawn, each as often as nodes draw it.
///
/// # Safety
/// `model` is null or a model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_primitive_count(model: *const sinew_model) -> usize {
    // SAFETY: the caller promises it.
    unsafe { count(model, |model| model.primitives.len()) }
}

/// The number of a drawn primitive's vertices.
///
/// # Safety
/// `model` is null or a model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_primitive_vertices(model: *const sinew_model, primitive: usize) -> usize {
    // SAFETY: the caller promises it.
    unsafe { count(model, |model| model.primitives.get(primitive).copied().unwrap_or(0)) }
}

/// The number of faults that loading repaired.
///
/// # Safety
/// `model` is null or a model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_warning_count(model: *const sinew_model) -> usize {
    // SAFETY: the caller promises it.
    unsafe { count(model, |model| model.warnings.len()) }
}

/// A repaired fault in one line, valid as long as the model; null if there is no such one.
///
/// # Safety
/// `model` is null or a model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_warning(model: *const sinew_model, warning: usize) -> *const c_char {
    // SAFETY: the caller promises it.
    unsafe { name(model, |model| model.warnings.get(warning)) }
}

/// Borrows a model.
///
/// # Safety
/// `model` is null or a model.
pub unsafe fn known<'a>(model: *const sinew_model) -> Result<&'a sinew_model, Failure> {
    // SAFETY: the caller promises it.
    unsafe { borrow(model, "model") }
}
