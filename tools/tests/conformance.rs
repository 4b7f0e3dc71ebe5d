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
    let made = conformance::text(&conformance::manifest(&conformance::all())).unwrap();
    assert!(made == files::MANIFEST, "conformance/manifest.json differs; {ANEW}");
    assert_eq!(files::manifest(), conformance::manifest(&conformance::all()));
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
