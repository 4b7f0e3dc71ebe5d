//! Tests images in every format, intact and broken.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::json;
use sinew_model::Picture;
use sinew_model::gltf::load;

use crate::loader::cases::warned;
use crate::{character, pictures};

/// The character's image when its file has these bytes, with the warnings.
fn decoded(bytes: &[u8]) -> (Option<Picture>, Vec<String>) {
    let (mut model, warnings) = warned(|c| {
        let view = c.view(bytes);
        c.json["images"][0] = json!({"bufferView": view, "mimeType": "image/png"});
    });
    let picture = model.pictures.remove(0);
    assert_eq!(picture.is_some(), model.materials[0].base_color_texture.is_some());
    (picture, warnings)
}

fn pixels(bytes: &[u8]) -> Vec<[u8; 4]> {
    let (picture, warnings) = decoded(bytes);
    assert_eq!(warnings, [""; 0]);
    picture.unwrap().rgba.chunks_exact(4).map(|pixel| pixel.try_into().unwrap()).collect()
}

fn fault(bytes: &[u8]) -> String {
    let (picture, mut warnings) = decoded(bytes);
    assert!(picture.is_none() && warnings.len() == 1, "{warnings:?}");
    assert!(
        warnings[0].starts_with("images[0]: ") && warnings[0].ends_with("; shown without"),
        "{warnings:?}"
    );
    warnings.remove(0)
}

/// An image with alpha and no two equal pixels.
fn some_pixels() -> Vec<u8> {
    (0..5 * 3 * 4).map(|at| (at * 37 % 256) as u8).collect()
}

fn some_png() -> Vec<u8> {
    pictures::png(png::ColorType::Rgba, [5, 3], &some_pixels())
}

fn some_webp() -> Vec<u8> {
    pictures::webp(image_webp::ColorType::Rgba8, [5, 3], &some_pixels())
}

#[test]
fn every_kind_of_png_is_eight_bits_of_rgba() {
    use png::{BitDepth, ColorType};
    assert_eq!(pixels(&some_png()).as_flattened(), some_pixels());
    let grey = pictures::png_of(ColorType::Grayscale, BitDepth::Eight, None, [2, 1], &[7, 200]);
    assert_eq!(pixels(&grey), [[7, 7, 7, 255], [200, 200, 200, 255]]);
    let grey_alpha =
        pictures::png_of(ColorType::GrayscaleAlpha, BitDepth::Eight, None, [2, 1], &[7, 1, 200, 2]);
    assert_eq!(pixels(&grey_alpha), [[7, 7, 7, 1], [200, 200, 200, 2]]);
    let palette = pictures::png_of(
        ColorType::Indexed,
        BitDepth::One,
        Some(&[1, 2, 3, 4, 5, 6]),
        [2, 1],
        &[0b0100_0000],
    );
    assert_eq!(pixels(&palette), [[1, 2, 3, 255], [4, 5, 6, 0]]);
    // A byte times 257 is the same level in 16 bits.
    let deep: Vec<u8> =
        [1_u16, 2, 3, 4, 250, 251, 252, 253].iter().flat_map(|v| (v * 257).to_be_bytes()).collect();
    let deep = pictures::png_of(ColorType::Rgba, BitDepth::Sixteen, None, [2, 1], &deep);
    assert_eq!(pixels(&deep), [[1, 2, 3, 4], [250, 251, 252, 253]]);
    let one_bit = pictures::png_of(ColorType::Grayscale, BitDepth::One, None, [2, 1], &[0b0100_0000]);
    assert_eq!(pixels(&one_bit), [[0, 0, 0, 255], [255; 4]]);
}

