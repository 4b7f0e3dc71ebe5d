//! Suggestions for a path that does not exist or is a folder: similar files nearby, and commands that help.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::image::ImageError;
use crate::model::unknown::nearest;

/// The endings of models.
pub const MODELS: &[&str] = crate::model::ENDINGS;

/// The maximum number of files of a folder to search.
const MAX_FILES: usize = 10_000;

/// The maximum number of files that a message lists.
const LISTED: usize = 3;

/// Returns a hint to append to "no such file" or "not a regular file" about a path, with its separator; empty if there is
/// no hint.
pub fn hint(path: &Path, endings: &[&str]) -> String {
    if path.is_dir() {
        return match list(&models(path, endings)) {
            None => format!("; it is a folder, without files that end in .{}", endings.join(", .")),
            Some(files) => format!("; it is a folder: name a file in it, such as {files}"),
        };
    }
    if path.symlink_metadata().is_ok() {
        return String::new();
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return format!("; there is no folder '{}'", folder.display());
    }
    let files = models(folder, endings);
    match near(path, &files) {
        Some(near) => format!("; did you mean '{}'?", near.display()),
        None => list(&files).map_or_else(String::new, |files| format!("; there is {files}")),
    }
}

/// The reason that a picture cannot be read, with suggestions for a path that does not exist.
pub fn picture(path: &Path, error: &ImageError) -> String {
    match error {
        ImageError::Io(error) if error.kind() == ErrorKind::NotFound => {
            format!("no such file{}", hint(path, &["png", "jpg", "webp"]))
        }
        other => other.to_string(),
    }
}

/// Returns advice about an output whose folder does not exist; `None` if the folder exists.
pub fn missing_folder(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    let is_missing = folder.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
    is_missing.then(|| format!("there is no folder '{0}'; 'mkdir -p {0}' makes it", folder.display()))
}

/// The files of a folder with these endings, by name, as they would be typed.
fn models(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let files = entries.take(MAX_FILES).flatten().filter(|entry| entry.path().is_file());
    let files = files.map(|entry| entry.file_name());
    let is_one = |name: &PathBuf| {
        let ending = name.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
    };
    let mut names: Vec<PathBuf> = files.map(PathBuf::from).filter(is_one).collect();
    names.sort();
    match folder == Path::new(".") {
        true => names,
        false => names.into_iter().map(|name| folder.join(name)).collect(),
    }
}

/// The file of the same name with another ending, or of the nearest name.
fn near<'a>(path: &Path, files: &'a [PathBuf]) -> Option<&'a PathBuf> {
    let name = |path: &'a Path| path.file_name().and_then(|name| name.to_str());
    let asked = path.file_name().and_then(|name| name.to_str())?;
    let stem = |file: &Path| file.file_stem().unwrap_or_default().to_ascii_lowercase();
    let same = files
        .iter()
        .find(|file| stem(file) == stem(path) || stem(file).to_str() == Some(&asked.to_lowercase()));
    same.or_else(|| {
        let found = nearest(asked, files.iter().filter_map(|file| name(file)))?;
        files.iter().find(|file| name(file) == Some(found))
    })
}

/// The first files, quoted.
fn list(files: &[PathBuf]) -> Option<String> {
    let first = files.iter().take(LISTED).map(|file| format!("'{}'", file.display()));
    let listed = first.collect::<Vec<_>>().join(", ");
    match files.len().saturating_sub(LISTED) {
        _ if files.is_empty() => None,
        0 => Some(listed),
        more => Some(format!("{listed} and {more} more")),
    }
}
