//! Draws scenes: uploads models, fills the uniform ring, records one frame, and hands back pixels.
//! It is where models and Vulkan meet, and the only such place; it must not know files, windows or
//! command lines, and has no `unsafe`.

mod canvas;
mod compose;
mod cpu_vertices;
mod draw;
mod encode_pass;
mod features;
mod footprint;
mod frame_block;
mod gpu_materials;
mod gpu_model;
mod ground_pass;
mod material_block;
mod mesh_buffer;
mod mesh_pass;
mod middles;
mod mip;
mod morph_buffer;
mod morph_pass;
mod morphs;
mod overlay_pass;
mod paint_pass;
mod painting;
mod palettes;
mod pipelines;
pub mod shaders;
mod skin_pass;
mod streams;
mod studio;
mod surroundings;
mod target;
mod tile;
mod transfer;
mod view_colors;
mod wires;

use std::path::Path;
use std::sync::Arc;

use glam::DVec2;

pub use footprint::{Footprint, footprint};
pub use frame_block::{FrameBlock, LightBlock};
pub use gpu_materials::MATERIAL_BINDINGS;
pub use gpu_model::{Draw, GpuModel, PALETTE_WINDOW};
pub use material_block::MaterialBlock;
pub use mesh_buffer::{DrawPart, MeshBuffer, lay_out};
pub use mesh_pass::SurfaceBlock;
pub use morph_buffer::Stretch;
pub use overlay_pass::{CropBlock, LETTERS_BINDINGS, MARK_STREAMS};
pub use paint_pass::{PAINT_BINDINGS, PAINT_STREAMS, PaintBlock};
pub use painting::{PaintTexture, PaintVertex, Painting, Piece};
pub use skin_pass::{ABSENT, SkinnedVertex, SpanLayout};
pub use streams::Stream;
pub use surroundings::SURROUNDINGS_BINDINGS;
pub use tile::{MOST_AT_ONCE, TILE, Tile};

use crate::camera::Camera;
use crate::framing;
use crate::image::Image;
use crate::picking::{self, Hit, Ray};
use crate::scene::Scene;
use canvas::Canvas;
use compose::Composed;
use cpu_vertices::CpuVertices;
use encode_pass::EncodePass;
use ground_pass::GroundPass;
use mesh_pass::MeshPass;
use morph_pass::MorphPass;
use overlay_pass::{FrameMarks, OverlayPass};
use palettes::Palettes;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_vulkan::{
    self, CommandBuffer, DescriptorSetLayout, Device, DeviceChoice, Fence, Instance, InstanceOptions, Needs,
    PassTime, PhysicalDevice, PipelineCache, Presenter, Shown, Surface, Timestamps, VulkanError, vk,
};
use skin_pass::SkinPass;
use surroundings::Surroundings;
use target::Target;

/// How many frames the CPU may prepare while the GPU still draws earlier ones.
pub const FRAMES_IN_FLIGHT: usize = 2;

/// What sinew needs of a device.
pub const NEEDS: Needs = Needs { uniform_range: PALETTE_WINDOW as u32 };

/// Opens a device that can run sinew, without any window system.
pub fn open_device(options: &InstanceOptions, choice: &DeviceChoice) -> Result<Arc<Device>, VulkanError> {
    let instance = Arc::new(Instance::new(options)?);
    choose_device(&instance, choice, None)
}

/// Opens a device that can run sinew and present to a surface of the instance.
pub fn open_presenting_device(
    instance: &Arc<Instance>,
    choice: &DeviceChoice,
    surface: &Surface,
) -> Result<Arc<Device>, VulkanError> {
    choose_device(instance, choice, Some(surface))
}

fn choose_device(
    instance: &Arc<Instance>,
    choice: &DeviceChoice,
    surface: Option<&Surface>,
) -> Result<Arc<Device>, VulkanError> {
    let devices = PhysicalDevice::all(instance, NEEDS, surface)?;
    let physical = PhysicalDevice::choose(&devices, choice)?;
    tracing::info!("drawing on {} ({})", physical.name, physical.driver);
    Device::new(Arc::clone(instance), physical)
}

