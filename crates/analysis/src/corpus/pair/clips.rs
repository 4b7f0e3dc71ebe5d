//! Clips: those that are gone, and the distance of joints and vertices in the others.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};
use sinew_model::{Clip, VertexIndex, VertexName};
use sinew_skinning::SkinningMode;
use sinew_skinning::pairing::{ClipPairs, Similarity, clip_name};
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::{AS_TWIN, PreparedModel, SkinnedPrimitive};
use sinew_text::words::many;

use super::keys::{self, has_lost_weights, has_other_interpolation};
use super::sides::{SHOWS, Sides, listed, only_moves, set_share};
use crate::corpus::asset::{Asset, Figure, Kind, Place, Row};
use crate::corpus::level::Level;

/// The maximum number of poses of a clip.
const MAX_POSES: usize = 3000;

/// The share of the diagonal by which points off a joint's axis show its turn.
const OFF_AXIS: f64 = 0.05;

/// A frame of 24 per second: the difference of two clips' lengths that shows.
const FRAME_SECS: f64 = 1.0 / 23.0;

/// The share of the way between two keys by which another interpolation may differ between them.
const DETOUR: f64 = 0.1;

/// The meaning of a distance, the worst last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    /// No difference that shows.
    #[default]
    Nothing,
    /// The pose is between keys of the old clip at which the poses agree.
    Resampled,
    /// The clips differ.
    Other,
}

/// The largest distances of a pose.
#[derive(Clone, Copy, Default)]
struct Apart {
    /// Of joints, in metres of the old file.
    joints_m: f64,
    /// Of vertices.
    vertices_m: f64,
    /// The sum over vertices, and their number.
    sum_m: f64,
    count: usize,
    worst: Option<VertexIndex>,
    time: f64,
    meaning: Meaning,
}

/// Skins both models.
struct Skins<'a> {
    sides: &'a Sides<'a>,
    /// From the old pose to the new one.
    new_from_old: Similarity,
    mode: SkinningMode,
    has_morphs: bool,
    prepared: [Option<PreparedModel>; 2],
    rest: [Pose; 2],
    poses: [Pose; 2],
}

/// Compares the clips that both have. `is_explained` if vertices may move differently with the same joints.
pub fn compare(sides: &Sides<'_>, level: Level, is_explained: bool, asset: &mut Asset) {
    // A vertex moves by at most half of the sum of |Δw| for each size by which its joints are apart.
    let rounded = asset.figures.get(&Figure::WeightsL1Max).copied().unwrap_or(0.0) / 2.0;
    let explained_m = if is_explained { f64::INFINITY } else { rounded * sides.size_m };
    let [old, new] = sides.models;
    let Ok(pairs) = ClipPairs::new(old, new, &[]) else { return };
    let gone: Vec<String> = pairs.only_in_first().map(|clip| clip_name(old, clip)).collect();
    if !gone.is_empty() {
        let like = if gone.len() == old.clips.len() { "all" } else { "some" };
        let words = format!("{} gone: {}", many(gone.len(), "clip"), listed(gone.iter().map(String::as_str)));
        asset.add(Kind::Clips, like, words, gone.len() as f64 / old.clips.len().max(1) as f64);
    }
    let mut skins = Skins::new(sides);
    let mut all = Apart::default();
    let mut found: BTreeMap<Kind, (Apart, usize)> = BTreeMap::new();
    let both = (0..old.clips.len()).filter_map(|clip| Some((clip, pairs.partner(clip)?)));
    for (clip, partner) in both {
        length(sides, [clip, partner], asset);
        let apart = skins.best_over(level, [clip, partner]);
        row(sides, clip, skins.mode, &apart, asset);
        all = all.with(&apart);
        let Some(kind) = kind(&mut skins, [clip, partner], &apart, explained_m) else { continue };
        let (worst, _) = *found.entry(kind).or_insert((apart, clip));
        if apart.far_m() > worst.far_m() {
            found.insert(kind, (apart, clip));
        }
    }
    for (kind, (apart, clip)) in found {
        let share = apart.far_m() / sides.size_m.max(f64::MIN_POSITIVE);
        let clip = clip_name(old, clip);
        let words = format!("{:.1} % of the size apart in clip {clip} at {:.3} s", 100.0 * share, apart.time);
        let vertex = apart.worst.map(|index| VertexName::of(old, index).to_string());
        let place = Place { clip: Some(clip), time: apart.time, vertex };
        asset.add_at(kind, "", words, share, Some(place));
    }
    if all.count > 0 {
        set_share(asset, Figure::DistanceMax, all.vertices_m, sides.size_m);
        set_share(asset, Figure::DistanceMean, all.sum_m / all.count as f64, sides.size_m);
    }
}

