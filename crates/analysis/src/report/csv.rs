//! The metrics of every frame as CSV (RFC 4180): a row for each clip, time and mode.

use std::io::{self, Write};

use super::data::Report;
use crate::metric::Metric;

/// Writes the table. A field without a value is empty.
///
/// # Errors
/// If writing fails.
pub fn csv(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = Metric::ALL.iter().map(|metric| metric.name()).collect();
    write!(out, "clip,name,time_s,mode,{}\r\n", names.join(","))?;
    for clip in &report.clips {
        let number = clip.clip.map_or(String::new(), |clip| clip.to_string());
        let name = field(&clip.name);
        for (frame, time) in clip.times.iter().enumerate() {
            for mode in &clip.modes {
                write!(out, "{number},{name},{time},{}", field(&mode.mode))?;
                for metric in Metric::ALL {
                    match mode.series.get(&metric).and_then(|series| series.get(frame).copied().flatten()) {
                        Some(value) => write!(out, ",{value}")?,
                        None => write!(out, ",")?,
                    }
                }
                write!(out, "\r\n")?;
            }
        }
    }
    Ok(())
}

/// Formats a field, with quotes if needed.
pub fn field(text: &str) -> String {
    match text.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_need_it() {
        for (text, expected) in [
            ("clip Run", "clip Run"),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("", ""),
        ] {
            assert_eq!(field(text), expected);
        }
    }
}
