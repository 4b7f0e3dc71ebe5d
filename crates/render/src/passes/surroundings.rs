//! Set 2: the studio, and the maps of the key light's and the ground's views, which this pass draws.

use std::sync::Arc;

use crate::interface::formats::DEPTH_FORMAT;
use crate::interface::studio;
use crate::upload::transfer::{run_once, upload_images};
use sinew_scene::environment::Environment;
use sinew_scene::lighting::{CONTACT_SIDE, SHADOW_SIDE};
use sinew_scene::look::Quality;
use sinew_vulkan::{
    CommandBuffer, DepthAttachment, Descriptor, DescriptorPool, DescriptorSet, DescriptorSetLayout, Device,
    Image, ImageBarrier, ImageDesc, Layers, Rendering, Sampler, SamplerDesc, VulkanError, vk,
};

/// Set 2 and its images.
pub(crate) struct Surroundings {
    /// Handle for binding.
    pub set: DescriptorSet,
    maps: Maps,
    _pool: DescriptorPool,
    studio: Image,
    /// The light of an environment, and its image.
    environment: Option<(Arc<Environment>, Image)>,
    samplers: Samplers,
}

/// The maps, at the size that a quality needs.
struct Maps {
    quality: Quality,
    shadow: Image,
    contact: Image,
}

struct Samplers {
    studio: Sampler,
    shadow: Sampler,
    contact: Sampler,
}

impl Surroundings {
    /// Uploads the studio, with empty maps.
    pub(crate) fn new(device: &Arc<Device>, layout: &DescriptorSetLayout) -> Result<Self, VulkanError> {
        let images = studio::MIRROR_IMAGES.unpack();
        let studio = upload_cube(device, "studio", vk::Format::R16G16_SFLOAT, 4, &images)?;
        let (samplers, maps) = (Samplers::new(device)?, Maps::new(device, Quality::Draft)?);
        let (pool, set) = bind(device, layout, &studio, &maps, &samplers)?;
        Ok(Self { set, maps, _pool: pool, studio, environment: None, samplers })
    }

    /// Creates the maps at the size that the quality needs, and binds an environment or the studio.
    pub(crate) fn prepare(
        &mut self,
        device: &Arc<Device>,
        layout: &DescriptorSetLayout,
        quality: Quality,
        wanted: Option<&Arc<Environment>>,
    ) -> Result<(), VulkanError> {
        let shown = self.environment.as_ref().map(|(shown, _)| shown);
        let is_around = match (shown, wanted) {
            (Some(shown), Some(wanted)) => Arc::ptr_eq(shown, wanted) || shown == wanted,
            (shown, wanted) => shown.is_none() && wanted.is_none(),
        };
        // A quality without maps can keep large ones.
        let fits = self.maps.quality == Quality::Full || quality != Quality::Full;
        if fits && is_around {
            return Ok(());
        }
        device.wait_idle()?;
        if !fits {
            self.maps = Maps::new(device, quality)?;
        }
        if !is_around {
            let upload = |wanted: &Arc<Environment>| {
                let (format, images) = (vk::Format::R16G16B16A16_SFLOAT, &wanted.mirror_images);
                let image = upload_cube(device, "environment", format, 8, images)?;
                Ok::<_, VulkanError>((Arc::clone(wanted), image))
            };
            self.environment = wanted.map(upload).transpose()?;
        }
        let around = self.environment.as_ref().map_or(&self.studio, |(_, image)| image);
        let (pool, set) = bind(device, layout, around, &self.maps, &self.samplers)?;
        (self.set, self._pool) = (set, pool);
        Ok(())
    }

    /// Draws both maps, and leaves them readable.
    pub(crate) fn draw_maps(
        &self,
        commands: &mut CommandBuffer,
        shadow: impl FnOnce(&mut CommandBuffer),
        contact: impl FnOnce(&mut CommandBuffer),
    ) {
        self.maps.draw(commands, shadow, contact);
    }
}

/// Returns set 2 with the surrounding light and the maps.
fn bind(
    device: &Arc<Device>,
    layout: &DescriptorSetLayout,
    around: &Image,
    maps: &Maps,
    samplers: &Samplers,
) -> Result<(DescriptorPool, DescriptorSet), VulkanError> {
    let pool = DescriptorPool::new(device, "surroundings", &[(layout, 1)])?;
    let images = [
        Descriptor::Image { image: around, sampler: &samplers.studio },
        Descriptor::Image { image: &maps.shadow, sampler: &samplers.shadow },
        Descriptor::Image { image: &maps.contact, sampler: &samplers.contact },
    ];
    let set = pool.set("surroundings", layout, &images)?;
    Ok((pool, set))
}

