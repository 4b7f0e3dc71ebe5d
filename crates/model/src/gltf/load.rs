//! Loads and inspects files: `reader` makes the model, then `rules` checks the file.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use super::files;
use super::inspection::{self, FileFacts, Inspection};
use super::parse::parse;
use super::reader::{Given, StoredSet, StoredVertex, StoredWeights};
use super::{reader, rules};
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;
use crate::reading::files::ModelFile;
use crate::reading::source::{self, Sources};
use crate::reading::warnings::{Report, Warnings};
use crate::reading::{Options, digest};
use crate::statistics::InfluenceStatistics;
use crate::{Model, Warning};

/// Loads a `.gltf` or `.glb` file, told apart by its first bytes.
pub fn load(path: &Path) -> Result<Model, LoadError> {
    load_with(path, &Options::default())
}

/// Loads a file with options.
pub fn load_with(path: &Path, options: &Options) -> Result<Model, LoadError> {
    let bytes = source::read_file(path, source::MAX_FILE_BYTES).map_err(LoadError::File)?;
    load_bytes_with(&bytes, path.parent(), options)
}

/// The bytes of a model's file, for [`load_bytes_with`].
pub fn read_file(path: &Path) -> Result<Vec<u8>, LoadError> {
    read_file_of(path, source::MAX_FILE_BYTES)
}

/// Reads another file that belongs to a model, at most `most_bytes`.
pub fn read_file_of(path: &Path, most_bytes: u64) -> Result<Vec<u8>, LoadError> {
    source::read_file(path, most_bytes).map_err(LoadError::File)
}

/// The bytes of a model that comes through a pipe, as many as a file may have.
///
/// # Errors
/// If it breaks off or is longer.
pub fn read_stream(input: impl Read) -> Result<Vec<u8>, LoadError> {
    source::read_stream(input, source::MAX_FILE_BYTES).map_err(LoadError::File)
}

/// Loads a file's bytes and lists the external files that they refer to.
pub fn load_bytes_and_files(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
) -> Result<(Model, Vec<ModelFile>), LoadError> {
    let (model, aside) = read(bytes, base, options, Warnings::default(), false)?;
    Ok((model, aside.files))
}

/// Loads a file's bytes, and returns the SHA-256 of `sha256sum`'s output for the external files, in order of their
/// names relative to `base`. `None` if there are none.
pub fn load_bytes_and_digest(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
) -> Result<(Model, Vec<ModelFile>, Option<String>), LoadError> {
    let (model, aside) = read(bytes, base, options, Warnings::default(), true)?;
    Ok((model, aside.files, digest::sha256_of_files(aside.digests)))
}

/// Loads a file's bytes. External files are looked for in `base` and below; without it a file that
/// has any is an error.
pub fn load_bytes(bytes: &[u8], base: Option<&Path>) -> Result<Model, LoadError> {
    load_bytes_with(bytes, base, &Options::default())
}

/// Loads a file's bytes with options.
pub fn load_bytes_with(bytes: &[u8], base: Option<&Path>, options: &Options) -> Result<Model, LoadError> {
    let (model, _) = read(bytes, base, options, Warnings::default(), false)?;
    Ok(model)
}

/// Loads a file and inspects it.
pub fn inspect(path: &Path, options: &Options) -> Result<Inspection, LoadError> {
    let bytes = source::read_file(path, source::MAX_FILE_BYTES).map_err(LoadError::File)?;
    inspect_bytes(&bytes, path.parent(), options)
}

/// Loads a file's bytes and inspects them.
pub fn inspect_bytes(bytes: &[u8], base: Option<&Path>, options: &Options) -> Result<Inspection, LoadError> {
    let (model, aside) = read(bytes, base, options, Warnings::inspecting(), false)?;
    let Aside { facts, notes, influences, files, digests: _ } = aside;
    Ok(Inspection { model, notes, influences, facts, files })
}

/// The joints and weights of one vertex as a file's bytes store them, before loading prepares them; empty where the
/// primitive has none.
///
/// # Errors
/// If the file lacks the vertex, or its joints and weights cannot be read.
pub fn stored_influences(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
    vertex: StoredVertex,
) -> Result<Vec<StoredSet>, LoadError> {
    let (container, budget, mut document) = parse(bytes, options.reader)?;
    let mut sources = Sources::new(base, options.allow_outside, budget, bytes.len());
    reader::stored_influences(&mut document, container.binary, vertex, &mut sources)
}

/// The joints and weights of all vertices as a file's bytes store them, before loading prepares them.
///
/// # Errors
/// If they cannot be read.
pub fn stored_weights(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
) -> Result<StoredWeights, LoadError> {
    let (container, budget, mut document) = parse(bytes, options.reader)?;
    let mut sources = Sources::new(base, options.allow_outside, budget, bytes.len());
    reader::stored_weights(&mut document, container.binary, &mut sources)
}

/// Results of a load besides the model.
struct Aside {
    facts: FileFacts,
    notes: Vec<Warning>,
    influences: BTreeMap<String, InfluenceStatistics>,
    files: Vec<ModelFile>,
    digests: Vec<(String, String)>,
}

/// Lists the files that a model's bytes refer to, even if the model is invalid. The list is empty if the bytes cannot
/// be parsed.
pub fn files_of(bytes: &[u8], base: Option<&Path>, options: &Options) -> Vec<ModelFile> {
    let sources = Sources::new(base, options.allow_outside, Budget::default(), bytes.len());
    parse(bytes, options.reader)
        .map_or_else(|_| Vec::new(), |(_, _, document)| files::named(&document, &sources))
}

fn read(
    bytes: &[u8],
    base: Option<&Path>,
    options: &Options,
    mut warnings: Warnings,
    digest: bool,
) -> Result<(Model, Aside), LoadError> {
    let (container, budget, mut document) = parse(bytes, options.reader)?;
    for fault in &container.faults {
        warnings.fault(fault.code, ".", fault.text());
    }
    let mut sources = Sources::new(base, options.allow_outside, budget, bytes.len());
    sources.digests = digest.then(Vec::new);
    let files = files::named(&document, &sources);
    let (mut model, buffers) =
        reader::read(&mut document, Given::Binary(container.binary), options, &mut sources, &mut warnings)?;
    rules::check(&container, &document, &buffers, &mut sources, &mut warnings);

    let digests = sources.digests.take().unwrap_or_default();
    let Report { warnings, faults, notes, influences } = warnings.into_report();
    model.warnings = warnings;
    model.faults = faults;
    Ok((model, Aside { facts: inspection::facts(&document, options), notes, influences, files, digests }))
}
