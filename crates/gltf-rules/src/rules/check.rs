//! Checks a file against all rules.

use super::data::Data;
use super::links::{Links, Use};
use super::notes::Notes;
use super::{core, extensions, files, graph, links, primitives, variants, visit};
use crate::format::buffer::Buffers;
use crate::format::container::Container;
use crate::format::json::Document;
use crate::sink::Sink;
use crate::text::quoted;

/// Checks everything, once the file has been loaded.
pub fn check(
    container: &Container<'_>,
    document: &Document,
    buffers: &Buffers<'_>,
    head: &mut files::Heads<'_>,
    warnings: &mut dyn Sink,
) {
    let notes = walk(container.json, Notes::new(document), warnings);
    check_extensions(document, &notes, warnings);
    links::check_places(document, &notes, warnings);
    check_binary(container, document, warnings);

    let mut links = Links::new(&notes);
    graph::check(document, &notes, &mut links, warnings);
    graph::check_animations(document, &notes, &mut links, warnings);
    primitives::check(document, &notes, &mut links, warnings);
    variants::check(&notes, warnings);
    for (index, image) in notes.images.iter().enumerate() {
        let Some(view) = image.view else { continue };
        let path = format!("images[{index}].bufferView");
        links.view(view, Use::Image, &path, warnings);
        if notes.views.get(view).is_some_and(|view| view.stride.is_some()) {
            let message = "the view of an image must not have a byteStride";
            warnings.fault("IMAGE_BUFFER_VIEW_WITH_BYTESTRIDE", &path, message);
        }
    }
    files::check(document, &notes, buffers, head, warnings);

    let data = Data::new(document, &notes, buffers);
    data.check(warnings);
    data.check_uses(warnings);
    for path in notes.unused() {
        warnings.note("UNUSED_OBJECT", &path, "nothing uses it");
    }
}

/// Checks JSON against the tables, if it may be unreadable.
pub fn check_json(text: &[u8], warnings: &mut dyn Sink) {
    walk(text, Notes::default(), warnings);
}

fn walk(text: &[u8], notes: Notes, warnings: &mut dyn Sink) -> Notes {
    let mut notes = visit::walk(text, &core::FILE, notes, warnings);
    for (noun, index, place, count) in notes.unresolved() {
        let message = format!("there is no {} {index} (the file has {count})", noun.name());
        warnings.fault("UNRESOLVED_REFERENCE", &place, message);
    }
    notes
}

/// The first buffer of a GLB, where it names no file, is the binary chunk.
fn check_binary(container: &Container<'_>, document: &Document, warnings: &mut dyn Sink) {
    let is_chunk = document.buffers.first().is_some_and(|buffer| buffer.uri.is_none());
    if is_chunk && container.is_glb && container.binary.is_none() {
        let message = "has no uri, and the GLB has no binary chunk";
        warnings.fault("BUFFER_MISSING_GLB_DATA", "buffers[0]", message);
    }
}

/// Extensions must be declared, and be where they mean something.
fn check_extensions(document: &Document, notes: &Notes, warnings: &mut dyn Sink) {
    let used = &document.extensions_used;
    for ((name, object), place) in &notes.extensions {
        if !used.contains(name) {
            let message = format!("{} is not in extensionsUsed", quoted(name));
            warnings.fault("UNDECLARED_EXTENSION", place, message);
        } else if extensions::is_misplaced(name, object) {
            let message = format!("{} means nothing on a {object}", quoted(name));
            warnings.fault("UNEXPECTED_EXTENSION_OBJECT", place, message);
        }
        let root = (name.clone(), "glTF");
        if extensions::needs_root(name, object) && !notes.extensions.contains_key(&root) {
            let message = format!("needs extensions.{name} at the top of the file");
            warnings.fault("UNSATISFIED_DEPENDENCY", place, message);
        }
    }
    for (index, name) in document.extensions_required.iter().enumerate() {
        if !used.contains(name) {
            let message = format!("{} is not in extensionsUsed", quoted(name));
            warnings.fault("UNUSED_EXTENSION_REQUIRED", &format!("extensionsRequired[{index}]"), message);
        }
    }
    let quantization = "KHR_mesh_quantization";
    if let Some(index) = used.iter().position(|name| name == quantization)
        && !document.extensions_required.iter().any(|name| name == quantization)
    {
        let message = format!("{quantization} must be required, because readers without it fail");
        warnings.fault("NON_REQUIRED_EXTENSION", &format!("extensionsUsed[{index}]"), message);
    }
}
