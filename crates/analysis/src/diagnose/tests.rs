//! Vertices made on purpose are named right.

use sinew_model::{Model, builtin, gltf};
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::{Fault, SkinningMode};

use super::engine::{Posed, Scratch};
use super::subject::Subject;
use super::*;
use crate::vertices::{Given, Part, Stored};

fn model(name: &str) -> Model {
    gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap()
}

/// Makes vertices by a recipe, rounded to single precision.
fn made(model: &Model, recipe: &Recipe, choice: &PoseChoice) -> Given {
    let subject = Subject::new(model);
    let posed = Posed::new(&subject, recipe, choice);
    let mut scratch = Scratch::default();
    let single = |number: f64| f64::from(number as f32);
    let positions =
        (0..subject.len).map(|vertex| posed.position(vertex, &mut scratch).to_array().map(single));
    let part = Part { positions: positions.collect(), ..Part::default() };
    Given { parts: vec![part], stored: Stored::F32 }
}

/// Returns the largest difference of a coordinate.
fn farthest(a: &Given, b: &Given) -> f64 {
    let pairs = a.parts[0].positions.iter().zip(&b.parts[0].positions);
    pairs.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs())).fold(0.0, f64::max)
}

fn ask_of(model: &Model, given: &Given, asked: Asked) -> Answer {
    ask(&Question { model, given, bind: None, asked, expected: None, watch: &|_| {} }).unwrap()
}

#[test]
fn every_deviation_is_named() {
    let (mut right, mut all) = (0, 0);
    let mut misses = Vec::new();
    for (name, clip, time) in [("character", 0, 0.33), ("twist", 0, 1.4), ("bend", 0, 0.7)] {
        let model = model(name);
        let choice = PoseChoice::clip(clip, time);
        for mode in SkinningMode::ALL {
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
