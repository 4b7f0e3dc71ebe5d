//! Vertices made on purpose are named right.

use sinew_model::{Model, builtin, gltf};
use sinew_skinning::pose::{Names, Pose, PoseChoice};
use sinew_skinning::posed::{reference_model, surfaces_into};
use sinew_skinning::{Fault, SkinningMode};

use super::*;
use crate::vertices::{Given, Part, Stored};

fn model(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

/// Makes vertices by a recipe, rounded to single precision.
fn made(model: &Model, recipe: &Recipe, choice: &PoseChoice) -> Given {
    let single = |number: f64| f64::from(number as f32);
    let made = positions(model, recipe, choice).into_iter().map(|at| at.map(single));
    given(made.collect())
}

fn given(positions: Vec<[f64; 3]>) -> Given {
    Given { parts: vec![Part { positions, ..Part::default() }], stored: Stored::F32 }
}

/// Returns the largest difference of a coordinate.
fn farthest(a: &Given, b: &Given) -> f64 {
    let pairs = a.parts[0].positions.iter().zip(&b.parts[0].positions);
    pairs.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs())).fold(0.0, f64::max)
}

fn ask_of(model: &Model, given: &Given, asked: Asked) -> Answer {
    ask(&Question { model, given, bind: None, asked, expected: None, watch: &|_| {} }).unwrap()
}

/// The engine that makes vertices for these tests equals the implementations that it does not share.
#[test]
fn recipes_are_what_the_rest_of_the_house_does() {
    for (name, clip, time) in [("character", 0, 0.33), ("twist", 0, 1.4), ("tube-5", 0, 0.9)] {
        let model = model(name);
        let choice = PoseChoice::clip(clip, time);
        let mut pose = Pose::default();
        let apart = |a: &[[f64; 3]], b: &[[f64; 3]]| farthest(&given(a.to_vec()), &given(b.to_vec()));
        for mode in SkinningMode::ALL {
            pose.set(&model, &choice);
            let ours = positions(&model, &Recipe::of(mode), &choice);
            let reference = reference_model(&model, mode, &pose);
            let reference: Vec<[f64; 3]> =
                reference.into_iter().flat_map(|truth| truth.skinned.positions).collect();
            assert!(apart(&ours, &reference) < 1e-12, "{name} {mode}");
            for fault in Fault::ALL {
                let Some(recipe) = Recipe::of(mode).with(Deviation::Fault(fault)) else { continue };
                pose.set_with(&model, &choice, Some(fault));
                let mut surfaces = Vec::new();
                surfaces_into(&model, mode, &pose, &mut surfaces);
                let faulty: Vec<[f64; 3]> = surfaces.into_iter().flat_map(|one| one.positions).collect();
                let largest = faulty.as_flattened().iter().fold(1.0, |most: f64, at| most.max(at.abs()));
                let apart = apart(&positions(&model, &recipe, &choice), &faulty);
                assert!(apart < 4e-6 * largest, "{name} {recipe}: {apart}");
            }
        }
    }
}

#[test]
fn every_deviation_is_named() {
    let (mut right, mut all) = (0, 0);
    let mut misses = Vec::new();
    for (name, clip, time) in [("tube-5", 0, 0.9), ("bend", 0, 0.7)] {
        let model = model(name);
        let choice = PoseChoice::clip(clip, time);
        for mode in [SkinningMode::Linear, SkinningMode::DualQuat] {
            let base = Recipe::of(mode);
            let plain = made(&model, &base, &choice);
            let recipes =
                std::iter::once(base.clone()).chain(Deviation::all().filter_map(|one| base.with(one)));
            for recipe in recipes {
                let given = made(&model, &recipe, &choice);
                // What changes nothing here cannot be told from the mode itself.
                if recipe != base && farthest(&given, &plain) < 1e-5 {
                    continue;
                }
                all += 1;
                let answer = ask_of(&model, &given, Asked::At(&choice));
                let found = made(&model, &answer.recipe, &answer.choice);
                let apart = farthest(&given, &found);
                let is_named = answer.recipe == recipe || apart < 1e-7;
                right += usize::from(is_named);
                if !is_named {
                    misses.push(format!("{name}: {recipe} named {} ({:?})", answer.recipe, answer.verdict));
                }
                assert!(is_named || !answer.verdict.agrees, "{name}: {recipe}: {:?}", answer.verdict);
            }
        }
    }
    println!("{right} of {all}");
    misses.iter().for_each(|miss| println!("{}", &miss[..miss.len().min(400)]));
    assert!(right * 100 >= all * 97, "{right} of {all}");
}