/// Returns the kind of finding for a distance; `None` if it does not show, or another finding or the rounding of weights
/// explains it.
fn kind(skins: &mut Skins<'_>, clips: [usize; 2], apart: &Apart, explained_m: f64) -> Option<Kind> {
    let sides = skins.sides;
    let shows_m = SHOWS * sides.size_m;
    let is_joints = apart.joints_m > shows_m;
    let moved = || match has_other_interpolation(sides.models, clips) {
        true => Kind::Interpolation,
        false => Kind::Motion,
    };
    match () {
        () if apart.meaning == Meaning::Nothing => None,
        () if apart.meaning == Meaning::Resampled => Some(Kind::Resampled),
        () if is_joints => Some(moved()),
        () if has_lost_weights(sides.models, clips) => Some(Kind::Morphs),
        () if skins.is_by_morphs(clips, apart.time) => Some(Kind::Morphs),
        () if apart.far_m() <= shows_m + explained_m => None,
        // Nodes move the vertices of models without joints.
        () if sides.models[0].skins.is_empty() => Some(moved()),
        () => Some(Kind::Binding),
    }
}

fn length(sides: &Sides<'_>, clips: [usize; 2], asset: &mut Asset) {
    let of = |side: usize| {
        let period = sides.models[side].period_of_all(std::iter::once(clips[side]));
        period.length()
    };
    let [old, new] = [of(0), of(1)];
    if (old - new).abs() > FRAME_SECS + 0.01 * old {
        let name = clip_name(sides.models[0], clips[0]);
        let words = format!("clip {name} takes {new:.3} s, not {old:.3} s");
        asset.add(Kind::Length, "", words, (old - new).abs());
    }
}

fn row(sides: &Sides<'_>, clip: usize, mode: SkinningMode, apart: &Apart, asset: &mut Asset) {
    let share = |metres: f64| if sides.size_m > 0.0 { metres / sides.size_m } else { 0.0 };
    let mean = apart.sum_m / apart.count.max(1) as f64;
    let values = [(Figure::DistanceMax, apart.vertices_m), (Figure::DistanceMean, mean)];
    let values = values.map(|(figure, metres)| (figure.name().to_owned(), share(metres)));
    let clip = clip_name(sides.models[0], clip);
    asset.rows.push(Row { clip, mode: mode.name().to_owned(), values: values.into() });
}

impl Apart {
    /// The distance of vertices; that of joints where there are no vertices.
    fn far_m(&self) -> f64 {
        if self.count > 0 { self.vertices_m } else { self.joints_m }
    }

    fn with(self, other: &Self) -> Self {
        let rank = |apart: &Self| (apart.meaning, apart.far_m());
        let worse = if rank(other) > rank(&self) { other } else { &self };
        Self {
            joints_m: self.joints_m.max(other.joints_m),
            vertices_m: self.vertices_m.max(other.vertices_m),
            sum_m: self.sum_m + other.sum_m,
            count: self.count.saturating_add(other.count),
            ..*worse
        }
    }
}

impl<'a> Skins<'a> {
    fn new(sides: &'a Sides<'a>) -> Self {
        let rest = sides.models.map(|model| {
            let mut pose = Pose::default();
            pose.set(model, &PoseChoice::Rest);
            pose
        });
        Self {
            sides,
            new_from_old: sides.new_from_old,
            mode: SkinningMode::authored(sides.models[0]).unwrap_or_default(),
            has_morphs: true,
            prepared: sides.models.map(|model| PreparedModel::new(model).ok()),
            rest,
            poses: Default::default(),
        }
    }

