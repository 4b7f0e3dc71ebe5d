//! Checks any JSON value against what the tables expect there.

use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::at::{At, What};
use super::lists::{each, indices, numbers, texts};
use super::members::{extensions_of, members, named};
use crate::rules::schema::Kind;
use crate::rules::walk::Scalar;

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
            What::Kind(Kind::Indices(noun)) => return indices(walk, *noun, &mut list),
            What::Kind(Kind::Texts) => texts(walk, &mut list)?,
            What::Kind(Kind::ManyByName(noun)) => each(walk, What::ByName(*noun), &mut list)?,
            What::Kind(Kind::Many(object)) => {
                let length = each(walk, What::Object(object), &mut list)?;
                if let Some(noun) = object.noun {
                    walk.notes.count(noun, length);
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
                    What::Kind(Kind::Extras) | What::Unknown => Ok(None),
                    _ => At { walk, what }.mismatch("an object"),
                }
            }
        }
    }
}
