//! The light of a picture: the key light and the studio, which follow the viewer, the file's own lights, and the
//! views of their shadow maps. It must not depend on Vulkan or how surfaces reflect light.

use crate::shared::MAX_LIGHTS;
use glam::{DMat4, DVec3, DVec4};

use crate::camera::{Bounds, Camera};
use crate::look::Quality;
use sinew_model::{LightKind, Model};
use sinew_skinning::pose::{Pose, PoseChoice};

/// The key light over the viewer's left shoulder, seen from the studio's centre: right, up, towards the viewer.
pub const KEY_IN_STUDIO: DVec3 = DVec3::new(-0.55, 0.95, 0.8);

/// Strength of the key light: its irradiance on a surface that faces it, over that of a white surface that displays
/// as white, times π.
pub const KEY_STRENGTH: f64 = 1.6;

/// Side of the key light's shadow map, in texels.
pub const SHADOW_SIDE: u32 = 1024;

/// Side of the contact map, in texels.
pub const CONTACT_SIDE: u32 = 128;

/// Largest height at which surfaces darken the ground, in heights of the figure.
const CONTACT_HEIGHT: f64 = 0.10;

/// Distance of the ground below the lowest point, in sizes of the figure.
pub const GROUND_BELOW: f64 = 0.002;

/// The light of one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Lighting {
    /// Unit vector towards the light that casts shadows.
    pub key_in_world: DVec3,
    /// Linear colour and strength of the key light; zero if the file's lights replace it.
    pub key_color: DVec3,
    /// Cosine and sine of the studio's turn around the vertical.
    pub studio_from_world: [f64; 2],
    /// The view of the shadow map.
    pub shadow: MapView,
    /// The view of the contact map, up from the ground.
    pub contact: MapView,
    /// The centre of the ground.
    pub ground: DVec3,
    /// The visible radius of the ground.
    pub ground_radius: f64,
    /// The file's lights, except the one that acts as key light.
    pub others: Vec<PlacedLight>,
}

/// A view with parallel projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapView {
    /// World to view.
    pub view_from_world: DMat4,
    /// View to clip, as for a camera; depth 1 is near and 0 the farthest.
    pub clip_from_view: DMat4,
    /// The size of a texel in metres.
    pub texel: f64,
}

impl MapView {
    /// Returns the transform from the world to the map: 0 to 1 across, and stored depth.
    pub fn map_from_world(&self) -> DMat4 {
        let map_from_clip = DMat4::from_cols(
            DVec4::new(0.5, 0.0, 0.0, 0.0),
            DVec4::new(0.0, 0.5, 0.0, 0.0),
            DVec4::Z,
            DVec4::new(0.5, 0.5, 0.0, 1.0),
        );
        map_from_clip * self.clip_from_view * self.view_from_world
    }
}

/// A light of the file at its node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedLight {
    /// Position of the light; with w 0, the unit vector towards it.
    pub place: DVec4,
    /// Linear colour and strength.
    pub color: DVec3,
    /// The direction of its beam.
    pub direction: DVec3,
    /// The distance beyond which it has no effect.
    pub range: Option<f64>,
    /// Scale and offset of the cosine, for 1 at the cone's centre and 0 outside.
    pub cone: [f64; 2],
}

