//! A report on the deformation of a model by the skinning modes: every metric of every frame, the worst of them, and pages
//! that show it. This module must not depend on Vulkan, command lines or file systems. It returns text, and callers
//! fill in commands and pictures.

mod collect;
mod csv;
mod data;
mod definitions;
mod digits;
mod html;
mod json;
mod location;
mod motions;
mod phrase;
mod plots;
mod ranking;
mod reduce;
mod runs;
mod shard;
mod shown;
mod site;
mod svg;
mod table;
mod ticks;
mod verdict;
mod view;

#[cfg(test)]
mod tests;

pub use collect::{Plan, collect};
pub use csv::csv;
pub(crate) use csv::field;
pub use data::{
    ClipSeries, Counts, Found, Location, LocationKind, ModeSeries, ModeSummary, PartEntry, Picture, Report,
    SectionEntry, ViewFile, Worst,
};
pub use html::{Beside, page, page_with};
pub(crate) use html::{SORTED, embedded, head};
pub use json::{from_json, json};
pub use phrase::phrase;
pub use shard::{NoShard, Shard, shard_of};
pub use shown::{limit_in_words, when};
pub use site::site;
pub use view::view;

/// The names of the data files beside a page.
pub use html::{CSV_FILE, JSON_FILE, VIEW_FILE};
