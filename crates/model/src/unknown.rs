//! The message for an unknown name: suggests the most similar name and lists some of the others.

use std::fmt;

/// Maximum number of names in a message.
const LISTED: usize = 10;
/// The longest name, in letters, that is compared.
const LONGEST_COMPARED: usize = 64;
/// The maximum number of names that are compared with one.
pub const MAX_COMPARED: usize = 10_000;
/// The maximum number of letters of a name that a message shows.
const MAX_LETTERS: usize = 60;

/// A name that a model does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    what: &'static str,
    asked: String,
    nearest: Option<String>,
    /// The first known names, as they are listed.
    listed: Vec<String>,
    count: usize,
}

impl Unknown {
    /// An unknown `what`, such as `clip`, where known ones go by index as well as by name.
    pub fn numbered<'a>(
        what: &'static str,
        asked: &str,
        known: impl Iterator<Item = (usize, &'a str)> + Clone,
    ) -> Self {
        let listed = known.clone().take(LISTED).map(|(number, name)| format!("{number} {}", quoted(name)));
        Self::new(what, asked, known.clone().map(|(_, name)| name), listed.collect(), known.count())
    }

    /// An unknown `what`, where known ones go by name only.
    pub fn named<'a>(what: &'static str, asked: &str, known: impl Iterator<Item = &'a str> + Clone) -> Self {
        let listed = known.clone().take(LISTED).map(quoted);
        Self::new(what, asked, known.clone(), listed.collect(), known.count())
    }

    fn new<'a>(
        what: &'static str,
        asked: &str,
        known: impl Iterator<Item = &'a str>,
        listed: Vec<String>,
        count: usize,
    ) -> Self {
        let nearest = if count <= MAX_COMPARED { nearest(asked, known) } else { None };
        Self { what, asked: asked.to_owned(), nearest: nearest.map(str::to_owned), listed, count }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, asked, nearest, listed, count } = self;
        write!(f, "it has no {what} {}", quoted(asked))?;
        if listed.is_empty() {
            return write!(f, ", and no {what}s at all");
        }
        if let Some(nearest) = nearest {
            write!(f, " (did you mean {}?)", quoted(nearest))?;
        }
        write!(f, ", but {}", listed.join(", "))?;
        match count.saturating_sub(listed.len()) {
            0 => Ok(()),
            more => write!(f, " and {more} more ('sinew inspect --json' lists all)"),
        }
    }
}

/// The most similar name, if it is similar enough, or else the shortest that has the word in it; of several, the first in
/// the alphabet.
pub fn nearest<'a>(asked: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    similar(asked, known, 1).into_iter().next()
}

/// The maximum number of similar names, each once, the nearest first, or else the shortest that have the word in them.
pub fn similar<'a>(asked: &str, known: impl Iterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let length = asked.chars().count();
    if length > LONGEST_COMPARED {
        return Vec::new();
    }
    let near = |name: &'a str| {
        let away = (!name.is_empty() && name.len() <= 4 * LONGEST_COMPARED).then(|| distance(asked, name))?;
        (away <= length.div_ceil(3) && away < length).then_some((away, name))
    };
    let known: Vec<&str> = known.collect();
    let mut found: Vec<(usize, &str)> = known.iter().copied().filter_map(near).collect();
    if found.is_empty() {
        found =
            known.into_iter().filter(|name| contains(name, asked)).map(|name| (name.len(), name)).collect();
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(most).map(|(_, name)| name).collect()
}

/// Returns true if a name has a word of at least three letters in it, ignoring case.
fn contains(name: &str, asked: &str) -> bool {
    let is_known = asked.len() >= 3 && name.len() <= 4 * LONGEST_COMPARED;
    is_known && name.to_ascii_lowercase().contains(&asked.to_ascii_lowercase())
}

/// The edit distance: letters to insert, remove or change to turn one word into the other, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    let letters = |word: &str| word.chars().map(|c| c.to_ascii_lowercase()).collect::<Vec<_>>();
    let (a, b) = (letters(a), letters(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (done, letter) in a.iter().enumerate() {
        // Values of the previous row: to the left, and at this place.
        let mut diagonal = done;
        let mut left = done + 1;
        for (other, above) in b.iter().zip(row.iter_mut().skip(1)) {
            let changed = diagonal + usize::from(letter != other);
            diagonal = *above;
            left = changed.min(left + 1).min(diagonal + 1);
            *above = left;
        }
        if let Some(first) = row.first_mut() {
            *first = done + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// A name in quotes, cut to a length that fits a line.
pub fn quoted(name: &str) -> String {
    let start: String = name.chars().take(MAX_LETTERS).collect();
    if start.len() < name.len() { format!("'{start}…'") } else { format!("'{start}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_and_ten_are_listed() {
        let names: Vec<String> =
            (0..12).map(|n| format!("Clip_{n}")).chain(["Walking_A".to_owned()]).collect();
        let all = names.iter().map(String::as_str);
        let text = Unknown::numbered("clip", "walking_a", all.clone().enumerate()).to_string();
        assert!(
            text.starts_with("it has no clip 'walking_a' (did you mean 'Walking_A'?), but 0 'Clip_0', 1 ")
        );
        assert!(text.ends_with("9 'Clip_9' and 3 more ('sinew inspect --json' lists all)"), "{text}");
        let text = Unknown::named("joint", "zzz", all.take(2)).to_string();
        assert_eq!(text, "it has no joint 'zzz', but 'Clip_0', 'Clip_1'");
        let none = Unknown::named("camera", "front", std::iter::empty()).to_string();
        assert_eq!(none, "it has no camera 'front', and no cameras at all");
    }

    #[test]
    fn long_names_and_many_cost_little() {
        let long = "n".repeat(100_000);
        assert_eq!(nearest(&long, [long.as_str()].into_iter()), None);
        assert_eq!(nearest("n", [long.as_str(), ""].into_iter()), None);
        assert_eq!((distance("", "ab"), distance("ab", ""), distance("kitten", "sitting")), (2, 2, 3));
        assert_eq!(nearest("elbow.l", ["Elbow.R", "Elbow.L"].into_iter()), Some("Elbow.L"));
        let bones = ["b_Head_05_end", "b_Head_05", "b_Tail"];
        assert_eq!(nearest("head", bones.into_iter()), Some("b_Head_05"));
        assert_eq!((nearest("b_", bones.into_iter()), nearest("hand", bones.into_iter())), (None, None));
        assert!(quoted(&long).chars().count() < 70);
    }
}
