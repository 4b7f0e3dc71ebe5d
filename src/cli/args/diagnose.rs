//! Flags of `sinew diagnose`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::camera::CameraArgs;
use super::check::CheckArgs;
use super::subject::{AskedMode, LoadArgs, PoseArgs, asked_mode};
use super::vulkan::VulkanArgs;

/// `sinew diagnose`
#[derive(Debug, Args)]
pub struct DiagnoseArgs {
    /// A .glb, .gltf, .fbx or .obj file, builtin:NAME ('sinew builtins' lists them), or - for standard input
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    /// PNG of the picture that looks wrong
    ///
    /// Only its outline counts, so it may have any colours and light. Its background should be even, a gradient or
    /// transparent. Set pose and camera to those of the picture.
    #[arg(long, value_name = "PICTURE.png")]
    pub like: PathBuf,

    #[command(flatten)]
    pub load: LoadArgs,

    #[arg(long, short, value_name = "MODE", default_value = "authored", hide_possible_values = true,
        value_parser = asked_mode(),
        help = "Skinning mode that the picture should have")]
    pub mode: AskedMode,

    #[command(flatten)]
    pub posed: PoseArgs,

    #[command(flatten)]
    pub camera: CameraArgs,

    /// Print the result as JSON (docs/reference/json.md explains the keys)
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub check: CheckArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}
