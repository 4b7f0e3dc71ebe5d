//! Flags of `sinew inspect`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::check::CheckArgs;
use super::subject::{LoadArgs, reader};

/// `sinew inspect`
#[derive(Debug, Args)]
#[command(mut_arg("reader", |flag| flag.value_name("own|gltf|both").value_parser(reader(&["own", "gltf", "both"]))))]
pub struct InspectArgs {
    /// A glTF, FBX, OBJ or USD file, builtin:NAME ('sinew builtins' lists them), or - for standard input
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    /// Print everything as JSON instead of the summary (docs/reference/inspect.md explains the keys)
    #[arg(long)]
    pub json: bool,

    /// Print the tree of joints, with the vertices and weight that each moves, and the clips that key it
    #[arg(long)]
    pub joints: bool,

    /// Find mistakes in the weights, and score them
    ///
    /// With --strict, any finding fails with exit code 6.
    #[arg(long)]
    pub weights: bool,

    /// Print what direct delta mush keeps of each mesh's surroundings, its size, and how far dropped terms move vertices
    #[arg(long)]
    pub ddm: bool,

    /// Write the matches of --clip-from as a map for --joint-map, to correct them
    #[arg(long, value_name = "MAP.toml", requires = "clip_from")]
    pub write_joint_map: Option<PathBuf>,

    #[command(flatten)]
    pub check: CheckArgs,

    #[command(flatten)]
    pub load: LoadArgs,
}
