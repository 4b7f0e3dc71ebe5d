//! Flags for the output: file names, and the number of pictures.

use std::path::{Path, PathBuf};

use crate::image::AnimationFormat;
use clap::Args;

/// The maximum number of pictures in a sequence.
pub const MAX_PICTURES: u32 = 100_000;

/// The default number of pictures in a turntable.
const TURN: &str = "48";

/// The files and the number of pictures.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Write the picture to this PNG or JPEG; - is standard output, as PNG
    ///
    /// A name with {frame}, such as walk-{frame}.png or walk-{frame:06}.jpg, writes one file per frame. .apng, .gif and
    /// .webp are animations. .mp4, .mkv and .webm are videos, which need ffmpeg. .y4m is raw video, and so is - for
    /// several frames. All show the clip from --time to its end, at 25 frames per second; --frames, --fps and
    /// --turntable change that. 'sinew show OUT.png' prints how a picture was made. sinew refuses other extensions, and
    /// never overwrites a file that it reads.
    #[arg(long, short, value_name = "OUT.png")]
    pub screenshot: Option<PathBuf>,

    /// Lossy quality of .jpg and .webp, from 1 (smallest) to 100
    ///
    /// A .jpg is always lossy, by default at 90. A .webp is lossless without this flag. Other formats refuse it: .png and
    /// .apng are lossless, a .gif has 256 colours, and videos have fixed settings.
    #[arg(long, hide_short_help = true, value_name = "QUALITY", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub lossy: Option<u8>,

    /// Number of frames, spread evenly from --time to the clip's end
    ///
    /// The end itself is omitted, because a loop starts with it again.
    #[arg(long, hide_short_help = true, value_name = "N", conflicts_with = "turntable", value_parser = clap::value_parser!(u32).range(1..=MAX_PICTURES.into()))]
    pub frames: Option<u32>,

    /// Frames per second of the clip and of playback [default: 25; for a turntable 12.5, for steps 1]
    #[arg(long, hide_short_help = true, value_name = "F", value_parser = per_second)]
    pub fps: Option<f64>,

    /// Orbit the model in N frames, at one time of the clip [without a number: 48]
    #[arg(long, hide_short_help = true, value_name = "N", num_args = 0..=1, default_missing_value = TURN, value_parser = clap::value_parser!(u32).range(1..=MAX_PICTURES.into()))]
    pub turntable: Option<u32>,

    /// Show the panes of --split one after the other, each as a frame
    ///
    /// For example, --split pose=bind --split mode=rigid --split mode=lbs --steps --screenshot steps.gif.
    #[arg(long, hide_short_help = true, conflicts_with_all = ["frames", "turntable"])]
    pub steps: bool,
}

impl OutputArgs {
    /// Returns true if a flag asks for more than one picture.
    pub fn asks_for_sequence(&self) -> bool {
        self.frames.is_some() || self.fps.is_some() || self.turntable.is_some() || self.steps
    }
}

/// Parses a number of frames per second.
pub fn per_second(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(per_second) if per_second > 0.0 && per_second <= 10_000.0 => Ok(per_second),
        _ => Err("expected frames per second, above 0 and at most 10000, such as 25".to_owned()),
    }
}

/// Parses the name of a PNG. Other names are refused, so that no model is overwritten by mistake.
pub fn png(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match is_png(&path) {
        true => Ok(path),
        false => Err("expected a file that ends in .png".to_owned()),
    }
}

fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

/// Returns true if a name is that of a JPEG.
pub fn is_jpeg(path: &Path) -> bool {
    let is_either =
        |found: &std::ffi::OsStr| ["jpg", "jpeg"].iter().any(|name| found.eq_ignore_ascii_case(name));
    path.extension().is_some_and(is_either)
}

/// Returns true if a name stands for standard output, a device or a pipe, which no write can overwrite.
pub fn is_stream(path: &Path) -> bool {
    let is_special = |found: std::fs::Metadata| !found.is_file() && !found.is_dir();
    // The shell may have opened a file for these; then it has chosen the name.
    let is_open =
        ["-", "/dev/stdout"].iter().any(|name| path == Path::new(name)) || path.starts_with("/dev/fd");
    is_open || path.metadata().is_ok_and(is_special)
}

/// The output that a file name means.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// One PNG or JPEG.
    Still(PathBuf),
    /// One PNG or JPEG per picture.
    Numbered(Numbered),
    /// One animation file.
    Animation(PathBuf, AnimationFormat),
}

/// A file name that contains the number of the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    before: String,
    /// The number of digits, if the name gives it.
    digits: Option<usize>,
    after: String,
}

impl Numbered {
    /// The file name of picture `number`, counted from 0, out of `of`.
    pub fn path(&self, number: u32, of: u32) -> PathBuf {
        let Self { before, after, digits } = self;
        let digits = digits.unwrap_or_else(|| of.saturating_sub(1).to_string().len().max(4));
        PathBuf::from(format!("{before}{number:0digits$}{after}"))
    }

    /// The name of a file that all numbers share: this name without the number and its separators, or `otherwise` if
    /// nothing is left.
    pub fn without_number(&self, otherwise: &str) -> PathBuf {
        let before = self.before.trim_end_matches(['-', '_', '.', ' ']);
        let path = PathBuf::from(format!("{before}{}", self.after));
        let is_bare = before.is_empty() || before.ends_with(std::path::is_separator);
        match path.extension() {
            Some(_) => path,
            None if is_bare => PathBuf::from(format!("{before}{otherwise}{}", self.after)),
            None => path,
        }
    }
}

