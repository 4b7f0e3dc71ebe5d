//! Materials of surfaces.

use std::collections::HashMap;

use glam::DVec3;
use openusd::sdf::Path;

use super::Work;
use super::bake::{Channel, Tap};
use super::pictures::Pictures;
use super::stage::Stage;
use super::surface::{Surface, Term};
use super::textures::{Spot, Texture};
use crate::reading::message::one_line;
use crate::{
    AlphaMode, Clearcoat, Encoding, Material, NormalMap, Occlusion, Picture, Specular, TextureRef, TextureUse,
};

/// The reflections of a dielectric that is seen face-on.
const DIELECTRIC: f64 = 0.04;

/// Progress range of the pictures.
const PICTURES: std::ops::Range<f64> = 0.8..1.0;

/// Bytes of a material until it is finished.
const LOOK_BYTES: usize = 4096;

/// A material for surfaces of one or both sides, with the sets of texture coordinates that its surface needs.
type Key = (Option<Path>, bool, Vec<usize>);

/// The materials of a model.
pub struct Looks<'a> {
    stage: &'a Stage,
    pub pictures: Pictures<'a>,
    surfaces: HashMap<Path, Option<Surface>>,
    known: Vec<Key>,
    numbers: HashMap<Key, usize>,
}

impl<'a> Looks<'a> {
    /// No materials yet.
    pub fn new(stage: &'a Stage, pictures: Pictures<'a>) -> Self {
        Self { stage, pictures, surfaces: HashMap::new(), known: Vec::new(), numbers: HashMap::new() }
    }

    /// The surface of a material; `None` if there is none that is read.
    pub fn surface(&mut self, material: Option<&Path>, work: &mut Work<'_>) -> Option<&Surface> {
        let path = material?;
        if !self.surfaces.contains_key(path) {
            let prim = self.stage.prim_at(path.clone());
            let surface = match prim.kind.as_str() {
                "Material" => Surface::of(self.stage, &prim, &mut self.pictures, work),
                _ => {
                    work.warnings.add("NOT_READ", path.as_str(), "a material is not there; shown white");
                    None
                }
            };
            self.surfaces.insert(path.clone(), surface);
        }
        self.surfaces.get(path)?.as_ref()
    }

    /// The number of a material for surfaces of one or both sides, which have these sets of texture coordinates; `None` for
    /// the default one.
    pub fn number(
        &mut self,
        material: Option<&Path>,
        double_sided: bool,
        sets: &[String],
        work: &mut Work<'_>,
    ) -> Option<usize> {
        if material.is_none() && !double_sided {
            return None;
        }
        let needed = self.surface(material, work).map(Surface::sets).unwrap_or_default();
        let place = |needed: &String| sets.iter().position(|set| set == needed);
        let missing = needed.iter().find(|needed| place(needed).is_none());
        if let (Some(missing), Some(path)) = (missing, material) {
            let message = format!("a mesh lacks the texture coordinates {}", one_line(missing));
            work.warnings.add("MISSING_TEXCOORDS", path.as_str(), message);
        }
        let places = needed.iter().map(|needed| place(needed).unwrap_or(0)).collect();
        let key = (material.cloned(), double_sided, places);
        Some(*self.numbers.entry(key).or_insert_with_key(|key| {
            self.known.push(key.clone());
            self.known.len().saturating_sub(1)
        }))
    }

    /// All materials, and the pictures of their textures.
    pub fn finish(
        mut self,
        work: &mut Work<'_>,
    ) -> Result<(Vec<Material>, Vec<Option<Picture>>), crate::LoadError> {
        work.budget.charge("materials", self.known.len(), LOOK_BYTES)?;
        work.budget.turn_to_pictures();
        let mut materials = Vec::new();
        let known = std::mem::take(&mut self.known);
        let count = known.len();
        for (number, (path, double_sided, places)) in known.into_iter().enumerate() {
            work.watch.part(PICTURES, number, count)?;
            let title = |path: &Path| self.stage.title(&self.stage.prim_at(path.clone()));
            let name = path.as_ref().map(title).unwrap_or_default();
            let surface = path.as_ref().and_then(|path| self.surfaces.get(path)?.clone());
            let material = match surface {
                Some(surface) => {
                    let sets = surface.sets().into_iter().zip(places).collect();
                    let path = path.as_ref().map_or("materials", |path| path.as_str());
                    Maker { pictures: &mut self.pictures, sets, path, work }.material(surface)
                }
                None => Material { metallic: 0.0, roughness: 0.5, ..Material::default() },
            };
            materials.push(Material { name, double_sided, ..material });
        }
        Ok((materials, self.pictures.into_pictures()))
    }
}

