//! The parts of a model that stay the same in every frame: triangles, joints and weights.

use std::collections::HashMap;

use serde::Serialize;
use sinew_model::{Model, Topology, VertexIndex, VertexName};
use sinew_skinning::skin_of;

use super::bytes::{Bytes, rounded};
use crate::measure::joint_name;

/// The number of influences of a vertex that the page names.
const INFLUENCES: usize = 4;

/// The number of no joint.
const NO_JOINT: u16 = u16::MAX;

/// The steps of normals that are the same corner of a smooth surface, for each unit.
const NORMAL_STEPS: f32 = 32.0;

/// A model's mesh.
#[derive(Serialize)]
pub struct Mesh {
    vertices: usize,
    /// The number of triangles, and their place.
    triangles: [usize; 2],
    /// For each vertex, the first one that shares its place and normal.
    twins: usize,
    /// The joints of each vertex, and their weights.
    influences: [usize; 2],
    joints: Vec<String>,
    /// The parent of each joint among the joints.
    parents: Vec<Option<usize>>,
    primitives: Vec<Part>,
    #[serde(skip)]
    pub joint_nodes: Vec<usize>,
    #[serde(skip)]
    numbers: HashMap<(usize, usize), usize>,
}

/// A primitive as an instance draws it.
#[derive(Serialize)]
struct Part {
    /// The name of its first vertex up to the last colon.
    name: String,
    first: usize,
    /// The place of the file's numbers of its vertices, if they differ from their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<usize>,
}

impl Mesh {
    /// Reads a model, and packs its numbers.
    pub fn new(model: &Model, bytes: &mut Bytes) -> Self {
        let mut joint_nodes: Vec<usize> = model.skins.iter().flat_map(|skin| &skin.joints).copied().collect();
        joint_nodes.sort_unstable();
        joint_nodes.dedup();
        let number = |node: usize| joint_nodes.binary_search(&node).ok();
        let parent = |&node: &usize| {
            // A joint may hang on nodes that are none.
            let up = |node: &usize| Some((*model.rig.parents.get(*node)?)? as usize);
            std::iter::successors(up(&node), up).find_map(number)
        };
        let parents = joint_nodes.iter().map(parent).collect();
        let joints = joint_nodes.iter().map(|node| joint_name(model, *node)).collect();
        let mut of_all = Streams::default();
        let (mut primitives, mut numbers) = (Vec::new(), HashMap::new());
        for (at, instance) in model.instances.iter().enumerate() {
            let drawn = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
            for (number_of, primitive) in drawn.iter().enumerate() {
                let first = of_all.twins.len();
                let name =
                    VertexName::of(model, VertexIndex { instance: at, primitive: number_of, vertex: 0 });
                let name = name.primitive.to_string();
                let own = primitive.control_points.as_ref().map(|points| bytes.words(points));
                primitives.push(Part { name, first, numbers: own });
                numbers.insert((at, number_of), first);
                if primitive.topology == Topology::Triangles {
                    let shifted = primitive.indices.iter().map(|index| of_all.shifted(first, *index));
                    of_all.triangles.extend(shifted.collect::<Vec<u32>>());
                }
                let skin = skin_of(model, instance, primitive.influences.is_some());
                let influences = primitive.influences.as_ref().zip(skin);
                for (vertex, position) in primitive.positions.iter().enumerate() {
                    let normal = primitive.normals.as_ref().and_then(|normals| normals.get(vertex));
                    of_all.twin(at, position, normal);
                    let slots = influences.map(|(influences, skin)| {
                        let (joints, weights) = influences.of_vertex(0, vertex);
                        let joint = |joint: i32| skin.joints.get(usize::try_from(joint).ok()?).copied();
                        (joints.map(|slot| joint(slot).and_then(number)), weights)
                    });
                    of_all.influence(slots.unwrap_or_default());
                }
            }
        }
        Self {
            vertices: of_all.twins.len(),
            triangles: [of_all.triangles.len() / 3, bytes.words(&of_all.triangles)],
            twins: bytes.words(&of_all.twins),
            influences: [bytes.halves(&of_all.joints), bytes.halves(&of_all.weights)],
            joints,
            parents,
            primitives,
            joint_nodes,
            numbers,
        }
    }

    /// The number of places in a frame: vertices, and then joints.
    pub fn places(&self) -> usize {
        self.vertices + self.joint_nodes.len()
    }

    /// The number of a vertex.
    pub fn number(&self, index: VertexIndex) -> Option<usize> {
        self.numbers.get(&(index.instance, index.primitive))?.checked_add(index.vertex)
    }
}

/// Streams of all vertices.
#[derive(Default)]
struct Streams {
    triangles: Vec<u32>,
    twins: Vec<u32>,
    joints: Vec<u16>,
    weights: Vec<u16>,
    corners: HashMap<(usize, [u32; 3], [i32; 3]), u32>,
}

impl Streams {
    fn shifted(&self, first: usize, index: u32) -> u32 {
        u32::try_from(first).unwrap_or(u32::MAX).saturating_add(index)
    }

    fn twin(&mut self, instance: usize, position: &[f32; 3], normal: Option<&[f32; 3]>) {
        let own = u32::try_from(self.twins.len()).unwrap_or(u32::MAX);
        // Negative zero is zero.
        let place = position.map(|part| (part + 0.0).to_bits());
        let normal = normal.map_or([0; 3], |normal| normal.map(|part| (part * NORMAL_STEPS).round() as i32));
        self.twins.push(*self.corners.entry((instance, place, normal)).or_insert(own));
    }

    fn influence(&mut self, (joints, weights): ([Option<usize>; INFLUENCES], [f32; INFLUENCES])) {
        let joints =
            joints.map(|joint| joint.and_then(|joint| u16::try_from(joint).ok()).unwrap_or(NO_JOINT));
        self.joints.extend(joints);
        self.weights.extend(weights.map(|weight| rounded(f64::from(weight) * f64::from(u16::MAX))));
    }
}
