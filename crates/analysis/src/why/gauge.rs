//! The measure at a joint: its cross-sections, or else the vertices that bend there.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use sinew_model::{Model, VertexIndex};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::reference_vertices;
use sinew_skinning::{Drawn, SkinningMode};

use crate::deformation::{Shape, TooLarge};
use crate::moved::{BENDS, Descent, is_bent, shares};

/// The maximum number of measured vertices that bend at a joint.
const MAX_VERTICES: usize = 2000;

/// A measure of the surface at a joint.
#[derive(Clone, Debug)]
pub struct Gauge {
    /// The joint's node.
    pub node: usize,
    /// The section's index; `None` for the spread of vertices.
    section: Option<usize>,
    /// The size in the bind pose, in metres.
    pub size_m: f64,
    /// The vertices, as indices in the list of all posed ones.
    vertices: Vec<usize>,
}

/// All gauges, and the vertices that they need.
pub struct Gauges {
    shape: Shape,
    descent: Descent,
    /// The gauges.
    pub list: Vec<Gauge>,
    /// The vertices to pose, with those of one primitive consecutive.
    pub vertices: Vec<VertexIndex>,
    /// For each of them, the welded point that follows it.
    points: Vec<Option<u32>>,
    point_count: usize,
}

/// Memory for one frame.
#[derive(Default)]
pub struct Places {
    /// The position of each vertex.
    of_vertices: Vec<DVec3>,
    /// The position of each welded point.
    of_points: Vec<DVec3>,
}

impl Gauges {
    /// Makes the gauges of some joints, or of all that have a section.
    ///
    /// # Errors
    /// If the model draws more than can be measured.
    pub fn new(model: &Model, nodes: Option<&[usize]>) -> Result<Self, TooLarge> {
        let shape = Shape::new(model)?;
        let descent = Descent::new(model);
        let is_asked = |node: usize| nodes.is_none_or(|nodes| nodes.contains(&node));
        let mut list = Vec::new();
        let mut wanted: Vec<(VertexIndex, Option<u32>)> = Vec::new();
        let mut known: HashMap<([usize; 3], bool), usize> = HashMap::new();
        let mut number = |vertex: VertexIndex, point: Option<u32>| {
            *known
                .entry(([vertex.instance, vertex.primitive, vertex.vertex], point.is_some()))
                .or_insert_with(|| {
                    wanted.push((vertex, point));
                    wanted.len() - 1
                })
        };
        for (section, found) in shape.sections().iter().enumerate().filter(|(_, found)| is_asked(found.node))
        {
            let points = shape.points_of_section(section);
            let cut = points.iter().map(|(_, place)| VertexIndex::from(*place));
            if !is_bent(model, (&descent, found.node), cut) {
                continue;
            }
            let vertices =
                points.into_iter().map(|(point, place)| number(place.into(), Some(point))).collect();
            list.push(Gauge { node: found.node, section: Some(section), size_m: found.radius, vertices });
        }
        let measured: HashSet<usize> = list.iter().map(|gauge| gauge.node).collect();
        let mut bind = Pose::default();
        bind.set_bind(&model.rig);
        for &node in nodes.unwrap_or_default().iter().filter(|node| !measured.contains(*node)) {
            let vertices: Vec<usize> =
                bending(model, node).into_iter().map(|vertex| number(vertex, None)).collect();
            list.push(Gauge { node, section: None, size_m: 0.0, vertices });
        }
        let (list, vertices, points) = sorted(list, wanted);
        let point_count = shape.counts().points;
        let mut gauges = Self { shape, descent, list, vertices, points, point_count };
        let mut places = Places::default();
        gauges.pose(model, SkinningMode::Linear, &bind, &mut places);
        let sizes: Vec<f64> = gauges.list.iter().map(|gauge| spread(gauge, &places)).collect();
        for (gauge, size) in gauges.list.iter_mut().zip(sizes).filter(|(gauge, _)| gauge.section.is_none()) {
            gauge.size_m = size;
        }
        gauges.list.retain(|gauge| gauge.size_m.is_normal());
        Ok(gauges)
    }

