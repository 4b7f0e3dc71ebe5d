//! Reads Wavefront OBJ: a vertex for each `v`, a part for each object.

use std::ops::Range;

use super::precision::{Precision, not_a_number, plain};
use super::{Given, Options, Part, ReadError};

pub fn read(bytes: &[u8], options: &Options) -> Result<Given, ReadError> {
    options.frame_of(1)?;
    let mut file = File::default();
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let text = String::from_utf8_lossy(line);
        let place = || format!("line {}", number.saturating_add(1));
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                file.begin_part();
                file.positions.push(numbers(&mut words, &place, |word| file.precision.number(word))?);
            }
            Some("vn") => file.normals.push(numbers(&mut words, &place, plain)?),
            Some("vt") => file.texcoords.push(numbers(&mut words, &place, plain)?),
            Some("f" | "l") => words
                .try_for_each(|corner| file.corner(corner))
                .map_err(|fault| ReadError::broken(place(), fault))?,
            // Groups name parts of a file without objects.
            Some("o") => file.name_part(text.trim_start().get(1..), true),
            Some("g") if !file.has_objects => file.name_part(text.trim_start().get(1..), false),
            _ => {}
        }
    }
    let mut parts = file.parts();
    let stored = file.precision.applied(&mut parts);
    Ok(Given { parts, stored })
}

fn numbers<'a, const N: usize>(
    words: &mut impl Iterator<Item = &'a str>,
    place: &impl Fn() -> String,
    mut parse: impl FnMut(&str) -> Option<f64>,
) -> Result<[f64; N], ReadError> {
    let mut row = [0.0; N];
    for number in &mut row {
        let word = words.next();
        *number = word.and_then(&mut parse).ok_or_else(|| not_a_number(place(), word))?;
    }
    Ok(row)
}

#[derive(Default)]
struct File {
    precision: Precision,
    positions: Vec<[f64; 3]>,
    normals: Values<3>,
    texcoords: Values<2>,
    /// The name and the first vertex of each part.
    starts: Vec<(Option<String>, usize)>,
    /// The name of the next vertex's part.
    name: Option<String>,
    /// True from a name until its first vertex.
    has_new_name: bool,
    has_objects: bool,
}

/// Normals or texture coordinates, and the vertices that use them.
#[derive(Default)]
struct Values<const N: usize> {
    values: Vec<[f64; N]>,
    /// True for each value that a corner names.
    are_named: Vec<bool>,
    /// The value of each vertex that a corner names.
    used: Vec<Use>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Use {
    None,
    One(usize),
    /// Corners with different values.
    Several,
}

impl<const N: usize> Values<N> {
    fn push(&mut self, value: [f64; N]) {
        self.values.push(value);
        self.are_named.push(false);
    }

    /// Notes that a corner of a vertex has a value.
    fn put(&mut self, vertex: usize, value: usize) {
        if self.used.len() <= vertex {
            self.used.resize(vertex.saturating_add(1), Use::None);
        }
        let (Some(used), Some(is_named)) = (self.used.get_mut(vertex), self.are_named.get_mut(value)) else {
            return;
        };
        *is_named = true;
        *used = match *used {
            Use::None => Use::One(value),
            Use::One(first) if self.values.get(first) == self.values.get(value) => Use::One(first),
            Use::One(_) | Use::Several => Use::Several,
        };
    }

    /// Returns the value of each of these vertices, if each has exactly one. A vertex without corners has the next value in
    /// the file's order if that is how the others of its part have theirs.
    fn of(&self, vertices: Range<usize>) -> Option<Vec<[f64; N]>> {
        let used = |vertex: usize| self.used.get(vertex).copied().unwrap_or(Use::None);
        let shift = |vertex: usize| match used(vertex) {
            Use::One(value) => Some(value.wrapping_sub(vertex)),
            Use::None | Use::Several => None,
        };
        let mut shifts = vertices.clone().filter_map(shift);
        let first = shifts.next().unwrap_or(0);
        let are_in_order = shifts.all(|shift| shift == first);
        let value = |vertex: usize| match used(vertex) {
            Use::One(value) => self.values.get(value).copied(),
            Use::None if are_in_order => {
                let value = vertex.wrapping_add(first);
                self.values.get(value).filter(|_| self.are_named.get(value) == Some(&false)).copied()
            }
            Use::None | Use::Several => None,
        };
        if self.values.is_empty() { None } else { vertices.map(value).collect() }
    }
}

impl File {
    fn name_part(&mut self, name: Option<&str>, is_object: bool) {
        self.has_objects |= is_object;
        self.name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        self.has_new_name = true;
    }

    /// Begins a part if the name has changed since the last vertex.
    fn begin_part(&mut self) {
        let last = self.starts.last();
        // A long name is compared once, not for each vertex.
        if last.is_none_or(|(name, _)| self.has_new_name && *name != self.name) {
            self.starts.push((self.name.clone(), self.positions.len()));
        }
        self.has_new_name = false;
    }

    /// Reads a corner of a face or line: the numbers of a vertex, its texture coordinates and its normal.
    fn corner(&mut self, corner: &str) -> Result<(), String> {
        let mut numbers = corner.split('/');
        let mut index = |count: usize, what: &str| match numbers.next() {
            None | Some("") => Ok(None),
            Some(word) => index(word, count).map(Some).ok_or_else(|| {
                format!("corner '{corner}' names {what} {word}, but there are {count} so far")
            }),
        };
        let vertex = index(self.positions.len(), "vertex")?;
        let vertex = vertex.ok_or_else(|| format!("corner '{corner}' names no vertex"))?;
        let texcoord = index(self.texcoords.values.len(), "texture coordinates")?;
        let normal = index(self.normals.values.len(), "normal")?;
        if let Some(texcoord) = texcoord {
            self.texcoords.put(vertex, texcoord);
        }
        if let Some(normal) = normal {
            self.normals.put(vertex, normal);
        }
        Ok(())
    }

    fn parts(&self) -> Vec<Part> {
        let count = self.positions.len();
        let ends = self.starts.iter().skip(1).map(|(_, start)| *start).chain([count]);
        let part = |((name, start), end): (&(Option<String>, usize), usize)| Part {
            name: name.clone(),
            positions: self.positions.get(*start..end).unwrap_or_default().to_vec(),
            normals: self.normals.of(*start..end),
            texcoords: self.texcoords.of(*start..end),
            tangents: None,
        };
        self.starts.iter().zip(ends).map(part).collect()
    }
}

/// Returns the index for a number, counted from 1, or back from -1.
fn index(word: &str, count: usize) -> Option<usize> {
    let number: i64 = word.parse().ok()?;
    let length = i64::try_from(count).ok()?;
    let index = if number < 0 { length.checked_add(number)? } else { number.checked_sub(1)? };
    usize::try_from(index).ok().filter(|index| *index < count)
}
