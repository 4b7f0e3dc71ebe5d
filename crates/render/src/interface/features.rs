//! The features compiled into a pipeline, so that no driver compiles or runs code that a picture does not need.

use sinew_model::{AlphaMode, Material, TextureRef, TextureTransform, TextureUse};
use sinew_scene::look::Quality;

/// The constants of `shaders/include/features.glsl`, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Features {
    /// Roughness and metalness vary over the surface.
    pub metallic_roughness_map: bool,
    /// A map bends normals.
    pub normal_map: bool,
    /// A map limits ambient light.
    pub occlusion_map: bool,
    /// Emission varies over the surface.
    pub emissive_map: bool,
    /// The surface has a clear coat or a sheen.
    pub layers: bool,
    /// The surface shows its colour without lighting.
    pub unlit: bool,
    /// The key light casts shadows.
    pub shadows: bool,
    /// The file has lights.
    pub file_lights: bool,
    /// Some texture has a transform or the second set of coordinates.
    pub transforms: bool,
    /// The base colour is not white, the surface emits light, or its reflectance is not the default.
    pub factors: bool,
    /// Alpha affects the result.
    pub alpha: bool,
    /// The rasterizer alone cannot tell the sides apart, or there are none.
    pub odd_sides: bool,
}

impl Features {
    /// Returns the features that a material needs in a picture.
    pub fn new(material: &Material, quality: Quality, file_lights: bool, odd_sides: bool) -> Self {
        let plain = TextureTransform::default().rows();
        let is_moved = |texture: &TextureRef| texture.texcoord != 0 || texture.transform.rows() != plain;
        let shared = Self {
            transforms: material.textures().any(|(_, texture)| is_moved(texture)),
            factors: material.base_color != [1.0; 4]
                || material.emissive != [0.0; 3]
                || material.ior != Material::default().ior
                || material.specular.is_some(),
            alpha: material.alpha != AlphaMode::Opaque || material.transmitted() > 0.0,
            odd_sides,
            ..Self::default()
        };
        if material.unlit {
            return Self { unlit: true, ..shared };
        }
        let has = |wanted: TextureUse| material.textures().any(|(role, _)| role == wanted);
        let all = quality == Quality::Full;
        Self {
            metallic_roughness_map: has(TextureUse::MetallicRoughness),
            normal_map: has(TextureUse::Normal),
            occlusion_map: has(TextureUse::Occlusion),
            emissive_map: has(TextureUse::Emissive),
            layers: material.clearcoat.as_ref().is_some_and(|coat| coat.factor > 0.0)
                || material.sheen.as_ref().is_some_and(|sheen| sheen.color != [0.0; 3]),
            unlit: false,
            shadows: all,
            file_lights: all && file_lights,
            ..shared
        }
    }

    /// Returns the subset of features for matt paint.
    pub fn plain(&self) -> Self {
        let Self { emissive_map, unlit, transforms, factors, alpha, odd_sides, .. } = *self;
        Self { emissive_map, unlit, transforms, factors, alpha, odd_sides, ..Self::default() }
    }

    /// Returns the features for shaders that show surface data or cast shadows: everything except light.
    pub fn without_light() -> Self {
        Self {
            normal_map: true,
            transforms: true,
            factors: true,
            alpha: true,
            odd_sides: true,
            ..Self::default()
        }
    }

