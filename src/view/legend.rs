//! Legends: the meaning of a view's colours.

/// How many steps a legend's ramp has: a multiple of both three and eight.
pub const RAMP_STEPS: u8 = 96;

/// The meaning of a view's colours.
#[derive(Clone, Debug, PartialEq)]
pub enum Legend {
    /// One colour per entry, in sRGB.
    List {
        /// The first entries.
        entries: Vec<([u8; 3], String)>,
        /// How many more there are.
        more: usize,
    },
    /// A colour for each number from 0 to 1.
    Ramp {
        /// The name of the number.
        title: String,
        /// Numbers with their labels, in rising order.
        ticks: Vec<(f32, String)>,
        /// Colours in sRGB, in even steps from 0 to 1.
        colors: Vec<[u8; 3]>,
    },
}

/// A legend of numbers from 0 to 1.
pub fn ramp(title: String, ticks: Vec<(f32, String)>, color: impl Fn(f32) -> [u8; 3]) -> Legend {
    let colors = (0..=RAMP_STEPS).map(|step| color(f32::from(step) / f32::from(RAMP_STEPS))).collect();
    Legend::Ramp { title, ticks, colors }
}
