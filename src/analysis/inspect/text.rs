//! The report as lines for people: aligned, a hundred columns wide, and short, because the JSON has
//! everything. It must not know how any of it was found.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Clip, Finding, Limit, Material, Mesh, OnNode, Picture, Primitive, Report, Skin, Stretched};

/// Columns that fit a terminal beside an editor.
const WIDTH: usize = 100;

/// How many entries of a section are written out.
const MOST_ENTRIES: usize = 8;

/// How far weights may be off without a word.
const ROUNDING: f64 = 5e-6;

/// How many of a skin's joints are named.
const MOST_JOINTS: usize = 6;

/// The whole report; `title` is the model as it was given.
pub fn text(report: &Report, title: &str) -> String {
    let mut out = Lines::default();
    out.line(&shown(title));
    head(report, &mut out);
    out.section("Meshes", &report.meshes, |out, number, mesh| mesh_lines(out, number, mesh, report));
    out.section("Skins", &report.skins, skin_lines);
    out.section("Clips", &report.clips, clip_line);
    out.section("Morph weights", &report.morphs, |out, _, morphs| {
        out.item(&format!("node {} {}: {} weights", morphs.node, quoted(&morphs.name), morphs.weights.len()));
    });
    for (heading, list) in [("Cameras", &report.cameras), ("Lights", &report.lights)] {
        out.section(heading, list, |out, number, found: &OnNode| {
            out.item(&format!("{}: {}, on node {}", titled(number, &found.name), found.kind, found.node));
        });
    }
    out.section("Materials", &report.materials, material_line);
    out.section("Pictures", &report.pictures, picture_line);
    out.section("Extensions", &report.extensions, |out, _, extension| {
        let need = if extension.required { "required" } else { "optional" };
        let lost = if extension.lost.is_empty() { String::new() } else { format!(": {}", extension.lost) };
        out.item(&format!("{}, {need}, {}{lost}", extension.name, extension.support));
    });
    findings("Broken rules", &report.warnings, &mut out);
    findings("Notes", &report.notes, &mut out);
    out.text
}

/// Text under construction.
#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// An entry of a section, on as many lines as it needs.
    fn item(&mut self, text: &str) {
        self.wrapped("  ", "      ", text);
    }

    /// A detail of an entry.
    fn detail(&mut self, text: &str) {
        self.wrapped("      ", "        ", text);
    }

    /// Words on lines that fit, the first after `first`, the others after `other`.
    fn wrapped(&mut self, first: &str, other: &str, text: &str) {
        let mut line = first.to_owned();
        let mut is_empty = true;
        // Alignment within the text is kept: only single spaces are places to break.
        for word in text.split(' ') {
            let too_long = line.chars().count() + word.chars().count() + 1 > WIDTH;
            if too_long && !is_empty {
                self.line(&line);
                line = other.to_owned();
                is_empty = true;
            }
            if !is_empty {
                line.push(' ');
            }
            line.push_str(word);
            is_empty = is_empty && word.is_empty();
        }
        self.line(&line);
    }

    /// A heading and the first entries; nothing at all where there are none.
    fn section<T>(&mut self, heading: &str, entries: &[T], entry: impl Fn(&mut Self, usize, &T)) {
        if entries.is_empty() {
            return;
        }
        self.line("");
        self.line(heading);
        for (number, found) in entries.iter().enumerate().take(MOST_ENTRIES) {
            entry(self, number, found);
        }
        self.more(entries.len().saturating_sub(MOST_ENTRIES));
    }

    fn more(&mut self, more: usize) {
        if more > 0 {
            self.item(&format!("… and {more} more; --json lists all"));
        }
    }
}

