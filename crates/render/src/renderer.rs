//! The renderer: its passes, its images, and uploads of models.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::DVec2;

use crate::frame::cpu_vertices::CpuVertices;
use crate::frame::crowd_palettes::CrowdPalettes;
use crate::frame::instances::Instances;
use crate::frame::members::Members;
use crate::frame::moving_colors::MovingColors;
use crate::frame::palettes::Palettes;
use crate::frame::worker::{Counts, StageTimes, Worker};
use crate::in_flight::FramesInFlight;
use crate::interface::layouts::Layouts;
use crate::model::computed_crowd::max_bytes;
use crate::model::gpu_model::GpuModel;
use crate::palette_choice::PaletteChoice;
use crate::passes::encode::EncodePass;
use crate::passes::ground::GroundPass;
use crate::passes::mesh::mesh_pass::MeshPass;
use crate::passes::mesh::pipelines::Forgotten;
use crate::passes::morph::MorphPass;
use crate::passes::overlay::{FrameMarks, OverlayPass};
use crate::passes::skin::SkinPass;
use crate::passes::surroundings::Surroundings;
use crate::picture::attachments::Attachments;
use crate::picture::canvas::Canvas;
use crate::picture::compose::Composed;
use sinew_model::{Model, VertexIndex};
use sinew_scene::camera::Camera;
use sinew_scene::framing;
use sinew_scene::overlay::{self, Spot};
use sinew_scene::picking::Hit;
use sinew_scene::scene::{Located, Scene, Skinned};
use sinew_skinning::cpu::Exactness;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::{Fault, SkinningMode};
use sinew_system::threads::ScopedTask;
use sinew_vulkan::{Device, PassTime, PipelineCache, VulkanError};

/// The largest number of passes in one picture: morph, shadows, mesh, encode and compose, with some to spare.
const MAX_PASSES: u32 = 8;

/// Draws scenes into its own image.
pub struct Renderer {
    // Field order is drop order: users before what they use.
    pub(crate) frames: FramesInFlight<FrameBuffers>,
    /// Number of drawn pictures.
    pub(crate) pictures: u64,
    /// The times of those panes of the last picture whose frames in flight were reused.
    pub(crate) spent: Vec<PassTime>,
    /// Created for the first picture, and again for one of another size.
    pub(crate) attachments: Option<Attachments>,
    pub(crate) composed: Composed,
    /// Created for the first window.
    pub(crate) canvas: Option<Canvas>,
    /// True if the last picture has a transparent background.
    pub(crate) is_transparent: bool,
    pub(crate) passes: Passes,
    pub(crate) layouts: Layouts,
    pub(crate) palettes: Palettes,
    /// The joints that the last picture shows, pane by pane.
    pub(crate) spots: Vec<Vec<Spot>>,
    /// The figures of the next picture.
    pub(crate) members: Members,
    /// Workers that pose figures of crowds and skin on the CPU, one per group.
    pub(crate) workers: Vec<Worker>,
    /// The processor's time for the last picture, excluding the workers'.
    pub(crate) stages: StageTimes,
    pub(crate) counts: Counts,
    pub(crate) skinned: Skinned,
    /// The size that a crowd's vertices may have, if the compute shader skins them.
    pub(crate) crowd_bytes: u64,
    /// The choice of the device, once a scene has asked for it.
    pub(crate) palette_choice: Option<PaletteChoice>,
    pub(crate) cache_folder: Option<PathBuf>,
    pub(crate) cache: PipelineCache,
    pub(crate) device: Arc<Device>,
}

/// The buffers of one frame in flight.
#[derive(Default)]
pub(crate) struct FrameBuffers {
    /// The number of the last picture submitted with it; 0 from its reuse until the next submission.
    pub picture: u64,
    /// Vertices skinned by the CPU.
    pub cpu_vertices: CpuVertices,
    /// Palettes of a crowd, for vertex shaders.
    pub crowd: CrowdPalettes,
    /// Slots of instances.
    pub instances: Instances,
    /// Colours of vertices, if the view's change with the pose.
    pub moving_colors: MovingColors,
    /// The overlays' strokes and text.
    pub marks: FrameMarks,
}

/// The passes, created once.
pub(crate) struct Passes {
    pub morph: MorphPass,
    pub surroundings: Surroundings,
    pub mesh: MeshPass,
    pub ground: GroundPass,
    pub overlay: OverlayPass,
    pub encode: EncodePass,
    pub skin: SkinPass,
}

