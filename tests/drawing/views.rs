//! Tests that each view shows the number behind a pixel. Stored pictures play no part.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::hues;
use crate::studio;

use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::sync::Arc;

use glam::{DMat4, DVec3};
use sinew::image::{Image, balance, glow, heat};
use sinew::look::{Look, Samples};
use sinew::model::srgb;
use sinew::model::{Influences, LocalTransform, Material, Model, Skin, Span};
use sinew::overlay::Overlays;
use sinew::scene::{Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{OnlyJoint, Pose, PoseChoice};
use sinew::skinning::posed::skin_model;
use sinew::view::{Difference, JointColors, Shows, View};
use studio::{Studio, from, matte, pixel, square};

/// A square with the same joints and weights on all vertices; the joints do not move.
fn weighted(joints: [i32; 4], weights: [f32; 4]) -> Model {
    let mut model = square(DMat4::IDENTITY, matte());
    let span = Span { joints: vec![joints; 4], weights: vec![weights; 4] };
    model.meshes[0].primitives[0].influences = Some(Influences { spans: vec![span] });
    model.rig.names = vec!["hip".to_owned(), "knee".to_owned(), "foot".to_owned()];
    model.rig.parents = vec![None; 3];
    model.rig.rest = vec![LocalTransform::from_matrix(DMat4::IDENTITY); 3];
    model.rig.file_index = vec![0, 1, 2];
    let joint_from_bind = [DMat4::IDENTITY; 3].into();
    model.skins = vec![Skin { name: String::new(), joints: vec![0, 1, 2], joint_from_bind, method: None }];
    model.instances[0].skin = Some(0);
    model
}

fn assert_middle(image: &Image, wanted: [f64; 3], what: &str) {
    let found = pixel(image, image.width / 2, image.height / 2);
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((f64::from(*found) - wanted).abs() <= 1.0, "{what}: {found} is not {wanted:.1}");
    }
}

fn bytes(color: [u8; 3]) -> [f64; 3] {
    color.map(f64::from)
}

#[test]
fn weights_have_the_colours_of_their_joints() {
    let mut studio = Studio::open();
    let mut model = weighted([1, 2, -1, -1], [0.75, 0.25, 0.0, 0.0]);
    model.meshes[0].primitives[0].unequal_sums = (0..4).map(|vertex| (vertex, 0.9)).collect();
    let joints = JointColors::new(&model);
    let light = |node: usize| joints.of(node).map(|byte| srgb::to_linear(f64::from(byte) / 255.0));
    let (knee, foot) = (light(1), light(2));
    let mixed =
        [0, 1, 2].map(|channel| srgb::from_linear(0.75 * knee[channel] + 0.25 * foot[channel]) * 255.0);
    let views = [
        (View::Weights, mixed),
        (View::Joint("knee".to_owned()), bytes(glow(0.75))),
        (View::Joint("foot".to_owned()), bytes(glow(0.25))),
        (View::Joint("hip".to_owned()), bytes(glow(0.0))),
        (View::Influences, bytes(glow(0.25))),
        // A tenth below one, which is five of six steps from a millionth to one.
        (View::WeightSum, bytes(balance(-5.0 / 6.0))),
    ];
    for mode in SkinningMode::ALL {
        for skin in [Processor::Gpu, Processor::Cpu] {
            let scenes = views.each_ref().map(|(view, _)| {
                // Seen face-on, colours show unchanged.
                Scene { mode, skin, view: view.clone(), ..from("front", [17, 17]) }
            });
            for (image, (view, wanted)) in studio.draw_all(&model, &scenes).iter().zip(&views) {
                assert_middle(image, *wanted, &format!("{view} in {mode} by {skin:?}"));
            }
        }
    }
    studio.close();
}

