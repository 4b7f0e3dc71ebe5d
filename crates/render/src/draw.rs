//! Drawing a frame: plans, records and submits a scene.

use std::sync::Arc;

use crate::frame::distances::pose_of_other;
use crate::frame::worker::StageTimes;
use crate::frame::{sheet, viewpoint};
use crate::in_flight::InFlight;
use crate::interface::formats::{AttachmentFormats, DEPTH_FORMAT, LIGHT_FORMAT, PICTURE_FORMAT};
use crate::interface::frame_block::{FrameBlock, Setting};
use crate::model::draws::Draw;
use crate::model::gpu_model::{GpuModel, Other};
use crate::passes::mesh::call::{Call, Decided, Frame, LightWork, SkinnedBy, Style};
use crate::passes::overlay::{CropBlock, FrameMarks};
use crate::picture::attachments::Attachments;
use crate::picture::backdrop::{Place, areas};
use crate::picture::compose::{self, Paste};
use crate::picture::tile::Tile;
use crate::renderer::{FrameBuffers, Passes, Renderer};
use sinew_scene::camera::{Camera, Viewpoint};
use sinew_scene::lighting::Lighting;
use sinew_scene::look::{Background, Look, Quality, Samples, unit};
use sinew_scene::overlay::{Caption, Overlays};
use sinew_scene::scene::{PaletteIn, Scene};
use sinew_vulkan::{CommandBuffer, DescriptorSet, Device, Stopwatch, Timestamps, VulkanError, vk};

/// One picture, or a tile of it, before planning.
struct Shot<'a> {
    scene: &'a Scene,
    /// The scene's look, reduced to the needs of its view.
    look: Look,
    tile: Tile,
    caption: Option<&'a Caption>,
    /// The camera of the whole picture, if another figure determines it.
    camera: Option<Camera>,
    formats: AttachmentFormats,
    /// The index of the frame in flight that draws it.
    frame: usize,
}

/// The decisions about a picture before it is recorded.
struct Plan {
    calls: Vec<Call>,
    /// Number of drawn figures.
    figures: u32,
    /// Offsets in the ring of the blocks of the camera, the shadow map and the contact map.
    views: [u64; 3],
    crop: CropBlock,
    /// True if the morphed streams must be recomputed.
    morphs: bool,
    /// True if the compute shader skins some draws.
    computes: bool,
    /// True if it skins a crowd.
    computes_crowd: bool,
}

impl Renderer {
    /// Draws the scene into the renderer's picture. Waits only for the GPU work of the frame before the last.
    pub fn draw(&mut self, gpu: &mut GpuModel, scene: &Scene) -> Result<(), VulkanError> {
        self.draw_tile(gpu, scene, Tile::whole(scene.size))
    }

    /// Draws a tile of the scene's picture into an image of the tile's size.
    pub fn draw_tile(&mut self, gpu: &mut GpuModel, scene: &Scene, tile: Tile) -> Result<(), VulkanError> {
        self.pictures += 1;
        self.spent.clear();
        self.spots.clear();
        (self.stages, self.counts, self.skinned) = Default::default();
        self.workers.iter_mut().for_each(|worker| worker.times = StageTimes::default());
        self.passes.mesh.begin(&self.device)?;
        let panes = scene.panes();
        if panes.is_empty() {
            self.composed.forget();
            return self.draw_one(gpu, scene, tile, None, None);
        }
        self.composed.begin(&self.device, tile.size, compose::bare_areas(scene, tile))?;
        let is_shared = !scene.sharing().is_empty();
        let shared = is_shared.then(|| self.camera(gpu, scene));
        for pane in &panes {
            let framed = if is_shared && scene.is_shared(pane) { scene } else { &pane.scene };
            let camera = shared.filter(|_| scene.is_shared(pane));
            if let Some((inner, paste)) = compose::tile_of(pane, tile) {
                let caption = Some((&pane.caption, paste));
                match pane.is_other.then(|| gpu.other.take()).flatten() {
                    None => self.draw_one(gpu, &pane.scene, inner, caption, camera)?,
                    Some(mut other) => {
                        let drawn = self.draw_other(gpu, &mut other, [&pane.scene, framed], inner, caption);
                        gpu.other = Some(other);
                        drawn?;
                    }
                }
            } else {
                self.spots.push(Vec::new());
            }
        }
        Ok(())
    }

