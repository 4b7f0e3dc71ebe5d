//! Names from files as people read them: what would move a cursor or turn text around is spelled out, words from right to
//! left stand in the order they are drawn in, and letters that the built-in fonts lack come from the system's fonts. It
//! must not know who draws.

mod arabic;
mod coverage;
mod files;
mod fonts;
mod json;
mod line;

#[cfg(feature = "window")]
pub use fonts::system_fonts;
pub use fonts::{Source, face, look_in, source};
pub use json::{json_text, write_json, write_json_pretty};
pub use line::{ELLIPSIS, line};
