//! Writes point caches, which other programs apply to a mesh with the same vertices in the same order: the vertices of all
//! primitives, one primitive after the other, as `sinew export` writes them.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use sinew_skinning::posed::SkinnedPrimitive;

/// A format of point caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cache {
    /// PointCache2 of 3ds Max, Blender and Houdini: little-endian numbers, one sample per frame.
    Pc2,
    /// Motion Designer Data of LightWave, Blender, Maya and Houdini: big-endian numbers, with the time of each frame.
    Mdd,
}

impl Cache {
    /// Returns the format for a file name's extension.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_lowercase().as_str() {
            "pc2" => Some(Self::Pc2),
            "mdd" => Some(Self::Mdd),
            _ => None,
        }
    }

    /// Writes the header: the number of points, and the times of the frames.
    ///
    /// # Errors
    /// If the stream fails, or the format cannot count that many.
    pub fn begin(self, points: usize, times: &[f64], out: &mut dyn Write) -> io::Result<()> {
        let count = |count: usize| {
            i32::try_from(count).map_err(|_| io::Error::new(ErrorKind::InvalidInput, "too many to count"))
        };
        let (points, frames) = (count(points)?, count(times.len())?);
        match self {
            Self::Pc2 => {
                out.write_all(b"POINTCACHE2\0")?;
                out.write_all(&1i32.to_le_bytes())?;
                out.write_all(&points.to_le_bytes())?;
                // The first frame, and the number of frames per sample.
                out.write_all(&0f32.to_le_bytes())?;
                out.write_all(&1f32.to_le_bytes())?;
                out.write_all(&frames.to_le_bytes())
            }
            Self::Mdd => {
                out.write_all(&frames.to_be_bytes())?;
                out.write_all(&points.to_be_bytes())?;
                let first = times.first().copied().unwrap_or_default();
                times.iter().try_for_each(|time| out.write_all(&((time - first) as f32).to_be_bytes()))
            }
        }
    }

    /// Writes the next frame.
    pub fn frame(self, skinned: &[SkinnedPrimitive<f32>], out: &mut dyn Write) -> io::Result<()> {
        let mut numbers = skinned.iter().flat_map(|primitive| primitive.positions.as_flattened());
        match self {
            Self::Pc2 => numbers.try_for_each(|number| out.write_all(&number.to_le_bytes())),
            Self::Mdd => numbers.try_for_each(|number| out.write_all(&number.to_be_bytes())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(cache: Cache) -> Vec<u8> {
        let primitive = |positions: &[[f32; 3]]| SkinnedPrimitive {
            instance: 0,
            primitive: 0,
            positions: positions.to_vec(),
            normals: None,
            tangents: None,
        };
        let frame = [primitive(&[[1.0, 2.0, -0.5]]), primitive(&[[0.0, 0.0, 4.0]])];
        let mut out = Vec::new();
        cache.begin(2, &[0.5, 1.0], &mut out).unwrap();
        cache.frame(&frame, &mut out).unwrap();
        cache.frame(&frame[..1], &mut out).unwrap();
        out
    }

    #[test]
    fn pc2_is_little_endian_behind_32_bytes() {
        let expected: [&[u8]; 10] = [
            b"POINTCACHE2\0",
            &[1, 0, 0, 0, 2, 0, 0, 0],
            &[0, 0, 0, 0, 0, 0, 0x80, 0x3f],
            &[2, 0, 0, 0],
            &[0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0, 0xbf],
            &[0; 8],
            &[0, 0, 0x80, 0x40],
            &[0, 0, 0x80, 0x3f],
            &[0, 0, 0, 0x40],
            &[0, 0, 0, 0xbf],
        ];
        assert_eq!(bytes(Cache::Pc2), expected.concat());
    }

    #[test]
    fn mdd_is_big_endian_with_times_from_the_first_frame() {
        let expected: [&[u8]; 7] = [
            &[0, 0, 0, 2, 0, 0, 0, 2],
            &[0, 0, 0, 0, 0x3f, 0, 0, 0],
            &[0x3f, 0x80, 0, 0, 0x40, 0, 0, 0, 0xbf, 0, 0, 0],
            &[0; 8],
            &[0x40, 0x80, 0, 0],
            &[0x3f, 0x80, 0, 0, 0x40, 0, 0, 0],
            &[0xbf, 0, 0, 0],
        ];
        assert_eq!(bytes(Cache::Mdd), expected.concat());
    }

    #[test]
    fn names_say_which_and_counts_must_fit() {
        assert_eq!(Cache::of(Path::new("a/walk.PC2")), Some(Cache::Pc2));
        assert_eq!(Cache::of(Path::new("walk.mdd")), Some(Cache::Mdd));
        assert_eq!(Cache::of(Path::new("mdd")), None);
        let mut out = Vec::new();
        assert!(Cache::Pc2.begin(1 << 31, &[0.0], &mut out).is_err() && out.is_empty());
    }
}
