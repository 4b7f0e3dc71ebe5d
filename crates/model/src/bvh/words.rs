//! The words of a text, with their lines for errors.

use crate::reading::LoadError;
use crate::reading::message::quoted;

/// The words of a text, one after the other.
pub struct Words<'a> {
    text: &'a str,
    /// The start of the rest.
    at: usize,
    /// Line of the last word.
    line: usize,
}

impl<'a> Words<'a> {
    /// Starts with the first word.
    pub fn new(text: &'a str) -> Self {
        Self { text: text.strip_prefix('\u{feff}').unwrap_or(text), at: 0, line: 1 }
    }

    /// Returns the next word.
    pub fn next(&mut self) -> Option<&'a str> {
        self.skip(char::is_whitespace);
        let start = self.at;
        let rest = self.text.get(start..)?;
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = start.saturating_add(length);
        self.text.get(start..self.at).filter(|word| !word.is_empty())
    }

    /// Returns the rest of the line: a name that may have spaces.
    pub fn line(&mut self) -> &'a str {
        self.skip(|letter| letter.is_whitespace() && letter != '\n');
        let rest = self.text.get(self.at..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        // An opening brace may follow a name on its line.
        let line = line.split('{').next().unwrap_or_default();
        self.at = self.at.saturating_add(line.len());
        line.trim()
    }

    fn skip(&mut self, what: impl Fn(char) -> bool) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.find(|letter| !what(letter)).unwrap_or(rest.len());
        let skipped = rest.get(..length).unwrap_or_default();
        self.line = self.line.saturating_add(skipped.matches('\n').count());
        self.at = self.at.saturating_add(length);
    }

    /// Returns the number of rows that the rest has if each has this many words; `None` if the last one is short.
    pub fn rows_of(&self, words: usize) -> Option<usize> {
        let left = self.text.get(self.at..).unwrap_or_default().split_whitespace().count();
        left.checked_div(words).filter(|_| left.is_multiple_of(words))
    }

    /// Returns true if the next word is this one, in any case.
    pub fn is_next(&self, expected: &str) -> bool {
        let mut ahead = Self { ..*self };
        ahead.next().is_some_and(|word| word.eq_ignore_ascii_case(expected))
    }

    /// Checks that the next word is this one, in any case.
    pub fn expect(&mut self, expected: &str) -> Result<(), LoadError> {
        match self.next() {
            Some(word) if word.eq_ignore_ascii_case(expected) => Ok(()),
            found => Err(self.unexpected(&format!("'{expected}'"), found)),
        }
    }

    /// Returns the next word as a number.
    pub fn number(&mut self, what: &str) -> Result<f64, LoadError> {
        let word = self.next();
        // Some programs write a decimal comma.
        let number = word.and_then(|word| word.replace(',', ".").parse::<f64>().ok());
        number.filter(|number| number.abs() <= f64::from(f32::MAX)).ok_or_else(|| self.unexpected(what, word))
    }

    /// Returns the next word as a count.
    pub fn count(&mut self, what: &str) -> Result<usize, LoadError> {
        let word = self.next();
        word.and_then(|word| word.parse().ok()).ok_or_else(|| self.unexpected(what, word))
    }

    fn unexpected(&self, expected: &str, found: Option<&str>) -> LoadError {
        let found = found.map_or_else(|| "the end of the file".to_owned(), quoted);
        self.fault(&format!("expected {expected} instead of {found}"))
    }

    /// An error at the last word.
    pub fn fault(&self, message: &str) -> LoadError {
        LoadError::invalid(format!("line {}", self.line), message)
    }
}
