//! Meshes as streams of vertex data, in the file's own vertex order.

use super::morph::Morphs;

/// A list of primitives.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Name; empty if the file gives none.
    pub name: String,
    /// The parts of the mesh, each with one material.
    pub primitives: Vec<Primitive>,
    /// A name for each morph target, empty if the file gives none; as many as there are targets.
    pub target_names: Vec<String>,
}

/// Vertices, their topology, and one material.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// Index in the file's mesh, which may differ because primitives that draw nothing are left out.
    pub file_index: usize,
    /// Topology of the indices; strips, fans and loops become lists at load.
    pub topology: Topology,
    /// Vertex indices, all below the vertex count.
    pub indices: Vec<u32>,
    /// Bind-space positions.
    pub positions: Vec<[f32; 3]>,
    /// Bind-space normals.
    pub normals: Option<Vec<[f32; 3]>>,
    /// Bind-space tangents, with the handedness in the fourth component.
    pub tangents: Option<Vec<[f32; 4]>>,
    /// Texture coordinate sets.
    pub texcoords: Vec<Vec<[f32; 2]>>,
    /// Linear vertex colours with alpha.
    pub colors: Option<Vec<[f32; 4]>>,
    /// Joints and weights; `None` if the primitive has none.
    pub influences: Option<Influences>,
    /// Vertices whose stored weights do not sum to one, with their sums, in order.
    pub unequal_sums: Vec<(u32, f32)>,
    /// Vertices whose first slot in the file names another joint than the heaviest, with that joint, in order.
    pub first_joints: Vec<(u32, u16)>,
    /// Morph targets, which add to the streams above; `None` if they move nothing.
    pub morphs: Option<Morphs>,
    /// Index into the model's materials.
    pub material: Option<usize>,
    /// Share of dual quaternions per vertex, from 0 to 1, if the skin blends both methods; `None` if the file has no
    /// shares.
    pub shares: Option<Vec<f32>>,
    /// The grids that the file stores its numbers on.
    pub steps: Steps,
    /// The number of the file's control point that each vertex is at a corner of; `None` where vertices are the file's own.
    pub control_points: Option<Vec<u32>>,
}

/// Distances of neighbouring values that a file can store; `None` where it stores floats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steps {
    /// Of positions, in bind space.
    pub positions: Option<f32>,
    /// Of weights.
    pub weights: Option<f32>,
}

/// Topology of a primitive's indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Topology {
    /// Three indices per triangle.
    #[default]
    Triangles,
    /// Two indices per line.
    Lines,
    /// One index per point.
    Points,
}

/// Joints and weights of a primitive's vertices, four to a span.
///
/// Prepared at load: sorted by weight, largest first (ties: the file's lower slot first). Weights are multiples of 2⁻²⁴
/// and sum to exactly one, so partial sums in `f32` are exact and the bind pose is the stored mesh to the bit. Unused
/// slots repeat the last used joint with weight 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// One to four spans, each with an entry per vertex. Without spans, all vertices follow the palette's first slot.
    pub spans: Vec<Span>,
}

impl Influences {
    /// The influences of some vertices, in any order and with repetitions.
    pub fn pick(&self, vertices: &[u32]) -> Self {
        let span = |span: &Span| {
            let joints = |vertex: &u32| span.joints.get(*vertex as usize).copied().unwrap_or([-1; 4]);
            let weights = |vertex: &u32| span.weights.get(*vertex as usize).copied().unwrap_or_default();
            Span {
                joints: vertices.iter().map(joints).collect(),
                weights: vertices.iter().map(weights).collect(),
            }
        };
        Self { spans: self.spans.iter().map(span).collect() }
    }

    /// Joints and weights of a vertex in a span. A span that is too short for the vertex gives no joint; in the first
    /// span "no joint" then has all the weight, so the vertex stays where the bind pose has it.
    pub fn of_vertex(&self, span: usize, vertex: usize) -> ([i32; 4], [f32; 4]) {
        let row = self
            .spans
            .get(span)
            .and_then(|span| Some((*span.joints.get(vertex)?, *span.weights.get(vertex)?)));
        row.unwrap_or(([-1; 4], [if span == 0 { 1.0 } else { 0.0 }, 0.0, 0.0, 0.0]))
    }
}

/// Four influences per vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    /// Joint indices within the skin. −1 is "no joint", whose transform is the identity: a vertex with only −1 stays
    /// where the bind pose has it. An index beyond the skin counts as −1; no file has one.
    pub joints: Vec<[i32; 4]>,
    /// Weights in the joints' order.
    pub weights: Vec<[f32; 4]>,
}
