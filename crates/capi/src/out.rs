//! Results, written into the caller's memory.

use sinew_skinning::cpu::{Exactness, Settings, Threads};

use crate::call::Failure;
use crate::sized::{Growing, WORD};

/// Skin on all cores instead of on the calling thread.
pub const SINEW_ALL_CORES: u64 = 1;

/// Give the bits of sinew's shaders instead of the fastest result. Both are within the same bounds.
pub const SINEW_EXACT: u64 = 2;

/// Your memory for skinned vertices. Zero it, then set `size`, `vertices` and the members that you want. Pointers and strides
/// need no alignment. What a mesh does not have is not written.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_out {
    /// `sizeof(sinew_out)`.
    pub size: usize,
    /// The number of vertices for which there is room.
    pub vertices: usize,
    /// Three floats per vertex, or null.
    pub positions: *mut f32,
    /// Bytes from one vertex to the next; 0 if there is nothing between them.
    pub positions_stride: usize,
    /// Three floats per vertex, or null.
    pub normals: *mut f32,
    /// As `positions_stride`.
    pub normals_stride: usize,
    /// Four floats per vertex, or null.
    pub tangents: *mut f32,
    /// As `positions_stride`.
    pub tangents_stride: usize,
    /// 0, `SINEW_ALL_CORES`, `SINEW_EXACT`, or both.
    pub flags: u64,
}

// SAFETY: eight words and one of 64 bits; all are numbers or pointers.
unsafe impl Growing for sinew_out {
    const NAME: &'static str = "sinew_out";
    const FIRST_SIZE: usize = 8 * WORD + 8;
}

const _: () = assert!(size_of::<sinew_out>() == sinew_out::FIRST_SIZE);

impl sinew_out {
    /// Checks the struct against a number of vertices.
    pub fn check(&self, vertices: usize) -> Result<Settings, Failure> {
        if self.vertices < vertices {
            let room = self.vertices;
            return Err(Failure::usage(format!("sinew_out has room for {room} vertices of {vertices}")));
        }
        if self.flags & !(SINEW_ALL_CORES | SINEW_EXACT) != 0 {
            return Err(Failure::usage(format!("sinew_out.flags has unknown bits: {:#x}", self.flags)));
        }
        let is = |flag: u64| self.flags & flag != 0;
        let threads = if is(SINEW_ALL_CORES) { Threads::Pool } else { Threads::Caller };
        let exactness = if is(SINEW_EXACT) { Exactness::Twin } else { Exactness::Bounds };
        Ok(Settings { threads, exactness, ..Settings::default() })
    }

    /// Writes skinned vertices.
    ///
    /// # Safety
    /// Each pointer is null or has room for `vertices` rows at its stride.
    pub unsafe fn write(
        &self,
        positions: &[[f32; 3]],
        normals: Option<&[[f32; 3]]>,
        tangents: Option<&[[f32; 4]]>,
    ) {
        // SAFETY: the caller promises it.
        unsafe {
            rows(self.positions, self.positions_stride, positions);
            rows(self.normals, self.normals_stride, normals.unwrap_or_default());
            rows(self.tangents, self.tangents_stride, tangents.unwrap_or_default());
        }
    }
}

/// Writes rows at a stride.
///
/// # Safety
/// `to` is null or has room for them.
unsafe fn rows<const N: usize>(to: *mut f32, stride: usize, rows: &[[f32; N]]) {
    if to.is_null() {
        return;
    }
    let stride = if stride == 0 { size_of::<[f32; N]>() } else { stride };
    for (number, row) in rows.iter().enumerate() {
        // SAFETY: the caller has room for each row, aligned or not.
        unsafe { to.cast::<u8>().add(number * stride).cast::<[f32; N]>().write_unaligned(*row) };
    }
}

/// Reads rows at a stride; none for null.
///
/// # Safety
/// `from` is null or has as many rows.
pub unsafe fn read<T: Copy, const N: usize>(
    from: *const T,
    stride: usize,
    count: usize,
) -> Result<Option<Vec<[T; N]>>, Failure> {
    // SAFETY: the caller promises it.
    unsafe { read_rows(from.cast(), stride, count, 1) }
}

/// Reads the numbers of rows of this width.
///
/// # Safety
/// As for [`read`].
pub unsafe fn read_rows<T: Copy>(
    from: *const T,
    stride: usize,
    count: usize,
    width: usize,
) -> Result<Option<Vec<T>>, Failure> {
    if from.is_null() {
        return Ok(None);
    }
    let row = width.checked_mul(size_of::<T>()).ok_or_else(Failure::memory)?;
    let stride = if stride == 0 { row } else { stride };
    let mut numbers = Vec::new();
    let room = width.checked_mul(count).ok_or_else(Failure::memory)?;
    if stride.checked_mul(count).is_none() || numbers.try_reserve_exact(room).is_err() {
        return Err(Failure::memory());
    }
    for number in 0..count {
        // SAFETY: the caller has so many rows, aligned or not.
        let row = unsafe { from.cast::<u8>().add(number * stride).cast::<T>() };
        // SAFETY: the row has so many numbers.
        numbers.extend((0..width).map(|slot| unsafe { row.add(slot).read_unaligned() }));
    }
    Ok(Some(numbers))
}
