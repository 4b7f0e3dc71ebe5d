//! The whole examination: correspondence, moment, recipe, and what to say of them.

use glam::DVec3;
use serde::Serialize;
use sinew_model::{Model, VertexIndex};
use sinew_skinning::pose::{Names, PoseChoice};
use sinew_skinning::{Fault, SkinningMode};

use super::common;
use super::deviation::Deviation;
use super::directions::{self, Normals};
use super::matching::{self, By, Matching, NoMatch, Theirs};
use super::moment::{self, Moment};
use super::placement::{Placement, PlacementWords};
use super::recipe::Recipe;
use super::search::{self, Bench, Distances, Ranked};
use super::subject::Subject;
use crate::measure::{Place, place};
use crate::vertices::{Given, Stored};

/// What is known of the pose.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'a> {
    /// This pose; others are searched only if nothing agrees with it.
    At(&'a PoseChoice),
    /// Nothing, or the clip alone: all clips are searched, or this one.
    Search(Option<usize>),
}

/// Vertices to name the skinning of.
pub struct Question<'a> {
    /// The model.
    pub model: &'a Model,
    /// The vertices.
    pub given: &'a Given,
    /// The bind pose in the order of the vertices, if it is known.
    pub bind: Option<&'a Given>,
    /// The pose.
    pub asked: Asked<'a>,
    /// A recipe to measure besides.
    pub expected: Option<&'a Recipe>,
    /// Takes the finished share of the work.
    pub watch: &'a (dyn Fn(f64) + Sync),
}

/// The correspondence of vertices.
#[derive(Clone, Debug, Serialize)]
pub struct Matched {
    /// The way.
    pub by: By,
    /// The matched part of the model.
    pub of: String,
    /// The number of given vertices.
    pub given: usize,
    /// The number of pairs.
    pub pairs: usize,
    /// Axes, unit and origin.
    #[serde(flatten)]
    pub placement: PlacementWords,
    /// The name of the clip; `bind`, `rest` or `skin-space` without one.
    pub pose: String,
    /// The time in seconds.
    pub time: f64,
    /// The time in frames of the model's rate.
    pub frame: f64,
    /// The frames by which the pose is early (positive) or late (negative), if a pose was asked for and another was found;
    /// null if the motion is another.
    pub late: Option<f64>,
    /// True if the pose is the one that was asked for, or none was.
    pub is_asked: bool,
}

/// The name of the skinning.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// The mode.
    pub mode: &'static str,
    /// The share of dual quaternions, if the mode is `blend` and one share fits all vertices.
    pub share: Option<f64>,
    /// The deviations from the mode's definition.
    pub faults: Vec<String>,
    /// The largest number of influences of a vertex in the model.
    pub influences: usize,
    /// The distances from this recipe.
    #[serde(flatten)]
    pub distances: Distances,
    /// True if every vertex is within the tolerance.
    pub agrees: bool,
    /// The tolerance: ten times the rounding of the numbers, as a share of the size.
    pub tolerance_r: f64,
    /// Other recipes that give the same vertices here.
    pub same: Vec<String>,
    /// The verdict in one sentence.
    pub sentence: String,
}

/// A recipe that was tried.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// Its distances.
    #[serde(flatten)]
    pub distances: Distances,
}

/// A vertex far from the verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Worst {
    /// The vertex.
    #[serde(flatten)]
    pub place: Place,
    /// Its index among the given vertices.
    pub given: u32,
    /// Its distance, as a share of the size.
    pub apart_r: f64,
    /// Our position.
    pub ours: [f64; 3],
    /// Their position in our axes and metres.
    pub theirs: [f64; 3],
}

