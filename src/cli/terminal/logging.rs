//! Logs to standard error, an event a line.

use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::{MakeWriter, format};
use tracing_subscriber::prelude::*;
use tracing_subscriber::registry::LookupSpan;

use crate::cli::terminal::colors;
use crate::cli::terminal::print::{plain, say};

/// Begins to log; `SINEW_LOG=debug` shows more.
pub fn listen() {
    // winit warns about features the screen lacks, which users cannot change; its errors end the window and are said then.
    let wanted = std::env::var("SINEW_LOG").unwrap_or_else(|_| "warn,winit=off".to_owned());
    // A single word that is no level would be taken for a module name.
    let is_level = wanted.contains([',', '=']) || wanted.parse::<LevelFilter>().is_ok();
    let filter = wanted.parse::<Targets>().ok().filter(|_| is_level).unwrap_or_else(|| {
        say(&format!(
            "warning: SINEW_LOG={wanted} is not a log level (error, warn, info, debug, trace); using warn"
        ));
        Targets::new().with_default(LevelFilter::WARN)
    });
    let lines = lines(std::io::stderr, colors::on_stderr());
    tracing_subscriber::registry().with(lines).with(filter).init();
}

/// Writes each event on one line, even if a name from a file contains line breaks or a terminal's codes.
fn lines<S, W>(writer: W, is_colored: bool) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + 'static,
{
    let fields = format::debug_fn(|out, field, value| {
        let value = format!("{value:?}");
        match field.name() {
            "message" => write!(out, "{}", plain(&value)),
            name => write!(out, "{name}={}", plain(&value)),
        }
    });
    tracing_subscriber::fmt::layer()
        .with_writer(writer)
        .with_ansi(is_colored)
        .with_target(false)
        .without_time()
        .fmt_fields(fields.delimited(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Seek};
    use std::sync::Arc;

    #[test]
    fn an_event_is_one_line() {
        let file = tempfile::tempfile().unwrap();
        let file = Arc::new(file);
        let log = tracing_subscriber::registry().with(lines(Arc::clone(&file), false));
        tracing::subscriber::with_default(log, || {
            tracing::warn!("material '{}' is odd", "a\nerror: b\u{1b}[2J\u{202e}");
            tracing::error!(size = 3, "too large");
        });
        let (mut file, mut text) = (file.as_ref(), String::new());
        file.rewind().unwrap();
        file.read_to_string(&mut text).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines, [r"WARN material 'a\nerror: b\u{1b}[2J\u{202e}' is odd", "ERROR too large size=3"]);
    }
}