/// Uploads mirror images with `bytes` bytes per texel.
fn upload_cube(
    device: &Arc<Device>,
    name: &str,
    format: vk::Format,
    bytes: u64,
    images: &[u8],
) -> Result<Image, VulkanError> {
    let level = |number: u32| u64::from(studio::FACE >> number);
    let mut offsets = vec![0];
    for number in 0..studio::LEVELS - 1 {
        offsets.push(offsets[number as usize] + level(number) * level(number) * 6 * bytes);
    }
    let desc = ImageDesc {
        size: [studio::FACE; 2],
        format,
        samples: vk::SampleCountFlags::TYPE_1,
        mip_levels: studio::LEVELS,
        layers: Layers::Cube,
        usage: vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::SAMPLED,
        aspect: vk::ImageAspectFlags::COLOR,
    };
    upload_images(device, name, desc, images, &offsets)
}

impl Maps {
    fn new(device: &Arc<Device>, quality: Quality) -> Result<Self, VulkanError> {
        let map = |name: &str, side: u32| {
            let desc = ImageDesc {
                size: [side; 2],
                format: DEPTH_FORMAT,
                samples: vk::SampleCountFlags::TYPE_1,
                mip_levels: 1,
                layers: Layers::One,
                usage: vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT | vk::ImageUsageFlags::SAMPLED,
                aspect: vk::ImageAspectFlags::DEPTH,
            };
            Image::new(device, name, desc)
        };
        let [shadow, contact] = match quality {
            Quality::Full => [SHADOW_SIDE, CONTACT_SIDE],
            Quality::Draft | Quality::Plain => [1, 1],
        };
        let maps =
            Self { quality, shadow: map("shadow map", shadow)?, contact: map("contact map", contact)? };
        if quality != Quality::Full {
            // Bound to shaders that do not read them.
            run_once(device, "empty maps", |commands| maps.draw(commands, |_| (), |_| ()))?;
        }
        Ok(maps)
    }

    /// Draws both maps, and leaves them readable.
    fn draw(
        &self,
        commands: &mut CommandBuffer,
        shadow: impl FnOnce(&mut CommandBuffer),
        contact: impl FnOnce(&mut CommandBuffer),
    ) {
        use vk::{AccessFlags2 as Access, ImageLayout as Layout, PipelineStageFlags2 as Stage};
        let tests = (
            Stage::EARLY_FRAGMENT_TESTS | Stage::LATE_FRAGMENT_TESTS,
            Access::DEPTH_STENCIL_ATTACHMENT_READ | Access::DEPTH_STENCIL_ATTACHMENT_WRITE,
        );
        let reads = (Stage::FRAGMENT_SHADER, Access::SHADER_READ);
        let images = [&self.shadow, &self.contact];
        commands.image_barriers(&images.map(|image| ImageBarrier {
            image,
            from: Layout::UNDEFINED,
            to: Layout::DEPTH_ATTACHMENT_OPTIMAL,
            // The last frame may still read.
            after: reads,
            before: tests,
        }));
        commands.begin_rendering(&depth_alone(&self.shadow));
        shadow(commands);
        commands.end_rendering();
        commands.begin_rendering(&depth_alone(&self.contact));
        contact(commands);
        commands.end_rendering();
        commands.image_barriers(&images.map(|image| ImageBarrier {
            image,
            from: Layout::DEPTH_ATTACHMENT_OPTIMAL,
            to: Layout::SHADER_READ_ONLY_OPTIMAL,
            after: tests,
            before: reads,
        }));
    }
}

/// Returns a depth-only target that is read afterwards.
fn depth_alone(image: &Image) -> Rendering<'_> {
    Rendering { size: image.desc().size, color: None, depth: Some(DepthAttachment { image, keep: true }) }
}

impl Samplers {
    fn new(device: &Arc<Device>) -> Result<Self, VulkanError> {
        let smooth = SamplerDesc {
            address: [vk::SamplerAddressMode::CLAMP_TO_EDGE; 2],
            mag: vk::Filter::LINEAR,
            min: vk::Filter::LINEAR,
            mip: Some(vk::SamplerMipmapMode::LINEAR),
            compare: None,
        };
        // Beyond a map, and in its empty parts, everything is infinitely far away. Shaders filter maps themselves.
        let map = SamplerDesc {
            address: [vk::SamplerAddressMode::CLAMP_TO_BORDER; 2],
            mag: vk::Filter::NEAREST,
            min: vk::Filter::NEAREST,
            mip: None,
            compare: None,
        };
        let compared = SamplerDesc { compare: Some(vk::CompareOp::GREATER_OR_EQUAL), ..map };
        Ok(Self {
            studio: Sampler::new(device, "studio", smooth)?,
            shadow: Sampler::new(device, "shadow map", compared)?,
            contact: Sampler::new(device, "contact map", map)?,
        })
    }
}
