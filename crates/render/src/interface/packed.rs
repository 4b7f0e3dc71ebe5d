//! Data that `build.rs` has packed into the program.

use miniz_oxide::inflate::decompress_to_vec_zlib;

/// Bytes as a zlib stream.
#[derive(Clone, Copy, Debug)]
pub struct Packed(pub(super) &'static [u8]);

impl Packed {
    /// Returns the unpacked bytes.
    pub fn unpack(self) -> Vec<u8> {
        decompress_to_vec_zlib(self.0)
            .expect("the stream is part of the program, and every test that draws reads it")
    }
}