    /// Draws the second of two files through the camera of the first, which frames a pane or a whole storyboard.
    fn draw_other(
        &mut self,
        gpu: &mut GpuModel,
        other: &mut Other,
        [scene, framed]: [&Scene; 2],
        tile: Tile,
        pane: Option<(&Caption, Paste)>,
    ) -> Result<(), VulkanError> {
        let there = scene.of_other(pose_of_other(scene, [gpu.model(), other.gpu.model()]));
        let camera = match &scene.camera {
            Viewpoint::InFile { .. } => self.camera(gpu, scene),
            Viewpoint::Orbit(orbit) => {
                let orbit = orbit.facing(gpu.broad_side(framed)).settled(gpu.hull_of(framed), scene.size);
                // Both files lie behind the near plane.
                let points = [gpu.hull_of(framed), other.gpu.hull_of(&there)].concat();
                Camera::new(&orbit, &points, scene.size)
            }
        };
        self.draw_one(&mut other.gpu, &there, tile, pane, Some(camera))
    }

    /// Draws one picture. Copies a pane of several to its position.
    fn draw_one(
        &mut self,
        gpu: &mut GpuModel,
        scene: &Scene,
        tile: Tile,
        pane: Option<(&Caption, Paste)>,
        camera: Option<Camera>,
    ) -> Result<(), VulkanError> {
        let frame = self.frames.advance();
        let (caption, paste) = pane.unzip();
        let look = match scene.view.is_shaded() {
            true => scene.look,
            // Data views cast no shadow.
            false => Look {
                quality: Quality::Draft,
                samples: Some(scene.look.samples()),
                background: scene.background(),
                ..scene.look
            },
        };
        gpu.retouch(&scene.materials)?;
        self.is_transparent = look.background == Background::Transparent;
        let is_direct = caption.is_none() && is_direct(gpu, scene, &look);
        let formats = self.prepare_images(tile.size, &look, is_direct)?;
        self.prepare_surroundings(scene, &look)?;
        self.wait_for(frame)?;
        let shot = Shot { scene, look, tile, caption, camera, formats, frame };
        let plan = self.plan(gpu, &shot)?;
        let mut watch = Stopwatch::start();
        self.record(gpu, &shot, &plan, paste)?;
        self.frames.get_mut(frame).own.picture = self.pictures;
        self.stages.record += watch.lap();
        if plan.morphs {
            gpu.settle_morphs();
        }
        if plan.computes {
            gpu.settle_computed(scene.mode);
        }
        if plan.computes_crowd {
            gpu.settle_crowd();
        }
        gpu.pictures += 1;
        Ok(())
    }

    /// Creates the images for a picture of this size and look.
    fn prepare_images(
        &mut self,
        size: [u32; 2],
        look: &Look,
        is_direct: bool,
    ) -> Result<AttachmentFormats, VulkanError> {
        let samples = samples(&self.device, look.samples());
        let color = if is_direct { PICTURE_FORMAT } else { LIGHT_FORMAT };
        let formats = AttachmentFormats { color, depth: Some(DEPTH_FORMAT), samples };
        let fits = |there: &Attachments| there.size() == size && there.formats() == formats;
        let attachments = match self.attachments.take_if(|there| fits(there)) {
            Some(attachments) => attachments,
            None => {
                self.device.wait_idle()?;
                // Free the old images first: both together may not fit.
                self.attachments = None;
                Attachments::new(&self.device, &self.passes.encode, size, formats)?
            }
        };
        let attachments = self.attachments.insert(attachments);
        if let Some(light) = attachments.light() {
            self.passes.encode.prepare(&self.device, &self.cache, light)?;
        }
        Ok(formats)
    }

    /// Prepares the maps that a look needs, and the scene's environment, if they are missing.
    fn prepare_surroundings(&mut self, scene: &Scene, look: &Look) -> Result<(), VulkanError> {
        let (layout, environment) = (&self.layouts.surroundings, scene.environment.as_ref());
        self.passes.surroundings.prepare(&self.device, layout, look.quality, environment)
    }

