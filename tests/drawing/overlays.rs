//! Tests that overlays are in the right place: bones at joints, the grid on the ground, boxes around vertices, letters
//! legible. Stored pictures play no part.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::studio;

use glam::{DMat4, DVec3};
use sinew::camera::Camera;
use sinew::image::Image;
use sinew::look::{Background, Look};
use sinew::model::{Influences, LocalTransform, Model, Skin, Span, srgb};
use sinew::overlay::Overlays;
use sinew::scene::Scene;
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::view::{JointColors, View};
use sinew::vulkan::VulkanError;
use studio::{Studio, from, matte, pixel, square, unlit};

fn overlays(text: &str) -> Overlays {
    text.parse().unwrap()
}

/// The pixel of a point in world space.
fn at(scene: &Scene, points: &[DVec3], place: DVec3) -> [u32; 2] {
    let sinew::camera::Viewpoint::Orbit(orbit) = &scene.camera else { panic!("an orbit") };
    let camera = Camera::new(orbit, points, scene.size);
    let clip = camera.clip_from_view * camera.view_from_world * place.extend(1.0);
    let across = |along: f64, side: u32| ((along / clip.w * 0.5 + 0.5) * f64::from(side)) as u32;
    [across(clip.x, scene.size[0]), across(clip.y, scene.size[1])]
}

/// A square moved by two joints, one above the other, behind it.
fn jointed() -> Model {
    let mut model = square(DMat4::IDENTITY, matte());
    let span = Span { joints: vec![[0, 1, -1, -1]; 4], weights: vec![[0.5, 0.5, 0.0, 0.0]; 4] };
    model.meshes[0].primitives[0].influences = Some(Influences { spans: vec![span] });
    model.rig.names = vec!["hip".to_owned(), "knee".to_owned()];
    model.rig.parents = vec![None, Some(0)];
    let up = |y: f64, z: f64| LocalTransform::from_matrix(DMat4::from_translation(DVec3::new(0.0, y, z)));
    model.rig.rest = vec![up(-0.3, -0.2), up(0.6, 0.0)];
    model.rig.file_index = vec![0, 1];
    // The joints stand in their bind pose.
    let bound = [-0.3, 0.3].map(|y: f64| DMat4::from_translation(DVec3::new(0.0, -y, 0.2)));
    model.skins =
        vec![Skin { name: String::new(), joints: vec![0, 1], joint_from_bind: bound.into(), method: None }];
    model.instances[0].skin = Some(0);
    model
}

fn is_near(found: [u8; 4], expected: [u8; 3]) -> bool {
    found.iter().zip(expected).all(|(found, expected)| found.abs_diff(expected) <= 2)
}

#[test]
fn bones_lead_from_joint_to_joint_in_front_of_everything() {
    let mut studio = Studio::open();
    let model = jointed();
    let colors = JointColors::new(&model);
    let scene = Scene { overlays: overlays("skeleton"), ..from("front", [721, 721]) };
    let (image, points) = studio.draw_framed(&model, std::slice::from_ref(&scene)).remove(0);
    let places = [DVec3::new(0.0, -0.3, -0.2), DVec3::new(0.0, 0.3, -0.2)];
    let [hip, knee] = places.map(|place| at(&scene, &points, place));
    let middle = at(&scene, &points, (places[0] + places[1]) * 0.5);
    // A bone has the colour of the joint that moves it.
    assert!(
        is_near(pixel(&image, middle[0], middle[1]), colors.of(0)),
        "{:?}",
        pixel(&image, middle[0], middle[1])
    );
    // Joints have a light middle with their colour around it.
    for (joint, number) in [(hip, 0), (knee, 1)] {
        let [x, y] = joint;
        assert!(pixel(&image, x, y)[..3].iter().all(|channel| *channel > 170), "{:?}", pixel(&image, x, y));
        let around = (x - 5..=x + 5).any(|x| is_near(pixel(&image, x, y), colors.of(number)));
        assert!(around, "no {number} around {x}, {y}");
    }
    // Nothing else in the picture changes.
    let bare = studio.draw(&model, &Scene { overlays: Overlays::default(), ..scene.clone() });
    for y in 0..721 {
        for x in 0..721_u32 {
            let beside = x.abs_diff(middle[0]) > 10 || y < knee[1] - 10 || y > hip[1] + 10;
            assert!(!beside || pixel(&image, x, y) == pixel(&bare, x, y), "{x}, {y}");
        }
    }
    studio.close();
}

