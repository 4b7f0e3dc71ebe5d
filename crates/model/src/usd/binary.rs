//! Checks of a binary layer before the library reads it: that its lists fit into the memory of a file, that every number in
//! them names something, and that its tree of paths has no knots.

use std::ops::RangeInclusive;

use super::bytes::{File, below};
use super::packed::{integers, unpacked};
use super::sound::{MAX_EXPRESSIONS, is_expression};
use super::stored::{Stored, Words};
use crate::reading::budget::of_file;

/// The deepest path, in elements.
const MAX_DEPTH: usize = 512;

/// The second numbers of the versions that are read. Earlier layers are not packed.
const READ_VERSIONS: RangeInclusive<u8> = 4..=12;

/// Bytes that the library takes for each element of a section, besides its letters.
const WORD_BYTES: u64 = 56;
const FIELD_BYTES: u64 = 96;
const NUMBER_BYTES: u64 = 32;
const PATH_BYTES: u64 = 80;
const SPEC_BYTES: u64 = 224;

/// Checks a binary layer. Returns it in a form that the library reads, if it has another.
///
/// # Errors
/// If the library would run out of memory, never end or panic.
pub fn check(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let version = bytes.get(8..11).ok_or("it is cut off")?;
    if let [major, minor, patch] = version
        && !(*major == 0 && READ_VERSIONS.contains(minor))
    {
        return Err(format!("its version {major}.{minor}.{patch} is not read"));
    }
    let damaged = || String::from("it is damaged or cut off");
    let most = of_file(bytes.len());
    let mended = Layer::of(bytes, most).check().ok_or_else(damaged)?;
    if let Some(mended) = &mended {
        // Places that overlap would change what was checked.
        let most = most.saturating_sub(mended.len() as u64);
        let again = Layer::of(mended, most).check();
        again.filter(Option::is_none).ok_or_else(damaged)?;
    }
    Ok(mended)
}

/// A layer and what is known of it.
struct Layer<'a> {
    file: File<'a>,
    /// Memory that is left for it.
    left: u64,
    words: Words,
    /// Numbers of fields and of their ends in sets.
    fields: u64,
    sets: u64,
}

impl<'a> Layer<'a> {
    fn of(bytes: &'a [u8], most: u64) -> Self {
        Layer { file: File(bytes), left: most, words: Words::default(), fields: 0, sets: 0 }
    }

    /// Checks everything. Returns the layer in another form if it needs one.
    #[allow(clippy::option_option, reason = "the outer one is for damage")]
    fn check(&mut self) -> Option<Option<Vec<u8>>> {
        // The library takes the first section of a name, and reads words before what names them.
        let [words, strings, fields, sets, paths, specs] =
            [&b"TOKENS\0"[..], b"STRINGS\0", b"FIELDS\0", b"FIELDSETS\0", b"PATHS\0", b"SPECS\0"]
                .map(|name| self.section(name));
        let (words, strings, fields) = (words?, strings?, fields?);
        if let Some(at) = words {
            self.tokens(at)?;
        }
        if let Some(at) = strings {
            self.strings(at)?;
        }
        if let Some(at) = paths? {
            self.paths(at)?;
        }
        if let Some(at) = fields {
            self.fields = self.count(at, FIELD_BYTES)?;
        }
        if let Some(at) = sets? {
            self.sets = self.count(at, NUMBER_BYTES)?;
            let numbers =
                integers(self.file.packed(at.checked_add(8)?)?.0, usize::try_from(self.sets).ok()?)?;
            below(&numbers, self.fields, true)?;
        }
        if let Some(at) = specs? {
            self.specs(at)?;
        }
        fields.map_or(Some(None), |at| self.values(at))
    }

    /// The start of a section; `None` inside where the layer has none.
    #[allow(clippy::option_option, reason = "the outer one is for damage")]
    fn section(&self, wanted: &[u8]) -> Option<Option<u64>> {
        let table = self.file.number(16)?;
        let sections = self.file.number(table)?.min(64);
        for section in 0..sections {
            let at = table.checked_add(8)?.checked_add(section.checked_mul(32)?)?;
            if !self.file.from(at)?.get(..32)?.starts_with(wanted) {
                continue;
            }
            let start = self.file.number(at.checked_add(16)?)?;
            let end = start.checked_add(self.file.number(at.checked_add(24)?)?)?;
            return (end <= self.file.0.len() as u64).then_some(Some(start));
        }
        Some(None)
    }

    /// The number of a list's elements, charged for.
    fn count(&mut self, at: u64, size: u64) -> Option<u64> {
        let count = self.file.length(at)?;
        self.take(count.checked_mul(size)?)?;
        Some(count)
    }

    fn take(&mut self, bytes: u64) -> Option<()> {
        self.left = self.left.checked_sub(bytes)?;
        Some(())
    }

