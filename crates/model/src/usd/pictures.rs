//! The pictures of textures: in the archive, or beside the file.

use std::collections::HashMap;

use super::Work;
use super::bake::{Channel, is_same, made, sources};
use super::layers::Layers;
use super::network;
use super::stage::{Prim, Stage};
use crate::reading::message::quoted;
use crate::reading::picture::{Decoded, decode};
use crate::reading::pictures;
use crate::reading::source_error::unavailable;
use crate::texture::Picture;

/// The kind of a node that has a picture.
pub const TEXTURE: &str = "UsdUVTexture";

/// The pictures that textures name, each decoded when it is first asked for.
pub struct Pictures<'a> {
    layers: &'a Layers,
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    decoded: pictures::Pictures,
    /// Pictures that were made of others.
    made: HashMap<[Channel; 4], Option<usize>>,
}

impl<'a> Pictures<'a> {
    /// The pictures of all textures of a scene, in its order.
    pub fn of(stage: &Stage, prims: &[Prim], layers: &'a Layers) -> Self {
        let (names, numbers) = (Vec::new(), HashMap::new());
        let mut pictures =
            Self { layers, names, numbers, decoded: pictures::Pictures::default(), made: HashMap::new() };
        for shader in prims.iter().filter(|prim| prim.kind == "Shader") {
            if network::kind(stage, shader) == TEXTURE
                && let Some(file) = network::file(stage, shader, "inputs:file")
            {
                pictures.number(&file);
            }
        }
        pictures
    }

    /// The number of the picture of a name.
    pub fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len();
        self.layers.add_picture(name, number);
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        self.decoded.add();
        number
    }

    /// Decodes a picture on first use and returns true if it is available.
    pub fn has(&mut self, number: usize, work: &mut Work<'_>) -> bool {
        if self.decoded.is_new(number) {
            let read = self.decode(number, work);
            self.decoded.keep(number, read, work.warnings);
        }
        self.get(number).is_some()
    }

    /// A picture that was decoded.
    pub fn get(&self, number: usize) -> Option<&Picture> {
        self.decoded.get(number)
    }

    /// The number of a picture with these channels, all of which must be available; `None` if there is no memory for it.
    pub fn with(&mut self, channels: [Channel; 4], work: &mut Work<'_>) -> Option<usize> {
        let first = sources(&channels).next()?;
        if self.get(first).is_some_and(|picture| is_same(first, picture, &channels)) {
            return Some(first);
        }
        if let Some(made) = self.made.get(&channels) {
            return *made;
        }
        let made = match work.budget.take(self.decoded.bytes(sources(&channels))) {
            true => made(&channels, |number| self.get(number)),
            false => None,
        };
        let made = made.map(|picture| {
            self.names.push(String::new());
            self.decoded.push(picture)
        });
        self.made.insert(channels, made);
        made
    }

    /// Returns all pictures that were used and could be decoded.
    pub fn into_pictures(self) -> Vec<Option<Picture>> {
        self.decoded.into_pictures()
    }

    fn decode(&self, number: usize, work: &mut Work<'_>) -> Result<Decoded, (&'static str, String)> {
        let name = self.names.get(number).map_or("", String::as_str);
        let (bytes, is_new) = self.layers.picture(name).map_err(|cause| unavailable(name, &cause))?;
        work.budget.add(if is_new { bytes.len() } else { 0 });
        decode(&bytes, work.budget)
            .map_err(|fault| (fault.code, format!("{} {}", quoted(name), fault.reason)))
    }
}
