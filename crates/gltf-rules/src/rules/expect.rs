//! Checks single numbers and texts, and whole objects, against the tables.

use super::schema::{Kind, Object};
use super::walk::{Scalar, Seen, Walk};
use crate::text::quoted;

impl Walk<'_> {
    /// A number where one may be.
    pub fn take_number(&mut self, kind: &Kind, value: f64) -> Option<Scalar> {
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
                    self.warnings.note(
                        "VALUE_NOT_IN_LIST",
                        &place,
                        format!("{value} is not a valid code here"),
                    );
                }
            }
            Kind::Local | Kind::Index(_) if is_whole && value < 0.0 => {
                self.wrong("INVALID_INDEX", format!("{value} is not an index"));
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
            Kind::Extras => self.odd_extras(),
            other => {
                self.mismatch(&value.to_string(), other.expected());
                return None;
            }
        }
        Some(Scalar::Number(value))
    }

    /// Takes a text.
    pub fn take_text(&mut self, kind: &Kind, text: &str) -> Option<Scalar> {
        match kind {
            Kind::Text => {}
            Kind::Word(words) => match words.iter().find(|word| **word == text) {
                Some(word) => return Some(Scalar::Word(word)),
                None => {
                    let place = self.place();
                    self.warnings.note(
                        "VALUE_NOT_IN_LIST",
                        &place,
                        format!("{} is not a valid word here", quoted(text)),
                    );
                }
            },
            Kind::Version => {
                let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
                let is_version =
                    text.split_once('.').is_some_and(|(major, minor)| digits(major) && digits(minor));
                if !is_version {
                    self.wrong("PATTERN_MISMATCH", format!("{} is not a version such as 2.0", quoted(text)));
                }
                // Versions are compared as numbers, major before minor.
                let number = |(major, minor): (&str, &str)| {
                    major.parse::<u32>().ok()?.checked_mul(1000)?.checked_add(minor.parse().ok()?)
                };
                return Some(
                    text.split_once('.').and_then(number).map_or(Scalar::There, |v| Scalar::Number(v.into())),
                );
            }
            Kind::Pointer => {
                // RFC 6901: nothing, or a slash before each step, in which a tilde is escaped.
                let is_escaped = |rest: &str| rest.starts_with(['0', '1']);
                if !(text.is_empty() || text.starts_with('/')) || !text.split('~').skip(1).all(is_escaped) {
                    self.wrong("PATTERN_MISMATCH", format!("{} is not a JSON pointer", quoted(text)));
                }
            }
            Kind::Extras => self.odd_extras(),
            other => {
                self.mismatch(&quoted(text), other.expected());
                return None;
            }
        }
        Some(Scalar::Length(text.len()))
    }

    /// Leaves an object, whose properties are all known now.
    pub fn leave(&mut self, object: &'static Object, seen: Seen, present: u64) {
        for (number, property) in object.properties.iter().enumerate() {
            if property.required && present.checked_shr(number as u32).unwrap_or(0) & 1 == 0 {
                self.wrong("UNDEFINED_PROPERTY", format!("has no {}", property.name));
            }
        }
        (object.check)(self, seen);
        self.forget(seen);
    }
}
