//! The results as short lines for reading; the JSON is complete.

use std::fmt::Write as _;

use super::bend::VolumeKept;
use super::compare::WeightDifference;
use super::finding::{Finding, Kind};
use super::joints::JointTrees;
use super::random::RandomPoses;
use super::report::{Report, Scores};
use sinew_model::gltf::one_line;
use sinew_model::unknown::quoted;
use sinew_skinning::pairing::How;
use sinew_text::length;
use sinew_text::words::many;

/// The maximum number of listed joints of a tree.
const MAX_JOINTS: usize = 512;

/// The maximum number of listed names or findings.
const MAX_ENTRIES: usize = 12;

/// The maximum depth of a tree's indentation.
const MAX_INDENTATION: usize = 24;

/// Formats the trees of joints.
pub fn joints(trees: &JointTrees<'_>) -> String {
    let mut out = String::new();
    for tree in &trees.skins {
        let joints = tree.joints.len();
        let _ = writeln!(
            out,
            "skin {}: {}, {}",
            titled(tree.skin, tree.name),
            many(joints, "joint"),
            many(tree.vertices, "vertex")
        );
        let _ = writeln!(out, "  vertices     weight   share  joint");
        for joint in tree.joints.iter().take(MAX_JOINTS) {
            let indent = "  ".repeat(joint.depth.min(MAX_INDENTATION));
            let name =
                if joint.name.is_empty() { "(no name)".to_owned() } else { quoted(&shown(joint.name)) };
            let clips = match joint.clips.len() {
                0 => String::new(),
                count => format!(", {}", many(count, "clip")),
            };
            let share = percent(joint.share);
            let (vertices, weight, node) = (joint.vertices, joint.weight, joint.node);
            let _ = writeln!(
                out,
                "  {vertices:>8} {weight:>10.1} {share:>7}  {indent}{name} (node {node}{clips})"
            );
        }
        more(&mut out, joints, MAX_JOINTS);
    }
    if trees.reduced {
        out.push_str("some skins were skipped, because the file has too many\n");
    }
    out
}

/// Formats the report: findings, scores and limits.
pub fn report(report: &Report) -> String {
    let mut out = String::new();
    match report.findings.len() {
        0 => out.push_str("no findings\n"),
        count => drop(writeln!(out, "{}", many(count, "finding"))),
    }
    for kind in Kind::ALL {
        let findings: Vec<&Finding> = report.findings.iter().filter(|finding| finding.kind == kind).collect();
        for finding in findings.iter().take(MAX_ENTRIES) {
            let _ = writeln!(out, "  {:<8} {}", kind.name(), sentence(finding));
            let see = format!("see view {}, vertex {}", finding.view, finding.worst.vertex);
            let line = if finding.command.is_empty() { &see } else { &finding.command };
            let _ = writeln!(out, "           {}", shown(line));
        }
        more(&mut out, findings.len(), MAX_ENTRIES);
    }
    for scores in report.skins.iter().take(MAX_ENTRIES) {
        scores_lines(&mut out, scores);
    }
    more(&mut out, report.skins.len(), MAX_ENTRIES);
    for limits in report.limits.iter().take(MAX_ENTRIES) {
        let part = |parts: &super::limits::Parts| match parts.parts {
            Some(count) => format!("{count} at {}", parts.limit),
            None => format!("none fits {}", parts.limit),
        };
        let parts: Vec<String> = limits.parts.iter().map(part).collect();
        let _ = writeln!(
            out,
            "{}: {}; parts by joints per palette: {}",
            limits.primitive,
            many(limits.joints, "joint"),
            parts.join(", ")
        );
    }
    more(&mut out, report.limits.len(), MAX_ENTRIES);
    out
}

/// Describes a finding in a sentence.
pub fn sentence(finding: &Finding) -> String {
    let joint = finding.joint.as_ref().map_or_else(String::new, |joint| quoted(&shown(&joint.name)));
    let vertices = many(finding.count, "vertex");
    let (at, worst) = (&finding.primitive, percent(finding.worst.weight));
    let off = finding.worst.difference.unwrap_or_default();
    match finding.kind {
        Kind::Leak => format!("{joint} moves {vertices} of the other side in {at}, by up to {worst}"),
        Kind::Far => format!("{joint} moves {vertices} far from its home in {at}, by up to {worst}"),
        Kind::Island => format!("{joint} moves {vertices} cut off from its home in {at}, by up to {worst}"),
        Kind::Outlier => {
            format!(
                "{vertices} of {at} unlike their neighbours: weights differ by up to {off:.2}, most for {joint}"
            )
        }
        Kind::Split => {
            format!("{vertices} at seams of {at}, where weights differ by up to {off:.2} across the seam")
        }
        Kind::Tiny => format!("{vertices} of {at} with weights too small for 8 bits"),
    }
}

