//! Repeats commands on the GPU and times each repetition, by its timestamps or by the host.

use std::sync::Arc;

use sinew_vulkan::{CommandBuffer, Device, Fence, Stopwatch, Timestamps, VulkanError, vk};

/// The maximum number of repetitions in one submission.
pub const MAX_AT_ONCE: u32 = 8;

/// The times of some repetitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// Milliseconds of each.
    pub millis: Vec<f64>,
    /// True if the GPU measured them. Otherwise the host did, and the times include submission and the wait.
    pub is_by_gpu: bool,
}

/// A command buffer for repeated work.
pub(super) struct Clock {
    commands: CommandBuffer,
    timestamps: Timestamps,
    done: Fence,
    device: Arc<Device>,
}

impl Clock {
    pub(super) fn new(device: &Arc<Device>, name: &str) -> Result<Self, VulkanError> {
        Ok(Self {
            commands: CommandBuffer::new(device, name)?,
            timestamps: Timestamps::new(device, name, MAX_AT_ONCE)?,
            done: Fence::new(device, name)?,
            device: Arc::clone(device),
        })
    }

    /// Runs commands some times, one after the other and at most [`MAX_AT_ONCE`] times, and waits for them.
    pub(super) fn time(
        &mut self,
        repetitions: u32,
        record: impl Fn(&mut CommandBuffer),
    ) -> Result<Times, VulkanError> {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        let repetitions = repetitions.clamp(1, MAX_AT_ONCE);
        let Self { commands, timestamps, done, device } = self;
        commands.begin(Some(timestamps))?;
        let written =
            (Stage::COMPUTE_SHADER | Stage::COPY, Access::SHADER_STORAGE_WRITE | Access::TRANSFER_WRITE);
        for _ in 0..repetitions {
            // Each repetition overwrites the result of the last one.
            commands.memory_barrier(written, written);
            commands.pass(timestamps, "repetition", &record);
        }
        let mut watch = Stopwatch::start();
        let outcome = commands.submit(done).and_then(|()| done.wait());
        let host_millis = watch.lap() / f64::from(repetitions);
        if outcome.is_err() {
            // The commands must outlive the GPU's work on them; a lost device returns at once.
            device.finish();
        }
        outcome?;
        // A queue may have no timestamps. A software driver runs on the host's clock anyway, and Mesa's takes the timestamps
        // of compute work when a submission ends.
        let is_by_gpu = device.physical().has_timestamps() && !device.physical().is_software();
        let millis = match is_by_gpu {
            true => timestamps.read()?.iter().map(|pass| pass.millis).collect(),
            false => vec![host_millis; repetitions as usize],
        };
        Ok(Times { millis, is_by_gpu })
    }
}
