//! The palettes of a crowd, for vertex shaders: the slots of several figures in a row, each figure's followed by its
//! position, in the layout of `shaders/include/member.glsl`.

use std::sync::Arc;

use rayon::prelude::*;

use crate::frame::groups::Groups;
use crate::frame::members::{Members, Shown};
use crate::frame::palette_buffer::PaletteBuffer;
use crate::frame::palettes::{joints_of, slots_of};
use crate::frame::worker::Worker;
use crate::interface::layouts::{Layouts, palette_alignment};
use crate::interface::streams::MAX_INSTANCES;
use crate::model::gpu_model::GpuModel;
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
    /// Poses the crowd and writes the palettes of the draws that vertex shaders skin. The GPU must have finished with
    /// the earlier palettes.
    pub(crate) fn fill(
        &mut self,
        device: &Arc<Device>,
        layouts: &Layouts,
        gpu: &GpuModel,
        scene: &Scene,
        (members, is_wanted): (&Members, &dyn Fn(usize) -> bool),
        workers: &mut Vec<Worker>,
    ) -> Result<(), VulkanError> {
        let alignment = palette_alignment(device);
        let figures = members.shown().len() as u32;
        let mut each = match scene.palette {
            PaletteIn::Uniform => SLOTS as u32,
            // Several groups per thread, so that no thread waits for the last.
            PaletteIn::Storage => {
                figures.div_ceil(rayon::current_num_threads() as u32 * 4).clamp(1, MAX_INSTANCES as u32)
            }
        };
        self.draws.clear();
        for (number, draw) in gpu.draws.iter().enumerate() {
            // One extra slot, for the position.
            let slots = joints_of(draw, gpu.batch(draw).1).len() as u32 + 1;
            let palette = is_wanted(number).then_some(DrawPalette { offset: 0, slots });
            self.draws.push(palette);
            if palette.is_some() && scene.palette == PaletteIn::Uniform {
                device.check_limit("crowd", "joints in a figure", u64::from(slots) - 1, SLOTS as u64 - 1)?;
                each = each.min(SLOTS as u32 / slots);
            }
        }
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

    /// Returns the groups of figures that share draws.
    pub(crate) fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Returns a draw's palettes, if vertex shaders skin it.
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
        let joints = joints_of(draw, batch);
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
