//! Accepts pictures as goldens, and finds goldens without a case.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::list::List;
use super::verdict::Verdict;
use super::{Case, Drawn};
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

/// The path of a case's golden.
pub fn golden_path(folder: &Path, case: &Case) -> PathBuf {
    folder.join(format!("{}.png", case.name))
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

/// Names of PNGs in the folder that belong to no case.
pub fn stray_goldens(folder: &Path, list: &List) -> Vec<String> {
    let known: HashSet<&str> = list.cases.iter().map(|case| case.name.as_str()).collect();
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut strays: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.strip_suffix(".png").is_some_and(|stem| !known.contains(stem)))
        .collect();
    strays.sort();
    strays
}
