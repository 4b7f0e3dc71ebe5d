//! The list of findings on a page: each with its words, its place, a button that shows it, and pictures.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sinew_model::{Model, VertexIndex, VertexName};
use sinew_skinning::SkinningMode;
use sinew_skinning::pairing::{ClipPairs, clip_name};
use sinew_skinning::pose::PoseChoice;
use sinew_text::html::escaped;

use super::asset::{Finding, Place, Weight};
use crate::report::{Report, embedded};
use crate::view_page::{Spot, button};

/// A picture of a finding.
pub struct Shot {
    /// The words under it.
    pub title: &'static str,
    /// The picture.
    pub png: Vec<u8>,
}

/// The place of a finding in both models of a pair.
pub struct Scene {
    /// The clips of both models; the rest pose without them.
    pub clips: [Option<usize>; 2],
    /// The time in seconds.
    pub time: f64,
    /// The vertex of the old model.
    pub vertex: Option<VertexIndex>,
}

impl Scene {
    /// Finds the place of a finding. Without one, it is the whole rest pose.
    pub fn of(finding: &Finding, models: [&Model; 2]) -> Self {
        let [old, new] = models;
        let Some(place) = &finding.place else { return Self { clips: [None; 2], time: 0.0, vertex: None } };
        let clip = place
            .clip
            .as_ref()
            .and_then(|name| (0..old.clips.len()).find(|clip| clip_name(old, *clip) == *name));
        let pairs = ClipPairs::new(old, new, &[]).ok();
        let partner = clip.and_then(|clip| pairs?.partner(clip));
        Self { clips: [clip, partner], time: place.time, vertex: vertex(finding, old) }
    }

    /// The poses of both models.
    pub fn poses(&self) -> [PoseChoice; 2] {
        self.clips.map(|clip| clip.map_or(PoseChoice::Rest, |clip| PoseChoice::clip(clip, self.time)))
    }
}

/// Finds the vertex of a finding.
pub fn vertex(finding: &Finding, model: &Model) -> Option<VertexIndex> {
    let name = finding.place.as_ref()?.vertex.as_ref()?;
    name.parse::<VertexName>().ok()?.find(model).ok()
}

/// Formats a finding's kind and words.
pub fn sentence(finding: &Finding) -> String {
    format!("{}: {}", finding.kind.name(), finding.words)
}

/// Returns the spots of one model's findings: in the bind pose, which shows weights best, in the mode of the file.
pub fn model_spots(findings: &[Finding], report: &Report, model: &Model) -> Vec<Spot> {
    let own = SkinningMode::authored(model).unwrap_or_default();
    let side = report.own_modes().position(|summary| summary.mode == own.name()).unwrap_or_default();
    let spot = |finding: &Finding| {
        let vertex = vertex(finding, model);
        Spot { words: sentence(finding), side, motion: None, time: 0.0, vertex }
    };
    findings.iter().map(spot).collect()
}

/// The words about a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// In one model.
    One,
    /// In the old model of a pair.
    Old,
}

/// Formats the section of one model. A finding without a place has no button. The first finding's spot has the number `first`;
/// `shots` are pictures of each finding, if there are any.
pub fn model_section(findings: &[Finding], first: usize, shots: &[Vec<Shot>]) -> String {
    section(findings, Of::One, first, shots)
}

/// Formats the section. The first finding's spot has the number `first`; `shots` are pictures of each finding, if there are any.
pub fn section(findings: &[Finding], of: Of, first: usize, shots: &[Vec<Shot>]) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let mut out = String::from("<section>\n<h2>Findings, worst first</h2>\n<ol class=\"problems\">\n");
    for (number, finding) in findings.iter().enumerate() {
        let has_button = of == Of::Old || finding.place.is_some();
        let button = if has_button { button(first.saturating_add(number)) } else { String::new() };
        out.push_str(&item(finding, of, &button, shots.get(number).map(Vec::as_slice).unwrap_or_default()));
    }
    out.push_str("</ol>\n</section>\n");
    out
}

fn item(finding: &Finding, of: Of, button: &str, shots: &[Shot]) -> String {
    let class = if finding.kind.weight() == Weight::Error { " class=\"bad\"" } else { "" };
    let (kind, words) = (finding.kind.name(), escaped(&finding.words));
    let mut out = format!("<li>\n{button}<h3><b{class}>{kind}</b> {words}</h3>\n");
    if let Some(place) = &finding.place {
        let _ = writeln!(out, "<p class=\"quiet\">{}</p>", escaped(&words_of(place, of)));
    }
    if !shots.is_empty() {
        let is_placed = finding.place.as_ref().is_some_and(|place| place.vertex.is_some());
        let circle = if is_placed { " class=\"circled\"" } else { "" };
        out.push_str("<div class=\"pictures\">\n");
        for Shot { title, png } in shots {
            let _ = writeln!(
                out,
                "<figure><span{circle}><img src=\"{}\" alt=\"{title}\" loading=\"lazy\"></span><figcaption>{title}</figcaption></figure>",
                embedded(&STANDARD.encode(png))
            );
        }
        out.push_str("</div>\n");
    }
    out.push_str("</li>\n");
    out
}

fn words_of(place: &Place, of: Of) -> String {
    let vertex = place.vertex.as_ref().map(|vertex| format!("vertex {vertex}"));
    match of {
        Of::One => vertex.unwrap_or_default(),
        Of::Old => {
            let clip = place
                .clip
                .as_ref()
                .map_or("rest pose".to_owned(), |clip| format!("clip {clip}, {:.3} s", place.time));
            clip + &vertex.map_or_else(String::new, |vertex| format!(" · {vertex} of the old model"))
        }
    }
}
