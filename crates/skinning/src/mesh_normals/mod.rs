//! Normals of the deformed triangles, in `f64`, in place of those that turn with each vertex's transform. They show how far the
//! light that a mode gives is from that of the surface it makes; no mode has them, because no shader sees all triangles.
//!
//! A vertex has the sum over the triangles t at its smooth group, with their unit normals n_t and the angles α_t that they have
//! there (Thürmer, Wüthrich, *Computing Vertex Normals from Polygonal Facets*, 1998):
//!
//! ```text
//! n = normalize(Σ_t s_t α_t n_t)
//! ```
//!
//! **Groups.** Vertices at one bind place are candidates, over all primitives of the mesh. In the file's order, each joins the
//! first group there whose first vertex has its stored normal within [`SAME_SIDE_DEGREES`]; if none has, it founds one. So
//! seams of textures stay smooth, creases stay hard, and no chain of small steps joins two sides. Skinned and unskinned
//! primitives share no group.
//!
//! **Sides.** s_t is −1 where the winding of the stored triangle opposes the stored normals of its corners, and changes its sign
//! where joints mirror: where the corners' weights of joints with negative determinants exceed those of the others. So
//! normals point to the stored side, also in mirrored parts, and a surface that is turned inside out by its pose shows it.
//!
//! A group without a triangle that has area, or whose triangles cancel, keeps the mode's normals. Primitives without stored
//! normals have none, and are shaded flat.

#[cfg(test)]
mod tests;

use crate::ddm_terms::surface::Surface;
use crate::directions::orientation;
use crate::pose::Pose;
use crate::posed::SkinnedPrimitive;
use crate::{matrices_into, shared, skin_of};
use glam::{DMat3, DMat4, DVec3, DVec4};
use sinew_model::{Influences, Instance, Mesh, Model, Primitive, Topology};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// The largest angle between stored normals of one group and that of its first vertex.
pub const SAME_SIDE_DEGREES: f64 = 1.0;

/// The number of groups at a place that a vertex is compared with; bounds the time for files with all vertices at one place.
const MAX_COMPARED: usize = 64;

/// The least height of a triangle that has area, as a share of its largest coordinate: less is rounding in `f32`.
const ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// The least length of a sum that has a direction, as a share of its terms.
const CANCELLED: f64 = 1e-6;

/// The source of a picture's or file's normals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normals {
    /// The transform that moves each vertex.
    #[default]
    Moved,
    /// The deformed triangles.
    Recomputed,
}

impl Normals {
    /// Every choice.
    pub const ALL: [Self; 2] = [Self::Moved, Self::Recomputed];

    /// Returns the name that users type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Recomputed => "recomputed",
        }
    }

    /// Prepares the model if its normals are to be recomputed.
    pub fn prepare(self, model: &Model) -> Option<MeshNormals> {
        match self {
            Self::Moved => None,
            Self::Recomputed => Some(MeshNormals::new(model)),
        }
    }
}

impl fmt::Display for Normals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Normals {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|normals| normals.name() == text);
        found.ok_or("expected moved or recomputed")
    }
}

/// A coordinate of skinned vertices.
pub trait Coordinate: Copy + Into<f64> {
    /// Rounds a number.
    fn rounded(number: f64) -> Self;
}

impl Coordinate for f32 {
    fn rounded(number: f64) -> Self {
        number as f32
    }
}

impl Coordinate for f64 {
    fn rounded(number: f64) -> Self {
        number
    }
}

/// A model prepared for many poses.
pub struct MeshNormals {
    meshes: BTreeMap<usize, Creased>,
}

/// The smooth groups of a mesh, and its triangles.
struct Creased {
    /// The group of each vertex of each primitive; empty for primitives without normals.
    group_of: Vec<Vec<u32>>,
    /// The number of groups.
    groups: usize,
    triangles: Vec<Triangle>,
}

/// A triangle of vertices with normals.
struct Triangle {
    primitive: u32,
    corners: [u32; 3],
    /// True if its winding opposes its stored normals.
    is_inside_out: bool,
}

/// Memory for one instance.
#[derive(Default)]
struct Room {
    matrices: Vec<DMat4>,
    /// For each primitive, the balance of each vertex's joints: negative if more of its weight mirrors. Empty if none does.
    sides: Vec<Vec<f64>>,
    /// For each group the sum of its triangles, and that of their angles.
    sums: Vec<DVec4>,
}

impl MeshNormals {
    /// Finds the smooth groups of all drawn meshes.
    pub fn new(model: &Model) -> Self {
        let mut meshes = BTreeMap::new();
        for instance in &model.instances {
            if let Some(mesh) = model.meshes.get(instance.mesh) {
                meshes.entry(instance.mesh).or_insert_with(|| Creased::new(mesh));
            }
        }
        Self { meshes }
    }

