//! Finds, for each drawn vertex of one model, its place on another: the same vertex, or a point of the same primitive's
//! surface; and one model's motion in the other. It must not know what is measured or drawn with that.

mod motion;
mod partners;
mod surface;

pub use motion::{ClipPairs, clip_name, find_clip, no_clip};
pub use partners::{By, Found, Partners};
pub use surface::{SurfacePoint, SurfaceTree};

use glam::DVec3;
use serde::Serialize;
use sinew_model::{Model, Primitive, PrimitiveName, Topology};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, reference_surfaces};
use sinew_skinning::{Drawn, SkinningMode};

/// How the vertices of two primitives belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// Both have as many vertices: by their order.
    Order,
    /// By the nearest point of the other's surface in the bind pose.
    Surface,
}

/// Two primitives that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairName {
    /// The old one's name.
    pub old: String,
    /// The new one's.
    pub new: String,
    /// How their vertices belong together.
    pub how: How,
}

/// Where an old vertex is on the new model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spot {
    /// It is this vertex.
    Vertex(u32),
    /// It is this point.
    Point(SurfacePoint),
}

impl Spot {
    /// The value of a stream of the new model here.
    pub fn on(self, stream: &[[f64; 3]]) -> Option<DVec3> {
        let of = |vertex: u32| stream.get(vertex as usize).map(|value| DVec3::from_array(*value));
        match self {
            Self::Vertex(vertex) => of(vertex),
            Self::Point(point) => {
                let corners = point.corners.into_iter().zip(point.shares);
                corners.map(|(corner, share)| Some(of(corner)? * share)).sum()
            }
        }
    }
}

/// The partners of one primitive's drawn vertices.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The number of the primitive among the old model's.
    pub old: usize,
    /// Among the new model's.
    pub new: usize,
    /// Each drawn vertex of the old primitive with its spot.
    pub spots: Vec<(u32, Spot)>,
}

/// Everything that belongs together.
pub struct Pairing {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// The pairs by name.
    pub names: Vec<PairName>,
    /// Primitives that only one of the models has.
    pub alone: [Vec<String>; 2],
}

impl Pairing {
    /// Pairs the primitives of two models: by the names of their nodes, then of their meshes, then by order.
    pub fn new(old: &Model, new: &Model) -> Self {
        let [old_bind, new_bind] = [old, new].map(bind_pose);
        let (a, b) = (found(old), found(new));
        let drawn = Drawn::new(old);
        let drawn: Vec<&[u32]> = drawn.primitives().collect();
        let partners = Partners::new(&a, &b, [By::Node, By::Mesh, By::Order]);
        let (mut pairs, mut names) = (Vec::new(), Vec::new());
        for (number, (primitive, partner)) in a.iter().zip(&partners.of_first).enumerate() {
            let Some(partner) = *partner else { continue };
            let (Some(other), Some(vertices)) = (b.get(partner), drawn.get(number)) else { continue };
            let (Some(here), Some(there)) = (old_bind.get(number), new_bind.get(partner)) else { continue };
            let (how, spots) = spots(vertices, (here, primitive.primitive), (there, other.primitive));
            pairs.push(Pair { old: number, new: partner, spots });
            names.push(PairName { old: name(old, primitive), new: name(new, other), how });
        }
        let [only_old, only_new] = partners.alone;
        let named = |model, found: &[Found], alone: Vec<usize>| {
            alone.into_iter().filter_map(|number| found.get(number)).map(|found| name(model, found)).collect()
        };
        Self { pairs, names, alone: [named(old, &a, only_old), named(new, &b, only_new)] }
    }

    /// How far each vertex of the old model is from its place on the new one, in metres, for each of the old primitives;
    /// vertices without a place are at 0.
    pub fn distances(&self, old: &[SkinnedPrimitive<f64>], new: &[SkinnedPrimitive<f64>]) -> Vec<Vec<f64>> {
        let mut metres: Vec<Vec<f64>> = old.iter().map(|old| vec![0.0; old.positions.len()]).collect();
        for pair in &self.pairs {
            let (Some(old), Some(new)) = (old.get(pair.old), new.get(pair.new)) else { continue };
            let Some(metres) = metres.get_mut(pair.old) else { continue };
            for &(vertex, spot) in &pair.spots {
                let vertex = vertex as usize;
                let (Some(position), Some(place)) = (old.positions.get(vertex), spot.on(&new.positions))
                else {
                    continue;
                };
                if let Some(metres) = metres.get_mut(vertex) {
                    *metres = DVec3::from_array(*position).distance(place);
                }
            }
        }
        metres
    }

    /// How many vertices have a partner.
    pub fn count(&self) -> usize {
        self.pairs.iter().map(|pair| pair.spots.len()).sum()
    }
}

fn bind_pose(model: &Model) -> Vec<SkinnedPrimitive<f64>> {
    let (mut pose, mut skinned) = (Pose::default(), Vec::new());
    pose.set(model, &PoseChoice::Bind);
    reference_surfaces(model, SkinningMode::Rigid, &pose, &mut skinned);
    skinned
}

/// Everything that instances draw, in the order of [`Drawn`].
fn found(model: &Model) -> Vec<Found<'_>> {
    let instances = model.instances.iter().enumerate();
    let of_instance = instances.flat_map(|(number, instance)| {
        let primitives = model.meshes.get(instance.mesh).map_or(0, |mesh| mesh.primitives.len());
        (0..primitives).filter_map(move |primitive| Found::new(model, number, primitive))
    });
    of_instance.collect()
}

fn name(model: &Model, found: &Found) -> String {
    PrimitiveName::of(model, found.instance, found.number).to_string()
}

fn spots(
    vertices: &[u32],
    (here, old): (&SkinnedPrimitive<f64>, &Primitive),
    (there, new): (&SkinnedPrimitive<f64>, &Primitive),
) -> (How, Vec<(u32, Spot)>) {
    if old.positions.len() == new.positions.len() {
        return (How::Order, vertices.iter().map(|&vertex| (vertex, Spot::Vertex(vertex))).collect());
    }
    let (triangles, _) = match new.topology {
        Topology::Triangles => new.indices.as_chunks::<3>(),
        Topology::Lines | Topology::Points => Default::default(),
    };
    let tree = SurfaceTree::new(&there.positions, triangles.iter().copied());
    let spot = |&vertex: &u32| {
        let position = here.positions.get(vertex as usize)?;
        let (point, _) = tree.nearest(DVec3::from_array(*position))?;
        Some((vertex, Spot::Point(point)))
    };
    (How::Surface, vertices.iter().filter_map(spot).collect())
}
