//! The flags and arguments of all commands. They check only the words themselves, and never access files or devices.

mod advice;
mod bake;
mod bench;
mod camera;
mod check;
mod compare;
pub mod config;
mod conformance;
mod corpus;
mod diagnose;
mod diff;
mod explain;
mod export;
mod fit;
pub mod flags;
mod golden;
mod inspect;
mod lesson;
mod limit;
mod look;
mod message;
mod mush;
mod normals;
pub mod output;
mod picture;
mod pose;
mod report;
pub mod split;
mod subject;
mod sweep;
mod view_page;
mod vulkan;
mod weights;
mod why;
#[cfg(feature = "window")]
mod window;

use std::ffi::OsString;
use std::path::PathBuf;

use crate::analysis::verify::Samples;
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

pub use self::bake::BakeArgs;
pub use self::bench::BenchArgs;
pub use self::camera::{CameraArgs, CameraChoice, LookAt};
pub use self::check::CheckArgs;
pub use self::compare::CompareArgs;
pub use self::conformance::ConformanceArgs;
pub use self::corpus::{CorpusAction, CorpusArgs};
pub use self::diagnose::DiagnoseArgs;
pub use self::diff::DiffArgs;
pub use self::explain::{ExplainArgs, PaletteArgs, VertexChoice};
pub use self::export::{ConvertArgs, ExportArgs, FrameChoice, Skinner};
pub use self::fit::FitArgs;
pub use self::golden::GoldenArgs;
pub use self::inspect::InspectArgs;
pub use self::lesson::LessonArgs;
pub use self::limit::Limit;
pub use self::look::NamedFactors;
pub use self::message::one_line;
pub use self::picture::{PictureArgs, PictureSkinner};
pub use self::pose::{GhostFlag, PoseSource, ShareFlag};
pub use self::report::ReportArgs;
#[cfg(feature = "window")]
pub use self::subject::SubjectArgs;
pub use self::subject::{AskedMode, BlendClip, LoadArgs, PoseArgs, ReaderFlag};
pub use self::sweep::{AxisChoice, SweepArgs};
pub use self::view_page::{PlanArgs, ViewPageArgs};
pub use self::vulkan::{ValidateArgs, VulkanArgs};
pub use self::weights::{Step, WeightsArgs};
pub use self::why::WhyArgs;
#[cfg(feature = "window")]
pub use self::window::WindowArgs;

const ABOUT: &str = "Shows how skinning modes deform a character";

const LONG_ABOUT: &str = "\
Shows how skinning modes deform a character.

sinew loads a glTF, FBX, OBJ or USD model, poses it, skins it on the GPU in the mode of your choice, \
and shows it in a window or writes pictures (--screenshot). It needs a Vulkan 1.3 driver; a \
software driver is enough.";

