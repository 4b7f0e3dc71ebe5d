//! What `sinew export` takes. It must not know how vertices are skinned.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::subject::SubjectArgs;
use super::vulkan::VulkanArgs;

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
    /// a number for one clip and a list for several; "blend" lists blended clips with their shares, and
    /// "joints" and "morphs" say, as in a pose file, what was changed by hand.
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
