//! Compressed buffer views: each is decoded into a buffer of its own, and the document then says that the
//! view lies there. It must not know what the views are used for.

mod attributes;
mod bytes;
mod filter;
mod indices;
mod plan;
#[cfg(test)]
mod tests;
mod views;

pub use views::decode_views;
