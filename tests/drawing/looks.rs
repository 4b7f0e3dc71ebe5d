//! Tests what is only about looks: flat figures from `auto`, points, lines and edges, exposure, light from all around.
//! Stored pictures play no part.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use glam::DMat4;
use sinew::environment::Environment;
use sinew::image::Image;
use sinew::look::{Background, Look, Quality, Samples};
use sinew::model::{Material, Model, Topology, srgb};
use sinew::render::{Forgotten, Renderer};
use sinew::scene::{Framing, Processor, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::view::View;

use crate::common;
use crate::studio::{Studio, from, matte, pixel, square, unlit};

/// Looks that were left are given back after a while, but not that of the last picture; they are drawn as before.
#[test]
fn looks_that_were_left_are_given_back() {
    let device = common::open();
    let mut renderer = Renderer::new(Arc::clone(&device), None).unwrap();
    let mut gpu = renderer.upload(common::builtin("bend")).unwrap();
    let mut draw_all = |renderer: &mut Renderer| {
        SkinningMode::ALL.map(|mode| {
            let scene =
                Scene { skin: Processor::Gpu, ..common::scene(mode, PoseChoice::clip(0, 0.5), [48, 48]) };
            renderer.picture(&mut gpu, &scene).unwrap().rgba
        })
    };
    let pictures = draw_all(&mut renderer);
    let none_is_old = renderer.forget().unwrap();
    let others = none_is_old.left;
    assert!(none_is_old.gone == 0 && others >= SkinningMode::ALL.len() - 1, "{none_is_old:?}");
    assert_eq!(renderer.forget().unwrap(), Forgotten { gone: others, left: 0 });
    assert!(draw_all(&mut renderer) == pictures);
    assert_eq!(renderer.forget().unwrap(), none_is_old, "they were made again");
    drop((gpu, renderer));
    device.close();
}

/// Squares in each of the three planes, facing either way: what can be seen of them fills the picture.
#[test]
fn auto_never_sees_a_flat_figure_from_its_edge() {
    let mut studio = Studio::open();
    for turn in [
        DMat4::IDENTITY,
        DMat4::from_rotation_y(FRAC_PI_2),
        DMat4::from_rotation_y(-FRAC_PI_2),
        DMat4::from_rotation_y(2.0 * FRAC_PI_2),
        DMat4::from_rotation_x(FRAC_PI_2),
        DMat4::from_rotation_x(-FRAC_PI_2),
    ] {
        for double_sided in [false, true] {
            let model = square(turn, Material { double_sided, ..unlit([1.0, 0.0, 0.0, 1.0]) });
            let image = studio.draw(&model, &from("auto", [48, 48]));
            let covered = studio.covered(&image).into_iter().filter(|covered| *covered).count();
            assert!(covered > 48 * 48 / 3, "{covered} pixels of a square turned by {turn:?}");
        }
    }
    studio.close();
}

/// At its own time a figure fills the picture, whatever its clip does; all modes are framed alike.
#[test]
fn single_pictures_are_framed_at_their_time() {
    let mut studio = Studio::open();
    let model = common::builtin("bend");
    let scene = |framing, mode, time| Scene {
        framing,
        mode,
        pose: PoseChoice::clip(0, time),
        ..from("front", [120, 120])
    };
    let mut gpu = studio.renderer.upload(Arc::clone(&model)).unwrap();
    let mut filled = |scene: &Scene| {
        studio.renderer.draw(&mut gpu, scene).unwrap();
        let covered = studio.covered(&studio.renderer.read().unwrap());
        let along = |place: fn(usize) -> usize| {
            let places = || (0..covered.len()).filter(|at| covered[*at]).map(place);
            places().max().unwrap() + 1 - places().min().unwrap()
        };
        along(|at| at % 120).max(along(|at| at / 120))
    };
    let mut by_clip = Vec::new();
    for time in [0.0, 0.5, 1.0] {
        for mode in [SkinningMode::Linear, SkinningMode::DualQuat] {
            let long = filled(&scene(Framing::Time, mode, time));
            assert!((100..=120).contains(&long), "{long} pixels at {time} s in {mode}");
        }
        by_clip.push(filled(&scene(Framing::Clip, SkinningMode::Linear, time)));
    }
    assert!(by_clip.iter().any(|long| *long < 100), "{by_clip:?}");
    let mut hull = |framing, mode, time| gpu.hull_of(&scene(framing, mode, time)).to_vec();
    let of_time = hull(Framing::Time, SkinningMode::Linear, 0.5);
    assert_eq!(hull(Framing::Time, SkinningMode::DualQuat, 0.5), of_time);
    assert_ne!(hull(Framing::Time, SkinningMode::Linear, 0.7), of_time);
    let of_clip = hull(Framing::Clip, SkinningMode::Linear, 0.5);
    assert_eq!(hull(Framing::Clip, SkinningMode::Linear, 0.7), of_clip);
    assert_ne!(of_clip, of_time);
    drop(gpu);
    studio.close();
}

/// Counts the red pixels in the row and the column through a place. Neither background nor rims are red.
fn extent(image: &Image, [x, y]: [u32; 2]) -> [usize; 2] {
    let is_red = |x: u32, y: u32| {
        let [red, green, ..] = pixel(image, x, y);
        red > green.saturating_add(40)
    };
    let row = (x - 15..x + 15).filter(|x| is_red(*x, y)).count();
    [row, (y - 15..y + 15).filter(|y| is_red(x, *y)).count()]
}

#[test]
fn points_and_lines_are_thick_enough_to_see() {
    let mut studio = Studio::open();
    for (size, point, line) in [(720, 5, 3), (1440, 10, 5)] {
        // A point in the middle; two below and above it make the picture as large.
        let mut model = square(DMat4::IDENTITY, unlit([1.0, 0.0, 0.0, 1.0]));
        let primitive = &mut model.meshes[0].primitives[0];
        primitive.positions = vec![[0.0, -0.5, 0.0], [0.0, 0.5, 0.0], [0.0; 3], [0.0; 3]];
        (primitive.topology, primitive.indices, primitive.normals) = (Topology::Points, vec![0, 1, 2], None);
        let middle = [size / 2, size / 2];
        for samples in [Samples::One, Samples::Four] {
            let mut scene = from("front", [size; 2]);
            scene.look.samples = Some(samples);
            let image = studio.draw(&model, &scene);
            for found in extent(&image, middle) {
                assert!(found.abs_diff(point) <= 1, "a point of {found} pixels at {size} with {samples:?}");
            }
            // An upright line.
            let mut lines = model.clone();
            let primitive = &mut lines.meshes[0].primitives[0];
            (primitive.topology, primitive.indices) = (Topology::Lines, vec![0, 1]);
            let image = studio.draw(&lines, &scene);
            let [across, _] = extent(&image, middle);
            assert!(across.abs_diff(line) <= 1, "a line of {across} pixels at {size} with {samples:?}");
            // They are equal with every processor.
            let by = [Processor::Gpu, Processor::Cpu].map(|skin| Scene { skin, ..scene.clone() });
            let images = studio.draw_all(&lines, &by);
            assert!(images[0].rgba == images[1].rgba);
        }
    }
    studio.close();
}

/// The edges of a surface lie over it in whichever ink can be seen, change nothing else, and are hidden by what is in
/// front.
#[test]
fn edges_lie_over_the_surface() {
    let mut studio = Studio::open();
    let overlay = |text: &str| text.parse().unwrap();
    for (color, lighter) in [([0.8, 0.7, 0.6, 1.0], false), ([0.01, 0.02, 0.01, 1.0], true)] {
        for (quality, view) in
            [(Quality::Full, View::Shaded), (Quality::Plain, View::Shaded), (Quality::Full, View::Normals)]
        {
            let is_shaded = view == View::Shaded;
            let model = square(DMat4::IDENTITY, Material { base_color: color, ..matte() });
            let look = Look { quality, samples: Some(Samples::One), ..Look::default() };
            let bare = Scene { look, view, ..from("front", [65, 65]) };
            let with = Scene { overlays: overlay("wireframe"), ..bare.clone() };
            let images = studio.draw_all(&model, &[bare, with]);
            let (mut changed, mut right) = (0, 0);
            for y in 10..55 {
                for x in 10..55 {
                    let [before, after] = [&images[0], &images[1]].map(|image| pixel(image, x, y)[1]);
                    // The diagonal goes from the lower left to the upper right.
                    let is_near = (x + y).abs_diff(64) <= 2;
                    changed += usize::from(before != after);
                    right += usize::from(before != after && is_near && (after > before) == lighter);
                    assert!(before == after || is_near, "{x}, {y}");
                }
            }
            assert!(changed >= 40 && (!is_shaded || changed == right), "{right} of {changed} in {quality:?}");
        }
    }
    // A square in front hides the edges of the one behind.
    let mut model = square(DMat4::IDENTITY, matte());
    let mut front = model.meshes[0].primitives[0].clone();
    front.positions = front.positions.iter().map(|[x, y, _]| [x * 0.9, y * 0.9, 0.3]).collect();
    // Its own diagonal goes the other way.
    front.indices = vec![0, 1, 3, 1, 2, 3];
    model.meshes[0].primitives.push(front);
    let scene = Scene { overlays: overlay("wireframe"), ..from("front", [65, 65]) };
    let image = studio.draw(&model, &scene);
    let light = |x: u32, y: u32| pixel(&image, x, y)[1];
    assert!(light(20, 20) < 90 && light(20, 44) > 150, "{} {}", light(20, 20), light(20, 44));
    studio.close();
}

fn light(image: &Image) -> [f64; 3] {
    let [r, g, b, _] = pixel(image, image.width / 2, image.height / 2);
    [r, g, b].map(|byte| srgb::to_linear(f64::from(byte) / 255.0))
}

/// A stop up is twice as bright, as long as the tone mapper leaves colours alone; what is not lit stays.
#[test]
fn exposure_multiplies_light() {
    let mut studio = Studio::open();
    let dark = Material { base_color: [0.15, 0.15, 0.15, 1.0], ..matte() };
    let scene = |quality, exposure| {
        let look = Look { quality, exposure, background: Background::PAPER, ..Look::default() };
        Scene { look, ..from("front", [17, 17]) }
    };
    let stops = [0.0, 1.0, -1.0];
    let plain = stops.map(|stops| scene(Quality::Plain, stops));
    let model = square(DMat4::IDENTITY, dark.clone());
    let [usual, up, down] = <[Image; 3]>::try_from(studio.draw_all(&model, &plain)).unwrap();
    for (image, factor) in [(&up, 2.0), (&down, 0.5)] {
        let found = light(image)[0] / light(&usual)[0];
        assert!((found / factor - 1.0).abs() < 0.03, "{found} is not {factor}");
    }
    assert_eq!(pixel(&up, 0, 0), studio.background);
    let full = stops.map(|stops| scene(Quality::Full, stops));
    let images = studio.draw_all(&model, &full);
    let levels: Vec<f64> = images.iter().map(|image| light(image)[1]).collect();
    assert!(levels[1] > 1.6 * levels[0] && levels[2] < 0.6 * levels[0], "{levels:?}");
    for model in [square(DMat4::IDENTITY, unlit([0.2, 0.4, 0.6, 1.0]))] {
        for quality in [Quality::Full, Quality::Plain] {
            let images = studio.draw_all(&model, &[scene(quality, 0.0), scene(quality, 2.0)]);
            assert!(light(&images[0]) == light(&images[1]), "{quality:?}");
        }
    }
    studio.close();
}

/// A panorama of one colour everywhere.
fn even(color: [u8; 4]) -> Arc<Environment> {
    let pixels = color.repeat(8);
    let bytes = [&b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 4\n"[..], &pixels].concat();
    Arc::new(Environment::new("even.hdr".to_owned(), format!("{color:?}"), &bytes).unwrap())
}

/// Draws a model with and without an environment.
fn lit(studio: &mut Studio, model: &Model, look: Look, around: &[Option<Arc<Environment>>]) -> Vec<Image> {
    let scene = |environment: &Option<Arc<Environment>>| Scene {
        look,
        environment: environment.clone(),
        ..from("front", [17, 17])
    };
    studio.draw_all(model, &around.iter().map(scene).collect::<Vec<_>>())
}

#[test]
fn an_environment_lights_in_its_colour() {
    let mut studio = Studio::open();
    // Light of a quarter, red or blue alone; black; then the studio again.
    let [red, blue, black] = [[128, 0, 0, 127], [0, 0, 128, 127], [0; 4]].map(even);
    let around = [None, Some(red.clone()), Some(blue), Some(black), None, Some(red)];
    for quality in Quality::ALL {
        for metallic in [0.0, 1.0] {
            let surface = Material { base_color: [0.5, 0.5, 0.5, 1.0], metallic, roughness: 0.6, ..matte() };
            let look = Look { quality, ..Look::default() };
            // From below, where the key light does not reach.
            let model =
                square(DMat4::from_rotation_y(2.0 * FRAC_PI_2), Material { double_sided: true, ..surface });
            let images = lit(&mut studio, &model, look, &around);
            let [usual, red, blue, black] = [0, 1, 2, 3].map(|number| light(&images[number]));
            let more = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|n| a[n] - b[n]);
            let (by_red, by_blue) = (more(red, black), more(blue, black));
            let what = format!("{quality:?}, metallic {metallic}: {usual:?} {by_red:?} {by_blue:?}");
            assert!(by_red[0] > 0.02 && by_red[0] > 4.0 * by_red[2].abs(), "{what}");
            assert!(by_blue[2] > 0.02 && by_blue[2] > 4.0 * by_blue[0].abs(), "{what}");
            // The studio comes back, and the same picture has the same bytes.
            assert!(images[0].rgba == images[4].rgba && images[1].rgba == images[5].rgba, "{what}");
            if quality == Quality::Plain && metallic == 0.0 {
                // Half of a quarter of the light, of which plain pictures scatter all.
                assert!((by_red[0] - 0.125).abs() < 0.01, "{what}");
            }
        }
    }
    studio.close();
}

/// Light from one side reaches the surfaces that face it: the middle of the panorama is ahead of a viewer in front.
#[test]
fn an_environment_stands_still_in_the_world() {
    let mut studio = Studio::open();
    // Bright on the right quarter.
    let pixel = |column: usize| if (5..7).contains(&column) { [128, 128, 128, 130] } else { [0; 4] };
    let row: Vec<u8> = (0..8).flat_map(pixel).collect();
    let bytes = [&b"#?RGBE\n\n-Y 4 +X 8\n"[..], &row.repeat(4)].concat();
    let right = Some(Arc::new(Environment::new("r.hdr".to_owned(), String::new(), &bytes).unwrap()));
    let mut seen = |turn: f64, camera: &str| {
        let model = square(DMat4::from_rotation_y(turn), Material { double_sided: true, ..matte() });
        let look = Look { quality: Quality::Draft, ..Look::default() };
        let scenes = [right.clone(), Some(even([0; 4]))].map(|environment| Scene {
            look,
            environment,
            ..from(camera, [17, 17])
        });
        let images = studio.draw_all(&model, &scenes);
        light(&images[0])[1] - light(&images[1])[1]
    };
    // Facing +x, seen from there, and facing −x.
    let (towards, away) = (seen(FRAC_PI_2, "right"), seen(-FRAC_PI_2, "left"));
    assert!(towards > 0.1 && away < 0.02, "{towards} {away}");
    studio.close();
}
