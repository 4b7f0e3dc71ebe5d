//! Folders of right, faulty and broken results.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};

use sinew_analysis::export::{Export, Format, List};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::{AS_TWIN, PreparedModel, SkinnedPrimitive, skin_model};
use sinew_skinning::{Fault, Normals};

use super::*;
use crate::expected::choice;
use crate::files;

type Folder = BTreeMap<String, Vec<u8>>;

fn judged(manifest: &Manifest, folder: &Folder, is_named: bool) -> Vec<Row> {
    let names: BTreeSet<String> = folder.keys().cloned().collect();
    let results = Results { names: &names, read: &|name| folder.get(name).cloned() };
    judge(manifest, &results, is_named, &|_| {})
}

/// The cases of these names.
fn only(names: &[&str]) -> Manifest {
    let mut manifest = files::manifest();
    manifest.cases.retain(|case| names.contains(&case.name.as_str()));
    assert_eq!(manifest.cases.len(), names.len());
    manifest
}

/// A path that skins.
#[derive(Clone, Copy)]
enum Path {
    Twin,
    Fast,
}

/// Writes what a path of this program skins, with a fault.
fn made(
    case: &Case,
    model: &Model,
    mode: SkinningMode,
    path: Path,
    fault: Option<Fault>,
    format: Format,
) -> Vec<u8> {
    let mut list = List::new(format, case.times.len()).unwrap();
    let mut out = Vec::new();
    let mut prepared = PreparedModel::new(model).unwrap();
    for &time in &case.times {
        let choice = choice(case, time);
        let mut pose = Pose::default();
        pose.set_with(model, &choice, fault);
        let primitives: Vec<SkinnedPrimitive<f32>> = match path {
            Path::Twin => skin_model(model, mode, &pose),
            Path::Fast => prepared.skin(model, mode, &pose, &AS_TWIN).unwrap(),
        };
        let export = Export {
            given: &case.file,
            model,
            mode,
            normals: Normals::Moved,
            pose: choice,
            on: "cpu",
            primitives: &primitives,
        };
        list.add(&export, &mut out).unwrap();
    }
    list.end(&mut out).unwrap();
    out
}

fn folder_of(manifest: &Manifest, path: Path, fault: Option<Fault>, format: Format) -> Folder {
    let ending = if format == Format::Npz { "npz" } else { "json" };
    let mut folder = Folder::new();
    for case in &manifest.cases {
        let model = expected::model(case).unwrap();
        for name in case.modes.keys() {
            let bytes = made(case, &model, name.parse().unwrap(), path, fault, format);
            folder.insert(format!("{}.{name}.{ending}", case.name), bytes);
        }
    }
    folder
}

#[test]
fn right_results_pass() {
    let manifest = files::manifest();
    for (path, format) in [(Path::Twin, Format::Npz), (Path::Fast, Format::Json)] {
        let rows = judged(&manifest, &folder_of(&manifest, path, None, format), true);
        for row in &rows {
            assert_eq!(row.outcome, Outcome::Pass, "{} {}: {}", row.case, row.mode, row.text());
        }
        assert!(rows.len() > manifest.cases.len());
    }
}

#[test]
fn each_fault_fails_the_cases_that_name_it_and_no_others() {
    let manifest = files::manifest();
    let mut caught = 0;
    for fault in Fault::ALL {
        for path in [Path::Twin, Path::Fast] {
            let is_in_blending = SkinningMode::ALL.iter().any(|mode| fault.is_in_blending(*mode));
            if matches!(path, Path::Fast) && is_in_blending {
                // The fast path blends and turns normals as defined.
                continue;
            }
            let rows = judged(&manifest, &folder_of(&manifest, path, Some(fault), Format::Npz), false);
            for row in rows {
                let case = manifest.cases.iter().find(|case| case.name == row.case).unwrap();
                let names = &case.catches[&row.mode];
                let is_named = names.iter().any(|name| name == fault.name());
                let wanted = if is_named { Outcome::Deviates } else { Outcome::Pass };
                assert_eq!(row.outcome, wanted, "{fault}: {} {}: {}", row.case, row.mode, row.text());
                caught += usize::from(is_named);
            }
        }
    }
    assert!(caught > 500, "{caught}");
}

