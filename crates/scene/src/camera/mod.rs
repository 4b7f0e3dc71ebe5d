//! Cameras: a viewpoint that orbits points, or a projection of the file, and their matrices. It must not depend on meshes
//! or poses; callers pass the points to show.

mod broad;
mod steer;
mod turntable;

use std::fmt;
use std::str::FromStr;

use glam::{DMat4, DVec2, DVec3, DVec4};

pub use broad::normal_of_flat;

use sinew_model::Projection;

/// An axis-aligned box in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest coordinates.
    pub min: DVec3,
    /// Largest coordinates.
    pub max: DVec3,
}

impl Bounds {
    /// An empty box.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// Grows to include a point; ignores a point that is not finite.
    pub fn add(&mut self, point: DVec3) {
        if point.is_finite() {
            self.min = self.min.min(point);
            self.max = self.max.max(point);
        }
    }

    /// Returns the bounding box of some points; a unit box around the origin if there are none.
    pub fn around(points: &[DVec3]) -> Self {
        let mut bounds = Self::EMPTY;
        points.iter().for_each(|&point| bounds.add(point));
        bounds.or_unit()
    }

    /// Returns this box, or a unit box around the origin if it is empty.
    pub fn or_unit(self) -> Self {
        match self.min.cmple(self.max).all() {
            true => self,
            false => Self { min: DVec3::splat(-0.5), max: DVec3::splat(0.5) },
        }
    }

    /// Returns the centre.
    pub fn center(&self) -> DVec3 {
        (self.min + self.max) * 0.5
    }
}

/// A viewpoint that looks at the centre of the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// Degrees around the vertical; 0 looks at the front (from +z), 90 from +x.
    pub yaw_degrees: f64,
    /// Degrees above the horizontal, −90 to 90.
    pub pitch_degrees: f64,
    /// Metres from the centre; `None` is the nearest distance that shows everything.
    pub distance: Option<f64>,
    /// The point at the centre of the picture; `None` is the one that gives the tightest fit.
    pub target: Option<DVec3>,
    /// The lens.
    pub lens: Lens,
    /// True if the angles are defaults, so that a flat figure may be seen from elsewhere.
    pub auto: bool,
}

/// Field of view and kind of projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Vertical field of view, in degrees.
    pub fov_degrees: f64,
    /// Parallel projection, as wide as the field of view at the orbit's distance.
    pub parallel: bool,
}

impl Default for Lens {
    /// Returns a lens of about 50 mm.
    fn default() -> Self {
        Self { fov_degrees: 28.0, parallel: false }
    }
}

impl Lens {
    /// Returns half the picture's height at a distance of 1; with parallel projection, at any distance.
    pub fn tan_y(&self) -> f64 {
        (self.fov_degrees.to_radians() * 0.5).tan()
    }
}

impl Default for Orbit {
    /// Looks from the front, a little from the side and from above.
    fn default() -> Self {
        Self {
            yaw_degrees: 30.0,
            pitch_degrees: 10.0,
            distance: None,
            target: None,
            lens: Lens::default(),
            auto: true,
        }
    }
}

/// Named viewpoints.
pub const NAMED: [(&str, f64, f64); 6] = [
    ("front", 0.0, 0.0),
    ("right", 90.0, 0.0),
    ("back", 180.0, 0.0),
    ("left", -90.0, 0.0),
    ("top", 0.0, 90.0),
    ("bottom", 0.0, -90.0),
];

/// Error for text that names no viewpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected auto, front, back, left, right, top, bottom, or \"yaw,pitch[,distance]\" \
     in degrees (pitch from -90 to 90) and metres (above 0)"
)]
pub struct NoViewpoint;

impl FromStr for Orbit {
    type Err = NoViewpoint;