const EXAMPLES: &str = "\
Examples:
  sinew fox.glb --mode dqs --clip Run
      Open a window; press ? there for the list of keys.
  sinew --screenshot character.png
      Draw the built-in character in its first clip.
  sinew fox.glb --mode dqs --clip Run --time 0.35 --screenshot fox.png
      Draw a clip at 0.35 s with dual quaternions.
  sinew --clip walk --blend-clip idle@0.3 --time 0.5 --screenshot tired.png
      Blend two clips: 70 % walk, 30 % idle.
  sinew builtin:twist --mode lbs --time 2 --screenshot candy-wrapper.png
      Show how linear blending collapses a twist.
  sinew fox.glb --pose bind --screenshot bind.png
      Draw the mesh as stored, without skinning.
  sinew --pose rest --joint upper_arm.R=0,0,45 --screenshot raised.png
      Turn a joint; --morph sets a morph weight, and --pose FILE reads both from a file.
  sinew fox.glb --clip-from walk.glb --clip Walk --screenshot walk.png
      Play a clip of another file, with joints matched by name.
  sinew fox.glb --camera=-30,15 --size 640x480 --screenshot - > fox.png
      Choose a viewpoint and write to standard output.
  sinew fox.glb --clip Run --screenshot run.gif
      Animate the whole clip; also .webp, .apng, .mp4, .webm, or run-{frame}.png for a file per frame.
  sinew fox.glb --turntable 48 --screenshot round.webp
      Orbit the model.
  sinew show fox.png
      Print how a picture was made.
  sinew why fox.glb --joint elbow -o elbow.png
      Explain why a joint looks broken: the worst frame, and each mode's figures and close-up.
  sinew compare fox.glb --clip Run
      Measure the distances between modes in a clip: where, when and how far.
  sinew report fox.glb -o report
      Write a page on where, when and how badly each mode deforms the model.
  sinew sweep --joint forearm.R -o sheet.png
      Turn a forearm in seven steps, in every mode, and draw close-ups of the elbow with charts.
  sinew explain fox.glb --clip Run --time 0.35 --vertex node1:0:331
      Explain the position of one vertex in every mode.
  sinew diagnose fox.glb --clip Run --time 0.35 --like broken.png
      Name the fault of skinning code that another program's picture looks like.
  sinew conformance --judge results
      Judge what another program skinned of the conformance suite.
  sinew inspect fox.glb
      List a model's contents, what other renderers would lose, and the glTF rules that it breaks.
  sinew verify fox.glb
      Check that the GPU skins this model as the CPU does, in every mode and clip.
  sinew bench fox.glb --crowd 1,100,1000
      Measure the time of a frame, with one figure and with many.
  sinew export fox.glb --mode dqs --clip Run --time 0.35 -o fox.obj
      Write the skinned vertices for other programs.
  sinew bake fox.glb --mode dqs --clip Run -o run.glb
      Write the clip as dual quaternions skin it, for viewers without them.
  sinew export fox.glb --rigged --max-influences 4 --max-joints 64 -o small.glb
      Write the model with its joints, within another program's limits, and measure the change.
  sinew convert fox.fbx -o fox.glb
      Write an FBX file as glTF, with the skinning mode that the file names.
  sinew diff old.png new.png -o difference.png
      Compare two pictures and show where they differ.
  sinew golden tests/golden
      Compare a list of pictures with their goldens (see 'sinew golden --help').
  sinew devices
      List the Vulkan devices.
  sinew report-bug fox.glb -o fault.md
      Gather the text of a bug report, without the model itself.

Exit codes:
  0 done   1 the input is wrong   2 usage   3 no usable Vulkan
  4 window, device, memory or validation failed   5 the output could not be written
  6 a check failed (verify, diff, golden, conformance, compare --fail-above, --fail-on)

Environment:
  SINEW_LOG          log level on standard error: error, warn (default), info, debug, trace
  SINEW_FONTS        folders of fonts for names in other scripts; empty for none
  SINEW_PROGRESS     if set, progress as lines on standard error, such as progress: 0.25
  SINEW_CONFIG       config file in place of $XDG_CONFIG_HOME/sinew/config.toml; empty for none
  XDG_CACHE_HOME     its sinew/ keeps compiled pipelines, centres and thumbnails [default: ~/.cache]
  XDG_CONFIG_HOME    folder with sinew/config.toml, which sets flags [default: ~/.config]
  XDG_STATE_HOME     its sinew/ keeps recent files and unsaved edits [default: ~/.local/state]
  VK_DRIVER_FILES    Vulkan drivers that the loader may use";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "sinew",
    version,
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_long_help = EXAMPLES,
    after_help = "'sinew --help' shows all flags, with examples; 'sinew help COMMAND' explains a command.",
    args_conflicts_with_subcommands = true,
    max_term_width = 100
)]
pub struct Cli {
    /// Command to run instead of making a picture.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Ignore the config file (docs/reference/config.md)
    #[arg(long, global = true, hide_short_help = true)]
    pub no_config: bool,
    /// The picture.
    #[command(flatten)]
    pub picture: PictureArgs,
}

