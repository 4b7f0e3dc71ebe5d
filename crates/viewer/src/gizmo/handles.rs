//! Shapes of a gizmo's handles, and the handle under the cursor.

use std::f64::consts::TAU;

use glam::DVec2;

use super::{Gizmo, Tool};

/// Number of straight pieces in a ring.
const PIECES: usize = 48;

/// Distance from a handle, in points, within which the cursor can grab it.
pub const REACH: f64 = 8.0;

/// Sine of the angle to the line of sight below which an axis has no handle.
const END_ON: f64 = 0.12;

/// Distance behind the joint, in parts of the radius, beyond which a ring is on the far side.
const FAR: f64 = 0.1;

/// A handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// Handle of the axis x, y or z.
    Axis(usize),
    /// Handle at the centre, for all directions.
    Middle,
}

/// Shape at the end of a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knob {
    /// The tip of an arrow.
    Tip,
    /// A box.
    Box,
    /// A disc.
    Disc,
}

impl Gizmo {
    /// Returns the handles that can be grabbed.
    pub fn handles(&self) -> Vec<Handle> {
        let axes = (0..3).map(Handle::Axis);
        match self.tool {
            Tool::Turn => axes.collect(),
            Tool::Move | Tool::Scale => {
                let is_seen = |axis: &usize| self.direction(*axis).cross(self.to_eye()).length() > END_ON;
                (0..3).filter(is_seen).map(Handle::Axis).chain([Handle::Middle]).collect()
            }
            Tool::Reach => vec![Handle::Middle],
        }
    }

    /// Returns the line of a handle: its pixels, each with a flag that is true on the far side.
    pub fn line(&self, handle: Handle) -> Vec<(DVec2, bool)> {
        match (self.tool, handle) {
            (Tool::Turn, Handle::Axis(axis)) => self.ring(axis),
            (Tool::Move | Tool::Scale, Handle::Axis(axis)) => {
                let ends = [0.0, 1.0].map(|far| self.middle + self.direction(axis) * (self.radius * far));
                ends.into_iter().filter_map(|end| Some((self.pixel(end)?, false))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the shape at the end of a handle, and its pixel.
    pub fn knob(&self, handle: Handle) -> Option<(Knob, DVec2)> {
        match (self.tool, handle) {
            (Tool::Turn, _) | (Tool::Reach, Handle::Axis(_)) => None,
            (Tool::Move, Handle::Axis(_)) => Some((Knob::Tip, self.line(handle).last()?.0)),
            (Tool::Scale, Handle::Axis(_)) => Some((Knob::Box, self.line(handle).last()?.0)),
            (Tool::Move | Tool::Scale, Handle::Middle) => Some((Knob::Box, self.pixel(self.middle)?)),
            (Tool::Reach, Handle::Middle) => Some((Knob::Disc, self.pixel(self.middle)?)),
        }
    }

    /// Returns the nearest handle within `reach` of a pixel.
    pub fn hit(&self, pixel: DVec2, reach: f64) -> Option<Handle> {
        let distance = |handle: Handle| {
            let line = self.line(handle);
            // The joint hides the far side.
            let pieces = line.windows(2).filter(|piece| piece.iter().any(|(_, is_far)| !is_far));
            let far = |piece: &[(DVec2, bool)]| match piece {
                [(from, _), (to, _)] => distance_to_piece(pixel, *from, *to),
                _ => f64::INFINITY,
            };
            let line = pieces.map(far).fold(f64::INFINITY, f64::min);
            // A knob is thicker than the line, and wins over lines that end below it.
            let knob = self.knob(handle).map_or(f64::INFINITY, |(_, at)| pixel.distance(at) * 0.6);
            line.min(knob)
        };
        let distances = self.handles().into_iter().map(|handle| (handle, distance(handle)));
        let nearest = distances.min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.filter(|(_, away)| *away <= reach).map(|(handle, _)| handle)
    }

    fn ring(&self, axis: usize) -> Vec<(DVec2, bool)> {
        let (a, b) = self.direction(axis).any_orthonormal_pair();
        let to_eye = self.to_eye();
        let point = |number: usize| {
            let (sin, cos) = (number as f64 / PIECES as f64 * TAU).sin_cos();
            let out = a * cos + b * sin;
            Some((self.pixel(self.middle + out * self.radius)?, out.dot(to_eye) < -FAR))
        };
        (0..=PIECES).filter_map(point).collect()
    }
}

fn distance_to_piece(point: DVec2, from: DVec2, to: DVec2) -> f64 {
    let along = to - from;
    let share = (point - from).dot(along) / along.length_squared().max(1e-12);
    point.distance(from + along * share.clamp(0.0, 1.0))
}
