//! The overlays of a picture: skeleton, bounds, grid, legend, caption and onion skin, laid out as one sheet.

use std::sync::Arc;

use glam::DVec3;

use crate::model::gpu_model::GpuModel;
use sinew_model::{Model, VertexName};
use sinew_scene::camera::{Bounds, Camera};
use sinew_scene::lighting::Lighting;
use sinew_scene::overlay::{Caption, Letters, Overlays, Sheet, Subject};
use sinew_scene::scene::Scene;
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::reference_vertex;
use sinew_skinning::probe::Probe;

/// Inputs of a picture's overlays besides its scene.
pub struct Setting<'a> {
    /// Pose of the figure.
    pub pose: &'a Pose,
    /// The camera of the whole picture, even for a tile.
    pub camera: &'a Camera,
    /// Light of the picture, with the position of the ground.
    pub lighting: &'a Lighting,
    /// The caption of a pane, if there are several.
    pub caption: Option<&'a Caption>,
}

/// Lays out the overlays of a scene's picture.
pub fn lay_out(gpu: &mut GpuModel, scene: &Scene, setting: &Setting<'_>, letters: &mut Letters) -> Sheet {
    let Setting { pose, camera, lighting, caption } = *setting;
    // In a crowd, overlays do not describe single figures.
    let is_crowd = scene.crowd.is_some();
    let ghosts = if is_crowd { Arc::default() } else { gpu.figure.ghosts(scene) };
    let mut overlays = scene.overlays;
    if is_crowd {
        overlays = Overlays { grid: overlays.grid, ..Overlays::default() };
    }
    overlays.skeleton |= scene.view.has_skeleton();
    let bounds = if overlays.bounds { gpu.figure.bounds(scene.drawn(), &scene.pose, pose) } else { None };
    let fault = scene.inject.filter(|_| scene.legend);
    let is_located = fault.is_some() && !is_crowd;
    let faulty = if is_located { gpu.figure.skin(scene.drawn(), pose) } else { Vec::new() };
    let mut motion = Bounds::EMPTY;
    gpu.figure.hull_of_all(scene).iter().for_each(|&point| motion.add(point));
    let shown = scene.view.moving().filter(|_| scene.legend);
    let difference = shown.map(|difference| difference.legend(gpu.figure.diagonal(), scene.look.flat));
    let explained = scene.explained.filter(|_| !is_crowd).and_then(|name| name.find(&gpu.figure.model).ok());
    let probe = explained.and_then(|vertex| Probe::new(&gpu.figure.model, pose, vertex));
    let shows_joints =
        overlays.skeleton || overlays.gradients || probe.is_some() || scene.view.has_joint_colors();
    let joints = if shows_joints { gpu.figure.joint_colors() } else { Arc::default() };
    let colors = gpu.view_colors.as_ref().filter(|colors| scene.legend && colors.view == scene.view);
    let subject = Subject {
        model: &gpu.figure.model,
        pose,
        joints: &joints,
        camera,
        size: scene.size,
        dark_above: scene.background().dark_above(),
        ground: (lighting.ground, lighting.ground_radius),
        bounds,
        motion: motion.or_unit(),
        legend: colors.and_then(|colors| colors.legend(&gpu.figure.model, &joints)).or(difference.as_ref()),
        caption,
        fault: fault.map(|fault| (fault, faulty.as_slice())),
        explained: probe.as_ref().map(|probe| (probe, scene.mode)),
        marked: marked(scene, &gpu.figure.model, pose),
        centers: scene.view.has_centers(),
        chosen: scene.chosen_joint(&gpu.figure.model),
        ghosts: &ghosts,
    };
    subject.draw(overlays, letters)
}

/// Returns the position of the vertex that the scene marks, and its name.
fn marked(scene: &Scene, model: &Model, pose: &Pose) -> Option<(DVec3, String)> {
    let name = scene.marked.filter(|_| scene.crowd.is_none())?;
    let vertex = name.find(model).ok()?;
    Some((reference_vertex(model, scene.mode, pose, vertex)?, VertexName::of(model, vertex).to_string()))
}
