//! Finds, for each drawn vertex of one model, its place on another: the same vertex, or a point of the same primitive's
//! surface.

use std::collections::{HashMap, HashSet, VecDeque};

use glam::DVec3;
use serde::Serialize;
use sinew_model::{Model, Primitive, PrimitiveName, Topology};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{SkinnedPrimitive, reference_surfaces};
use sinew_skinning::{Drawn, SkinningMode};

use super::surface::{SurfacePoint, SurfaceTree};

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

/// The partners of one primitive's drawn vertices.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// The number of the primitive among the old model's.
    pub old: usize,
    /// Among the new model's.
    pub new: usize,
    /// Each drawn vertex of the old primitive with its spot.
    pub spots: Vec<(u32, Spot)>,
}

/// Everything that belongs together.
pub struct Pairing {
    pub(super) pairs: Vec<Pair>,
    /// The pairs by name.
    pub names: Vec<PairName>,
    /// Primitives that only one of the models has.
    pub alone: [Vec<String>; 2],
}

/// A primitive of an instance.
struct Found<'a> {
    name: String,
    node: &'a str,
    mesh: &'a str,
    primitive: &'a Primitive,
}

impl Pairing {
    /// Pairs the primitives of two models: by the names of their nodes, then of their meshes, then by order.
    pub fn new(old: &Model, new: &Model) -> Self {
        let [old_bind, new_bind] = [old, new].map(bind_pose);
        let (a, b) = (found(old), found(new));
        let drawn = Drawn::new(old);
        let drawn: Vec<&[u32]> = drawn.primitives().collect();
        let mut pairing = Self { pairs: Vec::new(), names: Vec::new(), alone: [Vec::new(), Vec::new()] };
        let partners = partners(&a, &b);
        for (number, (primitive, partner)) in a.iter().zip(&partners).enumerate() {
            let Some(partner) = *partner else {
                pairing.alone[0].push(primitive.name.clone());
                continue;
            };
            let (Some(other), Some(vertices)) = (b.get(partner), drawn.get(number)) else { continue };
            let (Some(here), Some(there)) = (old_bind.get(number), new_bind.get(partner)) else { continue };
            let (how, spots) = spots(vertices, (here, primitive.primitive), (there, other.primitive));
            pairing.pairs.push(Pair { old: number, new: partner, spots });
            pairing.names.push(PairName { old: primitive.name.clone(), new: other.name.clone(), how });
        }
        let taken: HashSet<usize> = partners.iter().copied().flatten().collect();
        let others = b.iter().enumerate().filter(|(number, _)| !taken.contains(number));
        pairing.alone[1] = others.map(|(_, primitive)| primitive.name.clone()).collect();
        pairing
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

fn found(model: &Model) -> Vec<Found<'_>> {
    let instances = model.instances.iter().enumerate();
    let of_instance = instances.filter_map(|(number, instance)| {
        let mesh = model.meshes.get(instance.mesh)?;
        let node = model.rig.names.get(instance.node).map_or("", String::as_str);
        Some(mesh.primitives.iter().enumerate().map(move |(p, primitive)| Found {
            name: PrimitiveName::of(model, number, p).to_string(),
            node,
            mesh: &mesh.name,
            primitive,
        }))
    });
    of_instance.flatten().collect()
}

/// Makes a key by which primitives belong together; `None` for one without a name.
type Key = fn(&Found<'_>) -> Option<(String, usize)>;

/// For each primitive of `a` the number of its partner.
fn partners(a: &[Found], b: &[Found]) -> Vec<Option<usize>> {
    let mut partners = vec![None; a.len()];
    let mut is_free = vec![true; b.len()];
    let keys: [Key; 3] =
        [|found| key(found.node, found), |found| key(found.mesh, found), |_| Some((String::new(), 0))];
    for key in keys {
        let mut waiting: HashMap<(String, usize), VecDeque<usize>> = HashMap::new();
        for (number, found) in b.iter().enumerate().filter(|(number, _)| is_free[*number]) {
            if let Some(key) = key(found) {
                waiting.entry(key).or_default().push_back(number);
            }
        }
        for (found, partner) in a.iter().zip(&mut partners).filter(|(_, partner)| partner.is_none()) {
            let queue = key(found).and_then(|key| waiting.get_mut(&key));
            *partner = queue.and_then(VecDeque::pop_front);
            if let Some(taken) = *partner {
                is_free[taken] = false;
            }
        }
    }
    partners
}

fn key(name: &str, found: &Found) -> Option<(String, usize)> {
    (!name.is_empty()).then(|| (name.to_owned(), found.primitive.file_index))
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
