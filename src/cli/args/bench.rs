//! Flags of `sinew bench`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::render::kernels::Order;
use crate::scene::crowd_count;
use crate::skinning::SkinningMode;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::output::png;
use super::subject::{LoadArgs, mode};
use super::vulkan::VulkanArgs;

/// The maximum number of frames that are measured.
const MAX_FRAMES: i64 = 100_000;

/// The maximum number of made-up vertices.
const MAX_VERTICES: i64 = 32_000_000;

/// `sinew bench`
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// A glTF, FBX, OBJ or USD file, builtin:NAME ('sinew builtins' lists them), or - for standard input
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    #[command(flatten)]
    pub load: LoadArgs,

    /// Modes to measure, separated by commas [default: lbs; with --only skin, all]
    #[arg(long, visible_alias = "mode", value_name = "MODE,…", value_delimiter = ',', hide_possible_values = true, value_parser = mode())]
    pub modes: Vec<SkinningMode>,

    /// Numbers of figures to measure, separated by commas [default: one figure]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = crowd_count)]
    pub crowd: Vec<u32>,

    /// Number of frames to measure, after a warm-up; with --only skin, of runs, though fewer if they take seconds
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=MAX_FRAMES))]
    pub frames: u32,

    /// Clip to play, by name or number [default: the model's first]
    #[arg(long, short, value_name = "CLIP", conflicts_with = "pose")]
    pub clip: Option<String>,

    /// Fixed pose instead of a clip: bind, rest or a file
    #[arg(long, value_name = "bind|rest|FILE")]
    pub pose: Option<String>,

    /// Processor that skins the vertices
    #[arg(long, value_name = "auto|gpu|compute|cpu", value_parser = ["auto", "gpu", "compute", "cpu"], hide_possible_values = true)]
    pub skin: Option<String>,

    /// Buffer with the joints' slots for vertex shaders [default: auto]; with --only skin ubo, ssbo [default] or shared memory
    #[arg(long, value_name = "auto|ubo|ssbo|shared", value_parser = ["auto", "ubo", "ssbo", "shared"], hide_possible_values = true)]
    pub palette: Option<String>,

    /// Width and height of the pictures, in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720")]
    pub size: String,

    /// Render with all lights, shadows, ground and smooth edges (full), or faster (draft, plain)
    #[arg(long, value_name = "full|draft|plain")]
    pub quality: Option<String>,

    /// Samples per pixel
    #[arg(long, value_name = "1|4", value_parser = ["1", "4"], hide_possible_values = true)]
    pub msaa: Option<String>,

    /// Also measure other settings, in turns with these, and print the ratio, as in --against 'skin=gpu msaa=4'
    ///
    /// The keys are mode, crowd, seed, clip, pose, skin, palette, size, quality and msaa.
    #[arg(long, value_name = "KEY=VALUE …", value_parser = settings)]
    pub against: Option<Settings>,

    /// Measure the compute kernels of skinning alone, without drawing: positions, then also normals, then also tangents
    #[arg(long, value_name = "skin", value_parser = ["skin"], hide_possible_values = true, conflicts_with_all = ["skin", "size", "quality", "msaa", "against"])]
    pub only: Option<String>,

    /// With --only skin: measure each kernel also with operations that the driver may fuse, and weights of 16 bits
    #[arg(long, requires = "only", hide_short_help = true)]
    pub fast: bool,

    /// With --only skin: numbers of made-up vertices to skin in place of a model's, separated by commas
    #[arg(long, value_name = "N,…", value_delimiter = ',', requires = "only", conflicts_with_all = ["model", "crowd", "clip", "pose"], value_parser = clap::value_parser!(u32).range(1..=MAX_VERTICES))]
    pub vertices: Vec<u32>,

    /// With --vertices: numbers of joints per vertex, 1 to 16, separated by commas [default: 4]
    #[arg(long, value_name = "N,…", value_delimiter = ',', requires = "vertices", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub influences: Vec<u32>,

    /// With --vertices: how joints follow each other from vertex to vertex, separated by commas [default: shuffled]
    #[arg(
        long,
        value_name = "coherent|shuffled|random,…",
        value_delimiter = ',',
        requires = "vertices",
        value_parser = order(),
        hide_possible_values = true
    )]
    pub order: Vec<Order>,

    /// With --only skin: write a chart of nanoseconds per vertex
    #[arg(long, short, value_name = "CHART.png", requires = "only", value_parser = png)]
    pub output: Option<PathBuf>,

    /// Print every figure as JSON instead of the table (docs/reference/json.md explains the keys)
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// Parses an order.
fn order() -> impl TypedValueParser<Value = Order> {
    PossibleValuesParser::new(Order::ALL.map(Order::name)).try_map(|name| name.parse::<Order>())
}

impl BenchArgs {
    /// Refuses flags of made-up vertices without any. The parser lets them pass beside a model, which excludes --vertices.
    pub fn check(&self) -> Result<(), String> {
        match self.vertices.is_empty() && !(self.influences.is_empty() && self.order.is_empty()) {
            true => Err("--influences and --order are of made-up vertices, and need --vertices".to_owned()),
            false => Ok(()),
        }
    }

    /// The crowds to measure; `None` for one figure.
    pub fn crowds(&self) -> Vec<Option<u32>> {
        match self.crowd.as_slice() {
            [] => vec![None],
            counts => counts.iter().copied().map(Some).collect(),
        }
    }
}

/// The settings of another run.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// As given.
    pub text: String,
    /// Keys with their values.
    pub words: Vec<(String, String)>,
}

/// Flags that a run can set.
const KEYS: [&str; 10] =
    ["mode", "crowd", "seed", "clip", "pose", "skin", "palette", "size", "quality", "msaa"];

/// Parses the settings of another run. A word without a key continues the value before it, because names may have spaces.
fn settings(text: &str) -> Result<Settings, String> {
    let mut words: Vec<(String, String)> = Vec::new();
    for word in text.split_whitespace() {
        match (word.split_once('=').filter(|(key, _)| KEYS.contains(key)), words.last_mut()) {
            (Some((key, value)), _) => words.push((key.to_owned(), value.to_owned())),
            (None, Some((_, last))) => *last = format!("{last} {word}"),
            (None, None) => {
                return Err(format!("'{word}': expected KEY=VALUE; the keys are {}", KEYS.join(", ")));
            }
        }
    }
    match words.is_empty() {
        true => Err("expected KEY=VALUE, such as skin=gpu".to_owned()),
        false => Ok(Settings { text: text.trim().to_owned(), words }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_keys_with_values() {
        let word = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let given = settings(" skin=gpu clip=slow walk msaa=4 ").unwrap();
        assert_eq!(given.text, "skin=gpu clip=slow walk msaa=4");
        assert_eq!(given.words, [word("skin", "gpu"), word("clip", "slow walk"), word("msaa", "4")]);
        for wrong in ["", " ", "gpu", "screenshot=a.png", "model=a.glb"] {
            assert!(settings(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_key_is_a_flag() {
        use clap::CommandFactory;
        let command = crate::cli::args::Cli::command();
        for key in KEYS {
            assert!(command.get_arguments().any(|flag| flag.get_long() == Some(key)), "{key}");
        }
    }
}
