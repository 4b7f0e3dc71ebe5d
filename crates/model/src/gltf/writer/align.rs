//! Pads chunks and views to multiples of four bytes.

/// Fills up to the next multiple of four.
pub fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}
