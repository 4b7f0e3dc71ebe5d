//! Resolves texture references to pictures, sampling and transforms.

use super::picture::{Fault, Pictures};
use crate::gltf::json::{self, Document, Extensions, TextureInfo, TextureSource};
use crate::reading::error::LoadError;
use crate::reading::warnings::Warnings;
use crate::texture::{Filter, Picture, Sampling, TextureRef, TextureTransform, Wrap};

/// The largest number of a texture transform that is kept: beyond it coordinates have too few digits
/// left to tell pixels apart, and their products must stay finite.
const MAX_TRANSFORM: f64 = 1e6;

/// Textures on their way from the file to the model: each picture is decoded when first asked for,
/// and each fault is noted once.
pub struct Textures<'d, 'a, 'b> {
    document: &'d Document,
    decoder: Pictures<'a, 'b>,
    decoded: Vec<Decoded>,
    /// Resolved textures of the file; `None` until a texture is used.
    resolved: Vec<Option<Option<(usize, Sampling)>>>,
}

/// State of an image.
enum Decoded {
    NotYet,
    Failed,
    Picture(Picture),
}

impl<'d, 'a, 'b> Textures<'d, 'a, 'b> {
    /// Nothing is decoded yet.
    pub fn new(document: &'d Document, decoder: Pictures<'a, 'b>) -> Self {
        let decoded = document.images.iter().map(|_| Decoded::NotYet).collect();
        Self { document, decoder, decoded, resolved: vec![None; document.textures.len()] }
    }

    /// The texture that a material refers to at `path`; `None` if its picture is not available.
    pub fn read(
        &mut self,
        info: Option<&TextureInfo>,
        path: &str,
        warnings: &mut Warnings,
    ) -> Result<Option<TextureRef>, LoadError> {
        let Some(info) = info else { return Ok(None) };
        let resolved = self.find(info.index, path, warnings)?;
        let (transform, other_set) = transform(&info.extensions, path)?;
        let texcoord = other_set.or(info.tex_coord).unwrap_or(0);
        Ok(resolved.map(|(picture, sampling)| TextureRef { picture, texcoord, sampling, transform }))
    }

    /// The picture and the sampling of a texture that the object at `path` refers to; `None` where the picture
    /// cannot be had.
    pub fn find(
        &mut self,
        texture: usize,
        path: &str,
        warnings: &mut Warnings,
    ) -> Result<Option<(usize, Sampling)>, LoadError> {
        let count = self.document.textures.len();
        let known = self
            .resolved
            .get(texture)
            .ok_or_else(|| LoadError::no_such(&format!("{path}.index"), "texture", texture, count))?;
        if let Some(resolved) = *known {
            return Ok(resolved);
        }
        let resolved = self.resolve(texture, warnings)?;
        if let Some(slot) = self.resolved.get_mut(texture) {
            *slot = Some(resolved);
        }
        Ok(resolved)
    }

    /// A picture that was decoded.
    pub fn picture(&self, index: usize) -> Option<&Picture> {
        match self.decoded.get(index) {
            Some(Decoded::Picture(picture)) => Some(picture),
            _ => None,
        }
    }

    /// Returns all pictures of the file, in its order, that were used and could be decoded.
    pub fn into_pictures(self) -> Vec<Option<Picture>> {
        let picture = |decoded| match decoded {
            Decoded::Picture(picture) => Some(picture),
            Decoded::NotYet | Decoded::Failed => None,
        };
        self.decoded.into_iter().map(picture).collect()
    }

    /// The picture and the sampling of a texture.
    fn resolve(
        &mut self,
        index: usize,
        warnings: &mut Warnings,
    ) -> Result<Option<(usize, Sampling)>, LoadError> {
        let Some(texture) = self.document.textures.get(index) else { return Ok(None) };
        let path = format!("textures[{index}]");
        let sampling = sampling(self.document, texture.sampler, &path, warnings)?;
        let of_extension = |name: &str| -> Result<Option<usize>, LoadError> {
            let other: Option<TextureSource> = json::extension(&texture.extensions, name, &path)?;
            Ok(other.and_then(|other| other.source))
        };
        // An extension's picture first; `source` is for readers that do not know the extension.
        let sources = [
            (of_extension("KHR_texture_basisu")?, ".extensions.KHR_texture_basisu.source"),
            (of_extension("EXT_texture_webp")?, ".extensions.EXT_texture_webp.source"),
            (texture.source, ".source"),
        ];
        let count = self.document.images.len();
        for (source, member) in sources {
            if let Some(source) = source.filter(|source| *source >= count) {
                return Err(LoadError::no_such(&format!("{path}{member}"), "image", source, count));
            }
        }
        let candidates: Vec<usize> = sources.into_iter().filter_map(|(source, _)| source).collect();
        if candidates.is_empty() {
            let message = "has no PNG, JPEG, WebP or KTX2 as its source; shown without";
            warnings.add("IMAGE_NON_ENABLED_MIME_TYPE", &path, message);
        }
        let mut left = candidates.len();
        for picture in candidates {
            left = left.saturating_sub(1);
            if self.decode(picture, left > 0, warnings) {
                return Ok(Some((picture, sampling)));
            }
        }
        Ok(None)
    }