    /// Returns the constants of a pipeline's shaders, by their numbers.
    pub fn constants(&self) -> [bool; 12] {
        [
            self.metallic_roughness_map,
            self.normal_map,
            self.occlusion_map,
            self.emissive_map,
            self.layers,
            self.unlit,
            self.shadows,
            self.file_lights,
            self.transforms,
            self.factors,
            self.alpha,
            self.odd_sides,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::material_block::MaterialBlock;
    use sinew_model::{Specular, TextureTransform, Transmission};

    fn of(material: &Material) -> Features {
        Features::new(material, Quality::Draft, false, false)
    }

    #[test]
    fn a_material_pays_for_what_it_has() {
        let textured = Material { base_color_texture: Some(TextureRef::default()), ..Material::default() };
        assert_eq!(of(&textured), Features::default());
        let moved = |texture| Material { base_color_texture: Some(texture), ..Material::default() };
        assert!(of(&moved(TextureRef { texcoord: 1, ..TextureRef::default() })).transforms);
        let transform = TextureTransform { offset: [0.0, 0.5], ..TextureTransform::default() };
        assert!(of(&moved(TextureRef { transform, ..TextureRef::default() })).transforms);
        let tinted = Material { base_color: [1.0, 1.0, 1.0, 0.5], ..Material::default() };
        assert!(of(&tinted).factors && !of(&tinted).alpha);
        assert!(of(&Material { emissive: [0.0, 0.0, 0.1], ..Material::default() }).factors);
        assert!(of(&Material { ior: 1.4, ..Material::default() }).factors);
        let specular = Specular { factor: 0.5, texture: None, color: [1.0; 3], color_texture: None };
        assert!(of(&Material { specular: Some(Box::new(specular)), ..Material::default() }).factors);
        assert!(of(&Material { alpha: AlphaMode::Mask(0.5), ..Material::default() }).alpha);
        let glass = Transmission { factor: 1.0, texture: None };
        let glass = Material { transmission: Some(Box::new(glass)), metallic: 0.0, ..Material::default() };
        assert!(of(&glass).alpha && !of(&Material { metallic: 1.0, ..glass }).alpha);
        let unlit = Material { unlit: true, ..tinted };
        assert!(of(&unlit).factors && of(&unlit).unlit);
    }

    /// Constants of `mesh.frag` for materials without factors equal the values in their block.
    #[test]
    fn what_is_usual_is_the_same_on_both_sides() {
        let source = include_str!("../../../../shaders/mesh.frag");
        let (_, rest) = source.split_once("const vec4 DIELECTRIC = vec4(vec3(").unwrap();
        let (face_on, rest) = rest.split_once("), ").unwrap();
        let (edge_on, _) = rest.split_once(')').unwrap();
        let [face_on, edge_on] = [face_on, edge_on].map(|number| number.parse::<f32>().unwrap());
        let usual = MaterialBlock::new(&Material::default());
        assert_eq!(usual.specular, [face_on, face_on, face_on, edge_on]);
        assert_eq!((usual.base_color, usual.emissive), ([1.0; 4], [0.0; 4]));
    }

    /// Constants have the shaders' numbers, and [`Features::without_light`] sets those with a default of true.
    #[test]
    fn constants_are_numbered_as_in_the_shaders() {
        let source = include_str!("../../../../shaders/include/features.glsl");
        let names = source.lines().filter_map(|line| {
            let (number, rest) = line.strip_prefix("layout(constant_id = ")?.split_once(')')?;
            let (name, default) = rest.trim().strip_prefix("const bool ")?.split_once(" = ")?;
            Some((number.parse::<usize>().ok()?, name, default.starts_with("true")))
        });
        // Later constants do not depend on the material.
        let names = names.take_while(|(number, ..)| *number < Features::default().constants().len());
        let numbered: Vec<_> = names.collect();
        assert!(numbered.iter().map(|(number, ..)| *number).eq(0..Features::default().constants().len()));
        let only = |features: Features| features.constants().iter().position(|set| *set);
        let place = |wanted: &str| numbered.iter().position(|(_, name, _)| *name == wanted);
        let none = Features::default();
        assert_eq!(only(Features { normal_map: true, ..none }), place("HAS_NORMAL_MAP"));
        assert_eq!(only(Features { file_lights: true, ..none }), place("HAS_FILE_LIGHTS"));
        assert_eq!(only(Features { transforms: true, ..none }), place("HAS_TRANSFORMS"));
        assert_eq!(only(Features { factors: true, ..none }), place("HAS_FACTORS"));
        assert_eq!(only(Features { alpha: true, ..none }), place("HAS_ALPHA"));
        assert_eq!(only(Features { odd_sides: true, ..none }), place("HAS_ODD_SIDES"));
        for (set, (_, name, default)) in Features::without_light().constants().iter().zip(&numbered) {
            assert!(*set || !default, "{name}");
        }
    }
}
