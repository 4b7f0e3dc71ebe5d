//! Flags of `sinew export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::subject::SubjectArgs;
use super::vulkan::VulkanArgs;

/// `sinew export`
#[derive(Debug, Args)]
pub struct ExportArgs {
    #[command(flatten)]
    pub subject: SubjectArgs,

    /// What skins the vertices: gpu (the compute shader), cpu (its f32 twin) or reference (f64)
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
    /// Vertices are in world space and in the file's order. In the JSON, "clip" is null for the bind and rest
    /// poses, a number for one clip and a list for several; "blend" lists the blended clips with their weights;
    /// "joints" and "morphs" hold the edits, as in a pose file.
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// Who skins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Skinner {
    /// The compute shader `skin.comp`.
    Gpu,
    /// The same operations in Rust.
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
