//! Tests splits, wipes, onion skins and material overrides: each pane against the same mode alone, outlines by colour
//! and time, overrides against a model with those factors. Stored pictures play no part.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::studio;

use std::sync::Arc;

use sinew::camera::{Orbit, Viewpoint};
use sinew::image::Image;
use sinew::model::{Clip, Model};
use sinew::overlay::Onion;
use sinew::render::GpuModel;
use sinew::scene::{Arrangement, Change, Files, Processor, Retouch, Scene, Wipe};
use sinew::skinning::SkinningMode::{self, DualQuat, Linear, Rigid};
use sinew::skinning::pose::PoseChoice;
use sinew::view::{Against, Difference, View};
use sinew::vulkan::VulkanError;
use studio::{Studio, from, pixel};

/// Rows at the top that the names cover, at the size of these pictures.
const BELOW: u32 = 24;

/// Bent by the clip, so every mode looks different.
fn bent(size: [u32; 2]) -> (Arc<Model>, Scene) {
    let scene = Scene { pose: PoseChoice::clip(0, 0.8), ..from("front", size) };
    (common::builtin("bend"), scene)
}

/// Counts the pixels that differ between an area of one picture and the area of another that begins at `at`.
fn differing(whole: &Image, corner: [u32; 2], size: [u32; 2], alone: &Image, at: [u32; 2]) -> usize {
    let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| [x, y]));
    let differs =
        |[x, y]: &[u32; 2]| pixel(whole, corner[0] + x, corner[1] + y) != pixel(alone, at[0] + x, at[1] + y);
    pixels.filter(differs).count()
}

#[test]
fn panels_are_what_each_mode_shows_alone() {
    let mut studio = Studio::open();
    // Sizes that do not divide evenly: panes are cut, not squeezed.
    for (size, others, columns, skin) in [
        ([301, 200], vec![DualQuat], 2, Processor::Auto),
        ([400, 150], vec![Rigid, DualQuat], 3, Processor::Compute),
        ([301, 301], vec![Rigid, DualQuat, Linear], 2, Processor::Compute),
        ([801, 201], vec![Rigid, DualQuat, Linear], 4, Processor::Auto),
    ] {
        let (model, scene) = bent(size);
        let split = Scene { arrangement: Arrangement::Split(others.clone()), skin, ..scene.clone() };
        let part = split.pane_size();
        let modes: Vec<SkinningMode> = [scene.mode].into_iter().chain(others).collect();
        let alone = |mode: &SkinningMode| Scene { mode: *mode, size: part, ..scene.clone() };
        let mut scenes: Vec<Scene> = modes.iter().map(alone).collect();
        scenes.push(split);
        let mut images = studio.draw_all(&model, &scenes);
        let whole = images.pop().unwrap();
        assert_eq!([whole.width, whole.height], size);
        for (number, image) in (0_u32..).zip(&images) {
            let corner = [number % columns * part[0], number / columns * part[1]];
            // Leave out the line on the left and the name at the top.
            let inner = [part[0].min(size[0] - corner[0]) - 4, part[1].min(size[1] - corner[1]) - BELOW];
            let place = [corner[0] + 4, corner[1] + BELOW];
            let differ = differing(&whole, place, inner, image, [4, BELOW]);
            assert_eq!(differ, 0, "panel {number} of {size:?}");
            // The comparison is sensitive: it tells another mode apart.
            let other = &images[(number as usize + 1) % images.len()];
            let is_same_mode = modes[number as usize] == modes[(number as usize + 1) % modes.len()];
            assert_eq!(differing(&whole, place, inner, other, [4, BELOW]) == 0, is_same_mode, "{number}");
        }
    }
    studio.close();
}

