//! The report as JSON.

use super::data::Report;
use sinew_text::writing::json_text;

/// Formats the report as JSON. All its numbers are finite, so reading it gives the same report.
///
/// # Errors
/// If a map has a key that JSON cannot hold; reports have none.
pub fn json(report: &Report) -> Result<String, serde_json::Error> {
    json_text(report).map(|text| text + "\n")
}

/// Reads a report.
///
/// # Errors
/// If the text is not a report.
pub fn from_json(text: &str) -> Result<Report, serde_json::Error> {
    serde_json::from_str(text)
}
