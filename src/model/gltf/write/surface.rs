//! Materials and their pictures as the document spells them.
//! It must not know which primitive wears what.

use serde_json::{Value, json};

use super::body::{Body, Target};
use super::{WriteError, named};
use crate::model::{AlphaMode, Material, Model, Picture};

/// A material of the document, given which pictures are in the file.
pub fn material(material: &Material, picture_numbers: &[Option<usize>]) -> Value {
    let mut surface = json!({
        "baseColorFactor": material.base_color.to_vec(),
        "metallicFactor": material.metallic,
        "roughnessFactor": material.roughness,
    });
    if let Some(texture) = material.base_color_texture
        && let Some(index) = picture_numbers.get(texture.picture).copied().flatten()
    {
        surface["baseColorTexture"] = json!({ "index": index, "texCoord": texture.texcoord });
    }
    let mut value = json!({ "pbrMetallicRoughness": surface });
    if material.emissive != [0.0; 3] {
        value["emissiveFactor"] = material.emissive.to_vec().into();
    }
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
    if material.unlit {
        value["extensions"] = json!({ "KHR_materials_unlit": {} });
    }
    named(value, &material.name)
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
        written.push(json!({ "bufferView": body.view(&bytes, Target::None), "mimeType": "image/png" }));
    }
    Ok((written, numbers))
}

fn png_bytes(picture: &Picture) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgba)?;
    writer.finish()?;
    Ok(bytes)
}
