//! The look of a picture, independent of its subject: quality, samples and background. It must not depend on how any of
//! it is drawn.

use std::fmt;
use std::str::FromStr;

use sinew_model::srgb;

/// The look of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Look {
    /// The amount of lighting to compute.
    pub quality: Quality,
    /// Samples per pixel; `None` is the default of the quality.
    pub samples: Option<Samples>,
    /// The background.
    pub background: Background,
    /// True if data views omit the soft light that shows the form.
    pub flat: bool,
    /// Exposure in stops, applied before tone mapping.
    pub exposure: f64,
}

/// Largest exposure in stops, up or down.
pub const MAX_STOPS: f64 = 10.0;

impl Look {
    /// Returns the factor that the exposure applies to light.
    pub fn brightness(&self) -> f64 {
        self.exposure.clamp(-MAX_STOPS, MAX_STOPS).exp2()
    }

    /// Returns the number of samples per pixel.
    pub fn samples(&self) -> Samples {
        self.samples.unwrap_or(match self.quality {
            Quality::Full => Samples::Four,
            Quality::Draft | Quality::Plain => Samples::One,
        })
    }
}

/// Returns the scale of a picture of this size relative to a window, for strokes and text that must stay visible.
pub fn unit(size: [u32; 2]) -> f32 {
    (size[0].min(size[1]).max(1) as f32 / 720.0).max(0.5)
}

/// The amount of lighting to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quality {
    /// Full lighting: shadows, a ground, and the file's lights.
    #[default]
    Full,
    /// A single light and reflections of the studio; no shadows, no ground.
    Draft,
    /// The least that still shows form and textures: matt surfaces under one light and the sky.
    Plain,
}

impl Quality {
    /// Every quality, the best first.
    pub const ALL: [Self; 3] = [Self::Full, Self::Draft, Self::Plain];

    /// Returns the next quality in turn.
    pub fn next(self) -> Self {
        match self {
            Self::Full => Self::Draft,
            Self::Draft => Self::Plain,
            Self::Plain => Self::Full,
        }
    }

    /// Returns the name on the command line.
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
    /// Single sample: edges are jagged.
    One,
    /// Four samples: edges are smooth.
    Four,
}

/// The background of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// A studio: dark grey above and light grey below, opposite to the key light's gradient on a figure.
    /// [`Background::PAPER`] behind data views.
    #[default]
    Studio,
    /// A colour in sRGB bytes.
    Color([u8; 3]),
    /// No background: the picture's alpha is 0 there.
    Transparent,
}

/// The greys at the upper and lower edges of the studio. With these, at least half of a lit outline stands out from
/// the background by a contrast of 1.3 for any albedo (`cargo test --test drawing contrast`). Unlit surfaces have a
/// rim (`shaders/rim.frag`).
const STUDIO: [[u8; 3]; 2] = [[40, 42, 45], [200, 202, 205]];

/// Error for text that names no background.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a colour such as '#dadcdf', 'studio' or 'transparent'")]
pub struct NoBackground;

impl FromStr for Background {
    type Err = NoBackground;

    fn from_str(text: &str) -> Result<Self, NoBackground> {
        match text {
            "studio" => Ok(Self::Studio),
            "transparent" => Ok(Self::Transparent),
            _ => srgb::from_hex(text).map(Self::Color).ok_or(NoBackground),
        }
    }
}

impl fmt::Display for Background {
    /// Writes the text that [`Background::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Studio => f.write_str("studio"),
            Self::Transparent => f.write_str("transparent"),
            Self::Color([r, g, b]) => write!(f, "#{r:02x}{g:02x}{b:02x}"),
        }
    }
}

impl Background {
    /// The light grey behind data views.
    pub const PAPER: Self = Self::Color([218, 220, 223]);

    /// Returns the background for data views.
    pub fn of_data(self) -> Self {
        match self {
            Self::Studio => Self::PAPER,
            Self::Color(_) | Self::Transparent => self,
        }
    }

    /// Returns the colour at a share of the picture's height, from 0 at the upper edge to 1; `None` if it is
    /// transparent.
    pub fn color_at(self, share: f64) -> Option<[u8; 3]> {
        match self {
            Self::Transparent => None,
            Self::Color(color) => Some(color),
            Self::Studio => {
                let [above, below] = STUDIO.map(|color| color.map(f64::from));
                let mix = |channel: usize| above[channel] + (below[channel] - above[channel]) * share;
                Some([0, 1, 2].map(|channel| mix(channel).round() as u8))
            }
        }
    }

