//! Checks every index and enum of a document: the `gltf` crate unwraps them, and validates only on request.

use ::gltf::json::accessor::ComponentType;
use ::gltf::json::material::Material;
use ::gltf::json::mesh::Primitive;
use ::gltf::json::validation::Checked;
use ::gltf::json::{Index, Root, texture};

use crate::reading::error::LoadError;

/// Checks a whole document.
pub fn check(root: &Root) -> Result<(), LoadError> {
    check_graph(root)?;
    for (mesh, primitives) in root.meshes.iter().map(|mesh| &mesh.primitives).enumerate() {
        for (number, primitive) in primitives.iter().enumerate() {
            check_primitive(root, primitive, &format!("meshes[{mesh}].primitives[{number}]"))?;
        }
    }
    check_animations(root)?;
    check_accessors(root)?;
    for (index, material) in root.materials.iter().enumerate() {
        check_material(root, material, &format!("materials[{index}]"))?;
    }
    check_textures(root)
}

/// Something that is referred to must be there.
fn refer<T>(
    index: Index<T>,
    count: usize,
    noun: &str,
    from: impl FnOnce() -> String,
) -> Result<(), LoadError> {
    match index.value() < count {
        true => Ok(()),
        false => Err(LoadError::no_such(&from(), noun, index.value(), count)),
    }
}

/// Checks an optional reference.
fn may_refer<T>(
    index: Option<Index<T>>,
    count: usize,
    noun: &str,
    from: impl FnOnce() -> String,
) -> Result<(), LoadError> {
    index.map_or(Ok(()), |index| refer(index, count, noun, from))
}

/// Checks that the crate supports a word.
fn known<T>(word: &Checked<T>, path: impl FnOnce() -> String) -> Result<(), LoadError> {
    match word {
        Checked::Valid(_) => Ok(()),
        Checked::Invalid => {
            Err(LoadError::broken("VALUE_NOT_IN_LIST", path(), "is no value that it can have"))
        }
    }
}

fn check_graph(root: &Root) -> Result<(), LoadError> {
    let nodes = root.nodes.len();
    may_refer(root.scene, root.scenes.len(), "scene", || "scene".to_owned())?;
    for (index, scene) in root.scenes.iter().enumerate() {
        for (number, node) in scene.nodes.iter().enumerate() {
            refer(*node, nodes, "node", || format!("scenes[{index}].nodes[{number}]"))?;
        }
    }
    for (index, node) in root.nodes.iter().enumerate() {
        for (number, child) in node.children.iter().flatten().enumerate() {
            refer(*child, nodes, "node", || format!("nodes[{index}].children[{number}]"))?;
        }
        may_refer(node.mesh, root.meshes.len(), "mesh", || format!("nodes[{index}].mesh"))?;
        may_refer(node.skin, root.skins.len(), "skin", || format!("nodes[{index}].skin"))?;
        may_refer(node.camera, root.cameras.len(), "camera", || format!("nodes[{index}].camera"))?;
    }
    for (index, skin) in root.skins.iter().enumerate() {
        for (number, joint) in skin.joints.iter().enumerate() {
            refer(*joint, nodes, "node", || format!("skins[{index}].joints[{number}]"))?;
        }
        let path = || format!("skins[{index}].inverseBindMatrices");
        may_refer(skin.inverse_bind_matrices, root.accessors.len(), "accessor", path)?;
    }
    Ok(())
}

fn check_primitive(root: &Root, primitive: &Primitive, path: &str) -> Result<(), LoadError> {
    let accessors = root.accessors.len();
    for (name, accessor) in &primitive.attributes {
        refer(*accessor, accessors, "accessor", || format!("{path}.attributes.{}", name.to_string()))?;
    }
    may_refer(primitive.indices, accessors, "accessor", || format!("{path}.indices"))?;
    may_refer(primitive.material, root.materials.len(), "material", || format!("{path}.material"))?;
    for (number, target) in primitive.targets.iter().flatten().enumerate() {
        for (name, accessor) in
            [("POSITION", target.positions), ("NORMAL", target.normals), ("TANGENT", target.tangents)]
        {
            may_refer(accessor, accessors, "accessor", || format!("{path}.targets[{number}].{name}"))?;
        }
    }
    known(&primitive.mode, || format!("{path}.mode"))
}

