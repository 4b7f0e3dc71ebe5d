//! The report on a model's weights: their faults, and scores of their quality.

use serde::Serialize;

use super::bend::{VolumeKept, Work, volume_kept};
use super::bones::Bones;
use super::finding::{Fault, Finding, gather};
use super::homes::{Homes, Moved};
use super::leak::leaks;
use super::limits::{Limits, limits};
use super::outlier::outliers;
use super::sides::twins;
use super::split::splits;
use super::stray::stray;
use super::surface::{Surface, instances_by_skin, skinned};
use super::tiny::tiny;
use sinew_model::Model;
use sinew_skinning::pairing::influences::squared_distance;
use sinew_skinning::pose::Names;

/// The maximum number of vertices and nodes to read, all skins together.
const MAX_VERTICES: usize = 4_000_000;

/// The maximum number of points that all walks over surfaces visit together.
const MAX_STEPS: usize = 20_000_000;

/// The report on a model's weights.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The faults, the worst kinds first.
    pub findings: Vec<Finding>,
    /// The scores of each skin that moves vertices, in the file's order.
    pub skins: Vec<Scores>,
    /// The joints of each primitive, and the parts that it would need in other renderers.
    pub limits: Vec<Limits>,
}

/// The scores of a skin's weights.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scores {
    /// The skin's index.
    pub skin: usize,
    /// The number of vertices of the meshes drawn with it, each mesh once.
    pub vertices: usize,
    /// The number of points; vertices at the same position are one.
    pub points: usize,
    /// The number of pieces that are connected by edges.
    pub pieces: usize,
    /// The mean over all edges of the sum of (Δw)² between their ends: 0 is smoothest, 2 is worst; null without edges.
    pub smoothness: Option<f64>,
    /// The share of weight whose joint is not near: its home is further away over the surface than its longest bone; 0 is
    /// best; null without weight.
    pub locality: Option<f64>,
    /// The number of joints for which the path over the surface was not measured, to save time; they count as near.
    pub joints_left_out: usize,
    /// True if the skin was skipped, because the skins of the model move too many vertices together.
    pub left_out: bool,
    /// The share of its volume that the surface keeps when a joint bends by 90°; null unless requested.
    pub volume: Option<VolumeKept>,
}

/// The remaining budget of work for a report.
struct Left {
    vertices: usize,
    steps: usize,
    work: Work,
}

/// Makes the report; the volume takes longer than all the rest.
pub fn report(model: &Model, with_volume: bool) -> Report {
    let (findings, skins) = by_skin(model, with_volume);
    Report { findings, skins, limits: limits(model) }
}

/// Returns the faults in a model's weights, the worst kinds first.
pub fn findings(model: &Model) -> Vec<Finding> {
    by_skin(model, false).0
}

/// Returns the findings of all skins, the worst kinds first, and the scores of each.
fn by_skin(model: &Model, with_volume: bool) -> (Vec<Finding>, Vec<Scores>) {
    let names = Names::new(model);
    let mut left = Left { vertices: MAX_VERTICES, steps: MAX_STEPS, work: Work::default() };
    let mut findings = Vec::new();
    let mut skins = Vec::new();
    for (skin, instances) in instances_by_skin(model).iter().enumerate() {
        let moved = skinned(model, instances);
        let vertices: usize = moved.iter().map(|(.., primitive)| primitive.positions.len()).sum();
        if moved.is_empty() {
            continue;
        }
        // Bones and poses take time for each node, too.
        skins.push(match left.vertices.checked_sub(vertices.saturating_add(model.rig.len())) {
            Some(vertices) => {
                left.vertices = vertices;
                let surface = Surface::new(model, skin, instances);
                of_skin(model, &names, &surface, with_volume, &mut left, &mut findings)
            }
            None => Scores { skin, vertices, left_out: true, ..Scores::default() },
        });
    }
    findings.sort_by_key(|finding: &Finding| finding.kind);
    (findings, skins)
}

fn of_skin(
    model: &Model,
    names: &Names<'_>,
    surface: &Surface,
    with_volume: bool,
    left: &mut Left,
    findings: &mut Vec<Finding>,
) -> Scores {
    let bones = model.skins.get(surface.skin).map(|skin| Bones::new(model, skin)).unwrap_or_default();
    let mut faults = Vec::new();
    let (locality, joints_left_out) = by_joint(model, surface, &bones, &mut left.steps, &mut faults);

    let mut is_known = vec![false; surface.positions.len()];
    for point in faults.iter().filter_map(|fault| surface.point(fault.vertex)) {
        if let Some(known) = is_known.get_mut(point as usize) {
            *known = true;
        }
    }
    outliers(surface, |point| is_known.get(point as usize) == Some(&true), &mut faults);
    splits(surface, &mut faults);
    tiny(surface, &mut faults);
    findings.extend(gather(model, names, surface, &faults));
    drop(faults);

    let volume = with_volume.then(|| volume_kept(model, names, surface, &bones, &mut left.work));
    Scores {
        skin: surface.skin,
        vertices: surface.point_of.len(),
        points: surface.positions.len(),
        pieces: surface.pieces,
        smoothness: smoothness(surface),
        locality,
        joints_left_out,
        left_out: false,
        volume,
    }
}

/// Checks one joint after the other. Returns the share of weight that is not near, and the number of joints that were not
/// measured.
fn by_joint(
    model: &Model,
    surface: &Surface,
    bones: &Bones,
    steps: &mut usize,
    faults: &mut Vec<Fault>,
) -> (Option<f64>, usize) {
    let twins = model.skins.get(surface.skin).map(|skin| twins(model, skin, bones)).unwrap_or_default();
    let mut twin_of = vec![None; bones.parents.len()];
    for [left, right] in twins {
        for (joint, twin) in [(left, right), (right, left)] {
            if let Some(twin_of) = twin_of.get_mut(joint) {
                *twin_of = Some(twin);
            }
        }
    }
    let mut homes = Homes::new(surface, bones);
    let mut left_out = 0;
    let mut away = 0.0;
    for (joint, twin) in twin_of.into_iter().enumerate() {
        let moved: Moved = homes.of(joint, steps);
        left_out += usize::from(!moved.is_measured);
        away += moved.points.iter().filter(|point| !point.is_near).map(|point| point.weight).sum::<f64>();
        let known = twin.map(|twin| leaks(surface, bones, joint, twin, &moved, faults)).unwrap_or_default();
        stray(surface, joint, &moved, |point| known.binary_search(&point).is_ok(), faults);
    }
    let all: f64 = surface.weights.iter().flatten().map(|influence| influence.weight).sum();
    ((all > 0.0).then(|| away / all), left_out)
}

fn smoothness(surface: &Surface) -> Option<f64> {
    let row = |point: u32| surface.weights.row(point as usize);
    let sum: f64 = surface.edges.iter().map(|&[a, b]| squared_distance(row(a), row(b))).sum();
    (!surface.edges.is_empty()).then(|| sum / surface.edges.len() as f64)
}
