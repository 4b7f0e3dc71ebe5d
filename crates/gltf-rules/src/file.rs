//! Checks a file by itself, without a reader.

use std::borrow::Cow;
use std::fmt::Display;

use crate::findings::{Finding, Findings, Severity};
use crate::format::FormatError;
use crate::format::buffer::{self, Buffers};
use crate::format::container::{self, Container};
use crate::format::data_uri;
use crate::format::image_head::{Broken, Head};
use crate::format::json::{self, Document, version};
use crate::format::parents::parents;
use crate::rules;
use crate::sink::Sink;
use crate::text::quoted;

/// Maximum number of bytes of external files.
const MAX_EXTERNAL_BYTES: u64 = 1 << 30;

/// Memory that the JSON of any file may take, and the addition for each of its bytes.
const MEMORY: (u64, u64) = (256 << 20, 64);

/// Checks the bytes of a `.gltf` or `.glb` file against the rules of the format. Broken rules come first, then what is odd.
///
/// `read` returns the bytes of an external file by its URI, as the file writes it, or the reason why it does not. URIs are
/// untrusted: `read` decides which files may be read and how large they may be. It is not asked for `data:` URIs, nor once
/// the files that it has returned exceed 1 GiB.
///
/// A file that cannot be read at all is one finding, or several if its JSON has several values of a wrong type.
pub fn check<E: Display>(bytes: &[u8], mut read: impl FnMut(&str) -> Result<Vec<u8>, E>) -> Vec<Finding> {
    let mut report = Report { errors: Findings::of(Severity::Error), notes: Findings::of(Severity::Note) };
    let mut read = |uri: &str| read(uri).map_err(|cause| cause.to_string());
    let mut files = Files { read: &mut read, left: MAX_EXTERNAL_BYTES };
    if let Err((code, path, message)) = check_file(bytes, &mut files, &mut report) {
        report.errors.add_new(code, &path, &message);
    }
    let mut findings = report.errors.into_vec();
    findings.extend(report.notes.into_vec());
    findings
}

/// A fault that ends the check: the broken rule, its place and the message.
type Fatal = (&'static str, String, String);

fn check_file(bytes: &[u8], files: &mut Files<'_>, report: &mut Report) -> Result<(), Fatal> {
    let whole = |code, message: String| (code, ".".to_owned(), message);
    let container = container::split(bytes).map_err(|error| whole(error.code(), error.to_string()))?;
    for fault in &container.faults {
        report.errors.add(fault.code, ".", &fault.text());
    }
    let (base, per_byte) = MEMORY;
    let limit = base.saturating_add(per_byte.saturating_mul(container.json.len() as u64));
    if json::memory(container.json) > limit {
        return Err(whole("TOO_LARGE", "more JSON objects than a file of this size may have".to_owned()));
    }
    let document = match json::parse(container.json) {
        Ok(document) => document,
        Err(error) => {
            if !matches!(error, FormatError::Version { .. }) {
                rules::check_json(container.json, report);
            }
            // The walk names every value of a wrong type, the parser the first.
            return if report.errors.is_empty() { Err(fatal(&error)) } else { Ok(()) };
        }
    };
    version::check(&document.asset).map_err(|error| fatal(&error))?;
    if let Err(error) = parents(&document.nodes) {
        let (code, path, message) = fatal(&error);
        report.errors.add(code, &path, &message);
    }
    let buffers = read_buffers(&container, &document, files, report);
    let mut head = |uri: &str| files.bytes("image", uri).map(|bytes| Head::of(&bytes));
    rules::check(&container, &document, &buffers, &mut head, report);
    Ok(())
}

fn fatal(error: &FormatError) -> Fatal {
    let (path, message) = error.parts();
    (error.code(), if path.is_empty() { "." } else { path }.to_owned(), message.to_owned())
}

/// Reads all buffers; one that cannot be read is a finding.
fn read_buffers<'a>(
    container: &Container<'a>,
    document: &Document,
    files: &mut Files<'_>,
    report: &mut Report,
) -> Buffers<'a> {
    let mut buffers = Vec::with_capacity(document.buffers.len());
    for (index, buffer) in document.buffers.iter().enumerate() {
        let bytes = match &buffer.uri {
            _ if buffer::is_fallback(buffer) => None,
            Some(uri) => match files.bytes("buffer", uri) {
                Ok(bytes) => Some(Cow::Owned(bytes)),
                Err((code, message)) => {
                    report.errors.add(code, &format!("buffers[{index}].uri"), &message);
                    None
                }
            },
            None => container.binary.filter(|_| index == 0).map(Cow::Borrowed),
        };
        if let Some(message) = bytes.as_ref().and_then(|bytes| buffer::shortfall(buffer, bytes.len())) {
            let path = format!("buffers[{index}].byteLength");
            report.errors.add("BUFFER_BYTE_LENGTH_MISMATCH", &path, &message);
        }
        buffers.push(bytes);
    }
    buffers
}

/// Reads external files up to a limit.
struct Files<'a> {
    read: &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    left: u64,
}

impl Files<'_> {
    fn bytes(&mut self, what: &str, uri: &str) -> Result<Vec<u8>, Broken> {
        let broken = |code, cause: &str| (code, format!("{what} {}: {cause}", quoted(uri)));
        if data_uri::is_data_uri(uri) {
            return data_uri::decode(uri).map_err(|cause| broken("INVALID_URI", cause));
        }
        if self.left == 0 {
            return Err(broken("IO_ERROR", "the external files exceed 1024 MiB"));
        }
        let bytes = (self.read)(uri).map_err(|cause| broken("IO_ERROR", &cause))?;
        self.left = self.left.saturating_sub(bytes.len() as u64);
        Ok(bytes)
    }
}

/// Findings of a check.
struct Report {
    errors: Findings,
    notes: Findings,
}

impl Sink for Report {
    fn add_fault(&mut self, code: &'static str, path: &str, message: &str) {
        self.errors.add_new(code, path, message);
    }

    fn add_note(&mut self, code: &'static str, path: &str, message: &str) {
        self.notes.add(code, path, message);
    }

    fn says(&self, _: &str) -> bool {
        false
    }

    fn warns(&self, _: &'static str, _: &str) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn external_files_are_read_up_to_a_limit() {
        let mut asked = 0;
        let mut read = |_: &str| {
            asked += 1;
            Ok(vec![0; 6])
        };
        let mut files = Files { read: &mut read, left: 10 };
        assert!(files.bytes("buffer", "a").is_ok() && files.bytes("buffer", "a").is_ok());
        let (code, message) = files.bytes("image", "a").unwrap_err();
        assert_eq!((code, message.as_str()), ("IO_ERROR", "image 'a': the external files exceed 1024 MiB"));
        assert_eq!(files.bytes("image", "data:,x"), Ok(vec![b'x']));
        assert_eq!(asked, 2);
    }
}
