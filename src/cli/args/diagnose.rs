//! Flags of `sinew diagnose`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::camera::CameraArgs;
use super::check::CheckArgs;
use super::subject::{AskedMode, LoadArgs, PoseArgs, asked_mode};
use super::vulkan::VulkanArgs;
use crate::analysis::diagnose::Recipe;
use crate::analysis::vertices::Layout;

/// `sinew diagnose`
#[derive(Debug, Args)]
pub struct DiagnoseArgs {
    /// A glTF, FBX, OBJ or USD file, builtin:NAME ('sinew builtins' lists them), or - for standard input
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    /// Vertices that another program skinned, or a picture that looks wrong
    ///
    /// Vertices: .npy, .npz, .obj, .ply, .json as 'sinew export' writes it, .pc2, .mdd, .glb (its stored positions), or
    /// raw little-endian f32; - reads standard input. Sinew finds their order, axes, unit and, unless a pose is given, clip
    /// and time. It then names the mode and every deviation from it (docs/guides/diagnose.md).
    ///
    /// A picture is a PNG. Only its outline counts: colours and light may be any, the background should be even, a
    /// gradient or transparent. Give its pose and camera.
    #[arg(long, value_name = "VERTICES|PICTURE.png")]
    pub like: PathBuf,

    /// The bind pose of the vertices, in the same order
    ///
    /// Needed where the program reordered, welded or split vertices, and the file has no texture coordinates.
    #[arg(long, value_name = "VERTICES", help_heading = "Vertices")]
    pub bind: Option<PathBuf>,

    /// The numbers of each vertex in a raw file: xyz, or xyz,nxnynz
    #[arg(
        long,
        value_name = "xyz[,nxnynz]",
        hide_default_value = true,
        default_value = "xyz",
        help_heading = "Vertices"
    )]
    pub layout: Layout,

    /// The frame of a point cache, or of an array with frames, from 0
    #[arg(long, value_name = "N", help_heading = "Vertices")]
    pub like_frame: Option<usize>,

    /// The skinning that the vertices must have; anything else ends the run with exit code 6
    ///
    /// A mode, and deviations behind commas, such as dqs, blend=0.5 or lbs,cut-3-renormalised. docs/guides/diagnose.md
    /// lists the deviations. Normals and tangents must be as they are defined, or as a deviation says.
    #[arg(long, value_name = "MODE[=SHARE][,FAULT…]", help_heading = "Vertices")]
    pub expect: Option<Recipe>,

    /// The largest distance from --expect, as a share of the model's size
    #[arg(long, value_name = "SHARE", default_value_t = 1e-5, requires = "expect", help_heading = "Vertices",
        value_parser = share)]
    pub within: f64,

    /// Also write the vertices as a .glb that --other can show over the model
    #[arg(long, short, value_name = "FILE.glb", help_heading = "Vertices")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub load: LoadArgs,

    #[arg(long, short, value_name = "MODE", default_value = "authored", hide_possible_values = true,
        value_parser = asked_mode(),
        help = "Skinning mode that the picture should have; vertices tell it themselves")]
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

/// Reads a share of the size: a number above 0.
fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok().filter(|share: &f64| share.is_finite() && *share > 0.0);
    share.ok_or_else(|| "expected a number above 0, such as 1e-5".to_owned())
}
