//! A skin's drawn surface, as groups of vertices with equal weights and patches of triangles between them.

use glam::DVec3;
use sinew_model::{Mesh, MeshCenters, Primitive, Topology};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The maximum number of influences of a vertex.
const MAX: usize = 16;

/// Joints with their weights, each joint once, in ascending order. They are numbered from 1 here.
#[derive(Clone, Copy, Debug)]
pub struct Weights<const N: usize> {
    count: usize,
    joints: [u32; N],
    weights: [f64; N],
}

impl<const N: usize> Weights<N> {
    const NONE: Self = Self { count: 0, joints: [0; N], weights: [0.0; N] };

    /// Adds weight to a joint.
    fn add(&mut self, joint: u32, weight: f64) {
        let place = self.joints[..self.count].partition_point(|&other| other < joint);
        if self.joints[..self.count].get(place) == Some(&joint) {
            self.weights[place] += weight;
        } else if self.count < N {
            self.joints.copy_within(place..self.count, place + 1);
            self.weights.copy_within(place..self.count, place + 1);
            self.joints[place] = joint;
            self.weights[place] = weight;
            self.count += 1;
        }
    }

    /// Returns the joints.
    pub fn joints(&self) -> &[u32] {
        &self.joints[..self.count]
    }
}

/// Returns the weights of a vertex.
fn of_vertex(primitive: &Primitive, vertex: usize, joints_in_skin: u32) -> Weights<MAX> {
    let mut out = Weights::NONE;
    each_weight(primitive, vertex, joints_in_skin, |joint, weight| out.add(joint, weight));
    out
}

/// Visits the joints that move a vertex, in the file's order. "No joint", and any joint that the skin lacks, count as a
/// joint that does not move.
#[inline]
fn each_weight(primitive: &Primitive, vertex: usize, joints_in_skin: u32, mut visit: impl FnMut(u32, f64)) {
    for span in primitive.influences.iter().flat_map(|influences| &influences.spans) {
        let (Some(joints), Some(weights)) = (span.joints.get(vertex), span.weights.get(vertex)) else {
            continue;
        };
        for (&joint, &weight) in joints.iter().zip(weights) {
            if weight > 0.0 {
                // "No joint" is number 0, before all others.
                let joint = u32::try_from(joint).ok().filter(|&joint| joint < joints_in_skin);
                visit(joint.map_or(0, |joint| joint.saturating_add(1)), f64::from(weight));
            }
        }
    }
}

/// Triangles whose corners are of the same three groups.
#[derive(Clone, Copy, Debug)]
struct Patch {
    groups: [u32; 3],
    area: f64,
    /// The sum of areas times centroids.
    moment: DVec3,
}

/// The drawn surface of a skin.
pub struct Body<'a> {
    /// The number of joints in the skin.
    joints: u32,
    /// Each mesh with the index of its first primitive in `primitives`.
    meshes: Vec<(usize, usize)>,
    primitives: Vec<&'a Primitive>,
    /// The index of each primitive's first vertex.
    firsts: Vec<u32>,
    group_of: Vec<u32>,
    /// One vertex of each group.
    samples: Vec<u32>,
    patches: Vec<Patch>,
}

impl<'a> Body<'a> {
    /// Gathers the numbered meshes of a skin with this many joints.
    pub fn new(meshes: impl Iterator<Item = (usize, &'a Mesh)>, joints: usize) -> Self {
        let mut body = Self {
            joints: u32::try_from(joints).unwrap_or(u32::MAX),
            meshes: Vec::new(),
            primitives: Vec::new(),
            firsts: Vec::new(),
            group_of: Vec::new(),
            samples: Vec::new(),
            patches: Vec::new(),
        };
        let mut vertices = 0u32;
        for (number, mesh) in meshes {
            body.meshes.push((number, body.primitives.len()));
            for primitive in &mesh.primitives {
                body.primitives.push(primitive);
                body.firsts.push(vertices);
                vertices = vertices.saturating_add(primitive.positions.len() as u32);
            }
        }
        body.group(vertices);
        body.patch();
        body
    }

    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        self.samples.len()
    }

    /// Returns the number of patches.
    pub fn patches(&self) -> usize {
        self.patches.len()
    }

    /// Returns the joints of a group.
    pub fn joints(&self, group: u32) -> Weights<MAX> {
        let (primitive, vertex) = self.sample(group);
        of_vertex(primitive, vertex, self.joints)
    }

    /// Returns the joints of a patch: those of its corners.
    pub fn patch_joints(&self, patch: u32) -> Weights<{ 3 * MAX }> {
        let mut out = Weights::NONE;
        for group in self.patches[patch as usize].groups {
            let (primitive, vertex) = self.sample(group);
            each_weight(primitive, vertex, self.joints, |joint, weight| out.add(joint, weight));
        }
        out
    }

    /// Returns the weights of two joints in a group.
    pub fn weights(&self, group: u32, pair: [u32; 2]) -> [f64; 2] {
        let (primitive, vertex) = self.sample(group);
        let mut out = [0.0; 2];
        each_weight(primitive, vertex, self.joints, |joint, weight| {
            for (sum, of_pair) in out.iter_mut().zip(pair) {
                *sum += if joint == of_pair { weight } else { 0.0 };
            }
        });
        out
    }

