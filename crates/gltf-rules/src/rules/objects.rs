//! Checks the values of one object together, and fills the [`Notes`](super::notes::Notes).

use super::notes::{AccessorFacts, ImageFacts, Mapping, TextureFacts, ViewFacts};
use super::walk::{Scalar, Seen, Walk};
use crate::format::component::Component;
use crate::format::element_type::ElementType;

pub fn root(walk: &mut Walk<'_>, seen: Seen) {
    if walk.get(seen, "extensionsRequired").is_some() && walk.get(seen, "extensionsUsed").is_none() {
        walk.wrong_in("UNSATISFIED_DEPENDENCY", "extensionsRequired", "needs extensionsUsed");
    }
}

pub fn asset(walk: &mut Walk<'_>, seen: Seen) {
    let (version, minimum) = (walk.number(seen, "version"), walk.number(seen, "minVersion"));
    if let (Some(version), Some(minimum)) = (version, minimum)
        && minimum > version
    {
        walk.wrong_in("ASSET_MIN_VERSION_GREATER_THAN_VERSION", "minVersion", "is above version");
    }
}

pub fn accessor(walk: &mut Walk<'_>, seen: Seen) {
    let view = walk.whole(seen, "bufferView");
    let offset = walk.whole(seen, "byteOffset");
    let component_type = walk.whole(seen, "componentType").unwrap_or(0);
    let component = Component::from_code(component_type);
    let element = walk.word(seen, "type").and_then(ElementType::from_name);
    let normalized = walk.number(seen, "normalized") == Some(1.0);
    if view.is_none() && offset.is_some() {
        walk.wrong_in("UNSATISFIED_DEPENDENCY", "byteOffset", "needs a bufferView");
    }
    if normalized && component.is_some_and(|component| !component.is_small()) {
        walk.wrong_in("ACCESSOR_NORMALIZED_INVALID", "normalized", "only 8 and 16-bit numbers can be");
    }
    let offset = offset.unwrap_or(0);
    if element.is_some_and(ElementType::is_matrix) && !offset.is_multiple_of(4) {
        walk.wrong_in("ACCESSOR_MATRIX_ALIGNMENT", "byteOffset", format!("{offset} is not a multiple of 4"));
    }
    let width = element.map_or(0, ElementType::width);
    for bound in ["min", "max"] {
        let Some(numbers) = walk.list(seen, bound) else { continue };
        if width > 0 && numbers.len() != width {
            let message = format!("{} numbers for elements of {width}", numbers.len());
            walk.wrong_in("ARRAY_LENGTH_NOT_IN_LIST", bound, message);
        }
        let Some((low, high)) = component.and_then(Component::whole_range) else { continue };
        if numbers.iter().any(|number| number.fract() != 0.0) {
            walk.wrong_in("ARRAY_TYPE_MISMATCH", bound, "has fractions, but the elements are whole numbers");
        } else if numbers.iter().any(|number| !(low..=high).contains(number)) {
            walk.wrong_in("INVALID_GL_VALUE", bound, "has numbers that the component type cannot hold");
        }
    }
    let facts = AccessorFacts {
        view,
        offset,
        component_type,
        count: walk.whole(seen, "count").unwrap_or(0),
        element,
        normalized,
        min: walk.list(seen, "min").filter(|numbers| numbers.len() == width),
        max: walk.list(seen, "max").filter(|numbers| numbers.len() == width),
    };
    walk.notes.accessors.push(facts);
}

pub fn buffer(walk: &mut Walk<'_>, seen: Seen) {
    let length = walk.whole(seen, "byteLength").unwrap_or(0);
    walk.notes.buffers.push(length);
}

pub fn view(walk: &mut Walk<'_>, seen: Seen) {
    let length = walk.whole(seen, "byteLength").unwrap_or(0);
    let stride = walk.whole(seen, "byteStride");
    let target = walk.whole(seen, "target");
    if let Some(stride) = stride {
        if stride > length {
            let message = format!("{stride} bytes, but the view has {length}");
            walk.wrong_in("BUFFER_VIEW_TOO_BIG_BYTE_STRIDE", "byteStride", message);
        }
        if !stride.is_multiple_of(4) {
            walk.wrong_in("VALUE_MULTIPLE_OF", "byteStride", format!("{stride} is not a multiple of 4"));
        }
        if target == Some(34963) {
            let message = "only vertex data may have one, but the target says indices";
            walk.wrong_in("BUFFER_VIEW_INVALID_BYTE_STRIDE", "byteStride", message);
        }
    }
    let facts = ViewFacts {
        buffer: walk.whole(seen, "buffer").unwrap_or(usize::MAX),
        offset: walk.whole(seen, "byteOffset").unwrap_or(0),
        length,
        stride,
        target,
    };
    walk.notes.views.push(facts);
}

pub fn camera(walk: &mut Walk<'_>, seen: Seen) {
    let has = |name| walk.get(seen, name).is_some();
    let kind = walk.word(seen, "type");
    if has("orthographic") && has("perspective") {
        walk.wrong("ONE_OF_MISMATCH", "has both orthographic and perspective, but must have one");
    } else if let Some(kind) = kind.filter(|kind| !has(kind)) {
        walk.wrong("UNDEFINED_PROPERTY", format!("has no {kind}"));
    }
}

