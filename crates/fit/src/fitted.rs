//! The fit of a model: poses of its clips, the helpers, and the model with them.

use std::ops::Range;

use sinew_model::Model;
use sinew_skinning::pose::PoseChoice;

use crate::apply::Apply;
use crate::errors::{JointErrors, by_joint};
use crate::fit::{Goal, fit};
use crate::sample::Layout;
use crate::target::Wanted;
use crate::whole;

/// A model with helpers.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The model: the original's nodes, skins and clips, then the helpers.
    pub model: Model,
    /// The nodes of the helpers.
    pub helpers: Range<usize>,
    /// The root of the mean squared distance of each helper's vertices from its place.
    pub radii: Vec<f64>,
    /// The distances joint by joint, in the fitted poses; the joint with the largest before comes first.
    pub joints: Vec<JointErrors>,
    /// The number of vertices, welded, whose weights changed, and of all that joints move.
    pub changed: [usize; 2],
    /// The poses of the fit: the clip and the time. One in five was kept out of clips of at least ten, unless a distance is to be
    /// kept.
    pub poses: Vec<(usize, f64)>,
}

/// A model without anything to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// No joint moves a vertex.
    #[error("it has no skin, so there is nothing to fit")]
    NoSkin,
    /// No pose differs from the bind pose.
    #[error("it has no clip, and helpers move in clips alone")]
    NoClip,
    /// Copies of nodes come last in a rig.
    #[error("it has instances of nodes, which helpers cannot follow; 'sinew convert' writes them as nodes")]
    Instances,
    /// The fit was stopped.
    #[error("stopped")]
    Stopped,
}

/// The most poses of a fit.
const MAX_POSES: usize = 120;

/// Every Nth pose is kept out of the fit, in clips of at least so many.
const KEPT_OUT: usize = 5;
const MIN_POSES: usize = 10;

/// Fits helpers to a model. `progress` gets the number of helpers so far, and returns false to stop.
///
/// # Errors
/// If there is nothing to fit, or the fit was stopped.
pub fn fit_model(
    model: &Model,
    wanted: &Wanted,
    mut progress: impl FnMut(usize) -> bool,
) -> Result<Fitted, FitError> {
    let layout = Layout::new(model);
    if layout.parts.is_empty() {
        return Err(FitError::NoSkin);
    }
    if !model.rig.copies.is_empty() {
        return Err(FitError::Instances);
    }
    let most = layout.poses_at_once().clamp(2, MAX_POSES);
    let moments = wanted.clips.iter().map(|clip| (*clip, wanted.target.times(model, *clip, wanted.rate)));
    let keeps_out = matches!(wanted.goal, Goal::Helpers(_));
    let poses = poses(&moments.collect::<Vec<_>>(), most, keeps_out);
    if poses.is_empty() {
        return Err(FitError::NoClip);
    }
    let choices: Vec<PoseChoice> = poses.iter().map(|(clip, time)| PoseChoice::clip(*clip, *time)).collect();
    let problem = layout.sample(model, &wanted.target, &choices);
    let step = |helpers| if progress(helpers) { Ok(()) } else { Err(FitError::Stopped) };
    let mut fit = fit(&problem, wanted.goal, wanted.max_influences, step)?;
    let parents = wanted.is_whole.then(|| whole::order(&problem, &mut fit));
    let own = problem.points.iter().map(|point| &point.influences);
    let changed = own.zip(&fit.influences).filter(|(own, made)| own != made).count();
    let first = model.rig.len();
    let helpers = first..first + fit.helpers.len();
    let node = |joint: usize| {
        let (skin, joint) = layout.joint(joint)?;
        model.skins.get(skin)?.joints.get(joint).copied()
    };
    let joints = by_joint(&problem, &fit, node);
    let apply = Apply { model, wanted, layout: &layout, problem: &problem, fit: &fit, parents };
    let (model, radii) = apply.model();
    Ok(Fitted { model, helpers, radii, joints, changed: [changed, layout.points.len()], poses })
}

/// Spreads poses over clips: half of them alike, the others by the number of moments; all if there is room, except those that are
/// kept out.
fn poses(moments: &[(usize, Vec<f64>)], most: usize, keeps_out: bool) -> Vec<(usize, f64)> {
    // A clip has at least two poses, so not all clips may have room.
    let step = (2 * moments.len()).div_ceil(most).max(1);
    let moments: Vec<_> = moments.iter().step_by(step).collect();
    let alike = (most / 2 / moments.len().max(1)).max(2);
    let first = |times: &[f64]| times.len().min(alike);
    let all: usize = moments.iter().map(|(_, times)| times.len()).sum();
    let taken: usize = moments.iter().map(|(_, times)| first(times)).sum();
    let share = (most.saturating_sub(taken) as f64 / all.saturating_sub(taken).max(1) as f64).min(1.0);
    let of_clip = |(clip, times): &&(usize, Vec<f64>)| {
        let more = ((times.len() - first(times)) as f64 * share) as usize;
        let (count, last) = (first(times) + more, times.len().saturating_sub(1));
        let is_in = |pose: &usize| !keeps_out || count < MIN_POSES || pose % KEPT_OUT != KEPT_OUT / 2;
        let at = |pose: usize| times[pose * last / count.saturating_sub(1).max(1)];
        (0..count).filter(is_in).map(|pose| (*clip, at(pose))).collect::<Vec<_>>()
    };
    moments.iter().flat_map(of_clip).collect()
}
