//! Materials on the GPU: their blocks, their pictures in the formats they are read in, their samplers,
//! and a descriptor set for each. It must not know meshes or draws.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::Layouts;
use super::material_block::MaterialBlock;
use super::mip::Levels;
use super::transfer::{rewrite_buffer, upload_buffer, upload_texture};
use sinew_model::{Encoding, Filter, Material, Model, Picture, Sampling, TextureRef, TextureUse, Wrap};
use sinew_vulkan::{
    Buffer, Descriptor, DescriptorPool, DescriptorSet, Device, Image, Sampler, SamplerDesc, VulkanError, vk,
};

/// The textures that `mesh.frag` reads, in the order of their bindings.
const DRAWN: [TextureUse; 5] = [
    TextureUse::BaseColor,
    TextureUse::MetallicRoughness,
    TextureUse::Normal,
    TextureUse::Occlusion,
    TextureUse::Emissive,
];

/// What each binding of set 1 is: the material's block, then its textures.
pub const MATERIAL_BINDINGS: [vk::DescriptorType; 1 + DRAWN.len()] = [
    vk::DescriptorType::UNIFORM_BUFFER,
    vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
    vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
    vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
    vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
    vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
];

/// The materials that a model's primitives have.
pub struct GpuMaterials {
    /// Set 1 for each material that is drawn; `None` is the default material.
    sets: HashMap<Option<usize>, DescriptorSet>,
    /// Which materials have blocks, and how far apart those are.
    used: Vec<Option<usize>>,
    stride: u64,
    blocks: Buffer,
    _pool: DescriptorPool,
    _samplers: HashMap<Sampling, Sampler>,
    _images: HashMap<ImageKey, Image>,
}

/// A picture is there once for each way its numbers are read; `None` is plain white.
type ImageKey = Option<(usize, Encoding)>;

/// What a material's binding shows.
type Binding = (ImageKey, Sampling);

impl GpuMaterials {
    /// Uploads what the model's primitives need.
    pub fn new(device: &Arc<Device>, layouts: &Layouts, model: &Model) -> Result<Self, VulkanError> {
        let primitives = model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let mut used: Vec<Option<usize>> = primitives.map(|primitive| primitive.material).collect();
        used.push(None);
        used.sort_unstable();
        used.dedup();
        let default = Material::default();
        let material = |number| material(&model.materials, number, &default);

        let limits = &device.physical().limits;
        let alignment = limits.min_uniform_buffer_offset_alignment.max(1);
        let stride = (size_of::<MaterialBlock>() as u64).next_multiple_of(alignment);
        let mut images = HashMap::new();
        let mut samplers = HashMap::new();
        let mut bindings = Vec::with_capacity(used.len());
        for &number in &used {
            let material = material(number);
            let shown = DRAWN.map(|role| binding(material, role, model));
            for (image, sampling) in shown {
                if let Entry::Vacant(place) = images.entry(image) {
                    place.insert(upload(device, image, model)?);
                }
                if let Entry::Vacant(place) = samplers.entry(sampling) {
                    place.insert(sampler(device, sampling)?);
                }
            }
            bindings.push(shown);
        }
        let bytes = blocks(&model.materials, &used, stride);
        let blocks = upload_buffer(device, "materials", vk::BufferUsageFlags::UNIFORM_BUFFER, &bytes)?;

        let pool =
            DescriptorPool::new(device, "material descriptors", &[(&layouts.material, used.len() as u32)])?;
        let mut sets = HashMap::with_capacity(used.len());
        for ((place, &number), shown) in (0_u64..).zip(&used).zip(&bindings) {
            let range = size_of::<MaterialBlock>() as u64;
            let mut descriptors = vec![Descriptor::Buffer { buffer: &blocks, offset: place * stride, range }];
            let textures = shown.iter().filter_map(|(image, sampling)| {
                Some(Descriptor::Image { image: images.get(image)?, sampler: samplers.get(sampling)? })
            });
            descriptors.extend(textures);
            let name = format!("material '{}'", material(number).name);
            sets.insert(number, pool.set(&name, &layouts.material, &descriptors)?);
        }
        Ok(Self { sets, used, stride, blocks, _pool: pool, _samplers: samplers, _images: images })
    }

