//! Copies between buffers and images, and to the images of a swapchain.
//! It must not know what is copied.

use ash::vk;

use super::buffer::Buffer;
use super::commands::CommandBuffer;
use super::image::Image;

impl CommandBuffer {
    /// Copies stretches of `from`, each a first byte there, a first byte in `to`, and a length above 0.
    pub fn copy_buffer(&mut self, from: &Buffer, to: &Buffer, stretches: &[(u64, u64, u64)]) {
        let regions: Vec<_> = stretches
            .iter()
            .map(|&(src_offset, dst_offset, size)| vk::BufferCopy { src_offset, dst_offset, size })
            .collect();
        // SAFETY: the buffer is recording, and both buffers are alive and large enough.
        unsafe { self.device.raw.cmd_copy_buffer(self.raw, from.raw, to.raw, &regions) };
    }

    /// Copies tightly packed pixels to the mip levels of an image in `TRANSFER_DST_OPTIMAL` layout, each
    /// from its offset on.
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

    /// Copies a part of an image in `TRANSFER_SRC_OPTIMAL` layout to another in `TRANSFER_DST_OPTIMAL` layout, byte
    /// by byte: from a place there to a place here, as much of this size as both have.
    pub fn copy_part(&mut self, from: &Image, at: [u32; 2], to: &Image, place: [u32; 2], size: [u32; 2]) {
        let room = |image: &Image, corner: [u32; 2], axis: usize| {
            let side = image.desc().size.get(axis).copied().unwrap_or(0);
            side.saturating_sub(corner.get(axis).copied().unwrap_or(0))
        };
        let [width, height] = [0, 1].map(|axis: usize| {
            let wanted = size.get(axis).copied().unwrap_or(0);
            wanted.min(room(from, at, axis)).min(room(to, place, axis))
        });
        if width == 0 || height == 0 {
            return;
        }
        // Inside of an image, and so below what fits.
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

    /// Brings a picture in `TRANSFER_SRC_OPTIMAL` layout to an image of a swapchain, pixel by pixel from the
    /// upper left corner on, and leaves that ready to be presented. What the picture does not reach is black.
    pub(super) fn fill_swapchain_image(
        &mut self,
        from: &Image,
        to: vk::Image,
        (format, size): (vk::Format, [u32; 2]),
    ) {
        use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
        let all = vk::ImageSubresourceRange {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            base_mip_level: 0,
            level_count: 1,
            base_array_layer: 0,
            layer_count: 1,
        };
        let transfer = (Stage::ALL_TRANSFER, Access::TRANSFER_WRITE);
        let barrier = |(from, after): (_, (Stage, Access)), (to_layout, before): (_, (Stage, Access))| {
            [vk::ImageMemoryBarrier2::default()
                .image(to)
                .subresource_range(all)
                .old_layout(from)
                .new_layout(to_layout)
                .src_stage_mask(after.0)
                .src_access_mask(after.1)
                .dst_stage_mask(before.0)
                .dst_access_mask(before.1)
                .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)]
        };
        let received = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        // The wait for the image is a wait of transfers, and so comes before this.
        let begin =
            barrier((vk::ImageLayout::UNDEFINED, (Stage::ALL_TRANSFER, Access::NONE)), (received, transfer));
        let between = barrier((received, transfer), (received, transfer));
        let end = barrier(
            (received, transfer),
            (vk::ImageLayout::PRESENT_SRC_KHR, (Stage::ALL_COMMANDS, Access::NONE)),
        );
        let corners = [0, 1].map(|axis: usize| {
            let side = |sides: [u32; 2]| sides.get(axis).copied().unwrap_or(0);
            side(size).min(side(from.desc().size)).min(i32::MAX as u32) as i32
        });
        let offsets = [vk::Offset3D::default(), vk::Offset3D { x: corners[0], y: corners[1], z: 1 }];
        let layers = from.level(0);
        let region = [vk::ImageBlit::default()
            .src_subresource(layers)
            .src_offsets(offsets)
            .dst_subresource(layers)
            .dst_offsets(offsets)];
        let [x, y] = corners.map(|corner| corner as u32);
        let copy = [vk::ImageCopy::default()
            .src_subresource(layers)
            .dst_subresource(layers)
            .extent(vk::Extent3D { width: x, height: y, depth: 1 })];
        let is_covered = from.desc().size.iter().zip(size).all(|(from, to)| *from >= to);
        let black = vk::ClearColorValue { float32: [0.0, 0.0, 0.0, 1.0] };
        // SAFETY: the buffer is recording, the picture is alive and in the layout named here, and the
        // swapchain's image was acquired.
        unsafe {
            let device = &self.device.raw;
            device.cmd_pipeline_barrier2(
                self.raw,
                &vk::DependencyInfo::default().image_memory_barriers(&begin),
            );
            if !is_covered {
                device.cmd_clear_color_image(self.raw, to, received, &black, &[all]);
                device.cmd_pipeline_barrier2(
                    self.raw,
                    &vk::DependencyInfo::default().image_memory_barriers(&between),
                );
            }
            let source = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            match from.desc().format == format {
                // A software driver would have to compile something for the other way.
                true => device.cmd_copy_image(self.raw, from.raw, source, to, received, &copy),
                false => {
                    let filter = vk::Filter::NEAREST;
                    device.cmd_blit_image(self.raw, from.raw, source, to, received, &region, filter);
                }
            }
            device
                .cmd_pipeline_barrier2(self.raw, &vk::DependencyInfo::default().image_memory_barriers(&end));
        }
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
