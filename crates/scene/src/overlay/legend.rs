//! Draws a view's legend in the upper left corner.

use super::letters::Letters;
use super::sheet::{Ink, LIGHT, RIM, Rect, Sheet, ink};
use crate::shared::{HATCH_GROUND, HATCH_STRIPE};
use crate::view::Legend;

/// The longest text of a line, in characters.
const MAX_LETTERS: f32 = 40.0;

/// Draws a legend, below a caption that it would overlap. A list shows as many entries as fit, and the number of
/// hidden ones.
pub fn draw(sheet: &mut Sheet, letters: &mut Letters, legend: &Legend, caption: Option<Rect>) {
    let gap = 6.0 * sheet.unit();
    let below = |right: f32| match caption {
        Some([left, _, _, bottom]) if right + gap > left => bottom,
        _ => 0.0,
    };
    match legend {
        Legend::List { entries, more, hatched } => {
            let list = List { entries, more: *more, is_hatched: *hatched };
            let right = list.right(sheet, letters);
            list.draw(sheet, letters, below(right), right);
        }
        Legend::Ramp { title, ticks, colors } => {
            let ramp = Ramp { title, ticks, colors };
            let right = ramp.right(sheet, letters);
            ramp.draw(sheet, letters, below(right), right);
        }
    }
}

/// Colours with their names.
struct List<'a> {
    entries: &'a [([u8; 3], String)],
    /// The number of further entries.
    more: usize,
    is_hatched: bool,
}

/// The label of hatched parts.
const NO_JOINTS: &str = "no joints";

impl List<'_> {
    /// Returns the side of a swatch.
    fn side(letters: &Letters) -> f32 {
        (letters.rise_and_fall()[0] * 0.8).round()
    }

    /// Returns the widest text: as many of the main font's characters as fit.
    fn widest(sheet: &Sheet, letters: &Letters) -> f32 {
        let advance = letters.advance().max(1.0);
        let room = sheet.size()[0] - 12.0 * sheet.unit() - Self::side(letters);
        advance * (room / advance).floor().clamp(0.0, MAX_LETTERS)
    }

    /// Returns the right end of the longest name.
    fn right(&self, sheet: &Sheet, letters: &Letters) -> f32 {
        let widest = Self::widest(sheet, letters);
        let names = self.entries.iter().map(|(_, name)| name.as_str());
        let names = names.chain(self.is_hatched.then_some(NO_JOINTS));
        let long = names.map(|name| letters.width_of(&letters.fitting(name, widest))).fold(0.0, f32::max);
        12.0 * sheet.unit() + Self::side(letters) + long
    }

    fn draw(&self, sheet: &mut Sheet, letters: &mut Letters, top: f32, right: f32) {
        let Self { entries, more, is_hatched } = *self;
        let [rise, fall] = letters.rise_and_fall();
        let (high, gap) = (rise + fall, 6.0 * sheet.unit());
        let [_, height] = sheet.size();
        let room = ((height - 2.0 * gap - top) / high).floor().max(1.0) as usize;
        let room = room.saturating_sub(usize::from(is_hatched)).max(1);
        let count = entries.len().saturating_add(more);
        let shown = if count > room { room - 1 } else { entries.len() };
        let (side, widest) = (Self::side(letters), Self::widest(sheet, letters));
        let mut base = top + gap + rise;
        let swatch = |base: f32| [gap, base - side, gap + side, base].map(f32::round);
        let lines = shown + usize::from(is_hatched) + usize::from(count > shown);
        let is_dark =
            sheet.plate([0.0, top, right + gap * 0.5, base - rise + high * lines as f32 + gap * 0.5]);
        // First, because joints may fill the list.
        if is_hatched {
            hatch(sheet, swatch(base));
            sheet.text_on(is_dark, letters, [gap * 2.0 + side, base], &letters.fitting(NO_JOINTS, widest));
            base += high;
        }
        for (color, name) in entries.iter().take(shown) {
            framed(sheet, swatch(base), [ink(*color, 1.0); 2]);
            sheet.text_on(is_dark, letters, [gap * 2.0 + side, base], &letters.fitting(name, widest));
            base += high;
        }
        if let Some(more) = count.checked_sub(shown.min(entries.len())).filter(|more| *more > 0) {
            sheet.text_on(is_dark, letters, [gap, base], &letters.fitting(&format!("+{more} more"), widest));
        }
    }
}

/// A scale of colours.
struct Ramp<'a> {
    title: &'a str,
    ticks: &'a [(f32, String)],
    colors: &'a [[u8; 3]],
}