/// Descriptor set layouts, which pipelines and models share.
struct Layouts {
    /// Set 0: the frame block and the palette.
    frame: DescriptorSetLayout,
    /// Set 1: the material's block and its textures.
    material: DescriptorSetLayout,
    /// Set 2: the studio and the maps of shadows.
    surroundings: DescriptorSetLayout,
    /// Set 0 of the morph pass: what targets move, the weights, and the morphed streams.
    morph: DescriptorSetLayout,
}

/// What one frame in flight records into.
struct FrameSlot {
    commands: CommandBuffer,
    done: Fence,
    timestamps: Timestamps,
    /// Which picture it was last used for.
    picture: u64,
    /// Vertices skinned by the CPU, where the scene asks for that.
    cpu_vertices: CpuVertices,
    /// What is laid over the picture.
    marks: FrameMarks,
}

/// Draws scenes into its own image.
pub struct Renderer {
    // Declared, and so dropped, from what is used to what it is made of.
    frames: Vec<FrameSlot>,
    next: usize,
    /// How many pictures were drawn.
    pictures: u64,
    /// What earlier parts of the last picture took, whose slots were used again.
    spent: Vec<PassTime>,
    target: Option<Target>,
    composed: Composed,
    /// Made for the first window.
    canvas: Option<Canvas>,
    /// Whether the last picture's alpha says where something is.
    is_transparent: bool,
    mesh_pass: MeshPass,
    ground_pass: GroundPass,
    overlay_pass: OverlayPass,
    encode_pass: EncodePass,
    surroundings: Surroundings,
    skin_pass: SkinPass,
    morph_pass: MorphPass,
    layouts: Layouts,
    palettes: Palettes,
    cache: PipelineCache,
    device: Arc<Device>,
}

impl Renderer {
    /// Prepares everything that does not depend on a model; `cache` is the folder for compiled pipelines.
    pub fn new(device: Arc<Device>, cache: Option<&Path>) -> Result<Self, VulkanError> {
        let dynamic = vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC;
        let layouts = Layouts {
            frame: DescriptorSetLayout::new(
                &device,
                "frame",
                &[dynamic, dynamic],
                vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT | vk::ShaderStageFlags::COMPUTE,
            )?,
            material: DescriptorSetLayout::new(
                &device,
                "material",
                &MATERIAL_BINDINGS,
                vk::ShaderStageFlags::FRAGMENT,
            )?,
            surroundings: DescriptorSetLayout::new(
                &device,
                "surroundings",
                &SURROUNDINGS_BINDINGS,
                vk::ShaderStageFlags::FRAGMENT,
            )?,
            morph: DescriptorSetLayout::new(
                &device,
                "morph",
                &[vk::DescriptorType::STORAGE_BUFFER; 3],
                vk::ShaderStageFlags::COMPUTE,
            )?,
        };
        let frames = (0..FRAMES_IN_FLIGHT)
            .map(|number| {
                Ok(FrameSlot {
                    commands: CommandBuffer::new(&device, &format!("frame {number}"))?,
                    done: Fence::new(&device, &format!("frame {number} done"))?,
                    timestamps: Timestamps::new(&device, &format!("frame {number} times"), 8)?,
                    picture: 0,
                    cpu_vertices: CpuVertices::default(),
                    marks: FrameMarks::default(),
                })
            })
            .collect::<Result<Vec<_>, VulkanError>>()?;
        Ok(Self {
            frames,
            next: 0,
            pictures: 0,
            spent: Vec::new(),
            target: None,
            composed: Composed::default(),
            canvas: None,
            is_transparent: false,
            mesh_pass: MeshPass::new(&device, &layouts)?,
            ground_pass: GroundPass::new(&device, &layouts)?,
            overlay_pass: OverlayPass::default(),
            encode_pass: EncodePass::new(&device)?,
            surroundings: Surroundings::new(&device, &layouts.surroundings)?,
            skin_pass: SkinPass::new(&device, &layouts)?,
            morph_pass: MorphPass::new(&device, &layouts)?,
            layouts,
            palettes: Palettes::default(),
            cache: PipelineCache::open(&device, cache)?,
            device,
        })
    }

