//! Flags for the figure: model, pose and mode.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::model::{DdmSettings, Model, Options, Reader, Watch};
use crate::scene::Files;
use crate::skinning::delta_mush::Settings;
use crate::skinning::{SkinningMode, Yardstick};
use clap::Args;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};

use super::limit::{Limit, limit};
use super::mush::mush;
use super::pose::{JointFlag, MorphFlag, PoseSource, ShareFlag, VectorFlag};
use super::pose::{joint, morph, scale, share, translation};

/// The options for reading a model's file.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Model")]
pub struct LoadArgs {
    /// Scene to show, by name or number [default: the one that the file names]
    #[arg(long, hide_short_help = true, value_name = "NAME|INDEX")]
    pub scene: Option<String>,

    /// Variant to show, by the name of its set: --variant color=red
    ///
    /// The variant is selected in all parts of the file that have the set. 'sinew inspect MODEL' lists sets and variants.
    /// The set of a glTF file (KHR_materials_variants) is 'materials'. Can be repeated, once for each set.
    #[arg(long, hide_short_help = true, value_name = "SET=NAME", value_parser = variant)]
    pub variant: Vec<(String, String)>,

    /// Read buffers and textures outside the model's folder
    ///
    /// Without this flag, sinew rejects references by ../, absolute paths and file: URIs. It never reads from other
    /// machines, pipes or devices.
    #[arg(long, hide_short_help = true)]
    pub allow_outside: bool,

    /// Treat every warning about the model as an error
    #[arg(long, hide_short_help = true)]
    pub strict: bool,

    /// Samples per second for the motion of FBX files [default: the file's frame rate]
    ///
    /// Where motion bends between two samples, sinew adds more.
    #[arg(long, hide_short_help = true, value_name = "FPS", value_parser = rate)]
    pub fbx_rate: Option<f64>,

    /// Add the clips of another file, and match its joints by name
    ///
    /// The file needs a rig with clips, but no mesh. Its clips follow the model's, as in --clip-from walk.glb --clip
    /// Walk. Joints are matched by --joint-map, then by name, then without namespace and case (mixamorig:Hips is hips),
    /// then by guesses: the words of names, the bones of humans in the usual naming schemes, and the shape of the tree.
    /// Rest poses and proportions may differ: joints keep their turn from rest, bones their length, and the hips'
    /// travel is scaled to their height (docs/guides/clips.md). 'sinew inspect MODEL --clip-from FILE' lists the
    /// matches. Can be repeated.
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub clip_from: Vec<OsString>,

    /// TOML file that matches joints for --clip-from, with lines such as "LeftArm" = "upper_arm.L"
    ///
    /// The left name is a joint of the clips' file, the right one a joint of the model. The right name "" omits the
    /// joint. The map takes precedence over matches by name. One map can serve several files.
    #[arg(long, hide_short_help = true, value_name = "MAP.toml")]
    pub joint_map: Option<PathBuf>,

    /// Match joints for --clip-from by --joint-map and by name alone, without guesses
    #[arg(long, hide_short_help = true)]
    pub no_guess: bool,

    /// Settings of direct delta mush, such as lambda=5,alpha=0.5
    ///
    /// iterations (20) and lambda (3) smooth the surface, kappa (1) its weights; alpha (0.8) is the share of these in
    /// where a vertex goes. Terms whose share of a vertex is below least (1e-4) are left out.
    #[arg(long, hide_short_help = true, value_name = "NAME=VALUE,…", value_parser = mush)]
    pub ddm_settings: Option<DdmSettings>,

    /// Keep only the terms of direct delta mush that matter by a length, such as 0.1mm, in the model's clips
    ///
    /// Each vertex keeps as few terms as move it by no more than the length, or than a share of the bind pose's diagonal,
    /// such as 0.01%, from where all terms take it. 'sinew inspect MODEL --ddm' shows what that saves.
    #[arg(long, hide_short_help = true, value_name = "LENGTH", value_parser = limit)]
    pub ddm_within: Option<Limit>,

