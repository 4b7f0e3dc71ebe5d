//! Reads the JSON that `sinew export` writes: one moment, or a list of several. Texture coordinates, which it does not write,
//! may be there.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::budget::Budget;
use super::precision::narrow;
use super::{Given, Options, Part, ReadError, Stored, model};

#[derive(Deserialize)]
struct Moment {
    /// The path that skinned it.
    on: Option<String>,
    primitives: Option<Vec<Primitive>>,
    /// A member that only glTF has.
    asset: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Primitive {
    name: Option<String>,
    positions: Vec<f64>,
    normals: Option<Vec<f64>>,
    tangents: Option<Vec<f64>>,
    texcoords: Option<Vec<f64>>,
}

pub fn read(bytes: &[u8], options: &Options, budget: &mut Budget) -> Result<Given, ReadError> {
    let is_list = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    let parsed = if is_list {
        serde_json::from_slice(bytes)
    } else {
        serde_json::from_slice(bytes).map(|one| vec![one])
    };
    let mut moments: Vec<Moment> = parsed.map_err(|error| ReadError::broken("", error.to_string()))?;
    let frame =
        if moments.is_empty() { return Err(ReadError::Empty) } else { options.frame_of(moments.len())? };
    let moment = moments.swap_remove(frame);
    let Some(primitives) = moment.primitives else {
        return match moment.asset {
            Some(_) => model::read(bytes, options, budget),
            None => Err(ReadError::broken("", "it has no \"primitives\", as the JSON of 'sinew export' has")),
        };
    };
    let is_double = moment.on.as_deref() == Some("reference");
    let part = |(number, primitive): (usize, Primitive)| {
        let mut part = part(primitive, &format!("primitives[{number}]"))?;
        if !is_double {
            narrow(&mut part);
        }
        Ok(part)
    };
    let parts = primitives.into_iter().enumerate().map(part).collect::<Result<_, ReadError>>()?;
    Ok(Given { parts, stored: if is_double { Stored::F64 } else { Stored::F32 } })
}

fn part(primitive: Primitive, path: &str) -> Result<Part, ReadError> {
    let Primitive { name, positions, normals, tangents, texcoords } = primitive;
    let positions: Vec<[f64; 3]> = rows(&positions, &format!("{path}.positions"), None)?;
    let count = Some(positions.len());
    let normals = normals.map(|numbers| rows(&numbers, &format!("{path}.normals"), count)).transpose()?;
    let tangents = tangents.map(|numbers| rows(&numbers, &format!("{path}.tangents"), count)).transpose()?;
    let texcoords =
        texcoords.map(|numbers| rows(&numbers, &format!("{path}.texcoords"), count)).transpose()?;
    Ok(Part { name, positions, normals, tangents, texcoords })
}

/// Returns rows of a flat list, as many as `wanted`.
fn rows<const N: usize>(
    numbers: &[f64],
    path: &str,
    wanted: Option<usize>,
) -> Result<Vec<[f64; N]>, ReadError> {
    let (rows, rest) = numbers.as_chunks::<N>();
    match wanted {
        _ if !rest.is_empty() => {
            Err(ReadError::broken(path, format!("{} numbers are not a multiple of {N}", numbers.len())))
        }
        Some(wanted) if wanted != rows.len() => {
            Err(ReadError::broken(path, format!("{} rows for {wanted} positions", rows.len())))
        }
        _ => Ok(rows.to_vec()),
    }
}
