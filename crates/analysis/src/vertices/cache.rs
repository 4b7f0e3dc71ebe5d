//! Reads one frame of a point cache.

use super::bytes::{Bytes, Kind, rows};
use super::{Given, Options, Part, ReadError, Stored};

/// Reads PointCache2.
pub fn pc2(bytes: &[u8], options: &Options) -> Result<Given, ReadError> {
    let header = pc2_header(bytes).ok_or_else(|| ReadError::cut("header", Some(32), bytes.len()))?;
    let Pc2Header { magic, version, points, frames, data, .. } = header;
    if magic != b"POINTCACHE2\0" {
        return Err(ReadError::broken(
            "header",
            "a .pc2 file begins with POINTCACHE2, and this one does not",
        ));
    }
    if version != 1 {
        return Err(ReadError::broken("header", format!("version {version}; only version 1 exists")));
    }
    frame(data, points, frames, false, options)
}

struct Pc2Header<'a> {
    magic: &'a [u8],
    version: usize,
    points: usize,
    /// The frames per sample.
    step: f32,
    frames: usize,
    data: &'a [u8],
}

fn pc2_header(bytes: &[u8]) -> Option<Pc2Header<'_>> {
    let mut rest = Bytes(bytes);
    let (magic, version, points) = (rest.take(12)?, rest.size()?, rest.size()?);
    // The number of the first frame.
    rest.take(4)?;
    let step = f32::from_bits(rest.u32()?);
    let frames = rest.size()?;
    Some(Pc2Header { magic, version, points, step, frames, data: rest.0 })
}

/// Returns the frames per sample of PointCache2, 1 if the file's number makes no sense.
pub fn pc2_step(bytes: &[u8]) -> f64 {
    let step = pc2_header(bytes).map_or(1.0, |header| f64::from(header.step));
    if step.is_finite() && step > 0.0 { step } else { 1.0 }
}

/// Reads Motion Designer Data.
pub fn mdd(bytes: &[u8], options: &Options) -> Result<Given, ReadError> {
    let header = mdd_header(bytes).ok_or_else(|| ReadError::cut("header", None, bytes.len()))?;
    frame(header.data, header.points, header.frames, true, options)
}

struct MddHeader<'a> {
    frames: usize,
    points: usize,
    times: &'a [u8],
    data: &'a [u8],
}

fn mdd_header(bytes: &[u8]) -> Option<MddHeader<'_>> {
    let mut rest = Bytes(bytes);
    let (frames, points) = (rest.big_size()?, rest.big_size()?);
    let times = rest.take(frames.checked_mul(4)?)?;
    Some(MddHeader { frames, points, times, data: rest.0 })
}

/// Returns the seconds of the frames of Motion Designer Data from the first one, if they increase.
pub fn mdd_seconds(bytes: &[u8]) -> Option<Vec<f64>> {
    let times = rows::<1>(Kind::F32, true, mdd_header(bytes)?.times);
    let first = times.first().map_or(0.0, |[first]| *first);
    let seconds: Vec<f64> = times.iter().map(|[time]| time - first).collect();
    let increase = seconds.is_sorted_by(|a, b| a < b) && seconds.iter().all(|time| time.is_finite());
    increase.then_some(seconds)
}

/// Returns true for Motion Designer Data, which has no magic number: its counts explain its length, and its times never go
/// back.
pub fn is_mdd(bytes: &[u8]) -> bool {
    let Some(MddHeader { frames, points, times, data }) = mdd_header(bytes) else { return false };
    let times = rows::<1>(Kind::F32, true, times);
    let are_times = times.iter().all(|[time]| time.is_finite()) && times.is_sorted();
    let size = points.checked_mul(12).and_then(|size| size.checked_mul(frames));
    frames > 0 && points > 0 && size == Some(data.len()) && are_times
}

fn frame(
    data: &[u8],
    points: usize,
    frames: usize,
    is_big: bool,
    options: &Options,
) -> Result<Given, ReadError> {
    let size = points.checked_mul(12);
    if size.and_then(|size| size.checked_mul(frames)) != Some(data.len()) {
        let found = data.len();
        let message = format!(
            "{frames} frames of {points} vertices need 12 bytes each, but {found} bytes follow the header"
        );
        return Err(ReadError::broken("", message));
    }
    let frame = options.frame_of(frames)?;
    let start = size.unwrap_or_default().saturating_mul(frame);
    let data = data.get(start..).and_then(|rest| rest.get(..size?)).unwrap_or_default();
    let part = Part { positions: rows(Kind::F32, is_big, data), ..Part::default() };
    Ok(Given { parts: vec![part], stored: Stored::F32 })
}
