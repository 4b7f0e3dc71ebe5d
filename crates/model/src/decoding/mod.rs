//! Decodes PNG, JPEG, WebP, TGA and KTX2, within limits that are checked before memory is allocated. It must not depend on
//! where the bytes come from, nor what an image is used for.

mod jpeg;
mod ktx2;
mod pixels;
mod png;
mod tga;
mod webp;

use std::{fmt, io};

pub use pixels::{Layout, Pixels};
pub use png::decode as decode_png;

/// The format of an image file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Network Graphics; of an animation, the first frame.
    Png,
    /// JPEG, sequential or progressive.
    Jpeg,
    /// WebP, lossy or lossless; of an animation, the first frame.
    WebP,
    /// Truevision TGA.
    Tga,
    /// KTX2 with Basis Universal or plain pixels; of several images, the first.
    Ktx2,
}

/// Limits on decoding.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of pixels per row, and the most rows.
    pub side: u32,
    /// The maximum number of bytes of the pixels, and of a PNG's decompressed metadata.
    pub bytes: u64,
}

/// Why an image cannot be decoded.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// An image that is wider or higher than allowed.
    #[error("the image is wider or higher than allowed")]
    Side,
    /// An image that takes more bytes than allowed.
    #[error("the image takes more memory than allowed")]
    Memory,
    /// The bytes end early or cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The bytes violate the format.
    #[error("broken {0}: {1}")]
    Format(Format, String),
    /// The format allows it, but the decoder does not support it.
    #[error("unsupported {0}: {1}")]
    Unsupported(Format, String),
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::WebP => "WebP",
            Self::Tga => "TGA",
            Self::Ktx2 => "KTX2",
        })
    }
}

impl Format {
    /// Recognizes a format by its first bytes; TGA, which has no signature, by its header.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            Some(Self::Jpeg)
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            Some(Self::WebP)
        } else if bytes.starts_with(&ktx2::SIGNATURE) {
            Some(Self::Ktx2)
        } else if tga::is_tga(bytes) {
            Some(Self::Tga)
        } else {
            None
        }
    }

    /// Reads an image's layout from its header, within the limits on its sides.
    pub fn look(self, bytes: &[u8], limits: Limits) -> Result<Layout, DecodeError> {
        match self {
            Self::Png => png::look(bytes, limits),
            Self::Jpeg => jpeg::look(bytes, limits),
            Self::WebP => webp::look(bytes, limits),
            Self::Tga => tga::look(bytes, limits),
            Self::Ktx2 => ktx2::look(bytes, limits),
        }
    }

    /// Decodes an image.
    pub fn decode(self, bytes: &[u8], limits: Limits) -> Result<Pixels, DecodeError> {
        match self {
            Self::Png => png::decode(io::Cursor::new(bytes), limits),
            Self::Jpeg => jpeg::decode(bytes, limits),
            Self::WebP => webp::decode(bytes, limits),
            Self::Tga => tga::decode(bytes, limits),
            Self::Ktx2 => ktx2::decode(bytes, limits),
        }
    }
}

impl Limits {
    /// Checks a picture's width and height.
    fn check(self, [width, height]: [u32; 2]) -> Result<(), DecodeError> {
        if width.max(height) > self.side { Err(DecodeError::Side) } else { Ok(()) }
    }

