//! PNG in and out.
//! It must not know what the pixels show.

use std::io::{BufReader, Write};
use std::path::Path;

use super::Image;
use crate::output;

/// Why a PNG could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The file or the stream failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The bytes are not a picture we read, or the picture is not one PNG can hold.
    #[error("{0}")]
    Format(String),
}

/// Writes to a file, or to standard output for `-`.
pub fn write_png(image: &Image, path: &Path) -> Result<(), PngError> {
    // Encoded before a file is opened: a process that is killed meanwhile leaves nothing at all.
    let mut bytes = Vec::new();
    encode(image, &mut bytes)?;
    output::write(path, |out| Ok(out.write_all(&bytes)?))
}

fn encode(image: &Image, out: &mut dyn Write) -> Result<(), PngError> {
    let mut encoder = ::png::Encoder::new(out, image.width, image.height);
    encoder.set_color(::png::ColorType::Rgba);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_source_srgb(::png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header().map_err(encoding)?;
    writer.write_image_data(&image.rgba).map_err(encoding)?;
    writer.finish().map_err(encoding)
}

fn encoding(error: ::png::EncodingError) -> PngError {
    match error {
        ::png::EncodingError::IoError(error) => PngError::Io(error),
        other => PngError::Format(other.to_string()),
    }
}

/// Reads any PNG as eight bits of red, green, blue and alpha.
pub fn read_png(path: &Path) -> Result<Image, PngError> {
    let file = BufReader::new(std::fs::File::open(path)?);
    let mut reader = ::image::ImageReader::new(file);
    reader.set_format(::image::ImageFormat::Png);
    let decoded = reader.decode().map_err(|error| PngError::Format(error.to_string()))?.into_rgba8();
    Ok(Image { width: decoded.width(), height: decoded.height(), rgba: decoded.into_raw() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_and_leaves_nothing_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let image = Image { width: 3, height: 2, rgba: (0..24).map(|byte| byte * 10).collect() };
        write_png(&image, &path).unwrap();
        assert_eq!(read_png(&path).unwrap(), image);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_picture_without_all_its_pixels_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let short = Image { width: 2, height: 2, rgba: vec![0; 4] };
        assert!(write_png(&short, &folder.path().join("short.png")).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