/// No two joints that move the same vertex look alike, in every built-in model and where each joint is beside each other.
#[test]
fn joints_beside_each_other_have_different_hues() {
    for name in ["character", "twist", "bend", "strip", "tube-12", "tube-100"] {
        let (apart, pairs) = hues::least_apart(&common::builtin(name));
        assert!(apart >= 30.0 && pairs > 0, "{name}: {apart:.1} degrees in {pairs} pairs");
    }
    let mut model = weighted([0, 1, 2, 3], [0.25; 4]);
    let nodes = 12;
    model.rig.names = vec![String::new(); nodes];
    model.rig.parents = vec![None; nodes];
    model.rig.rest = vec![LocalTransform::from_matrix(DMat4::IDENTITY); nodes];
    model.rig.file_index = (0..12).collect();
    model.skins[0].joints = (0..nodes).collect();
    model.skins[0].joint_from_bind = vec![DMat4::IDENTITY; nodes].into();
    let span = |first: i32| {
        let joints = [first, first + 1, first + 2, first + 3];
        Span { joints: vec![joints; 4], weights: vec![[1.0 / 12.0; 4]; 4] }
    };
    model.meshes[0].primitives[0].influences = Some(Influences { spans: vec![span(0), span(4), span(8)] });
    let (apart, pairs) = hues::least_apart(&model);
    assert!(apart >= 20.0 && pairs == 66, "{apart:.1} degrees in {pairs} pairs");
}

/// Primitives without joints are hatched: two alternating greys, and no other colour.
#[test]
fn what_has_no_joints_is_hatched() {
    let mut studio = Studio::open();
    let bare = square(DMat4::IDENTITY, matte());
    // A primitive with joints of which none moves it.
    let still = weighted([-1; 4], [1.0, 0.0, 0.0, 0.0]);
    let look = Look { flat: true, ..from("front", [65, 65]).look };
    let scene = Scene { view: View::Weights, legend: false, look, ..from("front", [65, 65]) };
    for model in [bare, still] {
        let image = studio.draw(&model, &scene);
        let row: Vec<u8> = (24..40).map(|x| pixel(&image, x, 32)[0]).collect();
        let grey = (24..40).all(|x| {
            let [r, g, b, _] = pixel(&image, x, 32);
            r == g && g == b
        });
        let (dark, light) = (row.iter().min().unwrap(), row.iter().max().unwrap());
        assert!(grey && *dark < 120 && *light > 150, "{row:?}");
        let turns = row.windows(2).filter(|pair| (pair[0] > 135) != (pair[1] > 135)).count();
        assert!(turns >= 4, "{row:?}");
        // The stripes go on from tile to tile of a large picture: they are fixed to its pixels.
        assert_eq!(pixel(&image, 30, 30), pixel(&image, 31, 29));
    }
    studio.close();
}

/// A soft light darkens what turns away from viewer and lamp, keeps the hue, and leaves out what is flat.
#[test]
fn data_is_softly_lit_and_keeps_its_hue() {
    let mut studio = Studio::open();
    let model = |turn: f64| {
        let mut model = weighted([1, 2, -1, -1], [0.5, 0.5, 0.0, 0.0]);
        model.rig.rest = vec![LocalTransform::from_matrix(DMat4::from_rotation_y(turn)); 3];
        model
    };
    let view = View::Joint("knee".to_owned());
    let scene = |flat: bool| {
        let look = Look { flat, ..from("front", [33, 33]).look };
        Scene { view: view.clone(), legend: false, look, ..from("front", [33, 33]) }
    };
    let light = |image: &Image| {
        let [r, g, b, _] = pixel(image, 16, 16);
        [r, g, b].map(|byte| srgb::to_linear(f64::from(byte) / 255.0))
    };
    let face_on = light(&studio.draw(&model(0.0), &scene(false)));
    // Turned to the right, away from the lamp; and to the left, towards it.
    let [away, towards] = [1.1, -1.1].map(|turn| light(&studio.draw(&model(turn), &scene(false))));
    let share = |of: [f64; 3]| [0, 1, 2].map(|channel| of[channel] / face_on[channel]);
    let (away, towards) = (share(away), share(towards));
    assert!(away.iter().all(|share| (0.34..0.72).contains(share)), "{away:?}");
    assert!(towards.iter().all(|share| (0.73..1.0).contains(share)), "{towards:?}");
    for share in [away, towards] {
        let spread = share.iter().fold(0.0, |most: f64, one| most.max((one - share[0]).abs()));
        assert!(spread < 0.03, "{share:?}");
    }
    let flat = [0.0, 1.1].map(|turn| light(&studio.draw(&model(turn), &scene(true))));
    assert!(flat[1].iter().zip(flat[0]).all(|(turned, face_on)| turned / face_on > 0.8), "{flat:?}");
    studio.close();
}

