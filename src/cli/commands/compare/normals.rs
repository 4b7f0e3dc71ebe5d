//! Prints the angles between each mode's normals and recomputed ones, and the command that shows the largest.

use std::io::{self, Write};

use crate::analysis::measure::{Figures, Summary, at};
use crate::cli::subject::closeup;
use crate::model::{VertexIndex, VertexName};
use crate::scene::{Arrangement, Change, Scene};
use crate::skinning::{Normals, SkinningMode};
use crate::table::{Align, Table};

use super::cells::{span, worst_of};
use super::job::Job;
use super::motions::Motion;

/// Prints a table for each motion, with a line for each mode, if the plan has other normals than the modes'.
pub fn write(job: &Job, summary: &Summary, out: &mut dyn Write) -> io::Result<()> {
    if job.plan.normals == Normals::Moved {
        return Ok(());
    }
    writeln!(
        out,
        "\nAngles between each mode's normals and those recomputed from the triangles it deforms:"
    )?;
    let mut table = Table::new(&[Align::Left, Align::Right, Align::Right, Align::Left]);
    let mut steepest: Option<(&Motion, &Figures, f64, (f64, VertexIndex))> = None;
    for (motion, figures) in job.motions.iter().zip(&summary.motions) {
        table.text("");
        table.text(&format!("{}{}", motion.name, span(motion)));
        table.row(["mode", "max", "rms", "worst"]);
        for figures in figures {
            let normals = figures.normals.unwrap_or_default();
            let degrees = |degrees: f64| format!("{degrees:.2}°");
            let [max, rms] = [normals.max_deg, normals.rms_deg()].map(degrees);
            table.row([figures.mode.name(), &max, &rms, &worst_of(job, normals.worst)]);
            if let Some(worst) = normals.worst
                && steepest.is_none_or(|(_, _, known, _)| normals.max_deg > known)
            {
                steepest = Some((motion, figures, normals.max_deg, worst));
            }
        }
    }
    table.write(out)?;
    match steepest {
        Some((motion, figures, _, worst)) => {
            writeln!(out, "\nThe largest, with both normals:\n{}", command(job, motion, figures.mode, worst))
        }
        None => Ok(()),
    }
}

/// The command that shows a place with the mode's normals, and beside it with recomputed ones.
pub fn command(job: &Job, motion: &Motion, mode: SkinningMode, (time, vertex): (f64, VertexIndex)) -> String {
    let pose = at(&motion.choice, time);
    let pane = |normals: Normals| Change { flags: format!("normals={normals}"), ..Change::default() };
    let scene = Scene {
        mode,
        camera: closeup::at_vertex(job.model, mode, &pose, Some(vertex), job.diagonal_m, 0.1..=1.0),
        pose,
        arrangement: Arrangement::Storyboard(Normals::ALL.map(pane).to_vec()),
        ..Scene::new(job.given_files())
    };
    format!("{scene} --vertex {}", VertexName::of(job.model, vertex))
}
