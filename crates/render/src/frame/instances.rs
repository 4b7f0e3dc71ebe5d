//! The slots of draws that are instances of one draw: one slot each, one after the other. Solid instances in the same
//! place hide each other, so that one of them is drawn.

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
    /// The draws of a row, by what the bytes of their slots hash to.
    places: HashMap<u64, u32>,
    hashes: RandomState,
    /// Those of each list of draws.
    rows: Vec<Row>,
}

/// Each row has one.
const WINDINGS: [Winding; 3] = [Winding::Kept, Winding::Turned, Winding::Mixed];

/// Slots that are written one after the other.
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
    /// Which list of [`Sharing`](crate::model::sharing::Sharing) they are of.
    pub list: usize,
    /// How their triangles wind.
    pub winding: Winding,
    /// Whether each is drawn by itself.
    pub are_apart: bool,
    /// How many of them a palette holds.
    in_palette: usize,
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
    /// Writes the slots of all shared draws. `winding_of` knows all draws; `are_apart` says where each draw of a list is
    /// drawn by itself. The GPU must be done with those that were there before.
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
            // The next row has palettes of its own.
            slots.count = slots.count.next_multiple_of(SLOTS);
            self.rows.push(row);
        }
    }

    /// Whether no draw of the row before this one stands exactly there.
    fn is_elsewhere(&mut self, draw: u32, slot: &Slot, slot_of: &mut impl FnMut(u32) -> Slot) -> bool {
        match self.places.entry(self.hashes.hash_one(bytemuck::bytes_of(slot))) {
            Entry::Occupied(there) => bytemuck::bytes_of(&slot_of(*there.get())) != bytemuck::bytes_of(slot),
            Entry::Vacant(free) => {
                free.insert(draw);
                true
            }
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
