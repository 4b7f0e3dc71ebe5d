//! The types that the tables of objects are written in.

use super::noun::Noun;
use super::walk::{Seen, Walk};

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

impl Kind {
    /// What messages call it.
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