impl Cli {
    /// Parses a command line and checks which flags conflict.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let words: Vec<OsString> = words.into_iter().collect();
        let matches = Self::command_for(&words).try_get_matches_from(words).map_err(|mut error| {
            advice::add(&mut error, &Self::command());
            error
        })?;
        if let Some(conflict) = more_than_one_from_stdin(&matches) {
            return Err(Self::command().error(ErrorKind::ArgumentConflict, conflict));
        }
        let mut cli = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut Self::command()))?;
        let posed = match &cli.command {
            Some(Command::Compare(args)) => &args.posed,
            Some(Command::Explain(args)) => &args.posed,
            Some(Command::Palette(args)) => &args.posed,
            Some(Command::Diagnose(args)) => &args.posed,
            Some(Command::Export(args)) => &args.subject.posed,
            Some(Command::Bake(args)) => &args.subject.posed,
            _ => &cli.picture.subject.posed,
        };
        if let Some(conflict) = posed.conflict() {
            return Err(Self::command().error(ErrorKind::ArgumentConflict, conflict));
        }
        if cli.command.is_none() {
            cli.picture.panes = split::panes(&matches, &cli.picture.look.split)
                .map_err(|(kind, cause)| Self::command().error(kind, cause))?;
        }
        Ok(cli)
    }
}

impl Cli {
    /// Returns the command; without the headings of groups where a command line asks for the short help, which has a screen.
    fn command_for(words: &[OsString]) -> clap::Command {
        let has = |expected: &str| words.iter().any(|word| word == expected);
        if !has("-h") {
            return Self::command();
        }
        // Its last line names 'sinew help'.
        let command = Self::command().disable_help_subcommand(!has("help"));
        let hide = |cli: clap::Command, name| cli.mut_subcommand(name, |one| one.hide(!has(name)));
        let command = ["man", "report-bug", "serve", "completions"].into_iter().fold(command, hide);
        command.mut_args(|flag| flag.help_heading(None::<&'static str>))
    }
}

/// Returns an error if several models are standard input.
fn more_than_one_from_stdin(matches: &ArgMatches) -> Option<&'static str> {
    let matches = matches.subcommand().map_or(matches, |(_, matches)| matches);
    let models = ["model", "models", "more", "new", "other", "clip_from", "inputs"];
    let given = models.iter().filter_map(|id| matches.try_get_raw(id).ok()?).flatten();
    (given.filter(|word| *word == "-").count() > 1).then_some("only one file can be standard input (-)")
}

/// Everything but pictures.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the Vulkan devices, and which of them can run sinew
    Devices(DevicesArgs),
    /// Explain why a joint looks broken: where, when, how much, and which mode to choose
    Why(WhyArgs),
    /// Measure the distances between modes, or between two files: where, when, how far
    Compare(CompareArgs),
    /// Write pages on each mode's deformation: volume, stretch, cross-sections, jumps
    Report(ReportArgs),
    /// Write one page that shows a model in every mode, or two exports, in three dimensions
    ViewPage(ViewPageArgs),
    /// Check many models, or compare many pairs, and sort what is wrong
    Corpus(CorpusArgs),
    /// Turn one joint step by step, and draw and measure it in each mode
    Sweep(SweepArgs),
    /// Explain the position of one vertex: its joints, weights and matrices, in every mode
    Explain(ExplainArgs),
    /// Print the palettes of a pose: every joint's matrices, and the slots that shaders read
    Palette(PaletteArgs),
    /// Name the skinning that made vertices, or the fault that a picture looks like
    Diagnose(DiagnoseArgs),
    /// List or write the conformance suite, or judge a program's results
    Conformance(ConformanceArgs),
    /// List a model's contents, and the glTF rules that it breaks
    Inspect(InspectArgs),
    /// Check that GPU and CPU skin alike, and as the f64 reference does
    Verify(VerifyArgs),
    /// Measure the cost of frames, stage by stage, or of skinning alone
    Bench(BenchArgs),
    /// Write skinned vertices as JSON, PLY, OBJ or GLB, or the model with its joints
    Export(ExportArgs),
    /// Write a model as .glb or USD, with the skinning mode that its file names
    Convert(ConvertArgs),
    /// Write every frame of a clip, for programs without its skinning mode
    Bake(BakeArgs),
    /// Add joints so that linear blending follows another mode
    Fit(FitArgs),
    /// Edit weights by hand, with locked joints, and measure the change
    Weights(WeightsArgs),
    /// List the built-in models, or write them as .glb files
    Builtins(BuiltinsArgs),
    /// Teach skinning in twelve steps, from a matrix to a deformed character
    Lesson(LessonArgs),
    /// Compare two pictures, per pixel and by visible difference (FLIP)
    Diff(DiffArgs),
    /// Draw the pictures listed in a golden.toml and compare them with their goldens
    Golden(GoldenArgs),
    /// Print how a picture was made: command, version, model, device and driver
    Show(ShowArgs),
    /// Gather the text of a bug report
    ///
    /// It has the version, the system, limits and devices. For a model, it has the output of 'sinew inspect' and the
    /// errors.
    ReportBug(ReportBugArgs),
    /// Answer commands on standard input, one JSON object per line, in one process
    Serve(ServeArgs),
    /// Print completions for a shell: bash, elvish, fish, powershell or zsh
    Completions(CompletionsArgs),
    /// Print a manual page in roff, or write those of all commands
    Man(ManArgs),
}

