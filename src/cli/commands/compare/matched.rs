//! The match of two files at rest: the corresponding vertices, the certainty of that, and what already differs at
//! rest.

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::measure::MotionApart;
use crate::length::shown;
use crate::model::Model;
use crate::pairing::{Added, AtRest, Grid, How, PairName, Pairing, at_rest, weights_apart};
use crate::words::many;

use crate::cli::terminal::print::plain;

/// Differences at rest. Scripts depend on the names of the keys (docs/reference/json.md).
#[derive(Debug, Serialize)]
pub struct Matched {
    /// The largest distance in the bind pose, in metres of the old file.
    pub bind_max_m: f64,
    /// The largest sum of |Δw| of a vertex; null where no vertex is a vertex of the new file.
    pub weights_max: Option<f64>,
    /// Placement of the new file's rest pose on the old one's.
    pub rest: Option<AtRest>,
    /// Its description; null without a difference.
    pub rest_words: Option<String>,
    /// The grids that each file stores its numbers on.
    pub grids: [Grid; 2],
}

impl Matched {
    /// Compares two files at rest.
    pub fn new(pairing: &Pairing, old: &Model, new: &Model) -> Self {
        let rest = at_rest(&pairing.pairs, old, new);
        Self {
            bind_max_m: pairing.names.iter().map(|pair| pair.bind_max_m).fold(0.0, f64::max),
            weights_max: weights_apart(&pairing.pairs, old, new),
            rest_words: rest.as_ref().and_then(AtRest::words),
            rest,
            grids: pairing.grids,
        }
    }

    /// Forgets the rest pose, which a point cache does not have.
    pub fn forget_rest(&mut self) {
        (self.rest, self.rest_words) = (None, None);
    }
}

/// Weights that differ by less are the same within the rounding of `f32`.
const SAME_WEIGHTS: f64 = 1e-5;

/// Distances at rest below this share of the size are rounding of `f32`.
const SAME_REST: f64 = 1e-6;

/// Prints the match of the vertices, and the differences at rest.
pub fn write(new: &str, pairing: &Pairing, matched: &Matched, out: &mut dyn Write) -> io::Result<()> {
    for pair in &pairing.names {
        writeln!(out, "  {} is {}: {}", pair.old, pair.new, how(pair))?;
    }
    let [old, only] = &pairing.alone;
    let lists = [("missing in the new file", old), ("only in the new file", only)];
    for (heading, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
        writeln!(out, "  {heading}: {}", names.join(" "))?;
    }
    for added in &pairing.added {
        writeln!(out, "  {}: {}", added.new, only_new(added))?;
    }
    if let (Some(words), Some(rest)) = (&matched.rest_words, &matched.rest) {
        let left = shown(rest.left_m);
        writeln!(
            out,
            "  {} is {words}; after that transform, vertices at rest are up to {left} apart",
            plain(new)
        )?;
    } else if let Some(rest) = matched.rest.filter(|rest| rest.max_m > SAME_REST * rest.size_m) {
        writeln!(out, "  at rest, vertices are up to {} apart", shown(rest.max_m))?;
    }
    for (grid, file) in matched.grids.iter().zip(["the old file", "the new file"]) {
        if let Some(words) = stored(grid) {
            writeln!(out, "  {file} stores {words}")?;
        }
    }
    if let Some(apart) = matched.weights_max.filter(|apart| *apart > SAME_WEIGHTS) {
        let of_grid = match matched.grids.iter().any(|grid| grid.rounds_weights(apart)) {
            true => ", as the grid rounds them",
            false => "",
        };
        writeln!(
            out,
            "  weights differ: by a sum of up to {} a vertex{of_grid}",
            crate::length::short(apart)
        )?;
    }
    Ok(())
}

/// The motion's part in a distance, in words; `None` if it has little.
pub fn reason(apart: &MotionApart, distance_m: f64) -> Option<String> {
    let motion = apart.motion_m.filter(|motion| *motion > LARGE * distance_m);
    let motion = motion.map(|motion| format!("the motion of its joints alone: {}", shown(motion)));
    let morphs = apart.morph_weights.filter(|weights| *weights > SAME_WEIGHTS);
    let morphs =
        morphs.map(|weights| format!("morph weights differ by up to {}", crate::length::short(weights)));
    let words: Vec<String> = motion.into_iter().chain(morphs).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// The share of a distance from which the motion of joints is named.
const LARGE: f64 = 0.1;

/// Returns the vertices of a primitive that the old file lacks.
pub fn only_new(added: &Added) -> String {
    let Added { new, vertices, vertex, bind_max_m } = added;
    format!(
        "{} only in the new file, up to {} off the old surface in the bind pose, at {new}:{vertex}",
        many(*vertices, "vertex"),
        shown(*bind_max_m)
    )
}

/// Returns the method that matched the vertices of two primitives, and its certainty.
fn how(pair: &PairName) -> String {
    let PairName { vertices, on_surface, by_weights, .. } = pair;
    let mut words = match pair.how {
        How::Order => "by order".to_owned(),
        How::Place => format!("{vertices} by place in the bind pose"),
        How::Surface => format!("{vertices} by the nearest point of the surface in the bind pose"),
    };
    if pair.how == How::Place && *on_surface > 0 {
        words += &format!(", {on_surface} of them by the nearest point of the surface");
    }
    if *by_weights > 0 {
        words += &format!(", {by_weights} of them told from others at the same place by weights alone");
    }
    if pair.bind_max_m > 0.0 {
        words += &format!("; there up to {} apart", shown(pair.bind_max_m));
        if pair.how == How::Surface || *on_surface > 0 {
            words += &format!(", 99 % up to {}", shown(pair.bind_p99_m));
        }
    }
    words
}

/// The grids that a file stores numbers on, in words; `None` if it stores floats.
fn stored(grid: &Grid) -> Option<String> {
    let positions = grid.positions_m.map(|step| format!("positions on a grid of {}", shown(step)));
    let weights = grid.weights.map(|step| format!("weights on a grid of 1/{}", (1.0 / step).round()));
    let words: Vec<String> = positions.into_iter().chain(weights).collect();
    (!words.is_empty()).then(|| words.join(" and "))
}
