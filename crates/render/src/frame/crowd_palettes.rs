//! The palettes of a crowd, for shaders: the slots of several figures in a row, each figure's followed by its
//! position, in the layout of `shaders/include/member.glsl`.

use std::sync::Arc;

use rayon::prelude::*;

use crate::frame::members::{Members, Shown};
use crate::frame::palette_buffer::PaletteBuffer;
use crate::frame::palettes::{joints_of, slots_of};
use crate::frame::worker::Worker;
use crate::interface::layouts::{Layouts, palette_alignment};
use crate::interface::streams::MAX_INSTANCES;
use crate::model::draws::Draw;
use crate::model::gpu_model::GpuModel;
use crate::model::groups::Groups;
use sinew_scene::scene::{PaletteIn, Scene};
use sinew_skinning::posed::Skinner;
use sinew_skinning::{SLOTS, SkinningMode, Slot};
use sinew_vulkan::{DescriptorSet, Device, Stopwatch, VulkanError};

/// The palettes of one frame.
#[derive(Default)]
pub(crate) struct CrowdPalettes {
    buffer: Option<PaletteBuffer>,
    groups: Groups,
    /// Each draw's palette in a group; `None` for draws that need none.
    draws: Vec<Option<DrawPalette>>,
}

/// A draw's palette in each group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawPalette {
    /// Offset in a group's block.
    pub offset: u64,
    /// Number of slots per figure.
    pub slots: u32,
}

impl CrowdPalettes {
    /// Poses the crowd and writes the palettes of the draws that shaders skin. The GPU must have finished with
    /// the earlier palettes. A group has at most `most` figures.
    #[expect(clippy::too_many_arguments, reason = "the frame's parts, each once")]
    pub(crate) fn fill(
        &mut self,
        device: &Arc<Device>,
        layouts: &Layouts,
        gpu: &GpuModel,
        scene: &Scene,
        (members, is_wanted): (&Members, &dyn Fn(usize) -> bool),
        (palette, most): (PaletteIn, u32),
        workers: &mut Vec<Worker>,
    ) -> Result<(), VulkanError> {
        let alignment = palette_alignment(device);
        let figures = members.shown().len() as u32;
        let numbered = gpu.draws.iter().enumerate();
        // One extra slot, for the position.
        let slots = |draw: &Draw| joints_of(draw, gpu.batch(draw).1, scene.mode).len() as u32 + 1;
        let own = |(number, draw): (usize, &Draw)| {
            is_wanted(number).then(|| DrawPalette { offset: 0, slots: slots(draw) })
        };
        self.draws.clear();
        self.draws.extend(numbered.map(own));
        let each = self.figures_per_group(device, figures, palette)?.min(most.max(1));
        let mut stride = 0u64;
        for palette in self.draws.iter_mut().flatten() {
            palette.offset = stride;
            let size = u64::from(each * palette.slots) * size_of::<Slot>() as u64;
            stride = (stride + size).next_multiple_of(alignment);
        }
        self.groups = Groups { each, figures, stride };
        if stride == 0 || members.shown().is_empty() {
            return Ok(());
        }
        let named = ("crowd's palettes", self.groups.size(), stride);
        let mut filled = PaletteBuffer::with_room(device, layouts, gpu, self.buffer.take(), named)?;
        let bytes = filled.bytes_mut();
        workers.resize_with(workers.len().max(self.groups.count() as usize), Worker::default);
        let draws = &self.draws;
        let groups =
            bytes.par_chunks_exact_mut(stride as usize).zip(members.shown().par_chunks(each as usize));
        groups.zip(workers.par_iter_mut()).for_each(|((block, members), Worker { skinner, times })| {
            for (number, member) in members.iter().enumerate() {
                let mut watch = Stopwatch::start();
                skinner.set_pose(gpu.model(), &scene.pose, member.time_secs, scene.inject);
                times.sample += watch.lap();
                write(gpu, scene.mode, draws, skinner, block, (number, member));
                times.palette += watch.lap();
            }
        });
        self.buffer = Some(filled);
        Ok(())
    }

    /// Returns the number of figures whose palettes a shader sees at once.
    fn figures_per_group(
        &self,
        device: &Device,
        figures: u32,
        palette: PaletteIn,
    ) -> Result<u32, VulkanError> {
        let own = self.draws.iter().flatten().map(|palette| palette.slots);
        match palette {
            PaletteIn::Uniform => {
                let most = own.max().unwrap_or(1);
                device.check_limit("crowd", "joints in a figure", u64::from(most) - 1, SLOTS as u64 - 1)?;
                Ok(SLOTS as u32 / most)
            }
            PaletteIn::Storage => {
                let bytes = own.map(|slots| u64::from(slots) * size_of::<Slot>() as u64);
                let bytes = bytes.sum::<u64>() + self.draws.len() as u64 * palette_alignment(device);
                let room = u64::from(device.physical().limits.max_storage_buffer_range) / bytes.max(1);
                // Several groups per thread, so that no thread waits for the last.
                let few = figures.div_ceil(rayon::current_num_threads() as u32 * 4);
                Ok(few.min(MAX_INSTANCES as u32).min(room.min(u32::MAX.into()) as u32).max(1))
            }
        }
    }

    /// Returns the groups of figures that share draws.
    pub(crate) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Returns a draw's palettes, if a shader skins it.
    pub(crate) fn of(&self, draw: usize) -> Option<DrawPalette> {
        self.draws[draw]
    }

    /// Returns set 0.
    pub(crate) fn set(&self) -> DescriptorSet {
        self.buffer.as_ref().expect("`fill` came before").set()
    }
}

/// Writes a figure's palettes into its group's block.
fn write(
    gpu: &GpuModel,
    mode: SkinningMode,
    draws: &[Option<DrawPalette>],
    skinner: &mut Skinner,
    block: &mut [u8],
    (number, member): (usize, &Shown),
) {
    for (draw, palette) in gpu.draws.iter().zip(draws) {
        let Some(DrawPalette { offset, slots }) = *palette else { continue };
        let batch = gpu.batch(draw).1;
        let joints = joints_of(draw, batch, mode);
        let (used, all) = skinner.slots(gpu.model(), draw.instance, draw.skinned, mode, joints);
        let size = slots as usize * size_of::<Slot>();
        let begin = offset as usize + number * size;
        let (out, _) = block[begin..begin + size].as_chunks_mut::<{ size_of::<Slot>() }>();
        let mut place = Slot::ZERO;
        place.columns[3][..3].copy_from_slice(&member.place);
        let own = slots_of(draw, batch, all, used).chain([place]);
        out.iter_mut().zip(own).for_each(|(out, slot)| out.copy_from_slice(bytemuck::bytes_of(&slot)));
    }
}
