//! Refuses forms that the project does not write in: in doc comments, strings and pages.

use std::path::{Path, PathBuf};

use super::{files_below, root};

/// Words that a doc comment does not open with: a question, a pronoun or a condition.
const OPENINGS: [&str; 15] = [
    "What", "Where", "Who", "Whose", "How", "Which", "Whether", "That", "It", "They", "Those", "These",
    "Either", "If", "When",
];

/// Phrases that no sentence has.
const PHRASES: [&str; 18] = [
    "nobody",
    "somebody",
    "whoever",
    "anybody",
    "of its own",
    "of one's own",
    "is there already",
    "that is there",
    " shall ",
    "as far as it",
    "is looked",
    "is told",
    "is heeded",
    "in vain",
    "for want of",
    "hands on ",
    "of so many ",
    "MOST_",
];

/// The Rust files that are held to the forms.
fn sources() -> Vec<PathBuf> {
    let crates = std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<PathBuf> = crates.chain([root().join("assets"), root().to_owned()]).collect();
    let scripts = folders.iter().map(|folder| folder.join("build.rs")).filter(|script| script.exists());
    let sources = folders.iter().flat_map(|folder| files_below(&folder.join("src"), "rs"));
    sources.chain(scripts).collect()
}

/// The opening words of doc comments that are refused, with their lines.
fn openings(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_inside = false;
    for (number, line) in source.lines().enumerate() {
        let text = ["///", "//!"].iter().find_map(|start| line.trim_start().strip_prefix(start));
        if let (Some(text), false) = (text, is_inside) {
            let first = text.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let is_same = text.trim_start().starts_with("The same ");
            if OPENINGS.contains(&first) || is_same {
                found.push(format!("{}: {}", number + 1, line.trim()));
            }
        }
        is_inside = text.is_some();
    }
    found
}

/// The lines with a phrase that is refused; of Rust, those of doc comments and of strings.
fn phrases(text: &str, is_rust: bool) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let is_read =
            !is_rust || trimmed.starts_with("///") || trimmed.starts_with("//!") || line.contains('"');
        for phrase in PHRASES.iter().filter(|phrase| is_read && line.contains(**phrase)) {
            found.push(format!("{}: '{phrase}': {trimmed}", number + 1));
        }
    }
    found
}

fn named(path: &Path, found: Vec<String>) -> impl Iterator<Item = String> {
    let file = path.strip_prefix(root()).unwrap_or(path).display().to_string();
    found.into_iter().map(move |line| format!("{file}:{line}"))
}

#[test]
fn doc_comments_open_with_nouns_and_verbs() {
    let files = sources();
    let read =
        |path: &PathBuf| named(path, openings(&std::fs::read_to_string(path).unwrap())).collect::<Vec<_>>();
    let found: Vec<String> = files.iter().flat_map(read).collect();
    assert!(
        files.len() > 800 && found.is_empty(),
        "{} of {} files:\n{}",
        found.len(),
        files.len(),
        found.join("\n")
    );

    for planted in [
        "/// What it holds.",
        "    /// Whether a file is one.",
        "//! How far it is.",
        "/// The same as above.",
    ] {
        assert_eq!(openings(planted).len(), 1, "{planted}");
    }
    assert_eq!(openings("/// The file's name.\n/// What follows is no opening.\nstruct A; // What").len(), 0);
}

#[test]
fn sentences_have_none_of_the_refused_phrases() {
    let files = sources();
    let pages =
        ["assets", "docs", "crates"].iter().flat_map(|folder| files_below(&root().join(folder), "md"));
    let read = |path: &PathBuf| {
        let is_rust = path.extension().is_some_and(|found| found == "rs");
        named(path, phrases(&std::fs::read_to_string(path).unwrap(), is_rust)).collect::<Vec<_>>()
    };
    let found: Vec<String> = files.iter().cloned().chain(pages).flat_map(|path| read(&path)).collect();
    assert!(found.is_empty(), "{} lines:\n{}", found.len(), found.join("\n"));

    assert_eq!(phrases("/// nobody reads it\nlet a = \"a file of its own\";\n// nobody", true).len(), 2);
    assert_eq!(phrases("You shall read it.", false).len(), 1);
}