/// Numbers that are not finite.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NotFinite {
    /// The number of vertices.
    pub count: usize,
    /// The index of the first.
    pub first: Option<usize>,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The correspondence.
    pub matched: Matched,
    /// The name of the skinning.
    pub verdict: Verdict,
    /// How normals were made; null without normals.
    pub normals: Option<Normals>,
    /// The best recipes, best first.
    pub candidates: Vec<Candidate>,
    /// The distances of the expected recipe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Candidate>,
    /// The worst vertices.
    pub worst: Vec<Worst>,
    /// What the wrong vertices have in common, as a sentence.
    pub wrong: Option<String>,
    /// Given numbers that are not finite.
    pub not_finite: NotFinite,
    /// The pose.
    #[serde(skip)]
    pub choice: PoseChoice,
    /// The recipe of the verdict.
    #[serde(skip)]
    pub recipe: Recipe,
    /// Each matched vertex with its given position in our axes and metres.
    #[serde(skip)]
    pub theirs: Vec<(VertexIndex, [f64; 3])>,
}

/// The number of candidates and of worst vertices in an answer.
const LISTED: usize = 8;

/// The tolerance, as a share of the size, that arithmetic in single precision needs.
const SINGLE: f64 = 5e-6;

/// An examination of one matching at one moment.
struct Found {
    matching: Matching,
    moment: Moment,
    ranked: Vec<Ranked>,
}

/// Examines vertices.
///
/// # Errors
/// If their number fits no part of the model.
pub fn ask(question: &Question) -> Result<Answer, NoMatch> {
    let subject = Subject::new(question.model);
    let size = subject.size();
    let theirs = Theirs::of(question.given);
    let bind = question.bind.map(Theirs::of);
    let mut matchings = match matching::candidates(&subject, &theirs, bind.as_ref()) {
        Ok(found) => found,
        Err(none) => vec![by_pose(question, &subject, &theirs, size).ok_or(none)?],
    };
    // Of many equal primitives, the first few.
    matchings.truncate(8);
    let count = matchings.len() as f64;
    let mut best: Option<Found> = None;
    for (number, matching) in matchings.into_iter().enumerate() {
        let watch = |share: f64| (question.watch)((number as f64 + share) / count);
        let found = examine(question, &subject, &theirs, matching, size, &watch);
        let found = by_node(question, &subject, &theirs, found, size);
        let is_better = best.as_ref().is_none_or(|best| nearer(&found, best));
        best = if is_better { Some(found) } else { best };
    }
    let best = best.ok_or_else(|| NoMatch {
        theirs: theirs.positions.len(),
        ours: subject.len,
        nearest: "none".into(),
    })?;
    Ok(answer(question, &subject, &theirs, best, size))
}

/// Looks for a fault that explains vertices in the model's own axes, where others would do without one. The fault is the
/// answer if the axes are not those of any program, or it applies the transform of the mesh's node twice; otherwise it is
/// another name.
fn by_node(question: &Question, subject: &Subject, theirs: &Theirs, mut found: Found, size: f64) -> Found {
    if found.moment.placement.is_same() {
        return found;
    }
    let pairs = positions(&found.matching, &theirs.positions);
    let many = search::sample(subject, &pairs);
    let moment = Moment { placement: Placement::SAME, ..found.moment.clone() };
    let bench = bench(question, subject, &moment, &many, size);
    let mut ranked = bench.search(&SkinningMode::ALL, &|_| {});
    let axes = found.moment.placement.words().axes;
    let is_axes = found.moment.placement.is_round();
    let Some(fault) = ranked.first_mut().filter(|fault| fault.distances.max_r <= bench.tolerance) else {
        return found;
    };
    let is_twice = fault.recipe.has(Deviation::Fault(Fault::DoubleMeshNode));
    match found.ranked.first_mut() {
        Some(placed) if is_axes && !is_twice => {
            placed.same.push(fault.recipe.to_string());
            placed.same.append(&mut fault.same);
            found
        }
        placed => {
            fault.same.extend(placed.map(|placed| format!("{} in axes {axes}", placed.recipe)));
            Found { moment, ranked, ..found }
        }
    }
}