fn head(report: &Report, out: &mut Lines) {
    let by = report.generator.as_ref().map_or_else(String::new, |by| format!(", written by {}", shown(by)));
    out.wrapped("  ", "    ", &format!("glTF {}{by}", shown(&report.version)));
    let counts = [
        (report.scenes.len(), "scene"),
        (report.nodes, "node"),
        (report.meshes.len(), "mesh"),
        (report.skins.len(), "skin"),
        (report.clips.len(), "clip"),
        (report.materials.len(), "material"),
        (report.pictures.len(), "picture"),
    ];
    let counts: Vec<String> = counts.into_iter().map(|(count, noun)| many(count, noun)).collect();
    let drawn = many(report.instances, "time");
    out.wrapped("  ", "    ", &format!("{}; a mesh is drawn {drawn}", counts.join(", ")));
    let gpu = &report.gpu_bytes;
    let [all, meshes, pictures, palettes] = [gpu.total(), gpu.meshes, gpu.pictures, gpu.palettes].map(bytes);
    let morphs = if gpu.morphs > 0 { format!(", morphs {}", bytes(gpu.morphs)) } else { String::new() };
    let line =
        format!("{all} on the GPU: vertices {meshes}{morphs}, pictures {pictures}, palettes {palettes}");
    out.wrapped("  ", "    ", &line);
}

fn mesh_lines(out: &mut Lines, number: usize, mesh: &Mesh, report: &Report) {
    let drawn = if mesh.instances == 1 { String::new() } else { format!(", drawn {} times", mesh.instances) };
    let ends = mesh.primitives.iter().map(|primitive| (primitive.min, primitive.max));
    let whole = ends.reduce(|(low, high), (min, max)| {
        let both = |a: [f32; 3], b: [f32; 3], pick: fn(f32, f32) -> f32| {
            let ([x, y, z], [u, v, w]) = (a, b);
            [pick(x, u), pick(y, v), pick(z, w)]
        };
        (both(low, min, f32::min), both(high, max, f32::max))
    });
    let size = whole.map_or_else(String::new, |([x, y, z], [u, v, w])| {
        let [x, y, z] = [u - x, v - y, w - z].map(|side| small(side.into()));
        format!(", {x} x {y} x {z} as stored")
    });
    out.item(&format!("{}{size}{drawn}", titled(number, &mesh.name)));
    if !mesh.morph_targets.is_empty() {
        let moved: usize = mesh.primitives.iter().map(|primitive| primitive.morphed_vertices).sum();
        let targets = many(mesh.morph_targets.len(), "morph target");
        let named = mesh.morph_targets.iter().filter(|name| !name.is_empty()).take(MOST_JOINTS);
        let names: Vec<String> = named.map(|name| quoted(name)).collect();
        let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(" ")) };
        let more = if mesh.morph_targets.len() > MOST_JOINTS && !names.is_empty() { " …" } else { "" };
        out.detail(&format!("{targets} that move {}{names}{more}", many(moved, "vertex")));
    }
    for primitive in mesh.primitives.iter().take(MOST_ENTRIES) {
        out.detail(&primitive_line(primitive, report));
    }
    if let Some(more) = mesh.primitives.len().checked_sub(MOST_ENTRIES).filter(|more| *more > 0) {
        out.detail(&format!("… and {more} more; --json lists all"));
    }
}

fn primitive_line(primitive: &Primitive, report: &Report) -> String {
    let material = match primitive.material {
        Some(number) => {
            let name = report.materials.get(number).map_or("", |material| &material.name);
            format!("material {}", titled(number, name))
        }
        None => "no material".to_owned(),
    };
    let streams: Vec<&str> = primitive.streams.iter().skip(1).map(String::as_str).collect();
    let streams = if streams.is_empty() { String::new() } else { format!(", {}", streams.join(" ")) };
    let parts = match primitive.palette_parts {
        0 | 1 => String::new(),
        parts => format!("; {parts} palette parts"),
    };
    format!(
        "{} {}, {} vertices{streams}; {material}{parts}",
        primitive.elements, primitive.topology, primitive.vertices
    )
}

