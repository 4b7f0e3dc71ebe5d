//! Sums up the frames of motions: figures for each mode, and the worst places.

use std::collections::HashMap;

use sinew_model::{Model, VertexIndex};
use sinew_skinning::SkinningMode;

use super::batches::{Frame, Measured};
use super::place::heaviest;
use super::recomputed::NormalAngles;

/// A mode's figures over all frames of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// The mode.
    pub mode: SkinningMode,
    /// The largest distance of any vertex in any frame.
    pub max_m: f64,
    /// The mean distance over all vertices and frames.
    pub mean_m: f64,
    /// The largest 99th percentile of a frame: in every frame 99 % of the distances are no larger.
    pub p99_m: f64,
    /// The root of the mean square over all vertices and frames.
    pub rms_m: f64,
    /// The largest angle between normals.
    pub normal_max_deg: f64,
    /// The time and vertex of the largest distance; `None` if all distances are zero.
    pub worst: Option<(f64, VertexIndex)>,
    /// The maximum number of vertices left out of a frame because a position was not finite.
    pub lost: usize,
    /// The angles between its normals and recomputed ones, if they were measured.
    pub normals: Option<NormalFigures>,
    frames: usize,
}

/// Angles between a mode's normals and recomputed ones, over all frames of a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NormalFigures {
    /// The largest angle of any vertex in any frame, in degrees.
    pub max_deg: f64,
    /// The time and vertex of the largest angle; `None` if all are zero.
    pub worst: Option<(f64, VertexIndex)>,
    squares: f64,
    frames: usize,
}

impl NormalFigures {
    /// Returns the root mean square over all vertices and frames, in degrees.
    pub fn rms_deg(&self) -> f64 {
        (self.squares / self.frames.max(1) as f64).sqrt()
    }

    fn add(&mut self, time: f64, angles: &NormalAngles) {
        if let Some(vertex) = angles.worst.filter(|_| angles.max_deg > self.max_deg) {
            (self.max_deg, self.worst) = (angles.max_deg, Some((time, vertex)));
        }
        self.squares += angles.rms_deg * angles.rms_deg;
        self.frames += 1;
    }
}

/// The largest distance of the vertices that one joint moves most, in one mode and motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// The index of the motion.
    pub motion: usize,
    /// The mode.
    pub mode: SkinningMode,
    /// The time in seconds.
    pub time: f64,
    /// The vertex.
    pub vertex: VertexIndex,
    /// The distance in metres.
    pub distance_m: f64,
}

/// Figures of motions, and the worst frames of all.
#[derive(Debug, Default)]
pub struct Summary {
    /// For each motion its modes.
    pub motions: Vec<Vec<Figures>>,
    worst: HashMap<(usize, SkinningMode, Option<usize>), Worst>,
}

impl Summary {
    /// Starts the next motion.
    pub fn start(&mut self, modes: &[SkinningMode]) {
        let nothing = |&mode: &SkinningMode| Figures {
            mode,
            max_m: 0.0,
            mean_m: 0.0,
            p99_m: 0.0,
            rms_m: 0.0,
            normal_max_deg: 0.0,
            worst: None,
            lost: 0,
            normals: None,
            frames: 0,
        };
        self.motions.push(modes.iter().map(nothing).collect());
    }

    /// Adds a frame to the motion started last.
    pub fn add(&mut self, model: &Model, frame: &Frame) {
        let Some(motion) = self.motions.len().checked_sub(1) else { return };
        for (figures, measured) in self.motions[motion].iter_mut().zip(&frame.modes) {
            figures.add(frame.time, measured);
            let Some(vertex) = measured.distance.worst else { continue };
            let key = (motion, measured.mode, heaviest(model, vertex));
            let distance_m = measured.distance.max_m;
            let found = Worst { motion, mode: measured.mode, time: frame.time, vertex, distance_m };
            let known = self.worst.entry(key).or_insert(found);
            if distance_m > known.distance_m {
                *known = found;
            }
        }
    }

    /// Returns the worst places, largest first: each motion, mode and joint at most once, at its worst frame.
    pub fn worst(&self, most: usize) -> Vec<Worst> {
        let mut worst: Vec<Worst> = self.worst.values().copied().collect();
        worst.sort_by(|a, b| {
            let order = b.distance_m.total_cmp(&a.distance_m);
            order
                .then(a.motion.cmp(&b.motion))
                .then(a.time.total_cmp(&b.time))
                .then(a.mode.name().cmp(b.mode.name()))
        });
        worst.truncate(most);
        worst
    }
}

impl Figures {
    fn add(&mut self, time: f64, Measured { distance, normals, .. }: &Measured) {
        if let Some(angles) = normals {
            self.normals.get_or_insert_default().add(time, angles);
        }
        if let Some(vertex) = distance.worst.filter(|_| distance.max_m > self.max_m) {
            self.worst = Some((time, vertex));
        }
        self.max_m = self.max_m.max(distance.max_m);
        self.p99_m = self.p99_m.max(distance.p99_m);
        self.normal_max_deg = self.normal_max_deg.max(distance.normal_max_deg);
        self.lost = self.lost.max(distance.lost);
        self.frames += 1;
        self.mean_m += (distance.mean_m - self.mean_m) / self.frames as f64;
        let [square, new] = [self.rms_m * self.rms_m, distance.rms_m * distance.rms_m];
        self.rms_m = (square + (new - square) / self.frames as f64).max(0.0).sqrt();
    }
}
