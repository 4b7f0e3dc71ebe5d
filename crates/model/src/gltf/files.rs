//! Lists the external files that the JSON of a model names.

use crate::reading::files::{FilePart, ModelFile};
use std::collections::HashSet;

use super::json::Document;
use crate::reading::source::Sources;
use sinew_gltf_rules::format::data_uri::is_data_uri;

/// The files that a document names, each once per kind; names that the reader does not follow are omitted.
pub fn named(document: &Document, sources: &Sources<'_>) -> Vec<ModelFile> {
    let buffers = document.buffers.iter().map(|buffer| (&buffer.uri, FilePart::Buffer));
    let images = document.images.iter().enumerate();
    let images = images.map(|(index, image)| (&image.uri, FilePart::Picture(index)));
    let mut known = HashSet::new();
    let mut files = Vec::new();
    for (uri, part) in buffers.chain(images) {
        let Some(uri) = uri.as_deref().filter(|uri| !is_data_uri(uri)) else { continue };
        let Ok(path) = sources.path(uri) else { continue };
        if known.insert((path.clone(), part == FilePart::Buffer)) {
            files.push(ModelFile { path, part });
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::gltf::{Options, files_of};

    #[test]
    fn each_file_is_named_once_for_what_it_is() {
        let json = br#"{"asset": {"version": "2.0"},
            "buffers": [{"byteLength": 1, "uri": "a.bin"}, {"byteLength": 1, "uri": "x/../a.bin"},
                {"byteLength": 1, "uri": "data:,a"}, {"byteLength": 1}, {"byteLength": 1, "uri": "../b.bin"}],
            "images": [{"uri": "data:,a"}, {"uri": "t/b%20c.png"}, {"bufferView": 0}, {"uri": "t/b c.png"},
                {"uri": "a.bin"}]}"#;
        let files = |base: Option<&Path>, allow_outside| {
            let options = Options { allow_outside, ..Options::default() };
            let files = files_of(json, base, &options).into_iter();
            files.map(|file| (file.path.to_str().unwrap().to_owned(), file.part)).collect::<Vec<_>>()
        };
        let file = |path: &str, part| (path.to_owned(), part);
        let inside = [
            file("m/a.bin", FilePart::Buffer),
            file("m/t/b c.png", FilePart::Picture(1)),
            file("m/a.bin", FilePart::Picture(4)),
        ];
        assert_eq!(files(Some(Path::new("m")), false), inside);
        assert!(files(Some(Path::new("m")), true).contains(&file("m/../b.bin", FilePart::Buffer)));
        assert_eq!(files(None, true), []);
        assert_eq!(files_of(b"{", Some(Path::new("m")), &Options::default()), []);
    }
}
