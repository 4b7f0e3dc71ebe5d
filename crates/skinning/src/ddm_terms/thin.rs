//! Drops terms that a model's clips do not need, and measures how far vertices move by what was dropped. It must not depend
//! on how terms are found.

use super::{Watch, row};
use crate::affine::transform_position;
use crate::palette::world_from_bind_into;
use crate::pose::{Pose, PoseChoice};
use crate::{Slot, VertexSkin, direct_delta_mush};
use glam::{DVec3, Vec3};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use sinew_model::{DdmRow, DdmRows, DdmTerm, Mesh, Model};
use std::collections::BTreeSet;

/// The most poses in which terms are measured.
const MAX_POSES: usize = 256;

/// The fewest poses of a measured clip, unless the slots have less room.
const MIN_POSES_OF_CLIP: usize = 5;

/// The most slots of all poses together.
const MAX_SLOTS: usize = 1 << 20;

/// The number of points between two calls of the callback.
const POINTS_BETWEEN: usize = 1 << 10;

/// Poses of a model's clips, as palettes of the skins that draw a mesh.
#[derive(Default)]
pub struct Poses {
    slots: Vec<Vec<Slot>>,
    /// The number of moments.
    pub count: usize,
}

impl Poses {
    /// Returns moments spread evenly over clips. If all clips do not fit, it leaves some out, at equal steps.
    pub fn of(model: &Model, mesh: usize) -> Self {
        let drawn = model.instances.iter().filter(|instance| instance.mesh == mesh);
        let skins: BTreeSet<usize> = drawn.filter_map(|instance| instance.skin).collect();
        let skins: Vec<_> = skins.into_iter().filter_map(|skin| model.skins.get(skin)).collect();
        let joints: usize = skins.iter().map(|skin| skin.joints.len()).sum();
        let most = (MAX_SLOTS / joints.max(1)).clamp(1, MAX_POSES);
        let fewest = most.min(MIN_POSES_OF_CLIP);
        let stride = model.clips.len().saturating_mul(fewest).div_ceil(most).max(1);
        let of_clip = most / model.clips.len().div_ceil(stride).max(1);
        let mut poses = Self::default();
        let (mut pose, mut matrices) = (Pose::default(), Vec::new());
        for (number, clip) in model.clips.iter().enumerate().step_by(stride) {
            let period = model.period_of(clip);
            for step in 0..of_clip {
                let time_secs = period.at(step as f64 / of_clip.saturating_sub(1).max(1) as f64);
                pose.set(model, &PoseChoice::clip(number, time_secs));
                for skin in &skins {
                    world_from_bind_into(skin, &pose, &mut matrices);
                    poses.slots.push(matrices.iter().map(direct_delta_mush::slot).collect());
                }
                poses.count += 1;
            }
        }
        poses
    }

    /// The numbers of all palettes: equal poses have equal numbers.
    pub fn numbers(&self) -> impl Iterator<Item = &[f32]> {
        self.slots.iter().flatten().map(|slot| slot.columns.as_flattened())
    }

    /// Moves a vertex in each pose.
    fn moved<'a>(&'a self, row: DdmRow<'a>, position: [f32; 3]) -> impl Iterator<Item = Vec3> + 'a {
        self.slots.iter().map(move |slots| moved(slots, row, position))
    }
}

fn moved(slots: &[Slot], row: DdmRow<'_>, position: [f32; 3]) -> Vec3 {
    let joint = [[-1; 4]];
    let vertex = VertexSkin { ddm: Some(row), position, ..VertexSkin::of_joint(&joint) };
    Vec3::from(transform_position(&direct_delta_mush::blend(slots, &vertex), position))
}

/// Returns the position of the first vertex at each point.
fn positions(mesh: &Mesh, rows: &DdmRows) -> Vec<[f32; 3]> {
    let mut positions = vec![None; rows.centers.len()];
    for (primitive, points) in mesh.primitives.iter().zip(&rows.points) {
        for (position, &point) in primitive.positions.iter().zip(points) {
            if let Some(place) = positions.get_mut(point as usize) {
                place.get_or_insert(*position);
            }
        }
    }
    positions.into_iter().map(Option::unwrap_or_default).collect()
}