#[test]
fn either_side_of_a_line_is_one_picture() {
    let mut studio = Studio::open();
    let (model, scene) = bent([300, 200]);
    let wipe = Arrangement::Wipe(Wipe { mode: DualQuat, at: 0.4 });
    let scenes = [
        scene.clone(),
        Scene { mode: DualQuat, ..scene.clone() },
        Scene { arrangement: wipe, ..scene.clone() },
        Scene { arrangement: Arrangement::Wipe(Wipe { mode: DualQuat, at: 0.0 }), ..scene },
    ];
    let [left, right, whole, all] = studio.draw_all(&model, &scenes).try_into().unwrap();
    let rows = 200 - BELOW;
    assert_eq!(differing(&whole, [0, BELOW], [117, rows], &left, [0, BELOW]), 0);
    assert_eq!(differing(&whole, [123, BELOW], [177, rows], &right, [123, BELOW]), 0);
    assert!(differing(&whole, [0, BELOW], [117, rows], &right, [0, BELOW]) > 50);
    assert_eq!(differing(&all, [4, BELOW], [296, rows], &right, [4, BELOW]), 0);
    // The line has a light middle and a dark rim.
    assert!(pixel(&whole, 120, 100)[0] > 200 && pixel(&whole, 118, 100)[0] < 120);
    studio.close();
}

#[test]
fn what_is_put_together_goes_across_tiles() {
    let mut studio = Studio::open();
    let (model, scene) = bent([200, 150]);
    let mut gpu = studio.renderer.upload(model).unwrap();
    for arrangement in
        [Arrangement::Split(vec![Rigid, DualQuat]), Arrangement::Wipe(Wipe { mode: DualQuat, at: 0.37 })]
    {
        let scene = Scene { arrangement, ..scene.clone() };
        studio.renderer.draw(&mut gpu, &scene).unwrap();
        let whole = studio.renderer.read().unwrap();
        let mut rgba = Vec::new();
        let keep = |rows: &[u8]| {
            rgba.extend_from_slice(rows);
            Ok::<(), VulkanError>(())
        };
        studio.renderer.draw_rows(&mut gpu, &scene, [64, 48], keep).unwrap();
        let far = rgba.chunks(4).zip(whole.rgba.chunks(4));
        let far = far.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 8)).count();
        assert!(rgba.len() == whole.rgba.len() && far <= 60, "{far} of {} pixels", whole.rgba.len() / 4);
    }
    drop(gpu);
    studio.close();
}

/// Outlines before are blue, outlines after are orange, and at the ends of the clip one colour is missing.
#[test]
fn onions_have_their_colours_and_their_times() {
    let mut studio = Studio::open();
    let model = common::builtin("bend");
    let onion = Some(Onion { count: 2, step_secs: 0.2 });
    let at = |time, onion| Scene { pose: PoseChoice::clip(0, time), onion, ..from("front", [240, 240]) };
    let bind = Scene { pose: PoseChoice::Bind, onion, ..from("front", [240, 240]) };
    let scenes = [at(0.5, None), at(0.5, onion), at(0.0, onion), at(2.0, onion), bind];
    let [none, both, first, last, bind] = studio.draw_all(&model, &scenes).try_into().unwrap();
    let count = |image: &Image| {
        let is = |test: fn(&[u8]) -> bool| image.rgba.chunks(4).filter(|rgba| test(rgba)).count();
        [is(|rgba| rgba[2] > rgba[0].saturating_add(70)), is(|rgba| rgba[0] > rgba[2].saturating_add(110))]
    };
    let [own_blue, own_orange] = count(&none);
    let [blue, orange] = count(&both);
    assert!(blue > own_blue + 100 && orange > own_orange + 100, "{:?} {:?}", count(&none), count(&both));
    assert!(count(&first)[0] <= own_blue + 20 && count(&first)[1] > own_orange + 100, "{:?}", count(&first));
    assert!(count(&last)[0] > own_blue + 100 && count(&last)[1] <= own_orange + 20, "{:?}", count(&last));
    let unchanged = studio.draw(&model, &Scene { pose: PoseChoice::Bind, ..from("front", [240, 240]) });
    assert!(bind.rgba == unchanged.rgba, "what does not move has no other times");
    studio.close();
}