fn scores_lines(out: &mut String, scores: &Scores) {
    let (skin, vertices) = (scores.skin, many(scores.vertices, "vertex"));
    if scores.left_out {
        let _ = writeln!(out, "skin {skin}: {vertices}, too many to check");
        return;
    }
    let (places, pieces) = (many(scores.points, "place"), many(scores.pieces, "piece"));
    let _ = writeln!(out, "skin {skin}: {vertices} at {places} in {pieces}");
    let number = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |value| format!("{value:.4}"));
    let _ = writeln!(
        out,
        "  smoothness  {} mean squared step of weights along an edge",
        number(scores.smoothness)
    );
    let share = scores.locality.map_or_else(|| "none".to_owned(), percent);
    let _ = writeln!(out, "  locality    {share} of the weight is not near its joint over the surface");
    if scores.joints_left_out > 0 {
        let _ = writeln!(
            out,
            "              without {}, which would take too long",
            many(scores.joints_left_out, "joint")
        );
    }
    if let Some(volume) = &scores.volume {
        volume_lines(out, volume);
    }
}

fn volume_lines(out: &mut String, volume: &VolumeKept) {
    if volume.closed_parts == 0 {
        out.push_str("  volume      none: the surface has no closed part\n");
        return;
    }
    for mode in &volume.modes {
        let (Some(mean), Some(smallest), Some(joint)) = (mode.mean, mode.smallest, &mode.joint) else {
            continue;
        };
        let (mean, smallest, joint) = (percent(mean), percent(smallest), quoted(&shown(&joint.name)));
        let _ = writeln!(
            out,
            "  volume      {} keeps {mean} in the mean, {smallest} with {joint} bent by 90°",
            mode.mode
        );
    }
    if let Some(sentence) = &volume.equal {
        let _ = writeln!(out, "              {sentence}");
    }
    if volume.left_out > 0 {
        let _ = writeln!(
            out,
            "              {} bent, {} left out, which would take too long",
            many(volume.bent, "joint"),
            volume.left_out
        );
    }
}

/// Describes the difference of two models' weights.
pub fn difference(found: &WeightDifference) -> String {
    let mut out = String::new();
    let matched = many(found.matched, "vertex");
    let _ = writeln!(out, "{matched} matched, {} of A without a match", found.unmatched);
    if let (Some(mean), Some(largest), Some(worst)) = (found.mean, found.largest, &found.worst) {
        let _ =
            writeln!(out, "weights differ by {mean:.5} in the mean, by {largest:.5} at {worst} (at most 2)");
    }
    for joint in &found.joints {
        let _ = writeln!(
            out,
            "  {:>10.3} in all, {:.6} in the mean: {}",
            joint.sum,
            joint.mean,
            quoted(&shown(&joint.name))
        );
    }
    for primitive in found.primitives.iter().take(MAX_ENTRIES) {
        let how = match primitive.how {
            How::Order => "order",
            How::Place => "place",
            How::Surface => "the nearest position",
        };
        let (a, b, matched) = (&primitive.a, &primitive.b, many(primitive.matched, "vertex"));
        let _ =
            writeln!(out, "{a} of A is {b} of B: {matched} matched by {how}, {} not", primitive.unmatched);
    }
    more(&mut out, found.primitives.len(), MAX_ENTRIES);
    let lists = [
        ("joints only in A", &found.only_in_a),
        ("joints only in B", &found.only_in_b),
        ("primitives only in A", &found.primitives_only_in_a),
        ("primitives only in B", &found.primitives_only_in_b),
    ];
    for (heading, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
        let first: Vec<String> = names.iter().take(MAX_ENTRIES).map(|name| quoted(&shown(name))).collect();
        let _ = writeln!(out, "{heading}: {}", first.join(" "));
        more(&mut out, names.len(), MAX_ENTRIES);
    }
    out
}

/// Describes the distances of two models over random poses.
pub fn random_poses(found: &RandomPoses) -> String {
    let RandomPoses { seed, mode, .. } = found;
    let (poses, joints) = (many(found.poses, "random pose"), many(found.turned_joints, "joint"));
    let vertices = many(found.vertices, "vertex");
    let mut out = format!("{poses} of {joints}, seed {seed}, {mode}, {vertices}\n");
    match (found.mean, found.largest, &found.worst, found.worst_pose) {
        (Some(mean), Some(largest), Some(worst), Some(pose)) => {
            let [mean, largest] = [mean, largest].map(length::shown);
            let _ = writeln!(out, "  {mean} apart in the mean, {largest} at {worst} in pose {pose}");
        }
        _ => out.push_str("  nothing to compare\n"),
    }
    out
}

fn more(out: &mut String, count: usize, shown: usize) {
    if count > shown {
        let _ = writeln!(out, "  … and {} more; --json lists all", count - shown);
    }
}

fn titled(number: usize, name: &str) -> String {
    if name.is_empty() { number.to_string() } else { format!("{number} {}", quoted(&shown(name))) }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Replaces characters that could move a terminal's cursor, and shortens the text to a line.
fn shown(text: &str) -> String {
    const MAX_TEXT: usize = 300;
    one_line(&text.chars().take(MAX_TEXT).collect::<String>())
}