#[test]
fn axes_point_where_the_joint_is_turned() {
    let mut studio = Studio::open();
    let mut model = jointed();
    // The knee is turned a quarter around z and stretched: its x points up, its y to the left.
    model.rig.rest[0] = LocalTransform::from_matrix(DMat4::IDENTITY);
    let turned = DMat4::from_translation(DVec3::new(0.0, 0.3, -0.2))
        * DMat4::from_rotation_z(std::f64::consts::FRAC_PI_2)
        * DMat4::from_scale(DVec3::new(5.0, 0.2, 1.0));
    model.rig.rest[1] = LocalTransform::from_matrix(turned);
    // The square stays where it is, so the picture's framing does too. Axes are four tenths of a bone long.
    model.meshes[0].primitives[0].influences = None;
    let scene = Scene { overlays: overlays("axes"), ..from("front", [721, 721]) };
    let (image, points) = studio.draw_framed(&model, std::slice::from_ref(&scene)).remove(0);
    let knee = DVec3::new(0.0, 0.3, -0.2);
    for (along, channel) in [(DVec3::Y, 0), (DVec3::NEG_X, 1)] {
        for (part, there) in [(0.07, true), (0.12, true), (0.18, false)] {
            let [x, y] = at(&scene, &points, knee + along * part);
            let [r, g, b, _] = pixel(&image, x, y);
            let strongest = [r, g, b].into_iter().enumerate().max_by_key(|(_, level)| *level).unwrap().0;
            let colored = r.max(g).max(b) - r.min(g).min(b) > 80;
            assert_eq!(colored && strongest == channel, there, "{along} at {part}: {r} {g} {b}");
        }
    }
    studio.close();
}

/// Surfaces in front of the ground hide the grid; the ground itself does not.
#[test]
fn the_grid_lies_on_the_ground() {
    let mut studio = Studio::open();
    // The square stands between two lines of the grid.
    let model = square(DMat4::from_translation(DVec3::new(0.0, 0.0, 0.13)), matte());
    for look in [Look::default(), from("front", [8, 8]).look] {
        let scene = Scene { look, ..from("20,25", [200, 200]) };
        let with = Scene { overlays: overlays("grid"), ..scene.clone() };
        let (images, covered) = {
            let images = studio.draw_all(&model, &[scene.clone(), with]);
            let alone = studio.draw(&model, &from("20,25", [200, 200]));
            (images, studio.covered(&alone))
        };
        let changed = |x: u32, y: u32| pixel(&images[0], x, y) != pixel(&images[1], x, y);
        let label = |x: u32, y: u32| x > 110 && y > 180;
        let pixels = || (0..200).flat_map(|y| (0..200).map(move |x| (x, y)));
        let on_model = |(x, y): &(u32, u32)| covered[(y * 200 + x) as usize] && !label(*x, *y);
        let on_model = pixels().filter(on_model).filter(|(x, y)| changed(*x, *y)).count();
        let beside = pixels().filter(|(x, y)| !covered[(y * 200 + x) as usize] && changed(*x, *y)).count();
        // Pixels at the square's edges blend with the grid behind.
        assert!(on_model < 60, "{on_model} pixels of the grid in front of what stands on it");
        assert!(beside > 1500, "only {beside} pixels of grid");
        assert!(pixels().filter(|(x, y)| label(*x, *y)).any(|(x, y)| changed(x, y)), "no label");
    }
    studio.close();
}

