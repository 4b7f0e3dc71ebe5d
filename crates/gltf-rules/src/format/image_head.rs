//! Checks the first bytes of a PNG, JPEG or WebP file, up to the size of the picture.

/// Maximum size of a [`Head`]: colour profiles and other data may precede the header.
pub const HEAD_BYTES: u64 = 256 << 10;

/// The first bytes behind a URI.
#[derive(Debug)]
pub struct Head {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// True if the file has no more bytes.
    pub is_whole: bool,
}

impl Head {
    /// The first of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let first = bytes.get(..HEAD_BYTES as usize);
        Self { bytes: first.unwrap_or(bytes).to_vec(), is_whole: first.is_none() }
    }
}

/// A broken rule and the message.
pub type Broken = (&'static str, String);

/// The head ends before it gives the size of the picture.
const CUT: &str = "IMAGE_UNEXPECTED_EOS";

/// The type of a picture by its first bytes. A file shorter than the smallest header is not a picture.
pub fn mime_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes.get(..14)? {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', b'V', b'P'] => Some("image/webp"),
        [0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, ..] => Some("image/ktx2"),
        [b'D', b'D', b'S', b' ', ..] => Some("image/vnd-ms.dds"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f', ..] => Some("image/avif"),
        _ => None,
    }
}

/// Finds the defect in the header of a file that starts with these bytes.
pub fn broken(bytes: &[u8]) -> Option<Broken> {
    let read = match mime_type(bytes)? {
        "image/png" => png(bytes),
        "image/jpeg" => jpeg(bytes),
        "image/webp" => webp(bytes),
        _ => Some(Ok(())),
    };
    match read {
        Some(Ok(())) => None,
        Some(Err(message)) => Some(("IMAGE_DATA_INVALID", message)),
        None => Some((CUT, "ends before the size of the image".to_owned())),
    }
}

/// Finds the defect in a header that may continue after these bytes.
pub fn broken_start(bytes: &[u8]) -> Option<Broken> {
    broken(bytes).filter(|(code, _)| *code != CUT)
}

/// Result of checking a header; `None` if the bytes end before it is known.
type Read = Option<Result<(), String>>;

/// Walks over the chunks up to the pixels.
fn png(bytes: &[u8]) -> Read {
    let mut rest = bytes.get(8..)?;
    let mut has_header = false;
    loop {
        let (header, after) = rest.split_first_chunk::<8>()?;
        let [l0, l1, l2, l3, name @ ..] = *header;
        let length = u32::from_be_bytes([l0, l1, l2, l3]);
        let expected = match &name {
            b"IHDR" => Some(13),
            b"cHRM" => Some(32),
            b"pHYs" => Some(9),
            b"gAMA" => Some(4),
            b"sRGB" => Some(1),
            b"IDAT" if has_header => return Some(Ok(())),
            b"IDAT" => return Some(Err("has pixels before its header".to_owned())),
            _ => None,
        };
        if let Some(expected) = expected.filter(|expected| *expected != length) {
            let name = name.escape_ascii();
            return Some(Err(format!("chunk {name} is {length} bytes long, but must be {expected}")));
        }
        has_header |= &name == b"IHDR";
        // The check sum has four bytes.
        rest = after.get(length as usize..)?.get(4..)?;
    }
}

/// Walks over the segments up to the one with the size.
fn jpeg(bytes: &[u8]) -> Read {
    let mut rest = bytes.get(1..)?;
    loop {
        let (marker, after) = rest.split_first()?;
        rest = match marker {
            // These markers have no length.
            0x01 | 0xd0..=0xd9 | 0xff => after,
            marker => {
                let length = usize::from(u16::from_be_bytes(*after.first_chunk()?));
                if length < 2 {
                    return Some(Err(format!("a segment is {length} bytes long, which is impossible")));
                }
                let (segment, next) = after.split_at_checked(length)?;
                if matches!(marker, 0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf | 0xde) {
                    // Length, bits a channel, height and width come before.
                    return Some(match segment.get(7) {
                        Some(1 | 3) => Ok(()),
                        Some(channels) => {
                            Err(format!("has {channels} channels, but must be grey or have three"))
                        }
                        None => Err("does not give a number of channels".to_owned()),
                    });
                }
                next
            }
        };
    }
}

fn webp(bytes: &[u8]) -> Read {
    let (kind, last) = (bytes.get(12..16)?, if bytes.get(15)? == &b'L' { 24 } else { 29 });
    bytes.get(last)?;
    Some(match kind {
        b"VP8 " | b"VP8L" | b"VP8X" => Ok(()),
        _ => Err("starts with a chunk that is not an image".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Start, a comment, a frame of three channels.
    const JPEG: [u8; 19] = [0xff, 0xd8, 0xff, 0xfe, 0, 4, 0xff, 0xd9, 0xff, 0xc0, 0, 9, 8, 0, 1, 0, 1, 3, 0];
    const WEBP: [u8; 25] = *b"RIFF\x1c\0\0\0WEBPVP8L\x0f\0\0\0/\xff\xc0\x1f\0";

    /// A PNG of one grey, up to the pixels; their check sums are not read.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 0, 0, 0, 0], &[0; 4]].concat();
        [b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", &header[..], b"\0\0\0\x02IDAT\x78\x9c"].concat()
    }

    #[test]
    fn types_are_known_by_first_bytes() {
        assert_eq!(mime_type(&png(1, 1)), Some("image/png"));
        assert_eq!(mime_type(&JPEG), Some("image/jpeg"));
        assert_eq!(mime_type(&WEBP), Some("image/webp"));
        assert_eq!(mime_type(b"\xabKTX 20\xbb\r\n\x1a\n...."), Some("image/ktx2"));
        for none in [&b"GIF89a........"[..], b"", b"\x89PNG\r\n\x1a\n", b"RIFF....WEBPxxxx"] {
            assert_eq!(mime_type(none), None);
        }
    }

    #[test]
    fn whole_heads_are_right_and_cut_ones_are_not() {
        let png = png(3, 5);
        for (whole, head) in [(&png[..], 8 + 25 + 8), (&JPEG, JPEG.len()), (&WEBP, WEBP.len())] {
            for length in 14..=whole.len() {
                let found = broken(&whole[..length]).map(|(code, _)| code);
                assert_eq!(found, (length < head).then_some(CUT), "{length}");
                assert_eq!(broken_start(&whole[..length]), None);
            }
        }
    }

    #[test]
    fn wrong_heads_are_told() {
        let edited = |bytes: &[u8], place: usize, value: u8| {
            let mut bytes = bytes.to_vec();
            bytes[place] = value;
            broken_start(&bytes).map(|(code, message)| format!("{code}: {message}")).unwrap_or_default()
        };
        let png = png(1, 1);
        assert_eq!(edited(&png, 11, 14), "IMAGE_DATA_INVALID: chunk IHDR is 14 bytes long, but must be 13");
        assert_eq!(edited(&png, 12, b'X'), "IMAGE_DATA_INVALID: has pixels before its header");
        assert!(edited(&JPEG, 5, 1).contains("segment is 1 bytes long"));
        assert!(edited(&JPEG, 17, 4).contains("has 4 channels"));
        assert!(edited(&JPEG, 11, 7).contains("a number of channels"));
        let mut long = WEBP.to_vec();
        long.extend([0; 5]);
        assert!(edited(&long, 15, b'9').contains("not an image"));
    }
}
