//! Results in C's memory are those of Rust, bit by bit: in every mode, at any stride, by either road, from any thread.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]
#![allow(unsafe_code, reason = "the calls are C's")]

use std::ffi::CStr;
use std::path::Path;
use std::ptr;

use ::sinew_model::{Model, builtin, gltf};
use sinew_c::*;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{PreparedModel, SkinnedPrimitive, skin_model};
use sinew_skinning::{SkinningMode, centers, cpu};

/// Built-in models and rigs of the conformance suite, with a clip and a time.
const POSES: [(&str, usize, f64); 8] = [
    ("character", 1, 0.4),
    ("twist", 0, 1.3),
    ("bend", 0, 0.9),
    ("strip", 0, 0.5),
    ("morph-then-skin.glb", 0, 0.7),
    ("tangents-scaled.glb", 0, 0.7),
    ("influences-16.glb", 0, 0.7),
    ("scale-negative.glb", 0, 0.7),
];

/// A model of C in a pose, with Rust's.
struct Posed {
    rust: Model,
    pose: Pose,
    model: *mut sinew_model,
    posed: *mut sinew_pose,
}

impl Posed {
    fn new(name: &str, clip: usize, time_secs: f64) -> Self {
        let rigs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/rigs");
        let is_rig = name.ends_with(".glb");
        let bytes =
            if is_rig { std::fs::read(rigs.join(name)).unwrap() } else { builtin::glb(name).unwrap() };
        let rust = gltf::load_bytes(&bytes, None).unwrap();
        let mut pose = Pose::default();
        pose.set(&rust, &PoseChoice::clip(clip, time_secs));
        let (mut model, mut posed) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: there are so many bytes.
        fine(|error| unsafe {
            sinew_load_bytes(bytes.as_ptr(), bytes.len(), ptr::null(), &mut model, error)
        });
        // SAFETY: the model lives.
        fine(|error| unsafe { sinew_pose_clip(model, clip, time_secs, &mut posed, error) });
        Self { rust, pose, model, posed }
    }
}

impl Drop for Posed {
    fn drop(&mut self) {
        // SAFETY: both are freed here alone.
        unsafe {
            sinew_pose_free(self.posed);
            sinew_model_free(self.model);
        }
    }
}

/// Runs a call that must succeed.
fn fine(call: impl FnOnce(*mut sinew_error) -> sinew_status) {
    let mut error = sinew_error { size: size_of::<sinew_error>(), message: [0; 512] };
    let status = call(&mut error);
    // SAFETY: the library ends its messages with a zero.
    let message = unsafe { CStr::from_ptr(error.message.as_ptr()) };
    assert_eq!(status, sinew_status::SINEW_OK, "{message:?}");
}

/// Skins into memory of C at strides: rows of `strides` bytes, 0 for packed.
fn skinned(
    vertices: usize,
    strides: [usize; 3],
    flags: u64,
    call: impl FnOnce(*const sinew_out),
) -> [Vec<u32>; 3] {
    let row = [12, 12, 16];
    let stride = [0, 1, 2].map(|n| if strides[n] == 0 { row[n] } else { strides[n] });
    let mut memory = stride.map(|stride| vec![0_u8; stride * vertices]);
    let [positions, normals, tangents] = memory.each_mut().map(|bytes| bytes.as_mut_ptr().cast::<f32>());
    call(&sinew_out {
        size: size_of::<sinew_out>(),
        vertices,
        positions,
        positions_stride: strides[0],
        normals,
        normals_stride: strides[1],
        tangents,
        tangents_stride: strides[2],
        flags,
    });
    [0, 1, 2].map(|n| {
        let rows = memory[n].chunks(stride[n]).flat_map(|bytes| bytes[..row[n]].as_chunks().0);
        rows.map(|bytes| u32::from_ne_bytes(*bytes)).collect()
    })
}

