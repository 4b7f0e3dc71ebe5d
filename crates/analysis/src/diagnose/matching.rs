//! Finds the model's vertex for each given one.

use std::collections::HashMap;

use glam::DVec3;
use serde::Serialize;
use sinew_model::PrimitiveName;
use sinew_skinning::pairing::Tree;

use super::placement::Placement;
use super::subject::Subject;
use crate::vertices::{Given, Part};

/// The way in which vertices correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// By the file's order.
    Order,
    /// By the file's control points, of which vertices are corners.
    ControlPoints,
    /// By texture coordinates.
    TextureCoordinates,
    /// By place in the bind pose.
    BindPlace,
    /// By place in the pose itself: weaker, as a vertex near its right place counts as right.
    PosedPlace,
}

impl By {
    /// Returns it as the end of a sentence that begins with "matched".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Order => "by order",
            Self::ControlPoints => "by control point",
            Self::TextureCoordinates => "by texture coordinates",
            Self::BindPlace => "by place in the bind pose",
            Self::PosedPlace => "by place in the pose itself, which is weaker",
        }
    }
}

/// Pairs of vertices.
#[derive(Clone, Debug)]
pub struct Matching {
    /// The way.
    pub by: By,
    /// The matched part of the model: the whole, a mesh, a node or a primitive.
    pub of: String,
    /// Indices of our vertices and theirs.
    pub pairs: Vec<(u32, u32)>,
}

/// Vertices that fit no part of the model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "{theirs} vertices, but the model draws {ours} and no part of it has as many; the nearest are {nearest}; \
     give their bind pose with --bind, or texture coordinates"
)]
pub struct NoMatch {
    /// The number of given vertices.
    pub theirs: usize,
    /// The number of the model's.
    pub ours: usize,
    /// The parts with the nearest numbers.
    pub nearest: String,
}

impl NoMatch {
    /// Returns the error where no part is near.
    pub(super) fn none(theirs: usize, ours: usize) -> Self {
        Self { theirs, ours, nearest: "none".into() }
    }
}

/// Their vertices, all parts in one list.
pub(super) struct Theirs {
    pub(super) positions: Vec<DVec3>,
    /// A normal for each vertex, none for those of parts without.
    pub(super) normals: Vec<Option<[f64; 3]>>,
    pub(super) tangents: Vec<Option<[f64; 4]>>,
    pub(super) texcoords: Option<Vec<[f64; 2]>>,
}

impl Theirs {
    pub(super) fn of(given: &Given) -> Self {
        let positions = given.parts.iter().flat_map(|part| part.positions.iter().copied().map(DVec3::from));
        let positions: Vec<DVec3> = positions.collect();
        let texcoords: Option<Vec<&Vec<[f64; 2]>>> =
            given.parts.iter().map(|part| part.texcoords.as_ref()).collect();
        let count = positions.len();
        Self {
            positions,
            normals: stream(given, |part| part.normals.as_deref()),
            tangents: stream(given, |part| part.tangents.as_deref()),
            texcoords: texcoords
                .map(|all| all.into_iter().flatten().copied().collect::<Vec<_>>())
                .filter(|all| all.len() == count),
        }
    }
}

/// Lists what each vertex has, part after part.
fn stream<const N: usize>(given: &Given, of: impl Fn(&Part) -> Option<&[[f64; N]]>) -> Vec<Option<[f64; N]>> {
    let of = |part| {
        let rows = of(part).unwrap_or_default();
        (0..part.positions.len()).map(|vertex| rows.get(vertex).copied())
    };
    given.parts.iter().flat_map(of).collect()
}

/// A run of our vertices with a name.
struct Run {
    name: String,
    parts: Vec<usize>,
    len: usize,
}

/// Lists the runs of vertices that a file may hold: the whole, each mesh, each node, each primitive.
fn runs(subject: &Subject) -> Vec<Run> {
    let mut all = vec![Run {
        name: "the whole model".into(),
        parts: (0..subject.parts.len()).collect(),
        len: subject.len,
    }];
    let mut of_node: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut by_mesh: Vec<(usize, usize)> = Vec::new();
    for (number, part) in subject.parts.iter().enumerate() {
        by_mesh.push((part.instance.mesh, number));
        match of_node.last_mut().filter(|(instance, _)| *instance == part.number) {
            Some((_, parts)) => parts.push(number),
            None => of_node.push((part.number, vec![number])),
        }
    }
    let len = |parts: &[usize]| {
        parts.iter().filter_map(|part| subject.parts.get(*part)).map(super::subject::Part::len).sum()
    };
    by_mesh.sort_unstable();
    let in_mesh_order: Vec<usize> = by_mesh.into_iter().map(|(_, number)| number).collect();
    if !in_mesh_order.is_sorted() {
        all.push(Run {
            name: "the whole model, mesh after mesh".into(),
            len: subject.len,
            parts: in_mesh_order,
        });
    }
    for (instance, parts) in of_node {
        let node = subject.model.instances.get(instance).map_or(0, |instance| instance.node);
        let number = subject.model.rig.file_index.get(node).copied().unwrap_or_default();
        if parts.len() > 1 {
            all.push(Run { name: format!("node{number}"), len: len(&parts), parts });
        }
    }
    for (number, part) in subject.parts.iter().enumerate() {
        let name = PrimitiveName::of(subject.model, part.number, part.in_mesh).to_string();
        all.push(Run { name, parts: vec![number], len: part.len() });
    }
    all
}

