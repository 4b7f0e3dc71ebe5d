//! Joins Arabic letters: replaces each by the presentation form that suits its neighbours. Fonts contain these forms
//! even for programs that do not shape text.

use unicode_bidi::{BidiClass, bidi_class};

const LAM: char = '\u{644}';
const TATWEEL: char = '\u{640}';
const JOINER: char = '\u{200d}';

/// Each letter's code point, its isolated form, and whether it joins the next letter. The final form follows the
/// isolated one, then the initial and the medial one.
const FORMS: [(u16, u16, bool); 52] = [
    (0x622, 0xfe81, false),
    (0x623, 0xfe83, false),
    (0x624, 0xfe85, false),
    (0x625, 0xfe87, false),
    (0x626, 0xfe89, true),
    (0x627, 0xfe8d, false),
    (0x628, 0xfe8f, true),
    (0x629, 0xfe93, false),
    (0x62a, 0xfe95, true),
    (0x62b, 0xfe99, true),
    (0x62c, 0xfe9d, true),
    (0x62d, 0xfea1, true),
    (0x62e, 0xfea5, true),
    (0x62f, 0xfea9, false),
    (0x630, 0xfeab, false),
    (0x631, 0xfead, false),
    (0x632, 0xfeaf, false),
    (0x633, 0xfeb1, true),
    (0x634, 0xfeb5, true),
    (0x635, 0xfeb9, true),
    (0x636, 0xfebd, true),
    (0x637, 0xfec1, true),
    (0x638, 0xfec5, true),
    (0x639, 0xfec9, true),
    (0x63a, 0xfecd, true),
    (0x641, 0xfed1, true),
    (0x642, 0xfed5, true),
    (0x643, 0xfed9, true),
    (0x644, 0xfedd, true),
    (0x645, 0xfee1, true),
    (0x646, 0xfee5, true),
    (0x647, 0xfee9, true),
    (0x648, 0xfeed, false),
    (0x649, 0xfeef, false),
    (0x64a, 0xfef1, true),
    // Letters of Persian, Urdu and related languages.
    (0x671, 0xfb50, false),
    (0x679, 0xfb66, true),
    (0x67e, 0xfb56, true),
    (0x686, 0xfb7a, true),
    (0x688, 0xfb88, false),
    (0x691, 0xfb8c, false),
    (0x698, 0xfb8a, false),
    (0x6a9, 0xfb8e, true),
    (0x6af, 0xfb92, true),
    (0x6ba, 0xfb9e, false),
    (0x6be, 0xfbaa, true),
    (0x6c0, 0xfba4, false),
    (0x6c1, 0xfba6, true),
    (0x6c7, 0xfbd7, false),
    (0x6cc, 0xfbfc, true),
    (0x6d2, 0xfbae, false),
    (0x6d3, 0xfbb0, false),
];

/// Ligatures of lam and an alef: the alef's code point, and the isolated form. The final form follows it.
const LAM_ALEF: [(u16, u16); 4] = [(0x622, 0xfef5), (0x623, 0xfef7), (0x625, 0xfef9), (0x627, 0xfefb)];

/// Replaces letters by their forms; a letter stays if the font lacks its form according to `has`.
pub fn join(letters: &[char], has: impl Fn(char) -> bool) -> Vec<char> {
    let mut joined = Vec::with_capacity(letters.len());
    // The last letter that is not a mark.
    let mut before: Option<char> = None;
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        at += 1;
        let Some((isolated, joins)) = forms(letter) else {
            joined.push(letter);
            before = if is_mark(letter) { before } else { Some(letter) };
            continue;
        };
        let is_held = before.is_some_and(joins_next);
        before = Some(letter);
        if let Some(alef) = letters.get(at).filter(|_| letter == LAM)
            && let Some(both) = lam_alef(*alef).and_then(|both| form(both, u16::from(is_held)))
            && has(both)
        {
            joined.push(both);
            before = Some(*alef);
            at += 1;
            continue;
        }
        let after = letters.iter().skip(at).find(|letter| !is_mark(**letter));
        let holds = joins && after.is_some_and(|after| joins_previous(*after));
        let look = form(isolated, u16::from(is_held) + 2 * u16::from(holds));
        joined.push(look.filter(|look| has(*look)).unwrap_or(letter));
    }
    joined
}

fn form(isolated: u16, further: u16) -> Option<char> {
    char::from_u32(u32::from(isolated.saturating_add(further)))
}

fn forms(letter: char) -> Option<(u16, bool)> {
    let number = u16::try_from(u32::from(letter)).ok()?;
    FORMS.iter().find(|(of, ..)| *of == number).map(|(_, isolated, joins)| (*isolated, *joins))
}

fn lam_alef(alef: char) -> Option<u16> {
    LAM_ALEF.iter().find(|(of, _)| u32::from(*of) == u32::from(alef)).map(|(_, both)| *both)
}

fn joins_next(letter: char) -> bool {
    matches!(letter, TATWEEL | JOINER) || forms(letter).is_some_and(|(_, joins)| joins)
}

fn joins_previous(letter: char) -> bool {
    matches!(letter, TATWEEL | JOINER) || forms(letter).is_some()
}

fn is_mark(letter: char) -> bool {
    bidi_class(letter) == BidiClass::NSM
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> String {
        join(&text.chars().collect::<Vec<_>>(), |_| true).into_iter().collect()
    }

    #[test]
    fn letters_look_as_their_neighbours_want() {
        // Ain, zah, meem: initial, medial, final.
        assert_eq!(joined("عظم"), "\u{fecb}\u{fec8}\u{fee2}");
        // Reh does not join the next letter.
        assert_eq!(joined("ذراع"), "\u{feab}\u{fead}\u{fe8d}\u{fec9}");
        assert_eq!(joined("يد"), "\u{fef3}\u{feaa}");
        // A hamza joins no letter, and marks are skipped.
        assert_eq!(joined("ب\u{64e}ب"), "\u{fe91}\u{64e}\u{fe90}");
        assert_eq!(joined("بء"), "\u{fe8f}ء");
        assert_eq!(joined("ب\u{200c}ب"), "\u{fe8f}\u{200c}\u{fe8f}");
        assert_eq!(joined("گ_L"), "\u{fb92}_L");
    }

    #[test]
    fn lam_and_alef_are_one() {
        assert_eq!(joined("لا"), "\u{fefb}");
        assert_eq!(joined("بلا"), "\u{fe91}\u{fefc}");
        assert_eq!(joined("لاب"), "\u{fefb}\u{fe8f}");
        let apart = join(&['ل', 'ا'], |form| !matches!(form, '\u{fefb}' | '\u{fefc}'));
        assert_eq!(apart, ['\u{fedf}', '\u{fe8e}']);
        assert_eq!(join(&['ع', 'ظ'], |_| false), ['ع', 'ظ']);
    }
}
