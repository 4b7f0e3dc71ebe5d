//! Skins arrays through the calls for C, at strides and in memory without a byte too many: the first ten bytes of an input
//! are counts, strides and the mode, the rest are numbers. With the address sanitizer, any other byte that is touched counts.

#![no_main]

use std::ptr;

use libfuzzer_sys::fuzz_target;
use sinew_c::*;

/// Rows at a stride, with the pointer to the first and the stride to pass.
struct Rows(Vec<u8>, usize);

impl Rows {
    /// Takes bytes again and again. Bit 7 of `stride` leaves the array out; 0 stands for packed rows.
    fn new(bytes: &[u8], count: usize, row: usize, stride: u8) -> Option<Self> {
        let given = usize::from(stride & 63);
        let given = if given < row { 0 } else { given };
        let apart = if given == 0 { row } else { given };
        let length = count.checked_sub(1).map_or(0, |last| last * apart + row);
        let bytes = if bytes.is_empty() { &[0][..] } else { bytes };
        (stride & 128 == 0).then(|| Self(bytes.iter().copied().cycle().take(length).collect(), given))
    }

    fn pointer<T>(rows: &mut Option<Self>) -> *mut T {
        rows.as_mut().map_or(ptr::null_mut(), |Self(bytes, _)| bytes.as_mut_ptr().cast())
    }

    fn stride(rows: &Option<Self>) -> usize {
        rows.as_ref().map_or(0, |Self(_, stride)| *stride)
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((&[count, influences, mode, joints, flags, a, b, c, d, e], bytes)) = input.split_first_chunk()
    else {
        return;
    };
    let (vertices, influences) = (usize::from(count), usize::from(influences & 31));
    let rows = |row: usize, stride: u8| Rows::new(bytes, vertices, row, stride);
    let (mut positions, mut normals, mut tangents) = (rows(12, a), rows(12, b), rows(16, c));
    let (mut centers, mut shares) = (rows(12, b ^ c), rows(4, a ^ c));
    let (mut joints_of, mut weights) = (rows(2 * influences, d), rows(4 * influences, e));
    let arrays = sinew_arrays {
        size: size_of::<sinew_arrays>(),
        vertices,
        positions: Rows::pointer(&mut positions),
        positions_stride: Rows::stride(&positions),
        normals: Rows::pointer(&mut normals),
        normals_stride: Rows::stride(&normals),
        tangents: Rows::pointer(&mut tangents),
        tangents_stride: Rows::stride(&tangents),
        influences,
        joints: Rows::pointer(&mut joints_of),
        joints_stride: Rows::stride(&joints_of),
        weights: Rows::pointer(&mut weights),
        weights_stride: Rows::stride(&weights),
        centers: Rows::pointer(&mut centers),
        centers_stride: Rows::stride(&centers),
        shares: Rows::pointer(&mut shares),
        shares_stride: Rows::stride(&shares),
    };
    let matrices = usize::from(joints) * if joints > 240 { 256 } else { 1 };
    let mut numbers: Vec<f64> =
        bytes.iter().cycle().take(16 * matrices).map(|byte| f64::from(*byte) / 32.0).collect();
    for matrix in numbers.as_chunks_mut::<16>().0 {
        [matrix[3], matrix[7], matrix[11], matrix[15]] = [0.0, 0.0, 0.0, 1.0];
    }
    let (mut to, mut normals_to, mut tangents_to) = (rows(12, c), rows(12, d), rows(16, e));
    let out = sinew_out {
        size: size_of::<sinew_out>(),
        vertices,
        positions: Rows::pointer(&mut to),
        positions_stride: Rows::stride(&to),
        normals: Rows::pointer(&mut normals_to),
        normals_stride: Rows::stride(&normals_to),
        tangents: Rows::pointer(&mut tangents_to),
        tangents_stride: Rows::stride(&tangents_to),
        flags: u64::from(flags & 7),
    };
    let mut error = sinew_error { size: size_of::<sinew_error>(), message: [0; 512] };
    let mut mesh = ptr::null_mut();
    // SAFETY: each array is null or has its rows at its stride.
    unsafe {
        let status = sinew_mesh_new(&arrays, &mut mesh, &mut error);
        assert_eq!(status == sinew_status::SINEW_OK, !mesh.is_null());
        assert_ne!(status, sinew_status::SINEW_BUG, "{:?}", error.message);
        let status = sinew_mesh_skin(
            mesh,
            i32::from(mode & 7),
            numbers.as_ptr(),
            numbers.len() / 16,
            &out,
            &mut error,
        );
        assert_ne!(status, sinew_status::SINEW_BUG, "{:?}", error.message);
        sinew_mesh_free(mesh);
    }
});
