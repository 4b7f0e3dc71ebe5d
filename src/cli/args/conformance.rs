//! Flags of `sinew conformance`.

use std::path::PathBuf;

use clap::Args;

use super::check::CheckArgs;
use super::vulkan::VulkanArgs;

const EXAMPLES: &str = "\
Examples:
  sinew conformance                               list the cases
  sinew conformance --write suite                 write models, manifest and expected vertices
  sinew conformance --judge results               judge what a program skinned
  sinew conformance --judge results --html r.html --junit r.xml

A result is a file NAME.MODE.npz, such as influences-04.lbs.npz, with positions of shape (times, vertices, 3);
.npy, .json, .pc2 and .mdd are read as well, and NAME.MODE.0.obj, NAME.MODE.1.obj, … with one file per time.
docs/guides/conformance.md shows how to write them.";

/// `sinew conformance`
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ConformanceArgs {
    /// Write the suite into this folder: models, manifest, expected vertices
    ///
    /// The folder must be empty, or hold a suite that sinew wrote.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["judge", "json"])]
    pub write: Option<PathBuf>,

    /// Judge the results of a program in this folder; exit code 6 if a required case fails
    #[arg(long, value_name = "RESULTS", value_parser = clap::value_parser!(PathBuf))]
    pub judge: Option<PathBuf>,

    /// Print the results, or the list of cases, as JSON (docs/reference/json.md explains the keys)
    #[arg(long)]
    pub json: bool,

    /// Also write the results as a page with pictures of the failures
    #[arg(long, value_name = "FILE.html", requires = "judge")]
    pub html: Option<PathBuf>,

    #[command(flatten)]
    pub check: CheckArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}
