//! The caller's own vertices, without a model.

use glam::DMat4;
use sinew_model::MAX_INFLUENCES;
use sinew_skinning::arrays::{Arrays, BadArrays, Mesh};
use sinew_skinning::cpu::Out;

use crate::call::{Failure, borrow, call, free, handle, make, mode, sinew_error, sinew_status};
use crate::out::{read, read_rows, sinew_out};
use crate::sized::{Growing, WORD, read_sized};

/// Your vertices in their bind pose. Zero it, then set `size` and the members that you have. Pointers and strides need no
/// alignment.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_arrays {
    /// `sizeof(sinew_arrays)`.
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
    /// Four floats per vertex, or null. They need normals.
    pub tangents: *const f32,
    /// As `positions_stride`.
    pub tangents_stride: usize,
    /// The number of joints per vertex, 1 to 16.
    pub influences: usize,
    /// Indices of joints, `influences` per vertex. Where a weight is 0, any index will do.
    pub joints: *const u16,
    /// As `positions_stride`.
    pub joints_stride: usize,
    /// Weights of these joints, in any order. They are divided by their sum; negative, infinite and NaN weights count as 0.
    /// A vertex of weights 0 follows joint 0.
    pub weights: *const f32,
    /// As `positions_stride`.
    pub weights_stride: usize,
    /// Centres of rotation, three floats per vertex, which `SINEW_COR` needs; or null.
    pub centers: *const f32,
    /// As `positions_stride`.
    pub centers_stride: usize,
    /// Shares of dual quaternions, one float per vertex, which `SINEW_BLEND` takes; 1 if null.
    pub shares: *const f32,
    /// As `positions_stride`.
    pub shares_stride: usize,
}

// SAFETY: 17 words, all numbers or pointers.
unsafe impl Growing for sinew_arrays {
    const NAME: &'static str = "sinew_arrays";
    const FIRST_SIZE: usize = 17 * WORD;
}

const _: () = assert!(size_of::<sinew_arrays>() == sinew_arrays::FIRST_SIZE);

/// Vertices laid out once, to be skinned often.
pub struct sinew_mesh(Mesh);

/// Lays out your vertices, to be skinned often. The arrays are copied. Free the mesh with `sinew_mesh_free`.
///
/// # Safety
/// The pointers of `arrays` are null or have as many rows as it says; `mesh` may be written; `error` is null or has its
/// `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mesh_new(
    arrays: *const sinew_arrays,
    mesh: *mut *mut sinew_mesh,
    error: *mut sinew_error,
) -> sinew_status {
    // SAFETY: the caller promises it.
    unsafe { make(mesh, "mesh", error, || Ok(handle(laid_out(&read_sized(arrays)?)?))) }
}

/// Translates a refusal.
fn unfit(error: BadArrays) -> Failure {
    match error {
        BadArrays::Memory(_) => Failure::memory(),
        error => Failure::usage(error),
    }
}

/// # Safety
/// As for `sinew_mesh_new`.
unsafe fn laid_out(arrays: &sinew_arrays) -> Result<sinew_mesh, Failure> {
    let (count, influences) = (arrays.vertices, arrays.influences);
    // Before rows of that length are read.
    if !(1..=MAX_INFLUENCES).contains(&influences) {
        return Err(unfit(BadArrays::Influences(influences)));
    }
    // SAFETY: the caller promises it.
    let (positions, normals, tangents, centers, shares, joints, weights) = unsafe {
        (
            read::<f32, 3>(arrays.positions, arrays.positions_stride, count)?,
            read::<f32, 3>(arrays.normals, arrays.normals_stride, count)?,
            read::<f32, 4>(arrays.tangents, arrays.tangents_stride, count)?,
            read::<f32, 3>(arrays.centers, arrays.centers_stride, count)?,
            read::<f32, 1>(arrays.shares, arrays.shares_stride, count)?,
            read_rows(arrays.joints, arrays.joints_stride, count, influences)?,
            read_rows(arrays.weights, arrays.weights_stride, count, influences)?,
        )
    };
    let (Some(positions), Some(joints), Some(weights)) = (positions, joints, weights) else {
        return Err(Failure::usage("positions, joints or weights is null"));
    };
    let arrays = Arrays {
        positions: &positions,
        normals: normals.as_deref(),
        tangents: tangents.as_deref(),
        influences,
        joints: &joints,
        weights: &weights,
        centers: centers.as_deref(),
        shares: shares.as_deref().map(<[_]>::as_flattened),
    };
    Ok(sinew_mesh(Mesh::new(&arrays).map_err(unfit)?))
}

/// Frees a mesh; null is left alone.
///
/// # Safety
/// `mesh` is null, or came from `sinew_mesh_new` and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mesh_free(mesh: *mut sinew_mesh) {
    // SAFETY: the caller promises it.
    unsafe { free(mesh) }
}

/// Skins a mesh by a `sinew_mode` and its joints' matrices from the bind pose to the world: 16 numbers per joint, column after
/// column, the last row 0, 0, 0, 1. A joint's is its pose times its inverse bind matrix.
///
/// # Safety
/// `matrices` has `joints` times 16 numbers; the rest is as for `sinew_skin`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mesh_skin(
    mesh: *const sinew_mesh,
    mode: i32,
    matrices: *const f64,
    joints: usize,
    out: *const sinew_out,
    error: *mut sinew_error,
) -> sinew_status {
    // SAFETY: the caller promises it.
    unsafe {
        call(error, || {
            let sinew_mesh(mesh) = borrow(mesh, "mesh")?;
            let mode = self::mode(mode)?;
            let out = read_sized(out)?;
            let settings = out.check(mesh.len())?;
            let matrices =
                read::<f64, 16>(matrices, 0, joints)?.ok_or_else(|| Failure::usage("matrices is null"))?;
            let matrices: Vec<DMat4> = matrices.iter().map(DMat4::from_cols_array).collect();
            let mut positions = vec![[0.0; 3]; mesh.len()];
            let mut normals = mesh.has_normals().then(|| vec![[0.0; 3]; mesh.len()]);
            let mut tangents = mesh.has_tangents().then(|| vec![[0.0; 4]; mesh.len()]);
            let skinned = Out {
                positions: Some(&mut positions),
                normals: normals.as_deref_mut(),
                tangents: tangents.as_deref_mut(),
            };
            mesh.skin(mode, &matrices, skinned, &settings, &mut Vec::new()).map_err(unfit)?;
            out.write(&positions, normals.as_deref(), tangents.as_deref());
            Ok(())
        })
    }
}
