//! Reads an array as `numpy.save` writes it.

use super::bytes::{Bytes, Kind, rows};
use super::raw::of_six;
use super::{Given, Options, Part, ReadError, Stored};

/// The shapes of an array of positions.
const SHAPES: &str = "save it as (n, 3), as (n, 6) with normals, or with one more axis for frames in front";

/// The call that makes any array of numbers readable.
const CALL: &str = "save np.ascontiguousarray(a.astype('<f4'))";

pub fn read(bytes: &[u8], options: &Options) -> Result<Given, ReadError> {
    let array = Array::of(bytes, "")?;
    Ok(Given { parts: vec![array.part(options)?], stored: array.stored()? })
}

/// An array whose numbers are not read yet.
pub struct Array<'a> {
    /// The key in an `.npz`; empty for an `.npy`.
    key: &'a str,
    kind: Kind,
    shape: Vec<usize>,
    data: &'a [u8],
}

/// One frame of an array.
struct Table<'a> {
    columns: usize,
    data: &'a [u8],
}

impl<'a> Array<'a> {
    /// Reads the header and checks that the numbers follow it.
    pub fn of(bytes: &'a [u8], key: &'a str) -> Result<Self, ReadError> {
        let (header, data) = split(bytes, key)?;
        let broken = |what: &str| ReadError::broken(key, format!("the header has no readable '{what}'"));
        let kind = kind(value(header, "descr").ok_or_else(|| broken("descr"))?, key)?;
        let order = value(header, "fortran_order").ok_or_else(|| broken("fortran_order"))?;
        let shape = value(header, "shape").and_then(shape).ok_or_else(|| broken("shape"))?;
        if !order.starts_with("False") {
            let message = format!("an array of shape {} in Fortran order", text(&shape));
            return Err(ReadError::unsupported(key, message, CALL));
        }
        let count = shape.iter().try_fold(1, |count: usize, length| count.checked_mul(*length));
        let size = count.and_then(|count| count.checked_mul(kind.size()));
        match size {
            Some(size) if size == data.len() => Ok(Self { key, kind, shape, data }),
            Some(size) if size < data.len() => {
                let message = format!(
                    "{} bytes follow the array of shape {}; save one array per file, or use np.savez",
                    data.len().saturating_sub(size),
                    text(&shape)
                );
                Err(ReadError::broken(key, message))
            }
            _ => Err(ReadError::cut(key, size, data.len())),
        }
    }

    /// Returns the precision, if these are floats.
    pub fn stored(&self) -> Result<Stored, ReadError> {
        match self.kind {
            Kind::F16 => Ok(Stored::F16),
            Kind::F32 => Ok(Stored::F32),
            Kind::F64 => Ok(Stored::F64),
            _ => Err(ReadError::unsupported(self.key, "an array of integers", "save a.astype('<f4')")),
        }
    }

    /// Returns the positions, and the normals if there are six columns.
    pub fn part(&self, options: &Options) -> Result<Part, ReadError> {
        self.stored()?;
        let Some(table) = self.table(options)? else { return Err(self.wrong_shape(SHAPES)) };
        match table.columns {
            3 => Ok(Part { positions: rows(self.kind, false, table.data), ..Part::default() }),
            4 => {
                let positions = self.homogeneous(&rows(self.kind, false, table.data))?;
                Ok(Part { positions, ..Part::default() })
            }
            6 => Ok(of_six(&rows(self.kind, false, table.data))),
            _ => Err(self.wrong_shape(SHAPES)),
        }
    }

    /// Returns the first three columns of four; the fourth must be w = 1, or the 0 that fills up a `vec4`.
    fn homogeneous(&self, rows: &[[f64; 4]]) -> Result<Vec<[f64; 3]>, ReadError> {
        if let Some((row, [.., w])) = rows.iter().enumerate().find(|(_, [.., w])| *w != 0.0 && *w != 1.0) {
            let message = format!("row {row} has {w} in its fourth column, where only 1 and 0 are read");
            return Err(ReadError::unsupported(self.key, message, "divide by it, or save a[..., :3]"));
        }
        Ok(rows.iter().map(|&[x, y, z, _]| [x, y, z]).collect())
    }

