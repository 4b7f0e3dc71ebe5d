//! The report's meshes, clips, morphs, materials and texture images.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{file_node, path_of};
use sinew_model::statistics::InfluenceStatistics;
use sinew_model::{
    self, AlphaMode, Driver, Interpolation, LightKind, Model, Projection, Property, TextureUse, Topology,
};
use sinew_skinning::SLOTS;
use sinew_skinning::partition::partition;

/// A mesh.
#[derive(Clone, Debug, Serialize)]
pub struct Mesh {
    /// The name; empty if it has none.
    pub name: String,
    /// The number of times that the shown scene draws it.
    pub instances: usize,
    /// The names of its morph targets; empty for those without.
    pub morph_targets: Vec<String>,
    /// The primitives, without those that draw nothing.
    pub primitives: Vec<Primitive>,
}

/// A primitive.
#[derive(Clone, Debug, Serialize)]
pub struct Primitive {
    /// The index in the mesh, as in the file.
    pub primitive: usize,
    /// `triangles`, `lines` or `points`.
    pub topology: &'static str,
    /// The number of vertices.
    pub vertices: usize,
    /// The number of triangles, lines or points.
    pub elements: usize,
    /// The streams of its vertices.
    pub streams: Vec<String>,
    /// The material; null for the default one.
    pub material: Option<usize>,
    /// The numbers of vertices by their number of weights above zero in the file; empty without joints.
    pub influences: Vec<usize>,
    /// The number of vertices that some morph target moves.
    pub morphed_vertices: usize,
    /// The number of parts for drawing, because a palette holds 512 joints.
    pub palette_parts: usize,
    /// The smallest coordinates, as stored.
    pub min: [f32; 3],
    /// The largest coordinates, as stored.
    pub max: [f32; 3],
}

/// A clip.
#[derive(Clone, Debug, Serialize)]
pub struct Clip {
    /// The name; empty if it has none.
    pub name: String,
    /// The last key's time.
    pub seconds: f32,
    /// The first key's time.
    pub first_seconds: f32,
    /// The first key's time in frames of the file, or at 30 per second if the file has no rate.
    pub first_frame: f64,
    /// The last key's time in frames.
    pub last_frame: f64,
    /// The number of nodes that it moves.
    pub nodes: usize,
    /// The number of keys of all channels.
    pub keys: usize,
    /// The number of channels that set a translation.
    pub translations: usize,
    /// The number of channels that set a rotation.
    pub rotations: usize,
    /// The number of channels that set a scale.
    pub scales: usize,
    /// The number of channels that set morph weights.
    pub weights: usize,
    /// The interpolations of its channels: a subset of `STEP`, `LINEAR`, `CUBICSPLINE`.
    pub interpolations: Vec<&'static str>,
}

/// A node with morph weights.
#[derive(Clone, Debug, Serialize)]
pub struct Morphs {
    /// The node's index in the file.
    pub node: u32,
    /// The name.
    pub name: String,
    /// The initial weights.
    pub weights: Vec<f32>,
    /// The rules by which joints set these weights.
    pub drivers: Vec<MorphDriver>,
}

/// A rule by which the angle of a joint sets the weight of a morph target.
#[derive(Clone, Debug, Serialize)]
pub struct MorphDriver {
    /// The target's number.
    pub target: usize,
    /// The target's name; empty without one.
    pub name: String,
    /// The joint's index in the file.
    pub joint: u32,
    /// The joint's name; empty without one.
    pub joint_name: String,
    /// The axis of the angle, in the joint's space at rest.
    pub axis: [f64; 3],
    /// Angles in ascending order.
    pub degrees: Vec<f64>,
    /// The weight at each angle.
    pub weights: Vec<f64>,
}

/// A camera or a light of the shown scene.
#[derive(Clone, Debug, Serialize)]
pub struct OnNode {
    /// The name; empty if it has none.
    pub name: String,
    /// `perspective` or `orthographic`; `directional`, `point` or `spot`.
    pub kind: &'static str,
    /// The index of its node in the file.
    pub node: u32,
}

/// A material.
#[derive(Clone, Debug, Serialize)]
pub struct Material {
    /// The name; empty if it has none.
    pub name: String,
    /// Linear base colour with alpha.
    pub base_color: [f32; 4],
    /// 0 dielectric, 1 metal.
    pub metallic: f32,
    /// 0 smooth, 1 rough.
    pub roughness: f32,
    /// `OPAQUE`, `MASK` or `BLEND`.
    pub alpha_mode: &'static str,
    /// The cutoff of `MASK`.
    pub alpha_cutoff: Option<f32>,
    /// True if back faces are drawn.
    pub double_sided: bool,
    /// True if it is shown without light.
    pub unlit: bool,
    /// The textures it uses.
    pub textures: Vec<Texture>,
}

