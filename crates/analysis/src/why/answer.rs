//! The answer: the worst frame, each mode's result there, and the mode to choose.

use glam::DVec3;
use serde::Serialize;
use sinew_model::{LocalTransform, Model};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::Pose;

use super::blame::{Beside, Blamed, apart, beside, of_joint};
use super::gauge::{Gauge, Gauges, Places};
use super::search::{Found, Motion, STILL_DEGREES, Worst, kept, off, search};
use crate::deformation::TooLarge;
use crate::inspect::frame_at;
use crate::measure::{at, joint_name};
use crate::turns::{Axis, turn_from_rest};
use crate::weights::{self, Finding};

/// The tolerance for two modes to be equally good.
const TIE_TOLERANCE: f64 = 0.01;

/// The loss below which a mode needs no replacement: the limit of a report.
const LOSS_TOLERANCE: f64 = 0.2;

/// Distances smaller than this share of the size are rounding.
const ROUNDING: f64 = 1e-6;

/// The cosine between a turn's axis and the bone above which the turn is a twist.
const ALONG: f64 = 0.7;

/// The maximum number of other joints to list.
const MAX_OTHERS: usize = 5;

/// Joints, frames and modes of a question.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The nodes of the possible joints; `None` for all.
    pub nodes: Option<&'a [usize]>,
    /// The frames to search.
    pub motions: &'a [Motion],
    /// The modes to search.
    pub modes: &'a [SkinningMode],
    /// The mode that looks broken.
    pub mode: SkinningMode,
}

/// The reason for the lack of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Nothing {
    /// The model is too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// There is nothing to measure there.
    #[error("no vertex bends there: each follows one joint alone")]
    NothingBends,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The joint, by name or as `#NODE`.
    pub joint: String,
    /// The node in the rig.
    #[serde(skip)]
    pub node: usize,
    /// The other joints that match the word, the worst first.
    pub others: Vec<Candidate>,
    /// The measure: `section`, the cross-section at the joint, or `spread`, that of the vertices that bend there.
    pub measure: Kind,
    /// The size in the bind pose, in metres: for a circle, the radius.
    pub size_m: f64,
    /// The mode that looks broken.
    pub mode: &'static str,
    /// The number of measured frames.
    pub frames: usize,
    /// The number of frames that turn the joint. If there are any, only these count.
    pub turned_frames: usize,
    /// The worst frame of that mode.
    pub worst: Moment,
    /// The turn of the joint in that frame.
    pub turn: Turn,
    /// The joint that moves the surface there, if the joint itself is at rest.
    pub beside: Option<Beside>,
    /// The figures of each mode.
    pub modes: Vec<ModeAnswer>,
    /// The mode to choose.
    pub choose: Choice,
    /// The vertices with the largest distance between two modes there, furthest first: the mode that looks broken and the
    /// one to choose, or the best other.
    pub blame: Vec<Blamed>,
    /// The mode for comparison.
    pub blame_against: Option<&'static str>,
    /// Findings about the joint's weights.
    pub weights: Vec<Finding>,
}

/// The measure at a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The cross-section.
    Section,
    /// The spread of the vertices that bend there.
    Spread,
}

/// Another joint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The joint.
    pub joint: String,
    /// The share kept at its worst.
    pub kept: f64,
}

/// A frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// The clip's index in the file; null for a pose without a clip.
    pub clip: Option<usize>,
    /// The clip in words: `clip Run`.
    pub name: String,
    /// The time in seconds.
    pub time: f64,
    /// The frame; null for a file without a frame rate.
    pub frame: Option<f64>,
}

/// The turn of a joint from rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Turn {
    /// The whole angle.
    pub degrees: f64,
    /// The joint's own axis that is nearest to the turn's axis.
    pub axis: Axis,
    /// The angle about that axis alone.
    pub about_axis: f64,
    /// True if it is a twist, along the bone, and not a bend; null if it is not turned, or has no bone.
    pub is_twist: Option<bool>,
}

