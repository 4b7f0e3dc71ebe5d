//! The explanation as lines for reading: influences first, then modes, then signs and the changes during loading, matrices
//! last.

use super::changes::{Change, Loading, Stored};
use super::explanation::{
    DualQuaternions, Explanation, Influence, Moved, Mover, Named, OwnNumbers, Place, Screen,
};
use crate::palette::Columns;
use crate::palette::text::{number, numbers, row_lines, titled};
use sinew_model::MAX_INFLUENCES;
use sinew_model::gltf::one_line;
use sinew_text::length::Unit;
use sinew_text::words::fixed;

/// The maximum number of warnings in the text.
const MAX_WARNINGS: usize = 4;

/// Number of digits of a weight.
const WEIGHT: usize = 6;

/// The maximum number of characters in a line.
const MAX_WIDTH: usize = 120;

/// The characters of a mode's position and normal.
const PLACE: usize = 3 * 11 + 2 + 3 * 7 - 1;

/// Formats all lines.
pub fn lines(explanation: &Explanation) -> Vec<String> {
    let mut out = head(explanation);
    section(&mut out, influence_lines(explanation));
    let left_out = explanation.left_out.iter().map(|sentence| format!("  {sentence}"));
    section(&mut out, mode_lines(&explanation.modes).into_iter().chain(left_out).collect());
    section(&mut out, own_lines(explanation));
    section(&mut out, sign_lines(explanation));
    section(&mut out, loading_lines(&explanation.loading));
    section(&mut out, matrix_lines(&explanation.influences));
    section(&mut out, explanation.screen.as_ref().map_or_else(Vec::new, screen_lines));
    out
}

fn section(out: &mut Vec<String>, lines: Vec<String>) {
    if !lines.is_empty() {
        out.push(String::new());
        out.extend(lines.into_iter().map(|line| line.trim_end().to_owned()));
    }
}

fn head(explanation: &Explanation) -> Vec<String> {
    let Explanation { vertex, mesh, primitive, index, node, mover, .. } = explanation;
    let of = |noun: &str, named: &Named| format!("{noun} {}", titled(named.number, &named.name));
    let mut out = vec![
        vertex.clone(),
        format!("  vertex {index} of primitive {primitive} of {}", of("mesh", mesh)),
        match mover {
            Mover::Skin(skin) => format!("  drawn by {}, moved by {}", of("node", node), of("skin", skin)),
            Mover::Node => format!("  drawn and moved by {}: no skin moves it", of("node", node)),
        },
    ];
    if explanation.is_bind_pose {
        out.push("  bind pose: joints and morph targets are left out".to_owned());
    }
    let stored = Place {
        position: explanation.stored.position.map(|position| position.map(f64::from)),
        normal: explanation.stored.normal.map(|normal| normal.map(f64::from)),
    };
    out.push(format!("  stored   {}", place_words(&stored)));
    out.extend(explanation.morphed.map(|morphed| format!("  morphed  {}", place_words(&morphed))));
    out
}

fn place_words(place: &Place) -> String {
    let normal = place.normal.map_or(String::new(), |normal| format!("   normal {}", numbers(normal)));
    format!("{} m{normal}", vector(place.position))
}

/// Formats three aligned numbers.
fn vector(numbers_or_none: Option<[f64; 3]>) -> String {
    numbers_or_none.map_or_else(|| format!("{:>32}", "not finite"), numbers)
}

/// Formats a distance in the unit of its column.
fn distance(unit: Unit, metres: Option<f64>) -> String {
    format!("{:>10}", metres.map_or_else(|| "not finite".to_owned(), |metres| unit.shown(metres)))
}

fn scalar(number_or_none: Option<f64>) -> String {
    number_or_none.map_or_else(|| format!("{:>10}", "not finite"), number)
}

/// Formats the joint, or its replacement, in a column of 28 characters.
fn joint_column(influence: &Influence) -> String {
    let name = match (influence.joint, influence.node) {
        (Some(-1), _) => "no joint (-1)".to_owned(),
        (Some(joint), _) => titled(usize::try_from(joint).unwrap_or(0), &influence.name),
        (None, Some(node)) => format!("node {}", titled(node as usize, &influence.name)),
        (None, None) => "node".to_owned(),
    };
    match name.char_indices().nth(27) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => format!("{name:<28}"),
    }
}

