//! Records a run's input files, and creates an [`Output`] only for other files. A run reads with [`Inputs`] and writes
//! with [`Closed`]. Closing consumes the first, so no file can be read unnoticed after an output was chosen.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::folder::Folder;

/// Maximum length of a path to resolve; no system has longer ones.
const MAX_PATH_BYTES: usize = 4096;

/// The role of a file in the run that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The model's own file.
    Model,
    /// A file with the model's binary data.
    Buffer,
    /// An image file that the model names.
    Texture,
    /// A file to take clips from.
    Clips,
    /// The joint map.
    JointMap,
    /// An edited pose.
    Pose,
    /// A recipe of edits.
    Recipe,
    /// The environment light.
    Environment,
    /// A list of cases.
    GoldenList,
    /// The golden of a case.
    Golden,
    /// The expected picture.
    Expected,
    /// The actual picture.
    Actual,
    /// A picture whose metadata is read.
    Picture,
    /// Vertices of another program.
    Vertices,
    /// A list of models.
    List,
    /// A report to merge with others.
    Report,
    /// The user's config file.
    Config,
    /// A file of commands, one per line.
    Commands,
}

impl Role {
    const fn name(self) -> &'static str {
        match self {
            Self::Model => "the model",
            Self::Vertices => "the vertices",
            Self::Buffer => "the model's buffer",
            Self::Texture => "the model's texture",
            Self::Clips => "the file of clips",
            Self::JointMap => "the joint map",
            Self::Pose => "the pose file",
            Self::Recipe => "the recipe",
            Self::Environment => "the environment",
            Self::GoldenList => "the list of goldens",
            Self::Golden => "a golden",
            Self::Expected => "the expected picture",
            Self::Actual => "the actual picture",
            Self::Picture => "the picture",
            Self::List => "the list of models",
            Self::Report => "a report",
            Self::Config => "the config file",
            Self::Commands => "the commands",
        }
    }
}

/// The files that a process has read so far, including files that it did not find. All its commands share one record,
/// so none overwrites a file that another has read.
#[derive(Clone, Debug, Default)]
struct Record(Arc<Mutex<HashMap<Identity, Vec<Input>>>>);

/// The files of a command that is still reading. It cannot create outputs.
#[derive(Debug)]
pub struct Inputs {
    record: Record,
    /// True once outputs were chosen; only recorded files may be read then.
    is_closed: bool,
}

/// The files of a command that has recorded all its inputs. It can create outputs.
#[derive(Clone, Debug)]
pub struct Closed(Record);

/// The files of a process that runs several commands, such as a window.
#[derive(Clone, Debug)]
pub struct Session(Record);

/// Identity of a file under all its names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Identity {
    /// Its path with links resolved.
    Place(PathBuf),
    /// Its device and inode numbers, which all hard links share.
    #[cfg_attr(not(unix), allow(dead_code, reason = "only Unix numbers files"))]
    Number(u64, u64),
}

/// An input file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Input {
    path: PathBuf,
    role: Role,
}

/// An output file, which is not an input of the run.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    is_new: bool,
    links: Links,
    record: Record,
}

/// Treatment of links on the way to an output.
#[derive(Debug)]
pub(super) enum Links {
    /// Links are followed, because a user named the output.
    Follow,
    /// The output must not be a link, because its name was generated.
    Refuse,
    /// No link is followed from this folder to the name in it.
    Beneath(Folder, String),
}

impl Output {
    /// Returns the path as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if the file must not exist.
    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Returns true if the run has read this file.
    pub(super) fn is_input(&self, file: &Metadata) -> bool {
        number(file).is_some_and(|number| self.record.lock().contains_key(&number))
    }

    pub(super) fn links(&self) -> &Links {
        &self.links
    }

    /// Requires that the file does not exist when it is written. If it does, writing fails with
    /// [`AlreadyExists`](std::io::ErrorKind::AlreadyExists), and the file stays unchanged.
    pub fn if_new(self) -> Self {
        Self { is_new: true, ..self }
    }
}

/// The error for an output that the run has read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: the output would {} {}{}", output.display(), if *is_there { "overwrite" } else { "become" }, role.name(), other_name(output, input))]
pub struct Overwrite {
    output: PathBuf,
    input: PathBuf,
    role: Role,
    /// True if the file exists.
    is_there: bool,
}

/// The error for reading a new file after outputs were chosen, because one of them might be that file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}", .0.display(), self.cause())]
pub struct Late(PathBuf);

impl Late {
    /// Returns the file.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the reason.
    pub fn cause(&self) -> &'static str {
        "the run already writes, and did not expect to read this file; if files have changed since it began, run it again"
    }
}

impl Record {
    fn lock(&self) -> MutexGuard<'_, HashMap<Identity, Vec<Input>>> {
        // Each change is one call, so a panic leaves no partial change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inputs {
    /// Creates an empty record.
    pub fn none() -> Self {
        Self { record: Record::default(), is_closed: false }
    }

