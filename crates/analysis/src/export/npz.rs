//! Writes everything about skinned vertices as arrays that `numpy.load` reads: a zip archive whose members are stored as they
//! are. The keys are an interface; docs/guides/bake.md lists them.

use std::io::{self, Write};

use super::npy::{bytes, header, kind_of};
use super::{Export, ExportError, Number, Source};
use sinew_model::Influences;
use sinew_skinning::posed::SkinnedPrimitive;

/// The maximum size of all arrays in bytes; all are in memory at once.
pub const MAX_BYTES: usize = 2 << 30;

/// The arrays of one moment, or of several.
#[derive(Default)]
pub(super) struct Arrays {
    /// The number of moments, if they have an axis.
    frames: Option<usize>,
    /// Arrays that differ between moments.
    moving: Vec<Array>,
    still: Vec<Array>,
    size: usize,
}

struct Array {
    key: &'static str,
    kind: &'static str,
    /// The numbers per vertex; `None` for an array with one axis.
    columns: Option<usize>,
    bytes: Vec<u8>,
}

impl Arrays {
    pub(super) fn new(frames: Option<usize>) -> Self {
        Self { frames, ..Self::default() }
    }

    /// Adds the next moment.
    pub(super) fn add<T: Number>(&mut self, export: &Export<'_, T>) -> Result<(), ExportError> {
        let moving = moving(export);
        if self.moving.is_empty() {
            self.still = still(export);
            self.size = self.still.iter().map(|array| array.bytes.len()).sum();
        }
        self.size += moving.iter().map(|array| array.bytes.len()).sum::<usize>();
        if self.size > MAX_BYTES {
            return Err(ExportError::TooLarge);
        }
        match self.moving.is_empty() {
            true => self.moving = moving,
            false => {
                let all = self.moving.iter_mut().zip(moving);
                all.for_each(|(array, next)| array.bytes.extend(next.bytes));
            }
        }
        Ok(())
    }

    /// Writes the archive.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let moving = self.moving.iter().map(|array| (array, self.frames));
        let all = moving.chain(self.still.iter().map(|array| (array, None)));
        archive(all.map(|(array, frames)| (array.key, array.header(frames), &array.bytes[..])), out)
    }
}

/// Writes arrays with their keys and headers.
pub(super) fn archive<'a>(
    arrays: impl Iterator<Item = (&'a str, Vec<u8>, &'a [u8])>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut directory = Vec::new();
    let (mut start, mut count) = (0, 0_u16);
    for (key, header, bytes) in arrays {
        let name = format!("{key}.npy");
        let member = fields(&name, &header, bytes);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&member);
        // No comment, the first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(number(start));
        directory.extend(name.as_bytes());
        for part in [&b"PK\x03\x04"[..], &member, name.as_bytes(), &header, bytes] {
            out.write_all(part)?;
            start += part.len();
        }
        count += 1;
    }
    let count = count.to_le_bytes();
    let [size, start] = [directory.len(), start].map(number);
    let end = [b"PK\x05\x06\x00\x00\x00\x00", &count[..], &count, &size, &start, &[0; 2]];
    [&directory[..], &end.concat()].into_iter().try_for_each(|part| out.write_all(part))
}

impl Array {
    fn header(&self, frames: Option<usize>) -> Vec<u8> {
        let size = if self.kind == "<f8" { 8 } else { 4 } * self.columns.unwrap_or(1) * frames.unwrap_or(1);
        let count = self.bytes.len() / size;
        header(self.kind, &frames.into_iter().chain([count]).chain(self.columns).collect::<Vec<_>>())
    }
}