#[test]
fn boxes_are_around_the_vertices_as_they_stand() {
    let mut studio = Studio::open();
    let model = common::builtin("character");
    let wave = model.clips.iter().position(|clip| clip.name == "wave").unwrap();
    let pose = PoseChoice::clip(wave, 1.0);
    let scene = Scene { overlays: overlays("bounds"), pose: pose.clone(), ..from("front", [721, 721]) };
    let (image, points) = studio.draw_framed(&model, std::slice::from_ref(&scene)).remove(0);
    let mut posed = Pose::default();
    posed.set(&model, &pose);
    let skinned = sinew::skinning::posed::skin_model(&model, SkinningMode::Linear, &posed);
    let positions = skinned.iter().flat_map(|primitive| &primitive.positions);
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for position in positions.map(|position| DVec3::from(position.map(f64::from))) {
        (min, max) = (min.min(position), max.max(position));
    }
    // The corner in front at the upper right, and the middles of the edges that meet there.
    let orange = |place: DVec3| {
        let [x, y] = at(&scene, &points, place);
        let near = (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y)));
        near.map(|(x, y)| pixel(&image, x, y)).any(|[r, _, b, _]| r > 200 && b < 120)
    };
    assert!(orange(max));
    assert!(
        orange(DVec3 { x: (min.x + max.x) * 0.5, ..max })
            && orange(DVec3 { y: (min.y + max.y) * 0.5, ..max })
    );
    assert!(orange(DVec3 { y: min.y, ..max }) && orange(DVec3 { x: min.x, ..max }));
    assert!(!orange(max * 0.5 + min * 0.5 + DVec3::new(0.0, 0.0, (max.z - min.z) * 0.5)));
    studio.close();
}

/// Dark letters on light and light letters on dark; the legend's swatches keep their colours.
#[test]
fn letters_are_legible_on_any_background() {
    let mut studio = Studio::open();
    let model = jointed();
    let colors = JointColors::new(&model);
    for (background, levels) in [([255; 3], 0..=60), ([0; 3], 200..=255)] {
        let look = Look { background: Background::Color(background), ..from("front", [8, 8]).look };
        let scene = Scene { look, view: View::Weights, legend: true, ..from("front", [720, 720]) };
        let images = studio.draw_all(&model, &[scene.clone(), Scene { legend: false, ..scene }]);
        let legend: Vec<[u8; 4]> = (0..60)
            .flat_map(|y| (0..120).map(move |x| (x, y)))
            .filter(|(x, y)| pixel(&images[0], *x, *y) != pixel(&images[1], *x, *y))
            .map(|(x, y)| pixel(&images[0], x, y))
            .collect();
        let letters = legend.iter().filter(|pixel| pixel[..3].iter().all(|level| levels.contains(level)));
        assert!(letters.count() > 20, "on {background:?}");
        for joint in 0..2 {
            let swatch = legend.iter().filter(|pixel| is_near(**pixel, colors.of(joint))).count();
            assert!(swatch > 20, "{swatch} pixels of joint {joint} on {background:?}");
        }
    }
    studio.close();
}