pub fn lens(walk: &mut Walk<'_>, seen: Seen) {
    let (near, far) = (walk.number(seen, "znear"), walk.number(seen, "zfar"));
    if let (Some(near), Some(far)) = (near, far)
        && far <= near
    {
        walk.wrong("CAMERA_ZFAR_LEQUAL_ZNEAR", format!("zfar {far} is not beyond znear {near}"));
    }
    for name in ["xmag", "ymag"] {
        match walk.number(seen, name) {
            Some(0.0) => walk.wrong_in("CAMERA_XMAG_YMAG_ZERO", name, "must not be 0"),
            Some(size) if size < 0.0 => walk.note_in("CAMERA_XMAG_YMAG_NEGATIVE", name, "is below 0"),
            _ => {}
        }
    }
    if walk.number(seen, "yfov").is_some_and(|angle| angle >= std::f64::consts::PI) {
        walk.note_in("CAMERA_YFOV_GEQUAL_PI", "yfov", "is half a turn or more");
    }
}

pub fn image(walk: &mut Walk<'_>, seen: Seen) {
    let view = walk.whole(seen, "bufferView");
    let has_uri = walk.get(seen, "uri").is_some();
    match (has_uri, view.is_some()) {
        (true, true) => walk.wrong("ONE_OF_MISMATCH", "has both uri and bufferView, but must have one"),
        (false, false) => walk.wrong("ONE_OF_MISMATCH", "has neither uri nor bufferView"),
        (true, false) | (false, true) => {}
    }
    if view.is_some() && walk.get(seen, "mimeType").is_none() {
        walk.wrong_in("UNSATISFIED_DEPENDENCY", "bufferView", "needs a mimeType");
    }
    let has_mime = walk.get(seen, "mimeType").is_some();
    let mime = walk.word(seen, "mimeType").or(has_mime.then_some("another type"));
    let facts = ImageFacts { mime, view };
    walk.notes.images.push(facts);
}

pub fn material(walk: &mut Walk<'_>, seen: Seen) {
    if walk.get(seen, "alphaCutoff").is_some() && walk.word(seen, "alphaMode") != Some("MASK") {
        walk.note_in("MATERIAL_ALPHA_CUTOFF_INVALID_MODE", "alphaCutoff", "only means something with MASK");
    }
}

pub fn texture_info(walk: &mut Walk<'_>, seen: Seen) {
    let Some(material) = walk.index(0) else { return };
    let texcoord = walk.whole(seen, "texCoord").unwrap_or(0);
    let member = walk.member();
    walk.notes.textures.push(TextureFacts { material, member, texcoord });
}

/// Readers that know the extension take its set of coordinates, and others the texture's own.
pub fn texture_transform(walk: &mut Walk<'_>, seen: Seen) {
    let (Some(material), Some(texcoord)) = (walk.index(0), walk.whole(seen, "texCoord")) else { return };
    // Below the texture itself and `extensions`.
    let member = walk.member_above(2);
    walk.notes.textures.push(TextureFacts { material, member, texcoord });
}

pub fn variant_mapping(walk: &mut Walk<'_>, seen: Seen) {
    let (Some(mesh), Some(primitive)) = (walk.index(0), walk.index(1)) else { return };
    let variants = walk.list(seen, "variants").unwrap_or_default();
    let variants = variants.into_iter().map(|variant| variant as usize).collect();
    let mapping =
        Mapping { mesh, primitive, material: walk.whole(seen, "material"), variants, place: walk.place() };
    walk.notes.mappings.push(mapping);
}

pub fn mesh(walk: &mut Walk<'_>, seen: Seen) {
    if let (Some(mesh), Some(length)) = (walk.index(0), walk.length(seen, "weights")) {
        walk.notes.mesh_weights.insert(mesh, length);
    }
}

pub fn node(walk: &mut Walk<'_>, seen: Seen) {
    if walk.get(seen, "mesh").is_none() {
        for name in ["skin", "weights"] {
            if walk.get(seen, name).is_some() {
                walk.wrong_in("UNSATISFIED_DEPENDENCY", name, "needs a mesh");
            }
        }
    }
    if let (Some(node), Some(length)) = (walk.index(0), walk.length(seen, "weights")) {
        walk.notes.node_weights.insert(node, length);
    }
}

pub fn skin(walk: &mut Walk<'_>, seen: Seen) {
    if let (Some(skin), Some(node)) = (walk.index(0), walk.whole(seen, "skeleton")) {
        walk.notes.skeletons.push((skin, node));
    }
}

pub fn light(walk: &mut Walk<'_>, seen: Seen) {
    let has_spot = walk.get(seen, "spot").is_some();
    if walk.word(seen, "type") == Some("spot") && !has_spot {
        walk.wrong("UNDEFINED_PROPERTY", "has no spot");
    }
}

pub fn spot(walk: &mut Walk<'_>, seen: Seen) {
    let angle = |name, default| match walk.get(seen, name) {
        Some(Scalar::Number(angle)) => angle,
        _ => default,
    };
    let inner = angle("innerConeAngle", 0.0);
    let outer = angle("outerConeAngle", std::f64::consts::FRAC_PI_4);
    if outer <= inner {
        let message = format!("outerConeAngle {outer} is not above innerConeAngle {inner}");
        walk.wrong("KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES", message);
    }
}
