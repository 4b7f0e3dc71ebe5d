//! Seeds of the fuzz target of pictures: every kind of PNG, JPEG, WebP, KTX2 and Radiance picture that is read, a few pixels
//! each.

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use miniz_oxide::deflate::compress_to_vec_zlib;

use crate::ktx2;
use crate::pictures::{grey_jpeg, png_of, webp};

const SIDE: u16 = 20;

/// Names and bytes.
pub fn all() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| seeds.push((name.to_owned(), bytes));
    use png::{BitDepth, ColorType as Color};
    for (name, color, depth, bytes) in [
        ("grey-1", Color::Grayscale, BitDepth::One, 1),
        ("grey-16", Color::Grayscale, BitDepth::Sixteen, 16),
        ("grey-alpha", Color::GrayscaleAlpha, BitDepth::Eight, 16),
        ("rgb", Color::Rgb, BitDepth::Eight, 24),
        ("rgb-16", Color::Rgb, BitDepth::Sixteen, 48),
        ("rgba", Color::Rgba, BitDepth::Eight, 32),
        ("palette-4", Color::Indexed, BitDepth::Four, 4),
        ("palette-2", Color::Indexed, BitDepth::Two, 2),
    ] {
        let data: Vec<u8> =
            (0..bytes * 8).map(|at| if color == Color::Indexed { 0 } else { at as u8 }).collect();
        let palette = [200, 100, 50].repeat(4);
        let palette = (color == Color::Indexed).then_some(&palette[..]);
        add(&format!("{name}.png"), png_of(color, depth, palette, [8, 8], &data));
    }
    add("interlaced.png", interlaced());
    add("notes.png", with_notes(false));
    add("animated.png", with_notes(true));
    for (name, color) in [
        ("grey", ColorType::Luma),
        ("rgb", ColorType::Rgb),
        ("ycbcr", ColorType::Ycbcr),
        ("cmyk", ColorType::Cmyk),
        ("ycck", ColorType::Ycck),
    ] {
        add(&format!("{name}.jpg"), jpeg(color, false));
        add(&format!("{name}-progressive.jpg"), jpeg(color, true));
    }
    add("flat.jpg", grey_jpeg(16, 9));
    add("notes.jpg", commented(jpeg(ColorType::Luma, false)));
    let dots: Vec<u8> = (0..7 * 5 * 4).map(|at: u32| (at * at) as u8).collect();
    add("rgba.webp", webp(image_webp::ColorType::Rgba8, [7, 5], &dots));
    add("grey.webp", webp(image_webp::ColorType::L8, [7, 5], &dots[..35]));
    add("lossy.webp", lossy_webp());
    add("animated.webp", animated());
    let solid = ktx2::uastc_block([9, 8, 7, 200]);
    // Two digits and two subsets, and a separate channel.
    let parted = 0xc9dd_c8f0_4277_5a71_e77b_20ae_c423_3f87_u128.to_le_bytes();
    let planar = 0x6ef1_4999_f811_4bd4_fe5d_efe9_c561_08a5_u128.to_le_bytes();
    let blocks = [[1, 0], [1, 0], [2, 0], [3, 3], [1, 1], [2, 3]];
    add("plain.ktx2", ktx2::plain([3, 2], &[7; 24]));
    add("uastc.ktx2", ktx2::uastc([10, 4], &[solid, parted, planar], false));
    add("zstandard.ktx2", ktx2::uastc([10, 4], &[planar, solid, parted], true));
    add("etc1s.ktx2", ktx2::etc1s([11, 7], &blocks, None, false));
    add("etc1s-alpha.ktx2", ktx2::etc1s([9, 8], &blocks, Some(&blocks), false));
    for (name, rows) in RADIANCE {
        let head = b"#?RADIANCE\n# by hand\nEXPOSURE=1\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 8\n";
        add(&format!("{name}.hdr"), [&head[..], &rows.repeat(2)].concat());
    }
    seeds
}

/// A row of eight pixels: as they are, repeated, and channel by channel.
const RADIANCE: [(&str, &[u8]); 3] = [
    (
        "flat",
        &[
            9, 8, 7, 136, 1, 2, 3, 129, 9, 8, 7, 136, 0, 0, 0, 0, 9, 8, 7, 136, 9, 8, 7, 136, 9, 9, 7, 136,
            9, 8, 7, 1,
        ],
    ),
    ("repeated", &[9, 0, 0, 136, 1, 1, 1, 7]),
    ("packed", &[2, 2, 0, 8, 136, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 136, 0, 134, 136, 2, 1, 2]),
];

