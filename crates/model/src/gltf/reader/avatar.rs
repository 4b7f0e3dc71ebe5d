//! Reads avatars (VRM 0 and 1). Faults are warnings, because the model is complete without them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::node::Nodes;
use crate::Instance;
use crate::avatar::{Avatar, Expression};
use crate::gltf::json::Document;
use crate::reading::message::one_line;
use crate::reading::warnings::Warnings;

/// The maximum number of human bones, of expressions, and of targets of one expression.
const MAX_ITEMS: usize = 1024;

/// Toon shading, as VRM 1 names it.
const TOON: &str = "VRMC_materials_mtoon";

/// Reads the avatar; `None` for a file without one.
pub fn read(
    document: &Document,
    nodes: &Nodes,
    instances: &[Instance],
    warnings: &mut Warnings,
) -> Option<Avatar> {
    let extensions = &document.extensions;
    let (path, found) = match (&extensions.avatar, &extensions.older_avatar) {
        (Some(newer), _) => (
            "VRMC_vrm",
            Newer::deserialize(newer).map(|own| Reader::new(nodes, instances).newer(own, document)),
        ),
        (None, Some(older)) => {
            ("VRM", Older::deserialize(older).map(|own| Reader::new(nodes, instances).older(own)))
        }
        (None, None) => return None,
    };
    found
        .map_err(|error| {
            let message = format!("{}; what it says of the avatar is left out", one_line(&error.to_string()));
            warnings.add("TYPE_MISMATCH", &format!("extensions.{path}"), message);
        })
        .ok()
}

/// The places of a file's nodes and meshes.
struct Reader<'a> {
    nodes: &'a Nodes,
    /// The nodes that show each mesh.
    shown: BTreeMap<usize, Vec<usize>>,
}

impl<'a> Reader<'a> {
    fn new(nodes: &'a Nodes, instances: &[Instance]) -> Self {
        let mut shown: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for instance in instances {
            shown.entry(instance.mesh).or_default().push(instance.node);
        }
        Self { nodes, shown }
    }

    fn newer(&self, from: Newer, document: &Document) -> Avatar {
        let bones = from.humanoid.human_bones.into_iter().filter_map(|(name, bone)| Some((name, bone.node?)));
        let toon_materials =
            document.materials.iter().filter(|own| own.extensions.contains_key(TOON)).count();
        let springs = document.extensions.springs.as_ref().and_then(|own| Springs::deserialize(own).ok());
        let expressions = [(from.expressions.preset, true), (from.expressions.custom, false)];
        let expressions = expressions.into_iter().flat_map(|(all, is_preset)| {
            all.into_iter().map(move |(name, own)| (name, is_preset, own.morph_target_binds))
        });
        let at_node = |bind: &Bind| Some((self.node(bind.node?)?, bind.index?, bind.weight.unwrap_or(1.0)));
        Avatar {
            version: one_line(&from.spec_version),
            name: one_line(&from.meta.name),
            authors: from.meta.authors.iter().map(|author| one_line(author)).collect(),
            licence: from.meta.license_url.as_deref().map(one_line),
            bones: self.bones(bones),
            expressions: expressions
                .map(|(name, is_preset, binds)| Expression {
                    name: one_line(&name),
                    is_preset,
                    targets: binds.iter().filter_map(at_node).filter(is_sound).take(MAX_ITEMS).collect(),
                })
                .take(MAX_ITEMS)
                .collect(),
            springs: springs.map_or(0, |all| all.springs.len()),
            toon_materials,
        }
    }

    fn older(&self, from: Older) -> Avatar {
        let bones = from.humanoid.human_bones.into_iter();
        let bones = bones.filter_map(|bone| Some((newer_name(&bone.bone), bone.node?)));
        let toon = from.material_properties.iter().filter(|own| own.shader == "VRM/MToon");
        let expression = |group: OlderGroup| {
            let is_preset = !matches!(group.preset_name.as_str(), "" | "unknown");
            let name = if is_preset { &group.preset_name } else { &group.name };
            // Weights are in percent, and targets those of a mesh wherever it is shown.
            let targets = group.binds.iter().flat_map(|bind| {
                let shown = bind.mesh.and_then(|mesh| self.shown.get(&mesh));
                let weight = bind.weight.unwrap_or(100.0) / 100.0;
                shown.into_iter().flatten().filter_map(move |node| Some((*node, bind.index?, weight)))
            });
            let targets = targets.filter(is_sound).take(MAX_ITEMS).collect();
            Expression { name: one_line(name), is_preset, targets }
        };
        Avatar {
            version: "0".to_owned(),
            name: one_line(&from.meta.title),
            authors: Some(one_line(&from.meta.author))
                .filter(|author| !author.is_empty())
                .into_iter()
                .collect(),
            licence: from.meta.license_name.as_deref().map(one_line),
            bones: self.bones(bones),
            toon_materials: toon.count(),
            expressions: from
                .blend_shape_master
                .blend_shape_groups
                .into_iter()
                .take(MAX_ITEMS)
                .map(expression)
                .collect(),
            springs: from.secondary_animation.bone_groups.len(),
        }
    }

    fn bones(&self, bones: impl Iterator<Item = (String, usize)>) -> Vec<(String, usize)> {
        let found =
            bones.take(MAX_ITEMS).filter_map(|(name, node)| Some((one_line(&name), self.node(node)?)));
        found.collect()
    }

    fn node(&self, file: usize) -> Option<usize> {
        self.nodes.rig_index(file, String::new).ok()
    }
}

/// VRM 1's name of a bone: the thumb's were shifted by one.
fn newer_name(older: &str) -> String {
    let renamed = [("ThumbIntermediate", "ThumbProximal"), ("ThumbProximal", "ThumbMetacarpal")];
    match renamed.iter().find_map(|(from, to)| Some((older.strip_suffix(from)?, to))) {
        Some((side, to)) => format!("{side}{to}"),
        None => older.to_owned(),
    }
}

fn is_sound((_, _, weight): &(usize, usize, f64)) -> bool {
    weight.is_finite()
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Newer {
    spec_version: String,
    meta: NewerMeta,
    humanoid: NewerHumanoid,
    expressions: Expressions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct NewerMeta {
    name: String,
    authors: Vec<String>,
    license_url: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct NewerHumanoid {
    human_bones: BTreeMap<String, Bone>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Bone {
    node: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Expressions {
    preset: BTreeMap<String, OneExpression>,
    custom: BTreeMap<String, OneExpression>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct OneExpression {
    morph_target_binds: Vec<Bind>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Bind {
    node: Option<usize>,
    mesh: Option<usize>,
    index: Option<usize>,
    weight: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Springs {
    springs: Vec<serde::de::IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Older {
    meta: OlderMeta,
    humanoid: OlderHumanoid,
    blend_shape_master: OlderShapes,
    secondary_animation: OlderSprings,
    material_properties: Vec<OlderMaterial>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct OlderMeta {
    title: String,
    author: String,
    license_name: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct OlderHumanoid {
    human_bones: Vec<OlderBone>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct OlderBone {
    bone: String,
    node: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct OlderShapes {
    blend_shape_groups: Vec<OlderGroup>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct OlderGroup {
    name: String,
    preset_name: String,
    binds: Vec<Bind>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct OlderSprings {
    bone_groups: Vec<serde::de::IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct OlderMaterial {
    shader: String,
}