    /// The device it draws on.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// Whether the device is a software driver. Those round every operation of the shaders, so what they
    /// skin has the CPU's bits.
    pub fn is_exact(&self) -> bool {
        self.device.physical().kind == vk::PhysicalDeviceType::CPU
    }

    /// Brings a model to the GPU.
    pub fn upload(&self, model: Arc<Model>) -> Result<GpuModel, VulkanError> {
        GpuModel::new(&self.device, &self.layouts, model)
    }

    /// The same, and meanwhile looks for the outline of the pose that will be drawn first. Of a model that nobody
    /// else has, only what drawing needs is kept.
    pub fn upload_framed(&self, model: Arc<Model>, pose: &PoseChoice) -> Result<GpuModel, VulkanError> {
        std::thread::scope(|scope| {
            let framed = Arc::clone(&model);
            let outline = scope.spawn(move || framing::outline(&framed, pose));
            let mut gpu = self.upload(model)?;
            // An outline that is not known is looked for again when it is needed.
            if let Ok(outline) = outline.join() {
                gpu.frame(pose, outline);
            }
            gpu.release_pictures();
            Ok(gpu)
        })
    }

    /// Draws the scene into the renderer's picture. Does not wait for the GPU, except for the frame
    /// that used the same slot before.
    pub fn draw(&mut self, gpu: &mut GpuModel, scene: &Scene) -> Result<(), VulkanError> {
        self.draw_tile(gpu, scene, Tile::whole(scene.size))
    }

    /// Draws the scene and waits for its picture; a large one is drawn in tiles, as everywhere.
    pub fn picture(&mut self, gpu: &mut GpuModel, scene: &Scene) -> Result<Image, VulkanError> {
        if scene.size.iter().all(|side| *side <= MOST_AT_ONCE) {
            self.draw(gpu, scene)?;
            return self.read();
        }
        let mut rgba = Vec::new();
        self.draw_rows(gpu, scene, TILE, |rows| {
            rgba.extend_from_slice(rows);
            Ok::<(), VulkanError>(())
        })?;
        let [width, height] = scene.size;
        Ok(Image { width, height, rgba })
    }

    /// Draws the scene in tiles of this size and hands its rows over, a band of whole rows at a time.
    pub fn draw_rows<E: From<VulkanError>>(
        &mut self,
        gpu: &mut GpuModel,
        scene: &Scene,
        tile: [u32; 2],
        mut rows: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let row_bytes = scene.size[0] as usize * 4;
        let mut band = Vec::new();
        for tiles in tile::bands(scene.size, tile) {
            band.clear();
            for tile in tiles {
                self.draw_tile(gpu, scene, tile)?;
                let image = self.read()?;
                let left = tile.offset[0] as usize * 4;
                let height = scene.size[1].saturating_sub(tile.offset[1]).min(tile.size[1]) as usize;
                band.resize(row_bytes * height, 0);
                let from = image.rgba.chunks_exact(image.width.max(1) as usize * 4);
                for (to, from) in band.chunks_exact_mut(row_bytes).zip(from) {
                    let to = to.get_mut(left..).unwrap_or_default();
                    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
                }
            }
            rows(&band)?;
        }
        Ok(())
    }

    /// The last drawn picture, waiting for it.
    pub fn read(&self) -> Result<Image, VulkanError> {
        let mut image = self.read_image(drawn(&self.composed, self.target.as_ref()))?;
        if self.is_transparent {
            image.divide_by_alpha();
        }
        Ok(image)
    }

    fn read_image(&self, image: Option<&sinew_vulkan::Image>) -> Result<Image, VulkanError> {
        let Some(image) = image else { return Ok(Image { width: 0, height: 0, rgba: Vec::new() }) };
        let mut rgba = transfer::read_image(&self.device, "read picture", image)?;
        // Blue comes first in a window, red in a file.
        rgba.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
        let [width, height] = image.desc().size;
        Ok(Image { width, height, rgba })
    }

