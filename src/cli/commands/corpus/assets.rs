//! Lists the assets of a corpus: the models of folders and lists, and their partners.

#![allow(clippy::disallowed_methods, reason = "reads lists, which it notes among the inputs")]

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::cli::subject::file::{self, BUILTIN};
use crate::cli::terminal::failure::Failure;
use crate::model::ENDINGS;
use crate::output::{Inputs, Role};

/// The largest size of a list, in bytes.
const MAX_LIST: u64 = 1 << 28;

/// The files of an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Files {
    /// A model.
    One(PathBuf),
    /// The old and the new one.
    Pair(PathBuf, PathBuf),
    /// An old one without a partner.
    Alone(PathBuf),
}

/// An asset to check or to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The name: a path below the given folder, with `/` between its parts, or the path as it is in a list.
    pub name: String,
    pub files: Files,
}

impl Task {
    /// The asset's own files.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let (first, second) = match &self.files {
            Files::One(file) | Files::Alone(file) => (file, None),
            Files::Pair(old, new) => (old, Some(new)),
        };
        std::iter::once(first).chain(second).map(PathBuf::as_path)
    }
}

/// Returns the models that inputs name, by name.
///
/// # Errors
/// If an input does not exist, or there are no models.
pub fn models(given: &[OsString], inputs: &mut Inputs) -> Result<Vec<Task>, Failure> {
    let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
    for input in given {
        let path = Path::new(input);
        if path.is_dir() {
            for (name, path) in folder(path)? {
                add(&mut found, name, path)?;
            }
        } else if is_model(path) || input.to_string_lossy().starts_with(BUILTIN) {
            check_exists(input)?;
            add(&mut found, name_of(path), path.to_owned())?;
        } else {
            for line in list(input, inputs)? {
                add(&mut found, name_of(&line), line)?;
            }
        }
    }
    if found.is_empty() {
        let file = given.first().map_or_else(String::new, |given| given.to_string_lossy().into_owned());
        return Err(Failure::Input { file, cause: format!("no model; sinew reads {}", ENDINGS.join(", ")) });
    }
    Ok(found.into_iter().map(|(name, path)| Task { name, files: Files::One(path) }).collect())
}

/// Adds a model under its name, which no other may have.
fn add(found: &mut BTreeMap<String, PathBuf>, name: String, path: PathBuf) -> Result<(), Failure> {
    let other = found.insert(name.clone(), path.clone()).filter(|other| *other != path);
    other.map_or(Ok(()), |other| {
        let cause = format!("it has the name {name}, as {} has; give their common folder", other.display());
        Err(Failure::Input { file: path.display().to_string(), cause })
    })
}

fn check_exists(given: &OsStr) -> Result<(), Failure> {
    if file::is_builtin(given) || Path::new(given).exists() {
        return Ok(());
    }
    let file = given.to_string_lossy().into_owned();
    Err(Failure::Input { file, cause: "no such file or folder".to_owned() })
}

/// Returns the pairs of two folders, of two files, or of a list of pairs.
///
/// # Errors
/// If the inputs are none of these.
pub fn pairs(given: &[OsString], inputs: &mut Inputs) -> Result<Vec<Task>, Failure> {
    let pairs = match given {
        [list] if !Path::new(list).is_dir() && !is_model(Path::new(list)) => listed_pairs(list, inputs)?,
        [old, new] if [old, new].iter().all(|side| Path::new(side).is_dir()) => {
            let [old, new] = [old, new].map(|side| folder(Path::new(side)));
            in_folders(&old?, &new?)
        }
        [old, new] => {
            check_exists(old)?;
            check_exists(new)?;
            vec![Task { name: name_of(Path::new(new)), files: Files::Pair(old.into(), new.into()) }]
        }
        _ => {
            let cause = "compare takes two folders, two models, or a .csv with a pair on each line";
            return Err(Failure::Usage(cause.to_owned()));
        }
    };
    match pairs.is_empty() {
        true => {
            let file = given.first().map_or_else(String::new, |given| given.to_string_lossy().into_owned());
            Err(Failure::Input { file, cause: "no pair of models".to_owned() })
        }
        false => Ok(pairs),
    }
}

/// Pairs the models of two folders: by their paths, then by paths without endings where those are unique.
fn in_folders(old: &BTreeMap<String, PathBuf>, new: &BTreeMap<String, PathBuf>) -> Vec<Task> {
    let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let mut old_stems: BTreeMap<String, usize> = BTreeMap::new();
    old.keys().for_each(|name| *old_stems.entry(stem(name)).or_default() += 1);
    let mut free: BTreeMap<String, Vec<&PathBuf>> = BTreeMap::new();
    for (name, path) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
        free.entry(stem(name)).or_default().push(path);
    }
    let mut tasks = Vec::new();
    for (name, path) in old {
        let own = stem(name);
        let by_stem = || match (old_stems.get(&own), free.get(&own).map(Vec::as_slice)) {
            (Some(1), Some([partner])) => Some(*partner),
            _ => None,
        };
        let partner = new.get(name).or_else(by_stem);
        let files = match partner {
            Some(partner) => Files::Pair(path.clone(), partner.clone()),
            None => Files::Alone(path.clone()),
        };
        tasks.push(Task { name: name.clone(), files });
    }
    tasks
}

