//! The desktop's dialog to choose files, while the window lives on.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

use sinew_model::ENDINGS;
use sinew_system::threads;
use winit::window::Window;

/// A desktop that has no dialog says so within this time.
const AT_ONCE: Duration = Duration::from_millis(80);

/// An open dialog.
pub struct Dialog(Receiver<Option<Vec<PathBuf>>>);

/// What came of a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// These files, or none of them.
    Files(Vec<OsString>),
    /// The desktop has no dialog.
    NoDialog,
}

impl Dialog {
    /// Opens the dialog over a window, in the folder of a file. Waits a moment for a desktop that has none.
    pub fn open(window: &Window, file: &OsStr) -> Result<Self, Chosen> {
        let mut dialog = rfd::FileDialog::new()
            .set_title("Open models")
            .add_filter("Models", &both_cases())
            .add_filter("All files", &["*"])
            .set_parent(window);
        // Portals refuse names that are not absolute.
        let folder = std::path::absolute(file).ok();
        if let Some(folder) = folder.as_deref().and_then(Path::parent).filter(|folder| folder.is_dir()) {
            dialog = dialog.set_directory(folder);
        }
        let (send, receive) = channel();
        // The desktop's dialog outlives a window that closes; nobody waits for this thread.
        if threads::spawn(move || send.send(dialog.pick_files())).is_err() {
            return Err(Chosen::NoDialog);
        }
        match receive.recv_timeout(AT_ONCE) {
            Ok(answer) => Err(chosen(answer)),
            Err(RecvTimeoutError::Timeout) => Ok(Self(receive)),
            Err(RecvTimeoutError::Disconnected) => Err(Chosen::NoDialog),
        }
    }

    /// What came of it, once it is closed.
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

/// Desktops tell capital letters apart.
fn both_cases() -> Vec<String> {
    ENDINGS.iter().flat_map(|ending| [(*ending).to_owned(), ending.to_uppercase()]).collect()
}
