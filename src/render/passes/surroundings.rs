//! Set 2: the studio, and the maps of what the key light and the ground see, which it draws.

use std::sync::Arc;

use crate::lighting::{CONTACT_SIDE, SHADOW_SIDE};
use crate::look::Quality;
use crate::render::interface::formats::DEPTH_FORMAT;
use crate::render::interface::studio;
use crate::render::upload::transfer::{run_once, upload_images};
use sinew_vulkan::{
    CommandBuffer, DepthAttachment, Descriptor, DescriptorPool, DescriptorSet, DescriptorSetLayout, Device,
    Image, ImageBarrier, ImageDesc, Layers, Rendering, Sampler, SamplerDesc, VulkanError, vk,
};

/// Set 2 and its images.
pub(crate) struct Surroundings {
    /// For binding.
    pub set: DescriptorSet,
    maps: Maps,
    _pool: DescriptorPool,
    studio: Arc<Image>,
    samplers: Arc<Samplers>,
}

/// The maps, as large as a quality needs them.
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
    /// Uploads the studio, with maps that show nothing.
    pub(crate) fn new(device: &Arc<Device>, layout: &DescriptorSetLayout) -> Result<Self, VulkanError> {
        let level = |number: u32| (studio::FACE >> number) as u64;
        let mut offsets = vec![0];
        for number in 0..studio::LEVELS - 1 {
            offsets.push(offsets[number as usize] + level(number) * level(number) * 6 * 4);
        }
        let desc = ImageDesc {
            size: [studio::FACE; 2],
            format: vk::Format::R16G16_SFLOAT,
            samples: vk::SampleCountFlags::TYPE_1,
            mip_levels: studio::LEVELS,
            layers: Layers::Cube,
            usage: vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::SAMPLED,
            aspect: vk::ImageAspectFlags::COLOR,
        };
        let image = upload_images(device, "studio", desc, &studio::MIRROR_IMAGES.unpack(), &offsets)?;
        let samplers = Arc::new(Samplers::new(device)?);
        Self::with_maps(device, layout, Arc::new(image), samplers, Quality::Draft)
    }

    fn with_maps(
        device: &Arc<Device>,
        layout: &DescriptorSetLayout,
        studio: Arc<Image>,
        samplers: Arc<Samplers>,
        quality: Quality,
    ) -> Result<Self, VulkanError> {
        let maps = Maps::new(device, quality)?;
        let pool = DescriptorPool::new(device, "surroundings", &[(layout, 1)])?;
        let set = pool.set(
            "surroundings",
            layout,
            &[
                Descriptor::Image { image: &studio, sampler: &samplers.studio },
                Descriptor::Image { image: &maps.shadow, sampler: &samplers.shadow },
                Descriptor::Image { image: &maps.contact, sampler: &samplers.contact },
            ],
        )?;
        Ok(Self { set, maps, _pool: pool, studio, samplers })
    }

    /// Makes the maps as large as the quality needs them.
    pub(crate) fn prepare(
        &mut self,
        device: &Arc<Device>,
        layout: &DescriptorSetLayout,
        quality: Quality,
    ) -> Result<(), VulkanError> {
        // A quality that needs no maps can keep large ones.
        if self.maps.quality == Quality::Full || quality != Quality::Full {
            return Ok(());
        }
        device.wait_idle()?;
        let (studio, samplers) = (Arc::clone(&self.studio), Arc::clone(&self.samplers));
        *self = Self::with_maps(device, layout, studio, samplers, quality)?;
        Ok(())
    }

    /// Draws both maps, and leaves them to be read.
    pub(crate) fn draw_maps(
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
        let reads = (Stage::FRAGMENT_SHADER, Access::SHADER_SAMPLED_READ);
        let images = [&self.maps.shadow, &self.maps.contact];
        commands.image_barriers(&images.map(|image| ImageBarrier {
            image,
            from: Layout::UNDEFINED,
            to: Layout::DEPTH_ATTACHMENT_OPTIMAL,
            // The last frame may still read.
            after: reads,
            before: tests,
        }));
        let target = |image| Rendering {
            size: self.size_of(image),
            color: None,
            depth: Some(DepthAttachment { image, keep: true }),
        };
        commands.begin_rendering(&target(&self.maps.shadow));
        shadow(commands);
        commands.end_rendering();
        commands.begin_rendering(&target(&self.maps.contact));
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

    fn size_of(&self, image: &Image) -> [u32; 2] {
        image.desc().size
    }
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
            // Never drawn into, but bound to shaders that do not read them.
            run_once(device, "empty maps", |commands| {
                commands.image_barriers(&[&maps.shadow, &maps.contact].map(|image| ImageBarrier {
                    image,
                    from: vk::ImageLayout::UNDEFINED,
                    to: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
                    after: (vk::PipelineStageFlags2::NONE, vk::AccessFlags2::NONE),
                    before: (vk::PipelineStageFlags2::FRAGMENT_SHADER, vk::AccessFlags2::SHADER_SAMPLED_READ),
                }));
            })?;
        }
        Ok(maps)
    }
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
        // Beyond a map, and where it is empty, everything is infinitely far away. Shaders filter maps themselves.
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
