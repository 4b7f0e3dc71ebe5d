//! Writes materials, textures and pictures.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use super::body::{Body, BufferTarget};
use super::error::WriteError;
use super::name::named;
use crate::{
    AlphaMode, Filter, Material, Model, NormalMap, Picture, Sampling, TextureRef, TextureTransform, Wrap,
};

/// Materials, and the textures, samplers and extensions that they need.
pub struct Surfaces {
    /// `textures` of the document.
    pub textures: Vec<Value>,
    /// `samplers` of the document.
    pub samplers: Vec<Value>,
    /// `extensionsUsed` of the document.
    pub extensions: BTreeSet<&'static str>,
    texture_numbers: HashMap<(usize, Sampling), usize>,
    /// The sampling of each sampler in the list.
    sampler_keys: Vec<Sampling>,
    picture_numbers: Vec<Option<usize>>,
}

impl Surfaces {
    /// Starts without textures; `picture_numbers` gives the indices of pictures in the file.
    pub fn new(picture_numbers: Vec<Option<usize>>) -> Self {
        Self {
            textures: Vec::new(),
            samplers: Vec::new(),
            extensions: BTreeSet::new(),
            texture_numbers: HashMap::new(),
            sampler_keys: Vec::new(),
            picture_numbers,
        }
    }

    /// A material of the document.
    pub fn material(&mut self, material: &Material) -> Value {
        let mut surface = json!({
            "baseColorFactor": material.base_color.to_vec(),
            "metallicFactor": material.metallic,
            "roughnessFactor": material.roughness,
        });
        self.put(&mut surface, "baseColorTexture", material.base_color_texture.as_ref());
        self.put(&mut surface, "metallicRoughnessTexture", material.metallic_roughness_texture.as_ref());
        let mut value = json!({ "pbrMetallicRoughness": surface });
        self.put_normal(&mut value, "normalTexture", material.normal.as_ref());
        if let Some(occlusion) = &material.occlusion {
            self.put(&mut value, "occlusionTexture", Some(&occlusion.texture));
            if occlusion.strength != 1.0 && value.get("occlusionTexture").is_some() {
                value["occlusionTexture"]["strength"] = occlusion.strength.into();
            }
        }
        if material.emissive != [0.0; 3] {
            value["emissiveFactor"] = material.emissive.to_vec().into();
        }
        self.put(&mut value, "emissiveTexture", material.emissive_texture.as_ref());
        match material.alpha {
            AlphaMode::Opaque => {}
            AlphaMode::Mask(cutoff) => {
                value["alphaMode"] = "MASK".into();
                value["alphaCutoff"] = cutoff.into();
            }
            AlphaMode::Blend => value["alphaMode"] = "BLEND".into(),
        }
        if material.double_sided {
            value["doubleSided"] = true.into();
        }
        let extensions = self.extensions_of(material);
        if !extensions.is_empty() {
            value["extensions"] = extensions.into();
        }
        named(value, &material.name)
    }