#[test]
fn moments_axes_and_units_are_found() {
    let model = model("character");
    let choice = PoseChoice::clip(1, 0.35);
    let given = made(&model, &Recipe::of(SkinningMode::DualQuat), &choice);
    let answer = ask_of(&model, &given, Asked::Search(None));
    println!("{}", answer.verdict.sentence);
    assert!((answer.matched.time - 0.35).abs() < 1e-4 && answer.verdict.mode == "dqs", "{answer:?}");
    let moved = |[x, y, z]: [f64; 3]| [x * 100.0, -z * 100.0, y * 100.0];
    let mut turned = given.clone();
    turned.parts[0].positions.iter_mut().for_each(|at| *at = moved(*at));
    for asked in [Asked::Search(None), Asked::At(&choice)] {
        let answer = ask_of(&model, &turned, asked);
        println!("{} {:?}", answer.verdict.sentence, answer.matched);
        assert!(answer.verdict.agrees && answer.verdict.mode == "dqs");
        assert_eq!(
            (answer.matched.placement.unit.as_str(), answer.matched.placement.axes.as_str()),
            ("cm", "x -z y")
        );
    }
    let asked = PoseChoice::clip(1, 0.35 + 1.0 / model.frame_rate());
    let answer = ask_of(&model, &given, Asked::At(&asked));
    println!("{}", answer.verdict.sentence);
    assert_eq!(answer.verdict.faults, [Fault::StalePalette.name()]);
    let bind = made(&model, &Recipe::of(SkinningMode::Linear), &PoseChoice::Bind);
    let answer = ask_of(&model, &bind, Asked::At(&choice));
    println!("{}", answer.verdict.sentence);
    assert_eq!(answer.matched.pose, "bind");
}

#[test]
fn wrong_vertices_are_described_by_what_they_share() {
    let model = model("character");
    let choice = PoseChoice::clip(1, 0.35);
    let right = made(&model, &Recipe::of(SkinningMode::Linear), &choice);
    let node = Names::new(&model).node("forearm.R").unwrap();
    let joint = model.skins[0].joints.iter().position(|joint| *joint == node).unwrap() as i32;
    let subject = super::subject::Subject::new(&model);
    let follows = |vertex: usize| {
        let (_, part, at) = subject.part_of(vertex).unwrap();
        part.influences(at).iter().any(|(number, _)| *number == joint)
    };
    let mut wrong = right.clone();
    for (vertex, position) in wrong.parts[0].positions.iter_mut().enumerate() {
        position[1] += if follows(vertex) { 0.03 } else { 0.0 };
    }
    let answer = ask_of(&model, &wrong, Asked::At(&choice));
    assert!(!answer.verdict.agrees);
    let sentence = answer.wrong.unwrap();
    assert!(
        sentence.contains("follow the joint forearm.R") && sentence.contains("no right one does"),
        "{sentence}"
    );
    assert!(answer.verdict.sentence.starts_with("No known skinning gives these vertices."), "{sentence}");

    let mut lost = right;
    lost.parts[0].positions[7] = [f64::NAN; 3];
    let answer = ask_of(&model, &lost, Asked::At(&choice));
    assert!(answer.verdict.agrees && answer.not_finite.count == 1 && answer.not_finite.first == Some(7));
}

#[test]
fn reordered_vertices_are_matched_by_their_bind_pose() {
    let model = model("twist");
    let choice = PoseChoice::clip(0, 1.4);
    let shuffled = |made: &Given| {
        let all = &made.parts[0].positions;
        let count = all.len();
        // Coprime with the count, so that each vertex comes once.
        let step = (count / 3..).find(|step| gcd(*step, count) == 1).unwrap();
        given((0..count).map(|at| all[at * step % count]).collect())
    };
    let posed = shuffled(&made(&model, &Recipe::of(SkinningMode::DualQuat), &choice));
    let bind = shuffled(&made(&model, &Recipe::of(SkinningMode::Linear), &PoseChoice::Bind));
    let question = Question {
        model: &model,
        given: &posed,
        bind: Some(&bind),
        asked: Asked::At(&choice),
        expected: None,
        watch: &|_| {},
    };
    let answer = ask(&question).unwrap();
    assert_eq!((answer.matched.by, answer.verdict.mode, answer.verdict.agrees), (By::BindPlace, "dqs", true));
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
