//! The GPU passes the conformance suite, and fails it with each fault of `--inject` as the manifest says.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sinew::conformance::judge::{Outcome, Results, judge};
use sinew::conformance::{expected, files};
use sinew::export::{Export, Format, List};
use sinew::render::Renderer;
use sinew::skinning::cpu::Exactness;
use sinew::skinning::{Fault, Normals, SkinningMode};

use crate::common;

#[test]
fn the_gpu_fails_as_the_manifest_says() {
    let mut renderer = Renderer::new(common::open(), None).unwrap();
    let is_in_palette = |fault: &Fault| SkinningMode::ALL.iter().all(|mode| !fault.is_in_blending(*mode));
    let in_palettes = Fault::ALL.into_iter().filter(is_in_palette);
    let faults: Vec<Option<Fault>> = std::iter::once(None).chain(in_palettes.map(Some)).collect();
    let mut folders = vec![BTreeMap::new(); faults.len()];
    let manifest = files::manifest();
    for case in &manifest.cases {
        let model = Arc::new(expected::model(case).unwrap());
        let mut gpu = renderer.upload(Arc::clone(&model)).unwrap();
        for name in case.modes.keys() {
            let mode: SkinningMode = name.parse().unwrap();
            for (fault, folder) in faults.iter().zip(&mut folders) {
                let mut bytes = Vec::new();
                let mut list = List::new(Format::Npz, case.times.len()).unwrap();
                for &time in &case.times {
                    let pose = expected::choice(case, time);
                    let primitives =
                        renderer.skin_with(&mut gpu, (mode, Exactness::Twin), &pose, *fault).unwrap();
                    let given = &case.file;
                    let model = &model;
                    let normals = Normals::Moved;
                    let export =
                        Export { given, model, mode, normals, pose, on: "gpu", primitives: &primitives };
                    list.add(&export, &mut bytes).unwrap();
                }
                list.end(&mut bytes).unwrap();
                folder.insert(format!("{}.{name}.npz", case.name), bytes);
            }
        }
    }
    for (fault, folder) in faults.iter().zip(&folders) {
        let names: BTreeSet<String> = folder.keys().cloned().collect();
        let results = Results { names: &names, read: &|name| folder.get(name).cloned() };
        for row in judge(&manifest, &results, false, &|_| {}) {
            let case = manifest.cases.iter().find(|case| case.name == row.case).unwrap();
            let is_caught =
                fault.is_some_and(|fault| case.catches[&row.mode].iter().any(|one| one == fault.name()));
            let wanted = if is_caught { Outcome::Deviates } else { Outcome::Pass };
            assert_eq!(row.outcome, wanted, "{fault:?}: {} {}: {}", row.case, row.mode, row.text());
        }
    }
}
