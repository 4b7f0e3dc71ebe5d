//! Reads documents that the `gltf` crate has parsed: written out as JSON again, they are read as files are.

use std::borrow::Cow;

use ::gltf::json::Root;
use ::gltf::json::validation::Checked;

use super::buffer::{Buffers, is_fallback};
use super::json::{self, Document};
use super::reader::{self, Given};
use crate::Model;
use crate::reading::Options;
use crate::reading::budget::Budget;
use crate::reading::error::LoadError;
use crate::reading::source::Sources;
use crate::reading::warnings::Warnings;

/// Converts a document and the bytes of its buffers, in the document's order, to a model. The result equals that of
/// [`load`](crate::gltf::load) for the same file. It serves programs that read files with the `gltf` crate.
///
/// The scene is the document's default scene, or its first. Repairs are listed in the model's warnings.
///
/// # Differences
/// - The crate keeps numbers of nodes and materials in single precision, and drops moves of texture coordinates and colours
///   by morph targets, extensions of animation channels (`KHR_animation_pointer`), of `asset` and of sparse accessors, and
///   attributes with a name that the format does not define, unless it starts with an underscore.
/// - It refuses textures whose only image is that of an extension, such as `EXT_texture_webp`.
/// - Pictures are decoded from buffers and `data:` URIs. Pictures in files are missing, because the document has only
///   their names; their materials are shown without them, with a warning.
/// - The rules of the format are not checked ([`Model::faults`] is empty).
///
/// # Errors
/// Unusable data, with its JSON path: a dangling reference, an accessor that does not fit its buffer or its use,
/// indices and joints out of range, numbers that are not finite. No document causes a panic, whether or not the `gltf`
/// crate has validated it.
///
/// # Example
/// ```
/// use sinew_model::{builtin, gltf};
///
/// let file = ::gltf::Gltf::from_slice(&builtin::glb("bend")?)?;
/// let buffers = [file.blob.as_deref().unwrap_or_default()];
/// let model = gltf::from_gltf(&file.document, &buffers)?;
/// assert_eq!(model.skins.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_gltf(document: &::gltf::Document, buffers: &[impl AsRef<[u8]>]) -> Result<Model, LoadError> {
    let text = written(document.as_json().clone())?;
    let mut document = json::parse(&text)?;
    let mut budget = Budget::beside(&text).ok_or(LoadError::TooManyObjects)?;
    let mut beyond = document.buffers.iter().skip(buffers.len());
    if !beyond.all(is_fallback) {
        let count = buffers.len();
        return Err(LoadError::invalid("buffers", format!("buffer {count} is not among the {count} given")));
    }
    let given = document.buffers.iter().enumerate().map(|(index, buffer)| {
        let bytes = buffers.get(index).filter(|_| !is_fallback(buffer))?.as_ref();
        budget.add(bytes.len());
        Some(Cow::Borrowed(bytes))
    });
    let given: Buffers<'_> = given.collect();
    let mut sources = Sources::new(None, false, budget, 0);
    let mut warnings = Warnings::default();
    let (mut model, _) =
        reader::read(&mut document, Given::Buffers(given), &Options::default(), &mut sources, &mut warnings)?;
    model.warnings = warnings.into_report().warnings;
    Ok(model)
}

/// The largest JSON for the crate. It takes more memory for an empty object than the loader does.
const MAX_JSON_BYTES: usize = 64 << 20;

/// Parses and validates JSON by the `gltf` crate.
///
/// # Errors
/// If the crate refuses the JSON, with its own error, or the JSON is too long.
pub fn parse(text: &[u8]) -> Result<Document, LoadError> {
    if text.len() > MAX_JSON_BYTES {
        return Err(refused(&format!("it is given at most {} MiB of JSON", MAX_JSON_BYTES >> 20)));
    }
    let root = Root::from_slice(text).map_err(|error| refused(&error))?;
    // Validation indexes accessors by these.
    for (mesh, of_mesh) in root.meshes.iter().enumerate() {
        for (primitive, of_primitive) in of_mesh.primitives.iter().enumerate() {
            let count = root.accessors.len();
            let mut accessors = of_primitive.attributes.values().map(|accessor| accessor.value());
            if let Some(accessor) = accessors.find(|accessor| *accessor >= count) {
                let path = format!("meshes[{mesh}].primitives[{primitive}].attributes");
                return Err(LoadError::no_such(&path, "accessor", accessor, count));
            }
        }
    }
    let document = ::gltf::Document::from_json(root).map_err(|error| invalid(&error))?;
    Ok(json::parse(&written(document.into_json())?)?)
}

/// Returns the JSON text of a document. The crate cannot write words that it does not define.
fn written(mut root: Root) -> Result<Vec<u8>, LoadError> {
    for primitive in root.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.attributes.remove(&Checked::Invalid);
    }
    root.to_vec().map_err(|error| refused(&error))
}

/// An error of the crate: of invalid values, the first and the number of others.
fn invalid(error: &::gltf::Error) -> LoadError {
    let ::gltf::Error::Validation(faults) = error else { return refused(error) };
    let Some((path, fault)) = faults.first() else { return refused(error) };
    let more = match faults.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    at(path.as_str(), &format!("{fault}{more}"))
}

fn refused(error: &dyn std::fmt::Display) -> LoadError {
    at("", error)
}

fn at(path: &str, error: &dyn std::fmt::Display) -> LoadError {
    let message = format!("the crate gltf refuses it: {error}");
    LoadError::Json { code: "INVALID_DATA", path: path.to_owned(), message }
}
