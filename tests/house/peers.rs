//! Holds the table of other programs in the conformance suite to the rigs, runners and versions that it was made of.

use std::path::{Path, PathBuf};

use sinew::model::gltf::sha256;

use super::{files_below, root};

/// The manifest, the pinned versions, the rigs and the runners.
fn inputs() -> Vec<PathBuf> {
    let conformance = root().join("conformance");
    let files = |folder: &str| {
        std::fs::read_dir(conformance.join(folder)).unwrap().map(|entry| entry.unwrap().path())
    };
    let is_runner = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ending == "py" || ending == "mjs")
            && !path.ends_with("table.py")
    };
    let mut found: Vec<PathBuf> = files("rigs").chain(files("peers").filter(is_runner)).collect();
    found.extend([conformance.join("manifest.json"), root().join("scripts/peers.sh")]);
    found
}

/// Returns the hash of the lines that `sha256sum` prints for the files, sorted by name.
fn digest(files: &[PathBuf], root: &Path) -> String {
    let mut names: Vec<String> = files
        .iter()
        .map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"))
        .collect();
    names.sort();
    let line = |name: &String| format!("{}  {name}\n", sha256(&std::fs::read(root.join(name)).unwrap()));
    sha256(names.iter().map(line).collect::<String>().as_bytes())
}

#[test]
fn the_table_of_other_programs_is_of_these_rigs_runners_and_versions() {
    let table = std::fs::read_to_string(root().join("conformance/peers/table.json")).unwrap();
    let table: serde_json::Value = serde_json::from_str(&table).unwrap();
    let inputs = inputs();
    assert!(inputs.len() > 50, "{inputs:?}");
    assert_eq!(table["hash"], digest(&inputs, root()), "run `make conformance-table`");
}

#[test]
fn causes_and_reports_name_cases_programs_and_files() {
    let manifest = std::fs::read_to_string(root().join("conformance/manifest.json")).unwrap();
    let run = std::fs::read_to_string(root().join("conformance/peers/run.py")).unwrap();
    let mut faults = Vec::new();
    for path in files_below(&root().join("conformance/peers"), "json") {
        if !path.file_name().unwrap().to_string_lossy().starts_with("causes") {
            continue;
        }
        let causes: Vec<serde_json::Value> =
            serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for cause in &causes {
            let words = |key: &str| {
                cause[key].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned())
            };
            faults.extend(
                words("cases").filter(|case| case != "*" && !manifest.contains(&format!("\"{case}\""))),
            );
            faults.extend(words("programs").filter(|program| !run.contains(&format!("\"{program}\":"))));
            if let Some(finding) = cause["finding"].as_str() {
                let report = root().join("conformance/findings").join(finding).join("report.md");
                faults.extend((!report.exists()).then(|| report.display().to_string()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:?}");
}