fn nearer(a: &Found, b: &Found) -> bool {
    let of = |found: &Found| found.ranked.first().map_or(f64::INFINITY, |one| one.distances.rms_r);
    of(a) < of(b)
}

/// Matches by place in the pose: possible only where the pose is known.
fn by_pose(question: &Question, subject: &Subject, theirs: &Theirs, size: f64) -> Option<Matching> {
    let Asked::At(choice) = question.asked else { return None };
    let mut found = None;
    for mode in [SkinningMode::Linear, SkinningMode::DualQuat] {
        let posed = super::engine::Posed::new(subject, &Recipe::of(mode), choice);
        let mut scratch = super::engine::Scratch::default();
        let ours: Vec<DVec3> = (0..subject.len).map(|vertex| posed.position(vertex, &mut scratch)).collect();
        let placement = matching::by_boxes(&ours, &theirs.positions);
        let matching = matching::by_pose(&ours, theirs, &placement, size * 0.05);
        let pairs = matching
            .pairs
            .iter()
            .filter_map(|(a, b)| Some((*ours.get(*a as usize)?, *theirs.positions.get(*b as usize)?)));
        let pairs: Vec<(DVec3, DVec3)> = pairs.collect();
        let apart = placement.median(&pairs);
        let is_whole = 2 * pairs.len() > subject.len && apart < 0.01 * size;
        if is_whole && found.as_ref().is_none_or(|(least, _)| apart < *least) {
            found = Some((apart, matching));
        }
    }
    found.map(|(_, matching)| matching)
}

/// Returns the finite pairs of a matching, with positions.
fn positions(matching: &Matching, all: &[DVec3]) -> Vec<(u32, DVec3)> {
    let of = |(ours, theirs): &(u32, u32)| Some((*ours, *all.get(*theirs as usize)?));
    matching.pairs.iter().filter_map(of).filter(|(_, at)| at.is_finite()).collect()
}

/// Returns the rounding of given numbers in our metres: half the distance of neighbours at the largest.
fn rounding(given: &Given, pairs: &[(u32, DVec3)], scale: f64) -> f64 {
    let largest = pairs.iter().map(|(_, at)| at.abs().max_element()).fold(0.0, f64::max);
    match given.stored {
        Stored::F16 => largest * 2.0_f64.powi(-11) / scale,
        Stored::F32 => largest * 2.0_f64.powi(-24) / scale,
        Stored::F64 => largest * 2.0_f64.powi(-53) / scale,
        Stored::Decimals(step) => step / 2.0 / scale,
    }
}

fn examine(
    question: &Question,
    subject: &Subject,
    theirs: &Theirs,
    matching: Matching,
    size: f64,
    watch: &(dyn Fn(f64) + Sync),
) -> Found {
    let pairs = positions(&matching, &theirs.positions);
    let few = moment::sample(subject, &pairs);
    let many = search::sample(subject, &pairs);
    let rank = |moment: &Moment, watch: &dyn Fn(f64)| {
        let bench = bench(question, subject, moment, &many, size);
        bench.search(&SkinningMode::ALL, watch)
    };
    let of = |moment: Moment, ranked: Vec<Ranked>| Found { matching: matching.clone(), moment, ranked };
    let agrees = |found: &Found| {
        let bench = bench(question, subject, &found.moment, &many, size);
        found.ranked.first().is_some_and(|one| one.distances.max_r <= bench.tolerance)
    };
    let asked = match question.asked {
        Asked::At(choice) => {
            let moment = placed(subject, choice, &few, size);
            let ranked = rank(&moment, &|share| watch(share / 2.0));
            let mut found = of(moment, ranked);
            if !agrees(&found) && !found.moment.placement.is_same() {
                // A fault may have passed for other axes.
                let moment = Moment { placement: Placement::SAME, ..found.moment.clone() };
                let ranked = rank(&moment, &|_| {});
                let same = of(moment, ranked);
                found = if nearer(&same, &found) { same } else { found };
            }
            if agrees(&found) {
                return found;
            }
            Some(found)
        }
        Asked::Search(_) => None,
    };
    let clip = if let Asked::Search(clip) = question.asked { clip } else { None };
    let searched = moment::search(subject, clip, &few, size, &|share| watch(0.5 + share / 4.0));
    let Some(moment) = searched else {
        return asked.unwrap_or_else(|| {
            of(
                Moment { choice: PoseChoice::Rest, placement: Placement::SAME, apart: f64::INFINITY },
                Vec::new(),
            )
        });
    };
    let ranked = rank(&moment, &|share| watch(0.75 + share / 4.0));
    let other = of(moment, ranked);
    match asked {
        // Another pose must be far nearer than the asked one to be the answer.
        Some(asked) => {
            let rms = |found: &Found| found.ranked.first().map_or(f64::INFINITY, |one| one.distances.rms_r);
            if rms(&other) < rms(&asked) * 0.3 { other } else { asked }
        }
        None => other,
    }
}

