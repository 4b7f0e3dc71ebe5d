//! Draws scenes: uploads models, fills the uniform ring, records one frame, and hands back pixels.
//! It is where models and Vulkan meet, and the only such place; it must not know files, windows or
//! command lines, and has no `unsafe`.

mod cpu_vertices;
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
pub use skin_pass::{ABSENT, SkinnedVertex, SpanLayout};
pub use streams::Stream;
pub use surroundings::SURROUNDINGS_BINDINGS;
pub use tile::{MOST_AT_ONCE, TILE, Tile};

use crate::camera::{Bounds, Camera, Orbit, Viewpoint};
use crate::framing;
use crate::image::Image;
use crate::lighting::Lighting;
use crate::look::{Background, Look, Quality, Samples};
use crate::model::Model;
use crate::overlay::{Letters, Sheet, Subject};
use crate::picking::{self, Hit, Ray};
use crate::pose::{Pose, PoseChoice};
use crate::scene::{Processor, Scene};
use crate::skinning::SkinningMode;
use crate::skinning::posed::SkinnedPrimitive;
use crate::view::View;
use crate::vulkan::{
    CommandBuffer, DescriptorSetLayout, Device, DeviceChoice, Fence, Instance, InstanceOptions, Needs,
    PassTime, PhysicalDevice, PipelineCache, Presenter, Shown, Surface, Timestamps, VulkanError, vk,
};
use cpu_vertices::CpuVertices;
use ground_pass::GroundPass;
use mesh_pass::{Call, Frame, MeshPass, Style};
use morph_pass::MorphPass;
use overlay_pass::{FrameMarks, OverlayPass};
use palettes::Palettes;
use pipelines::TargetFormat;
use skin_pass::SkinPass;
use surroundings::Surroundings;
use target::{COLOR_FORMAT, DEPTH_FORMAT, Target};

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
    target: Option<Target>,
    /// Whether the last picture's alpha says where something is.
    is_transparent: bool,
    mesh_pass: MeshPass,
    ground_pass: GroundPass,
    overlay_pass: OverlayPass,
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
                    cpu_vertices: CpuVertices::default(),
                    marks: FrameMarks::default(),
                })
            })
            .collect::<Result<Vec<_>, VulkanError>>()?;
        Ok(Self {
            frames,
            next: 0,
            target: None,
            is_transparent: false,
            mesh_pass: MeshPass::new(&device, &layouts)?,
            ground_pass: GroundPass::new(&device, &layouts)?,
            overlay_pass: OverlayPass::default(),
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

    /// Draws a part of the scene's picture, as large as the part.
    pub fn draw_tile(&mut self, gpu: &mut GpuModel, scene: &Scene, tile: Tile) -> Result<(), VulkanError> {
        let number = self.next;
        self.next = (number + 1) % FRAMES_IN_FLIGHT;
        let look = match scene.view {
            View::Shaded => scene.look,
            // What shows data casts no shadow.
            _ => Look { quality: Quality::Draft, samples: Some(scene.look.samples()), ..scene.look },
        };
        gpu.prepare_view(&scene.view)?;
        self.is_transparent = look.background == Background::Transparent;
        let samples = samples(&self.device, look.samples());
        let format = TargetFormat { color: COLOR_FORMAT, depth: DEPTH_FORMAT, samples };
        let fits = |target: &Target| target.size() == tile.size && target.format() == format;
        if !self.target.as_ref().is_some_and(fits) {
            self.device.wait_idle()?;
            // The old images go before the new ones come: both together may not fit.
            self.target = None;
            self.target = Some(Target::new(&self.device, tile.size, format)?);
        }
        self.surroundings.prepare(&self.device, &self.layouts.surroundings, look.quality)?;
        let (Some(slot), Some(target)) = (self.frames.get_mut(number), &self.target) else { return Ok(()) };
        slot.done.wait()?;

        let frame_offset = gpu.ring_stride * number as u64;
        self.palettes.set_pose(&gpu.model, &scene.pose);
        let whole = camera(gpu, scene, self.palettes.pose());
        let camera = tile.crop(whole, scene.size);
        let lighting = {
            let model = Arc::clone(&gpu.model);
            Lighting::new(&camera, gpu.outline(&scene.pose), &model, self.palettes.pose(), look.quality)
        };
        let sheet =
            sheet(gpu, scene, self.palettes.pose(), &whole, &lighting, &mut self.overlay_pass.letters);
        let block = FrameBlock::new(&camera, &lighting);
        let views = gpu.view_offsets.map(|offset| frame_offset + offset);
        let blocks = [block, block.seen_from(&lighting.shadow), block.seen_from(&lighting.contact)];
        for (view, block) in views.iter().zip(&blocks) {
            gpu.ring.write(*view as usize, bytemuck::bytes_of(block));
        }
        let FrameSlot { commands, done, timestamps, cpu_vertices, marks } = slot;
        self.overlay_pass.prepare(&self.device, &self.cache, format, &sheet, marks)?;
        let (crop, marks) = (CropBlock::new(&tile, scene.size), &*marks);
        let cpu_vertices = match scene.skin {
            Processor::Gpu => None,
            Processor::Cpu => {
                let skinned = gpu.skin_on_cpu(scene.mode, self.palettes.pose());
                cpu_vertices.fill(&self.device, gpu, &skinned, self.palettes.pose())?;
                Some(&*cpu_vertices)
            }
        };
        let frame = Frame { offset: frame_offset, cpu_vertices, surroundings: self.surroundings.set };
        let style = Style {
            mode: scene.mode,
            view: &scene.view,
            quality: look.quality,
            file_lights: !lighting.others.is_empty(),
            samples,
            eye_in_world: camera.eye_in_world,
        };
        let full = look.quality == Quality::Full;
        let calls = match scene.view {
            View::Skeleton => Vec::new(),
            _ => {
                self.mesh_pass.prepare(&self.device, &self.cache, gpu, &style, &frame, &mut self.palettes)?
            }
        };
        if full {
            self.ground_pass.prepare(&self.device, &self.cache, format)?;
        }

        let morphs = match scene.skin {
            Processor::Gpu => {
                let pose = self.palettes.pose();
                self.morph_pass.prepare(&self.device, &self.cache, gpu, number, pose)?
            }
            Processor::Cpu => false,
        };

        commands.begin(Some(timestamps))?;
        if morphs {
            commands.pass(timestamps, "morph", |commands| self.morph_pass.record(commands, gpu, number));
        }
        let [_, from_light, from_ground] = views;
        if full {
            commands.pass(timestamps, "shadows", |commands| {
                let record = |view| {
                    let (mesh_pass, calls, frame) = (&self.mesh_pass, &calls, &frame);
                    let gpu = &*gpu;
                    move |commands: &mut CommandBuffer| {
                        mesh_pass.record_casters(commands, gpu, frame, calls, view)
                    }
                };
                self.surroundings.draw_maps(commands, record(from_light), record(from_ground));
            });
        }
        commands.pass(timestamps, "mesh", |commands| {
            target.draw(commands, look.background.linear(), |commands| {
                let (solid, blended): (Vec<&Call>, Vec<&Call>) =
                    calls.iter().partition(|call| !call.is_blended());
                self.mesh_pass.record(commands, gpu, &frame, solid.into_iter());
                if full {
                    self.ground_pass.record(
                        commands,
                        format,
                        gpu.frame_set,
                        frame_offset,
                        &self.surroundings,
                    );
                }
                self.mesh_pass.record(commands, gpu, &frame, blended.into_iter());
                self.overlay_pass.record_within(commands, format, &crop, marks);
                self.overlay_pass.record_above(commands, format, &crop, marks);
            });
        });
        commands.submit(done)?;
        if morphs {
            gpu.settle_morphs();
        }
        Ok(())
    }

    /// The last drawn picture, waiting for it.
    pub fn read(&self) -> Result<Image, VulkanError> {
        let Some(target) = &self.target else {
            return Ok(Image { width: 0, height: 0, rgba: Vec::new() });
        };
        let rgba = transfer::read_image(&self.device, "read picture", &target.picture)?;
        let [width, height] = target.size();
        let mut image = Image { width, height, rgba };
        if self.is_transparent {
            image.divide_by_alpha();
        }
        Ok(image)
    }

    /// What is under a pixel of the scene's picture.
    pub fn pick(&mut self, gpu: &mut GpuModel, scene: &Scene, pixel: DVec2) -> Option<Hit> {
        self.palettes.set_pose(&gpu.model, &scene.pose);
        let camera = camera(gpu, scene, self.palettes.pose());
        let skinned = gpu.skin_on_cpu(scene.mode, self.palettes.pose());
        let (origin, direction) = camera.sight(pixel, scene.size);
        picking::pick(&gpu.model, &skinned, &Ray { origin, direction })
    }

    /// Shows the last drawn picture in a window.
    pub fn show(&self, presenter: &mut Presenter) -> Result<Shown, VulkanError> {
        match &self.target {
            Some(target) => presenter.show(&target.picture),
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

    /// How long the passes of the last frame took on the GPU, waiting for it.
    pub fn pass_times(&self) -> Result<Vec<PassTime>, VulkanError> {
        let last = (self.next + FRAMES_IN_FLIGHT - 1) % FRAMES_IN_FLIGHT;
        match self.frames.get(last) {
            Some(slot) => {
                slot.done.wait()?;
                slot.timestamps.read()
            }
            None => Ok(Vec::new()),
        }
    }
}

impl Drop for Renderer {
    fn drop(&mut self) {
        if let Err(error) = self.device.wait_idle() {
            tracing::error!("the device did not finish: {error}");
        }
        self.cache.save();
    }
}

/// The scene's viewpoint in its pose: a camera of the file follows its node. One that the model does not
/// have is the default viewpoint.
fn camera(gpu: &mut GpuModel, scene: &Scene, pose: &Pose) -> Camera {
    let orbit = match &scene.camera {
        Viewpoint::Orbit(orbit) => *orbit,
        Viewpoint::InFile { camera, .. } => {
            let camera = gpu.model.cameras.get(*camera);
            let placed = camera.and_then(|camera| Some((camera, pose.world_from_node.get(camera.node)?)));
            if let Some((camera, world_from_node)) = placed {
                return Camera::through(&camera.projection, world_from_node, scene.size);
            }
            Orbit::default()
        }
    };
    Camera::new(&orbit, gpu.outline_of(scene), scene.size)
}

/// What is laid over a scene's picture.
fn sheet(
    gpu: &mut GpuModel,
    scene: &Scene,
    pose: &Pose,
    camera: &Camera,
    lighting: &Lighting,
    letters: &mut Letters,
) -> Sheet {
    let mut overlays = scene.overlays;
    overlays.skeleton |= scene.view == View::Skeleton;
    let bounds = if overlays.bounds { gpu.bounds(scene.mode, &scene.pose, pose) } else { None };
    let mut motion = Bounds::EMPTY;
    gpu.outline(&scene.pose).iter().for_each(|&point| motion.add(point));
    let legend = gpu.view_colors.as_ref().filter(|colors| scene.legend && colors.view == scene.view);
    let subject = Subject {
        model: &gpu.model,
        pose,
        camera,
        size: scene.size,
        on_dark: scene.look.background.is_dark(),
        ground: (lighting.ground, lighting.ground_radius),
        bounds,
        motion: motion.or_unit(),
        legend: legend.and_then(|colors| colors.legend(&gpu.model)),
    };
    subject.draw(overlays, letters)
}

/// What a scene asks for, where the device can, else one.
fn samples(device: &Device, wanted: Samples) -> vk::SampleCountFlags {
    let limits = &device.physical().limits;
    let both = limits.framebuffer_color_sample_counts & limits.framebuffer_depth_sample_counts;
    match wanted {
        Samples::Four if both.contains(vk::SampleCountFlags::TYPE_4) => vk::SampleCountFlags::TYPE_4,
        Samples::Four | Samples::One => vk::SampleCountFlags::TYPE_1,
    }
}
