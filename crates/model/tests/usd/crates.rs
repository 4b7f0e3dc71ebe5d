//! Binary layers taken apart, so that they can be broken behind their compression, and put together again.

#![allow(dead_code, reason = "the fuzz target and the tests each use a part")]

use crate::breaking::Random;

#[path = "../../src/usd/packed.rs"]
#[allow(clippy::duplicate_mod, reason = "it needs nothing")]
mod packed;

pub use packed::block;

/// The lists of a binary layer, unpacked.
#[derive(Clone)]
pub struct Parts {
    /// Header and values, at their places.
    values: Vec<u8>,
    words: Vec<u8>,
    /// The stored number of words.
    word_count: u64,
    strings: Vec<u32>,
    /// Names of fields; sets of fields; paths: indices, words, jumps; specs: paths, sets, types.
    lists: [Vec<i64>; 8],
    reps: Vec<u64>,
    path_count: u64,
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes) as usize)
}

/// A packed block and where it ends.
fn packed_at(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let end = number(bytes, at)?.checked_add(at)?.checked_add(8)?;
    Some((bytes.get(at + 8..end)?, end))
}

/// Packed integers and where they end.
fn list(bytes: &[u8], at: usize, count: usize) -> Option<(Vec<i64>, usize)> {
    let (packed, end) = packed_at(bytes, at)?;
    Some((packed::integers(packed, count.min(1 << 16))?, end))
}

/// Integers as steps of four bytes.
fn steps(numbers: &[i64]) -> Vec<u8> {
    let mut out = vec![0; 4];
    // The library reads the unused steps of the last byte, too.
    out.extend(numbers.chunks(4).map(|four| (0xff_u32 >> (8 - 2 * four.len())) as u8));
    let mut last = 0;
    for number in numbers {
        out.extend((number.wrapping_sub(last) as i32).to_le_bytes());
        last = *number;
    }
    out
}