/// A use of a texture by a material.
#[derive(Clone, Debug, Serialize)]
pub struct Texture {
    /// The purpose.
    pub slot: &'static str,
    /// The index of the texture image.
    pub picture: usize,
    /// The set of texture coordinates.
    pub texcoord: usize,
}

/// A texture image.
#[derive(Clone, Debug, Serialize)]
pub struct Picture {
    /// Width and height in pixels; null if no material uses it or it cannot be decoded.
    pub size: Option<[u32; 2]>,
}

/// Reports all meshes.
pub fn meshes(model: &Model, influences: &BTreeMap<String, InfluenceStatistics>) -> Vec<Mesh> {
    let mut instances = vec![0; model.meshes.len()];
    for instance in &model.instances {
        if let Some(count) = instances.get_mut(instance.mesh) {
            *count += 1;
        }
    }
    let mesh = |((number, mesh), instances): ((usize, &sinew_model::Mesh), usize)| Mesh {
        name: mesh.name.clone(),
        instances,
        morph_targets: mesh.target_names.clone(),
        primitives: mesh
            .primitives
            .iter()
            .map(|found| primitive(found, influences.get(&path_of(number, found.file_index))))
            .collect(),
    };
    model.meshes.iter().enumerate().zip(instances).map(mesh).collect()
}

fn primitive(found: &sinew_model::Primitive, influences: Option<&InfluenceStatistics>) -> Primitive {
    let (topology, corners) = match found.topology {
        Topology::Triangles => ("triangles", 3),
        Topology::Lines => ("lines", 2),
        Topology::Points => ("points", 1),
    };
    let mut streams = vec!["POSITION".to_owned()];
    streams.extend(found.normals.as_ref().map(|_| "NORMAL".to_owned()));
    streams.extend(found.tangents.as_ref().map(|_| "TANGENT".to_owned()));
    streams.extend((0..found.texcoords.len()).map(|set| format!("TEXCOORD_{set}")));
    streams.extend(found.colors.as_ref().map(|_| "COLOR_0".to_owned()));
    let spans = found.influences.as_ref().map_or(0, |influences| influences.spans.len());
    streams.extend((0..spans).flat_map(|set| [format!("JOINTS_{set}"), format!("WEIGHTS_{set}")]));
    let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for position in &found.positions {
        for ((low, high), value) in min.iter_mut().zip(&mut max).zip(position) {
            *low = low.min(*value);
            *high = high.max(*value);
        }
    }
    Primitive {
        primitive: found.file_index,
        topology,
        vertices: found.positions.len(),
        elements: found.indices.len() / corners,
        streams,
        material: found.material,
        influences: influences.map_or_else(Vec::new, |statistics| statistics.histogram.clone()),
        morphed_vertices: morphed_vertices(found),
        palette_parts: partition(found, SLOTS).len(),
        min,
        max,
    }
}

/// Returns the number of vertices with a position that some target moves.
fn morphed_vertices(primitive: &sinew_model::Primitive) -> usize {
    let positions = primitive.morphs.as_ref().and_then(|morphs| morphs.positions.as_ref());
    let mut begin = 0;
    let ends = positions.map_or(&[][..], |deltas| &deltas.ends);
    ends.iter().filter(|end| std::mem::replace(&mut begin, **end) < **end).count()
}

/// Converts a time to frames, to a thousandth.
pub fn frame_at(time_secs: f64, rate: f64) -> f64 {
    (time_secs * rate * 1000.0).round() / 1000.0
}

