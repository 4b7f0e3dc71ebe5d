//! The results of a run over a list.

use std::path::PathBuf;

use crate::golden::{Orphan, Outcome};
use crate::output::{Closed, Folder};

use crate::cli::terminal::failure::Failure;

/// The results of a run.
pub struct Run {
    pub device: String,
    pub driver: String,
    /// The folder with the goldens.
    pub goldens: Folder,
    pub outcomes: Vec<Outcome>,
    /// Goldens without a case.
    pub orphans: Vec<Orphan>,
    /// Failures to draw.
    pub failures: Vec<Failure>,
    /// The page of the report, if there is one.
    pub page: Option<PathBuf>,
    pub inputs: Closed,
}
