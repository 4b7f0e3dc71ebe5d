//! Summarises an examination as an answer.

use std::collections::HashMap;

use glam::DVec3;
use sinew_skinning::pose::{Names, PoseChoice};
use sinew_skinning::{Fault, SkinningMode};

use super::answer::{Answer, Asked, Candidate, Expected, Matched, NotFinite, Question, Verdict, Worst};
use super::common;
use super::directions::GivenDirections;
use super::engine::{Posed, Scratch};
use super::found::{Found, bench, positions};
use super::matching::{Matching, Theirs};
use super::moment::Moment;
use super::recipe::Recipe;
use super::search::{Bench, Ranked};
use super::sentence::{sentence, unknown};
use super::subject::Subject;
use crate::measure::place;

/// The number of candidates and of worst vertices in an answer.
const LISTED: usize = 8;

/// Measures the best recipes on all vertices, and says what the first is.
pub(super) fn answer(
    question: &Question,
    subject: &Subject,
    theirs: &Theirs,
    found: Found,
    size: f64,
) -> Answer {
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
    let mut first = measured.first().cloned().unwrap_or_else(none);
    let apart = whole.distances_of(&first.recipe);
    let is_wrong: Vec<bool> = apart.iter().map(|apart| *apart > whole.tolerance).collect();
    let numbers: Vec<u32> = pairs.iter().map(|(ours, _)| *ours).collect();
    let agrees = first.distances.max_r <= whole.tolerance;
    let not_finite = not_finite(&theirs.positions);
    let matched = matched(question, subject, theirs, &matching, &moment);
    let wrong = if agrees { None } else { common::sentence(subject, &numbers, &is_wrong) };
    let directions = GivenDirections::new(
        subject,
        (&first.recipe, &moment.choice, moment.placement),
        (&matching, theirs, question.given.stored),
    );
    let [normals, tangents] = directions.examined();
    let known = [&normals, &tangents].into_iter().flatten().filter(|found| found.agrees);
    for fault in known.flat_map(|found| &found.faults) {
        first.recipe = first.recipe.with(*fault).unwrap_or(first.recipe);
    }
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
    let sentence = sentence(&first, &matched, influences, agrees, wrong.as_deref(), not_finite.count)
        + &unknown("normals", normals.as_ref())
        + &unknown("tangents", tangents.as_ref());
    let candidate = |one: &Ranked| Candidate { name: one.recipe.to_string(), distances: one.distances };
    let expected = question.expected.map(|recipe| {
        let distances = whole.summary(whole.distances_of(recipe));
        let [normals, tangents] = directions.are_as(recipe);
        Expected { candidate: Candidate { name: recipe.to_string(), distances }, normals, tangents }
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
        tangents,
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
    let posed = Posed::new(subject, recipe, bench.choice);
    let mut scratch = Scratch::default();
    let theirs: HashMap<u32, u32> = matching.pairs.iter().copied().collect();
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
