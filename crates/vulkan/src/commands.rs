//! Recording and submission: one wrapper for each Vulkan command in use.

use std::ffi::CString;
use std::ops::Range;
use std::sync::Arc;

use ash::vk;

use super::bound::Bound;
use super::buffer::Buffer;
use super::descriptor::DescriptorSet;
use super::device::Device;
use super::error::{Named, VulkanError};
use super::image::Image;
use super::owned::Owned;
use super::pipeline::{ComputePipeline, GraphicsPipeline, PipelineLayout};
use super::sync::{Fence, Semaphore};
use super::timestamps::Timestamps;

/// A command buffer with a separate pool.
pub struct CommandBuffer {
    pub(super) raw: vk::CommandBuffer,
    pool: vk::CommandPool,
    name: String,
    bound: Bound,
    pub(super) device: Owned,
}

/// A colour attachment.
pub struct Attachment<'a> {
    /// The image to draw into.
    pub image: &'a Image,
    /// Clear colour; `None` keeps the image's content.
    pub clear: Option<[f32; 4]>,
}

/// A depth attachment, cleared to infinite distance.
pub struct DepthAttachment<'a> {
    /// The image to draw into.
    pub image: &'a Image,
    /// True if later commands read the depth.
    pub keep: bool,
}

/// Attachments of a rendering pass.
pub struct Rendering<'a> {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The colour attachment, if any.
    pub color: Option<Attachment<'a>>,
    /// The depth attachment, if any.
    pub depth: Option<DepthAttachment<'a>>,
}

/// A change of an image's layout, between earlier and later work.
pub struct ImageBarrier<'a> {
    /// The image, with all its levels and layers.
    pub image: &'a Image,
    /// Layout before; `UNDEFINED` discards the pixels.
    pub from: vk::ImageLayout,
    /// Layout after.
    pub to: vk::ImageLayout,
    /// The work that must finish first.
    pub after: (vk::PipelineStageFlags2, vk::AccessFlags2),
    /// The work that waits.
    pub before: (vk::PipelineStageFlags2, vk::AccessFlags2),
}

impl CommandBuffer {
    /// Creates an empty command buffer.
    pub fn new(device: &Arc<Device>, name: &str) -> Result<Self, VulkanError> {
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(device.physical.queue_family);
        // SAFETY: the device is alive.
        let pool =
            unsafe { device.raw.create_command_pool(&info, None) }.named("vkCreateCommandPool", name)?;
        device.set_name(pool, name);
        let mut commands = Self {
            raw: vk::CommandBuffer::null(),
            pool,
            name: name.to_owned(),
            bound: Bound::default(),
            device: Owned::new(device, name),
        };
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: the pool was made above, and one buffer is asked for.
        let buffers =
            unsafe { device.raw.allocate_command_buffers(&info) }.named("vkAllocateCommandBuffers", name)?;
        commands.raw = buffers[0];
        device.set_name(commands.raw, name);
        Ok(commands)
    }

    /// Starts recording again. The GPU must have finished the previous recording.
    pub fn begin(&mut self, timestamps: Option<&mut Timestamps>) -> Result<(), VulkanError> {
        // SAFETY: the caller has waited for the last submission.
        unsafe { self.device.raw.reset_command_pool(self.pool, vk::CommandPoolResetFlags::empty()) }
            .named("vkResetCommandPool", &self.name)?;
        let info = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the buffer was just reset.
        unsafe { self.device.raw.begin_command_buffer(self.raw, &info) }
            .named("vkBeginCommandBuffer", &self.name)?;
        self.bound = Bound::default();
        if let Some(timestamps) = timestamps {
            timestamps.reset(self.raw);
        }
        Ok(())
    }

    /// Ends recording and submits the commands. The GPU signals `done` when it finishes.
    pub fn submit(&mut self, done: &Fence) -> Result<(), VulkanError> {
        self.submit_with(&[], &[], done)
    }

