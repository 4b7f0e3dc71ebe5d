//! Writes JPEG, with the notes as comments.

use std::io::Write;

use super::{Image, ImageError, Notes};

/// The default quality of a JPEG.
pub const JPEG_QUALITY: u8 = 90;

/// The format's name in messages.
const JPEG: &str = "JPEG";

/// Writes an image without its alpha, at a quality from 1 to 100.
pub fn write_jpeg(image: &Image, quality: u8, notes: &Notes, mut out: impl Write) -> Result<(), ImageError> {
    Ok(out.write_all(&encoded(image, quality, notes)?)?)
}

fn encoded(image: &Image, quality: u8, notes: &Notes) -> Result<Vec<u8>, ImageError> {
    let side = |side: u32| {
        u16::try_from(side).map_err(|_| ImageError::write(JPEG, "a side has at most 65535 pixels"))
    };
    let (width, height) = (side(image.width)?, side(image.height)?);
    if !image.is_whole([image.width, image.height]) {
        return Err(ImageError::write(JPEG, "pixels are missing"));
    }
    let mut bytes = Vec::new();
    // Optimized tables would put each channel into a separate scan, which some decoders get wrong.
    jpeg_encoder::Encoder::new(&mut bytes, quality.clamp(1, 100))
        .encode(&image.rgba, width, height, jpeg_encoder::ColorType::Rgba)
        .map_err(|error| ImageError::write(JPEG, error))?;
    // The first segment identifies the file as JPEG; comments may follow.
    let after_first = match bytes.get(2..6) {
        Some(&[0xff, _, high, low]) => 4 + usize::from(u16::from_be_bytes([high, low])),
        _ => return Err(ImageError::write(JPEG, "the encoder made no image")),
    };
    let comments = notes.comments();
    bytes.splice(after_first.min(bytes.len())..after_first.min(bytes.len()), comments);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::decoding::{Format, Limits};

    #[test]
    fn pictures_and_notes_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jpg");
        let rgba: Vec<u8> =
            (0..64u32 * 48).flat_map(|n| [(n % 64 * 4) as u8, (n / 64 * 5) as u8, 90, 255]).collect();
        let image = Image { width: 64, height: 48, rgba };
        let mut notes = Notes::default();
        notes.add("Software", "sinew");
        notes.add("Command", "sinew 'füchsin 狐: a.glb' --view x");
        notes.add("Long", "x".repeat(70_000));
        let write = |quality: u8| {
            write_jpeg(&image, quality, &notes, std::fs::File::create(&path).unwrap()).unwrap();
            std::fs::read(&path).unwrap()
        };
        let (fine, coarse) = (write(95), write(20));
        assert!(coarse.len() < fine.len(), "{} and {}", coarse.len(), fine.len());
        let limits = Limits { side: 100, bytes: 1 << 20 };
        let found = Format::Jpeg.decode(&fine, limits).unwrap().into_rgba();
        let worst = found.iter().zip(&image.rgba).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(worst <= Some(8), "{worst:?}");
        let read = Notes::read(&path).unwrap();
        assert_eq!(
            (read.get("Software"), read.get("Command")),
            (notes.get("Software"), notes.get("Command"))
        );
        assert_eq!(read.get("Long"), None, "a comment holds no more than 64 KiB");
        // Truncated anywhere, it has fewer notes.
        for length in 0..coarse.len().min(400) {
            std::fs::write(&path, &coarse[..length]).unwrap();
            if let Ok(notes) = Notes::read(&path) {
                assert!(notes.0.len() <= 2);
            }
        }
        let short = Image { width: 2, height: 2, rgba: vec![0; 4] };
        assert!(encoded(&short, 90, &notes).is_err());
        assert!(encoded(&Image { width: 70_000, height: 1, rgba: vec![0; 280_000] }, 90, &notes).is_err());
    }
}
