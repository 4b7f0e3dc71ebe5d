//! Reads a model's file on a separate thread, while the window stays responsive. This module must not use the model.

use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::model::Watch;
use crate::output::Inputs;
use crate::threads::Task;

use crate::cli::args::LoadArgs;
use crate::cli::subject::open::{self, Read};
use crate::cli::window::watch::Look;

/// A read that is under way.
pub struct Errand {
    /// The file.
    pub file: OsString,
    /// The options of the read.
    pub load: LoadArgs,
    /// The states of the files before.
    pub look: Look,
    /// True if the current file is read again.
    pub is_again: bool,
    /// The progress of the read, in thousandths.
    share: Arc<AtomicU32>,
    is_wanted: Arc<AtomicBool>,
    thread: Task<Result<Read, String>>,
}

impl Errand {
    /// Begins to read a file, which `inputs` note.
    pub fn begin(file: &OsStr, load: &LoadArgs, look: Look, mut inputs: Inputs) -> Self {
        let (share, is_wanted) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(true)));
        let (told, wanted) = (Arc::clone(&share), Arc::clone(&is_wanted));
        let watch = Watch::new(move |share| {
            told.store((share * 1000.0) as u32, Ordering::Relaxed);
            wanted.load(Ordering::Relaxed)
        });
        let (of, how) = (file.to_owned(), LoadArgs { watch, ..load.clone() });
        let thread = Task::begin(move || {
            open::read_to_keep(&of, &how, &mut inputs).map_err(|failure| failure.to_string())
        });
        Self { file: file.to_owned(), load: load.clone(), look, is_again: false, share, is_wanted, thread }
    }

    /// Returns the progress of the read, from 0 to 1.
    pub fn share(&self) -> f64 {
        f64::from(self.share.load(Ordering::Relaxed)) / 1000.0
    }

    /// Returns true if the read has ended.
    pub fn is_done(&self) -> bool {
        self.thread.is_done()
    }

    /// Returns the result of the read.
    pub fn end(self) -> Result<Read, String> {
        let failed = || Err(format!("{}: reading it failed", open::shown(&self.file)));
        self.thread.result().unwrap_or_else(|_| failed())
    }

    /// Cancels the read. It stops at its next check, and no thread waits for it.
    pub fn give_up(self) {
        self.is_wanted.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::window::watch;
    use std::time::{Duration, Instant};

    fn begin(file: &OsStr, inputs: Inputs) -> Errand {
        Errand::begin(file, &LoadArgs::default(), watch::Watch::default().look(), inputs)
    }

    fn wait(errand: &Errand) {
        let start = Instant::now();
        while !errand.is_done() {
            assert!(start.elapsed() < Duration::from_secs(60), "it never ends");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_file_is_read_beside_and_its_errors_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("strip.glb");
        std::fs::write(&file, crate::model::builtin::glb("strip").unwrap()).unwrap();
        let session = Inputs::none().stay_open();
        let errand = begin(file.as_os_str(), session.inputs());
        wait(&errand);
        assert_eq!(errand.end().unwrap().model.skins.len(), 1);
        // What was read on the thread is not written over.
        assert!(session.closed().output(&file).is_err());
        std::fs::write(&file, "no model").unwrap();
        let errand = begin(file.as_os_str(), session.inputs());
        wait(&errand);
        let error = errand.end().err().unwrap();
        assert!(error.contains("strip.glb: "), "{error}");
    }

    #[test]
    fn what_nobody_wants_ends_early() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tube.glb");
        std::fs::write(&file, crate::model::builtin::glb("tube-512").unwrap()).unwrap();
        let errand = begin(file.as_os_str(), Inputs::none());
        errand.is_wanted.store(false, Ordering::Relaxed);
        wait(&errand);
        // It may have been done before it looked.
        assert!(errand.end().err().is_none_or(|error| error.contains("stopped")));
    }
}
