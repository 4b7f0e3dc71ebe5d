//! Flags of `sinew lesson`.

use std::path::PathBuf;

use clap::Args;

use super::output::png;

/// `sinew lesson`
#[derive(Debug, Args)]
pub struct LessonArgs {
    /// Step to open, from 1 to 12 [default: list them]
    #[arg(value_name = "STEP")]
    pub step: Option<String>,

    /// Check an answer to the step's exercise
    #[arg(long, value_name = "ANSWER", requires = "step", allow_hyphen_values = true)]
    pub answer: Option<String>,

    /// Draw the step's picture into this file, and open no window
    #[arg(long, short, value_name = "OUT.png", requires = "step", conflicts_with = "answer", value_parser = png)]
    pub screenshot: Option<PathBuf>,

    /// Write all steps as a page, index.html, with their pictures into this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["step", "answer", "screenshot"])]
    pub write: Option<PathBuf>,
}
