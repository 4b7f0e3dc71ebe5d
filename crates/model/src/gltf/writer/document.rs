//! Writes the JSON of a `.glb`.

use serde_json::{Map, Value, json};

use super::body::Body;
use super::error::WriteError;
use super::motion::{animation, from_zero, skin};
use super::name::named;
use super::on_nodes;
use super::primitive::primitive;
use super::surface::{Surfaces, images};
use crate::{LocalTransform, Model};

/// The document and its binary chunk.
pub fn build(model: &Model) -> Result<(Value, Vec<u8>), WriteError> {
    let mut body = Body::default();
    let mut root = Map::new();
    let generator = concat!("sinew ", env!("CARGO_PKG_VERSION"));
    root.insert("asset".into(), json!({ "version": "2.0", "generator": generator }));

    let (meshes, mesh_numbers) = meshes(model, &mut body);
    let (images, picture_numbers) = images(model, &mut body)?;
    let mut surfaces = Surfaces::new(picture_numbers);
    let materials = model.materials.iter().map(|m| surfaces.material(m)).collect::<Vec<_>>();
    let Surfaces { textures, samplers, mut extensions, .. } = surfaces;
    let lights = on_nodes::lights(model);
    if !lights.is_empty() {
        extensions.insert(on_nodes::LIGHTS);
        root.insert("extensions".into(), json!({ on_nodes::LIGHTS: { "lights": lights } }));
    }
    if !model.rig.constraints.is_empty() {
        extensions.insert(on_nodes::CONSTRAINT);
    }
    if !extensions.is_empty() {
        root.insert("extensionsUsed".into(), json!(extensions));
    }

    let roots: Vec<usize> = (0..model.rig.len()).filter(|&n| model.rig.parents[n].is_none()).collect();
    if !roots.is_empty() {
        root.insert("scene".into(), json!(0));
        root.insert("scenes".into(), json!([{ "nodes": roots }]));
    }
    let mut nodes = nodes(model, &mesh_numbers);
    on_nodes::put_on_nodes(model, &mut nodes);
    put(&mut root, "nodes", nodes);
    put(&mut root, "cameras", on_nodes::cameras(model));
    put(&mut root, "meshes", meshes);
    let skins = model.skins.iter().map(|s| skin(s, &mut body)).collect();
    put(&mut root, "skins", skins);
    let clips = model.clips.iter().filter_map(|clip| animation(&from_zero(clip), &mut body)).collect();
    put(&mut root, "animations", clips);
    put(&mut root, "materials", materials);
    put(&mut root, "textures", textures);
    put(&mut root, "samplers", samplers);
    put(&mut root, "images", images);

    let Body { bytes, views, accessors } = body;
    put(&mut root, "accessors", accessors);
    put(&mut root, "bufferViews", views);
    if !bytes.is_empty() {
        root.insert("buffers".into(), json!([{ "byteLength": bytes.len() }]));
    }
    Ok((Value::Object(root), bytes))
}

/// Adds a list unless it is empty: the format does not allow empty lists.
fn put(object: &mut Map<String, Value>, key: &str, entries: Vec<Value>) {
    if !entries.is_empty() {
        object.insert(key.into(), entries.into());
    }
}

fn nodes(model: &Model, mesh_numbers: &[Option<usize>]) -> Vec<Value> {
    let rig = &model.rig;
    let mut children = vec![Vec::new(); rig.len()];
    for (node, parent) in rig.parents.iter().enumerate() {
        if let Some(siblings) = parent.and_then(|p| children.get_mut(p as usize)) {
            siblings.push(node);
        }
    }
    let mut nodes: Vec<Value> = (0..rig.len())
        .map(|n| {
            let mut node = named(transform(&rig.rest[n]), &rig.names[n]);
            if !children[n].is_empty() {
                node["children"] = children[n].clone().into();
            }
            node
        })
        .collect();
    for instance in &model.instances {
        let mesh = mesh_numbers.get(instance.mesh).copied().flatten();
        if let (Some(mesh), Some(node)) = (mesh, nodes.get_mut(instance.node)) {
            node["mesh"] = mesh.into();
            if let Some(skin) = instance.skin {
                node["skin"] = skin.into();
            }
            let weights = model.rig.rest_weights.get(model.rig.weights_of(instance.node)).unwrap_or_default();
            if !weights.is_empty() {
                node["weights"] = weights.to_vec().into();
            }
        }
    }
    nodes
}

/// A node with its transform; parts that are the format's defaults are not spelled out.
fn transform(local: &LocalTransform) -> Value {
    let mut node = json!({});
    match local {
        LocalTransform::Trs { translation, rotation, scale } => {
            if *translation != glam::DVec3::ZERO {
                node["translation"] = translation.to_array().to_vec().into();
            }
            if *rotation != glam::DQuat::IDENTITY {
                node["rotation"] = rotation.to_array().to_vec().into();
            }
            if *scale != glam::DVec3::ONE {
                node["scale"] = scale.to_array().to_vec().into();
            }
        }
        LocalTransform::Matrix(matrix) => {
            node["matrix"] = glam::DMat4::from(*matrix).to_cols_array().to_vec().into()
        }
    }
    node
}

/// The meshes that are not empty, and each model mesh's index among those.
fn meshes(model: &Model, body: &mut Body) -> (Vec<Value>, Vec<Option<usize>>) {
    let mut written = Vec::new();
    let mut numbers = Vec::new();
    for mesh in &model.meshes {
        let primitives: Vec<Value> = mesh
            .primitives
            .iter()
            .filter(|p| !p.indices.is_empty() && !p.positions.is_empty())
            .map(|p| primitive(p, mesh.target_names.len(), body))
            .collect();
        if primitives.is_empty() {
            numbers.push(None);
            continue;
        }
        numbers.push(Some(written.len()));
        let mut value = json!({ "primitives": primitives });
        if mesh.target_names.iter().any(|name| !name.is_empty()) {
            value["extras"] = json!({ "targetNames": mesh.target_names });
        }
        written.push(named(value, &mesh.name));
    }
    (written, numbers)
}
