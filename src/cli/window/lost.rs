//! Keeps an edited pose or edited weights in the user's folder while they are in no file, so that a window that ends early
//! loses nothing. Errors only mean that they are not kept.

#![allow(clippy::disallowed_methods, reason = "reads only the program's own files")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::model::{Model, gltf};
use crate::output::{Closed, Output};
use crate::pose_file;
use crate::skinning::pose::ClipMix;

use crate::cli::machine::vulkan::user_folder;
use crate::cli::window::state;

/// The maximum number of files of one model that windows with one process id may leave.
const MAX_OF_ONE_ID: usize = 1000;

/// The paths of autosaved files, for an exit at which the window no longer exists.
static KEPT: Mutex<BTreeMap<What, PathBuf>> = Mutex::new(BTreeMap::new());

/// Returns what is autosaved and where; `None` if nothing is.
pub fn kept() -> Option<String> {
    let kept = KEPT.try_lock().ok()?;
    let words = kept.iter().map(|(what, path)| format!("{} as {}", what.words(), path.display()));
    Some(words.collect::<Vec<_>>().join("; ")).filter(|words| !words.is_empty())
}

/// The kind of edits in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A pose file.
    Pose,
    /// A recipe of weights.
    Weights,
}

impl What {
    fn words(self) -> &'static str {
        match self {
            Self::Pose => "the edited pose is kept",
            Self::Weights => "the edits of weights are kept",
        }
    }

    /// The start of file names.
    fn mark(self) -> &'static str {
        match self {
            Self::Pose => "",
            Self::Weights => "weights-",
        }
    }
}

/// Writes edits to a file.
pub type Save<'a> = &'a dyn Fn(&Output) -> io::Result<()>;

/// The edits of one kind that this window keeps, and those that others left.
pub struct Lost {
    what: What,
    folder: Option<PathBuf>,
    /// The stem of the names of the model's files.
    stem: String,
    /// The file that this window writes.
    own: Option<Own>,
    /// The file that another window left of this model.
    found: Option<PathBuf>,
}

struct Own {
    path: PathBuf,
    /// The file beside it, which is locked as long as the window is open.
    _lock: File,
    /// True if the file holds the latest edits.
    is_current: bool,
}

impl Own {
    /// Reserves an unused name. Systems reuse process ids, in a container soon.
    fn claim(folder: &Path, stem: &str) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let id = std::process::id();
        for number in 0..MAX_OF_ONE_ID {
            let path = folder.join(format!("{stem}-{id}-{number}.json"));
            let lock = match OpenOptions::new().write(true).create_new(true).open(lock_of(&path)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                lock => lock?,
            };
            if path.try_exists()? {
                let _ = std::fs::remove_file(lock_of(&path));
                continue;
            }
            lock.try_lock()?;
            return Ok(Self { path, _lock: lock, is_current: false });
        }
        Err(io::Error::other(format!(
            "{}: {MAX_OF_ONE_ID} unsaved edits of this model exist; remove those that you do not need",
            folder.display()
        )))
    }
}

impl Lost {
    /// Of a model's file.
    pub fn of(file: &OsStr, what: What) -> Self {
        let folder = user_folder("XDG_STATE_HOME", ".local/state").map(|folder| folder.join("unsaved"));
        Self::within(folder, file, what)
    }

    fn within(folder: Option<PathBuf>, file: &OsStr, what: What) -> Self {
        let digest = gltf::sha256(state::name(file).as_encoded_bytes());
        let stem = what.mark().chars().chain(digest.chars().take(16)).collect();
        Self { what, folder, stem, own: None, found: None }
    }

    /// The newest edits of this model that a closed window left, and that `read` reads.
    pub fn find<T>(&mut self, read: impl Fn(&Path) -> Option<T>) -> Option<T> {
        let files = std::fs::read_dir(self.folder.as_ref()?).ok()?.flatten().map(|entry| entry.path());
        let is_left = |path: &PathBuf| {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            name.starts_with(&self.stem) && name.ends_with(".json") && path.is_file() && is_free(path)
        };
        let age = |path: &PathBuf| std::fs::metadata(path).and_then(|found| found.modified()).ok();
        let mut files: Vec<(Option<SystemTime>, PathBuf)> =
            files.filter(is_left).map(|path| (age(&path), path)).collect();
        files.sort();
        // One that names what the model lacks stays where it is.
        let mut files = files.into_iter().rev();
        let (path, edits) = files.find_map(|(_, path)| read(&path).map(|edits| (path, edits)))?;
        self.found = Some(path);
        Some(edits)
    }

    /// Removes the found edits.
    pub fn forget(&mut self) {
        if let Some(path) = self.found.take() {
            remove(&path);
        }
    }

    /// Keeps edits, which `save` writes, in place of the earlier ones; `None` keeps none. If they cannot be written, the earlier
    /// ones stay.
    pub fn keep(&mut self, save: Option<Save<'_>>, inputs: &Closed) -> io::Result<()> {
        let kept = match save {
            Some(save) => self.write(save, inputs),
            None => {
                if let Some(own) = self.own.take() {
                    remove(&own.path);
                }
                Ok(())
            }
        };
        self.note();
        kept
    }

    /// Returns the path of the autosaved edits, if there are any.
    pub fn kept(&self) -> Option<&Path> {
        self.own.as_ref().filter(|own| own.is_current).map(|own| own.path.as_path())
    }

    /// Updates the path that [`kept`] returns.
    fn note(&self) {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        match self.kept() {
            Some(path) => drop(kept.insert(self.what, path.to_owned())),
            None => drop(kept.remove(&self.what)),
        }
    }

