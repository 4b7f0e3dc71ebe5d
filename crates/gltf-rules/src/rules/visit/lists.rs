//! Checks lists against the tables.

use std::collections::HashSet;

use serde::de::SeqAccess;

use super::at::{At, What};
use crate::rules::element::Element;
use crate::rules::noun::Noun;
use crate::rules::step::Step;
use crate::rules::walk::{Scalar, Walk};

/// Numbers, as many as there may be, from a range; they are kept for the object's own check.
pub fn numbers<'de, A: SeqAccess<'de>>(
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
                walk.wrong("ARRAY_TYPE_MISMATCH", format!("element {length} is not a number"));
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

/// References, none of them twice; they are kept for the object's own check.
pub fn indices<'de, A: SeqAccess<'de>>(
    walk: &mut Walk<'_>,
    noun: Noun,
    list: &mut A,
) -> Result<Option<Scalar>, A::Error> {
    let start = walk.numbers();
    let mut length = 0_usize;
    let mut known = HashSet::new();
    while let Some(element) = list.next_element::<Element>()? {
        walk.path.push(Step::Index(length));
        match element {
            Element::Number(index) if index >= 0.0 && index.fract() == 0.0 => {
                walk.keep(index);
                if known.insert(index as usize) {
                    walk.refer(noun, index);
                } else {
                    walk.wrong("DUPLICATE_ELEMENTS", format!("{index} is in the list before"));
                }
            }
            _ => walk.wrong("INVALID_INDEX", "is not a whole number from 0 up"),
        }
        walk.path.pop();
        length = length.saturating_add(1);
    }
    if length == 0 {
        walk.wrong("EMPTY_ENTITY", "is an empty list");
    }
    Ok(Some(Scalar::Numbers(start, walk.numbers().saturating_sub(start))))
}

/// Visits distinct texts and returns their number.
pub fn texts<'de, A: SeqAccess<'de>>(walk: &mut Walk<'_>, list: &mut A) -> Result<usize, A::Error> {
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
            Element::Number(_) | Element::Other => walk.wrong("ARRAY_TYPE_MISMATCH", "is not a string"),
        }
        walk.path.pop();
        length = length.saturating_add(1);
    }
    Ok(length)
}

/// Visits elements of one kind and returns their number.
pub fn each<'de, A: SeqAccess<'de>>(
    walk: &mut Walk<'_>,
    what: What,
    list: &mut A,
) -> Result<usize, A::Error> {
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
