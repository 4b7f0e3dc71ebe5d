//! Notes in picture files: short named texts, stored as text chunks of a PNG, comments of a JPEG or the XMP of a WebP.

#![allow(clippy::disallowed_methods, reason = "reads files that its callers add to the inputs")]

mod comments;
mod xmp;

use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::path::Path;

use super::ImageError;
use sinew_model::decoding::Format;

/// The maximum memory for all texts of a file while they are read.
const MAX_BYTES: usize = 4 << 20;

/// The largest size of one decompressed text.
const MAX_TEXT: usize = 1 << 20;

/// Texts with their names, of up to 79 Latin-1 characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes(pub Vec<(String, String)>);

impl Notes {
    /// Adds a text.
    pub fn add(&mut self, name: &str, text: impl Into<String>) {
        self.0.push((name.to_owned(), text.into()));
    }

    /// Returns the first text with that name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(named, _)| named == name).map(|(_, text)| text.as_str())
    }

    /// Passes the texts to an encoder: as ASCII if they fit, because every reader supports it, otherwise as UTF-8.
    pub(super) fn add_to<W: Write>(&self, encoder: &mut ::png::Encoder<'_, W>) -> Result<(), ImageError> {
        for (name, text) in &self.0 {
            // A zero byte would end the text.
            let text = text.replace('\0', "\u{fffd}");
            match text.is_ascii() {
                true => encoder.add_text_chunk(name.clone(), text),
                false => encoder.add_itxt_chunk(name.clone(), text),
            }
            .map_err(super::error::encoding)?;
        }
        Ok(())
    }

    /// Returns the notes as comments of a JPEG.
    pub(super) fn comments(&self) -> Vec<u8> {
        comments::write(&self.0)
    }

    /// Returns the notes as XMP for a WebP.
    pub(super) fn xmp(&self) -> String {
        xmp::write(&self.0)
    }

    /// Reads the texts of a PNG, a JPEG or a WebP. Skips broken and oversized texts.
    pub fn read(path: &Path) -> Result<Self, ImageError> {
        if !std::fs::metadata(path)?.is_file() {
            return Err(ImageError::Read("not a regular file".to_owned()));
        }
        let mut file = BufReader::new(File::open(path)?);
        let mut start = Vec::new();
        (&mut file).take(12).read_to_end(&mut start)?;
        file.rewind()?;
        match Format::of(&start) {
            Some(Format::Jpeg) => Ok(Self(comments::read(file)?)),
            Some(Format::WebP) => Ok(Self(xmp::read(file)?)),
            Some(Format::Png) => Self::read_png(file),
            Some(Format::Tga | Format::Ktx2) | None => {
                Err(ImageError::Read("it is not a PNG, JPEG or WebP".to_owned()))
            }
        }
    }

    /// Reads the texts before the pixels of a PNG.
    fn read_png(file: BufReader<File>) -> Result<Self, ImageError> {
        let limits = ::png::Limits { bytes: MAX_BYTES };
        let decoder = ::png::Decoder::new_with_limits(file, limits);
        let reader = decoder.read_info().map_err(decoding)?;
        let info = reader.info();
        let mut notes = Self::default();
        for chunk in &info.uncompressed_latin1_text {
            notes.add(&chunk.keyword, chunk.text.clone());
        }
        for chunk in &info.compressed_latin1_text {
            let mut chunk = chunk.clone();
            if chunk.decompress_text_with_limit(MAX_TEXT).is_ok() {
                notes.0.extend(chunk.get_text().ok().map(|text| (chunk.keyword, text)));
            }
        }
        for chunk in &info.utf8_text {
            let mut chunk = chunk.clone();
            if chunk.decompress_text_with_limit(MAX_TEXT).is_ok() {
                notes.0.extend(chunk.get_text().ok().map(|text| (chunk.keyword, text)));
            }
        }
        Ok(notes)
    }
}

fn decoding(error: ::png::DecodingError) -> ImageError {
    match error {
        ::png::DecodingError::IoError(error) => ImageError::Io(error),
        other => ImageError::Read(other.to_string()),
    }
}
