//! A model's layout for the fast path, shared by callers that keep a model and skin it now and then.

use std::sync::{Mutex, PoisonError};

use super::PreparedModel;
use crate::cpu::Error;
use sinew_model::Model;

/// The layout of one model, made at its first use. Several threads may use it, one after another.
#[derive(Default)]
pub struct SharedLayout(Mutex<Option<PreparedModel>>);

impl SharedLayout {
    /// Passes the layout to `work`. `model` must be the same in every call.
    ///
    /// # Errors
    /// As for [`PreparedModel::new`], and those of `work`.
    pub fn with<T>(
        &self,
        model: &Model,
        work: impl FnOnce(&mut PreparedModel) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut layout = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Taken out meanwhile, so that a panic leaves no half of one.
        let mut prepared = match layout.take() {
            Some(prepared) => prepared,
            None => PreparedModel::new(model)?,
        };
        let result = work(&mut prepared);
        *layout = Some(prepared);
        result
    }
}
