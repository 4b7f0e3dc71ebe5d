//! Pixels that are drawn in blocks of four by four.

use super::Layout;

/// Sides of a block.
pub const SIDE: usize = 4;

/// RGBA pixels, in rows from the top.
pub struct Canvas<'a> {
    pixels: &'a mut [[u8; 4]],
    width: usize,
    height: usize,
}

impl<'a> Canvas<'a> {
    pub fn new(samples: &'a mut [u8], layout: Layout) -> Self {
        let (pixels, _) = samples.as_chunks_mut();
        Self { pixels, width: (layout.width as usize).max(1), height: layout.height as usize }
    }

    /// The number of blocks per row, and of rows of them.
    pub fn blocks(&self) -> [usize; 2] {
        [self.width, self.height].map(|side| side.div_ceil(SIDE))
    }

    /// Calls `draw` for each pixel of a block inside the picture, with its number in the block, by rows.
    pub fn block(&mut self, [column, row]: [usize; 2], mut draw: impl FnMut(usize, &mut [u8; 4])) {
        let rows = self.pixels.chunks_exact_mut(self.width).skip(row.saturating_mul(SIDE)).take(SIDE);
        for (y, pixels) in rows.enumerate() {
            let pixels = pixels.iter_mut().skip(column.saturating_mul(SIDE)).take(SIDE);
            for (x, pixel) in pixels.enumerate() {
                draw(y.wrapping_mul(SIDE).wrapping_add(x), pixel);
            }
        }
    }

    /// Moves the second of two channels, which is stored as alpha, to green.
    pub fn spread(&mut self, is_two: bool) {
        for pixel in self.pixels.iter_mut().filter(|_| is_two) {
            let [red, _, _, green] = *pixel;
            *pixel = [red, green, 0, u8::MAX];
        }
    }
}
