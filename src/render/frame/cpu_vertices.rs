//! Vertices that the CPU has skinned, in a buffer the host writes each frame, for the same pipelines to draw.

use std::sync::Arc;

use bytemuck::Pod;

use crate::render::interface::streams::Stream;
use crate::render::model::draws::Draw;
use crate::render::model::gpu_model::GpuModel;
use crate::render::upload::mesh_buffer::fractions;
use sinew_model::Model;
use sinew_skinning::morph::{self, Surface};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_vulkan::{Buffer, Device, MemoryLocation, VulkanError, vk};

/// Where one draw's vertices are in the buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuSpans {
    positions: u64,
    normals: Option<u64>,
    tangents: Option<u64>,
    texcoords: [Option<u64>; 2],
    colors: Option<u64>,
}

impl CpuSpans {
    /// Appends a draw's vertices, which stand at these numbers in its primitive.
    fn append(
        bytes: &mut Vec<u8>,
        skinned: &SkinnedPrimitive<f32>,
        surface: Surface,
        vertices: &[u32],
    ) -> Self {
        let colors = surface.colors.map(|colors| colors.into_iter().map(fractions).collect::<Vec<_>>());
        let texcoords = [0, 1].map(|set| surface.texcoords.get(set).and_then(Option::as_ref));
        Self {
            positions: append(bytes, &skinned.positions, vertices),
            normals: skinned.normals.as_ref().map(|normals| append(bytes, normals, vertices)),
            tangents: skinned.tangents.as_ref().map(|tangents| append(bytes, tangents, vertices)),
            texcoords: texcoords.map(|set| set.map(|set| append(bytes, set, vertices))),
            colors: colors.map(|colors| append(bytes, &colors, vertices)),
        }
    }

    /// Where the stream is, if skinning or morph targets move it.
    pub(crate) fn offset(&self, stream: Stream) -> Option<u64> {
        match stream {
            Stream::Position => Some(self.positions),
            Stream::Normal => self.normals,
            Stream::Tangent => self.tangents,
            Stream::Texcoord => self.texcoords[0],
            Stream::Texcoord1 => self.texcoords[1],
            Stream::Color => self.colors,
            Stream::Joints
            | Stream::Weights
            | Stream::Joints1
            | Stream::Weights1
            | Stream::Joints2
            | Stream::Weights2
            | Stream::Joints3
            | Stream::Weights3
            | Stream::Share
            | Stream::Center => None,
        }
    }
}

/// One frame's vertices.
#[derive(Default)]
pub(crate) struct CpuVertices {
    buffer: Option<Buffer>,
    draws: Vec<CpuSpans>,
}

impl CpuVertices {
    /// Takes skinned vertices over, each draw's in its batch's order. The GPU must be done with those that were there
    /// before.
    pub(crate) fn fill(
        &mut self,
        device: &Arc<Device>,
        gpu: &GpuModel,
        primitives: &[SkinnedPrimitive<f32>],
        pose: &Pose,
    ) -> Result<(), VulkanError> {
        let mut bytes: Vec<u8> = Vec::new();
        self.draws.clear();
        let number_of = SkinnedPrimitive::numbers(primitives);
        let mut weights = Vec::new();
        morph::weights_into(pose, &mut weights);
        for draw in &gpu.draws {
            // Skinning gives every primitive of every instance, and draws are some of these.
            let skinned = &primitives[number_of[&(draw.instance, draw.primitive)]];
            let surface = surface(gpu.model(), draw, &weights);
            let vertices = &gpu.batch(draw).1.vertices;
            self.draws.push(CpuSpans::append(&mut bytes, skinned, surface, vertices));
        }
        let size = bytes.len() as u64;
        let mut buffer = match self.buffer.take().filter(|buffer| buffer.size() >= size) {
            Some(buffer) => buffer,
            None => {
                let usage = vk::BufferUsageFlags::VERTEX_BUFFER;
                Buffer::new(device, "vertices skinned by the CPU", size, usage, MemoryLocation::CpuToGpu)?
            }
        };
        buffer.write(0, &bytes);
        self.buffer = Some(buffer);
        Ok(())
    }

    /// The buffer, once it was filled.
    pub(crate) fn buffer(&self) -> &Buffer {
        self.buffer.as_ref().expect("`fill` came before")
    }

    /// Where a draw's vertices are, once it was filled.
    pub(crate) fn spans(&self, draw: usize) -> CpuSpans {
        self.draws[draw]
    }
}

/// A draw's texture coordinates and colours, where morph targets move them.
fn surface(model: &Model, draw: &Draw, weights: &[f32]) -> Surface {
    let weights = morph::weights_of(&model.rig, draw.instance_of(model), weights);
    Surface::of(draw.primitive_of(model), weights)
}

fn append<T: Pod + Default>(bytes: &mut Vec<u8>, stream: &[T], vertices: &[u32]) -> u64 {
    let offset = bytes.len() as u64;
    for &vertex in vertices {
        // The indices of a model built by hand may name vertices that it lacks.
        let value = stream.get(vertex as usize).copied().unwrap_or_default();
        bytes.extend_from_slice(bytemuck::bytes_of(&value));
    }
    offset
}