    /// Submits commands whose transfers wait for `after` and that signal both `before` and `done`.
    pub(super) fn submit_between(
        &mut self,
        after: &Semaphore,
        before: &Semaphore,
        done: &Fence,
    ) -> Result<(), VulkanError> {
        let semaphore = |semaphore: &Semaphore, stage| {
            [vk::SemaphoreSubmitInfo::default().semaphore(semaphore.raw).stage_mask(stage)]
        };
        let waits = semaphore(after, vk::PipelineStageFlags2::ALL_TRANSFER);
        let signals = semaphore(before, vk::PipelineStageFlags2::ALL_COMMANDS);
        self.submit_with(&waits, &signals, done)
    }

    fn submit_with(
        &mut self,
        waits: &[vk::SemaphoreSubmitInfo<'_>],
        signals: &[vk::SemaphoreSubmitInfo<'_>],
        done: &Fence,
    ) -> Result<(), VulkanError> {
        // SAFETY: the buffer is recording.
        unsafe { self.device.raw.end_command_buffer(self.raw) }.named("vkEndCommandBuffer", &self.name)?;
        let buffers = [vk::CommandBufferSubmitInfo::default().command_buffer(self.raw)];
        let work = vk::SubmitInfo2::default()
            .command_buffer_infos(&buffers)
            .wait_semaphore_infos(waits)
            .signal_semaphore_infos(signals);
        done.submit(&work, &self.name)
    }

    /// Records a labelled group of commands between two timestamps.
    pub fn pass<R>(
        &mut self,
        timestamps: &mut Timestamps,
        label: &str,
        record: impl FnOnce(&mut Self) -> R,
    ) -> R {
        // A name from a file may contain a zero byte; such a label is left out.
        let c_label = CString::new(label).unwrap_or_default();
        if let Some(debug_utils) = &self.device.debug_utils {
            let info = vk::DebugUtilsLabelEXT::default().label_name(&c_label);
            // SAFETY: the buffer is recording, and the label lives until the call returns.
            unsafe { debug_utils.cmd_begin_debug_utils_label(self.raw, &info) };
        }
        let number = timestamps.begin(self.raw, label);
        let result = record(self);
        timestamps.end(self.raw, number);
        if let Some(debug_utils) = &self.device.debug_utils {
            // SAFETY: the buffer is recording, and the label was begun above.
            unsafe { debug_utils.cmd_end_debug_utils_label(self.raw) };
        }
        result
    }

    /// Starts drawing into images, with a viewport that covers them.
    pub fn begin_rendering(&mut self, target: &Rendering<'_>) {
        let [width, height] = target.size;
        let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width, height } };
        let colors: Vec<_> = target.color.iter().map(color_attachment).collect();
        let depth = target.depth.as_ref().map(depth_attachment);
        let mut info =
            vk::RenderingInfo::default().render_area(area).layer_count(1).color_attachments(&colors);
        if let Some(depth) = &depth {
            info = info.depth_attachment(depth);
        }
        let viewport =
            vk::Viewport { width: width as f32, height: height as f32, max_depth: 1.0, ..Default::default() };
        // SAFETY: the buffer is recording, and the images are alive and in the layouts named here.
        unsafe {
            self.device.raw.cmd_begin_rendering(self.raw, &info);
            self.device.raw.cmd_set_viewport(self.raw, 0, &[viewport]);
            self.device.raw.cmd_set_scissor(self.raw, 0, &[area]);
        }
    }

    /// Ends drawing.
    pub fn end_rendering(&mut self) {
        // SAFETY: the buffer is recording and drawing.
        unsafe { self.device.raw.cmd_end_rendering(self.raw) };
    }

    /// Clears a rectangle of the colour attachment.
    pub fn clear_area(&mut self, offset: [u32; 2], size: [u32; 2], color: [f32; 4]) {
        let [x, y] = offset.map(|n| n.min(i32::MAX as u32) as i32);
        let [width, height] = size;
        let area = vk::Rect2D { offset: vk::Offset2D { x, y }, extent: vk::Extent2D { width, height } };
        let clear = vk::ClearAttachment {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            color_attachment: 0,
            clear_value: vk::ClearValue { color: vk::ClearColorValue { float32: color } },
        };
        let area = vk::ClearRect { rect: area, base_array_layer: 0, layer_count: 1 };
        // SAFETY: the buffer is recording and drawing to a colour attachment, which holds the rectangle.
        unsafe { self.device.raw.cmd_clear_attachments(self.raw, &[clear], &[area]) };
    }