/// Finds the placement in a known pose: the same unless another is far nearer.
fn placed(subject: &Subject, choice: &PoseChoice, few: &moment::Sample, size: f64) -> Moment {
    let mut best: Option<Moment> = None;
    for recipe in moment::coarse_recipes() {
        for placements in [&[Placement::SAME][..], &[]] {
            let found = moment::measure(subject, &recipe, choice, few, size, placements);
            if best.as_ref().is_none_or(|best| found.apart < best.apart * 0.2) {
                best = Some(found);
            }
        }
        if best.as_ref().is_some_and(|best| best.apart < 1e-3 * size) {
            break;
        }
    }
    best.unwrap_or(Moment { choice: choice.clone(), placement: Placement::SAME, apart: f64::INFINITY })
}

fn bench<'a>(
    question: &Question,
    subject: &'a Subject<'a>,
    moment: &'a Moment,
    pairs: &'a [(u32, DVec3)],
    size: f64,
) -> Bench<'a> {
    let placement = moment.placement;
    let rounding = rounding(question.given, pairs, placement.scale) / size;
    let reach = pairs.iter().map(|(_, at)| placement.undo(*at).length()).fold(0.0, f64::max) / size;
    let tolerance = (10.0 * rounding).max(SINGLE * reach.max(1.0));
    let floor = (3.0 * rounding).max(1e-12 * reach.max(1.0));
    Bench { subject, choice: &moment.choice, placement, pairs, size, tolerance, floor }
}

