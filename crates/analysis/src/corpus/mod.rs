//! Results for many characters: the check of one model, the comparison of a pair, and what they have in common, as findings of
//! few kinds and figures for tables. This module must not depend on processes or file systems.

mod asset;
mod check;
mod findings;
mod level;
mod page;
mod pair;
mod pair_page;
#[cfg(feature = "parquet")]
mod parquet;
mod table;
mod thumbnail;
mod triage;

#[cfg(test)]
mod tests;

#[cfg(feature = "parquet")]
pub use self::parquet::{rows_parquet, table_parquet};
pub use asset::{Asset, Figure, Finding, Kind, Place, Row, Weight};
pub use check::{check, inspect};
pub use findings::{Scene, Shot, model_section, model_spots, vertex};
pub use level::Level;
pub use page::{Entry, page};
pub use pair::compare;
pub use pair_page::{pair_page, pair_view};
pub use table::{rows_csv, table_csv};
pub use thumbnail::{THUMBNAIL, thumbnail};
pub use triage::{Group, triage};