/// `sinew man`
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Command whose page to print [default: sinew itself]
    #[arg(value_name = "COMMAND", conflicts_with = "write")]
    pub command: Option<String>,

    /// Write the pages of sinew and all its commands into this folder: sinew.1, sinew-export.1, …
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
}

/// `sinew completions`
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum, hide_possible_values = true)]
    pub shell: Shell,
}

/// `sinew devices`
#[derive(Debug, Args)]
pub struct DevicesArgs {
    /// Print the devices as JSON, with their limits (docs/reference/devices.md explains the keys)
    #[arg(long)]
    pub json: bool,

    /// Measure anew on every device which buffer with palettes is faster, and keep the result for '--palette auto'
    #[arg(long)]
    pub measure: bool,

    #[command(flatten)]
    pub validate: ValidateArgs,
}

/// `sinew report-bug`
#[derive(Debug, Args)]
pub struct ReportBugArgs {
    /// Model with the problem; the text includes the output of 'sinew inspect', but not the file itself
    #[arg(value_name = "MODEL")]
    pub model: Option<OsString>,

    /// Write the text to this file [default: standard output]
    #[arg(short, long, value_name = "OUT.md")]
    pub output: Option<PathBuf>,

    /// Include the model's file, up to 32 MiB; every reader of the report then has it
    #[arg(long, requires = "model")]
    pub include_model: bool,

    #[command(flatten)]
    pub load: LoadArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// `sinew show`
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// PNG, JPEG or WebP that sinew wrote
    #[arg(value_name = "OUT.png")]
    pub picture: PathBuf,

    /// Print the record as JSON
    #[arg(long)]
    pub json: bool,
}

/// `sinew verify`
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Models to check: files, builtin:NAME, or - for standard input [default: every built-in model]
    #[arg(value_name = "MODEL")]
    pub models: Vec<OsString>,

    /// Maximum number of times to check in each clip; all for no limit
    ///
    /// The times are all keys that move the picture, and one time between every two keys. If a clip has more than N, keys
    /// come first, spread evenly, and the output states how many of the times were checked.
    #[arg(long, value_name = "N|all", default_value_t)]
    pub samples: Samples,

    /// Check shaders whose operations the driver may fuse: against the bounds, not bit by bit
    #[arg(long)]
    pub fast: bool,

    #[command(flatten)]
    pub load: LoadArgs,

    /// Print every figure as JSON instead of the table
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub check: CheckArgs,

    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

/// `sinew serve`
#[derive(Debug, Args)]
#[command(after_help = SERVE)]
pub struct ServeArgs {
    #[command(flatten)]
    pub vulkan: VulkanArgs,
}