    /// Allocates room for the samples of an image.
    fn room(self, layout: Layout) -> Result<Vec<u8>, DecodeError> {
        let bytes = layout.bytes();
        match usize::try_from(bytes) {
            Ok(count) if bytes <= self.bytes => Ok(vec![0; count]),
            _ => Err(DecodeError::Memory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_first_bytes() {
        let starts: [(&[u8], Format); 4] = [
            (b"\x89PNG\r\n\x1a\n", Format::Png),
            (b"\xff\xd8\xff", Format::Jpeg),
            (b"RIFF\x01\x02\x03\x04WEBP", Format::WebP),
            (b"\xabKTX 20\xbb\r\n\x1a\n", Format::Ktx2),
        ];
        for (start, format) in starts {
            assert_eq!(Format::of(start), Some(format));
            assert_eq!(Format::of(&[start, b"more"].concat()), Some(format));
            for at in (0..start.len()).filter(|at| format != Format::WebP || !(4..8).contains(at)) {
                assert_eq!(Format::of(&start[..at]), None, "{format:?} of {at} bytes");
                let mut other = start.to_vec();
                other[at] ^= 1;
                assert_eq!(Format::of(&other), None, "{format:?} with byte {at} changed");
            }
        }
        assert_eq!(Format::of(b"GIF89a"), None);
    }

    /// The header of a grey JPEG of 8 by 5 pixels, up to its scan.
    const JPEG: [u8; 25] =
        [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 5, 0, 8, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0];

    #[test]
    fn limits_are_kept_before_anything_is_decoded() {
        let mut png = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut png, 8, 5);
        encoder.set_depth(::png::BitDepth::Sixteen);
        encoder.write_header().unwrap().write_image_data(&[7; 80]).unwrap();
        let mut webp = Vec::new();
        let color = image_webp::ColorType::Rgb8;
        image_webp::WebPEncoder::new(&mut webp).encode(&[7; 120], 8, 5, color).unwrap();
        for (bytes, channels, is_deep, room) in
            [(&png[..], 1, true, 80), (&JPEG, 1, false, 40), (&webp, 3, false, 120)]
        {
            let format = Format::of(bytes).unwrap();
            let limits = |side: u32, bytes: u64| Limits { side, bytes };
            let layout = format.look(bytes, limits(8, 1000)).unwrap();
            assert_eq!(layout, Layout { width: 8, height: 5, channels, is_deep }, "{format:?}");
            assert_eq!(layout.bytes(), room, "{format:?}");
            assert!(matches!(format.look(bytes, limits(7, 1000)), Err(DecodeError::Side)), "{format:?}");
            assert!(matches!(format.decode(bytes, limits(7, 1000)), Err(DecodeError::Side)), "{format:?}");
            let short = format.decode(bytes, limits(8, room - 1));
            assert!(matches!(short, Err(DecodeError::Memory)), "{format:?}: {short:?}");
            let enough = format.decode(bytes, limits(8, room));
            assert!(!matches!(enough, Err(DecodeError::Memory)), "{format:?}: {enough:?}");
        }
    }

    /// A find of the fuzz target `picture`: the decoder would panic.
    #[test]
    fn a_jpeg_whose_first_component_is_not_the_finest_is_refused() {
        let limits = Limits { side: 64, bytes: 1 << 16 };
        let jpeg = include_bytes!("../../tests/data/uneven.jpg");
        for error in [Format::Jpeg.look(jpeg, limits).err(), Format::Jpeg.decode(jpeg, limits).err()] {
            assert!(matches!(error, Some(DecodeError::Unsupported(Format::Jpeg, _))), "{error:?}");
        }
        assert!(Format::Jpeg.look(&JPEG, limits).is_ok());
    }

    #[test]
    fn errors_are_one_line() {
        let limits = Limits { side: 9, bytes: 9 };
        for bytes in
            [&b"\x89PNG\r\n\x1a\n"[..], b"\xff\xd8\xff", b"RIFF\x01\x02\x03\x04WEBP", &ktx2::SIGNATURE]
        {
            let format = Format::of(bytes).unwrap();
            for error in [format.look(bytes, limits).unwrap_err(), format.decode(bytes, limits).unwrap_err()]
            {
                assert!(!error.to_string().contains('\n'), "{error:?}");
            }
        }
        let mut cut = 0;
        for length in 3..JPEG.len() {
            let Err(error) = Format::Jpeg.look(&JPEG[..length], limits) else { continue };
            cut += 1;
            assert!(!error.to_string().contains('\n'), "{error:?}");
        }
        println!("{cut} headers are cut off");
        assert!(cut > 0);
    }
}
