//! The report folder of a failed run: the pictures of failures, one strip each, and a page that shows them. A list in
//! the folder names the files that sinew wrote, and sinew removes only those.

#![allow(clippy::disallowed_methods, reason = "reads what its callers have noted among the inputs")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::page::page;
use super::verdict::Outcome;
use super::{bless::golden_path, case::Case, case::check_name, list::List, strip::strip};
use crate::image::{Difference, Image, ImageError, write_png};
use crate::output::{self, Closed, Output, Overwrite};
use sinew_model::gltf::read_file_of;

/// The list of files that sinew wrote; its presence marks the folder as sinew's.
const MARK: &str = ".sinew-golden";

/// The most bytes of that list: a name takes a hundred or so.
const MOST_LISTED: u64 = 64 << 20;

/// The file name of the page.
const PAGE: &str = "index.html";

/// The folders of pictures.
const PARTS: [&str; 4] = ["strips", "expected", "difference", "actual"];

/// Why the report could not be written; the message names the file.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file could not be written or removed.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        cause: String,
    },
    /// A file of the report is also an input of the run.
    #[error(transparent)]
    Overwrite(#[from] Overwrite),
}

/// The report folder of a run. The first failure creates it; without failures there is none.
#[derive(Debug)]
pub struct Report {
    folder: PathBuf,
    /// Files written in this run, relative to the folder.
    written: Vec<String>,
    /// Whether any case failed.
    has_failures: bool,
}

impl Report {
    /// Checks that no input of the run is among the files that an earlier report left, or that a report on these cases
    /// may write.
    ///
    /// # Errors
    /// With the first such input.
    pub fn check(folder: &Path, cases: &[Case], inputs: &Closed) -> Result<(), Overwrite> {
        let listed = listed(&folder.join(MARK)).unwrap_or_default();
        let listed = listed.lines().filter(|name| is_ours(name)).map(str::to_owned);
        let ours = [MARK.to_owned(), PAGE.to_owned()].into_iter().chain(pictures(cases));
        ours.chain(listed).try_for_each(|name| inputs.output(folder.join(name)).map(drop))
    }

    /// Removes the report of an earlier run.
    ///
    /// # Errors
    /// If a file cannot be removed, or is an input of the run.
    pub fn begin(folder: &Path, inputs: &Closed) -> Result<Self, ReportError> {
        let report = Self { folder: folder.to_path_buf(), written: Vec::new(), has_failures: false };
        let mark = inputs.output(folder.join(MARK))?;
        let Some(listed) = listed(mark.path()) else { return Ok(report) };
        let listed = listed.lines().filter(|name| is_ours(name)).map(|name| inputs.output(folder.join(name)));
        for old in listed.collect::<Result<Vec<_>, _>>()? {
            remove(&old)?;
        }
        // Folders that hold other files stay.
        for part in PARTS {
            let _ = fs::remove_dir(folder.join(part));
        }
        remove(&mark)?;
        let _ = fs::remove_dir(folder);
        Ok(report)
    }

    /// Whether no case failed.
    pub fn is_empty(&self) -> bool {
        !self.has_failures
    }

    /// The path of the page.
    pub fn page(&self) -> PathBuf {
        self.folder.join(PAGE)
    }

    /// Writes the pictures of a failure, as far as they exist.
    ///
    /// # Errors
    /// If a file cannot be written, or the folder holds files that sinew did not write.
    pub fn keep(
        &mut self,
        inputs: &Closed,
        name: &str,
        expected: Option<&Image>,
        difference: Option<&Difference>,
        actual: Option<&Image>,
    ) -> Result<(), ReportError> {
        self.open()?;
        self.has_failures = true;
        let width = actual.map_or(0, |actual| actual.width);
        let difference = difference.map(|difference| difference.picture(width));
        let [expected_name, difference_name, actual_name] =
            [1, 2, 3].map(|part: usize| PARTS.get(part).copied().unwrap_or_default());
        let pictures =
            [(expected_name, expected), (difference_name, difference.as_ref()), (actual_name, actual)];
        for (part, picture) in pictures {
            if let Some(picture) = picture {
                self.write_picture(inputs, part, name, picture)?;
            }
        }
        let all: Vec<&Image> = pictures.iter().filter_map(|(_, picture)| *picture).collect();
        match all.is_empty() {
            true => Ok(()),
            false => self.write_picture(inputs, "strips", name, &strip(&all)),
        }
    }

