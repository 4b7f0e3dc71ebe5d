//! The header of a KTX2 file: size, kind of pixels, and where they are.

use super::etc1s::Parts;
use super::{DecodeError, Layout, broken, cut, unsupported, zstandard};

/// The first bytes of every file.
pub const SIGNATURE: [u8; 12] = *b"\xabKTX 20\xbb\r\n\x1a\n";

/// Bytes before the index of levels.
const HEADER_BYTES: usize = 80;

/// Colour models of the data format descriptor.
const ETC1S: u8 = 163;
const UASTC: u8 = 166;

/// Schemes of supercompression.
const BASIS_LZ: u32 = 1;
const ZSTANDARD: u32 = 2;

/// A kind of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Blocks in the words of two books, packed by BasisLZ.
    Etc1s,
    /// Blocks of 16 bytes.
    Uastc,
    /// Samples as they are.
    Plain,
}

/// The contents of the header.
#[derive(Debug)]
pub struct Header {
    pub layout: Layout,
    pub kind: Kind,
    /// True for two channels, of which alpha holds the second.
    pub is_two: bool,
    /// True if ETC1S has slices for alpha or a second channel.
    has_alpha: bool,
    is_zstandard: bool,
    /// The first level: its start and its length.
    level: [u64; 2],
    /// The global data: its start and its length.
    global: [u64; 2],
    /// The number of images of all levels, layers and faces.
    images: u64,
}

impl Header {
    pub fn read(bytes: &[u8]) -> Result<Self, DecodeError> {
        if !bytes.starts_with(&SIGNATURE) {
            return Err(broken("its signature is damaged"));
        }
        let number = |at: usize| bytes.get(at..)?.first_chunk().map(|four| u32::from_le_bytes(*four));
        let long = |at: usize| bytes.get(at..)?.first_chunk().map(|eight| u64::from_le_bytes(*eight));
        let read = |at: usize| number(at).ok_or_else(cut);
        let read_long = |at: usize| long(at).ok_or_else(cut);
        let [format, width, height, depth] = [read(12)?, read(20)?, read(24)?, read(28)?];
        let [layers, faces, levels, scheme] = [read(32)?, read(36)?, read(40)?, read(44)?];
        if width == 0 {
            return Err(broken("it has no pixels"));
        }
        if height == 0 || depth > 0 {
            return Err(unsupported("it does not have two dimensions".to_owned()));
        }
        let images = [layers.max(1), faces.max(1), levels.max(1)];
        let images = images.into_iter().fold(1_u64, |product, count| product.saturating_mul(count.into()));
        let descriptor = Descriptor::read(bytes, read(48)? as usize).ok_or_else(cut)?;
        let (kind, channels) = match (format, descriptor.model) {
            (0, ETC1S) => (Kind::Etc1s, 4),
            (0, UASTC) => (Kind::Uastc, 4),
            // R8G8B8 and R8G8B8A8, each linear and sRGB.
            (23 | 29, _) => (Kind::Plain, 3),
            (37 | 43, _) => (Kind::Plain, 4),
            (_, model) => {
                return Err(unsupported(format!("pixels of format {format} with colour model {model}")));
            }
        };
        let is_known = match kind {
            Kind::Etc1s => scheme == BASIS_LZ,
            Kind::Uastc | Kind::Plain => matches!(scheme, 0 | ZSTANDARD),
        };
        if !is_known {
            return Err(unsupported(format!("supercompression {scheme}")));
        }
        Ok(Self {
            layout: Layout { width, height, channels, is_deep: false },
            kind,
            is_two: descriptor.is_two(kind),
            has_alpha: descriptor.second.is_some(),
            is_zstandard: scheme == ZSTANDARD,
            level: [read_long(HEADER_BYTES)?, read_long(HEADER_BYTES + 8)?],
            global: [read_long(64)?, read_long(72)?],
            images,
        })
    }

    /// Fills `out` with the start of the first level, where its first image is.
    pub fn level(&self, bytes: &[u8], out: &mut [u8]) -> Result<(), DecodeError> {
        let level = part(bytes, self.level).ok_or_else(cut)?;
        if self.is_zstandard {
            return zstandard::unpack(level, out);
        }
        out.copy_from_slice(level.get(..out.len()).ok_or_else(cut)?);
        Ok(())
    }

    /// The parts of ETC1S; `None` if one of them is not in the file.
    pub fn etc1s_parts<'a>(&self, bytes: &'a [u8]) -> Option<Parts<'a>> {
        let global = part(bytes, self.global)?;
        let (head, rest) = global.split_first_chunk::<20>()?;
        let [e0, e1, s0, s1, lengths @ ..] = *head;
        let (lengths, _) = lengths.as_chunks::<4>();
        let [endpoint_bytes, selector_bytes, table_bytes, _] = lengths.first_chunk()?.map(u32::from_le_bytes);
        // Each image: flags, and start and length of its two slices.
        let (image, _) = rest.split_first_chunk::<20>()?;
        let (image, _) = image.as_chunks::<4>();
        let [_, start, length, alpha_start, alpha_length] = image.first_chunk()?.map(u32::from_le_bytes);
        let rest = rest.get(usize::try_from(self.images.checked_mul(20)?).ok()?..)?;
        let (endpoints, rest) = rest.split_at_checked(endpoint_bytes as usize)?;
        let (selectors, rest) = rest.split_at_checked(selector_bytes as usize)?;
        let level = part(bytes, self.level)?;
        let slice = |start: u32, length: u32| part(level, [start.into(), length.into()]);
        Some(Parts {
            endpoints,
            endpoint_count: u16::from_le_bytes([e0, e1]),
            selectors,
            selector_count: u16::from_le_bytes([s0, s1]),
            tables: rest.get(..table_bytes as usize)?,
            color: slice(start, length)?,
            alpha: if self.has_alpha { Some(slice(alpha_start, alpha_length)?) } else { None },
        })
    }
}

/// The data format descriptor.
struct Descriptor {
    model: u8,
    /// The channels of its first two samples.
    first: u8,
    second: Option<u8>,
}

impl Descriptor {
    /// Reads the basic block behind the descriptor's length.
    fn read(bytes: &[u8], start: usize) -> Option<Self> {
        let block = bytes.get(start..)?.get(4..)?;
        let size = usize::from(u16::from_le_bytes(*block.get(6..)?.first_chunk()?));
        let samples = block.get(..size)?.get(24..)?;
        let mut channels = samples.chunks_exact(16).filter_map(|sample| sample.get(3)).map(|kind| kind & 15);
        Some(Self { model: *block.get(8)?, first: channels.next()?, second: channels.next() })
    }

    /// Returns true for red and green alone.
    fn is_two(&self, kind: Kind) -> bool {
        match kind {
            Kind::Etc1s => (self.first, self.second) == (3, Some(4)),
            Kind::Uastc => self.first == 5,
            Kind::Plain => false,
        }
    }
}

/// A part of bytes, by its start and its length.
fn part(bytes: &[u8], [start, length]: [u64; 2]) -> Option<&[u8]> {
    bytes.get(usize::try_from(start).ok()?..)?.get(..usize::try_from(length).ok()?)
}
