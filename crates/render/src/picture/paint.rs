//! The pass that paints a [`Painting`] over the content of a window.

use std::collections::HashMap;
use std::mem::offset_of;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use crate::interface::formats::AttachmentFormats;
use crate::interface::shaders;
use crate::passes::over_pipelines::{Over, OverPipelines};
use crate::picture::painting::{PaintTexture, PaintVertex, Painting};
use crate::upload::transfer::upload_images;
use sinew_vulkan::{
    Buffer, CommandBuffer, Descriptor, DescriptorPool, DescriptorSet, DescriptorSetLayout, Device, Image,
    ImageDesc, PipelineCache, PipelineLayout, Sampler, SamplerDesc, VertexStream, VulkanError, vk,
};

/// Maps pixels to clip space: the push constants of `paint.vert`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct PaintBlock {
    /// x and y: scale; z and w: offset.
    pub scale: [f32; 4],
}

/// The binding of set 0 of `paint.frag`.
pub const PAINT_BINDINGS: [vk::DescriptorType; 1] = [vk::DescriptorType::COMBINED_IMAGE_SAMPLER];

/// Describes one attribute of a corner in a buffer of corners.
const fn stream(location: u32, format: vk::Format) -> VertexStream {
    VertexStream { location, format, stride: size_of::<PaintVertex>() as u32, per_vertex: true }
}

/// The attributes of a corner in the order of their locations, with their offsets.
pub const PAINT_STREAMS: [(VertexStream, usize); 3] = [
    (stream(0, vk::Format::R32G32_SFLOAT), offset_of!(PaintVertex, place)),
    (stream(1, vk::Format::R32G32_SFLOAT), offset_of!(PaintVertex, within)),
    (stream(2, vk::Format::R8G8B8A8_UNORM), offset_of!(PaintVertex, color)),
];

/// The paint pass.
pub(crate) struct PaintPass {
    pipelines: OverPipelines,
    textures: HashMap<u64, Texture>,
    layout: PipelineLayout,
    set_layout: DescriptorSetLayout,
    sampler: Sampler,
}

/// A texture on the GPU.
struct Texture {
    set: DescriptorSet,
    generation: u64,
    _pool: DescriptorPool,
    _image: Image,
}

/// The painting of one frame in flight on the GPU: indices, then corners.
#[derive(Default)]
pub(crate) struct FramePaint {
    buffer: Option<Buffer>,
    corners: u64,
}

impl PaintPass {
    pub(crate) fn new(device: &Arc<Device>) -> Result<Self, VulkanError> {
        let set_layout =
            DescriptorSetLayout::new(device, "paint", &PAINT_BINDINGS, vk::ShaderStageFlags::FRAGMENT)?;
        let size = size_of::<PaintBlock>() as u32;
        let layout =
            PipelineLayout::new(device, "paint", &[&set_layout], vk::ShaderStageFlags::VERTEX, size)?;
        let sampler = Sampler::new(
            device,
            "paint",
            SamplerDesc {
                address: [vk::SamplerAddressMode::CLAMP_TO_EDGE; 2],
                mag: vk::Filter::LINEAR,
                min: vk::Filter::LINEAR,
                mip: None,
                compare: None,
            },
        )?;
        Ok(Self {
            pipelines: OverPipelines::default(),
            textures: HashMap::new(),
            layout,
            set_layout,
            sampler,
        })
    }

