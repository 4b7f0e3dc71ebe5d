//! Vectors of numbers, computed side by side. The level of instructions is chosen at run time, and tasks are compiled for
//! each of them. This module must not depend on the computation.

mod level;
mod portable;
mod simd;
#[cfg(test)]
mod tests;
mod vector;

pub use level::Level;
pub(crate) use simd::{pick3, pick4, sum_rows};
pub(crate) use vector::{ROW, Row, Simd, Task, Vector};
