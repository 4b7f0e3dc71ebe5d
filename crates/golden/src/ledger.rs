//! The list that a report keeps in its folder: the files that sinew wrote there, and the page's text for each case. The list
//! may come from an untrusted source with the folder. Sinew accepts only file names that a report writes, and treats all
//! else as text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::case::check_name;
use super::verdict::Outcome;
use sinew_text::writing::json_text;

/// The file name of the list; its presence marks the folder as sinew's.
pub(super) const MARK: &str = ".sinew-golden";

/// The maximum size of the list in bytes; a case takes about a thousand.
pub(super) const MAX_BYTES: u64 = 256 << 20;

/// The file name of the page.
pub(super) const PAGE: &str = "index.html";

/// The folders of pictures.
pub(super) const PARTS: [&str; 4] = ["strips", "expected", "difference", "actual"];

/// A case on the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The name of the case.
    pub case: String,
    /// True if it passed, or its picture was accepted.
    pub passes: bool,
    /// The verdict in one word.
    pub word: String,
    /// The verdict in a sentence.
    pub detail: String,
    /// The limits.
    pub allowed: String,
    /// The command line that draws it.
    pub command: String,
    /// The device that drew it.
    pub device: String,
    /// Its pictures, by folder.
    pub parts: Vec<String>,
}

impl Entry {
    pub fn new(outcome: &Outcome, device: &str) -> Self {
        let word = match outcome.blessed {
            Some(_) => "blessed",
            None => outcome.verdict.name(),
        };
        Self {
            case: outcome.name.clone(),
            passes: outcome.is_pass(),
            word: word.to_owned(),
            detail: outcome.detail(),
            allowed: outcome.limits.to_string(),
            command: outcome.command.clone(),
            device: device.to_owned(),
            parts: Vec::new(),
        }
    }

    /// Returns the case's files, relative to the folder.
    pub fn files(&self) -> impl Iterator<Item = String> + '_ {
        let known = self.parts.iter().filter(|part| PARTS.contains(&part.as_str()));
        known.map(|part| format!("{part}/{}.png", self.case))
    }
}

/// The list of a report's files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ledger {
    /// The cases by name.
    pub entries: BTreeMap<String, Entry>,
    /// Files of a list without entries.
    pub files: Vec<String>,
}

impl Ledger {
    /// Reads a list, and skips lines that no report wrote.
    pub fn read(text: &str) -> Self {
        let mut ledger = Self::default();
        for line in text.lines() {
            match serde_json::from_str::<Entry>(line) {
                Ok(entry) if check_name(&entry.case, 0).is_ok() => {
                    ledger.entries.insert(entry.case.clone(), entry);
                }
                _ if is_ours(line) => ledger.files.push(line.to_owned()),
                _ => {}
            }
        }
        ledger
    }

    /// Returns the text of the list.
    pub fn text(&self) -> String {
        let lines = self.entries.values().filter_map(|entry| json_text(entry).ok());
        std::iter::once(PAGE.to_owned()).chain(lines).map(|line| line + "\n").collect()
    }

    /// Returns all files in the list, relative to the folder.
    pub fn all(&self) -> impl Iterator<Item = String> + '_ {
        self.files.iter().cloned().chain(self.entries.values().flat_map(Entry::files))
    }
}

/// Returns true if a report may have written this file: the page, or a picture in one of the folders.
fn is_ours(name: &str) -> bool {
    let picture = || {
        let (part, file) = name.split_once('/')?;
        let stem = file.strip_suffix(".png")?;
        Some(PARTS.contains(&part) && check_name(stem, 0).is_ok())
    };
    name == PAGE || picture().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_back_and_takes_no_other_names() {
        let entry = |case: &str, parts: &[&str]| Entry {
            case: case.to_owned(),
            passes: false,
            word: "differs".to_owned(),
            detail: "by 1 <b>\n".to_owned(),
            allowed: "exact".to_owned(),
            command: "sinew".to_owned(),
            device: "one".to_owned(),
            parts: parts.iter().map(|part| (*part).to_owned()).collect(),
        };
        let mut ledger = Ledger::default();
        ledger.entries.insert("walk".to_owned(), entry("walk", &["strips", "actual"]));
        let again = Ledger::read(&ledger.text());
        assert_eq!(again.entries, ledger.entries);
        assert_eq!(again.all().collect::<Vec<_>>(), [PAGE, "strips/walk.png", "actual/walk.png"]);
        // A list from an untrusted source.
        let foreign = serde_json::to_string(&entry("../x", &["strips"])).unwrap();
        let elsewhere = serde_json::to_string(&entry("run", &["../..", "strips"])).unwrap();
        let text = format!(
            "{foreign}\n{elsewhere}\n../outside.png\nactual/../../x.png\n/etc/passwd\nactual/a.png\n"
        );
        let read = Ledger::read(&text);
        assert_eq!(read.all().collect::<Vec<_>>(), ["actual/a.png", "strips/run.png"]);
    }
}
