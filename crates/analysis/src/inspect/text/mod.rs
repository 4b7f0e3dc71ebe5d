//! The report as lines for reading: aligned, a hundred columns wide, and short, because the JSON is complete. This module
//! must not depend on the origin of the figures.

mod lines;
mod skins;
mod words;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use self::lines::{Lines, MAX_ENTRIES};
use self::skins::skin_lines;
use self::words::{bytes, list, quoted, shown, small, titled};
use super::{Clip, Conversion, Finding, Material, Mesh, Morphs, OnNode, Picture, Primitive, Report};
use sinew_text::length;
use sinew_text::words::many;

/// The maximum number of a skin's joints to list.
const MAX_JOINTS: usize = 6;

/// Formats the whole report; `title` is the model as given.
pub fn text(report: &Report, title: &str) -> String {
    let mut out = Lines::default();
    out.line(&shown(title));
    head(report, &mut out);
    out.section("Variants", &report.variants, |out, _, set| {
        let named: Vec<String> = set.choices.iter().take(MAX_ENTRIES).map(|name| quoted(name)).collect();
        let more = if set.choices.len() > MAX_ENTRIES { " …" } else { "" };
        let selected = set.selected.as_deref().map_or_else(|| "none is selected".to_owned(), quoted);
        let of = format!("{} of {}", quoted(&set.set), quoted(&set.prim));
        out.item(&format!("{of}: {selected}, of {}{more}", named.join(", ")));
    });
    avatar_lines(report, &mut out);
    out.section("Meshes", &report.meshes, |out, number, mesh| mesh_lines(out, number, mesh, report));
    out.section("Skins", &report.skins, skin_lines);
    out.section("Clips", &report.clips, |out, number, clip| {
        clip_line(out, number, clip, report.conversion.is_some());
    });
    out.section("Morph weights", &report.morphs, morphs_lines);
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

fn head(report: &Report, out: &mut Lines) {
    let by = report.generator.as_ref().map_or_else(String::new, |by| format!(", written by {}", shown(by)));
    let format = format!("{} {}", report.format, shown(&report.version));
    out.wrapped("  ", "    ", &format!("{}{by}", format.trim()));
    if let Some(Conversion { metres_per_unit, up, front, frames_per_second }) = &report.conversion {
        let (unit, rate) = (length::shown(*metres_per_unit), small(*frames_per_second));
        let line = format!(
            "its unit is {unit}, {up} up and {front} front, {rate} frames/s; the root node turns that to metres, +y and +z"
        );
        out.wrapped("  ", "    ", &line);
    }
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
    let drawn = many(report.instances, "mesh instance");
    out.wrapped("  ", "    ", &format!("{}; {drawn}", counts.join(", ")));
    let gpu = &report.gpu_bytes;
    let [all, meshes, pictures, palettes] = [gpu.total(), gpu.meshes, gpu.pictures, gpu.palettes].map(bytes);
    let morphs = if gpu.morphs > 0 { format!(", morphs {}", bytes(gpu.morphs)) } else { String::new() };
    let line =
        format!("{all} on the GPU: vertices {meshes}{morphs}, pictures {pictures}, palettes {palettes}");
    out.wrapped("  ", "    ", &line);
}

/// Writes the avatar with what is not drawn of it, and the face.
fn avatar_lines(report: &Report, out: &mut Lines) {
    let avatar = report.avatar.as_slice();
    out.section("Avatar", avatar, |out, _, of| {
        let by = if of.authors.is_empty() {
            String::new()
        } else {
            format!(", by {}", shown(&of.authors.join(", ")))
        };
        let licence =
            of.licence.as_ref().map_or_else(String::new, |licence| format!(", licence {}", shown(licence)));
        out.item(&format!("VRM {} {}{by}{licence}", shown(&of.version), quoted(&of.name)));
        let missing = match of.missing_bones.as_slice() {
            [] => String::new(),
            missing => format!("; it lacks {}", missing.join(", ")),
        };
        out.detail(&format!("{}{missing}", many(of.bones.len(), "human bone")));
        let names: Vec<String> = of.expressions.iter().map(|own| quoted(&own.name)).collect();
        if !names.is_empty() {
            out.detail(&format!("{} for --morph: {}", many(names.len(), "expression"), names.join(" ")));
        }
        let left_out = [
            (of.springs, many(of.springs, "group") + " of springs"),
            (of.toon_materials, format!("toon shading of {}", many(of.toon_materials, "material"))),
        ];
        let left_out: Vec<String> =
            left_out.into_iter().filter(|(count, _)| *count > 0).map(|(_, what)| what).collect();
        if !left_out.is_empty() {
            out.detail(&format!("not shown: {}", left_out.join(", ")));
        }
    });
    let face = report.face.as_slice();
    out.section("Face", face, |out, _, face| {
        let missing = match face.missing.as_slice() {
            [] => String::new(),
            missing => format!("; missing: {}", missing.join(" ")),
        };
        let all = face.found.len() + face.missing.len();
        out.item(&format!(
            "{} of ARKit's {all} morph targets, for --morph by ARKit's names{missing}",
            face.found.len()
        ));
    });
    if report.constraints > 0 {
        out.section("Constraints", &[report.constraints], |out, _, count| {
            let verb = if *count == 1 { "follows another" } else { "follow others" };
            out.item(&format!("{} {verb}, after clips and edits", many(*count, "node")));
        });
    }
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
    let metres = report.conversion.as_ref().map_or(1.0, |conversion| conversion.metres_per_unit);
    let size = whole.map_or_else(String::new, |([x, y, z], [u, v, w])| {
        let sides = [(u, x), (v, y), (w, z)].map(|(max, min)| metres * (f64::from(max) - f64::from(min)));
        format!(", {} as stored", length::shown_sides(sides))
    });
    out.item(&format!("{}{size}{drawn}", titled(number, &mesh.name)));
    if !mesh.morph_targets.is_empty() {
        let moved: usize = mesh.primitives.iter().map(|primitive| primitive.morphed_vertices).sum();
        let targets = many(mesh.morph_targets.len(), "morph target");
        let named = mesh.morph_targets.iter().filter(|name| !name.is_empty()).take(MAX_JOINTS);
        let names: Vec<String> = named.map(|name| quoted(name)).collect();
        let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(" ")) };
        let more = if mesh.morph_targets.len() > MAX_JOINTS && !names.is_empty() { " …" } else { "" };
        let verb = if mesh.morph_targets.len() == 1 { "moves" } else { "move" };
        out.detail(&format!("{targets} that {verb} {}{names}{more}", many(moved, "vertex")));
    }
    for primitive in mesh.primitives.iter().take(MAX_ENTRIES) {
        out.detail(&primitive_line(primitive, report));
    }
    if let Some(more) = mesh.primitives.len().checked_sub(MAX_ENTRIES).filter(|more| *more > 0) {
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
    let element = primitive.topology.strip_suffix('s').unwrap_or(primitive.topology);
    let (elements, vertices) = (many(primitive.elements, element), many(primitive.vertices, "vertex"));
    format!("{elements}, {vertices}{streams}; {material}{parts}")
}

