//! Splits a file's bytes and parses its JSON.

use super::container::{self, Container};
use super::json::{self, Document};
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;

/// A file's two parts, what it may unfold to, and its JSON as it is written.
pub fn parse(bytes: &[u8]) -> Result<(Container<'_>, Budget, Document), LoadError> {
    let container = container::split(bytes).map_err(LoadError::Container)?;
    let mut budget = Budget::beside(container.json).ok_or(LoadError::TooManyObjects)?;
    budget.add(container.binary.map_or(0, <[u8]>::len));
    let document = json::parse(container.json)?;
    Ok((container, budget, document))
}
