//! Lists the models that words of the command line or paths dropped on the window name: files, built-in models, the files of
//! a folder, and patterns such as `'*.glb'` that no shell has replaced. It must not open any of them.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::golden;
use crate::model::ENDINGS;

use crate::cli::subject::file;
use crate::cli::window::state;

/// The maximum number of files of a list.
pub const MAX_FILES: usize = 10_000;

/// The maximum number of entries of a folder to search.
const MAX_ENTRIES: usize = 200_000;

/// The endings of models, in words.
const IN_WORDS: &str = match (cfg!(feature = "fbx"), cfg!(feature = "usd")) {
    (false, false) => ".glb or .gltf",
    (true, false) => ".glb, .gltf, .fbx or .obj",
    (false, true) => ".glb, .gltf, .usd, .usda, .usdc or .usdz",
    (true, true) => ".glb, .gltf, .fbx, .obj, .usd, .usda, .usdc or .usdz",
};

/// The models that words name.
#[derive(Debug, Default, PartialEq)]
pub struct Listing {
    /// Each once, in the order of the words; those of one word in the order of their names.
    pub files: Vec<OsString>,
    /// Words that name nothing, and why.
    pub faults: Vec<(OsString, String)>,
    /// True if there are more files than a list may have.
    pub is_cut: bool,
}

/// Returns true if a word stands for a list, as a folder and a pattern do. If a file has that very name, the word means
/// that file.
pub fn is_list(word: &OsStr) -> bool {
    let path = Path::new(word);
    if !file::is_file(word) {
        return false;
    }
    path.is_dir() || !path.exists() && word.to_str().is_some_and(golden::is_pattern)
}

/// The models that words name.
pub fn list(words: &[OsString]) -> Listing {
    let mut listing = Listing::default();
    let mut known = HashSet::new();
    for word in words {
        let found = match word.to_str() {
            _ if !is_list(word) => check(word).map(|()| vec![word.clone()]),
            Some(pattern) if !Path::new(word).is_dir() => of_pattern(pattern),
            _ => of_folder(Path::new(word)),
        };
        match found {
            Ok(found) => {
                listing.files.extend(found.into_iter().filter(|file| known.insert(state::name(file))))
            }
            Err(fault) => listing.faults.push((word.clone(), fault)),
        }
        listing.is_cut |= listing.files.len() > MAX_FILES;
        listing.files.truncate(MAX_FILES);
    }
    listing
}

