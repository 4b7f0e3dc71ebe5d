//! Flags for the look of a picture.

use crate::look::{Background, Look, MAX_STOPS, Quality, Samples};
use crate::model::VertexName;
use crate::overlay::{Onion, Overlays};
use crate::scene::Factors;
use crate::skinning::Fault;
use crate::view::View;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::pose::GhostFlag;
use super::split::{Split, WipeFlag, split};
use std::ffi::OsString;

/// The look of a picture.
#[derive(Debug, Args)]
#[command(next_help_heading = "Look")]
pub struct LookArgs {
    #[arg(long, value_name = "VIEW", default_value_t, hide_default_value = true, hide_short_help = true,
        long_help = view_help())]
    pub view: View,

    /// Draw overlays: skeleton, axes, gradients, names, grid, bounds, wireframe, or several separated by commas
    ///
    /// skeleton: joints, and bones from each to its children, in the joint colours of --view weights.
    /// axes: each joint's local x (red), y (green) and z (blue); of a joint that the picture is about, with their numbers.
    /// gradients: an arrow from each joint's place in the bind pose to its place, with its axes at both ends.
    /// names: joint names, where there is room.
    /// grid: squares on the ground, with their size in the corner.
    /// bounds: the model's box and its size, and a fainter box of the whole clip in every mode.
    /// wireframe: the triangles' edges, over the surface.
    /// In a model without skins, nodes stand in for joints.
    #[arg(long, value_name = "WHAT,…", hide_short_help = true, verbatim_doc_comment)]
    pub overlay: Option<Overlays>,

    /// Override factors of a material, by its name or as #NUMBER
    ///
    /// For example, --material 'skin:roughness=0.3,color=#ff8800'. The factors are color (in sRGB), metallic, roughness,
    /// normal (scale of the normal map) and emission (strength). Can be repeated.
    #[arg(long, value_name = "NAME:FACTOR=VALUE,…", hide_short_help = true, value_parser = retouch)]
    pub material: Vec<NamedFactors>,

    /// Draw onion skin: COUNT outlines before (blue) and COUNT after (orange), SECS apart
    ///
    /// For example, --onion 3@0.1. Without @, they are 0.125 s apart. Near the ends of the clip there are fewer.
    #[arg(long, value_name = "COUNT[@SECS]", hide_short_help = true)]
    pub onion: Option<Onion>,

    /// Draw another pose behind the figure as a pale surface: bind, rest, time=SECONDS or a pose file
    ///
    /// For example, --ghost bind shows where the joints have taken each part from. Both poses share the viewpoint, which shows both
    /// whole.
    #[arg(long, value_name = "bind|rest|time=SECS|FILE", hide_short_help = true,
        value_parser = PathBufValueParser::new().try_map(GhostFlag::parse))]
    pub ghost: Option<GhostFlag>,

    /// Mark where each joint alone would put a vertex, with lines to its skinned position
    ///
    /// For example, --explain node5:0:1234. 'sinew explain' prints the numbers.
    #[arg(long, value_name = "nodeN:PRIMITIVE:VERTEX", hide_short_help = true)]
    pub explain: Option<VertexName>,

    /// Mark a vertex, such as node5:0:1234; a window shows it in its panel
    ///
    /// node5:0:1234 is vertex 1234 of primitive 0 as node 5 draws it. In node5.2:0:1234, copy 2 of node 5 draws it. In
    /// mesh3:0:1234, the first node with mesh 3 does. In 2:0:1234, the 2 counts the drawn mesh nodes from 0. All messages
    /// name vertices this way. The marker is dimmer where a surface hides the vertex.
    #[arg(long, value_name = "nodeN:PRIMITIVE:VERTEX", hide_short_help = true)]
    pub vertex: Option<VertexName>,

    #[arg(long, help_heading = "Mode", value_name = "FAULT", hide_short_help = true, hide_possible_values = true, value_parser = fault(), help = "Skin with a deliberate fault",
        long_help = fault_help())]
    pub inject: Option<Fault>,

    /// Second file, for --split other, --wipe other or --view difference:other
    ///
    /// For example, an earlier export: sinew new.glb --other old.glb --wipe other. It takes the first file's viewpoint,
    /// and its pose by the names of clips and joints. It may be a point cache of the clip shown: .pc2, .mdd, .npy, .ply, or
    /// 'run-*.obj' for a file per frame.
    #[arg(long, help_heading = "Model", value_name = "MODEL", hide_short_help = true)]
    pub other: Option<OsString>,

    /// Show other modes beside the first, separated by commas; or a pane for a list of flags
    ///
    /// For example, --mode lbs --split dqs,rigid. All panes share pose and viewpoint, and each is labelled. With
    /// KEY=VALUE words, the picture is a storyboard of one pane per --split, as in --split pose=bind --split 'mode=dqs
    /// view=normals'. The keys are flags that change a picture, without dashes; a pane inherits the flags that it does
    /// not set. At the end, caption=TEXT replaces the label. Panes share one viewpoint, which shows all of them, unless a pane
    /// sets its camera. The word other stands for the file of --other. --split other shows that file beside the first, and a
    /// storyboard's pane with that word shows it alone.
    #[arg(long, value_name = "MODE,…|KEY=VALUE …", hide_short_help = true, conflicts_with = "wipe", value_parser = split)]
    pub split: Vec<Split>,

    /// Show another mode, or the other file, to the right of a line
    ///
    /// For example, --mode lbs --wipe dqs@0.5. The number is the position of the line, from 0 (left edge) to 1 (right
    /// edge). The default is the middle.
    #[arg(long, value_name = "MODE|other[@X]", hide_short_help = true)]
    pub wipe: Option<WipeFlag>,

    /// Hide the legend and the label of an injected fault
    #[arg(long, hide_short_help = true)]
    pub no_legend: bool,

    /// Render with all lights, shadows, ground and smooth edges (full), or faster (draft, plain)
    ///
    /// draft has one light, no shadows, no ground, and one sample per pixel unless --msaa 4 is given. It takes about half
    /// the time. plain also has matt surfaces, and is several times as fast as draft on software drivers.
    #[arg(
        long,
        value_enum,
        value_name = "full|draft|plain",
        default_value = "full",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub quality: QualityName,

    /// Samples per pixel: 1 (jagged edges) or 4 (smooth edges) [default: 4; in drafts 1]
    #[arg(long, value_name = "1|4", value_parser = samples, hide_short_help = true)]
    pub msaa: Option<Samples>,

    /// Exposure in stops, from -10 to 10: 1 is twice as bright, -1 half [default: 0]
    ///
    /// It scales the light of surfaces before tone mapping. Background, unlit materials and views of data do not change.
    #[arg(long, value_name = "STOPS", default_value_t = 0.0, hide_default_value = true, allow_negative_numbers = true, value_parser = stops, hide_short_help = true)]
    pub exposure: f64,

    /// Light surfaces by a Radiance picture (.hdr) of the surroundings, in place of the built-in studio
    ///
    /// The picture is an equirectangular panorama, twice as wide as high. It is fixed in the world, with its centre
    /// behind the figure as seen from the front. It lights surfaces and is reflected in them, but is not the
    /// background.
    #[arg(long, value_name = "FILE.hdr", hide_short_help = true)]
    pub environment: Option<OsString>,

    /// Draw views of data without the soft light that shows the form
    ///
    /// Colours then depend little on the direction of the surface, and scales begin at black.
    #[arg(long, hide_short_help = true)]
    pub flat: bool,

    /// Background: studio, a colour such as '#dadcdf', or transparent
    ///
    /// The studio is grey, dark above and light below, so that surfaces of every colour stand out. Behind views of data
    /// it is light grey. Transparent pictures have straight alpha, and keep only the shadows of the ground.
    #[arg(long, value_name = "studio|COLOR|transparent", default_value_t, hide_short_help = true)]
    pub background: Background,
}