    /// Returns as many rows of `N` numbers as there are positions; an array without frames is the same in each.
    pub fn stream<const N: usize>(
        &self,
        options: &Options,
        count: usize,
    ) -> Result<Vec<[f64; N]>, ReadError> {
        self.stored()?;
        let options = Options { frame: options.frame.filter(|_| self.shape.len() > 2), ..*options };
        let found: Vec<[f64; N]> = match self.table(&options)? {
            Some(Table { columns, data }) if columns == N => rows(self.kind, false, data),
            _ => return Err(self.wrong_shape(&format!("save it as ({count}, {N}), like the positions"))),
        };
        match found.len() == count {
            true => Ok(found),
            false => Err(ReadError::broken(self.key, format!("{} rows for {count} positions", found.len()))),
        }
    }

    /// Returns the numbers of an array of integers with one axis.
    pub fn integers(&self, count: usize) -> Result<Vec<i64>, ReadError> {
        let is_integer = !matches!(self.kind, Kind::F16 | Kind::F32 | Kind::F64);
        if !is_integer || self.shape != [count] {
            return Err(
                self.wrong_shape(&format!("save it as integers of shape ({count},), one per position"))
            );
        }
        let rows: Vec<[f64; 1]> = rows(self.kind, false, self.data);
        Ok(rows.iter().map(|[number]| *number as i64).collect())
    }

    /// Returns one frame; `None` if there are neither two nor three axes.
    fn table(&self, options: &Options) -> Result<Option<Table<'a>>, ReadError> {
        let (frames, count, columns) = match self.shape[..] {
            [count, columns] => (1, count, columns),
            [frames, count, columns] => (frames, count, columns),
            _ => return Ok(None),
        };
        let size = count.saturating_mul(columns).saturating_mul(self.kind.size());
        let start = options.frame_of(frames)?.saturating_mul(size);
        let data = self.data.get(start..).and_then(|rest| rest.get(..size)).unwrap_or_default();
        Ok(Some(Table { columns, data }))
    }

    fn wrong_shape(&self, instead: &str) -> ReadError {
        ReadError::unsupported(self.key, format!("an array of shape {}", text(&self.shape)), instead)
    }
}

/// Splits a file into the header and what follows it.
fn split<'a>(bytes: &'a [u8], key: &str) -> Result<(&'a str, &'a [u8]), ReadError> {
    let Some(rest) = bytes.strip_prefix(b"\x93NUMPY") else {
        return Err(ReadError::broken(key, "an .npy file begins with \\x93NUMPY, and this one does not"));
    };
    let mut rest = Bytes(rest);
    let cut = || ReadError::cut(key, None, bytes.len());
    let version = rest.u16().ok_or_else(cut)?.to_le_bytes();
    let length = match version {
        [1, _] => rest.u16().map(usize::from),
        [2 | 3, _] => rest.size(),
        [major, minor] => {
            let message = format!("version {major}.{minor} of the format");
            return Err(ReadError::unsupported(
                key,
                message,
                "sinew reads versions 1 to 3, as np.save writes them",
            ));
        }
    };
    let header = length.and_then(|length| rest.take(length)).ok_or_else(cut)?;
    let header = std::str::from_utf8(header);
    Ok((header.map_err(|_| ReadError::broken(key, "the header is not text"))?, rest.0))
}

/// Returns the text from the value of a key on.
fn value<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = header.split_once(&format!("'{key}'"))?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

/// Returns the numbers of `(3, 4)` or `(3,)`.
fn shape(text: &str) -> Option<Vec<usize>> {
    let (inside, _) = text.strip_prefix('(')?.split_once(')')?;
    let parts = inside.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.trim_end_matches('L').parse().ok()).collect()
}

fn text(shape: &[usize]) -> String {
    match shape {
        [length] => format!("({length},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Returns the type that a description names.
fn kind(description: &str, key: &str) -> Result<Kind, ReadError> {
    let unsupported = |message: String, instead: &str| Err(ReadError::unsupported(key, message, instead));
    let Some((name, _)) = description.strip_prefix('\'').and_then(|rest| rest.split_once('\'')) else {
        let instead = "save np.stack([a['x'], a['y'], a['z']], axis=1)";
        return unsupported("an array with named fields".to_owned(), instead);
    };
    match name {
        "<f2" => Ok(Kind::F16),
        "<f4" => Ok(Kind::F32),
        "<f8" => Ok(Kind::F64),
        "<i4" => Ok(Kind::I32),
        "<i8" => Ok(Kind::I64),
        _ if name.starts_with('>') => unsupported(format!("an array of big-endian numbers ({name})"), CALL),
        _ if name.ends_with('O') => unsupported(
            "an array of Python objects".to_owned(),
            "save one array of numbers per primitive, as np.savez('a.npz', body=body.astype('<f4'))",
        ),
        _ => unsupported(format!("an array of type {name}"), CALL),
    }
}
