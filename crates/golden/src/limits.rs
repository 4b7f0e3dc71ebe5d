//! Limits on a picture's difference from its golden, in general and per driver.

use std::fmt;

use sinew_image::{Difference, Tolerance};
use sinew_text::document::{Document, LineError, Value};

/// Common names of drivers, and the names that the drivers report.
const ALIASES: [(&str, &str); 1] = [("lavapipe", "llvmpipe")];

/// Limits for one picture. By default it must be equal; if both limits are set, both must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// The maximum difference of a channel, of 255, and the maximum number of pixels that exceed it.
    pub pixels: Option<(u8, usize)>,
    /// The maximum mean FLIP difference, of the picture and of a tile.
    pub flip: Option<[f64; 2]>,
}

impl Limits {
    /// Returns true if no difference is allowed.
    pub fn is_exact(&self) -> bool {
        self.flip.is_none() && matches!(self.pixels, None | Some((0, 0)))
    }

    /// Returns true if the difference is within the limits.
    pub fn allow(&self, difference: &Difference) -> bool {
        let Self { pixels, flip } = *self;
        if pixels.is_none() && flip.is_none() {
            return difference.pixels == 0;
        }
        let pixels = pixels.map(|(channel, outliers)| Tolerance { channel, outliers, flip: None });
        let flip = flip.map(|flip| Tolerance { flip: Some(flip), ..Tolerance::default() });
        pixels.iter().chain(&flip).all(|tolerance| difference.is_within(tolerance))
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_exact() {
            return f.write_str("exact");
        }
        if let Some((channel, outliers)) = self.pixels {
            write!(f, "channels by {channel} of 255 at most but for {outliers} pixels")?;
        }
        if let Some([mean, tile]) = self.flip {
            let and = if self.pixels.is_some() { ", " } else { "" };
            write!(f, "{and}FLIP {mean} at most on average and {tile} in the worst tile")?;
        }
        Ok(())
    }
}

/// Limits in general and per driver.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tolerances {
    general: Option<Limits>,
    /// Part of a driver's name in lower case, and the limits for it.
    drivers: Vec<(String, Limits)>,
}

impl Tolerances {
    /// Returns the limits for a driver, and the part of its name that selected them. A case's own limits come before the
    /// defaults, a driver's before general ones, and longer parts of a name before shorter ones.
    pub fn choose<'a>(case: &'a Self, defaults: &'a Self, driver: &str) -> (Limits, Option<&'a str>) {
        let mut driver = driver.to_lowercase();
        for (known_as, own_name) in ALIASES {
            if driver.contains(own_name) {
                driver = format!("{driver} {known_as}");
            }
        }
        for tolerances in [case, defaults] {
            let fits = |(part, _): &&(String, Limits)| driver.contains(part.as_str());
            let best = tolerances.drivers.iter().filter(fits).max_by_key(|(part, _)| part.len());
            match (best, tolerances.general) {
                (Some((part, limits)), _) => return (*limits, Some(part)),
                (None, Some(limits)) => return (limits, None),
                (None, None) => {}
            }
        }
        (Limits::default(), None)
    }

    /// Reads the value of a `tolerance` key.
    pub(super) fn read(document: &Document, value: Value) -> Result<Self, LineError> {
        let mut drivers = Vec::new();
        let general = limits(document, value, Some(&mut drivers))?;
        Ok(Self { general, drivers })
    }
}

/// Examples for error messages.
const EXAMPLE: &str = "\"exact\", { channel = 2, outliers = 30 } or { flip_mean = 0.01, flip_tile = 0.25 }";

