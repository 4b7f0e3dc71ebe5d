//! The desktop's file dialog, which does not block the window.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

use sinew_model::ENDINGS;
use sinew_system::threads;
use winit::window::Window;

/// Time within which a desktop without a dialog reports that.
const AT_ONCE: Duration = Duration::from_millis(80);

/// An open dialog.
pub struct Dialog(Receiver<Option<Vec<PathBuf>>>);

/// Result of a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Chosen files, perhaps none.
    Files(Vec<OsString>),
    /// The desktop has no dialog.
    NoDialog,
}

impl Dialog {
    /// Opens the dialog over a window, in the folder of a file. Waits briefly for a desktop without one.
    pub fn open(window: &Window, file: &OsStr) -> Result<Self, Chosen> {
        let mut dialog = rfd::FileDialog::new()
            .set_title("Open models")
            .add_filter("Models", &both_cases())
            .add_filter("All files", &["*"])
            .set_parent(window);
        // Portals refuse relative names.
        let folder = std::path::absolute(file).ok();
        if let Some(folder) = folder.as_deref().and_then(Path::parent).filter(|folder| folder.is_dir()) {
            dialog = dialog.set_directory(folder);
        }
        let (send, receive) = channel();
        // The desktop's dialog outlives a closed window; this thread is never joined.
        if threads::spawn(move || send.send(dialog.pick_files())).is_err() {
            return Err(Chosen::NoDialog);
        }
        match receive.recv_timeout(AT_ONCE) {
            Ok(answer) => Err(chosen(answer)),
            Err(RecvTimeoutError::Timeout) => Ok(Self(receive)),
            Err(RecvTimeoutError::Disconnected) => Err(Chosen::NoDialog),
        }
    }

    /// Returns the result, once the dialog is closed.
    pub fn answer(&self) -> Option<Chosen> {
        match self.0.try_recv() {
            Ok(answer) => Some(chosen(answer)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Chosen::NoDialog),
        }
    }
}

fn chosen(answer: Option<Vec<PathBuf>>) -> Chosen {
    match answer {
        Some(files) => Chosen::Files(files.into_iter().map(PathBuf::into_os_string).collect()),
        None => Chosen::NoDialog,
    }
}

/// Returns the file endings in both cases, since desktops distinguish them.
fn both_cases() -> Vec<String> {
    ENDINGS.iter().flat_map(|ending| [(*ending).to_owned(), ending.to_uppercase()]).collect()
}
