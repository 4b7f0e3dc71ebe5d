//! A report as plain data: JSON for scripts and for reports on several models.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::metric::{Metric, Scale};
use sinew_skinning::distinct::Distinct;

/// A report on a model. Names from the file are shortened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The program and its version.
    pub program: String,
    /// The model as given.
    pub model: String,
    /// A digest of all inputs of the report: the program, the model's files and the flags. The caller sets it.
    #[serde(default)]
    pub made_from: String,
    /// The result in one or two sentences.
    pub verdict: String,
    /// The diagonal of the box around the bind pose in metres.
    pub diagonal_m: f64,
    /// The amounts measured.
    pub counts: Counts,
    /// The modes, in the order of every list of modes.
    pub modes: Vec<String>,
    /// The modes that are left out, because they equal *dqs*.
    #[serde(default)]
    pub equal_to_dqs: Vec<String>,
    /// For each mode, the worst value of each metric.
    pub summary: Vec<ModeSummary>,
    /// The worst values that are problems, worst first. Each clip, mode, metric and joint or part appears once.
    pub worst: Vec<Worst>,
    /// The cross-sections.
    pub sections: Vec<SectionEntry>,
    /// The closed parts.
    pub parts: Vec<PartEntry>,
    /// The metrics of every frame.
    pub clips: Vec<ClipSeries>,
    /// The model in three dimensions; the caller writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<ViewFile>,
}

/// The amounts measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// The number of drawn vertices.
    pub vertices: u64,
    /// The number of skinned vertices.
    pub skinned_vertices: u64,
    /// The number of triangles with three different corners.
    pub triangles: usize,
    /// The number of edges of these triangles.
    pub edges: usize,
    /// The number of joints without a section, because the model has too much to cut.
    pub skipped_sections: usize,
    /// The number of measured frames of all clips.
    pub frames: usize,
    /// The number of clips left out, because the model has too many.
    pub skipped_clips: usize,
}

/// A cross-section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SectionEntry {
    /// The joint, by name or as `#NODE`.
    pub joint: String,
    /// A vertex beside it, in the form that `--vertex` accepts.
    pub vertex: String,
    /// The size in the bind pose, in metres: for a circle, the radius.
    pub radius_m: f64,
}

/// A closed part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartEntry {
    /// The joint with the largest weight at `vertex`; null if no joint moves it.
    pub joint: Option<String>,
    /// One of the part's vertices, in the form that `--vertex` accepts.
    pub vertex: String,
    /// The number of triangles.
    pub triangles: usize,
    /// The volume in the bind pose, in cubic metres; negative if it is inside out.
    pub volume_m3: f64,
}

/// A clip, or the rest pose of a model without clips.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClipSeries {
    /// The clip's index in the file; null for the rest pose.
    pub clip: Option<usize>,
    /// The name in words: `clip Run`, `rest pose`.
    pub name: String,
    /// The time of the last measured frame, in seconds.
    pub seconds: f64,
    /// The number of frames in the clip; fewer are measured if the model has too many.
    pub of_frames: usize,
    /// The times of the measured frames, in seconds.
    pub times: Vec<f64>,
    /// The results of each mode.
    pub modes: Vec<ModeSeries>,
}

/// A mode's results in a clip.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModeSeries {
    /// The mode.
    pub mode: String,
    /// Each metric at each time; null if there is nothing to measure.
    pub series: BTreeMap<Metric, Vec<Option<f64>>>,
}

/// A mode's results in all clips.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModeSummary {
    /// The mode.
    pub mode: String,
    /// An earlier mode with the same numbers in every frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// The number of problems: each clip, metric and joint or part counts once.
    pub problems: usize,
    /// The worst value of each metric.
    pub worst: BTreeMap<Metric, Found>,
}

/// A value, with its place and time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The value.
    pub value: f64,
    /// Distance of the value from the best one in multiples of its limit; above 1 it is a problem. Null if it has no
    /// limit, or no skin moves the model.
    pub score: Option<f64>,
    /// The clip's index in the file; null for the rest pose.
    pub clip: Option<usize>,
    /// The clip in words: `clip Run`, `rest pose`.
    pub name: String,
    /// The time in seconds.
    pub time: f64,
    /// The place; null for a metric of the whole surface.
    pub at: Option<Location>,
}

/// The kind of a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LocationKind {
    /// A joint.
    Joint,
    /// A closed part.
    Part,
    /// A vertex.
    Vertex,
}

/// A place on the surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Location {
    /// The kind of location.
    pub kind: LocationKind,
    /// The joint there, by name or as `#NODE`: for a vertex, the one with the largest weight; null if no joint moves it.
    pub joint: Option<String>,
    /// The index of the section or the part in the report's lists.
    pub number: Option<usize>,
    /// A vertex there, in the form that `--vertex` accepts.
    pub vertex: String,
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// The mode.
    pub mode: String,
    /// The metric.
    pub metric: Metric,
    /// The value.
    #[serde(flatten)]
    pub found: Found,
    /// Pictures of the place at that time in each mode; the caller draws them.
    pub pictures: Vec<Picture>,
    /// The command that shows it; the caller sets it.
    pub command: String,
}

/// A picture beside the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// The mode that it shows.
    pub mode: String,
    /// The file, relative to the report.
    pub file: String,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The SHA-256 digest of the file.
    #[serde(default)]
    pub digest: String,
}

/// The model in three dimensions, beside the report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ViewFile {
    /// The file, relative to the report.
    pub file: String,
    /// The SHA-256 digest of the file.
    pub digest: String,
}

impl Report {
    /// Returns a sentence on the dialects of *dqs* that are left out, because no joint scales.
    pub fn left_out(&self) -> Option<String> {
        let equal_to_dqs = self.equal_to_dqs.iter().filter_map(|mode| mode.parse().ok()).collect();
        let distinct = Distinct { modes: Vec::new(), equal_to_dqs };
        distinct.sentence().filter(|_| self.counts.skinned_vertices > 0)
    }

    /// Returns the modes that differ from every mode before them.
    pub fn own_modes(&self) -> impl Iterator<Item = &ModeSummary> {
        self.summary.iter().filter(|mode| mode.same_as.is_none())
    }

    /// Returns a mode's name with those of equal modes: `dqs = blend`.
    pub fn label(&self, mode: &str) -> String {
        let same = self.summary.iter().filter(|summary| summary.same_as.as_deref() == Some(mode));
        let names = std::iter::once(mode).chain(same.map(|summary| summary.mode.as_str()));
        names.collect::<Vec<_>>().join(" = ")
    }

    /// Returns the totals that shares of the model refer to.
    pub fn scale(&self) -> Scale {
        Scale {
            diagonal_m: self.diagonal_m,
            triangles: self.counts.triangles as f64,
            vertices: self.counts.vertices as f64,
        }
    }
}