    /// Waits until the GPU has finished a frame in flight, whose buffers the next picture reuses.
    fn wait_for(&mut self, frame: usize) -> Result<(), VulkanError> {
        let InFlight { done, timestamps, own, .. } = self.frames.get_mut(frame);
        done.wait()?;
        if std::mem::take(&mut own.picture) == self.pictures {
            // An earlier pane of this picture: save its times, which would be overwritten.
            self.spent.extend(timestamps.read()?);
        }
        Ok(())
    }

    /// Makes all decisions, creates the pipelines, and writes the shaders' inputs.
    fn plan(&mut self, gpu: &mut GpuModel, shot: &Shot<'_>) -> Result<Plan, VulkanError> {
        let Shot { scene, look, tile, frame, formats, .. } = *shot;
        self.palettes.set_pose(gpu.model(), &scene.pose, scene.inject);
        gpu.prepare_view(&scene.view, &self.palettes.pose().skins.shares, look.flat)?;
        if has_edges(scene) {
            gpu.prepare_wires()?;
        }
        let own = || viewpoint::camera(&mut gpu.figure, scene, scene.size, self.palettes.pose());
        let whole = shot.camera.unwrap_or_else(own);
        let camera = tile.crop(whole, scene.size);
        let lighting = {
            let model = Arc::clone(gpu.model());
            let hull = gpu.figure.hull_of_all(scene);
            Lighting::new(&camera, hull, &model, self.palettes.pose(), look.quality)
        };
        let views = write_views(gpu, shot, &camera, &lighting);
        self.plan_overlays(gpu, shot, &whole, &lighting)?;
        self.choose_figures(gpu, scene, &camera, look.quality);
        let (decided, palette) = self.decide(gpu, scene, look.quality);
        if decided.iter().any(|decided| decided.skinned_by != SkinnedBy::Cpu) {
            gpu.prepare_mode(scene.mode, &self.palettes.pose().skins.shares)?;
        }
        let by_compute = |draw: usize| decided[draw].skinned_by == SkinnedBy::Compute;
        // The skeleton view has no meshes.
        let uses_compute = scene.view.has_surfaces() && (0..decided.len()).any(by_compute);
        let computes = uses_compute && !self.members.is_crowd();
        if computes {
            let posed = (scene.mode, &self.palettes.pose().skins.shares);
            self.passes.skin.prepare_drawn(&self.device, &self.cache, gpu, posed, &by_compute)?;
        }
        self.feed(gpu, scene, frame, (&decided, palette))?;
        self.color(gpu, shot)?;
        let mut watch = Stopwatch::start();
        let calls = self.plan_meshes(gpu, shot, (&decided, palette), &camera, &lighting)?;
        self.stages.record += watch.lap();
        self.count(gpu, scene, frame, &calls);
        if look.quality == Quality::Full {
            self.passes.ground.prepare(&self.device, &self.cache, formats)?;
        }
        let is_morphed =
            |(draw, decided): (&Draw, &Decided)| draw.morph.is_some() && decided.skinned_by != SkinnedBy::Cpu;
        let morphs = gpu.draws.iter().zip(&decided).any(is_morphed) && {
            let pose = self.palettes.pose();
            self.passes.morph.prepare(&self.device, &self.cache, gpu, frame, pose)?
        };
        let figures = self.members.shown().len() as u32;
        let crop = CropBlock::new(tile.scale_and_offset(scene.size));
        let computes_crowd = uses_compute && !computes && figures > 0;
        Ok(Plan { calls, figures, views, crop, morphs, computes, computes_crowd })
    }

    fn plan_overlays(
        &mut self,
        gpu: &mut GpuModel,
        shot: &Shot<'_>,
        whole: &Camera,
        lighting: &Lighting,
    ) -> Result<(), VulkanError> {
        let (pose, overlay) = (self.palettes.pose(), &mut self.passes.overlay);
        let setting = sheet::Setting { pose, camera: whole, lighting, caption: shot.caption };
        let mut sheet = sheet::lay_out(gpu, shot.scene, &setting, &mut overlay.letters);
        self.spots.push(std::mem::take(&mut sheet.spots));
        let marks = &mut self.frames.get_mut(shot.frame).own.marks;
        overlay.prepare(&self.device, &self.cache, shot.formats, &sheet, marks)
    }

