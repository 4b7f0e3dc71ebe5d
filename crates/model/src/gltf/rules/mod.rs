//! Checks a file that has been loaded against the rules of the format. The rules that it breaks become faults and notes
//! among the warnings.

use sinew_gltf_rules::format::container::Container;
use sinew_gltf_rules::{Sink, check_loaded};

use crate::gltf::buffer::Buffers;
use crate::gltf::json::Document;
use crate::reading::source::Sources;
use crate::reading::source_error::unavailable;
use crate::reading::warnings::Warnings;

#[cfg(test)]
mod tests;

impl Sink for Warnings {
    fn add_fault(&mut self, code: &'static str, path: &str, message: &str) {
        self.fault(code, path, message);
    }

    fn add_note(&mut self, code: &'static str, path: &str, message: &str) {
        self.note(code, path, message);
    }

    fn says(&self, path: &str) -> bool {
        Self::says(self, path)
    }

    fn warns(&self, code: &'static str, path: &str) -> bool {
        Self::warns(self, code, path)
    }
}

/// Checks everything.
pub fn check(
    container: &Container<'_>,
    document: &Document,
    buffers: &Buffers<'_>,
    sources: &mut Sources<'_>,
    warnings: &mut Warnings,
) {
    let mut head = |uri: &str| sources.head(uri).map_err(|cause| unavailable(uri, &cause));
    check_loaded(container, document, buffers, &mut head, warnings);
}
