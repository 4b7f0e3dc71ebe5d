//! Watches which files on disk changed since they were read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The state in which each file was last read; `None` for a missing file.
#[derive(Debug, Default)]
pub struct Watch(BTreeMap<PathBuf, Option<Stamp>>);

/// The state of a file: modification time, length and inode number, which differs when another file takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: SystemTime,
    bytes: u64,
    number: u64,
}

/// The states of files before they are read.
pub struct Look {
    files: BTreeMap<PathBuf, Option<Stamp>>,
    at: SystemTime,
}

impl Watch {
    /// Returns true if a file exists in another state than it was read in. A file that has vanished does not count: some
    /// programs delete the old file before writing a new one.
    pub fn has_changed(&self) -> bool {
        self.0.iter().any(|(path, read)| stamp(path).is_some_and(|now| Some(now) != *read))
    }

    /// The current states of the files, to be taken before reading them.
    pub fn look(&self) -> Look {
        let at = SystemTime::now();
        Look { files: self.0.keys().map(|path| (path.clone(), stamp(path))).collect(), at }
    }

    /// Watches only these files, read after `look`.
    pub fn follow(&mut self, look: &Look, files: impl IntoIterator<Item = PathBuf>) {
        self.0.clear();
        self.add(look, files);
    }

    /// Watches these files too, and marks all others as read after `look`.
    pub fn add(&mut self, look: &Look, files: impl IntoIterator<Item = PathBuf>) {
        for (path, read) in &mut self.0 {
            *read = look.files.get(path).copied().unwrap_or(*read);
        }
        for path in files {
            // A file written since the look may have changed after it was read, so it is read once more.
            let read = match look.files.get(&path) {
                Some(read) => *read,
                None => stamp(&path).filter(|stamp| stamp.modified < look.at),
            };
            self.0.insert(path, read);
        }
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some(Stamp { modified: metadata.modified().ok()?, bytes: metadata.len(), number: number(&metadata) })
}

#[cfg(unix)]
fn number(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn number(_: &std::fs::Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::time::Duration;

    fn write(path: &Path, text: &str, seconds_ago: u64) {
        fs::write(path, text).unwrap();
        let when = SystemTime::now() - Duration::from_secs(seconds_ago);
        fs::File::options().write(true).open(path).unwrap().set_modified(when).unwrap();
    }

    #[test]
    fn files_are_seen_to_change_come_and_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [model, texture, other] = ["m.gltf", "t.png", "o"].map(|name| folder.path().join(name));
        write(&model, "model", 100);
        let mut watch = Watch::default();
        watch.follow(&watch.look(), [model.clone(), texture.clone()]);
        assert!(!watch.has_changed());
        // The file was missing until now.
        write(&texture, "half", 90);
        assert!(watch.has_changed());
        watch.add(&watch.look(), []);
        assert!(!watch.has_changed());
        write(&texture, "all of it", 80);
        assert!(watch.has_changed());
        // The file was read in its new state and then vanished.
        watch.follow(&watch.look(), [model.clone(), texture.clone()]);
        fs::remove_file(&texture).unwrap();
        assert!(!watch.has_changed());
        // Another file with the same time and length.
        write(&other, "Model", 0);
        let when = fs::metadata(&model).unwrap().modified().unwrap();
        fs::File::options().write(true).open(&other).unwrap().set_modified(when).unwrap();
        fs::rename(&other, &model).unwrap();
        assert_eq!(watch.has_changed(), cfg!(unix));
    }

    #[test]
    fn what_is_written_while_it_is_read_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("m.bin");
        let mut watch = Watch::default();
        let look = watch.look();
        write(&file, "new", 0);
        watch.follow(&look, [file.clone()]);
        assert!(watch.has_changed());
        watch.follow(&watch.look(), [file]);
        assert!(!watch.has_changed());
    }
}