#[test]
fn directions_are_those_of_the_surface_where_it_is() {
    let mut studio = Studio::open();
    for (turn, camera) in [(0.0, "front"), (0.4, "front"), (-0.7, "30,20")] {
        let world_from_node = DMat4::from_rotation_y(turn) * DMat4::from_rotation_x(0.3);
        let mut model = square(world_from_node, matte());
        model.meshes[0].primitives[0].tangents = Some(vec![[1.0, 0.0, 0.0, 1.0]; 4]);
        let stored = |direction: DVec3| {
            let world = world_from_node.transform_vector3(direction);
            (world * 127.0 + 128.0).to_array()
        };
        for (view, direction) in [(View::Normals, DVec3::Z), (View::Tangents, DVec3::X)] {
            let image = studio.draw(&model, &Scene { view: view.clone(), ..from(camera, [17, 17]) });
            assert_middle(&image, stored(direction), &format!("{view} turned by {turn}"));
        }
    }
    // From behind, lighting uses the opposite normal.
    let model = square(DMat4::IDENTITY, Material { double_sided: true, ..matte() });
    let image = studio.draw(&model, &Scene { view: View::Normals, ..from("back", [17, 17]) });
    assert_middle(&image, [128.0, 128.0, 1.0], "from behind");
    studio.close();
}

#[test]
fn coordinates_are_where_the_mesh_has_them() {
    let mut studio = Studio::open();
    let mut model = square(DMat4::from_rotation_z(PI), matte());
    // All corners have the same coordinates, in a dark field of the board: 3 + 5 is even.
    model.meshes[0].primitives[0].texcoords[0] = vec![[3.5 / 8.0, 5.25 / 8.0]; 4];
    let image = studio.draw(&model, &Scene { view: View::Uv, ..from("front", [17, 17]) });
    let dark = |level: f64| srgb::from_linear(srgb::to_linear(level) * 0.75) * 255.0;
    assert_middle(&image, [dark(3.5 / 8.0), dark(5.25 / 8.0), dark(0.25)], "uv");
    studio.close();
}

/// A rod twisted by half a turn: its middle has no radius in linear blending, and all of it in dual quaternions.
#[test]
fn differences_have_the_colour_of_their_distance() {
    let mut studio = Studio::open();
    let model = common::builtin("twist");
    let difference = |top_m| View::Difference(Difference { against: SkinningMode::Linear.into(), top_m });
    let scene = |mode, top_m| {
        let pose = PoseChoice::clip(0, 2.0);
        let look = Look { flat: true, ..from("front", [65, 65]).look };
        Scene { mode, pose, view: difference(top_m), legend: false, look, ..from("front", [65, 65]) }
    };
    let scenes = [
        scene(SkinningMode::Linear, None),
        scene(SkinningMode::DualQuat, None),
        scene(SkinningMode::DualQuat, Some(0.8)),
        Scene { skin: Processor::Cpu, ..scene(SkinningMode::DualQuat, Some(0.8)) },
        Scene { pose: PoseChoice::clip(0, 0.0), ..scene(SkinningMode::DualQuat, None) },
    ];
    let images = studio.draw_all(&model, &scenes);
    let middle = |image: &Image| pixel(image, 32, 33);
    // At half a turn the linear rod is too thin to be seen at its middle, so look above it.
    assert_eq!(pixel(&images[0], 32, 15)[..3], heat(0.0));
    assert_eq!(middle(&images[1])[..3], heat(1.0));
    // The rod's radius is a fifth of a metre: a quarter of the scale.
    for image in &images[2..4] {
        for (found, wanted) in middle(image).iter().zip(heat(0.25)) {
            assert!(found.abs_diff(wanted) <= 6, "{:?}", middle(image));
        }
    }
    assert_eq!(images[2], images[3]);
    assert_eq!(middle(&images[4])[..3], heat(0.0));
    studio.close();
}

