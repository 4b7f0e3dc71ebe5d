//! Clamps numbers to the range that the format allows, with a warning.

use crate::reading::warnings::Warnings;

/// Range of a number, and the limit up to which larger values are kept.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The least the format allows.
    pub least: f64,
    /// The most the format allows.
    pub most: f64,
    /// The most that is kept.
    kept: f64,
}

/// 0 to 1.
pub const UNIT: Range = Range { least: 0.0, most: 1.0, kept: 1.0 };

/// From 0 to the largest number that shaders can multiply without overflow.
pub const LIGHT: Range = Range { least: 0.0, most: 65504.0, kept: 65504.0 };

impl Range {
    /// Extends the kept values to the maximum of `other`. Values above the range still give a warning.
    pub fn kept_to(self, other: Self) -> Self {
        Self { kept: other.most, ..self }
    }
}

/// A number within its range, or the default where the file gives none.
pub fn number(value: Option<f64>, range: Range, default: f32, path: &str, warnings: &mut Warnings) -> f32 {
    let [number] = numbers(value.map(|value| [value]), range, [default], path, warnings);
    number
}

/// Several numbers within one range.
pub fn numbers<const N: usize>(
    values: Option<[f64; N]>,
    range: Range,
    default: [f32; N],
    path: &str,
    warnings: &mut Warnings,
) -> [f32; N] {
    let Some(values) = values else { return default };
    let Range { least, most, kept } = range;
    if let Some(value) = values.iter().find(|value| **value < least || **value > most) {
        let message = format!("{value:?} is not within {least} to {most}");
        warnings.add("VALUE_NOT_IN_RANGE", path, message);
    }
    values.map(|value| value.clamp(least, kept) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_brought_into_it_and_noted_once() {
        let mut warnings = Warnings::default();
        assert_eq!(number(None, UNIT, 0.25, "a", &mut warnings), 0.25);
        assert_eq!(numbers(Some([0.0, 1.0]), UNIT, [0.5; 2], "b", &mut warnings), [0.0, 1.0]);
        assert_eq!(numbers(Some([-1.0, 2.0]), UNIT, [0.5; 2], "c", &mut warnings), [0.0, 1.0]);
        assert_eq!(number(Some(4.0), UNIT.kept_to(LIGHT), 0.0, "d", &mut warnings), 4.0);
        assert_eq!(number(Some(1e300), LIGHT, 0.0, "e", &mut warnings), 65504.0);
        let warnings: Vec<String> =
            warnings.into_vec().into_iter().map(|w| format!("{}: {}", w.path, w.message)).collect();
        let expected = [
            "c: -1.0 is not within 0 to 1",
            "d: 4.0 is not within 0 to 1",
            "e: 1e300 is not within 0 to 65504",
        ];
        assert_eq!(warnings, expected);
    }
}