impl Ramp<'_> {
    /// Returns the left end of the colours, and their width.
    fn extent(&self, sheet: &Sheet, letters: &Letters) -> [f32; 2] {
        let unit = sheet.unit();
        // The outer ticks' text reaches beyond the ramp.
        let beyond = self.ticks.iter().map(|(_, text)| letters.width_of(text) * 0.5).fold(0.0, f32::max);
        let left = (6.0 * unit + beyond).round();
        let wide = (260.0 * unit).max(letters.advance() * 14.0);
        [left, wide.min(sheet.size()[0] - 2.0 * left).max(1.0).round()]
    }

    /// Returns the right end of the ramp and its text.
    fn right(&self, sheet: &Sheet, letters: &Letters) -> f32 {
        let [left, wide] = self.extent(sheet, letters);
        let gap = 6.0 * sheet.unit();
        (left + wide + left - gap).max(gap + letters.width_of(&self.title(sheet, letters)))
    }

    /// Returns the title, cut to as many of the main font's characters as fit.
    fn title(&self, sheet: &Sheet, letters: &Letters) -> String {
        let advance = letters.advance().max(1.0);
        let room = advance * ((sheet.size()[0] - 12.0 * sheet.unit()) / advance).floor().max(0.0);
        letters.fitting(self.title, room).into_owned()
    }

    fn draw(&self, sheet: &mut Sheet, letters: &mut Letters, top: f32, right: f32) {
        let [rise, fall] = letters.rise_and_fall();
        let (high, gap, unit) = (rise + fall, 6.0 * sheet.unit(), sheet.unit());
        let [width, _] = sheet.size();
        let [left, wide] = self.extent(sheet, letters);
        let title = self.title(sheet, letters);
        let (above, top) = (top, (top + gap + high).round());
        let tall = (rise * 0.8).round();
        let rim = unit.max(1.0).round();
        let base = top + tall + rim + rise;
        let is_dark = sheet.plate([0.0, above, right + gap * 0.5, base + fall + gap * 0.5]);
        sheet.text_on(is_dark, letters, [gap, above + gap + rise], &title);
        sheet.area([left - rim, top - rim, left + wide + rim, top + tall + rim], [RIM; 2]);
        let pieces = self.colors.len().saturating_sub(1).max(1) as f32;
        for (piece, (from, to)) in self.colors.iter().zip(self.colors.iter().skip(1)).enumerate() {
            let [start, end] = [piece, piece + 1].map(|end| left + wide * (end as f32 / pieces));
            sheet.area([start, top, end, top + tall], [ink(*from, 1.0), ink(*to, 1.0)]);
        }
        let mut free_from = f32::NEG_INFINITY;
        for (at, text) in self.ticks {
            let x = left + wide * at;
            let long = letters.width_of(text);
            let pen = x - long * 0.5;
            sheet.area(
                [x - rim * 0.5, top + tall * 0.6, x + rim * 0.5, top + tall + rim].map(f32::round),
                [LIGHT; 2],
            );
            // Small pictures have no room for all ticks.
            if pen >= free_from && pen + long <= width {
                sheet.text_on(is_dark, letters, [pen, base], text);
                free_from = pen + long + letters.advance().max(1.0) * 0.5;
            }
        }
    }
}

/// Draws a square with the hatching that `view.frag` gives to parts without joints.
fn hatch(sheet: &mut Sheet, rect: Rect) {
    framed(sheet, rect, [[HATCH_GROUND, HATCH_GROUND, HATCH_GROUND, 1.0]; 2]);
    let [left, top, right, bottom] = rect;
    let (middle, radius) = ((right - left) * 0.5, (right - left) / 9.0);
    let stripe = [HATCH_STRIPE, HATCH_STRIPE, HATCH_STRIPE, 1.0];
    for [from, to] in [
        [[left, bottom], [right, top]],
        [[left, top + middle], [left + middle, top]],
        [[left + middle, bottom], [right, top + middle]],
    ] {
        sheet.line([from, to], radius, stripe);
    }
}

/// Draws a rectangle with a rim.
fn framed(sheet: &mut Sheet, rect: [f32; 4], inks: [Ink; 2]) {
    let rim = sheet.unit().max(1.0).round();
    let [left, top, right, bottom] = rect;
    sheet.area([left - rim, top - rim, right + rim, bottom + rim], [RIM; 2]);
    sheet.area(rect, inks);
}
