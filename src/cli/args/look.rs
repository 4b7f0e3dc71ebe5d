//! Flags of how a picture is made to look.
//! They must not know what it shows.

use clap::{Args, ValueEnum};
use sinew::look::{Background, Look, Quality, Samples};
use sinew::overlay::Overlays;
use sinew::view::View;

/// How a picture is made to look.
#[derive(Debug, Args)]
pub struct LookArgs {
    /// What is shown: shaded, normals, tangents, uv, weights, joint:NAME, influences, weight-sum, wireframe,
    /// skin-space or skeleton [default: shaded]
    ///
    /// normals and tangents: x, y, z from -1 to 1 are red, green, blue from 1 to 255; tangents are grey where the mesh has
    /// none. uv: u is red, v green, on a board of 8 by 8. weights: a colour for each joint, mixed. joint:NAME: the
    /// weight of one joint, dark is 0, pale is 1. influences: how many joints move a vertex, dark is 0, pale is
    /// 8 or more. weight-sum: what the weights of a vertex sum to in the file, before they are mended: grey is 1,
    /// blue less, orange more. wireframe: edges of triangles. All on the mesh as it is deformed, without shadows
    /// or ground. skin-space: the mesh after the inverse bind matrices alone, as if no pose were applied to it.
    /// skeleton: joints and bones, without the mesh.
    #[arg(long, value_name = "VIEW", default_value_t, hide_default_value = true, hide_short_help = true)]
    pub view: View,

    /// What is laid over it: skeleton, axes, names, grid, bounds, or several with commas between them
    ///
    /// skeleton: joints, and bones from each to its children, in the colours that the joints have in --view
    /// weights. axes: each joint's own x (red), y (green) and z (blue). names: of joints, where there is room.
    /// grid: squares on the ground; their size is in the corner. bounds: the box around what is shown and its
    /// size, and a fainter one around all of the clip. Of a model without skins the nodes take the joints' place.
    #[arg(long, value_name = "WHAT,…", hide_short_help = true)]
    pub overlay: Option<Overlays>,

    /// Leave out what says what the colours of a view mean
    #[arg(long, hide_short_help = true)]
    pub no_legend: bool,

    /// Light, shadows, ground and smooth edges (full), or as little as shows form and textures (draft)
    ///
    /// A draft has one light, no shadows and no ground, and one sample a pixel unless --msaa says more. It
    /// takes about half the time.
    #[arg(
        long,
        value_enum,
        value_name = "full|draft",
        default_value = "full",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub quality: QualityName,

    /// Samples a pixel: 1 (jagged edges) or 4 (smooth ones) [default: 4, in drafts 1]
    #[arg(long, value_name = "1|4", value_parser = samples, hide_short_help = true)]
    pub msaa: Option<Samples>,

    /// Behind everything: a colour like '#dadcdf', or transparent
    ///
    /// Transparent pictures have straight alpha; the ground is in them as the shadows on it.
    #[arg(long, value_name = "COLOR|transparent", default_value_t, hide_short_help = true)]
    pub background: Background,
}

impl From<&LookArgs> for Look {
    fn from(args: &LookArgs) -> Self {
        let quality = match args.quality {
            QualityName::Full => Quality::Full,
            QualityName::Draft => Quality::Draft,
        };
        Self { quality, samples: args.msaa, background: args.background }
    }
}

/// How much light is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum QualityName {
    /// All of it.
    Full,
    /// As little as will do.
    Draft,
}

fn samples(text: &str) -> Result<Samples, String> {
    match text {
        "1" => Ok(Samples::One),
        "4" => Ok(Samples::Four),
        _ => Err("expected 1 or 4".to_owned()),
    }
}