    fn extensions_of(&mut self, material: &Material) -> Map<String, Value> {
        let mut all = Vec::new();
        if material.unlit {
            all.push(("KHR_materials_unlit", json!({})));
        }
        if material.emissive_strength != 1.0 {
            let strength = material.emissive_strength;
            all.push(("KHR_materials_emissive_strength", json!({ "emissiveStrength": strength })));
        }
        if material.ior != 1.5 {
            all.push(("KHR_materials_ior", json!({ "ior": material.ior })));
        }
        if let Some(specular) = &material.specular {
            let color = specular.color.to_vec();
            let mut value = json!({ "specularFactor": specular.factor, "specularColorFactor": color });
            self.put(&mut value, "specularTexture", specular.texture.as_ref());
            self.put(&mut value, "specularColorTexture", specular.color_texture.as_ref());
            all.push(("KHR_materials_specular", value));
        }
        if let Some(coat) = &material.clearcoat {
            let mut value =
                json!({ "clearcoatFactor": coat.factor, "clearcoatRoughnessFactor": coat.roughness });
            self.put(&mut value, "clearcoatTexture", coat.texture.as_ref());
            self.put(&mut value, "clearcoatRoughnessTexture", coat.roughness_texture.as_ref());
            self.put_normal(&mut value, "clearcoatNormalTexture", coat.normal.as_ref());
            all.push(("KHR_materials_clearcoat", value));
        }
        if let Some(sheen) = &material.sheen {
            let color = sheen.color.to_vec();
            let mut value = json!({ "sheenColorFactor": color, "sheenRoughnessFactor": sheen.roughness });
            self.put(&mut value, "sheenColorTexture", sheen.color_texture.as_ref());
            self.put(&mut value, "sheenRoughnessTexture", sheen.roughness_texture.as_ref());
            all.push(("KHR_materials_sheen", value));
        }
        if let Some(light) = &material.transmission {
            let mut value = json!({ "transmissionFactor": light.factor });
            self.put(&mut value, "transmissionTexture", light.texture.as_ref());
            all.push(("KHR_materials_transmission", value));
        }
        if let Some(older) = &material.specular_glossiness {
            let mut value = json!({
                "diffuseFactor": older.diffuse.to_vec(),
                "specularFactor": older.specular.to_vec(),
                "glossinessFactor": older.glossiness,
            });
            self.put(&mut value, "diffuseTexture", older.diffuse_texture.as_ref());
            self.put(&mut value, "specularGlossinessTexture", older.texture.as_ref());
            all.push(("KHR_materials_pbrSpecularGlossiness", value));
        }
        self.extensions.extend(all.iter().map(|(name, _)| *name));
        all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Adds a texture, if there is one and its picture is in the file.
    fn put(&mut self, object: &mut Value, member: &str, texture: Option<&TextureRef>) {
        let Some(texture) = texture else { return };
        let Some(picture) = self.picture_numbers.get(texture.picture).copied().flatten() else { return };
        let index = self.texture(picture, texture.sampling);
        let mut info = json!({ "index": index, "texCoord": texture.texcoord });
        if texture.transform != TextureTransform::default() {
            let TextureTransform { offset, rotation, scale } = texture.transform;
            let transform =
                json!({ "offset": offset.to_vec(), "rotation": rotation, "scale": scale.to_vec() });
            info["extensions"] = json!({ "KHR_texture_transform": transform });
            self.extensions.insert("KHR_texture_transform");
        }
        object[member] = info;
    }

    fn put_normal(&mut self, object: &mut Value, member: &str, map: Option<&NormalMap>) {
        let Some(map) = map else { return };
        self.put(object, member, Some(&map.texture));
        if map.scale != 1.0 && object.get(member).is_some() {
            object[member]["scale"] = map.scale.into();
        }
    }

    /// The number of the texture that shows a picture of the file in this way.
    fn texture(&mut self, picture: usize, sampling: Sampling) -> usize {
        let key = (picture, sampling);
        if let Some(found) = self.texture_numbers.get(&key) {
            return *found;
        }
        let mut texture = json!({ "source": picture });
        if sampling != Sampling::default() {
            texture["sampler"] = self.sampler(sampling).into();
        }
        let number = self.textures.len();
        self.texture_numbers.insert(key, number);
        self.textures.push(texture);
        number
    }

    fn sampler(&mut self, sampling: Sampling) -> usize {
        if let Some(found) = self.sampler_keys.iter().position(|known| *known == sampling) {
            return found;
        }
        let wrap = |wrap| match wrap {
            Wrap::Repeat => 10497,
            Wrap::Mirror => 33648,
            Wrap::Clamp => 33071,
        };
        let min = match (sampling.min, sampling.mip) {
            (Filter::Nearest, None) => 9728,
            (Filter::Linear, None) => 9729,
            (Filter::Nearest, Some(Filter::Nearest)) => 9984,
            (Filter::Linear, Some(Filter::Nearest)) => 9985,
            (Filter::Nearest, Some(Filter::Linear)) => 9986,
            (Filter::Linear, Some(Filter::Linear)) => 9987,
        };
        let mag = match sampling.mag {
            Filter::Nearest => 9728,
            Filter::Linear => 9729,
        };
        self.sampler_keys.push(sampling);
        self.samplers.push(json!({
            "magFilter": mag, "minFilter": min, "wrapS": wrap(sampling.wrap_s), "wrapT": wrap(sampling.wrap_t),
        }));
        self.samplers.len() - 1
    }
}

/// The pictures there are, and each model picture's number among those.
pub fn images(model: &Model, body: &mut Body) -> Result<(Vec<Value>, Vec<Option<usize>>), WriteError> {
    let mut written = Vec::new();
    let mut numbers = Vec::new();
    for (index, picture) in model.pictures.iter().enumerate() {
        let Some(picture) = picture else {
            numbers.push(None);
            continue;
        };
        let bytes = png_bytes(picture).map_err(|source| WriteError::Picture { picture: index, source })?;
        numbers.push(Some(written.len()));
        written.push(json!({ "bufferView": body.view(&bytes, BufferTarget::None), "mimeType": "image/png" }));
    }
    Ok((written, numbers))
}

/// The PNG file of a picture. The fast compression is one that `png` brings: the others are those of `flate2`, whose
/// bytes depend on what else is in the build.
pub(crate) fn png_bytes(picture: &Picture) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgba)?;
    writer.finish()?;
    Ok(bytes)
}