fn check_animations(root: &Root) -> Result<(), LoadError> {
    let accessors = root.accessors.len();
    for (index, animation) in root.animations.iter().enumerate() {
        let path = format!("animations[{index}]");
        for (number, channel) in animation.channels.iter().enumerate() {
            let path = format!("{path}.channels[{number}]");
            refer(channel.sampler, animation.samplers.len(), "sampler", || format!("{path}.sampler"))?;
            refer(channel.target.node, root.nodes.len(), "node", || format!("{path}.target.node"))?;
            known(&channel.target.path, || format!("{path}.target.path"))?;
        }
        for (number, sampler) in animation.samplers.iter().enumerate() {
            let path = format!("{path}.samplers[{number}]");
            refer(sampler.input, accessors, "accessor", || format!("{path}.input"))?;
            refer(sampler.output, accessors, "accessor", || format!("{path}.output"))?;
            known(&sampler.interpolation, || format!("{path}.interpolation"))?;
        }
    }
    Ok(())
}

fn check_accessors(root: &Root) -> Result<(), LoadError> {
    let views = root.buffer_views.len();
    for (index, accessor) in root.accessors.iter().enumerate() {
        let path = format!("accessors[{index}]");
        may_refer(accessor.buffer_view, views, "buffer view", || format!("{path}.bufferView"))?;
        known(&accessor.component_type, || format!("{path}.componentType"))?;
        known(&accessor.type_, || format!("{path}.type"))?;
        let Some(sparse) = &accessor.sparse else { continue };
        refer(sparse.indices.buffer_view, views, "buffer view", || {
            format!("{path}.sparse.indices.bufferView")
        })?;
        refer(sparse.values.buffer_view, views, "buffer view", || {
            format!("{path}.sparse.values.bufferView")
        })?;
        let component = sparse.indices.component_type;
        let component_path = || format!("{path}.sparse.indices.componentType");
        known(&component, component_path)?;
        if let Checked::Valid(component) = component
            && !matches!(component.0, ComponentType::U8 | ComponentType::U16 | ComponentType::U32)
        {
            let message = format!("indices cannot be {:?}", component.0);
            return Err(LoadError::broken("VALUE_NOT_IN_LIST", component_path(), message));
        }
    }
    for (index, view) in root.buffer_views.iter().enumerate() {
        refer(view.buffer, root.buffers.len(), "buffer", || format!("bufferViews[{index}].buffer"))?;
    }
    Ok(())
}

fn check_material(root: &Root, material: &Material, path: &str) -> Result<(), LoadError> {
    known(&material.alpha_mode, || format!("{path}.alphaMode"))?;
    let of = |info: Option<&texture::Info>| info.map(|info| info.index);
    let pbr = &material.pbr_metallic_roughness;
    let extensions = material.extensions.as_ref();
    let specular = extensions.and_then(|all| all.specular.as_ref());
    let transmission = extensions.and_then(|all| all.transmission.as_ref());
    let older = extensions.and_then(|all| all.pbr_specular_glossiness.as_ref());
    let all = [
        of(pbr.base_color_texture.as_ref()),
        of(pbr.metallic_roughness_texture.as_ref()),
        material.normal_texture.as_ref().map(|info| info.index),
        material.occlusion_texture.as_ref().map(|info| info.index),
        of(material.emissive_texture.as_ref()),
        of(specular.and_then(|specular| specular.specular_texture.as_ref())),
        of(specular.and_then(|specular| specular.specular_color_texture.as_ref())),
        of(transmission.and_then(|transmission| transmission.transmission_texture.as_ref())),
        of(older.and_then(|older| older.diffuse_texture.as_ref())),
        of(older.and_then(|older| older.specular_glossiness_texture.as_ref())),
    ];
    all.into_iter()
        .try_for_each(|texture| may_refer(texture, root.textures.len(), "texture", || path.to_owned()))
}

fn check_textures(root: &Root) -> Result<(), LoadError> {
    for (index, texture) in root.textures.iter().enumerate() {
        may_refer(texture.sampler, root.samplers.len(), "sampler", || format!("textures[{index}].sampler"))?;
    }
    for (index, sampler) in root.samplers.iter().enumerate() {
        let path = format!("samplers[{index}]");
        known(&sampler.wrap_s, || format!("{path}.wrapS"))?;
        known(&sampler.wrap_t, || format!("{path}.wrapT"))?;
        sampler.mag_filter.as_ref().map_or(Ok(()), |filter| known(filter, || format!("{path}.magFilter")))?;
        sampler.min_filter.as_ref().map_or(Ok(()), |filter| known(filter, || format!("{path}.minFilter")))?;
    }
    Ok(())
}
