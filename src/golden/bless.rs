//! Accepts pictures as goldens, and finds goldens without a case.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::list::List;
use super::verdict::Verdict;
use super::{Case, Drawn};
use crate::check::{self, Severity};
use crate::image::{ImageError, write_small_png};
use crate::output::Output;

/// Which goldens to replace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// None.
    #[default]
    Nothing,
    /// All that fail.
    Failing,
    /// Those of the cases with these names.
    Named(HashSet<String>),
}

impl Update {
    /// Cases by name; a list entry's name means all its cases.
    ///
    /// # Errors
    /// With the first name that no case has.
    pub fn named<'a>(list: &List, names: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut found = HashSet::new();
        for name in names {
            let cases = list.cases.iter().filter(|case| case.name == name || case.group == name);
            let names: Vec<String> = cases.map(|case| case.name.clone()).collect();
            if names.is_empty() {
                return Err(name.to_owned());
            }
            found.extend(names);
        }
        Ok(Self::Named(found))
    }

    /// Whether this case's golden might be replaced, before its picture is drawn.
    pub fn may_take(&self, case: &Case) -> bool {
        match self {
            Self::Nothing => false,
            Self::Failing => true,
            Self::Named(names) => names.contains(&case.name),
        }
    }

    /// Whether to replace this case's golden. A picture that shows nothing never replaces it.
    pub fn wants(&self, case: &Case, verdict: &Verdict) -> bool {
        let is_wanted = self.may_take(case)
            && match self {
                Self::Nothing => false,
                Self::Failing => !verdict.is_pass(),
                Self::Named(_) => *verdict != Verdict::Same,
            };
        is_wanted && !matches!(verdict, Verdict::Empty(_) | Verdict::NotDrawn(_))
    }
}

/// The file name of a case's golden.
pub fn golden_name(case: &Case) -> String {
    format!("{}.png", case.name)
}

/// The path of a case's golden.
pub fn golden_path(folder: &Path, case: &Case) -> PathBuf {
    folder.join(golden_name(case))
}

/// Writes a golden and describes what changed.
///
/// # Errors
/// If the file cannot be written.
pub fn bless(golden: &Output, drawn: &Drawn, verdict: &Verdict) -> Result<String, ImageError> {
    write_small_png(&drawn.image, golden)?;
    let [width, height] = [drawn.image.width, drawn.image.height];
    Ok(match verdict {
        Verdict::Same => "unchanged".to_owned(),
        Verdict::Within(figures) | Verdict::Differs(figures) => {
            format!(
                "{} of {} pixels changed, by {} at most",
                figures.pixels, figures.of_pixels, figures.worst_channel
            )
        }
        Verdict::Resized(sizes) => {
            format!("{width}x{height} pixels, was {}x{}", sizes.expected[0], sizes.expected[1])
        }
        Verdict::Missing => format!("new, {width}x{height} pixels"),
        Verdict::Unreadable(_) | Verdict::Hollow(_) | Verdict::Empty(_) | Verdict::NotDrawn(_) => {
            format!("{width}x{height} pixels, replaces an unusable golden")
        }
    })
}

/// A golden without a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphan {
    /// Its name, with `.png`.
    pub file: String,
    /// The case without a golden that it may belong to, if it is clear which.
    pub case: Option<String>,
}

impl Orphan {
    /// The kind of finding in a check.
    pub const KIND: &str = "orphan";

    /// The finding in words, and the cure if there is one.
    pub fn advice(&self) -> String {
        match &self.case {
            Some(case) => {
                format!("no case uses it; rename it to {case}.png if it is the golden of that case")
            }
            None => "no case uses it".to_owned(),
        }
    }
}

impl From<&Orphan> for check::Case {
    fn from(orphan: &Orphan) -> Self {
        Self::new(&orphan.file, Severity::Warning, Orphan::KIND, orphan.advice())
    }
}

/// PNGs in the folder that belong to no case, by name.
pub fn orphans(folder: &Path, list: &List) -> Vec<Orphan> {
    let known: HashSet<&str> = list.cases.iter().map(|case| case.name.as_str()).collect();
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.strip_suffix(".png").is_some_and(|stem| !known.contains(stem)))
        .collect();
    files.sort();
    let missing: Vec<&Case> = match files.is_empty() {
        true => Vec::new(),
        false => list.cases.iter().filter(|case| !golden_path(folder, case).exists()).collect(),
    };
    let with_case = |file: String| {
        let stem = file.strip_suffix(".png").unwrap_or(&file);
        let mut near =
            missing.iter().filter(|case| is_longer(&case.name, stem) || is_longer(stem, &case.name));
        let case = near.next().filter(|_| near.next().is_none()).map(|case| case.name.clone());
        Orphan { file, case }
    };
    files.into_iter().map(with_case).collect()
}

/// Tells whether a name is another one with values behind it.
fn is_longer(name: &str, other: &str) -> bool {
    name.strip_prefix(other).is_some_and(|values| values.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::Takes;

    #[test]
    fn orphans_know_the_case_that_they_may_belong_to() {
        let folder = tempfile::tempdir().unwrap();
        let list = "[[case]]\nname = 'run'\nmodel = 'm'\nmode = ['lbs']\n[[case]]\nname = 'walk'\nmodel = 'm'\n\
                    [[case]]\nname = 'sit'\nmodel = 'm'\nmode = ['lbs', 'dqs']\n";
        let list = List::parse(list, &|_| Ok(Takes::One), &|_| Ok(Vec::new())).unwrap();
        let found = || -> Vec<(String, Option<String>)> {
            orphans(folder.path(), &list).into_iter().map(|orphan| (orphan.file, orphan.case)).collect()
        };
        for file in ["run.png", "runner.png", "sit.png", "walk-dqs.png", "notes.txt"] {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let alone = |file: &str| (file.to_owned(), None);
        let of = |file: &str, case: &str| (file.to_owned(), Some(case.to_owned()));
        let expected =
            [of("run.png", "run-lbs"), alone("runner.png"), alone("sit.png"), of("walk-dqs.png", "walk")];
        assert_eq!(found(), expected);
        // A case that has its golden needs no other.
        std::fs::write(folder.path().join("run-lbs.png"), "").unwrap();
        assert_eq!(found()[0], alone("run.png"));
    }
}
