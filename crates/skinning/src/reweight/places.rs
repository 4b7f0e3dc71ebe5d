//! A set of places in the bind pose.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Places in the bind pose, each once; of equal sets, the lists are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(Arc<BTreeSet<Place>>);

/// The bits of three coordinates; zero has no sign.
type Place = [u32; 3];

fn bits(place: [f32; 3]) -> Place {
    place.map(|x| (x + 0.0).to_bits())
}

impl Places {
    /// The number of places.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if a place is among them.
    pub fn has(&self, place: [f32; 3]) -> bool {
        self.0.contains(&bits(place))
    }

    /// Adds places.
    pub fn with(&self, places: &Self) -> Self {
        Self(Arc::new(self.0.union(&places.0).copied().collect()))
    }

    /// Removes places.
    pub fn without(&self, places: &Self) -> Self {
        Self(Arc::new(self.0.difference(&places.0).copied().collect()))
    }

    fn all(&self) -> impl Iterator<Item = [f32; 3]> {
        self.0.iter().map(|place| place.map(f32::from_bits))
    }
}

/// A text that is no list of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPlaces;

impl FromIterator<[f32; 3]> for Places {
    fn from_iter<T: IntoIterator<Item = [f32; 3]>>(places: T) -> Self {
        Self(Arc::new(places.into_iter().map(bits).collect()))
    }
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, [x, y, z]) in self.all().enumerate() {
            write!(f, "{}{x},{y},{z}", if number == 0 { "" } else { ";" })?;
        }
        Ok(())
    }
}

impl FromStr for Places {
    type Err = NoPlaces;

    fn from_str(text: &str) -> Result<Self, NoPlaces> {
        let place = |text: &str| {
            let numbers: Result<Vec<f32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
            let place: [f32; 3] = numbers.map_err(|_| NoPlaces)?.try_into().map_err(|_| NoPlaces)?;
            place.iter().all(|x| x.is_finite()).then_some(place).ok_or(NoPlaces)
        };
        text.split(';').map(place).collect()
    }
}
