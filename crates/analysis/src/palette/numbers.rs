//! Converts vectors and matrices to numbers that JSON can hold: those that are finite.

use glam::DMat4;

/// Four columns of a matrix.
pub type Columns = [[f64; 4]; 4];

/// Four columns of a slot.
pub type SlotColumns = [[f32; 4]; 4];

/// Returns the numbers; `None` if one of them is not finite.
pub fn finite<const N: usize>(numbers: [f64; N]) -> Option<[f64; N]> {
    numbers.iter().all(|number| number.is_finite()).then_some(numbers)
}

/// Returns the columns of a matrix; `None` if a number is not finite.
pub fn columns(matrix: &DMat4) -> Option<Columns> {
    matrix.is_finite().then(|| matrix.to_cols_array_2d())
}