/// The bits of a primitive; zeros for what it does not have.
fn bits(primitive: &SkinnedPrimitive<f32>) -> [Vec<u32>; 3] {
    let count = primitive.positions.len();
    let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<u32>>();
    let normals = primitive.normals.as_ref().map(|rows| bits(rows.as_flattened()));
    let tangents = primitive.tangents.as_ref().map(|rows| bits(rows.as_flattened()));
    let zeros = |columns: usize| vec![0; columns * count];
    [
        bits(primitive.positions.as_flattened()),
        normals.unwrap_or_else(|| zeros(3)),
        tangents.unwrap_or_else(|| zeros(4)),
    ]
}

/// The bits of a model in C's memory.
fn model_bits(posed: &Posed, mode: usize, strides: [usize; 3], flags: u64) -> Vec<[Vec<u32>; 3]> {
    let (model, pose) = (posed.model, posed.posed);
    // SAFETY: the model lives.
    let primitives = (0..unsafe { sinew_primitive_count(model) }).map(|primitive| {
        // SAFETY: the model lives.
        let vertices = unsafe { sinew_primitive_vertices(model, primitive) };
        skinned(vertices, strides, flags, |out| {
            // SAFETY: both handles live, and `skinned` has room.
            fine(|error| unsafe { sinew_skin(model, pose, mode as i32, primitive, out, error) });
        })
    });
    primitives.collect()
}

#[test]
fn a_model_has_the_bits_of_rust() {
    for (name, clip, time_secs) in POSES {
        let posed = Posed::new(name, clip, time_secs);
        let mut prepared = PreparedModel::new(&posed.rust).unwrap();
        for (number, mode) in SkinningMode::ALL.into_iter().enumerate() {
            let twin: Vec<_> = skin_model(&posed.rust, mode, &posed.pose).iter().map(bits).collect();
            let fast = prepared.skin(&posed.rust, mode, &posed.pose, &cpu::Settings::default()).unwrap();
            let fast: Vec<_> = fast.iter().map(bits).collect();
            for strides in [[0; 3], [29, 13, 16], [12, 24, 40]] {
                assert!(
                    model_bits(&posed, number, strides, SINEW_EXACT) == twin,
                    "{name}, {mode}, {strides:?}"
                );
                assert!(model_bits(&posed, number, strides, 0) == fast, "{name}, {mode}, {strides:?}");
            }
            let all_cores = SINEW_EXACT | SINEW_ALL_CORES;
            assert!(model_bits(&posed, number, [0; 3], all_cores) == twin, "{name}, {mode}");
        }
    }
}

