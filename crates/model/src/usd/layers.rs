//! Layers of a scene: the model's own bytes, files beside it, and files in archives. Nothing else is opened, no network
//! either.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use openusd::ar::{Asset, ResolvedPath, Resolver, split_package_relative_path_outer};

use super::arcs::Arcs;
use super::binary;
use super::package;
use super::sound;
use super::text;
use crate::reading::budget::Budget;
use crate::reading::message::{counted, quoted};
use crate::reading::source::Sources;
use crate::reading::source_error::SourceError;
use crate::reading::{FilePart, LoadError, ModelFile, Options};

/// The name of the model's own bytes, which no file has.
const OWN: &str = "<model>";

/// The name of the layer that selects variants.
const ABOVE: &str = "<variants>.usda";

/// The name of a layer that chooses a variant.
const CHOICE: &str = "<choice>.usda";

/// Maximum number of other files, and of layers in files and archives.
const MAX_FILES: usize = 1000;

/// The files that a scene is made of.
#[derive(Clone)]
pub struct Layers(Rc<RefCell<State>>);

struct State {
    /// Files, and layers in archives that the library can read.
    bytes: BTreeMap<String, Rc<[u8]>>,
    /// Names of the layers that the library can read, and of all others that were asked for.
    sound: BTreeSet<String>,
    broken: BTreeSet<String>,
    arcs: Arcs,
    folder: Option<PathBuf>,
    allow_outside: bool,
    digests: Option<Vec<(String, String)>>,
    files: Vec<ModelFile>,
    size: usize,
    fault: Option<LoadError>,
    missing: Vec<String>,
    /// True while a file is named that no layer is.
    naming: bool,
}

impl Layers {
    /// The layers of a model's bytes, and the name of the first.
    ///
    /// # Errors
    /// If an archive has no layer, or the first is broken.
    pub fn of(
        bytes: &[u8],
        base: Option<&Path>,
        options: &Options,
        digest: bool,
    ) -> Result<(Self, String), LoadError> {
        let name = if bytes.starts_with(b"PK") {
            let entries = package::entries(bytes).ok_or_else(|| fault("the archive is broken or cut off"))?;
            let is_layer = |name: &str| [".usd", ".usda", ".usdc"].iter().any(|end| name.ends_with(end));
            let first = entries.into_iter().find(|(name, _)| is_layer(name));
            let (first, data) = first.ok_or_else(|| fault("the archive has no uncompressed layer"))?;
            check(data).map_err(|message| fault(&message))?;
            format!("{OWN}.usdz[{first}]")
        } else {
            check(bytes).map_err(|message| fault(&message))?;
            format!("{OWN}.{}", if bytes.starts_with(b"PXR-USDC") { "usdc" } else { "usda" })
        };
        let own = name.split('[').next().unwrap_or_default().to_owned();
        let state = State {
            bytes: BTreeMap::from([(own, bytes.into())]),
            sound: BTreeSet::new(),
            broken: BTreeSet::new(),
            arcs: Arcs::default(),
            folder: base.map(Path::to_path_buf),
            allow_outside: options.allow_outside,
            digests: digest.then(Vec::new),
            files: Vec::new(),
            size: bytes.len(),
            fault: None,
            missing: Vec::new(),
            naming: false,
        };
        Ok((Self(Rc::new(RefCell::new(state))), name))
    }

    /// Makes a layer that chooses a variant of a set for a root prim, above the one that selects variants; returns its name.
    pub fn choose(&self, prim: &str, set: &str, variant: &str) -> String {
        let selected = match self.0.borrow().bytes.contains_key(ABOVE) {
            true => format!("(\nsubLayers = [@{ABOVE}@]\n)\n"),
            false => String::new(),
        };
        let choice =
            format!("over \"{prim}\" (\nvariants = {{\nstring {set} = \"{variant}\"\n}}\n)\n{{\n}}\n");
        self.0.borrow_mut().put(CHOICE, &format!("#usda 1.0\n{selected}{choice}"))
    }

    /// The bytes of the model and of all files that were read.
    pub fn size(&self) -> usize {
        self.0.borrow().size
    }