/// Figures of one mode at a joint.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModeAnswer {
    /// The mode.
    pub mode: &'static str,
    /// The share of the size that is kept in the worst frame.
    pub kept: f64,
    /// The growth relative to the bind pose, in metres; negative if it shrinks.
    pub change_m: f64,
    /// The share that is kept in the mode's own worst frame.
    pub worst_kept: f64,
    /// The mode's own worst frame.
    pub worst: Moment,
}

/// The mode to choose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The mode.
    pub mode: &'static str,
    /// The share kept in its worst frame.
    pub kept: f64,
    /// True if it keeps enough in all frames.
    pub is_enough: bool,
}

/// Answers a question. Calls `progress` for each finished frame, from several threads.
///
/// # Errors
/// If there is nothing to measure.
pub fn why(model: &Model, question: Question, progress: impl Fn() + Sync) -> Result<Answer, Nothing> {
    let Question { nodes, motions, modes, mode } = question;
    let gauges = Gauges::new(model, nodes)?;
    let Found { worst, turned } = search(model, &gauges, modes, motions, progress);
    let asked = modes.iter().position(|known| *known == mode).unwrap_or(0);
    let mode = modes.get(asked).copied().ok_or(Nothing::NothingBends)?;
    let of_mode = |number: usize| worst.get(number).and_then(|modes| modes.get(asked).copied().flatten());
    let mut ranked: Vec<(usize, Worst)> =
        (0..gauges.list.len()).filter_map(|number| Some((number, of_mode(number)?))).collect();
    // The sort is stable, so the first of equal ones wins.
    ranked.sort_by(|a, b| b.1.cmp(&a.1));
    let &(number, found) = ranked.first().ok_or(Nothing::NothingBends)?;
    let gauge = gauges.list.get(number).ok_or(Nothing::NothingBends)?;
    let motion = motions.get(found.motion).ok_or(Nothing::NothingBends)?;
    let choice = at(&motion.choice, found.time);
    let (mut pose, mut places) = (Pose::default(), Places::default());
    let now = kept(model, &gauges, modes, &choice, (&mut pose, &mut places));
    let of_modes = modes.iter().enumerate().filter_map(|(at, mode)| {
        let kept = now.get(number)?.get(at).copied().flatten()?;
        let own = worst.get(number)?.get(at).copied().flatten()?;
        let change_m = gauge.size_m * (kept - 1.0);
        let worst = moment(model, motions, &own);
        Some(ModeAnswer { mode: mode.name(), kept, change_m, worst_kept: own.kept, worst })
    });
    let of_modes: Vec<ModeAnswer> = of_modes.collect();
    let choose = choose(&of_modes, mode).ok_or(Nothing::NothingBends)?;
    let better = better(&of_modes, mode, &choose);
    let vertices = gauge.bending(model, &gauges);
    pose.set(model, &choice);
    let turn = turn(model, gauge.node, &pose);
    let mut blame = better.map(|better| apart(model, &pose, [mode, better], &vertices)).unwrap_or_default();
    blame.retain(|blamed| blamed.distance_m > ROUNDING * gauge.size_m);
    Ok(Answer {
        joint: joint_name(model, gauge.node),
        node: gauge.node,
        others: others(model, &gauges.list, &ranked, gauge.node),
        measure: if gauge.is_section() { Kind::Section } else { Kind::Spread },
        size_m: gauge.size_m,
        mode: mode.name(),
        frames: motions.iter().map(|motion| motion.times.seconds.len()).sum(),
        turned_frames: turned.get(number).copied().unwrap_or(0),
        worst: moment(model, motions, &found),
        beside: if turn.is_rest() { beside(model, &pose, gauge.node, &vertices) } else { None },
        turn,
        modes: of_modes,
        choose,
        blame,
        blame_against: better.map(SkinningMode::name),
        weights: of_joint(model, weights::findings(model), gauge.node),
    })
}

impl Answer {
    /// Returns the figures of the mode that looks broken.
    pub fn broken(&self) -> Option<&ModeAnswer> {
        self.modes.iter().find(|found| found.mode == self.mode)
    }
}

impl Turn {
    /// Returns true if the joint is not turned.
    pub fn is_rest(&self) -> bool {
        self.degrees <= STILL_DEGREES
    }
}

