//! A layer in binary form, version 0.8. Lists are stored as they are; the tables at the end are packed, as the format demands,
//! in blocks of LZ4 without repetitions. (The library's own writer makes files that OpenUSD does not open.)

use std::collections::HashMap;

use openusd::gf::{Quatd, Quatf};
use openusd::sdf::{ChildrenKey, ListOp, SpecType, Value};

use super::prim::Layer;
use crate::usd::packed::block;

/// The first bytes of a file, with its version.
const SIGNATURE: &[u8; 16] = b"PXR-USDC\0\x08\0\0\0\0\0\0";

/// Bytes before the values: the signature, the place of the table of sections, and eight numbers for later.
const HEADER: usize = 88;

/// The field that lists properties, which has another name in this form.
const PROPERTIES: &str = "properties";

/// Marks of values: lists, and values that are in place of their own address.
const LIST: u64 = 1 << 63;
const INLINE: u64 = 1 << 62;

/// Numbers of types.
mod kind {
    pub const BOOL: u64 = 1;
    pub const INT: u64 = 3;
    pub const FLOAT: u64 = 8;
    pub const DOUBLE: u64 = 9;
    pub const STRING: u64 = 10;
    pub const TOKEN: u64 = 11;
    pub const ASSET: u64 = 12;
    pub const MATRIX: u64 = 15;
    pub const QUATD: u64 = 16;
    pub const QUATF: u64 = 17;
    pub const VEC2F: u64 = 20;
    pub const VEC3D: u64 = 23;
    pub const VEC3F: u64 = 24;
    pub const VEC3H: u64 = 25;
    pub const VEC4F: u64 = 28;
    pub const DICTIONARY: u64 = 31;
    pub const TOKEN_CHANGES: u64 = 32;
    pub const STRING_CHANGES: u64 = 33;
    pub const PATH_CHANGES: u64 = 34;
    pub const TOKENS: u64 = 41;
    pub const SPECIFIER: u64 = 42;
    pub const VARIABILITY: u64 = 44;
    pub const SELECTION: u64 = 45;
    pub const SAMPLES: u64 = 46;
    pub const DOUBLES: u64 = 48;
}

/// Words, each once, with their numbers.
#[derive(Default)]
struct Table {
    all: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Table {
    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(word.to_owned());
        self.numbers.insert(word.to_owned(), number);
        number
    }
}

#[derive(Default)]
struct Writer {
    out: Vec<u8>,
    words: Table,
    strings: Table,
    paths: HashMap<String, u32>,
}

/// The bytes of a layer.
///
/// # Errors
/// If it has a value that this form is not written with, or a path to nothing.
pub fn write(layer: &Layer) -> Result<Vec<u8>, String> {
    let mut writer = Writer { out: SIGNATURE.to_vec(), ..Writer::default() };
    writer.out.resize(HEADER, 0);
    // A property's word has its number with a minus, so that none may be the first.
    writer.words.number("");
    for (number, spec) in (0..).zip(&layer.0) {
        writer.paths.insert(spec.path.as_str().to_owned(), number);
    }
    let (mut fields, mut sets, mut specs) = (Vec::new(), Vec::new(), Vec::new());
    for spec in &layer.0 {
        specs.push((sets.len() as u32, spec.kind as u32));
        for (name, value) in &spec.fields {
            let rep = match (is_children(name), value) {
                (true, Value::TokenVec(names)) => writer.words_of(names.iter().map(|name| name.as_str())),
                _ => writer.value(value)?,
            };
            let is_properties = *name == ChildrenKey::PropertyChildren.as_str();
            let name = writer.words.number(if is_properties { PROPERTIES } else { name });
            sets.push(fields.len() as u32);
            fields.push((name, rep));
        }
        sets.push(u32::MAX);
    }
    writer.finish(layer, &fields, &sets, &specs);
    Ok(writer.out)
}

fn is_children(name: &str) -> bool {
    use ChildrenKey::{PrimChildren, PropertyChildren, VariantChildren, VariantSetChildren};
    [PrimChildren, PropertyChildren, VariantChildren, VariantSetChildren]
        .iter()
        .any(|key| key.as_str() == name)
}

