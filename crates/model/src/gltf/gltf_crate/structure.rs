//! Converts the parts of a document that store nothing in buffers, so that `reader` can check them: nodes, scenes,
//! cameras, lights, textures.

use std::collections::BTreeMap;

use ::gltf::json::animation::Property;
use ::gltf::json::extensions::scene::khr_lights_punctual;
use ::gltf::json::validation::Checked;
use ::gltf::json::{Index, Root};
use ::gltf::json::{animation, buffer, camera, image, mesh, scene, skin, texture};

use crate::gltf::json;

/// The document without accessors and materials. References must have been checked.
pub fn of(root: &Root) -> json::Document {
    let lights = root.extensions.as_ref().and_then(|extensions| extensions.khr_lights_punctual.as_ref());
    let lights = lights.map(|lights| json::Lights { lights: lights.lights.iter().map(light).collect() });
    json::Document {
        asset: json::Asset {
            version: root.asset.version.clone(),
            min_version: root.asset.min_version.clone(),
            generator: root.asset.generator.clone(),
        },
        extensions_used: root.extensions_used.clone(),
        extensions_required: root.extensions_required.clone(),
        scene: root.scene.map(|scene| scene.value()),
        scenes: root.scenes.iter().map(scene_of).collect(),
        nodes: root.nodes.iter().map(node).collect(),
        meshes: root.meshes.iter().map(mesh_of).collect(),
        skins: root.skins.iter().map(skin_of).collect(),
        animations: root.animations.iter().map(animation_of).collect(),
        textures: root.textures.iter().map(|texture| texture_of(texture, root.images.len())).collect(),
        images: root.images.iter().map(image_of).collect(),
        samplers: root.samplers.iter().map(sampler).collect(),
        buffer_views: root.buffer_views.iter().map(view).collect(),
        cameras: root.cameras.iter().map(camera_of).collect(),
        extensions: json::DocumentExtensions { lights },
        ..json::Document::default()
    }
}

fn name(name: &Option<String>) -> String {
    name.clone().unwrap_or_default()
}

fn indices<T>(indices: &[Index<T>]) -> Vec<usize> {
    indices.iter().map(Index::value).collect()
}

fn doubles<const N: usize>(numbers: [f32; N]) -> Box<[f64; N]> {
    Box::new(numbers.map(f64::from))
}

/// A known word; references were checked, and with them words.
fn word<T: Copy>(checked: &Checked<T>) -> Option<T> {
    match checked {
        Checked::Valid(word) => Some(*word),
        Checked::Invalid => None,
    }
}

fn scene_of(scene: &scene::Scene) -> json::Scene {
    json::Scene { name: name(&scene.name), nodes: indices(&scene.nodes) }
}

fn node(node: &scene::Node) -> json::Node {
    let light = node.extensions.as_ref().and_then(|extensions| extensions.khr_lights_punctual.as_ref());
    let light = light.map(|used| json::LightUse { light: used.light.value() });
    let extensions = light.map(|light| {
        Box::new(json::NodeExtensions { light: Some(light), ..json::NodeExtensions::default() })
    });
    json::Node {
        name: name(&node.name),
        children: indices(node.children.as_deref().unwrap_or_default()),
        mesh: node.mesh.map(|mesh| mesh.value()),
        skin: node.skin.map(|skin| skin.value()),
        camera: node.camera.map(|camera| camera.value()),
        extensions,
        matrix: node.matrix.map(doubles),
        translation: node.translation.map(doubles),
        rotation: node.rotation.map(|rotation| doubles(rotation.0)),
        scale: node.scale.map(doubles),
        weights: node.weights.iter().flatten().copied().map(f64::from).collect(),
    }
}

/// Creates a mesh whose primitives have only the right number of targets.
fn mesh_of(mesh: &mesh::Mesh) -> json::Mesh {
    let primitive = |primitive: &mesh::Primitive| {
        let targets = primitive.targets.as_ref().map_or(0, Vec::len);
        json::Primitive { targets: vec![BTreeMap::new(); targets], ..json::Primitive::default() }
    };
    json::Mesh {
        name: name(&mesh.name),
        primitives: mesh.primitives.iter().map(primitive).collect(),
        weights: mesh.weights.iter().flatten().copied().map(f64::from).collect(),
        target_names: Vec::new(),
    }
}