    /// Measures a clip. A rest pose that is only moved may have clips that are not, so the better place counts.
    fn best_over(&mut self, level: Level, clips: [usize; 2]) -> Apart {
        let apart = self.over(level, clips);
        if !only_moves(&self.sides.new_from_old) || apart.vertices_m <= SHOWS * self.sides.size_m {
            return apart;
        }
        self.new_from_old = Similarity::IDENTITY;
        let unmoved = self.over(level, clips);
        self.new_from_old = self.sides.new_from_old;
        if unmoved.vertices_m < apart.vertices_m { unmoved } else { apart }
    }

    /// Measures a clip at times between its frames, because keys lie on frames.
    fn over(&mut self, level: Level, clips: [usize; 2]) -> Apart {
        let period = self.sides.models[0].period_of_all(std::iter::once(clips[0]));
        let count = match level {
            Level::Quick => 3,
            Level::Normal => 12,
            Level::Full => ((period.length() * 30.0).ceil().max(1.0) as usize).min(MAX_POSES),
        };
        let times = (0..count).map(|number| period.at((number as f64 + 0.382) / count as f64));
        times.fold(Apart::default(), |all, time| all.with(&self.near(clips, time)))
    }

    /// Measures a pose. A clip that was sampled anew leaves the old curves between its keys. So a distance there only counts
    /// if the new file's nearest key, at most half a frame away, has one as well; and it is that of another sampling if the
    /// poses at the old keys before and after it agree. None of this holds if only one of the clips has steps.
    fn near(&mut self, clips: [usize; 2], time: f64) -> Apart {
        let shows_m = SHOWS * self.sides.size_m;
        let apart = self.at(clips, time);
        if apart.far_m() <= shows_m {
            return apart;
        }
        let apart = Apart { meaning: Meaning::Other, ..apart };
        if has_other_interpolation(self.sides.models, clips) {
            return apart;
        }
        let [old, new] = [0, 1].map(|side: usize| self.sides.models[side].clips.get(clips[side]));
        let (Some(old), Some(new)) = (old, new) else { return apart };
        let at_key = self.at_key(new, clips, time).filter(|at_key| at_key.far_m() < apart.far_m());
        let apart = at_key.unwrap_or(apart);
        let meaning = match () {
            () if apart.far_m() <= shows_m => Meaning::Nothing,
            () if self.is_between(old, new, clips, &apart) => Meaning::Resampled,
            () => Meaning::Other,
        };
        Apart { meaning, ..apart }
    }

    /// Measures the pose at the nearest key of the new clip; `None` if it is more than half a frame away.
    fn at_key(&mut self, new: &Clip, clips: [usize; 2], time: f64) -> Option<Apart> {
        let later = self.later_secs(clips);
        let key =
            keys::nearest(new, time + later).filter(|key| (key - later - time).abs() <= FRAME_SECS / 2.0)?;
        Some(self.at(clips, key - later))
    }

    /// Returns true if the poses agree at the old keys before and after a pose, and it differs by little of the way between
    /// them.
    fn is_between(&mut self, old: &Clip, new: &Clip, clips: [usize; 2], apart: &Apart) -> bool {
        let Some(keys) = keys::around(old, apart.time) else { return false };
        let shows_m = SHOWS * self.sides.size_m;
        let agree = keys.into_iter().all(|key| {
            self.at(clips, key).far_m() <= shows_m
                || self.at_key(new, clips, key).is_some_and(|apart| apart.far_m() <= shows_m)
        });
        agree && apart.far_m() <= DETOUR * self.way_m(clips[0], keys)
    }

    /// Returns the largest distance of a vertex of the old model between two poses.
    fn way_m(&mut self, clip: usize, times: [f64; 2]) -> f64 {
        let [Some(from), Some(to)] = times.map(|time| {
            self.poses[0].set(self.sides.models[0], &PoseChoice::clip(clip, time));
            self.skinned(0)
        }) else {
            return 0.0;
        };
        let places = |all: Vec<SkinnedPrimitive<f32>>| {
            all.into_iter().flat_map(|one| one.positions).map(|place| DVec3::from_array(place.map(f64::from)))
        };
        places(from).zip(places(to)).map(|(from, to)| from.distance(to)).fold(0.0, f64::max)
    }

