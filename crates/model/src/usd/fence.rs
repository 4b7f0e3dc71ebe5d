//! A fence around the library: what it panics at becomes an error of the file.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::stage::broken;
use crate::reading::LoadError;

/// Runs a read. Where panics unwind, one of the library ends as an error.
///
/// # Errors
/// An error of the read, or one for a panic.
pub fn fenced<T>(read: impl FnOnce() -> Result<T, LoadError>) -> Result<T, LoadError> {
    // Nothing that the read has changed is used afterwards.
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(broken("the library cannot go on with it")))
}
