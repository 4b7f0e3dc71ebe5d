//! Checks the attributes of primitives and morph targets: names, formats, counts, and the fit with the material.

use std::collections::{BTreeMap, HashMap};

use super::links::{Links, Use};
use super::notes::{AccessorFacts, Attribute, Mapping, Notes, TextureFacts};
use crate::format::component::Component;
use crate::format::element_type::ElementType;
use crate::format::json::Document;
use crate::sink::Sink;
use crate::text::quoted;

/// Attributes that may be there more than once, with a number.
const NUMBERED: [&str; 4] = ["COLOR", "JOINTS", "TEXCOORD", "WEIGHTS"];

/// Attributes that are there once.
const SINGLE: [&str; 3] = ["POSITION", "NORMAL", "TANGENT"];

/// Textures that need a tangent space.
const TANGENT_SPACE: [&str; 3] = ["normalTexture", "clearcoatNormalTexture", "anisotropyTexture"];

/// Checks all primitives.
pub fn check(document: &Document, notes: &Notes, links: &mut Links<'_>, warnings: &mut dyn Sink) {
    let is_quantized = document.extensions_used.iter().any(|name| name == "KHR_mesh_quantization");
    let mut sharing: HashMap<usize, usize> = HashMap::new();
    let mut textures: HashMap<usize, Vec<&TextureFacts>> = HashMap::new();
    notes.textures.iter().for_each(|texture| textures.entry(texture.material).or_default().push(texture));
    let mut mappings: HashMap<(usize, usize), Vec<&Mapping>> = HashMap::new();
    for mapping in &notes.mappings {
        mappings.entry((mapping.mesh, mapping.primitive)).or_default().push(mapping);
    }
    let textures_of = |material: usize| textures.get(&material).map_or(&[][..], Vec::as_slice);
    for attributes in notes.primitives() {
        let Some(first) = attributes.first() else { continue };
        let path = format!("meshes[{}].primitives[{}]", first.mesh, first.primitive);
        let (own, targets): (Vec<&Attribute>, Vec<&Attribute>) =
            attributes.iter().partition(|attribute| attribute.target.is_none());
        check_names(&own, &path, warnings);
        for attribute in &own {
            let at = format!("{path}.attributes.{}", attribute.name);
            check_attribute(notes, attribute, &at, is_quantized, warnings);
            links.accessor(attribute.accessor, Use::Vertices, &at, warnings);
        }
        check_counts(notes, &own, &path, warnings);
        check_targets(notes, &own, &targets, (&path, is_quantized), links, warnings);
        check_sharing(notes, attributes, &path, &mut sharing, warnings);

        let primitive = document.meshes.get(first.mesh).and_then(|mesh| mesh.primitives.get(first.primitive));
        let Some(primitive) = primitive else { continue };
        if let Some(indices) = primitive.indices {
            links.accessor(indices, Use::Indices, &format!("{path}.indices"), warnings);
            let facts = notes.accessors.get(indices);
            if facts.is_some_and(|facts| facts.normalized || facts.element != Some(ElementType::Scalar)) {
                let message = "indices must be plain whole numbers";
                warnings.fault(
                    "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT",
                    &format!("{path}.indices"),
                    message,
                );
            }
        }
        if let Some(material) = primitive.material {
            check_texcoords(&own, textures_of(material), &format!("{path}.material"), warnings);
            check_tangents(&own, textures_of(material), &path, warnings);
        }
        for mapping in mappings.get(&(first.mesh, first.primitive)).into_iter().flatten() {
            let textures = mapping.material.map_or(&[][..], textures_of);
            check_texcoords(&own, textures, &format!("{}.material", mapping.place), warnings);
        }
    }
    check_target_counts(document, notes, warnings);
}

/// Names, and whether numbers start at 0 without a gap.
fn check_names(own: &[&Attribute], path: &str, warnings: &mut dyn Sink) {
    let mut sets: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for attribute in own {
        let name = attribute.name.as_str();
        if name.starts_with('_') || SINGLE.contains(&name) {
            continue;
        }
        match numbered(name) {
            Some((kind, number)) => {
                let (count, highest) = sets.entry(kind).or_default();
                *count = count.saturating_add(1);
                *highest = number.max(*highest);
            }
            None => {
                let message = format!("{} is not an attribute of the format", quoted(name));
                warnings.fault("MESH_PRIMITIVE_INVALID_ATTRIBUTE", &format!("{path}.attributes"), message);
            }
        }
    }
    let at = format!("{path}.attributes");
    for (kind, (count, highest)) in &sets {
        if highest.saturating_add(1) != *count {
            let message = format!("{count} of {kind}_n, the last {kind}_{highest}: numbers are left out");
            warnings.fault("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", &at, message);
        }
    }
    let count = |kind| sets.get(kind).map_or(0, |(count, _)| *count);
    let (joints, weights) = (count("JOINTS"), count("WEIGHTS"));
    if joints != weights {
        let message = format!("{joints} sets of joints, but {weights} of weights");
        warnings.fault("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", path, message);
    }
    let has = |name: &str| own.iter().any(|attribute| attribute.name == name);
    if has("TANGENT") && !has("NORMAL") {
        warnings.note("MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL", &at, "tangents mean nothing without normals");
    }
}