    /// Records a file before it is read or looked up. Pipes and devices are left out: writing to them destroys nothing.
    ///
    /// # Errors
    /// If outputs were chosen before, and the file was not recorded by then.
    pub fn add(&mut self, path: &Path, role: Role) -> Result<(), Late> {
        let metadata = fs::metadata(path).ok();
        if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return Ok(());
        }
        let input = Input { path: path.to_path_buf(), role };
        let number = metadata.as_ref().and_then(number);
        let identities: Vec<Identity> = number.into_iter().chain([Identity::Place(place(path))]).collect();
        let mut files = self.record.lock();
        if self.is_closed && !identities.iter().any(|identity| files.contains_key(identity)) {
            return Err(Late(path.to_path_buf()));
        }
        for identity in identities {
            let known = files.entry(identity).or_default();
            if !known.contains(&input) {
                known.push(input.clone());
            }
        }
        Ok(())
    }

    /// Ends reading. From now on outputs may be chosen.
    pub fn close(self) -> Closed {
        Closed(self.record)
    }

    /// Starts a session, for a process that reads again after writing. Each of its commands closes its inputs.
    pub fn stay_open(self) -> Session {
        Session(self.record)
    }
}

impl Session {
    /// Returns the inputs for the next command.
    pub fn inputs(&self) -> Inputs {
        Inputs { record: self.0.clone(), is_closed: false }
    }

    /// Returns the outputs of a command that reads nothing.
    pub fn closed(&self) -> Closed {
        Closed(self.0.clone())
    }
}

impl Closed {
    /// Allows reading again, but only files that were recorded before outputs were chosen.
    pub fn again(&self) -> Inputs {
        Inputs { record: self.0.clone(), is_closed: true }
    }

    /// Creates an output. `-` (standard output), pipes and devices are always allowed.
    ///
    /// # Errors
    /// If the run has read that file, under any name.
    pub fn output(&self, path: impl Into<PathBuf>) -> Result<Output, Overwrite> {
        self.output_unless(path.into(), |_| true)
    }

    /// Creates an output that must not exist when it is written. If it does, writing fails with
    /// [`AlreadyExists`](std::io::ErrorKind::AlreadyExists), and the file stays unchanged.
    ///
    /// # Errors
    /// If the run has looked for that file.
    pub fn new_output(&self, path: impl Into<PathBuf>) -> Result<Output, Overwrite> {
        Ok(self.output(path)?.if_new())
    }

    /// Creates an output with a generated name, such as one of a sequence. It is not written if it is a link.
    ///
    /// # Errors
    /// If the run has read that file.
    pub fn numbered(&self, path: impl Into<PathBuf>) -> Result<Output, Overwrite> {
        Ok(Output { links: Links::Refuse, ..self.output(path)? })
    }

    /// Creates an output in an untrusted folder.
    ///
    /// # Errors
    /// If the run has read that file.
    pub fn beneath(&self, folder: &Folder, name: &str) -> Result<Output, Overwrite> {
        let output = self.output(folder.join(name))?;
        Ok(Output { links: Links::Beneath(folder.clone(), name.to_owned()), ..output })
    }

    /// Creates an output for a golden, which may be replaced although the run reads it as a golden.
    ///
    /// # Errors
    /// If the run also reads the file in another role.
    pub fn golden(&self, folder: &Folder, name: &str) -> Result<Output, Overwrite> {
        let output = self.output_unless(folder.join(name), |role| role != Role::Golden)?;
        Ok(Output { links: Links::Beneath(folder.clone(), name.to_owned()), ..output })
    }

    fn free(&self, path: PathBuf) -> Output {
        Output { path, is_new: false, links: Links::Follow, record: self.0.clone() }
    }

    fn output_unless(&self, path: PathBuf, is_kept: impl Fn(Role) -> bool) -> Result<Output, Overwrite> {
        let metadata = fs::metadata(&path).ok();
        if path == Path::new("-") || metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return Ok(self.free(path));
        }
        let number = metadata.as_ref().and_then(number);
        let identities = number.into_iter().chain([Identity::Place(place(&path))]);
        let files = self.0.lock();
        let mut inputs = identities.filter_map(|identity| files.get(&identity)).flatten();
        match inputs.find(|input| is_kept(input.role)) {
            Some(Input { path: input, role }) => {
                let (input, role, is_there) = (input.clone(), *role, metadata.is_some());
                Err(Overwrite { output: path, input, role, is_there })
            }
            None => Ok(self.free(path)),
        }
    }
}

/// Returns the path of a file with links resolved, even if the file is missing.
pub(super) fn place(path: &Path) -> PathBuf {
    if path.as_os_str().len() > MAX_PATH_BYTES {
        return path.to_path_buf();
    }
    for above in path.ancestors() {
        let here = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        if let (Ok(found), Ok(rest)) = (fs::canonicalize(here), path.strip_prefix(above)) {
            return if rest.as_os_str().is_empty() { found } else { found.join(rest) };
        }
    }
    path.to_path_buf()
}

#[cfg(unix)]
pub(super) fn number(metadata: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(Identity::Number(metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
pub(super) fn number(_: &Metadata) -> Option<Identity> {
    None
}

/// Formats the input's name, if it differs from the output's name.
fn other_name(output: &Path, input: &Path) -> String {
    let [here, there] = [output, input].map(|path| path.strip_prefix(".").unwrap_or(path));
    if here == there { String::new() } else { format!(" {}", input.display()) }
}

#[cfg(test)]
mod tests;
