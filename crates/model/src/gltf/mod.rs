//! Reads glTF files into a [`Model`](crate::Model), reports the rules that they break, and writes models as `.glb`. The
//! module must not depend on posing, skinning or drawing.
//!
//! `reader` and `writer` are independent of each other, and `rules` of both. Shared code is beside them, and the format
//! itself, such as its JSON and component types, in `sinew-gltf-rules`.
//!
//! Files are untrusted. No file may make the loader panic, run for ever or take more memory than its size accounts for.
//! Unusable data is a [`LoadError`], and repairable data a [`Warning`](crate::Warning).

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod buffer;
mod files;
#[cfg(feature = "gltf")]
mod gltf_crate;
mod inspection;
mod load;
mod own;
mod parse;
mod reader;
mod rules;
pub mod support;
mod variants;
mod writer;

use sinew_gltf_rules::format::{component, element_type, json, parents, run, sparse};

pub use crate::reading::{
    FilePart, Foreign, LoadError, ModelFile, Options, SourceError, moves_text, one_line, sha256, shortened,
};
#[cfg(feature = "gltf")]
pub use gltf_crate::from_gltf;
pub use inspection::{Conversion, ExtensionUse, FileFacts, Inspection, VariantSet};
pub use load::{
    files_of, inspect, inspect_bytes, load, load_bytes, load_bytes_and_digest, load_bytes_and_files,
    load_bytes_with, load_with, read_file, read_file_of, read_stream, stored_influences, stored_weights,
};
pub use reader::{StoredSet, StoredVertex, StoredWeights};
pub use sinew_gltf_rules::format::ContainerError;
pub use support::Support;
pub use writer::{WriteError, write_glb};
#[cfg(feature = "usd")]
pub(crate) use writer::{png_bytes, without_joint};
