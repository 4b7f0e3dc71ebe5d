//! Collects warnings and faults while a file loads, and notes and statistics where it is inspected.

use std::collections::BTreeMap;

use super::message::one_line;
use crate::Warning;
use crate::statistics::InfluenceStatistics;

/// How many findings of one kind are kept: a file with a fault in each of a million nodes has said
/// enough long before.
const MAX_OF_A_KIND: usize = 200;

/// Warnings in the order they came up, and what only `inspect` collects.
#[derive(Debug, Default)]
pub struct Warnings {
    warnings: Findings,
    faults: Findings,
    inspected: Option<Inspected>,
}

/// What only `inspect` wants to know.
#[derive(Debug, Default)]
pub struct Inspected {
    notes: Findings,
    influences: BTreeMap<String, InfluenceStatistics>,
}

impl Warnings {
    /// A list that takes in notes and statistics as well.
    pub fn inspecting() -> Self {
        Self { inspected: Some(Inspected::default()), ..Self::default() }
    }

    /// Notes that something at `path` was repaired or left out; `code` names the broken rule.
    pub fn add(&mut self, code: &'static str, path: &str, message: impl AsRef<str>) {
        self.warnings.add(code, path, message.as_ref());
    }

    /// Notes that something at `path` breaks a rule and is taken as it is. Where a warning has said so
    /// already, nothing more is said.
    pub fn fault(&mut self, code: &'static str, path: &str, message: impl AsRef<str>) {
        if self.faults.is_full(code) || !(self.warnings.has(code, path) || self.faults.has(code, path)) {
            self.faults.add(code, path, message.as_ref());
        }
    }

    /// Whether there is a warning about exactly this path.
    pub fn says(&self, path: &str) -> bool {
        self.warnings.kept.iter().any(|found| found.path == path)
    }

    /// Whether there is a warning with that code about a path, or about what is around or in it.
    pub fn warns(&self, code: &'static str, path: &str) -> bool {
        self.warnings.has(code, path)
    }

    /// Notes what is allowed, but odd or wasteful.
    pub fn note(&mut self, code: &'static str, path: &str, message: impl AsRef<str>) {
        if let Some(inspected) = &mut self.inspected {
            inspected.notes.add(code, path, message.as_ref());
        }
    }

    /// Keeps what the influences of the primitive at `path` are like; counted only where somebody
    /// wants to know.
    pub fn influences(&mut self, path: &str, statistics: impl FnOnce() -> InfluenceStatistics) {
        if let Some(inspected) = &mut self.inspected {
            inspected.influences.insert(path.to_owned(), statistics());
        }
    }

    /// The warnings alone.
    #[cfg(test)]
    pub fn into_vec(self) -> Vec<Warning> {
        self.warnings.into_vec()
    }

    /// Everything, once the load is over.
    pub fn into_report(self) -> Report {
        let inspected = self.inspected.unwrap_or_default();
        Report {
            warnings: self.warnings.into_vec(),
            faults: self.faults.into_vec(),
            notes: inspected.notes.into_vec(),
            influences: inspected.influences,
        }
    }
}

/// What a load leaves behind.
#[derive(Debug)]
pub struct Report {
    /// What was repaired or left out.
    pub warnings: Vec<Warning>,
    /// What breaks a rule and was taken as it is.
    pub faults: Vec<Warning>,
    /// What is allowed, but odd or wasteful.
    pub notes: Vec<Warning>,
    /// Influences as stored, by the primitive's path.
    pub influences: BTreeMap<String, InfluenceStatistics>,
}

/// Findings in the order they came up, not too many of a kind.
#[derive(Debug, Default)]
struct Findings {
    kept: Vec<Warning>,
    kinds: BTreeMap<&'static str, Kind>,
}

/// What is known of the findings with one code.
#[derive(Debug, Default)]
struct Kind {
    kept: usize,
    /// How many were not kept, and where the first of them belongs.
    cut: usize,
    cut_from: String,
}

impl Findings {
    fn add(&mut self, code: &'static str, path: &str, message: &str) {
        let kind = self.kinds.entry(code).or_default();
        if kind.kept < MAX_OF_A_KIND {
            kind.kept = kind.kept.saturating_add(1);
            self.kept.push(Warning { code, path: one_line(path), message: one_line(message) });
            return;
        }
        if kind.cut == 0 {
            path.clone_into(&mut kind.cut_from);
        }
        kind.cut = kind.cut.saturating_add(1);
    }

    /// Whether findings with that code are only counted by now.
    fn is_full(&self, code: &'static str) -> bool {
        self.kinds.get(code).is_some_and(|kind| kind.kept >= MAX_OF_A_KIND)
    }

    /// Whether something with that code is said of the path, or of what is around or in it.
    fn has(&self, code: &'static str, path: &str) -> bool {
        let about = |found: &Warning| found.path.starts_with(path) || path.starts_with(&found.path);
        self.kinds.contains_key(code) && self.kept.iter().any(|found| found.code == code && about(found))
    }

    fn into_vec(mut self) -> Vec<Warning> {
        for (code, kind) in self.kinds.into_iter().filter(|(_, kind)| kind.cut > 0) {
            let message = format!("{} more of this kind from here on", kind.cut);
            self.kept.push(Warning { code, path: one_line(&kind.cut_from), message });
        }
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_a_kind_ends_with_its_number_and_hides_no_other() {
        let mut warnings = Warnings::default();
        for node in 0..MAX_OF_A_KIND + 3 {
            warnings.add("ODD", &format!("nodes[{node}]"), "is odd");
        }
        warnings.add("EVEN", "nodes[0]", "is even");
        let warnings = warnings.into_vec();
        assert_eq!(warnings.len(), MAX_OF_A_KIND + 2);
        assert_eq!(warnings[MAX_OF_A_KIND].code, "EVEN");
        let last = &warnings[MAX_OF_A_KIND + 1];
        assert_eq!((last.code, last.path.as_str()), ("ODD", "nodes[200]"));
        assert_eq!(last.message, "3 more of this kind from here on");
    }

    #[test]
    fn notes_are_only_taken_for_who_inspects() {
        let mut warnings = Warnings::default();
        warnings.note("ODD", "nodes[0]", "is odd");
        warnings.influences("x", || panic!("nobody asked"));
        assert!(warnings.into_report().notes.is_empty());
        let mut warnings = Warnings::inspecting();
        warnings.note("ODD", "nodes[0]", "is odd");
        assert_eq!(warnings.into_report().notes.len(), 1);
    }

    #[test]
    fn a_fault_is_not_said_of_what_a_warning_is_about() {
        let mut warnings = Warnings::default();
        warnings.add("ODD", "nodes[1]", "is odd");
        warnings.fault("ODD", "nodes[1].rotation", "is odd");
        warnings.fault("ODD", "nodes[2].rotation", "is odd");
        warnings.fault("ODD", "nodes[2]", "is odd");
        warnings.fault("EVEN", "nodes[1]", "is even");
        let Report { warnings, faults, .. } = warnings.into_report();
        assert_eq!(warnings.len(), 1);
        let said: Vec<_> = faults.iter().map(|fault| (fault.code, fault.path.as_str())).collect();
        assert_eq!(said, [("ODD", "nodes[2].rotation"), ("EVEN", "nodes[1]")]);
    }
}
