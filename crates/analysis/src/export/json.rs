//! Writes skinned geometry as JSON: vertices in the file's order, and numbers that read back the same. Scripts depend on the
//! names of the fields.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use sinew_text::writing::write_json;

use super::{Export, Number};
use crate::measure::InFile;
use sinew_model::PrimitiveName;
use sinew_skinning::Normals;
use sinew_skinning::pose::{Blend, ClipMix, JointEdit, MorphEdit, PoseChoice};

#[derive(Serialize)]
struct Document<'a, T> {
    model: &'a str,
    mode: &'static str,
    /// Omitted for those of the mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    normals_from: Option<&'static str>,
    clip: Clips<'a>,
    /// Omitted if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blend: Vec<Share>,
    time: f64,
    /// The joints, as in a pose file; omitted if empty.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    joints: BTreeMap<&'a str, Joint>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    morphs: BTreeMap<&'a str, BTreeMap<&'a str, f64>>,
    /// The shares of the mode *blend*; omitted if they are all 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    shares: Option<Shares<'a>>,
    on: &'a str,
    primitives: Vec<Primitive<'a, T>>,
}

#[derive(Serialize)]
struct Shares<'a> {
    all: f64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    joints: BTreeMap<&'a str, f64>,
}

/// `null`, one index, or several, of which later ones override earlier ones.
#[derive(Serialize)]
#[serde(untagged)]
enum Clips<'a> {
    None,
    One(usize),
    Several(&'a [usize]),
}

#[derive(Serialize)]
struct Share {
    clip: usize,
    weight: f64,
}

#[derive(Serialize)]
struct Joint {
    #[serde(skip_serializing_if = "Option::is_none")]
    rotation: Option<[f64; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    translation: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<[f64; 3]>,
}

#[derive(Serialize)]
struct Primitive<'a, T> {
    /// The name of the primitive; append `:` and a number to name a vertex.
    name: String,
    #[serde(flatten)]
    in_file: InFile,
    skin: Option<usize>,
    /// The control point of each vertex; omitted for files without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    control_points: Option<&'a [u32]>,
    positions: &'a [T],
    normals: Option<&'a [T]>,
    tangents: Option<&'a [T]>,
}

pub(super) fn write<T: Number>(export: &Export<'_, T>, out: &mut dyn Write) -> io::Result<()> {
    let none = ClipMix::default();
    let mix = match &export.pose {
        PoseChoice::Clips(mix) => mix,
        PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => &none,
    };
    let clip = match mix.clips.as_slice() {
        [] => Clips::None,
        [clip] => Clips::One(*clip),
        clips => Clips::Several(clips),
    };
    let share = |blend: &Blend| Share { clip: blend.clip, weight: blend.weight };
    let blend = mix.blends.iter().map(share).collect();
    let joints = mix.edits.joints().map(|(_, JointEdit { name, rotation, translation, scale })| {
        let joint = Joint {
            rotation: rotation.map(|rotation| rotation.to_array()),
            translation: translation.map(|translation| translation.to_array()),
            scale: scale.map(|scale| scale.to_array()),
        };
        (name.as_str(), joint)
    });
    let joints = joints.collect();
    let mut morphs: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
    for (_, _, MorphEdit { node, target, weight }) in mix.edits.weights() {
        morphs.entry(node).or_default().insert(target, *weight);
    }
    let shares = &mix.edits.shares;
    let shares = shares.are_set().then(|| Shares {
        all: shares.all(),
        joints: shares.joints().map(|(_, joint)| (joint.name.as_str(), joint.share)).collect(),
    });
    let primitives = export
        .parts()
        .map(|(skinned, source)| Primitive {
            name: PrimitiveName::of(export.model, skinned.instance, skinned.primitive).to_string(),
            in_file: source.in_file,
            skin: source.instance.skin.filter(|_| source.primitive.influences.is_some()),
            control_points: source.primitive.control_points.as_deref(),
            positions: skinned.positions.as_flattened(),
            normals: skinned.normals.as_ref().map(|normals| normals.as_flattened()),
            tangents: skinned.tangents.as_ref().map(|tangents| tangents.as_flattened()),
        })
        .collect();
    let document = Document {
        model: export.given,
        mode: export.mode.name(),
        normals_from: (export.normals != Normals::default()).then(|| export.normals.name()),
        clip,
        blend,
        time: mix.time_secs,
        joints,
        morphs,
        shares,
        on: export.on,
        primitives,
    };
    write_json(out, &document)?;
    writeln!(out)
}
