//! The folder of a report or of a site. It is empty or holds an earlier one, so that no other files are overwritten. The
//! earlier content is untrusted, so no link in it is followed or replaced.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use crate::analysis::report::{CSV_FILE, JSON_FILE, Report, VIEW_FILE, ViewFile, csv, json, page, site};
use crate::cli::commands::beneath::write_beneath;
use crate::cli::terminal::failure::Failure;
use crate::model::gltf::sha256;
use crate::output::{self, Closed, Kind, is_unfinished};
use crate::skinning::SkinningMode;
use crate::writing::write_json;

/// The page of a report or a site.
pub const PAGE: &str = "index.html";

/// The folders of a site, as JSON; also the mark of a folder that may be written again.
pub const SITE_FILE: &str = "site.json";

/// The maximum number of bytes of a report, or of the list of a site.
pub const MAX_REPORT_BYTES: u64 = 1 << 30;

/// A folder that holds nothing but reports.
pub struct Folder(output::Folder);

impl Folder {
    /// Creates the folder, or checks that the existing one is empty or holds a report.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        Self::checked(output::Folder::make(path).map_err(|error| Failure::output(path, error))?)
    }

    fn checked(folder: output::Folder) -> Result<Self, Failure> {
        let names = folder.names().map_err(|error| Failure::output(folder.path(), error))?;
        let is_part = |name: &str| is_left(&folder, name) || is_report(&folder, name);
        match is_ours(&folder) || names.iter().all(|name| name.to_str().is_some_and(is_part)) {
            true => Ok(Self(folder)),
            false => {
                let cause = "the folder has files, but no report; choose an empty folder";
                Err(Failure::output(folder.path(), cause))
            }
        }
    }

    /// A folder inside it.
    pub fn inside(&self, name: &str) -> Result<Self, Failure> {
        let inside = self.0.make_inside(name);
        Self::checked(inside.map_err(|error| Failure::output(&self.0.join(name), error))?)
    }

    /// Reads a regular file in it of at most this size; `None` if it does not exist.
    pub fn read(&self, name: &str, most: u64) -> Option<Vec<u8>> {
        self.0.read(name, most)
    }

    /// Returns whether a run that was killed has left an unfinished file, or another run is writing one.
    pub fn has_unfinished(&self) -> bool {
        self.0.names().is_ok_and(|names| names.iter().any(|name| name.to_str().is_some_and(is_unfinished)))
    }

    /// Writes the files of one report.
    pub fn write_report(&self, report: &Report, inputs: &Closed) -> Result<(), Failure> {
        let text = json(report).map_err(|error| Failure::output(&self.0.join(JSON_FILE), error))?;
        self.write(JSON_FILE, inputs, |out| out.write_all(text.as_bytes()))?;
        self.write(CSV_FILE, inputs, |out| csv(report, out))?;
        self.write(PAGE, inputs, |out| out.write_all(page(report).as_bytes()))
    }

    /// Writes the model in three dimensions.
    pub fn write_view(&self, script: &str, inputs: &Closed) -> Result<ViewFile, Failure> {
        self.write(VIEW_FILE, inputs, |out| out.write_all(script.as_bytes()))?;
        Ok(ViewFile { file: VIEW_FILE.to_owned(), digest: sha256(script.as_bytes()) })
    }

    /// Writes the index of several reports, each in the folder of its name. `left` is the number of models still to measure.
    pub fn write_site(
        &self,
        reports: &[(String, Report)],
        left: usize,
        inputs: &Closed,
    ) -> Result<(), Failure> {
        let folders: Vec<&str> = reports.iter().map(|(name, _)| name.as_str()).collect();
        let program = concat!("sinew ", env!("CARGO_PKG_VERSION"));
        let mark = serde_json::json!({ "program": program, "reports": folders, "left": left });
        let both = || {
            self.write(SITE_FILE, inputs, |out| write_json(out, &mark).and_then(|()| writeln!(out)))?;
            self.write(PAGE, inputs, |out| out.write_all(site(reports, left).as_bytes()))
        };
        output::together(both, Failure::output)
    }

    /// Writes a file.
    pub fn write(
        &self,
        name: &str,
        inputs: &Closed,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        write_beneath(&self.0, name, inputs, content)
    }
}

/// Returns whether a folder holds a report or a site.
fn is_ours(folder: &output::Folder) -> bool {
    [JSON_FILE, SITE_FILE].iter().any(|name| is_mark(folder, name))
}