/// Reads limits and, where allowed, those of drivers.
fn limits(
    document: &Document,
    value: Value,
    mut drivers: Option<&mut Vec<(String, Limits)>>,
) -> Result<Option<Limits>, LineError> {
    if value.text() == Some("exact") {
        return Ok(Some(Limits::default()));
    }
    let table = value.table().ok_or_else(|| value.expected(EXAMPLE))?;
    let (mut channel, mut outliers, mut flip_mean, mut flip_tile) = (None, None, None, None);
    for entry in document.entries(table) {
        let value = entry.value;
        let share = || {
            let number = value.number().filter(|number| (0.0..=1.0).contains(number));
            number.ok_or_else(|| value.expected("a number from 0 to 1"))
        };
        match entry.key {
            "channel" => {
                let steps = value.count().and_then(|steps| u8::try_from(steps).ok());
                channel = Some(steps.ok_or_else(|| value.expected("a whole number from 0 to 255"))?);
            }
            "outliers" => {
                outliers = Some(value.count().ok_or_else(|| value.expected("a number of pixels"))?);
            }
            "flip_mean" => flip_mean = Some(share()?),
            "flip_tile" => flip_tile = Some(share()?),
            part => match drivers.as_deref_mut() {
                Some(drivers) if value.table().is_some() || value.text() == Some("exact") => {
                    let read = limits(document, value, None)?;
                    let read = read.ok_or_else(|| value.expected(EXAMPLE))?;
                    drivers.push((part.to_lowercase(), read));
                }
                Some(_) => {
                    let expected = "channel, outliers, flip_mean, flip_tile or a table for a driver";
                    let message = format!("unknown tolerance '{part}', expected {expected}");
                    return Err(LineError { line: entry.line, message });
                }
                None => {
                    let expected = "channel, outliers, flip_mean or flip_tile";
                    let message = format!("unknown tolerance '{part}', expected {expected}");
                    return Err(LineError { line: entry.line, message });
                }
            },
        }
    }
    let pixels = match (channel, outliers) {
        (None, None) => None,
        _ => Some((channel.unwrap_or(0), outliers.unwrap_or(0))),
    };
    let flip = match (flip_mean, flip_tile) {
        (None, None) => None,
        (Some(mean), Some(tile)) => Some([mean, tile]),
        _ => {
            let message = "flip_mean and flip_tile go together: a mean alone misses a local loss";
            return Err(LineError { line: value.line, message: message.to_owned() });
        }
    };
    Ok((pixels.is_some() || flip.is_some()).then_some(Limits { pixels, flip }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_image::Image;

    fn read(text: &str) -> Result<Tolerances, String> {
        let document = Document::new(text);
        let table = document.parse().map_err(|error| error.to_string())?;
        let entry = document.entries(&table).next().unwrap();
        Tolerances::read(&document, entry.value).map_err(|error| error.to_string())
    }

    #[test]
    fn the_nearest_tolerance_is_taken() {
        let defaults = read(
            "tolerance = { channel = 1, lavapipe = 'exact', Swift = { channel = 9 }, \
             SwiftShader = { flip_mean = 0.01, flip_tile = 0.25 } }",
        )
        .unwrap();
        let case =
            read("tolerance = { outliers = 3, radeon = { channel = 4, flip_mean = 1, flip_tile = 0.5 } }")
                .unwrap();
        let none = Tolerances::default();
        let pixels = |channel, outliers| Limits { pixels: Some((channel, outliers)), flip: None };
        let lavapipe = "llvmpipe (LLVM 15.0.6, 256 bits) llvmpipe Mesa 22.3.6";
        let swiftshader = "SwiftShader Device (LLVM 16.0.0) SwiftShader driver";
        let flip = Limits { pixels: None, flip: Some([0.01, 0.25]) };
        let both = Limits { pixels: Some((4, 0)), flip: Some([1.0, 0.5]) };
        for (case, defaults, driver, expected) in [
            (&none, &none, lavapipe, (Limits::default(), None)),
            (&none, &defaults, lavapipe, (Limits::default(), Some("lavapipe"))),
            (&none, &defaults, swiftshader, (flip, Some("swiftshader"))),
            (&none, &defaults, "AMD Radeon", (pixels(1, 0), None)),
            (&case, &defaults, "AMD Radeon", (both, Some("radeon"))),
            (&case, &defaults, swiftshader, (pixels(0, 3), None)),
        ] {
            assert_eq!(Tolerances::choose(case, defaults, driver), expected, "{driver}");
        }
    }

    #[test]
    fn what_is_no_tolerance_is_named_with_its_line() {
        for (text, line, says) in [
            ("tolerance = 2", 1, "expected \"exact\""),
            ("tolerance = 'loose'", 1, "'loose'"),
            ("[tolerance]\nchannel = 256", 2, "0 to 255"),
            ("[tolerance]\nchannel = 1.5", 2, "found 1.5"),
            ("[tolerance]\n\noutliers = -1", 3, "found -1"),
            ("[tolerance]\nflip_mean = 0.01", 1, "flip_mean and flip_tile go together"),
            ("[tolerance]\nflip_mean = 2\nflip_tile = 0.1", 2, "0 to 1"),
            ("[tolerance]\nflip_mean = nan\nflip_tile = 0.1", 2, "0 to 1"),
            ("[tolerance]\nchanel = 2", 2, "unknown tolerance 'chanel'"),
            ("[tolerance.swiftshader]\nflip = 2", 2, "unknown tolerance 'flip'"),
            ("[tolerance.swiftshader]\nllvm = { channel = 1 }", 2, "unknown tolerance 'llvm'"),
            ("[tolerance]\nswiftshader = {}", 2, "found a table"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(&format!("line {line}: ")) && error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn limits_of_both_kinds_must_both_hold() {
        let gray = Image { width: 32, height: 32, rgba: [90, 90, 90, 255].repeat(1024) };
        let mut spot = gray.clone();
        spot.rgba[0] = 94;
        let difference = Difference::between(&gray, &spot).unwrap();
        let allows = |pixels, flip| Limits { pixels, flip }.allow(&difference);
        assert!(!allows(None, None));
        assert!(allows(Some((4, 0)), None) && allows(Some((3, 1)), None) && !allows(Some((3, 0)), None));
        assert!(allows(None, Some([0.1, 0.1])) && !allows(None, Some([0.1, 0.0])));
        assert!(allows(Some((4, 0)), Some([0.1, 0.1])));
        assert!(!allows(Some((3, 0)), Some([0.1, 0.1])) && !allows(Some((4, 0)), Some([0.0, 0.1])));
    }
}
