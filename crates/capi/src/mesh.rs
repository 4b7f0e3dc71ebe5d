//! The caller's own vertices, without a model.

use glam::{DMat4, DVec4};
use sinew_model::{MAX_INFLUENCES, RawSet, prepare_influences};
use sinew_skinning::cpu::{Out, Prepared, Source};

use crate::call::{Failure, borrow, call, hand_over, mode, sinew_error, sinew_status};
use crate::out::{read, sinew_out};

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
pub struct sinew_mesh {
    prepared: Prepared,
    vertices: usize,
    has_normals: bool,
    has_tangents: bool,
    /// One more than the largest joint with weight.
    joints: usize,
}

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
    if !(1..=MAX_INFLUENCES).contains(&arrays.influences) {
        let given = arrays.influences;
        return Err(Failure::usage(format!("{given} influences; there may be 1 to {MAX_INFLUENCES}")));
    }
    let count = arrays.vertices;
    // SAFETY: the caller promises it.
    let (positions, normals, tangents, centers, shares) = unsafe {
        (
            read::<f32, 3>(arrays.positions, arrays.positions_stride, count)?,
            read::<f32, 3>(arrays.normals, arrays.normals_stride, count)?,
            read::<f32, 4>(arrays.tangents, arrays.tangents_stride, count)?,
            read::<f32, 3>(arrays.centers, arrays.centers_stride, count)?,
            read::<f32, 1>(arrays.shares, arrays.shares_stride, count)?,
        )
    };
    let positions = positions.ok_or_else(|| Failure::usage("positions is null"))?;
    if arrays.joints.is_null() || arrays.weights.is_null() {
        return Err(Failure::usage("joints or weights is null"));
    }
    // SAFETY: the caller promises it.
    let (sets, joints) = unsafe { sets(arrays)? };
    let influences = prepare_influences(&sets, joints).expect("no joint is beyond their number").influences;
    let of_joints: Vec<&[[i32; 4]]> = influences.spans.iter().map(|span| span.joints.as_slice()).collect();
    let of_weights: Vec<&[[f32; 4]]> = influences.spans.iter().map(|span| span.weights.as_slice()).collect();
    let source = Source {
        positions: &positions,
        normals: normals.as_deref(),
        tangents: tangents.as_deref(),
        joints: &of_joints,
        weights: &of_weights,
    };
    let mut prepared = Prepared::new(&source).map_err(Failure::usage)?;
    prepared.set_centers(centers.as_deref()).map_err(Failure::usage)?;
    prepared.set_shares(shares.as_ref().map(|rows| rows.as_flattened())).map_err(Failure::usage)?;
    Ok(sinew_mesh {
        prepared,
        vertices: count,
        has_normals: normals.is_some(),
        has_tangents: normals.is_some() && tangents.is_some(),
        joints,
    })
}

/// Reads joints and weights, and returns one more than the largest joint with weight.
///
/// # Safety
/// As for `sinew_mesh_new`.
unsafe fn sets(arrays: &sinew_arrays) -> Result<(Vec<RawSet>, usize), Failure> {
    let width = arrays.influences;
    let stride = |given: usize, size: usize| if given == 0 { width * size } else { given };
    let (of_joints, of_weights) = (stride(arrays.joints_stride, 2), stride(arrays.weights_stride, 4));
    let is_too_large = |stride: usize| stride.checked_mul(arrays.vertices).is_none();
    if is_too_large(of_joints) || is_too_large(of_weights) {
        return Err(Failure::memory());
    }
    let mut sets = vec![RawSet::default(); width.div_ceil(4)];
    let mut count = 0;
    for set in &mut sets {
        if set.joints.try_reserve_exact(arrays.vertices).is_err()
            || set.weights.try_reserve_exact(arrays.vertices).is_err()
        {
            return Err(Failure::memory());
        }
        set.joints.resize(arrays.vertices, [0; 4]);
        set.weights.resize(arrays.vertices, [0.0; 4]);
    }
    for vertex in 0..arrays.vertices {
        for slot in 0..width {
            // SAFETY: the caller has so many rows of so many numbers, aligned or not.
            let (joint, weight) = unsafe {
                (
                    arrays
                        .joints
                        .cast::<u8>()
                        .add(vertex * of_joints)
                        .cast::<u16>()
                        .add(slot)
                        .read_unaligned(),
                    arrays
                        .weights
                        .cast::<u8>()
                        .add(vertex * of_weights)
                        .cast::<f32>()
                        .add(slot)
                        .read_unaligned(),
                )
            };
            // A slot without weight may have any joint.
            if weight != 0.0 {
                sets[slot / 4].joints[vertex][slot % 4] = joint;
                sets[slot / 4].weights[vertex][slot % 4] = weight;
                count = count.max(usize::from(joint) + 1);
            }
        }
    }
    Ok((sets, count))
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
            let mesh = borrow(mesh, "mesh")?;
            let mode = self::mode(mode)?;
            let out = borrow(out, "out")?;
            let settings = out.check(mesh.vertices)?;
            if joints < mesh.joints {
                let last = mesh.joints - 1;
                return Err(Failure::usage(format!("{joints} matrices, but a vertex has joint {last}")));
            }
            if mode.facts().needs_centers && !mesh.prepared.has_centers() {
                return Err(Failure::usage(format!("{mode} needs centers")));
            }
            let matrices =
                read::<f64, 16>(matrices, 0, joints)?.ok_or_else(|| Failure::usage("matrices is null"))?;
            let matrices: Vec<DMat4> = matrices.iter().map(DMat4::from_cols_array).collect();
            if let Some(joint) = matrices.iter().position(|matrix| matrix.row(3) != DVec4::W) {
                return Err(Failure::usage(format!("the last row of matrix {joint} is not 0, 0, 0, 1")));
            }
            let mut slots = Vec::new();
            mode.slots_into(&matrices, &mut slots);
            let mut positions = vec![[0.0; 3]; mesh.vertices];
            let mut normals = mesh.has_normals.then(|| vec![[0.0; 3]; mesh.vertices]);
            let mut tangents = mesh.has_tangents.then(|| vec![[0.0; 4]; mesh.vertices]);
            let skinned = Out {
                positions: Some(&mut positions),
                normals: normals.as_deref_mut(),
                tangents: tangents.as_deref_mut(),
            };
            mesh.prepared.skin(mode, &slots, skinned, &settings).map_err(Failure::usage)?;
            out.write(&positions, normals.as_deref(), tangents.as_deref());
            Ok(())
        })
    }
}
