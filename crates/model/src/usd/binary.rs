//! Checks of a binary layer: that its lists are no longer than its bytes can tell, and its tree of paths has no knots.

/// Names of the sections that are read, in their order.
const SECTIONS: [&[u8]; 5] = [b"STRINGS\0", b"FIELDS\0", b"FIELDSETS\0", b"PATHS\0", b"SPECS\0"];

/// The largest number of elements in a list that a byte of the file may tell of: its compression allows this much, and seldom
/// does it get near.
const PER_BYTE: u64 = 64;

/// Elements of a list that any file may have.
const FREE: u64 = 1 << 16;

/// Types of values that are lists without being arrays: a length comes first.
const LISTS: [u64; 7] = [31, 40, 41, 45, 48, 49, 50];

/// Types of values that are changes of lists: a byte says which lengths follow.
const CHANGES: [u64; 10] = [32, 33, 34, 35, 36, 37, 38, 39, 54, 55];

/// The type of values at times.
const SAMPLES: u64 = 46;

/// The deepest nesting of values.
const MAX_DEPTH: usize = 8;

/// A layer's bytes.
struct Layer<'a> {
    bytes: &'a [u8],
    /// Numbers of words, of strings and of paths.
    tokens: u64,
    strings: u64,
    paths: u64,
}

/// Checks a binary layer.
///
/// # Errors
/// If the library would run out of memory or never end.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    let version = bytes.get(8..11).ok_or("it is cut off")?;
    if !matches!(version, [0, 7..=u8::MAX, _]) {
        return Err("its version is not read".into());
    }
    let mut layer = Layer { bytes, tokens: 0, strings: 0, paths: 0 };
    layer.check().ok_or_else(|| "it is damaged or cut off".into())
}

