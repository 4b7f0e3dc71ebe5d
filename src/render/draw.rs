//! Drawing a frame: what a scene asks for is prepared, recorded and submitted.
//! It must not know where the picture goes.

use super::compose::{self, Paste};
use super::frame_block::FrameBlock;
use super::gpu_model::GpuModel;
use super::mesh_pass::{Call, Frame, Style};
use super::overlay_pass::CropBlock;
use super::pipelines::TargetFormat;
use super::target::{DEPTH_FORMAT, LIGHT_FORMAT, Target};
use super::tile::Tile;
use super::{FRAMES_IN_FLIGHT, FrameSlot, Renderer};
use crate::camera::{Bounds, Camera, Orbit, Viewpoint};
use crate::lighting::Lighting;
use crate::look::{Background, Look, Quality, Samples};
use crate::overlay::{Caption, Ghost, Letters, Sheet, Subject};
use crate::scene::{Processor, Scene};
use crate::view::View;
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_vulkan::{CommandBuffer, Device, VulkanError, vk};
use std::sync::Arc;

impl Renderer {
    /// Draws a part of the scene's picture, as large as the part.
    pub fn draw_tile(&mut self, gpu: &mut GpuModel, scene: &Scene, tile: Tile) -> Result<(), VulkanError> {
        self.pictures += 1;
        self.spent.clear();
        let parts = scene.parts();
        if parts.is_empty() {
            self.composed.forget();
            return self.draw_one(gpu, scene, tile, None);
        }
        self.composed.begin(&self.device, tile.size)?;
        for part in &parts {
            if let Some((inner, paste)) = compose::part_of(part, tile) {
                self.draw_one(gpu, &part.scene, inner, Some((&part.caption, paste)))?;
            }
        }
        Ok(())
    }

    /// Draws one picture and, if it is one of several, puts it to its place.
    fn draw_one(
        &mut self,
        gpu: &mut GpuModel,
        scene: &Scene,
        tile: Tile,
        part: Option<(&Caption, Paste)>,
    ) -> Result<(), VulkanError> {
        let number = self.next;
        self.next = (number + 1) % FRAMES_IN_FLIGHT;
        let look = match scene.view {
            View::Shaded => scene.look,
            // What shows data casts no shadow.
            _ => Look { quality: Quality::Draft, samples: Some(scene.look.samples()), ..scene.look },
        };
        gpu.prepare_view(&scene.view)?;
        gpu.retouch(&scene.materials)?;
        self.is_transparent = look.background == Background::Transparent;
        let samples = samples(&self.device, look.samples());
        let format = TargetFormat { color: LIGHT_FORMAT, depth: Some(DEPTH_FORMAT), samples };
        let fits = |target: &Target| target.size() == tile.size && target.format() == format;
        if !self.target.as_ref().is_some_and(fits) {
            self.device.wait_idle()?;
            // The old images go before the new ones come: both together may not fit.
            self.target = None;
            self.target = Some(Target::new(&self.device, &self.encode_pass, tile.size, format)?);
        }
        self.surroundings.prepare(&self.device, &self.layouts.surroundings, look.quality)?;
        let (Some(slot), Some(target)) = (self.frames.get_mut(number), &self.target) else { return Ok(()) };
        self.encode_pass.prepare(&self.device, &self.cache, target.light())?;
        slot.done.wait()?;
        if slot.picture == self.pictures {
            self.spent.extend(slot.timestamps.read()?);
        }
        slot.picture = self.pictures;

        let frame_offset = gpu.ring_stride * number as u64;
        self.palettes.set_pose(&gpu.model, &scene.pose);
        let whole = camera(gpu, scene, scene.size, self.palettes.pose());
        let camera = tile.crop(whole, scene.size);
        let lighting = {
            let model = Arc::clone(&gpu.model);
            Lighting::new(&camera, gpu.outline(&scene.pose), &model, self.palettes.pose(), look.quality)
        };
        let caption = part.map(|(caption, _)| caption);
        let sheet = {
            let letters = &mut self.overlay_pass.letters;
            sheet(gpu, scene, self.palettes.pose(), &whole, &lighting, caption, letters)
        };
        let block = FrameBlock::new(&camera, &lighting);
        let views = gpu.view_offsets.map(|offset| frame_offset + offset);
        let blocks = [block, block.seen_from(&lighting.shadow), block.seen_from(&lighting.contact)];
        for (view, block) in views.iter().zip(&blocks) {
            gpu.ring.write(*view as usize, bytemuck::bytes_of(block));
        }
        let FrameSlot { commands, done, timestamps, cpu_vertices, marks, .. } = slot;
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
        commands.pass(timestamps, "encode", |commands| {
            target.encode(commands, |commands| self.encode_pass.record(commands, target.light()));
        });
        if let Some((_, paste)) = part {
            commands.pass(timestamps, "compose", |commands| {
                self.composed.record(commands, &target.picture, paste);
            });
        }
        commands.submit(done)?;
        if morphs {
            gpu.settle_morphs();
        }
        Ok(())
    }
}

/// The scene's viewpoint in its pose: a camera of the file follows its node. One that the model does not
/// have is the default viewpoint.
pub(super) fn camera(gpu: &mut GpuModel, scene: &Scene, size: [u32; 2], pose: &Pose) -> Camera {
    let orbit = match &scene.camera {
        Viewpoint::Orbit(orbit) => *orbit,
        Viewpoint::InFile { camera, .. } => {
            let camera = gpu.model.cameras.get(*camera);
            let placed = camera.and_then(|camera| Some((camera, pose.world_from_node.get(camera.node)?)));
            if let Some((camera, world_from_node)) = placed {
                return Camera::through(&camera.projection, world_from_node, size);
            }
            Orbit::default()
        }
    };
    Camera::new(&orbit, gpu.outline_of(scene), size)
}

/// What is laid over a scene's picture.
fn sheet(
    gpu: &mut GpuModel,
    scene: &Scene,
    pose: &Pose,
    camera: &Camera,
    lighting: &Lighting,
    caption: Option<&Caption>,
    letters: &mut Letters,
) -> Sheet {
    let ghosts = ghosts(gpu, scene);
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
        caption,
        ghosts: &ghosts,
    };
    subject.draw(overlays, letters)
}

/// The figure at other times, where the scene shows those; tiles of one picture ask for the same.
fn ghosts(gpu: &mut GpuModel, scene: &Scene) -> Arc<Vec<Ghost>> {
    let (Some(onion), PoseChoice::Clips(mix)) = (scene.onion, &scene.pose) else { return Arc::default() };
    let asked = (scene.mode, scene.pose.clone(), onion);
    if let Some((_, ghosts)) = gpu.ghosts.as_ref().filter(|(drawn, _)| *drawn == asked) {
        return Arc::clone(ghosts);
    }
    let length = gpu.model.length_of(mix.all());
    let mut pose = Pose::default();
    let ghost = |(time_secs, away)| {
        pose.set(&gpu.model, &PoseChoice::Clips(ClipMix { time_secs, ..mix.clone() }));
        Ghost { away, skinned: gpu.skin_on_cpu(scene.mode, &pose) }
    };
    let ghosts: Arc<Vec<Ghost>> = Arc::new(onion.times(mix.time_secs, length).map(ghost).collect());
    gpu.ghosts = Some((asked, Arc::clone(&ghosts)));
    ghosts
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