impl Writer {
    fn number(&mut self, number: u64) {
        self.out.extend(number.to_le_bytes());
    }

    fn short(&mut self, number: u32) {
        self.out.extend(number.to_le_bytes());
    }

    /// The place of the next value, at a multiple of eight bytes.
    fn place(&mut self) -> u64 {
        self.out.resize(self.out.len().next_multiple_of(8), 0);
        self.out.len() as u64
    }

    fn string(&mut self, text: &str) -> u32 {
        self.words.number(text);
        self.strings.number(text)
    }

    /// Writes a value; returns its number: its type, marks and place, or itself.
    fn value(&mut self, value: &Value) -> Result<u64, String> {
        let inline = |kind: u64, value: u64| kind << 48 | INLINE | value;
        Ok(match value {
            Value::Bool(is_set) => inline(kind::BOOL, u64::from(*is_set)),
            Value::Int(number) => inline(kind::INT, u64::from(*number as u32)),
            Value::Float(number) => inline(kind::FLOAT, u64::from(number.to_bits())),
            Value::Token(word) => inline(kind::TOKEN, u64::from(self.words.number(word.as_str()))),
            Value::AssetPath(path) => inline(kind::ASSET, u64::from(self.words.number(path.as_str()))),
            Value::String(text) => inline(kind::STRING, u64::from(self.string(text))),
            Value::Specifier(one) => inline(kind::SPECIFIER, *one as u64),
            Value::Variability(one) => inline(kind::VARIABILITY, *one as u64),
            Value::Double(number) => self.one(kind::DOUBLE, &number.to_le_bytes()),
            Value::Vec2f(v) => self.one(kind::VEC2F, bytemuck::bytes_of(v)),
            Value::Vec3f(v) => self.one(kind::VEC3F, bytemuck::bytes_of(v)),
            Value::Vec3d(v) => self.one(kind::VEC3D, bytemuck::bytes_of(v)),
            Value::Vec4f(v) => self.one(kind::VEC4F, bytemuck::bytes_of(v)),
            Value::Quatd(Quatd { w, x, y, z }) => {
                self.one(kind::QUATD, bytemuck::bytes_of(&[*x, *y, *z, *w]))
            }
            Value::Matrix4d(matrix) => self.one(kind::MATRIX, bytemuck::bytes_of(matrix)),
            Value::IntVec(all) => self.list(kind::INT, all),
            Value::FloatVec(all) => self.list(kind::FLOAT, all),
            Value::Vec2fVec(all) => self.list(kind::VEC2F, all),
            Value::Vec3fVec(all) => self.list(kind::VEC3F, all),
            Value::Vec3hVec(all) => self.list(kind::VEC3H, all),
            Value::Matrix4dVec(all) => self.list(kind::MATRIX, all),
            Value::QuatfVec(all) => {
                let all: Vec<[f32; 4]> = all.iter().map(|Quatf { w, x, y, z }| [*x, *y, *z, *w]).collect();
                self.list(kind::QUATF, &all)
            }
            Value::TokenVec(all) => {
                let all: Vec<u32> = all.iter().map(|word| self.words.number(word.as_str())).collect();
                self.list(kind::TOKEN, &all)
            }
            Value::StringVec(all) => {
                let all: Vec<u32> = all.iter().map(|text| self.string(text)).collect();
                self.list(kind::STRING, &all)
            }
            Value::TokenListOp(op) => self
                .changes(kind::TOKEN_CHANGES, op, |writer, word| Some(writer.words.number(word.as_str())))?,
            Value::StringListOp(op) => {
                self.changes(kind::STRING_CHANGES, op, |writer, text| Some(writer.string(text)))?
            }
            Value::PathListOp(op) => {
                self.changes(kind::PATH_CHANGES, op, |writer, path| writer.paths.get(path.as_str()).copied())?
            }
            Value::VariantSelectionMap(map) => {
                let pairs: Vec<[u32; 2]> =
                    map.iter().map(|(set, name)| [self.string(set), self.string(name)]).collect();
                self.counted(kind::SELECTION, &pairs)
            }
            Value::Dictionary(map) => self.dictionary(map)?,
            Value::TimeSamples(samples) => self.samples(samples)?,
            _ => return Err("a value has a type that is not written".to_owned()),
        })
    }