/// State of making a material.
struct Maker<'m, 'p, 'w> {
    pictures: &'m mut Pictures<'p>,
    /// Numbers of the sets of texture coordinates.
    sets: HashMap<String, usize>,
    path: &'m str,
    work: &'m mut Work<'w>,
}

/// Factors of a texture's channels that a material has, and what is left for its pixels.
struct Split {
    factor: DVec3,
    left: [(f64, f64); 3],
}

impl Split {
    /// Factors up to `most` can be a material's.
    fn of(texture: &Texture, most: f64) -> Self {
        let [red, green, blue] = channels(texture).map(|channel| {
            let get = |all: &[f64; 4]| all.get(channel).copied().unwrap_or_default();
            (get(&texture.scale), get(&texture.bias))
        });
        let all = [red, green, blue];
        match all.iter().all(|(scale, bias)| *bias == 0.0 && (0.0..=most).contains(scale)) {
            true => Self { factor: DVec3::new(red.0, green.0, blue.0), left: [(1.0, 0.0); 3] },
            false => Self { factor: DVec3::ONE, left: all },
        }
    }
}

/// The channels of a texture as red, green and blue.
fn channels(texture: &Texture) -> [usize; 3] {
    texture.channel.map_or([0, 1, 2], |channel| [channel; 3])
}

/// A channel for a use.
fn tap(texture: &Texture, channel: usize, left: (f64, f64), role: TextureUse, is_color: bool) -> Channel {
    let is_srgb = |encoding: Encoding| encoding == Encoding::Srgb && channel < 3;
    let to = is_color && role.encoding() == Encoding::Srgb;
    let from = is_srgb(texture.encoding.unwrap_or(role.encoding()));
    Channel::Of(Tap::new(texture.picture, channel, left, [from, to]))
}

fn colors(texture: &Texture, split: &Split, role: TextureUse) -> [Channel; 3] {
    let [red, green, blue] = channels(texture);
    let [r, g, b] = split.left;
    [(red, r), (green, g), (blue, b)].map(|(channel, left)| tap(texture, channel, left, role, true))
}

fn single(value: DVec3) -> [f32; 3] {
    value.as_vec3().to_array()
}

