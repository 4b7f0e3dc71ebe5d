//! Prints a table or a JSON document row by row, so that a run that is stopped has printed what it measured.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;
use crate::writing::write_json_pretty;

/// A started table or document.
pub struct Rows {
    is_json: bool,
    /// Number of printed rows.
    count: usize,
}

impl Rows {
    /// Prints everything above the rows: the table's heading, or the members of `head` and the start of the list `runs`.
    pub fn begin(
        is_json: bool,
        head: &impl Serialize,
        heading: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Self, Failure> {
        print(|out| match is_json {
            true => {
                let text = json(head)?;
                let members = text.trim_end().trim_end_matches('}').trim_end();
                write!(out, "{members},\n  \"runs\": [")
            }
            false => heading(out),
        })?;
        Ok(Self { is_json, count: 0 })
    }

    /// Prints rows, in the table as `lines`.
    pub fn add<R: Serialize>(
        &mut self,
        rows: &[R],
        lines: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let before = self.count;
        self.count += rows.len();
        print(|out| {
            if !self.is_json {
                return lines(out);
            }
            for (number, row) in (before..).zip(rows) {
                write!(out, "{}", if number == 0 { "\n" } else { ",\n" })?;
                let text = json(row)?;
                let indented: Vec<String> =
                    text.trim_end().lines().map(|line| format!("    {line}")).collect();
                write!(out, "{}", indented.join("\n"))?;
            }
            Ok(())
        })
    }

    /// Prints everything below the rows.
    pub fn end(self, foot: &str) -> Result<(), Failure> {
        print(|out| match self.is_json {
            true => writeln!(out, "\n  ]\n}}"),
            false => writeln!(out, "\n{foot}"),
        })
    }
}

fn json(value: &impl Serialize) -> io::Result<String> {
    let mut text = Vec::new();
    write_json_pretty(&mut text, value)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