    /// Replaces the normals of the whole model in a pose, in the order of its instances, and makes tangents orthogonal to them.
    /// The vertices may be of any mode. `model` must be the one that this was made of.
    pub fn apply<T: Coordinate>(&self, model: &Model, pose: &Pose, skinned: &mut [SkinnedPrimitive<T>]) {
        let mut room = Room::default();
        for own in skinned.chunk_by_mut(|a, b| a.instance == b.instance) {
            let Some(instance) = own.first().and_then(|first| model.instances.get(first.instance)) else {
                continue;
            };
            let (Some(mesh), Some(creased)) =
                (model.meshes.get(instance.mesh), self.meshes.get(&instance.mesh))
            else {
                continue;
            };
            room.find_sides(model, instance, mesh, pose);
            creased.sum(own, &mut room);
            for primitive in own {
                creased.write(primitive, &room.sums);
            }
        }
    }
}

impl Creased {
    fn new(mesh: &Mesh) -> Self {
        let mut creased = Self { group_of: Vec::new(), groups: 0, triangles: Vec::new() };
        creased.group(mesh);
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            creased.add_triangles(number, primitive);
        }
        creased
    }

    /// Gives each vertex with a normal its group.
    fn group(&mut self, mesh: &Mesh) {
        /// A group: the side of its first vertex, and the previous group at its place.
        struct Group {
            normal: DVec3,
            is_skinned: bool,
            before: Option<u32>,
        }
        let least = SAME_SIDE_DEGREES.to_radians().cos();
        let surface = Surface::welded(mesh);
        let mut groups: Vec<Group> = Vec::new();
        let mut last_at: Vec<Option<u32>> = vec![None; surface.points.len()];
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let is_skinned = primitive.influences.is_some();
            let mut group_of = |(&point, normal): (&u32, &[f32; 3])| {
                let normal = DVec3::from(normal.map(f64::from)).normalize_or_zero();
                let last = last_at[point as usize];
                let known = std::iter::successors(last, |&group| groups[group as usize].before);
                let is_own = |&group: &u32| {
                    let Group { normal: first, is_skinned: of_skin, .. } = groups[group as usize];
                    of_skin == is_skinned && first.dot(normal) >= least
                };
                known.take(MAX_COMPARED).filter(is_own).last().unwrap_or_else(|| {
                    let new = groups.len() as u32;
                    groups.push(Group { normal, is_skinned, before: last });
                    last_at[point as usize] = Some(new);
                    new
                })
            };
            let normals = primitive.normals.as_deref().unwrap_or_default();
            self.group_of.push(surface.points_of(number).iter().zip(normals).map(&mut group_of).collect());
        }
        self.groups = groups.len();
    }

    /// Adds the triangles between three different vertices of a primitive that all have normals.
    fn add_triangles(&mut self, number: usize, primitive: &Primitive) {
        let (Topology::Triangles, Some(normals)) = (primitive.topology, &primitive.normals) else { return };
        let vector = |of: &[f32; 3]| DVec3::from(of.map(f64::from));
        for &corners in primitive.indices.as_chunks::<3>().0 {
            let [a, b, c] = corners;
            let of = |stream: &[[f32; 3]], corner: u32| stream.get(corner as usize).map(vector);
            let all = |stream: &[[f32; 3]]| Some([of(stream, a)?, of(stream, b)?, of(stream, c)?]);
            let (Some(places), Some(stored)) = (all(&primitive.positions), all(normals)) else { continue };
            if a == b || b == c || c == a {
                continue;
            }
            let normal = (places[1] - places[0]).cross(places[2] - places[0]);
            let is_inside_out = normal.dot(stored.into_iter().sum()) < 0.0;
            self.triangles.push(Triangle { primitive: number as u32, corners, is_inside_out });
        }
    }

    /// Sums up the deformed triangles of an instance.
    fn sum<T: Coordinate>(&self, own: &[SkinnedPrimitive<T>], room: &mut Room) {
        let Room { sides, sums, .. } = room;
        sums.clear();
        sums.resize(self.groups, DVec4::ZERO);
        let mut of_primitive: Vec<Option<&SkinnedPrimitive<T>>> = vec![None; self.group_of.len()];
        for primitive in own {
            if let Some(place) = of_primitive.get_mut(primitive.primitive) {
                *place = Some(primitive);
            }
        }
        for Triangle { primitive, corners, is_inside_out } in &self.triangles {
            let number = *primitive as usize;
            let Some(skinned) = of_primitive[number] else { continue };
            let at = |corner: u32| {
                let position = skinned.positions.get(corner as usize)?;
                Some(DVec3::from(position.map(Into::into)))
            };
            let [a, b, c] = *corners;
            let (Some(a), Some(b), Some(c)) = (at(a), at(b), at(c)) else { continue };
            let Some((normal, angles)) = facet([a, b, c]) else { continue };
            let balance: f64 = corners.iter().filter_map(|&corner| sides[number].get(corner as usize)).sum();
            let normal = if *is_inside_out == (balance < 0.0) { normal } else { -normal };
            for (&corner, angle) in corners.iter().zip(angles) {
                let group = self.group_of[number][corner as usize];
                sums[group as usize] += (normal * angle).extend(angle);
            }
        }
    }

    /// Replaces the directions of a primitive.
    fn write<T: Coordinate>(&self, own: &mut SkinnedPrimitive<T>, sums: &[DVec4]) {
        let (Some(groups), Some(normals)) = (self.group_of.get(own.primitive), &mut own.normals) else {
            return;
        };
        let mut tangents = own.tangents.as_mut().map(|tangents| tangents.iter_mut());
        for (&group, normal) in groups.iter().zip(normals) {
            let tangent = tangents.as_mut().and_then(Iterator::next);
            let Some(found) = direction(sums[group as usize]) else { continue };
            *normal = found.to_array().map(T::rounded);
            if let Some([x, y, z, _]) = tangent {
                let along = DVec3::new((*x).into(), (*y).into(), (*z).into());
                let across = along - found * found.dot(along);
                let is_parallel = across.abs().max_element() <= f64::from(shared::PARALLEL);
                if let Some(kept) = across.try_normalize().filter(|_| !is_parallel) {
                    [*x, *y, *z] = kept.to_array().map(T::rounded);
                }
            }
        }
    }
}