    /// Computes vertex colours if the view's colours change with the pose.
    fn color(&mut self, gpu: &mut GpuModel, shot: &Shot<'_>) -> Result<(), VulkanError> {
        let Some(difference) = shot.scene.view.moving() else { return Ok(()) };
        let colors = &mut self.frames.get_mut(shot.frame).own.moving_colors;
        colors.fill(&self.device, gpu, difference, shot.scene, self.palettes.pose())
    }

    fn plan_meshes(
        &mut self,
        gpu: &mut GpuModel,
        shot: &Shot<'_>,
        (decided, palette): (&[Decided], PaletteIn),
        camera: &Camera,
        lighting: &Lighting,
    ) -> Result<Vec<Call>, VulkanError> {
        if !shot.scene.view.has_surfaces() {
            return Ok(Vec::new());
        }
        let style = Style {
            mode: shot.scene.mode,
            palette,
            view: &shot.scene.view,
            quality: shot.look.quality,
            flat: shot.look.flat,
            edges: has_edges(shot.scene),
            // A picture without a background is laid over others, where its outline is the figure's.
            rims: shot.look.background != Background::Transparent,
            light: LightWork {
                is_exposed: shot.look.exposure != 0.0,
                is_colored: shot.scene.environment.is_some(),
            },
            file_lights: !lighting.others.is_empty(),
            samples: shot.formats.samples,
            encodes: shot.formats.color == PICTURE_FORMAT,
            eye_in_world: camera.eye_in_world,
        };
        let figures = self.members.shown().len() as u32;
        let Self { device, cache, palettes, passes: Passes { mesh, surroundings, .. }, frames, .. } = self;
        let own = &frames.get_mut(shot.frame).own;
        let frame = own.frame(gpu, shot, figures, surroundings.set);
        mesh.prepare(device, cache, gpu, decided, &style, &frame, palettes)
    }

    /// Records everything that was planned and submits it.
    fn record(
        &mut self,
        gpu: &GpuModel,
        shot: &Shot<'_>,
        plan: &Plan,
        paste: Option<Paste>,
    ) -> Result<(), VulkanError> {
        let Self { passes, composed, attachments, frames, .. } = self;
        let attachments = attachments.as_ref().expect("`prepare_images` made them for this picture");
        let InFlight { commands, done, timestamps, own } = frames.get_mut(shot.frame);
        let frame = own.frame(gpu, shot, plan.figures, passes.surroundings.set);
        commands.begin(Some(timestamps))?;
        if plan.morphs {
            commands.pass(timestamps, "morph", |commands| passes.morph.record(commands, gpu, shot.frame));
        }
        if plan.computes {
            commands.pass(timestamps, "skin", |commands| {
                passes.skin.record_drawn(commands, gpu, shot.scene.mode, frame.offset);
            });
        }
        if plan.computes_crowd {
            commands.pass(timestamps, "skin", |commands| passes.skin.record_crowd(commands, gpu, &own.crowd));
        }
        if shot.look.quality == Quality::Full {
            passes.record_shadows(commands, timestamps, gpu, &frame, plan);
        }
        commands.pass(timestamps, "mesh", |commands| {
            let color = match attachments.light() {
                Some(_) => Background::linear,
                None => Background::encoded,
            };
            let background = shot.look.background;
            let bands = areas(background, Place::whole(shot.scene.size), shot.tile, color);
            let first = bands.first().map_or(color(&background), |band| band.color);
            attachments.draw(commands, first, |commands| {
                let rest = bands.iter().skip(1);
                rest.for_each(|band| commands.clear_area(band.offset, band.size, band.color));
                passes.record_surfaces(commands, gpu, &frame, shot, plan, &own.marks);
            });
        });
        if let Some(light) = attachments.light() {
            commands.pass(timestamps, "encode", |commands| {
                attachments.encode(commands, |commands| passes.encode.record(commands, light));
            });
        }
        if let Some(paste) = paste {
            commands.pass(timestamps, "compose", |commands| {
                composed.record(commands, &attachments.picture, paste);
            });
        }
        commands.submit(done)
    }
}

