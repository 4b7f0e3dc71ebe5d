//! Vertex colours of a view in place of the mesh's, in a separate buffer.

use std::sync::{Arc, OnceLock};

use crate::model::draws::Draw;
use crate::upload::mesh_buffer::{Batch, fractions};
use crate::upload::transfer::upload_buffer;
use sinew_model::Model;
use sinew_scene::view::{Coloring, JointColors, Legend, View};
use sinew_skinning::pose::Shares;
use sinew_vulkan::{Buffer, Device, VulkanError, vk};

/// The colours of one view.
pub(crate) struct ViewColors {
    /// The view that they belong to.
    pub(crate) view: View,
    /// The shares that they show.
    pub(crate) shares: Shares,
    /// True if they are for flat surfaces.
    pub(crate) flat: bool,
    /// The view's legend, once a picture has shown it.
    legend: OnceLock<Option<Legend>>,
    buffer: Buffer,
    offsets: Vec<Option<u64>>,
}

impl ViewColors {
    /// Uploads the colours of a model's draws.
    pub(crate) fn new<'a>(
        device: &Arc<Device>,
        model: &Model,
        (view, coloring): (&View, Coloring<'_>),
        draws: impl Iterator<Item = (&'a Draw, &'a Batch)>,
    ) -> Result<Self, VulkanError> {
        let mut bytes: Vec<u8> = Vec::new();
        let mut offsets = Vec::new();
        for (draw, batch) in draws {
            let skin = draw.instance_of(model).skin.and_then(|skin| model.skins.get(skin));
            let colors = view.vertex_colors(draw.primitive_of(model), skin, coloring);
            offsets.push(colors.map(|colors| {
                let offset = bytes.len() as u64;
                for &vertex in &batch.vertices {
                    // The indices of a hand-built model may name vertices that it lacks.
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
        let Coloring { shares, flat, .. } = coloring;
        let shares = shares.clone();
        Ok(Self { view: view.clone(), shares, flat, legend: OnceLock::new(), buffer, offsets })
    }

    /// Returns the legend of the colours.
    pub(crate) fn legend(&self, model: &Model, joints: &JointColors) -> Option<&Legend> {
        self.legend.get_or_init(|| self.view.legend(model, joints, self.flat)).as_ref()
    }

    /// Returns the buffer and offset of a draw's colours.
    pub(crate) fn of(&self, draw: usize) -> Option<(&Buffer, u64)> {
        self.offsets[draw].map(|offset| (&self.buffer, offset))
    }
}
