//! Lines that fit: words broken where they must be, entries indented, long lists cut short. It must not know
//! what is listed.

/// Columns that fit a terminal beside an editor.
const WIDTH: usize = 100;

/// How many entries of a section are written out.
pub const MOST_ENTRIES: usize = 8;

/// Text under construction.
#[derive(Default)]
pub struct Lines {
    /// So far.
    pub text: String,
}

impl Lines {
    /// A line as it is.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// An entry of a section, on as many lines as it needs.
    pub fn item(&mut self, text: &str) {
        self.wrapped("  ", "      ", text);
    }

    /// A detail of an entry.
    pub fn detail(&mut self, text: &str) {
        self.wrapped("      ", "        ", text);
    }

    /// Words on lines that fit, the first after `first`, the others after `other`.
    pub fn wrapped(&mut self, first: &str, other: &str, text: &str) {
        let mut line = first.to_owned();
        let mut is_empty = true;
        // Alignment within the text is kept: only single spaces are places to break.
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

    /// A heading and the first entries; nothing at all where there are none.
    pub fn section<T>(&mut self, heading: &str, entries: &[T], entry: impl Fn(&mut Self, usize, &T)) {
        if entries.is_empty() {
            return;
        }
        self.line("");
        self.line(heading);
        for (number, found) in entries.iter().enumerate().take(MOST_ENTRIES) {
            entry(self, number, found);
        }
        self.more(entries.len().saturating_sub(MOST_ENTRIES));
    }

    fn more(&mut self, more: usize) {
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
