//! The ways a run can fail, with their exit codes: a contract with scripts.

use std::io;
use std::path::Path;

use crate::cli::machine::drivers;
use crate::cli::subject::nearby::missing_folder;
use crate::output::{Late, OneFile, Overwrite};
use crate::vulkan::VulkanError;

/// Why a run failed; displays as one line.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// 1: the input is wrong.
    #[error("{file}: {cause}")]
    Input {
        /// The name as given.
        file: String,
        /// The fault, and where it is.
        cause: String,
    },
    /// 2: the command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// 3: no usable Vulkan here; 4: a device or its memory failed while in use.
    #[error("{}{error}", about(.file))]
    Vulkan {
        /// The model in use, as given; `None` if there was none.
        file: Option<String>,
        /// The cause.
        error: VulkanError,
    },
    /// 4: the system makes no thread.
    #[error("cannot start a thread ({0}); the limit on processes may be too low (ulimit -u)")]
    Threads(io::Error),
    /// 4: no window could be opened, or it failed.
    #[cfg(feature = "window")]
    #[error("{0}")]
    Window(String),
    /// 4: the validation layer or the leak check reported errors.
    #[error("{count} validation error(s); the first: {first}")]
    Validation {
        /// The number of messages.
        count: usize,
        /// The first message.
        first: String,
    },
    /// 1: the model does not fit the data layout of the fast path.
    #[error("{0}")]
    Layout(#[from] crate::skinning::cpu::Error),
    /// 5: the output could not be written.
    #[error("{file}: {cause}")]
    Output {
        /// The name as given.
        file: String,
        /// The error of the system.
        cause: String,
    },
    /// 6: a check failed.
    #[error("{0}")]
    Check(String),
}

impl Failure {
    /// The exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Input { .. } | Self::Layout(_) => 1,
            Self::Usage(_) => 2,
            Self::Vulkan { error, .. } if error.is_unavailable() => 3,
            Self::Vulkan { .. } | Self::Validation { .. } | Self::Threads(_) => 4,
            #[cfg(feature = "window")]
            Self::Window(_) => 4,
            Self::Output { .. } => 5,
            Self::Check(_) => 6,
        }
    }

    /// Adds that there were more failures.
    pub fn with_more(self, more: usize) -> Self {
        let further = |text: String| format!("{text} (and {more} more)");
        match self {
            Self::Input { file, cause } => Self::Input { file, cause: further(cause) },
            Self::Check(text) => Self::Check(further(text)),
            other => other,
        }
    }

    /// Adds the model's name to a failure of Vulkan or the fast path.
    pub fn about(self, given: &str) -> Self {
        match self {
            Self::Vulkan { file: None, error } => Self::Vulkan { file: Some(given.to_owned()), error },
            Self::Layout(error) => Self::Input { file: given.to_owned(), cause: error.to_string() },
            other => other,
        }
    }

    /// A failure to write an output.
    pub fn output(file: &Path, cause: impl std::fmt::Display) -> Self {
        let cause = missing_folder(file).unwrap_or_else(|| cause.to_string());
        Self::Output { file: file.display().to_string(), cause: cause.to_string().replace('\n', " ") }
    }
}

impl From<VulkanError> for Failure {
    fn from(error: VulkanError) -> Self {
        match drivers::explained(error) {
            VulkanError::DeviceChoice { asked, cause } => {
                Self::Usage(format!("--device {asked}: {cause}; 'sinew devices' lists them"))
            }
            error => Self::Vulkan { file: None, error },
        }
    }
}

impl From<OneFile> for Failure {
    fn from(error: OneFile) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<Late> for Failure {
    fn from(late: Late) -> Self {
        Self::Input { file: late.path().display().to_string(), cause: late.cause().to_owned() }
    }
}

impl From<Overwrite> for Failure {
    fn from(error: Overwrite) -> Self {
        Self::Usage(error.to_string())
    }
}

fn about(file: &Option<String>) -> String {
    file.as_ref().map_or_else(String::new, |file| format!("{file}: "))
}
