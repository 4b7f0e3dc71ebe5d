//! The pictures of textures: in the archive, or beside the file.

use std::collections::HashMap;

use super::Work;
use super::bake::{Channel, is_same, made, sources};
use super::layers::Layers;
use super::network;
use super::stage::{Prim, Stage};
use crate::reading::message::quoted;
use crate::reading::picture::decode;
use crate::reading::source_error::unavailable;
use crate::texture::Picture;

/// The kind of a node that has a picture.
pub const TEXTURE: &str = "UsdUVTexture";

/// The pictures that textures name, each decoded when it is first asked for.
pub struct Pictures<'a> {
    layers: &'a Layers,
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    decoded: Vec<Decoded>,
    /// Pictures that were made of others.
    made: HashMap<[Channel; 4], Option<usize>>,
}

/// State of a picture.
enum Decoded {
    NotYet,
    Failed,
    Picture(Picture),
}

impl<'a> Pictures<'a> {
    /// The pictures of all textures of a scene, in its order.
    pub fn of(stage: &Stage, prims: &[Prim], layers: &'a Layers) -> Self {
        let (names, numbers) = (Vec::new(), HashMap::new());
        let mut pictures = Self { layers, names, numbers, decoded: Vec::new(), made: HashMap::new() };
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
        self.decoded.push(Decoded::NotYet);
        number
    }

    /// Decodes a picture on first use and returns true if it is available.
    pub fn has(&mut self, number: usize, work: &mut Work<'_>) -> bool {
        if let Some(Decoded::NotYet) = self.decoded.get(number) {
            let read = self.decode(number, work);
            if let Some(slot) = self.decoded.get_mut(number) {
                *slot = read.map_or(Decoded::Failed, Decoded::Picture);
            }
        }
        self.get(number).is_some()
    }

    /// A picture that was decoded.
    pub fn get(&self, number: usize) -> Option<&Picture> {
        match self.decoded.get(number) {
            Some(Decoded::Picture(picture)) => Some(picture),
            _ => None,
        }
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
        let bytes = |number: usize| self.get(number).map_or(0, |picture| picture.rgba.len() as u64);
        let largest = sources(&channels).map(bytes).max().unwrap_or(0);
        // The GPU's copy takes as much again, and a third more.
        let made = match work.budget.take(largest.saturating_mul(4)) {
            true => made(&channels, |number| self.get(number)),
            false => None,
        };
        let made = made.map(|picture| {
            self.decoded.push(Decoded::Picture(picture));
            self.names.push(String::new());
            self.decoded.len().saturating_sub(1)
        });
        self.made.insert(channels, made);
        made
    }

    /// Returns all pictures that were used and could be decoded.
    pub fn into_pictures(self) -> Vec<Option<Picture>> {
        let picture = |decoded| match decoded {
            Decoded::Picture(picture) => Some(picture),
            Decoded::NotYet | Decoded::Failed => None,
        };
        self.decoded.into_iter().map(picture).collect()
    }

    fn decode(&self, number: usize, work: &mut Work<'_>) -> Option<Picture> {
        let (name, path) = (self.names.get(number)?, format!("textures[{number}]"));
        let read = self.layers.picture(name).map_err(|cause| unavailable(name, &cause));
        let decoded = read.and_then(|(bytes, is_new)| {
            work.budget.add(if is_new { bytes.len() } else { 0 });
            decode(&bytes, work.budget)
                .map_err(|fault| (fault.code, format!("{} {}", quoted(name), fault.reason)))
        });
        match decoded {
            Ok(decoded) => {
                decoded.remarks.into_iter().for_each(|(code, said)| work.warnings.add(code, &path, said));
                Some(decoded.picture)
            }
            Err((code, reason)) => {
                work.warnings.add(code, &path, format!("{reason}; shown without"));
                None
            }
        }
    }
}