fn influence_lines(explanation: &Explanation) -> Vec<String> {
    let node = |influence: &Influence| influence.node.map_or("-".to_owned(), |node| node.to_string());
    let title = match explanation.mover {
        Mover::Skin(_) => {
            "Influences: the weight in use, and the vertex's position by that joint alone (x y z in m)"
        }
        Mover::Node => "The node, and the vertex's position by it (x y z in m)",
    };
    let mut out = vec![
        title.to_owned(),
        format!(
            "  {:<28} {:>6} {:>8} {:>10} {:>10} {:>10} {:>10}",
            "joint", "node", "weight", "x", "y", "z", "moves it"
        ),
    ];
    let unit = Unit::of(explanation.influences.iter().filter_map(|influence| influence.alone_from_bind));
    out.extend(explanation.influences.iter().map(|influence| {
        format!(
            "  {} {:>6} {:>8.WEIGHT$} {} {}",
            joint_column(influence),
            node(influence),
            influence.weight,
            vector(influence.alone),
            distance(unit, influence.alone_from_bind)
        )
    }));
    out.extend(explanation.no_joint.iter().map(|sentence| format!("  {sentence}")));
    out
}

fn mode_lines(modes: &[Moved]) -> Vec<String> {
    let names: Vec<&str> = modes.iter().map(|moved| moved.mode.name()).collect();
    mode_table(&names, modes)
}

/// Formats the modes under these names. Distances stand beside the positions, or below them if that would be too wide.
fn mode_table(names: &[&str], modes: &[Moved]) -> Vec<String> {
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let (first, other) = (widest.max(6), (widest + 3).max(10));
    let unit = Unit::of(modes.iter().flat_map(|moved| &moved.distances).filter_map(|found| found.distance));
    let distances = |from: &Moved, to: &[(&&str, &Moved)]| {
        let of = |(_, to): &(&&str, &Moved)| {
            let found = from.distances.iter().find(|distance| distance.mode == to.mode);
            let found = found.map_or_else(|| "-".to_owned(), |found| distance(unit, found.distance));
            format!("{found:>other$} ")
        };
        to.iter().map(of).collect::<String>()
    };
    let title = |to: &[(&&str, &Moved)]| {
        to.iter().map(|(name, _)| format!("{:>other$} ", format!("to {name}"))).collect::<String>()
    };
    let all: Vec<(&&str, &Moved)> = names.iter().zip(modes).collect();
    let room = MAX_WIDTH.saturating_sub(2 + first + 1);
    let is_one = PLACE + (other + 1) * all.len() <= room;
    let beside = if is_one { &all[..] } else { &[] };
    let normal = if modes.iter().any(|moved| moved.place.normal.is_some()) { "normal" } else { "" };
    let mut out = vec![
        "Modes: the vertex's position in each (x y z in m), and the distances between modes".to_owned(),
        format!("  {:<first$} {:>10} {:>10} {:>10} {}  {normal}", "mode", "x", "y", "z", title(beside)),
    ];
    out.extend(all.iter().map(|(name, moved)| {
        let normal = moved.place.normal.map_or(String::new(), |normal| normal.map(direction).join(" "));
        format!("  {name:<first$} {} {}  {normal}", vector(moved.place.position), distances(moved, beside))
    }));
    for below in all[beside.len()..].chunks((room / (other + 1)).max(1)) {
        out.push(format!("  {:<first$} {}", "mode", title(below)));
        out.extend(all.iter().map(|(name, from)| format!("  {name:<first$} {}", distances(from, below))));
    }
    out
}

fn own_lines(explanation: &Explanation) -> Vec<String> {
    let Some(OwnNumbers { blend_share, center, center_placed }) = explanation.own else { return Vec::new() };
    vec![
        "Further values of blend and cor for the vertex".to_owned(),
        format!("  blend takes {blend_share:.3} of dqs and the rest of lbs"),
        format!("  cor turns it about  {} m", numbers(center)),
        format!("  in the pose, at     {} m", vector(center_placed).trim_start()),
    ]
}

/// Formats a component of a unit vector.
fn direction(component: f64) -> String {
    format!("{:>6}", fixed(component, 3))
}

