//! Planted faults: each is found as what it is, and characters without one have no finding.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use sinew_analysis::corpus::{Kind, Level, compare};
use sinew_model::{Model, builtin, gltf};
use sinew_tools::plant::{Dice, FAULTS, vary};

fn character(name: &str, seed: u64) -> Model {
    let mut model = gltf::load_bytes(&builtin::glb(name).unwrap(), None).unwrap();
    vary(&mut model, &mut Dice::new(seed));
    gltf::load_bytes(&gltf::write_glb(&model).unwrap(), None).unwrap()
}

#[test]
fn planted_faults_are_found() {
    let mut missed = Vec::new();
    let mut planted = 0;
    for (number, (kind, plant)) in FAULTS.iter().enumerate() {
        for name in ["robot", "elbow"] {
            let mut dice = Dice::new(number as u64);
            let old = character(name, number as u64);
            let mut new = old.clone();
            if !plant(&mut new, &mut dice) {
                continue;
            }
            planted += 1;
            let new = gltf::load_bytes(&gltf::write_glb(&new).unwrap(), None).unwrap();
            let found: Vec<Kind> =
                compare(&old, &new, Level::Quick).findings.iter().map(|finding| finding.kind).collect();
            if !found.iter().any(|found| found.name() == *kind) {
                missed.push(format!("{name} {number} {kind}: {found:?}"));
            }
        }
    }
    assert!(planted > 25 && missed.is_empty(), "of {planted}: {missed:#?}");
}

#[test]
fn characters_of_all_proportions_have_no_finding() {
    for seed in 0..20 {
        let name = ["robot", "elbow", "tube-9", "bend"][seed as usize % 4];
        let model = character(name, seed);
        let again = gltf::load_bytes(&gltf::write_glb(&model).unwrap(), None).unwrap();
        assert_eq!(compare(&model, &again, Level::Quick).findings, [], "{name} {seed}");
    }
}
