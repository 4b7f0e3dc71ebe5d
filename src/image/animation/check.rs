//! Reads back what ffmpeg has written: a video takes its place only if it begins as its format does and holds frames.

#![allow(clippy::disallowed_methods, reason = "reads what this run has written")]

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::AnimationFormat;
use crate::image::ImageError;

/// Checks a video.
///
/// # Errors
/// If it is none, or has no frame.
pub fn holds_frames(format: AnimationFormat, path: &Path) -> Result<(), ImageError> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let is_whole = match format {
        AnimationFormat::Mp4 => holds_samples(&mut file, length),
        _ => holds_blocks(&mut file, length),
    };
    // A file that ends within a header is one that is not whole.
    let is_whole = is_whole.or_else(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Ok(false),
        _ => Err(error),
    })?;
    let what = if length == 0 { "nothing" } else { "no frames" };
    match is_whole {
        true => Ok(()),
        false => {
            Err(ImageError::write("video", format!("ffmpeg ended without an error, but has written {what}")))
        }
    }
}

/// Boxes of MP4 on the way to the table of samples, and that table.
const WAY: [&[u8; 4]; 5] = [b"moov", b"trak", b"mdia", b"minf", b"stbl"];
const SAMPLE_SIZES: &[u8; 4] = b"stsz";

/// Returns whether an MP4 begins with its type and lists samples.
fn holds_samples(file: &mut File, length: u64) -> io::Result<bool> {
    let (mut at, mut end, mut has_type) = (0u64, length, false);
    while at < end {
        file.seek(SeekFrom::Start(at))?;
        let [size, kind] = [read::<4>(file)?, read::<4>(file)?];
        let (size, header) = match u32::from_be_bytes(size) {
            0 => (end - at, 8),
            1 => (u64::from_be_bytes(read(file)?), 16),
            size => (u64::from(size), 8),
        };
        if !has_type && &kind != b"ftyp" || size < header {
            return Ok(false);
        }
        has_type = true;
        if WAY.contains(&&kind) {
            // Its boxes follow; the rest of those around it is left.
            (at, end) = (at.saturating_add(header), end.min(at.saturating_add(size)));
            continue;
        }
        if &kind == SAMPLE_SIZES {
            // Version and flags, the size that all share, and the count.
            let [_, _, count] = [read::<4>(file)?, read::<4>(file)?, read::<4>(file)?];
            return Ok(u32::from_be_bytes(count) > 0);
        }
        at = at.saturating_add(size);
    }
    Ok(false)
}

/// Elements of Matroska, which WebM is as well.
const HEAD: u64 = 0x1a45_dfa3;
const SEGMENT: u64 = 0x1853_8067;
const CLUSTER: u64 = 0x1f43_b675;
const SIMPLE_BLOCK: u64 = 0xa3;
const BLOCK_GROUP: u64 = 0xa0;

/// Returns whether a Matroska file begins with its head and has a block.
fn holds_blocks(file: &mut File, length: u64) -> io::Result<bool> {
    let (mut at, mut has_head) = (0u64, false);
    while at < length {
        file.seek(SeekFrom::Start(at))?;
        let (id, id_bytes) = number(file, false)?;
        let (size, size_bytes) = number(file, true)?;
        let content = at.saturating_add(id_bytes).saturating_add(size_bytes);
        match id {
            _ if !has_head && id != HEAD => return Ok(false),
            SIMPLE_BLOCK | BLOCK_GROUP => return Ok(size > 0 && content < length),
            // What is in it follows.
            SEGMENT | CLUSTER => at = content,
            _ => at = content.saturating_add(size),
        }
        has_head = true;
    }
    Ok(false)
}

/// A number of Matroska, whose first byte says how long it is; that mark stays in identifiers.
fn number(file: &mut File, is_size: bool) -> io::Result<(u64, u64)> {
    let [first] = read::<1>(file)?;
    let more = first.leading_zeros();
    if more > 7 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut value = u64::from(first);
    if is_size {
        value &= (1u64 << (7 - more)) - 1;
    }
    for _ in 0..more {
        let [byte] = read::<1>(file)?;
        value = (value << 8) | u64::from(byte);
    }
    Ok((value, u64::from(more) + 1))
}

fn read<const N: usize>(file: &mut File) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(format: AnimationFormat, bytes: &[u8]) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("video");
        std::fs::write(&path, bytes).unwrap();
        holds_frames(format, &path).map_err(|error| error.to_string())
    }

    fn mp4(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let size = (content.len() as u32 + 8).to_be_bytes();
        [&size[..], kind, content].concat()
    }

    #[test]
    fn a_video_without_frames_is_none() {
        let table = |count: u32| {
            let sizes = mp4(b"stsz", &[&[0; 8][..], &count.to_be_bytes()].concat());
            let inner = WAY.iter().rev().fold(sizes, |inner, kind| mp4(kind, &inner));
            [mp4(b"ftyp", b"isom"), mp4(b"mdat", b"xxxx"), inner].concat()
        };
        assert_eq!(judged(AnimationFormat::Mp4, &table(3)), Ok(()));
        let matroska = |blocks: &[u8]| {
            let cluster = [&[0x1f, 0x43, 0xb6, 0x75, 0x80 | blocks.len() as u8][..], blocks].concat();
            let segment = [&[0x18, 0x53, 0x80, 0x67, 0x80 | cluster.len() as u8][..], &cluster].concat();
            [&[0x1a, 0x45, 0xdf, 0xa3, 0x81, 0][..], &segment].concat()
        };
        let block = [0xe7, 0x81, 0, 0xa3, 0x82, 1, 2];
        for format in [AnimationFormat::Mkv, AnimationFormat::Webm] {
            assert_eq!(judged(format, &matroska(&block)), Ok(()));
            for cut in 0..matroska(&block).len() - 4 {
                assert!(judged(format, &matroska(&block)[..cut]).is_err(), "{cut}");
            }
            assert!(judged(format, &matroska(&[])).unwrap_err().ends_with("no frames"));
            assert!(judged(format, b"no video at all").is_err());
        }
        let whole = table(1);
        for bytes in [&table(0)[..], &whole[..20], &whole[8..], &mp4(b"ftyp", b"isom"), b"no video at all"] {
            assert!(judged(AnimationFormat::Mp4, bytes).is_err(), "{bytes:?}");
        }
        assert!(judged(AnimationFormat::Mp4, &[]).unwrap_err().ends_with("has written nothing"));
    }
}
