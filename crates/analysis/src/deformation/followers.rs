//! The joints that move each vertex, and their transforms: all joints of all skins in use in one list.

use glam::{DMat3, DMat4};

use super::points::{Points, bound_axes};
use sinew_model::{Influences, Model, Primitive};
use sinew_skinning::pose::Pose;
use sinew_skinning::{skin_of, world_from_bind_into};

/// The joints that move each vertex.
pub struct Followers {
    /// For each joint in the list, the transform from the bind pose as its skin draws it back to that of the file.
    pub bind_from_bound: Vec<DMat3>,
    /// The skins in use. Their joints are consecutive in one list; each skin's end with "no joint".
    skins: Vec<usize>,
    /// For each drawn primitive, the joints of its vertices; `None` if no skin moves it.
    pub drawn: Vec<Option<Followed>>,
}

/// A skinned primitive of an instance.
pub struct Followed {
    /// Index into the model's instances.
    pub instance: usize,
    /// The index in the instance's mesh.
    pub primitive: usize,
    /// The end of each vertex's joints; they begin at the previous vertex's end.
    ends: Vec<u32>,
    /// The joints with a weight, the heaviest first, by their indices in the list of all joints.
    joints: Vec<u32>,
}

impl Followed {
    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the joints of each vertex.
    pub fn vertices(&self) -> impl Iterator<Item = &[u32]> {
        let begins = std::iter::once(&0).chain(&self.ends);
        let ranges = begins.zip(&self.ends).map(|(begin, end)| *begin as usize..*end as usize);
        ranges.map(|range| self.joints.get(range).unwrap_or_default())
    }

    /// Returns the joints of a vertex.
    fn of(&self, vertex: usize) -> &[u32] {
        let end = |vertex: usize| self.ends.get(vertex).map_or(0, |end| *end as usize);
        let range = vertex.checked_sub(1).map_or(0, end)..end(vertex);
        self.joints.get(range).unwrap_or_default()
    }
}

impl Followers {
    /// Collects the joints of all drawn vertices.
    pub fn new(model: &Model) -> Self {
        let mut followers = Self { bind_from_bound: Vec::new(), skins: Vec::new(), drawn: Vec::new() };
        let bound = bound_axes(model);
        // The start of each skin's joints in the list of all joints.
        let mut begins: Vec<Option<u32>> = vec![None; model.skins.len()];
        let mut next = 0u32;
        for (number, instance) in model.instances.iter().enumerate() {
            let primitives = model.meshes.get(instance.mesh).map_or(&[][..], |mesh| &mesh.primitives);
            for (p, primitive) in primitives.iter().enumerate() {
                let skin = skin_of(model, instance, primitive.influences.is_some());
                let found = skin.zip(instance.skin).zip(primitive.influences.as_ref());
                followers.drawn.push(found.and_then(|((skin, skin_number), influences)| {
                    let begin = *begins.get_mut(skin_number)?.get_or_insert_with(|| {
                        followers.skins.push(skin_number);
                        let axes = bound.get(skin_number).copied().unwrap_or_default();
                        let of_joints = std::iter::repeat_n(axes.inverse(), skin.joints.len() + 1);
                        followers.bind_from_bound.extend(of_joints);
                        let begin = next;
                        next = next.saturating_add(skin.joints.len() as u32).saturating_add(1);
                        begin
                    });
                    let (ends, joints) = joints_of(primitive, influences, begin, skin.joints.len() as u32);
                    Some(Followed { instance: number, primitive: p, ends, joints })
                }));
            }
        }
        followers
    }

    /// Writes the transforms of all joints in a pose.
    pub fn transforms_into(
        &self,
        model: &Model,
        pose: &Pose,
        skin_room: &mut Vec<DMat4>,
        out: &mut Vec<DMat4>,
    ) {
        out.clear();
        for skin in self.skins.iter().filter_map(|&skin| model.skins.get(skin)) {
            world_from_bind_into(skin, pose, skin_room);
            out.extend_from_slice(skin_room);
            out.push(DMat4::IDENTITY);
        }
    }

    /// Returns the joints of a point, the heaviest first.
    pub fn joints(&self, points: &Points, point: u32) -> &[u32] {
        let (drawn, vertex) = points.vertex(point);
        self.drawn.get(drawn).and_then(Option::as_ref).map_or(&[][..], |followed| followed.of(vertex))
    }
}

/// Returns the joints that have a weight, vertex after vertex.
fn joints_of(primitive: &Primitive, influences: &Influences, begin: u32, count: u32) -> (Vec<u32>, Vec<u32>) {
    let (mut ends, mut joints) = (Vec::with_capacity(primitive.positions.len()), Vec::new());
    let known = |joint: i32| begin + u32::try_from(joint).map_or(count, |joint| joint.min(count));
    for vertex in 0..primitive.positions.len() {
        if influences.spans.is_empty() {
            // Without spans, vertices follow the first joint.
            joints.push(known(0));
        }
        for span in 0..influences.spans.len() {
            let (numbers, weights) = influences.of_vertex(span, vertex);
            let weighted = numbers.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
            joints.extend(weighted.map(|(joint, _)| known(joint)));
        }
        ends.push(joints.len() as u32);
    }
    (ends, joints)
}