fn moment(model: &Model, motions: &[Motion], worst: &Worst) -> Moment {
    let motion = motions.get(worst.motion);
    Moment {
        clip: motion.and_then(|motion| motion.clip),
        name: motion.map_or_else(String::new, |motion| motion.name.clone()),
        time: worst.time,
        frame: model.frames_per_second.map(|rate| frame_at(worst.time, rate)),
    }
}

/// Chooses the mode that is best in its worst frame. Among equally good ones, the mode in question or a simpler one comes
/// first. Rigid skinning is chosen only if it is the only mode.
fn choose(modes: &[ModeAnswer], asked: SkinningMode) -> Option<Choice> {
    let smooth = |found: &&ModeAnswer| found.mode != SkinningMode::Rigid.name();
    let candidates: Vec<&ModeAnswer> = modes.iter().filter(smooth).collect();
    let candidates = if candidates.is_empty() { modes.iter().collect() } else { candidates };
    let best = candidates.iter().map(|found| off(found.worst_kept)).fold(f64::INFINITY, f64::min);
    let is_good = |found: &&&ModeAnswer| off(found.worst_kept) <= best + TIE_TOLERANCE;
    let mut good: Vec<&ModeAnswer> = candidates.iter().filter(is_good).copied().collect();
    good.sort_by_key(|found| found.mode != asked.name());
    let found = good.first()?;
    let is_enough = off(found.worst_kept) <= LOSS_TOLERANCE;
    Some(Choice { mode: found.mode, kept: found.worst_kept, is_enough })
}

/// Returns the mode for comparison with the one in question: the one to choose, or the best other.
fn better(modes: &[ModeAnswer], asked: SkinningMode, choose: &Choice) -> Option<SkinningMode> {
    if choose.mode != asked.name() {
        return choose.mode.parse().ok();
    }
    let others =
        modes.iter().filter(|found| ![asked.name(), SkinningMode::Rigid.name()].contains(&found.mode));
    others.min_by(|a, b| off(a.worst_kept).total_cmp(&off(b.worst_kept)))?.mode.parse().ok()
}

/// Returns the other joints, each once, the worst first.
fn others(model: &Model, gauges: &[Gauge], ranked: &[(usize, Worst)], node: usize) -> Vec<Candidate> {
    let mut seen = vec![node];
    let mut others = Vec::new();
    for (number, worst) in ranked {
        let Some(other) = gauges.get(*number).map(|gauge| gauge.node) else { continue };
        if !seen.contains(&other) && others.len() < MAX_OTHERS {
            seen.push(other);
            others.push(Candidate { joint: joint_name(model, other), kept: worst.kept });
        }
    }
    others
}

fn turn(model: &Model, node: usize, pose: &Pose) -> Turn {
    let turn = turn_from_rest(model, node, pose);
    let (degrees, axis) = (turn.length(), Axis::of_most(turn));
    let is_turned = degrees > STILL_DEGREES;
    let bone = along(model, node);
    let is_twist = bone.filter(|_| is_turned).map(|bone| (turn / degrees).dot(bone).abs() > ALONG);
    Turn { degrees, axis, about_axis: turn.dot(axis.direction()), is_twist }
}

/// Returns the direction of a joint's bone in its own axes: to the joints below it, or else from the one above.
fn along(model: &Model, node: usize) -> Option<DVec3> {
    let rest = |node: usize| match model.rig.rest.get(node) {
        Some(LocalTransform::Trs { translation, rotation, .. }) => Some((*translation, *rotation)),
        Some(LocalTransform::Matrix(matrix)) => {
            let (_, rotation, translation) = matrix.to_scale_rotation_translation();
            Some((translation, rotation))
        }
        None => None,
    };
    let parents = model.rig.parents.iter().enumerate();
    let below = parents.filter(|(_, parent)| **parent == u32::try_from(node).ok());
    let below: DVec3 = below.filter_map(|(child, _)| rest(child)).map(|(translation, _)| translation).sum();
    below.try_normalize().or_else(|| {
        let (translation, rotation) = rest(node)?;
        (rotation.inverse() * translation).try_normalize()
    })
}