impl Layer<'_> {
    fn check(&mut self) -> Option<()> {
        let table = self.number(16)?;
        let sections = self.number(table)?;
        let [tokens, fields, sets, paths, strings] =
            [&b"TOKENS\0"[..], b"FIELDS\0", b"FIELDSETS\0", b"PATHS\0", b"STRINGS\0"]
                .map(|name| self.count(table, name));
        (self.tokens, self.strings, self.paths) = (tokens, strings, paths);
        for section in 0..sections.min(64) {
            let at = table.checked_add(8)?.checked_add(section.checked_mul(32)?)?;
            let (name, start) = (self.from(at)?.get(..16)?, self.number(at.checked_add(16)?)?);
            let end = start.checked_add(self.number(at.checked_add(24)?)?)?;
            if end > self.bytes.len() as u64 {
                return None;
            }
            if name.starts_with(b"TOKENS\0") {
                self.length(start)?;
                self.length(start.checked_add(8)?)?;
                self.packed(start.checked_add(16)?)?;
            }
            if SECTIONS.iter().any(|known| name.starts_with(known)) {
                self.length(start)?;
            }
            if name.starts_with(b"STRINGS\0") {
                self.indices(start, tokens)?;
            }
            let first = start.checked_add(8)?;
            let count = usize::try_from(self.length(start)?).ok()?;
            if name.starts_with(b"FIELDS\0") {
                let (names, reps) = self.packed(first)?;
                below(&integers(names, count)?, tokens, false)?;
                let (packed, _) = self.packed(reps)?;
                let size = count.checked_mul(8)?;
                let values = unpacked(packed, size).filter(|values| values.len() == size)?;
                for value in values.as_chunks::<8>().0 {
                    self.value(u64::from_le_bytes(*value), 0)?;
                }
            } else if name.starts_with(b"FIELDSETS\0") {
                below(&integers(self.packed(first)?.0, count)?, fields, true)?;
            } else if name.starts_with(b"PATHS\0") {
                self.paths(first, paths, tokens)?;
            } else if name.starts_with(b"SPECS\0") {
                let (own, next) = self.packed(first)?;
                below(&integers(own, count)?, paths, false)?;
                let (own, next) = self.packed(next)?;
                below(&integers(own, count)?, sets, false)?;
                self.packed(next)?;
            }
        }
        Some(())
    }

    /// The number of elements of a section; none where it is missing.
    fn count(&self, table: u64, wanted: &[u8]) -> u64 {
        let sections = self.number(table).unwrap_or(0).min(64);
        let section = |section: u64| {
            let at = table.checked_add(8)?.checked_add(section.checked_mul(32)?)?;
            let is_wanted = self.from(at)?.starts_with(wanted);
            is_wanted.then(|| self.number(self.number(at.checked_add(16)?)?)).flatten()
        };
        (0..sections).find_map(section).unwrap_or(0)
    }

    /// Checks a value by its number: type, place and how it is stored.
    fn value(&self, value: u64, depth: usize) -> Option<()> {
        let (is_array, is_inlined, is_packed) =
            (value >> 63 == 1, value >> 62 & 1 == 1, value >> 61 & 1 == 1);
        let (kind, at) = (value >> 48 & 0xff, value & 0xffff_ffff_ffff);
        if depth > MAX_DEPTH {
            return None;
        }
        let most = match kind {
            11 | 41 => Some(self.tokens),
            10 | 50 => Some(self.strings),
            12 if is_inlined || is_array => Some(self.tokens),
            40 => Some(self.paths),
            _ => None,
        };
        if let Some(most) = most {
            match (is_array || LISTS.contains(&kind), is_inlined) {
                (true, _) if at > 0 => self.indices(at, most)?,
                (true, _) => {}
                (false, true) => return (at & 0xffff_ffff < most).then_some(()),
                (false, false) => return (self.number(at)? < most).then_some(()),
            }
        }
        if is_inlined && !is_array || is_array && at == 0 {
            return Some(());
        }
        if is_array {
            // Only empty arrays, which were let through, are said to be inline.
            let count = self.length(at).filter(|_| !is_inlined)?;
            if is_packed && count >= 4 {
                let next = at.checked_add(8)?;
                let mut table = None;
                let sizes = match kind {
                    3..=6 => Some(next),
                    _ => match self.from(next)?.first()? {
                        b'i' => next.checked_add(1),
                        b't' => {
                            let size = self.from(next.checked_add(1)?)?.first_chunk()?;
                            let size = u64::from(u32::from_le_bytes(*size));
                            table = Some(size);
                            let bytes = size.checked_mul(if kind == 9 {
                                8
                            } else if kind == 8 {
                                4
                            } else {
                                2
                            })?;
                            next.checked_add(5)?.checked_add(bytes)
                        }
                        _ => None,
                    },
                };
                let block = match sizes {
                    Some(at) => self.packed(at)?.0,
                    None => return None,
                };
                if !matches!(kind, 5 | 6) {
                    let places = integers(block, usize::try_from(count).ok()?)?;
                    if let Some(most) = table {
                        below(&places, most, false)?;
                    }
                }
            }
            return Some(());
        }
        if LISTS.contains(&kind) {
            self.length(at)?;
        }
        if CHANGES.contains(&kind) {
            self.changes(kind, at)?;
        }
        if kind == SAMPLES {
            let times = at.checked_add(self.number(at)?)?;
            self.value(self.number(times)?, depth.checked_add(1)?)?;
            let jump = times.checked_add(8)?;
            let values = jump.checked_add(self.number(jump)?)?;
            let count = self.length(values)?;
            for number in 0..count {
                let at = values.checked_add(8)?.checked_add(number.checked_mul(8)?)?;
                self.value(self.number(at)?, depth.checked_add(1)?)?;
            }
        }
        Some(())
    }

    /// Checks the changes of a list: a byte says which lists follow.
    fn changes(&self, kind: u64, at: u64) -> Option<()> {
        let lists = self.from(at)?.first()? >> 1 & 0x3f;
        let mut at = at.checked_add(1)?;
        for _ in 0..lists.count_ones() {
            let most = match kind {
                32 => self.tokens,
                33 | 54 => self.strings,
                34 => self.paths,
                // Elements of other kinds have sizes of their kind; the first length is what can be told.
                _ => return self.length(at).map(|_| ()),
            };
            self.indices(at, most)?;
            at = at.checked_add(8)?.checked_add(self.number(at)?.checked_mul(4)?)?;
        }
        Some(())
    }

    /// Checks that no path is reached twice: the library would go there as often.
    fn paths(&self, at: u64, paths: u64, names: u64) -> Option<()> {
        let count = usize::try_from(self.length(at)?).ok()?;
        let (indices, next) = self.packed(at.checked_add(8)?)?;
        let (tokens, next) = self.packed(next)?;
        let (jumps, _) = self.packed(next)?;
        let [indices, tokens, jumps] = [indices, tokens, jumps].map(|packed| integers(packed, count));
        let jumps = jumps?;
        below(&indices?, paths, false)?;
        // Names of properties are negative.
        let tokens: Vec<i64> = tokens?.into_iter().map(|token| i64::from(token as i32).abs()).collect();
        below(tokens.get(1..).unwrap_or_default(), names, false)?;
        let mut reached = vec![false; count];
        let mut open = if count > 0 { vec![0usize] } else { Vec::new() };
        while let Some(mut place) = open.pop() {
            loop {
                let seen = reached.get_mut(place)?;
                if std::mem::replace(seen, true) {
                    return None;
                }
                let jump = *jumps.get(place)? as i32;
                if jump > 0 {
                    open.push(place.checked_add(usize::try_from(jump).ok()?)?);
                } else if jump < -1 {
                    break;
                }
                place = place.checked_add(1)?;
            }
        }
        Some(())
    }

    /// Checks a list of numbers behind its length.
    fn indices(&self, at: u64, most: u64) -> Option<()> {
        let count = usize::try_from(self.length(at)?).ok()?;
        let list = self.from(at.checked_add(8)?)?.get(..count.checked_mul(4)?)?;
        let is_right = |number: &[u8; 4]| u64::from(u32::from_le_bytes(*number)) < most;
        list.as_chunks::<4>().0.iter().all(is_right).then_some(())
    }

    /// A length, if the file has bytes enough for it.
    fn length(&self, at: u64) -> Option<u64> {
        let most = FREE.saturating_add((self.bytes.len() as u64).saturating_mul(PER_BYTE));
        self.number(at).filter(|length| *length <= most)
    }

    /// A packed block behind its length, and where it ends.
    fn packed(&self, at: u64) -> Option<(&[u8], u64)> {
        let (size, start) = (self.number(at)?, at.checked_add(8)?);
        let block = self.from(start)?.get(..usize::try_from(size).ok()?)?;
        // Only blocks of a single piece are read.
        let is_single = block.first().is_none_or(|pieces| *pieces == 0);
        is_single.then_some((block, start.checked_add(size)?))
    }

    fn number(&self, at: u64) -> Option<u64> {
        self.from(at)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
    }

    fn from(&self, at: u64) -> Option<&[u8]> {
        self.bytes.get(usize::try_from(at).ok()?..)
    }
}

