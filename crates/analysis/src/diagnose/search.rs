//! Ranks recipes by how near they come to given vertices.

use std::collections::HashSet;

use glam::DVec3;
use rayon::prelude::*;
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::{Fault, Needs, SkinningMode};

use super::deviation::Deviation;
use super::engine::{Posed, Scratch};
use super::placement::Placement;
use super::recipe::Recipe;
use super::subject::Subject;

/// Distances between a recipe's vertices and the given ones, as shares of the size.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Distances {
    /// The largest.
    pub max_r: f64,
    /// The 99th percentile.
    pub p99_r: f64,
    /// The root of the mean square.
    pub rms_r: f64,
    /// The share of vertices beyond the tolerance.
    pub wrong: f64,
}

/// A recipe with its distances.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    pub(super) recipe: Recipe,
    pub(super) distances: Distances,
    /// Names of recipes that give the same vertices.
    pub(super) same: Vec<String>,
}

/// Vertices, pose and tolerance by which recipes are measured.
pub(super) struct Bench<'a> {
    pub(super) subject: &'a Subject<'a>,
    pub(super) choice: &'a PoseChoice,
    pub(super) placement: Placement,
    /// Our vertices and their positions, all finite.
    pub(super) pairs: &'a [(u32, DVec3)],
    pub(super) size: f64,
    /// The distance, as a share of the size, within which vertices agree.
    pub(super) tolerance: f64,
    /// The distance below which rounding of the given numbers rules.
    pub(super) floor: f64,
}

/// The distance, as a share of the size, that rounding in single precision explains.
const SINGLE: f64 = 1e-6;

/// The number of vertices on which recipes are ranked.
const SAMPLE: usize = 2000;

/// A test of a vertex by its influences and the stored sum of its weights.
type Test<'a> = &'a dyn Fn(&[(i32, f32)], f64) -> bool;

/// Picks vertices for the ranking of recipes: spread over all, and more of those that only some recipes move.
pub(super) fn sample(subject: &Subject, pairs: &[(u32, DVec3)]) -> Vec<(u32, DVec3)> {
    let step = |count: usize, most: usize| count.div_ceil(most).max(1);
    let mut picked: Vec<(u32, DVec3)> =
        pairs.iter().copied().step_by(step(pairs.len(), SAMPLE / 2)).collect();
    let of = |test: Test<'_>| {
        let found = pairs.iter().copied().filter(|(ours, _)| {
            let found = subject.part_of(*ours as usize);
            found.is_some_and(|(_, part, at)| test(part.influences(at), part.stored_sum(at)))
        });
        let found: Vec<(u32, DVec3)> = found.collect();
        let step = step(found.len(), SAMPLE / 8);
        found.into_iter().step_by(step).collect::<Vec<_>>()
    };
    picked.extend(of(&|influences, _| influences.len() == 2));
    picked.extend(of(&|influences, _| influences.len() == 3));
    picked.extend(of(&|influences, _| influences.len() >= 4));
    picked.extend(of(&|influences, _| influences.len() >= 6));
    picked.extend(of(&|influences, _| influences.iter().any(|(joint, _)| *joint > 255 || *joint < 0)));
    picked.extend(of(&|_, sum| (sum - 1.0).abs() > 1e-4));
    picked.sort_by_key(|(ours, _)| *ours);
    picked.dedup_by_key(|(ours, _)| *ours);
    picked
}

