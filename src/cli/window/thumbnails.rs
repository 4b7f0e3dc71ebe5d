//! Makes the thumbnails of the window's list: from the user's cache, or in another process of this program. A file that
//! is broken, endless or too large for the driver thus does no harm to the window.

#![allow(clippy::disallowed_methods, reason = "reads and removes only the program's own files")]

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::image::read_png;
use crate::threads;
use crate::viewer::{MakeThumbnails, NoThumbnail, Thumbnail};

use crate::cli::machine::kept;
use crate::cli::machine::vulkan::cache_folder;
use crate::cli::subject::open;
use crate::cli::window::state;

/// Width and height of a picture.
const SIDE: u32 = 128;

/// Larger files are not drawn unasked.
const MAX_BYTES: u64 = 256 << 20;

/// Timeout for a thumbnail.
const THUMBNAIL_TIMEOUT: Duration = Duration::from_secs(40);

/// Poll interval for cancelled thumbnails.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The maximum number of pictures that are kept, and the most bytes of all together.
const MAX_KEPT: [u64; 2] = [4096, 64 << 20];

/// No picture of this size has more bytes.
const MAX_OF_ONE: u64 = 1 << 20;

/// The version of the drawing. Pictures of another version are not reused.
const VERSION: &str = concat!("sinew ", env!("CARGO_PKG_VERSION"), " thumbnails 1");

/// Returns the maker of thumbnails for a window.
pub fn maker() -> Box<dyn MakeThumbnails> {
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("sinew"));
    let folder = cache_folder().map(|folder| folder.join("thumbnails"));
    Box::new(Maker { folder, program, patience: THUMBNAIL_TIMEOUT, drawer: None, has_new: false })
}

struct Maker {
    /// The folder that keeps pictures; without one, there are none.
    folder: Option<PathBuf>,
    program: PathBuf,
    patience: Duration,
    drawer: Option<Drawer>,
    /// True if pictures were added since the folder was last tidied.
    has_new: bool,
}

impl MakeThumbnails for Maker {
    fn make(&mut self, file: &OsStr, is_wanted: &AtomicBool) -> Thumbnail {
        let folder = self.folder.as_ref().ok_or_else(|| missing("there is no folder for caches"))?;
        let path = folder.join(format!("{}.png", key(file)?));
        if let Some(kept) = kept(&path) {
            return Ok(kept);
        }
        let made = std::fs::create_dir_all(folder).and_then(|()| clear(&path));
        made.map_err(|error| missing(format!("{}: {error}", folder.display())))?;
        self.draw(file, &path, is_wanted)?;
        self.has_new = true;
        kept(&path).ok_or_else(|| missing("its picture was not written"))
    }

    fn rest(&mut self) {
        self.drawer = None;
        if let Some(folder) = self.folder.as_deref().filter(|_| std::mem::take(&mut self.has_new)) {
            kept::tidy(folder, is_ours, MAX_KEPT, None);
        }
    }
}

impl Maker {
    /// Has the other process draw a file.
    fn draw(&mut self, file: &OsStr, path: &Path, is_wanted: &AtomicBool) -> Result<(), NoThumbnail> {
        let name = state::name(file);
        let (Some(file), Some(path)) = (name.to_str(), path.to_str()) else {
            return Err(missing("its name is not UTF-8"));
        };
        let mut drawer = match self.drawer.take() {
            Some(drawer) => drawer,
            None => Drawer::start(&self.program).map_err(|error| missing(error.to_string()))?,
        };
        let until = Instant::now() + self.patience;
        let look = json!({ "size": format!("{SIDE}x{SIDE}"), "quality": "draft", "msaa": 4 });
        for (command, is_file) in [
            (json!({ "load": file }), true),
            (json!({ "set": look }), false),
            (json!({ "screenshot": path }), false),
        ] {
            match drawer.ask(&command, until, is_wanted) {
                Ok(Ok(())) => {}
                Ok(Err(why)) => {
                    // It is ready for the next one.
                    self.drawer = Some(drawer);
                    return Err(NoThumbnail { is_broken: is_file, why });
                }
                Err(why) => return Err(missing(why)),
            }
        }
        self.drawer = Some(drawer);
        Ok(())
    }
}

