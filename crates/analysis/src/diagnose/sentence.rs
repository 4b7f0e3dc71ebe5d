//! The verdict in one sentence.

use sinew_skinning::SkinningMode;

use super::answer::Matched;
use super::deviation::Deviation;
use super::directions::Directions;
use super::placement::Placement;
use super::search::Ranked;

/// Writes the verdict as a sentence.
pub(super) fn sentence(
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
    let cut = recipe.deviations.iter().any(|one| matches!(one, Deviation::Cut { .. }));
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
            let give = if shown.len() == 1 { "gives" } else { "give" };
            text += &format!(" In this pose, {} {give} the same.", shown.join(" and "));
        }
    }
    if lost > 0 {
        text += &format!(" {lost} vertices are not finite numbers and were left out.");
    }
    text
}

/// Returns a sentence on normals or tangents that no known way makes.
pub(super) fn unknown(what: &str, found: Option<&Directions>) -> String {
    let Some(found) = found.filter(|found| !found.agrees) else { return String::new() };
    let nearest: Vec<String> = found.faults.iter().map(ToString::to_string).collect();
    let nearest = if nearest.is_empty() { "the definition".to_owned() } else { nearest.join(", ") };
    let Directions { right, of, not_finite, .. } = found;
    let lost = match not_finite {
        0 => String::new(),
        lost => format!(" ({lost} not finite)"),
    };
    format!(" No known way makes these {what}: {right} of {of} agree with the nearest, {nearest}{lost}.")
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
