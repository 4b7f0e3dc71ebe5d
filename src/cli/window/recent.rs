//! The files recently shown in a window, the newest first, stored in a file of the user's. Errors only mean that the
//! list is empty or stays unwritten.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::output::Closed;

use crate::cli::machine::kept;
use crate::cli::machine::vulkan::user_folder;
use crate::cli::subject::open::BUILTIN;
use crate::cli::subject::stdin::is_stdin;

/// The most files that are stored.
const MAX: usize = 12;

/// The most bytes of a list that are read.
const MAX_BYTES: u64 = 1 << 16;

/// The list of files.
pub struct Recent {
    list: Option<PathBuf>,
    files: Vec<OsString>,
}

impl Recent {
    /// Reads the list.
    pub fn open() -> Self {
        let list = user_folder("XDG_STATE_HOME", ".local/state").map(|folder| folder.join("recent.txt"));
        Self::of(list)
    }

    fn of(list: Option<PathBuf>) -> Self {
        let bytes = list.as_deref().and_then(|list| kept::read(list, MAX_BYTES)).unwrap_or_default();
        let text = String::from_utf8(bytes).unwrap_or_default();
        let files = text.lines().filter(|line| !line.is_empty()).take(MAX).map(OsString::from).collect();
        Self { list, files }
    }

    /// All files except one.
    pub fn besides(&self, shown: &OsStr) -> Vec<OsString> {
        let shown = name(shown);
        self.files.iter().filter(|file| **file != shown).cloned().collect()
    }

    /// Moves a file to the front.
    pub fn remember(&mut self, file: &OsStr, inputs: &Closed) {
        // What came through a pipe does not come again.
        if is_stdin(file) {
            return;
        }
        let file = name(file);
        self.files.retain(|other| *other != file);
        self.files.insert(0, file);
        self.files.truncate(MAX);
        if let Err(error) = self.write(inputs) {
            tracing::debug!("the list of recent files was not written: {error}");
        }
    }

    fn write(&self, inputs: &Closed) -> std::io::Result<()> {
        let Some(list) = &self.list else { return Ok(()) };
        // A name that is not UTF-8 or contains line breaks could not be read back.
        let lines = self.files.iter().filter_map(|file| file.to_str()).filter(|file| !file.contains('\n'));
        let text: String = lines.map(|file| format!("{file}\n")).collect();
        kept::write(list, inputs, |out| out.write_all(text.as_bytes()))
    }
}

/// The absolute name of a file.
pub fn name(file: &OsStr) -> OsString {
    match file.to_str().is_some_and(|file| file.starts_with(BUILTIN)) {
        true => file.to_owned(),
        false => std::path::absolute(file).map_or_else(|_| file.to_owned(), PathBuf::into_os_string),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Inputs;

    #[test]
    fn the_newest_is_first_and_none_is_there_twice() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("new/recent.txt");
        let mut recent = Recent::of(Some(list.clone()));
        assert_eq!(recent.besides(OsStr::new("a.glb")), [""; 0]);
        for file in ["/m/a.glb", "builtin:bend", "/m/b.glb", "/m/a.glb"] {
            recent.remember(OsStr::new(file), &Inputs::none().close());
        }
        let again = Recent::of(Some(list));
        assert_eq!(again.besides(OsStr::new("/m/a.glb")), ["/m/b.glb", "builtin:bend"]);
        assert_eq!(again.besides(OsStr::new("/m/c.glb")), ["/m/a.glb", "/m/b.glb", "builtin:bend"]);
        let mut lost = Recent::of(None);
        lost.remember(OsStr::new("/m/a.glb"), &Inputs::none().close());
        assert_eq!(lost.besides(OsStr::new("x")), ["/m/a.glb"]);
        for number in 0..20 {
            lost.remember(OsStr::new(&format!("/m/{number}.glb")), &Inputs::none().close());
        }
        assert_eq!(lost.besides(OsStr::new("x")).len(), MAX);
    }
}
