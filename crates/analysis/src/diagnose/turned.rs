//! Normals and tangents of one vertex, as deviations make them.

use glam::{DMat3, DVec3, DVec4};
use sinew_skinning::{polar, reference};

use super::deviation::Deviation;

/// The input of a vertex's normal and tangent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    /// The normal in bind space, after morph targets.
    pub(super) normal: DVec3,
    /// The tangent in bind space, after morph targets.
    pub(super) tangent: Option<DVec4>,
    /// The transform that moved the vertex.
    pub(super) b3: DMat3,
    /// The joints' cofactors, blended.
    pub(super) cofactors: DMat3,
    /// The joints' inverse transposes, blended.
    pub(super) inverses: DMat3,
    /// The size of the terms that were blended.
    pub(super) size: f64,
}

impl Surface {
    /// Returns the normal; `None` is the definition.
    pub(super) fn normal(&self, way: Option<Deviation>) -> DVec3 {
        let n = self.normal;
        let unit = |by: DMat3| (by * n).try_normalize().unwrap_or(n);
        match way {
            Some(Deviation::UnskinnedNormals) => n,
            Some(Deviation::PlainNormals) => unit(self.b3),
            Some(Deviation::UnnormalisedNormals) => self.b3 * n,
            Some(Deviation::RotatedNormals) => unit(self.rotation()),
            Some(Deviation::BlendedCofactors) => unit(self.cofactors),
            Some(Deviation::BlendedInverses) => unit(self.inverses),
            _ => reference::transform_normal(&self.b3, n),
        }
    }

    /// Returns the direction of its tangent beside a normal; `None` is the definition.
    pub(super) fn tangent(&self, tangent: DVec4, way: Option<Deviation>, normal: DVec3) -> DVec3 {
        let t = tangent.truncate();
        match way {
            Some(Deviation::UnskinnedTangents) => t,
            Some(Deviation::UnorthogonalisedTangents) => (self.b3 * t).try_normalize().unwrap_or(t),
            Some(Deviation::UnnormalisedTangents) => self.b3 * t,
            Some(Deviation::TangentsAsNormals) => reference::transform_normal(&self.b3, t),
            Some(Deviation::RotatedTangents) => self.rotation() * t,
            _ => reference::transform_tangent(&self.b3, tangent, normal).truncate(),
        }
    }

    /// Returns the handedness of its tangent in axes that mirror (−1) or do not (1); `None` is the definition.
    pub(super) fn handedness(&self, tangent: DVec4, way: Option<Deviation>, mirror: f64) -> f64 {
        let defined = reference::transform_tangent(&self.b3, tangent, self.normal).w;
        match way {
            Some(Deviation::HandednessKept) => tangent.w * mirror,
            Some(Deviation::HandednessFlipped) => -defined * mirror,
            Some(Deviation::HandednessOne) => 1.0,
            Some(Deviation::HandednessZero) => 0.0,
            _ => defined * mirror,
        }
    }

    fn rotation(&self) -> DMat3 {
        DMat3::from_quat(polar::decompose(self.b3).rotation)
    }

    /// Returns a number that is 1 for a motion and near 0 where blending nearly flattens the surface: rounding of the blended
    /// terms turns directions by its inverse times as much, in any arithmetic.
    pub(super) fn steadiness(&self) -> f64 {
        let moved = (reference::cofactor(&self.b3) * self.normal).length();
        let along = self.tangent.map_or(1.0, |tangent| {
            (self.b3 * tangent.truncate()).length() / (self.size * tangent.truncate().length())
        });
        let steady = moved / (self.size * self.size * self.normal.length()) * along;
        if steady.is_finite() { steady.min(1.0) } else { 1.0 }
    }
}
