//! Writes vertices and indices, each in the smallest type that loses nothing.

use serde_json::{Map, Value, json};

use super::body::{Body, BufferTarget};
use crate::gltf::component::Component;
use crate::gltf::element_type::ElementType;
use crate::gltf::own::SHARE;
use crate::{Deltas, Influences, Morphs, Primitive, Topology};

/// A primitive of the document, with this number of morph targets.
pub fn primitive(primitive: &Primitive, targets: usize, body: &mut Body) -> Value {
    let mut attributes = Map::new();
    let positions = body.floats(&primitive.positions, ElementType::Vec3, BufferTarget::Vertices);
    body.bound(positions, &primitive.positions);
    attributes.insert("POSITION".into(), positions.into());
    if let Some(normals) = &primitive.normals {
        attributes
            .insert("NORMAL".into(), body.floats(normals, ElementType::Vec3, BufferTarget::Vertices).into());
    }
    if let Some(tangents) = &primitive.tangents {
        attributes.insert(
            "TANGENT".into(),
            body.floats(tangents, ElementType::Vec4, BufferTarget::Vertices).into(),
        );
    }
    for (set, texcoords) in primitive.texcoords.iter().enumerate() {
        let accessor = body.floats(texcoords, ElementType::Vec2, BufferTarget::Vertices);
        attributes.insert(format!("TEXCOORD_{set}"), accessor.into());
    }
    if let Some(colors) = &primitive.colors {
        attributes.insert("COLOR_0".into(), color_accessor(colors, body).into());
    }
    if let Some(influences) = &primitive.influences {
        influence_accessors(influences, body, &mut attributes);
    }
    if let Some(shares) = &primitive.shares {
        let (shares, _) = shares.as_chunks::<1>();
        let accessor = body.floats(shares, ElementType::Scalar, BufferTarget::Vertices);
        attributes.insert(SHARE.into(), accessor.into());
    }
    let indices = index_accessor(&primitive.indices, primitive.positions.len(), body);
    let mut value = json!({ "attributes": attributes, "indices": indices });
    match primitive.topology {
        Topology::Triangles => {}
        Topology::Lines => value["mode"] = 1.into(),
        Topology::Points => value["mode"] = 0.into(),
    }
    if targets > 0 {
        value["targets"] = morph_targets(primitive, targets, body).into();
    }
    if let Some(material) = primitive.material {
        value["material"] = material.into();
    }
    value
}

/// Indices in 16 bits where they fit; the largest 16-bit number restarts strips and is not an index.
fn index_accessor(indices: &[u32], vertices: usize, body: &mut Body) -> usize {
    if vertices <= usize::from(u16::MAX) {
        let narrow: Vec<u16> = indices.iter().map(|&i| i as u16).collect();
        let view = body.view(bytemuck::cast_slice(&narrow), BufferTarget::Indices);
        body.accessor(view, Component::U16, ElementType::Scalar, narrow.len())
    } else {
        let view = body.view(bytemuck::cast_slice(indices), BufferTarget::Indices);
        body.accessor(view, Component::U32, ElementType::Scalar, indices.len())
    }
}

/// Colours in the smallest type that gives back every value to the bit.
fn color_accessor(colors: &[[f32; 4]], body: &mut Body) -> usize {
    let exact = |steps: f32| {
        colors.iter().flatten().all(|&c| (0.0..=1.0).contains(&c) && (c * steps).round() / steps == c)
    };
    let (view, component) = if exact(255.0) {
        let bytes: Vec<u8> = colors.iter().flatten().map(|&c| (c * 255.0).round() as u8).collect();
        (body.view(&bytes, BufferTarget::Vertices), Component::U8)
    } else if exact(65535.0) {
        let words: Vec<u16> = colors.iter().flatten().map(|&c| (c * 65535.0).round() as u16).collect();
        (body.view(bytemuck::cast_slice(&words), BufferTarget::Vertices), Component::U16)
    } else {
        return body.floats(colors, ElementType::Vec4, BufferTarget::Vertices);
    };
    let accessor = body.accessor(view, component, ElementType::Vec4, colors.len());
    body.accessors[accessor]["normalized"] = true.into();
    accessor
}

fn influence_accessors(influences: &Influences, body: &mut Body, attributes: &mut Map<String, Value>) {
    for (set, span) in influences.spans.iter().enumerate() {
        // Nothing has weight on "no joint", or `write_glb` would have refused it.
        let used = |j: i32, w: f32| j >= 0 && w != 0.0;
        let slots = || span.joints.iter().flatten().copied().zip(span.weights.iter().flatten().copied());
        let joints: Vec<u16> = slots().map(|(j, w)| if used(j, w) { j as u16 } else { 0 }).collect();
        let weights: Vec<f32> = slots().map(|(j, w)| if used(j, w) { w } else { 0.0 }).collect();

        let (view, component) = if joints.iter().all(|&j| j <= u16::from(u8::MAX)) {
            let narrow: Vec<u8> = joints.iter().map(|&j| j as u8).collect();
            (body.view(&narrow, BufferTarget::Vertices), Component::U8)
        } else {
            (body.view(bytemuck::cast_slice(&joints), BufferTarget::Vertices), Component::U16)
        };
        let joints = body.accessor(view, component, ElementType::Vec4, joints.len() / 4);
        attributes.insert(format!("JOINTS_{set}"), joints.into());

        let view = body.view(bytemuck::cast_slice(&weights), BufferTarget::Vertices);
        let weights = body.accessor(view, Component::F32, ElementType::Vec4, weights.len() / 4);
        attributes.insert(format!("WEIGHTS_{set}"), weights.into());
    }
}

/// Writes the moves of each target.
fn morph_targets(primitive: &Primitive, count: usize, body: &mut Body) -> Vec<Value> {
    let vertices = primitive.positions.len();
    let mut targets = vec![Map::new(); count];
    let nothing = Morphs::default();
    let morphs = primitive.morphs.as_ref().unwrap_or(&nothing);
    put(&mut targets, "POSITION", ElementType::Vec3, &morphs.positions, vertices, body);
    put(&mut targets, "NORMAL", ElementType::Vec3, &morphs.normals, vertices, body);
    put(&mut targets, "TANGENT", ElementType::Vec3, &morphs.tangents, vertices, body);
    for (set, deltas) in morphs.texcoords.iter().enumerate() {
        put(&mut targets, &format!("TEXCOORD_{set}"), ElementType::Vec2, deltas, vertices, body);
    }
    put(&mut targets, "COLOR_0", ElementType::Vec4, &morphs.colors, vertices, body);
    for target in targets.iter_mut().filter(|target| target.is_empty()) {
        // The format does not allow an empty target, so this one adds zeros.
        target.insert("POSITION".into(), body.moves::<3>(&[], ElementType::Vec3, vertices).into());
    }
    targets.into_iter().map(Value::Object).collect()
}

fn put<const N: usize>(
    targets: &mut [Map<String, Value>],
    name: &str,
    element: ElementType,
    deltas: &Option<Deltas<N>>,
    vertices: usize,
    body: &mut Body,
) {
    let count = targets.len();
    // Some viewers expect all targets to have a stream that one of them has.
    let Some(deltas) = deltas else { return };
    for (target, moves) in targets.iter_mut().zip(deltas.by_target(count)) {
        target.insert(name.into(), body.moves(&moves, element, vertices).into());
    }
}
