//! Judges whether a picture matches its golden.

use std::fmt;

use super::{Drawn, Limits};
use sinew_image::{Difference, Image, SizeDiffers, TILE};
use sinew_scene::scene::Skinned;
use sinew_text::check::{self, Severity};

/// The figures of a difference between two pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The number of pixels that differ at all.
    pub pixels: usize,
    /// The number of pixels in the picture.
    pub of_pixels: usize,
    /// The largest difference in a channel, of 255.
    pub worst_channel: u8,
    /// The mean FLIP difference.
    pub flip_mean: f64,
    /// The mean FLIP difference of the worst tile.
    pub flip_tile: f64,
    /// The top left pixel of that tile.
    pub tile: [u32; 2],
}

impl From<&Difference> for Figures {
    fn from(difference: &Difference) -> Self {
        Self {
            pixels: difference.pixels,
            of_pixels: difference.of_pixels,
            worst_channel: difference.worst_channel,
            flip_mean: difference.flip_mean,
            flip_tile: difference.flip_tile,
            tile: difference.tile,
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pixels, of_pixels, worst_channel, flip_mean, flip_tile, tile: [left, top] } = self;
        write!(
            f,
            "{pixels} of {of_pixels} pixels differ, by {worst_channel} at most; \
             FLIP {flip_mean:.4}, {flip_tile:.4} in the worst {TILE}x{TILE}, at {left},{top}"
        )
    }
}

/// The verdict on one case.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Equal to the last bit.
    Same,
    /// Within the limits.
    Within(Figures),
    /// Beyond the limits.
    Differs(Figures),
    /// The sizes differ.
    Resized(SizeDiffers),
    /// The golden does not exist.
    Missing,
    /// The golden cannot be read.
    Unreadable(String),
    /// The golden shows nothing and so proves nothing.
    Hollow(&'static str),
    /// The picture shows nothing.
    Empty(&'static str),
    /// The picture could not be drawn.
    NotDrawn(String),
}

impl Verdict {
    /// The names of the verdicts that fail a case.
    pub const FAULTS: [&str; 7] =
        ["differs", "resized", "missing", "unreadable", "hollow", "empty", "not-drawn"];

    /// Returns true if the case passes.
    pub fn is_pass(&self) -> bool {
        matches!(self, Self::Same | Self::Within(_))
    }

    /// Returns the verdict in one word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Within(_) => "within",
            Self::Differs(_) => "differs",
            Self::Resized(_) => "resized",
            Self::Missing => "missing",
            Self::Unreadable(_) => "unreadable",
            Self::Hollow(_) => "hollow",
            Self::Empty(_) => "empty",
            Self::NotDrawn(_) => "not-drawn",
        }
    }

    /// Returns the figures, if two pictures differ.
    pub fn figures(&self) -> Option<&Figures> {
        match self {
            Self::Within(figures) | Self::Differs(figures) => Some(figures),
            _ => None,
        }
    }

    /// Describes the verdict in a sentence; empty if the name is enough.
    pub fn detail(&self) -> String {
        match self {
            Self::Same => String::new(),
            Self::Within(figures) | Self::Differs(figures) => figures.to_string(),
            Self::Resized(SizeDiffers { expected, actual }) => {
                format!(
                    "{}x{} pixels, but the golden has {}x{}",
                    actual[0], actual[1], expected[0], expected[1]
                )
            }
            Self::Missing => "there is no golden".to_owned(),
            Self::Unreadable(cause) => format!("the golden cannot be read: {cause}"),
            Self::Hollow(cause) | Self::Empty(cause) => (*cause).to_owned(),
            Self::NotDrawn(cause) => cause.clone(),
        }
    }
}

/// A case with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The name of the case.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The limits on this driver.
    pub limits: Limits,
    /// The command line that draws the case.
    pub command: String,
    /// The processors that skinned it.
    pub skinned: Skinned,
    /// A description of the change, if the golden was replaced.
    pub blessed: Option<String>,
}

impl From<&Outcome> for check::Case {
    fn from(outcome: &Outcome) -> Self {
        let severity = match &outcome.verdict {
            _ if outcome.is_pass() => Severity::Fine,
            Verdict::NotDrawn(_) => Severity::Broken,
            _ => Severity::Error,
        };
        let Outcome { name, verdict, command, .. } = outcome;
        Self::new(name, severity, verdict.name(), outcome.detail()).shown_by(command)
    }
}

impl Outcome {
    /// Returns true if the case passed, or its picture was accepted.
    pub fn is_pass(&self) -> bool {
        self.verdict.is_pass() || self.blessed.is_some()
    }

