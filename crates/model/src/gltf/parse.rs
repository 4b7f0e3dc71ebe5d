//! Splits a file's bytes and parses its JSON.

use super::budget::Budget;
use super::container::{self, Container};
use super::error::LoadError;
use super::json::{self, Document};

/// A file's two parts, what it may unfold to, and its JSON as it is written.
pub fn parse(bytes: &[u8]) -> Result<(Container<'_>, Budget, Document), LoadError> {
    let container = container::split(bytes).map_err(LoadError::Container)?;
    let mut budget = Budget::beside(container.json).ok_or(LoadError::TooManyObjects)?;
    budget.add(container.binary.map_or(0, <[u8]>::len));
    let document = json::parse(container.json)?;
    Ok((container, budget, document))
}