#[test]
fn deviations_have_their_names() {
    let manifest = only(&["influences-04", "mesh-node-moved"]);
    for fault in [Fault::SkipInverseBind, Fault::SwappedOrder, Fault::WrongPad] {
        let rows = judged(&manifest, &folder_of(&manifest, Path::Twin, Some(fault), Format::Npz), true);
        let row = rows.iter().find(|row| row.mode == "lbs" && row.case == "influences-04").unwrap();
        assert_eq!(row.words.as_deref(), Some(fault.name()), "{}", row.text());
        assert!(row.fails() && row.answer.is_some());
    }
}

/// A moment as runners write it, changed.
fn changed(bytes: &[u8], change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
    let mut json: serde_json::Value = serde_json::from_slice(bytes).unwrap();
    json.as_array_mut().unwrap().iter_mut().for_each(|moment| change(&mut moment["primitives"][0]));
    serde_json::to_vec(&json).unwrap()
}

fn floats(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Repeats each vertex and turns the order round, with texture coordinates if asked for.
fn shuffled(bytes: &[u8], uvs: Option<&[[f64; 2]]>) -> Vec<u8> {
    changed(bytes, |primitive| {
        let rows: Vec<Vec<f64>> = floats(&primitive["positions"]).chunks(3).map(<[f64]>::to_vec).collect();
        let order: Vec<usize> = (0..rows.len()).rev().flat_map(|at| [at, at]).collect();
        let positions: Vec<f64> = order.iter().flat_map(|at| rows[*at].clone()).collect();
        let mut made = serde_json::json!({ "name": "body", "positions": positions });
        if let Some(uvs) = uvs {
            made["texcoords"] = serde_json::json!(order.iter().flat_map(|at| uvs[*at]).collect::<Vec<_>>());
        }
        *primitive = made;
    })
}

#[test]
fn reordered_vertices_are_matched_by_texture_coordinates() {
    let manifest = only(&["influences-02"]);
    let case = &manifest.cases[0];
    let model = expected::model(case).unwrap();
    let right = made(case, &model, SkinningMode::Linear, Path::Twin, None, Format::Json);
    let uvs: Vec<[f64; 2]> = texcoords(&model).into_iter().map(Option::unwrap).collect();
    let row = |bytes: Vec<u8>| {
        let folder = Folder::from([("influences-02.json".to_owned(), bytes)]);
        judged(&manifest, &folder, true).into_iter().find(|row| row.mode == "lbs").unwrap()
    };
    assert_eq!(row(shuffled(&right, Some(&uvs))).outcome, Outcome::Pass);
    assert_eq!(row(shuffled(&right, Some(&uvs))).streams, [Stream::Positions]);
    let welded = row(shuffled(&right, None));
    assert!(welded.text().contains("vertices in place of"), "{}", welded.text());
    // Half of the texture coordinates alone.
    let few: Vec<[f64; 2]> = uvs.iter().map(|[u, v]| [u / 2.0, *v]).collect();
    assert!(row(shuffled(&right, Some(&few))).text().contains("are missing"));
    let turned = changed(&right, |primitive| {
        let made: Vec<f64> = floats(&primitive["positions"])
            .chunks(3)
            .flat_map(|p| [p[0] * 100.0, -p[2] * 100.0, p[1] * 100.0])
            .collect();
        *primitive = serde_json::json!({ "positions": made });
    });
    let turned = row(turned);
    assert_eq!(turned.words.as_deref(), Some("axes x -z y, unit cm"), "{}", turned.text());
    let bare = changed(&right, |primitive| {
        let normals: Vec<f64> = floats(&primitive["normals"]).iter().map(|x| x * 2.0).collect();
        primitive["normals"] = serde_json::json!(normals);
    });
    let bare = row(bare);
    assert!(bare.outcome == Outcome::Deviates && bare.worst == Some(Stream::Normals) && !bare.fails());
}

#[test]
fn no_result_is_worse_than_a_row() {
    let manifest = only(&["influences-02", "influences-05", "influences-04"]);
    let right = folder_of(&manifest, Path::Twin, None, Format::Npz);
    let bytes = &right["influences-02.lbs.npz"];
    let mut cases: Vec<(&str, Vec<u8>, Outcome)> = vec![
        ("influences-02.json", b"[[[[[[[".to_vec(), Outcome::Unreadable),
        ("influences-02.json", b"[{\"primitives\":[]}]".to_vec(), Outcome::Unreadable),
        ("influences-02.json", b"[]".to_vec(), Outcome::Unreadable),
        ("influences-02.npz", Vec::new(), Outcome::Unreadable),
        ("influences-02.lbs.npz", bytes[..bytes.len() / 2].to_vec(), Outcome::Unreadable),
        ("influences-02.npy", b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 99999, 3), }".to_vec(), Outcome::Unreadable),
        ("influences-02.0.obj", b"v 0 0 0\nv 1 1 1\n".to_vec(), Outcome::Unreadable),
        ("influences-02.refused", b"no skins\nat all".to_vec(), Outcome::Refused),
        ("influences-02.lbs.crashed", vec![0xff; 9000], Outcome::Crashed),
        ("influences-02.dqs.crashed", Vec::new(), Outcome::Missing),
        ("about.json", b"{".to_vec(), Outcome::Missing),
    ];
    for at in (0..bytes.len()).step_by(bytes.len() / 60 + 1) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x55;
        cases.push(("influences-02.npz", broken, Outcome::Pass));
    }
    for (name, bytes, outcome) in cases {
        let folder = Folder::from([(name.to_owned(), bytes)]);
        let rows = judged(&manifest, &folder, true);
        let row = rows.iter().find(|row| row.case == "influences-02" && row.mode == "lbs").unwrap();
        // A flipped bit may be harmless.
        assert!(row.outcome == outcome || outcome == Outcome::Pass, "{name}: {}", row.text());
        assert!(row.text().chars().count() < 1000 && !row.text().contains('\n'), "{}", row.text());
        let other = rows.iter().find(|row| row.case == "influences-05").unwrap();
        assert_eq!((other.outcome, other.fails()), (Outcome::NotGiven, false));
        assert!(rows.iter().any(|row| row.case == "influences-04" && row.fails()));
    }
}

