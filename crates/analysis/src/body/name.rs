//! The side and the words in the name of a joint.

use crate::weights::{Side, side_at};

use super::parts::{EMPTY, TWISTS};

/// Side and words of a joint's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// The side of the body, if the name contains one.
    pub side: Option<Side>,
    /// The words in lower case, without the side, numbers and words without meaning.
    pub words: Vec<String>,
    /// The words without gaps between them.
    pub word: String,
    /// True if all words are without meaning, and so were kept.
    pub is_empty: bool,
}

impl Name {
    /// Reads a name, without a namespace in front of it.
    pub fn of(name: &str) -> Self {
        let own = without_namespace(name);
        let found = side_at(own);
        let parts =
            found.as_ref().and_then(|(_, range)| Some([own.get(..range.start)?, own.get(range.end..)?]));
        let all: Vec<String> = parts.unwrap_or([own, ""]).into_iter().flat_map(words).collect();
        let telling: Vec<String> =
            all.iter().filter(|word| !EMPTY.contains(&word.as_str())).cloned().collect();
        let is_empty = telling.is_empty();
        let words = if is_empty { all } else { telling };
        Self { side: found.map(|(side, _)| side), word: words.concat(), words, is_empty }
    }

    /// Returns true if the name begins or ends with a word: as one or several whole words, or, if the word is long, as a
    /// part of one.
    pub fn has_at_an_end(&self, word: &str) -> bool {
        let whole = |number: usize| {
            let (first, last) = self.words.split_at_checked(number).unwrap_or_default();
            first.concat() == word || last.concat() == word
        };
        let is_long = word.is_ascii() && word.len() > 4;
        let is_part = is_long && (self.word.starts_with(word) || self.word.ends_with(word));
        is_part || (1..self.words.len()).any(whole)
    }

    /// Returns true if the name contains a word; a short one only as a whole word.
    pub fn has(&self, word: &str) -> bool {
        match word.chars().count() {
            0..4 => self.word == word || self.words.iter().any(|own| own == word),
            _ => self.word.contains(word),
        }
    }

    /// Returns true if it is the name of a joint that spreads a twist.
    pub fn is_twist(&self) -> bool {
        TWISTS.iter().any(|twist| self.word.contains(twist))
    }
}

/// Returns the part of a name after its namespaces.
pub fn without_namespace(name: &str) -> &str {
    name.rsplit([':', '|']).next().filter(|own| !own.is_empty()).unwrap_or(name)
}

/// Splits a name into words in lower case. A capital after a small letter begins one, and so does the last of several
/// capitals before a small letter: `IKHand`.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = None;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_next_small = letters.peek().is_some_and(|next| next.is_lowercase());
        let begins = letter.is_uppercase()
            && before.is_some_and(|before: char| !before.is_uppercase() || is_next_small);
        if begins || !letter.is_alphabetic() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        before = Some(letter);
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}
