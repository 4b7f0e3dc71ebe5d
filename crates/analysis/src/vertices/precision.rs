//! Numbers as text, and the precision with which a file writes them.

use super::{Part, ReadError, Stored};

/// Counts the digits of a file's numbers.
pub struct Precision {
    /// The most significant digits of a number.
    digits: i32,
    largest: f64,
    /// True while each number is nearest to a single-precision one.
    is_single: bool,
}

impl Default for Precision {
    fn default() -> Self {
        Self { digits: 0, largest: 0.0, is_single: true }
    }
}

impl Precision {
    /// Parses a number and counts its digits.
    pub fn number(&mut self, word: &str) -> Option<f64> {
        let number: f64 = word.parse().ok()?;
        if !number.is_finite() {
            return Some(number);
        }
        let (mantissa, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
        let count = |text: &str| text.bytes().filter(u8::is_ascii_digit).count() as i32;
        let significant = mantissa.trim_start_matches(|c: char| !matches!(c, '1'..='9'));
        let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| count(decimals));
        let half_a_digit = 0.5 * power(exponent.parse::<i32>().unwrap_or(0).saturating_sub(decimals));
        self.digits = self.digits.max(count(significant));
        self.largest = self.largest.max(number.abs());
        self.is_single &= (number - f64::from(number as f32)).abs() <= half_a_digit;
        Some(number)
    }

    /// Returns the distance of neighbouring numbers: the last digit of the largest one, unless the digits tell more numbers
    /// apart than a type has.
    pub fn stored(&self) -> Stored {
        let before_the_point = self.largest.log10().floor() as i32;
        let step = power(before_the_point.saturating_add(1).saturating_sub(self.digits));
        let single = self.largest as f32;
        if self.is_single && step < f64::from(single.next_up()) - f64::from(single) {
            Stored::F32
        } else if step < self.largest.next_up() - self.largest {
            Stored::F64
        } else {
            Stored::Decimals(step)
        }
    }

    /// Returns the precision, and rounds the parts to it: text of single precision stands for the float that it is nearest to.
    pub fn applied(&self, parts: &mut [Part]) -> Stored {
        let stored = self.stored();
        if stored == Stored::F32 {
            parts.iter_mut().for_each(narrow);
        }
        stored
    }
}

/// Rounds all numbers to single precision.
pub fn narrow(part: &mut Part) {
    fn rounded<const N: usize>(rows: &mut [[f64; N]]) {
        rows.as_flattened_mut().iter_mut().for_each(|number| *number = f64::from(*number as f32));
    }
    rounded(&mut part.positions);
    part.normals.iter_mut().for_each(|rows| rounded(rows));
    part.tangents.iter_mut().for_each(|rows| rounded(rows));
    part.texcoords.iter_mut().for_each(|rows| rounded(rows));
}

/// Returns a power of ten, rounded once.
fn power(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or_default()
}

/// Parses a number whose digits do not count.
pub fn plain(word: &str) -> Option<f64> {
    word.parse().ok()
}

/// The error of a word that is not a number.
pub fn not_a_number(place: String, word: Option<&str>) -> ReadError {
    let message = match word {
        Some(word) => format!("expected a number, found '{word}'"),
        None => "expected a number, found the end".to_owned(),
    };
    ReadError::broken(place, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(words: &[&str]) -> Stored {
        let mut precision = Precision::default();
        for word in words {
            let number = precision.number(word).unwrap();
            assert!(number.to_bits() == word.parse::<f64>().unwrap().to_bits(), "{word}: {number}");
        }
        precision.stored()
    }

    #[test]
    fn digits_tell_the_precision() {
        // Fixed decimals, six significant digits, and an exponent.
        assert_eq!(stored(&["0.123456", "-12.500000"]), Stored::Decimals(1e-6));
        assert_eq!(stored(&["0.000123456", "12.3456", "1"]), Stored::Decimals(1e-4));
        assert_eq!(stored(&["1.234560e-01", "-1.000000e+02"]), Stored::Decimals(1e-4));
        assert_eq!(stored(&["0.001234"]), Stored::Decimals(1e-6));
        // The digits of floats and doubles.
        assert_eq!(stored(&["0.333333343", "12.3456793", "NaN"]), Stored::F32);
        assert_eq!(stored(&["3.333333433e-01"]), Stored::F32);
        assert_eq!(stored(&["0.3333333333333333", "12.345678901234567"]), Stored::F64);
        assert_eq!(stored(&["0.3333333333", "1.0000000001"]), Stored::Decimals(1e-10));
        assert_eq!(stored(&[]), Stored::F32);
        assert_eq!(stored(&["0", "0.0", "-0"]), Stored::F32);
        assert!(Precision::default().number("1,5").is_none());
    }
}
