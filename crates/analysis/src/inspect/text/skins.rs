//! The lines of a skin: influences, the loss with fewer of them, and joints that stretch.

use std::collections::BTreeMap;

use super::MAX_JOINTS;
use super::lines::{Lines, MAX_ENTRIES};
use super::words::{list, percent, quoted, small, titled};
use crate::inspect::{Limit, Skin, Stretched};
use sinew_text::words::many;

/// The tolerance of weights without a report.
const ROUNDING: f64 = 5e-6;

/// Writes a skin, the loss under other renderers, and its stretching joints.
pub fn skin_lines(out: &mut Lines, number: usize, skin: &Skin) {
    let meshes = match skin.meshes.as_slice() {
        [] => "no mesh".to_owned(),
        [one] => format!("mesh {one}"),
        many => format!("meshes {}", list(many.iter().map(usize::to_string), MAX_JOINTS)),
    };
    let parts = many(skin.palette_parts, "palette part");
    let (joints, used) = (many(skin.joints, "joint"), skin.joints_used);
    let title = titled(number, &skin.name);
    let method = skin.method.map_or_else(String::new, |method| format!("; authored as {method}"));
    out.item(&format!("{title}: {joints}, {used} used; {meshes}, {parts}{method}"));
    if !skin.influences.is_empty() {
        let counts = skin.influences.iter().enumerate().filter(|(_, vertices)| **vertices > 0);
        let counts = counts.map(|(influences, vertices)| format!("{influences}: {vertices}"));
        let counts: Vec<String> = counts.collect();
        out.detail(&format!("vertices by influences {}", counts.join(", ")));
    }
    if let Some(sum) = &skin.largest_sum_error {
        if sum.error < ROUNDING {
            out.detail("weights in the file    sum to 1");
        } else {
            out.detail(&format!("weights in the file    sum off 1 by {} ({})", small(sum.error), sum.name));
        }
    }
    let vertices: usize = skin.influences.iter().sum();
    for limit in skin.limits.iter().filter(|limit| limit.vertices > 0) {
        out.detail(&limit_line(limit, vertices));
    }
    stretched_lines(out, skin);
}

fn limit_line(limit: &Limit, vertices: usize) -> String {
    let share = percent(limit.vertices as f64 / vertices.max(1) as f64);
    let verb = if limit.vertices == 1 { "loses" } else { "lose" };
    format!(
        "cut to {:>2} per vertex    {} of {vertices} ({share}) {verb} weight: {} on average, {} at most",
        limit.limit,
        limit.vertices,
        percent(limit.mean_loss),
        percent(limit.worst_loss)
    )
}

/// Writes the stretching joints, grouped by the kind of stretch.
fn stretched_lines(out: &mut Lines, skin: &Skin) {
    let mut groups: BTreeMap<(u8, String), Vec<&Stretched>> = BTreeMap::new();
    for joint in &skin.stretched {
        let what = match (joint.mirror, joint.shear) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        groups.entry((what, stretch(joint))).or_default().push(joint);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|((what, _), joints)| (*what, std::cmp::Reverse(joints.len())));
    for ((what, stretch), joints) in groups.iter().take(MAX_ENTRIES) {
        let heading = ["mirrored joints", "sheared joints", "scaled joints"].get(usize::from(*what));
        let count = match joints.len() {
            all if all == skin.joints => "all joints".to_owned(),
            some => many(some, "joint"),
        };
        let names = list(joints.iter().map(|joint| quoted(&joint.name)), MAX_JOINTS);
        out.detail(&format!("{:<22} {count} {stretch}: {names}", heading.copied().unwrap_or_default()));
    }
    if groups.len() > MAX_ENTRIES {
        out.detail(&format!("… and {} more such groups; --json lists all", groups.len() - MAX_ENTRIES));
    }
}

/// Describes the stretch of a joint and its pose.
fn stretch(joint: &Stretched) -> String {
    let factors = if joint.largest - joint.smallest <= 5e-3 * joint.largest {
        format!("×{}", small(joint.largest))
    } else {
        format!("×{} to ×{}", small(joint.smallest), small(joint.largest))
    };
    match joint.pose.as_str() {
        "rest" => format!("{factors} in the rest pose"),
        clip => format!("{factors} in {}", quoted(clip)),
    }
}
