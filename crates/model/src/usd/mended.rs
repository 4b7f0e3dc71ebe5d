//! Binary layers in the form that the library reads: of version 0.7 or later, and with a place for each array of texts, even if
//! it is empty. New forms of values come behind the layer's own bytes.

use std::collections::HashMap;

use super::bytes::File;
use super::packed::block;

/// The version of layers with arrays in their new form, in the place where the version is.
const VERSION: (std::ops::Range<usize>, [u8; 3]) = (8..11, [0, 7, 0]);

/// The marks of a value's number that are not its place.
const MARKS: u64 = 0xffff << 48;

/// Values of a layer that the library would not read.
pub struct Mended<'a> {
    file: File<'a>,
    /// Bytes for behind the layer.
    more: Vec<u8>,
    /// The new numbers of values.
    numbers: HashMap<u64, u64>,
    /// New numbers of values inside others, with their places.
    inside: Vec<(u64, u64)>,
}

impl<'a> Mended<'a> {
    pub fn new(file: File<'a>) -> Self {
        Self { file, more: Vec::new(), numbers: HashMap::new(), inside: Vec::new() }
    }

    /// The place behind everything.
    fn end(&self) -> Option<u64> {
        (self.file.0.len() as u64).checked_add(self.more.len() as u64)
    }

    /// Adds an array in its new form.
    pub fn array(&mut self, number: u64, count: u64, elements: &[u8]) -> Option<()> {
        let place = self.end().filter(|place| place & MARKS == 0)?;
        self.more.extend(count.to_le_bytes());
        self.more.extend(elements);
        self.numbers.insert(number, number & MARKS | place);
        Some(())
    }

    /// Notes that a value inside another is at a place.
    pub fn number_at(&mut self, place: u64, number: u64) {
        self.inside.extend(self.numbers.get(&number).map(|new| (place, *new)));
    }

    /// The layer with its values in their new forms, if some have one; `None` inside if it may stay.
    ///
    /// `fields` is the place of the section of that name, and `names` and `values` are what it has.
    #[allow(clippy::option_option, reason = "the outer one is for damage")]
    pub fn layer(mut self, fields: u64, names: &[u8], values: &[[u8; 8]]) -> Option<Option<Vec<u8>>> {
        if self.numbers.is_empty() && !self.file.has_short_arrays() {
            return Some(None);
        }
        let start = self.end()?;
        let new = |number: &[u8; 8]| {
            let number = u64::from_le_bytes(*number);
            self.numbers.get(&number).unwrap_or(&number).to_le_bytes()
        };
        let values: Vec<u8> = values.iter().flat_map(new).collect();
        self.more.extend((values.len() as u64 / 8).to_le_bytes());
        for block in [names, &block(&values)] {
            self.more.extend((block.len() as u64).to_le_bytes());
            self.more.extend(block);
        }
        let table = self.end()?;
        self.table(fields, start)?;
        let mut layer = [self.file.0, &self.more].concat();
        for (place, number) in self.inside {
            put(&mut layer, place, &number.to_le_bytes())?;
        }
        put(&mut layer, 16, &table.to_le_bytes())?;
        if self.file.has_short_arrays() {
            layer.get_mut(VERSION.0)?.copy_from_slice(&VERSION.1);
        }
        Some(Some(layer))
    }

    /// Adds the table of sections, with the fields at their new place.
    fn table(&mut self, fields: u64, start: u64) -> Option<()> {
        let size = self.end()?.checked_sub(start)?;
        let table = self.file.from(self.file.number(16)?)?;
        let (count, sections) = table.split_first_chunk::<8>()?;
        let sections =
            sections.as_chunks::<32>().0.get(..usize::try_from(u64::from_le_bytes(*count)).ok()?)?;
        self.more.extend(count);
        for section in sections {
            let (name, place) = section.split_at_checked(16)?;
            let is_fields = name.starts_with(b"FIELDS\0") && place.starts_with(&fields.to_le_bytes());
            self.more.extend(name);
            match is_fields {
                true => self.more.extend([start.to_le_bytes(), size.to_le_bytes()].concat()),
                false => self.more.extend(place),
            }
        }
        Some(())
    }
}

fn put(layer: &mut [u8], place: u64, bytes: &[u8]) -> Option<()> {
    let place = usize::try_from(place).ok()?;
    layer.get_mut(place..place.checked_add(bytes.len())?)?.copy_from_slice(bytes);
    Some(())
}