impl Room {
    /// Finds out where joints mirror the primitives of an instance.
    fn find_sides(&mut self, model: &Model, instance: &Instance, mesh: &Mesh, pose: &Pose) {
        self.sides.iter_mut().for_each(Vec::clear);
        self.sides.resize_with(mesh.primitives.len(), Vec::new);
        for has_influences in [false, true] {
            let is_own = |primitive: &Primitive| primitive.influences.is_some() == has_influences;
            if !mesh.primitives.iter().any(is_own) {
                continue;
            }
            matrices_into(model, instance, has_influences, pose, &mut self.matrices);
            let side = |matrix: &DMat4| orientation(&DMat3::from_mat4(*matrix));
            let of_joints: Vec<f64> = self.matrices.iter().map(side).collect();
            if of_joints.iter().all(|side| *side > 0.0) {
                continue;
            }
            let is_skinned = skin_of(model, instance, has_influences).is_some();
            for (primitive, sides) in mesh.primitives.iter().zip(&mut self.sides) {
                if is_own(primitive) {
                    let influences = primitive.influences.as_ref().filter(|_| is_skinned);
                    let vertices = 0..primitive.positions.len();
                    sides.extend(vertices.map(|vertex| balance(&of_joints, influences, vertex)));
                }
            }
        }
    }
}

/// Returns the mean side of the joints that move a vertex; without influences, the only one's.
fn balance(of_joints: &[f64], influences: Option<&Influences>, vertex: usize) -> f64 {
    let of_joint = |joint: i32| {
        let side = usize::try_from(joint).ok().and_then(|joint| of_joints.get(joint));
        side.copied().unwrap_or(1.0)
    };
    let Some(influences) = influences else { return of_joint(0) };
    let spans = (0..influences.spans.len()).map(|span| influences.of_vertex(span, vertex));
    let all = spans.flat_map(|(joints, weights)| joints.into_iter().zip(weights));
    all.map(|(joint, weight)| of_joint(joint) * f64::from(weight)).sum()
}

/// Returns the unit normal of a triangle and the angles of its corners; `None` if it has no area, or is not finite.
fn facet(corners: [DVec3; 3]) -> Option<(DVec3, [f64; 3])> {
    let [a, b, c] = corners;
    let edges = [b - a, c - b, a - c];
    let normal = edges[0].cross(edges[1]);
    let doubled = normal.length();
    let longest = edges.iter().fold(0.0, |longest: f64, edge| longest.max(edge.length()));
    let reach = corners.iter().fold(0.0, |reach: f64, corner| reach.max(corner.abs().max_element()));
    // The height over the longest edge; false for NaN.
    let has_area = doubled.is_finite() && doubled > ROUNDING * reach * longest;
    has_area.then(|| {
        let angle = |corner: usize| doubled.atan2(-edges[(corner + 2) % 3].dot(edges[corner]));
        (normal / doubled, [0, 1, 2].map(angle))
    })
}

/// Returns the direction of a group's sum, if it has one.
fn direction(sum: DVec4) -> Option<DVec3> {
    let length = sum.truncate().length();
    (length > CANCELLED * sum.w && length.is_finite()).then(|| sum.truncate() / length)
}
