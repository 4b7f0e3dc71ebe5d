//! Names from files as people read them: what would move a cursor or turn text around is spelled out, words from right to
//! left stand in the order they are drawn in, and letters that the built-in fonts lack come from the system's fonts. It
//! must not know who draws.

#[cfg(feature = "letters")]
mod arabic;
#[cfg(feature = "letters")]
mod coverage;
#[cfg(feature = "letters")]
mod files;
#[cfg(feature = "letters")]
mod fonts;
mod json;
#[cfg(feature = "letters")]
mod line;

#[cfg(feature = "letters")]
pub use fonts::{Face, Source, face, look_in, source, system_fonts};
pub use json::{json_text, write_json, write_json_pretty};
#[cfg(feature = "letters")]
pub use line::{ELLIPSIS, line};