    /// Poses all vertices in a mode.
    pub fn pose(&self, model: &Model, mode: SkinningMode, pose: &Pose, places: &mut Places) {
        places.of_vertices.clear();
        places.of_points.resize(self.point_count, DVec3::NAN);
        reference_vertices(model, mode, pose, &self.vertices, |number, found| {
            let place = found.unwrap_or(DVec3::NAN);
            places.of_vertices.push(place);
            if let Some(point) = self.points.get(number).copied().flatten()
                && let Some(at) = places.of_points.get_mut(point as usize)
            {
                *at = place;
            }
        });
    }

    /// Returns the share of its size that a gauge keeps; `None` if a position is not finite.
    pub fn kept(&self, gauge: &Gauge, places: &Places) -> Option<f64> {
        let ratio = match gauge.section {
            Some(section) => self.shape.section_ratio(section, &places.of_points),
            None => spread(gauge, places) / gauge.size_m,
        };
        ratio.is_finite().then_some(ratio)
    }
}

impl Gauge {
    /// Returns true if it is a cross-section.
    pub fn is_section(&self) -> bool {
        self.section.is_some()
    }

    /// Returns the vertices that bend at the joint.
    pub fn bending(&self, model: &Model, gauges: &Gauges) -> Vec<VertexIndex> {
        let all = self.vertices.iter().filter_map(|number| gauges.vertices.get(*number).copied());
        let share = |vertex: &VertexIndex| gauges.descent.share(model, self.node, *vertex);
        all.filter(|vertex| (BENDS..=1.0 - BENDS).contains(&share(vertex))).collect()
    }
}

/// Puts the vertices in the order of primitives.
#[allow(clippy::type_complexity, reason = "three lists that belong together")]
fn sorted(
    mut list: Vec<Gauge>,
    wanted: Vec<(VertexIndex, Option<u32>)>,
) -> (Vec<Gauge>, Vec<VertexIndex>, Vec<Option<u32>>) {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|number| wanted.get(*number).map(|(v, _)| (v.instance, v.primitive, v.vertex)));
    let mut new = vec![0; wanted.len()];
    for (place, number) in order.iter().enumerate() {
        if let Some(new) = new.get_mut(*number) {
            *new = place;
        }
    }
    let renumber = |number: &mut usize| *number = new.get(*number).copied().unwrap_or_default();
    list.iter_mut().flat_map(|gauge| &mut gauge.vertices).for_each(renumber);
    let (vertices, points) = order.iter().filter_map(|number| wanted.get(*number).copied()).unzip();
    (list, vertices, points)
}

/// Returns the root mean square distance of a gauge's vertices from their centre.
fn spread(gauge: &Gauge, places: &Places) -> f64 {
    let places = || gauge.vertices.iter().filter_map(|number| places.of_vertices.get(*number));
    let count = places().count().max(1) as f64;
    let centre = places().sum::<DVec3>() / count;
    (places().map(|place| place.distance_squared(centre)).sum::<f64>() / count).sqrt()
}

/// Returns the vertices that bend at a joint, or some of them.
fn bending(model: &Model, node: usize) -> Vec<VertexIndex> {
    let drawn = Drawn::new(model);
    let shares = shares(model, node, &drawn);
    let primitives = model.instances.iter().enumerate().flat_map(|(instance, found)| {
        let count = model.meshes.get(found.mesh).map_or(0, |mesh| mesh.primitives.len());
        (0..count).map(move |primitive| (instance, primitive))
    });
    let all = primitives.zip(drawn.primitives()).flat_map(|((instance, primitive), vertices)| {
        let index = move |vertex: &u32| VertexIndex { instance, primitive, vertex: *vertex as usize };
        vertices.iter().map(index)
    });
    let bends = all.zip(&shares).filter(|(_, share)| (BENDS..=1.0 - BENDS).contains(*share));
    let bends: Vec<VertexIndex> = bends.map(|(vertex, _)| vertex).collect();
    let stride = bends.len().div_ceil(MAX_VERTICES).max(1);
    bends.into_iter().step_by(stride).collect()
}