    fn write(&mut self, save: Save<'_>, inputs: &Closed) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut own = match self.own.take() {
            Some(own) => own,
            None => Own::claim(folder, &self.stem)?,
        };
        let saved = inputs.output(&own.path).map_err(io::Error::other);
        let saved = saved.and_then(|output| save(&output));
        own.is_current = saved.is_ok();
        if own.is_current || own.path.exists() {
            self.own = Some(own);
        } else {
            remove(&own.path);
        }
        saved
    }
}

/// Reads an autosaved pose.
pub fn pose(path: &Path, model: &Model) -> Option<ClipMix> {
    pose_file::load(path, model).ok()
}

/// Returns the lock file that a window holds as long as it is open.
fn lock_of(path: &Path) -> PathBuf {
    path.with_extension("lock")
}

/// Returns true if no window holds the lock of a file.
fn is_free(path: &Path) -> bool {
    match File::open(lock_of(path)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

fn remove(path: &Path) {
    for path in [path.to_owned(), lock_of(path)] {
        if let Err(error) = std::fs::remove_file(&path) {
            tracing::debug!("{}: {error}", path.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::builtin;
    use crate::output::Inputs;
    use crate::skinning::pose::rotation_from_degrees;

    /// A model with its file's name, an edited pose of it, and no inputs.
    fn edited() -> (Model, &'static OsStr, ClipMix, Closed) {
        let model = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
        let mut mix = ClipMix::default();
        mix.edits.set_rotation(&model, model.skins[0].joints[1], rotation_from_degrees([0.0, 30.0, 0.0]));
        (model, OsStr::new("/m/bend.glb"), mix, Inputs::none().close())
    }

    #[test]
    fn what_a_window_left_is_found_by_the_next_and_not_while_it_lives() {
        let folder = tempfile::tempdir().unwrap();
        let folder = || Some(folder.path().join("unsaved"));
        let (model, file, mix, inputs) = edited();
        let mut first = Lost::within(folder(), file, What::Pose);
        assert!(first.find(|path| pose(path, &model)).is_none() && first.kept().is_none());
        first.keep(Some(&|to: &Output| pose_file::save(to, &mix, &model)), &inputs).unwrap();
        assert!(first.kept().is_some_and(Path::is_file));
        assert!(
            Lost::within(folder(), file, What::Pose).find(|path| pose(path, &model)).is_none(),
            "it lives"
        );
        // It ends without a word.
        drop(first);
        assert!(
            Lost::within(folder(), OsStr::new("/m/other.glb"), What::Pose)
                .find(|path| pose(path, &model))
                .is_none()
        );
        let mut second = Lost::within(folder(), file, What::Pose);
        assert_eq!(second.find(|path| pose(path, &model)), Some(mix.clone()));
        second.forget();
        assert!(Lost::within(folder(), file, What::Pose).find(|path| pose(path, &model)).is_none());
        // After a save, no pose is left.
        let mut third = Lost::within(folder(), file, What::Pose);
        third.keep(Some(&|to: &Output| pose_file::save(to, &mix, &model)), &inputs).unwrap();
        third.keep(None, &inputs).unwrap();
        assert_eq!(std::fs::read_dir(folder().unwrap()).unwrap().count(), 0);
    }

    /// A window that restores the pose of one with the same process id keeps it when it discards the other's.
    #[test]
    fn what_is_taken_back_is_kept_under_a_name_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let folder = || Some(folder.path().to_owned());
        let (model, file, mix, inputs) = edited();
        let mut first = Lost::within(folder(), file, What::Pose);
        first.keep(Some(&|to: &Output| pose_file::save(to, &mix, &model)), &inputs).unwrap();
        drop(first);
        let mut second = Lost::within(folder(), file, What::Pose);
        assert_eq!(second.find(|path| pose(path, &model)), Some(mix.clone()));
        second.keep(Some(&|to: &Output| pose_file::save(to, &mix, &model)), &inputs).unwrap();
        second.forget();
        assert!(second.kept().is_some_and(Path::is_file));
        drop(second);
        assert_eq!(Lost::within(folder(), file, What::Pose).find(|path| pose(path, &model)), Some(mix));
    }

    /// A pose that could not be written is not reported as kept. The earlier one stays.
    #[test]
    fn a_pose_that_cannot_be_written_is_not_said_to_be_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (model, file, mix, inputs) = edited();
        let in_the_way = folder.path().join("file");
        std::fs::write(&in_the_way, "").unwrap();
        let mut nowhere = Lost::within(Some(in_the_way), file, What::Pose);
        assert!(
            nowhere.keep(Some(&|to: &Output| pose_file::save(to, &mix, &model)), &inputs).is_err()
                && nowhere.kept().is_none()
        );

        let mut lost = Lost::within(Some(folder.path().to_owned()), file, What::Pose);
        lost.keep(Some(&|to: &Output| pose_file::save(to, &mix, &model)), &inputs).unwrap();
        let path = lost.kept().unwrap().to_owned();
        let kept = std::fs::read(&path).unwrap();
        // Nothing can be put in the place of a folder that has something in it.
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir_all(path.join("something")).unwrap();
        assert!(
            lost.keep(Some(&|to: &Output| pose_file::save(to, &mix, &model)), &inputs).is_err()
                && lost.kept().is_none()
        );
        std::fs::remove_dir_all(&path).unwrap();
        lost.keep(Some(&|to: &Output| pose_file::save(to, &mix, &model)), &inputs).unwrap();
        assert_eq!((lost.kept(), std::fs::read(&path).unwrap()), (Some(path.as_path()), kept));
    }
}
