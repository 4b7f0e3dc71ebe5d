//! Screenshot tests: cases read from a `golden.toml`, pictures held against the PNGs beside it, verdicts, and a
//! report of what failed. It must not know how a picture is drawn or what flags there are; it is handed both.

mod bless;
mod case;
mod document;
mod error;
mod limits;
mod list;
mod page;
mod report;
mod strip;
mod verdict;

pub use bless::{Update, bless, golden_path, stray_goldens};
pub use case::{Case, Setting};
pub use error::ListError;
pub use limits::{Limits, Tolerances};
pub use list::{Key, LIST_NAME, List};
pub use report::{Report, ReportError};
pub use strip::strip;
pub use verdict::{Figures, Outcome, Verdict, judge};

use crate::image::Image;

/// What came of drawing a case.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The picture.
    pub image: Image,
    /// The same with nothing of the model in it.
    pub blank: Option<Image>,
}
