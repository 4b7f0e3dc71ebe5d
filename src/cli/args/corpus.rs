//! Flags of `sinew corpus`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::analysis::corpus::Level;
use crate::analysis::report::Shard;

use super::check::CheckArgs;

const EXAMPLES: &str = "\
Examples:
  sinew corpus check characters -o checked
      Check every model in a folder and the folders below it.
  sinew corpus compare old new -o compared --level normal --fail-on error
      Compare the models of two folders, paired by their paths.
  find . -name '*.glb' | sinew corpus check - -o checked --shard 3/8
      Check the third of eight shares of a list.
  sinew corpus merge share-1 share-2 -o all
      Join the ledgers of several shares.

The same command goes on where a stopped one ended. docs/guides/corpus.md explains levels, findings and tables.";

/// The action of `sinew corpus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CorpusAction {
    /// Check each model.
    Check,
    /// Compare each model with its partner.
    Compare,
    /// Join ledgers.
    Merge,
    /// Check one model, or compare one pair, and print the result as JSON. The other actions start a process for each asset
    /// with it.
    #[value(hide = true)]
    One,
}

/// `sinew corpus`
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CorpusArgs {
    /// check, compare or merge
    #[arg(value_name = "ACTION", value_enum, hide_possible_values = true)]
    pub action: CorpusAction,

    /// Folders, models, or lists of models (a text file, or - for standard input); for compare the old and the new folder, or
    /// a .csv with a pair on each line; for merge the folders of other runs
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<OsString>,

    /// Folder for the ledger, the tables and index.html; it must be empty or hold an earlier run
    #[arg(long, short, value_name = "DIR", required_if_eq_any = [("action", "check"), ("action", "compare"), ("action", "merge")])]
    pub output: Option<PathBuf>,

    #[arg(
        long,
        value_name = "LEVEL",
        default_value = "quick",
        hide_possible_values = true,
        help = "quick: three poses of each clip; normal: twelve, in lbs and dqs, too; full: every frame, in all modes"
    )]
    pub level: Level,

    /// Run only share I of N, such as 3/8; an asset's share depends on its name alone
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,

    /// Number of processes at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// Maximum number of pages that show an asset in three dimensions: the worst of each group of findings first, then typical
    /// ones; 0 for none
    #[arg(long, value_name = "N", default_value = "24")]
    pub pages: u16,

    /// Seconds after which an asset's process is ended
    #[arg(long, value_name = "SECS", default_value = "300", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit_time: u32,

    /// MiB of memory above which an asset's process is ended (on Linux)
    #[arg(long, value_name = "MIB", default_value = "4096", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit_memory: u32,

    #[command(flatten)]
    pub check: CheckArgs,
}
