//! Findings, collected while a file is checked.

use std::collections::BTreeMap;
use std::fmt;

use crate::text::one_line;

/// Maximum number of findings kept of one kind: a fault in each of a million nodes needs no more.
const MAX_OF_A_KIND: usize = 200;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A broken rule of the format: an error of the Khronos glTF validator.
    #[default]
    Error,
    /// Odd or wasteful data that is allowed: the validator's warnings and hints.
    Note,
}

/// A finding about one place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The severity.
    pub severity: Severity,
    /// The rule, by the Khronos glTF validator's name if it has one.
    pub code: &'static str,
    /// The place in the file, such as `meshes[0].primitives[1]`; `.` for the whole file.
    pub path: String,
    /// The finding in one line, with the numbers found.
    pub message: String,
}

impl Finding {
    /// Returns the place as the JSON pointer that the validator prints, such as `/meshes/0/primitives/1`. A dot
    /// or a bracket in a name from the file, such as an attribute's, separates steps as well.
    pub fn pointer(&self) -> String {
        if self.path == "." {
            return String::new();
        }
        let steps = self.path.split(['.', '[']).map(|step| step.strip_suffix(']').unwrap_or(step));
        steps.map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1"))).collect()
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Note => "note",
        })
    }
}

/// Findings of one severity in the order they came up, at most 200 with the same code.
#[derive(Debug, Default)]
pub struct Findings {
    severity: Severity,
    kept: Vec<Finding>,
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
    /// An empty list for findings of a severity.
    pub fn of(severity: Severity) -> Self {
        Self { severity, ..Self::default() }
    }

    /// Adds a finding.
    pub fn add(&mut self, code: &'static str, path: &str, message: &str) {
        let kind = self.kinds.entry(code).or_default();
        if kind.kept < MAX_OF_A_KIND {
            kind.kept = kind.kept.saturating_add(1);
            let (severity, path, message) = (self.severity, one_line(path), one_line(message));
            self.kept.push(Finding { severity, code, path, message });
            return;
        }
        if kind.cut == 0 {
            path.clone_into(&mut kind.cut_from);
        }
        kind.cut = kind.cut.saturating_add(1);
    }

    /// Adds a finding unless there is one with that code about the path, a parent or a child of it.
    pub fn add_new(&mut self, code: &'static str, path: &str, message: &str) {
        if self.is_full(code) || !self.has(code, path) {
            self.add(code, path, message);
        }
    }

    /// Returns true if findings with that code are only counted from now on.
    pub fn is_full(&self, code: &'static str) -> bool {
        self.kinds.get(code).is_some_and(|kind| kind.kept >= MAX_OF_A_KIND)
    }

    /// Returns true if there is a finding with that code about the path, a parent or a child of it.
    pub fn has(&self, code: &'static str, path: &str) -> bool {
        let about = |found: &Finding| found.path.starts_with(path) || path.starts_with(&found.path);
        self.kinds.contains_key(code) && self.kept.iter().any(|found| found.code == code && about(found))
    }

    /// Returns true if there is a finding about exactly this path.
    pub fn says(&self, path: &str) -> bool {
        self.kept.iter().any(|found| found.path == path)
    }

    /// Returns true if there are no findings.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns all findings, with the number of those that were not kept.
    pub fn into_vec(mut self) -> Vec<Finding> {
        for (code, kind) in self.kinds.into_iter().filter(|(_, kind)| kind.cut > 0) {
            let message = format!("{} more of this kind", kind.cut);
            let path = one_line(&kind.cut_from);
            self.kept.push(Finding { severity: self.severity, code, path, message });
        }
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_a_kind_ends_with_its_number_and_hides_no_other() {
        let mut findings = Findings::default();
        for node in 0..MAX_OF_A_KIND + 3 {
            findings.add("ODD", &format!("nodes[{node}]"), "is odd");
        }
        findings.add("EVEN", "nodes[0]", "is even");
        let findings = findings.into_vec();
        assert_eq!(findings.len(), MAX_OF_A_KIND + 2);
        assert_eq!(findings[MAX_OF_A_KIND].code, "EVEN");
        let last = &findings[MAX_OF_A_KIND + 1];
        assert_eq!((last.code, last.path.as_str()), ("ODD", "nodes[200]"));
        assert_eq!(last.message, "3 more of this kind");
    }

    #[test]
    fn pointers_are_those_of_the_validator() {
        let pointer = |path: &str| {
            Finding { severity: Severity::Note, code: "ODD", path: path.to_owned(), message: String::new() }
                .pointer()
        };
        assert_eq!(pointer("."), "");
        assert_eq!(pointer("asset"), "/asset");
        assert_eq!(
            pointer("meshes[0].primitives[12].attributes._A/B"),
            "/meshes/0/primitives/12/attributes/_A~1B"
        );
        assert_eq!(pointer("accessors[3].min[2]"), "/accessors/3/min/2");
    }
}