    /// Parser of glTF files: own, or the crate gltf
    ///
    /// gltf parses and validates with the crate of that name, writes its document, and reads that. The result is the same
    /// model, or that crate's error. 'sinew inspect MODEL --reader both' compares the two.
    #[arg(long, hide_short_help = true, value_name = "own|gltf", default_value = "own", hide_default_value = true,
        hide_possible_values = true, value_parser = reader(&["own", "gltf"]))]
    pub reader: ReaderFlag,

    /// The progress of the read and its cancellation.
    #[arg(skip)]
    pub watch: Watch,
}

impl LoadArgs {
    /// The options for the loader.
    pub fn options(&self) -> Options {
        Options {
            scene: self.scene.clone(),
            variants: self.variant.clone(),
            allow_outside: self.allow_outside,
            fbx_rate: self.fbx_rate,
            reader: self.reader(),
            watch: self.watch.clone(),
        }
    }

    /// The parser; of both, the first.
    fn reader(&self) -> Reader {
        match self.reader {
            ReaderFlag::Own | ReaderFlag::Both => Reader::Own,
            ReaderFlag::Gltf => Reader::Gltf,
        }
    }

    /// Returns a model that is read in this way.
    pub fn files(&self, model: impl Into<String>) -> Files {
        Files {
            scene: self.scene.clone(),
            variants: self.variant.clone(),
            allow_outside: self.allow_outside,
            fbx_rate: self.fbx_rate,
            clip_from: self.clip_from.iter().map(|file| file.to_string_lossy().into_owned()).collect(),
            joint_map: self.joint_map.as_ref().map(|map| map.display().to_string()),
            no_guess: self.no_guess,
            reader: self.reader(),
            ddm: self.ddm_settings.filter(|settings| *settings != DdmSettings::default()),
            ddm_within: self.ddm_within.map(|limit| match limit {
                Limit::Metres(metres) => format!("{metres}m"),
                Limit::Percent(percent) => format!("{percent}%"),
            }),
            ..Files::from(model)
        }
    }
}

/// The value of `--reader`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReaderFlag {
    /// The loader's own.
    #[default]
    Own,
    /// The crate `gltf`.
    Gltf,
    /// Each in turn, to compare them.
    Both,
}

/// Parses a reader by name.
pub fn reader(names: &'static [&'static str]) -> impl TypedValueParser<Value = ReaderFlag> {
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        "gltf" => ReaderFlag::Gltf,
        "both" => ReaderFlag::Both,
        _ => ReaderFlag::Own,
    })
}

fn mode_help() -> String {
    format!("Skinning mode: {} [default: {AUTHORED}]", SkinningMode::names(", "))
}

/// Returns a line about each mode.
fn all_modes() -> String {
    format!("{}\n\n{}\n{AUTHORED_HELP}", mode_help(), SkinningMode::help())
}

/// Names the modes of pictures.
pub fn picture_mode_help() -> String {
    format!("{}; for pictures also {}, delta mush", mode_help(), Yardstick::MUSH)
}

/// Returns a line about each mode of pictures.
pub fn all_picture_modes() -> String {
    format!(
        "{}\n{}: delta mush, in pictures alone; it is computed on the CPU, and not in real time.",
        all_modes(),
        Yardstick::MUSH
    )
}

/// A model in a pose, and how it is skinned.
#[derive(Debug, Args)]
pub struct SubjectArgs {
    /// A glTF, FBX, OBJ or USD file, builtin:NAME or -
    ///
    /// 'sinew builtins' lists the built-in models. - is standard input, up to 1 GiB. The first bytes identify its
    /// format, and a .gltf finds its files in the current folder. For a file called -, write ./-.
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    #[command(flatten)]
    pub load: LoadArgs,

    #[command(flatten)]
    pub posed: PoseArgs,

    #[arg(long, short, help_heading = "Mode", display_order = 0, value_name = "MODE", default_value = AUTHORED, hide_default_value = true, hide_possible_values = true,
        value_parser = asked_mode(), help = mode_help(),
        long_help = all_modes())]
    pub mode: AskedMode,
}