/// A material override looks like the same factors in the file, and leaves the frames before and after it alone.
#[test]
fn materials_are_retouched() {
    let mut studio = Studio::open();
    let (model, scene) = bent([120, 120]);
    let factors: sinew::scene::Factors = "color=#20c040,roughness=0.2,metallic=0.75".parse().unwrap();
    let retouched = Scene { materials: vec![Retouch { material: 0, factors }], ..scene.clone() };
    let mut gpu = studio.renderer.upload(Arc::clone(&model)).unwrap();
    let mut draw = |scene: &Scene| {
        studio.renderer.draw(&mut gpu, scene).unwrap();
        studio.renderer.read().unwrap()
    };
    let [before, changed, after] = [&scene, &retouched, &scene].map(&mut draw);
    drop(gpu);
    let mut other = Model::clone(&model);
    let linear =
        [0x20, 0xc0, 0x40].map(|byte: u8| sinew::model::srgb::to_linear(f64::from(byte) / 255.0) as f32);
    other.materials[0].base_color[..3].copy_from_slice(&linear);
    (other.materials[0].roughness, other.materials[0].metallic) = (0.2, 0.75);
    let expected = studio.draw(&other, &scene);
    assert!(changed.rgba == expected.rgba && before.rgba == after.rgba && changed.rgba != before.rgba);
    studio.close();
}

/// A pane of a storyboard is what its flags draw alone, through a camera that shows all panes; what it does not change is the
/// scene's.
#[test]
fn panes_of_a_storyboard_are_what_their_flags_draw() {
    let mut studio = Studio::open();
    let (model, scene) = bent([400, 400]);
    let changes = vec![
        Change { pose: Some(PoseChoice::Bind), ..Change::default() },
        Change { mode: Some(DualQuat), view: Some(View::Normals), ..Change::default() },
        Change { view: Some(View::Difference(Rigid.into())), legend: Some(false), ..Change::default() },
        Change::default(),
    ];
    let board = Scene { arrangement: Arrangement::Storyboard(changes), ..scene.clone() };
    let size = board.pane_size();
    assert_eq!(size, [200, 200]);
    let mut gpu = studio.renderer.upload(Arc::clone(&model)).unwrap();
    let bind = Scene { pose: PoseChoice::Bind, ..scene.clone() };
    let mut points = gpu.hull_of(&bind).to_vec();
    points.extend_from_slice(gpu.hull_of(&scene));
    drop(gpu);
    let Viewpoint::Orbit(orbit) = scene.camera else { panic!("an orbit") };
    let scene = Scene { size, camera: orbit.settled(&points, size).into(), ..scene };
    let scenes = vec![
        Scene { pose: PoseChoice::Bind, ..scene.clone() },
        Scene { mode: DualQuat, view: View::Normals, ..scene.clone() },
        Scene { view: View::Difference(Rigid.into()), legend: false, ..scene.clone() },
        scene,
        board,
    ];
    let mut images = studio.draw_all(&model, &scenes);
    let whole = images.pop().unwrap();
    for (number, image) in (0_u32..).zip(&images) {
        let corner = [number % 2 * 200 + 4, number / 2 * 200 + BELOW];
        let inner = [200 - 4, 200 - BELOW];
        assert_eq!(differing(&whole, corner, inner, image, [4, BELOW]), 0, "pane {number}");
        let other = &images[(number as usize + 1) % images.len()];
        assert_ne!(differing(&whole, corner, inner, other, [4, BELOW]), 0, "pane {number}");
    }
    studio.close();
}

/// Empty cells of the last row show the background, and panes are as they are alone.
#[test]
fn cells_without_a_pane_show_the_background() {
    let mut studio = Studio::open();
    let (model, scene) = bent([302, 200]);
    let change = |time| Change { pose: Some(PoseChoice::clip(0, time)), ..Change::default() };
    let changes: Vec<Change> = [0.0, 0.2, 0.4, 0.6, 0.8].map(change).to_vec();
    let board = Scene { arrangement: Arrangement::Storyboard(changes), ..scene.clone() };
    let size = board.pane_size();
    assert_eq!(size, [101, 100]);
    let mut scenes: Vec<Scene> = board.panes().into_iter().map(|pane| pane.scene).collect();
    scenes.push(board.clone());
    let mut images = studio.draw_all(&model, &scenes);
    let whole = images.pop().unwrap();
    let bare = (202..302).flat_map(|x| (100..200).map(move |y| [x, y]));
    let wrong = bare.filter(|[x, y]| pixel(&whole, *x, *y) != studio.background).count();
    assert_eq!(wrong, 0, "pixels of the empty cell");
    for (number, image) in (0_u32..).zip(&images) {
        let corner = [number % 3 * 101 + 4, number / 3 * 100 + BELOW];
        let inner = [101 - 5, 100 - BELOW];
        assert_eq!(differing(&whole, corner, inner, image, [4, BELOW]), 0, "pane {number}");
    }
    // The same in tiles, which the empty cell is cut by.
    let mut gpu = studio.renderer.upload(model).unwrap();
    let mut rgba = Vec::new();
    let keep = |rows: &[u8]| {
        rgba.extend_from_slice(rows);
        Ok::<(), VulkanError>(())
    };
    studio.renderer.draw_rows(&mut gpu, &board, [64, 48], keep).unwrap();
    drop(gpu);
    let tiled = Image { rgba, ..whole };
    let bare = (202..302).flat_map(|x| (100..200).map(move |y| [x, y]));
    assert_eq!(bare.filter(|[x, y]| pixel(&tiled, *x, *y) != studio.background).count(), 0, "in tiles");
    studio.close();
}