/// Finds the matchings that the numbers of vertices, control points and texture coordinates allow.
///
/// # Errors
/// If there are none.
pub(super) fn candidates(
    subject: &Subject,
    theirs: &Theirs,
    bind: Option<&Theirs>,
) -> Result<Vec<Matching>, NoMatch> {
    if let Some(bind) = bind.filter(|bind| bind.positions.len() == theirs.positions.len()) {
        return Ok(vec![by_bind(subject, bind)]);
    }
    let runs = runs(subject);
    let count = theirs.positions.len();
    let mut found = Vec::new();
    for run in runs.iter().filter(|run| run.len == count && count > 0) {
        let ours = run.parts.iter().filter_map(|part| subject.parts.get(*part));
        let ours = ours.flat_map(|part| part.first..part.first + part.len());
        let pairs = ours.zip(0_u32..).map(|(ours, theirs)| (ours as u32, theirs)).collect();
        found.push(Matching { by: By::Order, of: run.name.clone(), pairs });
    }
    found.extend(runs.iter().filter_map(|run| by_control_points(subject, run, count)));
    if found.is_empty() {
        found.extend(by_texcoords(subject, theirs));
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let mut nearest: Vec<&Run> = runs.iter().collect();
    nearest.sort_by_key(|run| run.len.abs_diff(count));
    let nearest = nearest.into_iter().take(3).map(|run| format!("{} ({})", run.name, run.len));
    Err(NoMatch { theirs: count, ours: subject.len, nearest: nearest.collect::<Vec<_>>().join(", ") })
}

/// Matches a file of a mesh's control points, each of which is a corner of several vertices.
fn by_control_points(subject: &Subject, run: &Run, count: usize) -> Option<Matching> {
    let parts: Vec<&super::subject::Part> =
        run.parts.iter().filter_map(|part| subject.parts.get(*part)).collect();
    let instance = parts.first()?.number;
    let mut pairs = Vec::with_capacity(run.len);
    for part in parts {
        let points = part.primitive.control_points.as_ref().filter(|_| part.number == instance)?;
        pairs.extend((part.first as u32..).zip(points).map(|(vertex, point)| (vertex, *point)));
    }
    let most = pairs.iter().map(|(_, point)| *point).max()?;
    let is_whole = most as usize + 1 == count && count != run.len;
    is_whole.then(|| Matching { by: By::ControlPoints, of: run.name.clone(), pairs })
}

/// The grid on which texture coordinates count as the same.
const TEXTURE_GRID: f64 = 1e5;

/// Matches texture coordinates that only one place of the model has.
pub(super) fn by_texcoords(subject: &Subject, theirs: &Theirs) -> Option<Matching> {
    let given = theirs.texcoords.as_ref()?;
    let mut best: Option<Matching> = None;
    // Some programs count v from below.
    for is_flipped in [false, true] {
        let key = |[u, v]: [f64; 2], flip: bool| {
            let v = if flip { 1.0 - v } else { v };
            [(u * TEXTURE_GRID).round() as i64, (v * TEXTURE_GRID).round() as i64]
        };
        let mut known: HashMap<[i64; 2], Vec<u32>> = HashMap::new();
        for (number, uv) in given.iter().enumerate() {
            known.entry(key(*uv, is_flipped)).or_default().push(number as u32);
        }
        let mut pairs = Vec::new();
        for part in &subject.parts {
            let Some(set) = part.primitive.texcoords.first() else { continue };
            for (at, uv) in set.iter().enumerate() {
                let Some(found) = known.get(&key(uv.map(f64::from), false)) else { continue };
                // Several are one place if they lie together.
                let positions = found.iter().filter_map(|at| theirs.positions.get(*at as usize));
                let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                positions.for_each(|at| (low, high) = (low.min(*at), high.max(*at)));
                if (high - low).abs().max_element() <= 1e-9 * high.abs().max_element().max(1e-9) {
                    pairs.extend(found.first().map(|theirs| ((part.first + at) as u32, *theirs)));
                }
            }
        }
        if 2 * pairs.len() > subject.len && best.as_ref().is_none_or(|best| best.pairs.len() < pairs.len()) {
            let of = "the vertices with texture coordinates of their own".to_owned();
            best = Some(Matching { by: By::TextureCoordinates, of, pairs });
        }
    }
    best
}

/// Matches their bind pose with the stored positions, with normals and texture coordinates to choose between vertices at one
/// place.
fn by_bind(subject: &Subject, bind: &Theirs) -> Matching {
    let stored: Vec<DVec3> = (0..subject.len).map(|vertex| subject.stored(vertex)).collect();
    let size = extent(&stored);
    let placement = by_boxes(&stored, &bind.positions);
    let theirs: Vec<DVec3> = bind.positions.iter().map(|at| placement.undo(*at)).collect();
    let tree = Tree::new(theirs.iter().copied());
    let mut pairs = Vec::new();
    let mut near = Vec::new();
    for part in &subject.parts {
        for at in 0..part.len() {
            let Some(&ours) = stored.get(part.first + at) else { continue };
            let Some((nearest, distance)) = tree.nearest(ours, size * 1e-3) else { continue };
            near.clear();
            tree.within(ours, distance + size * 1e-7, &mut near);
            let normal = part.primitive.normals.as_ref().and_then(|normals| normals.get(at));
            let uv = part.primitive.texcoords.first().and_then(|set| set.get(at));
            let misfit = |number: u32| {
                let theirs = bind.normals.get(number as usize).copied().flatten();
                let turned = normal.zip(theirs).map_or(0.0, |(ours, theirs)| {
                    placement.undo_direction(theirs.into()).distance(DVec3::from(ours.map(f64::from)))
                });
                let theirs = bind.texcoords.as_ref().and_then(|all| all.get(number as usize));
                let moved = uv.zip(theirs).map_or(0.0, |(ours, theirs)| {
                    let [u, v] = [0, 1].map(|axis| (f64::from(ours[axis]) - theirs[axis]).abs());
                    let flipped = (f64::from(ours[1]) - 1.0 + theirs[1]).abs();
                    u + v.min(flipped)
                });
                turned + moved
            };
            let best = near.iter().copied().min_by(|a, b| misfit(*a).total_cmp(&misfit(*b)).then(a.cmp(b)));
            pairs.push(((part.first + at) as u32, best.unwrap_or(nearest)));
        }
    }
    Matching { by: By::BindPlace, of: "the bind pose".into(), pairs }
}

/// Matches each of our posed vertices with the nearest of theirs.
pub(super) fn by_pose(ours: &[DVec3], theirs: &Theirs, placement: &Placement, size: f64) -> Matching {
    let tree = Tree::new(theirs.positions.iter().map(|at| placement.undo(*at)));
    let nearest = |ours: DVec3| tree.nearest(ours, size).map(|(theirs, _)| theirs);
    let pairs = (0_u32..).zip(ours).filter_map(|(number, ours)| Some((number, nearest(*ours)?)));
    Matching { by: By::PosedPlace, of: "the whole model".into(), pairs: pairs.collect() }
}

/// Finds the axes and unit that take the box of our points to that of theirs.
pub(super) fn by_boxes(ours: &[DVec3], theirs: &[DVec3]) -> Placement {
    let limits = |points: &[DVec3]| {
        points
            .iter()
            .filter(|point| point.is_finite())
            .fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], point| {
                [low.min(*point), high.max(*point)]
            })
    };
    let (from, to) = (limits(ours), limits(theirs));
    let apart = [from[0] - to[0], from[1] - to[1]].map(|side| side.abs().max_element());
    if apart.into_iter().fold(0.0, f64::max) <= 1e-3 * (to[1] - to[0]).length() {
        return Placement::SAME;
    }
    let tree = Tree::new(theirs.iter().copied());
    let misfit = |found: &Placement| {
        let sample = ours.iter().step_by((ours.len() / 200).max(1));
        sample
            .map(|at| tree.nearest(found.apply(*at), f64::INFINITY).map_or(0.0, |(_, far)| far))
            .sum::<f64>()
    };
    let boxes = sinew_skinning::pairing::Similarity::of_boxes(from, to).into_iter();
    let placements = boxes.map(|found| Placement {
        scale: found.scale,
        axes: glam::DMat3::from_quat(found.rotation),
        shift: found.shift,
    });
    placements.min_by(|a, b| misfit(a).total_cmp(&misfit(b))).unwrap_or(Placement::SAME)
}

/// Returns the length of the diagonal of the points' box, at least a little.
pub(super) fn extent(points: &[DVec3]) -> f64 {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    points
        .iter()
        .filter(|point| point.is_finite())
        .for_each(|at| (low, high) = (low.min(*at), high.max(*at)));
    let size = (high - low).length();
    if size.is_finite() && size > 0.0 { size } else { 1.0 }
}
