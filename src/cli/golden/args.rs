//! What can be typed after `sinew golden`. It must not look at files or devices.

use std::path::PathBuf;

use clap::Args;

use crate::cli::args::VulkanArgs;

const EXAMPLES: &str = "\
Example: tests/golden.toml
  [defaults]
  model = \"../models/fox.glb\"        # from the list's folder, or builtin:NAME
  size = \"128x128\"
  [defaults.tolerance.swiftshader]    # other drivers: exact
  flip_mean = 0.01
  flip_tile = 0.25

  [[case]]
  name = \"run\"                       # run-lbs-0, run-lbs-0.35, run-dqs-0, run-dqs-0.35
  mode = [\"lbs\", \"dqs\"]
  clip = \"Run\"
  time = [0, 0.35]

  sinew golden tests                  compares with tests/run-lbs-0.png, …
  sinew golden tests --update         takes all that fail as they are
  sinew golden tests --update run     takes the four pictures of run as they are

Every flag of a picture is a key without its dashes; see docs/goldens.md.

Environment:
  UPDATE_GOLDEN      names with commas between them, or all (or 1): as --update, for test programs";

/// `sinew golden`
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct GoldenArgs {
    /// The folder with golden.toml and the goldens
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Write these goldens anew, or without names all that fail
    ///
    /// A case's name, or one that several cases were made of. A picture that shows nothing is never taken.
    #[arg(long, value_name = "NAME", num_args = 0..)]
    pub update: Option<Vec<String>>,

    /// Folder for pictures of failures and the page that shows them [default: DIR/failures]
    ///
    /// It is made when something fails. What an earlier run has written there is removed, and nothing else.
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Print verdicts and figures as JSON instead of the table
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}
