//! Lays out a text as one row of drawable characters from left to right.

use std::borrow::Cow;

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};

use super::arabic;
use super::fonts;
use sinew_model::gltf::moves_text;

/// Placeholder for an escaped character, while the order is computed.
const STAND_IN: char = 'x';

/// The end of a text that was truncated.
pub const ELLIPSIS: char = '…';

/// A character with its marks.
struct Unit {
    level: Level,
    shown: String,
}

/// Returns the text in visual order, from left to right. Words from right to left are reordered by Unicode's
/// bidirectional algorithm, and Arabic letters are joined. A character that no font draws becomes its code point:
/// `\u{1f9b4}`.
pub fn line(text: &str) -> Cow<'_, str> {
    laid_out(text, &|letter| fonts::source(letter).is_some())
}

fn laid_out<'a>(text: &'a str, is_drawn: &dyn Fn(char) -> bool) -> Cow<'a, str> {
    if text.chars().all(|letter| stands_for_itself(letter, is_drawn)) {
        return Cow::Borrowed(text);
    }
    let letters: Vec<char> = text.chars().collect();
    let letters = arabic::join(&letters, is_drawn);
    let is_spelled_out = |letter: char| moves_text(letter) || !(is_hidden(letter) || is_drawn(letter));
    let is_spelled_out: Vec<bool> = letters.iter().map(|letter| is_spelled_out(*letter)).collect();
    let stands = letters.iter().zip(&is_spelled_out).map(|(letter, is)| if *is { STAND_IN } else { *letter });
    let mut stands: Vec<char> = stands.collect();
    // An ellipsis at the end stands where the text would go on.
    if let [.., before, last] = stands.as_mut_slice()
        && *last == ELLIPSIS
    {
        *last = *before;
    }
    let stands: String = stands.into_iter().collect();
    let bidi = BidiInfo::new(&stands, Some(Level::ltr()));
    // Characters that end a paragraph are escaped, so there is one paragraph.
    let Some(paragraph) = bidi.paragraphs.first() else { return Cow::Borrowed(text) };
    let levels = bidi.reordered_levels_per_char(paragraph, paragraph.range.clone());
    let mut units: Vec<Unit> = Vec::new();
    for ((letter, level), is_spelled_out) in letters.into_iter().zip(levels).zip(is_spelled_out) {
        if is_hidden(letter) {
            continue;
        }
        let is_mark = bidi_class(letter) == BidiClass::NSM && !is_spelled_out;
        let shown = match is_spelled_out {
            true => letter.escape_default().to_string(),
            false => if level.is_rtl() { mirrored(letter) } else { letter }.to_string(),
        };
        match units.last_mut().filter(|unit| is_mark && unit.level == level) {
            // The unit's letter is drawn first, in either direction.
            Some(unit) => unit.shown.push_str(&shown),
            None => units.push(Unit { level, shown }),
        }
    }
    let levels: Vec<Level> = units.iter().map(|unit| unit.level).collect();
    let order = BidiInfo::reorder_visual(&levels);
    Cow::Owned(order.into_iter().filter_map(|at| units.get(at)).map(|unit| unit.shown.as_str()).collect())
}

/// Returns true if a character is drawn unchanged in any position.
fn stands_for_itself(letter: char, is_drawn: &dyn Fn(char) -> bool) -> bool {
    let is_turned = || {
        use BidiClass::{AL, AN, NSM, R};
        matches!(bidi_class(letter), R | AL | AN | NSM)
    };
    matches!(letter, ' '..='~')
        || !(is_hidden(letter) || moves_text(letter) || is_turned()) && is_drawn(letter)
}

/// Returns true for joiners and variation selectors, which draw nothing.
fn is_hidden(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Mirrors brackets, which open towards the text after them.
fn mirrored(letter: char) -> char {
    const PAIRS: [(char, char); 6] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('«', '»'), ('‹', '›')];
    let other = PAIRS.into_iter().find_map(|(open, close)| match letter {
        _ if letter == open => Some(close),
        _ if letter == close => Some(open),
        _ => None,
    });
    other.unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_built_in_fonts_have_stands_as_it_is() {
        for text in ["", "upper_arm.L (2)", "Hüfte", "Щит", "é → ∞"] {
            assert!(matches!(line(text), Cow::Borrowed(shown) if shown == text), "{text}");
        }
    }

    /// Tests characters without a font: no test searches the system's fonts.
    #[test]
    fn what_no_font_has_is_spelled_out() {
        assert_eq!(line("骨_1"), r"\u{9aa8}_1");
        assert_eq!(line("a🦴\u{fe0f}"), r"a\u{1f9b4}");
        // Code points keep the order of the file, because they read from left to right.
        assert_eq!(line("עצם"), r"\u{5e2}\u{5e6}\u{5dd}");
    }

    #[test]
    fn words_from_right_to_left_are_turned_around() {
        let line = |text: &'static str| laid_out(text, &|_| true).into_owned();
        assert_eq!(line("עצם_L"), "םצע_L");
        // A number keeps its order, and brackets are mirrored.
        assert_eq!(line("יד 12"), "12 די");
        assert_eq!(line("arm (יד)"), "arm (די)");
        assert_eq!(line("ראש (א) יד"), "די (א) שאר");
        // The end of a text from right to left is on the left.
        assert_eq!(line("שלו…"), "…ולש");
        assert_eq!(line("arm_שלו…"), "arm_…ולש");
        // Marks stay behind their letter.
        assert_eq!(line("שָלוֹם"), "םוֹלשָ");
        // The joined letters, from the right: ain, zah and meem, then lam and alef as one.
        assert_eq!(line("عظم"), "\u{fee2}\u{fec8}\u{fecb}");
        assert_eq!(line("骨 لا 2"), "骨 2 \u{fefb}");
        assert_eq!(line("🙂\u{fe0f}\u{200d}骨"), "🙂骨");
        // A direction override does not affect the text around it, and an escaped character stays in its place.
        assert_eq!(line("אב\u{202e}גד"), r"בא\u{202e}דג");
    }

    #[test]
    fn nothing_in_a_name_turns_what_is_around_it() {
        assert_eq!(line("a\u{202e}b\u{2066}c"), r"a\u{202e}b\u{2066}c");
        assert_eq!(line("a\nb\u{85}\u{1b}[2J"), r"a\nb\u{85}\u{1b}[2J");
        assert_eq!(line("1\u{200f}2"), r"1\u{200f}2");
    }
}
