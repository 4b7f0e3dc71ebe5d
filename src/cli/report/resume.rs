//! Reports that an earlier run of the same command has finished.

#![allow(clippy::disallowed_methods, reason = "reads what an earlier report has left")]

use std::path::Path;

use super::folder::{Folder, MOST_REPORT_BYTES, PAGE};
use super::merge::MOST_PICTURE_BYTES;
use crate::analysis::report::{CSV_FILE, JSON_FILE, Report, csv, from_json, page};
use crate::cli::args::ReportArgs;
use crate::cli::open::Digests;
use crate::model::gltf::{self, sha256};

/// A digest of everything that a model's report depends on: the program, the model's files and the flags.
pub fn made_from(args: &ReportArgs, digests: &Digests) -> String {
    let ReportArgs { clips, modes, frames, no_pictures, load, vulkan, .. } = args;
    let flags = format!("{clips:?} {modes:?} {frames:?} {no_pictures} {:?}", vulkan.device);
    let program = concat!("sinew ", env!("CARGO_PKG_VERSION")).to_owned();
    let files = format!("{} {:?} {:?}", digests.model, digests.files, digests.clips);
    sha256([program, files, load.scene("").load_flags(), flags].join("\n").as_bytes())
}

/// The report in a folder, if it is of this model, made from the same, and all its files are whole.
pub fn finished(folder: &Folder, model: &str, made_from: &str) -> Option<Report> {
    let read = |name: &str, most: u64| gltf::read_file_of(&folder.join(name), most).ok();
    let report = from_json(&String::from_utf8(read(JSON_FILE, MOST_REPORT_BYTES)?).ok()?).ok()?;
    let is_same = report.model == model && report.made_from == made_from;
    if !is_same {
        return None;
    }
    let mut table = Vec::new();
    csv(&report, &mut table).ok()?;
    let is_whole =
        |name: &str, bytes: &[u8]| read(name, MOST_REPORT_BYTES).is_some_and(|found| found == bytes);
    let mut pictures = report.worst.iter().flat_map(|worst| &worst.pictures);
    let is_there = pictures.all(|picture| {
        let is_plain = Path::new(&picture.file).file_name().is_some_and(|name| name == picture.file.as_str());
        is_plain
            && read(&picture.file, MOST_PICTURE_BYTES).is_some_and(|found| sha256(&found) == picture.digest)
    });
    (is_there && is_whole(CSV_FILE, &table) && is_whole(PAGE, page(&report).as_bytes())).then_some(report)
}