/// Views of data have no shadow and no blending.
#[test]
fn views_of_data_have_no_ground() {
    let mut studio = Studio::open();
    let model = common::builtin("character");
    for view in [View::Normals, View::Weights, View::Influences] {
        let scene = Scene { view, look: Default::default(), ..from("auto", [96, 96]) };
        let image = studio.draw(&model, &scene);
        let bare = studio.draw(&model, &from("auto", [96, 96]));
        let (shown, alone) = (studio.covered(&image), studio.covered(&bare));
        assert_eq!(shown, alone);
    }
    studio.close();
}

/// Only the edges of both triangles are dark, with pale paper on both sides.
#[test]
fn wireframes_show_the_edges_of_triangles() {
    let mut studio = Studio::open();
    let model = square(DMat4::IDENTITY, matte());
    let scene = Scene { view: View::Wireframe, ..from("front", [65, 65]) };
    let image = studio.draw(&model, &scene);
    let covered: Vec<bool> = studio.covered(&image);
    let left = (0..65).find(|x| covered[32 * 65 + x]).unwrap();
    let dark = |x: usize, y: usize| pixel(&image, x as u32, y as u32)[1] < 110;
    // The diagonal goes from the lower left to the upper right, as in the indices.
    for at in 2..8 {
        let (x, y) = (left + at * 6, 64 - left - at * 6);
        assert!(dark(x, y) || dark(x, y - 1) || dark(x - 1, y), "no diagonal at {x}, {y}");
        assert!(!dark(x - 3, y - 3) && !dark(x + 3, y + 3), "more than an edge at {x}, {y}");
        assert!(dark(left, y) || dark(left + 1, y), "no left edge at {y}");
    }
    // Vertices skinned by the CPU have the same edges.
    let skinned = weighted([0, 1, -1, -1], [0.5, 0.5, 0.0, 0.0]);
    let scenes = [Processor::Gpu, Processor::Cpu].map(|skin| Scene { skin, ..scene.clone() });
    let images = studio.draw_all(&skinned, &scenes);
    assert!(images[0].rgba == images[1].rgba && images[0].rgba == image.rgba);
    studio.close();
}

/// The skin-space view puts vertices where the inverse bind matrices alone bring them, in every mode; meshes without a
/// skin stay.
#[test]
fn skin_space_is_what_inverse_bind_matrices_make_of_the_mesh() {
    let mut model = weighted([1, 2, -1, -1], [0.5, 0.5, 0.0, 0.0]);
    for (number, rest) in model.rig.rest.iter_mut().enumerate() {
        *rest = LocalTransform::from_matrix(DMat4::from_translation(DVec3::new(0.0, number as f64, 7.0)));
    }
    let bind = Arc::make_mut(&mut model.skins[0].joint_from_bind);
    bind[1] = DMat4::from_translation(DVec3::new(2.0, 0.0, 0.0));
    bind[2] = DMat4::from_translation(DVec3::new(0.0, 4.0, 0.0));
    let mut pose = Pose::default();
    pose.set(&model, &PoseChoice::SkinSpace(None));
    for (mode, moved) in [
        (SkinningMode::Rigid, [2.0, 0.0, 0.0]),
        (SkinningMode::Linear, [1.0, 2.0, 0.0]),
        (SkinningMode::DualQuat, [1.0, 2.0, 0.0]),
    ] {
        let skinned = skin_model(&model, mode, &pose);
        let stored = &model.meshes[0].primitives[0].positions;
        for (found, stored) in skinned[0].positions.iter().zip(stored) {
            let expected = [0, 1, 2].map(|axis| stored[axis] + moved[axis]);
            assert_eq!(*found, expected, "{mode}");
        }
    }
    // Framing and drawing both use that pose, in all modes.
    model.skins[0].joint_from_bind = [DMat4::from_translation(DVec3::new(1.0, 2.0, 0.0)); 3].into();
    let mut studio = Studio::open();
    let scene = |pose, view| Scene { pose, view, ..from("front", [33, 33]) };
    let shown = studio.draw(&model, &scene(PoseChoice::SkinSpace(None), View::SkinSpace));
    let mut still = model.clone();
    still.meshes[0].primitives[0].influences = None;
    still.rig.rest[0] = LocalTransform::from_matrix(DMat4::from_translation(DVec3::new(1.0, 2.0, 0.0)));
    let expected = studio.draw(&still, &scene(PoseChoice::Rest, View::SkinSpace));
    assert!(shown.rgba == expected.rgba && studio.covered(&shown).contains(&true));
    studio.close();
}

