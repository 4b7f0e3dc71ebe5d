//! Reads and writes PNG.

#![allow(clippy::disallowed_methods, reason = "reads files that its callers add to the inputs")]

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use super::error::encoding;
use super::{Image, ImageError, Notes};
use sinew_model::decoding::{Limits, decode_png};
#[cfg(unix)]
use sinew_system::threads;

/// The maximum memory for the pixels of a PNG.
const MAX_BYTES: u64 = 512 << 20;

/// Writes an image.
pub fn write_png(image: &Image, out: impl Write) -> Result<(), ImageError> {
    write_png_with(image, &Notes::default(), out)
}

/// Writes an image with notes. Writes nothing if the format cannot hold it.
pub fn write_png_with(image: &Image, notes: &Notes, mut out: impl Write) -> Result<(), ImageError> {
    Ok(out.write_all(&png_bytes(image, notes)?)?)
}

/// Encodes an image with notes as the bytes of a file.
pub fn png_bytes(image: &Image, notes: &Notes) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    let mut writer =
        encoder(&mut bytes, [image.width, image.height], notes)?.write_header().map_err(encoding)?;
    writer.write_image_data(&image.rgba).map_err(encoding)?;
    writer.finish().map_err(encoding)?;
    Ok(bytes)
}

/// Writes the smallest file possible, for goldens. This takes a hundred times as long.
pub fn write_small_png(image: &Image, mut out: impl Write) -> Result<(), ImageError> {
    let mut bytes = Vec::new();
    let mut encoder = encoder(&mut bytes, [image.width, image.height], &Notes::default())?;
    encoder.set_compression(::png::Compression::High);
    encoder.set_filter(::png::Filter::Adaptive);
    let (pixels, _) = image.rgba.as_chunks::<4>();
    let opaque = pixels.iter().all(|[.., alpha]| *alpha == u8::MAX).then(|| {
        encoder.set_color(::png::ColorType::Rgb);
        pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect::<Vec<u8>>()
    });
    let mut writer = encoder.write_header().map_err(encoding)?;
    writer.write_image_data(opaque.as_ref().unwrap_or(&image.rgba)).map_err(encoding)?;
    writer.finish().map_err(encoding)?;
    Ok(out.write_all(&bytes)?)
}

/// Writes a picture that is never in memory as a whole; `rows` supplies its rows from the top, any number at a time.
pub fn write_png_rows<E: From<ImageError> + From<std::io::Error>>(
    size: [u32; 2],
    notes: &Notes,
    out: impl Write,
    rows: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), ImageError>) -> Result<(), E>,
) -> Result<(), E> {
    let mut writer = encoder(out, size, notes)?.write_header().map_err(encoding)?;
    let mut stream = writer.stream_writer_with_size(1 << 16).map_err(encoding)?;
    rows(&mut |bytes| Ok(stream.write_all(bytes)?))?;
    stream.finish().map_err(encoding)?;
    Ok(writer.finish().map_err(encoding)?)
}

/// Creates an encoder with the settings of every PNG.
pub(super) fn encoder<'a, W: Write>(
    out: W,
    [width, height]: [u32; 2],
    notes: &Notes,
) -> Result<::png::Encoder<'a, W>, ImageError> {
    let mut encoder = ::png::Encoder::new(out, width, height);
    encoder.set_color(::png::ColorType::Rgba);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_source_srgb(::png::SrgbRenderingIntent::Perceptual);
    // This encodes 1280x720 in 1 ms; the default settings take 100 ms and save an eighth of the bytes.
    encoder.set_compression(::png::Compression::Fast);
    encoder.set_filter(::png::Filter::Paeth);
    notes.add_to(&mut encoder)?;
    Ok(encoder)
}

/// Reads any PNG as 8-bit RGBA.
pub fn read_png(path: &Path) -> Result<Image, ImageError> {
    let file = BufReader::new(threads::open_soon(
        path,
        |path| File::open(path),
        "no process is writing to this pipe",
    )?);
    let limits = Limits { side: u32::MAX, bytes: MAX_BYTES };
    let pixels = decode_png(file, limits).map_err(|error| ImageError::Read(error.to_string()))?;
    Ok(Image { width: pixels.layout.width, height: pixels.layout.height, rgba: pixels.into_rgba() })
}

#[cfg(test)]
mod tests {
    use super::*;
    fn image() -> Image {
        Image { width: 3, height: 2, rgba: (0..24).map(|byte| byte * 10).collect() }
    }

    #[test]
    fn what_is_written_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        write_png(&image(), File::create(&path).unwrap()).unwrap();
        assert_eq!(read_png(&path).unwrap(), image());
        // With and without alpha.
        let mut opaque = image();
        opaque.rgba.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
        for image in [image(), opaque] {
            write_small_png(&image, File::create(&path).unwrap()).unwrap();
            assert_eq!(read_png(&path).unwrap(), image);
        }
    }

    #[test]
    fn a_picture_without_all_its_pixels_is_not_written() {
        let short = Image { width: 2, height: 2, rgba: vec![0; 4] };
        let mut file = Vec::new();
        assert!(write_png(&short, &mut file).is_err() && write_small_png(&short, &mut file).is_err());
        assert!(file.is_empty());
        let half = |write: &mut dyn FnMut(&[u8]) -> Result<(), ImageError>| write(&[0; 8]);
        assert!(write_png_rows::<ImageError>([2, 2], &Notes::default(), &mut file, half).is_err());
    }

    #[test]
    fn rows_and_texts_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let mut notes = Notes::default();
        notes.add("Software", "sinew");
        notes.add("Command", "sinew 'füchsin 狐.glb'\0");
        write_png_rows::<ImageError>([3, 2], &notes, File::create(&path).unwrap(), |write| {
            write(&image().rgba[..12])?;
            write(&image().rgba[12..])
        })
        .unwrap();
        assert_eq!(read_png(&path).unwrap(), image());
        let read = Notes::read(&path).unwrap();
        assert_eq!(read.get("Software"), Some("sinew"));
        assert_eq!(read.get("Command"), Some("sinew 'füchsin 狐.glb'\u{fffd}"));
        assert_eq!(read.get("Device"), None);
        write_png_with(&image(), &notes, File::create(&path).unwrap()).unwrap();
        assert_eq!(Notes::read(&path).unwrap(), read);
    }
}