#[test]
fn a_file_of_each_time_is_read() {
    let manifest = only(&["influences-02"]);
    let case = &manifest.cases[0];
    let model = expected::model(case).unwrap();
    let mut folder = Folder::new();
    for (number, &time) in case.times.iter().enumerate() {
        let positions = expected::surface(&model, SkinningMode::Linear, &choice(case, time)).positions;
        let text: String =
            positions.iter().map(|p| format!("v {:.6} {:.6} {:.6}\n", p.x, p.y, p.z)).collect();
        folder.insert(format!("influences-02.lbs.{number}.obj"), text.into_bytes());
    }
    folder.insert("about.json".into(), br#"{"program": "mine", "version": "1\n2"}"#.to_vec());
    let rows = judged(&manifest, &folder, true);
    let row = rows.iter().find(|row| row.mode == "lbs").unwrap();
    assert_eq!(row.outcome, Outcome::Pass, "{}", row.text());
    let names: BTreeSet<String> = folder.keys().cloned().collect();
    let about = Results { names: &names, read: &|name| folder.get(name).cloned() }.about().unwrap();
    assert_eq!((about.program.as_str(), about.path.as_str()), ("mine", ""));
    assert!(!about.version.contains('\n'));
    folder.remove("influences-02.lbs.1.obj");
    let rows = judged(&manifest, &folder, true);
    assert!(rows.iter().any(|row| row.outcome == Outcome::Unreadable && row.text().contains("missing")));
}
