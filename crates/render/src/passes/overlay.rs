//! The pass that draws strokes and text over a picture.

use std::mem::offset_of;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use crate::interface::formats::AttachmentFormats;
use crate::interface::shaders;
use crate::passes::over_pipelines::{Over, OverPipelines};
use crate::upload::transfer::upload_images;
use sinew_scene::overlay::{Letters, Mark, Sheet};
use sinew_vulkan::{
    Buffer, CommandBuffer, Descriptor, DescriptorPool, DescriptorSet, DescriptorSetLayout, Device, Image,
    ImageDesc, PipelineCache, PipelineLayout, Sampler, SamplerDesc, VertexStream, VulkanError, vk,
};

/// Maps positions in the whole picture to positions in the drawn tile: the push constants of `overlay.vert`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct CropBlock {
    /// x and y: scale; z and w: offset.
    pub crop: [f32; 4],
}

/// The binding of set 0 of `overlay.frag`.
pub const LETTERS_BINDINGS: [vk::DescriptorType; 1] = [vk::DescriptorType::COMBINED_IMAGE_SAMPLER];

/// Describes one attribute of a mark in a buffer of marks.
const fn stream(location: u32, format: vk::Format) -> VertexStream {
    VertexStream { location, format, stride: size_of::<Mark>() as u32, per_vertex: true }
}

/// The attributes of a mark in the order of their locations, with their offsets.
pub const MARK_STREAMS: [(VertexStream, usize); 4] = [
    (stream(0, vk::Format::R32G32B32_SFLOAT), offset_of!(Mark, place)),
    (stream(1, vk::Format::R32G32_SFLOAT), offset_of!(Mark, within)),
    (stream(2, vk::Format::R32G32B32_SFLOAT), offset_of!(Mark, shape)),
    (stream(3, vk::Format::R32G32B32A32_SFLOAT), offset_of!(Mark, color)),
];

/// Draws sheets.
#[derive(Default)]
pub(crate) struct OverlayPass {
    /// Made for the first sheet.
    made: Option<Made>,
    /// The glyphs of the sheets.
    pub(crate) letters: Letters,
}

/// The pipelines and the glyphs' texture.
struct Made {
    pipelines: OverPipelines,
    picture: Option<Picture>,
    layout: PipelineLayout,
    set_layout: DescriptorSetLayout,
    sampler: Sampler,
}

/// The glyphs on the GPU.
struct Picture {
    set: DescriptorSet,
    generation: u64,
    _pool: DescriptorPool,
    _image: Image,
}

/// The marks of one frame in flight, on the GPU.
#[derive(Default)]
pub(crate) struct FrameMarks {
    buffer: Option<Buffer>,
    within: u32,
    above: u32,
}

impl OverlayPass {
    /// Uploads a sheet; the GPU must have finished with the frame's earlier marks.
    pub(crate) fn prepare(
        &mut self,
        device: &Arc<Device>,
        cache: &PipelineCache,
        format: AttachmentFormats,
        sheet: &Sheet,
        marks: &mut FrameMarks,
    ) -> Result<(), VulkanError> {
        marks.fill(device, sheet)?;
        if sheet.within.is_empty() && sheet.above.is_empty() {
            return Ok(());
        }
        let made = match &mut self.made {
            Some(made) => made,
            made => made.insert(Made::new(device)?),
        };
        made.prepare_letters(device, &self.letters)?;
        let over = Over {
            name: "overlay",
            layout: &made.layout,
            vertex: shaders::OVERLAY_VERT,
            fragment: shaders::OVERLAY_FRAG,
            streams: &MARK_STREAMS.map(|(stream, _)| stream),
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
        };
        made.pipelines.prepare(device, cache, format, &over)
    }

    /// Records the marks that surfaces can hide.
    pub(crate) fn record_within(
        &self,
        commands: &mut CommandBuffer,
        format: AttachmentFormats,
        crop: &CropBlock,
        marks: &FrameMarks,
    ) {
        self.record(commands, format, crop, marks, (0, marks.within));
    }

    /// Records the marks on top of everything.
    pub(crate) fn record_above(
        &self,
        commands: &mut CommandBuffer,
        format: AttachmentFormats,
        crop: &CropBlock,
        marks: &FrameMarks,
    ) {
        self.record(commands, format, crop, marks, (marks.within, marks.above));
    }

