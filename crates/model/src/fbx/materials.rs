//! Materials: `ufbx` converts all kinds of them to metalness and roughness.

use super::matrices::unit;
use super::pictures::Pictures;
use crate::reading::message::one_line;
use crate::reading::warnings::Warnings;
use crate::texture::Picture;
use crate::{AlphaMode, Material, NormalMap, Occlusion, Sampling, TextureRef, TextureTransform, Wrap};

/// Roughness of a material that does not give one.
const ROUGHNESS: f64 = 0.8;

/// Reads all materials, in the file's order.
pub fn read(scene: &ufbx::Scene, pictures: &mut Pictures<'_, '_>, warnings: &mut Warnings) -> Vec<Material> {
    scene.materials.iter().map(|material| Reader { scene, pictures, warnings }.read(material)).collect()
}

struct Reader<'r, 'a, 'b> {
    scene: &'r ufbx::Scene,
    pictures: &'r mut Pictures<'a, 'b>,
    warnings: &'r mut Warnings,
}

impl Reader<'_, '_, '_> {
    fn read(&mut self, material: &ufbx::Material) -> Material {
        let maps = &material.pbr;
        let factor = |map: &ufbx::MaterialMap, or: f64| if map.has_value { map.value_vec4.x } else { or };
        let color = |map: &ufbx::MaterialMap, factor: f64| {
            let ufbx::Vec4 { x, y, z, .. } = map.value_vec4;
            let own = if map.has_value { [x, y, z] } else { [1.0; 3] };
            own.map(|channel| unit(channel * factor))
        };
        let base_color_texture = self.texture(&maps.base_color);
        // A texture takes the place of the colour.
        let base_factor = factor(&maps.base_factor, 1.0);
        let [red, green, blue] = match base_color_texture {
            Some(_) => [unit(base_factor); 3],
            None => color(&maps.base_color, base_factor),
        };
        let (opacity, alpha) = self.opacity(material, base_color_texture.as_ref());
        let [roughness, metalness] = [&maps.roughness, &maps.metalness].map(|map| self.texture(map));
        let emissive_texture = self.texture(&maps.emission_color);
        let emission = factor(&maps.emission_factor, if emissive_texture.is_some() { 1.0 } else { 0.0 });
        let emissive = match emissive_texture {
            Some(_) => [unit(emission); 3],
            None if maps.emission_color.has_value => color(&maps.emission_color, emission),
            None => [0.0; 3],
        };
        let rough = unit(factor(&maps.roughness, ROUGHNESS));
        let metallic = unit(factor(&maps.metalness, 0.0));
        Material {
            name: one_line(&material.element.name),
            base_color: [red, green, blue, opacity],
            base_color_texture,
            metallic: if metalness.is_some() { 1.0 } else { metallic },
            roughness: if roughness.is_some() { 1.0 } else { rough },
            metallic_roughness_texture: self.together(roughness, metalness),
            normal: self.texture(&maps.normal_map).map(|texture| NormalMap { texture, scale: 1.0 }),
            occlusion: self
                .texture(&maps.ambient_occlusion)
                .map(|texture| Occlusion { texture, strength: 1.0 }),
            emissive,
            emissive_texture,
            alpha,
            // FBX culling is off unless a file turns it on, which is rare.
            double_sided: true,
            unlit: material.features.unlit.enabled,
            ..Material::default()
        }
    }

    /// Returns a material's opacity. A separate opacity texture counts only if it is the alpha of the colour's texture.
    fn opacity(&mut self, material: &ufbx::Material, base: Option<&TextureRef>) -> (f32, AlphaMode) {
        let (opacity, transparency) = (&material.pbr.opacity, &material.fbx.transparency_color);
        if let Some(texture) = self.texture(opacity).or_else(|| self.texture(transparency)) {
            return match base {
                Some(base) if base.picture == texture.picture => (1.0, AlphaMode::Blend),
                _ => {
                    let message = "a separate texture for opacity is not shown";
                    self.warnings.add("UNSUPPORTED_MAP", "materials", message);
                    (1.0, AlphaMode::Opaque)
                }
            };
        }
        let mean = |map: &ufbx::MaterialMap| {
            let ufbx::Vec4 { x, y, z, .. } = map.value_vec4;
            if map.value_components <= 1 { x } else { (x + y + z) / 3.0 }
        };
        let factor = &material.fbx.transparency_factor;
        let opacity = unit(match (opacity.has_value, factor.has_value && transparency.has_value) {
            (true, _) => mean(opacity),
            // Lambert's and Phong's.
            (false, true) => 1.0 - mean(factor) * mean(transparency),
            (false, false) => 1.0,
        });
        // A fully transparent material is an exporter's mistake: some invert transparency.
        match opacity {
            0.0 | 1.0 => (1.0, AlphaMode::Opaque),
            _ => (opacity, AlphaMode::Blend),
        }
    }

    /// The texture of a map, if it has one that can be shown.
    fn texture(&mut self, map: &ufbx::MaterialMap) -> Option<TextureRef> {
        let texture = map.texture.as_ref().filter(|_| map.texture_enabled)?;
        // Of layers, and of what computes a colour, the first picture.
        let texture = if texture.has_file { texture } else { texture.file_textures.first()? };
        let picture = texture.has_file.then_some(texture.file_index as usize)?;
        if !self.pictures.has(picture, self.warnings) {
            return None;
        }
        let wrap = |mode| match mode {
            ufbx::WrapMode::Repeat => Wrap::Repeat,
            ufbx::WrapMode::Clamp => Wrap::Clamp,
        };
        let sampling =
            Sampling { wrap_s: wrap(texture.wrap_u), wrap_t: wrap(texture.wrap_v), ..Sampling::default() };
        let transform = match texture.has_uv_transform {
            true => transform(&texture.uv_to_texture),
            false => TextureTransform::default(),
        };
        Some(TextureRef { picture, texcoord: self.texcoord(&texture.uv_set), sampling, transform })
    }

    /// The number of a set of texture coordinates, in the first mesh that has one of the name.
    fn texcoord(&self, name: &str) -> usize {
        let number = |mesh: &ufbx::Ref<ufbx::Mesh>| {
            mesh.uv_sets.iter().take(2).position(|set| !name.is_empty() && *set.name == *name)
        };
        self.scene.meshes.iter().find_map(number).unwrap_or(0)
    }

    /// Combines roughness in green and metalness in blue into one picture, from two pictures or from one that has both.
    fn together(
        &mut self,
        roughness: Option<TextureRef>,
        metalness: Option<TextureRef>,
    ) -> Option<TextureRef> {
        let of = roughness.or(metalness)?;
        let two = [roughness, metalness].map(|texture| texture.map(|texture| texture.picture));
        let picture = self.pictures.made_of(two, |[rough, metal]| {
            let size = rough.or(metal).map(|picture| (picture.width, picture.height))?;
            packed(size, rough, metal)
        })?;
        Some(TextureRef { picture, ..of })
    }
}

