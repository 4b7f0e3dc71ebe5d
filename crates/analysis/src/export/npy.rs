//! Writes positions as an array that `numpy.load` reads.

use std::io::{self, Write};

use super::{Export, Number};

/// Writes the header of an array of little-endian numbers, a multiple of 64 bytes, as NumPy does.
pub(super) fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let numbers: Vec<String> = shape.iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let mut text =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}{comma}), }}", numbers.join(", "));
    // Magic, version and length take ten bytes, and the line break one.
    let length = (text.len() + 11).next_multiple_of(64) - 10;
    text.extend(std::iter::repeat_n(' ', length - 1 - text.len()));
    text.push('\n');
    // Three axes of numbers fit into 128 bytes.
    [b"\x93NUMPY\x01\x00", &(length as u16).to_le_bytes()[..], text.as_bytes()].concat()
}

/// Returns the type of coordinates.
pub(super) fn kind_of<T: Number>() -> &'static str {
    if size_of::<T>() == 8 { "<f8" } else { "<f4" }
}

/// Returns the bytes of coordinates.
pub(super) fn bytes<T: Number>(numbers: &[T]) -> Vec<u8> {
    let wide = numbers.iter().map(|&number| number.into());
    match size_of::<T>() {
        8 => wide.flat_map(f64::to_le_bytes).collect(),
        _ => wide.flat_map(|number: f64| (number as f32).to_le_bytes()).collect(),
    }
}

/// Writes the header of the positions of one moment, or of several with an axis in front.
pub(super) fn begin<T: Number>(
    export: &Export<'_, T>,
    frames: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let count = export.parts().map(|(skinned, _)| skinned.positions.len()).sum();
    let shape: Vec<usize> = frames.into_iter().chain([count, 3]).collect();
    out.write_all(&header(kind_of::<T>(), &shape))
}

/// Writes the positions of a moment.
pub(super) fn positions<T: Number>(export: &Export<'_, T>, out: &mut dyn Write) -> io::Result<()> {
    export.parts().try_for_each(|(skinned, _)| out.write_all(&bytes(skinned.positions.as_flattened())))
}