    /// Returns the background from top to bottom in a picture of this height: row counts, each with one colour.
    pub fn bands(self, height: u32) -> Vec<(u32, Self)> {
        if self != Self::Studio {
            return vec![(height, self)];
        }
        let mut bands: Vec<(u32, Self)> = Vec::new();
        for row in 0..height {
            let color = self.color_at((f64::from(row) + 0.5) / f64::from(height));
            let color = color.map_or(Self::Transparent, Self::Color);
            match bands.last_mut().filter(|(_, last)| *last == color) {
                Some((rows, _)) => *rows += 1,
                None => bands.push((1, color)),
            }
        }
        bands
    }

    /// Returns the clear colour, linear with alpha; for the studio, the colour at half its height.
    pub fn linear(&self) -> [f32; 4] {
        self.color_at(0.5).map_or([0.0; 4], |bytes| {
            let [r, g, b] = bytes.map(|byte| srgb::to_linear(f64::from(byte) / 255.0) as f32);
            [r, g, b, 1.0]
        })
    }

    /// Returns the clear colour of an unlit picture: its bytes, as shares of 255.
    pub fn encoded(&self) -> [f32; 4] {
        self.color_at(0.5).map_or([0.0; 4], |bytes| {
            let [r, g, b] = bytes.map(|byte| f32::from(byte) / 255.0);
            [r, g, b, 1.0]
        })
    }

    /// Returns the share of the picture, from the top, in which light text is easier to read than dark text; a
    /// transparent background counts as paper.
    pub fn dark_above(self) -> f64 {
        /// The luminance of equal contrast to black and to white (WCAG 2.1).
        const EQUAL: f64 = 0.179;
        let light = |share: f64| {
            let linear = |byte: u8| srgb::to_linear(f64::from(byte) / 255.0);
            let [r, g, b] = self.color_at(share)?.map(linear);
            Some(0.2126 * r + 0.7152 * g + 0.0722 * b)
        };
        let steps = 256_u16;
        let dark = (0..steps).take_while(|step| {
            let share = (f64::from(*step) + 0.5) / f64::from(steps);
            light(share).is_some_and(|light| light < EQUAL)
        });
        dark.count() as f64 / f64::from(steps)
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
            assert_eq!(Background::Color(color).dark_above(), f64::from(u8::from(dark)), "{color:?}");
        }
        assert_eq!(Background::Transparent.dark_above(), 0.0);
        let studio = Background::Studio.dark_above();
        assert!((0.4..0.6).contains(&studio), "{studio}");
    }

    #[test]
    fn bands_are_the_rows_of_a_picture() {
        for height in [1, 2, 3, 100, 720, 4001] {
            let bands = Background::Studio.bands(height);
            assert_eq!(bands.iter().map(|(rows, _)| rows).sum::<u32>(), height);
            let rows = bands.iter().flat_map(|(rows, color)| (0..*rows).map(move |_| *color));
            for (row, color) in (0_u32..).zip(rows) {
                let share = (f64::from(row) + 0.5) / f64::from(height);
                assert_eq!(Some(color), Background::Studio.color_at(share).map(Background::Color));
            }
            assert!(bands.windows(2).all(|pair| pair[0].1 != pair[1].1));
        }
        assert_eq!(Background::PAPER.bands(720), [(720, Background::PAPER)]);
        assert_eq!(Background::Transparent.bands(720), [(720, Background::Transparent)]);
        assert_eq!(Background::Studio.of_data(), Background::PAPER);
        assert_eq!(Background::Color([1, 2, 3]).of_data(), Background::Color([1, 2, 3]));
    }

    #[test]
    fn backgrounds_are_read_and_printed() {
        assert_eq!("#dadcdf".parse(), Ok(Background::PAPER));
        assert_eq!("studio".parse(), Ok(Background::default()));
        assert_eq!("#Fa0".parse(), Ok(Background::Color([255, 170, 0])));
        assert_eq!("transparent".parse(), Ok(Background::Transparent));
        for wrong in
            ["", "#", "#12345", "#1234567", "dadcdf", "#ggg", "#äöü", "Transparent", "Studio", "#+12345"]
        {
            assert_eq!(wrong.parse::<Background>(), Err(NoBackground), "{wrong}");
        }
        for background in [Background::Transparent, Background::Studio, Background::Color([0, 9, 254])] {
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