impl Bench<'_> {
    /// Skins the sample by a recipe.
    fn positions(&self, recipe: &Recipe) -> Vec<DVec3> {
        let posed = Posed::new(self.subject, recipe, self.choice);
        let skin = |scratch: &mut Scratch, (ours, _): &(u32, DVec3)| posed.position(*ours as usize, scratch);
        self.pairs.par_iter().with_min_len(512).map_init(Scratch::default, skin).collect()
    }

    /// Returns the distance of each given vertex from ours, as a share of the size.
    fn apart(&self, positions: &[DVec3]) -> Vec<f64> {
        let pairs = positions.iter().zip(self.pairs);
        pairs.map(|(ours, (_, theirs))| self.placement.apart(*ours, *theirs) / self.size).collect()
    }

    /// Returns the distances of a recipe, vertex by vertex in the order of the pairs.
    pub(super) fn distances_of(&self, recipe: &Recipe) -> Vec<f64> {
        self.apart(&self.positions(recipe))
    }

    /// Summarises distances.
    pub(super) fn summary(&self, mut apart: Vec<f64>) -> Distances {
        if apart.is_empty() {
            return Distances {
                max_r: f64::INFINITY,
                p99_r: f64::INFINITY,
                rms_r: f64::INFINITY,
                wrong: 1.0,
            };
        }
        let count = apart.len() as f64;
        let wrong = apart.iter().filter(|apart| **apart > self.tolerance).count() as f64 / count;
        let rms_r = (apart.iter().map(|apart| apart * apart).sum::<f64>() / count).sqrt();
        apart.sort_by(f64::total_cmp);
        let p99 = (apart.len() * 99).div_ceil(100).saturating_sub(1);
        let at = |index: usize| apart.get(index).copied().unwrap_or(f64::INFINITY);
        Distances { max_r: at(apart.len() - 1), p99_r: at(p99), rms_r, wrong }
    }

    /// Measures recipes; those that give the vertices of one before join it. Progress goes to `watch`.
    fn rank(&self, recipes: Vec<Recipe>, ranked: &mut Vec<(Ranked, Vec<DVec3>)>) {
        let measured: Vec<(Recipe, Vec<DVec3>)> = recipes
            .into_par_iter()
            .map(|recipe| {
                let positions = self.positions(&recipe);
                (recipe, positions)
            })
            .collect();
        let same = 1e-13 * self.size;
        for (recipe, positions) in measured {
            let is_equal = |(_, other): &&mut (Ranked, Vec<DVec3>)| {
                let mut pairs = other.iter().zip(&positions);
                pairs
                    .all(|(a, b)| a.distance_squared(*b) <= same * same || (!a.is_finite() && !b.is_finite()))
            };
            match ranked.iter_mut().find(is_equal) {
                Some((equal, _)) => equal.same.push(recipe.to_string()),
                None => {
                    let distances = self.summary(self.apart(&positions));
                    let of = Ranked { recipe, distances, same: Vec::new() };
                    ranked.push((of, positions));
                }
            }
        }
    }

    /// Ranks all recipes that may win: modes, then one deviation, then two. The best comes first.
    pub(super) fn search(&self, modes: &[SkinningMode], watch: &dyn Fn(f64)) -> Vec<Ranked> {
        let mut ranked = Vec::new();
        let (slow, quick): (Vec<SkinningMode>, Vec<SkinningMode>) =
            modes.iter().partition(|mode| !Needs::of([**mode]).is_nothing());
        self.rank(quick.iter().copied().map(Recipe::of).collect(), &mut ranked);
        self.rank(self.shared().into_iter().collect(), &mut ranked);
        watch(0.1);
        if !self.has_exact(&ranked) && !slow.is_empty() {
            self.rank(slow.iter().copied().map(Recipe::of).collect(), &mut ranked);
        }
        watch(0.3);
        if !self.has_exact(&ranked) {
            let bases: Vec<Recipe> = modes
                .iter()
                .filter(|mode| Needs::of([**mode]).is_nothing() || self.is_near(&ranked, **mode))
                .map(|mode| Recipe::of(*mode))
                .collect();
            self.rank(self.with_one_more(&bases), &mut ranked);
        }
        watch(0.6);
        if !self.agrees(&ranked) {
            let mut order: Vec<&Ranked> = ranked.iter().map(|(ranked, _)| ranked).collect();
            order.sort_by(|a, b| self.key(a).partial_cmp(&self.key(b)).unwrap_or(std::cmp::Ordering::Equal));
            let bases: Vec<Recipe> = order
                .iter()
                .filter(|one| one.recipe.deviations.len() == 1)
                .take(10)
                .map(|one| one.recipe.clone())
                .collect();
            self.rank(self.with_one_more(&bases), &mut ranked);
        }
        watch(1.0);
        self.ordered(ranked.into_iter().map(|(ranked, _)| ranked).collect())
    }

    /// Returns each base with each deviation that can make a difference, each pair once.
    fn with_one_more(&self, bases: &[Recipe]) -> Vec<Recipe> {
        let mut known: HashSet<(String, Vec<String>)> = HashSet::new();
        let all: Vec<Deviation> = Deviation::all().filter(|one| self.can_matter(*one)).collect();
        let recipes = bases.iter().flat_map(|base| all.iter().filter_map(|one| base.with(*one)));
        let is_new = |recipe: &Recipe| {
            let mut names: Vec<String> = recipe.deviations.iter().map(ToString::to_string).collect();
            names.sort();
            known.insert((recipe.mode.name().to_owned(), names))
        };
        let mut is_new = is_new;
        recipes.filter(|recipe| is_new(recipe)).collect()
    }

    /// Returns false for a deviation that cannot change the vertices of this model.
    fn can_matter(&self, deviation: Deviation) -> bool {
        let model = self.subject.model;
        let parts = &self.subject.parts;
        match deviation {
            Deviation::OtherSkin(skin) => usize::from(skin) < model.skins.len() && model.skins.len() > 1,
            Deviation::EightBitJoints => model.skins.iter().any(|skin| skin.joints.len() > 256),
            Deviation::PivotFirst => parts.iter().any(|part| !part.primitive.first_joints.is_empty()),
            Deviation::StoredSums => parts.iter().any(|part| !part.primitive.unequal_sums.is_empty()),
            Deviation::WeightlessAtOrigin | Deviation::WeightlessToJointZero => {
                parts.iter().any(|part| part.primitive.unequal_sums.iter().any(|(_, sum)| *sum == 0.0))
            }
            Deviation::MorphsAfter | Deviation::NoMorphs => {
                parts.iter().any(|part| part.primitive.morphs.is_some())
            }
            Deviation::NodeScaleIgnored => {
                model.rig.rest.iter().any(super::engine::is_scaled) || self.has_scale_keys()
            }
            Deviation::Fault(Fault::StalePalette) => false,
            _ => true,
        }
    }

    fn has_scale_keys(&self) -> bool {
        let channels = self.subject.model.clips.iter().flat_map(|clip| &clip.channels);
        channels.into_iter().any(|channel| channel.property == sinew_model::Property::Scale)
    }

    /// Returns the blend of lbs and dqs with the share that fits best, if it is neither.
    fn shared(&self) -> Option<Recipe> {
        let [linear, turned] =
            [SkinningMode::Linear, SkinningMode::DualQuat].map(|mode| self.positions(&Recipe::of(mode)));
        let (mut along, mut length) = (0.0, 0.0);
        for ((linear, turned), (_, theirs)) in linear.iter().zip(&turned).zip(self.pairs) {
            let way = *turned - *linear;
            let to = self.placement.undo(*theirs) - *linear;
            if way.is_finite() && to.is_finite() {
                along += to.dot(way);
                length += way.length_squared();
            }
        }
        let share = along / length;
        let recipe = Recipe { share: Some(share), ..Recipe::of(SkinningMode::Blended) };
        (share > 0.01 && share < 0.99).then_some(recipe)
    }

    fn is_near(&self, ranked: &[(Ranked, Vec<DVec3>)], mode: SkinningMode) -> bool {
        let of = |test: &dyn Fn(SkinningMode) -> bool| {
            let all =
                ranked.iter().filter(|(one, _)| one.recipe.deviations.is_empty() && test(one.recipe.mode));
            all.map(|(one, _)| one.distances.rms_r).fold(f64::INFINITY, f64::min)
        };
        of(&|one| one == mode) <= of(&|_| true) * 1.5
    }

    fn agrees(&self, ranked: &[(Ranked, Vec<DVec3>)]) -> bool {
        ranked.iter().any(|(one, _)| one.distances.max_r <= self.tolerance)
    }

    /// Returns true if rounding explains what is left of a recipe's distances.
    fn has_exact(&self, ranked: &[(Ranked, Vec<DVec3>)]) -> bool {
        ranked.iter().any(|(one, _)| one.distances.max_r <= self.floor)
    }

    /// Orders by the share of wrong vertices in steps, then by the distance.
    fn key(&self, ranked: &Ranked) -> (f64, f64) {
        ((ranked.distances.wrong * 20.0).floor(), ranked.distances.rms_r)
    }

    /// Puts the best first: of those that are as near as the nearest, the simplest. It takes the names of other modes that
    /// are as near.
    pub(super) fn ordered(&self, mut ranked: Vec<Ranked>) -> Vec<Ranked> {
        let compare = |a: (f64, f64), b: (f64, f64)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
        ranked.sort_by(|a, b| compare(self.key(a), self.key(b)));
        let Some(nearest) = ranked.first().map(|one| self.key(one)) else { return ranked };
        let is_mode = ranked.first().is_some_and(|one| one.recipe.deviations.is_empty());
        let is_as_near = |one: &Ranked| {
            let (wrong, rms) = self.key(one);
            let is_near = wrong <= nearest.0 && rms <= nearest.1 * 1.6 + self.floor * 0.1;
            // Arithmetic in single precision does not tell two modes apart that are so near each other.
            is_near || is_mode && one.recipe.deviations.is_empty() && one.distances.max_r <= SINGLE
        };
        let simplicity = |one: &Ranked| {
            let Recipe { mode, share, deviations } = &one.recipe;
            (
                deviations.len(),
                share.is_some(),
                *mode != SkinningMode::Linear,
                *mode != SkinningMode::DualQuat,
            )
        };
        let near = || ranked.iter().enumerate().filter(|(_, one)| is_as_near(one));
        let simplest = near().min_by_key(|(at, one)| (simplicity(one), *at)).map(|(at, _)| at);
        let others = near().filter(|(at, one)| Some(*at) != simplest && one.recipe.deviations.is_empty());
        let others: Vec<String> = others.map(|(_, one)| one.recipe.to_string()).collect();
        if let Some(at) = simplest {
            let mut one = ranked.remove(at);
            let is_new = |name: &String| !one.same.contains(name);
            let new: Vec<String> = others.into_iter().filter(is_new).collect();
            one.same.extend(new);
            ranked.insert(0, one);
        }
        ranked
    }
}