/// Checks that numbers are below a count; the largest 32-bit number may stand for an end.
fn below(numbers: &[i64], count: u64, has_ends: bool) -> Option<()> {
    let is_right = |number: &i64| {
        let number = *number as u32;
        u64::from(number) < count || has_ends && number == u32::MAX
    };
    numbers.iter().all(is_right).then_some(())
}

/// Unpacks a block of LZ4 to at most `most` bytes; its first byte is 0 for a single piece, and only these are read.
fn unpacked(block: &[u8], most: usize) -> Option<Vec<u8>> {
    let (pieces, mut block) = block.split_first()?;
    let mut out: Vec<u8> = Vec::new();
    if *pieces != 0 {
        return None;
    }
    loop {
        let (token, rest) = block.split_first()?;
        let (literals, rest) = length(usize::from(token >> 4), rest)?;
        let (copied, rest) = rest.split_at_checked(literals)?;
        out.extend(copied);
        if out.len() > most {
            return None;
        }
        if rest.is_empty() {
            return Some(out);
        }
        let (offset, rest) = rest.split_first_chunk::<2>()?;
        let (size, rest) = length(usize::from(token & 15), rest)?;
        let from = out.len().checked_sub(usize::from(u16::from_le_bytes(*offset)))?;
        let size = size.checked_add(4)?;
        if out.len().checked_add(size)? > most {
            return None;
        }
        for at in from..from.checked_add(size)? {
            out.push(*out.get(at)?);
        }
        block = rest;
    }
}

/// A length of LZ4, which goes on as long as bytes are full.
fn length(first: usize, mut rest: &[u8]) -> Option<(usize, &[u8])> {
    let mut length = first;
    if first == 15 {
        loop {
            let (more, next) = rest.split_first()?;
            (length, rest) = (length.checked_add(usize::from(*more))?, next);
            if *more != 255 {
                break;
            }
        }
    }
    Some((length, rest))
}

/// Packed integers: a common step, two bits for the kind of each step, and the steps that are not common.
fn integers(block: &[u8], count: usize) -> Option<Vec<i64>> {
    let most = count.checked_mul(5)?.checked_add(16)?;
    let data = unpacked(block, most)?;
    let (common, rest) = data.split_first_chunk::<4>()?;
    let (codes, mut steps) = rest.split_at_checked(count.div_ceil(4))?;
    let mut all = Vec::with_capacity(count);
    let mut sum = 0i64;
    for number in 0..count {
        let code = *codes.get(number / 4)? >> *[0, 2, 4, 6].get(number % 4)? & 3;
        let step = match code {
            0 => i64::from(i32::from_le_bytes(*common)),
            1 => {
                let (step, rest) = steps.split_first()?;
                steps = rest;
                i64::from(*step as i8)
            }
            2 => {
                let (step, rest) = steps.split_first_chunk::<2>()?;
                steps = rest;
                i64::from(i16::from_le_bytes(*step))
            }
            _ => {
                let (step, rest) = steps.split_first_chunk::<4>()?;
                steps = rest;
                i64::from(i32::from_le_bytes(*step))
            }
        };
        sum = sum.wrapping_add(step);
        all.push(sum);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::{integers, unpacked};

    #[test]
    fn blocks_are_unpacked_as_far_as_they_may_be() {
        // Two letters, four more from two back, and an end without a copy.
        let block = [0, 0x20, b'a', b'b', 2, 0, 0x10, b'c'];
        assert_eq!(unpacked(&block, 7).as_deref(), Some(&b"abababc"[..]));
        assert_eq!(unpacked(&block, 6), None);
        assert_eq!(unpacked(&[0, 0x20, b'a', b'b', 9, 0, 0x10, b'c'], 99), None);
    }

    #[test]
    fn integers_are_sums_of_steps() {
        // 3 is the common step; the second is -1, the third 256.
        let block = [0, 0x80, 3, 0, 0, 0, 0b10_0100, 0xff, 0, 1];
        assert_eq!(integers(&block, 3), Some(vec![3, 2, 258]));
        assert_eq!(integers(&block, 9), None);
    }
}
