//! Flags of `sinew golden`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::analysis::report::Shard;

use clap::Args;

use super::check::CheckArgs;
use super::vulkan::VulkanArgs;

const EXAMPLES: &str = "\
Example: tests/golden.toml
  [defaults]
  model = \"../models/fox.glb\"        # relative to the list; also builtin:NAME, or \"../models/*.glb\"
  size = \"128x128\"
  [defaults.tolerance.swiftshader]    # other drivers: exact
  flip_mean = 0.01
  flip_tile = 0.25

  [[case]]
  name = \"run\"                       # run-lbs-0, run-lbs-0.35, run-dqs-0, run-dqs-0.35
  mode = [\"lbs\", \"dqs\"]
  clip = \"Run\"
  time = [0, 0.35]

  sinew golden tests --init fox.glb   writes such a list, and its goldens
  sinew golden tests                  compares with tests/run-lbs-0.png, …
  sinew golden tests --update         writes a new golden for every picture that fails
  sinew golden tests --update run     writes new goldens for the four pictures of run

Every flag that changes a picture is a key, without its dashes. See docs/guides/goldens.md.

Environment:
  UPDATE_GOLDEN      like --update, for test programs: names separated by commas, or all (or 1)";

/// `sinew golden`
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct GoldenArgs {
    /// Folder with golden.toml and the goldens
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Replace these goldens; without names, all that fail
    ///
    /// NAME is a case, or a list entry that makes several cases. sinew never accepts an empty picture.
    #[arg(long, value_name = "NAME", num_args = 0..)]
    pub update: Option<Vec<String>>,

    /// Folder for the report: pictures of failures, and a page that shows them [default: DIR/failures]
    ///
    /// sinew creates it when something fails, and removes only files that an earlier run wrote there. Several runs may
    /// share it, as shards do. Each replaces the cases that it draws.
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Draw only share I of N, such as 3/8; a case's share depends on its name alone
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,

    #[command(flatten)]
    pub check: CheckArgs,

    /// Write a list for these models, and its goldens, into a folder without a list
    #[arg(long, value_name = "MODEL", num_args = 1.., conflicts_with_all = ["update", "shard"])]
    pub init: Vec<OsString>,

    /// Print the results as JSON instead of the table
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}