impl Passes {
    fn new(device: &Arc<Device>, layouts: &Layouts) -> Result<Self, VulkanError> {
        Ok(Self {
            mesh: MeshPass::new(device, layouts)?,
            ground: GroundPass::new(device, layouts)?,
            overlay: OverlayPass::default(),
            encode: EncodePass::new(device)?,
            surroundings: Surroundings::new(device, &layouts.surroundings)?,
            skin: SkinPass::new(device, layouts)?,
            morph: MorphPass::new(device, layouts)?,
        })
    }
}

impl Renderer {
    /// Prepares everything that does not depend on a model; `cache` is the folder for compiled pipelines and
    /// for the choice of palettes.
    pub fn new(device: Arc<Device>, cache: Option<&Path>) -> Result<Self, VulkanError> {
        let layouts = Layouts::new(&device)?;
        Ok(Self {
            frames: FramesInFlight::new(&device, "frame", MAX_PASSES)?,
            pictures: 0,
            spent: Vec::new(),
            attachments: None,
            composed: Composed::default(),
            canvas: None,
            is_transparent: false,
            passes: Passes::new(&device, &layouts)?,
            layouts,
            palettes: Palettes::default(),
            spots: Vec::new(),
            members: Members::default(),
            workers: Vec::new(),
            stages: StageTimes::default(),
            counts: Counts::default(),
            skinned: Skinned::default(),
            crowd_bytes: max_bytes(&device),
            palette_choice: None,
            cache_folder: cache.map(Path::to_owned),
            cache: PipelineCache::open(&device, cache)?,
            device,
        })
    }

    /// Returns its device.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// Limits the size of a crowd's vertices that the compute shader writes, below the default. Vertex shaders skin the
    /// figures beyond it.
    pub fn limit_crowd_bytes(&mut self, bytes: u64) {
        self.crowd_bytes = bytes.min(max_bytes(&self.device));
    }

    /// Returns true if the device is a software driver. Those round every operation of the shaders, so their skinned
    /// vertices have the CPU's bits.
    pub fn is_exact(&self) -> bool {
        self.device.physical().is_software()
    }

    /// Drops the pipelines that no picture has used since the previous call, but none of the last picture. Software
    /// drivers take up to 3 MB for each; Mesa's free them with the next picture.
    pub fn forget(&mut self) -> Result<Forgotten, VulkanError> {
        self.passes.mesh.forget(&self.device)
    }

    /// Uploads a model.
    pub fn upload(&self, model: Arc<Model>) -> Result<GpuModel, VulkanError> {
        GpuModel::new(&self.device, &self.layouts, model)
    }

    /// Uploads the other of two files, if there is one, beside the first.
    pub fn upload_other(&self, gpu: &mut GpuModel, other: Option<&Arc<Model>>) -> Result<(), VulkanError> {
        if let Some(other) = other {
            gpu.set_other(self.upload(Arc::clone(other))?);
        }
        Ok(())
    }

    /// Uploads a model while computing the framing of the first scene. Frees CPU copies that drawing does not need,
    /// unless the model is shared.
    pub fn upload_framed(&self, model: Arc<Model>, scene: &Scene) -> Result<GpuModel, VulkanError> {
        std::thread::scope(|scope| {
            let framed = Arc::clone(&model);
            let hull =
                ScopedTask::begin(scope, move || framing::hull_of(&framed, &scene.pose, scene.framed_by()));
            let mut gpu = self.upload(model)?;
            // After a panic, drawing computes the hull itself and panics with its own backtrace.
            if let Ok(hull) = hull.result() {
                gpu.set_framing(&scene.pose, scene.framed_by(), hull);
            }
            gpu.figure.release_pictures();
            Ok(gpu)
        })
    }

    /// Returns the vertex and triangle under a pixel of the scene's picture, in the mode shown there. Ignores the
    /// other of two files, and crowds.
    pub fn pick(&mut self, gpu: &mut GpuModel, scene: &Scene, pixel: DVec2) -> Option<Hit> {
        self.palettes.set_pose(gpu.model(), &scene.pose, scene.inject);
        gpu.figure.pick(scene, self.palettes.pose(), pixel)
    }

    /// Returns the vertices in sight between two pixels of the scene's picture, in the pane of the first. Ignores the
    /// other of two files, and crowds.
    pub fn pick_within(
        &mut self,
        gpu: &mut GpuModel,
        scene: &Scene,
        between: [DVec2; 2],
    ) -> Vec<VertexIndex> {
        self.palettes.set_pose(gpu.model(), &scene.pose, scene.inject);
        gpu.figure.pick_within(scene, self.palettes.pose(), between)
    }

