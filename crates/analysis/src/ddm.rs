//! The cost of a model's terms of direct delta mush, and the distance that vertices move by those left out. This module must
//! not depend on how terms are found or kept.

use std::fmt::Write as _;

use serde::Serialize;
use sinew_model::gltf::one_line;
use sinew_model::{DdmOddities, DdmRows, DdmSettings, Mesh, Model};
use sinew_skinning::ddm_terms::{self, Poses, Watch};
use sinew_text::length;
use sinew_text::words::many;

/// The terms of all meshes that skins draw.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The number of times that the surface is smoothed.
    pub iterations: u32,
    /// The strength of smoothing.
    pub lambda: f64,
    /// The strength of smoothing of weights.
    pub kappa: f64,
    /// The share of weights smoothed by `kappa` in where a vertex goes.
    pub alpha: f64,
    /// The distance that dropped terms may move a vertex; if none, terms below the share `least` are dropped.
    pub within_m: Option<f64>,
    /// The share below which terms are dropped; `None` if a distance decides.
    pub least: Option<f64>,
    /// The number of clips that were measured.
    pub clips: usize,
    /// The meshes.
    pub meshes: Vec<Cost>,
}

/// The terms of a mesh.
#[derive(Clone, Debug, Serialize)]
pub struct Cost {
    /// The mesh's number.
    pub mesh: usize,
    /// The mesh's name.
    pub name: String,
    /// The number of vertices.
    pub vertices: usize,
    /// The number of different places of vertices, which share terms.
    pub points: usize,
    /// The mean number of weights above zero of a vertex.
    pub influences: f64,
    /// The number of terms of all points before any were dropped.
    pub found: usize,
    /// The number of terms of all points.
    pub terms: usize,
    /// The largest number of terms of a point.
    pub most: usize,
    /// The size on a GPU, of terms, centres and the vertices' points.
    pub bytes: usize,
    /// The number of measured poses: moments of all clips.
    pub poses: usize,
    /// The largest distance in those poses by which dropped terms move a vertex.
    pub moved_m: Option<f64>,
    /// Triangles without area, which are left out.
    pub degenerate: usize,
    /// Points of no triangle, which go where linear blending takes them.
    pub loose: usize,
    /// Edges of more than two triangles, over which smoothing goes to all of them.
    pub non_manifold: usize,
    /// Terms beyond the limit of a mesh, which then follows single joints.
    pub too_many: usize,
}

/// Measures the terms of a model, which are found if they are not known; `None` if `watch` stopped it.
pub fn report(model: &Model, watch: &Watch) -> Option<Report> {
    let settings = model.ddm.settings();
    let DdmSettings { iterations, lambda, kappa, alpha, least, within } = settings;
    let meshes: Vec<usize> = ddm_terms::drawn(model).collect();
    let mut found = Vec::new();
    for (at, &number) in meshes.iter().enumerate() {
        let Some((mesh, rows)) = model.meshes.get(number).zip(ddm_terms::of(model, number)) else { continue };
        let share = |share: f64| watch((at as f64 + share) / meshes.len() as f64);
        let all = DdmSettings { least: 0.0, within: None, ..settings };
        let all = ddm_terms::find(mesh, &all, &share)?;
        found.push(cost(number, mesh, [&rows, &all], &Poses::of(model, number)));
    }
    let least = within.is_none().then_some(least);
    Some(Report {
        iterations,
        lambda,
        kappa,
        alpha,
        within_m: within,
        least,
        clips: model.clips.len(),
        meshes: found,
    })
}

fn cost(number: usize, mesh: &Mesh, [rows, all]: [&DdmRows; 2], poses: &Poses) -> Cost {
    let points = rows.centers.len();
    let vertices: usize = rows.points.iter().map(Vec::len).sum();
    let weights = mesh.primitives.iter().filter_map(|primitive| primitive.influences.as_ref());
    let weights =
        weights.flat_map(|influences| &influences.spans).flat_map(|span| span.weights.as_flattened());
    let weights = weights.filter(|weight| **weight > 0.0).count();
    let most = (0..points).filter_map(|point| rows.of_point(point as u32)).map(|row| row.terms.len()).max();
    let DdmOddities { degenerate, loose, non_manifold, too_many } = rows.oddities;
    Cost {
        mesh: number,
        name: mesh.name.clone(),
        vertices,
        points,
        influences: weights as f64 / vertices.max(1) as f64,
        found: rows.found,
        terms: rows.terms.len(),
        most: most.unwrap_or(0),
        bytes: size_of::<[f32; 4]>() * (2 * points + 3 * rows.terms.len()) + size_of::<f32>() * vertices,
        poses: poses.count,
        moved_m: (poses.count > 0).then(|| ddm_terms::distance(mesh, [all, rows], poses)),
        degenerate,
        loose,
        non_manifold,
        too_many,
    }
}

