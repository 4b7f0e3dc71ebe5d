//! Axes, handedness, unit and origin of given vertices, relative to the model.

use glam::{DMat3, DQuat, DVec3};
use serde::Serialize;
use sinew_skinning::pairing::Similarity;

/// `theirs = scale · axes · ours + shift`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The length of our metre in their unit.
    pub scale: f64,
    /// A rotation, or a rotation with a mirror.
    pub axes: DMat3,
    /// Their position of our origin.
    pub shift: DVec3,
}

/// A placement in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlacementWords {
    /// Their axes in ours, such as `x -z y`, or a rotation in degrees.
    pub axes: String,
    /// Their unit.
    pub unit: String,
    /// Their position of our origin, in their unit; null at the origin.
    pub origin: Option<[f64; 3]>,
    /// True if their coordinates are mirrored.
    pub is_mirrored: bool,
}

/// Units by the length of a metre in them.
const UNITS: [(f64, &str); 10] = [
    (1.0, "m"),
    (100.0, "cm"),
    (1000.0, "mm"),
    (1.0 / 0.3048, "feet"),
    (1.0 / 0.0254, "inches"),
    (0.01, "100 m"),
    (0.001, "km"),
    (0.3048, "1/0.3048 m"),
    (0.0254, "1/0.0254 m"),
    (10.0, "dm"),
];

/// The tolerance for taking a component of an axis for a round one.
const TURNED: f64 = 0.25;

/// The tolerance for taking a scale, or a shift as a share of the size, for a round one.
const NEAR: f64 = 0.03;

/// The number of vertices from which a placement may be any.
const ENOUGH: usize = 24;

impl Placement {
    /// No change of axes, unit and origin.
    pub const SAME: Self = Self { scale: 1.0, axes: DMat3::IDENTITY, shift: DVec3::ZERO };

    /// Maps our position to theirs.
    pub fn apply(&self, ours: DVec3) -> DVec3 {
        self.axes * (ours * self.scale) + self.shift
    }

    /// Maps their position to ours.
    pub fn undo(&self, theirs: DVec3) -> DVec3 {
        self.axes.transpose() * (theirs - self.shift) / self.scale
    }

    /// Maps their direction to ours.
    pub fn undo_direction(&self, theirs: DVec3) -> DVec3 {
        self.axes.transpose() * theirs
    }

    /// Returns true if it leaves positions as they are.
    pub fn is_same(&self) -> bool {
        *self == Self::SAME
    }

    /// Returns true if its axes are axes, its unit is a unit, and its origin is ours: what another program's convention
    /// may be.
    pub fn is_round(&self) -> bool {
        let is_unit = UNITS.iter().any(|(length, _)| *length == self.scale);
        is_unit && round_axes(&self.axes) == Some(self.axes) && self.shift == DVec3::ZERO
    }

    /// Describes it.
    pub fn words(&self) -> PlacementWords {
        let unit = UNITS.iter().find(|(length, _)| (self.scale / length - 1.0).abs() < 1e-9);
        PlacementWords {
            axes: axes_words(self.axes),
            unit: unit.map_or_else(|| format!("{:.6} m", 1.0 / self.scale), |(_, name)| (*name).to_owned()),
            origin: (self.shift != DVec3::ZERO).then(|| self.shift.to_array()),
            is_mirrored: self.axes.determinant() < 0.0,
        }
    }

    /// Finds the placements that may take our points to theirs, simplest first: the same, axes and units that are round,
    /// then whatever fits best.
    pub(super) fn candidates(pairs: &[(DVec3, DVec3)], size: f64) -> Vec<Self> {
        let mut all = vec![Self::SAME];
        for mirror in [DVec3::ONE, DVec3::new(-1.0, 1.0, 1.0)] {
            let mirrored: Vec<(DVec3, DVec3)> = pairs.iter().map(|(a, b)| (*a * mirror, *b)).collect();
            let Some(found) = robust(&mirrored, size) else { continue };
            let turned = DMat3::from_quat(found.rotation);
            let fitted =
                Self { scale: found.scale, axes: turned * DMat3::from_diagonal(mirror), shift: found.shift };
            all.extend(fitted.rounded(pairs, size));
            // A similarity fits a few vertices, whatever was done to them.
            all.extend((pairs.len() >= ENOUGH).then_some(fitted));
        }
        all
    }

