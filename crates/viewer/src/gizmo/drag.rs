//! A drag of a handle: its effect on the joint, optionally rounded to steps or typed as a number.

use glam::{DQuat, DVec2, DVec3};

use super::{Gizmo, Handle, Tool};
use sinew_skinning::pose::parts;
use sinew_text::words::without_negative_zero;

/// The step of turning with Ctrl, in degrees.
const STEP_DEGREES: f64 = 15.0;

/// The step of scaling with Ctrl.
const STEP_SCALE: f64 = 0.1;

/// The longest number that can be typed, in characters.
const MAX_TYPED: usize = 12;

/// New value for the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Rotation relative to its parent.
    Rotation(DQuat),
    /// Translation relative to its parent.
    Translation(DVec3),
    /// Scale of the joint.
    Scale(DVec3),
    /// Goal in the world that the joint must reach.
    Goal(DVec3),
}

/// A handle during a drag.
#[derive(Clone, Debug)]
pub struct Drag {
    gizmo: Gizmo,
    handle: Handle,
    from: DVec2,
    at: DVec2,
    /// Total turn in radians, perhaps more than a full one.
    turned: f64,
    typed: String,
}

impl Drag {
    /// Grabs a handle at a pixel.
    pub fn new(gizmo: Gizmo, handle: Handle, from: DVec2) -> Self {
        Self { gizmo, handle, from, at: from, turned: 0.0, typed: String::new() }
    }

    /// Returns the current pixel.
    pub fn at(&self) -> DVec2 {
        self.at
    }

    /// Drags the handle to a pixel.
    pub fn drag(&mut self, to: DVec2) {
        if let Handle::Axis(axis) = self.handle {
            self.turned += self.gizmo.angle(axis, self.at, to);
        }
        self.at = to;
    }

    /// Handles a key of a number. Returns true if it is one.
    pub fn type_key(&mut self, key: &str) -> bool {
        match key {
            "Backspace" => self.typed.pop().is_some(),
            "-" if self.typed.starts_with('-') => {
                self.typed.remove(0);
                true
            }
            "-" => {
                self.typed.insert(0, '-');
                true
            }
            "." | "," if !self.typed.contains('.') => {
                self.typed.push('.');
                true
            }
            digit if digit.len() == 1 && digit.bytes().all(|byte| byte.is_ascii_digit()) => {
                if self.typed.len() < MAX_TYPED {
                    self.typed.push_str(digit);
                }
                true
            }
            _ => false,
        }
    }

