//! Reads joints and weights as the file stores them, of one vertex or of all.

use super::accessor::Accessors;
use super::{joints, read};
use crate::gltf::json::{self, Document};
use crate::gltf::support;
use crate::influences::RawSet;
use crate::mesh::{Influences, Span};
use crate::reading::error::LoadError;
use crate::reading::source::Sources;
use crate::reading::warnings::Warnings;
use crate::reading::watch::Watch;

/// A vertex by the file's own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredVertex {
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the primitive in the file's mesh.
    pub primitive: usize,
    /// Index of the vertex in the primitive.
    pub vertex: usize,
}

/// One `JOINTS_n` and `WEIGHTS_n` of a vertex, unchecked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoredSet {
    /// The `n`.
    pub number: usize,
    /// Joint indices within the skin.
    pub joints: [u16; 4],
    /// Weights in the joints' order; integers are fractions already.
    pub weights: [f32; 4],
}

/// The sets of one vertex, smallest number first; none where the primitive has no joints.
pub fn stored_influences(
    document: &mut Document,
    binary: Option<&[u8]>,
    vertex: StoredVertex,
    sources: &mut Sources<'_>,
) -> Result<Vec<StoredSet>, LoadError> {
    support::check(document)?;
    let mut warnings = Warnings::default();
    let buffers = read::buffers(document, read::Given::Binary(binary), sources, &mut warnings)?;
    let document = &*document;
    let (budget, watch) = (std::mem::take(&mut sources.budget), Watch::default());
    let mut accessors = Accessors::new(document, &buffers, budget, &watch);

    let StoredVertex { mesh, primitive, vertex } = vertex;
    let meshes = &document.meshes;
    let found = meshes.get(mesh).ok_or_else(|| LoadError::no_such("meshes", "mesh", mesh, meshes.len()))?;
    let path = format!("meshes[{mesh}].primitives");
    let primitives = &found.primitives;
    let found = primitives.get(primitive);
    let found = found.ok_or_else(|| LoadError::no_such(&path, "primitive", primitive, primitives.len()))?;
    let path = format!("{path}[{primitive}]");
    let vertices = match found.attributes.get("POSITION") {
        Some(positions) => accessors.count(*positions, &format!("{path}.attributes.POSITION"))?,
        None => 0,
    };
    if vertex >= vertices {
        return Err(LoadError::no_such(&path, "vertex", vertex, vertices));
    }
    let (numbers, sets) = joints::sets(found, &path, vertices, &mut accessors, &mut warnings)?;
    let of_vertex = |(number, set): (usize, &RawSet)| {
        Some(StoredSet { number, joints: *set.joints.get(vertex)?, weights: *set.weights.get(vertex)? })
    };
    Ok(numbers.into_iter().zip(&sets).filter_map(of_vertex).collect())
}

/// The joints and weights of all vertices as a file stores them, unchecked, for each mesh and primitive of the file.
#[derive(Clone, Debug, Default)]
pub struct StoredWeights(Vec<Vec<Influences>>);

impl StoredWeights {
    /// Returns the weights of a primitive; `None` if the file has none.
    pub fn of(&self, mesh: usize, primitive: usize) -> Option<&Influences> {
        self.0.get(mesh)?.get(primitive).filter(|stored| !stored.spans.is_empty())
    }
}