fn answer(question: &Question, subject: &Subject, theirs: &Theirs, found: Found, size: f64) -> Answer {
    let Found { matching, moment, ranked } = found;
    let pairs = positions(&matching, &theirs.positions);
    let whole = bench(question, subject, &moment, &pairs, size);
    let measured: Vec<Ranked> = ranked
        .into_iter()
        .take(LISTED)
        .map(|one| Ranked { distances: whole.summary(whole.distances_of(&one.recipe)), ..one })
        .collect();
    let measured = whole.ordered(measured);
    let none = || Ranked {
        recipe: Recipe::of(SkinningMode::Linear),
        distances: whole.summary(Vec::new()),
        same: Vec::new(),
    };
    let first = measured.first().cloned().unwrap_or_else(none);
    let apart = whole.distances_of(&first.recipe);
    let is_wrong: Vec<bool> = apart.iter().map(|apart| *apart > whole.tolerance).collect();
    let numbers: Vec<u32> = pairs.iter().map(|(ours, _)| *ours).collect();
    let agrees = first.distances.max_r <= whole.tolerance;
    let not_finite = not_finite(&theirs.positions);
    let matched = matched(question, subject, theirs, &matching, &moment);
    let wrong = if agrees { None } else { common::sentence(subject, &numbers, &is_wrong) };
    let normals = theirs.normals.as_ref().and_then(|all| {
        let pairs = positions(&matching, all);
        let tolerance = match question.given.stored {
            Stored::F16 => 2e-3,
            Stored::Decimals(step) => 3.0 * step,
            Stored::F32 | Stored::F64 => 0.0,
        };
        directions::normals(subject, &first.recipe, &moment.choice, &moment.placement, &pairs, tolerance)
    });
    let influences = numbers.iter().filter_map(|vertex| {
        let (_, part, at) = subject.part_of(*vertex as usize)?;
        Some(part.influences(at).len())
    });
    let influences = influences.max().unwrap_or(0);
    let mut faults: Vec<String> = first.recipe.deviations.iter().map(ToString::to_string).collect();
    // A pose shortly before the asked one is that of an earlier frame.
    if matched.late.is_some_and(|late| late < 0.0) {
        faults.push(Fault::StalePalette.name().to_owned());
    }
    let sentence = sentence(&first, &matched, influences, agrees, wrong.as_deref(), not_finite.count);
    let candidate = |one: &Ranked| Candidate { name: one.recipe.to_string(), distances: one.distances };
    let expected = question.expected.map(|recipe| Candidate {
        name: recipe.to_string(),
        distances: whole.summary(whole.distances_of(recipe)),
    });
    Answer {
        verdict: Verdict {
            mode: first.recipe.mode.name(),
            share: first.recipe.share,
            faults,
            influences,
            distances: first.distances,
            agrees,
            tolerance_r: whole.tolerance,
            same: first.same.clone(),
            sentence,
        },
        normals,
        candidates: measured.iter().map(candidate).collect(),
        expected,
        worst: worst(subject, &whole, &first.recipe, &apart, &matching),
        wrong,
        not_finite,
        matched,
        theirs: (pairs.iter())
            .filter_map(|(ours, at)| {
                Some((subject.index(*ours as usize)?, moment.placement.undo(*at).to_array()))
            })
            .collect(),
        choice: moment.choice.clone(),
        recipe: first.recipe,
    }
}

fn matched(
    question: &Question,
    subject: &Subject,
    theirs: &Theirs,
    matching: &Matching,
    moment: &Moment,
) -> Matched {
    let model = subject.model;
    let time = moment.choice.time_secs();
    let pose = match &moment.choice {
        PoseChoice::Bind => "bind".to_owned(),
        PoseChoice::Rest => "rest".to_owned(),
        PoseChoice::SkinSpace(_) => "skin-space".to_owned(),
        PoseChoice::Clips(mix) => {
            let names = Names::new(model);
            mix.all().map(|clip| names.clip_name(clip)).collect::<Vec<_>>().join(" + ")
        }
    };
    let (late, is_asked) = match question.asked {
        Asked::Search(_) => (None, true),
        Asked::At(asked) if asked == &moment.choice => (None, true),
        Asked::At(asked) => {
            let frames = (time - asked.time_secs()) * model.frame_rate();
            let is_near = asked.is_same_motion(&moment.choice) && frames.abs() <= 10.0;
            (is_near.then_some(frames), false)
        }
    };
    Matched {
        by: matching.by,
        of: matching.of.clone(),
        given: theirs.positions.len(),
        pairs: matching.pairs.len(),
        placement: moment.placement.words(),
        pose,
        time,
        frame: time * model.frame_rate(),
        late,
        is_asked,
    }
}

fn not_finite(positions: &[DVec3]) -> NotFinite {
    let mut lost = positions.iter().enumerate().filter(|(_, at)| !at.is_finite()).map(|(number, _)| number);
    let first = lost.next();
    NotFinite { count: lost.count() + usize::from(first.is_some()), first }
}

