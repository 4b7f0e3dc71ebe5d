//! The pictures of textures: in the file, or beside it.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::reading::message::quoted;
use crate::reading::picture::{Decoded, decode};
use crate::reading::pictures;
use crate::reading::source::Sources;
use crate::reading::source_error::SourceError;
use crate::reading::warnings::Warnings;
use crate::reading::{FilePart, ModelFile};
use crate::texture::Picture;

/// The pictures that textures name, each decoded when it is first asked for.
pub struct Pictures<'a, 'b> {
    scene: &'a ufbx::Scene,
    sources: &'a mut Sources<'b>,
    decoded: pictures::Pictures,
    /// Pictures that were made of two others.
    made: HashMap<[Option<usize>; 2], Option<usize>>,
}

impl<'a, 'b> Pictures<'a, 'b> {
    /// Nothing is decoded yet.
    pub fn new(scene: &'a ufbx::Scene, sources: &'a mut Sources<'b>) -> Self {
        sources.budget.turn_to_pictures();
        let mut decoded = pictures::Pictures::default();
        scene.texture_files.iter().for_each(|_| decoded.add());
        Self { scene, sources, decoded, made: HashMap::new() }
    }

    /// Decodes a picture on first use and returns true if it is available.
    pub fn has(&mut self, number: usize, warnings: &mut Warnings) -> bool {
        if self.decoded.is_new(number) {
            let read = self.decode(number);
            self.decoded.keep(number, read, warnings);
        }
        self.decoded.get(number).is_some()
    }

    /// The index of a picture that is made from two others, once for all materials; `None` if the budget is exhausted.
    pub fn made_of(
        &mut self,
        two: [Option<usize>; 2],
        make: impl FnOnce([Option<&Picture>; 2]) -> Option<Picture>,
    ) -> Option<usize> {
        if let Some(made) = self.made.get(&two) {
            return *made;
        }
        let is_room = self.sources.budget.take(self.decoded.bytes(two.into_iter().flatten()));
        let pictures = two.map(|number| number.and_then(|number| self.decoded.get(number)));
        let made = is_room.then(|| make(pictures)).flatten().map(|picture| self.decoded.push(picture));
        self.made.insert(two, made);
        made
    }

    /// Returns all pictures that were used and could be decoded.
    pub fn into_pictures(self) -> Vec<Option<Picture>> {
        self.decoded.into_pictures()
    }

    /// The external files that textures name.
    pub fn files(&self) -> Vec<ModelFile> {
        let mut files: Vec<ModelFile> = Vec::new();
        for (number, file) in self.scene.texture_files.iter().enumerate() {
            if file.content.is_empty()
                && let Some(path) = self.places(file).0.into_iter().next()
            {
                files.push(ModelFile { path, part: FilePart::Picture(number) });
            }
        }
        files
    }

    /// Returns the possible paths of a picture, the likeliest first and existing files before all others. An error
    /// explains a refused path.
    fn places(&self, file: &ufbx::TextureFile) -> (Vec<PathBuf>, Option<SourceError>) {
        let (mut places, mut refused) = (Vec::new(), None);
        let beside = file.filename.rsplit(['/', '\\']).next().unwrap_or_default();
        for name in [&*file.relative_filename, &*file.absolute_filename, beside] {
            if name.is_empty() {
                continue;
            }
            match self.sources.path_of_name(name) {
                Ok(path) => places.push(path),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        // Stable: of those that are there, the first.
        places.sort_by_key(|path| !path.is_file());
        (places, refused)
    }

    fn decode(&mut self, number: usize) -> Result<Decoded, (&'static str, String)> {
        let missing = || ("IO_ERROR", "the picture is missing".to_owned());
        let file = self.scene.texture_files.get(number).ok_or_else(missing)?;
        let named = quoted(&file.filename);
        let held: Vec<u8>;
        let bytes: &[u8] = if file.content.is_empty() {
            let (places, refused) = self.places(file);
            let found = places.into_iter().next().filter(|path| path.is_file());
            let path = found.ok_or_else(|| {
                let why = match refused {
                    Some(error @ SourceError::Outside(_)) => {
                        format!(" beside the model, and {error} (unless --allow-outside is given)")
                    }
                    Some(_) | None => String::new(),
                };
                ("IO_ERROR", format!("no picture {named}{why}"))
            })?;
            held =
                self.sources.fetch_file(path).map_err(|error| ("IO_ERROR", format!("{named}: {error}")))?;
            &held
        } else {
            &file.content
        };
        decode(bytes, &mut self.sources.budget)
            .map_err(|fault| (fault.code, format!("{named} {}", fault.reason)))
    }
}
