//! Draws a view's legend in the upper left corner.

use super::letters::Letters;
use super::sheet::{Ink, LIGHT, RIM, Rect, Sheet, ink};
use crate::shared::{HATCH_GROUND, HATCH_STRIPE};
use crate::view::Legend;
use crate::writing::line;

/// The longest text of a line.
const MOST_LETTERS: usize = 40;

/// Draws a legend; of a list as much as fits, and the number of entries left out.
pub fn draw(sheet: &mut Sheet, letters: &mut Letters, legend: &Legend) {
    match legend {
        Legend::List { entries, more, hatched } => draw_list(sheet, letters, entries, *more, *hatched),
        Legend::Ramp { title, ticks, colors } => draw_ramp(sheet, letters, title, ticks, colors),
    }
}

fn draw_list(
    sheet: &mut Sheet,
    letters: &mut Letters,
    entries: &[([u8; 3], String)],
    more: usize,
    hatched: bool,
) {
    let [rise, fall] = letters.rise_and_fall();
    let (high, gap) = (rise + fall, 6.0 * sheet.unit());
    let [width, height] = sheet.size();
    let room = ((height - 2.0 * gap) / high).floor().max(1.0) as usize;
    let room = room.saturating_sub(usize::from(hatched)).max(1);
    let count = entries.len().saturating_add(more);
    let shown = if count > room { room - 1 } else { entries.len() };
    let side = (rise * 0.8).round();
    // As many of the main font's letters as fit.
    let advance = letters.advance().max(1.0);
    let wide = advance * ((width - 2.0 * gap - side) / advance).floor().max(0.0);
    let mut base = gap + rise;
    let swatch = |base: f32| [gap, base - side, gap + side, base].map(f32::round);
    // First, because of many joints not all have room.
    if hatched {
        hatch(sheet, swatch(base));
        sheet.text(letters, [gap * 2.0 + side, base], letters.fitting("no joints", wide));
        base += high;
    }
    for (color, name) in entries.iter().take(shown) {
        framed(sheet, swatch(base), [ink(*color, 1.0); 2]);
        let name: String = name.chars().take(MOST_LETTERS).collect();
        let name = line(&name);
        sheet.text(letters, [gap * 2.0 + side, base], letters.fitting(&name, wide));
        base += high;
    }
    if let Some(more) = count.checked_sub(shown.min(entries.len())).filter(|more| *more > 0) {
        sheet.text(letters, [gap, base], letters.fitting(&format!("+{more} more"), wide));
    }
}

fn draw_ramp(
    sheet: &mut Sheet,
    letters: &mut Letters,
    title: &str,
    ticks: &[(f32, String)],
    colors: &[[u8; 3]],
) {
    let [rise, fall] = letters.rise_and_fall();
    let (high, gap, unit) = (rise + fall, 6.0 * sheet.unit(), sheet.unit());
    let [width, _] = sheet.size();
    let advance = letters.advance();
    // The outer ticks' text reaches beyond the ramp.
    let beyond = ticks.iter().map(|(_, text)| letters.width_of(text) * 0.5).fold(0.0, f32::max);
    let left = (gap + beyond).round();
    let wide = (260.0 * unit).max(advance * 14.0).min(width - 2.0 * left).max(1.0).round();
    let top = (gap + high).round();
    let tall = (rise * 0.8).round();
    let advance = advance.max(1.0);
    let room = advance * ((width - 2.0 * gap) / advance).floor().max(0.0);
    let title = line(title);
    sheet.text(letters, [gap, gap + rise], letters.fitting(&title, room));

    let rim = unit.max(1.0).round();
    sheet.area([left - rim, top - rim, left + wide + rim, top + tall + rim], [RIM; 2]);
    let pieces = colors.len().saturating_sub(1).max(1) as f32;
    for (piece, (from, to)) in colors.iter().zip(colors.iter().skip(1)).enumerate() {
        let [start, end] = [piece, piece + 1].map(|end| left + wide * (end as f32 / pieces));
        sheet.area([start, top, end, top + tall], [ink(*from, 1.0), ink(*to, 1.0)]);
    }
    let base = top + tall + rim + rise;
    let mut free_from = f32::NEG_INFINITY;
    for (at, text) in ticks {
        let x = left + wide * at;
        let long = letters.width_of(text);
        let pen = x - long * 0.5;
        sheet.area(
            [x - rim * 0.5, top + tall * 0.6, x + rim * 0.5, top + tall + rim].map(f32::round),
            [LIGHT; 2],
        );
        // Small pictures have no room for all.
        if pen >= free_from {
            sheet.text(letters, [pen, base], text);
            free_from = pen + long + advance * 0.5;
        }
    }
    sheet.reserve([0.0, 0.0, left + wide + gap, base + fall]);
}

/// A square hatched as `view.frag` hatches what has no joints.
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

/// A rectangle with a rim.
fn framed(sheet: &mut Sheet, rect: [f32; 4], inks: [Ink; 2]) {
    let rim = sheet.unit().max(1.0).round();
    let [left, top, right, bottom] = rect;
    sheet.area([left - rim, top - rim, right + rim, bottom + rim], [RIM; 2]);
    sheet.area(rect, inks);
}
