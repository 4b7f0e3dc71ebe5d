//! GPU timestamps around passes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ash::vk;

use super::device::Device;
use super::error::{Named, VulkanError};
use super::owned::Owned;

/// A pass and its times.
#[derive(Clone, Debug, PartialEq)]
pub struct PassTime {
    /// The pass's label.
    pub pass: String,
    /// GPU time in milliseconds, between its two timestamps.
    pub millis: f64,
    /// CPU time in milliseconds for recording it.
    pub recording_millis: f64,
}

/// Pairs of timestamps for the passes of one frame.
pub struct Timestamps {
    raw: vk::QueryPool,
    capacity: u32,
    /// Each pass's label, start of recording, and recording time.
    passes: Vec<(String, Instant, Duration)>,
    device: Owned,
}

impl Timestamps {
    /// Creates room for `capacity` passes per frame.
    pub fn new(device: &Arc<Device>, name: &str, capacity: u32) -> Result<Self, VulkanError> {
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::TIMESTAMP)
            .query_count(capacity.saturating_mul(2));
        // SAFETY: the device is alive.
        let raw = unsafe { device.raw.create_query_pool(&info, None) }.named("vkCreateQueryPool", name)?;
        device.set_name(raw, name);
        Ok(Self { raw, capacity, passes: Vec::new(), device: Owned::new(device, name) })
    }

    /// Starts a frame and clears the passes of the previous one.
    pub(super) fn reset(&mut self, commands: vk::CommandBuffer) {
        self.passes.clear();
        // SAFETY: the command buffer is recording, and the caller has waited for the last frame's results.
        unsafe { self.device.raw.cmd_reset_query_pool(commands, self.raw, 0, self.capacity * 2) };
    }

    /// Marks the start of a pass and returns its index for [`Timestamps::end`]; `None` if the queue has no timestamps.
    pub(super) fn begin(&mut self, commands: vk::CommandBuffer, pass: &str) -> Option<u32> {
        let index = self.passes.len() as u32;
        if self.device.physical.timestamp_bits == 0 || index >= self.capacity {
            return None;
        }
        self.passes.push((pass.to_owned(), Instant::now(), Duration::ZERO));
        self.mark(commands, index * 2);
        Some(index)
    }

    /// Marks the end of a pass.
    pub(super) fn end(&mut self, commands: vk::CommandBuffer, pass: Option<u32>) {
        if let Some(index) = pass {
            self.mark(commands, index * 2 + 1);
            let (_, began, took) = &mut self.passes[index as usize];
            *took = began.elapsed();
        }
    }

    fn mark(&self, commands: vk::CommandBuffer, query: u32) {
        // The timestamp is written after all earlier work.
        let stage = vk::PipelineStageFlags2::BOTTOM_OF_PIPE;
        // SAFETY: the command buffer is recording, and the query was reset at the start of the frame.
        unsafe { self.device.raw.cmd_write_timestamp2(commands, stage, self.raw, query) };
    }

    /// Reads the pass times of the last frame. Call it after waiting for the frame's fence.
    pub fn read(&self) -> Result<Vec<PassTime>, VulkanError> {
        let mut ticks = vec![0u64; self.passes.len() * 2];
        if ticks.is_empty() {
            return Ok(Vec::new());
        }
        // SAFETY: the queries were written by a submission that is done.
        unsafe {
            self.device.raw.get_query_pool_results(self.raw, 0, &mut ticks, vk::QueryResultFlags::TYPE_64)
        }
        .named("vkGetQueryPoolResults", "timestamps")?;
        let period = f64::from(self.device.physical.limits.timestamp_period);
        // Counters with fewer than 64 bits wrap.
        let mask = u64::MAX >> (64 - self.device.physical.timestamp_bits.clamp(1, 64));
        Ok(self
            .passes
            .iter()
            .zip(ticks.chunks_exact(2))
            .map(|((pass, _, took), pair)| {
                let elapsed = match pair {
                    [from, to] => to.wrapping_sub(*from) & mask,
                    _ => 0,
                };
                let recording_millis = took.as_secs_f64() * 1e3;
                PassTime { pass: pass.clone(), millis: elapsed as f64 * period * 1e-6, recording_millis }
            })
            .collect())
    }
}

impl Drop for Timestamps {
    fn drop(&mut self) {
        // SAFETY: the renderer has waited for the GPU; the handle is destroyed once.
        unsafe { self.device.raw.destroy_query_pool(self.raw, None) };
    }
}
