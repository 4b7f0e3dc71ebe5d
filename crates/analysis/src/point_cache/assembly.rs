//! The model that a point cache becomes, put together frame by frame.

use glam::DVec3;
use sinew_model::{Model, Moves, Primitive};
use sinew_skinning::MeshNormals;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::SkinnedPrimitive;

use crate::diagnose::Fit;
use crate::unskinned;
use crate::vertices::Given;

/// The matched primitives of a model, and their moves in the frames so far.
pub(super) struct Assembly<'a> {
    /// The model, still without morph targets.
    made: Model,
    /// One for each of its primitives.
    parts: Vec<Part<'a>>,
    pose: Pose,
    normals: MeshNormals,
}

struct Part<'a> {
    /// The indices of the instance in the model and of the primitive in its mesh.
    place: (usize, usize),
    primitive: &'a Primitive,
    /// The given vertex of each vertex.
    theirs: &'a [u32],
    positions: Vec<Moves<3>>,
    directions: Vec<Moves<3>>,
}

impl<'a> Assembly<'a> {
    /// Begins with the primitives that a fit matches, and room for this many frames.
    pub(super) fn new(model: &'a Model, fit: &'a Fit, frames: usize) -> Self {
        let names: Vec<String> = (0..frames).map(|frame| format!("frame {frame}")).collect();
        let (mut made, mut parts) = (unskinned::like(model), Vec::new());
        let mut matched = fit.parts.iter();
        for instance in &model.instances {
            let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
            let matched = primitives.iter().zip(matched.by_ref());
            let matched: Vec<_> =
                matched.filter_map(|(one, theirs)| Some((one, theirs.as_deref()?))).collect();
            if !matched.is_empty() {
                unskinned::begin(&mut made, model, instance, names.clone());
            }
            for (number, (primitive, theirs)) in matched.into_iter().enumerate() {
                unskinned::add(&mut made, primitive);
                let place = (made.instances.len().saturating_sub(1), number);
                parts.push(Part { place, primitive, theirs, positions: Vec::new(), directions: Vec::new() });
            }
        }
        let mut pose = Pose::default();
        pose.set(&made, &PoseChoice::Bind);
        Self { normals: MeshNormals::new(&made), made, parts, pose }
    }

    /// Adds a frame.
    pub(super) fn add(&mut self, given: &Given, fit: &Fit) {
        let positions = rows(given, |part| Some(&part.positions));
        let directions = given.parts.iter().all(|part| part.normals.is_some());
        let directions = directions.then(|| rows(given, |part| part.normals.as_ref()));
        let mut skinned: Vec<SkinnedPrimitive<f64>> = Vec::with_capacity(self.parts.len());
        for Part { place, primitive, theirs, .. } in &self.parts {
            let picked = |rows: &[DVec3], undo: &dyn Fn(DVec3) -> DVec3| {
                let of = |theirs: &u32| rows.get(*theirs as usize).map_or(DVec3::NAN, |row| undo(*row));
                theirs.iter().map(|theirs| of(theirs).to_array()).collect::<Vec<_>>()
            };
            let normals = primitive.normals.as_ref().map(|stored| match &directions {
                Some(given) => picked(given, &|row| fit.placement.undo_direction(row)),
                None => stored.iter().map(|normal| normal.map(f64::from)).collect(),
            });
            skinned.push(SkinnedPrimitive {
                instance: place.0,
                primitive: place.1,
                positions: picked(&positions, &|row| fit.placement.undo(row)),
                normals,
                tangents: None,
            });
        }
        if directions.is_none() {
            self.normals.apply(&self.made, &self.pose, &mut skinned);
        }
        for (part, skinned) in self.parts.iter_mut().zip(&skinned) {
            part.positions.push(moves(&part.primitive.positions, &skinned.positions));
            if let (Some(stored), Some(normals)) = (&part.primitive.normals, &skinned.normals) {
                part.directions.push(moves(stored, normals));
            }
        }
    }

    /// Returns the model, without clips.
    pub(super) fn finished(mut self) -> Model {
        let primitives = self.made.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
        for (primitive, part) in primitives.zip(self.parts) {
            unskinned::set_targets(primitive, &part.positions, &part.directions);
        }
        self.made
    }
}

/// Returns the rows of all parts.
fn rows(given: &Given, of: impl Fn(&crate::vertices::Part) -> Option<&Vec<[f64; 3]>>) -> Vec<DVec3> {
    given.parts.iter().filter_map(of).flatten().copied().map(DVec3::from).collect()
}

/// Returns the moves from stored rows to those of a frame.
fn moves(stored: &[[f32; 3]], to: &[[f64; 3]]) -> Moves<3> {
    let both = stored.iter().zip(to);
    let moved = both.map(|(from, to)| std::array::from_fn(|axis| (to[axis] - f64::from(from[axis])) as f32));
    (0..).zip(moved).collect()
}
