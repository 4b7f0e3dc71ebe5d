//! The caller's own vertices, without a model.

use glam::DMat4;
use sinew_skinning::arrays::{Arrays, Mesh};
use sinew_skinning::cpu::Out;

use crate::call::{Failure, borrow, call, hand_over, mode, sinew_error, sinew_status};
use crate::out::{read, read_rows, sinew_out};

/// Vertices of the caller in their bind pose. Set `size` to `sizeof(sinew_arrays)`, and what you do not have to zero.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_arrays {
    /// The size of this struct in bytes.
    pub size: usize,
    /// The number of vertices.
    pub vertices: usize,
    /// Three floats a vertex.
    pub positions: *const f32,
    /// Bytes from one vertex to the next; 0 if they follow each other.
    pub positions_stride: usize,
    /// Three floats a vertex; null if there are none.
    pub normals: *const f32,
    /// As `positions_stride`.
    pub normals_stride: usize,
    /// Four floats a vertex; null if there are none.
    pub tangents: *const f32,
    /// As `positions_stride`.
    pub tangents_stride: usize,
    /// Joints with weights of a vertex, 1 to 16.
    pub influences: usize,
    /// Joints, `influences` of them a vertex.
    pub joints: *const u16,
    /// As `positions_stride`.
    pub joints_stride: usize,
    /// Weights, as many; they are divided by their sum.
    pub weights: *const f32,
    /// As `positions_stride`.
    pub weights_stride: usize,
    /// Centres of rotation, three floats a vertex, which `SINEW_COR` needs.
    pub centers: *const f32,
    /// As `positions_stride`.
    pub centers_stride: usize,
    /// Shares of dual quaternions, one float a vertex, which `SINEW_BLEND` takes.
    pub shares: *const f32,
    /// As `positions_stride`.
    pub shares_stride: usize,
}

/// Vertices laid out once, to be skinned often.
pub struct sinew_mesh(Mesh);

/// Lays out vertices. Free the mesh with `sinew_mesh_free`; the arrays are no longer needed.
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
    unsafe { call(error, || hand_over(mesh, laid_out(borrow(arrays, "arrays")?)?, "mesh")) }
}

/// # Safety
/// As for `sinew_mesh_new`.
unsafe fn laid_out(arrays: &sinew_arrays) -> Result<sinew_mesh, Failure> {
    if arrays.size < size_of::<sinew_arrays>() {
        return Err(Failure::usage("sinew_arrays.size is not sizeof(sinew_arrays)"));
    }
    let (count, influences) = (arrays.vertices, arrays.influences);
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
    Ok(sinew_mesh(Mesh::new(&arrays).map_err(Failure::usage)?))
}

/// Frees a mesh; null is left alone.
///
/// # Safety
/// `mesh` came from `sinew_mesh_new` and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mesh_free(mesh: *mut sinew_mesh) {
    if !mesh.is_null() {
        // SAFETY: the caller promises it.
        drop(unsafe { Box::from_raw(mesh) });
    }
}

/// Skins a mesh by its joints' matrices from the bind pose to the world: 16 numbers a joint, column after column.
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
            let out = borrow(out, "out")?;
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
            mesh.skin(mode, &matrices, skinned, &settings, &mut Vec::new()).map_err(Failure::usage)?;
            out.write(&positions, normals.as_deref(), tangents.as_deref());
            Ok(())
        })
    }
}