/// The joints and weights of all vertices.
pub fn stored_weights(
    document: &mut Document,
    binary: Option<&[u8]>,
    sources: &mut Sources<'_>,
) -> Result<StoredWeights, LoadError> {
    support::check(document)?;
    let mut warnings = Warnings::default();
    let buffers = read::buffers(document, read::Given::Binary(binary), sources, &mut warnings)?;
    let document = &*document;
    let (budget, watch) = (std::mem::take(&mut sources.budget), Watch::default());
    let mut accessors = Accessors::new(document, &buffers, budget, &watch);
    let mut of_mesh = |(number, mesh): (usize, &json::Mesh)| {
        let primitives = mesh.primitives.iter().enumerate().map(|(at, primitive)| {
            let path = format!("meshes[{number}].primitives[{at}]");
            let Some(positions) = primitive.attributes.get("POSITION") else {
                return Ok(Influences::default());
            };
            let vertices = accessors.count(*positions, &format!("{path}.attributes.POSITION"))?;
            let (_, sets) = joints::sets(primitive, &path, vertices, &mut accessors, &mut warnings)?;
            accessors.budget().charge(&path, vertices.saturating_mul(sets.len()), size_of::<[i32; 4]>())?;
            let span = |RawSet { joints, weights }: RawSet| Span {
                joints: joints.iter().map(|joints| joints.map(i32::from)).collect(),
                weights,
            };
            Ok(Influences { spans: sets.into_iter().map(span).collect() })
        });
        primitives.collect::<Result<Vec<Influences>, LoadError>>()
    };
    document.meshes.iter().enumerate().map(&mut of_mesh).collect::<Result<_, _>>().map(StoredWeights)
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::{Value, json};

    use super::*;
    use crate::builtin;
    use crate::gltf::{self, Options};

    fn stored(bytes: &[u8], place: [usize; 3]) -> Result<Vec<StoredSet>, String> {
        let [mesh, primitive, vertex] = place;
        let vertex = StoredVertex { mesh, primitive, vertex };
        gltf::stored_influences(bytes, None, &Options::default(), vertex).map_err(|error| error.to_string())
    }

    /// Two vertices: a set of bytes with normalised weights, and a set of floats with the number 2.
    fn file() -> Value {
        let mut bytes: Vec<u8> = Vec::new();
        bytes.extend([0; 24]);
        bytes.extend([0, 1, 2, 3, 4, 5, 6, 7]);
        bytes.extend([255, 0, 51, 0, 0, 0, 102, 0]);
        bytes.extend([9, 8, 7, 6, 5, 4, 3, 2]);
        for weight in [0.0, 0.0, 0.0, 0.0, f32::NAN, -1.0, 0.5, 2.0] {
            bytes.extend(weight.to_le_bytes());
        }
        let view =
            |offset: usize, length: usize| json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
        let accessor = |view: usize, code: usize, kind: &str| {
            let normalized = view == 2;
            json!({"bufferView": view, "componentType": code, "type": kind, "count": 2, "normalized": normalized})
        };
        json!({
            "asset": {"version": "2.0"},
            "meshes": [{"primitives": [{}, {"attributes":
                {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2, "JOINTS_1": 1, "JOINTS_2": 3, "WEIGHTS_2": 4}}]}],
            "accessors": [accessor(0, 5126, "VEC3"), accessor(1, 5121, "VEC4"), accessor(2, 5121, "VEC4"),
                accessor(3, 5121, "VEC4"), accessor(4, 5126, "VEC4")],
            "bufferViews": [view(0, 24), view(24, 8), view(32, 8), view(40, 8), view(48, 32)],
            "buffers": [{"byteLength": bytes.len(),
                "uri": format!("data:;base64,{}", STANDARD.encode(bytes))}],
        })
    }

    #[test]
    fn whole_sets_come_as_they_are() {
        let bytes = file().to_string();
        let first = stored(bytes.as_bytes(), [0, 1, 0]).unwrap();
        assert_eq!(
            first,
            [
                StoredSet { number: 0, joints: [0, 1, 2, 3], weights: [1.0, 0.0, 0.2, 0.0] },
                StoredSet { number: 2, joints: [9, 8, 7, 6], weights: [0.0; 4] },
            ]
        );
        let second = stored(bytes.as_bytes(), [0, 1, 1]).unwrap();
        assert_eq!((second[0].joints, second[0].weights), ([4, 5, 6, 7], [0.0, 0.0, 0.4, 0.0]));
        assert!(second[1].weights[0].is_nan());
        assert_eq!(second[1].weights[1..], [-1.0, 0.5, 2.0]);
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let bytes = file().to_string();
        let error = |place| stored(bytes.as_bytes(), place).unwrap_err();
        assert_eq!(error([1, 0, 0]), "meshes: there is no mesh 1 (the file has 1)");
        assert_eq!(error([0, 2, 0]), "meshes[0].primitives: there is no primitive 2 (the file has 2)");
        assert_eq!(error([0, 0, 0]), "meshes[0].primitives[0]: there is no vertex 0 (the file has 0)");
        assert_eq!(error([0, 1, 2]), "meshes[0].primitives[1]: there is no vertex 2 (the file has 2)");
        assert!(stored(b"{", [0; 3]).is_err());
        for place in [[usize::MAX, 0, 0], [0, usize::MAX, 0], [0, 1, usize::MAX]] {
            assert!(stored(bytes.as_bytes(), place).is_err());
        }
    }

    /// Writing stores the influences of the model, so the stored influences are those in use.
    #[test]
    fn a_built_in_model_stores_what_it_uses() {
        for name in ["twist", "strip", "tube-5", "character"] {
            let bytes = builtin::glb(name).unwrap();
            let model = gltf::load_bytes(&bytes, None).unwrap();
            let primitive = &model.meshes[0].primitives[0];
            let span = &primitive.influences.as_ref().unwrap().spans[0];
            for vertex in [0, primitive.positions.len() / 2, primitive.positions.len() - 1] {
                let sets = stored(&bytes, [0, primitive.file_index, vertex]).unwrap();
                let slots = sets.iter().flat_map(|set| set.joints.into_iter().zip(set.weights));
                let mut slots: Vec<_> = slots.filter(|(_, weight)| *weight > 0.0).collect();
                slots.sort_by(|a, b| b.1.total_cmp(&a.1));
                assert_eq!(i32::from(slots[0].0), span.joints[vertex][0], "{name} {vertex}");
                assert!((slots[0].1 - span.weights[vertex][0]).abs() < 1e-6, "{name} {vertex}");
            }
        }
    }

    /// A compressed primitive and its loaded model agree.
    #[test]
    fn compressed_primitives_are_decoded() {
        let cases: Vec<Value> = serde_json::from_str(include_str!("../../../tests/data/draco.json")).unwrap();
        let stream = STANDARD.decode(cases[0]["stream"].as_str().unwrap()).unwrap();
        let attributes = json!({"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3});
        let accessor = |code: usize, kind: &str| json!({"componentType": code, "type": kind, "count": 30});
        let file = json!({
            "asset": {"version": "2.0"},
            "extensionsRequired": ["KHR_draco_mesh_compression"],
            "nodes": [{"mesh": 0, "skin": 0}, {}],
            "skins": [{"joints": [0, 1]}],
            "meshes": [{"primitives": [{"attributes": attributes, "indices": 4, "extensions":
                {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": attributes}}}]}],
            "accessors": [accessor(5126, "VEC3"), accessor(5126, "VEC3"), accessor(5121, "VEC4"),
                accessor(5126, "VEC4"), json!({"componentType": 5123, "type": "SCALAR", "count": 120})],
            "bufferViews": [{"buffer": 0, "byteLength": stream.len()}],
            "buffers": [{"byteLength": stream.len(),
                "uri": format!("data:;base64,{}", STANDARD.encode(&stream))}],
        });
        let bytes = file.to_string();
        let model = gltf::load_bytes(bytes.as_bytes(), None).unwrap();
        let span = &model.meshes[0].primitives[0].influences.as_ref().unwrap().spans[0];
        for vertex in 0..model.meshes[0].primitives[0].positions.len() {
            let sets = stored(bytes.as_bytes(), [0, 0, vertex]).unwrap();
            let (slot, _) = (0..4)
                .map(|slot| (slot, sets[0].weights[slot]))
                .fold((0, 0.0), |best, found| if found.1 > best.1 { found } else { best });
            assert_eq!(i32::from(sets[0].joints[slot]), span.joints[vertex][0], "{vertex}");
        }
    }
}