    /// What is under a pixel of the scene's picture, in the mode that is shown there.
    pub fn pick(&mut self, gpu: &mut GpuModel, scene: &Scene, pixel: DVec2) -> Option<Hit> {
        let (pixel, mode) = scene.locate(pixel);
        let camera = self.camera(gpu, scene);
        let skinned = gpu.skin_on_cpu(mode, self.palettes.pose());
        let (origin, direction) = camera.sight(pixel, scene.part_size());
        picking::pick(&gpu.model, &skinned, &Ray { origin, direction })
    }

    /// Where each of the scene's parts is seen from.
    pub fn camera(&mut self, gpu: &mut GpuModel, scene: &Scene) -> Camera {
        self.palettes.set_pose(&gpu.model, &scene.pose);
        draw::camera(gpu, scene, scene.part_size(), self.palettes.pose())
    }

    /// Puts the last drawn picture to a place of a window's content, and paints over it.
    pub fn fill_canvas(
        &mut self,
        size: [u32; 2],
        place: [u32; 2],
        painting: &Painting,
    ) -> Result<(), VulkanError> {
        let canvas = match &mut self.canvas {
            Some(canvas) => canvas,
            canvas => canvas.insert(Canvas::new(&self.device)?),
        };
        let drawn = drawn(&self.composed, self.target.as_ref());
        canvas.fill(&self.device, &self.cache, size, (drawn, place), painting)
    }

    /// The window's content, waiting for it.
    pub fn read_canvas(&self) -> Result<Image, VulkanError> {
        self.read_image(self.canvas.as_ref().and_then(Canvas::image))
    }

    /// Shows the canvas in a window.
    pub fn show(&self, presenter: &mut Presenter) -> Result<Shown, VulkanError> {
        match self.canvas.as_ref().and_then(Canvas::image) {
            Some(image) => presenter.show(image),
            None => Ok(Shown::Yes),
        }
    }

    /// Skins everything the model draws on the GPU and brings it back, vertices in the file's order.
    pub fn skin(
        &mut self,
        gpu: &mut GpuModel,
        mode: SkinningMode,
        pose: &PoseChoice,
    ) -> Result<Vec<SkinnedPrimitive<f32>>, VulkanError> {
        // The palettes go to the first frame's stretch of the ring.
        for slot in &self.frames {
            slot.done.wait()?;
        }
        let Self { device, cache, palettes, morph_pass, skin_pass, .. } = self;
        skin_pass.run(device, cache, palettes, morph_pass, gpu, mode, pose)
    }

    /// How long the passes of the last picture took on the GPU, waiting for it; those of its parts are added up.
    pub fn pass_times(&self) -> Result<Vec<PassTime>, VulkanError> {
        let mut times = self.spent.clone();
        for slot in self.frames.iter().filter(|slot| slot.picture == self.pictures) {
            slot.done.wait()?;
            times.extend(slot.timestamps.read()?);
        }
        let mut sums: Vec<PassTime> = Vec::new();
        for time in times {
            match sums.iter_mut().find(|sum| sum.pass == time.pass) {
                Some(sum) => {
                    sum.millis += time.millis;
                    sum.recording_millis += time.recording_millis;
                }
                None => sums.push(time),
            }
        }
        Ok(sums)
    }

    /// The same, and what it took to put the picture into a window.
    pub fn frame_times(&self) -> Result<Vec<PassTime>, VulkanError> {
        let mut times = self.pass_times()?;
        times.extend(self.canvas.as_ref().map(Canvas::times).transpose()?.unwrap_or_default());
        Ok(times)
    }
}

/// The last picture: one, or several put together.
fn drawn<'a>(composed: &'a Composed, target: Option<&'a Target>) -> Option<&'a sinew_vulkan::Image> {
    composed.shown().or(target.map(|target| &target.picture))
}

impl Drop for Renderer {
    fn drop(&mut self) {
        if let Err(error) = self.device.wait_idle() {
            tracing::error!("the device did not finish: {error}");
        }
        self.cache.save();
    }
}