/// Known extensions that sinew cannot write.
const OTHERS: [&str; 9] = ["bmp", "tif", "tiff", "tga", "exr", "avif", "mov", "avi", "svg"];

/// The extensions that sinew can write.
const KNOWN: &str = ".png, .jpg, .apng, .gif, .webp, .mp4, .mkv, .webm or .y4m";

/// Parses the name of a picture or an animation. Other names are refused, so that no model is overwritten by mistake;
/// the error is a sentence for the user.
pub fn output(path: &Path) -> Result<Output, String> {
    let extension =
        path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_lowercase();
    if OTHERS.contains(&extension.as_str()) {
        return Err(format!("sinew cannot write .{extension}; use {KNOWN}"));
    }
    let animation = AnimationFormat::ALL.into_iter().find(|format| format.extension() == extension);
    let numbered = path.to_str().map_or(Ok(None), numbered)?;
    match (animation, numbered) {
        (Some(_), Some(_)) => {
            Err(format!("{{frame}} writes one file per frame, but .{extension} holds all frames in one"))
        }
        (Some(format), None) => Ok(Output::Animation(path.to_owned(), format)),
        (None, Some(numbered)) if is_png(path) || is_jpeg(path) => Ok(Output::Numbered(numbered)),
        (None, Some(_)) => Err("expected a name that ends in .png or .jpg".to_owned()),
        (None, None) if is_png(path) || is_jpeg(path) || is_stream(path) => {
            Ok(Output::Still(path.to_owned()))
        }
        (None, None) => Err(format!("expected a file that ends in {KNOWN}")),
    }
}

/// Parses a name that may contain `{frame}`; the error is a sentence for the user.
pub fn numbered(name: &str) -> Result<Option<Numbered>, String> {
    let Some((before, rest)) = name.split_once("{frame") else { return Ok(None) };
    let wrong = || "expected {frame} once in the name, or {frame:04} for four digits (1 to 9)".to_owned();
    let (width, after) = rest.split_once('}').ok_or_else(wrong)?;
    let digits = match width.strip_prefix(':') {
        Some(digits) => {
            Some(digits.parse().ok().filter(|digits| (1..=9).contains(digits)).ok_or_else(wrong)?)
        }
        None if width.is_empty() => None,
        None => return Err(wrong()),
    };
    match after.contains("{frame") {
        true => Err(wrong()),
        false => Ok(Some(Numbered { before: before.to_owned(), digits, after: after.to_owned() })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::VideoFormat;

    #[test]
    fn names_say_what_is_written() {
        let still =
            |name: &str| assert_eq!(output(Path::new(name)), Ok(Output::Still(name.into())), "{name}");
        ["a.png", "-", "a.PNG", "a.jpg", "a.JPEG", "frame.png", "{fram}.png"].into_iter().for_each(still);
        if cfg!(unix) {
            ["/dev/null", "/dev/stdout", "/dev/fd/9"].into_iter().for_each(still);
        }
        for (name, format) in [
            ("a.gif", AnimationFormat::Gif),
            ("b.APNG", AnimationFormat::Apng),
            ("c.webp", AnimationFormat::Webp),
            ("d.mp4", AnimationFormat::Video(VideoFormat::Mp4)),
            ("e.mkv", AnimationFormat::Video(VideoFormat::Mkv)),
            ("f.webm", AnimationFormat::Video(VideoFormat::Webm)),
            ("g.Y4M", AnimationFormat::Y4m),
        ] {
            assert_eq!(output(Path::new(name)), Ok(Output::Animation(name.into(), format)));
        }
        for (name, of, expected) in [
            ("a-{frame}.png", 12, "a-0007.png"),
            ("a-{frame}.png", 100_000, "a-00007.png"),
            ("{frame:1}.png", 12, "7.png"),
            ("d/{frame:06}.png", 12, "d/000007.png"),
        ] {
            let Ok(Output::Numbered(numbered)) = output(Path::new(name)) else { panic!("{name}") };
            assert_eq!(numbered.path(7, of), Path::new(expected), "{name}");
        }
        for wrong in [
            "{frame.png",
            "{frame:}.png",
            "{frame:0}.png",
            "{frame:10}.png",
            "{frames}.png",
            "{frame}{frame}.png",
            "{frame}.gif",
            "{frame}",
            "{frame}.glb",
            "a.mov",
            "a.glb",
            "a.png.gltf",
            "png",
            ".png",
            "",
            "a/",
            "/",
        ] {
            assert!(output(Path::new(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_a_sequence_shares_has_no_number() {
        for (name, expected) in [
            ("walk-{frame}.obj", "walk.obj"),
            ("out/walk_{frame:06}.obj", "out/walk.obj"),
            ("{frame}.obj", "all.obj"),
            ("out/{frame}.obj", "out/all.obj"),
            ("{frame}-x.obj", "-x.obj"),
        ] {
            let found = numbered(name).unwrap().unwrap().without_number("all");
            assert_eq!(found, Path::new(expected), "{name}");
        }
    }

    #[test]
    fn rates_are_numbers_above_zero() {
        assert_eq!(per_second("29.97"), Ok(29.97));
        for wrong in ["0", "-1", "NaN", "inf", "", "25fps", "1e9"] {
            assert!(per_second(wrong).is_err(), "{wrong}");
        }
    }
}
