//! Receivers of findings.

/// Takes findings in as they come up.
pub trait Sink {
    /// Takes in a broken rule: what the Khronos glTF validator calls an error.
    fn add_fault(&mut self, code: &'static str, path: &str, message: &str);

    /// Takes in what is allowed, but odd or wasteful: what the Khronos glTF validator calls a warning or a hint.
    fn add_note(&mut self, code: &'static str, path: &str, message: &str);

    /// Returns true if the reader has already reported a fault of exactly this path.
    fn says(&self, path: &str) -> bool;

    /// Returns true if the reader has already reported that code about a path, a parent or a child of it.
    fn warns(&self, code: &'static str, path: &str) -> bool;
}

impl dyn Sink + '_ {
    /// Reports a broken rule.
    pub(crate) fn fault(&mut self, code: &'static str, path: &str, message: impl AsRef<str>) {
        self.add_fault(code, path, message.as_ref());
    }

    /// Reports something odd.
    pub(crate) fn note(&mut self, code: &'static str, path: &str, message: impl AsRef<str>) {
        self.add_note(code, path, message.as_ref());
    }
}
