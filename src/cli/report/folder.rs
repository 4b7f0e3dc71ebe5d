//! The folder of a report or of a site: it is empty or holds an earlier one, so that nobody's files are overwritten.

#![allow(clippy::disallowed_methods, reason = "reads what an earlier report has left")]

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::analysis::report::{CSV_FILE, JSON_FILE, Report, csv, json, page, site};
use crate::cli::failure::Failure;
use crate::model::gltf::{self, sha256};
use crate::output::{self, Inputs, is_unfinished};

/// The page of a report or a site.
pub const PAGE: &str = "index.html";

/// The folders of a site, as JSON; also the mark of a folder that may be written again.
pub const SITE_FILE: &str = "site.json";

/// The most bytes of a report, or of the list of a site.
pub const MOST_REPORT_BYTES: u64 = 1 << 30;

/// A folder that holds nothing but reports.
pub struct Folder(PathBuf);

impl Folder {
    /// Makes the folder, or checks that the one that is there is empty or holds a report.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |cause: &dyn std::fmt::Display| Failure::output(path, cause);
        fs::create_dir_all(path).map_err(|error| failed(&error))?;
        let is_ours = |path: &Path| [JSON_FILE, SITE_FILE].iter().any(|file| is_mark(&path.join(file)));
        // A run that was stopped before it wrote the index of a site has left folders of reports. One that was stopped while
        // it put a report in its place has left the pictures, which come before its data.
        let is_part =
            |name: &str| is_unfinished(name) || (name.starts_with("worst-") && name.ends_with(".png"));
        let is_left = |entry: &io::Result<fs::DirEntry>| {
            entry.as_ref().is_ok_and(|entry| entry.file_name().to_str().is_some_and(is_part))
        };
        let is_report = |entry: io::Result<fs::DirEntry>| {
            is_left(&entry)
                || entry.is_ok_and(|entry| {
                    let path = entry.path();
                    let is_begun =
                        || fs::read_dir(&path).is_ok_and(|mut all| all.all(|entry| is_left(&entry)));
                    is_ours(&path) || is_begun()
                })
        };
        let mut entries = fs::read_dir(path).map_err(|error| failed(&error))?;
        match is_ours(path) || entries.all(is_report) {
            true => Ok(Self(path.to_path_buf())),
            false => Err(failed(&"the folder has files in it and no report; choose another or an empty one")),
        }
    }

    /// A folder inside it.
    pub fn inside(&self, name: &str) -> Result<Self, Failure> {
        Self::open(&self.0.join(name))
    }

    /// A file in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes the files of one report.
    pub fn write_report(&self, report: &Report, inputs: &Inputs) -> Result<(), Failure> {
        let text = json(report).map_err(|error| Failure::output(&self.join(JSON_FILE), error))?;
        self.write(JSON_FILE, inputs, |out| out.write_all(text.as_bytes()))?;
        self.write(CSV_FILE, inputs, |out| csv(report, out))?;
        self.write(PAGE, inputs, |out| out.write_all(page(report).as_bytes()))
    }

    /// Writes the index of several reports, each in the folder of its name; so many are still to come.
    pub fn write_site(
        &self,
        reports: &[(String, Report)],
        left: usize,
        inputs: &Inputs,
    ) -> Result<(), Failure> {
        let folders: Vec<&str> = reports.iter().map(|(name, _)| name.as_str()).collect();
        let mark = serde_json::json!({ "program": concat!("sinew ", env!("CARGO_PKG_VERSION")), "reports": folders, "left": left });
        let both = || {
            self.write(SITE_FILE, inputs, |out| writeln!(out, "{mark}"))?;
            self.write(PAGE, inputs, |out| out.write_all(site(reports, left).as_bytes()))
        };
        output::together(both, Failure::output)
    }

    /// Writes a file.
    pub fn write(
        &self,
        name: &str,
        inputs: &Inputs,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let out = inputs.output(self.join(name))?;
        output::write(&out, content).map_err(|error| Failure::output(out.path(), error))
    }
}

/// Whether a file is one that marks a report.
fn is_mark(path: &Path) -> bool {
    let text = gltf::read_file_of(path, MOST_REPORT_BYTES).unwrap_or_default();
    let json: Result<serde_json::Value, _> = serde_json::from_slice(&text);
    json.is_ok_and(|json| json["program"].as_str().is_some_and(|program| program.starts_with("sinew ")))
}

/// The folder of a model's report: its file name, and a few digits that tell files of one name apart.
pub fn name(model: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let file = model.rsplit(['/', '\\', ':']).next().unwrap_or(model);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let stem: String = stem.chars().take(60).map(plain).collect();
    let digest: String = sha256(model.as_bytes()).chars().take(8).collect();
    format!("{}-{digest}", stem.trim_start_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_after_their_models() {
        assert!(name("builtin:twist").starts_with("twist-"));
        assert!(name("../a b/Fox.v2.glb").starts_with("Fox.v2-"));
        assert_ne!(name("a/fox.glb"), name("b/fox.glb"));
        assert!(name("/").starts_with('-') && !name("..").contains(".."));
    }

    #[test]
    fn a_folder_with_other_files_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Folder::open(folder.path()).is_ok());
        std::fs::write(folder.path().join("index.html"), "mine").unwrap();
        assert!(Folder::open(folder.path()).is_err());
        std::fs::write(folder.path().join("report.json"), "{\"program\":\"other\"}").unwrap();
        assert!(Folder::open(folder.path()).is_err());
        std::fs::write(folder.path().join("report.json"), "{\"program\":\"sinew 0.1.0\"}").unwrap();
        assert!(Folder::open(folder.path()).is_ok());
        // Folders of reports without their index, one of which was not begun.
        let site = tempfile::tempdir().unwrap();
        for name in ["a", "b"] {
            std::fs::create_dir(site.path().join(name)).unwrap();
        }
        std::fs::copy(folder.path().join("report.json"), site.path().join("a/report.json")).unwrap();
        assert!(Folder::open(site.path()).is_ok());
        // What a killed run has left of a report.
        for name in [".sinew-7-0.tmp", "worst-01-lbs.png"] {
            std::fs::write(site.path().join("b").join(name), "").unwrap();
        }
        assert!(Folder::open(site.path()).is_ok() && Folder::open(&site.path().join("b")).is_ok());
        std::fs::write(site.path().join("b/mine"), "").unwrap();
        assert!(Folder::open(site.path()).is_err());
    }
}
