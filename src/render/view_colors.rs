//! Colours of vertices that a view shows in the place of the mesh's own, in a buffer of their own.
//! It must not know what they stand for.

use std::cell::OnceCell;
use std::sync::Arc;

use super::gpu_model::Draw;
use super::mesh_buffer::{DrawPart, fractions};
use super::transfer::upload_buffer;
use crate::view::{Legend, View};
use sinew_model::Model;
use sinew_vulkan::{Buffer, Device, VulkanError, vk};

/// The colours of one view.
pub(super) struct ViewColors {
    /// What they are of.
    pub(super) view: View,
    /// What they mean, once somebody has asked.
    legend: OnceCell<Option<Legend>>,
    buffer: Buffer,
    offsets: Vec<Option<u64>>,
}

impl ViewColors {
    /// Brings the colours of a model's draws to the GPU.
    pub(super) fn new<'a>(
        device: &Arc<Device>,
        model: &Model,
        view: &View,
        draws: impl Iterator<Item = (&'a Draw, &'a DrawPart)>,
    ) -> Result<Self, VulkanError> {
        let mut bytes: Vec<u8> = Vec::new();
        let mut offsets = Vec::new();
        for (draw, part) in draws {
            let primitive = model.meshes.get(draw.mesh).and_then(|mesh| mesh.primitives.get(draw.primitive));
            let skin =
                model.instances.get(draw.instance).and_then(|instance| model.skins.get(instance.skin?));
            let colors = primitive.and_then(|primitive| view.vertex_colors(primitive, skin, &model.rig));
            offsets.push(colors.map(|colors| {
                let offset = bytes.len() as u64;
                for &vertex in &part.vertices {
                    let color = colors.get(vertex as usize).copied().unwrap_or_default();
                    bytes.extend_from_slice(bytemuck::bytes_of(&fractions(color)));
                }
                offset
            }));
        }
        if bytes.is_empty() {
            bytes.resize(8, 0);
        }
        let buffer = upload_buffer(device, "view colours", vk::BufferUsageFlags::VERTEX_BUFFER, &bytes)?;
        Ok(Self { view: view.clone(), legend: OnceCell::new(), buffer, offsets })
    }

    /// What the colours mean.
    pub(super) fn legend(&self, model: &Model) -> Option<&Legend> {
        self.legend.get_or_init(|| self.view.legend(model)).as_ref()
    }

    /// Where a draw's colours are.
    pub(super) fn of(&self, draw: usize) -> Option<(&Buffer, u64)> {
        Some((&self.buffer, (*self.offsets.get(draw)?)?))
    }
}