    /// Uploads a painting; the GPU must have finished with the frame's earlier one.
    pub(crate) fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        format: AttachmentFormats,
        painting: &Painting,
        frame: &mut FramePaint,
    ) -> Result<(), VulkanError> {
        let is_kept = |name: &u64| painting.textures.iter().any(|texture| texture.name == *name);
        let is_new = |texture: &&PaintTexture| {
            self.textures.get(&texture.name).is_none_or(|made| made.generation != texture.generation)
        };
        let new: Vec<&PaintTexture> = painting.textures.iter().filter(is_new).collect();
        if !new.is_empty() || !self.textures.keys().all(is_kept) {
            // The GPU may still read the old ones.
            device.wait_idle()?;
            self.textures.retain(|name, _| is_kept(name));
        }
        for texture in new {
            let made = self.upload(device, texture)?;
            self.textures.insert(texture.name, made);
        }
        frame.fill(device, painting)?;
        let over = Over {
            name: "paint",
            layout: &self.layout,
            vertex: shaders::PAINT_VERT,
            fragment: shaders::PAINT_FRAG,
            streams: &PAINT_STREAMS.map(|(stream, _)| stream),
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
        };
        self.pipelines.prepare(device, cache, format, &over)
    }

    /// Records the last prepared painting, onto an image of this size.
    pub(crate) fn record(
        &self,
        commands: &mut CommandBuffer,
        format: AttachmentFormats,
        size: [u32; 2],
        painting: &Painting,
        frame: &FramePaint,
    ) {
        // Pieces without triangles need no buffer.
        let Some(buffer) = &frame.buffer else { return };
        let pipeline = self.pipelines.get(format);
        let [x, y] = size.map(|side| 2.0 / side.max(1) as f32);
        let block = PaintBlock { scale: [x, y, -1.0, -1.0] };
        let views = PAINT_STREAMS.map(|(_, offset)| (buffer, frame.corners + offset as u64));
        commands.bind_graphics(pipeline, vk::CullModeFlags::NONE, vk::FrontFace::COUNTER_CLOCKWISE);
        commands.push_constants(&self.layout, bytemuck::bytes_of(&block));
        commands.bind_vertex_buffers(&views);
        for piece in &painting.pieces {
            let ([first, count], [corner, wanted]) = (piece.indices, piece.clip);
            let clip = [0, 1].map(|axis| wanted[axis].min(size[axis].saturating_sub(corner[axis])));
            // The caller may have freed a texture that a piece still names.
            let Some(texture) = self.textures.get(&piece.texture) else { continue };
            if count == 0 || clip.contains(&0) {
                continue;
            }
            commands.clip(corner, clip);
            commands.bind_set(vk::PipelineBindPoint::GRAPHICS, &self.layout, 0, texture.set, &[]);
            commands.bind_index_buffer(buffer, u64::from(first) * size_of::<u32>() as u64);
            commands.draw_indexed(0..count);
        }
    }

    fn upload(&self, device: &Arc<Device>, texture: &PaintTexture) -> Result<Texture, VulkanError> {
        let name = format!("paint texture {}", texture.name);
        let desc = ImageDesc::picture(
            texture.size,
            vk::Format::R8G8B8A8_UNORM,
            vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::SAMPLED,
        );
        let image = upload_images(device, &name, desc, &texture.rgba, &[0])?;
        let pool = DescriptorPool::new(device, &name, &[(&self.set_layout, 1)])?;
        let shown = [Descriptor::Image { image: &image, sampler: &self.sampler }];
        let set = pool.set(&name, &self.set_layout, &shown)?;
        Ok(Texture { set, generation: texture.generation, _pool: pool, _image: image })
    }
}

impl FramePaint {
    fn fill(&mut self, device: &Arc<Device>, painting: &Painting) -> Result<(), VulkanError> {
        let indices = bytemuck::cast_slice::<_, u8>(&painting.indices);
        let vertices = bytemuck::cast_slice::<_, u8>(&painting.vertices);
        let size = (indices.len() + vertices.len()) as u64;
        self.corners = indices.len() as u64;
        if size == 0 {
            return Ok(());
        }
        let usage = vk::BufferUsageFlags::VERTEX_BUFFER | vk::BufferUsageFlags::INDEX_BUFFER;
        let mut buffer = Buffer::with_room(device, "paint", self.buffer.take(), size, usage)?;
        buffer.write(0, indices);
        buffer.write(indices.len(), vertices);
        self.buffer = Some(buffer);
        Ok(())
    }
}
