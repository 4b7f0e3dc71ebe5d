//! Flags of `sinew fit`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::compare::{json_file, named_json};
use super::limit::{Limit, limit};
use super::output::{per_second, png};
use super::subject::{AskedMode, LoadArgs, asked_mode};
use super::vulkan::VulkanArgs;
use crate::fit::MAX_HELPERS;

/// `sinew fit`
#[derive(Debug, Args)]
pub struct FitArgs {
    /// The model to fit
    #[arg(value_name = "MODEL")]
    pub model: OsString,

    #[command(flatten)]
    pub load: LoadArgs,

    #[arg(long, short, value_name = "MODE", default_value = "dqs", hide_possible_values = true, value_parser = asked_mode(),
        help = "Skinning mode whose deformation linear blending follows in the file")]
    pub mode: AskedMode,

    /// Follow these vertices of MODEL in one clip instead: a .pc2, .mdd, .npy or .ply, or 'run-*.obj' for a file per frame
    #[arg(long, value_name = "CACHE", conflicts_with_all = ["mode", "range"])]
    pub from: Option<OsString>,

    /// Make a skeleton of N joints for the vertices of --from, in place of the model's own
    #[arg(long, value_name = "N", requires = "from", conflicts_with_all = ["helpers", "within", "clip"],
        value_parser = clap::value_parser!(u16).range(2..=MAX_HELPERS as i64))]
    pub joints: Option<u16>,

    /// Add N joints [default: 8]
    ///
    /// Each is a child of the joint that it follows, and has keys in every clip. The model's own joints and clips stay as
    /// they are (docs/guides/fit.md).
    #[arg(long, value_name = "N", conflicts_with = "within",
        value_parser = clap::value_parser!(u16).range(1..=MAX_HELPERS as i64))]
    pub helpers: Option<u16>,

    /// Add as few joints as keep every vertex within this distance in the fitted poses: 1mm, or 0.1% of the diagonal
    #[arg(long, value_name = "LENGTH", value_parser = limit)]
    pub within: Option<Limit>,

    /// Fit the poses of this clip, by name or number, instead of all; can be repeated
    #[arg(long, value_name = "CLIP")]
    pub clip: Vec<String>,

    /// Fit the poses of all clips, as without --clip
    #[arg(long, conflicts_with = "clip")]
    #[allow(dead_code, reason = "it names the default")]
    pub all_clips: bool,

    /// Also fit the poses of this folder's pose files, *.json (docs/reference/poses.md)
    #[arg(long, value_name = "DIR", conflicts_with = "from")]
    pub poses: Option<PathBuf>,

    /// Also fit N poses that no clip has, in which each joint takes its own rotation from the clips [default: 60 with
    /// --driven, otherwise 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub range: Option<u16>,

    /// Write a table for each added joint that moves it by the rotation of another, without keys
    ///
    /// Clips that are made later need no keys for the added joints then (docs/guides/fit.md). The clips of the file keep theirs.
    #[arg(long, value_name = "FILE.json", conflicts_with = "joints", value_parser = named_json)]
    pub driven: Option<PathBuf>,

    /// Maximum number of joints that move a vertex whose weights change
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=16))]
    pub max_influences: u8,

    /// Keys per second of the added joints
    #[arg(long, value_name = "F", default_value_t = 30.0, value_parser = per_second)]
    pub fps: f64,

    /// File to write: .glb, or .usda, .usdc or .usdz
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,

    /// Also draw the worst frame: the wanted deformation, lbs before and after, and the difference that is left
    #[arg(long, value_name = "FILE.png", value_parser = png)]
    pub screenshot: Option<PathBuf>,

    /// Print the distances as JSON instead of the table, or write them to a .json file
    #[arg(long, value_name = "FILE.json", num_args = 0..=1, default_missing_value = "-", value_parser = json_file)]
    pub json: Option<PathBuf>,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}
