//! The types that the tables of objects are written in.

use super::noun::Noun;
use super::walk::{Seen, Walk};

/// Allowed values of a property.
#[derive(Debug)]
pub enum Kind {
    /// True or false.
    Flag,
    /// A whole number within these bounds.
    Whole(f64, f64),
    /// One of some integers.
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
    /// A list of numbers with one of the lengths (any if there is none), between the first number and the second.
    Numbers(&'static [usize], f64, f64),
    /// Any text.
    Text,
    /// One of some words.
    Word(&'static [&'static str]),
    /// Two numbers with a dot between them.
    Version,
    /// A JSON pointer.
    Pointer,
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
    /// Application-specific data.
    Extras,
}

/// An object of the format.
#[derive(Debug)]
pub struct Object {
    /// Name in messages and in the table of extensions.
    pub name: &'static str,
    /// The kind of references to it, if a top-level list of it can be referred to.
    pub noun: Option<Noun>,
    /// Properties besides `extensions` and `extras`.
    pub properties: &'static [Property],
    /// Check of its values together.
    pub check: fn(&mut Walk<'_>, Seen),
}

/// A property of an object.
#[derive(Debug)]
pub struct Property {
    /// Its name.
    pub name: &'static str,
    /// Its allowed values.
    pub kind: Kind,
    /// True if the property is required.
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

impl Kind {
    /// Returns the description for messages.
    pub fn expected(&self) -> &'static str {
        match self {
            Self::Flag => "true or false",
            Self::Whole(..) | Self::Code(_) | Self::Local | Self::Index(_) => "a whole number",
            Self::Number(..) | Self::Above(_) => "a number",
            Self::Text | Self::Word(_) | Self::Version | Self::Pointer => "text",
            Self::Indices(_) => "a list of whole numbers",
            Self::Numbers(..) => "a list of numbers",
            Self::Texts => "a list of texts",
            Self::Many(_) | Self::ManyByName(_) => "a list of objects",
            Self::One(_) | Self::ByName(_) => "an object",
            Self::Extras => "anything",
        }
    }
}