impl FrameBuffers {
    /// Returns the data that all draws of a frame share.
    fn frame(&self, gpu: &GpuModel, shot: &Shot<'_>, figures: u32, surroundings: DescriptorSet) -> Frame<'_> {
        Frame {
            offset: gpu.ring.frame_offset(shot.frame),
            mode: shot.scene.mode,
            cpu_vertices: &self.cpu_vertices,
            crowd: &self.crowd,
            instances: &self.instances,
            figures,
            // Colours that change with the pose, if the view has any.
            moving_colors: shot.scene.view.moving().map(|_| &self.moving_colors),
            surroundings,
            drawn: shot.tile.size,
            unit: unit(shot.scene.size),
        }
    }
}

impl Passes {
    /// Records the shadow casters, as seen by the key light and the ground.
    fn record_shadows(
        &self,
        commands: &mut CommandBuffer,
        timestamps: &mut Timestamps,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        plan: &Plan,
    ) {
        let [_, from_light, from_ground] = plan.views;
        let casters = |view| {
            move |commands: &mut CommandBuffer| {
                self.mesh.record_casters(commands, gpu, frame, &plan.calls, view);
            }
        };
        commands.pass(timestamps, "shadows", |commands| {
            self.surroundings.draw_maps(commands, casters(from_light), casters(from_ground));
        });
    }

    /// Records solid surfaces, rims, the ground, blended surfaces, and the overlays, in this order.
    fn record_surfaces(
        &self,
        commands: &mut CommandBuffer,
        gpu: &GpuModel,
        frame: &Frame<'_>,
        shot: &Shot<'_>,
        plan: &Plan,
        marks: &FrameMarks,
    ) {
        let (solid, blended): (Vec<&Call>, Vec<&Call>) =
            plan.calls.iter().partition(|call| !call.is_blended());
        self.mesh.record_solid(commands, gpu, frame, &solid);
        self.mesh.record_rims(commands, gpu, frame, &plan.calls);
        if shot.look.quality == Quality::Full {
            let surroundings = self.surroundings.set;
            self.ground.record(commands, shot.formats, gpu.frame_set, frame.offset, surroundings);
        }
        self.mesh.record_blended(commands, gpu, frame, &blended);
        self.overlay.record_within(commands, shot.formats, &plan.crop, marks);
        self.overlay.record_above(commands, shot.formats, &plan.crop, marks);
    }
}

/// Returns true if the edges of triangles are drawn over their surface.
fn has_edges(scene: &Scene) -> bool {
    scene.overlays.wireframe && scene.crowd.is_none()
}

/// Returns true if the picture has only plain, opaque surfaces. Then bytes are drawn directly, without an image of
/// light to encode.
fn is_direct(gpu: &GpuModel, scene: &Scene, look: &Look) -> bool {
    let is_bare = scene.overlays == Overlays::default()
        && scene.onion.is_none()
        && scene.explained.is_none()
        && scene.marked.is_none()
        && scene.inject.is_none();
    look.quality == Quality::Plain
        && look.samples() == Samples::One
        && is_bare
        && gpu.draws.iter().all(|draw| !gpu.material(draw).is_blended())
}

/// Writes the blocks of the camera, the shadow map and the contact map. Returns their offsets in the ring.
fn write_views(gpu: &mut GpuModel, shot: &Shot<'_>, camera: &Camera, lighting: &Lighting) -> [u64; 3] {
    let setting = Setting {
        begin: shot.tile.offset,
        unit: unit(shot.scene.size),
        brightness: shot.look.brightness(),
        environment: shot.scene.environment.as_deref(),
    };
    let block = FrameBlock::new(camera, lighting, &setting);
    let blocks = [block, block.seen_from(&lighting.shadow), block.seen_from(&lighting.contact)];
    let views = gpu.ring.views(shot.frame);
    for (view, block) in views.into_iter().zip(&blocks) {
        gpu.ring.write(view, bytemuck::bytes_of(block));
    }
    views
}

/// Returns the scene's samples per pixel, or one if the device does not support them.
fn samples(device: &Device, wanted: Samples) -> vk::SampleCountFlags {
    let limits = &device.physical().limits;
    let both = limits.framebuffer_color_sample_counts & limits.framebuffer_depth_sample_counts;
    match wanted {
        Samples::Four if both.contains(vk::SampleCountFlags::TYPE_4) => vk::SampleCountFlags::TYPE_4,
        Samples::Four | Samples::One => vk::SampleCountFlags::TYPE_1,
    }
}
