//! Tables of extensions: on which objects each may be, and what it holds.

use super::core::{NORMAL_TEXTURE, TEXTURE_INFO};
use super::noun::Noun;
use super::objects as check;
use super::schema::{Kind, Object, Property, may, must};
use super::walk::{Seen, Walk};

const ANY: f64 = f64::INFINITY;

fn nothing(_: &mut Walk<'_>, _: Seen) {}

/// An extension of an object.
struct Extension {
    name: &'static str,
    on: &'static str,
    kind: Kind,
}

/// Returns an extension's name and kind on an object; `None` if it has no table or does not belong there.
pub fn table(name: &str, on: &str) -> Option<(&'static str, &'static Kind)> {
    let found = TABLES.iter().find(|extension| extension.name == name && extension.on == on);
    found.map(|extension| (extension.name, &extension.kind))
}

/// Returns true if an extension belongs on another kind of object, or on none, but not on this one.
pub fn is_misplaced(name: &str, on: &str) -> bool {
    let is_known = ON_NOTHING.contains(&name) || TABLES.iter().any(|extension| extension.name == name);
    is_known && table(name, on).is_none()
}

/// Returns true if an object's extension refers to a list in the same extension of the whole file.
pub fn needs_root(name: &str, on: &str) -> bool {
    matches!((name, on), ("KHR_lights_punctual", "node") | ("KHR_materials_variants", "primitive"))
}

/// Extensions that are only declared.
const ON_NOTHING: [&str; 1] = ["KHR_mesh_quantization"];

/// An object of an extension.
const fn object(properties: &'static [Property]) -> Object {
    Object { name: "extension", noun: None, properties, check: nothing }
}

const fn on(on: &'static str, name: &'static str, object: &'static Object) -> Extension {
    Extension { name, on, kind: Kind::One(object) }
}

static TABLES: [Extension; 28] = [
    on("texture info", "KHR_texture_transform", &TEXTURE_TRANSFORM),
    on("texture", "EXT_texture_webp", &OTHER_SOURCE),
    on("texture", "EXT_texture_avif", &OTHER_SOURCE),
    on("texture", "KHR_texture_basisu", &OTHER_SOURCE),
    on("texture", "MSFT_texture_dds", &OTHER_SOURCE),
    on("glTF", "KHR_lights_punctual", &LIGHTS),
    on("node", "KHR_lights_punctual", &NODE_LIGHT),
    on("channel target", "KHR_animation_pointer", &POINTER),
    on("material", "KHR_materials_unlit", &EMPTY),
    on("material", "KHR_materials_emissive_strength", &EMISSIVE_STRENGTH),
    on("material", "KHR_materials_ior", &IOR),
    on("material", "KHR_materials_specular", &SPECULAR),
    on("material", "KHR_materials_clearcoat", &CLEARCOAT),
    on("material", "KHR_materials_transmission", &TRANSMISSION),
    on("material", "KHR_materials_volume", &VOLUME),
    on("material", "KHR_materials_sheen", &SHEEN),
    on("material", "KHR_materials_iridescence", &IRIDESCENCE),
    on("material", "KHR_materials_anisotropy", &ANISOTROPY),
    on("material", "KHR_materials_dispersion", &DISPERSION),
    on("material", "KHR_materials_pbrSpecularGlossiness", &SPECULAR_GLOSSINESS),
    on("glTF", "KHR_materials_variants", &VARIANTS),
    on("primitive", "KHR_materials_variants", &VARIANT_MAPPINGS),
    on("node", "EXT_mesh_gpu_instancing", &INSTANCING),
    on("primitive", "KHR_draco_mesh_compression", &DRACO),
    on("buffer", "EXT_meshopt_compression", &FALLBACK),
    on("buffer", "KHR_meshopt_compression", &FALLBACK),
    on("buffer view", "EXT_meshopt_compression", &MESHOPT),
    on("buffer view", "KHR_meshopt_compression", &MESHOPT),
];

static EMPTY: Object = object(&[]);

static TEXTURE_TRANSFORM: Object = Object {
    check: check::texture_transform,
    ..object(&[
        may("offset", Kind::Numbers(&[2], -ANY, ANY)),
        may("rotation", Kind::Number(-ANY, ANY)),
        may("scale", Kind::Numbers(&[2], -ANY, ANY)),
        may("texCoord", Kind::Whole(0.0, ANY)),
    ])
};

static OTHER_SOURCE: Object = object(&[may("source", Kind::Index(Noun::Image))]);

static LIGHTS: Object = object(&[must("lights", Kind::Many(&LIGHT))]);

static LIGHT: Object = Object {
    name: "light",
    noun: Some(Noun::Light),
    properties: &[
        may("color", Kind::Numbers(&[3], 0.0, 1.0)),
        may("intensity", Kind::Number(0.0, ANY)),
        may("spot", Kind::One(&SPOT)),
        must("type", Kind::Word(&["directional", "point", "spot"])),
        may("range", Kind::Above(0.0)),
        may("name", Kind::Text),
    ],
    check: check::light,
};

static SPOT: Object = Object {
    name: "spot",
    noun: None,
    properties: &[
        may("innerConeAngle", Kind::Number(0.0, std::f64::consts::FRAC_PI_2)),
        may("outerConeAngle", Kind::Number(0.0, std::f64::consts::FRAC_PI_2)),
    ],
    check: check::spot,
};

static NODE_LIGHT: Object = object(&[must("light", Kind::Index(Noun::Light))]);

static POINTER: Object = object(&[must("pointer", Kind::Pointer)]);

static EMISSIVE_STRENGTH: Object = object(&[may("emissiveStrength", Kind::Number(0.0, ANY))]);

static IOR: Object = object(&[may("ior", Kind::Number(0.0, ANY))]);

static SPECULAR: Object = object(&[
    may("specularFactor", Kind::Number(0.0, 1.0)),
    may("specularTexture", Kind::One(&TEXTURE_INFO)),
    may("specularColorFactor", Kind::Numbers(&[3], 0.0, ANY)),
    may("specularColorTexture", Kind::One(&TEXTURE_INFO)),
]);

static CLEARCOAT: Object = object(&[
    may("clearcoatFactor", Kind::Number(0.0, 1.0)),
    may("clearcoatTexture", Kind::One(&TEXTURE_INFO)),
    may("clearcoatRoughnessFactor", Kind::Number(0.0, 1.0)),
    may("clearcoatRoughnessTexture", Kind::One(&TEXTURE_INFO)),
    may("clearcoatNormalTexture", Kind::One(&NORMAL_TEXTURE)),
]);

static TRANSMISSION: Object = object(&[
    may("transmissionFactor", Kind::Number(0.0, 1.0)),
    may("transmissionTexture", Kind::One(&TEXTURE_INFO)),
]);

static VOLUME: Object = object(&[
    may("thicknessFactor", Kind::Number(0.0, ANY)),
    may("thicknessTexture", Kind::One(&TEXTURE_INFO)),
    may("attenuationDistance", Kind::Above(0.0)),
    may("attenuationColor", Kind::Numbers(&[3], 0.0, 1.0)),
]);

static SHEEN: Object = object(&[
    may("sheenColorFactor", Kind::Numbers(&[3], 0.0, 1.0)),
    may("sheenColorTexture", Kind::One(&TEXTURE_INFO)),
    may("sheenRoughnessFactor", Kind::Number(0.0, 1.0)),
    may("sheenRoughnessTexture", Kind::One(&TEXTURE_INFO)),
]);

static IRIDESCENCE: Object = object(&[
    may("iridescenceFactor", Kind::Number(0.0, 1.0)),
    may("iridescenceTexture", Kind::One(&TEXTURE_INFO)),
    may("iridescenceIor", Kind::Number(1.0, ANY)),
    may("iridescenceThicknessMinimum", Kind::Number(0.0, ANY)),
    may("iridescenceThicknessMaximum", Kind::Number(0.0, ANY)),
    may("iridescenceThicknessTexture", Kind::One(&TEXTURE_INFO)),
]);

static ANISOTROPY: Object = object(&[
    may("anisotropyStrength", Kind::Number(0.0, 1.0)),
    may("anisotropyRotation", Kind::Number(-ANY, ANY)),
    may("anisotropyTexture", Kind::One(&TEXTURE_INFO)),
]);

static DISPERSION: Object = object(&[may("dispersion", Kind::Number(0.0, ANY))]);

static SPECULAR_GLOSSINESS: Object = object(&[
    may("diffuseFactor", Kind::Numbers(&[4], 0.0, 1.0)),
    may("diffuseTexture", Kind::One(&TEXTURE_INFO)),
    may("specularFactor", Kind::Numbers(&[3], 0.0, 1.0)),
    may("glossinessFactor", Kind::Number(0.0, 1.0)),
    may("specularGlossinessTexture", Kind::One(&TEXTURE_INFO)),
]);

static VARIANTS: Object = object(&[must("variants", Kind::Many(&VARIANT))]);

static VARIANT: Object = Object {
    name: "variant",
    noun: Some(Noun::Variant),
    properties: &[must("name", Kind::Text)],
    check: nothing,
};

static VARIANT_MAPPINGS: Object = object(&[must("mappings", Kind::Many(&VARIANT_MAPPING))]);

static VARIANT_MAPPING: Object = Object {
    check: check::variant_mapping,
    ..object(&[
        must("variants", Kind::Indices(Noun::Variant)),
        must("material", Kind::Index(Noun::Material)),
        may("name", Kind::Text),
    ])
};

static INSTANCING: Object = object(&[may("attributes", Kind::ByName(Noun::Accessor))]);

static DRACO: Object =
    object(&[must("bufferView", Kind::Index(Noun::View)), must("attributes", Kind::Extras)]);

static FALLBACK: Object = object(&[may("fallback", Kind::Flag)]);

static MESHOPT: Object = object(&[
    must("buffer", Kind::Index(Noun::Buffer)),
    may("byteOffset", Kind::Whole(0.0, ANY)),
    must("byteLength", Kind::Whole(1.0, ANY)),
    must("byteStride", Kind::Whole(1.0, 256.0)),
    must("count", Kind::Whole(1.0, ANY)),
    must("mode", Kind::Word(&["ATTRIBUTES", "TRIANGLES", "INDICES"])),
    may("filter", Kind::Word(&["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"])),
]);