/// The kind and number of an attribute such as `TEXCOORD_1`.
fn numbered(name: &str) -> Option<(&'static str, usize)> {
    let (kind, digits) = name.split_once('_')?;
    let kind = NUMBERED.into_iter().find(|known| *known == kind)?;
    let number: usize = digits.parse().ok()?;
    (number.to_string() == digits).then_some((kind, number))
}

fn check_attribute(
    notes: &Notes,
    attribute: &Attribute,
    path: &str,
    is_quantized: bool,
    warnings: &mut dyn Sink,
) {
    let Some(facts) = notes.accessors.get(attribute.accessor) else { return };
    let name = attribute.name.as_str();
    let kind = name.split('_').next().unwrap_or(name);
    let is_target = attribute.target.is_some();
    match is_allowed(kind, facts, is_quantized, is_target) {
        Some(true) => {}
        Some(false) => {
            let unit = if facts.normalized { "normalized " } else { "" };
            let message = format!(
                "accessor {} is {unit}{} of component type {}, which {kind} may not be",
                attribute.accessor,
                facts.element_name(),
                facts.component_type
            );
            warnings.fault("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", path, message);
        }
        None if facts.component() == Some(Component::U32) => {
            let message = "attributes may not have 32-bit whole numbers";
            warnings.fault("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT", path, message);
        }
        None => {}
    }
    if name == "POSITION" && (facts.min.is_none() || facts.max.is_none()) {
        let message = format!("accessor {} has no min and max", attribute.accessor);
        warnings.fault("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", path, message);
    }
    let view = facts.view.and_then(|view| notes.views.get(view));
    let is_packed = view.is_some_and(|view| view.stride.is_none());
    if !facts.offset.is_multiple_of(4) || (is_packed && !facts.element_bytes().is_multiple_of(4)) {
        let message = "elements must start on multiples of four bytes";
        warnings.fault("MESH_PRIMITIVE_ACCESSOR_UNALIGNED", path, message);
    }
}

/// Returns true if an attribute may have a format; `None` for an attribute that the format does not define.
fn is_allowed(kind: &str, facts: &AccessorFacts, is_quantized: bool, is_target: bool) -> Option<bool> {
    let (element, component, normalized) = facts.format();
    let is = |wanted: ElementType| element == Some(wanted);
    let float = component == Some(Component::F32) && !normalized;
    let signed = component.is_some_and(Component::is_signed);
    let small = component.is_some_and(Component::is_small) && !signed;
    let fraction = normalized && small;
    Some(match kind {
        "POSITION" => {
            let quantized = if is_target { signed } else { small || signed };
            is(ElementType::Vec3) && (float || (is_quantized && quantized))
        }
        "NORMAL" => is(ElementType::Vec3) && (float || (is_quantized && signed && normalized)),
        "TANGENT" => {
            let wanted = if is_target { ElementType::Vec3 } else { ElementType::Vec4 };
            is(wanted) && (float || (is_quantized && signed && normalized))
        }
        "TEXCOORD" => {
            let quantized = small || signed;
            is(ElementType::Vec2) && (float || fraction || (is_quantized && quantized))
        }
        "COLOR" => {
            (is(ElementType::Vec3) || is(ElementType::Vec4))
                && (float || fraction || (is_target && signed && normalized))
        }
        "JOINTS" => is(ElementType::Vec4) && small && !normalized,
        "WEIGHTS" => is(ElementType::Vec4) && (float || fraction),
        _ => return None,
    })
}

/// Checks that all attributes of a primitive have the same length.
fn check_counts(notes: &Notes, own: &[&Attribute], path: &str, warnings: &mut dyn Sink) {
    let count = |attribute: &&Attribute| Some(notes.accessors.get(attribute.accessor)?.count);
    let mut counts = own.iter().filter_map(count);
    let Some(first) = counts.next() else { return };
    if let Some(other) = counts.find(|count| *count != first) {
        let message = format!("attributes of {first} and of {other} elements");
        warnings.fault("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", &format!("{path}.attributes"), message);
    }
}

