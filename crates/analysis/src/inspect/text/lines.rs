//! Lines of the text report: wraps words, indents entries and cuts long lists short.

/// The width in columns, which fits a terminal beside an editor.
const WIDTH: usize = 100;

/// The maximum number of entries in a section.
pub const MAX_ENTRIES: usize = 8;

/// Text under construction.
#[derive(Default)]
pub struct Lines {
    /// The text so far.
    pub text: String,
}

impl Lines {
    /// Adds a line unchanged.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// Adds an entry of a section, on as many lines as it needs.
    pub fn item(&mut self, text: &str) {
        self.wrapped("  ", "      ", text);
    }

    /// Adds a detail of an entry.
    pub fn detail(&mut self, text: &str) {
        self.wrapped("      ", "        ", text);
    }

    /// Wraps words into lines; the first line starts with `first`, the others with `other`.
    pub fn wrapped(&mut self, first: &str, other: &str, text: &str) {
        let mut line = first.to_owned();
        let mut is_empty = true;
        // Break only at single spaces, to keep alignment within the text.
        for word in text.split(' ') {
            let too_long = line.chars().count() + word.chars().count() + 1 > WIDTH;
            if too_long && !is_empty {
                self.line(&line);
                line = other.to_owned();
                is_empty = true;
            }
            if !is_empty {
                line.push(' ');
            }
            line.push_str(word);
            is_empty = is_empty && word.is_empty();
        }
        self.line(&line);
    }

    /// Adds a heading and the first entries; nothing without entries.
    pub fn section<T>(&mut self, heading: &str, entries: &[T], entry: impl Fn(&mut Self, usize, &T)) {
        if entries.is_empty() {
            return;
        }
        self.line("");
        self.line(heading);
        for (number, found) in entries.iter().enumerate().take(MAX_ENTRIES) {
            entry(self, number, found);
        }
        self.more(entries.len().saturating_sub(MAX_ENTRIES));
    }

    /// Says how many entries are left out; nothing for none.
    pub fn more(&mut self, more: usize) {
        if more > 0 {
            self.item(&format!("… and {more} more; --json lists all"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words() {
        let mut out = Lines::default();
        out.item(&["word"; 60].join(" "));
        assert_eq!(out.text.lines().count(), 4);
        assert!(out.text.lines().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(out.text.split_whitespace().count(), 60);
        out.item(&"x".repeat(300));
        assert_eq!(out.text.lines().count(), 5, "a word is never broken");
    }
}