const SERVE: &str = "\
Commands, one per line on standard input:
  {\"load\": \"fox.glb\"}                       read a model, and clear all flags
  {\"set\": {\"mode\": \"dqs\", \"time\": 0.5}}     set flags of pictures; null clears one
  {\"screenshot\": \"a.png\"}                   draw; also a-{frame}.png, a.gif, a.mp4
  {\"export\": \"a.json\"}, {\"bake\": \"a.glb\"}
  {\"explain\": \"0:0:331\"}, {\"palette\": true}
  {\"compare\": true}, {\"verify\": true}, {\"inspect\": {\"weights\": true}}

Each answer is one line: {\"ok\": ...}, or {\"error\": \"...\", \"exit\": 1} with the exit code of the
command. A flag that was set applies to every command that has it. An object, as for inspect,
sets flags for one command. docs/reference/serve.md has more, and an example.";

/// `sinew builtins`
#[derive(Debug, Args)]
pub struct BuiltinsArgs {
    /// Write every built-in model into this folder
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_read<const N: usize>(words: [&str; N]) -> bool {
        Cli::read(words.map(OsString::from)).is_ok()
    }

    #[test]
    fn clap_finds_no_mistake() {
        Cli::command().debug_assert();
    }

    /// Every flag of a picture stands under a heading, and the headings follow the work: load, pose, skin, look, write.
    #[test]
    fn help_is_grouped_and_in_order() {
        let mut command = Cli::command();
        let flags = command.get_arguments().filter(|flag| !flag.is_positional() && !flag.is_global_set());
        let mut found: Vec<String> = Vec::new();
        for flag in flags {
            let heading =
                flag.get_help_heading().unwrap_or_else(|| panic!("{} has no heading", flag.get_id()));
            if !found.iter().any(|known| known == heading) {
                found.push(heading.to_owned());
            }
        }
        let mut headings = vec!["Model", "Pose", "Mode", "Look", "Viewpoint", "Output", "Window", "Device"];
        headings.retain(|heading| *heading != "Window" || cfg!(feature = "window"));
        assert_eq!(found, headings);
        let help = command.render_long_help().to_string();
        let places: Vec<usize> =
            headings.iter().map(|heading| help.find(&format!("\n{heading}:\n")).unwrap()).collect();
        assert!(places.is_sorted() && help.find("\nExamples:\n").unwrap() > places[places.len() - 1]);
        let short = Cli::read(["sinew", "-h"].map(OsString::from)).unwrap_err().to_string();
        assert!(short.contains("--mode") && !short.contains("\nPose:\n"), "{short}");
    }

    #[test]
    fn a_pose_and_a_clip_exclude_each_other() {
        for pose in ["bind", "rest"] {
            assert!(!is_read(["sinew", "--pose", pose, "--clip", "0"]));
            assert!(!is_read(["sinew", "--pose", pose, "--time", "0"]));
            assert!(!is_read(["sinew", "--pose", pose, "--blend-clip", "0"]));
        }
        assert!(!is_read(["sinew", "export", "-o", "a.obj", "--pose", "rest", "--clip", "0"]));
        assert!(is_read(["sinew", "--clip", "walk", "--time", "-1"]));
        assert!(is_read(["sinew", "--clip", "walk", "-c", "idle", "--blend-clip", "0@1"]));
        assert!(is_read(["sinew", "--camera", "-30,10"]));
        // A pose file allows all of them.
        assert!(is_read(["sinew", "--pose", "./bind", "--clip", "walk", "--time", "1", "--blend-clip", "0"]));
    }

    #[test]
    fn edits_go_with_everything_but_the_bind_pose() {
        assert!(is_read(["sinew", "--pose", "rest", "--joint", "-a=0,0,-90", "--morph", "-b=-1"]));
        assert!(is_read(["sinew", "--joint=a=0,0,90", "--joint", "b=0,0,0,1", "--clip", "walk"]));
        assert!(is_read(["sinew", "export", "-o", "a.obj", "--pose", "a.json", "--joint", "a=0,0,90"]));
        assert!(!is_read(["sinew", "--pose", "bind", "--joint", "a=0,0,90"]));
        assert!(!is_read(["sinew", "--pose", "bind", "--morph", "a=1"]));
    }
}
