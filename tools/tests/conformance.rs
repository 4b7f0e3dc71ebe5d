//! The conformance suite equals the output of its recipes.

use std::collections::HashSet;

use sinew_conformance::files;
use sinew_model::gltf;
use sinew_tools::conformance;

const ANEW: &str = "`cargo run --release -p sinew-tools --bin generate_conformance` writes it anew";

#[test]
fn recipes_still_make_the_stored_rigs() {
    for recipe in conformance::all() {
        let (name, made) = (recipe.file_name(), recipe.bytes());
        let stored = files::rig(&name).unwrap_or_default();
        let same = made.iter().zip(stored).take_while(|(a, b)| a == b).count();
        assert!(made == stored, "conformance/rigs/{name} differs from byte {same} on; {ANEW}");
    }
}

#[test]
fn recipes_still_make_the_stored_manifest() {
    let manifest = conformance::manifest(&conformance::all()).unwrap();
    let made = conformance::text(&manifest).unwrap();
    assert!(made == files::MANIFEST, "conformance/manifest.json differs; {ANEW}");
    assert_eq!(files::manifest(), manifest);
}

#[test]
fn cases_catch_what_they_are_made_for() {
    let manifest = files::manifest();
    for recipe in conformance::all() {
        let case = manifest.cases.iter().find(|case| case.name == recipe.name).unwrap();
        for (mode, deviations) in recipe.made_for {
            let missed =
                deviations.iter().filter(|name| !case.catches[*mode].iter().any(|caught| caught == *name));
            assert_eq!(missed.collect::<Vec<_>>(), Vec::<&&str>::new(), "{} {mode}", case.name);
        }
    }
}

#[test]
fn recipes_are_complete() {
    let mut names = HashSet::new();
    for recipe in conformance::all() {
        let name = recipe.name;
        assert!(names.insert(name), "{name} exists twice");
        let texts = [recipe.tests, recipe.why, recipe.source.0, recipe.source.1];
        assert!(texts.iter().all(|text| !text.is_empty()), "{name} lacks a text");
        assert!(!recipe.modes.is_empty() && !recipe.times.is_empty(), "{name}");
        for (mode, _) in recipe.made_for {
            assert!(recipe.modes.iter().any(|(known, _)| known == mode), "{name}: {mode}");
        }
    }
}

/// The manifest says which files break a rule of glTF.
#[test]
fn rigs_are_as_valid_as_the_manifest_says() {
    for case in files::manifest().cases.iter().filter(|case| !case.file.ends_with(".fbx")) {
        let bytes = files::rig(&case.file).unwrap_or_default();
        let model = gltf::load_bytes(bytes, None).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let broken: Vec<_> = model.warnings.iter().chain(&model.faults).collect();
        assert_eq!(broken.is_empty(), case.valid, "{}: {broken:?}", case.name);
    }
}