    /// Describes the verdict or the change, and the processors that skinned.
    pub fn detail(&self) -> String {
        let detail = self.blessed.clone().unwrap_or_else(|| self.verdict.detail());
        let parts = [detail, self.skinned.to_string()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

/// Compares a picture with its golden: `Ok(None)` if there is none, `Err` if it cannot be read. Also returns the difference
/// if there are two pictures of one size.
pub fn judge(
    golden: &Result<Option<Image>, String>,
    drawn: &Drawn,
    limits: &Limits,
) -> (Verdict, Option<Difference>) {
    if let Some(cause) = emptiness(&drawn.image, drawn, false) {
        return (Verdict::Empty(cause), None);
    }
    let golden = match golden {
        Ok(Some(golden)) => golden,
        Ok(None) => return (Verdict::Missing, None),
        Err(cause) => return (Verdict::Unreadable(cause.clone()), None),
    };
    if let Some(cause) = emptiness(golden, drawn, true) {
        return (Verdict::Hollow(cause), None);
    }
    match Difference::between(golden, &drawn.image) {
        Err(error) => (Verdict::Resized(error), None),
        Ok(difference) => {
            let figures = Figures::from(&difference);
            let verdict = match (difference.pixels, limits.allow(&difference)) {
                (0, _) => Verdict::Same,
                (_, true) => Verdict::Within(figures),
                (_, false) => Verdict::Differs(figures),
            };
            (verdict, Some(difference))
        }
    }
}

/// Returns the reason why a picture shows nothing, if it does not.
fn emptiness(image: &Image, drawn: &Drawn, is_golden: bool) -> Option<&'static str> {
    let is_blank = drawn.blank.as_ref().is_some_and(|blank| blank == image);
    match (is_constant(image), is_blank, is_golden) {
        (true, _, false) => Some("all pixels are the same, which proves nothing"),
        (true, _, true) => Some("all pixels of the golden are the same, which proves nothing"),
        (_, true, false) => Some("it shows only the background, which proves nothing"),
        (_, true, true) => Some("the golden shows only the background, which proves nothing"),
        (false, false, _) => None,
    }
}

/// Returns true if all pixels are equal, or there are none.
fn is_constant(image: &Image) -> bool {
    let mut pixels = image.rgba.chunks_exact(4);
    let first = pixels.next();
    pixels.all(|pixel| Some(pixel) == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, pixels: &[u8]) -> Image {
        let rgba: Vec<u8> = pixels.iter().flat_map(|&gray| [gray, gray, gray, 255]).collect();
        Image { width, height: pixels.len() as u32 / width, rgba }
    }

    #[test]
    fn each_verdict_is_given() {
        let picture = image(2, &[1, 2, 3, 4]);
        let blank = image(2, &[7, 7, 8, 8]);
        let drawn = |image: &Image| Drawn {
            image: image.clone(),
            blank: Some(blank.clone()),
            skinned: Skinned::default(),
        };
        let name = |golden: Result<Option<Image>, String>, picture: &Image, limits: Limits| {
            judge(&golden, &drawn(picture), &limits).0.name()
        };
        let exact = Limits::default();
        let loose = Limits { pixels: Some((1, 0)), flip: None };
        let off = image(2, &[1, 2, 3, 5]);
        assert_eq!(name(Ok(Some(picture.clone())), &picture, exact), "same");
        assert_eq!(name(Ok(Some(off.clone())), &picture, exact), "differs");
        assert_eq!(name(Ok(Some(off)), &picture, loose), "within");
        assert_eq!(name(Ok(None), &picture, exact), "missing");
        assert_eq!(name(Err("no PNG".into()), &picture, exact), "unreadable");
        // The same pixels in rows of another length.
        assert_eq!(name(Ok(Some(image(1, &[1, 2, 3, 4]))), &picture, loose), "resized");
        // Pictures of one colour and of the background alone: as the picture, as the golden and as both.
        let plain = image(2, &[9; 4]);
        for empty in [&plain, &blank] {
            assert_eq!(name(Ok(Some(empty.clone())), empty, loose), "empty");
            assert_eq!(name(Ok(Some(empty.clone())), &picture, loose), "hollow");
            assert_eq!(name(Ok(Some(picture.clone())), empty, loose), "empty");
            assert_eq!(name(Ok(None), empty, loose), "empty");
        }
    }

    #[test]
    fn what_fails_has_its_kind() {
        let picture = image(2, &[1, 2, 3, 4]);
        let (figures, sizes) = match Difference::between(&picture, &image(1, &[1, 2])) {
            Ok(_) => panic!("the sizes differ"),
            Err(sizes) => (Figures::from(&Difference::between(&picture, &picture).unwrap()), sizes),
        };
        let verdicts = [
            Verdict::Same,
            Verdict::Within(figures),
            Verdict::Differs(figures),
            Verdict::Resized(sizes),
            Verdict::Missing,
            Verdict::Unreadable(String::new()),
            Verdict::Hollow(""),
            Verdict::Empty(""),
            Verdict::NotDrawn(String::new()),
        ];
        for verdict in verdicts {
            let (limits, is_pass) = (Limits::default(), verdict.is_pass());
            let mut outcome = Outcome {
                name: String::new(),
                verdict,
                limits,
                command: String::new(),
                skinned: Skinned::default(),
                blessed: None,
            };
            let case = check::Case::from(&outcome);
            assert_eq!(is_pass, case.severity == Severity::Fine, "{case:?}");
            assert_eq!(is_pass, !Verdict::FAULTS.contains(&case.kind), "{case:?}");
            outcome.blessed = Some(String::new());
            assert_eq!(check::Case::from(&outcome).severity, Severity::Fine);
        }
    }

    #[test]
    fn a_figure_line_says_where() {
        let (verdict, difference) = judge(
            &Ok(Some(image(2, &[1, 2, 3, 4]))),
            &Drawn { image: image(2, &[1, 2, 3, 9]), blank: None, skinned: Skinned::default() },
            &Limits::default(),
        );
        assert!(verdict.detail().starts_with("1 of 4 pixels differ, by 5 at most; FLIP 0."), "{verdict:?}");
        assert_eq!(difference.map(|difference| difference.pixels), Some(1));
    }
}
