//! Checks one model or compares one pair, and prints two lines of JSON for the process that started this one: the files, and the
//! result.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::analysis::corpus::{Asset, THUMBNAIL, check, compare, thumbnail};
use crate::cli::args::{CorpusArgs, LoadArgs};
use crate::cli::subject::{file, open};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::print;
use crate::image::{Image, Notes, png_bytes};
use crate::model::Model;
use crate::output::Inputs;
use crate::writing::write_json;

use super::digest::digests;

/// The first line: the digest of each file of the asset, also of those that are missing.
pub type Digests = BTreeMap<String, String>;

/// The second line.
#[derive(Debug, Serialize, Deserialize)]
pub struct Printed {
    pub result: Asset,
    /// A small picture as base64; may be empty.
    pub thumbnail: String,
}

/// Checks one model, or compares two.
pub fn run(args: &CorpusArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let load = LoadArgs::default();
    // Files that change from here on have other digests in the next run.
    let files = args.inputs.iter().flat_map(|file| {
        let named = file::files(file, &load).into_iter().map(|named| named.path);
        std::iter::once(PathBuf::from(file)).chain(named)
    });
    let files: Vec<PathBuf> = files.collect();
    let digests: Digests = digests(files.iter().map(PathBuf::as_path));
    print(|out| write_json(&mut *out, &digests).and_then(|()| writeln!(out)))?;
    let mut read = |file: &std::ffi::OsString| -> Result<Model, Failure> {
        let model = open::model(file, &load, &mut inputs)?;
        open::check_kept(&model, file)?;
        Ok(model)
    };
    let (result, thumbnail) = match args.inputs.as_slice() {
        [model] => {
            let given = open::shown(model);
            let model = read(model)?;
            (check(&model, &given, args.level), picture(&[&model]))
        }
        [old, new] => {
            let [old, new] = [read(old)?, read(new)?];
            (compare(&old, &new, args.level), picture(&[&old, &new]))
        }
        _ => return Err(Failure::Usage("'sinew corpus one' takes a model, or two".to_owned())),
    };
    print(|out| write_json(out, &Printed { result, thumbnail }))
}

/// Draws a thumbnail, as a PNG in base64.
fn picture(models: &[&Model]) -> String {
    let [width, height] = THUMBNAIL.map(|side| u32::try_from(side).unwrap_or_default());
    let width = width.saturating_mul(u32::try_from(models.len()).unwrap_or_default());
    let rgba = thumbnail(models).into_iter().flat_map(|[grey, opacity]| [grey, grey, grey, opacity]);
    let image = Image { width, height, rgba: rgba.collect() };
    png_bytes(&image, &Notes::default()).map_or_else(|_| String::new(), |bytes| STANDARD.encode(bytes))
}
