//! Keeps track of the place in the JSON and of the values seen so far.

use super::notes::Notes;
use super::noun::Noun;
use super::step::Step;
use crate::sink::Sink;

/// A property's value, reduced for an object's check.
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
    /// Another value.
    There,
}

/// Start of an object's values among those of the objects around it.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    properties: usize,
    numbers: usize,
}

/// A walk over the JSON.
pub struct Walk<'a> {
    /// Path of the current object.
    pub path: Vec<Step>,
    /// Notes so far.
    pub notes: Notes,
    /// Findings so far.
    pub warnings: &'a mut dyn Sink,
    /// Lists of numbers of the objects that the walk is in.
    numbers: Vec<f64>,
    seen: Vec<(&'static str, Scalar)>,
}

impl<'a> Walk<'a> {
    /// A walk that has not begun.
    pub fn new(notes: Notes, warnings: &'a mut dyn Sink) -> Self {
        Self { path: Vec::new(), notes, warnings, numbers: Vec::new(), seen: Vec::new() }
    }

    /// Goes into an object.
    pub fn enter(&self) -> Seen {
        Seen { properties: self.seen.len(), numbers: self.numbers.len() }
    }

    /// Takes in a property of the object at hand.
    pub fn see(&mut self, name: &'static str, scalar: Scalar) {
        self.seen.push((name, scalar));
    }

    /// Takes in a number of a list.
    pub fn keep(&mut self, number: f64) {
        self.numbers.push(number);
    }

    /// Returns the number of numbers kept from lists.
    pub fn numbers(&self) -> usize {
        self.numbers.len()
    }

    /// The path of the value at hand.
    pub fn place(&self) -> String {
        let mut out = String::new();
        for step in &self.path {
            let name = match step {
                Step::Index(index) => {
                    out.push_str(&format!("[{index}]"));
                    continue;
                }
                Step::Known(name) => name,
                Step::Named(name) => name.as_str(),
            };
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(name);
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
            Step::Known(_) | Step::Named(_) => None,
        });
        indices.nth(nth)
    }

    /// The name of the property that the object at hand is the value of.
    pub fn member(&self) -> &'static str {
        self.member_above(0)
    }

    /// Returns the member name one or more steps above the current object.
    pub fn member_above(&self, steps: usize) -> &'static str {
        let at = self.path.len().checked_sub(steps.saturating_add(1));
        match at.and_then(|at| self.path.get(at)) {
            Some(Step::Known(name)) => name,
            _ => "",
        }
    }

    /// A broken rule at the value at hand.
    pub fn wrong(&mut self, code: &'static str, message: impl AsRef<str>) {
        let place = self.place();
        self.warnings.fault(code, &place, message);
    }

    /// A broken rule at a property of the object at hand.
    pub fn wrong_in(&mut self, code: &'static str, property: &str, message: impl AsRef<str>) {
        let place = self.place_of(property);
        self.warnings.fault(code, &place, message);
    }

    /// Something odd at a property of the object at hand.
    pub fn note_in(&mut self, code: &'static str, property: &str, message: impl AsRef<str>) {
        let place = self.place_of(property);
        self.warnings.note(code, &place, message);
    }

    /// The value at hand is of another type than it must be.
    pub fn mismatch(&mut self, found: &str, expected: &str) {
        self.wrong("TYPE_MISMATCH", format!("{found}, where {expected} must be"));
    }

    /// Returns a property of the current object, if seen.
    pub fn get(&self, seen: Seen, property: &str) -> Option<Scalar> {
        let found = self.seen.get(seen.properties..)?.iter().find(|(name, _)| *name == property);
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

    /// Returns the length of a list or text of the current object.
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

    /// The value at hand is a reference.
    pub fn refer(&mut self, noun: Noun, index: f64) {
        let index = index as usize;
        match self.notes.refer(noun, index) {
            Some(count) if index >= count => {
                let message = format!("there is no {} {index} (the file has {count})", noun.name());
                self.wrong("UNRESOLVED_REFERENCE", message);
            }
            Some(_) => {}
            None => {
                let place = self.place();
                self.notes.refer_later(noun, index, place);
            }
        }
    }

    /// Extras that are no object.
    pub fn odd_extras(&mut self) {
        let place = self.place();
        self.warnings.note("NON_OBJECT_EXTRAS", &place, "is not an object, which some readers expect");
    }

    /// Forgets an object.
    pub fn forget(&mut self, seen: Seen) {
        self.seen.truncate(seen.properties);
        self.numbers.truncate(seen.numbers);
    }
}
