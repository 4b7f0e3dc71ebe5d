//! Materials as `UsdPreviewSurface`, with their textures.

use openusd::sdf::{AssetPath, Path, Value};

use super::mesh::texcoords;
use super::prim::{Names, Prim, Property, token};
use super::tree::entitle;
use super::values::{four, pair, vector};
use crate::{AlphaMode, Encoding, Material, Model, Sampling, TextureRef, TextureTransform, Wrap};

/// The materials of a layer.
pub struct Looks {
    /// The prim that holds them; `None` if there are none.
    pub scope: Option<Prim>,
    /// The path of each.
    pub paths: Vec<Path>,
    /// The number of the model's picture of each file that materials name.
    pub pictures: Vec<usize>,
    /// Parts of materials that the format has no place for.
    pub left_out: Vec<&'static str>,
}

/// A material in the making.
struct Look<'a> {
    material: &'a Material,
    path: Path,
    prim: Prim,
    surface: Prim,
    names: Names,
    /// Textures that have a shader, with its path.
    known: Vec<(TextureRef, [f32; 4], Path)>,
    /// Names of picture files.
    files: &'a [Option<String>],
    used: &'a mut Vec<usize>,
}

impl Looks {
    /// The materials of a model below a root. `files` are names of pictures.
    pub fn of(model: &Model, root: &Path, name: &str, files: &[Option<String>]) -> Self {
        let mut looks = Self { scope: None, paths: Vec::new(), pictures: Vec::new(), left_out: Vec::new() };
        let mut scope = Prim::new(name, "Scope");
        let mut names = Names::default();
        let Ok(above) = root.append_path(name) else { return looks };
        for material in &model.materials {
            let name = names.unique(&material.name, "material");
            let Ok(path) = above.append_path(name.as_str()) else { continue };
            let mut look = Look {
                material,
                path: path.clone(),
                prim: Prim::new(&name, "Material"),
                surface: Prim::new("surface", "Shader"),
                names: Names::default(),
                known: Vec::new(),
                files,
                used: &mut looks.pictures,
            };
            entitle(&mut look.prim, &material.name);
            look.fill();
            scope.children.push(look.finish());
            looks.left_out.extend(left_out(material));
            looks.paths.push(path);
        }
        looks.pictures.sort_unstable();
        looks.pictures.dedup();
        looks.left_out.sort_unstable();
        looks.left_out.dedup();
        looks.scope = (!scope.children.is_empty()).then_some(scope);
        looks
    }
}

/// The parts of a material that are lost.
fn left_out(material: &Material) -> impl Iterator<Item = &'static str> {
    let has_set = |texture: &TextureRef| texture.texcoord > 1;
    let is_filtered = |texture: &TextureRef| {
        let Sampling { wrap_s, wrap_t, .. } = texture.sampling;
        texture.sampling != Sampling { wrap_s, wrap_t, ..Sampling::default() }
    };
    [
        (material.unlit, "that a material is unlit"),
        (material.specular.is_some(), "KHR_materials_specular"),
        (material.sheen.is_some(), "KHR_materials_sheen"),
        (material.transmission.is_some(), "KHR_materials_transmission"),
        (material.specular_glossiness.is_some(), "KHR_materials_pbrSpecularGlossiness"),
        (material.clearcoat.as_ref().is_some_and(|coat| coat.normal.is_some()), "normal maps of clear coats"),
        (material.occlusion.is_some_and(|map| map.strength != 1.0), "strengths of occlusion maps"),
        (material.textures().any(|(_, texture)| has_set(texture)), "third sets of texture coordinates"),
        (material.textures().any(|(_, texture)| is_filtered(texture)), "filters of textures"),
    ]
    .into_iter()
    .filter_map(|(is_lost, what)| is_lost.then_some(what))
}

