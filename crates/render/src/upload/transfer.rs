//! Copies bytes to the GPU and pixels back, with submissions that wait until they are done.

use std::sync::Arc;

use crate::upload::mip::Levels;
use sinew_vulkan::{
    Buffer, CommandBuffer, Device, Fence, Image, ImageBarrier, ImageDesc, Layers, MemoryLocation, Timestamps,
    VulkanError, vk,
};

/// Records commands as a separate pass, submits them and waits until they are done.
pub fn run_once(
    device: &Arc<Device>,
    name: &str,
    record: impl FnOnce(&mut CommandBuffer),
) -> Result<(), VulkanError> {
    let mut commands = CommandBuffer::new(device, name)?;
    let mut timestamps = Timestamps::new(device, name, 1)?;
    let done = Fence::new(device, name)?;
    commands.begin(Some(&mut timestamps))?;
    commands.pass(&mut timestamps, name, record);
    let outcome = commands.submit(&done).and_then(|()| done.wait());
    if outcome.is_err() {
        // The commands must outlive the GPU's work on them; a lost device returns at once.
        device.finish();
    }
    outcome?;
    for time in timestamps.read()? {
        tracing::debug!("pass {}: {:.3} ms on the GPU", time.pass, time.millis);
    }
    Ok(())
}

/// Returns a buffer in the GPU's own memory with these bytes.
pub fn upload_buffer(
    device: &Arc<Device>,
    name: &str,
    usage: vk::BufferUsageFlags,
    bytes: &[u8],
) -> Result<Buffer, VulkanError> {
    let usage = usage | vk::BufferUsageFlags::TRANSFER_DST;
    let buffer = Buffer::new(device, name, bytes.len() as u64, usage, MemoryLocation::GpuOnly)?;
    rewrite_buffer(device, &buffer, bytes)?;
    Ok(buffer)
}

/// Largest number of bytes to stage together, unless one buffer has more.
const STAGED_TOGETHER: u64 = 32 << 20;

/// Writes a buffer's bytes.
pub type Fill<'a> = Box<dyn FnOnce(&mut [u8]) + 'a>;

/// The content of a new buffer.
pub struct Content<'a> {
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Writes the whole content, into memory that may be slow to read.
    pub fill: Fill<'a>,
}

/// Returns buffers in the GPU's own memory. For a software driver that is host memory, and contents are written
/// directly. Otherwise, small ones are copied together, because a submission takes longer than many copies.
pub fn upload_buffers<'a>(
    device: &Arc<Device>,
    usage: vk::BufferUsageFlags,
    contents: impl Iterator<Item = Content<'a>>,
) -> Result<Vec<Buffer>, VulkanError> {
    let usage = usage | vk::BufferUsageFlags::TRANSFER_DST;
    let is_software = device.physical().is_software();
    let place = if is_software { MemoryLocation::CpuToGpu } else { MemoryLocation::GpuOnly };
    let mut buffers: Vec<Buffer> = Vec::new();
    let mut waiting: Vec<Content<'a>> = Vec::new();
    let mut size = 0;
    for content in contents {
        let mut buffer = Buffer::new(device, &content.name, content.size, usage, place)?;
        if let Some(bytes) = buffer.bytes_mut() {
            (content.fill)(&mut bytes[..content.size as usize]);
            buffers.push(buffer);
            continue;
        }
        buffers.push(buffer);
        size += content.size;
        waiting.push(content);
        if size >= STAGED_TOGETHER {
            copy_all(device, &buffers, std::mem::take(&mut waiting))?;
            size = 0;
        }
    }
    copy_all(device, &buffers, waiting)?;
    Ok(buffers)
}

/// Copies contents into the last buffers, with one submission.
fn copy_all(device: &Arc<Device>, buffers: &[Buffer], contents: Vec<Content<'_>>) -> Result<(), VulkanError> {
    let buffers = &buffers[buffers.len() - contents.len()..];
    let [first, ..] = buffers else { return Ok(()) };
    let sizes: Vec<u64> = contents.iter().map(|content| content.size).collect();
    let usage = vk::BufferUsageFlags::TRANSFER_SRC;
    let name = format!("{} (staging)", first.name());
    let mut staging = Buffer::new(device, &name, sizes.iter().sum(), usage, MemoryLocation::CpuToGpu)?;
    let mut bytes = staging.bytes_mut().expect("made where the host sees it");
    for content in contents {
        let (own, rest) = bytes.split_at_mut(content.size as usize);
        (content.fill)(own);
        bytes = rest;
    }
    run_once(device, &format!("{} (upload)", first.name()), |commands| {
        let mut begin = 0;
        for (buffer, &size) in buffers.iter().zip(&sizes).filter(|(_, size)| **size > 0) {
            commands.copy_buffer(&staging, buffer, &[(begin, 0, size)]);
            begin += size;
        }
        see_copies(commands);
    })
}

