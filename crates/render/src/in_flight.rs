//! Frames that the CPU prepares while the GPU still draws earlier ones, each with commands and a fence of its own.

use std::sync::Arc;

use sinew_vulkan::{CommandBuffer, Device, Fence, Timestamps, VulkanError};

/// How many frames the CPU may prepare while the GPU still draws earlier ones.
pub const FRAMES_IN_FLIGHT: usize = 2;

/// One frame in flight.
pub struct InFlight<T> {
    /// What it records into.
    pub commands: CommandBuffer,
    /// Signalled when the GPU is done with it.
    pub done: Fence,
    /// When its passes began and ended.
    pub timestamps: Timestamps,
    /// Its buffers, which no other frame may write.
    pub own: T,
}

/// All frames in flight, used in turn.
pub struct FramesInFlight<T> {
    frames: Vec<InFlight<T>>,
    next: usize,
}

impl<T: Default> FramesInFlight<T> {
    /// Frames with room for the timestamps of so many passes each.
    pub fn new(device: &Arc<Device>, name: &str, passes: u32) -> Result<Self, VulkanError> {
        let frame = |number| {
            Ok(InFlight {
                commands: CommandBuffer::new(device, &format!("{name} {number}"))?,
                done: Fence::new(device, &format!("{name} {number} done"))?,
                timestamps: Timestamps::new(device, &format!("{name} {number} times"), passes)?,
                own: T::default(),
            })
        };
        Ok(Self { frames: (0..FRAMES_IN_FLIGHT).map(frame).collect::<Result<_, _>>()?, next: 0 })
    }

    /// The number of the frame whose turn it is; the GPU may still draw what it was used for before.
    pub fn advance(&mut self) -> usize {
        let number = self.next;
        self.next = (number + 1) % FRAMES_IN_FLIGHT;
        number
    }

    /// The frame with this number, which is below [`FRAMES_IN_FLIGHT`].
    pub fn get_mut(&mut self, number: usize) -> &mut InFlight<T> {
        &mut self.frames[number]
    }

    /// The frame whose turn was last.
    pub fn last(&self) -> &InFlight<T> {
        &self.frames[(self.next + FRAMES_IN_FLIGHT - 1) % FRAMES_IN_FLIGHT]
    }

    /// Every frame.
    pub fn iter(&self) -> impl Iterator<Item = &InFlight<T>> {
        self.frames.iter()
    }
}