/// The pose to show.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Pose")]
pub struct PoseArgs {
    /// Pose to show: bind, rest or a pose file
    ///
    /// bind is the mesh as stored, neither skinned nor morphed. rest has the file's node transforms. A pose file is
    /// JSON with edited joints and morph weights, which apply over clips or the rest pose (docs/reference/poses.md).
    /// --clip, --blend-clip, --time and --frame override a pose file; bind and rest exclude them. For a file called
    /// bind or rest, write ./bind.
    #[arg(long, short, value_name = "bind|rest|FILE", value_parser = PathBufValueParser::new().map(PoseSource::from))]
    pub pose: Option<PoseSource>,

    /// Clip to show, by name or number [default: the first, or else rest]
    ///
    /// Can be repeated, as in --clip walk --clip wave. Where two clips set the same value, such as a joint's rotation,
    /// the later one wins. A second file plays the clip of the same name, or else the same part after the last | or :,
    /// or else the same name without case. --clip OLD=NEW names both.
    #[arg(long, short, value_name = "NAME|INDEX")]
    pub clip: Vec<String>,

    /// Clip to blend over the others, and its weight [default: @0.5]
    ///
    /// For example, --clip walk --blend-clip idle@0.3 is 70 % walk and 30 % idle, blended joint by joint in local
    /// space. If only one of them moves a joint, the other has the file's transform of it. Can be repeated; each clip
    /// is blended over all before it. Clips go by name or number. A number from 0 to 1 after the last @ is the weight.
    #[arg(long, hide_short_help = true, value_name = "CLIP[@W]", value_parser = blend_clip)]
    pub blend_clip: Vec<BlendClip>,

    /// Time in the clips, in seconds [default: their start]
    ///
    /// Clips of FBX files start at their first key, others at 0. Outside a clip's keys, the nearest key holds.
    #[arg(long, short, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub time: Option<f64>,

    /// Time in the clips, as a frame of the file, in place of --time
    ///
    /// Frames count from the file's time 0, at the rate that the file names. --frame 35 is thus its author's frame 35.
    /// glTF names no rate; there a second has 30 frames. Fractions of a frame are allowed. 'sinew inspect' lists the
    /// first and last frame of each clip of an FBX file.
    #[arg(long, hide_short_help = true, value_name = "FRAME", allow_negative_numbers = true, conflicts_with = "time",
        value_parser = frame)]
    pub frame: Option<f64>,

    /// Set a joint's rotation: degrees about its parent's x, then y, then z, or a quaternion
    ///
    /// For example, --joint elbow=0,0,45 or --joint elbow=0,0,0.38268343236508984,0.9238795325112867. This is the joint's
    /// whole local rotation, in place of that of clips, file and pose file. Translation and scale do not change. A
    /// joint is a node of the file, by name or by number, as in --joint '#12=0,0,45'. The numbers follow the last =.
    /// Can be repeated.
    #[arg(long, hide_short_help = true, allow_hyphen_values = true, value_name = "NAME=X,Y,Z[,W]", value_parser = joint)]
    pub joint: Vec<JointFlag>,

    /// Turn a joint from its rest: degrees about the x, then y, then z axis that it has at rest, or a quaternion
    ///
    /// For example, --turn elbow=0,0,45. At 0,0,0 the joint has the rotation that the file stores, whatever clips and a pose file
    /// say, and 45 degrees are 45 degrees. Translation and scale do not change. For the same joint it replaces --joint. Can be
    /// repeated.
    #[arg(long, hide_short_help = true, allow_hyphen_values = true, value_name = "NAME=X,Y,Z[,W]", value_parser = joint)]
    pub turn: Vec<JointFlag>,

    /// Set a joint's translation relative to its parent
    ///
    /// For example, --joint-move hips=0,0.9,0, in the parent's units and axes. It replaces the translation of clips,
    /// file and pose file, and keeps rotation and scale. Can be repeated.
    #[arg(long, hide_short_help = true, allow_hyphen_values = true, value_name = "NAME=X,Y,Z", value_parser = translation)]
    pub joint_move: Vec<VectorFlag>,

    /// Set a joint's scale: one factor, or one for each local axis
    ///
    /// For example, --joint-scale head=1.5 or --joint-scale head=1,1.2,1. It replaces the scale of clips, file and pose
    /// file, and keeps rotation and translation. Can be repeated.
    #[arg(long, hide_short_help = true, allow_hyphen_values = true, value_name = "NAME=F|X,Y,Z", value_parser = scale)]
    pub joint_scale: Vec<VectorFlag>,

    /// Set the weight of a morph target
    ///
    /// For example, --morph smile=0.5 sets every target of that name, and --morph face:smile=0.5 that of one node. It
    /// replaces the weight of clips, file and pose file. Nodes and targets go by name, or by number as in --morph
    /// '#3:#0=0.5'. The weight follows the last =. Can be repeated.
    #[arg(long, hide_short_help = true, allow_hyphen_values = true, value_name = "[NODE:]TARGET=W", value_parser = morph)]
    pub morph: Vec<MorphFlag>,

    /// Set the share of dqs in the mode blend, from 0 (lbs) to 1 (dqs, the default)
    ///
    /// --blend 0.5 is for all joints, --blend joint:elbow=0.3 for one. A vertex has the weighted mean of its joints'
    /// shares. Can be repeated.
    #[arg(long, help_heading = "Mode", hide_short_help = true, value_name = "SHARE|joint:NAME=SHARE", value_parser = share)]
    pub blend: Vec<ShareFlag>,

    /// Move all vertices by the matrix of one joint alone, as if it had all the weight
    ///
    /// Skins without that joint do not change. --only-joint hand.R@0 applies the inverse bind matrix alone, which is skin space;
    /// @1 then the hand's transform in the forearm, @2 also the forearm's, and so on up to the root.
    #[arg(long, hide_short_help = true, allow_hyphen_values = true, value_name = "NAME[@N]")]
    pub only_joint: Option<String>,
}

