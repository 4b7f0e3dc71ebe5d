//! The ledger: a line of JSON for each asset, appended when the asset is done. A run that was killed leaves at most a part of a
//! line, which the next run skips.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::analysis::corpus::Asset;
use crate::cli::args::{CorpusAction, CorpusArgs};
use crate::cli::commands::beneath::write_beneath;
use crate::cli::terminal::failure::Failure;
use crate::output::{Closed, Folder};
use crate::words::many;
use crate::writing::write_json;

use super::assets::Task;
use super::digest::digest;
use super::worker::{Limits, Outcome};

/// The name of the ledger in its folder.
pub const NAME: &str = "corpus.jsonl";

/// The beginning of every ledger.
const START: &[u8] = b"{\"program\":\"sinew ";

/// Tables that not every build of the program writes.
const TABLES: [&str; 2] = ["assets.parquet", "clips.parquet"];

/// The largest size of a ledger that is read, in bytes.
const MAX_BYTES: u64 = 1 << 33;

/// The first line: the run whose results follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The program with its version.
    pub program: String,
    /// The action.
    pub corpus: String,
    /// The level.
    pub level: String,
}

/// A line: the result of an asset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub asset: String,
    /// The run's header, shortened.
    pub run: String,
    /// The asset's own files; empty if a path is not Unicode.
    #[serde(default)]
    pub files: Vec<String>,
    /// A small picture as base64; may be empty.
    #[serde(default)]
    pub thumbnail: String,
    /// The digest of each file of the asset.
    pub inputs: BTreeMap<String, String>,
    pub secs: f64,
    pub peak_mib: Option<f64>,
    /// The limit that ended its process, in seconds or in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    pub result: Asset,
}

/// A line about the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Note {
    /// Assets that a run no longer listed. Their results count again if a later run lists them.
    Removed(Vec<String>),
    /// The tables of [`TABLES`] that a run wrote.
    Wrote(Vec<String>),
}

/// The content of a ledger.
#[derive(Default)]
pub struct Content {
    /// The last header.
    header: Option<Header>,
    /// The last line of each asset.
    pub lines: BTreeMap<String, Line>,
    /// Assets with lines that the last run no longer listed.
    removed: BTreeSet<String>,
    wrote: Option<Vec<String>>,
}

/// The ledger of a folder.
pub struct Ledger {
    folder: Folder,
    pub header: Header,
    file: Mutex<File>,
    wrote: Option<Vec<String>>,
}

impl Header {
    /// The header of a run with these flags.
    pub fn new(args: &CorpusArgs) -> Self {
        let corpus = if args.action == CorpusAction::Compare { "compare" } else { "check" };
        Self {
            program: concat!("sinew ", env!("CARGO_PKG_VERSION")).to_owned(),
            corpus: corpus.to_owned(),
            level: args.level.name().to_owned(),
        }
    }

    /// The run in a few words.
    fn run(&self) -> String {
        format!("{} {} {}", self.program, self.corpus, self.level)
    }

    /// The title of pages.
    pub fn title(&self, assets: usize) -> String {
        let what = if self.corpus == "compare" { "pair" } else { "model" };
        format!("{} at level {}", many(assets, what), self.level)
    }
}

impl Line {
    /// The line of an outcome.
    pub fn new(task: &Task, header: &Header, outcome: Outcome, limits: &Limits) -> Self {
        let Outcome { result, inputs, thumbnail, secs, mebibytes } = outcome;
        let limit = limits.that_ended(&result);
        Self {
            asset: task.name.clone(),
            run: header.run(),
            files: task
                .files()
                .map(|file| file.to_str().map(str::to_owned))
                .collect::<Option<_>>()
                .unwrap_or_default(),
            thumbnail,
            inputs,
            secs,
            peak_mib: mebibytes,
            limit,
            result,
        }
    }

    /// Returns true for a result of a run with this header.
    pub fn is_of(&self, header: &Header) -> bool {
        self.run == header.run()
    }

    /// Returns true if all files are as they were, the task has no others, and no other limit may give another result.
    pub fn is_current(&self, task: &Task, limits: &Limits) -> bool {
        let is_known = |file: &Path| self.inputs.contains_key(file.to_string_lossy().as_ref());
        task.files().all(is_known) && self.limit == limits.that_ended(&self.result) && self.has_its_files()
    }

    /// Returns true if all files are as they were.
    pub fn has_its_files(&self) -> bool {
        self.inputs.iter().all(|(file, known)| digest(Path::new(file)) == *known)
    }
}

