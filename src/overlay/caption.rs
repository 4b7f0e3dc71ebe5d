//! Captions of panes: the name of the mode, and the line between two panes.

use super::letters::Letters;
use super::sheet::{LIGHT, RIM, Sheet};

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
    let wide = letters.width_of(&caption.text);
    let column = caption.column as f32;
    // A text at the right edge moves left to stay in the picture; one wider than the picture loses its end.
    let left = if caption.ends { column - gap - wide } else { (column + gap).min(width - wide).max(0.0) };
    sheet.text(letters, [left.round(), gap + rise], &caption.text);
}