    /// Restricts drawing to a rectangle.
    pub fn clip(&mut self, offset: [u32; 2], size: [u32; 2]) {
        let [x, y] = offset.map(|n| n.min(i32::MAX as u32) as i32);
        let [width, height] = size;
        let area = vk::Rect2D { offset: vk::Offset2D { x, y }, extent: vk::Extent2D { width, height } };
        // SAFETY: the buffer is recording.
        unsafe { self.device.raw.cmd_set_scissor(self.raw, 0, &[area]) };
    }

    /// Binds a graphics pipeline and sets face culling and the winding of front faces.
    pub fn bind_graphics(
        &mut self,
        pipeline: &GraphicsPipeline,
        cull: vk::CullModeFlags,
        front: vk::FrontFace,
    ) {
        if self.bound.graphics(pipeline.raw) {
            // SAFETY: the buffer is recording, and the pipeline is alive.
            unsafe {
                self.device.raw.cmd_bind_pipeline(self.raw, vk::PipelineBindPoint::GRAPHICS, pipeline.raw);
            }
        }
        if self.bound.sides(cull, front) {
            // SAFETY: the buffer is recording.
            unsafe {
                self.device.raw.cmd_set_cull_mode(self.raw, cull);
                self.device.raw.cmd_set_front_face(self.raw, front);
            }
        }
    }

    /// Binds a compute pipeline.
    pub fn bind_compute(&mut self, pipeline: &ComputePipeline) {
        // SAFETY: the buffer is recording, and the pipeline is alive.
        unsafe {
            self.device.raw.cmd_bind_pipeline(self.raw, vk::PipelineBindPoint::COMPUTE, pipeline.raw);
        }
    }

    /// Binds a descriptor set as set `number`.
    pub fn bind_set(
        &mut self,
        point: vk::PipelineBindPoint,
        layout: &PipelineLayout,
        number: u32,
        set: DescriptorSet,
        dynamic_offsets: &[u32],
    ) {
        if !self.bound.set((point, number), layout.raw, set.raw, dynamic_offsets) {
            return;
        }
        // SAFETY: the buffer is recording; layout, set and what it shows are alive.
        unsafe {
            self.device.raw.cmd_bind_descriptor_sets(
                self.raw,
                point,
                layout.raw,
                number,
                &[set.raw],
                dynamic_offsets,
            );
        }
    }

    /// Sets the push constants.
    pub fn push_constants(&mut self, layout: &PipelineLayout, bytes: &[u8]) {
        if !self.bound.pushed(layout.raw, bytes) {
            return;
        }
        // SAFETY: the buffer is recording, and the validation layer checks the range.
        unsafe { self.device.raw.cmd_push_constants(self.raw, layout.raw, layout.push_stages, 0, bytes) };
    }

    /// Binds views of buffers as bindings 0, 1, 2, …. Each view starts at its offset.
    pub fn bind_vertex_buffers(&mut self, views: &[(&Buffer, u64)]) {
        if !self.bound.vertices(views.iter().map(|(buffer, offset)| (buffer.raw, *offset))) {
            return;
        }
        let (buffers, offsets): (Vec<_>, Vec<_>) =
            views.iter().map(|(buffer, offset)| (buffer.raw, *offset)).unzip();
        // SAFETY: the buffer is recording, and the buffers are alive.
        unsafe { self.device.raw.cmd_bind_vertex_buffers(self.raw, 0, &buffers, &offsets) };
    }

    /// Binds 32-bit indices, starting at an offset.
    pub fn bind_index_buffer(&mut self, buffer: &Buffer, offset: u64) {
        if self.bound.indices(buffer.raw, offset) {
            // SAFETY: the buffer is recording, and the index buffer is alive.
            unsafe {
                self.device.raw.cmd_bind_index_buffer(self.raw, buffer.raw, offset, vk::IndexType::UINT32);
            }
        }
    }