/// Returns a phrase for each kind of oddity that a mesh has.
pub fn phrases(oddities: &DdmOddities) -> Vec<String> {
    let DdmOddities { degenerate, loose, non_manifold, too_many } = *oddities;
    let all = [
        (degenerate, "triangle", "without area, left out"),
        (loose, "loose place", "moved as in lbs"),
        (non_manifold, "edge", "of more than two triangles, smoothed over all"),
        (too_many, "term", "are too many, so each vertex follows the joint of slot 0"),
    ];
    let there = all.into_iter().filter(|(count, ..)| *count > 0);
    there.map(|(count, what, does)| format!("{} {does}", many(count, what))).collect()
}

/// Formats the report.
pub fn text(report: &Report) -> String {
    let Report { iterations, lambda, kappa, alpha, within_m, least, clips, meshes } = report;
    let dropped = match (within_m, least) {
        (Some(within), _) => format!("terms that move no vertex by more than {}", length::shown(*within)),
        (None, least) => format!("terms below a share of {}", least.unwrap_or_default()),
    };
    let mut out = format!(
        "direct delta mush: {iterations} iterations, lambda {lambda}, kappa {kappa}, alpha {alpha}\n"
    );
    let _ = writeln!(out, "dropped are {dropped}");
    for cost in meshes {
        let Cost { mesh, name, vertices, points, influences, found, terms, most, bytes, poses, .. } = cost;
        let a_point = |count: usize| count as f64 / (*points).max(1) as f64;
        let (vertices, points) = (many(*vertices, "vertex"), many(*points, "place"));
        let _ = writeln!(out, "\nmesh {mesh} '{}': {vertices} at {points}", one_line(name));
        let _ = writeln!(out, "  weights in the file  {influences:.1} a vertex");
        let _ = writeln!(out, "  terms found          {:.1} a place", a_point(*found));
        let _ = writeln!(out, "  terms kept           {:.1} a place, at most {most}", a_point(*terms));
        let _ = writeln!(out, "  size on the GPU      {:.2} MiB", *bytes as f64 / f64::from(1 << 20));
        let moved = match cost.moved_m {
            Some(moved) => {
                let (moved, poses) = (length::shown(moved), many(*poses, "pose"));
                format!("by {moved} at most, in {poses} of {}", many(*clips, "clip"))
            }
            None => "not measured: the model has no clip".to_owned(),
        };
        let _ = writeln!(out, "  dropped terms move   {moved}");
        let Cost { degenerate, loose, non_manifold, too_many, .. } = *cost;
        for phrase in phrases(&DdmOddities { degenerate, loose, non_manifold, too_many }) {
            let _ = writeln!(out, "  {phrase}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{builtin, gltf};

    #[test]
    fn what_is_dropped_is_measured() {
        let model = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
        let first = report(&model, &|_| true).unwrap();
        let [cost] = &first.meshes[..] else { panic!("{first:?}") };
        assert!(
            cost.terms < cost.found && cost.points <= cost.vertices && cost.most <= cost.found,
            "{cost:?}"
        );
        assert!(cost.moved_m.unwrap() > 0.0, "{cost:?}");
        model.ddm.set(DdmSettings { within: Some(1e-3), ..DdmSettings::default() });
        let second = report(&model, &|_| true).unwrap();
        assert!(
            second.meshes[0].terms < cost.terms && second.meshes[0].moved_m.unwrap() <= 1e-3,
            "{second:?}"
        );
        assert!(text(&second).contains("move no vertex by more than 1 mm"), "{}", text(&second));
        assert!(text(&first).contains("below a share of 0.0001"), "{}", text(&first));
        assert!(report(&model, &|_| false).is_none());
        let mut still = model.clone();
        still.clips.clear();
        let third = report(&still, &|_| true).unwrap();
        assert_eq!(third.meshes[0].moved_m, None);
        assert!(text(&third).contains("not measured"), "{}", text(&third));
    }
}
