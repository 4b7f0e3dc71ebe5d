//! Compares two files in the same mode over the frames of a motion: before and after a new export.

use glam::DVec3;
use sinew_model::{Model, VertexIndex};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::surfaces::{Scratch, Surfaces};

use super::batches::{Frame, Measured, in_order};
use super::distance::{Distance, Sum};
use super::modes::at;
use sinew_skinning::pairing::{Pair, Pairing};

/// Two files in one motion.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// The models, old and new.
    pub models: [&'a Model; 2],
    /// Each model prepared for the reference.
    pub surfaces: [&'a Surfaces; 2],
    /// The motion of each.
    pub motions: [&'a PoseChoice; 2],
    /// The pairs of their vertices.
    pub pairing: &'a Pairing,
    /// The mode of the new model; `None` for that of the old one.
    pub new_mode: Option<SkinningMode>,
}

/// Measures the distance of each old vertex from its match on the new model, at the given times and in these modes. Passes
/// on each frame, in order.
pub fn compare_files<E>(
    files: Files,
    modes: &[SkinningMode],
    times: &[f64],
    each: impl FnMut(Frame) -> Result<(), E>,
) -> Result<(), E> {
    in_order(
        files.models[0],
        (times, 2 * modes.len()),
        |worker: &mut Worker, time| worker.measure(files, modes, time),
        each,
    )
}

/// Memory for one frame.
#[derive(Default)]
struct Worker {
    poses: [Pose; 2],
    scratch: Scratch,
    /// Each model in each mode.
    skinned: [Vec<Vec<SkinnedPrimitive<f64>>>; 2],
    distances: Vec<f64>,
}

impl Worker {
    fn measure(&mut self, files: Files, modes: &[SkinningMode], time: f64) -> Vec<Measured> {
        for side in [0, 1] {
            let (model, pose, skinned) = (files.models[side], &mut self.poses[side], &mut self.skinned[side]);
            pose.set(model, &at(files.motions[side], time));
            let others = files.new_mode.filter(|_| side == 1).map(|mode| vec![mode; modes.len()]);
            let modes = others.as_deref().unwrap_or(modes);
            files.surfaces[side].skin(model, modes, pose, &mut self.scratch, skinned);
        }
        let [old, new] = &self.skinned;
        let measured = modes.iter().zip(old.iter().zip(new)).map(|(&mode, (old, new))| Measured {
            mode,
            distance: apart(&files.pairing.pairs, old, new, &mut self.distances),
            normals: None,
        });
        measured.collect()
    }
}

fn apart(
    pairs: &[Pair],
    old: &[SkinnedPrimitive<f64>],
    new: &[SkinnedPrimitive<f64>],
    distances: &mut Vec<f64>,
) -> Distance {
    let mut sum = Sum::new(distances);
    for pair in pairs {
        let (Some(old), Some(new)) = (old.get(pair.old), new.get(pair.new)) else { continue };
        for &(vertex, spot) in &pair.spots {
            let vertex = vertex as usize;
            let Some(&position) = old.positions.get(vertex) else { continue };
            let Some(place) = spot.on(&new.positions) else { continue };
            let index = VertexIndex { instance: old.instance, primitive: old.primitive, vertex };
            let normals = old.normals.as_ref().zip(new.normals.as_ref()).and_then(|(normals, others)| {
                let other = spot.on(others)?.normalize_or_zero();
                Some([DVec3::from_array(*normals.get(vertex)?), other])
            });
            sum.add(index, [DVec3::from_array(position), place], normals);
        }
    }
    sum.finish()
}