impl Parts {
    /// The parts of a layer; `None` for one that the library has not written.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        bytes.strip_prefix(b"PXR-USDC")?;
        let table = number(bytes, 16)?;
        let section = |name: &[u8]| {
            (0..number(bytes, table)?.min(16)).find_map(|section| {
                let at = table.checked_add(8 + section * 32)?;
                let start = bytes.get(at..)?.starts_with(name).then(|| number(bytes, at + 16)).flatten();
                start.filter(|start| *start < bytes.len())
            })
        };
        let tokens = section(b"TOKENS\0")?;
        let words = packed::unpacked(packed_at(bytes, tokens.checked_add(16)?)?.0, 1 << 20)?;
        let strings = section(b"STRINGS\0")?;
        let count = number(bytes, strings)?.min(1 << 16);
        let strings = bytes.get(strings + 8..)?.get(..4 * count)?;
        let strings = strings.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let fields = section(b"FIELDS\0")?;
        let count = number(bytes, fields)?.min(1 << 16);
        let (names, next) = list(bytes, fields + 8, count)?;
        let reps = packed::unpacked(packed_at(bytes, next)?.0, 8 * count)?;
        let sets = section(b"FIELDSETS\0")?;
        let (sets, _) = list(bytes, sets + 8, number(bytes, sets)?)?;
        let paths = section(b"PATHS\0")?;
        let count = number(bytes, paths + 8)?;
        let (indices, next) = list(bytes, paths + 16, count)?;
        let (elements, next) = list(bytes, next, count)?;
        let (jumps, _) = list(bytes, next, count)?;
        let specs = section(b"SPECS\0")?;
        let count = number(bytes, specs)?;
        let (spec_paths, next) = list(bytes, specs + 8, count)?;
        let (spec_sets, next) = list(bytes, next, count)?;
        let (types, _) = list(bytes, next, count)?;
        let first = [tokens, fields, paths].into_iter().min()?;
        Some(Self {
            values: bytes.get(..first)?.to_vec(),
            words,
            word_count: number(bytes, tokens)? as u64,
            strings,
            lists: [names, sets, indices, elements, jumps, spec_paths, spec_sets, types],
            reps: reps.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect(),
            path_count: number(bytes, paths)? as u64,
        })
    }

    /// A layer of these parts.
    pub fn file(&self) -> Vec<u8> {
        self.file_with(block)
    }

    /// A layer of these parts, with its ten blocks packed by a function.
    pub fn file_with(&self, mut pack: impl FnMut(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let mut block = |bytes: &[u8]| {
            let block = pack(bytes);
            [(block.len() as u64).to_le_bytes().to_vec(), block].concat()
        };
        let [names, sets, indices, elements, jumps, spec_paths, spec_sets, types] = &self.lists;
        let word = |number: usize| (number as u64).to_le_bytes().to_vec();
        let reps: Vec<u8> = self.reps.iter().flat_map(|rep| rep.to_le_bytes()).collect();
        let strings: Vec<u8> = self.strings.iter().flat_map(|number| number.to_le_bytes()).collect();
        let sections: [(&[u8], Vec<Vec<u8>>); 6] = [
            (
                b"TOKENS",
                vec![self.word_count.to_le_bytes().to_vec(), word(self.words.len()), block(&self.words)],
            ),
            (b"STRINGS", vec![word(self.strings.len()), strings]),
            (b"FIELDS", vec![word(names.len()), block(&steps(names)), block(&reps)]),
            (b"FIELDSETS", vec![word(sets.len()), block(&steps(sets))]),
            (
                b"PATHS",
                vec![
                    self.path_count.to_le_bytes().to_vec(),
                    word(indices.len()),
                    block(&steps(indices)),
                    block(&steps(elements)),
                    block(&steps(jumps)),
                ],
            ),
            (
                b"SPECS",
                vec![
                    word(spec_paths.len()),
                    block(&steps(spec_paths)),
                    block(&steps(spec_sets)),
                    block(&steps(types)),
                ],
            ),
        ];
        let mut out = self.values.clone();
        let mut table = word(sections.len());
        for (name, parts) in sections {
            let (start, bytes) = (out.len(), parts.concat());
            out.extend(bytes);
            let mut padded = name.to_vec();
            padded.resize(16, 0);
            table.extend([padded, word(start), word(out.len() - start)].concat());
        }
        let at = word(out.len());
        out.extend(table);
        if let Some(place) = out.get_mut(16..24) {
            place.copy_from_slice(&at);
        }
        out
    }

    /// The layer in the form of version 0.4, 0.5 or 0.6, which has other lengths of arrays; `None` if it has that form or is
    /// damaged.
    pub fn older(mut self, minor: u8) -> Option<Self> {
        let end = self.values.len();
        if std::mem::replace(self.values.get_mut(9)?, minor) < 7 {
            return None;
        }
        for at in 0..self.reps.len() {
            let rep = self.reps[at];
            if rep >> 48 & 0xff == 46 && rep >> 62 == 0 {
                self.older_samples((rep & 0xffff_ffff_ffff) as usize, end, minor)?;
            }
            self.reps[at] = self.older_array(rep, end, minor)?;
        }
        Some(self)
    }

    /// Gives the times and values of samples their old forms.
    fn older_samples(&mut self, at: usize, end: usize, minor: u8) -> Option<()> {
        let times = at.checked_add(number(&self.values, at)?)?;
        let list = times.checked_add(8)?;
        let list = list.checked_add(number(&self.values, list)?)?;
        let values = (0..number(&self.values, list)?.min(1 << 10)).map(|sample| list + 8 + 8 * sample);
        for at in std::iter::once(times).chain(values) {
            let rep = self.older_array(number(&self.values, at)? as u64, end, minor)?;
            self.values.get_mut(at..)?.first_chunk_mut().map(|place| *place = rep.to_le_bytes())?;
        }
        Some(())
    }

    /// The number of an array in its old form, which comes behind the other values.
    fn older_array(&mut self, rep: u64, end: usize, minor: u8) -> Option<u64> {
        let at = (rep & 0xffff_ffff_ffff) as usize;
        if rep >> 63 == 0 || at == 0 {
            return Some(rep);
        }
        let place = self.values.len() as u64;
        let count = number(&self.values, at)?.min(1 << 10);
        // No element is larger than a matrix.
        let elements = self.values.get(at + 8..end.min(at + 40 + 128 * count))?.to_vec();
        let dimensions = if minor < 5 { &1u32.to_le_bytes()[..] } else { &[] };
        self.values.extend([dimensions, &(count as u32).to_le_bytes(), &elements].concat());
        Some(rep & !0xffff_ffff_ffff | place)
    }

    /// The layer with its first array of integers packed in a block, of so many elements; `None` if it has no such array.
    pub fn with_packed(mut self, count: u64, block: &[u8]) -> Option<Self> {
        let rep = self.reps.iter_mut().find(|rep| **rep >> 63 == 1 && **rep >> 48 & 0xff == 3)?;
        *rep = 1 << 63 | 1 << 61 | 3 << 48 | self.values.len() as u64;
        self.values.extend(count.to_le_bytes());
        self.values.extend((block.len() as u64).to_le_bytes());
        self.values.extend(block);
        Some(self)
    }

    /// Makes all arrays of texts empty; returns their number.
    pub fn empty_texts(&mut self) -> usize {
        let texts =
            self.reps.iter_mut().filter(|rep| **rep >> 63 == 1 && matches!(**rep >> 48 & 0xff, 10 | 12));
        texts.map(|rep| *rep &= !0xffff_ffff_ffff).count()
    }

    /// Changes something.
    pub fn damage(&mut self, random: &mut Random) {
        match random.below(16) {
            0 => damage_bytes(&mut self.words, 0, random),
            1 => self.word_count = odd(self.word_count, random),
            2 => {
                damage_list(&mut self.strings, random, |number, random| odd(u64::from(number), random) as u32)
            }
            3..=6 => damage_list(&mut self.reps, random, odd_rep),
            7 => self.path_count = odd(self.path_count, random),
            8..=11 => damage_bytes(&mut self.values, 24, random),
            _ => {
                let list = random.below(self.lists.len());
                damage_list(&mut self.lists[list], random, |number, random| {
                    odd(number as u64, random) as i64
                });
            }
        }
    }
}

