//! What is skinned and how: the model, its pose and the mode. It must not know which clips a model has.

use std::ffi::OsString;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use sinew::model::gltf;
use sinew::skinning::SkinningMode;

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

    /// Show no clip but a pose: bind (neither skinned nor morphed) or rest (the file's node transforms)
    #[arg(long, short, value_enum, value_name = "bind|rest", hide_possible_values = true, conflicts_with_all = ["clip", "blend_clip", "time"])]
    pub pose: Option<PoseName>,

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

    /// Time in the clips; outside of them the nearest key holds
    #[arg(long, short, value_name = "SECONDS", default_value = "0", allow_negative_numbers = true, value_parser = seconds)]
    pub time: f64,
}

/// A pose without a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PoseName {
    /// The mesh as stored.
    Bind,
    /// The file's node transforms.
    Rest,
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
