//! Wrong calls from C: each gives a status and a message, none ends the process.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(unsafe_code, reason = "the calls are C's")]

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use ::sinew_model::builtin;
use sinew_c::*;

fn no_error() -> sinew_error {
    sinew_error { size: size_of::<sinew_error>(), message: [0; 512] }
}

fn said(error: &sinew_error) -> String {
    // SAFETY: the library ends its messages with a zero.
    unsafe { CStr::from_ptr(error.message.as_ptr()) }.to_str().unwrap().to_owned()
}

fn model() -> *mut sinew_model {
    let bytes = builtin::glb("twist").unwrap();
    let mut model = ptr::null_mut();
    // SAFETY: the bytes are there.
    let status =
        unsafe { sinew_load_bytes(bytes.as_ptr(), bytes.len(), ptr::null(), &mut model, ptr::null_mut()) };
    assert_eq!(status, sinew_status::SINEW_OK);
    model
}

fn room(vertices: usize, positions: *mut f32) -> sinew_out {
    sinew_out {
        size: size_of::<sinew_out>(),
        vertices,
        positions,
        positions_stride: 0,
        normals: ptr::null_mut(),
        normals_stride: 0,
        tangents: ptr::null_mut(),
        tangents_stride: 0,
        flags: 0,
    }
}

fn arrays(positions: &[f32], joints: &[u16], weights: &[f32], influences: usize) -> sinew_arrays {
    sinew_arrays {
        size: size_of::<sinew_arrays>(),
        vertices: positions.len() / 3,
        positions: positions.as_ptr(),
        positions_stride: 0,
        normals: ptr::null(),
        normals_stride: 0,
        tangents: ptr::null(),
        tangents_stride: 0,
        influences,
        joints: joints.as_ptr(),
        joints_stride: 0,
        weights: weights.as_ptr(),
        weights_stride: 0,
        centers: ptr::null(),
        centers_stride: 0,
        shares: ptr::null(),
        shares_stride: 0,
    }
}

#[test]
fn files_that_are_none_are_refused() {
    let mut error = no_error();
    let mut model = ptr::null_mut();
    let name = CString::new("nix.glb").unwrap();
    let bad = [0xff_u8 as c_char, 0];
    // SAFETY: all texts end with a zero.
    unsafe {
        assert_eq!(sinew_load_file(name.as_ptr(), &mut model, &mut error), sinew_status::SINEW_INPUT);
        assert_eq!(said(&error), "nix.glb: no such file");
        assert_eq!(sinew_load_file(ptr::null(), &mut model, &mut error), sinew_status::SINEW_USAGE);
        assert_eq!(said(&error), "path is null");
        assert_eq!(sinew_load_file(bad.as_ptr(), &mut model, &mut error), sinew_status::SINEW_USAGE);
        assert_eq!(said(&error), "path is not UTF-8");
        for bytes in [&b"glTF"[..], b"{", b"\0\0\0\0"] {
            let status = sinew_load_bytes(bytes.as_ptr(), bytes.len(), ptr::null(), &mut model, &mut error);
            assert_eq!(status, sinew_status::SINEW_INPUT);
            assert!(!said(&error).is_empty());
        }
        let status = sinew_load_bytes(ptr::null(), 4, ptr::null(), &mut model, &mut error);
        assert_eq!(status, sinew_status::SINEW_USAGE);
        assert!(model.is_null());
    }
}

#[test]
fn null_is_never_followed() {
    let mut error = no_error();
    let mut pose = ptr::null_mut();
    let mut json = ptr::null_mut();
    let usage = sinew_status::SINEW_USAGE;
    // SAFETY: null is allowed everywhere.
    unsafe {
        assert_eq!(sinew_clip_count(ptr::null()), 0);
        assert!(sinew_clip_name(ptr::null(), 0).is_null());
        assert_eq!(sinew_clip_seconds(ptr::null(), 0), 0.0);
        assert_eq!(sinew_joint_count(ptr::null(), 0), 0);
        assert!(sinew_joint_name(ptr::null(), 0, 0).is_null());
        assert_eq!(sinew_primitive_vertices(ptr::null(), 0), 0);
        assert!(sinew_warning(ptr::null(), 0).is_null());
        assert_eq!(sinew_pose_rest(ptr::null(), &mut pose, &mut error), usage);
        assert_eq!(said(&error), "model is null");
        let model = model();
        assert_eq!(sinew_pose_rest(model, ptr::null_mut(), &mut error), usage);
        assert_eq!(sinew_pose_rest(model, &mut pose, &mut error), sinew_status::SINEW_OK);
        assert_eq!(said(&error), "");
        assert_eq!(sinew_skin(model, pose, 2, 0, ptr::null(), &mut error), usage);
        assert_eq!(sinew_skin(model, ptr::null(), 2, 0, &room(0, ptr::null_mut()), &mut error), usage);
        assert_eq!(sinew_palette(model, pose, 0, ptr::null_mut(), 9, &mut error), usage);
        assert_eq!(sinew_diagnose(model, pose, ptr::null(), &mut json, &mut error), usage);
        assert_eq!(sinew_mesh_new(ptr::null(), ptr::null_mut(), &mut error), usage);
        assert_eq!(sinew_mesh_skin(ptr::null(), 0, ptr::null(), 0, ptr::null(), ptr::null_mut()), usage);
        sinew_pose_free(pose);
        sinew_pose_free(ptr::null_mut());
        sinew_model_free(model);
        sinew_model_free(ptr::null_mut());
        sinew_mesh_free(ptr::null_mut());
        sinew_string_free(ptr::null_mut());
    }
}

