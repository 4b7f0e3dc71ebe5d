//! The shape of the JSON held against tables: which properties an object has, which values they may
//! take, what they refer to. The text is read once more as a stream, so nothing of it is kept but the
//! [`Outline`]. It must not know what the values mean together; the objects' own checks do.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::extensions;
use super::outline::{Noun, Outline};
use crate::model::gltf::report::{Warnings, quoted};

/// What a property may be.
#[derive(Debug)]
pub enum Kind {
    /// True or false.
    Flag,
    /// A whole number within these bounds.
    Whole(f64, f64),
    /// One of some whole numbers.
    Code(&'static [u32]),
    /// A whole number that counts something within the object.
    Local,
    /// A reference.
    Index(Noun),
    /// References, each once.
    Indices(Noun),
    /// A number from the first to the second.
    Number(f64, f64),
    /// A number above the first.
    Above(f64),
    /// As many numbers as one of the lengths says (any where there is none), from the first number to
    /// the second.
    Numbers(&'static [usize], f64, f64),
    /// Any text.
    Text,
    /// One of some words.
    Word(&'static [&'static str]),
    /// Two numbers with a dot between them.
    Version,
    /// Texts, each once.
    Texts,
    /// An object.
    One(&'static Object),
    /// Objects, at least one.
    Many(&'static Object),
    /// References by name, at least one.
    ByName(Noun),
    /// Objects with references by name.
    ManyByName(Noun),
    /// Whatever somebody put there.
    Extras,
}

/// An object of the format.
#[derive(Debug)]
pub struct Object {
    /// What messages and the extensions' table call it.
    pub name: &'static str,
    /// What references to it are, where a list of it at the top of the file is referred to.
    pub noun: Option<Noun>,
    /// What it may have besides `extensions` and `extras`.
    pub properties: &'static [Property],
    /// What its values must be together.
    pub check: fn(&mut Walk<'_>, Seen),
}

/// A property of an object.
#[derive(Debug)]
pub struct Property {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// Whether it must be there.
    pub required: bool,
}

/// A property that may be there.
pub const fn may(name: &'static str, kind: Kind) -> Property {
    Property { name, kind, required: false }
}

/// A property that must be there.
pub const fn must(name: &'static str, kind: Kind) -> Property {
    Property { name, kind, required: true }
}

/// A step of a JSON path.
#[derive(Clone, Debug)]
pub enum Step {
    /// Into a property that a table knows.
    Known(&'static str),
    /// Into another property.
    Key(String),
    /// Into a list.
    Index(usize),
}

/// What an object's check sees of a property.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A number, or a flag as 0 or 1.
    Number(f64),
    /// A word of a list.
    Word(&'static str),
    /// Numbers, by where they are in [`Walk::numbers`].
    Numbers(usize, usize),
    /// A list or text of that length.
    Length(usize),
    /// Something else that is there.
    There,
}

/// Where an object's properties start among those of the objects around it.
#[derive(Clone, Copy, Debug)]
pub struct Seen(usize);

/// A walk over the JSON.
pub struct Walk<'a> {
    /// Where it is.
    pub path: Vec<Step>,
    /// What it has found out.
    pub outline: Outline,
    /// Where findings go.
    pub warnings: &'a mut Warnings,
    /// Lists of numbers of the objects that the walk is in.
    numbers: Vec<f64>,
    seen: Vec<(&'static str, Scalar)>,
}

/// Walks over the whole text and says what is at odds with the tables.
pub fn walk(text: &[u8], kind: &'static Kind, outline: Outline, warnings: &mut Warnings) -> Outline {
    let mut walk = Walk { path: Vec::new(), outline, warnings, numbers: Vec::new(), seen: Vec::new() };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    // The text was read before, so what is wrong now was skipped then, such as a number too large.
    if let Err(error) = (At { walk: &mut walk, kind }).deserialize(&mut deserializer) {
        let path = walk.place();
        walk.warnings.add("INVALID_JSON", &path, error.to_string());
    }
    walk.outline
}

impl Walk<'_> {
    /// The path of the value at hand.
    pub fn place(&self) -> String {
        let mut out = String::new();
        for step in &self.path {
            let key = match step {
                Step::Index(index) => {
                    out.push_str(&format!("[{index}]"));
                    continue;
                }
                Step::Known(key) => key,
                Step::Key(key) => key.as_str(),
            };
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(key);
        }
        if out.is_empty() { ".".to_owned() } else { out }
    }

    /// The path of a property of the object at hand.
    fn place_of(&self, property: &str) -> String {
        match self.place().as_str() {
            "." => property.to_owned(),
            place => format!("{place}.{property}"),
        }
    }

    /// The index of the nth list that the path leads through.
    pub fn index(&self, nth: usize) -> Option<usize> {
        let mut indices = self.path.iter().filter_map(|step| match step {
            Step::Index(index) => Some(*index),
            Step::Known(_) | Step::Key(_) => None,
        });
        indices.nth(nth)
    }

    /// The name of the property that the object at hand is the value of.
    pub fn key(&self) -> &'static str {
        match self.path.last() {
            Some(Step::Known(key)) => key,
            _ => "",
        }
    }

    /// A broken rule at the value at hand.
    pub fn wrong(&mut self, code: &'static str, message: impl AsRef<str>) {
        let place = self.place();
        self.warnings.add(code, &place, message);
    }

    /// A broken rule at a property of the object at hand.
    pub fn wrong_in(&mut self, code: &'static str, property: &str, message: impl AsRef<str>) {
        let place = self.place_of(property);
        self.warnings.add(code, &place, message);
    }

    /// Something odd at a property of the object at hand.
    pub fn note_in(&mut self, code: &'static str, property: &str, message: impl AsRef<str>) {
        let place = self.place_of(property);
        self.warnings.note(code, &place, message);
    }

    fn mismatch(&mut self, found: &str, expected: &str) {
        self.wrong("TYPE_MISMATCH", format!("{found}, where {expected} must be"));
    }

    /// What is known of a property of the object at hand.
    pub fn get(&self, seen: Seen, property: &str) -> Option<Scalar> {
        let found = self.seen.get(seen.0..)?.iter().find(|(name, _)| *name == property);
        found.map(|(_, scalar)| *scalar)
    }

    /// A number of the object at hand.
    pub fn number(&self, seen: Seen, property: &str) -> Option<f64> {
        match self.get(seen, property)? {
            Scalar::Number(number) => Some(number),
            _ => None,
        }
    }

    /// A number of the object at hand that is an index or a size.
    pub fn whole(&self, seen: Seen, property: &str) -> Option<usize> {
        self.number(seen, property).filter(|number| *number >= 0.0).map(|number| number as usize)
    }

    /// A word of the object at hand.
    pub fn word(&self, seen: Seen, property: &str) -> Option<&'static str> {
        match self.get(seen, property)? {
            Scalar::Word(word) => Some(word),
            _ => None,
        }
    }

    /// How long a list or text of the object at hand is.
    pub fn length(&self, seen: Seen, property: &str) -> Option<usize> {
        match self.get(seen, property)? {
            Scalar::Length(length) | Scalar::Numbers(_, length) => Some(length),
            _ => None,
        }
    }

    /// The numbers of a list of the object at hand.
    pub fn list(&self, seen: Seen, property: &str) -> Option<Vec<f64>> {
        match self.get(seen, property)? {
            Scalar::Numbers(start, length) => self.numbers.get(start..)?.get(..length).map(<[f64]>::to_vec),
            _ => None,
        }
    }

    fn refer(&mut self, noun: Noun, index: f64) {
        let index = index as usize;
        match self.outline.refer(noun, index) {
            Some(count) if index >= count => {
                let message = format!("there is no {} {index} (the file has {count})", noun.name());
                self.wrong("UNRESOLVED_REFERENCE", message);
            }
            Some(_) => {}
            None => {
                let place = self.place();
                self.outline.refer_later(noun, index, place);
            }
        }
    }

    /// A number where one may be.
    fn take_number(&mut self, kind: &Kind, value: f64) -> Option<Scalar> {
        let is_whole = value.fract() == 0.0;
        let out_of_range = |walk: &mut Self, from: f64, to: f64| {
            if !(from..=to).contains(&value) {
                let range =
                    if to.is_finite() { format!("from {from} to {to}") } else { format!("{from} or more") };
                walk.wrong("VALUE_NOT_IN_RANGE", format!("{value}, where it must be {range}"));
            }
        };
        match kind {
            Kind::Whole(from, to) if is_whole => out_of_range(self, *from, *to),
            Kind::Code(codes) if is_whole => {
                if !codes.iter().any(|code| f64::from(*code) == value) {
                    let place = self.place();
                    self.warnings.note("VALUE_NOT_IN_LIST", &place, format!("{value} is no code there"));
                }
            }
            Kind::Local | Kind::Index(_) if is_whole && value < 0.0 => {
                self.wrong("INVALID_INDEX", format!("{value} is no index"));
                return None;
            }
            Kind::Local if is_whole => {}
            Kind::Index(noun) if is_whole => self.refer(*noun, value),
            Kind::Number(from, to) => out_of_range(self, *from, *to),
            Kind::Above(bound) => {
                if value <= *bound {
                    self.wrong("VALUE_NOT_IN_RANGE", format!("{value}, where it must be above {bound}"));
                }
            }
            Kind::Extras => self.take_extras(),
            other => {
                self.mismatch(&value.to_string(), other.expected());
                return None;
            }
        }
        Some(Scalar::Number(value))
    }

    fn take_text(&mut self, kind: &Kind, text: &str) -> Option<Scalar> {
        match kind {
            Kind::Text => {}
            Kind::Word(words) => match words.iter().find(|word| **word == text) {
                Some(word) => return Some(Scalar::Word(word)),
                None => {
                    let place = self.place();
                    self.warnings.note(
                        "VALUE_NOT_IN_LIST",
                        &place,
                        format!("{} is no word there", quoted(text)),
                    );
                }
            },
            Kind::Version => {
                let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
                let is_version =
                    text.split_once('.').is_some_and(|(major, minor)| digits(major) && digits(minor));
                if !is_version {
                    self.wrong("PATTERN_MISMATCH", format!("{} is no version such as 2.0", quoted(text)));
                }
                // As a number, to be compared: major before minor.
                let number = |(major, minor): (&str, &str)| {
                    major.parse::<u32>().ok()?.checked_mul(1000)?.checked_add(minor.parse().ok()?)
                };
                return Some(
                    text.split_once('.').and_then(number).map_or(Scalar::There, |v| Scalar::Number(v.into())),
                );
            }
            Kind::Extras => self.take_extras(),
            other => {
                self.mismatch(&quoted(text), other.expected());
                return None;
            }
        }
        Some(Scalar::Length(text.len()))
    }

    fn take_extras(&mut self) {
        let place = self.place();
        self.warnings.note("NON_OBJECT_EXTRAS", &place, "is no object, which some readers expect");
    }

    /// What every object's properties must be, once all are known.
    fn finish(&mut self, object: &'static Object, seen: Seen, present: u64) {
        for (number, property) in object.properties.iter().enumerate() {
            if property.required && present.checked_shr(number as u32).unwrap_or(0) & 1 == 0 {
                self.wrong("UNDEFINED_PROPERTY", format!("has no {}", property.name));
            }
        }
        (object.check)(self, seen);
    }
}

impl Kind {
    fn expected(&self) -> &'static str {
        match self {
            Self::Flag => "true or false",
            Self::Whole(..) | Self::Code(_) | Self::Local | Self::Index(_) => "a whole number",
            Self::Number(..) | Self::Above(_) => "a number",
            Self::Text | Self::Word(_) | Self::Version => "text",
            Self::Indices(_) => "a list of whole numbers",
            Self::Numbers(..) => "a list of numbers",
            Self::Texts => "a list of texts",
            Self::Many(_) | Self::ManyByName(_) => "a list of objects",
            Self::One(_) | Self::ByName(_) => "an object",
            Self::Extras => "anything",
        }
    }
}

/// A value about to be read.
struct At<'w, 'a> {
    walk: &'w mut Walk<'a>,
    kind: &'static Kind,
}

impl<'de> DeserializeSeed<'de> for At<'_, '_> {
    type Value = Option<Scalar>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for At<'_, '_> {
    type Value = Option<Scalar>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.expected())
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        self.walk.mismatch("null", self.kind.expected());
        Ok(None)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        match self.kind {
            Kind::Flag => return Ok(Some(Scalar::Number(f64::from(u8::from(value))))),
            Kind::Extras => self.walk.take_extras(),
            other => self.walk.mismatch(&value.to_string(), other.expected()),
        }
        Ok(None)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(self.walk.take_number(self.kind, value as f64))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(self.walk.take_number(self.kind, value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(self.walk.take_number(self.kind, value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        Ok(self.walk.take_text(self.kind, value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let Self { walk, kind } = self;
        let length = match kind {
            Kind::Numbers(lengths, from, to) => return numbers(walk, (lengths, *from, *to), list),
            Kind::Indices(noun) => indices(walk, *noun, &mut list)?,
            Kind::Texts => texts(walk, &mut list)?,
            Kind::Many(object) => {
                let length = objects(walk, object, &mut list)?;
                if let Some(noun) = object.noun {
                    walk.outline.count(noun, length);
                }
                length
            }
            Kind::ManyByName(noun) => {
                let mut length = 0_usize;
                loop {
                    walk.path.push(Step::Index(length));
                    let more = list.next_element_seed(ByName { walk: &mut *walk, noun: *noun })?;
                    walk.path.pop();
                    if more.is_none() {
                        break length;
                    }
                    length = length.saturating_add(1);
                }
            }
            Kind::Extras => {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                walk.take_extras();
                return Ok(None);
            }
            other => {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                walk.mismatch("a list", other.expected());
                return Ok(None);
            }
        };
        if length == 0 {
            walk.wrong("EMPTY_ENTITY", "is an empty list");
        }
        Ok(Some(Scalar::Length(length)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Self { walk, kind } = self;
        match kind {
            Kind::One(object) | Kind::Many(object) => {
                if matches!(kind, Kind::Many(_)) {
                    walk.mismatch("an object", kind.expected());
                }
                members(walk, object, &mut map)?;
                Ok(Some(Scalar::There))
            }
            Kind::ByName(noun) => {
                let count = named(walk, *noun, &mut map)?;
                Ok(Some(Scalar::Length(count)))
            }
            other => {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                if !matches!(other, Kind::Extras) {
                    walk.mismatch("an object", other.expected());
                }
                Ok(None)
            }
        }
    }
}

fn numbers<'de, A: SeqAccess<'de>>(
    walk: &mut Walk<'_>,
    (lengths, from, to): (&[usize], f64, f64),
    mut list: A,
) -> Result<Option<Scalar>, A::Error> {
    let start = walk.numbers.len();
    let mut length = 0_usize;
    let mut outside = None;
    while let Some(element) = list.next_element::<Element>()? {
        match element {
            Element::Number(number) => {
                if !(from..=to).contains(&number) {
                    outside.get_or_insert(number);
                }
                walk.numbers.push(number);
            }
            Element::Text(_) | Element::Other => {
                walk.wrong("ARRAY_TYPE_MISMATCH", format!("element {length} is no number"));
            }
        }
        length = length.saturating_add(1);
    }
    if let Some(number) = outside {
        walk.wrong("VALUE_NOT_IN_RANGE", format!("{number}, where numbers must be from {from} to {to}"));
    }
    if length == 0 {
        walk.wrong("EMPTY_ENTITY", "is an empty list");
    } else if !lengths.is_empty() && !lengths.contains(&length) {
        walk.wrong("ARRAY_LENGTH_NOT_IN_LIST", format!("{length} numbers, where there must be {lengths:?}"));
    }
    Ok(Some(Scalar::Numbers(start, walk.numbers.len().saturating_sub(start))))
}

fn indices<'de, A: SeqAccess<'de>>(walk: &mut Walk<'_>, noun: Noun, list: &mut A) -> Result<usize, A::Error> {
    let mut length = 0_usize;
    let mut known = std::collections::HashSet::new();
    while let Some(element) = list.next_element::<Element>()? {
        walk.path.push(Step::Index(length));
        match element {
            Element::Number(index) if index >= 0.0 && index.fract() == 0.0 => {
                if known.insert(index as usize) {
                    walk.refer(noun, index);
                } else {
                    walk.wrong("DUPLICATE_ELEMENTS", format!("{index} is in the list before"));
                }
            }
            _ => walk.wrong("INVALID_INDEX", "is no whole number from 0"),
        }
        walk.path.pop();
        length = length.saturating_add(1);
    }
    Ok(length)
}

fn texts<'de, A: SeqAccess<'de>>(walk: &mut Walk<'_>, list: &mut A) -> Result<usize, A::Error> {
    let mut length = 0_usize;
    let mut known = std::collections::HashSet::new();
    while let Some(element) = list.next_element::<Element>()? {
        walk.path.push(Step::Index(length));
        match element {
            Element::Text(text) => {
                if !known.insert(text) {
                    walk.wrong("DUPLICATE_ELEMENTS", "is in the list before");
                }
            }
            Element::Number(_) | Element::Other => walk.wrong("ARRAY_TYPE_MISMATCH", "is no text"),
        }
        walk.path.pop();
        length = length.saturating_add(1);
    }
    Ok(length)
}

fn objects<'de, A: SeqAccess<'de>>(
    walk: &mut Walk<'_>,
    object: &'static Object,
    list: &mut A,
) -> Result<usize, A::Error> {
    let mut length = 0_usize;
    loop {
        walk.path.push(Step::Index(length));
        let more = list.next_element_seed(Inside { walk: &mut *walk, object })?;
        walk.path.pop();
        if more.is_none() {
            return Ok(length);
        }
        length = length.saturating_add(1);
    }
}

/// An object of a list.
struct Inside<'w, 'a> {
    walk: &'w mut Walk<'a>,
    object: &'static Object,
}

impl<'de> DeserializeSeed<'de> for Inside<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Inside<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        members(self.walk, self.object, &mut map)
    }
}

/// All properties of an object.
fn members<'de, A: MapAccess<'de>>(
    walk: &mut Walk<'_>,
    object: &'static Object,
    map: &mut A,
) -> Result<(), A::Error> {
    let seen = Seen(walk.seen.len());
    let first_number = walk.numbers.len();
    let mut present = 0_u64;
    while let Some(key) = map.next_key_seed(KeyOf(object))? {
        let (step, kind) = match key {
            Key::Property(number, property) => {
                present |= 1_u64.checked_shl(number as u32).unwrap_or(0);
                (Step::Known(property.name), &property.kind)
            }
            Key::Extensions => {
                walk.path.push(Step::Known("extensions"));
                map.next_value_seed(ExtensionsOf { walk: &mut *walk, object })?;
                walk.path.pop();
                walk.seen.push(("extensions", Scalar::There));
                continue;
            }
            Key::Extras => (Step::Known("extras"), &Kind::Extras),
            Key::Other(key) => {
                map.next_value::<IgnoredAny>()?;
                walk.path.push(Step::Key(key));
                let place = walk.place();
                walk.path.pop();
                walk.warnings.note("UNEXPECTED_PROPERTY", &place, "is no property of the format");
                continue;
            }
        };
        let name = match &step {
            Step::Known(name) => name,
            Step::Key(_) | Step::Index(_) => "",
        };
        walk.path.push(step);
        let scalar = map.next_value_seed(At { walk: &mut *walk, kind })?;
        walk.path.pop();
        walk.seen.extend(scalar.map(|scalar| (name, scalar)));
    }
    walk.finish(object, seen, present);
    walk.seen.truncate(seen.0);
    walk.numbers.truncate(first_number);
    Ok(())
}

enum Key {
    Property(usize, &'static Property),
    Extensions,
    Extras,
    Other(String),
}

struct KeyOf(&'static Object);

impl<'de> DeserializeSeed<'de> for KeyOf {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeyOf {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
        let known = self.0.properties.iter().enumerate().find(|(_, property)| property.name == key);
        Ok(match (known, key) {
            (Some((number, property)), _) => Key::Property(number, property),
            (None, "extensions") => Key::Extensions,
            (None, "extras") => Key::Extras,
            (None, other) => Key::Other(other.to_owned()),
        })
    }
}

struct ExtensionsOf<'w, 'a> {
    walk: &'w mut Walk<'a>,
    object: &'static Object,
}

impl<'de> DeserializeSeed<'de> for ExtensionsOf<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ExtensionsOf<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        extensions_of(self.walk, self.object, &mut map)
    }
}

/// The extensions of an object, each by its own table where there is one.
fn extensions_of<'de, A: MapAccess<'de>>(
    walk: &mut Walk<'_>,
    object: &'static Object,
    map: &mut A,
) -> Result<(), A::Error> {
    while let Some(name) = map.next_key::<String>()? {
        let table = extensions::table(&name, object.name);
        walk.path.push(table.map_or_else(|| Step::Key(name.clone()), |(name, _)| Step::Known(name)));
        let place = walk.place();
        walk.outline.extension(&name, object.name, place);
        match table {
            Some((_, table)) => map.next_value_seed(At { walk: &mut *walk, kind: table }).map(|_| ())?,
            None => map.next_value::<IgnoredAny>().map(|_| ())?,
        }
        walk.path.pop();
    }
    Ok(())
}

struct ByName<'w, 'a> {
    walk: &'w mut Walk<'a>,
    noun: Noun,
}

impl<'de> DeserializeSeed<'de> for ByName<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ByName<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        named(self.walk, self.noun, &mut map).map(|_| ())
    }
}

/// References by name; what they are is put into the outline.
fn named<'de, A: MapAccess<'de>>(walk: &mut Walk<'_>, noun: Noun, map: &mut A) -> Result<usize, A::Error> {
    let mut count = 0_usize;
    while let Some((name, value)) = map.next_entry::<String, Element>()? {
        count = count.saturating_add(1);
        walk.path.push(Step::Key(name.clone()));
        match value {
            Element::Number(index) if index >= 0.0 && index.fract() == 0.0 => {
                walk.refer(noun, index);
                let places = [0, 1, 2].map(|nth| walk.index(nth));
                walk.outline.attribute(places, walk.path.first(), name, index as usize);
            }
            Element::Number(index) => walk.wrong("INVALID_INDEX", format!("{index} is no index")),
            Element::Text(_) | Element::Other => walk.mismatch("something else", "a whole number"),
        }
        walk.path.pop();
    }
    if count == 0 {
        walk.wrong("EMPTY_ENTITY", "is an empty object");
    }
    Ok(count)
}

/// An element of a list of numbers or texts.
enum Element {
    Number(f64),
    Text(String),
    Other,
}

impl<'de> serde::Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ElementVisitor)
    }
}

struct ElementVisitor;

impl<'de> Visitor<'de> for ElementVisitor {
    type Value = Element;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Element, E> {
        Ok(Element::Other)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Element, E> {
        Ok(Element::Other)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Element, E> {
        Ok(Element::Number(value as f64))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Element, E> {
        Ok(Element::Number(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Element, E> {
        Ok(Element::Number(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Element, E> {
        Ok(Element::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Element, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Element::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Element, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Element::Other)
    }
}
