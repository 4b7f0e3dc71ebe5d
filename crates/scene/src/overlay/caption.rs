//! Captions of panes: the name of the mode, and the line between two panes.

use super::letters::Letters;
use super::sheet::{LIGHT, RIM, Rect, Sheet};

/// A name at the upper edge, and a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    /// The text.
    pub text: String,
    /// The column where the text ends or begins, in pixels.
    pub column: f64,
    /// True if the text ends at the column.
    pub ends: bool,
    /// The column of a vertical line across the picture.
    pub line: Option<f64>,
    /// True if there is a line along the upper edge.
    pub top: bool,
}

/// The largest number of lines in a caption.
const MAX_LINES: usize = 3;

/// Draws a caption. Returns the rectangle of its text, if there is room for any.
pub fn draw(sheet: &mut Sheet, letters: &mut Letters, caption: &Caption) -> Option<Rect> {
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
    let column = caption.column as f32;
    let [from, to] = if caption.ends { [gap, column - gap] } else { [column + gap, width - gap] };
    let [rise, fall] = letters.rise_and_fall();
    let mut covered: Option<Rect> = None;
    for (number, text) in (0_u16..).zip(letters.wrapped(&caption.text, to - from, MAX_LINES)) {
        let left = if caption.ends { to - letters.width_of(&text) } else { from };
        let pen = [left.round(), gap + rise + f32::from(number) * (rise + fall)];
        sheet.text(letters, pen, &text);
        let [left, top, right, bottom] = Sheet::text_rect(letters, pen, &text);
        let [before, upper, after, _] = covered.unwrap_or([left, top, right, bottom]);
        covered = Some([before.min(left), upper, after.max(right), bottom]);
    }
    covered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::{Camera, Orbit};
    use crate::overlay::legend;
    use crate::view::Legend;

    /// Names of files and flags, in several scripts.
    const NAMES: [&str; 6] = [
        "dqs",
        "mode=rigid view=skin-space:forearm.R only-joint=forearm.R joint=upper arm.R=0,0,45",
        "a_file_with_a_name_that_has_no_spaces_and_does_not_end_soon_enough.glb",
        "שלום עולם של שלדים ועצמות ארוכות מאוד",
        "نموذج بشري طويل الاسم جدا جدا جدا",
        "",
    ];

    fn legends() -> Vec<Option<Legend>> {
        let entry = |name: &str| ([200, 90, 40], name.to_owned());
        let ticks = ["0", "0.25", "0.5", "0.75", "1"];
        let ticks = ticks.iter().zip(0_u16..).map(|(text, at)| (f32::from(at) / 4.0, (*text).to_owned()));
        vec![
            None,
            Some(Legend::List { entries: NAMES.map(entry).to_vec(), more: 3, hatched: true }),
            Some(Legend::Ramp {
                title: "weight of a joint with a long name".to_owned(),
                ticks: ticks.collect(),
                colors: vec![[0; 3], [255; 3]],
            }),
        ]
    }

    #[test]
    fn no_text_leaves_its_pane_or_lies_on_a_legend() {
        for size in [[960, 720], [320, 200], [128, 128], [64, 100], [40, 40]] {
            let [width, height] = size.map(|side| side as f32);
            let camera = Camera::new(&Orbit::default(), &[], size);
            for (text, legend) in NAMES.iter().flat_map(|text| legends().into_iter().map(move |l| (text, l)))
            {
                for (column, ends) in [(width, true), (width * 0.4, true), (width * 0.4, false), (0.0, true)]
                {
                    let mut letters = Letters::default();
                    let mut sheet = Sheet::new(&camera, size, 0.0, &mut letters);
                    let caption = Caption {
                        text: (*text).to_owned(),
                        column: f64::from(column),
                        ends,
                        line: None,
                        top: false,
                    };
                    let covered = draw(&mut sheet, &mut letters, &caption);
                    // Each line lies on a plate.
                    let lines = sheet.written().len();
                    assert!(lines <= 2 * MAX_LINES && (lines > 0) == covered.is_some());
                    let [from, to] = if ends { [0.0, column] } else { [column, width] };
                    for [left, top, right, _] in sheet.written() {
                        assert!(*left >= from && *right <= to && *top >= 0.0, "'{text}' in {size:?}");
                    }
                    if let Some(legend) = &legend {
                        legend::draw(&mut sheet, &mut letters, legend, covered);
                    }
                    let (captions, legends) = sheet.written().split_at(lines);
                    for [left, top, right, bottom] in legends {
                        let lies_on = |[l, t, r, b]: &Rect| left < r && l < right && top < b && t < bottom;
                        assert!(!captions.iter().any(lies_on), "'{text}' lies on a legend in {size:?}");
                        // A legend that is too high for the picture still shows its first row.
                        assert!(*left >= 0.0 && (*right <= width || size[0] < 64), "a legend in {size:?}");
                    }
                    let is_high = height >= 200.0;
                    assert!(!is_high || legends.iter().all(|rect| rect[3] <= height), "a legend in {size:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_too_long_ends_in_an_ellipsis() {
        let mut letters = Letters::default();
        let camera = Camera::new(&Orbit::default(), &[], [400, 400]);
        Sheet::new(&camera, [400, 400], 0.0, &mut letters);
        let advance = letters.advance();
        assert_eq!(letters.fitting("upper_arm.R", 11.0 * advance), "upper_arm.R");
        assert_eq!(letters.fitting("upper_arm.R", 8.0 * advance), "upper_a…");
        assert_eq!(letters.fitting("upper_arm.R", 0.5 * advance), "");
        assert_eq!(letters.wrapped("one two three four", 8.0 * advance, 2), ["one two", "three f…"]);
        let broken = letters.wrapped("builtin:tube-12 normals", 9.0 * advance, 3);
        assert_eq!(broken, ["builtin:", "tube-12", "normals"]);
        assert_eq!(letters.wrapped("abcdefghij", 4.0 * advance, 2), ["abcd", "efg…"]);
    }
}
