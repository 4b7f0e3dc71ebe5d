//! Breaks bytes and JSON in pseudo-random ways that are the same on every run.

#![allow(dead_code, reason = "the fuzz targets and the tests each use a part")]

use serde_json::{Map, Value, json};

/// Pseudo-random numbers (xorshift).
pub struct Random(u64);

impl Random {
    /// Starts the sequence of a seed. Equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // Nearby seeds start alike.
        random.next();
        random.next();
        random
    }

    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end.max(1)
    }

    /// One of the elements.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Flips, overwrites, removes, repeats and cuts off bytes in up to four places. Always leaves at least one.
pub fn break_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            4 => bytes[at..end].fill(*random.one(&[0, 0xff, b'9', 0x7f])),
            _ => {
                if random.below(8) == 0 {
                    bytes.truncate(at.max(1));
                }
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

/// Overwrites bytes in up to four places and moves none.
pub fn flip_bytes(bytes: &mut [u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        let end = (at + 1 + random.below(8)).min(bytes.len());
        match random.below(3) {
            0 => bytes[at..end].fill(*random.one(&[0, 0xff, 0x7f, 0x80])),
            1 => bytes[at..end].iter_mut().for_each(|byte| *byte = random.next() as u8),
            _ => bytes[at..end].iter_mut().take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
        }
    }
}

/// Words with a meaning in glTF, to replace other words or keys.
const WORDS: [&str; 26] = [
    "",
    "SCALAR",
    "VEC2",
    "VEC3",
    "VEC4",
    "MAT4",
    "MAT3",
    "STEP",
    "LINEAR",
    "CUBICSPLINE",
    "translation",
    "rotation",
    "scale",
    "weights",
    "pointer",
    "POSITION",
    "NORMAL",
    "TEXCOORD_0",
    "JOINTS_0",
    "WEIGHTS_0",
    "JOINTS_1",
    "WEIGHTS_1",
    "MASK",
    "data:,",
    "line\nbreak\u{1b}[31m\u{2028}",
    "KHR_mesh_quantization",
];

/// Edits a JSON document in one place.
pub fn break_json(document: &mut Value, random: &mut Random) {
    let graft = somewhere(document, random).clone();
    let place = somewhere(document, random);
    match random.below(10) {
        // Changes a number, mostly to one that could be an index or a count.
        0..=3 => match nearest_number(place, random) {
            Some(number) => *number = other_number(number, random),
            None => remove(place, random),
        },
        4 => remove(place, random),
        5 => *place = odd_value(random),
        6 => repeat_or_swap(place, random),
        7 => rename(place, random),
        8 => *place = graft,
        _ => *place = json!([place.take()]),
    }
}

/// A random value of a document, more likely one far from its root.
fn somewhere<'a>(document: &'a mut Value, random: &mut Random) -> &'a mut Value {
    let mut at = document;
    while random.below(8) > 0 {
        let children = match &*at {
            Value::Array(items) => items.len(),
            Value::Object(members) => members.len(),
            _ => 0,
        };
        if children == 0 {
            break;
        }
        let chosen = random.below(children);
        at = match at {
            Value::Array(items) => &mut items[chosen],
            Value::Object(members) => members.values_mut().nth(chosen).unwrap(),
            _ => unreachable!("has children"),
        };
    }
    at
}

/// A number at or right below a place.
fn nearest_number<'a>(place: &'a mut Value, random: &mut Random) -> Option<&'a mut Value> {
    let numbers: Vec<&mut Value> = match place {
        Value::Number(_) => vec![place],
        Value::Array(items) => items.iter_mut().filter(|item| item.is_number()).collect(),
        Value::Object(members) => members.values_mut().filter(|member| member.is_number()).collect(),
        _ => Vec::new(),
    };
    let chosen = random.below(numbers.len());
    numbers.into_iter().nth(chosen)
}

fn other_number(number: &Value, random: &mut Random) -> Value {
    if let (Some(index), true) = (number.as_i64(), random.below(2) == 0) {
        return json!(index.saturating_add(*random.one(&[-1, 1, 2, -4, 256])));
    }
    let whole = [0, 1, 2, 3, 4, 7, 11, 12, 16, 64, 255, 256, 5120, 5121, 5123, 5125, 5126, 65_535, 65_536];
    match random.below(8) {
        0 => json!(u64::MAX),
        1 => json!(*random.one(&[u64::from(u32::MAX), 1 << 31, 1 << 32, 1 << 53, 1 << 63])),
        2 => json!(-1 - random.below(5) as i64),
        3 => json!(*random.one(&[1e39, -1e39, 3.4e38, 1e308, -1e-320, 1e-46, -0.0, 0.5, 1.5, 3.0])),
        _ => json!(*random.one(&whole)),
    }
}

/// Removes a member or an item of a place, or its contents.
fn remove(place: &mut Value, random: &mut Random) {
    match place {
        Value::Object(members) if !members.is_empty() => {
            let key = members.keys().nth(random.below(members.len())).unwrap().clone();
            members.remove(&key);
        }
        Value::Array(items) if !items.is_empty() => {
            if random.below(4) == 0 {
                items.truncate(random.below(items.len()));
            } else {
                items.remove(random.below(items.len()));
            }
        }
        _ => *place = Value::Null,
    }
}

fn odd_value(random: &mut Random) -> Value {
    match random.below(9) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!([]),
        3 => json!({}),
        4 => json!("x".repeat(1 << random.below(14))),
        5 => json!([0, 1, 2, 3]),
        6 => json!([1e39, -1.0, 0.0]),
        7 => (0..random.below(200)).fold(json!(0), |inner, _| json!([inner])),
        _ => json!(*random.one(&WORDS)),
    }
}

fn repeat_or_swap(place: &mut Value, random: &mut Random) {
    match place {
        Value::Array(items) if !items.is_empty() => {
            let (from, to) = (random.below(items.len()), random.below(items.len()));
            match random.below(8) {
                0..4 => items.swap(from, to),
                4..7 => items.insert(to, items[from].clone()),
                _ => {
                    let item = items[from].clone();
                    items.extend(std::iter::repeat_n(item, random.below(300)));
                }
            }
        }
        Value::Object(members) if !members.is_empty() => {
            let (from, to) = (random.below(members.len()), random.below(members.len()));
            let value = members.values().nth(from).unwrap().clone();
            *members.values_mut().nth(to).unwrap() = value;
        }
        Value::String(text) => *text = (*random.one(&WORDS)).to_owned(),
        _ => *place = json!(*random.one(&WORDS)),
    }
}

fn rename(place: &mut Value, random: &mut Random) {
    let Value::Object(members) = place else {
        *place = odd_value(random);
        return;
    };
    let chosen = random.below(members.len());
    let word = *random.one(&WORDS);
    let renamed: Map<String, Value> = std::mem::take(members)
        .into_iter()
        .enumerate()
        .map(|(number, (key, value))| (if number == chosen { word.to_owned() } else { key }, value))
        .collect();
    *members = renamed;
}
