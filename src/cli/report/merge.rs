//! Joins the reports of several folders into one site.

#![allow(clippy::disallowed_methods, reason = "notes what it reads among the inputs")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::folder::{Folder, MOST_REPORT_BYTES, PAGE, SITE_FILE};
use crate::analysis::report::{JSON_FILE, Report, from_json};
use crate::cli::failure::Failure;
use crate::model::gltf;
use crate::output::{Inputs, Role};

/// The most bytes of a picture of a report: far more than any has.
pub const MOST_PICTURE_BYTES: u64 = 64 << 20;

/// Copies every report that the folders hold, and writes an index of all.
pub fn run(out: &Path, folders: &[PathBuf], inputs: &mut Inputs) -> Result<(), Failure> {
    let mut found: Vec<(String, PathBuf, Report)> = Vec::new();
    for folder in folders {
        let before = found.len();
        for file in [SITE_FILE, PAGE].map(|file| folder.join(file)).iter().filter(|file| file.is_file()) {
            inputs.add(file, Role::Report);
        }
        for inside in reports_in(folder)? {
            let report = read(&inside, inputs)?;
            found.push((super::folder::name(&report.model), inside, report));
        }
        // A share may have no models, but then it is a site with none.
        if found.len() == before && !folder.join(SITE_FILE).is_file() {
            return Err(Failure::Input {
                file: folder.display().to_string(),
                cause: "no report is in it".to_owned(),
            });
        }
    }
    found.sort_by(|a, b| a.2.model.cmp(&b.2.model));
    let mut names = HashSet::new();
    if let Some((_, inside, report)) = found.iter().find(|(name, ..)| !names.insert(name.clone())) {
        let cause = format!("the report on {} is there twice", report.model);
        return Err(Failure::Input { file: inside.display().to_string(), cause });
    }
    // Before anything is written: a folder of those to join shall not be half written over.
    for file in [SITE_FILE, PAGE] {
        inputs.output(out.join(file))?;
    }
    let site = Folder::open(out)?;
    let mut reports = Vec::new();
    for (name, inside, report) in found {
        let copy = site.inside(&name)?;
        for picture in report.worst.iter().flat_map(|worst| &worst.pictures) {
            copy_picture(&inside, &picture.file, &copy, inputs)?;
        }
        copy.write_report(&report, inputs)?;
        reports.push((name, report));
    }
    site.write_site(&reports, 0, inputs)
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

fn read(folder: &Path, inputs: &mut Inputs) -> Result<Report, Failure> {
    let path = folder.join(JSON_FILE);
    inputs.add(&path, Role::Report);
    let fault = |cause: String| Failure::Input { file: path.display().to_string(), cause };
    let bytes = gltf::read_file_of(&path, MOST_REPORT_BYTES).map_err(|error| fault(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| fault(error.to_string()))?;
    from_json(&text).map_err(|error| fault(error.to_string()))
}

/// Copies a picture. Only plain file names are copied: a report may come from anywhere.
fn copy_picture(from: &Path, file: &str, to: &Folder, inputs: &mut Inputs) -> Result<(), Failure> {
    let path = from.join(file);
    let is_plain = Path::new(file).file_name().is_some_and(|name| name == file) && file.ends_with(".png");
    if !is_plain {
        let cause = format!("its picture '{file}' is no file name");
        return Err(Failure::Input { file: from.join(JSON_FILE).display().to_string(), cause });
    }
    inputs.add(&path, Role::Picture);
    let fault = |cause: String| Failure::Input { file: path.display().to_string(), cause };
    // A link may lead to any file, which a site would then show to everybody.
    if fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
        return Err(fault("a link, where a report has its pictures themselves".to_owned()));
    }
    let bytes = gltf::read_file_of(&path, MOST_PICTURE_BYTES).map_err(|error| fault(error.to_string()))?;
    to.write(file, inputs, |out| out.write_all(&bytes))
}