    fn from_str(text: &str) -> Result<Self, NoViewpoint> {
        if text == "auto" {
            return Ok(Self::default());
        }
        if let Some((_, yaw_degrees, pitch_degrees)) = NAMED.iter().find(|(name, ..)| *name == text) {
            let (yaw_degrees, pitch_degrees) = (*yaw_degrees, *pitch_degrees);
            return Ok(Self { yaw_degrees, pitch_degrees, auto: false, ..Self::default() });
        }
        let numbers: Vec<f64> = text
            .split(',')
            .map(|number| number.trim().parse().ok().filter(|number: &f64| number.is_finite()))
            .collect::<Option<_>>()
            .ok_or(NoViewpoint)?;
        let (yaw_degrees, pitch_degrees, distance) = match *numbers.as_slice() {
            [yaw, pitch] => (yaw, pitch, None),
            [yaw, pitch, distance] if distance > 0.0 => (yaw, pitch, Some(distance)),
            _ => return Err(NoViewpoint),
        };
        match (-90.0..=90.0).contains(&pitch_degrees) {
            true => Ok(Self { yaw_degrees, pitch_degrees, distance, auto: false, ..Self::default() }),
            false => Err(NoViewpoint),
        }
    }
}

impl fmt::Display for Orbit {
    /// Writes the text that [`Orbit::from_str`] reads: everything but target and lens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == (Self { target: self.target, lens: self.lens, ..Self::default() }) {
            return write!(f, "auto");
        }
        write!(f, "{},{}", self.yaw_degrees, self.pitch_degrees)?;
        self.distance.map_or(Ok(()), |distance| write!(f, ",{distance}"))
    }
}

/// The source of a camera.
#[derive(Clone, Debug, PartialEq)]
pub enum Viewpoint {
    /// A view of the centre of the figure.
    Orbit(Orbit),
    /// A camera of the file.
    InFile {
        /// Index into [`Model::cameras`](sinew_model::Model::cameras).
        camera: usize,
        /// The name or number that the user gave.
        given: String,
    },
}

impl Default for Viewpoint {
    fn default() -> Self {
        Self::Orbit(Orbit::default())
    }
}

impl From<Orbit> for Viewpoint {
    fn from(orbit: Orbit) -> Self {
        Self::Orbit(orbit)
    }
}

impl fmt::Display for Viewpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Orbit(orbit) => orbit.fmt(f),
            Self::InFile { given, .. } => f.write_str(given),
        }
    }
}

/// The matrices of a viewpoint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The eye's position; with a last component of 0, the direction towards an infinitely distant eye.
    pub eye_in_world: DVec4,
    /// World to view: right, up and towards the eye are x, y and z.
    pub view_from_world: DMat4,
    /// View to clip in Vulkan's convention, y down; depth 1 is near and 0 infinitely far.
    pub clip_from_view: DMat4,
}

/// The margin around the points to show, as a factor.
const MARGIN: f64 = 1.08;

impl Orbit {
    /// Returns the smallest distance at which all points fit in the picture, regardless of the orbit's distance.
    pub fn distance_to_show(&self, points: &[DVec3], size: [u32; 2]) -> f64 {
        Camera::fit(&Self { distance: None, ..*self }, points, size).1
    }

    /// Returns the view's axes in world space: right, up and towards the eye. They are well defined even when looking
    /// straight down.
    fn axes(&self) -> (DVec3, DVec3, DVec3) {
        let (yaw, pitch) = (self.yaw_degrees.to_radians(), self.pitch_degrees.to_radians());
        let backward = DVec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos());
        let right = DVec3::new(yaw.cos(), 0.0, -yaw.sin());
        (right, backward.cross(right), backward)
    }
}

/// Points along the view's axes.
struct Seen<'a> {
    points: &'a [DVec3],
    center: DVec3,
    axes: (DVec3, DVec3, DVec3),
}