/// Both panes have one camera, and each file is what it is alone; the clip is found by its name.
#[test]
fn two_files_stand_in_one_picture() {
    let mut studio = Studio::open();
    let (model, scene) = bent([400, 200]);
    let mut other = Model::clone(&model);
    other.clips.insert(0, Clip { name: "nothing".to_owned(), ..Clip::default() });
    for position in &mut other.meshes[0].primitives[0].positions {
        position[0] *= 1.5;
    }
    let mut scene = scene;
    scene.files.other = Some("other.glb".to_owned());
    // The numbers below are colours without the soft light.
    scene.look.flat = true;
    let shown = Change { other: true, ..Change::default() };
    let view = Some(View::Difference(Difference { against: Against::Other, top_m: Some(0.2) }));
    let apart = Change { view, legend: Some(false), ..Change::default() };
    let board = Scene {
        arrangement: Arrangement::Storyboard(vec![Change::default(), shown.clone(), apart]),
        size: [600, 200],
        ..scene.clone()
    };
    let wipe = Scene { arrangement: Arrangement::WipeOther(0.25), ..scene.clone() };
    let mut gpu = studio.renderer.upload(Arc::clone(&model)).unwrap();
    // One that has to be seen through the first one's camera.
    let camera =
        |gpu: &mut GpuModel, size| Viewpoint::from(Orbit::default().settled(gpu.hull_of(&scene), size));
    let (small, large) = (camera(&mut gpu, [200, 200]), camera(&mut gpu, [400, 200]));
    let files = Files { other: None, ..scene.files.clone() };
    let first = Scene { files, camera: small.clone(), size: [200, 200], ..scene.clone() };
    let second = Scene { pose: PoseChoice::clip(1, 0.8), ..first.clone() };
    let wide = Scene { camera: large.clone(), size: [400, 200], ..second.clone() };
    gpu.set_other(studio.renderer.upload(Arc::new(other.clone())).unwrap());
    let mut draw = |camera, scene: &Scene| {
        studio.renderer.draw(&mut gpu, &Scene { camera, ..scene.clone() }).unwrap();
        studio.renderer.read().unwrap()
    };
    let (board, wiped) = (draw(small, &board), draw(large, &wipe));
    drop(gpu);
    let alone = [studio.draw(&model, &first), studio.draw(&other, &second), studio.draw(&other, &wide)];
    let inner = [200 - 4, 200 - BELOW];
    for (number, image) in (0_u32..).zip(&alone[..2]) {
        let corner = [number * 200 + 4, BELOW];
        assert_eq!(differing(&board, corner, inner, image, [4, BELOW]), 0, "pane {number}");
        assert_ne!(
            differing(&board, corner, inner, &alone[1 - number as usize], [4, BELOW]),
            0,
            "pane {number}"
        );
    }
    assert_eq!(differing(&wiped, [104, BELOW], [290, inner[1]], &alone[2], [104, BELOW]), 0);
    // What is 0.1 m from the axis is 0.05 m from the other file, a quarter of the scale; the axis is at 0, which is black.
    // Pixels at the outline are mixed with the background.
    let row = (2..200).map(|x| pixel(&board, 400 + x, 130)).filter(|color| *color != studio.background);
    let lights: Vec<u8> = row.map(|[r, g, b, _]| r.max(g).max(b)).collect();
    let inside = &lights[1..lights.len() - 1];
    let [darkest, lightest] = [inside.iter().min(), inside.iter().max()].map(Option::unwrap);
    assert!(*darkest < 40 && (60..200).contains(lightest), "{lights:?}");
    studio.close();
}
