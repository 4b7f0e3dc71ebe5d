//! Materials on the GPU: their blocks, their textures in each required encoding, their samplers, and a descriptor set
//! for each.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::interface::layouts::{DRAWN_TEXTURES, Layouts};
use crate::interface::material_block::MaterialBlock;
use crate::upload::mip::Levels;
use crate::upload::transfer::{rewrite_buffer, upload_buffer, upload_texture};
use sinew_model::gltf::{one_line, shortened};
use sinew_model::{Encoding, Filter, Material, Model, Picture, Sampling, TextureRef, TextureUse, Wrap};
use sinew_scene::scene::{Retouch, retouched};
use sinew_vulkan::{
    Buffer, Descriptor, DescriptorPool, DescriptorSet, Device, Image, Sampler, SamplerDesc, VulkanError, vk,
};

/// The materials of a model's primitives.
pub struct GpuMaterials {
    /// Set 1 for each drawn material; `None` is the default material.
    sets: HashMap<Option<usize>, DescriptorSet>,
    /// The materials with blocks, and the distance between those.
    used: Vec<Option<usize>>,
    stride: u64,
    blocks: Buffer,
    /// The model's materials as currently shown, and their edits.
    shown: Vec<Material>,
    retouches: Vec<Retouch>,
    default: Material,
    _pool: DescriptorPool,
    _samplers: HashMap<Sampling, Sampler>,
    _images: HashMap<ImageKey, Image>,
}

/// Key of an uploaded picture, once for each encoding; `None` is plain white.
type ImageKey = Option<(usize, Encoding)>;

/// The image and the sampling of a texture binding.
type Binding = (ImageKey, Sampling);

impl GpuMaterials {
    /// Uploads the materials of the model's primitives.
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
            let shown = DRAWN_TEXTURES.map(|role| binding(material, role, model));
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
            descriptors.extend(shown.iter().map(|(image, sampling)| Descriptor::Image {
                image: &images[image],
                sampler: &samplers[sampling],
            }));
            let name = format!("material '{}'", material(number).name);
            sets.insert(number, pool.set(&name, &layouts.material, &descriptors)?);
        }
        Ok(Self {
            sets,
            used,
            stride,
            blocks,
            shown: model.materials.clone(),
            retouches: Vec::new(),
            default,
            _pool: pool,
            _samplers: samplers,
            _images: images,
        })
    }

    /// Shows the model's materials with other factors; waits for frames in flight. Textures stay.
    pub fn retouch(
        &mut self,
        device: &Arc<Device>,
        materials: &[Material],
        retouches: &[Retouch],
    ) -> Result<(), VulkanError> {
        if self.retouches == retouches {
            return Ok(());
        }
        device.wait_idle()?;
        let shown = retouched(materials, retouches);
        rewrite_buffer(device, &self.blocks, &blocks(&shown, &self.used, self.stride))?;
        (self.shown, self.retouches) = (shown, retouches.to_vec());
        Ok(())
    }

    /// Returns a primitive's current material.
    pub fn shown(&self, number: Option<usize>) -> &Material {
        material(&self.shown, number, &self.default)
    }

    /// Returns set 1 for a primitive's material.
    pub fn set(&self, number: Option<usize>) -> DescriptorSet {
        self.sets[&number]
    }
}

/// Returns a material. The default replaces a missing one, and one that a hand-built model names but lacks.
fn material<'a>(materials: &'a [Material], number: Option<usize>, default: &'a Material) -> &'a Material {
    number.and_then(|number| materials.get(number)).unwrap_or(default)
}

/// Returns the blocks of the used materials, `stride` bytes apart.
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

/// Returns the image and sampling of a material's texture for `role`; plain white if it has none.
fn binding(material: &Material, role: TextureUse, model: &Model) -> Binding {
    let mut textures = material.textures();
    let texture: Option<&TextureRef> =
        textures.find_map(|(found, texture)| (found == role).then_some(texture));
    let there = texture.filter(|texture| picture(model, texture.picture).is_some());
    if let Some(set) = there.map(|texture| texture.texcoord).filter(|set| *set > 1) {
        let name = one_line(&shortened(&material.name));
        tracing::warn!("material '{name}' uses TEXCOORD_{set}; the sets 0 and 1 are drawn, and 1 stands in");
    }
    match there {
        Some(texture) => (Some((texture.picture, role.encoding())), texture.sampling),
        None => (None, Sampling::default()),
    }
}

/// Returns a picture of the model. A picture is missing if the loader could not decode it. One of a hand-built model
/// is missing if the model lacks it, or some of its pixels: the GPU would read beyond them.
fn picture(model: &Model, number: usize) -> Option<&Picture> {
    let is_whole = |picture: &&Picture| {
        let pixels = picture.width as usize * picture.height as usize;
        pixels > 0 && picture.rgba.len() == pixels * 4
    };
    model.pictures.get(number).and_then(Option::as_ref).filter(is_whole)
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
