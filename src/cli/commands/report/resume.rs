//! Reports that an earlier run of the same command has finished.

use std::path::Path;

use super::folder::{Folder, MAX_REPORT_BYTES, PAGE};
use super::merge::MAX_PICTURE_BYTES;
use crate::analysis::report::{CSV_FILE, JSON_FILE, Report, VIEW_FILE, csv, from_json, page};
use crate::cli::args::{PlanArgs, ReportArgs};
use crate::cli::subject::open::Digests;
use crate::model::gltf::sha256;
use crate::render::Renderer;

/// Returns a digest of everything that a model's report depends on: the program, the model's files, the flags and the driver
/// that draws.
pub fn made_from(args: &ReportArgs, digests: &Digests, renderer: Option<&Renderer>) -> String {
    let ReportArgs { plan: PlanArgs { clips, modes, frames }, load, .. } = args;
    let driver = renderer.map(|renderer| renderer.device().physical());
    let driver = driver.map(|physical| (&physical.name, &physical.driver));
    let flags = format!("{clips:?} {modes:?} {frames:?} {driver:?}");
    let program = concat!("sinew ", env!("CARGO_PKG_VERSION")).to_owned();
    let files = format!("{} {:?} {:?}", digests.model, digests.files, digests.clips);
    sha256([program, files, load.files("").flags(), flags].join("\n").as_bytes())
}

/// The report in a folder, if it is of this model and made from the same, and all its files are whole.
pub fn finished(folder: &Folder, model: &str, made_from: &str) -> Option<Report> {
    let json = String::from_utf8(folder.read(JSON_FILE, MAX_REPORT_BYTES)?).ok()?;
    let report = from_json(&json).ok()?;
    let is_same = report.model == model && report.made_from == made_from;
    // A new report removes unfinished files of a killed run.
    if !is_same || folder.has_unfinished() {
        return None;
    }
    let mut table = Vec::new();
    csv(&report, &mut table).ok()?;
    let is_whole =
        |name: &str, bytes: &[u8]| folder.read(name, bytes.len() as u64).is_some_and(|found| found == bytes);
    let mut pictures = report.worst.iter().flat_map(|worst| &worst.pictures);
    let has_pictures = pictures.all(|picture| {
        let is_plain = Path::new(&picture.file).file_name().is_some_and(|name| name == picture.file.as_str());
        let digest = || Some(sha256(&folder.read(&picture.file, MAX_PICTURE_BYTES)?));
        is_plain && digest().as_deref() == Some(&picture.digest)
    });
    let has_view = report.view.as_ref().is_some_and(|view| {
        let digest = || Some(sha256(&folder.read(VIEW_FILE, MAX_REPORT_BYTES)?));
        view.file == VIEW_FILE && digest().as_deref() == Some(&view.digest)
    });
    (has_view && has_pictures && is_whole(CSV_FILE, &table) && is_whole(PAGE, page(&report).as_bytes()))
        .then_some(report)
}
