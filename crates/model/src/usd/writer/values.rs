//! Lists of numbers as the format's values.

use glam::{DMat4, DVec3};
use openusd::gf;
use openusd::sdf::Value;

/// Vectors of three numbers.
pub fn vectors(rows: &[[f32; 3]]) -> Value {
    Value::Vec3fVec(bytemuck::cast_slice(rows).to_vec())
}

/// Pairs of numbers.
pub fn pairs(rows: &[[f32; 2]]) -> Value {
    Value::Vec2fVec(bytemuck::cast_slice(rows).to_vec())
}

/// A vector of three numbers.
pub fn vector([x, y, z]: [f32; 3]) -> Value {
    Value::Vec3f(gf::Vec3f { x, y, z })
}

/// A vector of four numbers.
pub fn four([x, y, z, w]: [f32; 4]) -> Value {
    Value::Vec4f(gf::Vec4f { x, y, z, w })
}

/// A pair of numbers.
pub fn pair([x, y]: [f32; 2]) -> Value {
    Value::Vec2f(gf::Vec2f { x, y })
}

/// A vector of doubles.
pub fn exact(v: DVec3) -> Value {
    Value::Vec3d(gf::Vec3d { x: v.x, y: v.y, z: v.z })
}

/// A matrix. USD has row vectors, so its rows are the columns.
pub fn matrix(matrix: &DMat4) -> Value {
    Value::Matrix4d(gf::Matrix4d(matrix.to_cols_array()))
}

/// A list of matrices.
pub fn matrices<'a>(all: impl IntoIterator<Item = &'a DMat4>) -> Value {
    Value::Matrix4dVec(all.into_iter().map(|matrix| gf::Matrix4d(matrix.to_cols_array())).collect())
}

/// Whole numbers, which the format counts with a sign.
pub fn integers(numbers: impl IntoIterator<Item = u32>) -> Value {
    Value::IntVec(numbers.into_iter().map(|number| number as i32).collect())
}