    /// The first file that could not be read, unless it is only missing.
    pub fn take_fault(&self) -> Option<LoadError> {
        self.0.borrow_mut().fault.take()
    }

    /// The names of missing files.
    pub fn missing(&self) -> Vec<String> {
        self.0.borrow().missing.clone()
    }

    /// The other files of the scene.
    pub fn files(&self) -> Vec<ModelFile> {
        self.0.borrow().files.clone()
    }

    /// Adds a layer for above the model's own; returns its name.
    pub fn add_above(&self, text: &str) -> String {
        self.0.borrow_mut().put(ABOVE, text)
    }

    /// Runs a step in which the library names files, and does not read them.
    pub fn naming<T>(&self, step: impl FnOnce() -> T) -> T {
        self.0.borrow_mut().naming = true;
        let result = step();
        self.0.borrow_mut().naming = false;
        result
    }

    /// Adds a picture to the files of the scene, unless it is in an archive.
    pub fn add_picture(&self, name: &str, number: usize) {
        let state = &mut *self.0.borrow_mut();
        if split_package_relative_path_outer(name).is_none()
            && let Ok(path) = state.sources().path_of_name(name)
        {
            state.files.push(ModelFile { path, part: FilePart::Picture(number) });
        }
    }

    /// The bytes of a picture, and true if they are those of a file that was not read before.
    ///
    /// # Errors
    /// If it is missing, or must not be read.
    pub fn picture(&self, name: &str) -> Result<(Rc<[u8]>, bool), SourceError> {
        let state = &mut *self.0.borrow_mut();
        let Some((archive, inner)) = split_package_relative_path_outer(name) else {
            return Ok((state.fetch(name)?.into(), true));
        };
        let archive = state.file(&archive).ok_or(SourceError::Missing)?;
        let bytes = package::entry(&archive, &inner).ok_or(SourceError::Missing)?;
        Ok((bytes.into(), false))
    }

    /// The digests of the files that were read, if requested.
    pub fn digests(&self) -> Vec<(String, String)> {
        self.0.borrow().digests.clone().unwrap_or_default()
    }

    fn read(&self, name: &str) -> Option<Rc<[u8]>> {
        let state = &mut *self.0.borrow_mut();
        if state.broken.contains(name) {
            return None;
        }
        if state.sound.contains(name) {
            return state.bytes.get(name).cloned();
        }
        let read = state.layer(name);
        if read.is_none() {
            state.broken.insert(name.to_owned());
        }
        read
    }
}

impl State {
    /// Adds or replaces a layer that no file has; returns its name.
    fn put(&mut self, name: &str, text: &str) -> String {
        self.bytes.insert(name.to_owned(), text.as_bytes().into());
        self.sound.remove(name);
        self.broken.remove(name);
        name.to_owned()
    }

    /// A layer that was not asked for before.
    fn layer(&mut self, name: &str) -> Option<Rc<[u8]>> {
        if self.sound.len() >= MAX_FILES {
            self.too_many();
            return None;
        }
        match split_package_relative_path_outer(name) {
            Some((archive, inner)) => {
                let archive = self.file(&archive)?;
                let data: Rc<[u8]> = package::entry(&archive, &inner)?.into();
                self.checked(name, data)
            }
            None => {
                let bytes = self.file(name)?;
                if bytes.starts_with(b"PK") { Some(bytes) } else { self.checked(name, bytes) }
            }
        }
    }

    fn too_many(&mut self) {
        let message = format!("it has more than {}", counted(MAX_FILES, "layer", "layers"));
        self.fault.get_or_insert(fault(&message));
    }

    /// The bytes of a layer that the library can read.
    fn checked(&mut self, name: &str, data: Rc<[u8]>) -> Option<Rc<[u8]>> {
        let mended = check(&data).map(|mended| mended.map_or(data, Rc::from));
        let checked = mended.and_then(|data| self.arcs.add(&data).map(|()| data));
        match checked {
            Ok(data) => {
                self.sound.insert(name.to_owned());
                self.bytes.insert(name.to_owned(), data.clone());
                Some(data)
            }
            Err(message) => {
                self.fault.get_or_insert(fault(&format!("layer {}: {message}", quoted(name))));
                None
            }
        }
    }

