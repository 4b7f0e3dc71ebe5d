//! Prints the distances of a written model from the original, clip by clip.

use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::measure::Place;
use crate::length::{Unit, digits, shown};
use crate::skinning::SkinningMode;
use crate::table::{Align, Table};
use crate::words::many;

use super::measure::{Found, Motion};

/// Prints the distances of each clip.
pub fn motions(mode: SkinningMode, found: &Found, out: &mut dyn Write) -> io::Result<()> {
    let (vertices, diagonal) = (many(found.vertices, "vertex"), shown(found.diagonal_m));
    writeln!(out, "\n{mode} against the original, over {vertices}; the bind pose's diagonal is {diagonal}")?;
    let unit = Unit::of(found.motions.iter().map(|motion| motion.max_m));
    let mut table = Table::new(&[Align::Left, Align::Right, Align::Right, Align::Left]);
    for motion in &found.motions {
        let worst = match &motion.worst {
            Some((time, place)) => format!("at {} s, {}{}", digits(*time), place.name, joint(place)),
            None => "no difference".to_owned(),
        };
        let largest = unit.shown_with_share(motion.max_m, found.diagonal_m);
        table.row([&motion.name, &many(motion.frames, "frame"), &largest, &worst]);
    }
    table.write(out)?;
    let largest = found.worst().map_or(0.0, |motion| motion.max_m);
    writeln!(out, "The largest distance is {}.", unit.shown_with_share(largest, found.diagonal_m))
}

fn joint(place: &Place) -> String {
    place.joint.as_ref().map_or_else(String::new, |joint| format!(", {joint}"))
}

/// The distances of each clip, as keys of the document.
#[derive(Serialize)]
pub struct Distances<'a> {
    diagonal_m: f64,
    vertices: usize,
    clips: Vec<Clip<'a>>,
    max_m: f64,
    max_percent: Option<f64>,
}

#[derive(Serialize)]
struct Clip<'a> {
    clip: Option<usize>,
    name: &'a str,
    frames: usize,
    max_m: f64,
    max_percent: Option<f64>,
    /// Null if nothing is apart.
    time: Option<f64>,
    worst: Option<&'a Place>,
}

impl<'a> Distances<'a> {
    pub fn new(found: &'a Found) -> Self {
        let clip = |motion: &'_ Motion| -> (f64, Option<f64>) {
            (motion.max_m, percent(motion.max_m, found.diagonal_m))
        };
        let clips = found.motions.iter().map(|motion| Clip {
            clip: motion.clip,
            name: &motion.name,
            frames: motion.frames,
            max_m: motion.max_m,
            max_percent: clip(motion).1,
            time: motion.worst.as_ref().map(|(time, _)| *time),
            worst: motion.worst.as_ref().map(|(_, place)| place),
        });
        let (max_m, max_percent) = found.worst().map_or((0.0, None), clip);
        Self {
            diagonal_m: found.diagonal_m,
            vertices: found.vertices,
            clips: clips.collect(),
            max_m,
            max_percent,
        }
    }
}

fn percent(metres: f64, diagonal_m: f64) -> Option<f64> {
    (diagonal_m > 0.0).then(|| metres / diagonal_m * 100.0)
}
