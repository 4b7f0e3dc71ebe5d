//! Streams for single modes, in separate buffers: the shares of *blend* and the centres of *cor*. A model uploads
//! them when such a mode is first drawn.

use std::sync::Arc;

use crate::interface::streams::Stream;
use crate::model::draws::Draw;
use crate::upload::mesh_buffer::Batch;
use crate::upload::transfer::upload_buffer;
use sinew_model::Model;
use sinew_skinning::pose::Shares;
use sinew_skinning::{SkinningMode, centers, skin_of};
use sinew_vulkan::{Buffer, Device, VulkanError, vk};

/// The streams of a model's draws.
#[derive(Default)]
pub(crate) struct ModeStreams {
    /// The uploaded shares, and their stream.
    shares: Option<(Shares, DrawStream)>,
    centers: Option<DrawStream>,
}

/// A stream of all draws; `None` for draws that read its default.
struct DrawStream {
    buffer: Buffer,
    offsets: Vec<Option<u64>>,
}

impl ModeStreams {
    /// Uploads a mode's streams, unless the last picture left them there.
    pub(crate) fn prepare<'a>(
        &mut self,
        device: &Arc<Device>,
        model: &Model,
        mode: SkinningMode,
        shares: &Shares,
        draws: impl Iterator<Item = (&'a Draw, &'a Batch)>,
    ) -> Result<(), VulkanError> {
        match mode {
            SkinningMode::Rigid
            | SkinningMode::Linear
            | SkinningMode::DualQuat
            | SkinningMode::DualQuatBlender
            | SkinningMode::DualQuatRigid => {}
            SkinningMode::Blended => {
                if self.shares.as_ref().is_some_and(|(there, _)| there == shares) {
                    return Ok(());
                }
                // The GPU may still read the last ones.
                device.wait_idle()?;
                self.shares = None;
                let stream = DrawStream::new(device, "shares", draws, |draw| shares_of(model, draw, shares))?;
                self.shares = Some((shares.clone(), stream));
            }
            SkinningMode::CenterOfRotation if self.centers.is_some() => {}
            SkinningMode::CenterOfRotation => {
                let of = |draw: &Draw| {
                    let skin = draw.instance_of(model).skin.filter(|_| draw.skinned)?;
                    Some(centers::of(model, skin, draw.mesh, draw.primitive)?.to_vec())
                };
                self.centers = Some(DrawStream::new(device, "centres of rotation", draws, of)?);
            }
        }
        Ok(())
    }

    /// Returns the buffer and offset of a draw's stream, if it is not the default.
    pub(crate) fn of(&self, draw: usize, stream: Stream) -> Option<(&Buffer, u64)> {
        let there = match stream {
            Stream::Share => self.shares.as_ref().map(|(_, stream)| stream),
            Stream::Center => self.centers.as_ref(),
            _ => None,
        };
        there.and_then(|there| Some((&there.buffer, there.offsets[draw]?)))
    }
}

/// Returns each vertex's share; `None` if they are all 1.
fn shares_of(model: &Model, draw: &Draw, shares: &Shares) -> Option<Vec<f32>> {
    let skin = skin_of(model, draw.instance_of(model), draw.skinned)?;
    let mut out = Vec::new();
    shares.of_vertices_into(skin, draw.primitive_of(model), &mut out);
    (!out.is_empty()).then_some(out)
}

impl DrawStream {
    fn new<'a, T: bytemuck::Pod>(
        device: &Arc<Device>,
        name: &str,
        draws: impl Iterator<Item = (&'a Draw, &'a Batch)>,
        of: impl Fn(&Draw) -> Option<Vec<T>>,
    ) -> Result<Self, VulkanError> {
        let mut bytes: Vec<u8> = Vec::new();
        let mut offsets = Vec::new();
        for (draw, batch) in draws {
            offsets.push(of(draw).map(|values| {
                bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
                let offset = bytes.len() as u64;
                for &vertex in &batch.vertices {
                    // The indices of a hand-built model may name vertices that it lacks.
                    let value = values.get(vertex as usize).copied().unwrap_or(T::zeroed());
                    bytes.extend_from_slice(bytemuck::bytes_of(&value));
                }
                offset
            }));
        }
        bytes.resize(bytes.len().max(ALIGNMENT), 0);
        let usage = vk::BufferUsageFlags::VERTEX_BUFFER | vk::BufferUsageFlags::TRANSFER_SRC;
        Ok(Self { buffer: upload_buffer(device, name, usage, &bytes)?, offsets })
    }
}

/// Alignment of draws in the buffer, in bytes.
const ALIGNMENT: usize = 16;
