//! Flags of `sinew bake`.

use std::path::PathBuf;

use clap::Args;

use super::normals::NormalsArgs;
use super::output::per_second;
use super::subject::SubjectArgs;

/// `sinew bake`
#[derive(Debug, Args)]
pub struct BakeArgs {
    #[command(flatten)]
    pub subject: SubjectArgs,

    #[command(flatten)]
    pub normals: NormalsArgs,

    /// Frames per second of the clip
    ///
    /// The first frame is at --time, or at the clip's start. The last one is at the clip's end, even between two frames.
    #[arg(long, value_name = "F", default_value_t = 30.0, value_parser = per_second)]
    pub fps: f64,

    /// File to write: .glb, .pc2, .mdd or .usdc, or a file per frame, {frame}.obj or {frame}.ply
    ///
    /// A .glb plays in every viewer; each frame is a morph target. A .usda, .usdc or .usdz has the points of
    /// each frame. .pc2 and .mdd are point caches for Blender, Maya and
    /// Houdini. 'sinew export --pose bind -o mesh.ply' writes the mesh for them, with the same vertices in the same
    /// order. {frame} stands for the frame's number, as in walk-{frame}.obj or walk-{frame:06}.ply. docs/guides/bake.md
    /// explains how to use each.
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
}
