//! Copies between buffers and images, and to swapchain images.

use ash::vk;

use super::buffer::Buffer;
use super::commands::CommandBuffer;
use super::image::Image;

impl CommandBuffer {
    /// Copies stretches of `from`. Each is an offset in `from`, an offset in `to`, and a length above 0.
    pub fn copy_buffer(&mut self, from: &Buffer, to: &Buffer, stretches: &[(u64, u64, u64)]) {
        let regions: Vec<_> = stretches
            .iter()
            .map(|&(src_offset, dst_offset, size)| vk::BufferCopy { src_offset, dst_offset, size })
            .collect();
        // SAFETY: the buffer is recording, and both buffers are alive and large enough.
        unsafe { self.device.raw.cmd_copy_buffer(self.raw, from.raw, to.raw, &regions) };
    }

    /// Copies tightly packed pixels to the mip levels of an image in `TRANSFER_DST_OPTIMAL` layout. Each level starts
    /// at its offset.
    pub fn copy_buffer_to_levels(&mut self, from: &Buffer, offsets: &[u64], to: &Image) {
        let levels = (0..to.desc().mip_levels).zip(offsets);
        let regions: Vec<_> =
            levels.map(|(level, &offset)| self.whole_level(to, level).buffer_offset(offset)).collect();
        let layout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        // SAFETY: the buffer is recording, and both are alive.
        unsafe { self.device.raw.cmd_copy_buffer_to_image(self.raw, from.raw, to.raw, layout, &regions) };
    }

    /// Copies mip level 0 of an image in `TRANSFER_SRC_OPTIMAL` layout to tightly packed pixels.
    pub fn copy_image_to_buffer(&mut self, from: &Image, to: &Buffer) {
        let region = self.whole_level(from, 0);
        let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        // SAFETY: the buffer is recording, and both are alive.
        unsafe { self.device.raw.cmd_copy_image_to_buffer(self.raw, from.raw, layout, to.raw, &[region]) };
    }

    /// Copies a region of an image in `TRANSFER_SRC_OPTIMAL` layout to another in `TRANSFER_DST_OPTIMAL` layout,
    /// without conversion. The size is clamped to both images.
    pub fn copy_region(&mut self, from: &Image, at: [u32; 2], to: &Image, place: [u32; 2], size: [u32; 2]) {
        let room = |image: &Image, corner: [u32; 2], axis: usize| {
            image.desc().size[axis].saturating_sub(corner[axis])
        };
        let [width, height] =
            [0, 1].map(|axis| size[axis].min(room(from, at, axis)).min(room(to, place, axis)));
        if width == 0 || height == 0 {
            return;
        }
        // The position is inside an image, whose sides fit an `i32`.
        let corner = |[x, y]: [u32; 2]| vk::Offset3D { x: x as i32, y: y as i32, z: 0 };
        let region = vk::ImageCopy::default()
            .src_subresource(from.level(0))
            .src_offset(corner(at))
            .dst_subresource(to.level(0))
            .dst_offset(corner(place))
            .extent(vk::Extent3D { width, height, depth: 1 });
        // SAFETY: the buffer is recording, and both images are alive and in the layouts named above.
        unsafe {
            self.device.raw.cmd_copy_image(
                self.raw,
                from.raw,
                vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
                to.raw,
                vk::ImageLayout::TRANSFER_DST_OPTIMAL,
                &[region],
            );
        }
    }

    /// Fills a colour image in `TRANSFER_DST_OPTIMAL` layout with one colour.
    pub fn clear(&mut self, image: &Image, color: [f32; 4]) {
        let color = vk::ClearColorValue { float32: color };
        let layout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        // SAFETY: the buffer is recording, and the image is alive and in the layout named above.
        unsafe { self.device.raw.cmd_clear_color_image(self.raw, image.raw, layout, &color, &[image.all()]) };
    }