/// A JPEG of 8 by 8 pixels, each channel at one level from 192 up. Its only Huffman codes are "a difference of seven
/// bits" and "end of block", one bit each; the one coefficient of a channel is its level − 128.
fn jpeg(progressive: bool, adobe: bool, levels: &[u8]) -> Vec<u8> {
    let mut out = vec![0xff, 0xd8];
    let mut segment = |marker: u8, body: &[u8]| {
        out.extend([0xff, marker]);
        out.extend((body.len() as u16 + 2).to_be_bytes());
        out.extend(body);
    };
    if adobe {
        segment(0xee, b"Adobe\0\x64\0\0\0\0\0");
    }
    segment(0xdb, &[&[0][..], &[8; 64]].concat());
    let count = levels.len() as u8;
    let channels: Vec<u8> = (1..=count).collect();
    let frame: Vec<u8> = channels.iter().flat_map(|channel| [*channel, 0x11, 0]).collect();
    segment(if progressive { 0xc2 } else { 0xc0 }, &[&[8, 0, 8, 0, 8, count][..], &frame].concat());
    let one_code = |class: u8, symbol: u8| [&[class, 1][..], &[0; 15], &[symbol]].concat();
    segment(0xc4, &one_code(0x00, 7));
    segment(0xc4, &one_code(0x10, 0));
    let scan: Vec<u8> = channels.iter().flat_map(|channel| [*channel, 0]).collect();
    let last = if progressive { 0 } else { 63 };
    segment(0xda, &[&[count][..], &scan, &[0, last, 0]].concat());

    let mut bits = String::new();
    for level in levels {
        bits += &format!("0{:07b}{}", level - 128, if progressive { "" } else { "0" });
    }
    while !bits.len().is_multiple_of(8) {
        bits.push('1');
    }
    for byte in bits.as_bytes().chunks(8) {
        let byte = u8::from_str_radix(std::str::from_utf8(byte).unwrap(), 2).unwrap();
        out.push(byte);
        if byte == 0xff {
            out.push(0);
        }
    }
    out.extend([0xff, 0xd9]);
    out
}

#[test]
fn jpegs_may_be_grey_progressive_or_of_printing_inks() {
    for progressive in [false, true] {
        let grey = pixels(&jpeg(progressive, false, &[200]));
        assert_eq!(grey, [[200, 200, 200, 255]; 64], "progressive: {progressive}");
    }
    // Adobe stores 255 minus the ink: the light that each ink lets through.
    let (inks, warnings) = decoded(&jpeg(false, true, &[200, 250, 192, 255]));
    assert_eq!(inks.unwrap().rgba.as_chunks::<4>().0, [[200, 250, 192, 255]; 64]);
    let expected = "images[0]: has 4 channels, but must be grey or have three; shown with those channels";
    assert_eq!(warnings, [expected]);
}

#[test]
fn webp_is_what_png_is() {
    let (png, webp) = (some_png(), some_webp());
    assert!(webp.starts_with(b"RIFF") && webp[8..].starts_with(b"WEBP"));
    assert_eq!(pixels(&webp), pixels(&png));
    // One lossy pixel.
    let lossy = BASE64.decode("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA").unwrap();
    assert_eq!(pixels(&lossy).len(), 1);
}

#[test]
fn broken_pictures_are_warnings() {
    assert!(fault(b"GIF89a and more").contains("is neither PNG, JPEG, WebP, KTX2 nor TGA"));
    for (format, whole) in [("PNG", some_png()), ("WebP", some_webp())] {
        for length in (12..whole.len() - 16).step_by(7) {
            assert!(fault(&whole[..length]).contains("cannot be decoded"), "{format} of {length} bytes");
        }
    }
    let jpeg = jpeg(false, false, &[200]);
    for length in (4..jpeg.len() / 2).step_by(9) {
        let text = fault(&jpeg[..length]);
        assert!(text.contains("cannot be decoded") && !text.contains('\\'), "JPEG of {length} bytes: {text}");
    }
    // A truncated file is shown, with a warning.
    let (picture, warnings) = decoded(&jpeg[..jpeg.len() - 2]);
    assert_eq!(picture.unwrap().rgba, [200, 200, 200, 255].repeat(64));
    assert_eq!(warnings, ["images[0]: is cut off; the missing part is filled in"]);
    // An image with another MIME type is no texture, whatever it contains.
    let (model, _) = warned(|c| {
        let view = c.view(b"GIF89a and more");
        c.json["images"][0] = json!({"bufferView": view, "mimeType": "image/gif"});
    });
    let codes = model.warnings.iter().chain(&model.faults).map(|found| found.code);
    let codes: Vec<_> = codes.filter(|code| code.contains("IMAGE")).collect();
    assert_eq!(codes, ["TEXTURE_INVALID_IMAGE_MIME_TYPE"]);
    // An empty image: a buffer view needs at least one byte, a data URI and a file do not.
    let (model, warnings) = warned(|c| c.json["images"][0] = json!({"uri": "data:image/png;base64,"}));
    assert_eq!((model.pictures, warnings.len()), (vec![None], 1));
}

