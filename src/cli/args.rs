//! What can be typed. It must not look at files or devices: only the words themselves are checked.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use sinew::camera::{NoViewpoint, Orbit};
use sinew::image::Tolerance;
use sinew::model::gltf;
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
  sinew --clip walk --blend-clip idle@0.3 --time 0.5 --screenshot tired.png
      Two clips at once, seven parts to three.
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
  sinew diff old.png new.png -o difference.png
      Whether two pictures are the same, and where they are not.
  sinew golden tests/golden
      Whether all pictures of a folder still look as they did ('sinew golden --help').
  sinew devices
      Which Vulkan devices there are.

Exit codes:
  0 done   1 the input is at fault   2 usage   3 no usable Vulkan
  4 device, memory or validation failed   5 the output could not be written
  6 a check said no (verify, diff, golden)

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
    /// Compare two pictures, pixel by pixel and as they look
    Diff(DiffArgs),
    /// Hold pictures against those of a folder, as its golden.toml says
    Golden(super::golden::GoldenArgs),
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

/// `sinew verify`
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Models to check, files or builtin:NAME [default: every built-in model]
    #[arg(value_name = "MODEL")]
    pub models: Vec<OsString>,

    #[command(flatten)]
    pub load: LoadArgs,

    /// Print every figure as JSON instead of the table
    #[arg(long)]
    pub json: bool,

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
    /// Vertices are in the world and in the file's order. The JSON's "clip" is null for both poses,
    /// a number for one clip and a list for several; "blend" lists blended clips with their shares.
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

/// `sinew diff`
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The picture as it should be
    #[arg(value_name = "EXPECTED.png")]
    pub expected: PathBuf,

    /// The picture as it is
    #[arg(value_name = "ACTUAL.png")]
    pub actual: PathBuf,

    /// Write a picture of the difference: the brighter, the more it is seen; - is standard output
    #[arg(long, short, value_name = "DIFF.png")]
    pub output: Option<PathBuf>,

    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub tolerance: ToleranceArgs,
}

/// How much two pictures may differ.
#[derive(Clone, Copy, Debug, Args)]
pub struct ToleranceArgs {
    /// How far a channel may be off, of 255
    #[arg(long, value_name = "STEPS", default_value_t = 0, conflicts_with = "flip")]
    pub channel: u8,

    /// How many pixels may be further off than that
    #[arg(long, value_name = "PIXELS", default_value_t = 0, conflicts_with = "flip")]
    pub outliers: usize,

    /// Instead: how large the FLIP difference may be on average and in the worst 16x16 pixels, as 0.01,0.25
    #[arg(long, value_name = "MEAN,TILE", value_parser = flip_limits)]
    pub flip: Option<[f64; 2]>,
}

impl From<ToleranceArgs> for Tolerance {
    fn from(ToleranceArgs { channel, outliers, flip }: ToleranceArgs) -> Self {
        Self { channel, outliers, flip }
    }
}

/// How a model's file is read.
#[derive(Clone, Debug, Args)]
pub struct LoadArgs {
    /// Scene to show, by name or number [default: the file's own choice]
    #[arg(long, value_name = "NAME|INDEX")]
    pub scene: Option<String>,

    /// Follow the model's references out of its folder
    ///
    /// Without it a file may not name buffers and pictures by ../, absolute paths or file: URIs. Other
    /// machines, pipes and devices are never read.
    #[arg(long, hide_short_help = true)]
    pub allow_outside: bool,

    /// Take each warning about the model for an error
    #[arg(long, hide_short_help = true)]
    pub strict: bool,
}

impl LoadArgs {
    /// For the loader.
    pub fn options(&self) -> gltf::Options {
        gltf::Options { scene: self.scene.clone(), allow_outside: self.allow_outside }
    }
}

/// A model in a pose, and how it is skinned.
#[derive(Debug, Args)]
pub struct SubjectArgs {
    /// A .gltf or .glb file, or builtin:NAME ('sinew builtins' lists them)
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    #[command(flatten)]
    pub load: LoadArgs,

    /// How vertices are skinned: rigid, lbs or dqs
    ///
    /// rigid: each vertex follows its heaviest joint. lbs: linear blending, what every engine does.
    /// dqs: dual quaternions, scale blended apart.
    #[arg(long, short, value_name = "MODE", default_value = "lbs", hide_possible_values = true, value_parser = mode())]
    pub mode: SkinningMode,

    /// Show no clip but a pose: bind (neither skinned nor morphed) or rest (the file's node transforms)
    #[arg(long, short, value_enum, value_name = "bind|rest", hide_possible_values = true, conflicts_with_all = ["clip", "blend_clip", "time"])]
    pub pose: Option<PoseName>,

    /// Clip to show, by name or number [default: the first; a file without clips: --pose rest]
    ///
    /// May be given several times, as in --clip walk --clip wave: where two of them set the same (a
    /// joint's rotation, say), the later one overrides the earlier.
    #[arg(long, short, value_name = "NAME|INDEX")]
    pub clip: Vec<String>,

    /// Clip to blend over the others, and its share [default: @0.5]
    ///
    /// As in --clip walk --blend-clip idle@0.3: three parts idle, seven parts walk, joint by joint before
    /// children follow their parents. What only one of them moves is blended with the file's own
    /// transform. May be given several times, each over all before it. Clips go by name or number; the
    /// share, from 0 to 1, is what follows the last @ if that is a number.
    #[arg(long, hide_short_help = true, value_name = "CLIP[@W]", value_parser = blend_clip)]
    pub blend_clip: Vec<BlendClip>,

    /// Time in the clips; outside of them the nearest key holds
    #[arg(long, short, value_name = "SECONDS", default_value = "0", allow_negative_numbers = true, value_parser = seconds)]
    pub time: f64,
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