/// Counts the contents of a clip of a file with this frame rate.
pub fn clip(clip: &sinew_model::Clip, rate: f64) -> Clip {
    let count = |property| clip.channels.iter().filter(|channel| channel.property == property).count();
    let mut nodes: Vec<usize> = clip.channels.iter().map(|channel| channel.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let all = [
        (Interpolation::Step, "STEP"),
        (Interpolation::Linear, "LINEAR"),
        (Interpolation::CubicSpline, "CUBICSPLINE"),
    ];
    let occurs = |wanted| clip.channels.iter().any(|channel| channel.interpolation == wanted);
    Clip {
        name: clip.name.clone(),
        seconds: clip.duration_secs,
        first_seconds: clip.first_secs(),
        first_frame: frame_at(f64::from(clip.first_secs()), rate),
        last_frame: frame_at(f64::from(clip.duration_secs), rate),
        nodes: nodes.len(),
        keys: clip.channels.iter().map(|channel| channel.times.len()).sum(),
        translations: count(Property::Translation),
        rotations: count(Property::Rotation),
        scales: count(Property::Scale),
        weights: clip.channels.iter().filter(|channel| is_weight(channel.property)).count(),
        interpolations: all.into_iter().filter(|(kind, _)| occurs(*kind)).map(|(_, name)| name).collect(),
    }
}

/// Returns true if a channel sets morph weights, all of a node's or one.
fn is_weight(property: Property) -> bool {
    matches!(property, Property::Weights | Property::Weight(_))
}

/// Returns the cameras of the shown scene.
pub fn cameras(model: &Model) -> Vec<OnNode> {
    let camera = |camera: &sinew_model::Camera| OnNode {
        name: camera.name.to_string(),
        kind: match camera.projection {
            Projection::Perspective { .. } => "perspective",
            Projection::Orthographic { .. } => "orthographic",
        },
        node: file_node(model, camera.node),
    };
    model.cameras.iter().map(camera).collect()
}

/// Returns the lights of the shown scene.
pub fn lights(model: &Model) -> Vec<OnNode> {
    let light = |light: &sinew_model::Light| OnNode {
        name: light.name.to_string(),
        kind: match light.kind {
            LightKind::Directional => "directional",
            LightKind::Point => "point",
            LightKind::Spot { .. } => "spot",
        },
        node: file_node(model, light.node),
    };
    model.lights.iter().map(light).collect()
}

/// Describes the purpose of a texture.
fn slot(role: TextureUse) -> &'static str {
    match role {
        TextureUse::BaseColor => "base color",
        TextureUse::MetallicRoughness => "metallic-roughness",
        TextureUse::Normal => "normal",
        TextureUse::Occlusion => "occlusion",
        TextureUse::Emissive => "emissive",
        TextureUse::Specular => "specular",
        TextureUse::SpecularColor => "specular color",
        TextureUse::Clearcoat => "clearcoat",
        TextureUse::ClearcoatRoughness => "clearcoat roughness",
        TextureUse::ClearcoatNormal => "clearcoat normal",
        TextureUse::SheenColor => "sheen color",
        TextureUse::SheenRoughness => "sheen roughness",
        TextureUse::Transmission => "transmission",
        TextureUse::Diffuse => "diffuse",
        TextureUse::SpecularGlossiness => "specular-glossiness",
    }
}

/// Returns the nodes with morph weights.
pub fn morphs(model: &Model) -> Vec<Morphs> {
    let rig = &model.rig;
    let name = |node: usize| rig.names.get(node).cloned().unwrap_or_default();
    let of_node = |node: usize| {
        let weights = rig.rest_weights.get(rig.weights_of(node)).unwrap_or_default().to_vec();
        let mesh = model.instances.iter().find(|instance| instance.node == node).map(|found| found.mesh);
        let targets = mesh.and_then(|mesh| model.meshes.get(mesh)).map_or(&[][..], |mesh| &mesh.target_names);
        let of_driver = |driver: &Driver| MorphDriver {
            target: driver.target,
            name: targets.get(driver.target).cloned().unwrap_or_default(),
            joint: file_node(model, driver.joint),
            joint_name: name(driver.joint),
            axis: driver.axis.to_array(),
            degrees: driver.keys.iter().map(|key| key[0]).collect(),
            weights: driver.keys.iter().map(|key| key[1]).collect(),
        };
        let drivers = rig.drivers.iter().filter(|driver| driver.node == node).map(of_driver).collect();
        Morphs { node: file_node(model, node), name: name(node), weights, drivers }
    };
    (0..rig.len()).filter(|&node| !rig.weights_of(node).is_empty()).map(of_node).collect()
}

/// Reports a material.
pub fn material(material: &sinew_model::Material) -> Material {
    let (alpha_mode, alpha_cutoff) = match material.alpha {
        AlphaMode::Opaque => ("OPAQUE", None),
        AlphaMode::Mask(cutoff) => ("MASK", Some(cutoff)),
        AlphaMode::Blend => ("BLEND", None),
    };
    let texture = |(role, used): (TextureUse, &sinew_model::TextureRef)| Texture {
        slot: slot(role),
        picture: used.picture,
        texcoord: used.texcoord,
    };
    Material {
        name: material.name.clone(),
        base_color: material.base_color,
        metallic: material.metallic,
        roughness: material.roughness,
        alpha_mode,
        alpha_cutoff,
        double_sided: material.double_sided,
        unlit: material.unlit,
        textures: material.textures().map(texture).collect(),
    }
}

/// Reports a texture image.
pub fn picture(picture: &Option<sinew_model::Picture>) -> Picture {
    Picture { size: picture.as_ref().map(|picture| [picture.width, picture.height]) }
}
