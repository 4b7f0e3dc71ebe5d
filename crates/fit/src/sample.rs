//! Points of a model, and their wanted places in poses.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use sinew_model::{Model, Primitive, Topology};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::{posed, skin_of, world_from_bind};

use crate::problem::{Point, Problem};
use crate::target::Target;

/// The points of a model, and the point of each vertex.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The points.
    pub points: Vec<Point>,
    /// The primitives that joints move.
    pub parts: Vec<Part>,
    /// The number of each skin's first joint among those of all skins.
    pub first_joints: Vec<usize>,
    /// The number of joints of all skins.
    pub joints: usize,
}

/// A primitive of an instance that joints move.
#[derive(Clone, Debug)]
pub struct Part {
    /// The index of the instance.
    pub instance: usize,
    /// The index of the primitive in the instance's mesh.
    pub primitive: usize,
    /// The index of the skin.
    pub skin: usize,
    /// The point of each vertex.
    pub points: Vec<u32>,
}

/// The most places of points in all poses, of 24 bytes each.
const MAX_PLACES: usize = 20_000_000;

/// The joints, their weights and the place of a vertex, to the bit.
type Key = (Vec<(u32, u64)>, [u32; 3]);

impl Layout {
    /// Welds vertices with the same place, joints and weights to points.
    pub fn new(model: &Model) -> Self {
        let mut layout = Self::default();
        for skin in &model.skins {
            layout.first_joints.push(layout.joints);
            layout.joints += skin.joints.len();
        }
        let mut known: BTreeMap<Key, u32> = BTreeMap::new();
        let mut edges: Vec<BTreeSet<u32>> = Vec::new();
        for (instance, drawn) in model.instances.iter().enumerate() {
            let (Some(mesh), Some(skin)) = (model.meshes.get(drawn.mesh), drawn.skin) else { continue };
            for (number, primitive) in mesh.primitives.iter().enumerate() {
                if skin_of(model, drawn, primitive.influences.is_some()).is_some() {
                    let points = layout.weld(primitive, skin, &mut known);
                    edges.resize(layout.points.len(), BTreeSet::new());
                    connect(primitive, &points, &mut edges);
                    layout.parts.push(Part { instance, primitive: number, skin, points });
                }
            }
        }
        layout.sort(known.into_values().collect(), &edges);
        layout
    }

    /// Puts points in this order, which depends on them alone, so that the order of vertices does not matter.
    fn sort(&mut self, order: Vec<u32>, edges: &[BTreeSet<u32>]) {
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, point)| places[*point as usize] = place as u32);
        let sorted = |point: &u32| {
            let neighbours: BTreeSet<u32> =
                edges[*point as usize].iter().map(|one| places[*one as usize]).collect();
            let neighbours = neighbours.into_iter().collect();
            Point { neighbours, ..self.points[*point as usize].clone() }
        };
        self.points = order.iter().map(sorted).collect();
        for point in self.parts.iter_mut().flat_map(|part| &mut part.points) {
            *point = places[*point as usize];
        }
    }

    /// Returns the point of each vertex, and adds new ones.
    fn weld(&mut self, primitive: &Primitive, skin: usize, known: &mut BTreeMap<Key, u32>) -> Vec<u32> {
        let first = self.first_joints[skin];
        let weld = |(vertex, position): (usize, &[f32; 3])| {
            let mut influences: Vec<(u32, f64)> = Vec::new();
            for span in 0..primitive.influences.as_ref().map_or(0, |influences| influences.spans.len()) {
                let row = primitive.influences.as_ref().map(|influences| influences.of_vertex(span, vertex));
                let (joints, weights) = row.unwrap_or_default();
                let used = joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
                influences.extend(used.map(|(joint, weight)| {
                    // A point without a joint follows one more that never moves.
                    let joint = usize::try_from(joint).map_or(self.joints, |joint| first + joint);
                    (joint as u32, f64::from(weight))
                }));
            }
            let bits = influences.iter().map(|(joint, weight)| (*joint, weight.to_bits())).collect();
            let key = (bits, position.map(|number| (number + 0.0).to_bits()));
            let (points, count) = (&mut self.points, self.joints);
            *known.entry(key).or_insert_with(|| {
                let at = DVec3::from_array(position.map(f64::from));
                // Files have no weights for "no joint".
                let is_fixed = influences.iter().any(|(joint, _)| *joint as usize == count);
                points.push(Point { at, influences, neighbours: Vec::new(), is_fixed });
                (points.len() - 1) as u32
            })
        };
        primitive.positions.iter().enumerate().map(weld).collect()
    }

    /// Returns the number of poses that have room in memory at a time.
    pub fn poses_at_once(&self) -> usize {
        MAX_PLACES / self.points.len().max(1)
    }

    /// Samples a deformation in poses.
    pub fn sample(&self, model: &Model, target: &Target, poses: &[PoseChoice]) -> Problem {
        let sampled = poses.par_iter().map(|choice| {
            let (mut pose, mut surfaces) = (Pose::default(), Vec::new());
            pose.set(model, choice);
            target.surfaces(model, &mut pose, choice.time_secs(), &mut surfaces);
            let joints = self.joints(model, &pose);
            let mut wanted = vec![DVec3::NAN; self.points.len()];
            for part in &self.parts {
                let is_part = |one: &&posed::SkinnedPrimitive<f64>| {
                    (one.instance, one.primitive) == (part.instance, part.primitive)
                };
                let places = surfaces.iter().find(is_part).into_iter().flat_map(|one| &one.positions);
                for (point, place) in part.points.iter().zip(places) {
                    let place = DVec3::from_array(*place);
                    if place.is_finite() {
                        wanted[*point as usize] = place;
                    }
                }
            }
            for (wanted, point) in wanted.iter_mut().zip(&self.points) {
                if !wanted.is_finite() {
                    let of = |(joint, weight): &(u32, f64)| {
                        joints[*joint as usize].transform_point3(point.at) * *weight
                    };
                    *wanted = point.influences.iter().map(of).sum();
                }
            }
            (joints, wanted)
        });
        let (joints, wanted) = sampled.collect::<Vec<_>>().into_iter().unzip();
        Problem { points: self.points.clone(), joints, wanted }
    }

    /// Returns the transforms of all joints from the bind pose, and that of no joint.
    pub fn joints(&self, model: &Model, pose: &Pose) -> Vec<DAffine3> {
        let joints = model.skins.iter().flat_map(|skin| world_from_bind(skin, pose));
        joints.map(DAffine3::from_mat4).chain([DAffine3::IDENTITY]).collect()
    }

    /// Returns the skin of a joint, and its number there; `None` for no joint.
    pub fn joint(&self, number: usize) -> Option<(usize, usize)> {
        let skin = self.first_joints.iter().rposition(|first| *first <= number)?;
        (number < self.joints).then(|| (skin, number - self.first_joints[skin]))
    }
}

/// Adds the edges of a primitive's triangles.
fn connect(primitive: &Primitive, points: &[u32], edges: &mut [BTreeSet<u32>]) {
    if primitive.topology != Topology::Triangles {
        return;
    }
    for triangle in primitive.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| points[triangle[corner] as usize]);
        for (one, other) in [(a, b), (b, c), (c, a)] {
            if one != other {
                edges[one as usize].insert(other);
                edges[other as usize].insert(one);
            }
        }
    }
}