/// The models in the folder of a file; none beside a built-in one.
pub fn beside(file: &OsStr) -> Vec<OsString> {
    match Path::new(file).parent() {
        Some(folder) if file::is_file(file) => of_folder(folder).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn check(file: &OsStr) -> Result<(), String> {
    match !file::is_file(file) || Path::new(file).exists() {
        true => Ok(()),
        false => Err("no such file".to_owned()),
    }
}

/// The models in a folder, but none in folders below it, and none that is hidden.
fn of_folder(folder: &Path) -> Result<Vec<OsString>, String> {
    // The folder of a name alone is the current one, and is not written before its files.
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(place).map_err(|error| error.to_string())?;
    let names = entries.take(MAX_ENTRIES).filter_map(|entry| Some(entry.ok()?.file_name()));
    let is_one = |name: &OsString| is_model(name) && place.join(name).is_file();
    let mut names: Vec<OsString> = names.filter(is_one).collect();
    names.sort_by(|a, b| by_name(a, b));
    match names.is_empty() {
        true => Err(format!("no {IN_WORDS} file is in this folder")),
        false => Ok(names.into_iter().map(|name| folder.join(name).into_os_string()).collect()),
    }
}

/// The models that a pattern names.
fn of_pattern(pattern: &str) -> Result<Vec<OsString>, String> {
    let pattern = if cfg!(windows) { pattern.replace('\\', "/") } else { pattern.to_owned() };
    let found = golden::files(Path::new("."), &pattern).map_err(|_| "no file has such a name".to_owned())?;
    let mut found: Vec<OsString> =
        found.into_iter().map(OsString::from).filter(|file| is_model(file)).collect();
    found.sort_by(|a, b| by_name(a, b));
    match found.is_empty() {
        true => Err(format!("no {IN_WORDS} file has such a name")),
        false => Ok(found),
    }
}

/// Returns true if a file has a model's extension and is not hidden.
fn is_model(file: &OsStr) -> bool {
    let path = Path::new(file);
    let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    !is_hidden && ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

/// Compares names as people sort them: numbers by their value, letters in either case.
fn by_name(a: &OsStr, b: &OsStr) -> Ordering {
    let [one, two] = [a, b].map(|name| name.to_string_lossy().to_lowercase());
    let value = |run: &str| run.trim_start_matches('0').to_owned();
    let compare = |(one, two): (&str, &str)| match starts_with_digit(one) && starts_with_digit(two) {
        true => value(one).len().cmp(&value(two).len()).then_with(|| value(one).cmp(&value(two))),
        false => one.cmp(two),
    };
    let (one, two) = (runs(&one), runs(&two));
    let first = one.iter().copied().zip(two.iter().copied()).map(compare).find(|order| order.is_ne());
    first.unwrap_or_else(|| one.len().cmp(&two.len())).then_with(|| a.cmp(b))
}

fn starts_with_digit(run: &str) -> bool {
    run.starts_with(|letter: char| letter.is_ascii_digit())
}

/// A text in runs of digits and of other letters.
fn runs(text: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let is_number = starts_with_digit(rest);
        let end = rest.find(|letter: char| letter.is_ascii_digit() != is_number).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        runs.push(run);
        rest = behind;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        folder
    }

    /// The files of a list below a folder.
    fn below(folder: &tempfile::TempDir, words: &[&str]) -> Vec<String> {
        let words: Vec<OsString> =
            words.iter().map(|word| folder.path().join(word).into_os_string()).collect();
        let listing = list(&words);
        assert_eq!((listing.faults, listing.is_cut), (Vec::new(), false));
        let name = |file: OsString| {
            let path = Path::new(&file).strip_prefix(folder.path()).unwrap().to_owned();
            path.to_str().unwrap().to_owned()
        };
        listing.files.into_iter().map(name).collect()
    }

    #[test]
    fn a_folder_lists_its_models_in_the_order_of_their_names() {
        let names = ["m10.glb", "M2.GLTF", "m1.fbx", "m02b.obj", "notes.txt", ".m3.glb", "deep/m4.glb"];
        let folder = folder(&names);
        std::fs::create_dir(folder.path().join("m5.glb")).unwrap();
        assert_eq!(below(&folder, &[""]), ["m1.fbx", "M2.GLTF", "m02b.obj", "m10.glb"]);
        // Each once, those named first in front.
        assert_eq!(
            below(&folder, &["m10.glb", "", "deep/m4.glb"]),
            ["m10.glb", "m1.fbx", "M2.GLTF", "m02b.obj", "deep/m4.glb"]
        );
        let file = folder.path().join("m1.fbx");
        assert_eq!(beside(file.as_os_str()).len(), 4);
        assert_eq!(beside(OsStr::new("builtin:bend")), [""; 0]);
    }

    #[cfg(feature = "usd")]
    #[test]
    fn a_folder_lists_usd_files() {
        let folder = folder(&["a.usd", "b.USDZ", "c.usda", "d.usdc", "e.usdx"]);
        assert_eq!(below(&folder, &[""]), ["a.usd", "b.USDZ", "c.usda", "d.usdc"]);
    }

    #[test]
    fn a_pattern_lists_what_fits_unless_a_file_has_its_name() {
        let folder = folder(&["a1.glb", "a2.glb", "a2.txt", "b.glb", "x*.glb", "xy.glb"]);
        assert_eq!(below(&folder, &["a*"]), ["a1.glb", "a2.glb"]);
        assert_eq!(below(&folder, &["?.glb", "a?.glb"]), ["b.glb", "a1.glb", "a2.glb"]);
        assert_eq!(below(&folder, &["x*.glb"]), ["x*.glb"], "the name of a file wins");
    }

    #[test]
    fn words_that_name_nothing_are_told_apart() {
        let folder = folder(&["a.txt"]);
        let word = |name: &str| folder.path().join(name).into_os_string();
        let listing = list(&[word(""), word("*.glb"), word("*.txt"), word("c.glb"), "builtin:bend".into()]);
        assert_eq!(listing.files, ["builtin:bend"]);
        let faults: Vec<&str> = listing.faults.iter().map(|(_, why)| why.as_str()).collect();
        let models = IN_WORDS;
        assert_eq!(
            faults,
            [
                format!("no {models} file is in this folder").as_str(),
                "no file has such a name",
                format!("no {models} file has such a name").as_str(),
                "no such file"
            ]
        );
        assert!(is_list(&word("")) && is_list(&word("*.glb")));
        assert!(!is_list(&word("a.txt")) && !is_list(&word("c.glb")) && !is_list(OsStr::new("builtin:*")));
    }

    #[test]
    fn a_list_has_a_limit() {
        let words: Vec<OsString> = (0..MAX_FILES + 5).map(|n| format!("builtin:{n}").into()).collect();
        let listing = list(&words);
        assert_eq!((listing.files.len(), listing.is_cut), (MAX_FILES, true));
    }

    #[test]
    fn numbers_in_names_are_compared_by_value() {
        let mut names =
            ["a10", "b", "a9", "A09x", "a", "a9b1", "9", "10", "ä", "99999999999999999999999", ""];
        names.sort_by(|a, b| by_name(OsStr::new(a), OsStr::new(b)));
        assert_eq!(
            names,
            ["", "9", "10", "99999999999999999999999", "a", "a9", "a9b1", "A09x", "a10", "b", "ä"]
        );
    }
}