    /// Returns the weights of two joints in a patch: the mean of its corners' weights.
    pub fn patch_weights(&self, patch: u32, pair: [u32; 2]) -> [f64; 2] {
        let [a, b, c] = self.patches[patch as usize].groups.map(|group| self.weights(group, pair));
        [0, 1].map(|joint| a[joint] / 3.0 + b[joint] / 3.0 + c[joint] / 3.0)
    }

    /// Returns a vertex of a group.
    fn sample(&self, group: u32) -> (&Primitive, usize) {
        let vertex = self.samples[group as usize];
        let primitive = self.firsts.partition_point(|&first| first <= vertex) - 1;
        (self.primitives[primitive], (vertex - self.firsts[primitive]) as usize)
    }

    /// Returns the area of a patch, and the sum of its triangles' areas times their centroids.
    pub fn patch_area(&self, patch: u32) -> (f64, DVec3) {
        let Patch { area, moment, .. } = self.patches[patch as usize];
        (area, moment)
    }

    /// Groups vertices of equal weights; a group's order is that of its first vertex.
    fn group(&mut self, vertices: u32) {
        let mut hashes: Vec<(u64, u32)> = Vec::with_capacity(vertices as usize);
        for (&primitive, &first) in self.primitives.iter().zip(&self.firsts) {
            let hash = |vertex: usize| {
                let weights = of_vertex(primitive, vertex, self.joints);
                let mut hasher = DefaultHasher::new();
                for (&joint, weight) in weights.joints().iter().zip(weights.weights) {
                    (joint, weight.to_bits()).hash(&mut hasher);
                }
                (hasher.finish(), first + vertex as u32)
            };
            hashes.extend((0..primitive.positions.len()).map(hash));
        }
        hashes.sort_unstable();
        self.group_of = vec![u32::MAX; vertices as usize];
        // Different weights of the same hash would share a group: one in 2⁶⁴ pairs.
        let mut firsts: Vec<u32> = hashes.chunk_by(|a, b| a.0 == b.0).map(|equal| equal[0].1).collect();
        firsts.sort_unstable();
        for equal in hashes.chunk_by(|a, b| a.0 == b.0) {
            let number = firsts.partition_point(|&first| first < equal[0].1) as u32;
            equal.iter().for_each(|&(_, vertex)| self.group_of[vertex as usize] = number);
        }
        self.samples = firsts;
    }

    /// Groups the triangles between the same groups into patches.
    fn patch(&mut self) {
        let most = self.primitives.iter().map(|primitive| primitive.indices.len() / 3).sum();
        let mut triangles: Vec<([u32; 3], [u32; 2])> = Vec::with_capacity(most);
        for (number, (primitive, &first)) in self.primitives.iter().zip(&self.firsts).enumerate() {
            if primitive.topology != Topology::Triangles || primitive.influences.is_none() {
                continue;
            }
            let (corners, _) = primitive.indices.as_chunks::<3>();
            for (triangle, corners) in (0u32..).zip(corners) {
                if corners.iter().all(|&corner| (corner as usize) < primitive.positions.len()) {
                    let mut groups = corners.map(|corner| self.group_of[(first + corner) as usize]);
                    groups.sort_unstable();
                    triangles.push((groups, [number as u32, triangle]));
                }
            }
        }
        triangles.sort_unstable();
        let patches = triangles.chunk_by(|a, b| a.0 == b.0).count();
        self.patches.reserve_exact(patches);
        for alike in triangles.chunk_by(|a, b| a.0 == b.0) {
            let mut patch = Patch { groups: alike[0].0, area: 0.0, moment: DVec3::ZERO };
            for &(_, [primitive, triangle]) in alike {
                let (area, center) = area_and_center(self.primitives[primitive as usize], triangle as usize);
                if area.is_finite() && center.is_finite() {
                    patch.area += area;
                    patch.moment += center * area;
                }
            }
            if patch.area > 0.0 {
                self.patches.push(patch);
            }
        }
    }

    /// Returns the centres of each mesh's vertices, from the sums of each group: of areas times likeness, and of those times
    /// centroids. A vertex of a group without sums is its own centre.
    pub fn centers(&self, sums: &[[f64; 4]]) -> Vec<(usize, MeshCenters)> {
        let of_primitive = |(primitive, &first): (&&Primitive, &u32)| -> Vec<[f32; 3]> {
            if primitive.influences.is_none() {
                return Vec::new();
            }
            let center = |(vertex, position): (usize, &[f32; 3])| {
                let [area, x, y, z] = sums[self.group_of[first as usize + vertex] as usize];
                let center = DVec3::new(x, y, z) / area;
                if area > 0.0 && center.is_finite() { center.as_vec3().to_array() } else { *position }
            };
            primitive.positions.iter().enumerate().map(center).collect()
        };
        let mut all = self.primitives.iter().zip(&self.firsts).map(of_primitive);
        let ends = self.meshes.iter().skip(1).map(|mesh| mesh.1).chain([self.primitives.len()]);
        let counts = self.meshes.iter().zip(ends);
        counts.map(|(&(mesh, start), end)| (mesh, all.by_ref().take(end - start).collect())).collect()
    }
}

fn area_and_center(primitive: &Primitive, triangle: usize) -> (f64, DVec3) {
    let corner = |number: usize| {
        let index = primitive.indices[triangle * 3 + number];
        DVec3::from(primitive.positions[index as usize].map(f64::from))
    };
    let (a, b, c) = (corner(0), corner(1), corner(2));
    ((b - a).cross(c - a).length() / 2.0, (a + b + c) / 3.0)
}
