//! Meshes as spans of vertex data, in the file's own vertex order. They must not know how a
//! processor wants them laid out.

use super::morph::Morphs;

/// A named list of primitives.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Name; empty where the file gives none.
    pub name: String,
    /// The parts of the mesh, one material each.
    pub primitives: Vec<Primitive>,
    /// A name for each morph target; empty where the file gives none. As many as there are targets.
    pub target_names: Vec<String>,
}

/// Vertices, how they connect, and one material.
#[derive(Clone, Debug, Default)]
pub struct Primitive {
    /// Which primitive of the mesh it is in the file: those that draw nothing are left out.
    pub file_index: usize,
    /// What the indices list: strips, fans and loops are turned into lists at load.
    pub topology: Topology,
    /// Vertex numbers, all below the vertex count.
    pub indices: Vec<u32>,
    /// Bind-space positions.
    pub positions: Vec<[f32; 3]>,
    /// Bind-space normals.
    pub normals: Option<Vec<[f32; 3]>>,
    /// Bind-space tangents, handedness in the fourth component.
    pub tangents: Option<Vec<[f32; 4]>>,
    /// Texture coordinate sets.
    pub texcoords: Vec<Vec<[f32; 2]>>,
    /// Linear vertex colours with alpha.
    pub colors: Option<Vec<[f32; 4]>>,
    /// Joints and weights; `None` for a primitive without them.
    pub influences: Option<Influences>,
    /// What the weights of vertices sum to as they are stored, where that is not one; by rising vertex.
    pub unequal_sums: Vec<(u32, f32)>,
    /// What morph targets add to the streams above; `None` where they move nothing.
    pub morphs: Option<Morphs>,
    /// Index into the model's materials.
    pub material: Option<usize>,
}

/// What a primitive's indices list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Topology {
    /// Three indices a triangle.
    #[default]
    Triangles,
    /// Two indices a line.
    Lines,
    /// One index a point.
    Points,
}

/// Joints and weights of a primitive's vertices, four to a span.
///
/// Prepared at load: sorted by weight, largest first (ties: the file's lower slot first); weights
/// are multiples of 2⁻²⁴ and sum to exactly one, so that partial sums in `f32` are exact and the
/// bind pose is the stored mesh to the bit; unused slots repeat the last used joint with weight 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Influences {
    /// One to four spans, each as long as the primitive has vertices. Without any, all vertices follow the
    /// palette's first slot.
    pub spans: Vec<Span>,
}

impl Influences {
    /// Joints and weights of a vertex in a span. Where the span is too short for the vertex there is no joint; in
    /// the first span "no joint" then has all the weight, so that the vertex stays where the bind pose has it.
    pub fn of_vertex(&self, span: usize, vertex: usize) -> ([i32; 4], [f32; 4]) {
        let row = self
            .spans
            .get(span)
            .and_then(|span| Some((*span.joints.get(vertex)?, *span.weights.get(vertex)?)));
        row.unwrap_or(([-1; 4], [if span == 0 { 1.0 } else { 0.0 }, 0.0, 0.0, 0.0]))
    }
}

/// Four influences for every vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    /// Joint numbers within the skin. −1 is "no joint", whose transform is the identity: a vertex of −1 alone
    /// stays where the bind pose has it. A number that the skin does not have counts as −1; no file has one.
    pub joints: Vec<[i32; 4]>,
    /// Weights in the joints' order.
    pub weights: Vec<[f32; 4]>,
}