fn sign_lines(explanation: &Explanation) -> Vec<String> {
    let Some(blend) = explanation.dual_quaternions else { return Vec::new() };
    let mut out =
        vec!["Signs in dual quaternion skinning: q's dot product with the first influence's".to_owned()];
    for influence in &explanation.influences {
        let Some(sign) = influence.sign else { continue };
        let what = match (sign.is_flipped, sign.is_tie) {
            (true, _) => "flipped",
            (false, true) => "kept: half a turn apart, a tie",
            (false, false) => "kept",
        };
        out.push(format!("  {} {}  {what}", joint_column(influence), scalar(sign.dot)));
    }
    let DualQuaternions { length, is_cancelled, has_tie: _ } = blend;
    let fallen = if is_cancelled { ": they cancel, so the first influence's are taken" } else { "" };
    out.push(format!("  {:<28} {}{fallen}", "length of the sum", scalar(length)));
    out
}

fn loading_lines(loading: &Loading) -> Vec<String> {
    let mut out = vec!["Loading".to_owned()];
    match (&loading.stored, loading.sums_to_one) {
        (Some(stored), _) => out.extend(stored_lines(stored)),
        (None, true) => out.push("  the stored weights sum to 1".to_owned()),
        (None, false) => {
            let sum = scalar(loading.stored_sum);
            out.push(format!("  the stored weights sum to {}, not 1", sum.trim()));
        }
    }
    for warning in loading.warnings.iter().take(MAX_WARNINGS) {
        out.push(format!("  {}: {}: {}", warning.code, one_line(&warning.path), one_line(&warning.message)));
    }
    if let Some(more) = loading.warnings.len().checked_sub(MAX_WARNINGS).filter(|more| *more > 0) {
        out.push(format!("  … and {more} more; --json lists all"));
    }
    out
}

fn stored_lines(stored: &Stored) -> Vec<String> {
    let mut out = Vec::new();
    for slots in stored.slots.chunk_by(|a, b| a.set == b.set) {
        let Some(first) = slots.first() else { continue };
        let joints: Vec<String> = slots.iter().map(|slot| format!("{:>10}", slot.joint)).collect();
        let weights: Vec<String> = slots.iter().map(|slot| scalar(slot.weight)).collect();
        out.push(format!("  {:<10} {}", format!("JOINTS_{}", first.set), joints.join(" ")));
        out.push(format!("  {:<10} {}", format!("WEIGHTS_{}", first.set), weights.join(" ")));
    }
    match stored.slots.is_empty() {
        true => out.push("  the file stores no joints".to_owned()),
        false => out.push(format!("  {:<10} {}", "sum", scalar(stored.sum))),
    }
    out.extend(stored.changes.iter().map(|change| format!("  {}", sentence(change))));
    out
}

/// Describes a change during loading.
fn sentence(change: &Change) -> String {
    let slots = |count: usize, one: &str, more: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {more}"),
    };
    match *change {
        Change::NotUsed => "no skin gives the joints a meaning, so they are not used".to_owned(),
        Change::NotFinite { slots: count } => {
            slots(count, "weight is not finite and counts as 0", "weights are not finite and count as 0")
        }
        Change::Negative { slots: count } => {
            slots(count, "weight is below 0 and counts as 0", "weights are below 0 and count as 0")
        }
        Change::NoWeight { joint } => format!("no weight is above 0, so joint {joint} has all of it"),
        Change::Sorted => "sorted, the heaviest first".to_owned(),
        Change::Dropped { slots: count, share } => {
            let share =
                share.map_or(String::new(), |share| format!(", {:.2} % of the weight", share * 100.0));
            let dropped = slots(count, "influence was dropped", "influences were dropped");
            format!("{dropped}{share}: a vertex has {MAX_INFLUENCES} at most")
        }
        Change::TooSmall { slots: count } => {
            slots(count, "weight is too small to count", "weights are too small to count")
        }
        Change::Rescaled { sum } => format!("divided by the sum, {}", scalar(sum).trim()),
        Change::Repeated { joint, times } => {
            format!("joint {joint} is named {times} times, and each is kept")
        }
    }
}

fn matrix_lines(influences: &[Influence]) -> Vec<String> {
    let mut out = vec!["Matrices, one row per line; quaternions as x y z w".to_owned()];
    for influence in influences {
        let transforms = &influence.transforms;
        out.push(format!("  {}", joint_column(influence)));
        let pairs = [
            (
                "parent from joint",
                &transforms.parent_from_joint,
                "world from joint",
                &transforms.world_from_joint,
            ),
            ("joint from bind", &transforms.joint_from_bind, "world from bind", &transforms.world_from_bind),
        ];
        for (left, left_columns, right, right_columns) in pairs {
            out.push(format!("    {left:<43}   {right}"));
            let rows = row_lines(left_columns.as_ref()).into_iter().zip(row_lines(right_columns.as_ref()));
            out.extend(rows.take(3).map(|(left, right)| format!("    {left:<43}   {right}")));
        }
        out.extend(motion_lines(influence));
    }
    out
}