/// The mesh of an engine: what the file has, in arrays.
#[test]
fn arrays_have_the_bits_of_their_model() {
    const SHARE: f64 = 0.25;
    let mut compared = 0;
    for (name, clip, time_secs) in POSES {
        let mut posed = Posed::new(name, clip, time_secs);
        posed.pose.skins.shares.set_all(SHARE);
        let Some(instance) = posed.rust.instances.iter().find(|instance| instance.skin.is_some()) else {
            continue;
        };
        let (skin, mesh) = (instance.skin.unwrap(), instance.mesh);
        let primitive = &posed.rust.meshes[mesh].primitives[0];
        let influences = primitive.influences.as_ref().unwrap();
        // What morphs differs from the file's arrays.
        if posed.pose.weights.iter().any(|weight| *weight != 0.0) {
            continue;
        }
        let count = primitive.positions.len();
        let of_vertex = |vertex: usize| {
            influences.spans.iter().map(move |span| (span.joints[vertex], span.weights[vertex]))
        };
        let joints: Vec<u16> =
            (0..count).flat_map(of_vertex).flat_map(|(joints, _)| joints.map(|joint| joint as u16)).collect();
        let weights: Vec<f32> = (0..count).flat_map(of_vertex).flat_map(|(_, weights)| weights).collect();
        let of = |rows: Option<*const f32>| rows.unwrap_or(ptr::null());
        let shares = vec![SHARE as f32; count];
        let arrays = sinew_arrays {
            size: size_of::<sinew_arrays>(),
            vertices: count,
            positions: primitive.positions.as_ptr().cast(),
            positions_stride: 0,
            normals: of(primitive.normals.as_ref().map(|rows| rows.as_ptr().cast())),
            normals_stride: 0,
            tangents: of(primitive.tangents.as_ref().map(|rows| rows.as_ptr().cast())),
            tangents_stride: 0,
            influences: 4 * influences.spans.len(),
            joints: joints.as_ptr(),
            joints_stride: 0,
            weights: weights.as_ptr(),
            weights_stride: 0,
            centers: of(centers::of(&posed.rust, skin, mesh, 0).map(|rows| rows.as_ptr().cast())),
            centers_stride: 0,
            shares: shares.as_ptr(),
            shares_stride: 0,
        };
        let mut laid_out = ptr::null_mut();
        let joints = posed.rust.skins[skin].joints.len();
        let mut matrices = vec![0.0; 16 * joints];
        // SAFETY: the arrays have as many rows, and `matrices` has room.
        unsafe {
            fine(|error| sinew_mesh_new(&arrays, &mut laid_out, error));
            fine(|error| sinew_palette(posed.model, posed.posed, skin, matrices.as_mut_ptr(), joints, error));
        }
        // Arrays have no triangles, from which the surroundings of vertices come.
        let with_arrays = |(_, mode): &(usize, SkinningMode)| !mode.facts().needs_ddm;
        for (number, mode) in SkinningMode::ALL.into_iter().enumerate().filter(with_arrays) {
            let twin = bits(&skin_model(&posed.rust, mode, &posed.pose)[0]);
            for strides in [[0; 3], [29, 13, 17]] {
                let theirs = skinned(count, strides, SINEW_EXACT, |out| {
                    // SAFETY: `skinned` has room.
                    fine(|error| unsafe {
                        sinew_mesh_skin(laid_out, number as i32, matrices.as_ptr(), joints, out, error)
                    });
                });
                assert!(theirs == twin, "{name}, {mode}, {strides:?}");
            }
        }
        // SAFETY: it is freed here alone.
        unsafe { sinew_mesh_free(laid_out) };
        compared += 1;
    }
    assert_eq!(compared, POSES.len() - 1, "all but the one that morphs");
}

/// Handles as threads share them.
#[derive(Clone, Copy)]
struct Shared<'a>(&'a Posed);

// SAFETY: the header promises that threads may share handles; this is the test of it.
unsafe impl Send for Shared<'_> {}

#[test]
fn threads_share_a_model() {
    let (name, clip, time_secs) = POSES[0];
    let posed = Posed::new(name, clip, time_secs);
    let alone: Vec<_> =
        (0..SkinningMode::ALL.len()).map(|mode| model_bits(&posed, mode, [0; 3], SINEW_EXACT)).collect();
    // A second model, whose layout and centres no thread has made yet.
    let posed = Posed::new(name, clip, time_secs);
    let shared = Shared(&posed);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let alone = &alone;
            scope.spawn(move || {
                let Shared(posed) = { shared };
                for turn in 0..2 * alone.len() {
                    let mode = (turn * (thread + 1) + thread) % alone.len();
                    let flags = SINEW_EXACT | if turn % 2 == 0 { SINEW_ALL_CORES } else { 0 };
                    assert!(model_bits(posed, mode, [0; 3], flags) == alone[mode], "{thread}, {mode}");
                    let mut other = ptr::null_mut();
                    // SAFETY: the model lives; the pose is freed here alone.
                    unsafe {
                        fine(|error| {
                            sinew_pose_clip(
                                posed.model,
                                clip,
                                f64::from(turn as u32) / 9.0,
                                &mut other,
                                error,
                            )
                        });
                        sinew_pose_free(other);
                        assert_eq!(CStr::from_ptr(sinew_clip_name(posed.model, 0)).to_str(), Ok("idle"));
                    }
                }
            });
        }
    });
}