fn skin_of(skin: &skin::Skin) -> json::Skin {
    json::Skin { name: name(&skin.name), joints: indices(&skin.joints), ..json::Skin::default() }
}

/// An animation with what its channels set.
fn animation_of(animation: &animation::Animation) -> json::Animation {
    let channel = |channel: &animation::Channel| {
        let path = match word(&channel.target.path) {
            Some(Property::Translation) => "translation",
            Some(Property::Rotation) => "rotation",
            Some(Property::Scale) => "scale",
            Some(Property::MorphTargetWeights) => "weights",
            None => "",
        };
        let target = json::ChannelTarget {
            node: Some(channel.target.node.value()),
            path: path.to_owned(),
            ..json::ChannelTarget::default()
        };
        json::Channel { sampler: channel.sampler.value(), target }
    };
    let channels = animation.channels.iter().map(channel).collect();
    json::Animation { name: name(&animation.name), channels, samplers: Vec::new() }
}

/// Creates a texture without an image if its index is out of range. The crate writes such an index with its feature
/// `allow_empty_texture`.
fn texture_of(texture: &texture::Texture, images: usize) -> json::Texture {
    json::Texture {
        sampler: texture.sampler.map(|sampler| sampler.value()),
        source: Some(texture.source.value()).filter(|source| *source < images),
        extensions: texture.extensions.as_ref().map(|known| known.others.clone()).unwrap_or_default(),
    }
}

fn image_of(image: &image::Image) -> json::Image {
    json::Image {
        uri: image.uri.clone(),
        mime_type: image.mime_type.as_ref().map(|mime| mime.0.clone().into()),
        buffer_view: image.buffer_view.map(|view| view.value()),
    }
}

fn sampler(sampler: &texture::Sampler) -> json::TextureSampler {
    json::TextureSampler {
        mag_filter: sampler.mag_filter.as_ref().and_then(word).map(|filter| filter.as_gl_enum() as usize),
        min_filter: sampler.min_filter.as_ref().and_then(word).map(|filter| filter.as_gl_enum() as usize),
        wrap_s: word(&sampler.wrap_s).map(|wrap| wrap.as_gl_enum() as usize),
        wrap_t: word(&sampler.wrap_t).map(|wrap| wrap.as_gl_enum() as usize),
    }
}

fn view(view: &buffer::View) -> json::BufferView {
    json::BufferView {
        buffer: view.buffer.value(),
        byte_offset: view.byte_offset.map(|offset| offset.0 as usize),
        byte_length: view.byte_length.0 as usize,
        byte_stride: view.byte_stride.map(|stride| stride.0),
        extensions: None,
    }
}

fn camera_of(camera: &camera::Camera) -> json::Camera {
    let kind = match word(&camera.type_) {
        Some(camera::Type::Perspective) => "perspective",
        Some(camera::Type::Orthographic) => "orthographic",
        None => "",
    };
    let some = |number: f32| Some(f64::from(number));
    json::Camera {
        name: name(&camera.name),
        kind: kind.to_owned(),
        perspective: camera.perspective.as_ref().map(|lens| json::Perspective {
            aspect_ratio: lens.aspect_ratio.map(f64::from),
            yfov: some(lens.yfov),
            znear: some(lens.znear),
            zfar: lens.zfar.map(f64::from),
        }),
        orthographic: camera.orthographic.as_ref().map(|lens| json::Orthographic {
            xmag: some(lens.xmag),
            ymag: some(lens.ymag),
            znear: some(lens.znear),
            zfar: some(lens.zfar),
        }),
    }
}

fn light(light: &khr_lights_punctual::Light) -> json::Light {
    let kind = match word(&light.type_) {
        Some(khr_lights_punctual::Type::Directional) => "directional",
        Some(khr_lights_punctual::Type::Point) => "point",
        Some(khr_lights_punctual::Type::Spot) => "spot",
        None => "",
    };
    let spot = light.spot.as_ref().map(|spot| json::Spot {
        inner_cone_angle: Some(f64::from(spot.inner_cone_angle)),
        outer_cone_angle: Some(f64::from(spot.outer_cone_angle)),
    });
    json::Light {
        name: name(&light.name),
        kind: kind.to_owned(),
        color: Some(light.color.map(f64::from)),
        intensity: Some(f64::from(light.intensity)),
        range: light.range.map(f64::from),
        spot,
    }
}
