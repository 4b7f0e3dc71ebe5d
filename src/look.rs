//! The look of a picture, whatever it shows: quality, samples and background. It must not know how any of it is
//! drawn.

use std::fmt;
use std::str::FromStr;

use sinew_model::srgb;

/// The look of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Look {
    /// How much light to compute.
    pub quality: Quality,
    /// Samples per pixel; `None` is the default of the quality.
    pub samples: Option<Samples>,
    /// The background.
    pub background: Background,
    /// Whether views of data leave out the soft light that shows the form.
    pub flat: bool,
    /// By how many stops surfaces are brighter, before their light is fitted to what a screen shows.
    pub exposure: f64,
}

/// The most stops up or down.
pub const MOST_STOPS: f64 = 10.0;

impl Look {
    /// What the exposure multiplies light with.
    pub fn brightness(&self) -> f64 {
        self.exposure.clamp(-MOST_STOPS, MOST_STOPS).exp2()
    }

    /// The number of samples per pixel.
    pub fn samples(&self) -> Samples {
        self.samples.unwrap_or(match self.quality {
            Quality::Full => Samples::Four,
            Quality::Draft | Quality::Plain => Samples::One,
        })
    }
}

/// The size of a window's pixel in a picture of this size: what has to be seen is as many of these wide.
pub fn unit(size: [u32; 2]) -> f32 {
    (size[0].min(size[1]).max(1) as f32 / 720.0).max(0.5)
}

/// How much light to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quality {
    /// All of it: shadows, a ground, and the file's lights.
    #[default]
    Full,
    /// One light and what is mirrored of the studio; no shadows, no ground.
    Draft,
    /// The least that still shows form and textures: matt surfaces under one light and the sky.
    Plain,
}

impl Quality {
    /// All of them, the best first.
    pub const ALL: [Self; 3] = [Self::Full, Self::Draft, Self::Plain];

    /// The next one in turn.
    pub fn next(self) -> Self {
        match self {
            Self::Full => Self::Draft,
            Self::Draft => Self::Plain,
            Self::Plain => Self::Full,
        }
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Draft => "draft",
            Self::Plain => "plain",
        }
    }
}

/// The number of samples per pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Samples {
    /// One: edges are jagged.
    One,
    /// Four: edges are smooth.
    Four,
}

/// The background of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// A colour, as the bytes of the picture.
    Color([u8; 3]),
    /// Nothing: the picture's alpha is 0 there.
    Transparent,
}

impl Default for Background {
    /// A light grey.
    fn default() -> Self {
        Self::Color([218, 220, 223])
    }
}

/// Text that names no background.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a colour such as '#dadcdf', or 'transparent'")]
pub struct NoBackground;

impl FromStr for Background {
    type Err = NoBackground;

    fn from_str(text: &str) -> Result<Self, NoBackground> {
        if text == "transparent" {
            return Ok(Self::Transparent);
        }
        srgb::from_hex(text).map(Self::Color).ok_or(NoBackground)
    }
}

impl fmt::Display for Background {
    /// Writes what [`Background::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transparent => f.write_str("transparent"),
            Self::Color([r, g, b]) => write!(f, "#{r:02x}{g:02x}{b:02x}"),
        }
    }
}

impl Background {
    /// The clear colour: linear, with alpha.
    pub fn linear(&self) -> [f32; 4] {
        match self {
            Self::Transparent => [0.0; 4],
            Self::Color(bytes) => {
                let [r, g, b] = bytes.map(|byte| srgb::to_linear(f64::from(byte) / 255.0) as f32);
                [r, g, b, 1.0]
            }
        }
    }

    /// The clear colour of a picture without light: its bytes, as shares of 255.
    pub fn encoded(&self) -> [f32; 4] {
        match self {
            Self::Transparent => [0.0; 4],
            Self::Color(bytes) => {
                let [r, g, b] = bytes.map(|byte| f32::from(byte) / 255.0);
                [r, g, b, 1.0]
            }
        }
    }

    /// Whether light letters are easier to read on it than dark ones; a transparent background is meant for
    /// paper.
    pub fn is_dark(&self) -> bool {
        let [r, g, b, alpha] = self.linear();
        // The luminance of equal contrast to black and to white (WCAG 2.1).
        alpha > 0.0 && 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.179
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_is_what_light_letters_are_read_on() {
        for (color, dark) in
            [([0; 3], true), ([117; 3], true), ([118; 3], false), ([0xda, 0xdc, 0xdf], false)]
        {
            assert_eq!(Background::Color(color).is_dark(), dark, "{color:?}");
        }
        assert!(!Background::Transparent.is_dark());
    }

    #[test]
    fn backgrounds_are_read_and_printed() {
        assert_eq!("#dadcdf".parse(), Ok(Background::default()));
        assert_eq!("#Fa0".parse(), Ok(Background::Color([255, 170, 0])));
        assert_eq!("transparent".parse(), Ok(Background::Transparent));
        for wrong in ["", "#", "#12345", "#1234567", "dadcdf", "#ggg", "#äöü", "Transparent", "#+12345"] {
            assert_eq!(wrong.parse::<Background>(), Err(NoBackground), "{wrong}");
        }
        for background in [Background::Transparent, Background::Color([0, 9, 254])] {
            assert_eq!(background.to_string().parse(), Ok(background));
        }
    }

    #[test]
    fn every_byte_comes_back_from_light() {
        for byte in 0..=255u8 {
            let [light, ..] = Background::Color([byte; 3]).linear();
            assert_eq!((srgb::from_linear(f64::from(light)) * 255.0).round(), f64::from(byte));
        }
        assert_eq!(Background::Color([0; 3]).linear(), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(Background::Color([255; 3]).linear(), [1.0; 4]);
    }

    #[test]
    fn samples_follow_the_quality_unless_they_are_given() {
        let draft = Look { quality: Quality::Draft, ..Look::default() };
        assert_eq!(Look::default().samples(), Samples::Four);
        assert_eq!(draft.samples(), Samples::One);
        assert_eq!(Look { samples: Some(Samples::Four), ..draft }.samples(), Samples::Four);
    }
}
