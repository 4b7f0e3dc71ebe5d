//! Tables of the objects that the format itself defines.

use super::noun::Noun;
use super::objects as check;
use super::schema::{Kind, Object, may, must};
use super::walk::{Seen, Walk};
use crate::format::component::Component;
use crate::format::element_type::ElementType;

const ANY: f64 = f64::INFINITY;

fn nothing(_: &mut Walk<'_>, _: Seen) {}

/// The whole file.
pub static FILE: Kind = Kind::One(&ROOT);

static ROOT: Object = Object {
    name: "glTF",
    noun: None,
    properties: &[
        may("extensionsUsed", Kind::Texts),
        may("extensionsRequired", Kind::Texts),
        may("accessors", Kind::Many(&ACCESSOR)),
        may("animations", Kind::Many(&ANIMATION)),
        must("asset", Kind::One(&ASSET)),
        may("buffers", Kind::Many(&BUFFER)),
        may("bufferViews", Kind::Many(&VIEW)),
        may("cameras", Kind::Many(&CAMERA)),
        may("images", Kind::Many(&IMAGE)),
        may("materials", Kind::Many(&MATERIAL)),
        may("meshes", Kind::Many(&MESH)),
        may("nodes", Kind::Many(&NODE)),
        may("samplers", Kind::Many(&SAMPLER)),
        may("scene", Kind::Index(Noun::Scene)),
        may("scenes", Kind::Many(&SCENE)),
        may("skins", Kind::Many(&SKIN)),
        may("textures", Kind::Many(&TEXTURE)),
    ],
    check: check::root,
};

static ASSET: Object = Object {
    name: "asset",
    noun: None,
    properties: &[
        may("copyright", Kind::Text),
        may("generator", Kind::Text),
        must("version", Kind::Version),
        may("minVersion", Kind::Version),
    ],
    check: check::asset,
};

static ACCESSOR: Object = Object {
    name: "accessor",
    noun: Some(Noun::Accessor),
    properties: &[
        may("bufferView", Kind::Index(Noun::View)),
        may("byteOffset", Kind::Whole(0.0, ANY)),
        must("componentType", Kind::Code(&Component::CODES)),
        may("normalized", Kind::Flag),
        must("count", Kind::Whole(1.0, ANY)),
        must("type", Kind::Word(&ElementType::NAMES)),
        may("max", Kind::Numbers(&[1, 2, 3, 4, 9, 16], -ANY, ANY)),
        may("min", Kind::Numbers(&[1, 2, 3, 4, 9, 16], -ANY, ANY)),
        may("sparse", Kind::One(&SPARSE)),
        may("name", Kind::Text),
    ],
    check: check::accessor,
};

static SPARSE: Object = Object {
    name: "sparse",
    noun: None,
    properties: &[
        must("count", Kind::Whole(1.0, ANY)),
        must("indices", Kind::One(&SPARSE_INDICES)),
        must("values", Kind::One(&SPARSE_VALUES)),
    ],
    check: nothing,
};

static SPARSE_INDICES: Object = Object {
    name: "sparse indices",
    noun: None,
    properties: &[
        must("bufferView", Kind::Index(Noun::View)),
        may("byteOffset", Kind::Whole(0.0, ANY)),
        must("componentType", Kind::Code(&Component::INDEX_CODES)),
    ],
    check: nothing,
};

static SPARSE_VALUES: Object = Object {
    name: "sparse values",
    noun: None,
    properties: &[must("bufferView", Kind::Index(Noun::View)), may("byteOffset", Kind::Whole(0.0, ANY))],
    check: nothing,
};

static ANIMATION: Object = Object {
    name: "animation",
    noun: None,
    properties: &[
        must("channels", Kind::Many(&CHANNEL)),
        must("samplers", Kind::Many(&ANIMATION_SAMPLER)),
        may("name", Kind::Text),
    ],
    check: nothing,
};

static CHANNEL: Object = Object {
    name: "channel",
    noun: None,
    properties: &[must("sampler", Kind::Local), must("target", Kind::One(&TARGET))],
    check: nothing,
};

static TARGET: Object = Object {
    name: "channel target",
    noun: None,
    properties: &[
        may("node", Kind::Index(Noun::Node)),
        must("path", Kind::Word(&["translation", "rotation", "scale", "weights", "pointer"])),
    ],
    check: nothing,
};

static ANIMATION_SAMPLER: Object = Object {
    name: "animation sampler",
    noun: None,
    properties: &[
        must("input", Kind::Index(Noun::Accessor)),
        may("interpolation", Kind::Word(&["LINEAR", "STEP", "CUBICSPLINE"])),
        must("output", Kind::Index(Noun::Accessor)),
    ],
    check: nothing,
};

static BUFFER: Object = Object {
    name: "buffer",
    noun: Some(Noun::Buffer),
    properties: &[may("uri", Kind::Text), must("byteLength", Kind::Whole(1.0, ANY)), may("name", Kind::Text)],
    check: check::buffer,
};

static VIEW: Object = Object {
    name: "buffer view",
    noun: Some(Noun::View),
    properties: &[
        must("buffer", Kind::Index(Noun::Buffer)),
        may("byteOffset", Kind::Whole(0.0, ANY)),
        must("byteLength", Kind::Whole(1.0, ANY)),
        may("byteStride", Kind::Whole(4.0, 252.0)),
        may("target", Kind::Code(&[34962, 34963])),
        may("name", Kind::Text),
    ],
    check: check::view,
};

static CAMERA: Object = Object {
    name: "camera",
    noun: Some(Noun::Camera),
    properties: &[
        may("orthographic", Kind::One(&ORTHOGRAPHIC)),
        may("perspective", Kind::One(&PERSPECTIVE)),
        must("type", Kind::Word(&["orthographic", "perspective"])),
        may("name", Kind::Text),
    ],
    check: check::camera,
};

static ORTHOGRAPHIC: Object = Object {
    name: "orthographic",
    noun: None,
    properties: &[
        must("xmag", Kind::Number(-ANY, ANY)),
        must("ymag", Kind::Number(-ANY, ANY)),
        must("zfar", Kind::Above(0.0)),
        must("znear", Kind::Number(0.0, ANY)),
    ],
    check: check::lens,
};

static PERSPECTIVE: Object = Object {
    name: "perspective",
    noun: None,
    properties: &[
        may("aspectRatio", Kind::Above(0.0)),
        must("yfov", Kind::Above(0.0)),
        may("zfar", Kind::Above(0.0)),
        must("znear", Kind::Above(0.0)),
    ],
    check: check::lens,
};

static IMAGE: Object = Object {
    name: "image",
    noun: Some(Noun::Image),
    properties: &[
        may("uri", Kind::Text),
        may(
            "mimeType",
            Kind::Word(&[
                "image/jpeg",
                "image/png",
                "image/webp",
                "image/ktx2",
                "image/avif",
                "image/vnd-ms.dds",
            ]),
        ),
        may("bufferView", Kind::Index(Noun::View)),
        may("name", Kind::Text),
    ],
    check: check::image,
};

static MATERIAL: Object = Object {
    name: "material",
    noun: Some(Noun::Material),
    properties: &[
        may("name", Kind::Text),
        may("pbrMetallicRoughness", Kind::One(&METALLIC_ROUGHNESS)),
        may("normalTexture", Kind::One(&NORMAL_TEXTURE)),
        may("occlusionTexture", Kind::One(&OCCLUSION_TEXTURE)),
        may("emissiveTexture", Kind::One(&TEXTURE_INFO)),
        may("emissiveFactor", Kind::Numbers(&[3], 0.0, 1.0)),
        may("alphaMode", Kind::Word(&["OPAQUE", "MASK", "BLEND"])),
        may("alphaCutoff", Kind::Number(0.0, ANY)),
        may("doubleSided", Kind::Flag),
    ],
    check: check::material,
};

static METALLIC_ROUGHNESS: Object = Object {
    name: "metallic-roughness",
    noun: None,
    properties: &[
        may("baseColorFactor", Kind::Numbers(&[4], 0.0, 1.0)),
        may("baseColorTexture", Kind::One(&TEXTURE_INFO)),
        may("metallicFactor", Kind::Number(0.0, 1.0)),
        may("roughnessFactor", Kind::Number(0.0, 1.0)),
        may("metallicRoughnessTexture", Kind::One(&TEXTURE_INFO)),
    ],
    check: nothing,
};

/// A material's use of a texture.
pub static TEXTURE_INFO: Object = Object {
    name: "texture info",
    noun: None,
    properties: &[must("index", Kind::Index(Noun::Texture)), may("texCoord", Kind::Whole(0.0, ANY))],
    check: check::texture_info,
};

/// A material's use of a normal map.
pub static NORMAL_TEXTURE: Object = Object {
    name: "texture info",
    noun: None,
    properties: &[
        must("index", Kind::Index(Noun::Texture)),
        may("texCoord", Kind::Whole(0.0, ANY)),
        may("scale", Kind::Number(-ANY, ANY)),
    ],
    check: check::texture_info,
};

static OCCLUSION_TEXTURE: Object = Object {
    name: "texture info",
    noun: None,
    properties: &[
        must("index", Kind::Index(Noun::Texture)),
        may("texCoord", Kind::Whole(0.0, ANY)),
        may("strength", Kind::Number(0.0, 1.0)),
    ],
    check: check::texture_info,
};

static MESH: Object = Object {
    name: "mesh",
    noun: Some(Noun::Mesh),
    properties: &[
        must("primitives", Kind::Many(&PRIMITIVE)),
        may("weights", Kind::Numbers(&[], -ANY, ANY)),
        may("name", Kind::Text),
    ],
    check: check::mesh,
};

static PRIMITIVE: Object = Object {
    name: "primitive",
    noun: None,
    properties: &[
        must("attributes", Kind::ByName(Noun::Accessor)),
        may("indices", Kind::Index(Noun::Accessor)),
        may("material", Kind::Index(Noun::Material)),
        may("mode", Kind::Whole(0.0, 6.0)),
        may("targets", Kind::ManyByName(Noun::Accessor)),
    ],
    check: nothing,
};

static NODE: Object = Object {
    name: "node",
    noun: Some(Noun::Node),
    properties: &[
        may("name", Kind::Text),
        may("camera", Kind::Index(Noun::Camera)),
        may("children", Kind::Indices(Noun::Node)),
        may("skin", Kind::Index(Noun::Skin)),
        may("matrix", Kind::Numbers(&[16], -ANY, ANY)),
        may("mesh", Kind::Index(Noun::Mesh)),
        may("rotation", Kind::Numbers(&[4], -1.0, 1.0)),
        may("scale", Kind::Numbers(&[3], -ANY, ANY)),
        may("translation", Kind::Numbers(&[3], -ANY, ANY)),
        may("weights", Kind::Numbers(&[], -ANY, ANY)),
    ],
    check: check::node,
};

static SAMPLER: Object = Object {
    name: "sampler",
    noun: Some(Noun::Sampler),
    properties: &[
        may("magFilter", Kind::Code(&[9728, 9729])),
        may("minFilter", Kind::Code(&[9728, 9729, 9984, 9985, 9986, 9987])),
        may("wrapS", Kind::Code(&[33071, 33648, 10497])),
        may("wrapT", Kind::Code(&[33071, 33648, 10497])),
        may("name", Kind::Text),
    ],
    check: nothing,
};

static SCENE: Object = Object {
    name: "scene",
    noun: Some(Noun::Scene),
    properties: &[may("nodes", Kind::Indices(Noun::Node)), may("name", Kind::Text)],
    check: nothing,
};

static SKIN: Object = Object {
    name: "skin",
    noun: Some(Noun::Skin),
    properties: &[
        may("inverseBindMatrices", Kind::Index(Noun::Accessor)),
        may("skeleton", Kind::Index(Noun::Node)),
        must("joints", Kind::Indices(Noun::Node)),
        may("name", Kind::Text),
    ],
    check: check::skin,
};

static TEXTURE: Object = Object {
    name: "texture",
    noun: Some(Noun::Texture),
    properties: &[
        may("sampler", Kind::Index(Noun::Sampler)),
        may("source", Kind::Index(Noun::Image)),
        may("name", Kind::Text),
    ],
    check: nothing,
};
