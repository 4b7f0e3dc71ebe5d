//! Checks of the values that a binary layer stores: that all they name is in the layer, and that the library can hold what it
//! makes of them.

use std::collections::HashMap;

use super::bytes::{File, below};
use super::mended::Mended;
use super::packed::{integers, unpacked};

/// The deepest nesting of values.
const MAX_DEPTH: usize = 8;

/// Bytes that the library takes for a value, or for an element that is not a number, besides its letters.
const VALUE_BYTES: u64 = 96;

/// Bytes for each element of a packed array: in the check, and in the library and the model, which unpack and convert it.
const PACKED_BYTES: u64 = 24;

/// Arrays with fewer elements are never packed.
const FEWEST_PACKED: u64 = 4;

/// Types of values, by their numbers in the file.
const STRING: u64 = 10;
const TOKEN: u64 = 11;
const ASSET: u64 = 12;
const LAST_PLAIN: u64 = 30;
const DICTIONARY: u64 = 31;
const TOKEN_CHANGES: u64 = 32;
const STRING_CHANGES: u64 = 33;
const PATH_CHANGES: u64 = 34;
const REFERENCE_CHANGES: u64 = 35;
const PATHS: u64 = 40;
const TOKENS: u64 = 41;
const SELECTIONS: u64 = 45;
const SAMPLES: u64 = 46;
const PAYLOAD: u64 = 47;
const DOUBLES: u64 = 48;
const OFFSETS: u64 = 49;
const STRINGS: u64 = 50;
const UNKNOWN: u64 = 53;
const UNKNOWN_CHANGES: u64 = 54;
const PAYLOAD_CHANGES: u64 = 55;
const TIME: u64 = 56;
const EXPRESSION: u64 = 57;
const RELOCATES: u64 = 58;

/// Lengths of a layer's words, strings and paths, by their numbers.
#[derive(Default)]
pub struct Words {
    pub tokens: Vec<u64>,
    pub strings: Vec<u64>,
    pub paths: Vec<u64>,
}

/// Values of a layer. Each is checked once.
pub struct Stored<'a> {
    file: File<'a>,
    words: &'a Words,
    /// Memory for a value, and bytes of further values that are checked.
    most: u64,
    left: u64,
    sizes: HashMap<u64, u64>,
    /// Values in the form that the library reads.
    pub mended: Mended<'a>,
}

impl<'a> Stored<'a> {
    /// No values yet, of which each may take `most` bytes, as may all together.
    pub fn new(file: File<'a>, words: &'a Words, most: u64) -> Self {
        Self { file, words, most, left: most, sizes: HashMap::new(), mended: Mended::new(file) }
    }

    /// Checks a value by its number, which says type, place and how it is stored. Returns its bytes in memory.
    pub fn value(&mut self, number: u64, depth: usize) -> Option<u64> {
        let (is_array, is_inlined, is_packed) =
            (number >> 63 == 1, number >> 62 & 1 == 1, number >> 61 & 1 == 1);
        let (kind, at) = (number >> 48 & 0xff, number & 0xffff_ffff_ffff);
        let has_arrays = matches!(kind, 1..=LAST_PLAIN | TIME | EXPRESSION);
        let may_pack = matches!((kind, is_array), (3..=9 | TIME, true) | (DOUBLES, false));
        if depth > MAX_DEPTH || is_array && (!has_arrays || is_inlined) || is_packed && !may_pack {
            return None;
        }
        if is_inlined {
            return self.inlined(kind, at & 0xffff_ffff);
        }
        if let Some(size) = self.sizes.get(&number) {
            return Some(*size);
        }
        let size = match is_array {
            true => self.array(number, kind, at, is_packed),
            false => self.single(kind, at, is_packed, depth),
        }?;
        if size > self.most {
            return None;
        }
        self.sizes.insert(number, size);
        Some(size)
    }

