//! The source of normals.

use crate::skinning::Normals;
use clap::Args;

/// The source of normals.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct NormalsArgs {
    /// Normals from the transform that moves each vertex (moved), or from the deformed triangles (recomputed)
    ///
    /// In every mode, recomputed takes the mean of the triangles around a vertex, weighted by their angles. Vertices at one
    /// place whose stored normals are alike share theirs, so that seams stay smooth and creases hard. The CPU computes
    /// them. docs/concepts/modes.md shows the difference, and 'sinew compare MODEL --normals recomputed' measures it.
    #[arg(
        long,
        help_heading = "Mode",
        value_name = "moved|recomputed",
        default_value = "moved",
        hide_short_help = true
    )]
    pub normals: Normals,
}
