//! Fonts: two built-in ones, and those of the system. The system's fonts are searched only for a character that the
//! built-in ones lack. A file is loaded if it is the first with that character, and stays loaded until the program
//! ends.

#![allow(clippy::disallowed_methods, reason = "reads the system's fonts, which are no inputs")]

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use ab_glyph::{Font, FontRef, GlyphId};

use super::coverage::Coverage;
use super::files;

/// Built-in fonts: one for columns, one for words.
const BUILT_IN: [&[u8]; 2] = [epaint_default_fonts::HACK_REGULAR, epaint_default_fonts::UBUNTU_LIGHT];

/// Maximum size of a font file; collections for Chinese, Japanese and Korean have 20 MB.
const MAX_BYTES: u64 = 64 << 20;

/// Maximum number of font files to load.
const MAX_FILES: usize = 16;

/// The source of a glyph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A built-in font: the first is for columns, the second for words.
    BuiltIn(usize),
    /// A font of the system, by index in load order.
    System(usize),
}

/// A font; of a file with several, the first.
pub struct Face {
    /// The file.
    pub bytes: &'static [u8],
    /// Its outlines.
    pub font: FontRef<'static>,
}

static FOLDERS: OnceLock<Vec<PathBuf>> = OnceLock::new();
static SYSTEM: LazyLock<Mutex<System>> = LazyLock::new(Mutex::default);
static BUILT_IN_FACES: LazyLock<Vec<Face>> =
    LazyLock::new(|| BUILT_IN.into_iter().filter_map(Face::new).collect());

impl Face {
    fn new(bytes: &'static [u8]) -> Option<Self> {
        Some(Self { bytes, font: FontRef::try_from_slice(bytes).ok()? })
    }

    /// Returns the glyph of a character, if it has one to draw.
    fn glyph(&self, letter: char) -> Option<GlyphId> {
        let id = self.font.glyph_id(letter);
        // Fonts for coloured emoji may have empty outlines.
        (id.0 != 0 && (letter.is_whitespace() || self.font.outline(id).is_some())).then_some(id)
    }
}

/// Sets the folders of the system's fonts. Only the first call has an effect. Without folders, there are no system
/// fonts.
pub fn look_in(folders: Vec<PathBuf>) {
    let _ = FOLDERS.set(folders);
}

/// Finds a font for a character.
pub fn source(letter: char) -> Option<Source> {
    let built_in = BUILT_IN_FACES.iter().position(|face| face.font.glyph_id(letter).0 != 0);
    built_in.map(Source::BuiltIn).or_else(|| with_system(|system| system.find(letter)).map(Source::System))
}

/// Returns a font.
pub fn face(source: Source) -> Option<&'static Face> {
    match source {
        Source::BuiltIn(number) => BUILT_IN_FACES.get(number),
        Source::System(number) => with_system(|system| system.read.get(number).copied()),
    }
}

/// Returns the number of loaded system fonts.
pub fn system_fonts() -> usize {
    with_system(|system| system.read.len())
}

fn with_system<R>(ask: impl FnOnce(&mut System) -> R) -> R {
    ask(&mut SYSTEM.lock().unwrap_or_else(PoisonError::into_inner))
}

/// State of the search in system fonts.
#[derive(Default)]
struct System {
    candidates: Option<Vec<Candidate>>,
    /// Loaded files.
    read: Vec<&'static Face>,
    /// The loaded file for each character requested so far.
    found: HashMap<char, Option<usize>>,
}

/// A font file.
struct Candidate {
    path: PathBuf,
    state: State,
}

enum State {
    /// Not checked yet.
    Unknown,
    /// Coverage read.
    Known(Coverage),
    /// Loaded, with its index.
    Read(usize, &'static Face),
    /// Unusable.
    Useless,
}

impl System {
    /// Finds the first file with an outline for a character.
    fn find(&mut self, letter: char) -> Option<usize> {
        if let Some(found) = self.found.get(&letter) {
            return *found;
        }
        let candidates = self.candidates.get_or_insert_with(|| {
            let files = files::all(FOLDERS.get().map_or(&[], Vec::as_slice));
            files.into_iter().map(|path| Candidate { path, state: State::Unknown }).collect()
        });
        let read = &mut self.read;
        let found = candidates.iter_mut().find_map(|candidate| candidate.draws(letter, read));
        self.found.insert(letter, found);
        found
    }
}

impl Candidate {
    /// Returns the font's index if it draws the character.
    fn draws(&mut self, letter: char, read: &mut Vec<&'static Face>) -> Option<usize> {
        if let State::Unknown = self.state {
            let coverage = File::open(&self.path).ok().and_then(|mut file| Coverage::read(&mut file));
            self.state = coverage.map_or(State::Useless, State::Known);
        }
        if let State::Known(coverage) = &self.state {
            if !coverage.may_have(letter) || read.len() >= MAX_FILES {
                return None;
            }
            self.state = match read_face(&self.path) {
                Some(face) => {
                    read.push(face);
                    tracing::debug!("letters come from {}", self.path.display());
                    State::Read(read.len() - 1, face)
                }
                None => State::Useless,
            };
        }
        let State::Read(number, face) = &self.state else { return None };
        face.glyph(letter).map(|_| *number)
    }
}

/// Loads a font for good: there are few, and each is loaded once.
fn read_face(path: &Path) -> Option<&'static Face> {
    let file = File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
    // The memory of a broken one is freed.
    let is_whole = bytes.len() as u64 <= MAX_BYTES && FontRef::try_from_slice(&bytes).is_ok();
    let bytes: &'static [u8] = is_whole.then(|| Box::leak(bytes.into_boxed_slice()))?;
    Face::new(bytes).map(|face| &*Box::leak(Box::new(face)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_from_the_first_font_that_draws_them() {
        assert_eq!(source('a'), Some(Source::BuiltIn(0)));
        // No folders are set, so no other font has any.
        assert!(source('骨').is_none() && face(Source::System(0)).is_none());
    }

    #[test]
    fn a_file_is_read_when_it_is_needed_and_a_broken_one_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [("a.ttf", &BUILT_IN[0][..400]), ("b.ttf", BUILT_IN[0])] {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        std::fs::write(folder.path().join("c.ttf"), BUILT_IN[1]).unwrap();
        let files = files::all(&[folder.path().to_owned()]);
        assert_eq!(files.len(), 3);
        let candidates = files.into_iter().map(|path| Candidate { path, state: State::Unknown }).collect();
        let mut system = System { candidates: Some(candidates), ..System::default() };
        assert_eq!((system.find('骨'), system.read.len()), (None, 0));
        assert_eq!((system.find('a'), system.find('é'), system.read.len()), (Some(0), Some(0), 1));
        assert_eq!(system.read[0].bytes, BUILT_IN[0]);
    }
}
