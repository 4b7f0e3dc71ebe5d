//! The check of one model: rules, weights, its deformation, and the fast skinning against its twin.

use std::collections::BTreeMap;

use sinew_model::Model;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{AS_TWIN, PreparedModel, skin_model};
use sinew_skinning::{Drawn, SkinningMode};

use super::asset::{Asset, Figure, Kind, Row};
use super::level::Level;
use crate::compare::have_equal_bits;
use crate::metric::Metric;
use crate::report::{self, ClipSeries, Plan};
use crate::weights::{self, Kind as WeightKind};

/// Checks a model. `given` is the user's name for it.
pub fn check(model: &Model, given: &str, level: Level) -> Asset {
    let mut asset = inspect(model, level);
    counts(model, &mut asset);
    deform(model, given, level, &mut asset);
    asset
}

/// Finds all that [`check`] finds, without measuring the deformation.
pub fn inspect(model: &Model, level: Level) -> Asset {
    let mut asset = Asset::default();
    for warning in model.warnings.iter().chain(&model.faults) {
        asset.add(Kind::Rule, warning.code, format!("{}: {}", warning.path, warning.message), 1.0);
    }
    weigh(model, level, &mut asset);
    verify(model, &mut asset);
    asset.sort();
    asset
}

/// Sets the figures of a model's size.
pub fn counts(model: &Model, asset: &mut Asset) {
    let triangles = |mesh: usize| {
        let primitives = model.meshes.get(mesh).map_or(&[][..], |mesh| &mesh.primitives);
        primitives.iter().map(|primitive| primitive.indices.len() / 3).sum::<usize>()
    };
    let mut joints: Vec<usize> = model.skins.iter().flat_map(|skin| &skin.joints).copied().collect();
    joints.sort_unstable();
    joints.dedup();
    let all: usize = model.instances.iter().map(|instance| triangles(instance.mesh)).sum();
    asset.set(Figure::Vertices, Drawn::new(model).count() as f64);
    asset.set(Figure::Triangles, all as f64);
    asset.set(Figure::Joints, joints.len() as f64);
    asset.set(Figure::Clips, model.clips.len() as f64);
}

fn weigh(model: &Model, level: Level, asset: &mut Asset) {
    let report = weights::report(model, level == Level::Full);
    for finding in &report.findings {
        let kind = match finding.kind {
            WeightKind::Leak => Kind::Leak,
            WeightKind::Far => Kind::Far,
            WeightKind::Island => Kind::Island,
            WeightKind::Outlier => Kind::Outlier,
            WeightKind::Split => Kind::Split,
            WeightKind::Tiny => Kind::Tiny,
        };
        let place = super::asset::Place { vertex: Some(finding.worst.vertex.clone()), ..Default::default() };
        let size = finding.worst.difference.unwrap_or(finding.worst.weight);
        asset.add_at(kind, "", weights::text::sentence(finding), size, Some(place));
    }
    let mut set = |figure, of: fn(&weights::Scores) -> Option<f64>| {
        let worst = report.skins.iter().filter_map(of).reduce(f64::max);
        worst.into_iter().for_each(|worst| asset.set(figure, worst));
    };
    set(Figure::Smoothness, |scores| scores.smoothness);
    set(Figure::Locality, |scores| scores.locality);
}

/// Compares the fast path with the twin, bit by bit, in the rest pose.
fn verify(model: &Model, asset: &mut Asset) {
    let mode = SkinningMode::authored(model).unwrap_or_default();
    let mut pose = Pose::default();
    pose.set(model, &PoseChoice::Rest);
    let Ok(mut prepared) = PreparedModel::new(model) else { return };
    let Ok(fast) = prepared.skin(model, mode, &pose, &AS_TWIN) else { return };
    let twin = skin_model(model, mode, &pose);
    if let Some(number) = fast.iter().zip(&twin).position(|(fast, twin)| !have_equal_bits(fast, twin)) {
        asset.add(
            Kind::Verify,
            mode.name(),
            format!("primitive {number}: the fast path is not its twin"),
            1.0,
        );
    }
}

/// Measures the deformation in every frame of the level.
fn deform(model: &Model, given: &str, level: Level, asset: &mut Asset) {
    let clips = (0..model.clips.len()).collect();
    let modes = level.modes(model);
    let plan = match modes.is_empty() {
        true => Plan::of(model, clips, level.frames()),
        false => Plan { modes, equal_to_dqs: Vec::new(), clips, frames: level.frames() },
    };
    // A model that draws nothing, or too much, has no deformation.
    let Ok(report) = report::collect(model, given, &plan, &mut |_, _| {}) else { return };
    let own = SkinningMode::authored(model).unwrap_or_default();
    if let Some(summary) = report.summary.iter().find(|summary| summary.mode == own.name()) {
        asset.set(Figure::Problems, summary.problems as f64);
    }
    asset.rows = report.clips.iter().flat_map(rows).collect();
}

fn rows(clip: &ClipSeries) -> impl Iterator<Item = Row> {
    let name = clip.name.strip_prefix("clip ").unwrap_or(&clip.name).to_owned();
    clip.modes.iter().map(move |mode| {
        let worst = |(metric, series): (&Metric, &Vec<Option<f64>>)| {
            let values = series.iter().copied().flatten();
            let worst = match metric.facts().better {
                crate::metric::Better::Higher => values.reduce(f64::min),
                crate::metric::Better::Lower => values.reduce(f64::max),
                crate::metric::Better::NearOne => {
                    values.reduce(|a, b| if (b - 1.0).abs() > (a - 1.0).abs() { b } else { a })
                }
            };
            Some((metric.facts().name.to_owned(), worst?))
        };
        let values: BTreeMap<String, f64> = mode.series.iter().filter_map(worst).collect();
        Row { clip: name.clone(), mode: mode.mode.clone(), values }
    })
}
