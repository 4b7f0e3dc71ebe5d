//! Numbers side by side: a level of instructions is chosen when the program runs, and work is compiled for each of them.
//! It must not know what is computed.

mod level;
mod portable;
mod simd;
mod vector;

pub use level::Level;
pub(crate) use simd::sum_rows;
pub(crate) use vector::{ROW, Row, Simd, Task, Vector, place_in_quads};
