//! The plate of an injected fault: its name, and where the figure is if it cannot be seen.

use glam::{DVec2, DVec4, Vec3};

use super::letters::Letters;
use super::sheet::{LIGHT, Sheet, ink};
use sinew_model::{Model, Topology};
use sinew_skinning::Fault;
use sinew_skinning::posed::SkinnedPrimitive;

/// The colour of plates.
const PLATE: [u8; 3] = [0xd8, 0x4a, 0x1b];

/// Maximum size of a figure that is hard to see, as a share of the picture's shorter side.
const TINY: f64 = 0.05;

/// Writes the fault's name on a plate at the lower edge, and above it where the figure is if it cannot be seen.
pub fn draw(
    sheet: &mut Sheet,
    letters: &mut Letters,
    model: &Model,
    (fault, figure): (Fault, &[SkinnedPrimitive<f32>]),
) {
    let edge = (6.0 * sheet.unit()).round();
    let room = sheet.size()[0] - 2.0 * edge;
    let texts = [format!("injected fault: {fault}"), format!("fault: {fault}"), fault.to_string()];
    let [.., shortest] = &texts;
    let text = texts.iter().find(|text| letters.width_of(text) <= room).unwrap_or(shortest);
    let text = letters.fitting(text, room);
    let pen = sheet.keep_corner(letters, &text).map(f32::round);
    let height = plate(sheet, letters, pen, &text);
    if let Some(words) = whereabouts(sheet, model, figure) {
        let words = letters.fitting(words, room);
        let left = pen[0].min(edge + room - letters.width_of(&words)).max(edge);
        plate(sheet, letters, [left.round(), pen[1] - height], &words);
    }
}

/// Writes text on a plate; returns the plate's height.
fn plate(sheet: &mut Sheet, letters: &mut Letters, pen: [f32; 2], text: &str) -> f32 {
    let [left, top, right, bottom] = Sheet::text_rect(letters, pen, text);
    let gap = (3.0 * sheet.unit()).round();
    sheet.area([left - gap, top - gap, right + gap, bottom + gap], [ink(PLATE, 1.0); 2]);
    sheet.text_in(letters, pen, text, LIGHT);
    bottom - top + 2.0 * gap
}

/// Test whether a corner is beyond a side of the picture.
type Beyond = fn(&DVec4) -> bool;

/// Sides of a picture, each with its test.
const SIDES: [(Beyond, &str); 5] = [
    (|clip| clip.z > clip.w, "figure behind the camera"),
    (|clip| clip.y > clip.w, "figure below the picture"),
    (|clip| clip.y < -clip.w, "figure above the picture"),
    (|clip| clip.x < -clip.w, "figure left of the picture"),
    (|clip| clip.x > clip.w, "figure right of the picture"),
];

