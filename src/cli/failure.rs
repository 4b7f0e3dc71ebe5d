//! How a run can fail, and the exit code of each way: a contract with scripts.
//! It must not print anything itself.

use sinew::output::Overwrite;
use sinew::vulkan::VulkanError;

/// Why a run failed; displays as one line.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// 1: the input is at fault.
    #[error("{file}: {cause}")]
    Input {
        /// As given.
        file: String,
        /// What is wrong with it, and where.
        cause: String,
    },
    /// 2: the command line is at fault.
    #[error("{0}")]
    Usage(String),
    /// 3: no usable Vulkan here; 4: a device or its memory failed while in use.
    #[error("{}{error}", about(.file))]
    Vulkan {
        /// The model at hand, as given; `None` while there is none.
        file: Option<String>,
        /// What failed.
        error: VulkanError,
    },
    /// 4: there is no window, or it failed.
    #[cfg(feature = "window")]
    #[error("{0}")]
    Window(String),
    /// 4: the validation layer or the leak check objected.
    #[error("{count} validation error(s); the first: {first}")]
    Validation {
        /// How many.
        count: usize,
        /// The first message.
        first: String,
    },
    /// 1: a model cannot be laid out for the fast path.
    #[error("{0}")]
    Layout(#[from] sinew::skinning::cpu::Error),
    /// 5: the output could not be written.
    #[error("{file}: {cause}")]
    Output {
        /// As given.
        file: String,
        /// What the system said.
        cause: String,
    },
    /// 6: a check said no.
    #[error("{0}")]
    Check(String),
}

impl Failure {
    /// The exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Input { .. } | Self::Layout(_) => 1,
            Self::Usage(_) => 2,
            Self::Vulkan { error: VulkanError::DeviceChoice { .. }, .. } => 2,
            Self::Vulkan { error, .. } if error.is_unavailable() => 3,
            Self::Vulkan { .. } | Self::Validation { .. } => 4,
            #[cfg(feature = "window")]
            Self::Window(_) => 4,
            Self::Output { .. } => 5,
            Self::Check(_) => 6,
        }
    }

    /// Says that it was not the only one.
    pub fn with_more(self, more: usize) -> Self {
        let further = |text: String| format!("{text} (and {more} more)");
        match self {
            Self::Input { file, cause } => Self::Input { file, cause: further(cause) },
            Self::Check(text) => Self::Check(further(text)),
            other => other,
        }
    }

    /// Says which model was at hand when Vulkan or the fast path failed.
    pub fn about(self, given: &str) -> Self {
        match self {
            Self::Vulkan { file: None, error } => Self::Vulkan { file: Some(given.to_owned()), error },
            Self::Layout(error) => Self::Input { file: given.to_owned(), cause: error.to_string() },
            other => other,
        }
    }

    /// An output that could not be written.
    pub fn output(file: &std::path::Path, cause: impl std::fmt::Display) -> Self {
        Self::Output { file: file.display().to_string(), cause: cause.to_string().replace('\n', " ") }
    }
}

impl From<VulkanError> for Failure {
    fn from(error: VulkanError) -> Self {
        Self::Vulkan { file: None, error }
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