#[test]
fn wrong_numbers_are_refused() {
    let mut error = no_error();
    let usage = sinew_status::SINEW_USAGE;
    // SAFETY: the handles and arrays are there.
    unsafe {
        let model = model();
        let mut pose = ptr::null_mut();
        assert_eq!(sinew_pose_clip(model, 0, f64::NAN, &mut pose, &mut error), usage);
        assert_eq!(sinew_pose_clip(model, 7, 0.0, &mut pose, &mut error), usage);
        assert_eq!(said(&error), "no clip 7; the model has 1");
        assert_eq!(sinew_pose_clip(model, 0, 1.0, &mut pose, &mut error), sinew_status::SINEW_OK);
        let vertices = sinew_primitive_vertices(model, 0);
        let mut positions = vec![0.0; 3 * vertices];
        let out = room(vertices, positions.as_mut_ptr());
        for (mode, primitive, out) in [
            (-1, 0, out),
            (7, 0, out),
            (i32::MAX, 0, out),
            (1, 1, out),
            (1, usize::MAX, out),
            (1, 0, sinew_out { vertices: vertices - 1, ..out }),
            (1, 0, sinew_out { size: 8, ..out }),
            (1, 0, sinew_out { flags: 4, ..out }),
        ] {
            assert_eq!(sinew_skin(model, pose, mode, primitive, &out, &mut error), usage);
            assert!(positions.iter().all(|number| *number == 0.0));
        }
        assert_eq!(sinew_skin(model, pose, 2, 0, &out, &mut error), sinew_status::SINEW_OK);
        assert!(positions.iter().any(|number| *number != 0.0));
        let mut other = ptr::null_mut();
        let bytes = builtin::glb("character").unwrap();
        sinew_load_bytes(bytes.as_ptr(), bytes.len(), ptr::null(), &mut other, &mut error);
        assert_eq!(sinew_skin(other, pose, 2, 0, &out, &mut error), usage);
        assert_eq!(said(&error), "the pose is one of another model");
        sinew_model_free(other);
        sinew_pose_free(pose);
        sinew_model_free(model);
    }
}

#[test]
fn strides_skip_what_is_between() {
    let mut error = no_error();
    // SAFETY: the arrays are there.
    unsafe {
        let model = model();
        let mut pose = ptr::null_mut();
        assert_eq!(sinew_pose_clip(model, 0, 1.0, &mut pose, &mut error), sinew_status::SINEW_OK);
        let vertices = sinew_primitive_vertices(model, 0);
        let (mut packed, mut apart) = (vec![0.0; 3 * vertices], vec![-7.0_f32; 8 * vertices]);
        let out = room(vertices, packed.as_mut_ptr());
        assert_eq!(sinew_skin(model, pose, 2, 0, &out, &mut error), sinew_status::SINEW_OK);
        let out = sinew_out { positions_stride: 32, ..room(vertices, apart.as_mut_ptr()) };
        assert_eq!(sinew_skin(model, pose, 2, 0, &out, &mut error), sinew_status::SINEW_OK);
        for (packed, apart) in packed.chunks(3).zip(apart.chunks(8)) {
            assert_eq!(packed, &apart[..3]);
            assert!(apart[3..].iter().all(|number| *number == -7.0));
        }
        sinew_pose_free(pose);
        sinew_model_free(model);
    }
}

#[test]
fn meshes_of_any_numbers_are_skinned_or_refused() {
    let mut error = no_error();
    let usage = sinew_status::SINEW_USAGE;
    let identity: [f64; 16] = std::array::from_fn(|n| f64::from(n % 5 == 0));
    let positions = [0.0, 1.0, 2.0, f32::NAN, 0.0, 0.0];
    let (joints, weights) = ([0, 65535, 0, 0], [1.0, 0.0, f32::INFINITY, f32::NAN]);
    // SAFETY: the arrays are there.
    unsafe {
        let mut mesh = ptr::null_mut();
        let given = arrays(&positions, &joints, &weights, 2);
        for wrong in [
            sinew_arrays { size: 3, ..given },
            sinew_arrays { influences: 0, ..given },
            sinew_arrays { influences: 17, ..given },
            sinew_arrays { positions: ptr::null(), ..given },
            sinew_arrays { joints: ptr::null(), ..given },
            sinew_arrays { weights: ptr::null(), ..given },
        ] {
            assert_eq!(sinew_mesh_new(&wrong, &mut mesh, &mut error), usage);
        }
        let endless = sinew_arrays { vertices: usize::MAX / 2, ..given };
        assert_eq!(sinew_mesh_new(&endless, &mut mesh, &mut error), sinew_status::SINEW_MEMORY);
        assert_eq!(sinew_mesh_new(&given, &mut mesh, &mut error), sinew_status::SINEW_OK);
        let mut skinned = [0.0; 6];
        let out = room(2, skinned.as_mut_ptr());
        assert_eq!(sinew_mesh_skin(mesh, 1, identity.as_ptr(), 0, &out, &mut error), usage);
        assert_eq!(sinew_mesh_skin(mesh, 4, identity.as_ptr(), 1, &out, &mut error), usage);
        assert_eq!(sinew_mesh_skin(mesh, 1, ptr::null(), 1, &out, &mut error), usage);
        for mode in [0, 1, 2, 3, 5, 6] {
            assert_eq!(
                sinew_mesh_skin(mesh, mode, identity.as_ptr(), 1, &out, &mut error),
                sinew_status::SINEW_OK
            );
            assert_eq!(skinned[..3], positions[..3]);
        }
        sinew_mesh_free(mesh);
    }
}