    /// Decodes an image on first use and returns true if it is available.
    fn decode(&mut self, index: usize, has_other: bool, warnings: &mut Warnings) -> bool {
        let Some(slot) = self.decoded.get_mut(index) else { return false };
        if matches!(slot, Decoded::NotYet) {
            *slot = match self.decoder.decode(index) {
                Ok(read) => {
                    for (code, message) in read.remarks {
                        warnings.add(code, &format!("images[{index}]"), message);
                    }
                    Decoded::Picture(read.picture)
                }
                Err(Fault { code, member, reason }) => {
                    let instead =
                        if has_other { "the texture's other picture is shown" } else { "shown without" };
                    let path = format!("images[{index}]{member}");
                    warnings.add(code, &path, format!("{reason}; {instead}"));
                    Decoded::Failed
                }
            };
        }
        matches!(slot, Decoded::Picture(_))
    }
}

/// The sampler of a texture, or the default where it has none.
fn sampling(
    document: &Document,
    sampler: Option<usize>,
    texture_path: &str,
    warnings: &mut Warnings,
) -> Result<Sampling, LoadError> {
    let Some(index) = sampler else { return Ok(Sampling::default()) };
    let samplers = &document.samplers;
    let sampler = samplers.get(index).ok_or_else(|| {
        LoadError::no_such(&format!("{texture_path}.sampler"), "sampler", index, samplers.len())
    })?;
    let path = format!("samplers[{index}]");
    let default = Sampling::default();
    let mut choice = |code: Option<usize>, member: &str, known: bool| {
        if let Some(code) = code.filter(|_| !known) {
            let message = format!("{code} is not allowed here; the default is used");
            warnings.add("VALUE_NOT_IN_LIST", &format!("{path}.{member}"), message);
        }
    };
    let [wrap_s, wrap_t] = [sampler.wrap_s, sampler.wrap_t].map(|code| match code {
        None | Some(10497) => Some(Wrap::Repeat),
        Some(33648) => Some(Wrap::Mirror),
        Some(33071) => Some(Wrap::Clamp),
        Some(_) => None,
    });
    let mag = match sampler.mag_filter {
        None => Some(default.mag),
        Some(9728) => Some(Filter::Nearest),
        Some(9729) => Some(Filter::Linear),
        Some(_) => None,
    };
    let min = match sampler.min_filter {
        None => Some((default.min, default.mip)),
        Some(9728) => Some((Filter::Nearest, None)),
        Some(9729) => Some((Filter::Linear, None)),
        Some(9984) => Some((Filter::Nearest, Some(Filter::Nearest))),
        Some(9985) => Some((Filter::Linear, Some(Filter::Nearest))),
        Some(9986) => Some((Filter::Nearest, Some(Filter::Linear))),
        Some(9987) => Some((Filter::Linear, Some(Filter::Linear))),
        Some(_) => None,
    };
    choice(sampler.wrap_s, "wrapS", wrap_s.is_some());
    choice(sampler.wrap_t, "wrapT", wrap_t.is_some());
    choice(sampler.mag_filter, "magFilter", mag.is_some());
    choice(sampler.min_filter, "minFilter", min.is_some());
    let (min, mip) = min.unwrap_or((default.min, default.mip));
    Ok(Sampling {
        wrap_s: wrap_s.unwrap_or_default(),
        wrap_t: wrap_t.unwrap_or_default(),
        mag: mag.unwrap_or_default(),
        min,
        mip,
    })
}

/// A number of a texture transform.
pub fn kept(value: f64) -> f32 {
    value.clamp(-MAX_TRANSFORM, MAX_TRANSFORM) as f32
}

/// KHR_texture_transform, and the coordinate set that it chooses instead.
pub fn transform(
    extensions: &Extensions,
    path: &str,
) -> Result<(TextureTransform, Option<usize>), LoadError> {
    let default = TextureTransform::default();
    let read: Option<json::TextureTransform> = json::extension(extensions, "KHR_texture_transform", path)?;
    let Some(read) = read else { return Ok((default, None)) };
    let transform = TextureTransform {
        offset: read.offset.map_or(default.offset, |offset| offset.map(kept)),
        rotation: read.rotation.map_or(default.rotation, kept),
        scale: read.scale.map_or(default.scale, |scale| scale.map(kept)),
    };
    Ok((transform, read.tex_coord))
}