impl Seen<'_> {
    /// Returns the largest value of a measure over the points in view.
    fn reach(&self, measure: impl Fn(DVec3) -> f64) -> f64 {
        let (right, up, backward) = self.axes;
        let in_view = |point: &DVec3| {
            let from_center = *point - self.center;
            DVec3::new(from_center.dot(right), from_center.dot(up), from_center.dot(backward))
        };
        self.points.iter().map(|point| measure(in_view(point))).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Substitute corners for an empty set of points.
const NOTHING: [DVec3; 2] = [DVec3::splat(-0.5), DVec3::splat(0.5)];

impl Camera {
    /// Returns the point at the centre of the picture, and the eye's distance from it.
    fn fit(orbit: &Orbit, points: &[DVec3], size: [u32; 2]) -> (DVec3, f64) {
        let mut bounds = Bounds::EMPTY;
        points.iter().for_each(|&point| bounds.add(point));
        let center = orbit.target.unwrap_or(bounds.or_unit().center());
        if let Some(distance) = orbit.distance {
            return (center, distance.max(1e-6));
        }
        let (right, up, _) = orbit.axes();
        let points = if points.is_empty() { &NOTHING } else { points };
        let seen = Seen { points, center, axes: orbit.axes() };
        let tan_y = orbit.lens.tan_y();
        let tan_x = tan_y * aspect(size);
        // A point is in the picture while |x - eye.x| <= (eye.z - z) tan. So the outermost points to the right and to
        // the left bound eye.z tan +- eye.x. If both bounds are met, both points are equally near the edge. With
        // parallel projection, nearness plays no part.
        let (nearness, anywhere) = match orbit.lens.parallel {
            true => (0.0, 1e-6),
            false => (1.0, seen.reach(|point| point.z) + 1e-6),
        };
        let fit = |along: &dyn Fn(DVec3) -> f64, tan: f64| {
            let tan = tan / MARGIN;
            let more = seen.reach(|point| along(point) + nearness * point.z * tan);
            let less = seen.reach(|point| nearness * point.z * tan - along(point));
            match orbit.target {
                // The target is given, so the side that reaches further decides.
                Some(_) => (0.0, more.max(less) / tan),
                None => ((more - less) * 0.5, (more + less) * 0.5 / tan),
            }
        };
        let (x, distance_for_x) = fit(&|point| point.x, tan_x);
        let (y, distance_for_y) = fit(&|point| point.y, tan_y);
        (center + (right * x + up * y), distance_for_x.max(distance_for_y).max(anywhere))
    }

    /// Shows all `points`: centred from the nearest distance, or from the orbit's distance to the centre of their
    /// bounding box.
    pub fn new(orbit: &Orbit, points: &[DVec3], size: [u32; 2]) -> Self {
        let mut bounds = Bounds::EMPTY;
        points.iter().for_each(|&point| bounds.add(point));
        let bounds = bounds.or_unit();
        let (center, distance) = Self::fit(orbit, points, size);
        let (right, up, backward) = orbit.axes();
        let points = if points.is_empty() { &NOTHING } else { points };
        let seen = Seen { points, center, axes: orbit.axes() };
        let nearest = seen.reach(|point| point.z);
        let aspect = aspect(size);
        let tan_y = orbit.lens.tan_y();
        let tan_x = tan_y * aspect;
        if orbit.lens.parallel {
            // The eye lies in front of everything, and the far bound includes the whole ground.
            let size = (bounds.max - bounds.min).length().max(1e-9);
            let (near, far) = (nearest + size, seen.reach(|point| -point.z) + 6.0 * size);
            let eye = center + backward * near;
            let view_from_world = axes(right, up, backward, eye).inverse();
            let (half_width, half_height) = (distance * tan_x, distance * tan_y);
            let projection = Projection::Orthographic { half_width, half_height, near: 0.0, far: near + far };
            let (clip_from_view, _) = clip_from_view(&projection, aspect);
            return Self { eye_in_world: backward.extend(0.0), view_from_world, clip_from_view };
        }
        let eye_in_world = center + backward * distance;
        let world_from_view = axes(right, up, backward, eye_in_world);
        // The near plane only has to lie in front of everything; reversed depth keeps the precision far away.
        let near = ((distance - nearest) * 0.5).max(distance.abs() * 1e-3).max(1e-9);
        let yfov_radians = orbit.lens.fov_degrees.to_radians();
        let projection = Projection::Perspective { yfov_radians, aspect: None, near, far: None };
        let (clip_from_view, _) = clip_from_view(&projection, aspect);
        let eye_in_world = eye_in_world.extend(1.0);
        Self { eye_in_world, view_from_world: world_from_view.inverse(), clip_from_view }
    }

    /// Returns the origin and direction of the ray through a pixel, counted from the upper left corner.
    pub fn sight(&self, pixel: DVec2, size: [u32; 2]) -> (DVec3, DVec3) {
        let world_from_clip = (self.clip_from_view * self.view_from_world).inverse();
        let [x, y] = [(pixel.x, size[0]), (pixel.y, size[1])]
            .map(|(at, side)| at / f64::from(side.max(1)) * 2.0 - 1.0);
        let place = |depth: f64| {
            let place = world_from_clip * DVec4::new(x, y, depth, 1.0);
            place.truncate() / place.w
        };
        // The near plane, and one twice as far or, with parallel projection, halfway back.
        let near = place(1.0);
        (near, place(0.5) - near)
    }

    /// Returns the pixel of a point in front of the camera, counted from the upper left corner.
    pub fn pixel(&self, place: DVec3, size: [u32; 2]) -> Option<DVec2> {
        let clip = self.clip_from_view * self.view_from_world * place.extend(1.0);
        let at = DVec2::new(clip.x, clip.y) / clip.w * 0.5 + 0.5;
        let [width, height] = size.map(f64::from);
        (clip.w > 1e-12 && at.is_finite()).then(|| at * DVec2::new(width, height))
    }

    /// Builds the camera of a projection of the file, at its node. The picture shows at least the file's frame: it
    /// keeps the vertical field of view, and widens it only if the picture is narrower than the file's frame.
    pub fn through(projection: &Projection, world_from_node: &DMat4, size: [u32; 2]) -> Self {
        let world_from_view = without_scale(world_from_node);
        let aspect = aspect(size);
        let (clip_from_view, at_a_place) = clip_from_view(projection, aspect);
        let eye_in_world = if at_a_place { world_from_view.w_axis } else { world_from_view.z_axis };
        Self { eye_in_world, view_from_world: world_from_view.inverse(), clip_from_view }
    }
}

/// Returns width divided by height.
fn aspect(size: [u32; 2]) -> f64 {
    f64::from(size[0].max(1)) / f64::from(size[1].max(1))
}

/// Returns a projection in Vulkan's convention, and true if its eye is at a finite position.
fn clip_from_view(projection: &Projection, aspect: f64) -> (DMat4, bool) {
    match *projection {
        Projection::Perspective { yfov_radians, aspect: framed, near, far } => {
            let tan_y = (yfov_radians * 0.5).tan();
            let tan_y = framed.map_or(tan_y, |framed| tan_y * (framed / aspect).max(1.0));
            // Depth is 1 at the near plane and 0 at the far one, or infinitely far.
            let (slope, offset) = match far {
                Some(far) => (near / (far - near), near * (far / (far - near))),
                None => (0.0, near),
            };
            let clip_from_view = DMat4::from_cols(
                DVec4::new(1.0 / (tan_y * aspect), 0.0, 0.0, 0.0),
                DVec4::new(0.0, -1.0 / tan_y, 0.0, 0.0),
                DVec4::new(0.0, 0.0, slope, -1.0),
                DVec4::new(0.0, 0.0, offset, 0.0),
            );
            (clip_from_view, true)
        }
        Projection::Orthographic { half_width, half_height, near, far } => {
            let half_height = half_height.max(half_width / aspect);
            let depth = 1.0 / (far - near);
            let clip_from_view = DMat4::from_cols(
                DVec4::new(1.0 / (half_height * aspect), 0.0, 0.0, 0.0),
                DVec4::new(0.0, -1.0 / half_height, 0.0, 0.0),
                DVec4::new(0.0, 0.0, depth, 0.0),
                DVec4::new(0.0, 0.0, far * depth, 1.0),
            );
            (clip_from_view, false)
        }
    }
}

/// Returns the transform to a position with these axes.
fn axes(right: DVec3, up: DVec3, backward: DVec3, place: DVec3) -> DMat4 {
    DMat4::from_cols(right.extend(0.0), up.extend(0.0), backward.extend(0.0), place.extend(1.0))
}

/// Returns a node's position and rotation. Cameras look along −z with y up, and ignore the scale of the nodes above.
/// Axes scaled to zero are rebuilt from the others.
fn without_scale(world_from_node: &DMat4) -> DMat4 {
    let axis = |column: DVec4| column.truncate().try_normalize();
    let backward = axis(world_from_node.z_axis).unwrap_or(DVec3::Z);
    let up = world_from_node.y_axis.truncate();
    let up = (up - backward * up.dot(backward))
        .try_normalize()
        .unwrap_or_else(|| backward.any_orthonormal_vector());
    let right = up.cross(backward);
    DMat4::from_cols(right.extend(0.0), up.extend(0.0), backward.extend(0.0), world_from_node.w_axis)
}

#[cfg(test)]
mod tests;