    /// Draws a range of indices.
    pub fn draw_indexed(&mut self, indices: Range<u32>) {
        self.draw_instances(indices, 0..1);
    }

    /// Draws a range of indices once for each instance.
    pub fn draw_instances(&mut self, indices: Range<u32>, instances: Range<u32>) {
        let [count, times] = [&indices, &instances].map(|range| range.end.saturating_sub(range.start));
        // SAFETY: the buffer is recording and drawing with a pipeline, sets and buffers bound.
        unsafe {
            self.device.raw.cmd_draw_indexed(self.raw, count, times, indices.start, 0, instances.start);
        }
    }

    /// Draws `count` vertices without vertex buffers.
    pub fn draw(&mut self, count: u32) {
        // SAFETY: the buffer is recording and drawing with a pipeline and its sets bound.
        unsafe { self.device.raw.cmd_draw(self.raw, count, 1, 0, 0) };
    }

    /// Runs work groups: columns and rows.
    pub fn dispatch(&mut self, [columns, rows]: [u32; 2]) {
        // SAFETY: the buffer is recording, with a compute pipeline and its sets bound.
        unsafe { self.device.raw.cmd_dispatch(self.raw, columns, rows, 1) };
    }

    /// Changes image layouts.
    pub fn image_barriers(&mut self, barriers: &[ImageBarrier<'_>]) {
        let barriers: Vec<_> = barriers
            .iter()
            .map(|barrier| {
                vk::ImageMemoryBarrier2::default()
                    .image(barrier.image.raw)
                    .subresource_range(barrier.image.all())
                    .old_layout(barrier.from)
                    .new_layout(barrier.to)
                    .src_stage_mask(barrier.after.0)
                    .src_access_mask(barrier.after.1)
                    .dst_stage_mask(barrier.before.0)
                    .dst_access_mask(barrier.before.1)
                    .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            })
            .collect();
        let info = vk::DependencyInfo::default().image_memory_barriers(&barriers);
        // SAFETY: the buffer is recording, and the images are alive.
        unsafe { self.device.raw.cmd_pipeline_barrier2(self.raw, &info) };
    }

    /// Makes writes of `after` visible to `before`, for all memory.
    pub fn memory_barrier(
        &mut self,
        after: (vk::PipelineStageFlags2, vk::AccessFlags2),
        before: (vk::PipelineStageFlags2, vk::AccessFlags2),
    ) {
        let barriers = [vk::MemoryBarrier2::default()
            .src_stage_mask(after.0)
            .src_access_mask(after.1)
            .dst_stage_mask(before.0)
            .dst_access_mask(before.1)];
        let info = vk::DependencyInfo::default().memory_barriers(&barriers);
        // SAFETY: the buffer is recording.
        unsafe { self.device.raw.cmd_pipeline_barrier2(self.raw, &info) };
    }
}

fn color_attachment<'a>(color: &'a Attachment<'_>) -> vk::RenderingAttachmentInfo<'a> {
    let info = vk::RenderingAttachmentInfo::default()
        .image_view(color.image.view)
        .image_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)
        .store_op(vk::AttachmentStoreOp::STORE);
    match color.clear {
        Some(float32) => info
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .clear_value(vk::ClearValue { color: vk::ClearColorValue { float32 } }),
        None => info.load_op(vk::AttachmentLoadOp::LOAD),
    }
}

fn depth_attachment<'a>(depth: &'a DepthAttachment<'_>) -> vk::RenderingAttachmentInfo<'a> {
    vk::RenderingAttachmentInfo::default()
        .image_view(depth.image.view)
        .image_layout(vk::ImageLayout::DEPTH_ATTACHMENT_OPTIMAL)
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(match depth.keep {
            true => vk::AttachmentStoreOp::STORE,
            false => vk::AttachmentStoreOp::DONT_CARE,
        })
        .clear_value(vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth: 0.0, stencil: 0 } })
}

impl Drop for CommandBuffer {
    fn drop(&mut self) {
        // SAFETY: the renderer has waited for the GPU; destroying the pool frees its buffer.
        unsafe { self.device.raw.destroy_command_pool(self.pool, None) };
    }
}