    /// Returns the time by which the new clip begins later, up to a frame: some exporters begin every clip at 0.
    fn later_secs(&self, clips: [usize; 2]) -> f64 {
        let [old, new] = [0, 1]
            .map(|side: usize| self.sides.models[side].period_of_all(std::iter::once(clips[side])).start);
        if (new - old).abs() <= FRAME_SECS { new - old } else { 0.0 }
    }

    /// Returns true if vertices differ at a time because of morph targets: without them, no difference shows.
    fn is_by_morphs(&mut self, clips: [usize; 2], time: f64) -> bool {
        self.has_morphs = false;
        let without = self.at(clips, time);
        self.has_morphs = true;
        without.far_m() <= SHOWS * self.sides.size_m
    }

    fn at(&mut self, clips: [usize; 2], time: f64) -> Apart {
        let later = self.later_secs(clips);
        for (side, clip) in clips.into_iter().enumerate() {
            let (Some(pose), Some(model)) = (self.poses.get_mut(side), self.sides.models.get(side)) else {
                continue;
            };
            pose.set(model, &PoseChoice::clip(clip, time + later * side as f64));
            if !self.has_morphs {
                pose.weights.fill(0.0);
            }
        }
        let mut apart = Apart { time, joints_m: self.joints(), ..Apart::default() };
        let [Some(old), Some(new)] = [0, 1].map(|side| self.skinned(side)) else { return apart };
        let similarity = self.new_from_old;
        for pair in &self.sides.pairing.pairs {
            let (Some(old), Some(new)) = (old.get(pair.old), new.get(pair.new)) else { continue };
            let stream: Vec<[f64; 3]> = new.positions.iter().map(|place| place.map(f64::from)).collect();
            for (vertex, spot) in &pair.spots {
                let vertex = *vertex as usize;
                let (Some(a), Some(b)) = (old.positions.get(vertex), spot.on(&stream)) else { continue };
                let far = DVec3::from_array(a.map(f64::from)).distance(similarity.undo(b));
                if !far.is_finite() {
                    continue;
                }
                (apart.sum_m, apart.count) = (apart.sum_m + far, apart.count.saturating_add(1));
                if far > apart.vertices_m {
                    let index = VertexIndex { instance: old.instance, primitive: old.primitive, vertex };
                    (apart.vertices_m, apart.worst) = (far, Some(index));
                }
            }
        }
        apart
    }

    fn skinned(&mut self, side: usize) -> Option<Vec<SkinnedPrimitive<f32>>> {
        let (model, pose) = (self.sides.models.get(side)?, self.poses.get(side)?);
        self.prepared.get_mut(side)?.as_mut()?.skin(model, self.mode, pose, &AS_TWIN).ok()
    }

    /// Returns the largest distance of points around joints, each moved from rest by its joint in both models.
    fn joints(&self) -> f64 {
        let similarity = self.new_from_old;
        let offset = OFF_AXIS * self.sides.size_m;
        let from_rest = |side: usize, node: usize| -> Option<(DMat4, DVec3)> {
            let rest = *self.rest.get(side)?.world_from_node.get(node)?;
            let now = *self.poses.get(side)?.world_from_node.get(node)?;
            (rest.determinant() != 0.0).then(|| (now * rest.inverse(), rest.w_axis.truncate()))
        };
        let mut far = 0.0_f64;
        for joint in &self.sides.joints.joints {
            let [Some(old), Some(new)] = joint.nodes else { continue };
            let (Some((old, at)), Some((new, _))) = (from_rest(0, old), from_rest(1, new)) else { continue };
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let point = at + axis * offset;
                let moved = similarity.undo(new.transform_point3(similarity.apply(point)));
                let distance = old.transform_point3(point).distance(moved);
                if distance.is_finite() {
                    far = far.max(distance);
                }
            }
        }
        far
    }
}