/// Every view, softly lit and flat, differs from every other. No picture has the magenta that `view.frag` draws for what
/// it does not know, with edges of triangles or without.
#[test]
fn every_view_has_its_own_picture() {
    let mut studio = Studio::open();
    let model = common::builtin("character");
    let name = "forearm.R".to_owned();
    let node = model.rig.names.iter().position(|found| *found == name).unwrap();
    let only = OnlyJoint { node, name: name.clone(), steps: None };
    let difference = View::Difference(SkinningMode::Linear.into());
    let named = [View::Joint(name.clone()), View::Part(name.clone()), View::SpaceOf(name), difference];
    let views: Vec<View> = View::all().into_iter().chain(named).collect();
    assert_eq!(views.len(), View::table().len(), "`named` lacks a view with a parameter");
    let mut shown = Vec::new();
    for (flat, wireframe) in [(false, false), (true, false), (false, true)] {
        let scenes: Vec<Scene> = views
            .iter()
            .cloned()
            .map(|view| {
                let pose = match (&view, view.has_own_pose()) {
                    (View::SpaceOf(_), _) => PoseChoice::SkinSpace(Some(only.clone())),
                    (_, true) => PoseChoice::SkinSpace(None),
                    (_, false) => PoseChoice::clip(2, 1.2),
                };
                let surface = view.facts().surface;
                shown.push(if wireframe { surface.edges() } else { surface.shows(flat) });
                let from = from("auto", [96, 96]);
                let look = Look { flat, samples: Some(Samples::One), ..from.look };
                let overlays = Overlays { wireframe, ..from.overlays };
                Scene { view, pose, mode: SkinningMode::DualQuat, look, overlays, legend: false, ..from }
            })
            .collect();
        let images = studio.draw_all(&model, &scenes);
        for (number, (image, view)) in images.iter().zip(&views).enumerate() {
            let colors: BTreeSet<&[u8]> = image.rgba.chunks_exact(4).collect();
            let is_unknown = colors.contains(&[255, 0, 255, 255][..]);
            assert!(!is_unknown, "shaders/view.frag has no case for what {view} shows");
            let is_edges = wireframe || view.has_wires();
            assert!(
                colors.len() > 8 || is_edges,
                "{view} shows {} colours of the whole character",
                colors.len()
            );
            let same = images[..number].iter().position(|other| other.rgba == image.rgba && !wireframe);
            assert!(same.is_none(), "{view} looks like {}", views[same.unwrap_or(0)]);
        }
    }
    for content in Shows::ALL {
        assert!(shown.contains(&content), "no view shows {content:?}");
    }
    studio.close();
}

#[test]
fn the_skeleton_is_there_without_the_mesh() {
    let mut studio = Studio::open();
    let mut model = weighted([0, 1, -1, -1], [0.5, 0.5, 0.0, 0.0]);
    let image = studio.draw(&model, &Scene { view: View::Skeleton, ..from("front", [65, 65]) });
    let covered = studio.covered(&image).into_iter().filter(|covered| *covered).count();
    assert!((4..120).contains(&covered), "{covered} pixels of joints that are all in one place");
    // This holds for any mesh.
    model.meshes[0].primitives[0].indices.clear();
    let bare = studio.draw(&model, &Scene { view: View::Skeleton, ..from("front", [65, 65]) });
    assert!(image.rgba == bare.rgba);
    studio.close();
}