/// A number near another, or one at an end.
fn odd(number: u64, random: &mut Random) -> u64 {
    let near = [1, 2, 8, u64::MAX, u64::MAX - 1, 256];
    match random.below(4) {
        0 => number.wrapping_add(*random.one(&near)),
        1 => *random.one(&[0, 1, 0x7fff_ffff, 0xffff_ffff, 1 << 31, 1 << 40, 1 << 63, u64::MAX]),
        2 => number ^ (1 << random.below(64)),
        _ => random.below(64) as u64,
    }
}

/// A value of another type, at another place, or stored in another way.
fn odd_rep(rep: u64, random: &mut Random) -> u64 {
    let place = rep & 0xffff_ffff_ffff;
    match random.below(5) {
        0 => rep & !(0xff << 48) | (random.below(60) as u64) << 48,
        1 => rep ^ (1 << (61 + random.below(3))),
        2 => {
            rep & !0xffff_ffff_ffff
                | place.wrapping_add(*random.one(&[1, 4, 8, 16, u64::MAX - 7])) & 0xffff_ffff_ffff
        }
        3 => rep & !0xffff_ffff_ffff | random.below(2000) as u64,
        _ => odd(rep, random),
    }
}

fn damage_list<T: Copy>(list: &mut Vec<T>, random: &mut Random, other: impl Fn(T, &mut Random) -> T) {
    if list.is_empty() {
        return;
    }
    let (at, from) = (random.below(list.len()), random.below(list.len()));
    match random.below(8) {
        0 => drop(list.remove(at)),
        1 => list.insert(at, list[from]),
        2 => list.swap(at, from),
        3 => list[at] = list[from],
        _ => list[at] = other(list[at], random),
    }
}

/// Overwrites bytes, mostly a whole number, from a place on.
fn damage_bytes(bytes: &mut [u8], from: usize, random: &mut Random) {
    if bytes.len() <= from {
        return;
    }
    let at = from + random.below(bytes.len() - from);
    let size = *random.one(&[1, 4, 8]);
    let mut old = [0; 8];
    let end = (at + size).min(bytes.len());
    old[..end - at].copy_from_slice(&bytes[at..end]);
    let new = odd(u64::from_le_bytes(old), random).to_le_bytes();
    bytes[at..end].copy_from_slice(&new[..end - at]);
}
