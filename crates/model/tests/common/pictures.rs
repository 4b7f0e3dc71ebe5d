//! Builds image files for tests.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use png::{BitDepth, ColorType, Encoder};

/// A PNG with eight bits per channel.
pub fn png(color: ColorType, size: [u32; 2], data: &[u8]) -> Vec<u8> {
    png_of(color, BitDepth::Eight, None, size, data)
}

/// Any PNG; in a palette, every second colour is transparent.
pub fn png_of(
    color: ColorType,
    depth: BitDepth,
    palette: Option<&[u8]>,
    [width, height]: [u32; 2],
    data: &[u8],
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_compression(png::Compression::Fast);
    if let Some(palette) = palette {
        encoder.set_palette(palette);
        encoder.set_trns([255, 0].repeat(palette.len() / 6));
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    bytes
}

/// A lossless WebP.
pub fn webp(color: image_webp::ColorType, [width, height]: [u32; 2], data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    image_webp::WebPEncoder::new(&mut bytes).encode(data, width, height, color).unwrap();
    bytes
}

/// A sequential JPEG of one grey, 128. Its only Huffman codes are "no difference" and "end of block", one bit each and
/// both 0, so a block of 8 by 8 pixels takes two bits.
pub fn grey_jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut out = vec![0xff, 0xd8];
    let mut segment = |marker: u8, body: &[u8]| {
        out.extend([0xff, marker]);
        out.extend((body.len() as u16 + 2).to_be_bytes());
        out.extend(body);
    };
    segment(0xdb, &[&[0][..], &[8; 64]].concat());
    let ([high, tall], [low, wide]) = (height.to_be_bytes(), width.to_be_bytes());
    segment(0xc0, &[8, high, tall, low, wide, 1, 1, 0x11, 0]);
    for class in [0x00, 0x10] {
        segment(0xc4, &[&[class, 1][..], &[0; 15], &[0]].concat());
    }
    segment(0xda, &[1, 1, 0, 0, 63, 0]);
    let blocks = usize::from(width).div_ceil(8) * usize::from(height).div_ceil(8);
    out.resize(out.len() + blocks.div_ceil(4), 0);
    out.extend([0xff, 0xd9]);
    out
}
