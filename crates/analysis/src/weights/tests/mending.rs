//! Tests that planted faults are mended, and that nothing else changes.

use super::super::{Kind, findings, mend};
use super::{at_place_of, built_in, by_hand, give, joint, nearest_to, primitive, seam, weight, with_outlier};
use sinew_model::{Influences, Model};
use sinew_skinning::reweight::{Edit, Row, Weights};

/// Puts all weights on the grid, as at load.
fn settle(model: &mut Model) {
    let p = primitive(model);
    let stored = p.influences.clone().unwrap();
    let rows = (0..p.positions.len()).map(|vertex| Row::of(&stored, vertex).weights().collect::<Vec<_>>());
    p.influences = Some(Influences::from_rows(rows.collect::<Vec<_>>().into_iter()));
}

fn rows(model: &Model) -> Vec<Row> {
    Weights::new(model).parts.remove(0).rows
}

/// Mends a model with faults of one kind at some vertices, and returns it. Only these may change.
fn mended(mut model: Model, kind: Kind, faulty: &[usize]) -> Model {
    settle(&mut model);
    let kinds = |model: &Model| findings(model).into_iter().map(|found| found.kind).collect::<Vec<Kind>>();
    assert_eq!(kinds(&model), [kind]);
    let mut weights = Weights::new(&model);
    let all = weights.choose(&[]).unwrap();
    let mended = mend(&mut weights, &all);
    let made = weights.model();
    assert_eq!(kinds(&made), [], "{mended:?}");
    assert_eq!(mended.vertices.len(), 1);
    assert_eq!(mended.vertices[&kind][1], 0);
    assert!(mended.vertices[&kind][0] > 0 && mended.done.changed > 0);
    for (vertex, (before, after)) in rows(&model).iter().zip(rows(&made)).enumerate() {
        assert!(faulty.contains(&vertex) || *before == after, "{vertex}");
    }
    made
}

#[test]
fn a_joint_far_away_and_an_island_lose_their_weight() {
    let start = built_in("character");
    for (place, share, kind) in
        [([0.48, 1.15, -0.05], 0.15, Kind::Far), ([0.12, 0.36, 0.06], 0.2, Kind::Island)]
    {
        let mut model = start.clone();
        let foot = joint(&model, "foot.L");
        let center = nearest_to(&model, place);
        let faulty: Vec<usize> = match kind {
            Kind::Far => at_place_of(&model, center),
            _ => {
                let at = model.meshes[0].primitives[0].positions[center];
                let squared = |p: &[f32; 3]| (0..3).map(|k| (p[k] - at[k]).powi(2)).sum::<f32>();
                let positions = &model.meshes[0].primitives[0].positions;
                (0..positions.len()).filter(|v| squared(&positions[*v]) < 0.0009).collect()
            }
        };
        faulty.iter().for_each(|vertex| give(&mut model, *vertex, foot, share));
        let made = mended(model, kind, &faulty);
        for vertex in faulty {
            assert_eq!(weight(&made, vertex, foot), 0.0);
            for (joint, weight_before) in rows(&start)[vertex].weights() {
                assert!((f64::from(weight(&made, vertex, joint)) - weight_before).abs() < 1e-6, "as it was");
            }
        }
    }
}

#[test]
fn vertices_that_only_a_far_joint_moves_follow_their_neighbours() {
    let mut model = built_in("character");
    let foot = joint(&model, "foot.L");
    let center = nearest_to(&model, [0.48, 1.15, -0.05]);
    let at = model.meshes[0].primitives[0].positions[center];
    let squared = |p: &[f32; 3]| (0..3).map(|k| (p[k] - at[k]).powi(2)).sum::<f32>();
    let positions = &model.meshes[0].primitives[0].positions;
    let faulty: Vec<usize> = (0..positions.len()).filter(|v| squared(&positions[*v]) < 0.001).collect();
    assert!(faulty.len() > 12, "so many that some have no neighbour outside: {}", faulty.len());
    for vertex in &faulty {
        give(&mut model, *vertex, foot, 1.0);
    }
    let made = mended(model, Kind::Far, &faulty);
    let forearm = joint(&made, "forearm.L");
    assert!(faulty.iter().all(|vertex| weight(&made, *vertex, forearm) > 0.5));
}

#[test]
fn a_leak_goes_to_the_joint_of_its_side() {
    let mut model = built_in("character");
    let faulty = at_place_of(&model, nearest_to(&model, [0.19, 0.75, 0.0]));
    let [left, right] = ["thigh.L", "thigh.R"].map(|name| joint(&model, name));
    let before = weight(&model, faulty[0], left);
    faulty.iter().for_each(|vertex| give(&mut model, *vertex, right, 0.2));
    let made = mended(model, Kind::Leak, &faulty);
    for vertex in faulty {
        assert_eq!(weight(&made, vertex, right), 0.0);
        assert!((weight(&made, vertex, left) - (before * 0.8 + 0.2)).abs() < 1e-6);
    }
}