/// Reads pairs from a file with `old,new` on each line; paths are relative to it.
fn listed_pairs(list: &OsStr, inputs: &mut Inputs) -> Result<Vec<Task>, Failure> {
    let text = text_of(list, inputs)?;
    let base = base_of(list);
    let mut tasks: BTreeMap<String, Task> = BTreeMap::new();
    for (number, cells) in (1_u64..).zip(rows(&text)) {
        let is =
            |at: usize, word: &str| cells.get(at).is_some_and(|cell| cell.trim().eq_ignore_ascii_case(word));
        if cells.iter().all(|cell| cell.trim().is_empty()) || number == 1 && is(0, "old") && is(1, "new") {
            continue;
        }
        let fault = |cause: &str| Failure::Input {
            file: list.to_string_lossy().into_owned(),
            cause: format!("row {number}: {cause}"),
        };
        let [old, new] = cells.as_slice() else {
            return Err(fault("expected the old and the new model, separated by a comma"));
        };
        let files = Files::Pair(base.join(old), base.join(new));
        let task = Task { name: new.clone(), files };
        if tasks.insert(new.clone(), task.clone()).is_some_and(|other| other != task) {
            return Err(fault("an earlier row has the same new model"));
        }
    }
    Ok(tasks.into_values().collect())
}

/// Splits a text into rows, and these at commas; both may be in quotes (RFC 4180).
fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut cells, mut cell, mut is_quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            '\r' if !is_quoted && letters.peek() == Some(&'\n') => {}
            '\n' if !is_quoted => {
                cells.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut cells));
            }
            letter => cell.push(letter),
        }
    }
    cells.push(cell);
    rows.push(cells);
    rows
}

/// Reads a list of paths; those of a file are relative to it.
fn list(list: &OsStr, inputs: &mut Inputs) -> Result<Vec<PathBuf>, Failure> {
    let base = base_of(list);
    let text = text_of(list, inputs)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(|line| if line.starts_with(BUILTIN) { line.into() } else { base.join(line) }).collect())
}

fn base_of(list: &OsStr) -> PathBuf {
    Path::new(list).parent().unwrap_or(Path::new("")).to_owned()
}

fn text_of(list: &OsStr, inputs: &mut Inputs) -> Result<String, Failure> {
    let fault = |cause: String| Failure::Input { file: list.to_string_lossy().into_owned(), cause };
    if list != "-" {
        check_exists(list)?;
    }
    let mut text = Vec::new();
    let read = match list == "-" {
        true => std::io::stdin().lock().take(MAX_LIST).read_to_end(&mut text),
        false => {
            inputs.add(Path::new(list), Role::List)?;
            std::fs::File::open(list).and_then(|file| file.take(MAX_LIST).read_to_end(&mut text))
        }
    };
    read.map_err(|error| fault(error.to_string()))?;
    let text = String::from_utf8(text);
    let text = text.map_err(|_| fault("not a model, and not a list of models in UTF-8".to_owned()))?;
    // Spreadsheets begin a text with its byte order.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Returns the models in a folder and in those below it, by their paths in it. Links to folders are not followed.
fn folder(root: &Path) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut found = BTreeMap::new();
    let mut left = vec![(String::new(), root.to_owned())];
    while let Some((prefix, path)) = left.pop() {
        let fault = |error: std::io::Error| Failure::Input {
            file: path.display().to_string(),
            cause: error.to_string(),
        };
        for entry in std::fs::read_dir(&path).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let name = entry.file_name();
            let kind = entry.file_type().map_err(fault)?;
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let inside = format!("{prefix}{}", name.to_string_lossy());
            if kind.is_dir() {
                left.push((format!("{inside}/"), entry.path()));
            } else if is_model(&entry.path()) && entry.path().is_file() {
                add(&mut found, inside, entry.path())?;
            }
        }
    }
    Ok(found)
}

fn name_of(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

fn is_model(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_pair_by_path_and_then_by_stem() {
        let side = |names: &[&str]| -> BTreeMap<String, PathBuf> {
            names.iter().map(|name| ((*name).to_owned(), PathBuf::from(name))).collect()
        };
        let old = side(&["a/x.glb", "a/y.fbx", "b/z.glb", "b/z.fbx", "c.glb"]);
        let new = side(&["a/x.glb", "a/y.glb", "b/z.glb", "d.glb"]);
        let tasks = in_folders(&old, &new);
        let found: Vec<(&str, Option<&Path>)> =
            tasks.iter().map(|task| (task.name.as_str(), task.files().nth(1))).collect();
        let pair = |name: &'static str| Some(Path::new(name));
        let expected = [
            ("a/x.glb", pair("a/x.glb")),
            ("a/y.fbx", pair("a/y.glb")),
            ("b/z.fbx", None),
            ("b/z.glb", pair("b/z.glb")),
            ("c.glb", None),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn cells_may_be_quoted() {
        assert_eq!(rows("a.glb,b.glb\r\nc,d\n"), [vec!["a.glb", "b.glb"], vec!["c", "d"], vec![""]]);
        assert_eq!(rows(r#""a, ""old"".glb",b.glb"#), [[r#"a, "old".glb"#, "b.glb"]]);
        assert_eq!(rows("\"two\r\nlines.glb\",x"), [["two\r\nlines.glb", "x"]]);
        assert_eq!(rows("one"), [["one"]]);
    }
}
