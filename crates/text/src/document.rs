//! TOML tables whose keys and values have line numbers. The module must not depend on the meaning of keys.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// An error in a line of a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct LineError {
    /// Line number from 1; 0 if the file cannot be read at all.
    pub line: usize,
    /// The finding and the expectation.
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
    /// Line number from 1.
    pub line: usize,
}

/// A key with its line and its value.
pub struct Entry<'a> {
    /// The key.
    pub key: &'a str,
    /// Line number from 1.
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

    /// Returns all entries of a table, by key.
    pub fn entries<'v>(&'v self, table: &'v DeTable<'v>) -> impl Iterator<Item = Entry<'v>> {
        table.iter().map(|(key, value)| Entry {
            key: key.get_ref(),
            line: self.line(key.span().start),
            value: self.value(value),
        })
    }

    /// Returns the items, if the value is a list.
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
    /// Returns the table, if the value is one.
    pub fn table(self) -> Option<&'a DeTable<'a>> {
        match self.value {
            DeValue::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Returns the boolean, if the value is one.
    pub fn switch(self) -> Option<bool> {
        self.value.as_bool()
    }

    /// Returns the string, if the value is one.
    pub fn text(self) -> Option<&'a str> {
        self.value.as_str()
    }

    /// Returns a string or number as text, as typed after a flag.
    pub fn word(self) -> Option<String> {
        match self.value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
            DeValue::Float(number) => Some(number.as_str().to_owned()),
            _ => None,
        }
    }

    /// Returns the number, if the value is one.
    pub fn number(self) -> Option<f64> {
        match self.value {
            DeValue::Integer(_) | DeValue::Float(_) => self.word()?.parse().ok(),
            _ => None,
        }
    }

    /// Returns the unsigned integer, if the value is one.
    pub fn count(self) -> Option<usize> {
        match self.value {
            DeValue::Integer(_) => self.word()?.parse().ok(),
            _ => None,
        }
    }

    /// Describes the value for messages.
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

    /// Returns the error for a value of an unexpected kind.
    pub fn expected(self, what: &str) -> LineError {
        LineError { line: self.line, message: format!("expected {what}, found {}", self.what()) }
    }
}
