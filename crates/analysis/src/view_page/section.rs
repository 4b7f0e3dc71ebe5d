//! The part of a page that shows a [`View`](super::View): a place to draw, its controls, and the script.

/// The place of the data.
pub enum Source<'a> {
    /// A file beside the page.
    File(&'a str),
    /// The data itself.
    Here(&'a str),
}

const STYLE: &str = include_str!("view.css");

const SCRIPT: &str = include_str!("view.js");

const CONTROLS: &str = include_str!("view.html");

/// Formats the section without its scripts.
pub fn section() -> String {
    format!("<style>\n{STYLE}</style>\n{CONTROLS}")
}

/// Formats the scripts, for the end of a page.
pub fn scripts(source: &Source<'_>) -> String {
    let data = match source {
        Source::File(file) => format!("<script src=\"{}\"></script>", sinew_text::html::link(file)),
        Source::Here(text) => format!("<script>\n{text}</script>"),
    };
    format!("{data}\n<script>\n{SCRIPT}</script>\n")
}

/// Formats the button that shows a spot. The script makes it visible.
pub fn button(spot: usize) -> String {
    format!("<button type=\"button\" class=\"show\" data-spot=\"{spot}\" hidden>Show in 3D</button>")
}