/// Red of two pictures as green and blue of one; where one lacks, all of it.
fn packed((width, height): (u32, u32), green: Option<&Picture>, blue: Option<&Picture>) -> Option<Picture> {
    let bytes = (width as usize).checked_mul(height as usize)?.checked_mul(4)?;
    let mut rgba = Vec::with_capacity(bytes);
    for y in 0..height {
        for x in 0..width {
            let of = |picture: Option<&Picture>| {
                picture.map_or(255, |picture| red(picture, x, y, (width, height)))
            };
            rgba.extend([255, of(green), of(blue), 255]);
        }
    }
    Some(Picture { width, height, rgba })
}

/// The red of a picture at a pixel of one that may have another size.
fn red(picture: &Picture, x: u32, y: u32, (width, height): (u32, u32)) -> u8 {
    let at = |own: u32, of: u32, size: u32| {
        (u64::from(own).saturating_mul(u64::from(size)).checked_div(u64::from(of)).unwrap_or(0)) as usize
    };
    let (x, y) = (at(x, width, picture.width), at(y, height, picture.height));
    let pixel = y.saturating_mul(picture.width as usize).saturating_add(x);
    picture.rgba.get(pixel.saturating_mul(4)).copied().unwrap_or(255)
}

/// Converts a texture transform to v pointing down.
fn transform(uv: &ufbx::Matrix) -> TextureTransform {
    let ufbx::Matrix { m00: a, m01: b, m03: c, m10: d, m11: e, m13: f, .. } = *uv;
    let rotation = d.atan2(a);
    let (sin, cos) = rotation.sin_cos();
    let number = |value: f64| if value.is_finite() { value.clamp(-1e6, 1e6) as f32 } else { 0.0 };
    TextureTransform {
        offset: [number(b + c), number(1.0 - e - f)],
        rotation: number(rotation),
        scale: [number(a.hypot(d)), number(e * cos - b * sin)],
    }
}
