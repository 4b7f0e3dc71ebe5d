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
    parts: Vec<Part<'a>>,
    /// The matched primitives as stored.
    stored: Model,
    pose: Pose,
    normals: MeshNormals,
    names: Vec<String>,
}

struct Part<'a> {
    /// The index of the instance in the original.
    instance: usize,
    primitive: &'a Primitive,
    /// The given vertex of each vertex.
    theirs: &'a [u32],
    positions: Vec<Moves<3>>,
    directions: Vec<Moves<3>>,
}

impl<'a> Assembly<'a> {
    /// Begins with the primitives that a fit matches, and room for this many frames.
    pub(super) fn new(model: &'a Model, fit: &'a Fit, frames: usize) -> Self {
        let drawn = model.instances.iter().enumerate().flat_map(|(number, instance)| {
            let mesh = model.meshes.get(instance.mesh);
            mesh.into_iter().flat_map(|mesh| &mesh.primitives).map(move |primitive| (number, primitive))
        });
        let matched = drawn.zip(&fit.parts).filter_map(|((instance, primitive), theirs)| {
            let theirs = theirs.as_deref()?;
            Some(Part { instance, primitive, theirs, positions: Vec::new(), directions: Vec::new() })
        });
        let parts: Vec<Part> = matched.collect();
        let names: Vec<String> = (0..frames).map(|frame| format!("frame {frame}")).collect();
        let stored = assembled(model, &parts, &names);
        let mut pose = Pose::default();
        pose.set(&stored, &PoseChoice::Bind);
        Self { parts, normals: MeshNormals::new(&stored), stored, pose, names }
    }

    /// Adds a frame.
    pub(super) fn add(&mut self, given: &Given, fit: &Fit) {
        let positions: Vec<DVec3> = rows(given, |part| Some(&part.positions));
        let directions = given.parts.iter().all(|part| part.normals.is_some());
        let directions = directions.then(|| rows(given, |part| part.normals.as_ref()));
        let at =
            |theirs: &u32| positions.get(*theirs as usize).map_or(DVec3::NAN, |at| fit.placement.undo(*at));
        let mut skinned: Vec<SkinnedPrimitive<f64>> = Vec::new();
        let mut last = None;
        for part in &self.parts {
            let is_next = last.replace(part.instance) == Some(part.instance);
            let before = skinned.last().filter(|_| is_next).map(|before| (before.instance, before.primitive));
            let (instance, primitive) = match before {
                Some((instance, primitive)) => (instance, primitive.saturating_add(1)),
                None => (skinned.last().map_or(0, |before| before.instance.saturating_add(1)), 0),
            };
            let given = |directions: &Vec<DVec3>| {
                let of = |theirs: &u32| directions.get(*theirs as usize).copied().unwrap_or_default();
                part.theirs.iter().map(|theirs| fit.placement.undo_direction(of(theirs)).to_array()).collect()
            };
            let stored = part.primitive.normals.as_ref();
            let stored = stored.map(|all| all.iter().map(|normal| normal.map(f64::from)).collect());
            skinned.push(SkinnedPrimitive {
                instance,
                primitive,
                positions: part.theirs.iter().map(|theirs| at(theirs).to_array()).collect(),
                normals: stored.map(|stored| directions.as_ref().map_or(stored, given)),
                tangents: None,
            });
        }
        if directions.is_none() {
            self.normals.apply(&self.stored, &self.pose, &mut skinned);
        }
        for (part, skinned) in self.parts.iter_mut().zip(&skinned) {
            part.positions.push(moves(&part.primitive.positions, &skinned.positions));
            if let (Some(stored), Some(normals)) = (&part.primitive.normals, &skinned.normals) {
                part.directions.push(moves(stored, normals));
            }
        }
    }

    /// Returns the model, without clips.
    pub(super) fn finished(self, model: &Model) -> Model {
        assembled(model, &self.parts, &self.names)
    }
}

/// Makes a model of matched primitives with their moves so far.
fn assembled(model: &Model, parts: &[Part], names: &[String]) -> Model {
    let mut made = unskinned::like(model);
    let mut last = None;
    for part in parts {
        if last.replace(part.instance) != Some(part.instance)
            && let Some(instance) = model.instances.get(part.instance)
        {
            unskinned::begin(&mut made, model, instance, names.to_vec());
        }
        unskinned::add(&mut made, part.primitive, &part.positions, &part.directions);
    }
    made
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
