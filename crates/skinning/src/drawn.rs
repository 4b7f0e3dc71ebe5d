//! Finds the vertices that a model draws: those in some index buffer.

use crate::SkinningMode;
use crate::bound::world_from_bound;
use crate::pose::{Pose, PoseChoice};
use crate::posed::{SkinnedPrimitive, reference_surfaces};
use glam::DVec3;
use sinew_model::{Model, Primitive};

/// The drawn vertices of each primitive of each instance, in their order.
pub struct Drawn {
    primitives: Vec<Vec<u32>>,
}

impl Drawn {
    /// Finds the drawn vertices of a model.
    pub fn new(model: &Model) -> Self {
        let meshes = model.instances.iter().filter_map(|instance| model.meshes.get(instance.mesh));
        Self { primitives: meshes.flat_map(|mesh| &mesh.primitives).map(named).collect() }
    }

    /// Returns the number of drawn vertices.
    pub fn count(&self) -> usize {
        self.primitives.iter().map(Vec::len).sum()
    }

    /// Returns the drawn vertices of each primitive.
    pub fn primitives(&self) -> impl Iterator<Item = &[u32]> {
        self.primitives.iter().map(Vec::as_slice)
    }
}

fn named(primitive: &Primitive) -> Vec<u32> {
    let mut is_named = vec![false; primitive.positions.len()];
    for &index in &primitive.indices {
        if let Some(named) = is_named.get_mut(index as usize) {
            *named = true;
        }
    }
    (0..).zip(is_named).filter_map(|(vertex, named)| named.then_some(vertex)).collect()
}

/// Returns the diagonal of the box around the drawn vertices in the bind pose, in metres: the length that percentages refer
/// to. A skin's bind pose has the place and size in which the skin draws it. Zero if nothing finite is drawn.
pub fn diagonal(model: &Model, drawn: &Drawn) -> f64 {
    let mut pose = Pose::default();
    pose.set(model, &PoseChoice::Bind);
    let mut skinned = Vec::new();
    reference_surfaces(model, SkinningMode::Rigid, &pose, &mut skinned);
    place_bound(model, &mut skinned);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for position in finite_positions(drawn, &skinned) {
        (low, high) = (low.min(position), high.max(position));
    }
    let diagonal = (high - low).length();
    if diagonal.is_finite() { diagonal } else { 0.0 }
}

/// Moves skinned vertices from bind space to the place where their skin draws them.
fn place_bound(model: &Model, skinned: &mut [SkinnedPrimitive<f64>]) {
    let world_from_bound = world_from_bound(model);
    for SkinnedPrimitive { instance, primitive, positions, .. } in skinned {
        let Some(instance) = model.instances.get(*instance) else { continue };
        let mesh = model.meshes.get(instance.mesh);
        let primitive = mesh.and_then(|mesh| mesh.primitives.get(*primitive));
        let is_skinned = primitive.is_some_and(|primitive| primitive.influences.is_some());
        let skin = instance.skin.filter(|_| is_skinned);
        let Some(placed) = skin.and_then(|skin| world_from_bound.get(skin)) else { continue };
        for position in positions {
            *position = placed.transform_point3(DVec3::from_array(*position)).to_array();
        }
    }
}

fn finite_positions<'a>(
    drawn: &'a Drawn,
    skinned: &'a [SkinnedPrimitive<f64>],
) -> impl Iterator<Item = DVec3> + 'a {
    drawn.primitives().zip(skinned).flat_map(|(vertices, primitive)| {
        let positions = vertices.iter().filter_map(|&vertex| primitive.positions.get(vertex as usize));
        positions.map(|&position| DVec3::from_array(position)).filter(|position| position.is_finite())
    })
}
