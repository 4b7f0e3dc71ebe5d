//! Collects warnings and faults while a file loads, and notes and statistics where it is inspected.

use std::collections::BTreeMap;

use sinew_gltf_rules::{Finding, Findings};

use crate::Warning;
use crate::statistics::InfluenceStatistics;

/// Warnings in order of occurrence, and findings that only `inspect` collects.
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
        if self.faults.is_full(code) || !self.warnings.has(code, path) {
            self.faults.add_new(code, path, message.as_ref());
        }
    }

    /// Returns true if there is a warning about exactly this path.
    pub fn says(&self, path: &str) -> bool {
        self.warnings.says(path)
    }

    /// Returns true if there is a warning with that code about a path, a parent or a child of it.
    pub fn warns(&self, code: &'static str, path: &str) -> bool {
        self.warnings.has(code, path)
    }

    /// Records an allowed, but odd or wasteful property.
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
        warnings_of(self.warnings)
    }

    /// Everything, once the load is over.
    pub fn into_report(self) -> Report {
        let inspected = self.inspected.unwrap_or_default();
        Report {
            warnings: warnings_of(self.warnings),
            faults: warnings_of(self.faults),
            notes: warnings_of(inspected.notes),
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

/// Turns findings into warnings.
fn warnings_of(findings: Findings) -> Vec<Warning> {
    let warning = |Finding { code, path, message, .. }| Warning { code, path, message };
    findings.into_vec().into_iter().map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
