//! A line of text that needs no allocation, for use when memory may be exhausted.

use std::fmt::{Result, Write};

/// Text of limited length; the rest is truncated.
pub(super) struct Line {
    bytes: [u8; 512],
    count: usize,
}

impl Default for Line {
    fn default() -> Self {
        Self { bytes: [0; 512], count: 0 }
    }
}

impl Line {
    /// Appends text that need not be UTF-8.
    pub(super) fn add(&mut self, text: &[u8]) {
        for (byte, place) in text.iter().zip(self.bytes.iter_mut().skip(self.count)) {
            *place = *byte;
            self.count += 1;
        }
    }

    /// Returns the text.
    pub(super) fn text(&self) -> &[u8] {
        self.bytes.get(..self.count).unwrap_or_default()
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_added_until_there_is_no_room() {
        let mut line = Line::default();
        for number in [0, 7, 10, usize::MAX] {
            write!(line, "{number} ").unwrap();
        }
        line.add(b"\xff");
        let expected = [format!("0 7 10 {} ", usize::MAX).as_bytes(), b"\xff"].concat();
        assert_eq!(line.text(), expected);
        line.add(&[b'x'; 600]);
        assert_eq!((line.text().len(), line.text().last()), (512, Some(&b'x')));
    }
}
