//! Joins the reports of several folders into one site.

#![allow(clippy::disallowed_methods, reason = "adds each file that it reads to the inputs")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::folder::{Folder, MAX_REPORT_BYTES, PAGE, SITE_FILE};
use crate::analysis::report::{JSON_FILE, Report, VIEW_FILE, from_json};
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;
use crate::model::gltf;
use crate::output::{Closed, Inputs, Role};
use crate::words::many;

/// The maximum number of bytes of a picture of a report: far more than any has.
pub const MAX_PICTURE_BYTES: u64 = 64 << 20;

/// Copies every report that the folders hold, and writes an index of all.
pub fn run(out: &Path, folders: &[PathBuf], mut inputs: Inputs) -> Result<(), Failure> {
    let mut found: Vec<(String, PathBuf, Report)> = Vec::new();
    let mut left: usize = 0;
    for folder in folders {
        let before = found.len();
        for file in [SITE_FILE, PAGE].map(|file| folder.join(file)).iter().filter(|file| file.is_file()) {
            inputs.add(file, Role::Report)?;
        }
        left = left.saturating_add(models_left(folder));
        for inside in reports_in(folder)? {
            let report = read(&inside, &mut inputs)?;
            found.push((super::folder::name(&report.model), inside, report));
        }
        // A share may have no models, but then it is a site with none.
        if found.len() == before && !folder.join(SITE_FILE).is_file() {
            return Err(Failure::Input {
                file: folder.display().to_string(),
                cause: "it has no report".to_owned(),
            });
        }
    }
    found.sort_by(|a, b| a.2.model.cmp(&b.2.model));
    let mut names = HashSet::new();
    if let Some((_, inside, report)) = found.iter().find(|(name, ..)| !names.insert(name.clone())) {
        let cause = format!("another folder has a report on {}, too", report.model);
        return Err(Failure::Input { file: inside.display().to_string(), cause });
    }
    for (_, inside, report) in &found {
        if let Some(view) = &report.view {
            if view.file != VIEW_FILE {
                let cause = format!("its view '{}' is not {VIEW_FILE}", view.file);
                let file = inside.join(JSON_FILE).display().to_string();
                return Err(Failure::Input { file, cause });
            }
            inputs.add(&inside.join(VIEW_FILE), Role::Report)?;
        }
        for picture in report.worst.iter().flat_map(|worst| &worst.pictures) {
            inputs.add(&picture_in(inside, &picture.file)?, Role::Picture)?;
        }
    }
    let inputs = &inputs.close();
    // Before anything is written, so that no folder of those to join is half written over.
    for file in [SITE_FILE, PAGE] {
        inputs.output(out.join(file))?;
    }
    let site = Folder::open(out)?;
    let mut reports = Vec::new();
    for (name, inside, report) in found {
        let to = site.inside(&name)?;
        for picture in report.worst.iter().flat_map(|worst| &worst.pictures) {
            copy(&inside, &picture.file, MAX_PICTURE_BYTES, &to, inputs)?;
        }
        if report.view.is_some() {
            copy(&inside, VIEW_FILE, MAX_REPORT_BYTES, &to, inputs)?;
        }
        to.write_report(&report, inputs)?;
        reports.push((name, report));
    }
    site.write_site(&reports, left, inputs)
}

/// The folder itself, or the folders of a site.
fn reports_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if folder.join(JSON_FILE).is_file() {
        return Ok(vec![folder.to_path_buf()]);
    }
    let failed = |error: std::io::Error| Failure::Input {
        file: folder.display().to_string(),
        cause: error.to_string(),
    };
    let entries = fs::read_dir(folder).map_err(failed)?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut inside: Vec<PathBuf> = paths.filter(|path| path.join(JSON_FILE).is_file()).collect();
    inside.sort();
    Ok(inside)
}

/// The number of models that the run of a site has not measured yet, with a warning if there are any.
fn models_left(folder: &Path) -> usize {
    let text = gltf::read_file_of(&folder.join(SITE_FILE), MAX_REPORT_BYTES).unwrap_or_default();
    let site: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    let left = site["left"].as_u64().and_then(|left| usize::try_from(left).ok()).unwrap_or_default();
    if left > 0 {
        let models = many(left, "model");
        say(&format!("warning: {}: not complete, {models} left", open::shown(folder.as_os_str())));
    }
    left
}

fn read(folder: &Path, inputs: &mut Inputs) -> Result<Report, Failure> {
    let path = folder.join(JSON_FILE);
    inputs.add(&path, Role::Report)?;
    let fault = |cause: String| Failure::Input { file: path.display().to_string(), cause };
    let bytes = gltf::read_file_of(&path, MAX_REPORT_BYTES).map_err(|error| fault(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| fault(error.to_string()))?;
    from_json(&text).map_err(|error| fault(error.to_string()))
}

/// The path of a report's picture. It must be a plain file name, because a report may come from anywhere.
fn picture_in(from: &Path, file: &str) -> Result<PathBuf, Failure> {
    let is_plain = Path::new(file).file_name().is_some_and(|name| name == file) && file.ends_with(".png");
    if !is_plain {
        let cause = format!("its picture '{file}' is not a file name");
        return Err(Failure::Input { file: from.join(JSON_FILE).display().to_string(), cause });
    }
    Ok(from.join(file))
}

/// Copies a file of a report.
fn copy(from: &Path, file: &str, max_bytes: u64, to: &Folder, inputs: &Closed) -> Result<(), Failure> {
    let path = from.join(file);
    let fault = |cause: String| Failure::Input { file: path.display().to_string(), cause };
    // A link may lead to any file, which the site would then publish.
    if fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
        return Err(fault("a link, where a report has the file itself".to_owned()));
    }
    let bytes = gltf::read_file_of(&path, max_bytes).map_err(|error| fault(error.to_string()))?;
    to.write(file, inputs, |out| out.write_all(&bytes))
}
