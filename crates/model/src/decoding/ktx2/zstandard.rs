//! Unpacks levels that are supercompressed by Zstandard.

use super::{DecodeError, broken, cut};
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;

/// The smallest limit of the window, which the decoder allocates: a block of the format.
const MIN_WINDOW: u64 = 128 << 10;

/// Fills `out` with the start of a frame. The window may be twice as large as that.
pub fn unpack(frame: &[u8], out: &mut [u8]) -> Result<(), DecodeError> {
    let limit = (out.len() as u64).checked_next_power_of_two().unwrap_or(u64::MAX).max(MIN_WINDOW);
    let mut decoder = StreamingDecoder::new_with_max_window_size(frame, limit)
        .map_err(|_| broken("its compressed data does not begin well"))?;
    let mut rest = out;
    while !rest.is_empty() {
        let count = decoder.read(rest).map_err(|_| broken("its compressed data is damaged"))?;
        if count == 0 {
            return Err(cut());
        }
        rest = rest.get_mut(count..).unwrap_or_default();
    }
    Ok(())
}
