//! Flags of how a picture is made to look.
//! They must not know what it shows.

use clap::{Args, ValueEnum};
use sinew::look::{Background, Look, Quality, Samples};
use sinew::overlay::{Onion, Overlays};
use sinew::scene::{Arrangement, Factors, MOST_BESIDE, Wipe};
use sinew::skinning::SkinningMode;
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
    /// blue less, orange more, dark has none. wireframe: edges of triangles. All on the mesh as it is deformed, without shadows
    /// or ground. skin-space: the mesh after the inverse bind matrices alone, as if no pose were applied to it.
    /// skeleton: joints and bones, without the mesh.
    #[arg(long, value_name = "VIEW", default_value_t, hide_default_value = true, hide_short_help = true)]
    pub view: View,

    /// What is laid over it: skeleton, axes, names, grid, bounds, or several with commas between them
    ///
    /// skeleton: joints, and bones from each to its children, in the colours that the joints have in --view
    /// weights. axes: each joint's own x (red), y (green) and z (blue). names: of joints, where there is room.
    /// grid: squares on the ground; their size is in the corner. bounds: the box around what is shown and its
    /// size, and a fainter one around the clip in every mode. Of a model without skins the nodes take the joints' place.
    #[arg(long, value_name = "WHAT,…", hide_short_help = true)]
    pub overlay: Option<Overlays>,

    /// Other factors for a material, by name or as #NUMBER
    ///
    /// As in --material 'skin:roughness=0.3,color=#ff8800'. color (in sRGB), metallic, roughness, normal (how much the normal
    /// map bends) and emission (how strong). May be given several times.
    #[arg(long, value_name = "NAME:FACTOR=VALUE,…", hide_short_help = true, value_parser = retouch)]
    pub material: Vec<NamedFactors>,

    /// Outlines of the figure before (blue) and after (orange): how many, and how many seconds apart
    ///
    /// As in --onion 3@0.1. Without @ an eighth of a second apart. Where the clips end, there are fewer.
    #[arg(long, value_name = "COUNT[@SECS]", hide_short_help = true)]
    pub onion: Option<Onion>,

    /// The same in other modes beside it: one to three, with commas between them
    ///
    /// As in --mode lbs --split dqs,rigid: all in one pose, from one place, and each with its name.
    #[arg(long, value_name = "MODE,…", hide_short_help = true, conflicts_with = "wipe", value_parser = split)]
    pub split: Option<Split>,

    /// The same in another mode to the right of a line, and after an @ where the line is, from 0 to 1
    ///
    /// As in --mode lbs --wipe dqs@0.5, where the line is in the middle.
    #[arg(long, value_name = "MODE[@X]", hide_short_help = true)]
    pub wipe: Option<Wipe>,

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

/// A material as it was asked for, and its factors.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFactors {
    /// Its name or number.
    pub material: String,
    /// What replaces its own.
    pub factors: Factors,
}

fn retouch(text: &str) -> Result<NamedFactors, String> {
    let (material, factors) = text.rsplit_once(':').ok_or("expected a material, a colon and factors")?;
    let factors = factors.parse::<Factors>().map_err(|error| error.to_string())?;
    Ok(NamedFactors { material: material.to_owned(), factors })
}

/// Modes beside the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Split(pub Vec<SkinningMode>);

fn split(text: &str) -> Result<Split, String> {
    let modes: Vec<SkinningMode> =
        text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|error| format!("{error}"))?;
    match modes.len() < MOST_BESIDE {
        true => Ok(Split(modes)),
        false => Err(format!("at most {} modes fit beside the first", MOST_BESIDE - 1)),
    }
}

impl LookArgs {
    /// Which other modes are shown.
    pub fn arrangement(&self) -> Arrangement {
        match (&self.split, self.wipe) {
            (Some(Split(others)), _) => Arrangement::Split(others.clone()),
            (None, Some(wipe)) => Arrangement::Wipe(wipe),
            (None, None) => Arrangement::Single,
        }
    }
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
