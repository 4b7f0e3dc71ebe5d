//! Reads the arrays of `numpy.savez`: the keys of `sinew export`, or one array of positions per primitive.

use std::borrow::Cow;

use super::budget::Budget;
use super::npy::Array;
use super::zip::Archive;
use super::{Given, Options, Part, ReadError, Stored};

/// Memory of a part besides its numbers.
const PER_PART: u64 = 256;

pub fn read(bytes: &[u8], options: &Options, budget: &mut Budget) -> Result<Given, ReadError> {
    let archive = Archive::of(bytes)?;
    let Some(positions) = find(&archive, "positions", budget)? else {
        return by_key(&archive, options, budget);
    };
    let array = Array::of(&positions, "positions")?;
    let mut part = array.part(options)?;
    let count = part.positions.len();
    if let Some(bytes) = find(&archive, "normals", budget)? {
        part.normals = Some(Array::of(&bytes, "normals")?.stream(options, count)?);
    }
    if let Some(bytes) = find(&archive, "tangents", budget)? {
        part.tangents = Some(Array::of(&bytes, "tangents")?.stream(options, count)?);
    }
    if let Some(bytes) = find(&archive, "texcoords", budget)? {
        part.texcoords = Some(Array::of(&bytes, "texcoords")?.stream(options, count)?);
    }
    let parts = match find(&archive, "primitive", budget)? {
        Some(bytes) => split(&part, &Array::of(&bytes, "primitive")?.integers(count)?, budget)?,
        None => vec![part],
    };
    Ok(Given { parts, stored: array.stored()? })
}

/// Returns the content of an array, after counting its memory.
fn find<'a>(
    archive: &Archive<'a>,
    key: &str,
    budget: &mut Budget,
) -> Result<Option<Cow<'a, [u8]>>, ReadError> {
    let member = archive.members.iter().find(|member| key_of(&member.name) == Some(key));
    member.map(|member| archive.content(member, budget)).transpose()
}

/// Returns the key of a member; `None` for files that are no arrays.
fn key_of(name: &str) -> Option<&str> {
    name.strip_suffix(".npy")
}

/// Returns one part for each array.
fn by_key(archive: &Archive<'_>, options: &Options, budget: &mut Budget) -> Result<Given, ReadError> {
    let mut parts = Vec::new();
    let mut stored = Stored::F64;
    for member in &archive.members {
        let Some(key) = key_of(&member.name) else { continue };
        budget.charge(key, 1, PER_PART)?;
        let content = archive.content(member, budget)?;
        let array = Array::of(&content, key)?;
        parts.push(Part { name: Some(key.to_owned()), ..array.part(options)? });
        stored = stored.coarser(array.stored()?);
    }
    Ok(Given { parts, stored })
}

/// Splits vertices into parts where the number of the primitive changes. A stream of NaN alone is one that the primitive
/// lacks.
fn split(whole: &Part, primitives: &[i64], budget: &mut Budget) -> Result<Vec<Part>, ReadError> {
    let mut parts = Vec::new();
    let mut start = 0_usize;
    for run in primitives.chunk_by(|a, b| a == b) {
        budget.charge("primitive", 1, PER_PART)?;
        let end = start.saturating_add(run.len());
        parts.push(Part {
            name: None,
            positions: whole.positions.get(start..end).unwrap_or_default().to_vec(),
            normals: slice(whole.normals.as_deref(), start..end),
            tangents: slice(whole.tangents.as_deref(), start..end),
            texcoords: slice(whole.texcoords.as_deref(), start..end),
        });
        start = end;
    }
    Ok(parts)
}

fn slice<const N: usize>(rows: Option<&[[f64; N]]>, range: std::ops::Range<usize>) -> Option<Vec<[f64; N]>> {
    let rows = rows?.get(range)?;
    let is_missing = rows.as_flattened().iter().all(|number| number.is_nan());
    (!is_missing).then(|| rows.to_vec())
}
