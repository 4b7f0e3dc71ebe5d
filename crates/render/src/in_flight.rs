//! Frames that the CPU prepares while the GPU draws earlier ones, each with its own commands and fence.

use std::sync::Arc;

use sinew_vulkan::{CommandBuffer, Device, Fence, Timestamps, VulkanError};

/// Number of frames that the CPU may prepare while the GPU draws earlier ones.
pub const FRAMES_IN_FLIGHT: usize = 2;

/// A frame in flight.
pub struct InFlight<T> {
    /// Command buffer for recording.
    pub commands: CommandBuffer,
    /// Signalled when the GPU has finished the frame.
    pub done: Fence,
    /// Begin and end times of its passes.
    pub timestamps: Timestamps,
    /// The frame's buffers, which no other frame may write.
    pub own: T,
}

/// The frames in flight, used in turn.
pub struct FramesInFlight<T> {
    frames: Vec<InFlight<T>>,
    next: usize,
}

impl<T: Default> FramesInFlight<T> {
    /// Creates the frames, each with timestamps for `passes` passes.
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

    /// Returns the index of the next frame in turn. The GPU may still draw its previous content.
    pub fn advance(&mut self) -> usize {
        let number = self.next;
        self.next = (number + 1) % FRAMES_IN_FLIGHT;
        number
    }

    /// Returns the frame with this index, which is below [`FRAMES_IN_FLIGHT`].
    pub fn get_mut(&mut self, number: usize) -> &mut InFlight<T> {
        &mut self.frames[number]
    }

    /// Returns the frame before the next in turn.
    pub fn last(&self) -> &InFlight<T> {
        &self.frames[(self.next + FRAMES_IN_FLIGHT - 1) % FRAMES_IN_FLIGHT]
    }

    /// Iterates over every frame.
    pub fn iter(&self) -> impl Iterator<Item = &InFlight<T>> {
        self.frames.iter()
    }
}