/// Help that follows the list of views.
fn view_help() -> String {
    format!(
        "View to draw: {} [default: {}]\n\n{}\nAll views but shaded and skeleton show the deformed mesh without shadows \
         and ground. skin-space shows no pose.",
        View::names(),
        View::default(),
        View::help()
    )
}

/// Parses a fault.
fn fault() -> impl TypedValueParser<Value = Fault> {
    PossibleValuesParser::new(Fault::ALL.map(Fault::name)).try_map(|name| name.parse::<Fault>())
}

fn fault_help() -> String {
    let faults = Fault::ALL.map(|fault| format!("{fault}: {}.", fault.symptom().cause));
    format!(
        "Skin with a deliberate fault, to see its symptom; a label names it\n\n{}\n\ndocs/concepts/symptoms.md shows them, \
         and 'sinew diagnose' names the one that a picture looks like.",
        faults.join("\n")
    )
}

/// A material as named in a flag, with its new factors.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFactors {
    /// Name or number of the material.
    pub material: String,
    /// The factors to replace.
    pub factors: Factors,
}

fn retouch(text: &str) -> Result<NamedFactors, String> {
    let (material, factors) =
        text.rsplit_once(':').ok_or("expected MATERIAL:FACTOR=VALUE, such as skin:roughness=0.3")?;
    let factors = factors.parse::<Factors>().map_err(|error| error.to_string())?;
    Ok(NamedFactors { material: material.to_owned(), factors })
}

impl From<&LookArgs> for Look {
    fn from(args: &LookArgs) -> Self {
        let quality = match args.quality {
            QualityName::Full => Quality::Full,
            QualityName::Draft => Quality::Draft,
            QualityName::Plain => Quality::Plain,
        };
        Self {
            quality,
            samples: args.msaa,
            background: args.background,
            flat: args.flat,
            exposure: args.exposure,
        }
    }
}

/// The amount of light that is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum QualityName {
    /// All lights, shadows, the ground, smooth edges.
    Full,
    /// One light, no shadows, no ground.
    Draft,
    /// Matt surfaces under one light.
    Plain,
}

/// A number of stops.
fn stops(text: &str) -> Result<f64, String> {
    let stops = text.parse().ok().filter(|stops: &f64| stops.abs() <= MAX_STOPS);
    stops.ok_or_else(|| "expected a number of stops from -10 to 10, such as 1.5".to_owned())
}

fn samples(text: &str) -> Result<Samples, String> {
    match text {
        "1" => Ok(Samples::One),
        "4" => Ok(Samples::Four),
        _ => Err("expected 1 or 4".to_owned()),
    }
}