    /// If a case failed, writes the page, with the goldens of all cases that passed.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(
        &mut self,
        inputs: &Closed,
        goldens: &Path,
        list: &List,
        outcomes: &[Outcome],
        device: &str,
        bless: &dyn Fn(&[&str]) -> String,
    ) -> Result<(), ReportError> {
        if self.is_empty() {
            return Ok(());
        }
        for (case, outcome) in list.cases.iter().zip(outcomes) {
            if outcome.is_pass() && is_file_name(&case.name) {
                let from = golden_path(goldens, case);
                let bytes = fs::read(&from).map_err(|error| failed(&from, error))?;
                self.write(inputs, &format!("expected/{}.png", case.name), &bytes)?;
            }
        }
        let title = goldens.display().to_string();
        let shows = |name: &str| self.written.iter().any(|written| written == name);
        let page = page(&title, device, outcomes, &shows, bless);
        self.write(inputs, PAGE, page.as_bytes())
    }

    fn write_picture(
        &mut self,
        inputs: &Closed,
        part: &str,
        name: &str,
        picture: &Image,
    ) -> Result<(), ReportError> {
        let place = self.place(inputs, &format!("{part}/{name}.png"))?;
        write_png(picture, &place).map_err(|error: ImageError| failed(place.path(), error))
    }

    fn write(&mut self, inputs: &Closed, name: &str, bytes: &[u8]) -> Result<(), ReportError> {
        let place = self.place(inputs, name)?;
        let written = output::write(&place, |out| out.write_all(bytes));
        written.map_err(|error: io::Error| failed(place.path(), error))
    }

    /// Adds a file to the list of sinew's files, and creates its folder.
    fn place(&mut self, inputs: &Closed, name: &str) -> Result<Output, ReportError> {
        let place = inputs.output(self.folder.join(name))?;
        if let Some(folder) = place.path().parent() {
            fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        }
        self.written.push(name.to_owned());
        let mark = inputs.output(self.folder.join(MARK))?;
        output::append(&mark, &format!("{name}\n")).map_err(|error| failed(mark.path(), error))?;
        Ok(place)
    }

    /// Creates the folder; one that exists must be sinew's or empty.
    fn open(&self) -> Result<(), ReportError> {
        if !self.is_empty() {
            return Ok(());
        }
        fs::create_dir_all(&self.folder).map_err(|error| failed(&self.folder, error))?;
        let mut entries = fs::read_dir(&self.folder).map_err(|error| failed(&self.folder, error))?;
        match entries.next() {
            None => Ok(()),
            Some(_) => Err(failed(
                &self.folder,
                "it holds files that sinew did not write; choose another folder with --output",
            )),
        }
    }
}

/// What the list of sinew's files says, if it is there.
fn listed(mark: &Path) -> Option<String> {
    String::from_utf8(read_file_of(mark, MOST_LISTED).ok()?).ok()
}

/// All pictures that a report may contain, relative to its folder.
fn pictures(cases: &[Case]) -> impl Iterator<Item = String> {
    cases.iter().flat_map(|case| PARTS.map(|part| format!("{part}/{}.png", case.name)))
}

/// Whether sinew may have written this file: the page, or a picture in one of the folders.
fn is_ours(name: &str) -> bool {
    let picture = || {
        let (part, file) = name.split_once('/')?;
        let stem = file.strip_suffix(".png")?;
        Some(PARTS.contains(&part) && is_file_name(stem))
    };
    name == PAGE || picture().unwrap_or(false)
}

fn is_file_name(name: &str) -> bool {
    check_name(name, 0).is_ok()
}

fn failed(path: &Path, cause: impl ToString) -> ReportError {
    ReportError::File { path: path.to_path_buf(), cause: cause.to_string() }
}

/// Removes a file; a missing file is no error.
fn remove(old: &Output) -> Result<(), ReportError> {
    match output::remove(old) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(old.path(), error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Inputs, Role};

    fn picture(level: u8) -> Image {
        Image { width: 8, height: 4, rgba: [level, 10, 20, 255].repeat(32) }
    }

    fn begin(folder: &Path) -> Report {
        Report::begin(folder, &Inputs::none().close()).unwrap()
    }

    fn fill(report: &mut Report) {
        let (a, b) = (picture(1), picture(200));
        let difference = Difference::between(&a, &b).unwrap();
        report.keep(&Inputs::none().close(), "walk", Some(&a), Some(&difference), Some(&b)).unwrap();
    }

    #[test]
    fn a_report_comes_and_goes_whole() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("failures");
        fill(&mut begin(&folder));
        let strip = crate::image::read_png(&folder.join("strips/walk.png")).unwrap();
        assert_eq!([strip.width, strip.height], [8 * 3 + 4 * 2, 4]);
        assert!(folder.join("difference/walk.png").exists());
        assert!(begin(&folder).is_empty());
        assert!(!folder.exists(), "something is left");
    }

    /// A file of an earlier report may be an input of this run.
    #[test]
    fn what_the_run_reads_stays() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("failures");
        fill(&mut begin(&folder));
        let kept = folder.join("actual/walk.png");
        let mut inputs = Inputs::none();
        inputs.add(&kept, Role::Golden).unwrap();
        let inputs = inputs.close();
        assert!(Report::check(&folder, &[], &inputs).is_err());
        let error = Report::begin(&folder, &inputs).unwrap_err();
        assert!(matches!(error, ReportError::Overwrite(_)), "{error}");
        assert!(kept.exists() && folder.join("expected/walk.png").exists() && folder.join(MARK).exists());
    }

    #[test]
    fn what_is_not_ours_is_neither_removed_nor_written_among() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("failures");
        fill(&mut begin(&folder));
        fs::write(folder.join("notes.txt"), "mine").unwrap();
        fs::write(folder.join("actual/mine.png"), "mine").unwrap();
        let mark = folder.join(MARK);
        let outside = parent.path().join("outside.png");
        fs::write(&outside, "theirs").unwrap();
        let listed = fs::read_to_string(&mark).unwrap();
        fs::write(
            &mark,
            format!("{listed}../outside.png\nactual/../../outside.png\nnotes.txt\n/etc/passwd\n"),
        )
        .unwrap();
        let mut report = begin(&folder);
        assert!(folder.join("notes.txt").exists() && folder.join("actual/mine.png").exists());
        assert!(outside.exists() && !folder.join("strips").exists() && !mark.exists());

        let error = report.keep(&Inputs::none().close(), "walk", None, None, Some(&picture(1))).unwrap_err();
        assert!(error.to_string().contains("did not write"), "{error}");
        assert!(!folder.join("strips").exists());
    }
}
