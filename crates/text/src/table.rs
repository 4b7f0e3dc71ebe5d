//! Text tables whose columns fit their content.

use std::io::{self, Write};

use sinew_model::gltf::one_line;

/// Alignment of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Left-aligned words.
    Left,
    /// Right-aligned numbers.
    Right,
}

/// A table under construction: rows of cells, and lines between them that belong to no column.
pub struct Table<'a> {
    columns: &'a [Align],
    lines: Vec<Line>,
}

enum Line {
    Row(Vec<String>),
    Text(String),
}

impl<'a> Table<'a> {
    /// Starts a table with these columns.
    pub fn new(columns: &'a [Align]) -> Self {
        Self { columns, lines: Vec::new() }
    }

    /// Adds a row with a cell for each column; headings are a row as well. Characters that would move the cursor are
    /// escaped.
    pub fn row<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.lines.push(Line::Row(cells.into_iter().map(|cell| one_line(cell.as_ref())).collect()));
    }

    /// Adds a line between rows; without text, it is empty.
    pub fn text(&mut self, text: &str) {
        self.lines.push(Line::Text(one_line(text)));
    }

    /// Writes all lines. Rows are indented by two spaces, and columns are two spaces apart.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut widths = vec![0; self.columns.len()];
        for line in &self.lines {
            let Line::Row(cells) = line else { continue };
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = cell.chars().count().max(*width);
            }
        }
        for line in &self.lines {
            match line {
                Line::Text(text) => writeln!(out, "{text}")?,
                Line::Row(cells) => writeln!(out, "{}", self.padded(cells, &widths).trim_end())?,
            }
        }
        Ok(())
    }

    fn padded(&self, cells: &[String], widths: &[usize]) -> String {
        let cell = |((cell, width), align): ((&String, &usize), &Align)| match align {
            Align::Left => format!("  {cell:<width$}"),
            Align::Right => format!("  {cell:>width$}"),
        };
        cells.iter().zip(widths).zip(self.columns).map(cell).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_hold_whatever_is_in_them() {
        let mut table = Table::new(&[Align::Left, Align::Right, Align::Left]);
        table.row(["mode", "distance", "at"]);
        table.text("between");
        table.row(["lbs", "0.000000000000002648 m", "é"]);
        table.row(["a\u{1b}[2Jb", "0", ""]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        let lines = [
            "  mode                       distance  at",
            "between",
            "  lbs          0.000000000000002648 m  é",
            "  a\\u{1b}[2Jb                       0",
        ];
        assert_eq!(String::from_utf8(out).unwrap().lines().collect::<Vec<_>>(), lines);
    }
}
