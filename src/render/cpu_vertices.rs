//! Vertices that the CPU has skinned, in a buffer the host writes each frame, for the same pipelines to draw.
//! It must not know how they were skinned.

use std::sync::Arc;

use bytemuck::Pod;

use super::gpu_model::{Draw, GpuModel};
use super::mesh_buffer::fractions;
use super::streams::Stream;
use sinew_skinning::morph::{self, Surface};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_vulkan::{Buffer, Device, MemoryLocation, VulkanError, vk};

/// Where one draw's vertices are in the buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct CpuSpans {
    positions: u64,
    normals: Option<u64>,
    tangents: Option<u64>,
    texcoords: [Option<u64>; 2],
    colors: Option<u64>,
}

impl CpuSpans {
    /// Where the stream is, if it is one that skinning or morph targets move.
    pub(super) fn offset(&self, stream: Stream) -> Option<u64> {
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
            | Stream::Weights3 => None,
        }
    }
}

/// One frame's vertices.
#[derive(Default)]
pub(super) struct CpuVertices {
    buffer: Option<Buffer>,
    draws: Vec<Option<CpuSpans>>,
}

impl CpuVertices {
    /// Takes over what was skinned, each draw's vertices in its part's order. The GPU must be done with
    /// what was there before.
    pub(super) fn fill(
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
            let part = gpu.part(draw).map(|(_, part)| part);
            let number = number_of.get(&(draw.instance, draw.primitive));
            let skinned = number.and_then(|&number| primitives.get(number));
            self.draws.push(part.zip(skinned).map(|(part, skinned)| {
                let surface = surface(gpu, draw, &weights);
                let colors =
                    surface.colors.map(|colors| colors.into_iter().map(fractions).collect::<Vec<_>>());
                let texcoords = [0, 1].map(|set| surface.texcoords.get(set).and_then(Option::as_ref));
                let vertices = &part.vertices;
                CpuSpans {
                    positions: append(&mut bytes, &skinned.positions, vertices),
                    normals: skinned.normals.as_ref().map(|normals| append(&mut bytes, normals, vertices)),
                    tangents: skinned
                        .tangents
                        .as_ref()
                        .map(|tangents| append(&mut bytes, tangents, vertices)),
                    texcoords: texcoords.map(|set| set.map(|set| append(&mut bytes, set, vertices))),
                    colors: colors.map(|colors| append(&mut bytes, &colors, vertices)),
                }
            }));
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
    pub(super) fn buffer(&self) -> Option<&Buffer> {
        self.buffer.as_ref()
    }

    /// Where a draw's vertices are.
    pub(super) fn spans(&self, draw: usize) -> Option<CpuSpans> {
        self.draws.get(draw).copied().flatten()
    }
}

/// What morph targets move of a draw's texture coordinates and colours.
fn surface(gpu: &GpuModel, draw: &Draw, weights: &[f32]) -> Surface {
    let model = &gpu.model;
    let primitive = model.meshes.get(draw.mesh).and_then(|mesh| mesh.primitives.get(draw.primitive));
    match (primitive, model.instances.get(draw.instance)) {
        (Some(primitive), Some(instance)) => {
            Surface::of(primitive, morph::weights_of(&model.rig, instance, weights))
        }
        _ => Surface::default(),
    }
}

fn append<T: Pod + Default>(bytes: &mut Vec<u8>, stream: &[T], vertices: &[u32]) -> u64 {
    let offset = bytes.len() as u64;
    for &vertex in vertices {
        let value = stream.get(vertex as usize).copied().unwrap_or_default();
        bytes.extend_from_slice(bytemuck::bytes_of(&value));
    }
    offset
}