impl Look<'_> {
    fn fill(&mut self) {
        let material = self.material;
        let [r, g, b, alpha] = material.base_color;
        self.names.unique("surface", "");
        self.number("ior", material.ior);
        match &material.base_color_texture {
            Some(texture) => {
                let source = self.texture(texture, Encoding::Srgb, [r, g, b, alpha]);
                self.connect("diffuseColor", "color3f", source.as_ref(), "rgb", vector([r, g, b]));
                if material.alpha != AlphaMode::Opaque {
                    self.connect("opacity", "float", source.as_ref(), "a", Value::Float(alpha));
                }
            }
            None => {
                self.input("diffuseColor", "color3f", vector([r, g, b]));
                if material.alpha != AlphaMode::Opaque {
                    self.number("opacity", alpha);
                }
            }
        }
        if let AlphaMode::Mask(cutoff) = material.alpha {
            self.number("opacityThreshold", cutoff);
        }
        let (metallic, roughness) = (material.metallic, material.roughness);
        let source = material
            .metallic_roughness_texture
            .and_then(|texture| self.texture(&texture, Encoding::Linear, [1.0, roughness, metallic, 1.0]));
        self.connect("metallic", "float", source.as_ref(), "b", Value::Float(metallic));
        self.connect("roughness", "float", source.as_ref(), "g", Value::Float(roughness));
        self.light_and_relief();
        if let Some(coat) = &material.clearcoat {
            let source = coat
                .texture
                .and_then(|texture| self.texture(&texture, Encoding::Linear, [coat.factor, 1.0, 1.0, 1.0]));
            self.connect("clearcoat", "float", source.as_ref(), "r", Value::Float(coat.factor));
            let factor = [1.0, coat.roughness, 1.0, 1.0];
            let source =
                coat.roughness_texture.and_then(|texture| self.texture(&texture, Encoding::Linear, factor));
            self.connect("clearcoatRoughness", "float", source.as_ref(), "g", Value::Float(coat.roughness));
        }
    }

    fn light_and_relief(&mut self) {
        let material = self.material;
        let emissive = material.emissive.map(|color| color * material.emissive_strength);
        let [r, g, b] = emissive;
        let source = material
            .emissive_texture
            .and_then(|texture| self.texture(&texture, Encoding::Srgb, [r, g, b, 1.0]));
        if source.is_some() || emissive != [0.0; 3] {
            self.connect("emissiveColor", "color3f", source.as_ref(), "rgb", vector(emissive));
        }
        if let Some(map) = &material.normal {
            // The sign of a map with a scale is that of its first number.
            let scale = [2.0 * map.scale, 2.0 * map.scale, 2.0, 1.0];
            if let Some(source) = self.texture(&map.texture, Encoding::Linear, scale) {
                let bias = [-map.scale, -map.scale, -1.0, 0.0];
                if let Some(shader) =
                    self.prim.children.iter_mut().find(|prim| source.name() == Some(&prim.name))
                {
                    shader.properties.push(Property::of("inputs:bias", "float4", four(bias)));
                }
                self.connect("normal", "normal3f", Some(&source), "rgb", vector([0.0, 0.0, 1.0]));
            }
        }
        if let Some(map) = &material.occlusion
            && let Some(source) = self.texture(&map.texture, Encoding::Linear, [1.0; 4])
        {
            self.connect("occlusion", "float", Some(&source), "r", Value::Float(1.0));
        }
    }

    fn number(&mut self, name: &str, number: f32) {
        self.input(name, "float", Value::Float(number));
    }

    fn input(&mut self, name: &str, type_name: &'static str, value: Value) {
        self.surface.properties.push(Property::of(&format!("inputs:{name}"), type_name, value));
    }

    /// An input that follows an output of a texture; without one, a value.
    fn connect(&mut self, name: &str, kind: &'static str, source: Option<&Path>, output: &str, value: Value) {
        let output = source.and_then(|source| source.append_property(format!("outputs:{output}")).ok());
        match output {
            Some(output) => {
                self.surface.properties.push(Property::connected(&format!("inputs:{name}"), kind, output));
            }
            None => self.input(name, kind, value),
        }
    }

    /// The path of a texture's shader; `None` if its picture is not there.
    fn texture(&mut self, texture: &TextureRef, encoding: Encoding, scale: [f32; 4]) -> Option<Path> {
        let file = self.files.get(texture.picture)?.as_ref()?;
        if let Some((.., path)) = self.known.iter().find(|(known, by, _)| known == texture && *by == scale) {
            return Some(path.clone());
        }
        self.used.push(texture.picture);
        let coordinates = self.coordinates(texture)?;
        let name = self.names.unique("texture", "texture");
        let wrap = |wrap| match wrap {
            Wrap::Repeat => token("repeat"),
            Wrap::Mirror => token("mirror"),
            Wrap::Clamp => token("clamp"),
        };
        let space = match encoding {
            Encoding::Srgb => "sRGB",
            Encoding::Linear => "raw",
        };
        let mut shader = Prim::new(&name, "Shader");
        shader.properties.extend([
            Property::uniform("info:id", "token", token("UsdUVTexture")),
            Property::of("inputs:file", "asset", Value::AssetPath(AssetPath::new(format!("./{file}")))),
            Property::connected("inputs:st", "float2", coordinates),
            Property::of("inputs:sourceColorSpace", "token", token(space)),
            Property::of("inputs:wrapS", "token", wrap(texture.sampling.wrap_s)),
            Property::of("inputs:wrapT", "token", wrap(texture.sampling.wrap_t)),
        ]);
        if scale != [1.0; 4] {
            shader.properties.push(Property::of("inputs:scale", "float4", four(scale)));
        }
        for output in ["r", "g", "b", "a"] {
            shader.properties.push(Property::new(&format!("outputs:{output}"), "float"));
        }
        shader.properties.push(Property::new("outputs:rgb", "float3"));
        self.prim.children.push(shader);
        let path = self.path.append_path(name.as_str()).ok()?;
        self.known.push((*texture, scale, path.clone()));
        Some(path)
    }

    /// The output with a texture's coordinates.
    fn coordinates(&mut self, texture: &TextureRef) -> Option<Path> {
        let name = self.names.unique("coordinates", "coordinates");
        let mut reader = Prim::new(&name, "Shader");
        reader.properties.extend([
            Property::uniform("info:id", "token", token("UsdPrimvarReader_float2")),
            Property::of("inputs:varname", "string", Value::String(texcoords(texture.texcoord))),
            Property::new("outputs:result", "float2"),
        ]);
        self.prim.children.push(reader);
        let output = |name: &str| self.path.append_path(name).ok()?.append_property("outputs:result").ok();
        let read = output(&name)?;
        if texture.transform == TextureTransform::default() {
            return Some(read);
        }
        let TextureTransform { offset: [x, y], rotation, scale } = texture.transform;
        let name = self.names.unique("transform", "transform");
        let (sin, cos) = rotation.sin_cos();
        // Its t points up, where glTF's v points down.
        let moved = [x + sin * scale[1], 1.0 - cos * scale[1] - y];
        let mut shader = Prim::new(&name, "Shader");
        shader.properties.extend([
            Property::uniform("info:id", "token", token("UsdTransform2d")),
            Property::connected("inputs:in", "float2", read),
            Property::of("inputs:rotation", "float", Value::Float(rotation.to_degrees())),
            Property::of("inputs:scale", "float2", pair(scale)),
            Property::of("inputs:translation", "float2", pair(moved)),
            Property::new("outputs:result", "float2"),
        ]);
        let path = self.path.append_path(name.as_str()).ok()?.append_property("outputs:result").ok();
        self.prim.children.push(shader);
        path
    }

    fn finish(mut self) -> Prim {
        let id = Property::uniform("info:id", "token", token("UsdPreviewSurface"));
        self.surface.properties.insert(0, id);
        self.surface.properties.push(Property::new("outputs:surface", "token"));
        let surface =
            self.path.append_path("surface").and_then(|path| path.append_property("outputs:surface"));
        if let Ok(surface) = surface {
            self.prim.properties.push(Property::connected("outputs:surface", "token", surface));
        }
        self.prim.children.insert(0, self.surface);
        self.prim
    }
}
