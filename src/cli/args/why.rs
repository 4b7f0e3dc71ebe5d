//! Flags of `sinew why`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::analysis::measure::{Frames, MAX_FRAMES};
use crate::skinning::SkinningMode;
use clap::Args;

use super::camera::CameraArgs;
use super::output::png;
use super::subject::{AskedMode, LoadArgs, asked_mode, mode};
use super::vulkan::VulkanArgs;

/// `sinew why`
#[derive(Debug, Args)]
pub struct WhyArgs {
    /// A glTF, FBX, OBJ or USD file, builtin:NAME ('sinew builtins' lists them), or - for standard input
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    #[command(flatten)]
    pub load: LoadArgs,

    /// Joint that looks broken: its name, #NUMBER, or a word such as elbow, left knee or wrist
    ///
    /// A word matches all such joints, in the naming of any rig, and selects the worst of them. [default: the worst of
    /// all joints]
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub joint: Option<String>,

    #[arg(long, short, value_name = "MODE", default_value = "authored", hide_possible_values = true,
        value_parser = asked_mode(),
        help = "Mode in which it looks broken, and in which the worst frame is found")]
    pub mode: AskedMode,

    /// Modes to choose from, separated by commas [default: all]
    #[arg(long, value_name = "MODE,…", value_delimiter = ',', hide_possible_values = true, value_parser = mode())]
    pub modes: Vec<SkinningMode>,

    /// Clip to measure, by name or number; can be repeated [default: all]
    #[arg(long, value_name = "NAME|INDEX", allow_hyphen_values = true)]
    pub clip: Vec<String>,

    #[arg(long, value_name = "N",
        help = format!("Measure N frames of each clip, evenly spaced, at most {MAX_FRAMES} [default: 30 per second and every key]"))]
    pub frames: Option<Frames>,

    /// Print the result as JSON (docs/reference/json.md explains the keys)
    #[arg(long)]
    pub json: bool,

    /// Also draw a strip: close-ups of the joint in the worst frame, in each mode [default: text alone, without Vulkan]
    #[arg(long, short, value_name = "STRIP.png", value_parser = png)]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub camera: CameraArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}
