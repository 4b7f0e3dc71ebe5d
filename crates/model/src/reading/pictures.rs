//! Pictures of a file, each decoded when it is first asked for.

use super::picture::Decoded;
use super::warnings::Warnings;
use crate::texture::Picture;

/// Pictures by their numbers: those of the file first, then those that are made of others.
#[derive(Default)]
pub struct Pictures(Vec<State>);

enum State {
    NotYet,
    Failed,
    Picture(Picture),
}

impl Pictures {
    /// Adds a picture that is not decoded yet.
    pub fn add(&mut self) {
        self.0.push(State::NotYet);
    }

    /// Adds a picture that was made; returns its number.
    pub fn push(&mut self, picture: Picture) -> usize {
        self.0.push(State::Picture(picture));
        self.0.len().saturating_sub(1)
    }

    /// Returns true for a picture that nothing has asked for yet.
    pub fn is_new(&self, number: usize) -> bool {
        matches!(self.0.get(number), Some(State::NotYet))
    }

    /// Keeps the result of decoding a picture, and warns of what is odd or wrong with it.
    pub fn keep(
        &mut self,
        number: usize,
        read: Result<Decoded, (&'static str, String)>,
        warnings: &mut Warnings,
    ) {
        let path = format!("textures[{number}]");
        let state = match read {
            Ok(decoded) => {
                decoded.remarks.into_iter().for_each(|(code, said)| warnings.add(code, &path, said));
                State::Picture(decoded.picture)
            }
            Err((code, reason)) => {
                warnings.add(code, &path, format!("{reason}; shown without"));
                State::Failed
            }
        };
        if let Some(slot) = self.0.get_mut(number) {
            *slot = state;
        }
    }

    /// A picture that was decoded or made.
    pub fn get(&self, number: usize) -> Option<&Picture> {
        match self.0.get(number) {
            Some(State::Picture(picture)) => Some(picture),
            _ => None,
        }
    }

    /// Bytes for a picture as large as the largest of some: the GPU's copy takes as much again, and a third more.
    pub fn bytes(&self, numbers: impl Iterator<Item = usize>) -> u64 {
        let bytes = |number| self.get(number).map_or(0, |picture| picture.rgba.len() as u64);
        numbers.map(bytes).max().unwrap_or(0).saturating_mul(4)
    }

    /// Returns all pictures that were used and could be decoded.
    pub fn into_pictures(self) -> Vec<Option<Picture>> {
        let picture = |state| match state {
            State::Picture(picture) => Some(picture),
            State::NotYet | State::Failed => None,
        };
        self.0.into_iter().map(picture).collect()
    }
}
