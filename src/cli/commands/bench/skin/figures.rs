//! A model's primitives as workloads, and the palettes of all its figures.

use crate::model::{DdmRows, Instance, Model, Primitive};
use crate::render::kernels::Workload;
use crate::scene::{Crowd, Scene};
use crate::skinning::pose::PoseChoice;
use crate::skinning::posed::Skinner;
use crate::skinning::twin::Vertices;
use crate::skinning::{SkinningMode, Slot, centers, skin_of};
use glam::DVec3;
use std::sync::Arc;

use super::print::Subject;
use crate::cli::terminal::failure::Failure;

/// The figures of a scene. Morph targets are left out.
pub struct Figures<'a> {
    model: &'a Model,
    scene: &'a Scene,
    /// The time of each figure's clips.
    times: Vec<f64>,
    parts: Vec<Part<'a>>,
}

/// A primitive of an instance.
struct Part<'a> {
    instance: usize,
    primitive: &'a Primitive,
    is_skinned: bool,
    /// Shares of *blend*; empty if they are all 1.
    shares: Vec<f32>,
    centers: Option<&'a [[f32; 3]]>,
    /// The terms of its mesh, if they are known, and its number there.
    ddm: Option<(Arc<DdmRows>, usize)>,
    /// The joints of its skin; its node alone if it has none.
    joints: Vec<u32>,
}

impl<'a> Figures<'a> {
    /// Lists the primitives that the model draws, and the times of a crowd's figures or of one figure.
    pub fn new(model: &'a Model, scene: &'a Scene, crowd: Option<u32>) -> Self {
        let crowd = Crowd { count: crowd.unwrap_or(1), seed: 0 };
        // Its size has no effect on times.
        let grid = crowd.grid(DVec3::ONE);
        let (start, period) = (time_of(scene), scene.period(model));
        let times = (0..crowd.count).map(|number| crowd.member(number, &grid, start, period).time_secs);
        let mut figures = Self { model, scene, times: times.collect(), parts: Vec::new() };
        let mut skinner = Skinner::default();
        skinner.set_pose(model, &scene.pose, start, scene.inject);
        for (number, instance) in model.instances.iter().enumerate() {
            let mesh = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
            for (place, primitive) in mesh.iter().enumerate().filter(|(_, part)| !part.positions.is_empty()) {
                figures.parts.push(part(model, &skinner, (number, instance), (place, primitive)));
            }
        }
        figures
    }

    /// Refuses a model that draws nothing.
    pub fn check(&self, shown: &str) -> Result<(), Failure> {
        let cause = || "it draws nothing, so there is nothing to skin".to_owned();
        match self.parts.is_empty() {
            true => Err(Failure::Input { file: shown.to_owned(), cause: cause() }),
            false => Ok(()),
        }
    }

    /// Returns what the rows are about.
    pub fn subject(&self) -> Subject {
        let spans = |part: &Part| match part.is_skinned {
            true => part.primitive.influences.as_ref().map_or(0, |influences| influences.spans.len()),
            false => 0,
        };
        let influences = self.parts.iter().map(spans).max().unwrap_or(0) * 4;
        Subject { figures: self.times.len() as u32, influences: influences.max(1) as u32, order: None }
    }

    /// Returns the primitives' vertices.
    pub fn workloads(&self) -> Vec<Workload<'_>> {
        self.parts.iter().map(Part::workload).collect()
    }

    /// Returns the slots of each primitive, those of all figures in a row.
    pub fn palettes(&self, mode: SkinningMode) -> Vec<Vec<Slot>> {
        let mut palettes = vec![Vec::new(); self.parts.len()];
        let mut skinner = Skinner::default();
        for &time_secs in &self.times {
            skinner.set_pose(self.model, &self.scene.pose, time_secs, self.scene.inject);
            for (part, palette) in self.parts.iter().zip(&mut palettes) {
                let (used, slots) =
                    skinner.slots(self.model, part.instance, part.is_skinned, mode, &part.joints);
                let slot = |joint: &u32| slots.get(*joint as usize).copied().unwrap_or(*used.no_joint());
                palette.extend(part.joints.iter().map(slot));
            }
        }
        palettes
    }
}

impl Part<'_> {
    fn workload(&self) -> Workload<'_> {
        let vertices = Vertices::of(self.primitive);
        let vertices = Vertices {
            influences: vertices.influences.filter(|_| self.is_skinned),
            shares: (!self.shares.is_empty()).then_some(&self.shares),
            // A vertex without a centre is its own.
            centers: self.centers.or(self.is_skinned.then_some(vertices.positions)),
            ddm: self.ddm.as_ref().map(|(rows, number)| (&**rows, *number)),
            ..vertices
        };
        Workload { vertices, slots: self.joints.len() as u32 }
    }
}

fn part<'a>(
    model: &'a Model,
    skinner: &Skinner,
    (number, instance): (usize, &Instance),
    (place, primitive): (usize, &'a Primitive),
) -> Part<'a> {
    let skin = skin_of(model, instance, primitive.influences.is_some());
    let mut shares = Vec::new();
    if let Some(skin) = skin {
        skinner.pose().skins.shares.of_vertices_into(skin, primitive, &mut shares);
    }
    let known = instance.skin.filter(|_| skin.is_some() && model.centers.get().is_some());
    let centers = known.and_then(|skin| centers::of(model, skin, instance.mesh, place));
    let ddm = skin.and_then(|_| model.ddm.get(instance.mesh)).map(|rows| (rows, place));
    let joints = skin.map_or(1, |skin| skin.joints.len().max(1)) as u32;
    Part {
        instance: number,
        primitive,
        is_skinned: skin.is_some(),
        shares,
        centers,
        ddm,
        joints: (0..joints).collect(),
    }
}

/// Returns the time of the scene's clips.
fn time_of(scene: &Scene) -> f64 {
    match &scene.pose {
        PoseChoice::Clips(mix) => mix.time_secs,
        PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => 0.0,
    }
}
