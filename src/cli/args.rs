//! What can be typed. It must not look at files or devices: only the words themselves are checked.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use sinew::camera::Orbit;
use sinew::scene::Processor;
use sinew::skinning::SkinningMode;
use sinew::vulkan::{DeviceChoice, InstanceOptions};

const ABOUT: &str = "Shows how skinning modes deform a character";

const LONG_ABOUT: &str = "\
Shows how skinning modes deform a character.

sinew loads a glTF model, poses it, skins it on the GPU with rigid, linear-blend or dual-quaternion \
skinning, and draws it. It needs a Vulkan 1.3 driver; a software driver will do.";

const EXAMPLES: &str = "\
Examples:
  sinew --screenshot character.png
      The built-in character in its first clip.
  sinew fox.glb --mode dqs --clip Run --time 0.35 --screenshot fox.png
      A file's clip at a time, with dual quaternions.
  sinew builtin:twist --mode lbs --time 2 --screenshot candy-wrapper.png
      Why linear blending needs company.
  sinew fox.glb --pose bind --screenshot bind.png
      The mesh as stored, skinning not applied.
  sinew fox.glb --camera=-30,15 --size 640x480 --screenshot - > fox.png
      Another viewpoint, to standard output.
  sinew inspect fox.glb
      What is in it, what other renderers would lose, and every rule it breaks.
  sinew verify fox.glb
      Proof that the GPU skins this model as the CPU does, in every mode and clip.
  sinew export fox.glb --mode dqs --clip Run --time 0.35 -o fox.obj
      The skinned vertices, for other programs.
  sinew devices
      Which Vulkan devices there are.

Exit codes:
  0 done   1 the input is at fault   2 usage   3 no usable Vulkan
  4 device, memory or validation failed   5 the output could not be written
  6 a check said no (verify)

Environment:
  SINEW_LOG          what is logged to standard error: error, warn (default), info, debug, trace
  XDG_CACHE_HOME     where compiled pipelines are kept (sinew/ in it)
  VK_DRIVER_FILES    which Vulkan drivers the loader sees";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "sinew",
    version,
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_long_help = EXAMPLES,
    after_help = "'sinew --help' says more, with examples.",
    args_conflicts_with_subcommands = true,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do instead of making a picture.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The picture.
    #[command(flatten)]
    pub picture: PictureArgs,
}

/// Everything but pictures.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the Vulkan devices and whether each can run sinew
    Devices(DevicesArgs),
    /// Say what is in a model, and which rules it breaks
    Inspect(InspectArgs),
    /// Prove that the GPU skins as the CPU does, and both as the reference
    Verify(VerifyArgs),
    /// Write skinned geometry as JSON, PLY, OBJ or GLB
    Export(ExportArgs),
    /// List the built-in models, or write them as .glb files
    Builtins(BuiltinsArgs),
}

/// `sinew devices`
#[derive(Debug, Args)]
pub struct DevicesArgs {
    #[command(flatten)]
    pub validate: ValidateArgs,
}

/// `sinew inspect`
#[derive(Debug, Args)]
pub struct InspectArgs {
    /// A .gltf or .glb file, or builtin:NAME ('sinew builtins' lists them)
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    /// Print everything as JSON instead of the summary (docs/inspect.md explains the keys)
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub load: LoadArgs,
}

/// How a model is read.
#[derive(Debug, Args)]
pub struct LoadArgs {
    /// Take each warning about the model for an error
    #[arg(long, hide_short_help = true)]
    pub strict: bool,
}

/// `sinew verify`
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Models to check, files or builtin:NAME [default: every built-in model]
    #[arg(value_name = "MODEL")]
    pub models: Vec<OsString>,

    /// Print every figure as JSON instead of the table
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub load: LoadArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// `sinew export`
#[derive(Debug, Args)]
pub struct ExportArgs {
    #[command(flatten)]
    pub subject: SubjectArgs,

    /// Who skins: gpu (skin.comp), cpu (its f32 twin) or reference (f64)
    #[arg(
        long,
        value_enum,
        value_name = "gpu|cpu|reference",
        default_value = "gpu",
        hide_possible_values = true
    )]
    pub on: Skinner,

    /// File to write: .json, .ply, .obj or .glb; - is JSON to standard output
    ///
    /// Vertices are in the world and in the file's order. The JSON's "clip" is null for both poses.
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// Who skins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Skinner {
    /// `skin.comp`.
    Gpu,
    /// The modes' twins.
    Cpu,
    /// The `f64` reference.
    Reference,
}

impl Skinner {
    /// As typed, and as the JSON says it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::Cpu => "cpu",
            Self::Reference => "reference",
        }
    }
}

/// `sinew builtins`
#[derive(Debug, Args)]
pub struct BuiltinsArgs {
    /// Write every built-in model into this folder
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
}