fn skin_lines(out: &mut Lines, number: usize, skin: &Skin) {
    let meshes = match skin.meshes.as_slice() {
        [] => "no mesh".to_owned(),
        [one] => format!("mesh {one}"),
        many => format!("meshes {}", list(many.iter().map(usize::to_string), MOST_JOINTS)),
    };
    let parts = many(skin.palette_parts, "palette part");
    let (joints, used) = (skin.joints, skin.joints_used);
    let title = titled(number, &skin.name);
    out.item(&format!("{title}: {joints} joints, {used} used; {meshes}, {parts}"));
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
            let place = format!("mesh {} primitive {} vertex {}", sum.mesh, sum.primitive, sum.vertex);
            out.detail(&format!("weights in the file    off 1 by {} ({place})", small(sum.error)));
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
    format!(
        "cut to {:>2} a vertex      {} of {vertices} ({share}) lose weight: {} on average, {} at most",
        limit.limit,
        limit.vertices,
        percent(limit.mean_loss),
        percent(limit.worst_loss)
    )
}

/// Joints by what they do, those that do the same together.
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
    for ((what, stretch), joints) in groups.iter().take(MOST_ENTRIES) {
        let heading = ["mirrored joints", "sheared joints", "scaled joints"].get(usize::from(*what));
        let count = match joints.len() {
            all if all == skin.joints => "all joints".to_owned(),
            some => many(some, "joint"),
        };
        let names = list(joints.iter().map(|joint| quoted(&joint.name)), MOST_JOINTS);
        out.detail(&format!("{:<22} {count} {stretch}: {names}", heading.copied().unwrap_or_default()));
    }
    if groups.len() > MOST_ENTRIES {
        out.detail(&format!("… and {} more such groups; --json lists all", groups.len() - MOST_ENTRIES));
    }
}

/// By how much a joint stretches, and where.
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

fn clip_line(out: &mut Lines, number: usize, clip: &Clip) {
    let channels = [
        (clip.translations, "translation"),
        (clip.rotations, "rotation"),
        (clip.scales, "scale"),
        (clip.weights, "weights"),
    ];
    let channels = channels.into_iter().filter(|(count, _)| *count > 0);
    let channels: Vec<String> = channels.map(|(count, noun)| format!("{count} {noun}")).collect();
    let channels = if channels.is_empty() { "nothing".to_owned() } else { channels.join(" + ") };
    let name = titled(number, &clip.name);
    out.item(&format!(
        "{name:<22} {:>8} s  {} keys, {}: {channels}",
        format!("{:.3}", clip.seconds),
        clip.keys,
        clip.interpolations.join(" + ")
    ));
}

fn material_line(out: &mut Lines, number: usize, material: &Material) {
    let mut line = format!("{}: {}", titled(number, &material.name), material.alpha_mode);
    if let Some(cutoff) = material.alpha_cutoff {
        let _ = write!(line, " below {cutoff}");
    }
    let [r, g, b, a] = material.base_color.map(|channel| (channel * 1000.0).round() / 1000.0);
    let _ = write!(line, ", base color {r} {g} {b} {a}");
    let _ = write!(line, ", metallic {}, roughness {}", material.metallic, material.roughness);
    for (is, word) in [(material.double_sided, ", double-sided"), (material.unlit, ", unlit")] {
        line.push_str(if is { word } else { "" });
    }
    for texture in &material.textures {
        let _ = write!(line, "; {}: picture {}", texture.slot, texture.picture);
        if texture.texcoord > 0 {
            let _ = write!(line, " (TEXCOORD_{})", texture.texcoord);
        }
    }
    out.item(&line);
}

fn picture_line(out: &mut Lines, number: usize, picture: &Picture) {
    out.item(&match picture.size {
        Some([width, height]) => format!("{number} {width} x {height}"),
        None => format!("{number} not used, or not readable"),
    });
}