    fn record(
        &self,
        commands: &mut CommandBuffer,
        format: AttachmentFormats,
        crop: &CropBlock,
        marks: &FrameMarks,
        (first, count): (u32, u32),
    ) {
        if count == 0 {
            return;
        }
        let made = self.made.as_ref().expect("`prepare` made it for the first marks");
        let picture = made.picture.as_ref().expect("`prepare` uploaded the letters");
        let buffer = marks.buffer.as_ref().expect("`prepare` filled it with these marks");
        let pipeline = made.pipelines.get(format);
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        let start = u64::from(first) * size_of::<Mark>() as u64;
        let views = MARK_STREAMS.map(|(_, offset)| (buffer, start + offset as u64));
        commands.bind_graphics(pipeline, vk::CullModeFlags::NONE, vk::FrontFace::COUNTER_CLOCKWISE);
        commands.bind_set(graphics, &made.layout, 0, picture.set, &[]);
        commands.push_constants(&made.layout, bytemuck::bytes_of(crop));
        commands.bind_vertex_buffers(&views);
        commands.draw(count);
    }
}

impl CropBlock {
    /// Returns the block for a tile of a picture, from [`Tile::scale_and_offset`](crate::Tile::scale_and_offset).
    pub(crate) fn new(scale_and_offset: [[f64; 2]; 2]) -> Self {
        let [[x, add_x], [y, add_y]] = scale_and_offset.map(|axis| axis.map(|n| n as f32));
        Self { crop: [x, y, add_x, add_y] }
    }
}

impl FrameMarks {
    fn fill(&mut self, device: &Arc<Device>, sheet: &Sheet) -> Result<(), VulkanError> {
        (self.within, self.above) = (sheet.within.len() as u32, sheet.above.len() as u32);
        let [within, above] = [&sheet.within, &sheet.above].map(|marks| bytemuck::cast_slice::<_, u8>(marks));
        let size = (within.len() + above.len()) as u64;
        if size == 0 {
            return Ok(());
        }
        let usage = vk::BufferUsageFlags::VERTEX_BUFFER;
        let mut buffer = Buffer::with_room(device, "overlay marks", self.buffer.take(), size, usage)?;
        buffer.write(0, within);
        buffer.write(within.len(), above);
        self.buffer = Some(buffer);
        Ok(())
    }
}

impl Made {
    fn new(device: &Arc<Device>) -> Result<Self, VulkanError> {
        let set_layout = DescriptorSetLayout::new(
            device,
            "overlay letters",
            &LETTERS_BINDINGS,
            vk::ShaderStageFlags::FRAGMENT,
        )?;
        let size = size_of::<CropBlock>() as u32;
        let layout =
            PipelineLayout::new(device, "overlay", &[&set_layout], vk::ShaderStageFlags::VERTEX, size)?;
        let sampler = Sampler::new(
            device,
            "overlay letters",
            SamplerDesc {
                address: [vk::SamplerAddressMode::CLAMP_TO_EDGE; 2],
                mag: vk::Filter::NEAREST,
                min: vk::Filter::NEAREST,
                mip: None,
                compare: None,
            },
        )?;
        Ok(Self { pipelines: OverPipelines::default(), picture: None, layout, set_layout, sampler })
    }

    /// Uploads the glyphs if they have changed.
    fn prepare_letters(&mut self, device: &Arc<Device>, letters: &Letters) -> Result<(), VulkanError> {
        let generation = letters.generation();
        if self.picture.as_ref().is_some_and(|picture| picture.generation == generation) {
            return Ok(());
        }
        // The GPU may still read the old ones.
        device.wait_idle()?;
        self.picture = None;
        let ([width, height], coverage) = letters.coverage();
        // An empty pixel, if there are no glyphs.
        let (size, bytes) = if height == 0 { ([1, 1], &[0_u8; 4][..]) } else { ([width, height], coverage) };
        let desc = ImageDesc::picture(
            size,
            vk::Format::R8_UNORM,
            vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::SAMPLED,
        );
        let image = upload_images(device, "overlay letters", desc, bytes, &[0])?;
        let pool = DescriptorPool::new(device, "overlay letters", &[(&self.set_layout, 1)])?;
        let shown = [Descriptor::Image { image: &image, sampler: &self.sampler }];
        let set = pool.set("overlay letters", &self.set_layout, &shown)?;
        self.picture = Some(Picture { set, generation, _pool: pool, _image: image });
        Ok(())
    }
}
