//! Flags of `sinew view-page`, and those of all measured pages.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::analysis::corpus::Level;
use crate::analysis::measure::{Frames, MAX_FRAMES};
use crate::skinning::SkinningMode;
use clap::Args;

use super::subject::{LoadArgs, mode};
use super::vulkan::VulkanArgs;

/// The clips, modes and frames to measure.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// Clips to measure, by name or number, separated by commas [default: all]
    #[arg(long, value_name = "CLIP,…", value_delimiter = ',', allow_hyphen_values = true)]
    pub clips: Vec<String>,

    /// Modes to measure, separated by commas [default: all that differ]
    #[arg(long, value_name = "MODE,…", value_delimiter = ',', hide_possible_values = true, value_parser = mode())]
    pub modes: Vec<SkinningMode>,

    #[arg(long, value_name = "N",
        help = format!("Measure N frames of each clip, evenly spaced, at most {MAX_FRAMES} [default: 30 per second and every key]"))]
    pub frames: Option<Frames>,
}

/// `sinew view-page`
#[derive(Debug, Args)]
pub struct ViewPageArgs {
    /// The model: a file, builtin:NAME, or - for standard input
    #[arg(value_name = "MODEL")]
    pub model: OsString,

    /// Another export of the same character, to show both and what differs
    #[arg(value_name = "NEW", conflicts_with_all = ["clips", "modes", "frames"])]
    pub new: Option<OsString>,

    /// Page to write: one file, without links to others; - is standard output
    #[arg(long, short, value_name = "FILE.html")]
    pub output: PathBuf,

    #[command(flatten)]
    pub plan: PlanArgs,

    /// Depth of the search for findings, as for 'sinew corpus': quick, normal or full
    #[arg(long, value_name = "LEVEL", default_value = "normal", hide_possible_values = true)]
    pub level: Level,

    /// Omit pictures, which need Vulkan
    #[arg(long)]
    pub no_pictures: bool,

    #[command(flatten)]
    pub load: LoadArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}
