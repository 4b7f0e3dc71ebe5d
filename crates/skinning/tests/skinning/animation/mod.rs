//! Clips as their users see them: several at once, blended, by pointer, from files of all sorts, compared with
//! values worked out by hand or by the format's formulas. It must not depend on how sinew samples.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod constraints;
mod formats;
mod mixing;
mod moving;
mod pointers;
mod properties;
mod tutorial;