impl Lighting {
    /// Returns the light for a camera around `points`, the hull of the figure.
    pub fn new(camera: &Camera, points: &[DVec3], model: &Model, pose: &Pose, quality: Quality) -> Self {
        let mut bounds = Bounds::EMPTY;
        points.iter().for_each(|&point| bounds.add(point));
        let bounds = bounds.or_unit();
        let studio_from_world = turn(camera);
        let [cos, sin] = studio_from_world;
        let studio_key = KEY_IN_STUDIO.normalize();
        let mut key_in_world = DVec3::new(
            cos * studio_key.x + sin * studio_key.z,
            studio_key.y,
            cos * studio_key.z - sin * studio_key.x,
        );
        let mut key_color = DVec3::splat(KEY_STRENGTH);

        let mut others = match quality {
            Quality::Full => file_lights(model, pose, bounds.center()),
            Quality::Draft | Quality::Plain => Vec::new(),
        };
        if !others.is_empty() {
            // A file with lights needs no key light; if one of them is distant, it casts the shadow.
            key_color = DVec3::ZERO;
            if let Some(distant) = others.iter().position(|light| light.place.w == 0.0) {
                let light = others.remove(distant);
                (key_in_world, key_color) = (light.place.truncate(), light.color);
            }
        }

        // Large enough for `f32` to separate positions in it.
        let coordinates = bounds.max.abs().max(bounds.min.abs()).max_element();
        let size = (bounds.max - bounds.min).length().max(coordinates * 1e-6).max(1e-12);
        // Slightly below the lowest point, so that it does not coincide with a floor of the file.
        let ground = DVec3 { y: bounds.min.y - size * GROUND_BELOW, ..bounds.center() };
        Self {
            key_in_world,
            key_color,
            studio_from_world,
            shadow: shadow_view(points, key_in_world, size),
            contact: contact_view(&bounds, size),
            ground,
            ground_radius: size * 1.25,
            others,
        }
    }
}

/// Returns cosine and sine of the turn that brings the viewer in front of the studio.
fn turn(camera: &Camera) -> [f64; 2] {
    // The right axis stays level, even for a camera that looks straight down.
    let right = camera.view_from_world.transpose().x_axis;
    let length = right.x.hypot(right.z);
    match length > 1e-9 {
        true => [right.x / length, -right.z / length],
        false => [1.0, 0.0],
    }
}

/// Returns the light's view of everything that can cast a shadow into the picture.
fn shadow_view(points: &[DVec3], towards: DVec3, size: f64) -> MapView {
    let backward = towards.normalize_or(DVec3::Y);
    let right = DVec3::Y.cross(backward).normalize_or(DVec3::X);
    let up = backward.cross(right);
    let mut bounds = Bounds::EMPTY;
    points.iter().for_each(|point| {
        bounds.add(DVec3::new(point.dot(right), point.dot(up), point.dot(backward)));
    });
    // The hull covers few directions, so some points lie slightly outside it.
    view([right, up, backward], bounds.or_unit(), size * 0.04, SHADOW_SIDE)
}

/// Returns the view from the ground up to the contact height.
fn contact_view(bounds: &Bounds, size: f64) -> MapView {
    let (right, up, backward) = (DVec3::X, DVec3::Z, DVec3::NEG_Y);
    let height = (size * CONTACT_HEIGHT).max(f64::MIN_POSITIVE);
    let near = -bounds.min.y;
    let seen = Bounds {
        min: DVec3::new(bounds.min.x, bounds.min.z, near - height),
        max: DVec3::new(bounds.max.x, bounds.max.z, near),
    };
    let mut view = view([right, up, backward], seen, size * 0.06, CONTACT_SIDE);
    // No margin in depth: 1 is the ground itself, less a little for parts that sink into it.
    let (near, far) = (near + height * 0.05, near - height);
    view.clip_from_view.z_axis.z = 1.0 / (near - far);
    view.clip_from_view.w_axis.z = -far / (near - far);
    view
}

/// Returns a view along the third axis of a box with a margin around it, with square texels.
fn view([right, up, backward]: [DVec3; 3], bounds: Bounds, air: f64, side: u32) -> MapView {
    let middle = (bounds.min + bounds.max) * 0.5;
    let half = (bounds.max - bounds.min) * 0.5 + DVec3::splat(air.max(1e-30));
    let across = half.x.max(half.y);
    let view_from_world = DMat4::from_cols(
        DVec4::new(right.x, up.x, backward.x, 0.0),
        DVec4::new(right.y, up.y, backward.y, 0.0),
        DVec4::new(right.z, up.z, backward.z, 0.0),
        DVec4::W,
    );
    let (near, far) = (middle.z + half.z, middle.z - half.z);
    let clip_from_view = DMat4::from_cols(
        DVec4::X / across,
        DVec4::NEG_Y / across,
        DVec4::Z / (near - far),
        DVec4::new(-middle.x / across, middle.y / across, -far / (near - far), 1.0),
    );
    MapView { view_from_world, clip_from_view, texel: across * 2.0 / f64::from(side) }
}