/// Lists the vertices farthest from the recipe's.
fn worst(
    subject: &Subject,
    bench: &Bench,
    recipe: &Recipe,
    apart: &[f64],
    matching: &Matching,
) -> Vec<Worst> {
    let mut order: Vec<usize> = (0..apart.len()).collect();
    let far = |at: &usize| apart.get(*at).copied().unwrap_or(0.0);
    order.sort_by(|a, b| far(b).total_cmp(&far(a)).then(a.cmp(b)));
    let posed = super::engine::Posed::new(subject, recipe, bench.choice);
    let mut scratch = super::engine::Scratch::default();
    let theirs: std::collections::HashMap<u32, u32> = matching.pairs.iter().copied().collect();
    let one = |at: usize| {
        let (ours, position) = *bench.pairs.get(at)?;
        Some(Worst {
            place: place(subject.model, subject.index(ours as usize)?)?,
            given: theirs.get(&ours).copied()?,
            apart_r: far(&at),
            ours: posed.position(ours as usize, &mut scratch).to_array(),
            theirs: bench.placement.undo(position).to_array(),
        })
    };
    order.into_iter().take(LISTED).filter_map(one).collect()
}

/// Writes the verdict as a sentence.
fn sentence(
    first: &Ranked,
    matched: &Matched,
    influences: usize,
    agrees: bool,
    wrong: Option<&str>,
    lost: usize,
) -> String {
    let recipe = &first.recipe;
    let mut skinning = match recipe.share {
        Some(share) => format!("{} with a share of {share:.3}", recipe.mode.name()),
        None => recipe.mode.name().to_owned(),
    };
    for (number, deviation) in recipe.deviations.iter().enumerate() {
        skinning += if number == 0 { " " } else { ", and " };
        skinning += &deviation.words();
    }
    let pose = match (matched.late, matched.is_asked) {
        (Some(late), _) => {
            let frames = late.abs();
            let way = if late < 0.0 { "late" } else { "early" };
            format!(", {} {way} ({} at {:.4} s)", frames_words(frames), matched.pose, matched.time)
        }
        (None, false) if matched.pose == "bind" || matched.pose == "rest" => {
            format!(", in the {} pose", matched.pose)
        }
        (None, false) => format!(", in another pose: {} at {:.4} s", matched.pose, matched.time),
        (None, true) => String::new(),
    };
    let cut = recipe.deviations.iter().any(|one| matches!(one, super::deviation::Deviation::Cut { .. }));
    let file = if cut { format!("; the file has up to {influences}") } else { String::new() };
    let mut text = if agrees && matched.pose == "bind" {
        format!(
            "These are the stored vertices (bind pose): nothing is skinned, to {} of the size.",
            scientific(first.distances.max_r)
        )
    } else if agrees {
        format!("These are {skinning}{pose}, to {} of the size{file}.", scientific(first.distances.max_r))
    } else {
        let right = (1.0 - first.distances.wrong) * 100.0;
        let nearest = format!(
            "No known skinning gives these vertices. The nearest is {skinning}{pose}: {right:.1} % of the vertices agree, the \
             worst is {} of the size away.",
            scientific(first.distances.max_r)
        );
        match wrong {
            Some(wrong) => format!("{nearest} {}.", capitalised(wrong)),
            None => nearest,
        }
    };
    if agrees && matched.pose != "bind" {
        // In other axes, a fault that moves the figure as a whole may be what made them.
        let is_placed = matched.placement != Placement::SAME.words();
        let shown: Vec<&str> = first
            .same
            .iter()
            .map(String::as_str)
            .filter(|name| *name != SkinningMode::Blended.name() && (is_placed || !name.contains(',')))
            .collect();
        if !shown.is_empty() {
            text += &format!(" In this pose, {} gives the same.", shown.join(", "));
        }
    }
    if lost > 0 {
        text += &format!(" {lost} vertices are not finite numbers and were left out.");
    }
    text
}

fn frames_words(frames: f64) -> String {
    let rounded = frames.round();
    let exact = (frames - rounded).abs() < 0.02 && rounded > 0.0;
    match exact {
        true if rounded == 1.0 => "one frame".into(),
        true => format!("{rounded} frames"),
        false => format!("{frames:.2} frames"),
    }
}

/// Formats a small number with two digits.
pub fn scientific(number: f64) -> String {
    if number == 0.0 { "0".into() } else { format!("{number:.1e}") }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