#[test]
fn an_outlier_follows_its_neighbours() {
    let (model, faulty) = with_outlier();
    let (vertex, start) = (faulty[0], built_in("character"));
    let hips = joint(&start, "hips");
    let before = weight(&start, vertex, hips);
    let made = mended(model, Kind::Outlier, &faulty);
    assert!((weight(&made, vertex, hips) - before).abs() < 0.05, "{}", weight(&made, vertex, hips));
}

#[test]
fn tiny_weights_go_and_a_torn_seam_closes() {
    let mut model = built_in("character");
    let (head, neck) = (joint(&model, "head"), joint(&model, "neck"));
    let count = primitive(&mut model).positions.len();
    let faulty: Vec<usize> = (0..count).filter(|v| weight(&model, *v, head) == 1.0).take(3).collect();
    faulty.iter().for_each(|vertex| give(&mut model, *vertex, neck, 0.003));
    let made = mended(model, Kind::Tiny, &faulty);
    assert!(faulty.iter().all(|vertex| weight(&made, *vertex, head) == 1.0));

    let seam = seam(0.75);
    let made = mended(seam, Kind::Split, &[1, 4]);
    assert_eq!([1, 4].map(|vertex| weight(&made, vertex, 1)), [0.625; 2]);
}

#[test]
fn locked_joints_and_vertices_that_are_not_chosen_stay() {
    let mut model = built_in("character");
    let faulty = at_place_of(&model, nearest_to(&model, [0.48, 1.15, -0.05]));
    let foot = joint(&model, "foot.L");
    faulty.iter().for_each(|vertex| give(&mut model, *vertex, foot, 0.15));
    settle(&mut model);
    let mut weights = Weights::new(&model);
    let elsewhere = weights.choose(&["part:head".parse().unwrap()]).unwrap();
    assert_eq!(mend(&mut weights, &elsewhere).vertices.len(), 0);
    weights.lock(&["foot.L".to_owned()]).unwrap();
    let all = weights.choose(&[]).unwrap();
    let mended = mend(&mut weights, &all);
    assert_eq!(mended.vertices[&Kind::Far], [faulty.len(); 2]);
    assert_eq!(rows(&weights.model()), rows(&model));
}

/// Faults that an edit made are mended as well as those of the file.
#[test]
fn what_an_edit_spoilt_is_mended() {
    let model = built_in("character");
    let mut weights = Weights::new(&model);
    let near = weights.choose(&["sphere:0.48,1.15,-0.05,0.04".parse().unwrap()]).unwrap();
    let add = Edit::read("add", "foot.L=+0.25").unwrap().unwrap();
    assert!(weights.apply(&add, &near).unwrap().changed > 10);
    let mended = mend(&mut weights, &near);
    let [before, after] = mended.vertices[&Kind::Far];
    assert!(before > 10 && after == 0, "{mended:?}");
    assert!(mended.done.changed <= near.count());
    let far = findings(&weights.model()).into_iter().filter(|found| found.kind == Kind::Far).count();
    assert_eq!(far, 0);
}

/// At a seam between chosen vertices and others, the chosen ones take the weights of the others.
#[test]
fn vertices_across_a_seam_stay_if_they_are_not_chosen() {
    let seam = seam(0.75);
    let mut weights = Weights::new(&seam);
    // The fifth vertex, whose heaviest joint is the second.
    let right = weights.choose(&["part:j1".parse().unwrap()]).unwrap();
    let mended = mend(&mut weights, &right);
    assert_eq!((mended.vertices[&Kind::Split], mended.done.changed), ([1, 0], 1));
    let made = weights.model();
    assert_eq!([1, 4].map(|vertex| weight(&made, vertex, 1)), [0.5; 2]);
}

/// A strip that one joint moves alone, far from its home, follows its neighbours in about as many steps as it has points.
#[test]
fn a_long_island_is_mended_in_a_moment() {
    const COLUMNS: usize = 30_000;
    let places: Vec<[f32; 3]> =
        (0..COLUMNS).flat_map(|x| [[x as f32, 0.0, 0.0], [x as f32, 1.0, 0.0]]).collect();
    let quads = (0..COLUMNS as u32 - 1).flat_map(|n| [0, 1, 3, 0, 3, 2].map(|corner| 2 * n + corner));
    let is_faulty = |column: usize| (COLUMNS / 2..COLUMNS - 100).contains(&column);
    let row = |vertex: usize| ([i32::from(is_faulty(vertex / 2)), 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
    let rows: Vec<_> = (0..places.len()).map(row).collect();
    let model = by_hand(&[0.0, -50.0], &places, &quads.collect::<Vec<u32>>(), &rows);
    let mut weights = Weights::new(&model);
    let all = weights.choose(&[]).unwrap();
    let mended = mend(&mut weights, &all);
    println!("{mended:?}");
    assert!(mended.vertices.values().all(|[_, after]| *after == 0), "{mended:?}");
}