/// Writes a clip, with its frames if the file has a frame rate.
fn clip_line(out: &mut Lines, number: usize, clip: &Clip, has_frames: bool) {
    let channels = [
        (clip.translations, "translation"),
        (clip.rotations, "rotation"),
        (clip.scales, "scale"),
        (clip.weights, "weight"),
    ];
    let channels = channels.into_iter().filter(|(count, _)| *count > 0);
    let channels: Vec<String> = channels.map(|(count, noun)| many(count, noun)).collect();
    let channels = if channels.is_empty() { "nothing".to_owned() } else { channels.join(" + ") };
    let name = titled(number, &clip.name);
    let from = match (has_frames, clip.first_seconds > 0.0) {
        (true, _) => format!("frames {} to {}, ", clip.first_frame, clip.last_frame),
        (false, true) => format!("from {:.3} s, ", clip.first_seconds),
        (false, false) => String::new(),
    };
    let begins = if has_frames { clip.first_seconds } else { 0.0 };
    out.item(&format!(
        "{name:<22} {:>8} s  {from}{}, {}: {channels}",
        format!("{:.3}", clip.seconds - begins),
        many(clip.keys, "key"),
        clip.interpolations.join(" + ")
    ));
}

fn morphs_lines(out: &mut Lines, _: usize, morphs: &Morphs) {
    let weights = many(morphs.weights.len(), "weight");
    out.item(&format!("node {} {}: {weights}", morphs.node, quoted(&morphs.name)));
    for driver in morphs.drivers.iter().take(MAX_ENTRIES) {
        let keys = driver.degrees.iter().zip(&driver.weights);
        let keys =
            list(keys.map(|(degrees, weight)| format!("{} at {degrees}°", small(*weight))), MAX_ENTRIES);
        let (target, joint) =
            (titled(driver.target, &driver.name), titled(driver.joint as usize, &driver.joint_name));
        let [x, y, z] = driver.axis.map(small);
        out.detail(&format!("{target} follows the angle of node {joint} about ({x}, {y}, {z}): {keys}"));
    }
    out.more(morphs.drivers.len().saturating_sub(MAX_ENTRIES));
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
        None => format!("{number} unused or unreadable"),
    });
}

/// Writes one entry per rule: the number of findings, and the first place.
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

#[cfg(test)]
mod tests {
    use super::*;

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