    fn one(&mut self, kind: u64, bytes: &[u8]) -> u64 {
        let place = self.place();
        self.out.extend(bytes);
        kind << 48 | place
    }

    /// A list behind its length; an empty one has no place.
    fn list<T: bytemuck::Pod>(&mut self, kind: u64, all: &[T]) -> u64 {
        if all.is_empty() { kind << 48 | LIST } else { self.counted(kind, all) | LIST }
    }

    fn counted<T: bytemuck::Pod>(&mut self, kind: u64, all: &[T]) -> u64 {
        let place = self.place();
        self.number(all.len() as u64);
        self.out.extend_from_slice(bytemuck::cast_slice(all));
        kind << 48 | place
    }

    /// Words that are no list of values, but one of names.
    fn words_of<'a>(&mut self, names: impl Iterator<Item = &'a str>) -> u64 {
        let names: Vec<u32> = names.map(|name| self.words.number(name)).collect();
        self.counted(kind::TOKENS, &names)
    }

    /// Changes of a list: a byte with what there is, and the items.
    fn changes<T: Default + Clone + PartialEq>(
        &mut self,
        kind: u64,
        op: &ListOp<T>,
        number: impl Fn(&mut Self, &T) -> Option<u32>,
    ) -> Result<u64, String> {
        let (marks, items) = if op.explicit { (3, &op.explicit_items) } else { (32, &op.prepended_items) };
        let items: Option<Vec<u32>> = items.iter().map(|item| number(self, item)).collect();
        let items = items.ok_or("a path leads to nothing")?;
        let place = self.place();
        self.out.push(marks);
        self.number(items.len() as u64);
        items.into_iter().for_each(|item| self.short(item));
        Ok(kind << 48 | place)
    }

    /// Writes something behind the distance to what follows it.
    fn apart<T>(&mut self, write: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        let start = self.out.len();
        self.number(0);
        let made = write(self)?;
        let distance = (self.out.len() - start) as u64;
        self.out[start..start + 8].copy_from_slice(&distance.to_le_bytes());
        Ok(made)
    }

    fn dictionary(&mut self, map: &HashMap<String, Value>) -> Result<u64, String> {
        let mut entries: Vec<(&String, &Value)> = map.iter().collect();
        entries.sort_by_key(|(key, _)| *key);
        let place = self.place();
        self.number(entries.len() as u64);
        for (key, value) in entries {
            let key = self.string(key);
            self.short(key);
            let rep = self.apart(|writer| writer.value(value))?;
            self.number(rep);
        }
        Ok(kind::DICTIONARY << 48 | place)
    }

    fn samples(&mut self, samples: &[(f64, Value)]) -> Result<u64, String> {
        let times: Vec<f64> = samples.iter().map(|(time, _)| *time).collect();
        let place = self.place();
        let times = self.apart(|writer| Ok(writer.counted(kind::DOUBLES, &times)))?;
        self.number(times);
        let values: Vec<u64> =
            self.apart(|writer| samples.iter().map(|(_, value)| writer.value(value)).collect())?;
        self.number(values.len() as u64);
        values.into_iter().for_each(|rep| self.number(rep));
        Ok(kind::SAMPLES << 48 | place)
    }

    /// Writes the tables.
    fn finish(&mut self, layer: &Layer, fields: &[(u32, u64)], sets: &[u32], specs: &[(u32, u32)]) {
        let count = layer.0.len();
        let elements: Vec<u32> = layer
            .0
            .iter()
            .map(|spec| {
                let word = self.words.number(&spec.element);
                let is_property = matches!(spec.kind, SpecType::Attribute | SpecType::Relationship);
                if is_property { word.wrapping_neg() } else { word }
            })
            .collect();
        let mut words = Vec::new();
        for word in &self.words.all {
            words.extend(word.as_bytes());
            words.push(0);
        }
        let strings: Vec<u32> = self.strings.all.iter().map(|text| self.words.numbers[text]).collect();
        let packed = |numbers: &[u32]| block(&integers(numbers));
        let (names, reps): (Vec<u32>, Vec<u64>) = fields.iter().copied().unzip();
        let paths: Vec<u32> = (0..count as u32).collect();
        let (own, kinds): (Vec<u32>, Vec<u32>) = specs.iter().copied().unzip();
        let mut sections = Vec::new();
        let mut section = |writer: &mut Self, name: &[u8], counts: &[u64], blocks: &[Vec<u8>]| {
            let start = writer.place();
            counts.iter().for_each(|count| writer.number(*count));
            for block in blocks {
                writer.number(block.len() as u64);
                writer.out.extend(block);
            }
            sections.push((name.to_vec(), start, writer.out.len() as u64 - start));
        };
        let lengths = [self.words.all.len() as u64, words.len() as u64];
        section(self, b"TOKENS", &lengths, &[block(&words)]);
        let start = self.place();
        self.number(strings.len() as u64);
        strings.iter().for_each(|string| self.short(*string));
        let end = self.out.len() as u64;
        section(
            self,
            b"FIELDS",
            &[fields.len() as u64],
            &[packed(&names), block(bytemuck::cast_slice(&reps))],
        );
        section(self, b"FIELDSETS", &[sets.len() as u64], &[packed(sets)]);
        let blocks = [packed(&paths), packed(&elements), packed(&jumps(layer))];
        section(self, b"PATHS", &[count as u64; 2], &blocks);
        section(self, b"SPECS", &[count as u64], &[packed(&paths), packed(&own), packed(&kinds)]);
        sections.insert(1, (b"STRINGS".to_vec(), start, end - start));
        let table = self.place();
        self.out[16..24].copy_from_slice(&table.to_le_bytes());
        self.number(sections.len() as u64);
        for (mut name, start, length) in sections {
            name.resize(16, 0);
            self.out.extend(name);
            self.number(start);
            self.number(length);
        }
    }
}