/// Returns the fields of a member that its own header and the directory share: version 2.0, stored, on 1 January 1980.
fn fields(name: &str, header: &[u8], content: &[u8]) -> Vec<u8> {
    let mut crc = crc32fast::Hasher::new();
    crc.update(header);
    crc.update(content);
    let size = number(header.len() + content.len());
    let length = (name.len() as u16).to_le_bytes();
    let start = [0x14, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
    [&start[..], &crc.finalize().to_le_bytes(), &size, &size, &length, &[0; 2]].concat()
}

/// Returns the bytes of a number below [`MAX_BYTES`] and the headers.
fn number(number: usize) -> [u8; 4] {
    (number as u32).to_le_bytes()
}

/// Returns positions, normals and tangents.
fn moving<T: Number>(export: &Export<'_, T>) -> Vec<Array> {
    let nan = bytes(&[f32::NAN]);
    let nan = if size_of::<T>() == 8 { f64::NAN.to_le_bytes().to_vec() } else { nan };
    let array = |key, columns: usize, of: &dyn Fn(&SkinnedPrimitive<T>) -> Option<Vec<u8>>| {
        let parts = export.parts().map(|(skinned, _)| (skinned.positions.len(), of(skinned)));
        joined(parts, &nan.repeat(columns)).map(|bytes| Array {
            key,
            kind: kind_of::<T>(),
            columns: Some(columns),
            bytes,
        })
    };
    let all = [
        array("positions", 3, &|skinned| Some(bytes(skinned.positions.as_flattened()))),
        array("normals", 3, &|skinned| skinned.normals.as_ref().map(|rows| bytes(rows.as_flattened()))),
        array("tangents", 4, &|skinned| skinned.tangents.as_ref().map(|rows| bytes(rows.as_flattened()))),
    ];
    all.into_iter().flatten().collect()
}

/// Returns the arrays that are the same in every moment.
fn still<T: Number>(export: &Export<'_, T>) -> Vec<Array> {
    let count = |skinned: &SkinnedPrimitive<T>| skinned.positions.len();
    let surfaces = export.surfaces();
    let texcoords = export.parts().map(|(skinned, source)| {
        let sets = surfaces.texcoords(&source);
        (count(skinned), sets.first().map(|rows| bytes(rows.as_flattened())))
    });
    let texcoords = joined(texcoords, &bytes(&[f32::NAN; 2]));
    let per_vertex = |number: &dyn Fn(usize, &Source<'_>) -> i32| {
        let parts = export.parts().enumerate().flat_map(|(index, (skinned, source))| {
            number(index, &source).to_le_bytes().repeat(count(skinned))
        });
        parts.collect()
    };
    let spans = |source: &Source<'_>| source.primitive.influences.as_ref().map_or(0, |all| all.spans.len());
    let spans = export.parts().map(|(_, source)| spans(&source)).max().unwrap_or(0);
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    let none = Influences::default();
    for (skinned, source) in export.parts() {
        let influences = source.primitive.influences.as_ref().unwrap_or(&none);
        for (vertex, span) in
            (0..count(skinned)).flat_map(|vertex| (0..spans).map(move |span| (vertex, span)))
        {
            // A primitive without spans has no weights either.
            let slots = influences.spans.get(span).map(|_| influences.of_vertex(span, vertex));
            let (of_joints, of_weights) = slots.unwrap_or(([-1; 4], [0.0; 4]));
            joints.extend(of_joints.iter().flat_map(|joint| joint.to_le_bytes()));
            weights.extend(of_weights.iter().flat_map(|weight| weight.to_le_bytes()));
        }
    }
    let array = |key, kind, columns, bytes| Array { key, kind, columns, bytes };
    let mut all = Vec::new();
    all.extend(texcoords.map(|bytes| array("texcoords", "<f4", Some(2), bytes)));
    if spans > 0 {
        all.push(array("joints", "<i4", Some(spans * 4), joints));
        all.push(array("weights", "<f4", Some(spans * 4), weights));
    }
    all.push(array("primitive", "<i4", None, per_vertex(&|index, _| index as i32)));
    all.push(array("node", "<i4", None, per_vertex(&|_, source| source.in_file.node as i32)));
    all
}

/// Joins the rows of all parts, with `missing` for each vertex of a part without them; `None` if no part has them.
fn joined(parts: impl Iterator<Item = (usize, Option<Vec<u8>>)>, missing: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut is_there = false;
    for (count, rows) in parts {
        is_there |= rows.is_some();
        bytes.extend(rows.unwrap_or_else(|| missing.repeat(count)));
    }
    is_there.then_some(bytes)
}
