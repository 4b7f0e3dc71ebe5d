//! Flags of `sinew sweep`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::analysis::turns::Axis;
use crate::skinning::{SkinningMode, Yardstick};
use clap::Args;

use super::camera::CameraArgs;
use super::mush::MushArgs;
use super::output::png;
use super::subject::{LoadArgs, mode, yardstick};
use super::vulkan::VulkanArgs;

/// The maximum number of steps of a sweep.
pub const MAX_STEPS: u32 = 61;

/// `sinew sweep`
#[derive(Debug, Args)]
pub struct SweepArgs {
    /// A glTF, FBX, OBJ or USD file, builtin:NAME ('sinew builtins' lists them), or - for standard input
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    #[command(flatten)]
    pub load: LoadArgs,

    /// Joint to turn, by name or as #NUMBER; everything else stays at rest
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub joint: String,

    /// Local axis to turn the joint about; auto is the one that the clips use most, or else x
    #[arg(long, value_name = "auto|x|y|z", default_value = "auto", value_parser = axis)]
    pub axis: AxisChoice,

    /// First and last angle in degrees, from rest [default: 0..180; with --axis auto, 0..-180 if clips turn it that way]
    #[arg(long, value_name = "FROM..TO", allow_hyphen_values = true, value_parser = range)]
    pub range: Option<[f64; 2]>,

    /// Number of angles, evenly spaced, including both ends
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_STEPS)))]
    pub steps: u32,

    /// Modes to measure, separated by commas [default: all]
    #[arg(long, value_name = "MODE,…", value_delimiter = ',', hide_possible_values = true, value_parser = mode())]
    pub modes: Vec<SkinningMode>,

    /// Mode to measure distances from, or mush: delta mush, which is computed on the CPU
    #[arg(long, value_name = "MODE", default_value = "lbs", hide_possible_values = true, value_parser = yardstick())]
    pub against: Yardstick,

    #[command(flatten)]
    pub mush: MushArgs,

    /// Write a contact sheet: close-ups of the joint, with a row per mode, a column per angle, and charts below
    #[arg(long, short, value_name = "SHEET.png", value_parser = png)]
    pub output: Option<PathBuf>,

    /// Print the figures as CSV
    #[arg(long)]
    pub csv: bool,

    /// Print the figures as JSON (docs/reference/json.md explains the keys)
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,

    #[command(flatten)]
    pub camera: CameraArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

impl SweepArgs {
    /// Returns what distances are measured from.
    pub fn against(&self) -> Yardstick {
        self.mush.with_settings(self.against)
    }
}

/// The `--axis` value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisChoice {
    /// The one that clips use most.
    Auto,
    /// This one.
    Of(Axis),
}

fn axis(text: &str) -> Result<AxisChoice, String> {
    match text {
        "auto" => Ok(AxisChoice::Auto),
        axis => axis.parse().map(AxisChoice::Of).map_err(|_| "expected auto, x, y or z".to_owned()),
    }
}

fn range(text: &str) -> Result<[f64; 2], String> {
    let angle = |text: &str| text.trim().parse().ok().filter(|angle: &f64| angle.abs() <= 3600.0);
    text.split_once("..")
        .and_then(|(from, to)| Some([angle(from)?, angle(to)?]))
        .ok_or_else(|| "expected FROM..TO in degrees, such as 0..180 or -90..90".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_letters_or_auto() {
        assert_eq!((axis("auto"), axis("z")), (Ok(AxisChoice::Auto), Ok(AxisChoice::Of(Axis::Z))));
        for wrong in ["", "a", "X", "xy"] {
            assert!(axis(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranges_have_two_angles() {
        assert_eq!(range("-90..90.5"), Ok([-90.0, 90.5]));
        for wrong in ["", "90", "a..b", "0..inf", "0..1e9", "0..NaN"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
