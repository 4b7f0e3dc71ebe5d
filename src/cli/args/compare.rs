//! Flags of `sinew compare`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::analysis::measure::{Frames, MAX_FRAMES};
use crate::skinning::{Normals, SkinningMode, Yardstick};
use clap::Args;

use super::camera::CameraArgs;
use super::check::CheckArgs;
use super::limit::{Limit, limit};
use super::mush::MushArgs;
use super::picture::{Size, size};
use super::subject::{LoadArgs, PoseArgs, mode, yardstick};
use super::vulkan::VulkanArgs;

/// `sinew compare`
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A glTF, FBX, OBJ or USD file, builtin:NAME ('sinew builtins' lists them), or - for standard input
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    /// Second file, a model or a point cache: compare the two in the mode that the first one names, or in --modes
    ///
    /// Primitives are matched by the names of their nodes, then of their meshes. Vertices are matched by order if all
    /// fit, or else by position in the bind pose, or else by the nearest point of the surface (docs/guides/measure.md).
    /// Clips are matched by name, then by the part after the last | or :, then without case. --clip OLD=NEW matches any
    /// two. If NEW has none of the clips, the rest pose is measured, and each missing clip is a finding.
    ///
    /// A .pc2, .mdd, .npy or .ply, or 'run-*.obj' for a file per frame, is a point cache of MODEL's vertices, made by
    /// another program. All modes are compared with it, at the times of its frames.
    #[arg(value_name = "NEW", conflicts_with = "against")]
    pub new: Option<OsString>,

    #[command(flatten)]
    pub load: LoadArgs,

    /// Compare the weights of the two files: joints by name, vertices by order or position
    #[arg(long, requires = "new", conflicts_with_all = ["fail_above", "all_clips", "every_frame", "frames", "time", "frame", "clip", "pose", "output"])]
    pub weights: bool,

    /// With --weights, also compare the vertices over N random poses within each joint's reach
    #[arg(long, value_name = "N", requires = "weights", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub poses: Option<u32>,

    /// Seed of the random poses
    #[arg(long, value_name = "S", requires = "poses", default_value_t = 0)]
    pub seed: u64,

    /// Modes to measure, separated by commas [default: all; for two models, the one that the first names]
    #[arg(long, value_name = "MODE,…", value_delimiter = ',', hide_possible_values = true, value_parser = mode())]
    pub modes: Vec<SkinningMode>,

    /// Mode to measure distances from, or mush: delta mush, which is computed on the CPU
    #[arg(long, value_name = "MODE", default_value = "lbs", hide_possible_values = true, value_parser = yardstick())]
    pub against: Yardstick,

    #[command(flatten)]
    pub mush: MushArgs,

    /// With recomputed, also measure the angles between each mode's normals and those of the triangles that it deforms
    ///
    /// The table has the largest angle and the root mean square, and the command that shows the worst place in both.
    /// docs/concepts/modes.md explains recomputed normals.
    #[arg(long, value_name = "moved|recomputed", default_value = "moved", conflicts_with = "new")]
    pub normals: Normals,

    #[command(flatten)]
    pub posed: PoseArgs,

    /// Measure every clip of the file, one at a time
    #[arg(long, conflicts_with_all = ["blend_clip", "time", "frame", "pose"])]
    pub all_clips: bool,

    /// Measure 30 frames per second and every key; this is the default without --time and --frame
    #[arg(long, conflicts_with_all = ["time", "frame", "frames"])]
    pub every_frame: bool,

    #[arg(long, value_name = "N", conflicts_with_all = ["time", "frame"],
        help = format!("Measure N frames of each clip, evenly spaced, at most {MAX_FRAMES}"))]
    pub frames: Option<Frames>,

    /// Print every figure of every frame as JSON, or write it to a .json file (docs/reference/json.md explains the keys)
    #[arg(long, value_name = "FILE.json", num_args = 0..=1, default_missing_value = "-", value_parser = json_file)]
    pub json: Option<PathBuf>,

    /// Write a picture of the worst frame (.png) or of the whole clip (.gif, .webp or .apng)
    ///
    /// It has two panels per mode: the surface, and the difference as colours, all on one scale. For two files it has
    /// three: each surface, and the difference on the first.
    #[arg(long, short, value_name = "OUT.png|gif|webp")]
    pub output: Option<PathBuf>,

    /// Width and height of the picture, in pixels [default: 960x480 per mode; for two files 1440x480]
    #[arg(long, value_name = "WxH", value_parser = size, requires = "output")]
    pub size: Option<Size>,

    #[command(flatten)]
    pub camera: CameraArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,

    /// Fail with exit code 6 if any vertex is farther apart than this, or if the second file lacks something
    ///
    /// A length such as 5mm, 0.5cm or 0.005m, or a share of the bind pose's diagonal, such as 0.5%. Parts that only the
    /// second file has are warnings. --fail-on makes those failures, too.
    #[arg(long, value_name = "LENGTH|PERCENT", value_parser = limit)]
    pub fail_above: Option<Limit>,

    #[command(flatten)]
    pub check: CheckArgs,
}

impl CompareArgs {
    /// Returns what distances are measured from.
    pub fn against(&self) -> Yardstick {
        self.mush.with_settings(self.against)
    }
}

/// Parses the name of a `.json` file, where standard output has something else.
pub fn named_json(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().is_some_and(|extension| extension == "json") {
        true => Ok(path),
        false => Err("expected a file that ends in .json".to_owned()),
    }
}

/// A file for JSON. Other names are refused, because `--json fox.glb` would overwrite the model.
pub fn json_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match text == "-" || path.extension().is_some_and(|extension| extension == "json") {
        true => Ok(path),
        false => Err("expected a file that ends in .json; put the model before --json".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_never_goes_into_a_model() {
        assert_eq!(json_file("a/b.json"), Ok(PathBuf::from("a/b.json")));
        assert_eq!(json_file("-"), Ok(PathBuf::from("-")));
        for wrong in ["fox.glb", "", "json", "a.json.glb"] {
            assert!(json_file(wrong).is_err(), "{wrong}");
        }
    }
}
