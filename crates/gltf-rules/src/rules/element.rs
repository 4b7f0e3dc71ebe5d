//! Reads a list element that may be of any JSON type.

use std::fmt;

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// An element of a list of numbers or texts.
pub enum Element {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Anything else.
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
