//! Collects warnings and faults while a file loads, and notes and statistics where it is inspected.

use std::collections::BTreeMap;

use super::message::one_line;
use crate::Warning;
use crate::statistics::InfluenceStatistics;

/// Maximum number of findings kept of one kind: a fault in each of a million nodes needs no more.
const MAX_OF_A_KIND: usize = 200;

/// Warnings in the order they came up, and what only `inspect` collects.
#[derive(Debug, Default)]
pub struct Warnings {
    warnings: Findings,
    faults: Findings,
    inspected: Option<Inspected>,
}

/// Findings for `inspect` only.
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

    /// Records that something at `path` breaks a rule and is used unchanged, unless a warning covers it.
    pub fn fault(&mut self, code: &'static str, path: &str, message: impl AsRef<str>) {
        if self.faults.is_full(code) || !(self.warnings.has(code, path) || self.faults.has(code, path)) {
            self.faults.add(code, path, message.as_ref());
        }
    }

    /// Returns true if there is a warning about exactly this path.
    pub fn says(&self, path: &str) -> bool {
        self.warnings.kept.iter().any(|found| found.path == path)
    }

    /// Returns true if there is a warning with that code about a path, a parent or a child of it.
    pub fn warns(&self, code: &'static str, path: &str) -> bool {
        self.warnings.has(code, path)
    }

    /// Notes what is allowed, but odd or wasteful.
    pub fn note(&mut self, code: &'static str, path: &str, message: impl AsRef<str>) {
        if let Some(inspected) = &mut self.inspected {
            inspected.notes.add(code, path, message.as_ref());
        }
    }

    /// Records statistics of the influences of the primitive at `path`; computed only on request.
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

/// Findings of a load.
#[derive(Debug)]
pub struct Report {
    /// Repairs and omissions.
    pub warnings: Vec<Warning>,
    /// Broken rules in data that was used unchanged.
    pub faults: Vec<Warning>,
    /// Odd or wasteful data that is allowed.
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

/// State of the findings with one code.
#[derive(Debug, Default)]
struct Kind {
    kept: usize,
    /// Number of findings not kept, and the position of the first.
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

    /// Returns true if findings with that code are only counted from now on.
    fn is_full(&self, code: &'static str) -> bool {
        self.kinds.get(code).is_some_and(|kind| kind.kept >= MAX_OF_A_KIND)
    }

    /// Returns true if there is a finding with that code about the path, a parent or a child of it.
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
        warnings.influences("x", || panic!("it was not asked for"));
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
