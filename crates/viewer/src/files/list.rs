//! The list of files, and the place in it where the window is.

use std::ffi::{OsStr, OsString};

/// The files of the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    names: Vec<OsString>,
    /// Where the file that was asked for last is, or where one was before a file from elsewhere was shown.
    at: usize,
    /// Whether the file that was asked for last is one of them.
    is_inside: bool,
}

impl Files {
    /// A list, of which one is shown.
    pub fn new(names: Vec<OsString>, shown: &OsStr) -> Self {
        let mut files = Self { names, ..Self::default() };
        files.visit(shown);
        files
    }

    /// The names, in order.
    pub fn names(&self) -> &[OsString] {
        &self.names
    }

    /// The number of the file that was asked for last, if it is in the list.
    pub fn at(&self) -> Option<usize> {
        self.is_inside.then_some(self.at)
    }

    /// Whether there is another file to go to.
    pub fn has_others(&self) -> bool {
        self.names.len() > 1
    }

    /// Takes note of the file that is asked for. One from elsewhere leaves a longer list as it is.
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

    /// The file so many steps further; behind the last comes the first.
    pub fn step(&self, by: i32) -> Option<&OsStr> {
        let count = i64::try_from(self.names.len()).ok().filter(|count| *count > 1)?;
        // From a file that is not in the list, one goes back to where one was.
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
