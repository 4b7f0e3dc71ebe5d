//! Reads the vertices of PLY: ASCII, and binary in either order.

use super::bytes::{Bytes, Kind};
use super::precision::{Precision, not_a_number, plain};
use super::{Given, Options, Part, ReadError, Stored};

/// The meaning of a column: its index in a row of [`ROW`] numbers.
const NAMES: [(&str, usize); 12] = [
    ("x", 0),
    ("y", 1),
    ("z", 2),
    ("nx", 3),
    ("ny", 4),
    ("nz", 5),
    ("s", 6),
    ("u", 6),
    ("texture_u", 6),
    ("t", 7),
    ("v", 7),
    ("texture_v", 7),
];
const ROW: usize = 8;

pub fn read(bytes: &[u8], options: &Options) -> Result<Given, ReadError> {
    options.frame_of(1)?;
    let header = header(bytes)?;
    let mut body = Body { rest: Bytes(header.body), order: header.order, precision: Precision::default() };
    for element in &header.elements {
        if element.name != "vertex" {
            body.skip(element)?;
            continue;
        }
        let columns = element.columns()?;
        let mut part = Part::default();
        let [has_normals, has_texcoords] = [3..6, 6..8]
            .map(|mut all: std::ops::Range<usize>| all.all(|index| columns.contains(&Some(index))));
        part.normals = has_normals.then(Vec::new);
        part.texcoords = has_texcoords.then(Vec::new);
        for vertex in 0..element.count {
            let [x, y, z, nx, ny, nz, s, t] = body.vertex(element, &columns, vertex)?;
            part.positions.push([x, y, z]);
            part.normals.iter_mut().for_each(|normals| normals.push([nx, ny, nz]));
            part.texcoords.iter_mut().for_each(|texcoords| texcoords.push([s, t]));
        }
        let mut parts = vec![part];
        let stored = match header.order {
            Order::Ascii => body.precision.applied(&mut parts),
            Order::Little | Order::Big => element.stored(),
        };
        return Ok(Given { parts, stored });
    }
    Err(ReadError::broken("header", "it has no element 'vertex'"))
}

#[derive(Clone, Copy, PartialEq)]
enum Order {
    Ascii,
    Little,
    Big,
}

struct Header<'a> {
    order: Order,
    elements: Vec<Element<'a>>,
    body: &'a [u8],
}

struct Element<'a> {
    name: &'a str,
    count: usize,
    properties: Vec<Property<'a>>,
}

struct Property<'a> {
    name: &'a str,
    kind: Kind,
    /// The type of its length, if it is a list.
    length: Option<Kind>,
}

impl Element<'_> {
    /// Returns the meaning of each property.
    fn columns(&self) -> Result<Vec<Option<usize>>, ReadError> {
        let column = |property: &Property<'_>| {
            let named = NAMES.iter().find(|(name, _)| property.length.is_none() && *name == property.name);
            named.map(|(_, index)| *index)
        };
        let columns: Vec<_> = self.properties.iter().map(column).collect();
        let missing =
            ["x", "y", "z"].into_iter().enumerate().find(|(index, _)| !columns.contains(&Some(*index)));
        match missing {
            Some((_, name)) => {
                Err(ReadError::broken("header", format!("element 'vertex' has no property '{name}'")))
            }
            None => Ok(columns),
        }
    }

    /// Returns the precision of binary positions.
    fn stored(&self) -> Stored {
        let positions = self.properties.iter().filter(|property| ["x", "y", "z"].contains(&property.name));
        let stored = |kind: Kind| match kind {
            Kind::F64 => Stored::F64,
            Kind::F32 | Kind::F16 => Stored::F32,
            _ => Stored::Decimals(1.0),
        };
        positions.map(|property| stored(property.kind)).reduce(coarser).unwrap_or(Stored::F32)
    }
}

fn coarser(a: Stored, b: Stored) -> Stored {
    if let Stored::Decimals(_) = b { b } else { a.coarser(b) }
}

