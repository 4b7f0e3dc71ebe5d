//! Vertex colours that change with the pose, in a host-written buffer per frame.

use std::sync::Arc;

use crate::frame::distances::distances;
use crate::model::gpu_model::GpuModel;
use crate::upload::mesh_buffer::fractions;
use sinew_scene::scene::Scene;
use sinew_scene::view::Difference;
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_vulkan::{Buffer, Device, MemoryLocation, VulkanError, vk};

/// The colours of one frame.
#[derive(Default)]
pub(crate) struct MovingColors {
    buffer: Option<Buffer>,
    offsets: Vec<u64>,
}

impl MovingColors {
    /// Colours every draw by the distance from its counterpart in the view's comparison. The GPU must have finished
    /// with the earlier colours.
    pub(crate) fn fill(
        &mut self,
        device: &Arc<Device>,
        gpu: &mut GpuModel,
        difference: &Difference,
        scene: &Scene,
        pose: &Pose,
    ) -> Result<(), VulkanError> {
        let flat = scene.look.flat;
        let top_m = difference.top(gpu.figure.diagonal());
        let distances = distances(gpu, scene, difference.against, pose);
        let number_of = SkinnedPrimitive::numbers(&distances.skinned);
        let mut bytes: Vec<u8> = Vec::new();
        self.offsets.clear();
        for draw in &gpu.draws {
            self.offsets.push(bytes.len() as u64);
            let distances = &distances.metres[number_of[&(draw.instance, draw.primitive)]];
            let own = draw.primitive_of(gpu.model()).colors.as_ref();
            for &vertex in &gpu.batch(draw).1.vertices {
                // The indices of a hand-built model may name vertices that it lacks.
                let distance = distances.get(vertex as usize).copied().unwrap_or_default();
                let [r, g, b] = Difference::color(distance, top_m, flat);
                let alpha = own.and_then(|own| own.get(vertex as usize)).map_or(1.0, |color| color[3]);
                bytes.extend_from_slice(bytemuck::bytes_of(&fractions([r, g, b, alpha])));
            }
        }
        let size = bytes.len().max(8) as u64;
        let mut buffer = match self.buffer.take().filter(|buffer| buffer.size() >= size) {
            Some(buffer) => buffer,
            None => {
                let usage = vk::BufferUsageFlags::VERTEX_BUFFER;
                Buffer::new(device, "colours of differences", size, usage, MemoryLocation::CpuToGpu)?
            }
        };
        buffer.write(0, &bytes);
        self.buffer = Some(buffer);
        Ok(())
    }

    /// Returns the buffer and offset of a draw's colours, once they were filled.
    pub(crate) fn of(&self, draw: usize) -> (&Buffer, u64) {
        (self.buffer.as_ref().expect("`fill` came before"), self.offsets[draw])
    }
}
