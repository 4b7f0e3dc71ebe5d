//! The folder of a report or of a site: it is empty or holds an earlier one, so that no other files are overwritten. What
//! an earlier one has left may be a stranger's, so no link in it is followed or replaced.

use std::io::{self, Write};
use std::path::Path;

use crate::analysis::report::{CSV_FILE, JSON_FILE, Report, csv, json, page, site};
use crate::cli::failure::Failure;
use crate::model::gltf::sha256;
use crate::output::{self, Closed, Output};
use crate::writing::write_json;

/// The page of a report or a site.
pub const PAGE: &str = "index.html";

/// The folders of a site, as JSON; also the mark of a folder that may be written again.
pub const SITE_FILE: &str = "site.json";

/// The most bytes of a report, or of the list of a site.
pub const MOST_REPORT_BYTES: u64 = 1 << 30;

/// A folder that holds nothing but reports.
pub struct Folder(output::Folder);

impl Folder {
    /// Makes the folder, or checks that the one that is there is empty or holds a report.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        Self::checked(output::Folder::make(path).map_err(|error| Failure::output(path, error))?)
    }

    fn checked(folder: output::Folder) -> Result<Self, Failure> {
        let names = folder.names().map_err(|error| Failure::output(folder.path(), error))?;
        let names = names.iter().map(|name| name.to_str());
        match is_ours(&folder)
            || names.into_iter().all(|name| name.is_some_and(|name| is_report(&folder, name)))
        {
            true => Ok(Self(folder)),
            false => {
                let cause = "the folder has files in it and no report; choose another or an empty one";
                Err(Failure::output(folder.path(), cause))
            }
        }
    }

    /// A folder inside it.
    pub fn inside(&self, name: &str) -> Result<Self, Failure> {
        let inside = self.0.make_inside(name);
        Self::checked(inside.map_err(|error| Failure::output(&self.0.join(name), error))?)
    }

    /// A file in it, to write.
    pub fn output(&self, name: &str, inputs: &Closed) -> Result<Output, Failure> {
        Ok(inputs.beneath(&self.0, name)?)
    }

    /// Writes the files of one report.
    pub fn write_report(&self, report: &Report, inputs: &Closed) -> Result<(), Failure> {
        let text = json(report).map_err(|error| Failure::output(&self.0.join(JSON_FILE), error))?;
        self.write(JSON_FILE, inputs, |out| out.write_all(text.as_bytes()))?;
        self.write(CSV_FILE, inputs, |out| csv(report, out))?;
        self.write(PAGE, inputs, |out| out.write_all(page(report).as_bytes()))
    }

    /// Writes the index of several reports, each in the folder of its name.
    pub fn write_site(&self, reports: &[(String, Report)], inputs: &Closed) -> Result<(), Failure> {
        let folders: Vec<&str> = reports.iter().map(|(name, _)| name.as_str()).collect();
        let mark = serde_json::json!({ "program": concat!("sinew ", env!("CARGO_PKG_VERSION")), "reports": folders });
        self.write(SITE_FILE, inputs, |out| write_json(out, &mark).and_then(|()| writeln!(out)))?;
        self.write(PAGE, inputs, |out| out.write_all(site(reports).as_bytes()))
    }

    /// Writes a file.
    pub fn write(
        &self,
        name: &str,
        inputs: &Closed,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let out = self.output(name, inputs)?;
        output::write(&out, content).map_err(|error| Failure::output(out.path(), error))
    }
}

/// Returns whether a folder holds a report or a site.
fn is_ours(folder: &output::Folder) -> bool {
    [JSON_FILE, SITE_FILE].iter().any(|name| is_mark(folder, name))
}

/// Returns whether a name is that of a folder with a report. A run that was stopped before it wrote the index of a site has left
/// some, which may be empty.
fn is_report(folder: &output::Folder, name: &str) -> bool {
    let is_empty = |folder: &output::Folder| folder.names().is_ok_and(|names| names.is_empty());
    folder.inside(name).is_ok_and(|folder| is_ours(&folder) || is_empty(&folder))
}

/// Whether a file is one that marks a report.
fn is_mark(folder: &output::Folder, name: &str) -> bool {
    let text = folder.read(name, MOST_REPORT_BYTES).unwrap_or_default();
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
        std::fs::write(site.path().join("b/mine"), "").unwrap();
        assert!(Folder::open(site.path()).is_err());
    }
}