    /// Checks a value inside another, whose number is at a place.
    fn value_at(&mut self, place: u64, depth: usize) -> Option<u64> {
        let number = self.file.number(place)?;
        let size = self.value(number, depth.checked_add(1)?)?;
        self.mended.number_at(place, number);
        Some(size)
    }

    /// Charges for bytes that are checked.
    fn look(&mut self, bytes: u64) -> Option<u64> {
        self.left = self.left.checked_sub(bytes)?;
        Some(bytes)
    }

    /// Checks a value that lies in its own number.
    fn inlined(&self, kind: u64, index: u64) -> Option<u64> {
        let letters = match kind {
            STRING => named(&self.words.strings, index)?,
            TOKEN | ASSET | UNKNOWN | EXPRESSION => named(&self.words.tokens, index)?,
            1..=DICTIONARY | 42..=44 | 51 | 52 | TIME => 0,
            _ => return None,
        };
        letters.checked_add(VALUE_BYTES)
    }

    fn array(&mut self, number: u64, kind: u64, at: u64, is_packed: bool) -> Option<u64> {
        let is_text = matches!(kind, STRING | ASSET | EXPRESSION);
        if at == 0 {
            // The library does not see that an array of texts is empty, and would read it from the first byte on.
            if is_text {
                self.mended.array(number, 0, &[])?;
            }
            return Some(VALUE_BYTES);
        }
        let (count, start) = self.file.array(at)?;
        let (size, end) = match kind {
            TOKEN => self.list_of(count, start, |words| &words.tokens)?,
            _ if is_text => self.list_of(count, start, |words| &words.strings)?,
            _ => self.numbers(kind, count, start, is_packed)?,
        };
        if self.file.has_short_arrays() {
            let bytes = self.file.from(start)?.get(..usize::try_from(end.checked_sub(start)?).ok()?)?;
            self.look(bytes.len() as u64)?;
            self.mended.array(number, count, bytes)?;
        }
        Some(size)
    }

    /// Checks an array of numbers, vectors or matrices; returns its bytes in memory and where it ends.
    fn numbers(&mut self, kind: u64, count: u64, next: u64, is_packed: bool) -> Option<(u64, u64)> {
        if !is_packed || count < FEWEST_PACKED {
            let bytes = self.look(count.checked_mul(size_of(kind)?)?)?;
            self.file.from(next)?.get(..usize::try_from(bytes).ok()?)?;
            return Some((bytes.checked_add(VALUE_BYTES)?, next.checked_add(bytes)?));
        }
        let bytes = self.look(count.checked_mul(PACKED_BYTES)?)?;
        let mut table = None;
        let place = match (kind, self.file.from(next)?.first()?) {
            (3..=6, _) => next,
            (_, b'i') => next.checked_add(1)?,
            (_, b't') => {
                let count = self.file.short(next.checked_add(1)?)?;
                table = Some(count);
                next.checked_add(5)?.checked_add(count.checked_mul(size_of(kind)?)?)?
            }
            _ => return None,
        };
        let (block, end) = self.file.packed(place)?;
        let count = usize::try_from(count).ok()?;
        match (kind, table) {
            // The library unpacks them into the space of half their size; a common step comes first, then their kinds.
            (5 | 6, _) => {
                let least = count.div_ceil(4).checked_add(8)?;
                let most = count.div_ceil(4).checked_add(count.checked_mul(4)?)?.checked_add(4)?;
                unpacked(block, most).filter(|bytes| bytes.len() >= least)?;
            }
            (_, Some(table)) => below(&integers(block, count)?, table, false)?,
            _ => drop(integers(block, count)?),
        }
        Some((bytes.checked_add(VALUE_BYTES)?, end))
    }

    /// Checks a list of indices, and returns the bytes of what they name, and where it ends.
    fn list(&mut self, at: u64, of: fn(&Words) -> &Vec<u64>) -> Option<(u64, u64)> {
        self.list_of(self.file.length(at)?, at.checked_add(8)?, of)
    }

