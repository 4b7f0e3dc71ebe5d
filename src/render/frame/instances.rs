//! The slots of draws that are instances of one draw: one slot each, one after the other. Solid instances in the same
//! place hide each other, so that one of them is drawn.

use std::collections::HashSet;
use std::sync::Arc;

use crate::render::frame::palette_buffer::PaletteBuffer;
use crate::render::frame::palettes::{Palettes, Winding};
use crate::render::interface::layouts::{Layouts, PALETTE_WINDOW};
use crate::render::model::gpu_model::GpuModel;
use sinew_skinning::{SLOTS, SkinningMode, Slot};
use sinew_vulkan::{DescriptorSet, Device, VulkanError};

/// The slots of one frame.
#[derive(Default)]
pub(crate) struct Instances {
    buffer: Option<PaletteBuffer>,
    slots: Vec<Slot>,
    seen: HashSet<[u32; 16]>,
    /// Those of each list of draws.
    rows: Vec<Row>,
}

/// Instances of one draw.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Which list of [`Sharing`](crate::render::model::sharing::Sharing) they are of.
    pub list: usize,
    /// How their triangles wind.
    pub winding: Winding,
    /// Whether each is drawn by itself.
    pub are_apart: bool,
    /// The place of the first one's slot, a multiple of [`SLOTS`].
    first: usize,
    /// The draws, in the order of their slots.
    pub draws: Vec<u32>,
}

/// Some instances of a row that one palette holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Where the palette begins in the buffer.
    pub offset: u64,
    /// The first instance's place in it, and how many there are.
    pub first: u32,
    pub count: u32,
}

impl Row {
    /// The palettes of some of its instances.
    pub(crate) fn windows(&self, instances: std::ops::Range<usize>) -> impl Iterator<Item = Window> + use<> {
        let base = self.first / SLOTS;
        let windows = instances.start / SLOTS..instances.end.div_ceil(SLOTS);
        windows.map(move |window| {
            let first = instances.start.max(window * SLOTS) - window * SLOTS;
            let end = instances.end.min((window + 1) * SLOTS) - window * SLOTS;
            let offset = (base + window) as u64 * PALETTE_WINDOW;
            Window { offset, first: first as u32, count: end.saturating_sub(first) as u32 }
        })
    }
}

impl Instances {
    /// Writes the slots of all shared draws. `windings` are all draws'; `are_apart` says where each draw of a list is drawn by itself. The GPU must be done with those that were there before.
    pub(crate) fn fill(
        &mut self,
        device: &Arc<Device>,
        layouts: &Layouts,
        gpu: &GpuModel,
        palettes: &mut Palettes,
        (winding_of, are_apart): (&dyn Fn(usize) -> Winding, &dyn Fn(usize) -> bool),
    ) -> Result<(), VulkanError> {
        self.rows.clear();
        self.slots.clear();
        for (number, list) in gpu.sharing.lists().iter().enumerate() {
            let are_apart = list.first().is_some_and(|draw| are_apart(*draw as usize));
            for winding in [Winding::Kept, Winding::Turned, Winding::Mixed] {
                self.add_row((number, list), (winding, winding_of, are_apart), gpu, palettes);
            }
        }
        if self.slots.is_empty() {
            return Ok(());
        }
        let bytes: &[u8] = bytemuck::cast_slice(&self.slots);
        let named = ("instances", bytes.len() as u64);
        let mut buffer = PaletteBuffer::with_room(device, layouts, gpu, self.buffer.take(), named)?;
        buffer.bytes_mut()[..bytes.len()].copy_from_slice(bytes);
        self.buffer = Some(buffer);
        Ok(())
    }

    fn add_row(
        &mut self,
        (number, list): (usize, &[u32]),
        (winding, winding_of, are_apart): (Winding, &dyn Fn(usize) -> Winding, bool),
        gpu: &GpuModel,
        palettes: &mut Palettes,
    ) {
        self.seen.clear();
        let first = self.slots.len();
        let mut row = Row { list: number, winding, are_apart, first, draws: Vec::new() };
        for &number in list.iter().filter(|&&number| winding_of(number as usize) == winding) {
            let draw = &gpu.draws[number as usize];
            let matrix = palettes.matrices(gpu.model(), draw).first();
            let slot =
                matrix.map_or(*SkinningMode::Rigid.no_joint(), |matrix| SkinningMode::Rigid.slot(matrix));
            if are_apart || self.seen.insert(bytemuck::cast(slot)) {
                self.slots.push(slot);
                row.draws.push(number);
            }
        }
        if !row.draws.is_empty() {
            // The next row has palettes of its own.
            self.slots.resize(self.slots.len().next_multiple_of(SLOTS), Slot::ZERO);
            self.rows.push(row);
        }
    }

    /// Forgets all of them, for pictures that draw them otherwise.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
    }

    /// Whether a list's draws are instances in this picture.
    pub(crate) fn has(&self, list: usize) -> bool {
        self.of_list(list).next().is_some()
    }

    /// The rows of a list.
    pub(crate) fn of_list(&self, list: usize) -> impl Iterator<Item = (usize, &Row)> {
        let begin = self.rows.partition_point(|row| row.list < list);
        self.rows.iter().enumerate().skip(begin).take_while(move |(_, row)| row.list == list)
    }

    /// A row by its number.
    pub(crate) fn row(&self, number: usize) -> &Row {
        &self.rows[number]
    }

    /// Set 0.
    pub(crate) fn set(&self) -> DescriptorSet {
        self.buffer.as_ref().expect("`fill` came before").set()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instance_is_in_one_window() {
        let draws = vec![0; 1100];
        let row = Row { list: 0, winding: Winding::Kept, are_apart: false, first: 2 * SLOTS, draws };
        let windows: Vec<Window> = row.windows(0..1100).collect();
        let window = |number: u64, first, count| Window { offset: number * PALETTE_WINDOW, first, count };
        assert_eq!(windows, [window(2, 0, 512), window(3, 0, 512), window(4, 0, 76)]);
        assert_eq!(row.windows(600..601).collect::<Vec<_>>(), [window(3, 88, 1)]);
        assert_eq!(row.windows(500..520).collect::<Vec<_>>(), [window(2, 500, 12), window(3, 0, 8)]);
        assert_eq!(row.windows(0..0).count(), 0);
    }
}