    /// Returns it with the nearest axes and unit, with the shift that then remains and without.
    fn rounded(&self, pairs: &[(DVec3, DVec3)], size: f64) -> Vec<Self> {
        let mut all = Vec::new();
        let unit = UNITS.iter().find(|(length, _)| (self.scale / length - 1.0).abs() < NEAR);
        let axes = round_axes(&self.axes);
        let scales = unit.map(|(length, _)| *length).into_iter().chain([self.scale]);
        for scale in scales {
            for axes in axes.into_iter().chain([self.axes]) {
                let turned = Self { scale, axes, shift: DVec3::ZERO };
                let shift = median_shift(&turned, pairs);
                if shift.length() < NEAR * size * scale {
                    all.push(turned);
                }
                all.push(Self { shift, ..turned });
            }
        }
        all
    }

    /// Returns it with round axes and a round unit: without a shift, and with its own; none if it is far from round.
    pub(super) fn rounds(&self, size: f64) -> impl Iterator<Item = Self> {
        let unit = UNITS.iter().find(|(length, _)| (self.scale / length - 1.0).abs() < 2.0 * NEAR);
        let turned = unit.zip(round_axes(&self.axes));
        let turned = turned.map(|((scale, _), axes)| Self { scale: *scale, axes, shift: DVec3::ZERO });
        let far = self.shift.length() > NEAR * size * self.scale;
        let shifted = turned.map(|turned| Self { shift: self.shift, ..turned }).filter(|_| far);
        turned.into_iter().chain(shifted)
    }

    /// Returns the median distance of their points from ours, in our metres.
    pub(super) fn median(&self, pairs: &[(DVec3, DVec3)]) -> f64 {
        let mut apart: Vec<f64> = pairs.iter().map(|(ours, theirs)| self.apart(*ours, *theirs)).collect();
        if apart.is_empty() {
            return f64::INFINITY;
        }
        let middle = apart.len() / 2;
        *apart.select_nth_unstable_by(middle, f64::total_cmp).1
    }

    /// Returns the distance of their position from ours, in our metres; a large number if it is not finite.
    pub(super) fn apart(&self, ours: DVec3, theirs: DVec3) -> f64 {
        let apart = self.apply(ours).distance(theirs) / self.scale;
        if apart.is_finite() { apart } else { LOST }
    }
}

/// The distance of a vertex that is nowhere.
pub(super) const LOST: f64 = 1e30;

/// Fits a similarity to the pairs that agree most: three rounds, each without the worse half of the pairs.
fn robust(pairs: &[(DVec3, DVec3)], size: f64) -> Option<Similarity> {
    let mut found = Similarity::fit(pairs)?;
    for _ in 0..3 {
        let apart = |pair: &(DVec3, DVec3)| found.apply(pair.0).distance(pair.1);
        let mut all: Vec<f64> = pairs.iter().map(apart).collect();
        let middle = all.len() / 2;
        let most = all.select_nth_unstable_by(middle, f64::total_cmp).1.max(1e-12 * size * found.scale);
        let kept: Vec<(DVec3, DVec3)> = pairs.iter().copied().filter(|pair| apart(pair) <= most).collect();
        found = Similarity::fit(&kept)?;
    }
    Some(found)
}

/// Returns the median shift that is left behind scale and axes, per axis.
fn median_shift(turned: &Placement, pairs: &[(DVec3, DVec3)]) -> DVec3 {
    let along = |axis: usize| {
        let mut all: Vec<f64> =
            pairs.iter().map(|(ours, theirs)| theirs[axis] - turned.apply(*ours)[axis]).collect();
        let middle = all.len() / 2;
        if all.is_empty() { 0.0 } else { *all.select_nth_unstable_by(middle, f64::total_cmp).1 }
    };
    DVec3::new(along(0), along(1), along(2))
}