    /// Checks a list of `count` indices.
    fn list_of(&mut self, count: u64, start: u64, of: fn(&Words) -> &Vec<u64>) -> Option<(u64, u64)> {
        let (list, end) = self.file.indices_of(count, start)?;
        let mut size = VALUE_BYTES;
        for number in list {
            let letters = named(of(self.words), u64::from(u32::from_le_bytes(*number)))?;
            size = size.checked_add(letters)?.checked_add(VALUE_BYTES)?;
        }
        self.look(size)?;
        Some((size, end))
    }

    fn single(&mut self, kind: u64, at: u64, is_packed: bool, depth: usize) -> Option<u64> {
        let letters = match kind {
            STRING | ASSET | EXPRESSION => named(&self.words.strings, self.file.short(at)?)?,
            TOKEN | UNKNOWN => named(&self.words.tokens, self.file.number(at)?)?,
            DICTIONARY => self.dictionary(at, depth)?.0,
            TOKEN_CHANGES..=39 | UNKNOWN_CHANGES | PAYLOAD_CHANGES => self.changes(kind, at, depth)?,
            PATHS => self.list(at, |words| &words.paths)?.0,
            TOKENS => self.list(at, |words| &words.tokens)?.0,
            STRINGS => self.list(at, |words| &words.strings)?.0,
            SELECTIONS => self.pairs(at, |words| &words.strings)?,
            RELOCATES => self.pairs(at, |words| &words.paths)?,
            SAMPLES => self.samples(at, depth)?,
            PAYLOAD => self.target(at)?.0,
            DOUBLES if at == 0 => 0,
            DOUBLES => self.numbers(kind, self.file.length(at)?, at.checked_add(8)?, is_packed)?.0,
            OFFSETS => self.plain(at, 16)?.0,
            _ => 128,
        };
        self.look(VALUE_BYTES)?.checked_add(letters)
    }

    /// Checks elements of a size behind their length.
    fn plain(&mut self, at: u64, size: u64) -> Option<(u64, u64)> {
        let (bytes, start) = (self.file.length(at)?.checked_mul(size)?, at.checked_add(8)?);
        self.file.from(start)?.get(..usize::try_from(bytes).ok()?)?;
        Some((self.look(bytes)?, start.checked_add(bytes)?))
    }

    /// Checks pairs of indices behind their length.
    fn pairs(&mut self, at: u64, of: fn(&Words) -> &Vec<u64>) -> Option<u64> {
        let (bytes, end) = self.plain(at, 8)?;
        let list = self.file.from(end.checked_sub(bytes)?)?.get(..usize::try_from(bytes).ok()?)?;
        let mut size = VALUE_BYTES;
        for number in list.as_chunks::<4>().0 {
            let letters = named(of(self.words), u64::from(u32::from_le_bytes(*number)))?;
            size = size.checked_add(letters)?.checked_add(VALUE_BYTES)?;
        }
        self.look(size)
    }

    /// Checks a dictionary, and returns its bytes and where it ends.
    fn dictionary(&mut self, at: u64, depth: usize) -> Option<(u64, u64)> {
        let (count, mut at) = (self.file.length(at)?, at.checked_add(8)?);
        let mut size = VALUE_BYTES;
        for _ in 0..count {
            let letters = named(&self.words.strings, self.file.short(at)?)?;
            let place = self.file.jump(at.checked_add(4)?)?;
            let value = self.value_at(place, depth)?;
            size = size.checked_add(letters)?.checked_add(value)?.checked_add(self.look(VALUE_BYTES)?)?;
            at = place.checked_add(8)?;
        }
        (size <= self.most).then_some((size, at))
    }

