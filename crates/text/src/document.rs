//! TOML as tables whose keys and values know their line. It must not know what any key means.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// An error in a line of a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct LineError {
    /// Counted from 1; 0 if the file cannot be read at all.
    pub line: usize,
    /// What was found, and what was expected.
    pub message: String,
}

/// A text with the positions of its lines.
pub struct Document<'a> {
    text: &'a str,
    /// Offsets of the ends of the lines.
    ends: Vec<usize>,
}

/// A value with its line.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    value: &'a DeValue<'a>,
    /// Counted from 1.
    pub line: usize,
}

/// A key with its line and its value.
pub struct Entry<'a> {
    /// The key.
    pub key: &'a str,
    /// Counted from 1.
    pub line: usize,
    /// Its value.
    pub value: Value<'a>,
}

impl<'a> Document<'a> {
    /// Finds the lines of a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, ends: text.match_indices('\n').map(|(offset, _)| offset).collect() }
    }

    /// Parses the whole text as one table.
    pub fn parse(&self) -> Result<DeTable<'a>, LineError> {
        DeTable::parse(self.text).map(Spanned::into_inner).map_err(|error| {
            let line = self.line(error.span().map_or(0, |span| span.start));
            LineError { line, message: error.message().replace('\n', " ") }
        })
    }

    /// All entries of a table, by key.
    pub fn entries<'v>(&'v self, table: &'v DeTable<'v>) -> impl Iterator<Item = Entry<'v>> {
        table.iter().map(|(key, value)| Entry {
            key: key.get_ref(),
            line: self.line(key.span().start),
            value: self.value(value),
        })
    }

    /// The items, if it is a list.
    pub fn items<'v>(&'v self, list: Value<'v>) -> Option<Vec<Value<'v>>> {
        match list.value {
            DeValue::Array(items) => Some(items.iter().map(|item| self.value(item)).collect()),
            _ => None,
        }
    }

    fn value<'v>(&self, value: &'v Spanned<DeValue<'v>>) -> Value<'v> {
        Value { value: value.get_ref(), line: self.line(value.span().start) }
    }

    fn line(&self, offset: usize) -> usize {
        self.ends.partition_point(|end| *end < offset).saturating_add(1)
    }
}

impl<'a> Value<'a> {
    /// The table, if it is one.
    pub fn table(self) -> Option<&'a DeTable<'a>> {
        match self.value {
            DeValue::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    pub fn switch(self) -> Option<bool> {
        self.value.as_bool()
    }

    /// The string, if it is one.
    pub fn text(self) -> Option<&'a str> {
        self.value.as_str()
    }

    /// A string or number, as typed after a flag.
    pub fn word(self) -> Option<String> {
        match self.value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
            DeValue::Float(number) => Some(number.as_str().to_owned()),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn number(self) -> Option<f64> {
        match self.value {
            DeValue::Integer(_) | DeValue::Float(_) => self.word()?.parse().ok(),
            _ => None,
        }
    }

    /// The unsigned integer, if it is one.
    pub fn count(self) -> Option<usize> {
        match self.value {
            DeValue::Integer(_) => self.word()?.parse().ok(),
            _ => None,
        }
    }

    /// Describes the value in messages.
    pub fn what(self) -> String {
        match self.value {
            DeValue::String(text) => format!("'{text}'"),
            DeValue::Integer(number) => number.as_str().to_owned(),
            DeValue::Float(number) => number.as_str().to_owned(),
            DeValue::Boolean(switch) => switch.to_string(),
            DeValue::Datetime(_) => "a date".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        }
    }

    /// The error that something else was expected.
    pub fn expected(self, what: &str) -> LineError {
        LineError { line: self.line, message: format!("expected {what}, found {}", self.what()) }
    }
}