    /// Returns the pixels of vertices in a pane's picture in this mode.
    pub fn pixels_of(
        &mut self,
        gpu: &mut GpuModel,
        scene: &Scene,
        mode: SkinningMode,
        vertices: &[VertexIndex],
    ) -> Vec<DVec2> {
        self.palettes.set_pose(gpu.model(), &scene.pose, scene.inject);
        gpu.figure.pixels_of(scene, self.palettes.pose(), mode, vertices)
    }

    /// Returns the joint that the last picture shows at a pixel of the scene: its dot, its bone or its name, up to
    /// `reach` pixels away. Ignores the other of two files.
    pub fn joint_at(&self, scene: &Scene, pixel: DVec2, reach: f64) -> Option<usize> {
        let Located { pixel, pane, is_other, .. } = scene.locate(pixel);
        let spots = self.spots.get(pane).filter(|_| !is_other)?;
        overlay::joint_at(spots, pixel, reach)
    }

    /// Returns the joints that the last picture shows, pane by pane.
    pub fn spots(&self) -> &[Vec<Spot>] {
        &self.spots
    }

    /// Returns the camera of each of the scene's panes.
    pub fn camera(&mut self, gpu: &mut GpuModel, scene: &Scene) -> Camera {
        self.palettes.set_pose(gpu.model(), &scene.pose, scene.inject);
        gpu.figure.camera(scene, self.palettes.pose())
    }

    /// Skins everything the model draws on the GPU and returns it, with vertices in the file's order.
    pub fn skin(
        &mut self,
        gpu: &mut GpuModel,
        mode: SkinningMode,
        pose: &PoseChoice,
    ) -> Result<Vec<SkinnedPrimitive<f32>>, VulkanError> {
        self.skin_with(gpu, (mode, Exactness::Twin), pose, None)
    }

    /// Skins like [`Renderer::skin`], by operations that the driver may fuse. The results are within the bounds of the
    /// mode, and their last bits are the device's own.
    pub fn skin_fused(
        &mut self,
        gpu: &mut GpuModel,
        mode: SkinningMode,
        pose: &PoseChoice,
    ) -> Result<Vec<SkinnedPrimitive<f32>>, VulkanError> {
        self.skin_with(gpu, (mode, Exactness::Bounds), pose, None)
    }

    /// Skins like [`Renderer::skin`], with a fault in pose or palette. Shaders have none in their blending.
    pub fn skin_with(
        &mut self,
        gpu: &mut GpuModel,
        mode: (SkinningMode, Exactness),
        pose: &PoseChoice,
        fault: Option<Fault>,
    ) -> Result<Vec<SkinnedPrimitive<f32>>, VulkanError> {
        // The palettes go to the first frame's block of the ring.
        for frame in self.frames.iter() {
            frame.done.wait()?;
        }
        let Self { device, cache, palettes, passes: Passes { morph, skin, .. }, .. } = self;
        skin.run(device, cache, palettes, morph, gpu, mode, (pose, fault))
    }

    /// Returns the GPU times of the last picture's passes, waiting for it; sums those of its panes.
    pub fn pass_times(&self) -> Result<Vec<PassTime>, VulkanError> {
        let mut times = self.spent.clone();
        for frame in self.frames.iter().filter(|frame| frame.own.picture == self.pictures) {
            frame.done.wait()?;
            times.extend(frame.timestamps.read()?);
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

    /// Returns the processor times of the last picture's stages, over all threads and panes.
    pub fn stage_times(&self) -> StageTimes {
        let mut sum = self.stages;
        self.workers.iter().for_each(|worker| sum.add(&worker.times));
        sum
    }

    /// Returns the amount of work in the last picture, over all panes.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the processors that skinned the last picture, over all panes.
    pub fn skinned(&self) -> &Skinned {
        &self.skinned
    }

    /// Returns the times of the last picture's passes, and of those that put it into a window.
    pub fn frame_times(&self) -> Result<Vec<PassTime>, VulkanError> {
        let mut times = self.pass_times()?;
        if let Some(canvas) = &self.canvas {
            times.extend(canvas.times()?);
        }
        Ok(times)
    }
}

impl Drop for Renderer {
    fn drop(&mut self) {
        self.device.finish();
        self.cache.save();
    }
}
