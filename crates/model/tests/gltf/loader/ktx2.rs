//! Tests KTX2 textures, intact and broken.

use serde_json::{Value, json};
use sinew_model::Model;
use sinew_model::decoding::{DecodeError, Format, Layout, Limits};

use crate::loader::cases::warned;
use crate::{ktx2, pictures};

const LIMITS: Limits = Limits { side: 64, bytes: 1 << 16 };

/// Offsets of a colour's channels, by table and shade.
const SHADES: [[i32; 4]; 8] = [
    [-8, -2, 2, 8],
    [-17, -5, 5, 17],
    [-29, -9, 9, 29],
    [-42, -13, 13, 42],
    [-60, -18, 18, 60],
    [-80, -24, 24, 80],
    [-106, -33, 33, 106],
    [-183, -47, 47, 183],
];

/// Blocks of every endpoint and selector, whose neighbours often have the same.
const BLOCKS: [[u32; 2]; 12] =
    [[1, 0], [1, 0], [2, 0], [3, 0], [1, 1], [2, 3], [1, 2], [2, 2], [0, 3], [0, 1], [0, 0], [3, 3]];

fn rgba(bytes: &[u8]) -> Vec<u8> {
    assert_eq!(Format::of(bytes), Some(Format::Ktx2));
    let layout = Format::Ktx2.look(bytes, LIMITS).unwrap();
    let pixels = Format::Ktx2.decode(bytes, LIMITS).unwrap();
    assert_eq!(pixels.layout, layout);
    pixels.into_rgba()
}

/// The colour of a pixel of blocks.
fn shaded(columns: usize, blocks: &[[u32; 2]], [x, y]: [usize; 2]) -> [u8; 3] {
    let [endpoint, selector] = blocks[y / 4 * columns + x / 4].map(|number| number as usize);
    let [red, green, blue, table] = ktx2::ENDPOINTS[endpoint];
    let shade = ktx2::SELECTORS[selector] >> (2 * (y % 4 * 4 + x % 4)) & 3;
    [red, green, blue].map(|five| {
        let eight = i32::from(five) * 8 + i32::from(five) / 4;
        (eight + SHADES[usize::from(table)][shade as usize]).clamp(0, 255) as u8
    })
}

#[test]
fn etc1s_is_drawn_with_colours_and_shades() {
    let size = [14, 11];
    let places = || (0..11).flat_map(|y| (0..14).map(move |x| [x, y]));
    let mut alpha = BLOCKS;
    alpha.reverse();
    let opaque: Vec<u8> = places().flat_map(|at| [&shaded(4, &BLOCKS, at)[..], &[255]].concat()).collect();
    assert_eq!(rgba(&ktx2::etc1s(size, &BLOCKS, None, false)), opaque);
    let clear = |at| [&shaded(4, &BLOCKS, at)[..], &[shaded(4, &alpha, at)[1]]].concat();
    let clear: Vec<u8> = places().flat_map(clear).collect();
    assert_eq!(rgba(&ktx2::etc1s(size, &BLOCKS, Some(&alpha), false)), clear);
    // Two channels are red and green.
    let two = |at| [shaded(4, &BLOCKS, at)[0], shaded(4, &alpha, at)[1], 0, 255];
    let two: Vec<u8> = places().flat_map(two).collect();
    assert_eq!(rgba(&ktx2::etc1s(size, &BLOCKS, Some(&alpha), true)), two);
}

#[test]
fn uastc_is_drawn_block_by_block() {
    let colors = [[1, 2, 3, 4], [250, 0, 9, 255], [7, 7, 7, 0], [0, 255, 0, 128]];
    let blocks = colors.map(ktx2::uastc_block);
    for is_zstandard in [false, true] {
        let rgba = rgba(&ktx2::uastc([5, 7], &blocks, is_zstandard));
        for (at, pixel) in rgba.as_chunks().0.iter().enumerate() {
            let (x, y) = (at % 5, at / 5);
            assert_eq!(*pixel, colors[y / 4 * 2 + x / 4], "{at}");
        }
        assert_eq!(rgba.len(), 5 * 7 * 4);
    }
}

/// Blocks with digits, partitions and planes, and pixels that another decoder made of them.
#[test]
fn uastc_has_many_modes() {
    for (block, pixels) in MODES {
        let rgba = rgba(&ktx2::uastc([4, 4], &[block.to_le_bytes()], false));
        let read: Vec<u32> = rgba.as_chunks().0.iter().map(|pixel| u32::from_be_bytes(*pixel)).collect();
        assert_eq!(read, pixels, "{block:x}");
    }
}

