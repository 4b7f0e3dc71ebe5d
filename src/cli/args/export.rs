//! Flags of `sinew export`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::compare::json_file;
use super::normals::NormalsArgs;
use super::output::{MAX_PICTURES, per_second};
use super::subject::{AskedMode, LoadArgs, SubjectArgs, asked_mode};
use super::vulkan::VulkanArgs;

/// `sinew export`
#[derive(Debug, Args)]
pub struct ExportArgs {
    #[command(flatten)]
    pub subject: SubjectArgs,

    #[command(flatten)]
    pub normals: NormalsArgs,

    /// Processor that skins the vertices: gpu (the compute shader), cpu (its f32 twin) or reference (f64)
    #[arg(
        long,
        value_enum,
        value_name = "gpu|cpu|reference",
        default_value = "gpu",
        hide_possible_values = true
    )]
    pub on: Skinner,

    /// File to write: .json, .ply, .obj, .glb, .npy or .npz; - is JSON to standard output
    ///
    /// Vertices are in world space and in the file's order. An .obj has its materials in a .mtl file beside it, with the
    /// textures that this names. In the JSON, "clip" is null for the bind and rest poses, a number for one clip, and a
    /// list for several. "blend" lists the blended clips with their weights. "joints" and "morphs" hold the edits, as
    /// in a pose file. NumPy reads .npy, the positions of all primitives, and .npz, which also has normals, tangents,
    /// texture coordinates, joints and weights. docs/guides/bake.md lists its keys.
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,

    /// Write several frames of the clip: N of them, spread evenly from --time to its end, or frames A to B
    ///
    /// N frames omit the end itself, as in pictures. A..B counts from 0 at --time, at --fps frames per second, and
    /// includes both. Each frame goes into a separate file, whose name contains {frame}, such as run-{frame}.obj or
    /// run-{frame:06}.ply. A .json file holds all of them as a list, and
    /// .npy and .npz as a first axis.
    #[arg(long, value_name = "N|A..B", conflicts_with = "rigged", value_parser = frames)]
    pub frames: Option<FrameChoice>,

    /// Frames per second of the clip [default: 25; with --frames N, the rate that spreads them evenly]
    #[arg(long, value_name = "F", conflicts_with = "rigged", value_parser = per_second)]
    pub fps: Option<f64>,

    /// Write one vertex for each control point of an FBX or USD file, in the file's order, with its position alone
    ///
    /// Other programs count vertices like this. In sinew, a control point has a vertex for each combination of normal,
    /// colour and texture coordinates that its corners have.
    #[arg(long, conflicts_with_all = ["rigged", "normals"])]
    pub control_points: bool,

    /// Write the terms of direct delta mush in place of skinned vertices, as .npz with the formula that uses them
    ///
    /// --ddm-settings and --ddm-within choose them. docs/guides/bake.md lists the keys.
    #[arg(long, conflicts_with_all = ["rigged", "on", "mode", "normals", "pose", "clip", "blend_clip", "time", "frame", "joint", "turn", "joint_move", "joint_scale", "morph", "blend", "only_joint", "frames", "fps", "control_points"])]
    pub ddm: bool,

    #[command(flatten)]
    pub rigged: RiggedArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// `sinew convert`
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The model to convert
    #[arg(value_name = "MODEL")]
    pub model: OsString,

    #[command(flatten)]
    pub load: LoadArgs,

    /// File to write: .glb, or .usda, .usdc or .usdz
    ///
    /// The file has the model's joints, clips, materials, textures, cameras and lights. It also names the author's
    /// skinning mode, which --mode authored reads. Pictures of .usda and .usdc are files beside it. What USD cannot hold
    /// is one warning each (docs/reference/usd.md).
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,

    #[arg(long, short, value_name = "MODE", default_value = "authored", hide_possible_values = true,
        value_parser = asked_mode(), help = "Skinning mode for comparing the file with the original; a USD file names it as its own")]
    pub mode: AskedMode,

    /// Print the distances from the original as JSON instead of the table, or write them to a .json file
    #[arg(long, value_name = "FILE.json", num_args = 0..=1, default_missing_value = "-", value_parser = json_file)]
    pub json: Option<PathBuf>,
}

/// The model itself in place of skinned vertices.
#[derive(Debug, Args)]
pub struct RiggedArgs {
    /// Write the model with its joints, clips and materials, as .glb, and measure what the flags below change
    ///
    /// The table lists the changes, and each clip's largest distance of a vertex from the original, in the mode of
    /// --mode. docs/guides/bake.md explains it.
    #[arg(long, conflicts_with_all = ["on", "normals", "pose", "clip", "blend_clip", "time", "frame", "joint", "turn", "joint_move", "joint_scale", "morph", "blend", "only_joint"])]
    pub rigged: bool,

    /// Keep at most the N heaviest influences of each vertex
    #[arg(long, value_name = "N", requires = "rigged", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub max_influences: Option<u8>,

    /// Split meshes until no skin has more than N joints
    #[arg(long, value_name = "N", requires = "rigged", value_parser = clap::value_parser!(u16).range(1..=32767))]
    pub max_joints: Option<u16>,

    /// Drop influences with weights below W, such as 0.01
    #[arg(long, value_name = "W", requires = "rigged", value_parser = weight)]
    pub prune: Option<f64>,

    /// Print the changes of --rigged as JSON instead of the table, or write them to a .json file
    #[arg(long, value_name = "FILE.json", requires = "rigged", num_args = 0..=1, default_missing_value = "-", value_parser = json_file)]
    pub json: Option<PathBuf>,
}

fn weight(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(weight) if (0.0..=1.0).contains(&weight) => Ok(weight),
        _ => Err("expected a weight from 0 to 1, such as 0.01".to_owned()),
    }
}

/// A choice of frames of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameChoice {
    /// This number, spread evenly.
    Count(u32),
    /// A range of frames, both ends included.
    Between {
        /// The first.
        first: u32,
        /// The last.
        last: u32,
    },
}

/// Parses `N` or `A..B`.
fn frames(text: &str) -> Result<FrameChoice, String> {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number <= MAX_PICTURES);
    let found = match text.split_once("..") {
        Some((first, last)) => number(first)
            .zip(number(last))
            .filter(|(first, last)| first <= last)
            .map(|(first, last)| FrameChoice::Between { first, last }),
        None => number(text).filter(|count| *count > 0).map(FrameChoice::Count),
    };
    found.ok_or_else(|| {
        format!("expected a number of frames, such as 10, or A..B, such as 0..24, up to {MAX_PICTURES}")
    })
}

/// The implementation that skins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Skinner {
    /// The compute shader `skin.comp`.
    Gpu,
    /// The shader's operations in Rust.
    Cpu,
    /// The formula in double precision.
    Reference,
}

impl Skinner {
    /// The name on the command line and in the JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::Cpu => "cpu",
            Self::Reference => "reference",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_a_number_or_a_range() {
        assert_eq!(frames("10"), Ok(FrameChoice::Count(10)));
        assert_eq!(frames("0..24"), Ok(FrameChoice::Between { first: 0, last: 24 }));
        assert_eq!(frames("7..7"), Ok(FrameChoice::Between { first: 7, last: 7 }));
        for wrong in ["", "0", "-1", "1.5", "..", "3..2", "1..", "..4", "0..9999999", "a..b", "1..2..3"] {
            assert!(frames(wrong).is_err(), "{wrong}");
        }
    }
}
