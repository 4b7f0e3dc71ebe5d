//! Captions of panes: the name of the mode, the line between two panes, and the fault that was put in.

use super::letters::Letters;
use super::sheet::{LIGHT, RIM, Sheet, ink};
use crate::writing::line;
use sinew_skinning::Fault;

/// A name at the upper edge, and a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    /// The text.
    pub text: String,
    /// The column that the text ends before or begins after, in pixels.
    pub column: f64,
    /// Whether it ends there.
    pub ends: bool,
    /// The column of a line from top to bottom.
    pub line: Option<f64>,
    /// Whether there is a line along the upper edge.
    pub top: bool,
}

/// Draws a caption.
pub fn draw(sheet: &mut Sheet, letters: &mut Letters, caption: &Caption) {
    let [width, height] = sheet.size();
    let gap = (6.0 * sheet.unit()).round();
    if let Some(line) = caption.line {
        let x = line as f32;
        sheet.area([x - 2.0, 0.0, x + 2.0, height], [RIM; 2]);
        sheet.area([x - 1.0, 0.0, x + 1.0, height], [LIGHT; 2]);
    }
    if caption.top {
        sheet.area([0.0, -2.0, width, 2.0], [RIM; 2]);
        sheet.area([0.0, -1.0, width, 1.0], [LIGHT; 2]);
    }
    let [rise, _] = letters.rise_and_fall();
    let text = line(&caption.text);
    let wide = letters.width_of(&text);
    let column = caption.column as f32;
    // A text at the right edge moves left to stay in the picture; one wider than the picture loses its end.
    let left = if caption.ends { column - gap - wide } else { (column + gap).min(width - wide).max(0.0) };
    sheet.text(letters, [left.round(), gap + rise], &text);
}

/// The plate behind the name of a fault.
const PLATE: [u8; 3] = [0xd8, 0x4a, 0x1b];

/// Writes on a plate at the lower edge which fault was put in.
pub fn draw_fault(sheet: &mut Sheet, letters: &mut Letters, fault: Fault) {
    let text = format!("injected fault: {fault}");
    let pen = sheet.keep_corner(letters, &text).map(f32::round);
    let [left, top, right, bottom] = Sheet::text_rect(letters, pen, &text);
    let gap = (3.0 * sheet.unit()).round();
    sheet.area([left - gap, top - gap, right + gap, bottom + gap], [ink(PLATE, 1.0); 2]);
    sheet.text_in(letters, pen, &text, LIGHT);
}
