//! What a run has read, and so never writes: the only way to an [`Output`], which every writer asks for.
//! It must not know how anything is read or written.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// The longest path that is looked for piece by piece; no system has longer ones.
const LONGEST: usize = 4096;

/// What a file is to the run that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The model's own file.
    Model,
    /// A file of the model's numbers.
    Buffer,
    /// A picture that the model names.
    Texture,
    /// An edited pose.
    Pose,
    /// A list of cases.
    GoldenList,
    /// The picture of a case as it should be.
    Golden,
    /// The picture as it should be.
    Expected,
    /// The picture as it is.
    Actual,
    /// A picture that says what it was made from.
    Picture,
}

impl Role {
    const fn name(self) -> &'static str {
        match self {
            Self::Model => "the model",
            Self::Buffer => "the model's buffer",
            Self::Texture => "the model's texture",
            Self::Pose => "the pose file",
            Self::GoldenList => "the list of goldens",
            Self::Golden => "a golden",
            Self::Expected => "the expected picture",
            Self::Actual => "the actual picture",
            Self::Picture => "the picture",
        }
    }
}

/// Everything that a run has read so far, files that it looked for in vain included.
#[derive(Debug)]
pub struct Inputs(HashMap<Identity, Vec<Input>>);

/// What makes a file the same under all its names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Identity {
    /// Where it is, once links are followed.
    Place(PathBuf),
    /// The numbers of its device and of itself: the same for each hard link.
    #[cfg_attr(not(unix), allow(dead_code, reason = "only Unix numbers files"))]
    Number(u64, u64),
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Input {
    path: PathBuf,
    role: Role,
}

/// A file that may be written: none that was read.
#[derive(Debug)]
pub struct Output(PathBuf);

impl Output {
    /// Where it is, as given.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// That an output is a file which the run has read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: the output would {} {}{}", output.display(), if *is_there { "overwrite" } else { "become" }, role.name(), other_name(output, input))]
pub struct Overwrite {
    output: PathBuf,
    input: PathBuf,
    role: Role,
    /// Whether there is such a file.
    is_there: bool,
}

impl Inputs {
    /// Nothing was read yet.
    pub fn none() -> Self {
        Self(HashMap::new())
    }

    /// Notes a file that was read or looked for. What holds nothing, such as a pipe, can lose nothing.
    pub fn add(&mut self, path: &Path, role: Role) {
        let metadata = fs::metadata(path).ok();
        if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return;
        }
        let input = Input { path: path.to_path_buf(), role };
        let number = metadata.as_ref().and_then(number);
        for identity in number.into_iter().chain([Identity::Place(place(path))]) {
            let known = self.0.entry(identity).or_default();
            if !known.contains(&input) {
                known.push(input.clone());
            }
        }
    }

    /// A file to write; `-`, standard output, and devices are none that was read.
    ///
    /// # Errors
    /// Where the run has read that file, by whatever name.
    pub fn output(&self, path: impl Into<PathBuf>) -> Result<Output, Overwrite> {
        self.output_unless(path.into(), |_| true)
    }

    /// A golden to be taken anew, which is no input but for that.
    ///
    /// # Errors
    /// Where the file is something else, too.
    pub fn golden(&self, path: impl Into<PathBuf>) -> Result<Output, Overwrite> {
        self.output_unless(path.into(), |role| role != Role::Golden)
    }

    fn output_unless(&self, path: PathBuf, is_kept: impl Fn(Role) -> bool) -> Result<Output, Overwrite> {
        let metadata = fs::metadata(&path).ok();
        if path == Path::new("-") || metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return Ok(Output(path));
        }
        let number = metadata.as_ref().and_then(number);
        let identities = number.into_iter().chain([Identity::Place(place(&path))]);
        let mut inputs = identities.filter_map(|identity| self.0.get(&identity)).flatten();
        match inputs.find(|input| is_kept(input.role)) {
            Some(Input { path: input, role }) => {
                let (input, role, is_there) = (input.clone(), *role, metadata.is_some());
                Err(Overwrite { output: path, input, role, is_there })
            }
            None => Ok(Output(path)),
        }
    }
}

/// Where a file is once links are followed; of one that is not there, where it would be.
fn place(path: &Path) -> PathBuf {
    if path.as_os_str().len() > LONGEST {
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
fn number(metadata: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(Identity::Number(metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> Option<Identity> {
    None
}

/// The input's name, where the output has another one.
fn other_name(output: &Path, input: &Path) -> String {
    let [here, there] = [output, input].map(|path| path.strip_prefix(".").unwrap_or(path));
    if here == there { String::new() } else { format!(" {}", input.display()) }
}

#[cfg(test)]
mod tests;