    /// Writes the blocks anew, while no frame reads them; textures stay.
    pub(super) fn write(&mut self, device: &Arc<Device>, materials: &[Material]) -> Result<(), VulkanError> {
        rewrite_buffer(device, &self.blocks, &blocks(materials, &self.used, self.stride))
    }

    /// Set 1 for a primitive's material.
    pub fn set(&self, material: Option<usize>) -> Option<DescriptorSet> {
        self.sets.get(&material).copied()
    }
}

fn material<'a>(materials: &'a [Material], number: Option<usize>, default: &'a Material) -> &'a Material {
    number.and_then(|number| materials.get(number)).unwrap_or(default)
}

/// The blocks of some materials, so many bytes apart.
fn blocks(materials: &[Material], used: &[Option<usize>], stride: u64) -> Vec<u8> {
    let default = Material::default();
    let mut bytes = Vec::with_capacity(used.len() * stride as usize);
    for &number in used {
        let block = MaterialBlock::new(material(materials, number, &default));
        bytes.extend_from_slice(bytemuck::bytes_of(&block));
        bytes.resize(bytes.len().next_multiple_of(stride as usize), 0);
    }
    bytes
}

/// What a material's texture for `role` shows: plain white where it has none.
fn binding(material: &Material, role: TextureUse, model: &Model) -> Binding {
    let mut textures = material.textures();
    let texture: Option<&TextureRef> =
        textures.find_map(|(found, texture)| (found == role).then_some(texture));
    let there = texture.filter(|texture| picture(model, texture.picture).is_some());
    if let Some(set) = there.map(|texture| texture.texcoord).filter(|set| *set > 1) {
        let name = &material.name;
        tracing::warn!("material '{name}' uses TEXCOORD_{set}; the sets 0 and 1 are drawn, and 1 stands in");
    }
    match there {
        Some(texture) => (Some((texture.picture, role.encoding())), texture.sampling),
        None => (None, Sampling::default()),
    }
}

fn picture(model: &Model, number: usize) -> Option<&Picture> {
    model.pictures.get(number).and_then(Option::as_ref)
}

fn upload(device: &Arc<Device>, key: ImageKey, model: &Model) -> Result<Image, VulkanError> {
    let max_side = device.physical().limits.max_image_dimension2_d;
    let found = key.and_then(|(number, encoding)| Some((number, encoding, picture(model, number)?)));
    let Some((number, encoding, picture)) = found else {
        let white =
            Levels { size: [1, 1], largest: vec![u8::MAX; 4].into(), smaller: Vec::new(), offsets: vec![0] };
        return upload_texture(device, "plain white", vk::Format::R8G8B8A8_UNORM, white);
    };
    let levels = Levels::new(picture, encoding, max_side);
    if levels.size != [picture.width, picture.height] {
        let [width, height] = levels.size;
        tracing::warn!("picture {number} is larger than the device can hold; drawn with {width}x{height}");
    }
    let (format, suffix) = match encoding {
        Encoding::Srgb => (vk::Format::R8G8B8A8_SRGB, "sRGB"),
        Encoding::Linear => (vk::Format::R8G8B8A8_UNORM, "linear"),
    };
    upload_texture(device, &format!("picture {number} ({suffix})"), format, levels)
}

fn sampler(device: &Arc<Device>, sampling: Sampling) -> Result<Sampler, VulkanError> {
    let address = |wrap| match wrap {
        Wrap::Repeat => vk::SamplerAddressMode::REPEAT,
        Wrap::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
        Wrap::Clamp => vk::SamplerAddressMode::CLAMP_TO_EDGE,
    };
    let filter = |filter| match filter {
        Filter::Nearest => vk::Filter::NEAREST,
        Filter::Linear => vk::Filter::LINEAR,
    };
    let desc = SamplerDesc {
        address: [address(sampling.wrap_s), address(sampling.wrap_t)],
        mag: filter(sampling.mag),
        min: filter(sampling.min),
        mip: sampling.mip.map(|mip| match mip {
            Filter::Nearest => vk::SamplerMipmapMode::NEAREST,
            Filter::Linear => vk::SamplerMipmapMode::LINEAR,
        }),
        compare: None,
    };
    Sampler::new(device, &format!("{sampling:?}"), desc)
}
