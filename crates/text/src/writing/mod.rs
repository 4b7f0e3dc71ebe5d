//! Names from files, prepared for drawing. Characters that move a cursor or change the text direction are escaped.
//! Words from right to left are in visual order, and characters that the built-in fonts lack come from the system's
//! fonts. The module must not depend on the code that draws.

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