/// Returns true if a name is that of a folder with a report. A run that was stopped before it wrote the index of a site
/// leaves such folders, which may hold only the start of a report.
fn is_report(folder: &output::Folder, name: &str) -> bool {
    let is_begun = |folder: &output::Folder| {
        let is_left = |name: &OsString| name.to_str().is_some_and(|name| is_left(folder, name));
        folder.names().is_ok_and(|names| names.iter().all(is_left))
    };
    folder.inside(name).is_ok_and(|folder| is_ours(&folder) || is_begun(&folder))
}

/// Returns true if a name is that of a file that a killed run leaves of a report: an unfinished one, or a picture or
/// view, which are written before the report.
fn is_left(folder: &output::Folder, name: &str) -> bool {
    let is_file = || folder.kind(name).is_ok_and(|kind| kind == Some(Kind::File));
    (is_unfinished(name) || is_picture(name) || name == VIEW_FILE) && is_file()
}

/// The name of a picture of the place with this index in the list of the worst.
pub fn picture(number: usize, mode: SkinningMode) -> String {
    format!("worst-{number:02}-{mode}.png")
}

/// Returns whether a name is one that [`picture`] gives.
fn is_picture(name: &str) -> bool {
    let rest = name.strip_prefix("worst-").and_then(|rest| rest.strip_suffix(".png"));
    let parts = rest.and_then(|rest| rest.split_once('-'));
    let known = parts.and_then(|(number, mode)| Some(picture(number.parse().ok()?, mode.parse().ok()?)));
    known.is_some_and(|known| known == name)
}

/// Returns true if a file is one that marks a report.
fn is_mark(folder: &output::Folder, name: &str) -> bool {
    let text = folder.read(name, MAX_REPORT_BYTES).unwrap_or_default();
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

    #[cfg(unix)]
    #[test]
    fn no_link_in_a_report_is_followed() {
        use std::os::unix::fs::symlink;
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(folder.path().join(JSON_FILE), "{\"program\":\"sinew 0.1.0\"}").unwrap();
        std::fs::write(elsewhere.path().join("page"), "theirs").unwrap();
        symlink(elsewhere.path().join("page"), folder.path().join(PAGE)).unwrap();
        symlink(elsewhere.path(), folder.path().join("a")).unwrap();
        let site = Folder::open(folder.path()).unwrap();
        let inputs = crate::output::Inputs::none().close();
        let refused = site.write(PAGE, &inputs, |out| out.write_all(b"ours")).unwrap_err();
        assert!(refused.exit_code() == 5 && refused.to_string().contains("a link"), "{refused}");
        assert!(site.inside("a").is_err());
        assert_eq!(std::fs::read(elsewhere.path().join("page")).unwrap(), b"theirs");
        assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 1);
        // Neither are links with the names of what a killed run leaves.
        for name in ["worst-01-lbs.png", ".sinew-1-0.tmp"] {
            let left = tempfile::tempdir().unwrap();
            symlink(elsewhere.path().join("page"), left.path().join(name)).unwrap();
            assert!(Folder::open(left.path()).is_err());
        }
        assert_eq!(site.read(PAGE, 100), None);
        // A mark that is a link says nothing.
        let marked = tempfile::tempdir().unwrap();
        symlink(folder.path().join(JSON_FILE), marked.path().join(JSON_FILE)).unwrap();
        assert!(Folder::open(marked.path()).is_err());
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
        // Files that a killed run has left of a report.
        for name in [".sinew-7-0.tmp", "worst-01-lbs.png", "worst-12-blend.png"] {
            std::fs::write(site.path().join("b").join(name), "").unwrap();
        }
        std::fs::write(site.path().join(".sinew-7-1.tmp"), "").unwrap();
        assert!(Folder::open(site.path()).is_ok() && Folder::open(&site.path().join("b")).is_ok());
        assert!(Folder::open(&site.path().join("b")).unwrap().has_unfinished());
        for name in ["worst-1-lbs.png", "worst-01-mine.png", "worst-+1-lbs.png", "worst-day.png"] {
            let other = tempfile::tempdir().unwrap();
            std::fs::write(other.path().join(name), "").unwrap();
            assert!(Folder::open(other.path()).is_err(), "{name}");
        }
        std::fs::write(site.path().join("b/mine"), "").unwrap();
        assert!(Folder::open(site.path()).is_err());
    }
}
