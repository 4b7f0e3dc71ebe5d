//! Texture images that claim to be large, are large, or are named thousands of times.

use sinew::model::gltf::load_bytes;

use crate::file::glb;
use crate::judge::{document, items, judge_within, memory_limit, words};
use crate::pictures;

/// A black PNG, which compresses well.
fn black_png(width: u32, height: u32) -> Vec<u8> {
    pictures::png(png::ColorType::Grayscale, [width, height], &vec![0; (width * height) as usize])
}

/// The verdict on a model with this many materials, each with a separate image, all in the same bytes.
fn verdict(picture: &[u8], count: usize) -> String {
    let images = items(count, |_| r#"{"bufferView":0}"#.to_owned());
    let textures = items(count, |image| format!(r#"{{"source":{image}}}"#));
    let materials = items(count, |texture| {
        format!(r#"{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":{texture}}}}}}}"#)
    });
    let members = format!(r#""images":[{images}],"textures":[{textures}],"materials":[{materials}]"#);
    let file = glb(document(picture.len(), &members).as_bytes(), picture);
    // A decoder may take as much again as a file of the image's size.
    let limit = memory_limit(file.len()) + memory_limit(picture.len());
    words(&judge_within(limit, || load_bytes(&file, None)))
}

#[test]
fn a_picture_beyond_all_bounds() {
    for (width, height) in [(16384, 16384), (20000, 1)] {
        let picture = black_png(width, height);
        // Refused ten thousand times before anything is decoded.
        assert!(verdict(&picture, 5000).contains("shown without"));
    }
}

/// 67 million pixels of one grey in 65 kB. Everything made of them, up to the GPU, would be a gigabyte.
#[test]
fn a_large_picture_of_nothing_is_shrunk() {
    let picture = black_png(8192, 8192);
    let members = r#""images":[{"bufferView":0}],"textures":[{"source":0}],
        "materials":[{"emissiveTexture":{"index":0}}]"#;
    let file = glb(document(picture.len(), members).as_bytes(), &picture);
    // One byte per pixel during decoding, and four bytes for every fourth.
    let model = judge_within(140 << 20, || load_bytes(&file, None)).unwrap();
    assert!(model.warnings[0].message.ends_with("; shrunk to 4096 x 4096"), "{:?}", model.warnings);
    let size = model.pictures[0].as_ref().map(|picture| (picture.width, picture.height));
    assert_eq!(size, Some((4096, 4096)));
}

#[test]
fn thousands_of_the_same_large_picture() {
    for whole in [black_png(4096, 4096), pictures::grey_jpeg(4096, 4096)] {
        assert_eq!(verdict(&whole, 1), "loads");
        assert!(verdict(&whole, 3000).contains("more memory than is left"));
        // Images that break off after all the work is done count like whole ones.
        assert!(verdict(&whole[..whole.len() - 100], 3000).contains("more memory than is left"));
    }
}

#[test]
fn thousands_of_small_pictures_are_no_fault() {
    assert_eq!(verdict(&black_png(8, 8), 1000), "loads");
}

#[test]
fn profiles_that_unpack_to_gigabytes() {
    // The encoder compresses rows of an image; a profile compresses alike.
    let rows = black_png(16384, 8192);
    let small = black_png(8, 8);
    let data: Vec<u8> =
        chunks(&rows).filter(|(kind, _)| *kind == b"IDAT").flat_map(|(_, data)| data.to_vec()).collect();
    let mut bytes = small[..33].to_vec();
    let mut profile = b"iCCPx\0\0".to_vec();
    profile.extend(data);
    bytes.extend((profile.len() as u32 - 4).to_be_bytes());
    bytes.extend(&profile);
    bytes.extend(crc(&profile).to_be_bytes());
    bytes.extend(&small[33..]);
    assert_eq!(verdict(&bytes, 1), "loads");
    verdict(&bytes, 3000);
}

/// The chunks of a PNG, as kind and data.
fn chunks(png: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = &png[8..];
    std::iter::from_fn(move || {
        let length = u32::from_be_bytes(rest.get(..4)?.try_into().ok()?) as usize;
        let chunk = (&rest[4..8], &rest[8..8 + length]);
        rest = &rest[12 + length..];
        Some(chunk)
    })
}

/// The checksum that ends a PNG's chunk.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))
    })
}
