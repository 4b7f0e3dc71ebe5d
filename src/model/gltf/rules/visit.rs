//! The JSON held against the tables: read once more as a stream, so nothing of it is kept but the
//! [`Outline`]. It must not know what any value means; [`Walk`] and the objects' own checks do.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::element::Element;
use super::extensions;
use super::outline::{Noun, Outline};
use super::schema::{Kind, Object, Property};
use super::walk::{Scalar, Step, Walk};
use crate::model::gltf::report::Warnings;

/// Walks over the whole text and says what is at odds with the tables.
pub fn walk(text: &[u8], kind: &'static Kind, outline: Outline, warnings: &mut Warnings) -> Outline {
    let mut walk = Walk::new(outline, warnings);
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    // The text was read before, so what is wrong now was skipped then, such as a number too large.
    if let Err(error) = (At { walk: &mut walk, what: What::Kind(kind) }).deserialize(&mut deserializer) {
        walk.wrong("INVALID_JSON", error.to_string());
    }
    walk.outline
}

/// What a value must be.
#[derive(Clone, Copy)]
enum What {
    /// As a table says of a property.
    Kind(&'static Kind),
    /// An object of a list.
    Object(&'static Object),
    /// The extensions of an object.
    Extensions(&'static Object),
    /// References by name.
    ByName(Noun),
}

impl What {
    fn expected(self) -> &'static str {
        match self {
            Self::Kind(kind) => kind.expected(),
            Self::Object(_) | Self::Extensions(_) | Self::ByName(_) => "an object",
        }
    }
}

/// A value about to be read.
struct At<'w, 'a> {
    walk: &'w mut Walk<'a>,
    what: What,
}

impl At<'_, '_> {
    /// The value is of another type than it must be.
    fn mismatch<E>(self, found: &str) -> Result<Option<Scalar>, E> {
        if matches!(self.what, What::Kind(Kind::Extras)) {
            self.walk.odd_extras();
        } else {
            self.walk.mismatch(found, self.what.expected());
        }
        Ok(None)
    }
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
        f.write_str(self.what.expected())
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        self.mismatch("null")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        match self.what {
            What::Kind(Kind::Flag) => Ok(Some(Scalar::Number(f64::from(u8::from(value))))),
            _ => self.mismatch(&value.to_string()),
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        match self.what {
            What::Kind(kind) => Ok(self.walk.take_number(kind, value)),
            _ => self.mismatch(&value.to_string()),
        }
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        match self.what {
            What::Kind(kind) => Ok(self.walk.take_text(kind, value)),
            _ => self.mismatch("text"),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let walk = self.walk;
        let length = match self.what {
            What::Kind(Kind::Numbers(lengths, from, to)) => {
                return numbers(walk, (lengths, *from, *to), list);
            }
            What::Kind(Kind::Indices(noun)) => indices(walk, *noun, &mut list)?,
            What::Kind(Kind::Texts) => texts(walk, &mut list)?,
            What::Kind(Kind::ManyByName(noun)) => each(walk, What::ByName(*noun), &mut list)?,
            What::Kind(Kind::Many(object)) => {
                let length = each(walk, What::Object(object), &mut list)?;
                if let Some(noun) = object.noun {
                    walk.outline.count(noun, length);
                }
                length
            }
            what => {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                return At { walk, what }.mismatch("a list");
            }
        };
        if length == 0 {
            walk.wrong("EMPTY_ENTITY", "is an empty list");
        }
        Ok(Some(Scalar::Length(length)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let walk = self.walk;
        match self.what {
            What::Kind(Kind::One(object)) => members(walk, object, &mut map).map(|()| Some(Scalar::There)),
            What::Object(object) => members(walk, object, &mut map).map(|()| Some(Scalar::There)),
            What::Kind(Kind::ByName(noun)) => named(walk, *noun, &mut map).map(|()| Some(Scalar::There)),
            What::ByName(noun) => named(walk, noun, &mut map).map(|()| Some(Scalar::There)),
            What::Extensions(object) => extensions_of(walk, object, &mut map).map(|()| None),
            what => {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                match what {
                    What::Kind(Kind::Extras) => Ok(None),
                    _ => At { walk, what }.mismatch("an object"),
                }
            }
        }
    }
}

fn numbers<'de, A: SeqAccess<'de>>(
    walk: &mut Walk<'_>,
    (lengths, from, to): (&[usize], f64, f64),
    mut list: A,
) -> Result<Option<Scalar>, A::Error> {
    let start = walk.numbers();
    let mut length = 0_usize;
    let mut outside = None;
    while let Some(element) = list.next_element::<Element>()? {
        match element {
            Element::Number(number) => {
                if !(from..=to).contains(&number) {
                    outside.get_or_insert(number);
                }
                walk.keep(number);
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
    Ok(Some(Scalar::Numbers(start, walk.numbers().saturating_sub(start))))
}

fn indices<'de, A: SeqAccess<'de>>(walk: &mut Walk<'_>, noun: Noun, list: &mut A) -> Result<usize, A::Error> {
    let mut length = 0_usize;
    let mut known = HashSet::new();
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
    let mut known = HashSet::new();
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

/// Elements of a list that are all the same; says how many there are.
fn each<'de, A: SeqAccess<'de>>(walk: &mut Walk<'_>, what: What, list: &mut A) -> Result<usize, A::Error> {
    let mut length = 0_usize;
    loop {
        walk.path.push(Step::Index(length));
        let more = list.next_element_seed(At { walk: &mut *walk, what })?;
        walk.path.pop();
        if more.is_none() {
            return Ok(length);
        }
        length = length.saturating_add(1);
    }
}

/// All properties of an object.
fn members<'de, A: MapAccess<'de>>(
    walk: &mut Walk<'_>,
    object: &'static Object,
    map: &mut A,
) -> Result<(), A::Error> {
    let seen = walk.enter();
    let mut present = 0_u64;
    while let Some(key) = map.next_key_seed(KeyOf(object))? {
        let (step, kind) = match key {
            Key::Property(number, property) => {
                present |= 1_u64.checked_shl(number as u32).unwrap_or(0);
                (Step::Known(property.name), &property.kind)
            }
            Key::Extensions => {
                walk.path.push(Step::Known("extensions"));
                map.next_value_seed(At { walk: &mut *walk, what: What::Extensions(object) })?;
                walk.path.pop();
                walk.see("extensions", Scalar::There);
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
        let scalar = map.next_value_seed(At { walk: &mut *walk, what: What::Kind(kind) })?;
        walk.path.pop();
        if let Some(scalar) = scalar {
            walk.see(name, scalar);
        }
    }
    walk.leave(object, seen, present);
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
            Some((_, table)) => {
                map.next_value_seed(At { walk: &mut *walk, what: What::Kind(table) }).map(|_| ())?
            }
            None => map.next_value::<IgnoredAny>().map(|_| ())?,
        }
        walk.path.pop();
    }
    Ok(())
}

/// References by name; what they are is put into the outline.
fn named<'de, A: MapAccess<'de>>(walk: &mut Walk<'_>, noun: Noun, map: &mut A) -> Result<(), A::Error> {
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
    Ok(())
}
