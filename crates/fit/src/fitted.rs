//! The fit of a model: poses of its clips, the helpers, and the model with them.

use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::PoseChoice;

use crate::apply::Apply;
use crate::fit::{Goal, fit};
use crate::sample::Layout;

/// A deformation that linear blending is to follow.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The mode that makes it.
    pub mode: SkinningMode,
    /// The end of the fit.
    pub goal: Goal,
    /// The most joints that a vertex follows.
    pub max_influences: usize,
    /// The clips whose poses count; helpers get keys in all clips.
    pub clips: Vec<usize>,
    /// The number of keys a second.
    pub rate: f64,
}

/// A model with helpers.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The model: the original's nodes, skins and clips, then the helpers.
    pub model: Model,
    /// The nodes of the helpers.
    pub helpers: std::ops::Range<usize>,
    /// The number of vertices, welded, whose weights changed, and of all that joints move.
    pub changed: [usize; 2],
    /// The poses of the fit: the clip and the time.
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
    let poses = poses(model, &wanted.clips, wanted.rate, most);
    if poses.is_empty() {
        return Err(FitError::NoClip);
    }
    let choices: Vec<PoseChoice> = poses.iter().map(|(clip, time)| PoseChoice::clip(*clip, *time)).collect();
    let problem = layout.sample(model, wanted.mode, &choices);
    let step = |helpers| if progress(helpers) { Ok(()) } else { Err(FitError::Stopped) };
    let fit = fit(&problem, wanted.goal, wanted.max_influences, step)?;
    let own = problem.points.iter().map(|point| &point.influences);
    let changed = own.zip(&fit.influences).filter(|(own, made)| own != made).count();
    let first = model.rig.len();
    let helpers = first..first + fit.helpers.len();
    let apply =
        Apply { model, mode: wanted.mode, layout: &layout, problem: &problem, fit: &fit, rate: wanted.rate };
    Ok(Fitted { model: apply.model(), helpers, changed: [changed, layout.points.len()], poses })
}

/// Spreads poses over clips by their length: every frame if there is room.
fn poses(model: &Model, clips: &[usize], rate: f64, most: usize) -> Vec<(usize, f64)> {
    let periods: Vec<_> = clips
        .iter()
        .filter_map(|number| Some((*number, model.period_of(model.clips.get(*number)?))))
        .collect();
    let frames = |length: f64| ((length * rate).ceil().min(most as f64) as usize).max(1);
    let all: usize = periods.iter().map(|(_, period)| frames(period.length()) + 1).sum();
    let share = (most as f64 / all.max(1) as f64).min(1.0);
    let of_clip = |(number, period): &(usize, sinew_model::Period)| {
        let count = ((frames(period.length()) as f64 * share) as usize).max(1);
        let (number, period) = (*number, *period);
        (0..=count).map(move |frame| (number, period.at(frame as f64 / count as f64))).collect::<Vec<_>>()
    };
    periods.iter().flat_map(of_clip).collect()
}
