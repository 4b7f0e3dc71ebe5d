//! Writes YUV4MPEG2: uncompressed frames that video encoders read from a pipe.
//!
//! Colours are in limited range and stored for one of four pixels, in the middle of its square. The format cannot name the
//! colour matrix, so sinew uses the one that players assume for a picture of this size.

use std::io::Write;

use super::rate::Rate;
use super::{Container, Frames};
use crate::{Image, ImageError};

/// A file under construction.
pub struct Y4m<W: Write>(W);

impl<W: Write> Y4m<W> {
    /// Begins a file.
    pub fn new(mut out: W, frames: &Frames) -> Result<Self, ImageError> {
        let ([width, height], Rate { frames, seconds }) = (frames.size, Rate::new(frames.per_second));
        writeln!(
            out,
            "YUV4MPEG2 W{width} H{height} F{frames}:{seconds} Ip A1:1 C420jpeg XCOLORRANGE=LIMITED"
        )?;
        Ok(Self(out))
    }
}

impl<W: Write> Container for Y4m<W> {
    type Frame = Vec<u8>;

    /// Frames have no separate delays.
    const TICKS: f64 = 1.0;

    fn encode(image: Image, _: u16, _: Option<u8>) -> Result<Vec<u8>, ImageError> {
        Ok(planes(&image))
    }

    fn add(&mut self, frame: Vec<u8>) -> Result<(), ImageError> {
        self.0.write_all(b"FRAME\n")?;
        Ok(self.0.write_all(&frame)?)
    }

    fn finish(mut self) -> Result<(), ImageError> {
        Ok(self.0.flush()?)
    }
}

/// The shares of red and blue in luma.
#[derive(Clone, Copy, Debug)]
struct Matrix {
    red: f32,
    blue: f32,
}

impl Matrix {
    /// Returns the matrix that players assume for a size: BT.709 for high definition, BT.601 below.
    fn of([width, height]: [u32; 2]) -> Self {
        match width >= 1280 || height > 576 {
            true => Self { red: 0.2126, blue: 0.0722 },
            false => Self { red: 0.299, blue: 0.114 },
        }
    }

    /// Returns luma, from 0 to 255.
    fn luma(self, [r, g, b]: [f32; 3]) -> f32 {
        self.red * r + (1.0 - self.red - self.blue) * g + self.blue * b
    }

    /// Returns the byte of a pixel's luma.
    fn luma_byte(self, color: [f32; 3]) -> u8 {
        (16.0 + self.luma(color) * (219.0 / 255.0)).round() as u8
    }

    /// Returns the bytes of the two colour differences, of blue and of red.
    fn chroma_bytes(self, color: [f32; 3]) -> [u8; 2] {
        let luma = self.luma(color);
        let [r, _, b] = color;
        [(b, self.blue), (r, self.red)].map(|(channel, share)| {
            (128.0 + (channel - luma) / (2.0 * (1.0 - share)) * (224.0 / 255.0)).round() as u8
        })
    }
}

/// Returns the luma of all pixels, then the colour differences of squares of four.
fn planes(image: &Image) -> Vec<u8> {
    let matrix = Matrix::of([image.width, image.height]);
    let (pixels, _) = image.rgba.as_chunks::<4>();
    let width = (image.width as usize).max(1);
    let mut bytes = Vec::with_capacity(pixels.len() + pixels.len().div_ceil(2) + 2 * width);
    bytes.extend(pixels.iter().map(|pixel| matrix.luma_byte(color(pixel))));
    let mut reds = Vec::new();
    let rows: Vec<&[[u8; 4]]> = pixels.chunks(width).collect();
    for two in rows.chunks(2) {
        let [first, second] = match two {
            [one] => [*one; 2],
            [first, second, ..] => [*first, *second],
            [] => continue,
        };
        for (above, below) in first.chunks(2).zip(second.chunks(2)) {
            // The last column of an odd width counts twice.
            let corner = |pixels: &[[u8; 4]], place: usize| {
                pixels.get(place).or(pixels.first()).map_or([0.0; 3], color)
            };
            let four = [corner(above, 0), corner(above, 1), corner(below, 0), corner(below, 1)];
            let mean = [0, 1, 2].map(|channel| four.iter().map(|color| color[channel]).sum::<f32>() / 4.0);
            let [blue, red] = matrix.chroma_bytes(mean);
            bytes.push(blue);
            reds.push(red);
        }
    }
    bytes.append(&mut reds);
    bytes
}

fn color(&[r, g, b, _]: &[u8; 4]) -> [f32; 3] {
    [r, g, b].map(f32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// White, black, and the red and blue of BT.601 and BT.709 match the standards' tables.
    #[test]
    fn colors_are_those_of_the_standards() {
        let [small, large] = [[640, 480], [1280, 720]].map(Matrix::of);
        for matrix in [small, large] {
            assert_eq!((matrix.luma_byte([255.0; 3]), matrix.chroma_bytes([255.0; 3])), (235, [128, 128]));
            assert_eq!((matrix.luma_byte([0.0; 3]), matrix.chroma_bytes([0.0; 3])), (16, [128, 128]));
        }
        let (red, blue) = ([255.0, 0.0, 0.0], [0.0, 0.0, 255.0]);
        assert_eq!((small.luma_byte(red), small.chroma_bytes(red)), (81, [90, 240]));
        assert_eq!((small.luma_byte(blue), small.chroma_bytes(blue)), (41, [240, 110]));
        assert_eq!((large.luma_byte(red), large.chroma_bytes(red)), (63, [102, 240]));
        assert_eq!((large.luma_byte(blue), large.chroma_bytes(blue)), (32, [240, 118]));
    }

    #[test]
    fn odd_sizes_keep_their_last_row_and_column() {
        let gray = |value: u8| [value, value, value, 255];
        let rgba = (0..9).flat_map(|pixel| gray(pixel * 20)).collect();
        let mut file = Vec::new();
        let mut y4m =
            Y4m::new(&mut file, &Frames { size: [3, 3], count: 1, per_second: 12.5, lossy: None }).unwrap();
        y4m.add(Y4m::<&mut Vec<u8>>::encode(Image { width: 3, height: 3, rgba }, 1, None).unwrap()).unwrap();
        y4m.finish().unwrap();
        let head = b"YUV4MPEG2 W3 H3 F25:2 Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\nFRAME\n";
        let (start, planes) = file.split_at(head.len());
        assert_eq!(start, head);
        assert_eq!(planes.len(), 9 + 4 + 4);
        assert_eq!((planes[0], planes[8]), (16, 16 + (160.0f32 * 219.0 / 255.0).round() as u8));
        assert!(planes[9..].iter().all(|difference| *difference == 128));
    }
}