const MODES: [(u128, [u32; 16]); 7] = [
    (
        0x2a337357ae2cc59b79690975fbde15b1,
        [
            0x8c12d3ff, 0x791abfff, 0x8c12d3ff, 0x6b1fb1ff, 0x6b1fb1ff, 0x9a0ce2ff, 0x6223a8ff, 0x751bbbff,
            0x8415caff, 0x8c12d3ff, 0x960eddff, 0x8415caff, 0x960eddff, 0x960eddff, 0x751bbbff, 0x9a0ce2ff,
        ],
    ),
    (
        0xe4093df8432a8be52fef107a27529ac3,
        [
            0xb3bad2ff, 0x5ca3e8ff, 0x5ca3e8ff, 0x17ffd1ff, 0xb3bad2ff, 0x5ca3e8ff, 0x2da3d9ff, 0xffff5cff,
            0xa3e874ff, 0x45a3e1ff, 0x17a3d1ff, 0xffff5cff, 0xbaa3ffff, 0x45a3e1ff, 0x2da3d9ff, 0x17ffd1ff,
        ],
    ),
    (
        0xf70abb341875063d71dd0913271687b3,
        [
            0x540075ff, 0xba7cc1ff, 0x863c9aff, 0x540075ff, 0x540075ff, 0x863c9aff, 0xecb8e5ff, 0x540075ff,
            0xa07798ff, 0x863c9aff, 0xecb8e5ff, 0x863c9aff, 0xa07798ff, 0xa07798ff, 0xa07798ff, 0x540075ff,
        ],
    ),
    (
        0xe845105ed8c77cb761b97bcd4b21c37b,
        [
            0x7dd7feff, 0x8ba6b5ff, 0x76ee91ff, 0x8ba6dbff, 0x8ba6dbff, 0x76ee91ff, 0x76eeb5ff, 0x7dd791ff,
            0x84be91ff, 0x7dd7dbff, 0x76eefeff, 0x7dd7feff, 0x7dd7dbff, 0x76eedbff, 0x76eeb5ff, 0x84be91ff,
        ],
    ),
    (
        0xc9ddc8f042775a71e77b20aec4233f87,
        [
            0x524b91ff, 0x412d68ff, 0xcb541aff, 0x9b816eff, 0x412d68ff, 0x412d68ff, 0x9b816eff, 0x849797ff,
            0x524b91ff, 0xcb541aff, 0xb46a43ff, 0x9b816eff, 0x849797ff, 0x9b816eff, 0x849797ff, 0x9b816eff,
        ],
    ),
    (
        0x6ef14999f8114bd4fe5defe9c56108a5,
        [
            0x5e5e5ef0, 0x5e5e5ef1, 0x6f6f6ff1, 0x7f7f7ff0, 0x5e5e5ef1, 0x6f6f6fef, 0x6f6f6fef, 0x4e4e4eef,
            0x7f7f7ff2, 0x7f7f7fef, 0x7f7f7fef, 0x7f7f7fef, 0x5e5e5ef1, 0x6f6f6fef, 0x6f6f6ff2, 0x5e5e5ef2,
        ],
    ),
    (
        0x9fded21c82caf2bba3a03fe4de4f1c49,
        [
            0x4a31ffff, 0xedc426ff, 0x7558c6ff, 0xcca752ff, 0x8567b0ff, 0xd7b143ff, 0x8567b0ff, 0xd7b143ff,
            0x553bf1ff, 0x6044e3ff, 0x7053cdff, 0x6044e3ff, 0x9071a1ff, 0x9b7b93ff, 0xf7ce18ff, 0xb6936fff,
        ],
    ),
];

#[test]
fn plain_pixels_are_read_as_they_are() {
    let bytes: Vec<u8> = (0..24).collect();
    assert_eq!(rgba(&ktx2::plain([3, 2], &bytes)), bytes);
    let rgb = rgba(&ktx2::plain([2, 4], &bytes));
    assert_eq!(rgb[..8], [0, 1, 2, 255, 3, 4, 5, 255]);
}

fn all() -> [Vec<u8>; 5] {
    let blocks = [ktx2::uastc_block([9; 4]), MODES[2].0.to_le_bytes()];
    [
        ktx2::plain([3, 2], &[7; 24]),
        ktx2::uastc([8, 4], &blocks, false),
        ktx2::uastc([8, 4], &blocks, true),
        ktx2::etc1s([16, 12], &BLOCKS, None, false),
        ktx2::etc1s([16, 12], &BLOCKS, Some(&BLOCKS), false),
    ]
}

#[test]
fn limits_are_kept() {
    for whole in all() {
        let Layout { width, .. } = Format::Ktx2.look(&whole, LIMITS).unwrap();
        let narrow = Limits { side: width - 1, ..LIMITS };
        assert!(matches!(Format::Ktx2.look(&whole, narrow), Err(DecodeError::Side)));
        let room = Format::Ktx2.look(&whole, LIMITS).unwrap().bytes();
        let short = Limits { bytes: room - 1, ..LIMITS };
        assert!(matches!(Format::Ktx2.decode(&whole, short), Err(DecodeError::Memory)));
        assert!(Format::Ktx2.decode(&whole, Limits { bytes: room, ..LIMITS }).is_ok());
    }
}

