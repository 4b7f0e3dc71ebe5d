//! Results of a check: its cases with their findings, the selection of those that fail it, and reports as JUnit XML and
//! Markdown. The module must not depend on what was checked.

mod junit;
mod markdown;

pub use junit::junit;
pub use markdown::markdown;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// No finding.
    Fine,
    /// A possible defect.
    Warning,
    /// A defect.
    Error,
    /// A case that could not be checked.
    Broken,
}

/// A checked case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its name, which stays the same between runs.
    pub name: String,
    /// Severity of the finding.
    pub severity: Severity,
    /// The kind of finding, in one word.
    pub kind: &'static str,
    /// The finding as a sentence; may be empty.
    pub message: String,
    /// The command that shows it; may be empty.
    pub command: String,
}

impl Case {
    /// Creates a case with a finding, or, with [`Severity::Fine`], without one.
    pub fn new(
        name: impl Into<String>,
        severity: Severity,
        kind: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self { name: name.into(), severity, kind, message: message.into(), command: String::new() }
    }

    /// Adds the command that shows the finding.
    pub fn shown_by(self, command: impl Into<String>) -> Self {
        Self { command: command.into(), ..self }
    }

    /// Formats kind and finding in one line.
    pub fn text(&self) -> String {
        match self.message.is_empty() {
            true => self.kind.to_owned(),
            false => format!("{}: {}", self.kind, self.message),
        }
    }
}

/// The findings that fail a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailOn {
    /// Minimum severity that fails.
    pub severity: Option<Severity>,
    /// Kinds that fail.
    pub kinds: Vec<String>,
}

impl FailOn {
    /// Parses the words `error` and `warning` and names of kinds. Findings of severity `always` or higher fail in any
    /// case.
    ///
    /// # Errors
    /// If a word is none of these; the first such word.
    pub fn new(words: &[String], kinds: &[&str], always: Option<Severity>) -> Result<Self, String> {
        let mut found = Self { severity: always, kinds: Vec::new() };
        for word in words {
            let least = match word.as_str() {
                "error" => Severity::Error,
                "warning" => Severity::Warning,
                kind if kinds.contains(&kind) => {
                    found.kinds.push(word.clone());
                    continue;
                }
                _ => return Err(word.clone()),
            };
            found.severity = Some(found.severity.map_or(least, |severity| severity.min(least)));
        }
        Ok(found)
    }

    /// Returns true if a case fails the check. A case that could not be checked always does.
    pub fn fails(&self, case: &Case) -> bool {
        let least = self.severity.unwrap_or(Severity::Broken);
        let is_finding = case.severity > Severity::Fine;
        is_finding && (case.severity >= least || self.kinds.iter().any(|kind| kind == case.kind))
    }
}

/// A check with all its cases.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The command and its subject, such as `compare new.glb`.
    pub suite: &'a str,
    /// The cases, in an order that stays the same between runs.
    pub cases: &'a [Case],
    /// The findings that fail it.
    pub fail_on: &'a FailOn,
}

impl<'a> Report<'a> {
    /// Returns the cases that fail, in their order.
    pub fn failures(&self) -> impl Iterator<Item = &'a Case> {
        let Self { cases, fail_on, .. } = *self;
        cases.iter().filter(|case| fail_on.fails(case))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_fails() {
        let kinds = ["leak", "tiny"];
        let fail_on = |words: &[&str], always| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            FailOn::new(&words, &kinds, always)
        };
        let cases = [
            Case::new("a", Severity::Fine, "leak", ""),
            Case::new("b", Severity::Warning, "tiny", ""),
            Case::new("c", Severity::Error, "leak", ""),
            Case::new("d", Severity::Broken, "unread", ""),
        ];
        let failing = |words: &[&str], always| {
            let fail_on = fail_on(words, always).unwrap();
            cases.each_ref().map(|case| fail_on.fails(case))
        };
        assert_eq!(failing(&[], None), [false, false, false, true]);
        assert_eq!(failing(&["error"], None), [false, false, true, true]);
        assert_eq!(failing(&["tiny"], None), [false, true, false, true]);
        assert_eq!(failing(&["leak"], None), [false, false, true, true]);
        assert_eq!(failing(&["error", "warning"], None), [false, true, true, true]);
        assert_eq!(failing(&["tiny"], Some(Severity::Error)), [false, true, true, true]);
        assert_eq!(fail_on(&["error", "leek"], None), Err("leek".to_owned()));
    }
}
