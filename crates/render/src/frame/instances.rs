//! The slots of draws that are instances of one draw: one slot each, in a row. Solid instances in the same position
//! hide each other, so only one of them is drawn.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use crate::frame::palette_buffer::PaletteBuffer;
use crate::frame::palettes::{Palettes, Winding};
use crate::interface::layouts::Layouts;
use crate::interface::streams::MAX_INSTANCES;
use crate::model::gpu_model::GpuModel;
use sinew_scene::scene::PaletteIn;
use sinew_skinning::{SLOTS, SkinningMode, Slot};
use sinew_vulkan::{DescriptorSet, Device, VulkanError};

/// The slots of one frame.
#[derive(Default)]
pub(crate) struct Instances {
    buffer: Option<PaletteBuffer>,
    /// The draws of a row, by the hash of their slots' bytes.
    places: HashMap<u64, u32>,
    hashes: RandomState,
    /// Rows of all lists of draws.
    rows: Vec<Row>,
}

/// Each list has up to one row per winding.
const WINDINGS: [Winding; 3] = [Winding::Kept, Winding::Turned, Winding::Mixed];

/// Slots, written in a row.
struct Slots<'a> {
    bytes: &'a mut [u8],
    count: usize,
}

impl Slots<'_> {
    fn push(&mut self, slot: &Slot) {
        let begin = self.count * size_of::<Slot>();
        self.bytes[begin..begin + size_of::<Slot>()].copy_from_slice(bytemuck::bytes_of(slot));
        self.count += 1;
    }
}

/// Instances of one draw.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Index of their list in [`Sharing`](crate::model::sharing::Sharing).
    pub list: usize,
    /// Winding of their triangles.
    pub winding: Winding,
    /// True if each is drawn separately.
    pub are_apart: bool,
    /// Number of instances per palette.
    in_palette: usize,
    /// The index of the first slot, a multiple of [`SLOTS`].
    first: usize,
    /// The draws, in the order of their slots.
    pub draws: Vec<u32>,
}

/// Instances of a row that share one palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Offset of the palette in the buffer.
    pub offset: u64,
    /// The first instance's index in the palette, and their number.
    pub first: u32,
    pub count: u32,
}

impl Row {
    /// Returns the palettes of some of its instances.
    pub(crate) fn windows(&self, instances: std::ops::Range<usize>) -> impl Iterator<Item = Window> + use<> {
        let (base, length) = (self.first, self.in_palette);
        let windows = instances.start / length..instances.end.div_ceil(length);
        windows.map(move |window| {
            let first = instances.start.max(window * length) - window * length;
            let end = instances.end.min((window + 1) * length) - window * length;
            let offset = ((base + window * length) * size_of::<Slot>()) as u64;
            Window { offset, first: first as u32, count: end.saturating_sub(first) as u32 }
        })
    }
}

impl Instances {
    /// Writes the slots of all shared draws. `winding_of` returns the winding of any draw; `are_apart` returns true
    /// for a list whose draws are drawn separately. The GPU must have finished with the earlier slots.
    pub(crate) fn fill(
        &mut self,
        device: &Arc<Device>,
        layouts: &Layouts,
        gpu: &GpuModel,
        (palettes, palette): (&mut Palettes, PaletteIn),
        (winding_of, are_apart): (&dyn Fn(usize) -> Winding, &dyn Fn(usize) -> bool),
    ) -> Result<(), VulkanError> {
        self.rows.clear();
        let lists = gpu.sharing.lists();
        if lists.is_empty() {
            return Ok(());
        }
        // Each row may end within a palette.
        let most = lists.iter().map(|list| list.len() + WINDINGS.len() * SLOTS).sum::<usize>();
        let in_palette = match palette {
            PaletteIn::Uniform => SLOTS,
            PaletteIn::Storage => MAX_INSTANCES,
        };
        let [size, longest] = [most, in_palette].map(|slots| (slots * size_of::<Slot>()) as u64);
        let named = ("instances", size, longest);
        let mut buffer = PaletteBuffer::with_room(device, layouts, gpu, self.buffer.take(), named)?;
        let mut slots = Slots { bytes: buffer.bytes_mut(), count: 0 };
        for (number, list) in lists.iter().enumerate() {
            let are_apart = list.first().is_some_and(|draw| are_apart(*draw as usize));
            for winding in WINDINGS {
                let (first, draws) = (slots.count, Vec::new());
                let row = Row { list: number, winding, are_apart, in_palette, first, draws };
                self.add_row(row, (list, winding_of), gpu, palettes, &mut slots);
            }
        }
        self.buffer = Some(buffer);
        Ok(())
    }