impl PoseArgs {
    /// Returns true if a flag sets the time.
    pub fn has_time(&self) -> bool {
        self.time.is_some() || self.frame.is_some()
    }

    /// Returns whether any flag chooses a moment: a pose, a time, or an edit.
    pub fn has_moment(&self) -> bool {
        let Self {
            pose,
            clip: _,
            blend_clip,
            joint,
            turn,
            joint_move,
            joint_scale,
            morph,
            blend: _,
            only_joint,
            ..
        } = self;
        let edits =
            [joint.len(), turn.len(), joint_move.len(), joint_scale.len(), morph.len(), blend_clip.len()];
        self.has_time() || pose.is_some() || only_joint.is_some() || edits.iter().any(|count| *count > 0)
    }

    /// The requested time, in seconds of a model's clips.
    pub fn time_secs(&self, model: &Model) -> Option<f64> {
        self.time.or_else(|| Some(self.frame? / model.frame_rate()))
    }

    /// Describes flags that conflict, if any.
    pub fn conflict(&self) -> Option<String> {
        let pose = match &self.pose {
            Some(PoseSource::Bind) => "bind",
            Some(PoseSource::Rest) => "rest",
            Some(PoseSource::File(_)) | None => return None,
        };
        let flags = [
            ("--clip", !self.clip.is_empty()),
            ("--blend-clip", !self.blend_clip.is_empty()),
            ("--time", self.time.is_some()),
            ("--frame", self.frame.is_some()),
            ("--joint", !self.joint.is_empty() && pose == "bind"),
            ("--turn", !self.turn.is_empty() && pose == "bind"),
            ("--joint-move", !self.joint_move.is_empty() && pose == "bind"),
            ("--joint-scale", !self.joint_scale.is_empty() && pose == "bind"),
            ("--morph", !self.morph.is_empty() && pose == "bind"),
            ("--only-joint", self.only_joint.is_some() && pose == "bind"),
        ];
        let (flag, _) = flags.into_iter().find(|(_, is_given)| *is_given)?;
        Some(format!("'--pose {pose}' cannot be used with '{flag}'"))
    }
}

/// A clip to blend in, and its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendClip {
    /// Name or number.
    pub clip: String,
    /// From 0 to 1.
    pub weight: f64,
}

/// The word for the mode that a file names as its author's.
const AUTHORED: &str = "authored";

const AUTHORED_HELP: &str = "authored: the mode that the file names, as FBX and USD files do, or else lbs.";

/// A mode as requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AskedMode {
    /// The mode that the file names as its author's.
    #[default]
    Authored,
    /// A named mode.
    Mode(SkinningMode),
    /// Delta mush, in pictures.
    Mush,
}

