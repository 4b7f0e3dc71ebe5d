//! The number of parts of a primitive under renderers with smaller palettes.

use std::collections::VecDeque;

use serde::Serialize;

use super::rows::Rows;
use sinew_model::{Model, Primitive, PrimitiveName, Topology};
use sinew_skinning::pairing::influences::{NO_JOINT, influences_of};

/// The palettes of other renderers, in joints.
pub const LIMITS: [usize; 4] = [24, 64, 128, 256];

/// The number of parts that are open at a time. An element goes to the first of them that has its joints or room for them.
const OPEN: usize = 8;

/// The joints of a primitive, and the parts that it needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// The mesh's index.
    pub mesh: usize,
    /// The primitive's name.
    pub primitive: String,
    /// The number of joints with weight on some vertex.
    pub joints: usize,
    /// The parts for each limit.
    pub parts: Vec<Parts>,
}

/// The parts under one limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Parts {
    /// The number of joints in a palette.
    pub limit: usize,
    /// The number of parts; null if one triangle alone has more joints.
    pub parts: Option<usize>,
}

/// Counts for every primitive with joints that a skin moves.
pub fn limits(model: &Model) -> Vec<Limits> {
    // Of each mesh, the first instance with a skin, and the number of the skin's joints.
    let mut drawn: Vec<Option<(usize, usize)>> = vec![None; model.meshes.len()];
    for (number, instance) in model.instances.iter().enumerate() {
        let skin = instance.skin.and_then(|skin| model.skins.get(skin));
        if let (Some(skin), Some(drawn)) = (skin, drawn.get_mut(instance.mesh)) {
            drawn.get_or_insert((number, skin.joints.len()));
        }
    }
    let mut out = Vec::new();
    for (number, (mesh, drawn)) in model.meshes.iter().zip(drawn).enumerate() {
        let Some((instance, joints)) = drawn else { continue };
        let primitives = mesh.primitives.iter().enumerate();
        for (p, primitive) in primitives.filter(|(_, primitive)| primitive.influences.is_some()) {
            let elements = elements(primitive, joints);
            let mut used = vec![false; joints];
            for &joint in elements.iter().flatten() {
                if let Some(used) = used.get_mut(joint as usize) {
                    *used = true;
                }
            }
            let used = used.into_iter().filter(|used| *used).count();
            let parts = LIMITS.map(|limit| Parts { limit, parts: parts(&elements, used, joints, limit) });
            let primitive = PrimitiveName::of(model, instance, p).to_string();
            out.push(Limits { mesh: number, primitive, joints: used, parts: parts.to_vec() });
        }
    }
    out
}

/// Returns the joints of each element, sorted; skips elements with the joints of the previous one.
fn elements(primitive: &Primitive, joints: usize) -> Rows<u32> {
    let corners = match primitive.topology {
        Topology::Triangles => 3,
        Topology::Lines => 2,
        Topology::Points => 1,
    };
    let mut elements = Rows::default();
    let (mut row, mut element, mut before) = (Vec::new(), Vec::new(), Vec::new());
    for vertices in primitive.indices.chunks_exact(corners) {
        element.clear();
        for &vertex in vertices {
            if let Some(stored) = &primitive.influences {
                influences_of(stored, vertex as usize, joints, &mut row);
            }
            element.extend(row.iter().map(|influence| influence.joint).filter(|joint| *joint != NO_JOINT));
        }
        element.sort_unstable();
        element.dedup();
        if element != before {
            elements.push(element.iter().copied());
            before.clone_from(&element);
        }
    }
    elements
}

fn parts(elements: &Rows<u32>, used: usize, joints: usize, limit: usize) -> Option<usize> {
    if used <= limit {
        return Some(1);
    }
    let mut open: VecDeque<Open> = VecDeque::new();
    let mut count = 0_usize;
    for element in elements.iter() {
        if element.len() > limit {
            return None;
        }
        if let Some(part) = open.iter_mut().find(|part| part.has_room(element, limit)) {
            part.add(element);
            continue;
        }
        let oldest = if open.len() < OPEN { None } else { open.pop_front() };
        let mut part = oldest.map_or_else(|| Open::new(joints), Open::emptied);
        part.add(element);
        open.push_back(part);
        count = count.saturating_add(1);
    }
    Some(count)
}

/// A part that may take more elements.
struct Open {
    has: Vec<bool>,
    joints: Vec<u32>,
}

impl Open {
    fn new(joints: usize) -> Self {
        Self { has: vec![false; joints], joints: Vec::new() }
    }

    fn emptied(mut self) -> Self {
        for joint in self.joints.drain(..) {
            if let Some(has) = self.has.get_mut(joint as usize) {
                *has = false;
            }
        }
        self
    }

    fn has_room(&self, element: &[u32], limit: usize) -> bool {
        let is_missing = |joint: &&u32| self.has.get(**joint as usize) == Some(&false);
        self.joints.len().saturating_add(element.iter().filter(is_missing).count()) <= limit
    }

    fn add(&mut self, element: &[u32]) {
        for &joint in element {
            if let Some(has) = self.has.get_mut(joint as usize).filter(|has| !**has) {
                *has = true;
                self.joints.push(joint);
            }
        }
    }
}