/// Makes copies visible to vertices, indices, all shaders and copies of later submissions.
fn see_copies(commands: &mut CommandBuffer) {
    use vk::{AccessFlags2 as Access, PipelineStageFlags2 as Stage};
    commands.memory_barrier(
        (Stage::COPY, Access::TRANSFER_WRITE),
        (
            Stage::VERTEX_INPUT
                | Stage::VERTEX_SHADER
                | Stage::FRAGMENT_SHADER
                | Stage::COMPUTE_SHADER
                | Stage::COPY,
            Access::INDEX_READ
                | Access::VERTEX_ATTRIBUTE_READ
                | Access::UNIFORM_READ
                | Access::SHADER_READ
                | Access::TRANSFER_READ,
        ),
    );
}

/// Replaces the whole content of an uploaded buffer, while no frame reads it.
pub fn rewrite_buffer(device: &Arc<Device>, buffer: &Buffer, bytes: &[u8]) -> Result<(), VulkanError> {
    let name = buffer.name();
    let staging = stage(device, name, &[bytes])?;
    run_once(device, &format!("{name} (upload)"), |commands| {
        commands.copy_buffer(&staging, buffer, &[(0, 0, staging.size())]);
        see_copies(commands);
    })
}

/// Returns the number of levels of a texture, each half as large as the previous one, down to one pixel.
pub fn texture_levels(size: [u32; 2]) -> u32 {
    u32::BITS - size[0].max(size[1]).max(1).leading_zeros()
}

/// Uploads a texture with all its mip levels, four bytes per pixel.
pub fn upload_texture(
    device: &Arc<Device>,
    name: &str,
    format: vk::Format,
    levels: Levels<'_>,
) -> Result<Image, VulkanError> {
    let desc = ImageDesc {
        size: levels.size,
        format,
        samples: vk::SampleCountFlags::TYPE_1,
        mip_levels: levels.offsets.len() as u32,
        layers: Layers::One,
        usage: vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::SAMPLED,
        aspect: vk::ImageAspectFlags::COLOR,
    };
    let Levels { largest, smaller, offsets, .. } = levels;
    let staging = stage(device, name, &[&largest, &smaller])?;
    // The image may need the memory of these.
    drop((largest, smaller));
    image_from(device, name, desc, &staging, &offsets)
}

/// Uploads an image whose levels lie in `bytes` at `offsets`, with all layers of a level in a row.
pub fn upload_images(
    device: &Arc<Device>,
    name: &str,
    desc: ImageDesc,
    bytes: &[u8],
    offsets: &[u64],
) -> Result<Image, VulkanError> {
    image_from(device, name, desc, &stage(device, name, &[bytes])?, offsets)
}

fn image_from(
    device: &Arc<Device>,
    name: &str,
    desc: ImageDesc,
    staging: &Buffer,
    offsets: &[u64],
) -> Result<Image, VulkanError> {
    let image = Image::new(device, name, desc)?;
    let copy = (vk::PipelineStageFlags2::COPY, vk::AccessFlags2::TRANSFER_WRITE);
    run_once(device, &format!("{name} (upload)"), |commands| {
        commands.image_barriers(&[ImageBarrier {
            image: &image,
            from: vk::ImageLayout::UNDEFINED,
            to: vk::ImageLayout::TRANSFER_DST_OPTIMAL,
            after: (vk::PipelineStageFlags2::NONE, vk::AccessFlags2::NONE),
            before: copy,
        }]);
        commands.copy_buffer_to_levels(staging, offsets, &image);
        commands.image_barriers(&[ImageBarrier {
            image: &image,
            from: vk::ImageLayout::TRANSFER_DST_OPTIMAL,
            to: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
            after: copy,
            before: (vk::PipelineStageFlags2::FRAGMENT_SHADER, vk::AccessFlags2::SHADER_READ),
        }]);
    })?;
    Ok(image)
}

/// Reads the pixels of an image in `TRANSFER_SRC_OPTIMAL` layout, four bytes each.
pub fn read_image(device: &Arc<Device>, name: &str, image: &Image) -> Result<Vec<u8>, VulkanError> {
    let [width, height] = image.desc().size;
    let size = u64::from(width) * u64::from(height) * 4;
    let usage = vk::BufferUsageFlags::TRANSFER_DST;
    let buffer = Buffer::new(device, name, size, usage, MemoryLocation::GpuToCpu)?;
    run_once(device, name, |commands| {
        commands.copy_image_to_buffer(image, &buffer);
        commands.memory_barrier(
            (vk::PipelineStageFlags2::COPY, vk::AccessFlags2::TRANSFER_WRITE),
            (vk::PipelineStageFlags2::HOST, vk::AccessFlags2::HOST_READ),
        );
    })?;
    let bytes = buffer.bytes().expect("memory for `GpuToCpu` is mapped");
    Ok(bytes[..size as usize].to_vec())
}

/// Returns a buffer with the parts in a row.
fn stage(device: &Arc<Device>, name: &str, parts: &[&[u8]]) -> Result<Buffer, VulkanError> {
    let name = format!("{name} (staging)");
    let usage = vk::BufferUsageFlags::TRANSFER_SRC;
    let size: usize = parts.iter().map(|part| part.len()).sum();
    let mut staging = Buffer::new(device, &name, size as u64, usage, MemoryLocation::CpuToGpu)?;
    let mut end = 0;
    for part in parts {
        staging.write(end, part);
        end += part.len();
    }
    Ok(staging)
}
