//! The list of files, and the window's position in it.

use std::ffi::{OsStr, OsString};

/// The files of the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    names: Vec<OsString>,
    /// Index of the file requested last, or of the previous one while a file from elsewhere is shown.
    at: usize,
    /// True if the file requested last is in the list.
    is_inside: bool,
}

impl Files {
    /// Creates a list, with one file shown.
    pub fn new(names: Vec<OsString>, shown: &OsStr) -> Self {
        let mut files = Self { names, ..Self::default() };
        files.visit(shown);
        files
    }

    /// Returns the names, in order.
    pub fn names(&self) -> &[OsString] {
        &self.names
    }

    /// Returns the index of the file requested last, if it is in the list.
    pub fn at(&self) -> Option<usize> {
        self.is_inside.then_some(self.at)
    }

    /// Returns true if there is another file to show.
    pub fn has_others(&self) -> bool {
        self.names.len() > 1
    }

    /// Notes the requested file. One from elsewhere leaves a longer list unchanged.
    pub fn visit(&mut self, file: &OsStr) {
        let found = self.names.iter().position(|name| name == file);
        self.is_inside = found.is_some();
        match found {
            Some(found) => self.at = found,
            None if !self.has_others() => {
                *self = Self { names: vec![file.to_owned()], at: 0, is_inside: true }
            }
            None => {}
        }
    }

    /// Returns the file this many steps further; after the last comes the first.
    pub fn step(&self, by: i32) -> Option<&OsStr> {
        let count = i64::try_from(self.names.len()).ok().filter(|count| *count > 1)?;
        // From a file outside the list, a step returns to the previous position.
        let by = if self.is_inside { i64::from(by) } else { 0 };
        let at = i64::try_from(self.at).ok()?.wrapping_add(by).rem_euclid(count);
        self.names.get(usize::try_from(at).ok()?).map(OsString::as_os_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str], shown: &str) -> Files {
        Files::new(names.iter().map(OsString::from).collect(), OsStr::new(shown))
    }

    #[test]
    fn one_goes_round_the_list() {
        let mut files = files(&["a", "b", "c"], "b");
        assert_eq!((files.at(), files.has_others()), (Some(1), true));
        assert_eq!((files.step(1), files.step(-1)), (Some(OsStr::new("c")), Some(OsStr::new("a"))));
        files.visit(OsStr::new("c"));
        assert_eq!((files.step(1), files.step(-1)), (Some(OsStr::new("a")), Some(OsStr::new("b"))));
    }

    #[test]
    fn a_file_from_elsewhere_does_not_lose_the_place() {
        let mut files = files(&["a", "b", "c"], "b");
        files.visit(OsStr::new("x"));
        assert_eq!((files.at(), files.names().len()), (None, 3));
        assert_eq!(files.step(1), Some(OsStr::new("b")), "back to where one was");
        files.visit(OsStr::new("b"));
        assert_eq!(files.step(1), Some(OsStr::new("c")));
    }

    #[test]
    fn a_single_file_gives_way() {
        let mut files = files(&["a"], "a");
        assert_eq!((files.step(1), files.has_others()), (None, false));
        files.visit(OsStr::new("b"));
        assert_eq!((files.names(), files.at()), (&[OsString::from("b")][..], Some(0)));
    }
}