/// Returns the largest distance of a vertex between two choices of terms of a mesh, over all poses.
pub fn distance(mesh: &Mesh, rows: [&DdmRows; 2], poses: &Poses) -> f64 {
    let positions = positions(mesh, rows[0]);
    let of_point = |(point, position): (usize, [f32; 3])| -> f64 {
        let [Some(a), Some(b)] = rows.map(|rows| rows.of_point(point as u32)) else { return 0.0 };
        let distances = poses.moved(a, position).zip(poses.moved(b, position));
        distances.map(|(a, b)| f64::from(a.distance(b))).fold(0.0, larger)
    };
    positions.into_iter().enumerate().collect::<Vec<_>>().into_par_iter().map(of_point).reduce(|| 0.0, larger)
}

/// Returns the larger number, or that which is none.
fn larger(most: f64, number: f64) -> f64 {
    if number > most || number.is_nan() { number } else { most }
}

/// The kept terms of a point.
struct Kept {
    center: [f32; 3],
    terms: Vec<DdmTerm>,
}

/// Keeps as few of each point's terms as move it by at most a distance in the poses; `None` if `watch` stopped it. Without
/// poses all terms stay.
pub fn thin(mesh: &Mesh, rows: DdmRows, poses: &Poses, within: f64, watch: &Watch) -> Option<DdmRows> {
    if poses.count == 0 {
        return Some(rows);
    }
    let positions = positions(mesh, &rows);
    let count = positions.len();
    let mut out = DdmRows {
        points: rows.points.clone(),
        found: rows.found,
        oddities: rows.oddities,
        ..DdmRows::default()
    };
    for start in (0..count).step_by(POINTS_BETWEEN) {
        if !watch(start as f64 / count as f64) {
            return None;
        }
        let points = (start..count.min(start + POINTS_BETWEEN)).into_par_iter();
        let kept = points.map_init(Vec::new, |all, point| {
            let row = rows.of_point(point as u32)?;
            Some(keep(row, positions[point], poses, within, all))
        });
        for kept in kept.collect::<Vec<_>>() {
            let kept = kept?;
            out.centers.push(kept.center);
            out.terms.extend(kept.terms);
            out.ends.push(out.terms.len() as u32);
        }
    }
    Some(out)
}

/// Finds the fewest terms of a point, by doubling their number and then halving the step.
fn keep(row: DdmRow<'_>, position: [f32; 3], poses: &Poses, within: f64, all: &mut Vec<Vec3>) -> Kept {
    all.clear();
    all.extend(poses.moved(row, position));
    let ranks = row::ranks(row.terms);
    // The pose that refused the last number probably refuses the next.
    let mut first = 0;
    let mut attempt = |count: usize| -> Option<Kept> {
        let mut terms = Vec::with_capacity(count);
        let is_kept = |number: &usize| ranks[*number] < count;
        let chosen = (0..row.terms.len()).filter(is_kept).map(|number| &row.terms[number]);
        let shift = row::sum_to_one(chosen, &mut terms)?;
        let center = (DVec3::from(row.center.map(f64::from)) + shift).as_vec3().to_array();
        let kept = DdmRow { center, terms: &terms };
        for pose in std::iter::once(first).chain(0..all.len()) {
            let apart = f64::from(all[pose].distance(moved(&poses.slots[pose], kept, position)));
            // False for what is not a number.
            let is_near = apart <= within;
            if !is_near {
                first = pose;
                return None;
            }
        }
        Some(Kept { center, terms })
    };
    let whole = || Kept { center: row.center, terms: row.terms.to_vec() };
    let (mut refused, mut count) = (0, 1);
    let mut best = loop {
        if count >= row.terms.len() {
            break whole();
        }
        match attempt(count) {
            Some(kept) => break kept,
            None => (refused, count) = (count, count * 2),
        }
    };
    count = count.min(row.terms.len());
    while count - refused > 1 {
        let middle = refused.midpoint(count);
        match attempt(middle) {
            Some(kept) => (best, count) = (kept, middle),
            None => refused = middle,
        }
    }
    best
}
