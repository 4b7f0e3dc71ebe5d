//! Tests that planted faults are found, and that models without them have no findings.

use std::sync::Arc;

use super::super::{Finding, Kind, findings, report, text};
use super::{at_place_of, built_in, by_hand, give, joint, nearest_to, primitive, seam, weight, with_outlier};
use sinew_model::{Model, VertexName};

fn of_kind(findings: &[Finding], kind: Kind) -> Vec<&Finding> {
    findings.iter().filter(|finding| finding.kind == kind).collect()
}

fn names(findings: &[Finding]) -> Vec<(&str, Option<&str>)> {
    let name =
        |f: &'_ Finding| f.joint.as_ref().map(|joint| joint.name.clone()).map(String::leak).map(|n| &*n);
    findings.iter().filter(|f| f.kind != Kind::Tiny).map(|f| (f.kind.name(), name(f))).collect()
}

#[test]
fn built_in_models_have_no_findings_but_tiny_weights() {
    for name in ["character", "twist", "bend", "strip", "tube-2", "tube-40", "tube-512"] {
        assert_eq!(names(&findings(&built_in(name))), [], "{name}");
    }
}

#[test]
fn weight_from_afar_is_found() {
    let mut model = built_in("character");
    let foot = joint(&model, "foot.L");
    let vertex = nearest_to(&model, [0.48, 1.15, -0.05]);
    assert!(weight(&model, vertex, joint(&model, "forearm.L")) > 0.8);
    let all = at_place_of(&model, vertex);
    for &vertex in &all {
        give(&mut model, vertex, foot, 0.15);
    }
    let found = findings(&model);
    assert_eq!(names(&found), [("far", Some("foot.L"))]);
    let far = &found[0];
    assert_eq!(far.vertices, all.iter().map(|vertex| *vertex as u32).collect::<Vec<_>>());
    assert_eq!((far.count, far.view.as_str()), (all.len(), "joint:foot.L"));
    assert!((far.worst.weight - 0.15).abs() < 1e-6);
    let name: VertexName = far.worst.vertex.parse().unwrap();
    assert_eq!(name.find(&model).unwrap().vertex, all[0]);
    let lines = text::report(&report(&model, false));
    let line = format!("see view joint:foot.L, vertex {}", far.worst.vertex);
    assert!(lines.starts_with("1 finding\n  far ") && lines.contains(&line), "{lines}");
}

#[test]
fn an_island_near_its_home_is_found() {
    let mut model = built_in("character");
    let foot = joint(&model, "foot.L");
    let center = nearest_to(&model, [0.12, 0.36, 0.06]);
    let place = primitive(&mut model).positions[center];
    let squared = |p: &[f32; 3]| (0..3).map(|k| (p[k] - place[k]).powi(2)).sum::<f32>();
    let positions = &model.meshes[0].primitives[0].positions;
    let patch: Vec<usize> = (0..positions.len()).filter(|v| squared(&positions[*v]) < 0.0009).collect();
    assert!((4..100).contains(&patch.len()), "{}", patch.len());
    for &vertex in &patch {
        assert_eq!(weight(&model, vertex, foot), 0.0);
        give(&mut model, vertex, foot, 0.2);
    }
    let found = findings(&model);
    assert_eq!(names(&found), [("island", Some("foot.L"))]);
    assert_eq!(found[0].vertices, patch.iter().map(|vertex| *vertex as u32).collect::<Vec<_>>());
}

#[test]
fn a_leak_to_the_other_side_is_found() {
    for (from, x) in [("thigh.R", 0.19), ("thigh.L", -0.19)] {
        let mut model = built_in("character");
        let vertex = nearest_to(&model, [x, 0.75, 0.0]);
        let thigh = joint(&model, from);
        for vertex in at_place_of(&model, vertex) {
            give(&mut model, vertex, thigh, 0.2);
        }
        let found = findings(&model);
        assert_eq!(names(&found), [("leak", Some(from))]);
        assert!(found[0].vertices.contains(&(vertex as u32)));
    }
}

