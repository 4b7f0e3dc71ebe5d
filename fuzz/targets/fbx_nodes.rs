//! Reads binary FBX files as trees of nodes, breaks those in ways that leave them trees, and writes them again, so that
//! mutations get past the container.

use libfuzzer_sys::fuzzer_mutate;

use crate::breaking::Random;
use crate::document::{MAGIC, Node, Value, binary_of};

/// The nodes of a file without compression, as the seeds are; `None` for any other.
fn nodes_of(bytes: &[u8]) -> Option<Vec<Node>> {
    let mut at = bytes.strip_prefix(MAGIC).map(|_| MAGIC.len())?;
    list(bytes, &mut at, 0)
}

/// Nodes up to the empty one that ends them.
fn list(bytes: &[u8], at: &mut usize, depth: usize) -> Option<Vec<Node>> {
    let mut nodes = Vec::new();
    loop {
        let (end, count) = (number(bytes, at)? as usize, number(bytes, at)?);
        number(bytes, at)?;
        let length = take(bytes, at, 1)?[0] as usize;
        if end == 0 {
            return Some(nodes);
        }
        let name = String::from_utf8_lossy(take(bytes, at, length)?).into_owned();
        let values = (0..count).map(|_| value(bytes, at)).collect::<Option<Vec<_>>>()?;
        let below = if *at < end && depth < 40 { list(bytes, at, depth + 1)? } else { Vec::new() };
        if *at != end {
            return None;
        }
        nodes.push(Node { name, values, below });
    }
}

fn take<'a>(bytes: &'a [u8], at: &mut usize, length: usize) -> Option<&'a [u8]> {
    let taken = bytes.get(*at..at.checked_add(length)?)?;
    *at += length;
    Some(taken)
}

fn number(bytes: &[u8], at: &mut usize) -> Option<u32> {
    Some(u32::from_le_bytes(*take(bytes, at, 4)?.first_chunk()?))
}

fn value(bytes: &[u8], at: &mut usize) -> Option<Value> {
    let kind = take(bytes, at, 1)?[0];
    let mut wide = || Some(*take(bytes, at, 8)?.first_chunk::<8>()?);
    Some(match kind {
        b'L' => Value::Long(i64::from_le_bytes(wide()?)),
        b'D' => Value::Real(f64::from_le_bytes(wide()?)),
        b'I' => Value::Int(number(bytes, at)? as i32),
        b'S' | b'R' => {
            let length = number(bytes, at)? as usize;
            let held = take(bytes, at, length)?.to_vec();
            match (kind, String::from_utf8(held)) {
                (b'S', Ok(text)) => Value::Text(text),
                (_, held) => Value::Bytes(held.map_or_else(|error| error.into_bytes(), String::into_bytes)),
            }
        }
        b'i' | b'l' | b'd' | b'f' => {
            let (_, encoding, length) = (number(bytes, at)?, number(bytes, at)?, number(bytes, at)?);
            let held = take(bytes, at, length as usize).filter(|_| encoding == 0)?;
            let (four, _) = held.as_chunks::<4>();
            let (eight, _) = held.as_chunks::<8>();
            match kind {
                b'i' => Value::Ints(four.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect()),
                b'f' => Value::Floats(four.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()),
                b'l' => Value::Longs(eight.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect()),
                _ => Value::Reals(eight.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()),
            }
        }
        _ => return None,
    })
}

/// Mutates the first `size` bytes in place and returns their new number: half of the time as a tree.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random::new(u64::from(seed));
    let broken = (random.below(2) == 0).then(|| nodes_of(&data[..size])).flatten().map(|mut nodes| {
        (0..=random.below(3)).for_each(|_| break_nodes(&mut nodes, &mut random));
        binary_of(&nodes)
    });
    match broken.filter(|bytes| bytes.len() <= max_size) {
        Some(bytes) => {
            data[..bytes.len()].copy_from_slice(&bytes);
            bytes.len()
        }
        None => fuzzer_mutate(data, size, max_size),
    }
}

/// Walks down to some node, and breaks what is there.
fn break_nodes(nodes: &mut Vec<Node>, random: &mut Random) {
    if nodes.is_empty() {
        return;
    }
    let at = random.below(nodes.len());
    if !nodes[at].below.is_empty() && random.below(8) != 0 {
        return break_nodes(&mut nodes[at].below, random);
    }
    let other = random.below(nodes.len());
    match random.below(10) {
        0 => drop(nodes.remove(at)),
        1 => nodes.push(nodes[at].clone()),
        2 => nodes.swap(at, other),
        3 => nodes[at].name = nodes[other].name.clone(),
        4 => nodes[at].values = nodes[other].values.clone(),
        _ => break_values(&mut nodes[at].values, random),
    }
}

fn break_values(values: &mut Vec<Value>, random: &mut Random) {
    if values.is_empty() {
        return;
    }
    let at = random.below(values.len());
    let real = *random.one(&[0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, -1e38, f64::NAN, f64::INFINITY, 1e9]);
    let long =
        *random.one(&[0, 1, -1, 2, 1000, 2000, 3000, i64::MAX, i64::MIN, i64::from(i32::MAX), 1 << 40]);
    match &mut values[at] {
        Value::Int(value) => *value = if random.below(2) == 0 { long as i32 } else { random.next() as i32 },
        // Most are numbers of objects: thousands.
        Value::Long(value) => {
            *value = if random.below(2) == 0 { long } else { 1000 * random.below(40) as i64 }
        }
        Value::Real(value) => *value = real,
        Value::Text(text) => *text = (*random.one(TEXTS)).to_owned(),
        Value::Bytes(bytes) => bytes.truncate(random.below(bytes.len() + 1)),
        Value::Ints(list) => break_list(list, long as i32, random),
        Value::Longs(list) => break_list(list, long, random),
        Value::Reals(list) => break_list(list, real, random),
        Value::Floats(list) => break_list(list, real as f32, random),
    }
}

fn break_list<T: Copy>(list: &mut Vec<T>, value: T, random: &mut Random) {
    let (at, length) = (random.below(list.len()), list.len());
    match random.below(5) {
        0 => list.truncate(at),
        1 => list.push(value),
        2 if length < 400 => list.extend_from_within(..),
        3 if length > 0 => list.swap(at, random.below(length)),
        _ => list.iter_mut().skip(at).take(1).for_each(|slot| *slot = value),
    }
}

/// Words that readers of FBX files look for.
const TEXTS: &[&str] = &[
    "",
    "OO",
    "OP",
    "PO",
    "Mesh",
    "LimbNode",
    "Null",
    "Skin",
    "Cluster",
    "BlendShape",
    "BlendShapeChannel",
    "Shape",
    "Linear",
    "DualQuaternion",
    "Blend",
    "Rigid",
    "Camera",
    "Light",
    "Lcl Translation",
    "Lcl Rotation",
    "Lcl Scaling",
    "d|X",
    "d|Y",
    "d|Z",
    "DeformPercent",
    "InheritType",
    "RotationOrder",
    "PreRotation",
    "ScalingPivot",
    "GeometricTranslation",
    "Visibility",
    "DiffuseColor",
    "TransparentColor",
    "UnitScaleFactor",
    "UpAxis",
    "TimeMode",
    "CustomFrameRate",
    "LocalStart",
    "LocalStop",
    "Number",
    "KTime",
    "Vector3D",
    "ByPolygonVertex",
    "ByVertice",
    "IndexToDirect",
    "Direct",
    "AllSame",
    "../x.png",
    "/etc/passwd",
    "\u{fffd}",
];
