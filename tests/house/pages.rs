//! Holds the pages to short sentences: at most 40 words, and 22 on average. Guides address "you", and no page has a date.

use std::path::{Path, PathBuf};

use super::{files_below, root};

/// The limits of a sentence, and of a page's average, in words.
const MAX_WORDS: usize = 40;
const MAX_AVERAGE: usize = 22;

/// The pages that people read.
fn pages() -> Vec<PathBuf> {
    let beside = ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root().join(name));
    files_below(&root().join("docs"), "md").into_iter().chain(beside).collect()
}

/// The paragraphs and list items, each on one line; without code, tables, headings and quotes.
fn paragraphs(page: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut is_code = false;
    for line in page.lines().map(str::trim) {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        let (item, text) = match line.split_once(' ') {
            Some((mark, text)) if ["-", "*"].contains(&mark) => (true, text),
            Some((mark, text)) if mark.strip_suffix('.').is_some_and(|mark| mark.parse::<u8>().is_ok()) => {
                (true, text)
            }
            _ => (false, line),
        };
        let is_prose =
            !is_code && !is_fence && !text.is_empty() && !text.starts_with(['#', '|', '>', '<', '!']);
        if item || !is_prose {
            found.push(String::new());
        }
        if let (true, Some(last)) = (is_prose, found.last_mut()) {
            last.push(' ');
            last.push_str(text);
        }
    }
    found
}

/// The number of words of each sentence, with the sentence. Fragments of fewer than three words do not count.
fn sentences(page: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for paragraph in paragraphs(page) {
        let mut sentence = Vec::new();
        let mut words = paragraph.split_whitespace().peekable();
        while let Some(word) = words.next() {
            sentence.push(word);
            let is_end = word.trim_end_matches(['"', ')', '*', '`']).ends_with(['.', '!', '?']);
            let begins = |next: &&str| {
                next.starts_with(|c: char| c.is_uppercase() || "`*\"([".contains(c))
                    || next.starts_with("sinew")
            };
            if words.peek().is_none_or(|next| is_end && begins(next)) {
                let count = sentence.iter().filter(|word| word.contains(char::is_alphanumeric)).count();
                if count >= 3 {
                    found.push((count, sentence.join(" ")));
                }
                sentence.clear();
            }
        }
    }
    found
}

/// Returns the faults of a page.
fn faults(page: &str, is_guide: bool) -> Vec<String> {
    let sentences = sentences(page);
    let mut faults: Vec<String> = sentences
        .iter()
        .filter(|(words, _)| *words > MAX_WORDS)
        .map(|(words, sentence)| format!("{words} words: {sentence}"))
        .collect();
    let words: usize = sentences.iter().map(|(words, _)| words).sum();
    if words > MAX_AVERAGE * sentences.len() {
        faults.push(format!("{words} words in {} sentences", sentences.len()));
    }
    let mut all = page.split(|c: char| !c.is_alphanumeric());
    if is_guide && !all.any(|word| ["you", "your"].contains(&word.to_lowercase().as_str())) {
        faults.push("a guide without \"you\"".to_owned());
    }
    faults.extend(dates(page).into_iter().map(|date| format!("the date {date}")));
    faults
}

/// Years with a month and a day, outside links.
fn dates(page: &str) -> Vec<&str> {
    let words = page.split(|c: char| c.is_whitespace() || "()[],;".contains(c));
    let words = words.map(|word| word.trim_end_matches('.'));
    let is_date = |word: &&str| {
        let parts: Vec<&str> = word.split('-').collect();
        parts.len() == 3
            && parts[0].len() == 4
            && parts.iter().all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
    };
    words.filter(is_date).collect()
}

#[test]
fn pages_have_short_sentences_and_no_dates() {
    let pages = pages();
    let of = |path: &PathBuf| {
        let is_guide = path.parent().is_some_and(|folder| folder.ends_with("guides"));
        let name = path.strip_prefix(root()).unwrap_or(Path::new("")).display().to_string();
        let text = std::fs::read_to_string(path).unwrap();
        faults(&text, is_guide).into_iter().map(move |fault| format!("{name}: {fault}"))
    };
    let found: Vec<String> = pages.iter().flat_map(of).collect();
    assert!(pages.len() > 30 && found.is_empty(), "{} pages:\n{}", pages.len(), found.join("\n"));

    let long = format!("{}end. You see.", "word ".repeat(MAX_WORDS));
    assert_eq!(faults(&long, true).len(), 2, "one long sentence, and a long average");
    assert_eq!(faults("It was measured on 2026-11-27.", false), ["the date 2026-11-27"]);
    assert_eq!(faults("Draw a picture.", true).len(), 1);
    let fine =
        "Here is `code` of more. sinew draws it.\n\n```text\nword word\n```\n- One item. Two more words.";
    assert_eq!(sentences(fine).iter().map(|(words, _)| *words).collect::<Vec<_>>(), [5, 3, 3]);
}
