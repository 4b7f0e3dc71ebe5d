//! What is skinned and how: the model, its pose and the mode. It must not know which clips a model has.

use std::ffi::OsString;

use clap::Args;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use sinew::model::gltf;
use sinew::skinning::SkinningMode;

use super::pose::{JointFlag, MorphFlag, PoseSource, joint, morph};

/// How a model's file is read.
#[derive(Clone, Debug, Args)]
pub struct LoadArgs {
    /// Scene to show, by name or number [default: the file's own choice]
    #[arg(long, value_name = "NAME|INDEX")]
    pub scene: Option<String>,

    /// Follow the model's references out of its folder
    ///
    /// Without it a file may not name buffers and pictures by ../, absolute paths or file: URIs. Other
    /// machines, pipes and devices are never read.
    #[arg(long, hide_short_help = true)]
    pub allow_outside: bool,

    /// Take each warning about the model for an error
    #[arg(long, hide_short_help = true)]
    pub strict: bool,
}

impl LoadArgs {
    /// For the loader.
    pub fn options(&self) -> gltf::Options {
        gltf::Options { scene: self.scene.clone(), allow_outside: self.allow_outside }
    }
}

/// A model in a pose, and how it is skinned.
#[derive(Debug, Args)]
pub struct SubjectArgs {
    /// A .gltf or .glb file, or builtin:NAME ('sinew builtins' lists them)
    #[arg(value_name = "MODEL", default_value = "builtin:character")]
    pub model: OsString,

    #[command(flatten)]
    pub load: LoadArgs,

    /// How vertices are skinned: rigid, lbs or dqs
    ///
    /// rigid: each vertex follows its heaviest joint. lbs: linear blending, what every engine does.
    /// dqs: dual quaternions, scale blended apart.
    #[arg(long, short, value_name = "MODE", default_value = "lbs", hide_possible_values = true, value_parser = mode())]
    pub mode: SkinningMode,

    /// Show a pose: bind (neither skinned nor morphed), rest (the file's node transforms) or a pose file
    ///
    /// A pose file is a small JSON with joints' rotations and morph weights over clips or over the rest pose
    /// (docs/poses.md). With one, --clip, --blend-clip and --time take the place of what it says; bind and
    /// rest show no clip. A file of one of those names is ./bind.
    #[arg(long, short, value_name = "bind|rest|FILE", value_parser = PathBufValueParser::new().map(PoseSource::from))]
    pub pose: Option<PoseSource>,

    /// Clip to show, by name or number [default: the first; a file without clips: --pose rest]
    ///
    /// May be given several times, as in --clip walk --clip wave: where two of them set the same (a
    /// joint's rotation, say), the later one overrides the earlier.
    #[arg(long, short, value_name = "NAME|INDEX")]
    pub clip: Vec<String>,

    /// Clip to blend over the others, and its share [default: @0.5]
    ///
    /// As in --clip walk --blend-clip idle@0.3: three parts idle, seven parts walk, joint by joint before
    /// children follow their parents. What only one of them moves is blended with the file's own
    /// transform. May be given several times, each over all before it. Clips go by name or number; the
    /// share, from 0 to 1, is what follows the last @ if that is a number.
    #[arg(long, hide_short_help = true, value_name = "CLIP[@W]", value_parser = blend_clip)]
    pub blend_clip: Vec<BlendClip>,

    /// Time in the clips; outside of them the nearest key holds [default: 0]
    #[arg(long, short, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub time: Option<f64>,

    /// Turn a joint by hand: degrees about x, then y, then z of its parent, or a quaternion
    ///
    /// As in --joint elbow=0,0,45 or --joint elbow=0,0,0.38268343236508984,0.9238795325112867. It is the joint's whole
    /// rotation in its parent, whatever clips and the file say; where it is and how large it is stays theirs. May be
    /// given several times, and is laid over what a pose file says. Joints are nodes of the file by name, or by
    /// number as in --joint '#12=0,0,45'; the numbers are what follows the last =.
    #[arg(long, hide_short_help = true, allow_hyphen_values = true, value_name = "NAME=X,Y,Z[,W]", value_parser = joint)]
    pub joint: Vec<JointFlag>,

    /// Give a morph target a weight by hand
    ///
    /// As in --morph smile=0.5, which is every target of that name, or --morph face:smile=0.5, which is that of one
    /// node, whatever clips and the file say. May be given several times, and is laid over what a pose file says.
    /// Nodes and targets go by name, or by number as in --morph '#3:#0=0.5'; the weight is what follows the last =.
    #[arg(long, hide_short_help = true, allow_hyphen_values = true, value_name = "[NODE:]TARGET=W", value_parser = morph)]
    pub morph: Vec<MorphFlag>,
}

impl SubjectArgs {
    /// What does not go together, if anything does not.
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
            ("--joint", !self.joint.is_empty() && pose == "bind"),
            ("--morph", !self.morph.is_empty() && pose == "bind"),
        ];
        let (flag, _) = flags.into_iter().find(|(_, is_given)| *is_given)?;
        Some(format!("'--pose {pose}' cannot be used with '{flag}'"))
    }
}

/// A clip and its share in the pose.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendClip {
    /// Name or number.
    pub clip: String,
    /// From 0 to 1.
    pub weight: f64,
}

fn mode() -> impl TypedValueParser<Value = SkinningMode> {
    PossibleValuesParser::new(SkinningMode::ALL.map(SkinningMode::name))
        .try_map(|name| name.parse::<SkinningMode>())
}

/// The share of a blended clip that is given none.
const DEFAULT_WEIGHT: f64 = 0.5;

fn blend_clip(text: &str) -> Result<BlendClip, String> {
    let whole = || BlendClip { clip: text.to_owned(), weight: DEFAULT_WEIGHT };
    let Some((clip, weight)) = text.rsplit_once('@') else { return Ok(whole()) };
    match weight.parse::<f64>() {
        Ok(weight) if (0.0..=1.0).contains(&weight) => Ok(BlendClip { clip: clip.to_owned(), weight }),
        Ok(_) => Err("expected a share from 0 to 1 behind the last @, such as idle@0.3".to_owned()),
        Err(_) => Ok(whole()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() => Ok(seconds),
        _ => Err("expected seconds, such as 0.35".to_owned()),
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
