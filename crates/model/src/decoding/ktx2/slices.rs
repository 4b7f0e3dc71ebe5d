//! The blocks of ETC1S: each takes the colour of a neighbour or names its own, and shades that it names or that were used
//! before.

use super::bits::Bits;
use super::codes::Codes;

/// The symbol for the neighbours of the last four blocks once more.
const AGAIN: u32 = 256;
/// The symbol for a run that is longer than symbols can tell.
const LONG_RUN: u32 = 63;
/// The length of the shortest run.
const MIN_RUN: u32 = 3;

/// A block: where it is, its colour, and its shades.
#[derive(Clone, Copy)]
pub struct Block {
    pub place: [usize; 2],
    pub endpoint: u16,
    pub selector: u16,
}

/// The codes of blocks, which all slices of a file share.
pub struct Tables {
    neighbours: Codes,
    steps: Codes,
    selectors: Codes,
    runs: Codes,
    /// The number of selectors that are remembered.
    memory: u32,
    endpoint_count: u32,
    selector_count: u32,
}

impl Tables {
    /// Reads the codes; the books have so many entries.
    pub fn read(bytes: &[u8], [endpoints, selectors]: [u16; 2]) -> Option<Self> {
        let mut bits = Bits::new(bytes);
        Some(Self {
            neighbours: Codes::read(&mut bits)?,
            steps: Codes::read(&mut bits)?,
            selectors: Codes::read(&mut bits)?,
            runs: Codes::read(&mut bits)?,
            memory: bits.take(13)?,
            endpoint_count: endpoints.into(),
            selector_count: selectors.into(),
        })
    }

    /// Calls `draw` for each block of a slice, by rows.
    pub fn blocks(
        &self,
        slice: &[u8],
        [columns, rows]: [usize; 2],
        mut draw: impl FnMut(Block) -> Option<()>,
    ) -> Option<()> {
        let mut bits = Bits::new(slice);
        let mut neighbours = Neighbours::new(columns);
        let mut used = Used::new(self.memory);
        for row in 0..rows {
            let mut beside = None;
            for column in 0..columns {
                let endpoint = neighbours.next(self, &mut bits, [column, row], beside)?;
                beside = Some(endpoint);
                let selector = used.next(self, &mut bits)?;
                draw(Block { place: [column, row], endpoint, selector })?;
            }
        }
        Some(())
    }
}

/// Finds the colours of blocks.
struct Neighbours {
    /// The colour above each column; to the left of the current one, the colours of this row.
    above: Vec<u16>,
    /// The colour above, and to the left.
    corner: u16,
    /// The neighbours of two blocks in the second row of each four.
    below: Vec<u32>,
    /// The neighbours of the blocks that come next, two bits each.
    ahead: u32,
    /// The last symbol, and how often it comes again.
    symbol: u32,
    again: u32,
    last: u32,
}

impl Neighbours {
    fn new(columns: usize) -> Self {
        Self {
            above: vec![0; columns],
            corner: 0,
            below: vec![0; columns.div_ceil(2)],
            ahead: 0,
            symbol: 0,
            again: 0,
            last: 0,
        }
    }

    fn next(
        &mut self,
        tables: &Tables,
        bits: &mut Bits,
        [column, row]: [usize; 2],
        beside: Option<u16>,
    ) -> Option<u16> {
        if column % 2 == 0 {
            let below = self.below.get_mut(column / 2)?;
            if row % 2 == 1 {
                self.ahead = *below;
            } else {
                if self.again > 0 {
                    self.again = self.again.wrapping_sub(1);
                } else {
                    match tables.neighbours.next(bits)? {
                        AGAIN => self.again = bits.grouped(4)?.checked_add(MIN_RUN - 1)?,
                        symbol => self.symbol = symbol,
                    }
                }
                self.ahead = self.symbol;
                *below = self.symbol >> 4;
            }
        }
        let above = *self.above.get(column)?;
        let endpoint = match self.ahead & 3 {
            0 => beside?.into(),
            1 if row > 0 => above.into(),
            2 if row > 0 && column > 0 => self.corner.into(),
            3 => {
                let sum = self.last.checked_add(tables.steps.next(bits)?)?;
                sum.checked_sub(tables.endpoint_count).unwrap_or(sum)
            }
            _ => return None,
        };
        self.ahead >>= 2;
        self.last = endpoint;
        self.corner = above;
        let endpoint = u16::try_from(endpoint).ok()?;
        *self.above.get_mut(column)? = endpoint;
        Some(endpoint)
    }
}

/// Finds the shades of blocks among those used before.
struct Used {
    /// The selectors that are remembered: those used again in front.
    selectors: Vec<u16>,
    /// The place of the next new one, in the second half.
    next: usize,
    /// The number of blocks that still use the first.
    run: u32,
}

impl Used {
    fn new(memory: u32) -> Self {
        let memory = memory as usize;
        Self { selectors: vec![0; memory], next: memory / 2, run: 0 }
    }

    fn next(&mut self, tables: &Tables, bits: &mut Bits) -> Option<u16> {
        if self.run > 0 {
            self.run = self.run.wrapping_sub(1);
            return self.selectors.first().copied();
        }
        let symbol = tables.selectors.next(bits)?;
        let Some(place) = symbol.checked_sub(tables.selector_count) else {
            let selector = u16::try_from(symbol).ok()?;
            if let Some(slot) = self.selectors.get_mut(self.next) {
                *slot = selector;
                let next = self.next.wrapping_add(1);
                let is_end = next == self.selectors.len();
                self.next = if is_end { self.selectors.len() / 2 } else { next };
            }
            return Some(selector);
        };
        if place == tables.memory {
            let length = match tables.runs.next(bits)? {
                LONG_RUN => bits.grouped(7)?,
                length => length,
            };
            self.run = length.checked_add(MIN_RUN - 1)?;
            return self.selectors.first().copied();
        }
        let place = place as usize;
        let selector = *self.selectors.get(place)?;
        self.selectors.swap(place, place / 2);
        Some(selector)
    }
}
