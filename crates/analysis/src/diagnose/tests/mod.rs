//! Vertices made on purpose are named right.

use sinew_model::{Model, builtin, gltf};
use sinew_skinning::pose::{Names, Pose, PoseChoice};
use sinew_skinning::posed::{reference_model, surfaces_into};
use sinew_skinning::{Fault, SkinningMode};

mod directions;
mod matching;

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
    for (name, clip, time, has_none) in [
        ("character", 0, 0.33, false),
        ("twist", 0, 1.4, false),
        ("tube-5", 0, 0.9, false),
        ("tube-5", 0, 0.9, true),
    ] {
        let mut model = model(name);
        for span in &mut model.meshes[0].primitives[0].influences.as_mut().unwrap().spans {
            // Every third vertex belongs to no joint.
            span.joints.iter_mut().step_by(3).filter(|_| has_none).for_each(|joints| *joints = [-1; 4]);
        }
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

/// The joint in the file's first slot, which is not the heaviest, decides the signs.
#[test]
fn the_first_slot_of_the_file_is_known() {
    let positions: Vec<[f32; 3]> = (0..60).map(|n| [0.2, n as f32 * 0.05, 0.1]).collect();
    let light: Vec<f32> = (0..60).map(|n| 0.1 + 0.35 * n as f32 / 60.0).collect();
    let joints = vec![[2, 0, 1, 0]; 60];
    let weights: Vec<[f32; 4]> = light.iter().map(|w| [w * 0.5, 1.0 - w, w * 0.5, 0.0]).collect();
    // The lightest joint is more than half a turn from the heaviest.
    let turn = |angle: f64| glam::DMat4::from_axis_angle(glam::DVec3::new(0.6, 0.8, 0.0), angle);
    let matrices = [turn(0.1), turn(2.2), turn(4.0)];
    let arrays =
        Arrays { positions: &positions, joints: &[&joints], weights: &[&weights], matrices: &matrices };
    let model = library::model(&arrays).unwrap();
    for name in ["dqs", "dqs,pivot-first"] {
        let made = made(&model, &name.parse().unwrap(), &PoseChoice::Rest);
        let answer = super::arrays(&arrays, &made.parts[0].positions).unwrap();
        assert!(answer.verdict.agrees, "{name}: {}", answer.verdict.sentence);
        assert_eq!(answer.recipe.to_string(), name, "{}", answer.verdict.sentence);
    }
}

#[test]
fn recipes_are_read_back() {
    for name in ["lbs", "blend=0.300", "dqs,pivot-first,plain-normals,unskinned-tangents,handedness-zero"] {
        assert_eq!(name.parse::<Recipe>().unwrap().to_string(), name);
    }
    for (name, cause) in [
        ("dqs=0.5", "dqs=0.5: only blend has a share, from 0 to 1, such as blend=0.5"),
        ("blend=2", "blend=2: only blend has a share, from 0 to 1, such as blend=0.5"),
        ("blend=NaN", "blend=NaN: only blend has a share, from 0 to 1, such as blend=0.5"),
        ("lbs,plain-normals,unskinned-normals", "lbs cannot have unskinned-normals besides the others"),
    ] {
        assert_eq!(name.parse::<Recipe>().unwrap_err().to_string(), cause);
    }
    let model = model("bend");
    let choice = PoseChoice::clip(0, 0.7);
    let recipe: Recipe = "blend=0.3".parse().unwrap();
    let given = made(&model, &recipe, &choice);
    let asked = Asked::At(&choice);
    let question =
        Question { model: &model, given: &given, bind: None, asked, expected: Some(&recipe), watch: &|_| {} };
    let answer = ask(&question).unwrap();
    assert_eq!(answer.recipe.to_string(), "blend=0.300");
    let expected = answer.expected.unwrap().candidate;
    assert!(expected.name == "blend=0.300" && expected.distances.max_r < 1e-6, "{expected:?}");
}
