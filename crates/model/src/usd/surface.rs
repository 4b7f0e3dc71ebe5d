//! Surfaces: the inputs of `UsdPreviewSurface`, each a value or a texture.

use glam::DVec3;

use super::Work;
use super::network::{self, Source};
use super::pictures::{Pictures, TEXTURE};
use super::stage::{Prim, Stage};
use super::textures::{self, Texture};

/// A value, or the texture in its place.
#[derive(Clone, Debug)]
pub struct Term {
    /// The value; beside a texture, the one that counts where its picture is missing. A number is three times the same.
    pub value: DVec3,
    /// The texture.
    pub texture: Option<Texture>,
}

/// A surface as the file has it.
#[derive(Clone, Debug)]
pub struct Surface {
    pub diffuse: Term,
    pub emissive: Term,
    /// The colour of reflections, in place of metalness.
    pub specular: Option<Term>,
    pub metallic: Term,
    pub roughness: Term,
    pub opacity: Term,
    /// Opacities below it are holes, if it is above 0.
    pub threshold: f64,
    pub clearcoat: Term,
    pub clearcoat_roughness: Term,
    pub ior: f64,
    pub normal: Option<Texture>,
    pub occlusion: Term,
    /// The name of the colours of points that it shows.
    pub colors: Option<String>,
}

impl Surface {
    /// Reads the surface of a material; `None` if it is of another kind.
    pub fn of(
        stage: &Stage,
        material: &Prim,
        pictures: &mut Pictures<'_>,
        work: &mut Work<'_>,
    ) -> Option<Self> {
        let path = material.path.as_str();
        let shader = match network::source(stage, material, "outputs:surface") {
            Some(Source::Output(shader, _)) if network::kind(stage, &shader) == "UsdPreviewSurface" => shader,
            _ => {
                let message = "its surface is no UsdPreviewSurface; it is shown white";
                work.warnings.add("NOT_READ", path, message);
                return None;
            }
        };
        let mut reader = Reader { stage, shader: &shader, path, pictures, work, colors: None };
        Some(reader.read())
    }

    /// All terms.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        let always = [
            &self.diffuse,
            &self.emissive,
            &self.metallic,
            &self.roughness,
            &self.opacity,
            &self.clearcoat,
            &self.clearcoat_roughness,
            &self.occlusion,
        ];
        always.into_iter().chain(self.specular.as_ref())
    }

    /// All terms, to change them.
    pub fn terms_mut(&mut self) -> impl Iterator<Item = &mut Term> {
        let always = [
            &mut self.diffuse,
            &mut self.emissive,
            &mut self.metallic,
            &mut self.roughness,
            &mut self.opacity,
            &mut self.clearcoat,
            &mut self.clearcoat_roughness,
            &mut self.occlusion,
        ];
        always.into_iter().chain(self.specular.as_mut())
    }

    /// Names of the texture coordinates that its textures need, each once.
    pub fn sets(&self) -> Vec<String> {
        let textures = self.terms().filter_map(|term| term.texture.as_ref()).chain(&self.normal);
        let mut sets: Vec<String> = Vec::new();
        for set in textures.filter_map(|texture| texture.spot.set.as_ref()) {
            if !sets.contains(set) {
                sets.push(set.clone());
            }
        }
        sets
    }
}

/// State of reading a surface.
struct Reader<'r, 'p, 'w> {
    stage: &'r Stage,
    shader: &'r Prim,
    path: &'r str,
    pictures: &'r mut Pictures<'p>,
    work: &'r mut Work<'w>,
    colors: Option<String>,
}

impl Reader<'_, '_, '_> {
    fn read(&mut self) -> Surface {
        let is_specular = self.plain("useSpecularWorkflow", 0.0) != 0.0;
        let mut surface = Surface {
            diffuse: self.color("diffuseColor", 0.18),
            emissive: self.color("emissiveColor", 0.0),
            specular: is_specular.then(|| self.color("specularColor", 0.0)),
            metallic: self.number("metallic", 0.0),
            roughness: self.number("roughness", 0.5),
            opacity: self.number("opacity", 1.0),
            threshold: self.plain("opacityThreshold", 0.0),
            clearcoat: self.number("clearcoat", 0.0),
            clearcoat_roughness: self.number("clearcoatRoughness", 0.01),
            ior: self.plain("ior", 1.5),
            normal: self.texture("normal"),
            occlusion: self.number("occlusion", 1.0),
            colors: None,
        };
        surface.colors = self.colors.take();
        if self.texture("displacement").is_some() || self.plain("displacement", 0.0) != 0.0 {
            self.object("displacement is not shown");
        }
        surface
    }

    fn object(&mut self, message: &str) {
        self.work.warnings.add("UNSUPPORTED_MAP", self.path, message);
    }

    fn plain(&self, name: &str, or: f64) -> f64 {
        let name = format!("inputs:{name}");
        let value = network::value(self.stage, self.shader, &name);
        let word = value.as_ref().and_then(super::values::number);
        let flag = matches!(value, Some(openusd::sdf::Value::Bool(true)));
        word.filter(|number| number.is_finite()).unwrap_or(if flag { 1.0 } else { or })
    }

    fn color(&mut self, name: &str, or: f64) -> Term {
        let input = format!("inputs:{name}");
        let value = network::color(self.stage, self.shader, &input).unwrap_or(DVec3::splat(or));
        self.term(name, value.clamp(DVec3::ZERO, DVec3::splat(1e6)))
    }

    fn number(&mut self, name: &str, or: f64) -> Term {
        self.term(name, DVec3::splat(self.plain(name, or).clamp(0.0, 1.0)))
    }

    fn term(&mut self, name: &str, value: DVec3) -> Term {
        let texture = self.texture(name);
        let fallback = texture.as_ref().and_then(|texture| {
            let [red, green, blue, _] = texture.fallback?;
            let one = texture.channel.and_then(|channel| texture.fallback?.get(channel).copied());
            Some(one.map_or(DVec3::new(red, green, blue), DVec3::splat).clamp(DVec3::ZERO, DVec3::ONE))
        });
        let shows_points = name == "diffuseColor" && self.colors.is_some();
        // A picture that is missing leaves no colour behind.
        let is_colored = name == "diffuseColor" && texture.is_some();
        let value = if shows_points || is_colored { DVec3::ONE } else { value };
        Term { value: fallback.unwrap_or(value), texture }
    }

    /// The texture of an input, if it has one.
    fn texture(&mut self, name: &str) -> Option<Texture> {
        let (stage, path) = (self.stage, self.path);
        let source = network::source(stage, self.shader, &format!("inputs:{name}"))?;
        let Source::Output(node, output) = source else { return None };
        let kind = network::kind(stage, &node);
        if kind == TEXTURE {
            let warnings = &mut *self.work.warnings;
            let mut object = |message: &str| warnings.add("UNSUPPORTED_MAP", path, message);
            return textures::read(stage, &node, &output, self.pictures, &mut object);
        }
        let varname = network::text(stage, &node, "inputs:varname");
        match (name, kind.as_str()) {
            ("diffuseColor", "UsdPrimvarReader_float3") if varname.is_some() => self.colors = varname,
            ("opacity", "UsdPrimvarReader_float") if varname.as_deref() == Some("displayOpacity") => {}
            _ => self.object(&format!("its {name} comes from a shader that is not read")),
        }
        None
    }
}
