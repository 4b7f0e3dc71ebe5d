//! Nodes of textures: a picture's channels, and their place on a surface.

use super::network::{self, Source};
use super::pictures::Pictures;
use super::stage::{Prim, Stage};
use super::values;
use crate::{Encoding, Sampling, TextureTransform, Wrap};

/// The most transforms of coordinates in a row.
const MAX_TRANSFORMS: usize = 16;

/// A texture as an input has it.
#[derive(Clone, Debug)]
pub struct Texture {
    /// The number of its picture.
    pub picture: usize,
    /// The channel of the output; `None` for a colour.
    pub channel: Option<usize>,
    /// Factors of the channels.
    pub scale: [f64; 4],
    /// Numbers added to the channels.
    pub bias: [f64; 4],
    /// Encoding of the pixels, if the file states it.
    pub encoding: Option<Encoding>,
    /// The colour where the picture is missing.
    pub fallback: Option<[f64; 4]>,
    /// Its place on the surface.
    pub spot: Spot,
}

/// The place of a texture on a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// The name of the texture coordinates; `None` for the first set.
    pub set: Option<String>,
    /// Wrapping.
    pub sampling: Sampling,
    /// Transform of the coordinates, with v pointing down.
    pub transform: TextureTransform,
}

/// Reads a texture by an output of its node; objections go to `object`.
pub fn read(
    stage: &Stage,
    node: &Prim,
    output: &str,
    pictures: &mut Pictures<'_>,
    object: &mut dyn FnMut(&str),
) -> Option<Texture> {
    let Some(file) = network::file(stage, node, "inputs:file") else {
        object("a texture names no file");
        return None;
    };
    let four = |name: &str, or: [f64; 4]| {
        let value = network::value(stage, node, name).and_then(|value| values::four(&value));
        value.filter(|four| four.iter().all(|number| number.is_finite())).unwrap_or(or)
    };
    let channel = ["r", "g", "b", "a"].iter().position(|name| *name == output);
    let space = network::text(stage, node, "inputs:sourceColorSpace");
    let encoding = match space.as_deref() {
        Some("sRGB") => Some(Encoding::Srgb),
        Some("raw") => Some(Encoding::Linear),
        _ => None,
    };
    let mut wrap = |name: &str| match network::text(stage, node, name).as_deref() {
        Some("clamp") => Wrap::Clamp,
        Some("mirror") => Wrap::Mirror,
        Some("black") => {
            object("a texture is black beyond its edge; its edge goes on instead");
            Wrap::Clamp
        }
        _ => Wrap::Repeat,
    };
    let sampling =
        Sampling { wrap_s: wrap("inputs:wrapS"), wrap_t: wrap("inputs:wrapT"), ..Sampling::default() };
    let (set, transform) = coordinates(stage, node, object);
    let fallback = network::value(stage, node, "inputs:fallback").and_then(|value| values::four(&value));
    Some(Texture {
        picture: pictures.number(&file),
        channel,
        scale: four("inputs:scale", [1.0; 4]),
        bias: four("inputs:bias", [0.0; 4]),
        encoding,
        fallback: fallback.filter(|four| four.iter().all(|number| number.is_finite())),
        spot: Spot { set, sampling, transform },
    })
}

/// The name of a texture's coordinates, and their transform.
fn coordinates(
    stage: &Stage,
    node: &Prim,
    object: &mut dyn FnMut(&str),
) -> (Option<String>, TextureTransform) {
    let (mut node, mut input) = (node.clone(), "inputs:st");
    let (mut transform, mut transforms) = (TextureTransform::default(), 0usize);
    while transforms < MAX_TRANSFORMS {
        let Some(Source::Output(next, _)) = network::source(stage, &node, input) else { break };
        match network::kind(stage, &next).as_str() {
            "UsdPrimvarReader_float2" => {
                return (network::text(stage, &next, "inputs:varname"), transform);
            }
            "UsdTransform2d" => {
                match transforms {
                    0 => transform = moved(stage, &next),
                    _ => object("of several transforms of a texture's coordinates, the last is taken"),
                }
                transforms = transforms.saturating_add(1);
                (node, input) = (next, "inputs:in");
            }
            _ => {
                object("a texture's coordinates are no primvar; the first set is taken");
                break;
            }
        }
    }
    (None, transform)
}

/// A transform of coordinates, turned to v pointing down.
fn moved(stage: &Stage, node: &Prim) -> TextureTransform {
    let pair = |name: &str, or: [f64; 2]| {
        let value = network::value(stage, node, name).and_then(|value| values::pair(&value));
        value.filter(|pair| pair.iter().all(|number| number.is_finite())).unwrap_or(or)
    };
    let rotation = network::number(stage, node, "inputs:rotation").unwrap_or(0.0).to_radians();
    let [right, up] = pair("inputs:translation", [0.0; 2]);
    let [s, t] = pair("inputs:scale", [1.0; 2]);
    let (sin, cos) = rotation.sin_cos();
    let single = |number: f64| number.clamp(-1e6, 1e6) as f32;
    TextureTransform {
        offset: [single(right - sin * t), single(1.0 - cos * t - up)],
        rotation: rotation as f32,
        scale: [single(s), single(t)],
    }
}
