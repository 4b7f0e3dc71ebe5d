//! The results of a check: its cases with their findings, which of these fail it, and reports on them as JUnit XML and as
//! Markdown. It must not know what was checked.

mod junit;
mod markdown;

pub use junit::junit;
pub use markdown::markdown;

/// The gravity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing was found.
    Fine,
    /// Something may be wrong.
    Warning,
    /// Something is wrong.
    Error,
    /// The case could not be checked.
    Broken,
}

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its name, which stays the same from run to run.
    pub name: String,
    /// The gravity of the finding.
    pub severity: Severity,
    /// The kind of finding, in one word.
    pub kind: &'static str,
    /// The finding in a sentence; may be empty.
    pub message: String,
    /// The command that shows it; may be empty.
    pub command: String,
}

impl Case {
    /// A case with a finding, or with [`Severity::Fine`] one without.
    pub fn new(
        name: impl Into<String>,
        severity: Severity,
        kind: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self { name: name.into(), severity, kind, message: message.into(), command: String::new() }
    }

    /// The case with the command that shows it.
    pub fn shown_by(self, command: impl Into<String>) -> Self {
        Self { command: command.into(), ..self }
    }

    /// Kind and finding in a line.
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
    /// Findings as grave as this, or graver.
    pub severity: Option<Severity>,
    /// Findings of these kinds.
    pub kinds: Vec<String>,
}

impl FailOn {
    /// Reads the words `error`, `warning` and kinds, beside what fails in any case.
    ///
    /// # Errors
    /// With the first word that is no kind of this check.
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

    /// Tells whether a case fails the check. One that could not be checked always does.
    pub fn fails(&self, case: &Case) -> bool {
        let least = self.severity.unwrap_or(Severity::Broken);
        let is_finding = case.severity > Severity::Fine;
        is_finding && (case.severity >= least || self.kinds.iter().any(|kind| kind == case.kind))
    }
}

/// A check with all its cases.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The command and what it checked, such as `compare new.glb`.
    pub suite: &'a str,
    /// The cases, in an order that stays the same from run to run.
    pub cases: &'a [Case],
    /// The findings that fail it.
    pub fail_on: &'a FailOn,
}

impl<'a> Report<'a> {
    /// The cases that fail, in their order.
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
