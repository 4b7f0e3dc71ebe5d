//! Values of a mesh's corners: one for all, for each face, for each point or for each corner, with or without indices.

use super::stage::{Prim, Stage};
use super::values;

/// A corner of a face.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// Its face.
    pub face: usize,
    /// Its place in the list of all corners.
    pub corner: usize,
    /// Its point.
    pub point: usize,
}

/// Place of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    All,
    Face,
    Point,
    Corner,
}

/// Values of corners.
pub struct Primvar<T> {
    values: Vec<T>,
    indices: Option<Vec<i64>>,
    by: By,
}

impl<T: Copy> Primvar<T> {
    /// Reads a list of values; `None` if the prim has none, or values of another kind.
    pub fn read(
        stage: &Stage,
        prim: &Prim,
        name: &str,
        of: impl Fn(&openusd::sdf::Value) -> Option<Vec<T>>,
    ) -> Option<Self> {
        let values = of(&stage.value(prim, name)?).filter(|values| !values.is_empty())?;
        let word = stage.facet(prim, name, "interpolation").and_then(|word| values::text(&word));
        let by = match word.as_deref() {
            Some("uniform") => By::Face,
            Some("vertex" | "varying") => By::Point,
            Some("faceVarying") => By::Corner,
            // Of normals that are no primvar, the schema says this.
            None if name == "normals" => By::Point,
            _ => By::All,
        };
        let indices = stage.value(prim, &format!("{name}:indices"));
        let indices = indices.and_then(|indices| values::integers(&indices));
        Some(Self { values, indices, by })
    }

    /// The value of a corner.
    pub fn at(&self, corner: Corner) -> Option<T> {
        let place = match self.by {
            By::All => 0,
            By::Face => corner.face,
            By::Point => corner.point,
            By::Corner => corner.corner,
        };
        let place = match &self.indices {
            Some(indices) => usize::try_from(*indices.get(place)?).ok()?,
            None => place,
        };
        self.values.get(place).copied()
    }
}
