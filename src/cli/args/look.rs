//! Flags of how a picture is made to look.
//! They must not know what it shows.

use clap::{Args, ValueEnum};
use sinew::look::{Background, Look, Quality, Samples};
use sinew::view::View;

/// How a picture is made to look.
#[derive(Debug, Args)]
pub struct LookArgs {
    /// What is shown: shaded, normals, tangents, uv, weights, influences, or joint:NAME [default: shaded]
    ///
    /// normals and tangents: x, y, z from -1 to 1 are red, green, blue; tangents are grey where the mesh has
    /// none. uv: u is red, v green, on a board of 8 by 8. weights: a colour for each joint, mixed. joint:NAME: the
    /// weight of one joint, dark is 0, pale is 1. influences: how many joints move a vertex, dark is 0, pale is
    /// 8 or more. All on the mesh as it is deformed, without shadows or ground.
    #[arg(long, value_name = "VIEW", default_value_t, hide_default_value = true, hide_short_help = true)]
    pub view: View,

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
