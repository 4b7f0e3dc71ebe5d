//! Reads back ffmpeg's output. A video replaces the old file only if it begins as its format requires, is complete, and
//! holds all frames.

#![allow(clippy::disallowed_methods, reason = "reads what this run has written")]

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::VideoFormat;
use crate::ImageError;

/// Checks that a file is a complete video of this many frames.
///
/// # Errors
/// If it is not a video, is truncated, or has a different number of frames.
pub fn holds_frames(format: VideoFormat, path: &Path, frames: u32) -> Result<(), ImageError> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let found = match format {
        VideoFormat::Mp4 => samples(&mut file, length),
        VideoFormat::Mkv | VideoFormat::Webm => blocks(&mut file, length),
    };
    // A file that ends within a header is incomplete.
    let found = found.or_else(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Ok(None),
        _ => Err(error),
    })?;
    let what = match found {
        Some(found) if found == u64::from(frames) => return Ok(()),
        _ if length == 0 => "nothing".to_owned(),
        None => "no whole video".to_owned(),
        Some(found) => format!("{found} of {frames} frames"),
    };
    Err(ImageError::write("video", format!("ffmpeg ended without an error, but has written {what}")))
}

/// The path of MP4 boxes to the sample table, and that table.
const WAY: [&[u8; 4]; 5] = [b"moov", b"trak", b"mdia", b"minf", b"stbl"];
const SAMPLE_SIZES: &[u8; 4] = b"stsz";

/// Returns the number of samples that an MP4 lists; `None` if it does not begin with its type, or a box ends beyond the
/// file.
fn samples(file: &mut File, length: u64) -> io::Result<Option<u64>> {
    let (mut at, mut has_type, mut found) = (0u64, false, 0);
    while at < length {
        file.seek(SeekFrom::Start(at))?;
        let [size, kind] = [read::<4>(file)?, read::<4>(file)?];
        let (size, header) = match u32::from_be_bytes(size) {
            0 => (length - at, 8),
            1 => (u64::from_be_bytes(read(file)?), 16),
            size => (u64::from(size), 8),
        };
        if !has_type && &kind != b"ftyp" || size < header {
            return Ok(None);
        }
        has_type = true;
        if at.saturating_add(size) > length {
            return Ok(None);
        }
        if WAY.contains(&&kind) {
            // Its child boxes follow.
            at = at.saturating_add(header);
            continue;
        }
        if &kind == SAMPLE_SIZES {
            // Version and flags, the common sample size, and the count.
            let [_, _, count] = [read::<4>(file)?, read::<4>(file)?, read::<4>(file)?];
            found = u64::from(u32::from_be_bytes(count));
        }
        at = at.saturating_add(size);
    }
    Ok(has_type.then_some(found))
}

/// Elements of Matroska, and so of WebM.
const HEAD: u64 = 0x1a45_dfa3;
const SEGMENT: u64 = 0x1853_8067;
const CLUSTER: u64 = 0x1f43_b675;
const SIMPLE_BLOCK: u64 = 0xa3;
const BLOCK_GROUP: u64 = 0xa0;

/// Returns the number of blocks of a Matroska file; `None` if it does not begin with its head, or an element ends beyond the
/// file.
fn blocks(file: &mut File, length: u64) -> io::Result<Option<u64>> {
    let (mut at, mut has_head, mut found) = (0u64, false, 0u64);
    while at < length {
        file.seek(SeekFrom::Start(at))?;
        let (id, id_bytes) = number(file, false)?;
        let (size, size_bytes) = number(file, true)?;
        let content = at.saturating_add(id_bytes).saturating_add(size_bytes);
        let end = content.saturating_add(size);
        match id {
            _ if (!has_head && id != HEAD) || end > length => return Ok(None),
            // Its children follow.
            SEGMENT | CLUSTER => at = content,
            _ => at = end,
        }
        found += u64::from(matches!(id, SIMPLE_BLOCK | BLOCK_GROUP) && size > 0);
        has_head = true;
    }
    Ok(has_head.then_some(found))
}

/// Reads a Matroska number. Its first byte marks the length, and identifiers keep that mark.
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

    fn judged(format: VideoFormat, bytes: &[u8]) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("video");
        std::fs::write(&path, bytes).unwrap();
        holds_frames(format, &path, 2).map_err(|error| error.to_string())
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
        assert_eq!(judged(VideoFormat::Mp4, &table(2)), Ok(()));
        assert!(judged(VideoFormat::Mp4, &table(3)).unwrap_err().ends_with("3 of 2 frames"));
        // A table at the front does not make up for truncated pictures.
        let behind = [&table(2)[..], &mp4(b"mdat", b"xxxx")].concat();
        assert_eq!(judged(VideoFormat::Mp4, &behind), Ok(()));
        assert!(judged(VideoFormat::Mp4, &behind[..behind.len() - 2]).is_err());
        let matroska = |blocks: &[u8]| {
            let cluster = [&[0x1f, 0x43, 0xb6, 0x75, 0x80 | blocks.len() as u8][..], blocks].concat();
            let segment = [&[0x18, 0x53, 0x80, 0x67, 0x80 | cluster.len() as u8][..], &cluster].concat();
            [&[0x1a, 0x45, 0xdf, 0xa3, 0x81, 0][..], &segment].concat()
        };
        let block = [0xe7, 0x81, 0, 0xa3, 0x82, 1, 2, 0xa3, 0x82, 1, 2];
        for format in [VideoFormat::Mkv, VideoFormat::Webm] {
            assert_eq!(judged(format, &matroska(&block)), Ok(()));
            for cut in 0..matroska(&block).len() {
                assert!(judged(format, &matroska(&block)[..cut]).is_err(), "{cut}");
            }
            assert!(judged(format, &matroska(&[])).unwrap_err().ends_with("0 of 2 frames"));
            assert!(judged(format, b"no video at all").is_err());
        }
        let whole = table(2);
        for bytes in [&table(0)[..], &whole[..20], &whole[8..], &mp4(b"ftyp", b"isom"), b"no video at all"] {
            assert!(judged(VideoFormat::Mp4, bytes).is_err(), "{bytes:?}");
        }
        assert!(judged(VideoFormat::Mp4, &[]).unwrap_err().ends_with("has written nothing"));
    }
}