/// A model in a pose, and how it is skinned.
#[derive(Debug, Args)]
pub struct SubjectArgs {
    /// A .gltf or .glb file, or builtin:NAME ('sinew builtins' lists them)
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    /// How vertices are skinned: rigid, lbs or dqs
    ///
    /// rigid: each vertex follows its heaviest joint. lbs: linear blending, what every engine does.
    /// dqs: dual quaternions, scale blended apart.
    #[arg(long, short, value_name = "MODE", default_value = "lbs", hide_possible_values = true, value_parser = mode())]
    pub mode: SkinningMode,

    /// Show no clip but a pose: bind (skinning not applied) or rest (the file's node transforms)
    #[arg(long, short, value_enum, value_name = "bind|rest", hide_possible_values = true, conflicts_with_all = ["clip", "time"])]
    pub pose: Option<PoseName>,

    /// Clip to show, by name or number [default: the first; a file without clips: --pose rest]
    #[arg(long, short, value_name = "NAME|INDEX")]
    pub clip: Option<String>,

    /// Time in the clip; before its start and after its end the nearest key holds
    #[arg(long, short, value_name = "SECONDS", default_value = "0", allow_negative_numbers = true, value_parser = seconds)]
    pub time: f64,

    #[command(flatten)]
    pub load: LoadArgs,
}

/// Where Vulkan work is done, and whether it is watched.
#[derive(Debug, Args)]
pub struct VulkanArgs {
    /// Vulkan device, by number or part of its name ('sinew devices' lists them) [default: the fastest kind]
    #[arg(long, value_name = "INDEX|NAME", value_parser = device, default_value = "", hide_default_value = true)]
    pub device: DeviceChoice,

    #[command(flatten)]
    pub validate: ValidateArgs,
}

/// A picture of a model.
#[derive(Debug, Args)]
pub struct PictureArgs {
    #[command(flatten)]
    pub subject: SubjectArgs,

    /// Who skins the vertices: gpu (the vertex shader) or cpu
    #[arg(long, value_enum, value_name = "gpu|cpu", default_value = "gpu", hide_possible_values = true)]
    pub skin: PictureSkinner,

    /// Write the picture to this PNG file, or to standard output for -
    #[arg(long, short, value_name = "OUT.png")]
    pub screenshot: Option<PathBuf>,

    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "960x720", value_parser = size)]
    pub size: Size,

    /// Viewpoint: auto, front, back, left, right, top, bottom, or "YAW,PITCH[,DISTANCE]"
    ///
    /// YAW in degrees around the vertical (0 front, 90 from the right), PITCH above the horizontal,
    /// DISTANCE in metres from the middle of the model. Without a distance everything the clip does
    /// just fits. Write --camera=-30,10 for a negative yaw.
    #[arg(long, value_name = "VIEW", default_value = "auto", allow_hyphen_values = true)]
    pub camera: Orbit,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// Whether Vulkan is watched.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Check every Vulkan call with the Khronos validation layer (always on in debug builds)
    #[arg(long)]
    pub validate: bool,
}

impl ValidateArgs {
    /// How to open Vulkan.
    pub fn options(&self) -> InstanceOptions {
        InstanceOptions { validation: self.validate || cfg!(debug_assertions), ..Default::default() }
    }
}

/// Who skins a picture's vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureSkinner {
    /// The vertex shader.
    Gpu,
    /// The modes' twins.
    Cpu,
}

impl From<PictureSkinner> for Processor {
    fn from(skinner: PictureSkinner) -> Self {
        match skinner {
            PictureSkinner::Gpu => Self::Gpu,
            PictureSkinner::Cpu => Self::Cpu,
        }
    }
}

/// A pose without a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PoseName {
    /// The mesh as stored.
    Bind,
    /// The file's node transforms.
    Rest,
}

/// Width and height.
pub type Size = [u32; 2];

fn mode() -> impl TypedValueParser<Value = SkinningMode> {
    PossibleValuesParser::new(SkinningMode::ALL.map(SkinningMode::name))
        .try_map(|name| name.parse::<SkinningMode>())
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => Ok(seconds),
        _ => Err("expected seconds, such as 0.35".to_owned()),
    }
}

fn size(text: &str) -> Result<Size, String> {
    let side = |side: &str| side.parse::<u32>().ok().filter(|&side| side > 0);
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| "expected width x height in pixels, such as 960x720".to_owned())
}

fn device(text: &str) -> Result<DeviceChoice, std::convert::Infallible> {
    Ok(match text {
        "" => DeviceChoice::Best,
        named => DeviceChoice::Named(named.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn clap_finds_no_mistake() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes() {
        assert_eq!(size("960x720"), Ok([960, 720]));
        for wrong in ["", "960", "0x10", "10x0", "-1x5", "axb", "1x2x3", "99999999999x1"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_pose_and_a_clip_exclude_each_other() {
        assert!(Cli::try_parse_from(["sinew", "--pose", "rest", "--clip", "0"]).is_err());
        assert!(Cli::try_parse_from(["sinew", "--pose", "rest", "--time", "0"]).is_err());
        assert!(Cli::try_parse_from(["sinew", "--clip", "walk", "--time", "-1"]).is_ok());
        assert!(Cli::try_parse_from(["sinew", "--camera", "-30,10"]).is_ok());
    }
}