    /// Copies a picture in `TRANSFER_SRC_OPTIMAL` layout to the upper left corner of a swapchain image, pixel by pixel,
    /// and leaves that image ready to present. The rest of it is black.
    pub(super) fn fill_swapchain_image(
        &mut self,
        from: &Image,
        to: vk::Image,
        (format, size): (vk::Format, [u32; 2]),
    ) {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        let written = State {
            layout: vk::ImageLayout::TRANSFER_DST_OPTIMAL,
            stage: Stage::ALL_TRANSFER,
            access: Access::TRANSFER_WRITE,
        };
        // Transfers wait for the image, so this barrier comes after that wait.
        let acquired =
            State { layout: vk::ImageLayout::UNDEFINED, stage: Stage::ALL_TRANSFER, access: Access::NONE };
        // All transfers finish before the semaphore that presentation waits for is signalled.
        let presented = State {
            layout: vk::ImageLayout::PRESENT_SRC_KHR,
            stage: Stage::ALL_TRANSFER,
            access: Access::NONE,
        };
        self.swapchain_barrier(to, acquired, written);
        let is_covered = from.desc().size.iter().zip(size).all(|(from, to)| *from >= to);
        if !is_covered {
            let black = vk::ClearColorValue { float32: [0.0, 0.0, 0.0, 1.0] };
            // SAFETY: the buffer is recording, and the swapchain's image was acquired and is in this layout.
            unsafe {
                self.device.raw.cmd_clear_color_image(
                    self.raw,
                    to,
                    written.layout,
                    &black,
                    &[SWAPCHAIN_RANGE],
                );
            }
            self.swapchain_barrier(to, written, written);
        }
        let shared = [0, 1].map(|axis| size[axis].min(from.desc().size[axis]));
        self.copy_to_swapchain(from, to, format, shared);
        self.swapchain_barrier(to, written, presented);
    }

    /// Copies the upper left pixels, of this size, to a swapchain image in `TRANSFER_DST_OPTIMAL` layout.
    fn copy_to_swapchain(&mut self, from: &Image, to: vk::Image, format: vk::Format, size: [u32; 2]) {
        let (source, received) =
            (vk::ImageLayout::TRANSFER_SRC_OPTIMAL, vk::ImageLayout::TRANSFER_DST_OPTIMAL);
        let layers = from.level(0);
        let [width, height] = size.map(|side| side.min(i32::MAX as u32));
        if from.desc().format == format {
            // A software driver would have to compile code for a blit.
            let copy = vk::ImageCopy::default()
                .src_subresource(layers)
                .dst_subresource(layers)
                .extent(vk::Extent3D { width, height, depth: 1 });
            // SAFETY: the buffer is recording, the picture is alive, and both images are in the layouts named here.
            unsafe { self.device.raw.cmd_copy_image(self.raw, from.raw, source, to, received, &[copy]) };
            return;
        }
        let corner = vk::Offset3D { x: width as i32, y: height as i32, z: 1 };
        let offsets = [vk::Offset3D::default(), corner];
        let blit = [vk::ImageBlit::default()
            .src_subresource(layers)
            .src_offsets(offsets)
            .dst_subresource(layers)
            .dst_offsets(offsets)];
        let filter = vk::Filter::NEAREST;
        // SAFETY: as above.
        unsafe { self.device.raw.cmd_blit_image(self.raw, from.raw, source, to, received, &blit, filter) };
    }

    fn swapchain_barrier(&mut self, image: vk::Image, from: State, to: State) {
        let barrier = [vk::ImageMemoryBarrier2::default()
            .image(image)
            .subresource_range(SWAPCHAIN_RANGE)
            .old_layout(from.layout)
            .new_layout(to.layout)
            .src_stage_mask(from.stage)
            .src_access_mask(from.access)
            .dst_stage_mask(to.stage)
            .dst_access_mask(to.access)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)];
        let info = vk::DependencyInfo::default().image_memory_barriers(&barrier);
        // SAFETY: the buffer is recording, and the swapchain's image was acquired.
        unsafe { self.device.raw.cmd_pipeline_barrier2(self.raw, &info) };
    }

    fn whole_level(&self, image: &Image, level: u32) -> vk::BufferImageCopy {
        let [width, height] = image.desc().size.map(|side| (side >> level).max(1));
        vk::BufferImageCopy::default().image_subresource(image.level(level)).image_extent(vk::Extent3D {
            width,
            height,
            depth: 1,
        })
    }
}

/// The full range of a swapchain image.
const SWAPCHAIN_RANGE: vk::ImageSubresourceRange = vk::ImageSubresourceRange {
    aspect_mask: vk::ImageAspectFlags::COLOR,
    base_mip_level: 0,
    level_count: 1,
    base_array_layer: 0,
    layer_count: 1,
};

/// A swapchain image's layout, and the work on it, before or after a barrier.
#[derive(Clone, Copy)]
struct State {
    layout: vk::ImageLayout,
    stage: vk::PipelineStageFlags2,
    access: vk::AccessFlags2,
}
