//! The memory from which a kernel reads slots.

use std::str::FromStr;

/// The memory with the slots of a kernel. The results are identical.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotsIn {
    /// A uniform buffer, of which a dispatch sees 512 slots.
    Uniform,
    /// A storage buffer.
    Storage,
    /// Shared memory: each work group copies a figure's slots from the storage buffer, and skins several vertices per
    /// thread with them.
    Shared,
}

/// Vertices per thread for which slots in shared memory are copied once.
const TURNS: u32 = 8;

impl SlotsIn {
    /// Every kind of memory.
    pub const ALL: [Self; 3] = [Self::Uniform, Self::Storage, Self::Shared];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "ubo",
            Self::Storage => "ssbo",
            Self::Shared => "shared",
        }
    }

    /// Returns the number of vertices per thread.
    pub(super) const fn turns(self) -> u32 {
        match self {
            Self::Uniform | Self::Storage => 1,
            Self::Shared => TURNS,
        }
    }
}

impl FromStr for SlotsIn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|slots| slots.name() == text);
        found.ok_or_else(|| "expected ubo, ssbo or shared".to_owned())
    }
}
