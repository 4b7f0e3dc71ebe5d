//! Accepts pictures as goldens, and finds goldens without a case.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::list::List;
use super::verdict::Verdict;
use super::{Case, Drawn};
use sinew_image::{ImageError, write_small_png};
use sinew_system::output::{self, Output};
use sinew_text::check::{self, Severity};

/// Selection of the goldens to replace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// None.
    #[default]
    Nothing,
    /// Every golden whose case fails.
    Failing,
    /// Goldens of the cases with these names.
    Named(HashSet<String>),
}

impl Update {
    /// Selects cases by name; a list entry's name selects all its cases.
    ///
    /// # Errors
    /// The first name without a case.
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

    /// Returns true if this case's golden may be replaced, before its picture is drawn.
    pub fn may_take(&self, case: &Case) -> bool {
        match self {
            Self::Nothing => false,
            Self::Failing => true,
            Self::Named(names) => names.contains(&case.name),
        }
    }

    /// Returns true if this case's golden is to be replaced. A picture that shows nothing never replaces it.
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

/// Returns the file name of a case's golden.
pub fn golden_name(case: &Case) -> String {
    format!("{}.png", case.name)
}

/// Returns the path of a case's golden.
pub fn golden_path(folder: &Path, case: &Case) -> PathBuf {
    match &case.stand_in {
        Some(stem) => folder.join(format!("{stem}.png")),
        None => folder.join(golden_name(case)),
    }
}

/// Writes a golden and describes the change.
///
/// # Errors
/// If the file cannot be written.
pub fn bless(golden: &Output, drawn: &Drawn, verdict: &Verdict) -> Result<String, ImageError> {
    output::write(golden, |out| write_small_png(&drawn.image, out))?;
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
    /// The file name, with `.png`.
    pub file: String,
    /// The case without a golden that this file may belong to, if exactly one fits.
    pub case: Option<String>,
}

impl Orphan {
    /// The kind of finding in a check.
    pub const KIND: &str = "orphan";

    /// Describes the finding, and the remedy if there is one.
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

/// Finds goldens of cases whose values once stood in a list, and so in the name: `run-lbs.png` for a case `run` with `mode =
/// "lbs"`. A case's name must not depend on the other values in a list.
pub fn find_stand_ins(folder: &Path, list: &mut List) {
    let stems = stems_without_case(folder, list);
    let is_longer = |stem: &str, case: &Case| stem.len() > case.name.len() && stem.starts_with(&case.name);
    let found: Vec<Option<String>> = (list.cases.iter())
        .map(|case| {
            if stems.is_empty() || golden_path(folder, case).exists() {
                return None;
            }
            let mut fit = stems.iter().filter(|stem| case.may_be_called(stem));
            let stem = fit.next().filter(|stem| fit.next().is_none() && is_longer(stem, case))?;
            let claims = list.cases.iter().filter(|other| other.may_be_called(stem)).count();
            (claims == 1).then(|| stem.clone())
        })
        .collect();
    for (case, stand_in) in list.cases.iter_mut().zip(found) {
        case.stand_in = stand_in;
    }
}

/// Returns the PNGs in the folder that belong to no case, by name.
pub fn orphans(folder: &Path, list: &List) -> Vec<Orphan> {
    let stems = stems_without_case(folder, list);
    let missing: Vec<&Case> = match stems.is_empty() {
        true => Vec::new(),
        false => list.cases.iter().filter(|case| !golden_path(folder, case).exists()).collect(),
    };
    let with_case = |stem: String| {
        let mut near = missing.iter().filter(|case| case.may_be_called(&stem));
        let case = near.next().filter(|_| near.next().is_none()).map(|case| case.name.clone());
        Orphan { file: format!("{stem}.png"), case }
    };
    stems.into_iter().map(with_case).collect()
}

/// Returns the names of PNGs in the folder that are golden of no case, without `.png`.
fn stems_without_case(folder: &Path, list: &List) -> Vec<String> {
    let known: HashSet<&str> = list
        .cases
        .iter()
        .flat_map(|case| [Some(case.name.as_str()), case.stand_in.as_deref()])
        .flatten()
        .collect();
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut stems: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".png").map(str::to_owned))
        .filter(|stem| !known.contains(stem.as_str()))
        .collect();
    stems.sort();
    stems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Takes;

    #[test]
    fn orphans_know_the_case_that_they_may_belong_to() {
        let folder = tempfile::tempdir().unwrap();
        let list = "[[case]]\nname = 'run'\nmodel = 'm'\nmode = ['lbs']\n[[case]]\nname = 'walk'\nmodel = 'm'\nmode = 'lbs'\ntime = 2\n\
                    [[case]]\nname = 'sit'\nmodel = 'm'\nmode = ['lbs', 'dqs']\n";
        let list = List::parse(list, &|_| Ok(Takes::One), &|_| Ok(Vec::new())).unwrap();
        let found = || -> Vec<(String, Option<String>)> {
            orphans(folder.path(), &list).into_iter().map(|orphan| (orphan.file, orphan.case)).collect()
        };
        for file in ["run.png", "runner.png", "sit.png", "walk-dqs.png", "walk-lbs-2.png", "notes.txt"] {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let alone = |file: &str| (file.to_owned(), None);
        let of = |file: &str, case: &str| (file.to_owned(), Some(case.to_owned()));
        let expected = [
            of("run.png", "run-lbs"),
            alone("runner.png"),
            alone("sit.png"),
            alone("walk-dqs.png"),
            of("walk-lbs-2.png", "walk"),
        ];
        assert_eq!(found(), expected);
        // A case with a golden needs no other.
        std::fs::write(folder.path().join("run-lbs.png"), "").unwrap();
        assert_eq!(found()[0], alone("run.png"));
    }

    #[test]
    fn a_golden_named_by_the_very_values_stands_in() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["run-lbs.png", "run-dqs.png", "sit-lbs-0.5.png", "sit-lbs.png", "hop-2.png"] {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let found = |case: &str| {
            let text = format!("[[case]]\nmodel = 'm'\n{case}");
            let mut list = List::parse(&text, &|_| Ok(Takes::One), &|_| Ok(Vec::new())).unwrap();
            find_stand_ins(folder.path(), &mut list);
            let path = golden_path(folder.path(), &list.cases[0]);
            let used = path.file_name().unwrap().to_str().unwrap().to_owned();
            assert!(orphans(folder.path(), &list).iter().all(|orphan| orphan.file != used));
            used
        };
        assert_eq!(found("name = 'run'\nmode = 'lbs'"), "run-lbs.png");
        assert_eq!(found("name = 'run'\nmode = 'dqs'"), "run-dqs.png");
        assert_eq!(found("name = 'run'\nmode = 'rigid'"), "run.png");
        assert_eq!(found("name = 'run'"), "run.png");
        // If several fit, none is chosen.
        assert_eq!(found("name = 'sit'\nmode = 'lbs'\ntime = 0.5"), "sit.png");
        assert_eq!(found("name = 'hop'\nmode = 'lbs'\ntime = 2"), "hop-2.png");
        // Another case of that name has the file.
        let two = "name = 'run'\nmode = 'lbs'\n[[case]]\nmodel = 'm'\nname = 'run-lbs'";
        assert_eq!(found(two), "run.png");
    }
}