    fn add_row(
        &mut self,
        mut row: Row,
        (list, winding_of): (&[u32], &dyn Fn(usize) -> Winding),
        gpu: &GpuModel,
        palettes: &mut Palettes,
        slots: &mut Slots<'_>,
    ) {
        self.places.clear();
        let mut slot_of = |number: u32| {
            let matrix = palettes.matrices(gpu.model(), &gpu.draws[number as usize]).first();
            matrix.map_or(*SkinningMode::Rigid.no_joint(), |matrix| SkinningMode::Rigid.slot(matrix))
        };
        for &number in list.iter().filter(|&&number| winding_of(number as usize) == row.winding) {
            let slot = slot_of(number);
            if row.are_apart || self.is_elsewhere(number, &slot, &mut slot_of) {
                slots.push(&slot);
                row.draws.push(number);
            }
        }
        if !row.draws.is_empty() {
            // The next row has separate palettes.
            slots.count = slots.count.next_multiple_of(SLOTS);
            self.rows.push(row);
        }
    }

    /// Returns true if no earlier draw of the row has this position.
    fn is_elsewhere(&mut self, draw: u32, slot: &Slot, slot_of: &mut impl FnMut(u32) -> Slot) -> bool {
        match self.places.entry(self.hashes.hash_one(bytemuck::bytes_of(slot))) {
            Entry::Occupied(there) => bytemuck::bytes_of(&slot_of(*there.get())) != bytemuck::bytes_of(slot),
            Entry::Vacant(free) => {
                free.insert(draw);
                true
            }
        }
    }

    /// Removes all instances, for pictures that draw them differently.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
    }

    /// Returns true if a list's draws are instances in this picture.
    pub(crate) fn has(&self, list: usize) -> bool {
        self.of_list(list).next().is_some()
    }

    /// Returns the rows of a list, with their indices.
    pub(crate) fn of_list(&self, list: usize) -> impl Iterator<Item = (usize, &Row)> {
        let begin = self.rows.partition_point(|row| row.list < list);
        self.rows.iter().enumerate().skip(begin).take_while(move |(_, row)| row.list == list)
    }

    /// Returns a row by its index.
    pub(crate) fn row(&self, number: usize) -> &Row {
        &self.rows[number]
    }

    /// Returns set 0.
    pub(crate) fn set(&self) -> DescriptorSet {
        self.buffer.as_ref().expect("`fill` came before").set()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::layouts::PALETTE_WINDOW;

    #[test]
    fn every_instance_is_in_one_window() {
        let draws = vec![0; 1100];
        let of = |in_palette, draws| Row {
            list: 0,
            winding: Winding::Kept,
            are_apart: false,
            in_palette,
            first: 2 * SLOTS,
            draws,
        };
        let row = of(SLOTS, draws.clone());
        let windows: Vec<Window> = row.windows(0..1100).collect();
        let window = |number: u64, first, count| Window { offset: number * PALETTE_WINDOW, first, count };
        assert_eq!(windows, [window(2, 0, 512), window(3, 0, 512), window(4, 0, 76)]);
        assert_eq!(row.windows(600..601).collect::<Vec<_>>(), [window(3, 88, 1)]);
        assert_eq!(row.windows(500..520).collect::<Vec<_>>(), [window(2, 500, 12), window(3, 0, 8)]);
        assert_eq!(row.windows(0..0).count(), 0);
        let stored: Vec<Window> = of(MAX_INSTANCES, draws).windows(0..1100).collect();
        assert_eq!(stored, [window(2, 0, 1100)], "a storage buffer has room for all");
    }
}
