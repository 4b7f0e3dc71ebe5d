//! The report folder of failed runs: the pictures of failures, one strip each, and a page that shows them.
//!
//! A run writes its pictures to temporary files. At its end, it replaces only its own cases among those of earlier runs, so
//! that shards of one list can run at once. A list in the folder names the files that sinew wrote, and sinew removes only
//! these.

#![allow(clippy::disallowed_methods, reason = "reads files that its callers add to the inputs")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::ledger::{Entry, Ledger, MARK, MAX_BYTES, PAGE, PARTS};
use super::page::page;
use super::verdict::Outcome;
use super::{bless::golden_path, case::Case, list::List, strip::strip};
use sinew_image::{Difference, Image, ImageError, write_png};
use sinew_system::output::{self, Closed, Folder, Held, Kind, Locked, Overwrite};

/// An error in writing the report; the message names the file.
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

/// The report of a run. The first failure creates its folder; a run without failures creates none.
#[derive(Default)]
pub struct Report {
    folder: PathBuf,
    /// True if the user named the folder, so that symbolic links are followed.
    is_named: bool,
    /// All cases of the list and their order, including those of other shards.
    known: HashMap<String, usize>,
    /// Pictures to place at the end of the run.
    held: Held,
    /// The folders in which each case has a picture.
    parts: BTreeMap<String, Vec<String>>,
    /// True if any case failed.
    has_failures: bool,
}

impl Report {
    /// Checks that no input of the run is among the files that an earlier report left, or that a report on these cases may
    /// write.
    ///
    /// # Errors
    /// The first such input.
    pub fn check(folder: &Path, is_named: bool, cases: &[Case], inputs: &Closed) -> Result<(), Overwrite> {
        let opened = Folder::locked(folder, is_named, false).ok().flatten();
        let listed = opened.map(|(folder, _)| listed(&folder)).unwrap_or_default();
        let ours = [MARK.to_owned(), PAGE.to_owned()].into_iter().chain(pictures(cases));
        ours.chain(listed.all()).try_for_each(|name| inputs.output(folder.join(name)).map(drop))
    }

    /// Creates the report of a run over some of these cases.
    pub fn new(folder: &Path, is_named: bool, cases: &[Case]) -> Self {
        let known = cases.iter().enumerate().map(|(number, case)| (case.name.clone(), number)).collect();
        Self { folder: folder.to_path_buf(), is_named, known, ..Self::default() }
    }

    /// Returns true if no case failed.
    pub fn is_empty(&self) -> bool {
        !self.has_failures
    }

    /// Returns the path of the page.
    pub fn page(&self) -> PathBuf {
        self.folder.join(PAGE)
    }

    /// Keeps those pictures of a failure that exist.
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
        let (folder, _locked) = self.open()?;
        if self.is_empty() {
            check_ours(&folder)?;
        }
        self.has_failures = true;
        let width = actual.map_or(0, |actual| actual.width);
        let difference = difference.map(|difference| difference.picture(width));
        let all: Vec<&Image> = [expected, difference.as_ref(), actual].into_iter().flatten().collect();
        let strip = (!all.is_empty()).then(|| strip(&all));
        let pictures = [strip.as_ref(), expected, difference.as_ref(), actual];
        for (part, picture) in PARTS.into_iter().zip(pictures) {
            if let Some(picture) = picture {
                self.hold(&folder, part, name, |name| {
                    let place = inputs.beneath(&folder, name)?;
                    output::write(&place, |out| write_png(picture, out))
                        .map_err(|error: ImageError| failed(place.path(), error))
                })?;
            }
        }
        Ok(())
    }

    /// Ends the run. It replaces the files that an earlier run left for its cases, and removes those of cases that are no
    /// longer in the list. If a case failed, the report includes the goldens of all cases that passed.
    ///
    /// # Errors
    /// If a file cannot be written or removed.
    pub fn finish(
        &mut self,
        inputs: &Closed,
        goldens: &Path,
        list: &List,
        outcomes: &[Outcome],
        device: &str,
        bless: &dyn Fn(&[&str]) -> String,
    ) -> Result<(), ReportError> {
        let opened = Folder::locked(&self.folder, self.is_named, self.has_failures);
        let Some((folder, _locked)) = opened.map_err(|error| failed(&self.folder, error))? else {
            return Ok(());
        };
        let mut ledger = listed(&folder);
        if self.is_empty() && folder.kind(MARK).ok().flatten() != Some(Kind::File) {
            return Ok(());
        }
        if self.has_failures {
            self.hold_goldens(&folder, inputs, goldens, list, outcomes)?;
        }
        self.remove_old(&folder, inputs, &mut ledger, outcomes)?;
        std::mem::take(&mut self.held).put().map_err(|(path, error)| failed(&path, error))?;
        if self.has_failures {
            for outcome in outcomes {
                let parts = self.parts.remove(&outcome.name).unwrap_or_default();
                ledger.entries.insert(outcome.name.clone(), Entry { parts, ..Entry::new(outcome, device) });
            }
        }
        if ledger.entries.values().all(|entry| entry.passes) {
            return remove_all(&folder, inputs, &ledger);
        }
        write(&folder, inputs, MARK, &ledger.text())?;
        let mut entries: Vec<&Entry> = ledger.entries.values().collect();
        entries.sort_by_key(|entry| self.known.get(&entry.case));
        write(&folder, inputs, PAGE, &page(&goldens.display().to_string(), &entries, bless))
    }

    /// Opens the folder and locks it against other runs. Creates it if needed.
    fn open(&self) -> Result<(Folder, Locked), ReportError> {
        match Folder::locked(&self.folder, self.is_named, true) {
            Ok(Some(opened)) => Ok(opened),
            Ok(None) => Err(failed(&self.folder, io::ErrorKind::NotFound)),
            Err(error) => Err(failed(&self.folder, error)),
        }
    }

    /// Writes a picture to a temporary file until the end of the run.
    fn hold(
        &mut self,
        folder: &Folder,
        part: &str,
        name: &str,
        write: impl FnOnce(&str) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        folder.make_inside(part).map_err(|error| failed(&folder.join(part), error))?;
        self.held.hold(|| write(&format!("{part}/{name}.png")))?;
        self.parts.entry(name.to_owned()).or_default().push(part.to_owned());
        Ok(())
    }

    /// Copies the goldens of all cases that passed.
    fn hold_goldens(
        &mut self,
        folder: &Folder,
        inputs: &Closed,
        goldens: &Path,
        list: &List,
        outcomes: &[Outcome],
    ) -> Result<(), ReportError> {
        for (case, outcome) in list.cases.iter().zip(outcomes) {
            if outcome.is_pass() {
                let from = golden_path(goldens, case);
                let bytes = fs::read(&from).map_err(|error| failed(&from, error))?;
                self.hold(folder, "expected", &case.name, |name| {
                    let place = inputs.beneath(folder, name)?;
                    let written = output::write(&place, |out| out.write_all(&bytes));
                    written.map_err(|error: io::Error| failed(place.path(), error))
                })?;
            }
        }
        Ok(())
    }

    /// Removes the pictures of this run's cases, and of cases that are no longer in the list.
    fn remove_old(
        &self,
        folder: &Folder,
        inputs: &Closed,
        ledger: &mut Ledger,
        outcomes: &[Outcome],
    ) -> Result<(), ReportError> {
        let own: HashSet<&str> = outcomes.iter().map(|outcome| outcome.name.as_str()).collect();
        let is_old = |case: &str| own.contains(case) || !self.known.contains_key(case);
        let mut old: Vec<String> = std::mem::take(&mut ledger.files);
        for (case, entry) in &ledger.entries {
            if is_old(case) {
                old.extend(entry.files());
            }
        }
        ledger.entries.retain(|case, _| !is_old(case));
        old.iter().filter(|name| *name != PAGE).try_for_each(|name| remove(folder, inputs, name))
    }
}

