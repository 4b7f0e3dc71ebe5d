//! Models and their names.

use std::ffi::{CString, c_char};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use ::sinew_model::gltf::read_file;
use ::sinew_model::{Model, Options, load_bytes};
use sinew_skinning::posed::SharedLayout;

use crate::call::{Failure, borrow, free, handle, make, sinew_error, sinew_status, text, value};

/// A model.
pub struct sinew_model {
    /// The model.
    pub model: Model,
    clips: Vec<CString>,
    joints: Vec<Vec<CString>>,
    warnings: Vec<CString>,
    /// The number of vertices of each drawn primitive.
    pub primitives: Vec<usize>,
    /// The layout for the fast path.
    pub layout: SharedLayout,
    /// An identity, which the model's poses share.
    pub token: Arc<()>,
}

impl sinew_model {
    fn new(model: Model) -> Self {
        let c = |text: &str| CString::new(text.replace('\0', "?")).unwrap_or_default();
        let joint = |node: &usize| c(model.rig.names.get(*node).map_or("", String::as_str));
        let meshes = model.instances.iter().filter_map(|instance| model.meshes.get(instance.mesh));
        let primitives = meshes.flat_map(|mesh| &mesh.primitives);
        let warning =
            |one: &::sinew_model::Warning| c(&format!("{}: {} [{}]", one.path, one.message, one.code));
        Self {
            clips: model.clips.iter().map(|clip| c(&clip.name)).collect(),
            joints: model.skins.iter().map(|skin| skin.joints.iter().map(joint).collect()).collect(),
            warnings: model.warnings.iter().map(warning).collect(),
            primitives: primitives.map(|primitive| primitive.positions.len()).collect(),
            layout: SharedLayout::default(),
            token: Arc::default(),
            model,
        }
    }
}

/// Loads a glTF, FBX, OBJ or USD file. Free the model with `sinew_model_free`.
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
        make(model, "model", error, || {
            let name = text(path, "path")?;
            let path = Path::new(name);
            let fault = |cause: &dyn std::fmt::Display| Failure::input(format!("{name}: {cause}"));
            let bytes = read_file(path).map_err(|error| fault(&error))?;
            let loaded = load_bytes(&bytes, path.parent(), &Options::default());
            Ok(handle(sinew_model::new(loaded.map_err(|error| fault(&error))?.model)))
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
        make(model, "model", error, || {
            if bytes.is_null() || isize::try_from(length).is_err() {
                return Err(Failure::usage("bytes is null, or length is too large"));
            }
            let bytes = std::slice::from_raw_parts(bytes, length);
            let base = if base.is_null() { None } else { Some(Path::new(text(base, "base")?)) };
            let loaded = load_bytes(bytes, base, &Options::default()).map_err(Failure::input)?;
            Ok(handle(sinew_model::new(loaded.model)))
        })
    }
}

/// Frees a model; null is left alone.
///
/// # Safety
/// `model` is null, or came from `sinew_load_file` or `sinew_load_bytes` and was not freed. Its poses stay to be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_model_free(model: *mut sinew_model) {
    // SAFETY: the caller promises it.
    unsafe { free(model) }
}

/// Returns a number of a model, 0 for null.
unsafe fn count(model: *const sinew_model, of: impl FnOnce(&sinew_model) -> usize) -> usize {
    // SAFETY: the callers' callers promise that it is null or a model.
    value(0, || unsafe { model.as_ref() }.map_or(0, of))
}

/// Returns a text of a model, null if there is none.
unsafe fn name(
    model: *const sinew_model,
    of: impl FnOnce(&sinew_model) -> Option<&CString>,
) -> *const c_char {
    // SAFETY: as for `count`.
    value(ptr::null(), || unsafe { model.as_ref() }.and_then(of).map_or(ptr::null(), |text| text.as_ptr()))
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
    let clip = || unsafe { model.as_ref() }.and_then(|model| model.model.clips.get(clip));
    value(0.0, || clip().map_or(0.0, |clip| f64::from(clip.duration_secs)))
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

/// The number of primitives that are drawn, each as often as nodes draw it: node after node, in the order of the file.
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