impl AskedMode {
    /// Returns the mode for a model; linear blending if its file names none, and for delta mush, which smooths it.
    pub fn of(self, model: &Model) -> SkinningMode {
        match self {
            Self::Authored => SkinningMode::authored(model).unwrap_or_default(),
            Self::Mode(mode) => mode,
            Self::Mush => SkinningMode::Linear,
        }
    }
}

/// Parses a mode, or the word for the file's mode.
pub fn asked_mode() -> impl TypedValueParser<Value = AskedMode> {
    let names = [AUTHORED].into_iter().chain(SkinningMode::ALL.map(SkinningMode::name));
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        AUTHORED => Ok(AskedMode::Authored),
        name => name.parse().map(AskedMode::Mode),
    })
}

/// Parses a mode of pictures, which delta mush is, too.
pub fn picture_mode() -> impl TypedValueParser<Value = AskedMode> {
    let names =
        [AUTHORED].into_iter().chain(SkinningMode::ALL.map(SkinningMode::name)).chain([Yardstick::MUSH]);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        AUTHORED => Ok(AskedMode::Authored),
        Yardstick::MUSH => Ok(AskedMode::Mush),
        name => name.parse().map(AskedMode::Mode),
    })
}

/// Parses a mode, or delta mush with its default settings.
pub fn yardstick() -> impl TypedValueParser<Value = Yardstick> {
    PossibleValuesParser::new(SkinningMode::ALL.map(SkinningMode::name).into_iter().chain([Yardstick::MUSH]))
        .try_map(|name| match name.as_str() {
            Yardstick::MUSH => Ok(Yardstick::Mush(Settings::default())),
            name => name.parse().map(Yardstick::Mode),
        })
}

/// Parses a mode.
pub fn mode() -> impl TypedValueParser<Value = SkinningMode> {
    PossibleValuesParser::new(SkinningMode::ALL.map(SkinningMode::name))
        .try_map(|name| name.parse::<SkinningMode>())
}

/// The weight of a blended clip without `@`.
const DEFAULT_WEIGHT: f64 = 0.5;

fn blend_clip(text: &str) -> Result<BlendClip, String> {
    let whole = || BlendClip { clip: text.to_owned(), weight: DEFAULT_WEIGHT };
    let Some((clip, weight)) = text.rsplit_once('@') else { return Ok(whole()) };
    match weight.parse::<f64>() {
        Ok(weight) if (0.0..=1.0).contains(&weight) => Ok(BlendClip { clip: clip.to_owned(), weight }),
        Ok(_) => Err("expected a weight from 0 to 1 after the last @, such as idle@0.3".to_owned()),
        Err(_) => Ok(whole()),
    }
}

/// Parses a set of variants and the name of one.
fn variant(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((set, name)) if !set.is_empty() && !name.is_empty() => Ok((set.to_owned(), name.to_owned())),
        _ => Err("expected a set of variants and the name of one, such as color=red".to_owned()),
    }
}

/// Parses a number of samples per second.
fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if (1.0..=1000.0).contains(&rate) => Ok(rate),
        _ => Err("expected a number from 1 to 1000, such as 60".to_owned()),
    }
}

fn frame(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(frame) if frame.is_finite() => Ok(frame),
        _ => Err("expected a frame, such as 35 or 35.5".to_owned()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => Ok(seconds),
        _ => Err("expected a number of seconds, such as 0.35".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_follow_the_last_at_sign() {
        for (text, clip, weight) in [
            ("idle", "idle", 0.5),
            ("idle@0.3", "idle", 0.3),
            ("2@1", "2", 1.0),
            ("idle@0", "idle", 0.0),
            ("rig@idle", "rig@idle", 0.5),
            ("rig@idle@0.25", "rig@idle", 0.25),
            ("rig@2@.5", "rig@2", 0.5),
            ("@0.3", "", 0.3),
            ("idle@", "idle@", 0.5),
        ] {
            assert_eq!(blend_clip(text), Ok(BlendClip { clip: clip.to_owned(), weight }), "{text}");
        }
        for wrong in ["idle@1.5", "idle@-0.1", "idle@NaN", "idle@inf"] {
            assert!(blend_clip(wrong).is_err(), "{wrong}");
        }
    }
}
