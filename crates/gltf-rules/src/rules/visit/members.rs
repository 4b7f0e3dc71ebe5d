//! Checks objects against the tables, member by member.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::at::{At, What};
use crate::rules::element::Element;
use crate::rules::extensions;
use crate::rules::noun::Noun;
use crate::rules::schema::{Kind, Object, Property};
use crate::rules::step::Step;
use crate::rules::walk::{Scalar, Walk};

/// Visits all properties of an object.
pub fn members<'de, A: MapAccess<'de>>(
    walk: &mut Walk<'_>,
    object: &'static Object,
    map: &mut A,
) -> Result<(), A::Error> {
    let seen = walk.enter();
    let mut present = 0_u64;
    while let Some(name) = map.next_key_seed(NameOf(object))? {
        let (step, kind) = match name {
            Name::Property(number, property) => {
                present |= 1_u64.checked_shl(number as u32).unwrap_or(0);
                (Step::Known(property.name), &property.kind)
            }
            Name::Extensions => {
                walk.path.push(Step::Known("extensions"));
                map.next_value_seed(At { walk: &mut *walk, what: What::Extensions(object) })?;
                walk.path.pop();
                walk.see("extensions", Scalar::There);
                continue;
            }
            Name::Extras => (Step::Known("extras"), &Kind::Extras),
            Name::Other(name) => {
                map.next_value::<IgnoredAny>()?;
                walk.path.push(Step::Named(name));
                let place = walk.place();
                walk.path.pop();
                walk.warnings.note("UNEXPECTED_PROPERTY", &place, "is not a property of the format");
                continue;
            }
        };
        let name = match &step {
            Step::Known(name) => name,
            Step::Named(_) | Step::Index(_) => "",
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

/// A name in an object.
enum Name {
    Property(usize, &'static Property),
    Extensions,
    Extras,
    Other(String),
}

/// Looks names up in an object's table.
struct NameOf(&'static Object);

impl<'de> DeserializeSeed<'de> for NameOf {
    type Value = Name;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Name, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for NameOf {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Name, E> {
        let known = self.0.properties.iter().enumerate().find(|(_, property)| property.name == name);
        Ok(match (known, name) {
            (Some((number, property)), _) => Name::Property(number, property),
            (None, "extensions") => Name::Extensions,
            (None, "extras") => Name::Extras,
            (None, other) => Name::Other(other.to_owned()),
        })
    }
}

/// The extensions of an object, each by its own table where there is one.
pub fn extensions_of<'de, A: MapAccess<'de>>(
    walk: &mut Walk<'_>,
    object: &'static Object,
    map: &mut A,
) -> Result<(), A::Error> {
    while let Some(name) = map.next_key::<String>()? {
        let table = extensions::table(&name, object.name);
        walk.path.push(table.map_or_else(|| Step::Named(name.clone()), |(name, _)| Step::Known(name)));
        let place = walk.place();
        walk.notes.extension(&name, object.name, place);
        let what = table.map_or(What::Unknown, |(_, table)| What::Kind(table));
        map.next_value_seed(At { walk: &mut *walk, what })?;
        walk.path.pop();
    }
    Ok(())
}

/// References by name; what they are is put into the notes.
pub fn named<'de, A: MapAccess<'de>>(walk: &mut Walk<'_>, noun: Noun, map: &mut A) -> Result<(), A::Error> {
    let mut count = 0_usize;
    while let Some((name, value)) = map.next_entry::<String, Element>()? {
        count = count.saturating_add(1);
        walk.path.push(Step::Named(name.clone()));
        match value {
            Element::Number(index) if index >= 0.0 && index.fract() == 0.0 => {
                walk.refer(noun, index);
                let places = [0, 1, 2].map(|nth| walk.index(nth));
                walk.notes.attribute(places, walk.path.first(), name, index as usize);
            }
            Element::Number(index) => walk.wrong("INVALID_INDEX", format!("{index} is not an index")),
            Element::Text(_) | Element::Other => walk.mismatch("something else", "a whole number"),
        }
        walk.path.pop();
    }
    if count == 0 {
        walk.wrong("EMPTY_ENTITY", "is an empty object");
    }
    Ok(())
}