fn check_targets(
    notes: &Notes,
    own: &[&Attribute],
    targets: &[&Attribute],
    (path, is_quantized): (&str, bool),
    links: &mut Links<'_>,
    warnings: &mut dyn Sink,
) {
    for attribute in targets {
        let at = format!("{path}.targets[{}].{}", attribute.target.unwrap_or(0), attribute.name);
        check_attribute(notes, attribute, &at, is_quantized, warnings);
        links.accessor(attribute.accessor, Use::Vertices, &at, warnings);
        let name = attribute.name.as_str();
        let is_known = name.starts_with('_')
            || SINGLE.contains(&name)
            || numbered(name).is_some_and(|(kind, _)| matches!(kind, "COLOR" | "TEXCOORD"));
        if !is_known {
            let message = format!("{} is not an attribute of a morph target", quoted(name));
            warnings.fault("MESH_PRIMITIVE_INVALID_ATTRIBUTE", &at, message);
        }
        let count = |accessor: usize| notes.accessors.get(accessor).map(|facts| facts.count);
        match own.iter().find(|base| base.name == name) {
            None => {
                let message = "the primitive has no such attribute to add to";
                warnings.fault("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", &at, message);
            }
            Some(base) if count(base.accessor) != count(attribute.accessor) => {
                let message = "has another count than the primitive's attribute";
                warnings.fault("MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT", &at, message);
            }
            Some(_) => {}
        }
    }
}

/// Checks that a view with several accessors declares its stride.
fn check_sharing(
    notes: &Notes,
    attributes: &[Attribute],
    path: &str,
    sharing: &mut HashMap<usize, usize>,
    warnings: &mut dyn Sink,
) {
    for attribute in attributes {
        let facts = notes.accessors.get(attribute.accessor);
        let Some(index) = facts.and_then(|facts| facts.view) else { continue };
        if notes.views.get(index).is_none_or(|view| view.stride.is_some()) {
            continue;
        }
        if *sharing.entry(index).or_insert(attribute.accessor) != attribute.accessor {
            let message = format!("several accessors lie in buffer view {index}, which has no byteStride");
            warnings.fault("MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE", path, message);
        }
    }
}

/// Checks that a primitive has the texture coordinates that a material's textures use.
fn check_texcoords(own: &[&Attribute], textures: &[&TextureFacts], at: &str, warnings: &mut dyn Sink) {
    for texture in textures {
        let needed = format!("TEXCOORD_{}", texture.texcoord);
        if !own.iter().any(|attribute| attribute.name == needed) {
            let message = format!("its {} uses {needed}, which the primitive does not have", texture.member);
            warnings.fault("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", at, message);
        }
    }
}

/// Checks that a primitive has tangents if and only if its material needs them.
fn check_tangents(own: &[&Attribute], textures: &[&TextureFacts], path: &str, warnings: &mut dyn Sink) {
    let has = |name: &str| own.iter().any(|attribute| attribute.name == name);
    let at = format!("{path}.material");
    let needs = textures.iter().find(|texture| TANGENT_SPACE.contains(&texture.member));
    if let Some(texture) = needs.filter(|_| !has("TANGENT") || !has("NORMAL")) {
        if textures.iter().any(|texture| texture.member == "normalTexture") {
            let message = format!("its {} needs tangents, which are made here", texture.member);
            warnings.note("MESH_PRIMITIVE_GENERATED_TANGENT_SPACE", &at, message);
        } else {
            let message = format!("its {} needs tangents, which the primitive does not have", texture.member);
            warnings.fault("MESH_PRIMITIVE_NO_TANGENT_SPACE", &at, message);
        }
    } else if has("TANGENT") && needs.is_none() {
        let at = format!("{path}.attributes.TANGENT");
        warnings.note("UNUSED_MESH_TANGENT", &at, "the material needs no tangents");
    }
}

/// Checks that all primitives of a mesh have the same number of targets, and that meshes and nodes have one weight for
/// each.
fn check_target_counts(document: &Document, notes: &Notes, warnings: &mut dyn Sink) {
    let targets = |mesh: usize| {
        let primitives = document.meshes.get(mesh).map_or(&[][..], |mesh| &mesh.primitives);
        primitives.first().map_or(0, |primitive| primitive.targets.len())
    };
    for (index, mesh) in document.meshes.iter().enumerate() {
        let first = targets(index);
        if mesh.primitives.iter().any(|primitive| primitive.targets.len() != first) {
            let path = format!("meshes[{index}].primitives");
            let message = "primitives have different numbers of morph targets";
            warnings.fault("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", &path, message);
        }
        if let Some(weights) = notes.mesh_weights.get(&index).filter(|weights| **weights != first) {
            let message = format!("{weights} weights for {first} morph targets");
            warnings.fault("MESH_INVALID_WEIGHTS_COUNT", &format!("meshes[{index}].weights"), message);
        }
    }
    for (&index, &weights) in &notes.node_weights {
        let Some(mesh) = document.nodes.get(index).and_then(|node| node.mesh) else { continue };
        let count = targets(mesh);
        if weights != count {
            let message = format!("{weights} weights for {count} morph targets");
            warnings.fault("NODE_WEIGHTS_INVALID", &format!("nodes[{index}].weights"), message);
        }
    }
}
