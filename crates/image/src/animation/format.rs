//! The formats of animations and their limits.

/// The format of an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationFormat {
    /// Full colour; programs that read only PNG show the first frame.
    Apng,
    /// 256 colours per frame.
    Gif,
    /// Full colour.
    Webp,
    /// A video.
    Video(VideoFormat),
    /// Uncompressed frames, for other programs.
    Y4m,
}

/// The format of a video, which ffmpeg encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoFormat {
    /// H.264 in an MP4 file.
    Mp4,
    /// H.264 in a Matroska file.
    Mkv,
    /// VP9 in a WebM file.
    Webm,
}

impl VideoFormat {
    /// Returns the file extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Mkv => "mkv",
            Self::Webm => "webm",
        }
    }
}

/// The lowest frame rate: delays have 16 bits.
pub const MIN_PER_SECOND: f64 = 0.1;

impl AnimationFormat {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::Apng,
        Self::Gif,
        Self::Webp,
        Self::Video(VideoFormat::Mp4),
        Self::Video(VideoFormat::Mkv),
        Self::Video(VideoFormat::Webm),
        Self::Y4m,
    ];

    /// Returns the file extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Apng => "apng",
            Self::Gif => "gif",
            Self::Webp => "webp",
            Self::Video(video) => video.extension(),
            Self::Y4m => "y4m",
        }
    }

    /// Returns the longest side in pixels.
    pub const fn longest_side(self) -> u32 {
        match self {
            Self::Apng | Self::Y4m => u32::MAX >> 1,
            Self::Gif => u16::MAX as u32,
            // The lossless bitstream has 14 bits for each side.
            Self::Webp | Self::Video(_) => 1 << 14,
        }
    }

    /// Returns the highest frame rate. Browsers slow down GIFs with delays below 1/50 s.
    pub const fn most_per_second(self) -> f64 {
        match self {
            Self::Gif => 50.0,
            Self::Apng | Self::Webp | Self::Video(_) | Self::Y4m => 1000.0,
        }
    }

    /// Returns true if pixels can be transparent.
    pub const fn has_alpha(self) -> bool {
        matches!(self, Self::Apng | Self::Gif | Self::Webp)
    }

    /// Returns true if sides must be even: H.264 stores colours for squares of four pixels.
    pub const fn is_even(self) -> bool {
        matches!(self, Self::Video(VideoFormat::Mp4 | VideoFormat::Mkv))
    }
}