    /// Checks what a reference or a payload names: a file and a path.
    fn target(&mut self, at: u64) -> Option<(u64, u64)> {
        let file = named(&self.words.strings, self.file.short(at)?)?;
        let path = named(&self.words.paths, self.file.short(at.checked_add(4)?)?)?;
        let size = file.checked_add(path)?.checked_add(self.look(VALUE_BYTES)?)?.checked_add(VALUE_BYTES)?;
        Some((size, at.checked_add(8)?))
    }

    /// Checks the changes of a list: a byte says which lists follow.
    fn changes(&mut self, kind: u64, at: u64, depth: usize) -> Option<u64> {
        let lists = self.file.from(at)?.first()? >> 1 & 0x3f;
        let (mut at, mut all) = (at.checked_add(1)?, 0u64);
        for _ in 0..lists.count_ones() {
            let (size, end) = match kind {
                TOKEN_CHANGES => self.list(at, |words| &words.tokens)?,
                STRING_CHANGES | UNKNOWN_CHANGES => self.list(at, |words| &words.strings)?,
                PATH_CHANGES => self.list(at, |words| &words.paths)?,
                REFERENCE_CHANGES | PAYLOAD_CHANGES => self.targets(kind, at, depth)?,
                36 | 38 => self.plain(at, 4)?,
                _ => self.plain(at, 8)?,
            };
            (at, all) = (end, all.checked_add(size)?);
        }
        Some(all)
    }

    fn targets(&mut self, kind: u64, at: u64, depth: usize) -> Option<(u64, u64)> {
        let (count, mut at) = (self.file.length(at)?, at.checked_add(8)?);
        // The library takes the memory for all at once.
        let mut size = count.checked_mul(VALUE_BYTES)?.checked_mul(2)?;
        self.look(size)?;
        for _ in 0..count {
            let (letters, mut next) = self.target(at)?;
            let mut more = 0;
            if kind == REFERENCE_CHANGES || self.file.has_offsets() {
                next = next.checked_add(16)?;
            }
            if kind == REFERENCE_CHANGES {
                (more, next) = self.dictionary(next, depth.checked_add(1)?)?;
            }
            size = size.checked_add(letters)?.checked_add(more)?;
            at = next;
        }
        Some((size, at))
    }

    /// Checks values at times. The library holds all of them at once, also those that the file stores once for many times.
    fn samples(&mut self, at: u64, depth: usize) -> Option<u64> {
        let place = self.file.jump(at)?;
        let times = self.file.number(place)?;
        if !matches!((times >> 48 & 0xff, times >> 63), (DOUBLES, 0) | (9, 1)) {
            return None;
        }
        let mut size = self.value_at(place, depth)?;
        let values = self.file.jump(place.checked_add(8)?)?;
        let (bytes, end) = self.plain(values, 8)?;
        let list = self.file.from(end.checked_sub(bytes)?)?.get(..usize::try_from(bytes).ok()?)?;
        for (value, at) in list.as_chunks::<8>().0.iter().zip((end.checked_sub(bytes)?..).step_by(8)) {
            // Values at times have no times themselves.
            if u64::from_le_bytes(*value) >> 48 & 0xff == SAMPLES {
                return None;
            }
            size = size.checked_add(self.value_at(at, depth)?)?;
        }
        Some(size)
    }
}

/// The length of the word that an index names.
fn named(words: &[u64], index: u64) -> Option<u64> {
    words.get(usize::try_from(index).ok()?).copied()
}

/// The size of a number, a vector or a matrix.
fn size_of(kind: u64) -> Option<u64> {
    Some(match kind {
        1 | 2 => 1,
        7 => 2,
        3 | 4 | 8 | 21 => 4,
        25 => 6,
        5 | 6 | 9 | DOUBLES | TIME | 18 | 20 | 22 | 29 => 8,
        24 | 26 => 12,
        16 | 27 | 13 => 32,
        17 | 19 | 28 | 30 => 16,
        23 => 24,
        14 => 72,
        15 => 128,
        _ => return None,
    })
}
