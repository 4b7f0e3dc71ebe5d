//! Produces thumbnails of files on a separate thread, those on the screen first.

use std::collections::{HashMap, VecDeque};
use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use sinew_image::Image;
use sinew_system::threads;

/// Largest number of thumbnails that are kept while off the screen: 32 MB.
const MAX_KNOWN: usize = 512;

/// A thumbnail of a file, or the reason for its absence.
pub type Thumbnail = Result<Arc<Image>, NoThumbnail>;

/// The reason why a file has no thumbnail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoThumbnail {
    /// True if the file cannot be opened. Otherwise only its thumbnail is missing.
    pub is_broken: bool,
    /// The cause in one line.
    pub why: String,
}

/// Produces thumbnails.
pub trait MakeThumbnails: Send {
    /// Produces the thumbnail of a file within a time limit; ends early once it is no longer needed.
    fn make(&mut self, file: &OsStr, is_wanted: &AtomicBool) -> Thumbnail;
    /// Notes that there is nothing more to do for now.
    fn rest(&mut self);
}

/// The finished thumbnails, and the thread that produces the others.
pub struct Thumbnails {
    known: HashMap<OsString, Thumbnail>,
    /// Files requested last that are not finished.
    asked: Vec<OsString>,
    /// Ends the thread when dropped.
    requests: Option<Sender<Vec<OsString>>>,
    made: Receiver<(OsString, Thumbnail)>,
    is_wanted: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Thumbnails {
    /// Starts the thread.
    pub fn new(maker: Box<dyn MakeThumbnails>) -> Self {
        let (requests, asked) = channel();
        let (answers, made) = channel();
        let is_wanted = Arc::new(AtomicBool::new(true));
        let wanted = Arc::clone(&is_wanted);
        // Without the thread, there are no thumbnails.
        let thread = threads::spawn(move || work(maker, &asked, &answers, &wanted)).ok();
        Self { known: HashMap::new(), asked: Vec::new(), requests: Some(requests), made, is_wanted, thread }
    }

    /// Requests the thumbnails of these files, the most urgent first, and of no others.
    pub fn want(&mut self, files: &[OsString]) {
        if self.known.len() > MAX_KNOWN {
            self.known.retain(|file, _| files.contains(file));
        }
        let missing: Vec<OsString> =
            files.iter().filter(|file| !self.known.contains_key(*file)).cloned().collect();
        if missing != self.asked {
            // After the thread has ended, there are no thumbnails.
            if let Some(requests) = &self.requests {
                let _ = requests.send(missing.clone());
            }
            self.asked = missing;
        }
    }

    /// Returns the thumbnail of a file, if it is finished.
    pub fn get(&self, file: &OsStr) -> Option<&Thumbnail> {
        self.known.get(file)
    }

    /// Discards the thumbnail of a file that has changed.
    pub fn forget(&mut self, file: &OsStr) {
        self.known.remove(file);
    }

    /// Takes the finished thumbnails. Returns true if anything changed.
    pub fn take(&mut self) -> bool {
        let before = self.asked.len();
        let mut has_any = false;
        while let Ok((file, thumbnail)) = self.made.try_recv() {
            self.asked.retain(|asked| *asked != file);
            self.known.insert(file, thumbnail);
            has_any = true;
        }
        // A thread that has ended produces no more.
        if self.thread.as_ref().is_some_and(JoinHandle::is_finished) {
            self.asked.clear();
        }
        has_any || self.asked.len() != before
    }

    /// Returns true if some thumbnails are unfinished.
    pub fn is_busy(&self) -> bool {
        !self.asked.is_empty()
    }
}

impl Drop for Thumbnails {
    /// Waits for the thread, which ends at once: its work must not outlive the window.
    fn drop(&mut self) {
        self.is_wanted.store(false, Ordering::Relaxed);
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(
    mut maker: Box<dyn MakeThumbnails>,
    asked: &Receiver<Vec<OsString>>,
    answers: &Sender<(OsString, Thumbnail)>,
    is_wanted: &AtomicBool,
) {
    let mut todo = VecDeque::new();
    while is_wanted.load(Ordering::Relaxed) {
        if todo.is_empty() {
            maker.rest();
            match asked.recv() {
                Ok(files) => todo = files.into(),
                Err(_) => return,
            }
        }
        while let Ok(files) = asked.try_recv() {
            todo = files.into();
        }
        let Some(file) = todo.pop_front() else { continue };
        let thumbnail = maker.make(&file, is_wanted);
        if answers.send((file, thumbnail)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// Produces a thumbnail for each message.
    struct Slow(Receiver<()>);

    impl MakeThumbnails for Slow {
        fn make(&mut self, file: &OsStr, is_wanted: &AtomicBool) -> Thumbnail {
            while is_wanted.load(Ordering::Relaxed) {
                if self.0.recv_timeout(Duration::from_millis(1)).is_ok() {
                    let image = Image { width: 1, height: 1, rgba: vec![file.len() as u8; 4] };
                    return Ok(Arc::new(image));
                }
            }
            Err(NoThumbnail { is_broken: false, why: "no caller waits".to_owned() })
        }

        fn rest(&mut self) {}
    }

    fn wait(thumbnails: &mut Thumbnails) {
        let start = Instant::now();
        while !thumbnails.take() {
            assert!(start.elapsed() < Duration::from_secs(60), "it never comes");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn what_is_wanted_last_is_made_first() {
        let (go, when) = channel();
        let mut thumbnails = Thumbnails::new(Box::new(Slow(when)));
        let files = ["a", "bb", "ccc"].map(OsString::from);
        thumbnails.want(&files[..2]);
        assert!(thumbnails.is_busy());
        std::thread::sleep(Duration::from_millis(20));
        // The first is under way; the list has changed since.
        thumbnails.want(&files[2..]);
        go.send(()).unwrap();
        go.send(()).unwrap();
        while thumbnails.is_busy() {
            wait(&mut thumbnails);
        }
        assert!(thumbnails.get(&files[0]).is_some() && thumbnails.get(&files[1]).is_none());
        assert_eq!(thumbnails.get(&files[2]).unwrap().as_ref().unwrap().rgba, [3; 4]);
        // Finished thumbnails are not produced again, unless the file has changed.
        thumbnails.want(&files[2..]);
        assert!(!thumbnails.is_busy());
        thumbnails.forget(&files[2]);
        thumbnails.want(&files[2..]);
        assert!(thumbnails.is_busy());
    }

    #[test]
    fn a_window_that_closes_waits_for_no_picture() {
        let (_go, when) = channel();
        let mut thumbnails = Thumbnails::new(Box::new(Slow(when)));
        thumbnails.want(&["a".into()]);
        let start = Instant::now();
        drop(thumbnails);
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
