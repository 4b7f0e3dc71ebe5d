//! A value of JSON about to be read, and what the tables expect there.

use serde::de::{DeserializeSeed, Deserializer};

use crate::rules::noun::Noun;
use crate::rules::schema::{Kind, Object};
use crate::rules::walk::{Scalar, Walk};

/// Requirement for a value.
#[derive(Clone, Copy)]
pub enum What {
    /// A property's kind in a table.
    Kind(&'static Kind),
    /// An object of a list.
    Object(&'static Object),
    /// The extensions of an object.
    Extensions(&'static Object),
    /// References by name.
    ByName(Noun),
    /// An extension without a table.
    Unknown,
}

impl What {
    /// Returns the description for messages.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Kind(kind) => kind.expected(),
            Self::Object(_) | Self::Extensions(_) | Self::ByName(_) | Self::Unknown => "an object",
        }
    }
}

/// A value about to be read.
pub struct At<'w, 'a> {
    pub walk: &'w mut Walk<'a>,
    pub what: What,
}

impl At<'_, '_> {
    /// The value is of another type than it must be.
    pub fn mismatch<E>(self, found: &str) -> Result<Option<Scalar>, E> {
        match self.what {
            What::Kind(Kind::Extras) => self.walk.odd_extras(),
            // The lists at the top of the file are other things to the validator.
            What::Object(_) | What::ByName(_) if self.walk.path.len() > 2 => {
                self.walk.wrong("ARRAY_TYPE_MISMATCH", format!("{found}, where an object must be"));
            }
            _ => self.walk.mismatch(found, self.what.expected()),
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