    fn tokens(&mut self, at: u64) -> Option<()> {
        let count = self.count(at, WORD_BYTES)?;
        let size = self.count(at.checked_add(8)?, 2)?;
        let size = usize::try_from(size).ok()?;
        let text = match self.file.packed(at.checked_add(16)?)?.0 {
            [] => Vec::new(),
            block if size > 0 => unpacked(block, size)?,
            _ => Vec::new(),
        };
        let mut expressions = 0usize;
        for word in text.split(|letter| *letter == 0).take(usize::try_from(count).ok()?) {
            expressions = expressions.checked_add(usize::from(is_expression(word)?))?;
            self.words.tokens.push(word.len() as u64);
        }
        (expressions <= MAX_EXPRESSIONS).then_some(())
    }

    fn strings(&mut self, at: u64) -> Option<()> {
        self.count(at, NUMBER_BYTES)?;
        let (list, _) = self.file.indices(at)?;
        let length = |number: &[u8; 4]| self.words.tokens.get(u32::from_le_bytes(*number) as usize).copied();
        self.words.strings = list.iter().map(length).collect::<Option<_>>()?;
        Some(())
    }

    /// Checks that no path is reached twice, because the library would go there as often, and counts their letters.
    fn paths(&mut self, at: u64) -> Option<()> {
        let all = self.count(at, PATH_BYTES)?;
        self.words.paths = vec![0; usize::try_from(all).ok()?];
        let at = at.checked_add(8)?;
        let count = usize::try_from(self.count(at, NUMBER_BYTES)?).ok()?;
        let (indices, next) = self.file.packed(at.checked_add(8)?)?;
        let (tokens, next) = self.file.packed(next)?;
        let (jumps, _) = self.file.packed(next)?;
        let (indices, tokens) = (integers(indices, count)?, integers(tokens, count)?);
        let jumps = integers(jumps, count)?;
        let mut reached = vec![false; count];
        // Places with the depth and the letters of the paths above.
        let mut open = if count > 0 { vec![(0usize, 0usize, 0u64)] } else { Vec::new() };
        while let Some((mut place, mut depth, mut letters)) = open.pop() {
            loop {
                let seen = reached.get_mut(place)?;
                if std::mem::replace(seen, true) || depth > MAX_DEPTH {
                    return None;
                }
                let length = match place {
                    // The library takes the first path for the root.
                    0 if indices.first() != Some(&0) => return None,
                    0 => 1,
                    // Names of properties are negative.
                    _ => {
                        let token = (*tokens.get(place)? as i32).unsigned_abs() as usize;
                        self.words.tokens.get(token)?.checked_add(letters)?.checked_add(1)?
                    }
                };
                self.left = self.left.checked_sub(length.checked_mul(2)?)?;
                *self.words.paths.get_mut(*indices.get(place)? as u32 as usize)? = length;
                let jump = *jumps.get(place)? as i32;
                if jump > 0 {
                    open.push((place.checked_add(usize::try_from(jump).ok()?)?, depth, letters));
                }
                if jump < -1 {
                    break;
                }
                if jump != 0 {
                    (depth, letters) = (depth.checked_add(1)?, length);
                }
                place = place.checked_add(1)?;
            }
        }
        Some(())
    }

    fn specs(&mut self, at: u64) -> Option<()> {
        let count = usize::try_from(self.count(at, SPEC_BYTES)?).ok()?;
        let (own, next) = self.file.packed(at.checked_add(8)?)?;
        for path in integers(own, count)? {
            let letters = *self.words.paths.get(path as u32 as usize)?;
            self.take(letters)?;
        }
        let (own, next) = self.file.packed(next)?;
        below(&integers(own, count)?, self.sets, false)?;
        integers(self.file.packed(next)?.0, count)?;
        Some(())
    }

    /// Checks the names and values of the fields. Returns the layer in another form if they need one.
    #[allow(clippy::option_option, reason = "the outer one is for damage")]
    fn values(&mut self, at: u64) -> Option<Option<Vec<u8>>> {
        let count = usize::try_from(self.fields).ok()?;
        let (names, reps) = self.file.packed(at.checked_add(8)?)?;
        below(&integers(names, count)?, self.words.tokens.len() as u64, false)?;
        let size = count.checked_mul(8)?;
        let values = match size {
            0 => Vec::new(),
            _ => unpacked(self.file.packed(reps)?.0, size).filter(|values| values.len() == size)?,
        };
        let values = values.as_chunks::<8>().0;
        let mut stored = Stored::new(self.file, &self.words, self.left);
        for value in values {
            stored.value(u64::from_le_bytes(*value), 0)?;
        }
        stored.mended.layer(at, names, values)
    }
}