/// Names over a figure stand on plates, whose contrast to them does not depend on the figure.
#[test]
fn names_are_legible_on_every_figure() {
    let luminance = |[r, g, b, _]: [u8; 4]| {
        let [r, g, b] = [r, g, b].map(|byte| srgb::to_linear(f64::from(byte) / 255.0));
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let mut studio = Studio::open();
    for albedo in [0.0, 0.2, 0.5, 1.0_f32] {
        let mut model = jointed();
        model.materials[0] = unlit([albedo, albedo, albedo, 1.0]);
        let scene = Scene { look: Look::default(), ..from("front", [480, 480]) };
        let named = Scene { overlays: overlays("names"), ..scene.clone() };
        let [bare, named] = studio.draw_all(&model, &[scene, named]).try_into().unwrap();
        // One name is in the dark half of the studio, the other in the light one.
        for (rows, is_light) in [(0..240, true), (240..480, false)] {
            let pixels = rows.flat_map(|y| (0..480).map(move |x| (x, y)));
            let changed: Vec<_> =
                pixels.filter(|(x, y)| pixel(&bare, *x, *y) != pixel(&named, *x, *y)).collect();
            let bounds = |at: fn(&(u32, u32)) -> u32| {
                let (first, last) = (changed.iter().map(at).min().unwrap(), changed.iter().map(at).max());
                first..=last.unwrap()
            };
            let [columns, rows] = [bounds(|(x, _)| *x), bounds(|(_, y)| *y)];
            let within = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
            let mut levels: Vec<f64> = within.map(|(x, y)| luminance(pixel(&named, x, y))).collect();
            levels.sort_by(f64::total_cmp);
            let [dark, middle, light] = [1, 25, 49].map(|part| levels[levels.len() * part / 50]);
            let letters = if is_light { light } else { dark };
            let contrast = (letters.max(middle) + 0.05) / (letters.min(middle) + 0.05);
            assert!(contrast >= 4.5, "{contrast:.2} on albedo {albedo}, light letters: {is_light}");
        }
    }
    studio.close();
}

/// Tiles show parts of the same overlays, even of those that depend on the size of the whole picture.
#[test]
fn overlays_go_across_tiles() {
    let mut studio = Studio::open();
    let model = common::builtin("character");
    let mut gpu = studio.renderer.upload(model).unwrap();
    let scene = Scene {
        overlays: overlays("skeleton,axes,names,grid,bounds"),
        view: View::Weights,
        legend: true,
        ..from("30,20", [200, 150])
    };
    studio.renderer.draw(&mut gpu, &scene).unwrap();
    let whole = studio.renderer.read().unwrap();
    let mut rgba = Vec::new();
    studio
        .renderer
        .draw_rows(&mut gpu, &scene, [64, 48], |rows| {
            rgba.extend_from_slice(rows);
            Ok::<(), VulkanError>(())
        })
        .unwrap();
    let tiled = Image { width: 200, height: 150, rgba };
    let apart = |x: u32, y: u32| {
        let both = pixel(&whole, x, y).into_iter().zip(pixel(&tiled, x, y));
        both.map(|(a, b)| a.abs_diff(b)).max().unwrap()
    };
    let pixels = (0..150).flat_map(|y| (0..200).map(move |x| (x, y)));
    let steps: Vec<u8> = pixels.map(|(x, y)| apart(x, y)).collect();
    let differing = steps.iter().filter(|step| **step > 2).count();
    // Rounding decides where an edge goes through the middle of a pixel.
    assert!(differing <= 30, "{differing} pixels differ");
    drop(gpu);
    studio.close();
}

/// In the bind pose the mesh is as stored and joints are where they were bound, wherever their nodes are.
#[test]
fn bones_are_in_the_mesh_in_the_bind_pose() {
    let mut studio = Studio::open();
    let bind = Scene { overlays: overlays("skeleton"), pose: PoseChoice::Bind, ..from("front", [241, 241]) };
    let model = jointed();
    let expected = studio.draw(&model, &bind);
    let mut moved = model.clone();
    moved.rig.rest[0] = LocalTransform::from_matrix(DMat4::from_translation(DVec3::new(7.0, 3.0, 1.0)));
    let found = studio.draw(&moved, &bind);
    assert!(found.rgba == expected.rgba);
    let bare = studio.draw(&model, &Scene { overlays: Overlays::default(), ..bind });
    assert!(bare.rgba != expected.rgba);
    studio.close();
}

/// Lines in front of a surface show, whether it is opaque or blended.
#[test]
fn boxes_are_seen_in_front_of_what_is_blended() {
    let mut studio = Studio::open();
    let scene = Scene { overlays: overlays("bounds"), ..from("30,20", [721, 721]) };
    let opaque = jointed();
    let mut blended = opaque.clone();
    blended.materials[0].alpha = sinew::model::AlphaMode::Blend;
    let [expected, found] = [&opaque, &blended].map(|model| studio.draw(model, &scene));
    // Lines behind glass shine through; no line in front may be lost.
    let mut lines = 0;
    for (x, y) in (0..721).flat_map(|y| (0..721).map(move |x| (x, y))) {
        // Whole pixels of a line, without an edge of the square in them.
        if is_near(pixel(&expected, x, y), [255, 170, 45]) {
            let there = pixel(&found, x, y);
            assert!(is_near(there, [255, 170, 45]), "{x}, {y}: {there:?}");
            lines += 1;
        }
    }
    assert!(lines > 50, "only {lines} pixels of lines");
    studio.close();
}

/// The skeleton view frames all joints, even those without mesh around them.
#[test]
fn a_skeleton_is_whole() {
    let mut studio = Studio::open();
    let mut model = jointed();
    // Far above the square, which follows neither joint.
    model.rig.rest[1] = LocalTransform::from_matrix(DMat4::from_translation(DVec3::new(0.0, 9.0, 0.0)));
    model.meshes[0].primitives[0].influences = None;
    let scene = Scene { view: View::Skeleton, ..from("front", [241, 241]) };
    let image = studio.draw(&model, &scene);
    let rows: Vec<u32> =
        (0..241).filter(|y| (0..241).any(|x| pixel(&image, x, *y) != studio.background)).collect();
    assert!(rows[0] > 2 && rows[0] < 30 && rows[rows.len() - 1] > 190, "{rows:?}");
    studio.close();
}

/// No pose prevents a picture from being drawn, and joints with valid positions still show.
#[test]
fn joints_that_are_nowhere_are_left_out() {
    let mut studio = Studio::open();
    let mut model = jointed();
    let all = overlays("skeleton,axes,names,grid,bounds");
    // A model with only the first joint.
    let mut lone = jointed();
    lone.skins[0].joints.truncate(1);
    let scene = Scene { overlays: overlays("skeleton"), pose: PoseChoice::Rest, ..from("front", [64, 64]) };
    lone.meshes[0].primitives[0].influences = None;
    let expected = studio.draw(&lone, &scene);
    for wrong in [f64::NAN, f64::INFINITY, 1e300, -1e300, 1e-300] {
        model.rig.rest[1] =
            LocalTransform::from_matrix(DMat4::from_translation(DVec3::new(wrong, 0.6, wrong)));
        studio.draw(&model, &Scene { overlays: all, view: View::Skeleton, ..from("auto", [64, 64]) });
        let mut still = model.clone();
        still.meshes[0].primitives[0].influences = None;
        let found = studio.draw(&still, &scene);
        assert!(!wrong.is_nan() || found.rgba == expected.rgba, "{wrong}");
    }
    studio.close();
}

/// The marker is where its vertex is, in its own colour on any surface, and dimmer behind one.
#[test]
fn a_marked_vertex_can_be_seen_on_every_surface_and_through_it() {
    const COLOR: [u8; 3] = [255, 210, 63];
    let mut studio = Studio::open();
    for albedo in [0.0, 0.2, 0.65, 1.0_f32] {
        let mut model = square(DMat4::IDENTITY, unlit([albedo, albedo, albedo, 1.0]));
        let primitive = &mut model.meshes[0].primitives[0];
        // Behind the square.
        let places = [DVec3::new(0.5, 0.5, 0.0), DVec3::new(0.1, 0.1, -0.3)];
        primitive.positions.push(places[1].as_vec3().to_array());
        primitive.normals.as_mut().unwrap().push([0.0, 0.0, 1.0]);
        primitive.texcoords[0].push([0.0; 2]);
        let scene = from("front", [240, 240]);
        let marked = |name: &str| Scene { marked: Some(name.parse().unwrap()), ..scene.clone() };
        let scenes = [scene.clone(), marked("node0:0:2"), marked("node0:0:4")];
        let [(bare, points), (corner, _), (hidden, _)] =
            studio.draw_framed(&model, &scenes).try_into().unwrap();
        let seen = |image: &Image, place: DVec3, aside: i32| {
            let [x, y] = at(&scene, &points, place);
            pixel(image, x.saturating_add_signed(aside), y)
        };
        for aside in [0, 9] {
            // To the left: the ring leaves the picture at the right.
            let found = seen(&corner, places[0], -aside);
            assert!(is_near(found, COLOR), "{found:?} on {albedo}, {aside} beside it");
            let [found, below] = [&hidden, &bare].map(|image| seen(image, places[1], aside));
            let apart = |a: [u8; 4], b: [u8; 3]| a.iter().zip(b).map(|(a, b)| a.abs_diff(b)).max().unwrap();
            assert!(apart(found, [below[0], below[1], below[2]]) > 40, "{found:?} through {albedo}");
            assert!(apart(found, COLOR) > 20, "{found:?} through {albedo} is as clear as in front");
        }
        // Between dot and ring is the surface, and around both a dark rim.
        let rim = seen(&hidden, places[1], 11);
        assert!(albedo < 0.5 || rim[0] < seen(&bare, places[1], 11)[0], "{rim:?}");
    }
    studio.close();
}