/// Reads the header and splits it from what follows.
fn header(bytes: &[u8]) -> Result<Header<'_>, ReadError> {
    let mut rest = bytes;
    let mut order = None;
    let mut elements: Vec<Element<'_>> = Vec::new();
    for number in 1_usize.. {
        let place = format!("line {number}");
        let end = rest.iter().position(|byte| *byte == b'\n');
        let (line, after) =
            end.and_then(|end| rest.split_at_checked(end.checked_add(1)?)).ok_or_else(|| {
                ReadError::broken(place.as_str(), "the header does not end: a line 'end_header' is missing")
            })?;
        rest = after;
        let text = std::str::from_utf8(line)
            .map_err(|_| ReadError::broken(place.as_str(), "the header is not text"))?;
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let fault = match *words {
            ["ply"] if number == 1 => continue,
            _ if number == 1 => "a PLY file begins with the line 'ply'".to_owned(),
            [] | ["comment" | "obj_info", ..] => continue,
            ["end_header"] => break,
            ["format", name, "1.0"] => match order_of(name) {
                Some(found) => {
                    order = Some(found);
                    continue;
                }
                None => format!("format '{name}' is not ascii, binary_little_endian or binary_big_endian"),
            },
            ["element", name, count] => match count.parse() {
                Ok(count) => {
                    elements.push(Element { name, count, properties: Vec::new() });
                    continue;
                }
                Err(_) => format!("'{count}' is not a number of elements"),
            },
            ["property", ..] => match (property(&words), elements.last_mut()) {
                (Some(property), Some(element)) => {
                    element.properties.push(property);
                    continue;
                }
                _ => "a property of no element, or of an unknown type".to_owned(),
            },
            _ => "neither format, element, property, comment nor end_header".to_owned(),
        };
        return Err(ReadError::broken(place, fault));
    }
    let order = order.ok_or_else(|| ReadError::broken("header", "a line 'format' is missing"))?;
    Ok(Header { order, elements, body: rest })
}

fn order_of(name: &str) -> Option<Order> {
    match name {
        "ascii" => Some(Order::Ascii),
        "binary_little_endian" => Some(Order::Little),
        "binary_big_endian" => Some(Order::Big),
        _ => None,
    }
}

fn property<'a>(words: &[&'a str]) -> Option<Property<'a>> {
    match *words {
        ["property", "list", length, kind, name] => {
            Some(Property { name, kind: kind_of(kind)?, length: Some(kind_of(length)?) })
        }
        ["property", kind, name] => Some(Property { name, kind: kind_of(kind)?, length: None }),
        _ => None,
    }
}

fn kind_of(name: &str) -> Option<Kind> {
    match name {
        "char" | "int8" => Some(Kind::I8),
        "uchar" | "uint8" => Some(Kind::U8),
        "short" | "int16" => Some(Kind::I16),
        "ushort" | "uint16" => Some(Kind::U16),
        "int" | "int32" => Some(Kind::I32),
        "uint" | "uint32" => Some(Kind::U32),
        "float" | "float32" => Some(Kind::F32),
        "double" | "float64" => Some(Kind::F64),
        _ => None,
    }
}

/// The elements that are not read yet.
struct Body<'a> {
    rest: Bytes<'a>,
    order: Order,
    precision: Precision,
}

impl<'a> Body<'a> {
    /// Reads a row of the vertices.
    fn vertex(
        &mut self,
        element: &Element<'_>,
        columns: &[Option<usize>],
        vertex: usize,
    ) -> Result<[f64; ROW], ReadError> {
        let mut row = [0.0; ROW];
        for (property, column) in element.properties.iter().zip(columns) {
            let place = || format!("vertex {vertex}: {}", property.name);
            match column.and_then(|column| Some((column, row.get_mut(column)?))) {
                // Only the digits of positions count.
                Some((column, number)) => *number = self.number(property.kind, column < 3, &place)?,
                None => self.skip_property(property, &place)?,
            }
        }
        Ok(row)
    }

    /// Skips all rows of an element.
    fn skip(&mut self, element: &Element<'_>) -> Result<(), ReadError> {
        if element.properties.is_empty() {
            return Ok(());
        }
        // Each row takes bytes, so the loop ends with them.
        for row in 0..element.count {
            for property in &element.properties {
                self.skip_property(property, &|| format!("{} {row}: {}", element.name, property.name))?;
            }
        }
        Ok(())
    }

    fn skip_property(
        &mut self,
        property: &Property<'_>,
        place: &impl Fn() -> String,
    ) -> Result<(), ReadError> {
        let count = match property.length {
            Some(kind) => self.number(kind, false, place)?,
            None => 1.0,
        };
        for _ in 0..count as u64 {
            self.number(property.kind, false, place)?;
        }
        Ok(())
    }

    fn number(&mut self, kind: Kind, counts: bool, place: &impl Fn() -> String) -> Result<f64, ReadError> {
        let is_big = self.order == Order::Big;
        if self.order != Order::Ascii {
            let left = self.rest.0.len();
            let number = kind.take(&mut self.rest, is_big);
            return number.ok_or_else(|| ReadError::cut(&place(), Some(kind.size()), left));
        }
        let word = self.word();
        let number =
            if counts { word.and_then(|word| self.precision.number(word)) } else { word.and_then(plain) };
        number.ok_or_else(|| not_a_number(place(), word))
    }

    /// Takes the next word of text.
    fn word(&mut self) -> Option<&'a str> {
        let text = self.rest.0.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at_checked(end)?;
        self.rest = Bytes(rest);
        std::str::from_utf8(word).ok().filter(|word| !word.is_empty())
    }
}
