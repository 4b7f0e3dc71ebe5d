//! The model as a list of drawn vertices with their influences.

use glam::DVec3;
use sinew_model::{Instance, Model, Primitive, Skin, VertexIndex};
use sinew_skinning::{Drawn, skin_of};

/// The drawn vertices of a model, primitive after primitive.
pub(super) struct Subject<'a> {
    pub(super) model: &'a Model,
    pub(super) parts: Vec<Part<'a>>,
    /// The number of vertices.
    pub(super) len: usize,
}

/// A primitive of an instance.
pub(super) struct Part<'a> {
    pub(super) number: usize,
    pub(super) instance: &'a Instance,
    pub(super) in_mesh: usize,
    pub(super) primitive: &'a Primitive,
    /// The skin that moves it; `None` for a primitive that moves with its node.
    pub(super) skin: Option<&'a Skin>,
    /// Index of its first vertex among all.
    pub(super) first: usize,
    /// Influences vertex after vertex, without those of no weight, heaviest first.
    influences: Vec<(i32, f32)>,
    ends: Vec<u32>,
}

impl Part<'_> {
    /// Returns the influences of a vertex.
    pub(super) fn influences(&self, vertex: usize) -> &[(i32, f32)] {
        let end = |vertex: usize| self.ends.get(vertex).map_or(0, |end| *end as usize);
        self.influences.get(vertex.checked_sub(1).map_or(0, end)..end(vertex)).unwrap_or_default()
    }

    /// Returns the sum of a vertex's weights as the file stores them.
    pub(super) fn stored_sum(&self, vertex: usize) -> f64 {
        let sums = &self.primitive.unequal_sums;
        let at = sums.binary_search_by_key(&vertex, |(vertex, _)| *vertex as usize);
        at.ok().and_then(|at| sums.get(at)).map_or(1.0, |(_, sum)| f64::from(*sum))
    }

    /// Returns the joint in a vertex's first slot in the file.
    pub(super) fn first_joint(&self, vertex: usize) -> i32 {
        let joints = &self.primitive.first_joints;
        let at = joints.binary_search_by_key(&vertex, |(vertex, _)| *vertex as usize);
        let other = at.ok().and_then(|at| joints.get(at)).map(|(_, joint)| i32::from(*joint));
        other.or_else(|| Some(self.influences(vertex).first()?.0)).unwrap_or(-1)
    }

    pub(super) fn len(&self) -> usize {
        self.primitive.positions.len()
    }
}

impl<'a> Subject<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        let mut subject = Self { model, parts: Vec::new(), len: 0 };
        for (number, instance) in model.instances.iter().enumerate() {
            let Some(mesh) = model.meshes.get(instance.mesh) else { continue };
            for (in_mesh, primitive) in mesh.primitives.iter().enumerate() {
                let skin = skin_of(model, instance, primitive.influences.is_some());
                let (influences, ends) = influences(primitive, skin.is_some());
                let first = subject.len;
                subject.len += primitive.positions.len();
                subject.parts.push(Part {
                    number,
                    instance,
                    in_mesh,
                    primitive,
                    skin,
                    first,
                    influences,
                    ends,
                });
            }
        }
        subject
    }

    /// Returns the part of a vertex, and the vertex's index in it.
    pub(super) fn part_of(&self, vertex: usize) -> Option<(usize, &Part<'a>, usize)> {
        let number = self.parts.partition_point(|part| part.first <= vertex).checked_sub(1)?;
        let part = self.parts.get(number)?;
        let at = vertex - part.first;
        (at < part.len()).then_some((number, part, at))
    }

    /// Returns the place of a vertex in the model.
    pub(super) fn index(&self, vertex: usize) -> Option<VertexIndex> {
        let (_, part, vertex) = self.part_of(vertex)?;
        Some(VertexIndex { instance: part.number, primitive: part.in_mesh, vertex })
    }

    /// Returns the position of a vertex as the file stores it.
    pub(super) fn stored(&self, vertex: usize) -> DVec3 {
        let position = self.part_of(vertex).and_then(|(_, part, at)| part.primitive.positions.get(at));
        position.map_or(DVec3::ZERO, |position| DVec3::from(position.map(f64::from)))
    }

    /// Returns the diagonal of the drawn model at rest.
    pub(super) fn size(&self) -> f64 {
        let size = sinew_skinning::diagonal(self.model, &Drawn::new(self.model));
        if size.is_finite() && size > 0.0 { size } else { 1.0 }
    }
}

/// Lists a primitive's influences and where each vertex's end.
fn influences(primitive: &Primitive, is_skinned: bool) -> (Vec<(i32, f32)>, Vec<u32>) {
    let (mut all, mut ends) = (Vec::new(), Vec::new());
    let Some(influences) = primitive.influences.as_ref().filter(|_| is_skinned) else { return (all, ends) };
    for vertex in 0..primitive.positions.len() {
        for span in 0..influences.spans.len().max(1) {
            let (joints, weights) = influences.of_vertex(span, vertex);
            let used = joints.into_iter().zip(weights).enumerate();
            all.extend(used.filter(|(at, (_, w))| *w != 0.0 || span + at == 0).map(|(_, pair)| pair));
        }
        ends.push(u32::try_from(all.len()).unwrap_or(u32::MAX));
    }
    (all, ends)
}
