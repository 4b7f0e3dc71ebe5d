//! Streams for single modes, in separate buffers: the shares of *blend*, the centres of *cor* and the terms of *ddm*. A
//! model uploads them when such a mode is first drawn.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::interface::streams::Stream;
use crate::model::ddm_terms::DdmTerms;
use crate::model::draw_stream::DrawStream;
use crate::model::draws::Draw;
use crate::upload::mesh_buffer::Batch;
use sinew_model::Model;
use sinew_skinning::pose::Shares;
use sinew_skinning::{SkinningMode, centers, ddm_terms, skin_of};
use sinew_vulkan::{Buffer, Descriptor, Device, VulkanError};

/// The streams of a model's draws.
#[derive(Default)]
pub(crate) struct ModeStreams {
    /// The uploaded shares, and their stream.
    shares: Option<(Shares, DrawStream)>,
    centers: Option<DrawStream>,
    ddm: Option<DdmTerms>,
    /// The number of times that terms were uploaded.
    ddm_number: u64,
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
            SkinningMode::DirectDeltaMush => {
                let meshes = 0..model.meshes.len();
                let is_drawn: BTreeSet<usize> = ddm_terms::drawn(model).collect();
                let of_drawn =
                    |mesh| if is_drawn.contains(&mesh) { ddm_terms::of(model, mesh) } else { None };
                let rows = meshes.map(of_drawn);
                let rows: Vec<_> = rows.collect();
                if self.ddm.as_ref().is_some_and(|ddm| ddm.is_of(&rows)) {
                    return Ok(());
                }
                // The GPU may still read the last ones.
                device.wait_idle()?;
                self.ddm = None;
                self.ddm = Some(DdmTerms::new(device, model, rows, draws)?);
                self.ddm_number += 1;
            }
        }
        Ok(())
    }

    /// Returns the buffer and offset of a draw's stream, if it is not the default.
    pub(crate) fn of(&self, mode: SkinningMode, draw: usize, stream: Stream) -> Option<(&Buffer, u64)> {
        let there = match stream {
            Stream::Share if mode.facts().needs_ddm => self.ddm.as_ref().map(|ddm| &ddm.points),
            Stream::Share => self.shares.as_ref().map(|(_, stream)| stream),
            Stream::Center => self.centers.as_ref(),
            _ => None,
        };
        there.and_then(|there| Some((&there.buffer, there.offsets[draw]?)))
    }

    /// Returns the terms of *ddm*, once they are uploaded.
    pub(crate) fn ddm_terms(&self) -> Option<Descriptor<'_>> {
        let buffer = &self.ddm.as_ref()?.buffer;
        Some(Descriptor::Buffer { buffer, offset: 0, range: buffer.size() })
    }

    /// Returns a number that changes with the terms.
    pub(crate) fn ddm_number(&self) -> u64 {
        self.ddm_number
    }
}

/// Returns each vertex's share; `None` if they are all 1.
fn shares_of(model: &Model, draw: &Draw, shares: &Shares) -> Option<Vec<f32>> {
    let skin = skin_of(model, draw.instance_of(model), draw.skinned)?;
    let mut out = Vec::new();
    shares.of_vertices_into(skin, draw.primitive_of(model), &mut out);
    (!out.is_empty()).then_some(out)
}