/// A few bytes that claim gigabytes are refused by their header, before any allocation.
#[test]
fn bombs_are_refused() {
    let mut png = some_png();
    png[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    // Give the header for 60,000 by 60,000 pixels a valid checksum.
    let crc = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&crc.to_be_bytes());
    assert!(fault(&png).contains("cannot be decoded"), "{}", fault(&png));
    let mut webp = pictures::webp(image_webp::ColorType::Rgba8, [1, 1], &[7; 4]);
    // After the signature: 14 bits of width − 1 and 14 of height − 1.
    webp[21..25].copy_from_slice(&(0x0fff_ffff_u32 | 1 << 28).to_le_bytes());
    assert!(fault(&webp).contains("cannot be decoded"), "{}", fault(&webp));
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    })
}

#[test]
fn the_extensions_picture_comes_before_the_source() {
    let red_webp = |level: u8| pictures::webp(image_webp::ColorType::Rgb8, [1, 1], &[level, 0, 0]);
    let with = |webp: Vec<u8>, texture: serde_json::Value| {
        warned(|c| {
            let views = [c.view(&pictures::png(png::ColorType::Rgb, [1, 1], &[10, 0, 0])), c.view(&webp)];
            c.json["images"] = json!(views.map(|view| json!({"bufferView": view})));
            c.json["textures"] = json!([texture]);
        })
    };
    let webp = json!({"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}});
    let (model, warnings) = with(red_webp(20), webp.clone());
    assert_eq!((model.materials[0].base_color_texture.unwrap().picture, warnings.len()), (1, 0));
    assert_eq!(model.pictures[0], None, "what is not shown is not decoded");
    assert_eq!(model.pictures[1].as_ref().unwrap().rgba, [20, 0, 0, 255]);

    let (model, warnings) = with(b"RIFF????WEBPnothing".to_vec(), webp);
    assert_eq!(model.materials[0].base_color_texture.unwrap().picture, 0);
    assert!(warnings[0].ends_with("; the texture's other picture is shown"), "{warnings:?}");

    let only = json!({"extensions": {"EXT_texture_webp": {"source": 1}}});
    let (model, warnings) = with(red_webp(20), only);
    assert_eq!((model.materials[0].base_color_texture.unwrap().picture, warnings.len()), (1, 0));
}

#[test]
fn a_fault_is_noted_once_however_often_the_picture_is_used() {
    let (model, warnings) = warned(|c| {
        c.json["images"][0] = json!({"uri": "data:image/png;base64,AAAA"});
        c.json["materials"][0]["emissiveTexture"] = json!({"index": 0});
        c.json["materials"][0]["normalTexture"] = json!({"index": 0});
        let material = c.json["materials"][0].clone();
        c.json["materials"].as_array_mut().unwrap().push(material);
    });
    assert_eq!(warnings, ["images[0].uri: is neither PNG, JPEG, WebP, KTX2 nor TGA; shown without"]);
    assert_eq!(model.materials[1].textures().count(), 0);
}

#[test]
fn pictures_are_read_from_files_and_uris_alike() {
    let png = some_png();
    let uri = format!("data:image/png;base64,{}", BASE64.encode(&png));
    let (model, warnings) = warned(|c| c.json["images"][0] = json!({"uri": uri}));
    assert_eq!((model.pictures[0].as_ref().unwrap().rgba.clone(), warnings.len()), (some_pixels(), 0));

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ein Bild.webp"), some_webp()).unwrap();
    let mut character = character::new();
    character.json["images"][0] = json!({"uri": "ein%20Bild.webp"});
    let path = folder.path().join("character.glb");
    std::fs::write(&path, character.glb()).unwrap();
    let model = load(&path).unwrap();
    assert_eq!(model.pictures[0].as_ref().unwrap().rgba, some_pixels());
    std::fs::write(folder.path().join("ein Bild.webp"), []).unwrap();
    let model = load(&path).unwrap();
    assert_eq!((model.pictures[0].is_none(), model.warnings.len()), (true, 1));
}
