//! The JSON of a glTF file as structs, as far as sinew reads it, in the format's own words.
//! It must not know what indices refer to or whether they are in range.

mod data;
mod document;
mod extension;
mod extras;
mod material;
mod parse;
pub mod version;
mod whole;

pub use data::*;
pub use document::*;
pub use extension::*;
pub use material::*;
pub use parse::parse;