/// The way through the tree of paths, each before those below it: −2 at an end, −1 where the first child follows and nothing
/// else, 0 where the next sibling follows, and otherwise the distance to the next sibling, with the first child before it.
fn jumps(layer: &Layer) -> Vec<u32> {
    let depths: Vec<usize> = layer.0.iter().map(|spec| spec.depth).collect();
    let mut next = vec![None; depths.len()];
    let mut open: Vec<usize> = Vec::new();
    for (number, depth) in depths.iter().enumerate() {
        while let Some(last) = open.last().copied().filter(|last| depths[*last] >= *depth) {
            open.pop();
            if depths[last] == *depth {
                next[last] = Some(number);
            }
        }
        open.push(number);
    }
    let jump = |number: usize| {
        let has_child = depths.get(number + 1).is_some_and(|depth| *depth > depths[number]);
        match (has_child, next[number]) {
            (false, None) => -2,
            (true, None) => -1,
            (false, Some(_)) => 0,
            (true, Some(next)) => (next - number) as i32,
        }
    };
    (0..depths.len()).map(|number| jump(number) as u32).collect()
}

/// Integers as steps: the usual step of 1, two bits for the kind of each step, and the steps that are not usual.
fn integers(numbers: &[u32]) -> Vec<u8> {
    let mut out = 1i32.to_le_bytes().to_vec();
    let mut codes = vec![0u8; numbers.len().div_ceil(4)];
    let mut steps = Vec::new();
    let mut last = 0u32;
    for (at, number) in numbers.iter().enumerate() {
        let step = number.wrapping_sub(last) as i32;
        last = *number;
        let code = if step == 1 {
            0
        } else if let Ok(short) = i8::try_from(step) {
            steps.extend(short.to_le_bytes());
            1
        } else if let Ok(short) = i16::try_from(step) {
            steps.extend(short.to_le_bytes());
            2
        } else {
            steps.extend(step.to_le_bytes());
            3
        };
        codes[at / 4] |= code << (at % 4 * 2);
    }
    out.extend(codes);
    out.extend(steps);
    out
}