#[test]
fn broken_files_are_refused() {
    for whole in all() {
        for length in 12..whole.len() {
            let error = Format::Ktx2.decode(&whole[..length], LIMITS).unwrap_err().to_string();
            assert!(error.starts_with("broken KTX2: ") && !error.contains('\n'), "{length}: {error}");
        }
    }
    let [plain, uastc, packed, etc1s, _] = all();
    let text = |whole: &[u8], at: usize, number: u8| {
        let mut other = whole.to_vec();
        other[at] = number;
        Format::Ktx2.decode(&other, LIMITS).unwrap_err().to_string()
    };
    assert_eq!(text(&plain, 12, 131), "unsupported KTX2: pixels of format 131 with colour model 1");
    assert_eq!(text(&plain, 44, 3), "unsupported KTX2: supercompression 3");
    assert_eq!(text(&uastc, 44, 1), "unsupported KTX2: supercompression 1");
    assert_eq!(text(&plain, 20, 0), "broken KTX2: it has no pixels");
    assert_eq!(text(&plain, 28, 2), "unsupported KTX2: it does not have two dimensions");
    assert_eq!(text(&uastc, uastc.len() - 32, 0x45), "broken KTX2: a block is damaged");
    let start = packed.len() - 32 - 12;
    assert_eq!(text(&packed, start, 0), "broken KTX2: its compressed data does not begin well");
    assert_eq!(text(&packed, start + 9, 7), "broken KTX2: its compressed data is damaged");
    assert_eq!(text(&etc1s, 188, 0xff), "broken KTX2: its compressed data is damaged");
    // A window of a gigabyte.
    let mut wide = packed;
    wide[start + 4..start + 9].copy_from_slice(&[0, 0xa0, 0, 0, 0]);
    let text = Format::Ktx2.decode(&wide, LIMITS).unwrap_err().to_string();
    assert_eq!(text, "broken KTX2: its compressed data does not begin well");
}

/// No bytes cause a panic, and every answer comes soon.
#[test]
fn mutations_are_survived() {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut read = 0;
    for whole in all() {
        for _ in 0..4000 {
            let mut bytes = whole.clone();
            for _ in 0..=random(4) {
                let at = random(bytes.len());
                bytes[at] = [0, 1, 0xff, random(256) as u8][random(4)];
            }
            let seen = Format::Ktx2.look(&bytes, LIMITS);
            match Format::Ktx2.decode(&bytes, LIMITS) {
                Ok(pixels) => {
                    assert_eq!(pixels.layout, seen.unwrap());
                    read += 1;
                }
                Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
            }
        }
    }
    assert!((2000..18_000).contains(&read), "{read} of 20000 are read");
}

fn with(ktx2: Vec<u8>, texture: Value) -> (Model, Vec<String>) {
    warned(|c| {
        let png = pictures::png(png::ColorType::Rgb, [1, 1], &[10, 0, 0]);
        let webp = pictures::webp(image_webp::ColorType::Rgb8, [1, 1], &[20, 0, 0]);
        let views = [c.view(&png), c.view(&webp), c.view(&ktx2)];
        c.json["images"] = json!(views.map(|view| json!({"bufferView": view})));
        c.json["extensionsRequired"] = json!(["KHR_texture_basisu"]);
        c.json["textures"] = json!([texture]);
    })
}

#[test]
fn ktx2_comes_before_all_other_pictures() {
    let basisu = json!({"KHR_texture_basisu": {"source": 2}, "EXT_texture_webp": {"source": 1}});
    let whole = ktx2::uastc([4, 4], &[ktx2::uastc_block([30, 0, 0, 255])], true);
    for texture in [json!({"source": 0, "extensions": basisu}), json!({"extensions": basisu})] {
        let (model, warnings) = with(whole.clone(), texture);
        assert_eq!(warnings, [""; 0]);
        assert_eq!(model.materials[0].base_color_texture.unwrap().picture, 2);
        assert_eq!(model.pictures[2].as_ref().unwrap().rgba, [30, 0, 0, 255].repeat(16));
        assert_eq!(model.pictures[..2], [None, None], "what is not shown is not decoded");
    }
    let cut = whole[..whole.len() - 4].to_vec();
    let (model, warnings) = with(cut.clone(), json!({"source": 0, "extensions": basisu}));
    assert_eq!(model.materials[0].base_color_texture.unwrap().picture, 1);
    let expected =
        "images[2]: cannot be decoded: broken KTX2: it is cut off; the texture's other picture is shown";
    assert_eq!(warnings, [expected]);
    let (model, warnings) = with(cut, json!({"extensions": {"KHR_texture_basisu": {"source": 2}}}));
    assert_eq!(model.materials[0].base_color_texture, None);
    assert_eq!(warnings, ["images[2]: cannot be decoded: broken KTX2: it is cut off; shown without"]);
}