/// Reads the list of sinew's files in a folder.
fn listed(folder: &Folder) -> Ledger {
    let text = folder.read(MARK, MAX_BYTES).and_then(|bytes| String::from_utf8(bytes).ok());
    Ledger::read(&text.unwrap_or_default())
}

/// Rejects a folder with files that no report wrote.
fn check_ours(folder: &Folder) -> Result<(), ReportError> {
    let cause = "it holds files that sinew did not write; choose another folder with --output";
    let ledger = listed(folder);
    let known: HashSet<String> = ledger.all().collect();
    let is_marked = folder.kind(MARK).ok().flatten() == Some(Kind::File);
    let is_own = |name: &str| output::is_unfinished(name) || is_marked && [MARK, PAGE].contains(&name);
    let names = |folder: &Folder| folder.names().map_err(|error| failed(folder.path(), error));
    for name in names(folder)? {
        let name = name.to_string_lossy().into_owned();
        let path = folder.join(&name);
        if PARTS.contains(&name.as_str()) {
            let part = folder.inside(&name).map_err(|error| failed(&path, error))?;
            for file in names(&part)? {
                let file = file.to_string_lossy();
                if !output::is_unfinished(&file) && !known.contains(&format!("{name}/{file}")) {
                    return Err(failed(folder.path(), cause));
                }
            }
        } else if !is_own(&name) {
            return Err(failed(folder.path(), cause));
        }
    }
    Ok(())
}

/// Removes the whole report. Folders with other files stay.
fn remove_all(folder: &Folder, inputs: &Closed, ledger: &Ledger) -> Result<(), ReportError> {
    for name in ledger.all().chain([PAGE.to_owned()]) {
        remove(folder, inputs, &name)?;
    }
    PARTS.iter().for_each(|part| folder.remove_inside(part));
    remove(folder, inputs, MARK)?;
    let _ = fs::remove_dir(folder.path());
    Ok(())
}

fn write(folder: &Folder, inputs: &Closed, name: &str, text: &str) -> Result<(), ReportError> {
    let place = inputs.beneath(folder, name)?;
    let written = output::write(&place, |out| out.write_all(text.as_bytes()));
    written.map_err(|error: io::Error| failed(place.path(), error))
}

/// Returns all pictures that a report may contain, relative to its folder.
fn pictures(cases: &[Case]) -> impl Iterator<Item = String> {
    cases.iter().flat_map(|case| PARTS.map(|part| format!("{part}/{}.png", case.name)))
}

fn failed(path: &Path, cause: impl ToString) -> ReportError {
    ReportError::File { path: path.to_path_buf(), cause: cause.to_string() }
}

/// Removes a file; a missing file is not an error.
fn remove(folder: &Folder, inputs: &Closed, name: &str) -> Result<(), ReportError> {
    let old = inputs.beneath(folder, name)?;
    match output::remove(&old) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(old.path(), error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
