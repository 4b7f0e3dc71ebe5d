//! Numbers packed for a page: in 16 or 32 bits, equal bytes of neighbours side by side, deflated, and in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde::Serialize;

/// The level of compression: higher ones take far longer and save little.
const LEVEL: u8 = 6;

/// Packed numbers.
#[derive(Default)]
pub struct Bytes(Vec<u8>);

impl Bytes {
    /// Adds numbers of 16 bits, low bytes first, and returns their place.
    pub fn halves(&mut self, numbers: &[u16]) -> usize {
        let place = self.0.len();
        for part in [0, 1] {
            self.0.extend(numbers.iter().map(|number| number.to_le_bytes()[part]));
        }
        place
    }

    /// Adds numbers of 32 bits, low bytes first, and returns their place.
    pub fn words(&mut self, numbers: &[u32]) -> usize {
        let place = self.0.len();
        for part in [0, 1, 2, 3] {
            self.0.extend(numbers.iter().map(|number| number.to_le_bytes()[part]));
        }
        place
    }

    /// Adds frames of equal length, each but the first as the difference from the one before.
    pub fn frames(&mut self, frames: impl Iterator<Item = Vec<u16>>) -> usize {
        let place = self.0.len();
        let mut before: Vec<u16> = Vec::new();
        for frame in frames {
            let change = |(number, value): (usize, &u16)| {
                value.wrapping_sub(before.get(number).copied().unwrap_or_default())
            };
            let changes: Vec<u16> = frame.iter().enumerate().map(change).collect();
            self.halves(&changes);
            before = frame;
        }
        place
    }

    /// The numbers as text.
    pub fn packed(&self) -> String {
        STANDARD.encode(compress_to_vec_zlib(&self.0, LEVEL))
    }
}

/// A box that grows around places.
#[derive(Default)]
pub struct Bounds(Option<[[f64; 3]; 2]>);

impl Bounds {
    /// Adds a place, if it is finite.
    pub fn add(&mut self, place: [f64; 3]) {
        if place.iter().all(|part| part.is_finite()) {
            let [low, high] = self.0.get_or_insert([place; 2]);
            for (axis, part) in place.into_iter().enumerate() {
                (low[axis], high[axis]) = (low[axis].min(part), high[axis].max(part));
            }
        }
    }

    /// The grid over the box.
    pub fn grid(&self) -> Grid {
        let [low, high] = self.0.unwrap_or_default();
        let side = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
        Grid { low, step: if side > 0.0 { side / f64::from(u16::MAX) } else { 1.0 } }
    }
}

/// The grid that places lie on.
#[derive(Clone, Copy, Serialize)]
pub struct Grid {
    low: [f64; 3],
    step: f64,
}

impl Grid {
    /// The nearest point of the grid.
    pub fn steps(&self, place: [f64; 3]) -> [u16; 3] {
        [0, 1, 2].map(|axis: usize| rounded((place[axis] - self.low[axis]) / self.step))
    }
}

/// Rounds to 16 bits; 0 for what is not finite.
pub fn rounded(number: f64) -> u16 {
    if number.is_finite() { number.round().clamp(0.0, f64::from(u16::MAX)) as u16 } else { 0 }
}
