//! Checks of what prims inherit and specialise: the library follows these arcs by recursion, and never ends where they go
//! round.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use openusd::sdf::{AbstractData, Path, Value};
use openusd::usda;
use openusd::usdc::CrateData;

/// Maximum number of prims that one prim is made of, by arcs of its scene.
const MAX_REACHED: usize = 256;

/// Words of a layer that has such arcs.
const WORDS: [&[u8]; 2] = [b"inherit", b"specializes"];

/// Arcs of a scene's layers.
#[derive(Default)]
pub struct Arcs {
    /// Prims that a prim inherits or specialises.
    classes: BTreeMap<Path, BTreeSet<Path>>,
    /// Prims that a prim takes in by any arc.
    all: BTreeMap<Path, BTreeSet<Path>>,
}

impl Arcs {
    /// Adds the arcs of a layer that the other checks have passed.
    ///
    /// # Errors
    /// If the arcs go round or are too many.
    pub fn add(&mut self, layer: &[u8]) -> Result<(), String> {
        // Words of a binary layer are packed.
        let is_binary = layer.starts_with(b"PXR-USDC");
        let has = |word: &&[u8]| layer.windows(word.len()).any(|part| part == *word);
        if !is_binary && !WORDS.iter().any(has) && self.classes.is_empty() {
            return Ok(());
        }
        // The library says what is wrong with a layer that it cannot read.
        if is_binary {
            if let Ok(data) = CrateData::open(Cursor::new(layer), true) {
                self.collect(&data);
            }
        } else if let Some(data) = std::str::from_utf8(layer).ok().and_then(|text| usda::parse(text).ok()) {
            self.collect(&data);
        }
        self.check()
    }

    fn collect(&mut self, data: &dyn AbstractData) {
        for path in data.spec_paths() {
            if path.is_property_path() {
                continue;
            }
            for (field, is_class) in
                [("inheritPaths", true), ("specializes", true), ("references", false), ("payload", false)]
            {
                let Ok(Some(value)) = data.try_field(&path, field) else { continue };
                let from = path.strip_all_variant_selections();
                for to in targets(&value) {
                    let to = to.strip_all_variant_selections();
                    if is_class {
                        self.classes.entry(from.clone()).or_default().insert(to.clone());
                    }
                    self.all.entry(from.clone()).or_default().insert(to);
                }
            }
        }
    }

    fn check(&self) -> Result<(), String> {
        for (prim, classes) in &self.classes {
            let mut reached = BTreeSet::new();
            let mut open: Vec<&Path> = classes.iter().collect();
            while let Some(path) = open.pop() {
                if path.has_prefix(prim) || prim.has_prefix(path) {
                    return Err(format!("what {prim} inherits goes round"));
                }
                if !reached.insert(path) {
                    continue;
                }
                if reached.len() > MAX_REACHED {
                    return Err(format!("{prim} inherits from more than {MAX_REACHED} prims"));
                }
                // Arcs of the prims above count, too.
                let mut above = Some(path.clone());
                while let Some(path) = above {
                    open.extend(self.all.get(&path).into_iter().flatten());
                    above = path.parent();
                }
            }
        }
        Ok(())
    }
}

/// The prims that a field names.
fn targets(value: &Value) -> Vec<Path> {
    match value {
        Value::PathListOp(list) => list.iter().cloned().collect(),
        Value::PathVec(paths) => paths.clone(),
        Value::ReferenceListOp(list) => list.iter().map(|reference| reference.prim_path.clone()).collect(),
        Value::PayloadListOp(list) => list.iter().map(|payload| payload.prim_path.clone()).collect(),
        Value::Payload(payload) => vec![payload.prim_path.clone()],
        _ => Vec::new(),
    }
    .into_iter()
    .filter(|path| !path.is_empty())
    .collect()
}
