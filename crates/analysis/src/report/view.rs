//! The model of a report in three dimensions: its modes, clips and problems.

use sinew_model::{Model, VertexName};

use super::data::{Report, Worst};
use super::phrase::phrase;
use super::shown::when;
use crate::view_page::{Motion, Side, Spot, View};

/// Makes the view. Its spots are those of the worst problems, and then `more`.
pub fn view(report: &Report, model: &Model, more: Vec<Spot>) -> View {
    let side = |mode: &str| Some(Side { name: report.label(mode), model, mode: mode.parse().ok()? });
    let sides: Vec<Side<'_>> = report.own_modes().filter_map(|summary| side(&summary.mode)).collect();
    let motions: Vec<Motion> = report
        .clips
        .iter()
        .map(|clip| Motion {
            name: clip.name.clone(),
            clips: vec![clip.clip; sides.len()],
            period: model.period_of_all(clip.clip.into_iter()),
        })
        .collect();
    let spot = |Worst { mode, metric, found, .. }: &Worst| Spot {
        words: format!("{}, {}", phrase(*metric, found), when(found)),
        side: report.own_modes().position(|summary| summary.mode == *mode).unwrap_or_default(),
        motion: report.clips.iter().position(|clip| clip.clip == found.clip),
        time: found.time,
        vertex: found.at.as_ref().and_then(|at| at.vertex.parse::<VertexName>().ok()?.find(model).ok()),
    };
    let spots: Vec<Spot> = report.worst.iter().map(spot).chain(more).collect();
    View::new(&sides, &motions, &spots, None)
}
