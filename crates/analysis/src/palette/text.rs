//! Palettes as lines for reading: the rows of each joint's palette entry beside the columns of its slot.

use sinew_model::gltf::one_line;

use super::{Columns, JointSlot, Palettes, SlotColumns};

/// Formats all palettes, line by line, on demand.
pub fn lines<'a>(palettes: &'a Palettes<'_>) -> impl Iterator<Item = String> + 'a {
    let mode = palettes.mode;
    let bind = palettes.is_bind_pose.then(|| "bind pose: joints are left out".to_owned());
    let layout = palettes.slot_layout.split(", ").map(|column| format!("  {column}"));
    let head = [format!("slots of {mode}")].into_iter().chain(layout);
    let skins = palettes.skins.iter().flat_map(|skin| {
        let count = skin.joints.len();
        let noun = if count == 1 { "joint" } else { "joints" };
        let title = format!("skin {}: {count} {noun}", titled(skin.skin, skin.name));
        [String::new(), title].into_iter().chain(skin.joints.iter().flat_map(joint_lines))
    });
    head.chain(bind).chain(skins)
}

fn joint_lines(joint: &JointSlot<'_>) -> Vec<String> {
    let node = joint.node.map_or("no node".to_owned(), |node| format!("node {node}"));
    let mut lines = vec![
        format!("  joint {}, {node}", titled(joint.joint, joint.name)),
        format!("    {:<43}  slot, one column per line", "world from bind, one row per line"),
    ];
    let slot = slot_lines(joint.slot.as_ref());
    let rows = row_lines(joint.transforms.world_from_bind.as_ref());
    lines.extend(rows.into_iter().zip(slot).map(|(row, column)| format!("    {row:<43}  {column}")));
    lines
}

/// Formats the rows of a matrix in lines of 43 characters; the last row is always 0 0 0 1.
pub fn row_lines(columns: Option<&Columns>) -> [String; 4] {
    let Some([x, y, z, t]) = columns else { return missing() };
    let row = |row: usize| [x, y, z, t].map(|column| column.get(row).copied().unwrap_or(0.0));
    let largest = largest([*x, *y, *z].as_flattened());
    [0, 1, 2, 3].map(|number| numbers_beside(largest, row(number)))
}

fn slot_lines(slot: Option<&SlotColumns>) -> [String; 4] {
    slot.map_or_else(missing, |columns| columns.map(|column| numbers(column.map(f64::from))))
}

fn missing() -> [String; 4] {
    ["not finite".to_owned(), String::new(), String::new(), String::new()]
}

/// The ratio to the largest number in a line below which a number is rounding, and printed as zero.
const ROUNDING: f64 = 1e-13;

/// Formats the numbers of one vector or quaternion in aligned columns.
pub fn numbers<const N: usize>(numbers: [f64; N]) -> String {
    numbers_beside(largest(&numbers), numbers)
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |largest: f64, number| largest.max(number.abs()))
}

/// Formats numbers in aligned columns; those that are only rounding beside the largest become zero.
fn numbers_beside<const N: usize>(largest: f64, numbers: [f64; N]) -> String {
    let rounded = |of: f64| if of.abs() < ROUNDING * largest { 0.0 } else { of };
    numbers.map(|of| number(rounded(of))).join(" ")
}

/// Formats a number in ten characters: six decimals if they fit, or fewer, with at least six digits. Smaller ones have three
/// digits and an exponent. Larger ones have all significant digits of a float, and more characters.
pub fn number(number: f64) -> String {
    // Each size with the decimals that leave room for a sign.
    const DECIMALS: [(f64, usize); 6] =
        [(999.0, 6), (9999.0, 4), (99_999.0, 3), (999_999.0, 2), (9_999_999.0, 1), (999_999_999.0, 0)];
    let size = number.abs();
    let decimals = DECIMALS.iter().find(|(below, _)| size < *below).map(|(_, decimals)| *decimals);
    match decimals.filter(|_| size >= 5e-7) {
        _ if size == 0.0 => format!("{:>10}", "0"),
        Some(decimals) => format!("{number:>10.decimals$}"),
        None if size < 1.0 => format!("{number:>10.2e}"),
        None => format!("{number:>10.8e}"),
    }
}

/// Formats an index, and the name if there is one, shortened and in one line.
pub fn titled(number: usize, name: &str) -> String {
    if name.is_empty() { number.to_string() } else { format!("{number} '{}'", short(name)) }
}

/// Formats a name in one line, at most 40 characters long.
pub fn short(name: &str) -> String {
    const MAX_NAME: usize = 40;
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", one_line(name.get(..end).unwrap_or_default())),
        None => one_line(name),
    }
}
