//! The parts of a model: primitives as instances draw them, in bind space and standing in the world.

use glam::{DMat3, DMat4, DVec3};

use super::partners::Found;
use crate::pose::{Pose, PoseChoice};
use crate::posed::{SkinnedPrimitive, reference_surfaces};
use crate::{Drawn, SkinningMode, skin_of};
use sinew_model::{Model, Primitive, Rig, Skin};

/// The space in which positions of two models are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The bind pose as stored.
    Bind,
    /// The bind pose as one joint of its skin carries it at rest: in metres, and independent of the file's scale and
    /// rotation of its meshes.
    Standing,
}

/// A primitive that an instance draws.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// Its place in its model.
    pub found: Found<'a>,
    /// The skin that moves it.
    pub skin: Option<usize>,
    /// The vertices in some index buffer, in ascending order.
    pub drawn: Vec<u32>,
    /// Its vertices in the bind pose.
    pub bind: SkinnedPrimitive<f64>,
    /// From stored positions to the bind pose: its node's matrix where no skin moves it.
    bind_from_stored: DMat4,
    /// From the bind pose to its standing position.
    world_from_bind: DMat4,
    /// Turns normals with it.
    world_from_normal: DMat3,
    /// A unit of the bind pose in metres.
    unit: f64,
    /// The grid step of the file's positions, in metres.
    pub step_m: Option<f64>,
}

impl<'a> Part<'a> {
    /// Returns the parts of a model, in the order of [`Drawn`]. `joints` has, for each node, the index of its joint if the
    /// other model has that joint, too.
    pub fn all(model: &'a Model, joints: &[Option<u32>]) -> Vec<Self> {
        let (mut pose, mut bind) = (Pose::default(), Vec::new());
        pose.set(model, &PoseChoice::Bind);
        reference_surfaces(model, SkinningMode::Rigid, &pose, &mut bind);
        let drawn = Drawn::new(model);
        let frames = frames(model, joints);
        let part = |(bind, drawn): (SkinnedPrimitive<f64>, &[u32])| {
            let found = Found::new(model, bind.instance, bind.primitive)?;
            let instance = model.instances.get(bind.instance)?;
            let is_skinned = skin_of(model, instance, found.primitive.influences.is_some()).is_some();
            let skin = instance.skin.filter(|_| is_skinned);
            let frame = skin.and_then(|skin| frames.get(skin).copied()).unwrap_or(DMat4::IDENTITY);
            let turn = DMat3::from_mat4(frame);
            let unit = turn.determinant().abs().cbrt();
            let world_from_normal = turn.inverse().transpose();
            let step = found.primitive.steps.positions;
            let step_m = step.map(|step| f64::from(step) * bind_scale(found.primitive, &bind) * unit);
            let of_node = || pose.world_from_node.get(instance.node).copied();
            let bind_from_stored = if is_skinned { DMat4::IDENTITY } else { of_node()? };
            Some(Self {
                found,
                skin,
                drawn: drawn.to_vec(),
                bind,
                bind_from_stored,
                world_from_bind: frame,
                world_from_normal,
                unit,
                step_m,
            })
        };
        bind.into_iter().zip(drawn.primitives()).filter_map(part).collect()
    }

    /// Returns the position of a vertex, if it is finite.
    pub fn place(&self, space: Space, vertex: u32) -> Option<DVec3> {
        let place = DVec3::from_array(*self.bind.positions.get(vertex as usize)?);
        let place = match space {
            Space::Bind => place,
            Space::Standing => self.world_from_bind.transform_point3(place),
        };
        place.is_finite().then_some(place)
    }

    /// Returns the normal of a vertex, of length one.
    pub fn normal(&self, space: Space, vertex: u32) -> Option<DVec3> {
        let normal = DVec3::from_array(*self.bind.normals.as_ref()?.get(vertex as usize)?);
        let normal = match space {
            Space::Bind => normal,
            Space::Standing => self.world_from_normal * normal,
        };
        normal.try_normalize()
    }

    /// Returns true if the part draws a vertex.
    pub fn draws(&self, vertex: u32) -> bool {
        self.drawn.binary_search(&vertex).is_ok()
    }