/// Returns the nearest matrix that takes axes to axes, if it is near.
fn round_axes(axes: &DMat3) -> Option<DMat3> {
    let rounded = DMat3::from_cols_array(&axes.to_cols_array().map(f64::round));
    let apart = (rounded - *axes).to_cols_array().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    (apart < TURNED && rounded.determinant().abs() == 1.0).then_some(rounded)
}

fn axes_words(axes: DMat3) -> String {
    if round_axes(&axes) == Some(axes) {
        let name = |row: DVec3| {
            let names = [("x", row.x), ("y", row.y), ("z", row.z)];
            let found = names.into_iter().find(|(_, at)| *at != 0.0);
            found.map_or(String::new(), |(name, at)| format!("{}{name}", if at < 0.0 { "-" } else { "" }))
        };
        let rows = axes.transpose();
        return [rows.x_axis, rows.y_axis, rows.z_axis].map(name).join(" ");
    }
    let (axis, angle) = DQuat::from_mat3(&(axes * axes.determinant().signum())).to_axis_angle();
    let [x, y, z] = axis.to_array().map(|x| (x * 1000.0).round() / 1000.0);
    format!("turned by {:.3}° about ({x}, {y}, {z})", angle.to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> Vec<DVec3> {
        (0..40_u32)
            .map(|n| DVec3::new(f64::from(n * 7 % 11), f64::from(n * 5 % 13), f64::from(n * 3 % 7)) * 0.1)
            .collect()
    }

    fn found(done: &Placement) -> Placement {
        // A tenth of the vertices is wrong.
        let wrong = |number: usize| if number.is_multiple_of(10) { DVec3::splat(0.2) } else { DVec3::ZERO };
        let pairs: Vec<(DVec3, DVec3)> = points()
            .into_iter()
            .enumerate()
            .map(|(n, point)| (point, done.apply(point + wrong(n))))
            .collect();
        let candidates = Placement::candidates(&pairs, 2.0);
        let least = candidates.iter().map(|one| one.median(&pairs)).fold(f64::INFINITY, f64::min);
        candidates.into_iter().find(|one| one.median(&pairs) <= least * 1.5 + 1e-9).unwrap()
    }

    #[test]
    fn axes_units_and_origins_are_found() {
        let z_up = DMat3::from_cols(DVec3::X, DVec3::Z, -DVec3::Y);
        let mirrored = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        for done in [
            Placement::SAME,
            Placement { scale: 100.0, ..Placement::SAME },
            Placement { scale: 1.0 / 0.3048, axes: z_up, shift: DVec3::ZERO },
            Placement { scale: 1.0, axes: mirrored, shift: DVec3::ZERO },
            Placement { scale: 100.0, axes: z_up * mirrored, shift: DVec3::new(0.0, 0.0, 30.0) },
        ] {
            let found = found(&done);
            assert_eq!((found.scale, found.axes), (done.scale, done.axes), "{:?}", done.words());
            assert!(found.shift.distance(done.shift) < 1e-9 * done.scale, "{found:?}");
            let point = DVec3::new(1.0, 2.0, 3.0);
            assert!(found.undo(found.apply(point)).distance(point) < 1e-9);
        }
        let turned = Placement { axes: DMat3::from_rotation_y(0.5), ..Placement::SAME };
        assert!((found(&turned).axes - turned.axes).to_cols_array().iter().all(|x| x.abs() < 1e-9));
        assert_eq!(turned.words().axes, "turned by 28.648° about (0, 1, 0)");
        let words = Placement { scale: 100.0, axes: z_up, shift: DVec3::ZERO }.words();
        assert_eq!((words.axes.as_str(), words.unit.as_str(), words.is_mirrored), ("x -z y", "cm", false));
    }
}
