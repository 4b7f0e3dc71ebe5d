//! Compressed buffer views. Each is decoded into a separate buffer, and the document then refers to that. The module
//! must not depend on the use of the views.

mod attributes;
mod bytes;
mod filter;
mod indices;
mod plan;
#[cfg(test)]
mod tests;
mod views;

pub use views::decode_views;
