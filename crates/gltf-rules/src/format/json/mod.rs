//! The JSON of a glTF file as structs, in the format's own words and limited to the parts that sinew reads. The module
//! must not resolve or check indices.

#![expect(
    missing_docs,
    reason = "types and fields have the names of the specification, where they are explained"
)]

mod data;
mod document;
mod drivers;
mod extension;
mod extras;
mod material;
mod memory;
mod parse;
pub mod version;
mod whole;

pub use data::*;
pub use document::*;
pub use drivers::StoredDriver;
pub use extension::*;
pub use material::*;
pub use memory::memory;
pub use parse::parse;