/// Returns the file's lights that reach `middle`, brightest first. Scales them to the key light's total brightness
/// there, in the rest pose, because files use strengths for all kinds of exposures, from one to ten thousand.
fn file_lights(model: &Model, pose: &Pose, middle: DVec3) -> Vec<PlacedLight> {
    if model.lights.is_empty() {
        return Vec::new();
    }
    let mut at_rest = Pose::default();
    at_rest.set(model, &PoseChoice::Rest);
    let whole: f64 = placed(model, &at_rest).iter().map(|light| light.strength_at(middle)).sum();
    if !(whole.is_finite() && whole > 0.0) {
        return Vec::new();
    }
    let mut lights = placed(model, pose);
    // Ignores range and cone, so that a light that barely reaches the centre does not become blinding close by.
    let plain: f64 = placed(model, &at_rest).iter().map(|light| light.unbounded_at(middle)).sum();
    let factor = KEY_STRENGTH / whole.max(plain * 0.1);
    lights.iter_mut().for_each(|light| light.color *= factor);
    lights.sort_by(|a, b| b.strength_at(middle).total_cmp(&a.strength_at(middle)));
    lights.truncate(MAX_LIGHTS);
    lights
}

/// Returns the model's lights, positioned by a pose.
fn placed(model: &Model, pose: &Pose) -> Vec<PlacedLight> {
    let place = |light: &sinew_model::Light| {
        let world_from_light = pose.world_from_node.get(light.node)?;
        let direction = (-world_from_light.z_axis.truncate()).normalize_or(DVec3::NEG_Z);
        let position = world_from_light.w_axis.truncate();
        let distant = light.kind == LightKind::Directional;
        let cone = match light.kind {
            LightKind::Spot { inner_cone_radians, outer_cone_radians } => {
                let [inner, outer] =
                    [inner_cone_radians, outer_cone_radians].map(|angle| f64::from(angle).cos());
                let scale = 1.0 / (inner - outer).max(1e-3);
                [scale, -outer * scale]
            }
            LightKind::Directional | LightKind::Point => [0.0, 1.0],
        };
        let placed = PlacedLight {
            place: if distant { (-direction).extend(0.0) } else { position.extend(1.0) },
            color: DVec3::from(light.color.map(f64::from)) * f64::from(light.intensity),
            direction,
            range: light.range.map(f64::from),
            cone,
        };
        (placed.place.is_finite() && placed.color.is_finite()).then_some(placed)
    };
    model.lights.iter().filter_map(place).collect()
}

impl PlacedLight {
    /// Returns the brightness at a point.
    fn strength_at(&self, point: DVec3) -> f64 {
        if self.place.w == 0.0 {
            return self.unbounded_at(point);
        }
        let from = point - self.place.truncate();
        let squared = from.length_squared().max(1e-8);
        let reach = self.range.map_or(0.0, |range| squared / (range * range));
        let in_cone = (self.direction.dot(from) / squared.sqrt()).mul_add(self.cone[0], self.cone[1]);
        let in_cone = in_cone.clamp(0.0, 1.0);
        self.unbounded_at(point) * (1.0 - reach * reach).clamp(0.0, 1.0) * in_cone * in_cone
    }

    /// Returns the brightness at a point without range or cone.
    fn unbounded_at(&self, point: DVec3) -> f64 {
        let brightest = self.color.max_element();
        match self.place.w {
            0.0 => brightest,
            _ => brightest / (point - self.place.truncate()).length_squared().max(1e-8),
        }
    }
}