#[test]
fn an_outlier_is_found() {
    let (model, all) = with_outlier();
    let found = findings(&model);
    assert_eq!(names(&found), [("outlier", Some("hips"))]);
    assert_eq!(found[0].vertices, all.iter().map(|vertex| *vertex as u32).collect::<Vec<_>>());
    let off = found[0].worst.difference.unwrap();
    assert!((0.6..1.0).contains(&off), "{off}");
}

#[test]
fn tiny_weights_are_counted() {
    let mut model = built_in("character");
    let tiny = |model: &Model| of_kind(&findings(model), Kind::Tiny).iter().map(|f| f.count).sum::<usize>();
    let before = tiny(&model);
    let head = joint(&model, "head");
    let count = primitive(&mut model).positions.len();
    let is_alone = |v: &usize| weight(&model, *v, head) == 1.0;
    let vertices: Vec<usize> = (0..count).filter(is_alone).take(3).collect();
    for &vertex in &vertices {
        let neck = joint(&model, "neck");
        give(&mut model, vertex, neck, 0.003);
    }
    assert_eq!(tiny(&model), before + 3);
}

#[test]
fn a_seam_that_tears_open_is_found() {
    assert_eq!(names(&findings(&seam(0.5))), []);
    let found = findings(&seam(0.6));
    assert_eq!(names(&found), [("split", None)]);
    assert_eq!((found[0].vertices.as_slice(), found[0].view.as_str()), (&[1, 4][..], "weights"));
    assert!((found[0].worst.difference.unwrap() - 0.2).abs() < 1e-6);
}

#[test]
fn bodies_that_touch_have_no_seam() {
    // A third and a fourth triangle at the same edge.
    let mut model = seam(1.0);
    let p = primitive(&mut model);
    p.indices.extend([1, 2, 0, 4, 7, 5]);
    assert_eq!(names(&findings(&model)), []);
}

#[test]
fn pieces_of_their_own_are_no_islands() {
    // A strip along x, and a button beside it that the nearer joint moves most.
    let strip: Vec<[f32; 3]> = (0..9).flat_map(|n| [[n as f32, 0.0, 0.0], [n as f32, 1.0, 0.0]]).collect();
    let quads = (0..8_u32).flat_map(|n| [0, 1, 3, 0, 3, 2].map(|corner| 2 * n + corner));
    let indices: Vec<u32> = quads.chain([18, 19, 20]).collect();
    let button = [[2.0, 0.5, 0.2], [2.2, 0.5, 0.2], [2.0, 0.7, 0.2]];
    let positions: Vec<[f32; 3]> = strip.into_iter().chain(button).collect();
    let row = |v: usize| {
        let share = if v < 18 { ((v / 2) as f32 / 8.0).clamp(0.0, 1.0) } else { 0.25 };
        ([0, 1, 0, 0], [1.0 - share, share, 0.0, 0.0])
    };
    let rows: Vec<_> = (0..21).map(row).collect();
    let mut model = by_hand(&[0.0, 4.0, 8.0, 400.0], &positions, &indices, &rows);
    assert_eq!(names(&findings(&model)), []);
    // A joint far away that moves nothing else is at home there; one that moves other vertices is not.
    let afar = ([0, 3, 0, 0], [0.9, 0.1, 0.0, 0.0]);
    let span = &mut primitive(&mut model).influences.as_mut().unwrap().spans[0];
    for vertex in 18..21 {
        (span.joints[vertex], span.weights[vertex]) = afar;
    }
    assert_eq!(names(&findings(&model)), []);
    for vertex in 16..18 {
        let span = &mut primitive(&mut model).influences.as_mut().unwrap().spans[0];
        (span.joints[vertex], span.weights[vertex]) = ([3, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
    }
    Arc::make_mut(&mut model.skins[0].joint_from_bind)[3] =
        glam::DMat4::from_translation(glam::DVec3::X * -8.5);
    assert_eq!(names(&findings(&model)), [("far", Some("j3"))]);
}
