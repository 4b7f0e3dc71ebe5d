//! Results, written into the caller's memory.

use sinew_skinning::cpu::{Exactness, Settings, Threads};

use crate::call::Failure;

/// Skin on all cores instead of on the calling thread.
pub const SINEW_ALL_CORES: u32 = 1;

/// Give the bits of sinew's shaders instead of the fastest result. Both are within the same bounds.
pub const SINEW_EXACT: u32 = 2;

/// Memory of the caller for skinned vertices. Set `size` to `sizeof(sinew_out)`, and what you do not need to zero.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_out {
    /// The size of this struct in bytes.
    pub size: usize,
    /// The number of vertices that there is room for.
    pub vertices: usize,
    /// Three floats a vertex; null if they are not wanted.
    pub positions: *mut f32,
    /// Bytes from one vertex to the next; 0 if they follow each other.
    pub positions_stride: usize,
    /// Three floats a vertex.
    pub normals: *mut f32,
    /// As `positions_stride`.
    pub normals_stride: usize,
    /// Four floats a vertex.
    pub tangents: *mut f32,
    /// As `positions_stride`.
    pub tangents_stride: usize,
    /// A sum of `SINEW_ALL_CORES` and `SINEW_EXACT`.
    pub flags: u32,
}

impl sinew_out {
    /// Checks the struct against a number of vertices.
    pub fn check(&self, vertices: usize) -> Result<Settings, Failure> {
        if self.size < size_of::<Self>() {
            return Err(Failure::usage("sinew_out.size is not sizeof(sinew_out)"));
        }
        if self.vertices < vertices {
            let room = self.vertices;
            return Err(Failure::usage(format!("sinew_out has room for {room} vertices of {vertices}")));
        }
        if self.flags & !(SINEW_ALL_CORES | SINEW_EXACT) != 0 {
            return Err(Failure::usage(format!("sinew_out.flags has unknown bits: {:#x}", self.flags)));
        }
        let is = |flag: u32| self.flags & flag != 0;
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

/// Reads rows at a stride; `None` for null.
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