    /// Viewpoint: auto, front, back, left, right, top, bottom, "YAW,PITCH[,DISTANCE]", or a camera
    ///
    /// YAW in degrees around the vertical (0 front, 90 from the right), PITCH above the horizontal,
    /// DISTANCE in metres from the middle of the model. Without a distance everything the clip does
    /// just fits. Write --camera=-30,10 for a negative yaw. Other words are names of cameras of the
    /// file, then of the nodes they hang on; a number alone is the camera's number in the file.
    #[arg(long, value_name = "VIEW", default_value = "auto", allow_hyphen_values = true, value_parser = camera)]
    pub camera: CameraChoice,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// Whether Vulkan is watched.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// Check every Vulkan call with the Khronos validation layer (always on in debug builds)
    #[arg(long, hide_short_help = true)]
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

/// A clip and its share in the pose.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendClip {
    /// Name or number.
    pub clip: String,
    /// From 0 to 1.
    pub weight: f64,
}

/// Width and height.
pub type Size = [u32; 2];

fn mode() -> impl TypedValueParser<Value = SkinningMode> {
    PossibleValuesParser::new(SkinningMode::ALL.map(SkinningMode::name))
        .try_map(|name| name.parse::<SkinningMode>())
}

/// The share of a blended clip that is given none.
const DEFAULT_WEIGHT: f64 = 0.5;

fn blend_clip(text: &str) -> Result<BlendClip, String> {
    let whole = || BlendClip { clip: text.to_owned(), weight: DEFAULT_WEIGHT };
    let Some((clip, weight)) = text.rsplit_once('@') else { return Ok(whole()) };
    match weight.parse::<f64>() {
        Ok(weight) if (0.0..=1.0).contains(&weight) => Ok(BlendClip { clip: clip.to_owned(), weight }),
        Ok(_) => Err("expected a share from 0 to 1 behind the last @, such as idle@0.3".to_owned()),
        Err(_) => Ok(whole()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => Ok(seconds),
        _ => Err("expected seconds, such as 0.35".to_owned()),
    }
}

/// What a picture is seen through, as far as the words say.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraChoice {
    /// A look at the model.
    Orbit(Orbit),
    /// A camera of the file, if it has one that is called so.
    Named(String),
}

/// Words for viewpoints go before names of cameras; two numbers and more can be no name.
fn camera(text: &str) -> Result<CameraChoice, NoViewpoint> {
    let is_numbers = text.contains(',') && text.split(',').all(|part| part.trim().parse::<f64>().is_ok());
    match text.parse() {
        Ok(orbit) => Ok(CameraChoice::Orbit(orbit)),
        Err(error) if text.is_empty() || is_numbers => Err(error),
        Err(_) => Ok(CameraChoice::Named(text.to_owned())),
    }
}

fn size(text: &str) -> Result<Size, String> {
    let side = |side: &str| side.parse::<u32>().ok().filter(|&side| side > 0);
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| "expected width x height in pixels, such as 960x720".to_owned())
}

fn flip_limits(text: &str) -> Result<[f64; 2], String> {
    let limit = |text: &str| text.trim().parse::<f64>().ok().filter(|limit| (0.0..=1.0).contains(limit));
    text.split_once(',')
        .and_then(|(mean, tile)| Some([limit(mean)?, limit(tile)?]))
        .ok_or_else(|| "expected two numbers from 0 to 1, such as 0.01,0.25".to_owned())
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
    fn shares_follow_the_last_at_sign() {
        for (text, clip, weight) in [
            ("idle", "idle", 0.5),
            ("idle@0.3", "idle", 0.3),
            ("2@1", "2", 1.0),
            ("idle@0", "idle", 0.0),
            ("rig@idle", "rig@idle", 0.5),
            ("rig@idle@0.25", "rig@idle", 0.25),
            ("rig@2@.5", "rig@2", 0.5),
            ("@0.3", "", 0.3),
            ("idle@", "idle@", 0.5),
        ] {
            assert_eq!(blend_clip(text), Ok(BlendClip { clip: clip.to_owned(), weight }), "{text}");
        }
        for wrong in ["idle@1.5", "idle@-0.1", "idle@NaN", "idle@inf"] {
            assert!(blend_clip(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_for_viewpoints_go_before_cameras() {
        let orbit = |text: &str| CameraChoice::Orbit(text.parse().unwrap());
        for text in ["auto", "front", "12,5", "-30,10,4"] {
            assert_eq!(camera(text), Ok(orbit(text)));
        }
        for text in ["1", "-1", "Camera.001", "Front", "a,b", "top left", "1, 2, b"] {
            assert_eq!(camera(text), Ok(CameraChoice::Named(text.to_owned())));
        }
        for text in ["", "0,91", "nan,0", "1,2,3,4", "0,0,-1"] {
            assert_eq!(camera(text), Err(NoViewpoint), "{text}");
        }
    }

    #[test]
    fn a_pose_and_a_clip_exclude_each_other() {
        assert!(Cli::try_parse_from(["sinew", "--pose", "rest", "--clip", "0"]).is_err());
        assert!(Cli::try_parse_from(["sinew", "--pose", "rest", "--time", "0"]).is_err());
        assert!(Cli::try_parse_from(["sinew", "--pose", "rest", "--blend-clip", "0"]).is_err());
        assert!(Cli::try_parse_from(["sinew", "--clip", "walk", "--time", "-1"]).is_ok());
        assert!(
            Cli::try_parse_from(["sinew", "--clip", "walk", "-c", "idle", "--blend-clip", "0@1"]).is_ok()
        );
        assert!(Cli::try_parse_from(["sinew", "--camera", "-30,10"]).is_ok());
    }
}