impl Ledger {
    /// Opens the ledger in a folder, which must be empty or have one, and returns it with its content. Ends a part of a line that
    /// a killed run left.
    ///
    /// # Errors
    /// If the folder has other files, or cannot be written.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Content), Failure> {
        let failed = |error: io::Error| Failure::output(path, error);
        let folder = Folder::make(path).map_err(failed)?;
        let names = folder.names().map_err(failed)?;
        let bytes = folder.read(NAME, MAX_BYTES).unwrap_or_default();
        // A run may have been killed while it wrote its first bytes.
        let is_begun = names.iter().all(|name| name == NAME) && START.starts_with(&bytes);
        if !bytes.starts_with(START) && !is_begun {
            let cause = "the folder has files, but no corpus.jsonl of sinew; choose an empty folder";
            return Err(Failure::output(path, cause));
        }
        let is_torn = !bytes.is_empty() && !bytes.contains(&b'\n');
        if is_torn {
            folder.remove(NAME).map_err(failed)?;
        }
        let mut file = folder.append(NAME).map_err(failed)?;
        if !is_torn && !bytes.is_empty() && !bytes.ends_with(b"\n") {
            file.write_all(b"\n").map_err(failed)?;
        }
        let content = Content::new(&bytes);
        let (file, wrote) = (Mutex::new(file), content.wrote.clone());
        let ledger = Self { folder, header: header.clone(), file, wrote };
        if content.header.as_ref() != Some(header) || is_torn {
            ledger.append(header)?;
        }
        Ok((ledger, content))
    }

    /// Notes the assets of earlier runs that this one no longer lists, and those that it lists again.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn list(&self, known: &Content, is_listed: impl Fn(&str) -> bool) -> Result<(), Failure> {
        let Content { lines, removed, .. } = known;
        let gone = lines.keys().filter(|name| !is_listed(name) && !removed.contains(*name));
        let gone: Vec<String> = gone.cloned().collect();
        if !gone.is_empty() {
            self.append(&Note::Removed(gone))?;
        }
        let back = removed.iter().filter(|name| is_listed(name));
        back.filter_map(|name| lines.get(name)).try_for_each(|line| self.append(line))
    }

    /// Removes the tables that an earlier run wrote and this one does not, so that they are not taken for this one's, and notes
    /// whether this one writes them.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn announce_tables(&self, writes: bool) -> Result<(), Failure> {
        let own: &[&str] = if writes { &TABLES } else { &[] };
        let was_written = |name: &&&str| self.wrote.iter().flatten().any(|written| written == **name);
        for name in TABLES.iter().filter(|name| !own.contains(name)).filter(was_written) {
            let failed = |error: io::Error| Failure::output(&self.folder.join(name), error);
            self.folder.remove(name).map_err(failed)?;
        }
        let own: Vec<String> = own.iter().map(|name| (*name).to_owned()).collect();
        if self.wrote.as_ref() == Some(&own) { Ok(()) } else { self.append(&Note::Wrote(own)) }
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Opens a folder inside it, and makes it if necessary.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn inside(&self, name: &str) -> Result<Folder, Failure> {
        self.folder.make_inside(name).map_err(|error| Failure::output(&self.folder.join(name), error))
    }

    /// Appends a line.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append<T: Serialize>(&self, value: &T) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::output(&self.folder.join(NAME), error);
        let mut text = Vec::new();
        write_json(&mut text, value).map_err(failed)?;
        text.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&text).map_err(failed)
    }

    /// Writes another file of the folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(
        &self,
        name: &str,
        inputs: &Closed,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        write_beneath(&self.folder, name, inputs, content)
    }
}

/// Reads the ledger of another run: its header, and the lines of the assets that it listed.
///
/// # Errors
/// If the folder has none.
pub fn read_other(path: &Path) -> Result<(Header, BTreeMap<String, Line>), Failure> {
    let fault = |cause: String| Failure::Input { file: path.display().to_string(), cause };
    let folder = Folder::open(path).map_err(|error| fault(error.to_string()))?;
    let bytes = folder.read(NAME, MAX_BYTES).filter(|bytes| bytes.starts_with(START)).unwrap_or_default();
    let Content { header, mut lines, removed, .. } = Content::new(&bytes);
    let header = header.ok_or_else(|| fault("it has no corpus.jsonl of sinew".to_owned()))?;
    lines.retain(|name, line| line.is_of(&header) && !removed.contains(name));
    Ok((header, lines))
}

impl Content {
    fn new(bytes: &[u8]) -> Self {
        let mut content = Self::default();
        for text in bytes.split(|byte| *byte == b'\n') {
            if let Ok(line) = serde_json::from_slice::<Line>(text) {
                content.removed.remove(&line.asset);
                content.lines.insert(line.asset.clone(), line);
            } else if let Ok(header) = serde_json::from_slice::<Header>(text) {
                content.header = Some(header);
            } else if let Ok(note) = serde_json::from_slice::<Note>(text) {
                match note {
                    Note::Removed(names) => content.removed.extend(names),
                    Note::Wrote(names) => content.wrote = Some(names),
                }
            }
        }
        content
    }
}
