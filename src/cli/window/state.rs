//! The user's state between windows, in one file: recent files and the window's layout. Errors only mean that a window opens
//! as the first one does.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output::Closed;
use crate::viewer::Habits;
use crate::writing::write_json_pretty;

use crate::cli::machine::kept;
use crate::cli::machine::vulkan::user_folder;
use crate::cli::subject::open::BUILTIN;
use crate::cli::subject::stdin::is_stdin;

/// The maximum number of recent files.
const MAX_RECENT: usize = 12;

/// The maximum size of the file in bytes.
const MAX_BYTES: u64 = 1 << 17;

/// The content of `state.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Stored {
    /// Recent files, newest first.
    recent: Vec<String>,
    /// The window's layout.
    window: Habits,
    /// Keys of other versions.
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

/// The state of this window.
pub struct State {
    file: Option<PathBuf>,
    recent: Vec<OsString>,
}

impl State {
    /// Reads the state.
    pub fn open() -> Self {
        Self::of(user_folder("XDG_STATE_HOME", ".local/state").map(|folder| folder.join("state.json")))
    }

    fn of(file: Option<PathBuf>) -> Self {
        let mut state = Self { file, recent: Vec::new() };
        let recent = state.read().recent;
        state.recent = recent.into_iter().filter(|file| !file.is_empty()).map(OsString::from).collect();
        state.recent.truncate(MAX_RECENT);
        state
    }

    /// Returns the layout of the last window.
    pub fn layout(&self) -> Habits {
        self.read().window.sane()
    }

    /// Saves the layout.
    pub fn keep_layout(&self, layout: &Habits, inputs: &Closed) {
        self.change(inputs, |stored| stored.window = layout.clone());
    }

    /// Returns all recent files except one.
    pub fn recent_besides(&self, shown: &OsStr) -> Vec<OsString> {
        let shown = name(shown);
        self.recent.iter().filter(|file| **file != shown).cloned().collect()
    }

    /// Moves a file to the front of the recent ones.
    pub fn remember(&mut self, file: &OsStr, inputs: &Closed) {
        // What came through a pipe does not come again.
        if is_stdin(file) {
            return;
        }
        let file = name(file);
        to_front(&mut self.recent, file.clone());
        // A name that is not UTF-8 could not be read back.
        if let Some(file) = file.to_str() {
            self.change(inputs, |stored| to_front(&mut stored.recent, file.to_owned()));
        }
    }

    fn read(&self) -> Stored {
        let bytes = self.file.as_deref().and_then(|file| kept::read(file, MAX_BYTES)).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Changes the file as it is now: another window may have written since.
    fn change(&self, inputs: &Closed, change: impl FnOnce(&mut Stored)) {
        let Some(file) = &self.file else { return };
        let mut stored = self.read();
        change(&mut stored);
        if let Err(error) = kept::write(file, inputs, |out| write_json_pretty(out, &stored)) {
            tracing::debug!("the state was not written: {error}");
        }
    }
}

fn to_front<T: PartialEq>(files: &mut Vec<T>, file: T) {
    files.retain(|other| *other != file);
    files.insert(0, file);
    files.truncate(MAX_RECENT);
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

    fn inputs() -> Closed {
        Inputs::none().close()
    }

    #[test]
    fn the_newest_is_first_and_none_is_there_twice() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new/state.json");
        let mut state = State::of(Some(file.clone()));
        assert_eq!(state.recent_besides(OsStr::new("a.glb")), [""; 0]);
        for name in ["/m/a.glb", "builtin:bend", "/m/b.glb", "/m/a.glb"] {
            state.remember(OsStr::new(name), &inputs());
        }
        let again = State::of(Some(file));
        assert_eq!(again.recent_besides(OsStr::new("/m/a.glb")), ["/m/b.glb", "builtin:bend"]);
        assert_eq!(again.recent_besides(OsStr::new("/m/c.glb")), ["/m/a.glb", "/m/b.glb", "builtin:bend"]);
        let mut unwritten = State::of(None);
        for number in 0..20 {
            unwritten.remember(OsStr::new(&format!("/m/{number}.glb")), &inputs());
        }
        assert_eq!(unwritten.recent_besides(OsStr::new("x")).len(), MAX_RECENT);
    }

    #[test]
    fn windows_beside_each_other_keep_what_the_other_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state.json");
        let mut windows = [(); 2].map(|()| State::of(Some(file.clone())));
        windows[0].remember(OsStr::new("/m/a.glb"), &inputs());
        windows[1].remember(OsStr::new("/m/b.glb"), &inputs());
        let layout = Habits { has_seen_hint: true, ..Habits::default() };
        windows[0].keep_layout(&layout, &inputs());
        let found = State::of(Some(file));
        assert_eq!(found.recent_besides(OsStr::new("x")), ["/m/b.glb", "/m/a.glb"]);
        assert_eq!(found.layout(), layout);
    }

    #[test]
    fn any_file_is_read_and_keys_of_other_versions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state.json");
        for text in ["", "\0", "[]", r#"{"recent": 7}"#, r#"{"window": {"panel_width": "x"}}"#] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(State::of(Some(file.clone())).layout(), Habits::default(), "{text}");
        }
        std::fs::write(&file, r#"{"later": [1], "window": {"panel_width": 1e9}}"#).unwrap();
        let state = State::of(Some(file.clone()));
        assert_eq!(state.layout().panel_width, 520.0);
        state.keep_layout(&Habits::default(), &inputs());
        assert!(std::fs::read_to_string(&file).unwrap().contains(r#""later": ["#));
    }
}
