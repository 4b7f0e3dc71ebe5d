//! Reads little-endian `f32` without a header.

use super::bytes::{Kind, rows};
use super::{Given, Layout, Options, Part, ReadError, Stored};

pub fn read(bytes: &[u8], options: &Options) -> Result<Given, ReadError> {
    options.frame_of(1)?;
    let (columns, other) = match options.layout {
        Layout::Xyz => (3_usize, Layout::XyzNormals),
        Layout::XyzNormals => (6, Layout::Xyz),
    };
    let size = Kind::F32.size().saturating_mul(columns);
    if bytes.len().checked_rem(size) != Some(0) {
        let layout = options.layout;
        let message = format!(
            "{} bytes are no whole number of vertices of {columns} floats, {size} bytes each, as --layout {layout} has \
             them; write little-endian 32-bit floats alone, or try --layout {other}",
            bytes.len()
        );
        return Err(ReadError::broken("", message));
    }
    let part = match options.layout {
        Layout::Xyz => Part { positions: rows(Kind::F32, false, bytes), ..Part::default() },
        Layout::XyzNormals => of_six(&rows(Kind::F32, false, bytes)),
    };
    Ok(Given { parts: vec![part], stored: Stored::F32 })
}

/// Returns positions with normals.
pub fn of_six(rows: &[[f64; 6]]) -> Part {
    let positions = rows.iter().map(|&[x, y, z, ..]| [x, y, z]).collect();
    let normals = rows.iter().map(|&[.., x, y, z]| [x, y, z]).collect();
    Part { positions, normals: Some(normals), ..Part::default() }
}