/// Another process of this program that draws; it ends with its owner.
struct Drawer {
    process: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Drawer {
    fn start(program: &Path) -> io::Result<Self> {
        let mut process = Command::new(program)
            .arg("serve")
            // The window needs the other cores.
            .envs([("LP_NUM_THREADS", "1"), ("RAYON_NUM_THREADS", "1")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(io::Error::other("a process without pipes"));
        };
        let (send, answers) = channel();
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let reader = threads::spawn(move || lines.try_for_each(|line| send.send(line)));
        if let Err(error) = reader {
            let _ = process.kill().and_then(|()| process.wait());
            return Err(error);
        }
        Ok(Self { process, input, answers })
    }

    /// Sends a command, and returns the answer. Without one, the process must be replaced.
    fn ask(
        &mut self,
        command: &Value,
        until: Instant,
        is_wanted: &AtomicBool,
    ) -> Result<Result<(), String>, String> {
        let ended = || "it crashed the process that draws".to_owned();
        writeln!(self.input, "{command}").and_then(|()| self.input.flush()).map_err(|_| ended())?;
        let line = loop {
            match self.answers.recv_timeout(POLL_INTERVAL) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
                Err(RecvTimeoutError::Timeout) if !is_wanted.load(Ordering::Relaxed) => {
                    return Err("cancelled".to_owned());
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= until => {
                    return Err("drawing it timed out".to_owned());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let answer: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        Ok(match answer.get("error") {
            Some(error) => Err(error.as_str().unwrap_or("it cannot be drawn").to_owned()),
            None => Ok(()),
        })
    }
}

impl Drop for Drawer {
    fn drop(&mut self) {
        // No caller waits for it any more. If it has already ended, the errors do not matter.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn missing(why: impl Into<String>) -> NoThumbnail {
    NoThumbnail { is_broken: false, why: why.into() }
}

/// The name of a file's picture: another one when the file changes.
fn key(file: &OsStr) -> Result<String, NoThumbnail> {
    let mut digest = Sha256::new_with_prefix(VERSION);
    digest.update(state::name(file).as_encoded_bytes());
    if !open::is_builtin(file) {
        let broken = |why: String| NoThumbnail { is_broken: true, why };
        let found = std::fs::metadata(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => broken("no such file".to_owned()),
            _ => broken(error.to_string()),
        })?;
        if !found.is_file() {
            return Err(broken("not a regular file".to_owned()));
        }
        if found.len() > MAX_BYTES {
            return Err(missing(format!("it is larger than {} MiB", MAX_BYTES >> 20)));
        }
        let time = found.modified().ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        digest.update(b"\0");
        digest.update(found.len().to_le_bytes());
        digest.update(time.unwrap_or_default().as_nanos().to_le_bytes());
    }
    Ok(digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}

/// Returns a picture from the cache, if it exists and is intact.
fn kept(path: &Path) -> Option<Arc<crate::image::Image>> {
    let found = std::fs::symlink_metadata(path).ok()?;
    let is_likely = found.is_file() && found.len() <= MAX_OF_ONE;
    let image = is_likely.then(|| read_png(path).ok()).flatten()?;
    ([image.width, image.height] == [SIDE; 2]).then(|| Arc::new(image))
}

/// Makes room for a picture: nothing is written through a link or into a pipe.
fn clear(path: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Ok(_) => std::fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Returns true if this program wrote a file of the folder: a picture, or the remains of one from a process that was ended.
fn is_ours(path: &Path) -> bool {
    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    let is_key = stem.len() == 32 && stem.bytes().all(|letter| letter.is_ascii_hexdigit());
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    is_key && ending == "png" || stem.starts_with(".sinew-") && ending == "tmp"
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A program that answers each line in this way.
    fn program(folder: &Path, answer: &str) -> PathBuf {
        let path = folder.join("drawer");
        std::fs::write(&path, format!("#!/bin/sh\nwhile read -r line; do {answer}; done\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
        path
    }

    fn maker(folder: &Path, answer: &str) -> Maker {
        Maker {
            folder: Some(folder.join("new/thumbnails")),
            program: program(folder, answer),
            patience: Duration::from_millis(300),
            drawer: None,
            has_new: false,
        }
    }

    fn write(path: &Path, side: u32) {
        let image =
            crate::image::Image { width: side, height: side, rgba: vec![7; (side * side * 4) as usize] };
        crate::image::write_png(&image, std::fs::File::create(path).unwrap()).unwrap();
    }

    fn make(maker: &mut Maker, file: &Path) -> Thumbnail {
        maker.make(file.as_os_str(), &AtomicBool::new(true))
    }

    fn why(thumbnail: Thumbnail) -> (bool, String) {
        let none = thumbnail.unwrap_err();
        (none.is_broken, none.why)
    }

    #[test]
    fn what_is_kept_is_taken_until_the_file_changes() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("m.glb");
        std::fs::write(&model, "model").unwrap();
        // The drawing process copies a picture to the given path.
        write(&folder.path().join("p.png"), SIDE);
        let copy = format!(
            "case $line in *screenshot*) path=${{line#*:\\\"}}; cp {0}/p.png \"${{path%\\\"*}}\"; echo x >>{0}/drawn;; esac; \
             echo '{{\"ok\": 1}}'",
            folder.path().display()
        );
        let mut maker = maker(folder.path(), &copy);
        let drawn = || std::fs::read_to_string(folder.path().join("drawn")).unwrap_or_default().len() / 2;
        for count in [1, 1] {
            assert_eq!(make(&mut maker, &model).unwrap().rgba[0], 7);
            assert_eq!(drawn(), count);
        }
        std::fs::write(&model, "longer").unwrap();
        assert!(make(&mut maker, &model).is_ok() && drawn() == 2);
        // Whatever is in its place is no picture: it is drawn again, and nothing is written elsewhere.
        let place = maker.folder.clone().unwrap().join(format!("{}.png", key(model.as_os_str()).unwrap()));
        let other = folder.path().join("other");
        std::fs::write(&other, "other").unwrap();
        for (number, put) in [
            &(|| std::fs::write(&place, "no picture").unwrap()) as &dyn Fn(),
            &|| write(&place, SIDE / 2),
            &|| {
                std::fs::remove_file(&place).unwrap();
                std::os::unix::fs::symlink(&other, &place).unwrap();
            },
            &|| {
                std::fs::remove_file(&place).unwrap();
                assert!(Command::new("mkfifo").arg(&place).status().unwrap().success());
            },
        ]
        .into_iter()
        .enumerate()
        {
            put();
            assert!(make(&mut maker, &model).is_ok(), "{number}");
            assert_eq!(drawn(), number + 3);
        }
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "other");
    }

    #[test]
    fn what_cannot_be_drawn_says_why_and_holds_nobody_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("m.glb"), "model").unwrap();
        assert!(Command::new("mkfifo").arg(path("pipe.glb")).status().unwrap().success());
        std::fs::File::create(path("large.glb")).unwrap().set_len(MAX_BYTES + 1).unwrap();
        for (answer, expected) in [
            ("echo '{\"error\": \"m.glb: broken\", \"exit\": 1}'", (true, "m.glb: broken")),
            ("exec sleep 60", (false, "drawing it timed out")),
            ("exit", (false, "it crashed the process that draws")),
            ("echo '{\"ok\": 1}'", (false, "its picture was not written")),
        ] {
            let found = why(make(&mut maker(folder.path(), answer), &path("m.glb")));
            assert_eq!((found.0, found.1.as_str()), expected);
        }
        let mut maker = maker(folder.path(), "exit");
        assert_eq!(why(make(&mut maker, &path("pipe.glb"))), (true, "not a regular file".to_owned()));
        assert_eq!(why(make(&mut maker, &path("none.glb"))), (true, "no such file".to_owned()));
        assert!(!why(make(&mut maker, &path("large.glb"))).0);
        assert!(maker.drawer.is_none(), "none of them was handed on");
        // Nor does a cancelled one.
        let mut maker =
            Maker { patience: THUMBNAIL_TIMEOUT, program: program(folder.path(), "exec sleep 60"), ..maker };
        let start = Instant::now();
        let none = maker.make(path("m.glb").as_os_str(), &AtomicBool::new(false)).unwrap_err();
        assert!(none.why.contains("cancelled") && start.elapsed() < THUMBNAIL_TIMEOUT / 2);
    }

    #[test]
    fn the_folder_has_a_limit() {
        let folder = tempfile::tempdir().unwrap();
        let name = |number: usize| folder.path().join(format!("{number:032x}.png"));
        let count = 6;
        for number in 0..count {
            let file = std::fs::File::create(name(number)).unwrap();
            file.set_len(MAX_KEPT[1] / 4).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1000 + number as u64)).unwrap();
        }
        std::fs::write(folder.path().join("mine.png"), "").unwrap();
        kept::tidy(folder.path(), is_ours, MAX_KEPT, None);
        let is_there: Vec<bool> = (0..count).map(|number| name(number).exists()).collect();
        assert_eq!(is_there, [false, false, true, true, true, true]);
        assert!(folder.path().join("mine.png").exists());
    }
}
