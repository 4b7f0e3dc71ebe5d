//! Screenshot tests: reads cases from a `golden.toml`, compares their pictures with the PNGs next to it, and reports
//! failures. It also lists suspected causes of a picture that looks wrong. It must not depend on how to draw a picture
//! or which flags exist; the caller provides both.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

mod bless;
mod case;
pub mod diagnose;
mod glob;
mod ledger;
mod limits;
mod list;
mod page;
mod report;
mod strip;
mod verdict;

pub use bless::{Orphan, Update, bless, find_stand_ins, golden_name, golden_path, orphans};
pub use case::{Case, Setting};
pub use glob::{files, is_pattern};
pub use limits::{Limits, Tolerances};
pub use list::{LIST_NAME, List, Takes};
pub use report::{Report, ReportError};
pub use sinew_text::document::LineError;
pub use strip::strip;
pub use verdict::{Figures, Outcome, Verdict, judge};

use sinew_image::Image;
use sinew_scene::scene::Skinned;

/// The result of drawing a case.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The picture.
    pub image: Image,
    /// The picture without the figure.
    pub blank: Option<Image>,
    /// The processors that skinned the figure.
    pub skinned: Skinned,
}

/// The README is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