/// Formats the way to a pixel: vectors, and between two of them the matrix that leads from one to the other.
fn screen_lines(screen: &Screen) -> Vec<String> {
    let [width, height] = screen.size;
    let mut out = vec![format!(
        "On the screen in {}, {width}x{height} pixels: each matrix times the vector above it gives the one below",
        screen.mode
    )];
    let vector = |name: &str, numbers_or_none: Option<[f64; 4]>| {
        let shown = numbers_or_none.map_or_else(|| "not finite".to_owned(), numbers);
        format!("  {name:<16} {shown}")
    };
    let matrix = |name: &str, columns: Option<&Columns>| {
        let rows = row_lines(columns).into_iter().enumerate();
        rows.map(|(row, line)| format!("    {:<16} {line}", if row == 0 { name } else { "" }))
            .collect::<Vec<_>>()
    };
    out.push(vector("bind", screen.bind));
    out.extend(matrix("world from bind", screen.world_from_bind.as_ref()));
    out.push(vector("world", screen.world));
    out.extend(matrix("view from world", screen.view_from_world.as_ref()));
    out.push(vector("view", screen.view));
    out.extend(matrix("clip from view", screen.clip_from_view.as_ref()));
    out.push(vector("clip", screen.clip));
    let ndc = screen.ndc.map_or_else(|| "not finite".to_owned(), numbers);
    out.push(format!("  {:<16} {ndc}   clip / w; depth is 1 near the camera", "NDC"));
    let nowhere = if screen.ndc.is_some() { "behind the camera" } else { "not finite" };
    let pixel = screen.pixel.map_or_else(|| nowhere.to_owned(), numbers);
    out.push(format!("  {:<16} {pixel}   from the upper left corner", "pixel"));
    out
}

fn motion_lines(influence: &Influence) -> Vec<String> {
    let motion = &influence.motion;
    let quaternion = |parts: Option<[f64; 4]>| parts.map_or_else(|| "not finite".to_owned(), numbers);
    let stretch = match motion.stretch {
        Some([[xx, xy, xz], [_, yy, yz], [_, _, zz]]) => numbers([xx, yy, zz, yz, xz, xy]),
        None => "not finite".to_owned(),
    };
    vec![
        format!("    q            {}", quaternion(motion.rotation)),
        format!("    d            {}", quaternion(motion.dual)),
        format!("    S            {stretch}   (xx yy zz yz xz xy)"),
        format!("    determinant  {}", scalar(motion.determinant)),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::explanation::Distance;
    use super::*;
    use sinew_skinning::SkinningMode;

    /// Returns the table of the first modes with these names, each two metres from the others.
    fn table(names: &[&str]) -> Vec<String> {
        let modes = || SkinningMode::ALL.into_iter().cycle().take(names.len());
        let moved = modes().map(|mode| Moved {
            mode,
            place: Place { position: Some([-3.5; 3]), normal: Some([-1.0; 3]) },
            distances: modes().map(|mode| Distance { mode, distance: Some(2.0) }).collect(),
        });
        mode_table(names, &moved.collect::<Vec<_>>())
    }

    #[test]
    fn ten_modes_fit_into_the_lines() {
        let names = ["rigid", "lbs", "dqs", "blend", "cor", "dqs-blender", "dqs-rigid", "h", "i", "j"];
        for count in 1..=names.len() {
            let (names, lines) = (&names[..count], table(&names[..count]));
            let text = lines.join("\n");
            assert!(lines.iter().all(|line| line.chars().count() <= 120), "{text}");
            for name in names {
                assert_eq!(text.matches(&format!("to {name} ")).count(), 1, "{name}\n{text}");
                let rows = lines.iter().filter(|line| line.starts_with(&format!("  {name} ")));
                let distances: usize = rows.map(|row| row.matches("2.0").count()).sum();
                assert_eq!(distances, count, "{name}\n{text}");
            }
        }
        assert_eq!([5, 6, 10].map(|count| table(&names[..count]).len()), [7, 15, 34]);
    }
}