/// A JPEG of a few blocks in each direction; colours are stored at half the width and height.
pub fn jpeg(color: ColorType, is_progressive: bool) -> Vec<u8> {
    let channels = match color {
        ColorType::Luma => 1,
        ColorType::Cmyk | ColorType::Ycck => 4,
        _ => 3,
    };
    let mut bytes = Vec::new();
    let pixels: Vec<u8> =
        (0..u32::from(SIDE) * u32::from(SIDE) * channels).map(|at| (at * 7 + at * at / 50) as u8).collect();
    let mut encoder = Encoder::new(&mut bytes, 60);
    encoder.set_progressive(is_progressive);
    if !is_progressive {
        encoder.set_restart_interval(2);
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
    }
    encoder.encode(&pixels, SIDE, SIDE, color).unwrap();
    bytes
}

/// A JPEG with notes of sinew as comments.
fn commented(jpeg: Vec<u8>) -> Vec<u8> {
    let mut bytes = jpeg[..2].to_vec();
    for note in ["Software: sinew 0.1.0", "Command: sinew a.glb"] {
        bytes.extend([0xff, 0xfe]);
        bytes.extend((note.len() as u16 + 2).to_be_bytes());
        bytes.extend(note.as_bytes());
    }
    bytes.extend(&jpeg[2..]);
    bytes
}

/// A WebP that loses something, with alpha.
pub fn lossy_webp() -> Vec<u8> {
    let side = usize::from(SIDE);
    let pixels: Vec<u8> = (0..side * side * 4).map(|at| (at * 5) as u8).collect();
    let config = webp_rust::LossyEncodingConfig::default();
    webp_rust::encoder::encode_lossy_rgba_to_webp_with_config(side, side, &pixels, &config).unwrap()
}

/// A WebP of two frames with notes of sinew behind them.
fn animated() -> Vec<u8> {
    let still = webp(image_webp::ColorType::Rgba8, [4, 4], &[120; 64]);
    let frame = [&[0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 0, 0, 100, 0, 0, 2], &still[12..]].concat();
    let notes = b"<sinew:Software>sinew 0.1.0</sinew:Software><sinew:Command>sinew &lt;a.glb</sinew:Command>";
    let canvas = [22, 0, 0, 0, 3, 0, 0, 3, 0, 0];
    let mut body = b"WEBP".to_vec();
    for (name, content) in
        [(b"VP8X", &canvas[..]), (b"ANIM", &[0; 6]), (b"ANMF", &frame), (b"ANMF", &frame), (b"XMP ", notes)]
    {
        body.extend(name);
        body.extend((content.len() as u32).to_le_bytes());
        body.extend(content);
        body.extend(&[0][..content.len() % 2]);
    }
    [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
}

/// A PNG with notes of sinew in each way that a PNG can store them, perhaps of two frames.
fn with_notes(is_animated: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.add_text_chunk("Software".to_owned(), "sinew 0.1.0".to_owned()).unwrap();
    encoder.add_itxt_chunk("Command".to_owned(), "sinew '狐.glb' --view weights".to_owned()).unwrap();
    encoder.add_ztxt_chunk("Device".to_owned(), "llvmpipe ".repeat(9)).unwrap();
    if is_animated {
        encoder.set_animated(2, 0).unwrap();
    }
    let mut writer = encoder.write_header().unwrap();
    for _ in 0..=u8::from(is_animated) {
        writer.write_image_data(&[9; 16]).unwrap();
    }
    writer.finish().unwrap();
    bytes
}

/// A grey PNG of 8 by 8 pixels in the seven passes of Adam7, which the encoder does not write.
fn interlaced() -> Vec<u8> {
    let passes = [(1, 1), (1, 1), (2, 1), (2, 2), (4, 2), (4, 4), (8, 4)];
    let mut rows = Vec::new();
    for (width, height) in passes {
        for row in 0..height {
            rows.push(row % 5);
            rows.extend((0..width).map(|at| at * 31 + row));
        }
    }
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let head = [0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 1];
    for (name, content) in [(b"IHDR", &head[..]), (b"IDAT", &compress_to_vec_zlib(&rows, 6)), (b"IEND", &[])]
    {
        bytes.extend((content.len() as u32).to_be_bytes());
        let start = bytes.len();
        bytes.extend(name);
        bytes.extend(content);
        let sum = crc(&bytes[start..]);
        bytes.extend(sum.to_be_bytes());
    }
    bytes
}

/// The checksum of a PNG's chunk.
fn crc(bytes: &[u8]) -> u32 {
    let bit = |sum: u32| (sum >> 1) ^ (0xedb8_8320 * (sum & 1));
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| bit(sum)))
}
