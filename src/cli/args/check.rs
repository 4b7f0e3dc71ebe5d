//! Flags of the commands that check something: reports for CI systems, and the failing findings.

use std::path::PathBuf;

use clap::Args;

/// Reports on a check, and its failing findings.
#[derive(Clone, Debug, Default, Args)]
pub struct CheckArgs {
    /// Also write the results as JUnit XML, for CI systems
    #[arg(long, value_name = "FILE.xml")]
    pub junit: Option<PathBuf>,

    /// Also write a summary as Markdown, such as to "$GITHUB_STEP_SUMMARY"
    #[arg(long, value_name = "FILE.md")]
    pub markdown: Option<PathBuf>,

    /// More findings that fail with exit code 6: error, warning, or kinds of findings, separated by commas
    ///
    /// warning includes error. docs/reference/checks.md lists the kinds of each command, and those that always fail.
    #[arg(long, value_name = "error|warning|KIND,…", value_delimiter = ',')]
    pub fail_on: Vec<String>,
}
