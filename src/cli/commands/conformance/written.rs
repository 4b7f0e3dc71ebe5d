//! `sinew conformance --write DIR`: writes the suite.

use std::path::Path;

use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;
use crate::cli::terminal::progress::bar;
use crate::conformance::{Case, Manifest, expected, files};
use crate::model::Model;
use crate::output::{self, Closed, Folder};
use crate::skinning::SkinningMode;
use crate::words::many;

/// The file that marks a folder with a suite.
const MANIFEST: &str = "manifest.json";

/// Writes the suite into an empty folder, or over an earlier one.
pub fn run(path: &Path, inputs: &Closed) -> Result<(), Failure> {
    let failed = |cause: &dyn std::fmt::Display| Failure::output(path, cause.to_string());
    let folder = Folder::make(path).map_err(|error| failed(&error))?;
    let names = folder.names().map_err(|error| failed(&error))?;
    if !names.is_empty() && !is_suite(&folder) {
        return Err(failed(&"the folder has files, but no suite; choose an empty folder"));
    }
    for part in ["rigs", "expected"] {
        folder.make_inside(part).map_err(|error| Failure::output(&folder.join(part), error))?;
    }
    let mut count = 0;
    let mut write = |name: &str, bytes: &[u8]| -> Result<(), Failure> {
        let out = inputs.beneath(&folder, name)?;
        count += 1;
        output::write(&out, |out| out.write_all(bytes)).map_err(|error| Failure::output(out.path(), error))
    };
    // First, so that a run that is stopped can be repeated.
    write(MANIFEST, files::MANIFEST.as_bytes())?;
    write("README.md", files::README.as_bytes())?;
    write("rigs/LICENSE", files::LICENCE.as_bytes())?;
    let manifest = files::manifest();
    let bar = bar(manifest.cases.len() as u64, "cases");
    for case in &manifest.cases {
        write(&format!("rigs/{}", case.file), files::rig(&case.file).unwrap_or_default())?;
        if !cfg!(feature = "fbx") && case.file.ends_with(".fbx") {
            say(&format!("warning: this build reads no FBX, so expected/ has no {}", case.name));
            continue;
        }
        let model = expected::model(case).map_err(|error| input(case, error))?;
        for mode in case.modes.keys() {
            for (ending, format) in expected::FORMATS {
                let bytes = bytes(case, &model, mode, format)?;
                write(&format!("expected/{}.{mode}.{ending}", case.name), &bytes)?;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    say(&format!("wrote {} to {}", many(count, "file"), path.display()));
    Ok(())
}

fn bytes(case: &Case, model: &Model, mode: &str, format: crate::export::Format) -> Result<Vec<u8>, Failure> {
    let parsed: SkinningMode = mode.parse().map_err(|error| input(case, error))?;
    let mut bytes = Vec::new();
    expected::write(case, model, parsed, format, &mut bytes).map_err(|error| input(case, error))?;
    Ok(bytes)
}

fn input(case: &Case, error: impl std::fmt::Display) -> Failure {
    Failure::Input { file: case.file.clone(), cause: error.to_string() }
}

/// Returns true if a folder holds a suite.
fn is_suite(folder: &Folder) -> bool {
    let text = folder.read(MANIFEST, 1 << 24).unwrap_or_default();
    let found: Result<Manifest, _> = serde_json::from_slice(&text);
    found.is_ok_and(|found| found.suite == files::manifest().suite)
}