/// One entry for each rule: how often, and the first place.
fn findings(heading: &str, findings: &[Finding], out: &mut Lines) {
    let mut by_code: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        by_code.entry(finding.code).or_default().push(finding);
    }
    let rules: Vec<(&str, Vec<&Finding>)> = by_code.into_iter().collect();
    out.section(&format!("{heading} ({})", findings.len()), &rules, |out, _, (code, places)| {
        let Some(first) = places.first() else { return };
        out.item(code);
        let more = match places.len().saturating_sub(1) {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        out.detail(&format!("{}: {}{more}", shown(&first.path), shown(&first.message)));
    });
}

/// A number and what it counts.
fn many(count: usize, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "mesh") => format!("{count} meshes"),
        (_, "vertex") => format!("{count} vertices"),
        _ => format!("{count} {noun}s"),
    }
}

/// The first few of a list.
fn list(items: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let more = items.len().saturating_sub(most);
    let first: Vec<String> = items.take(most).collect();
    let dots = if more > 0 { format!(", … and {more} more") } else { String::new() };
    format!("{}{dots}", first.join(", "))
}

fn bytes(count: u64) -> String {
    match count {
        0..1024 => format!("{count} B"),
        1024..1_048_576 => format!("{:.1} KiB", count as f64 / 1024.0),
        _ => format!("{:.1} MiB", count as f64 / 1_048_576.0),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A factor or an error in few digits.
fn small(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-3..1e5).contains(&size) => format!("{value:.1e}"),
        size if size < 0.1 => format!("{value:.4}"),
        _ => format!("{value:.2}"),
    }
}

/// A thing's number, and its name where it has one.
fn titled(number: usize, name: &str) -> String {
    if name.is_empty() { number.to_string() } else { format!("{number} {}", quoted(name)) }
}

/// A name in quotes, shortened.
fn quoted(name: &str) -> String {
    const LONGEST: usize = 40;
    let name = shown(name);
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("'{}…'", name.get(..end).unwrap_or_default()),
        None => format!("'{name}'"),
    }
}

/// Text without what could move a terminal's cursor.
fn shown(text: &str) -> String {
    let escaped = |c: char| {
        let is_shown = !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}');
        if is_shown { c.to_string() } else { c.escape_default().to_string() }
    };
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words() {
        let mut out = Lines::default();
        out.item(&["word"; 60].join(" "));
        assert_eq!(out.text.lines().count(), 4);
        assert!(out.text.lines().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(out.text.split_whitespace().count(), 60);
        out.item(&"x".repeat(300));
        assert_eq!(out.text.lines().count(), 5, "a word is never broken");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0, 1023, 1536, 3 << 20].map(bytes), ["0 B", "1023 B", "1.5 KiB", "3.0 MiB"]);
        assert_eq!([0.0, 0.5, 0.0123, 1e-7, 123.456].map(small), ["0", "0.50", "0.0123", "1.0e-7", "123.46"]);
        assert_eq!(list((0..9).map(|n| n.to_string()), 3), "0, 1, 2, … and 6 more");
        assert_eq!([many(1, "mesh"), many(2, "mesh"), many(0, "clip")], ["1 mesh", "2 meshes", "0 clips"]);
    }

    #[test]
    fn names_cannot_move_the_cursor() {
        assert_eq!(quoted("a\u{1b}[2J\n"), "'a\\u{1b}[2J\\n'");
        assert_eq!(quoted(&"é".repeat(50)).chars().count(), 43);
    }

    #[test]
    fn a_rule_is_said_once_with_its_count() {
        let finding = |node: usize| Finding {
            code: "NODE_EMPTY",
            path: format!("nodes[{node}]"),
            message: "is empty".to_owned(),
        };
        let mut out = Lines::default();
        findings("Notes", &(0..900).map(finding).collect::<Vec<_>>(), &mut out);
        assert_eq!(out.text, "\nNotes (900)\n  NODE_EMPTY\n      nodes[0]: is empty (and 899 more)\n");
    }
}