    /// Returns the typed number, if it is valid so far.
    fn number(&self) -> Option<f64> {
        self.typed.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// Returns the new value for the joint. If `is_stepped`, positions, lengths and angles are whole steps. `size` is
    /// the figure's.
    pub fn change(&self, is_stepped: bool, size: f64) -> Option<Change> {
        let step = |value: f64, step: f64| if is_stepped { (value / step).round() * step } else { value };
        match (self.gizmo.tool, self.handle) {
            (Tool::Turn, Handle::Axis(axis)) => {
                self.gizmo.turned(axis, self.degrees(is_stepped).to_radians()).map(Change::Rotation)
            }
            (Tool::Move, Handle::Axis(axis)) => {
                let way = self.gizmo.direction(axis) * self.way(axis, is_stepped, size)?;
                self.gizmo.moved(way).map(Change::Translation)
            }
            (Tool::Move, Handle::Middle) => {
                let way = self.across()?.to_array().map(|part| step(part, step_of(size)));
                self.gizmo.moved(DVec3::from_array(way)).map(Change::Translation)
            }
            (Tool::Scale, handle) => {
                let (_, _, scale) = parts(&self.gizmo.placed.local);
                let factor = self.factor(is_stepped);
                let mut factors = DVec3::splat(factor);
                if let Handle::Axis(axis) = handle {
                    factors = DVec3::ONE;
                    factors[axis.min(2)] = factor;
                }
                Some(Change::Scale(scale * factors))
            }
            (Tool::Reach, _) => {
                let goal =
                    (self.gizmo.middle + self.across()?).to_array().map(|part| step(part, step_of(size)));
                Some(Change::Goal(DVec3::from_array(goal)))
            }
            (Tool::Turn, Handle::Middle) => None,
        }
    }

    /// Describes the change in words.
    pub fn words(&self, is_stepped: bool, size: f64) -> String {
        let axis = match self.handle {
            Handle::Axis(axis) => ["x ", "y ", "z "].get(axis).copied().unwrap_or_default(),
            Handle::Middle => "",
        };
        let value = match (self.gizmo.tool, self.handle) {
            (Tool::Turn, _) => format!("{:.1}°", self.degrees(is_stepped)),
            (Tool::Move, Handle::Axis(axis)) => {
                format!("{:.4} m", self.way(axis, is_stepped, size).unwrap_or_default())
            }
            (Tool::Scale, _) => format!("×{:.3}", self.factor(is_stepped)),
            (Tool::Move | Tool::Reach, _) => {
                format!("{:.4} m", self.across().unwrap_or_default().length())
            }
        };
        let value = without_negative_zero(value);
        match self.typed.is_empty() {
            true => format!("{axis}{value}"),
            false => format!("{axis}{}| = {value}", self.typed),
        }
    }

    fn degrees(&self, is_stepped: bool) -> f64 {
        match self.number() {
            Some(number) => number,
            None if is_stepped => (self.turned.to_degrees() / STEP_DEGREES).round() * STEP_DEGREES,
            None => self.turned.to_degrees(),
        }
    }

    /// Returns the movement along an axis, in metres.
    fn way(&self, axis: usize, is_stepped: bool, size: f64) -> Option<f64> {
        if let Some(number) = self.number() {
            return Some(number);
        }
        let way = self.gizmo.along(axis, self.at)? - self.gizmo.along(axis, self.from)?;
        Some(if is_stepped { (way / step_of(size)).round() * step_of(size) } else { way })
    }

    /// Returns the movement in the plane that faces the eye.
    fn across(&self) -> Option<DVec3> {
        Some(self.gizmo.facing(self.at)? - self.gizmo.facing(self.from)?)
    }

    fn factor(&self, is_stepped: bool) -> f64 {
        if let Some(number) = self.number() {
            return number;
        }
        let drag = self.at - self.from;
        let ends = match self.handle {
            Handle::Axis(_) => self.gizmo.line(self.handle),
            Handle::Middle => Vec::new(),
        };
        let factor = match ends[..] {
            // The knob stays under the cursor.
            [(from, _), (to, _)] => 1.0 + drag.dot(to - from) / (to - from).length_squared().max(1.0),
            // Dragging to the right and up enlarges: twice as large for a handle's length.
            _ => {
                let across = self.gizmo.to_eye().any_orthonormal_vector() * self.gizmo.radius;
                let middle = self.gizmo.pixel(self.gizmo.middle).unwrap_or_default();
                let length =
                    self.gizmo.pixel(self.gizmo.middle + across).map_or(1.0, |end| end.distance(middle));
                ((drag.x - drag.y) / length.max(1.0)).clamp(-20.0, 20.0).exp2()
            }
        };
        if is_stepped { (factor / STEP_SCALE).round() * STEP_SCALE } else { factor }
    }
}

impl Gizmo {
    /// Returns the turn about an axis, in radians, of a drag between two pixels.
    pub fn angle(&self, axis: usize, from: DVec2, to: DVec2) -> f64 {
        let (normal, Some(middle)) = (self.direction(axis), self.pixel(self.middle)) else { return 0.0 };
        let to_eye = self.to_eye();
        let facing = normal.dot(to_eye);
        let radians = if facing.abs() > 0.2 {
            // The angle of the drag around the centre; y points down in pixels.
            (from - middle).angle_to(to - middle) * -facing.signum()
        } else {
            // A ring seen from its edge follows the drag along that edge.
            let along = normal.cross(to_eye).normalize_or_zero() * self.radius;
            let step = self.pixel(self.middle + along).map_or(DVec2::X, |pixel| pixel - middle);
            (to - from).dot(step) / step.length_squared().max(1.0)
        };
        if radians.is_finite() { radians } else { 0.0 }
    }
}

/// Returns the step of moving with Ctrl: about a hundredth of the figure, as 1, 2 or 5 times a power of ten.
fn step_of(size: f64) -> f64 {
    let wanted = (size / 100.0).clamp(1e-9, 1e9);
    let power = 10f64.powf(wanted.log10().floor());
    let found = [1.0, 2.0, 5.0].into_iter().map(|step| step * power).find(|step| *step >= wanted * 0.75);
    found.unwrap_or(power * 10.0)
}