    fn file(&mut self, name: &str) -> Option<Rc<[u8]>> {
        if let Some(bytes) = self.bytes.get(name) {
            return Some(bytes.clone());
        }
        if self.fault.is_some() || self.missing.iter().any(|missing| missing == name) {
            return None;
        }
        let layers = self.files.iter().filter(|file| file.part == FilePart::Buffer).count();
        if layers >= MAX_FILES {
            self.too_many();
            return None;
        }
        if let Ok(path) = self.sources().path_of_name(name) {
            self.files.push(ModelFile { path, part: FilePart::Buffer });
        }
        match self.fetch(name) {
            Ok(bytes) => {
                let bytes: Rc<[u8]> = bytes.into();
                self.bytes.insert(name.to_owned(), bytes.clone());
                Some(bytes)
            }
            Err(SourceError::Missing) => {
                self.missing.push(name.to_owned());
                None
            }
            Err(cause) => {
                let (path, uri) = (String::from("layers"), name.to_owned());
                self.fault.get_or_insert(LoadError::External { path, what: "layer", uri, cause });
                None
            }
        }
    }

    /// The bytes of a file beside the model.
    fn fetch(&mut self, name: &str) -> Result<Vec<u8>, SourceError> {
        let mut sources = self.sources();
        let bytes = sources.path_of_name(name).and_then(|path| sources.fetch_file(path))?;
        let digests = sources.digests.take();
        self.size = self.size.saturating_add(bytes.len());
        self.digests.iter_mut().for_each(|all| all.extend(digests.iter().flatten().cloned()));
        Ok(bytes)
    }

    fn sources(&self) -> Sources<'_> {
        let mut budget = Budget::default();
        budget.add(self.size);
        let mut sources = Sources::new(self.folder.as_deref(), self.allow_outside, budget, self.size);
        sources.digests = self.digests.is_some().then(Vec::new);
        sources
    }
}

fn fault(message: &str) -> LoadError {
    LoadError::broken("BROKEN_FILE", "", format!("cannot be read as USD: {message}"))
}

/// Checks a layer. Returns it in a form that the library reads, if it has another.
///
/// # Errors
/// If the library would not survive it.
fn check(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
    match bytes.starts_with(b"PXR-USDC") {
        true => binary::check(bytes),
        false => sound::check(bytes).map(|()| text::rewritten(bytes)),
    }
}

impl Resolver for Layers {
    fn create_identifier(&self, asset: &str, anchor: Option<&ResolvedPath>) -> String {
        let Some(anchor) = anchor.and_then(|anchor| anchor.to_str()) else { return asset.to_owned() };
        match split_package_relative_path_outer(anchor) {
            Some((archive, inner)) => format!("{archive}[{}]", joined(&inner, asset)),
            None => joined(anchor, asset),
        }
    }

    fn resolve(&self, name: &str) -> Option<ResolvedPath> {
        if self.0.borrow().naming {
            return Some(ResolvedPath::new(name));
        }
        self.read(name).map(|_| ResolvedPath::new(name))
    }

    fn resolve_for_new_asset(&self, _: &str) -> Option<ResolvedPath> {
        None
    }

    fn open_asset(&self, path: &ResolvedPath) -> io::Result<Box<dyn Asset>> {
        let bytes = path.to_str().and_then(|name| self.read(name));
        let bytes = bytes.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(Box::new(io::Cursor::new(bytes.to_vec())))
    }
}

/// A name relative to the file `from`, without needless dots.
fn joined(from: &str, name: &str) -> String {
    if name.starts_with(['/', '\\']) || name.get(1..2) == Some(":") {
        return name.to_owned();
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in name.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn names_are_relative_to_the_layer_that_has_them() {
        assert_eq!(joined("<model>.usda", "./a/b.usda"), "a/b.usda");
        assert_eq!(joined("a/b.usda", "../c.usda"), "c.usda");
        assert_eq!(joined("a/b.usda", "../../c.usda"), "../c.usda");
        assert_eq!(joined("/x/b.usda", "c.usda"), "/x/c.usda");
        assert_eq!(joined("a/b.usda", "/c.usda"), "/c.usda");
    }
}