    /// Returns the offset of a vertex in each morph target.
    pub fn morphs(&self, space: Space, vertex: u32) -> impl Iterator<Item = (u32, DVec3)> {
        let space_from_stored = self.space_from_stored(space);
        let morphs = self.found.primitive.morphs.as_ref().and_then(|morphs| morphs.positions.as_ref());
        let deltas = morphs.into_iter().flat_map(move |deltas| deltas.of(vertex as usize));
        deltas.map(move |(target, delta)| {
            (target, space_from_stored.transform_vector3(DVec3::from_array(delta.map(f64::from))))
        })
    }

    /// Returns the transform from stored positions to a space.
    pub fn space_from_stored(&self, space: Space) -> DMat4 {
        match space {
            Space::Bind => self.bind_from_stored,
            Space::Standing => self.world_from_bind * self.bind_from_stored,
        }
    }

    /// Returns the diagonal of the box around its drawn vertices.
    pub fn size_m(&self) -> f64 {
        let size = extent(self.drawn.iter().filter_map(|vertex| self.place(Space::Standing, *vertex)));
        if size.is_finite() { size } else { 0.0 }
    }

    /// Converts a length of a space to metres.
    pub fn metres(&self, space: Space) -> f64 {
        match space {
            Space::Bind => self.unit,
            Space::Standing => 1.0,
        }
    }
}

/// Returns the scale of the bind pose relative to stored positions: that of its node if no skin moves it.
fn bind_scale(primitive: &Primitive, bind: &SkinnedPrimitive<f64>) -> f64 {
    let stored = extent(primitive.positions.iter().map(|place| DVec3::from_array(place.map(f64::from))));
    let scale = extent(bind.positions.iter().map(|place| DVec3::from_array(*place))) / stored;
    if scale.is_finite() { scale } else { 1.0 }
}

/// Returns the diagonal of the box around finite points.
fn extent(points: impl Iterator<Item = DVec3>) -> f64 {
    let finite = points.filter(|point| point.is_finite());
    let (low, high) = finite
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), point| (low.min(point), high.max(point)));
    (high - low).length()
}

/// Returns for each skin the transform by which one of its joints carries the bind pose at rest. The joint is the nearest to
/// the root that both models have, so that all exports of a skin use the same one.
fn frames(model: &Model, shared: &[Option<u32>]) -> Vec<DMat4> {
    let mut pose = Pose::default();
    pose.set(model, &PoseChoice::Rest);
    let depths = depths(&model.rig);
    let frame = |skin: &Skin| {
        let key = |(joint, node): (usize, &usize)| {
            let name = model.rig.names.get(*node).map_or("", String::as_str);
            let shared = shared.get(*node).copied().flatten();
            let depth = depths.get(*node).copied().unwrap_or(0);
            (shared.is_none(), depth, shared, name.to_owned(), joint)
        };
        let mut joints: Vec<_> = skin.joints.iter().enumerate().map(key).collect();
        joints.sort();
        let carried = joints.iter().filter_map(|(.., joint)| {
            let node = skin.joints.get(*joint)?;
            let world_from_joint = pose.world_from_node.get(*node)?;
            Some(*world_from_joint * *skin.joint_from_bind.get(*joint)?)
        });
        carried.into_iter().find(is_sound).unwrap_or(DMat4::IDENTITY)
    };
    model.skins.iter().map(frame).collect()
}

/// Returns true if a matrix is finite and not singular.
fn is_sound(matrix: &DMat4) -> bool {
    let turn = DMat3::from_mat4(*matrix);
    let size = turn.x_axis.length().max(turn.y_axis.length()).max(turn.z_axis.length());
    matrix.is_finite() && turn.determinant().abs() > 1e-9 * size.powi(3)
}

/// Returns the depth of each node.
fn depths(rig: &Rig) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(rig.len());
    for parent in &rig.parents {
        let above = parent.and_then(|parent| depths.get(parent as usize));
        depths.push(above.map_or(0, |depth| depth.saturating_add(1)));
    }
    depths
}
