//! What a run over a list has found.

use std::path::PathBuf;

use sinew::golden::Outcome;
use sinew::output::Inputs;

use crate::cli::failure::Failure;

/// Everything a run has found.
pub struct Run {
    pub device: String,
    pub driver: String,
    pub outcomes: Vec<Outcome>,
    /// What kept pictures from being drawn.
    pub failures: Vec<Failure>,
    /// The page of the report, if there is one.
    pub page: Option<PathBuf>,
    pub inputs: Inputs,
}