/// Describes the place of a figure that is outside the picture or tiny; `None` if it may be seen.
fn whereabouts(sheet: &Sheet, model: &Model, figure: &[SkinnedPrimitive<f32>]) -> Option<&'static str> {
    let mut beyond = [0_usize; SIDES.len()];
    let (mut is_seen, mut low, mut high) = (false, DVec2::INFINITY, DVec2::NEG_INFINITY);
    for drawn in figure {
        let mesh = model.instances.get(drawn.instance).and_then(|instance| model.meshes.get(instance.mesh));
        let Some(primitive) = mesh.and_then(|mesh| mesh.primitives.get(drawn.primitive)) else { continue };
        let sides_of = |position: &[f32; 3]| {
            let clip = sheet.clip(Vec3::from(*position).as_dvec3());
            clip.is_finite().then(|| SIDES.map(|(is_beyond, _)| is_beyond(&clip)))
        };
        let sides: Vec<Option<[bool; SIDES.len()]>> = drawn.positions.iter().map(sides_of).collect();
        for (count, side) in beyond.iter_mut().zip(0..) {
            *count += sides.iter().flatten().filter(|sides| sides[side]).count();
        }
        for [x, y, _] in drawn.positions.iter().filter_map(|at| sheet.pixel(Vec3::from(*at).as_dvec3())) {
            (low, high) = (low.min(DVec2::new(x, y)), high.max(DVec2::new(x, y)));
        }
        let corners = match primitive.topology {
            Topology::Triangles => 3,
            Topology::Lines => 2,
            Topology::Points => 1,
        };
        // What lies beyond one side as a whole cannot be seen.
        let may_be_seen = |corners: &[u32]| {
            let at = |corner: &u32| sides.get(*corner as usize).copied().flatten();
            let of = |side: usize| corners.iter().all(|corner| at(corner).is_none_or(|sides| sides[side]));
            !(0..SIDES.len()).any(of)
        };
        is_seen |= primitive.indices.chunks_exact(corners).any(may_be_seen);
    }
    let [width, height] = sheet.size().map(f64::from);
    // Of equal ones the first counts.
    let most =
        beyond.iter().zip(SIDES).rev().filter(|(count, _)| **count > 0).max_by_key(|(count, _)| **count);
    match is_seen {
        false => most.map(|(_, (_, words))| words),
        true => ((high - low).max_element() < TINY * width.min(height)).then_some("figure very small"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::{Camera, Orbit};
    use glam::DVec3;
    use sinew_model::{Instance, Mesh, Primitive};

    #[test]
    fn a_figure_out_of_sight_is_located() {
        let primitive = Primitive { indices: vec![0, 1, 2], ..Primitive::default() };
        let mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
        let instances = vec![Instance { node: 0, mesh: 0, skin: None }];
        let model = Model { meshes: vec![mesh], instances, ..Model::default() };
        for is_parallel in [false, true] {
            let mut orbit: Orbit = "0,0,10".parse().unwrap();
            orbit.lens.parallel = is_parallel;
            let points = [DVec3::splat(-1.0), DVec3::splat(1.0)];
            let camera = Camera::new(&orbit, &points, [240, 320]);
            let mut letters = Letters::default();
            for (middle, size, wanted) in [
                ([0.0, 0.0, 0.0], 1.0, None),
                ([0.0, -9.0, 0.0], 1.0, Some("figure below the picture")),
                ([0.0, 9.0, 0.0], 1.0, Some("figure above the picture")),
                ([-9.0, 0.0, 0.0], 1.0, Some("figure left of the picture")),
                ([9.0, 0.0, 0.0], 1.0, Some("figure right of the picture")),
                ([0.0, 0.0, 40.0], 1.0, Some("figure behind the camera")),
                // Across the edge, and around all of the picture.
                ([0.0, -2.5, 0.0], 1.0, None),
                ([0.0, 0.0, 0.0], 50.0, None),
                ([0.0, 0.0, 0.0], 0.01, Some("figure very small")),
                ([f32::NAN, 0.0, 0.0], 1.0, None),
            ] {
                let corner = |[x, y]: [f32; 2]| [middle[0] + x * size, middle[1] + y * size, middle[2]];
                let mut drawn = SkinnedPrimitive::of(&Primitive::default(), 0, 0);
                drawn.positions = [[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]].map(corner).to_vec();
                let mut sheet = Sheet::new(&camera, [240, 320], 0.0, &mut letters);
                let figure = [drawn];
                assert_eq!(whereabouts(&sheet, &model, &figure), wanted, "{middle:?} {size}");
                draw(&mut sheet, &mut letters, &model, (Fault::QuaternionWxyz, &figure));
                // The room that is kept, the name, and the words above it.
                let written = sheet.written();
                assert_eq!(written.len(), 2 + usize::from(wanted.is_some()));
                assert!(written.iter().all(|rect| rect[0] >= 0.0 && rect[2] <= 240.0 && rect[3] <= 320.0));
                let [.., name, words] = written else { panic!("two texts") };
                assert!(wanted.is_none() || words[3] <= name[1], "{written:?}");
            }
        }
    }
}