impl Maker<'_, '_, '_> {
    fn material(mut self, mut surface: Surface) -> Material {
        for term in surface.terms_mut() {
            if term.texture.as_ref().is_some_and(|texture| !self.pictures.has(texture.picture, self.work)) {
                term.texture = None;
            }
        }
        let normal = surface.normal.take().filter(|map| self.pictures.has(map.picture, self.work));
        let mut material =
            Material { metallic: 0.0, ior: surface.ior.clamp(1.0, 100.0) as f32, ..Material::default() };
        self.base(&surface, &mut material);
        self.emission(&surface.emissive, &mut material);
        match &surface.specular {
            Some(specular) => {
                self.specular(specular, &mut material);
                self.metal(&Term { value: DVec3::ZERO, texture: None }, &surface.roughness, &mut material);
            }
            None => self.metal(&surface.metallic, &surface.roughness, &mut material),
        }
        material.normal = normal.and_then(|normal| self.normal(&normal));
        material.occlusion = self.occlusion(&surface.occlusion);
        self.clearcoat(&surface, &mut material);
        material
    }

    fn object(&mut self, message: &str) {
        self.work.warnings.add("UNSUPPORTED_MAP", self.path, message);
    }

    /// A texture with these channels.
    fn texture(&mut self, spot: &Spot, channels: [Channel; 4]) -> Option<TextureRef> {
        let picture = self.pictures.with(channels, self.work);
        if picture.is_none() {
            self.object("a texture takes more memory than is left for a model of this size; shown without");
        }
        let texcoord = spot.set.as_ref().and_then(|set| self.sets.get(set).copied()).unwrap_or(0);
        Some(TextureRef { picture: picture?, texcoord, sampling: spot.sampling, transform: spot.transform })
    }

    /// The second of two textures that share their place; without it, one warning.
    fn beside<'t>(
        &mut self,
        first: Option<&Texture>,
        second: Option<&'t Texture>,
        what: &str,
    ) -> Option<&'t Texture> {
        let (first, second) = (first.map(|first| &first.spot), second?);
        if first.is_some_and(|first| *first != second.spot) {
            self.object(&format!("its {what} has a texture in another place; it is left out"));
            return None;
        }
        Some(second)
    }

    /// Base colour and opacity, which share a texture.
    fn base(&mut self, surface: &Surface, material: &mut Material) {
        let (color, role) = (surface.diffuse.texture.as_ref(), TextureUse::BaseColor);
        let opacity = self.beside(color, surface.opacity.texture.as_ref(), "opacity");
        let mut alpha = if opacity.is_some() { 1.0 } else { surface.opacity.value.x };
        material.alpha = match (surface.threshold, opacity) {
            (threshold, _) if threshold > 0.0 => AlphaMode::Mask(threshold.min(1.0) as f32),
            (_, None) if alpha >= 1.0 => AlphaMode::Opaque,
            _ => AlphaMode::Blend,
        };
        let (mut factor, mut shown) = (surface.diffuse.value, [Channel::One; 3]);
        if let Some(texture) = color {
            let split = Split::of(texture, 1.0);
            (factor, shown) = (split.factor, colors(texture, &split, role));
        }
        let last = match opacity {
            Some(texture) => {
                let split = Split::of(texture, 1.0);
                alpha = split.factor.x;
                let ([first, ..], [left, ..]) = (channels(texture), split.left);
                tap(texture, first, left, TextureUse::Occlusion, false)
            }
            None if material.alpha == AlphaMode::Opaque => Channel::Any,
            None => Channel::One,
        };
        let [red, green, blue] = single(factor.clamp(DVec3::ZERO, DVec3::ONE));
        material.base_color = [red, green, blue, alpha as f32];
        if let Some(of) = color.or(opacity) {
            let [red, green, blue] = shown;
            material.base_color_texture = self.texture(&of.spot, [red, green, blue, last]);
        }
        let picture = material.base_color_texture.and_then(|texture| self.pictures.get(texture.picture));
        let is_whole =
            |picture: &Picture| picture.rgba.iter().skip(3).step_by(4).all(|alpha| *alpha == u8::MAX);
        if alpha >= 1.0 && opacity.is_some() && picture.is_some_and(is_whole) {
            material.alpha = AlphaMode::Opaque;
        }
    }

    fn emission(&mut self, term: &Term, material: &mut Material) {
        let mut factor = term.value;
        if let Some(texture) = &term.texture {
            let split = Split::of(texture, f64::MAX);
            let [red, green, blue] = colors(texture, &split, TextureUse::Emissive);
            material.emissive_texture = self.texture(&texture.spot, [red, green, blue, Channel::Any]);
            factor = split.factor;
        }
        let strength = factor.max_element().clamp(1.0, 1e6);
        material.emissive = single((factor / strength).clamp(DVec3::ZERO, DVec3::ONE));
        material.emissive_strength = strength as f32;
    }

    fn specular(&mut self, term: &Term, material: &mut Material) {
        let mut factor = term.value;
        let mut color_texture = None;
        if let Some(texture) = &term.texture {
            let split = Split::of(texture, f64::MAX);
            let [red, green, blue] = colors(texture, &split, TextureUse::SpecularColor);
            color_texture = self.texture(&texture.spot, [red, green, blue, Channel::Any]);
            factor = split.factor;
        }
        let color = single((factor / DIELECTRIC).clamp(DVec3::ZERO, DVec3::splat(1e6)));
        material.ior = 1.5;
        material.specular = Some(Box::new(Specular { factor: 1.0, texture: None, color, color_texture }));
    }

    /// Metalness and roughness, which share a texture.
    fn metal(&mut self, metallic: &Term, roughness: &Term, material: &mut Material) {
        let rough = roughness.texture.as_ref();
        let metal = self.beside(rough, metallic.texture.as_ref(), "metalness");
        let channel = |texture: Option<&Texture>, value: f64| match texture {
            Some(texture) => {
                let split = Split::of(texture, 1.0);
                let ([first, ..], [left, ..]) = (channels(texture), split.left);
                let channel = tap(texture, first, left, TextureUse::MetallicRoughness, false);
                (split.factor.x, channel)
            }
            None if value == 0.0 => (0.0, Channel::Any),
            None => (value, Channel::One),
        };
        let (roughness, green) = channel(rough, roughness.value.x);
        let (metallic, blue) = channel(metal, metallic.value.x);
        (material.roughness, material.metallic) = (roughness as f32, metallic as f32);
        if let Some(of) = rough.or(metal) {
            let channels = [Channel::Any, green, blue, Channel::Any];
            material.metallic_roughness_texture = self.texture(&of.spot, channels);
        }
    }

    /// A normal map. Its scale and bias take numbers from 0 to 1 to directions.
    fn normal(&mut self, map: &Texture) -> Option<NormalMap> {
        let role = TextureUse::Normal;
        let ([x, y, z, _], [dx, dy, dz, _]) = (map.scale, map.bias);
        let is_plain = [x, y, z] == [1.0; 3] && [dx, dy, dz] == [0.0; 3];
        if is_plain {
            self.object("a normal map has no scale 2 and bias -1; it is shown as if it had");
        }
        // Directions in x and y that are scaled alike are a factor.
        let is_scaled = x != 0.0 && y.abs() == x.abs() && dx == -x / 2.0 && dy == -y / 2.0;
        let scale = if is_scaled && !is_plain { x.abs() / 2.0 } else { 1.0 };
        let lefts = match is_plain {
            true => [(1.0, 0.0); 3],
            false => {
                let left = |factor: f64, bias: f64, by: f64| (factor / by / 2.0, (bias / by + 1.0) / 2.0);
                // Length is a matter of x and y.
                let z = if is_scaled { (1.0, 0.0) } else { left(z, dz, 1.0) };
                [left(x, dx, scale), left(y, dy, scale), z]
            }
        };
        let [red, green, blue] = channels(map);
        let [r, g, b] = lefts;
        let [red, green, blue] =
            [(red, r), (green, g), (blue, b)].map(|(channel, left)| tap(map, channel, left, role, true));
        let texture = self.texture(&map.spot, [red, green, blue, Channel::Any])?;
        Some(NormalMap { texture, scale: scale as f32 })
    }

    /// An occlusion map. A scale and the bias that keeps one are a strength.
    fn occlusion(&mut self, term: &Term) -> Option<Occlusion> {
        let Some(map) = &term.texture else {
            if term.value.x < 1.0 {
                self.object("its occlusion is the same everywhere; it is not shown");
            }
            return None;
        };
        let [channel, ..] = channels(map);
        let number = |all: &[f64; 4]| all.get(channel).copied().unwrap_or_default();
        let (scale, bias) = (number(&map.scale), number(&map.bias));
        let is_strength = (0.0..=1.0).contains(&scale) && (scale + bias - 1.0).abs() < 1e-6;
        let (strength, left) = if is_strength { (scale, (1.0, 0.0)) } else { (1.0, (scale, bias)) };
        let red = tap(map, channel, left, TextureUse::Occlusion, false);
        let texture = self.texture(&map.spot, [red, Channel::Any, Channel::Any, Channel::Any])?;
        Some(Occlusion { texture, strength: strength as f32 })
    }

    fn clearcoat(&mut self, surface: &Surface, material: &mut Material) {
        let (strength, roughness) = (&surface.clearcoat, &surface.clearcoat_roughness);
        if strength.texture.is_none() && strength.value.x == 0.0 {
            return;
        }
        let mut one = |term: &Term, place: usize, role: TextureUse| {
            let Some(texture) = &term.texture else { return (term.value.x as f32, None) };
            let split = Split::of(texture, 1.0);
            let ([first, ..], [left, ..]) = (channels(texture), split.left);
            let mut channels = [Channel::Any; 4];
            if let Some(channel) = channels.get_mut(place) {
                *channel = tap(texture, first, left, role, false);
            }
            (split.factor.x as f32, self.texture(&texture.spot, channels))
        };
        let (factor, texture) = one(strength, 0, TextureUse::Clearcoat);
        let (roughness, roughness_texture) = one(roughness, 1, TextureUse::ClearcoatRoughness);
        material.clearcoat =
            Some(Box::new(Clearcoat { factor, texture, roughness, roughness_texture, normal: None }));
    }
}
