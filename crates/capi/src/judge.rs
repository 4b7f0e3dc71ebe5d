//! The verdict on vertices.

use std::ffi::{CString, c_char};

use sinew_analysis::diagnose::{Asked, Question, ask};
use sinew_analysis::vertices::{Given, Part, Stored};

use crate::call::{Failure, make, sinew_error, sinew_status, value};
use crate::model::{known, sinew_model};
use crate::out::read;
use crate::pose::{fitting, sinew_pose};
use crate::sized::{Growing, WORD, read_sized};

/// Vertices that you have skinned, primitive after primitive. Zero it, then set `size`, `vertices` and the members that you
/// have.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_vertices {
    /// `sizeof(sinew_vertices)`.
    pub size: usize,
    /// The number of vertices.
    pub vertices: usize,
    /// Three floats per vertex.
    pub positions: *const f32,
    /// Bytes from one vertex to the next; 0 if there is nothing between them.
    pub positions_stride: usize,
    /// Three floats per vertex, or null.
    pub normals: *const f32,
    /// As `positions_stride`.
    pub normals_stride: usize,
}

// SAFETY: six words, all numbers or pointers.
unsafe impl Growing for sinew_vertices {
    const NAME: &'static str = "sinew_vertices";
    const FIRST_SIZE: usize = 6 * WORD;
}

const _: () = assert!(size_of::<sinew_vertices>() == sinew_vertices::FIRST_SIZE);

/// Names the skinning that made vertices, as JSON with the keys of `sinew diagnose --json`. If `pose` is null, it searches all
/// clips, which takes longer. Free the text with `sinew_string_free`.
///
/// # Safety
/// The pointers of `vertices` are null or have as many rows as it says; `json` may be written; the rest is as for
/// `sinew_pose_clip`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_diagnose(
    model: *const sinew_model,
    pose: *const sinew_pose,
    vertices: *const sinew_vertices,
    json: *mut *mut c_char,
    error: *mut sinew_error,
) -> sinew_status {
    // SAFETY: the caller promises it.
    unsafe {
        make(json, "json", error, || {
            let model = known(model)?;
            let pose = if pose.is_null() { None } else { Some(fitting(pose, model)?) };
            let given = read_sized(vertices)?;
            let wide = |rows: Vec<[f32; 3]>| rows.into_iter().map(|row| row.map(f64::from)).collect();
            let positions = read::<f32, 3>(given.positions, given.positions_stride, given.vertices)?;
            let positions: Vec<[f64; 3]> =
                wide(positions.ok_or_else(|| Failure::usage("positions is null"))?);
            if positions.is_empty() {
                return Err(Failure::usage("there are no vertices"));
            }
            let normals = read::<f32, 3>(given.normals, given.normals_stride, given.vertices)?.map(wide);
            let part = Part { positions, normals, ..Part::default() };
            let given = Given { parts: vec![part], stored: Stored::F32 };
            let asked = pose.map_or(Asked::Search(None), |pose| Asked::At(&pose.choice));
            let question = Question {
                model: &model.model,
                given: &given,
                bind: None,
                asked,
                expected: None,
                watch: &|_| {},
            };
            let answer = ask(&question).map_err(Failure::input)?;
            let text = serde_json::to_string(&answer).map_err(Failure::usage)?;
            Ok(CString::new(text).map_err(Failure::usage)?.into_raw())
        })
    }
}

/// Frees a text of `sinew_diagnose`; null is left alone.
///
/// # Safety
/// `text` is null, or came from `sinew_diagnose` and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller promises it.
        value((), || drop(unsafe { CString::from_raw(text) }));
    }
}
