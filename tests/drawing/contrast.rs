//! Tests that figures of every albedo stand out from the background along their outline: lit surfaces from the default
//! one, what has no light and so a rim from any. Stored pictures play no part.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::f32::consts::{PI, TAU};

use glam::DMat4;
use sinew::image::Image;
use sinew::look::{Background, Look, Quality, Samples};
use sinew::model::{Model, Topology, srgb};
use sinew::scene::Scene;

use crate::studio::{Studio, from, matte, pixel, square, unlit};

/// The contrast that counts, and the share of a lit outline that must have it: light changes along it.
const CONTRAST: f64 = 1.3;
const SHARE: f64 = 0.5;

/// The share of an outline with a rim: the end of a line may have a neighbour beyond it.
const RIMMED_SHARE: f64 = 0.99;

/// Width and height of a picture.
const SIDE: u32 = 160;

/// Points on a ball, in rings from pole to pole.
fn ball(rings: u32, around: u32) -> Vec<[f32; 3]> {
    let ring = |ring: u32| {
        let (height, out) =
            ((PI * ring as f32 / rings as f32).cos(), (PI * ring as f32 / rings as f32).sin());
        (0..=around).map(move |step| {
            let (sin, cos) = (TAU * step as f32 / around as f32).sin_cos();
            [out * cos, height, out * sin]
        })
    };
    (0..=rings).flat_map(ring).collect()
}

/// A ball of triangles.
fn sphere() -> Model {
    let mut model = square(DMat4::IDENTITY, matte());
    let (rings, around) = (24, 48);
    let quad = |number: u32| {
        let (a, b) = (number / around * (around + 1) + number % around, around + 1);
        [a, a + 1, a + b, a + b, a + 1, a + b + 1]
    };
    let primitive = &mut model.meshes[0].primitives[0];
    primitive.positions = ball(rings, around);
    primitive.normals = Some(primitive.positions.clone());
    primitive.indices = (0..rings * around).flat_map(quad).collect();
    primitive.texcoords = Vec::new();
    model
}

/// A box, whose few faces have one colour each.
fn cube() -> Model {
    let mut model = square(DMat4::IDENTITY, matte());
    let corner = |number: u32| [0, 1, 2].map(|axis| if number >> axis & 1 == 1 { 0.5 } else { -0.5 });
    let primitive = &mut model.meshes[0].primitives[0];
    primitive.positions = (0..8).map(corner).collect();
    (primitive.normals, primitive.texcoords) = (None, Vec::new());
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    primitive.indices = faces.into_iter().flat_map(|[a, b, c, d]| [a, b, c, a, c, d]).collect();
    model
}

/// Points, or lines around, without light.
fn sparse(topology: Topology) -> Model {
    let mut model = square(DMat4::IDENTITY, unlit([1.0; 4]));
    let (rings, around) = (6, 10);
    let primitive = &mut model.meshes[0].primitives[0];
    primitive.positions = ball(rings, around);
    (primitive.normals, primitive.texcoords) = (None, Vec::new());
    primitive.indices = match topology {
        Topology::Points => (0..primitive.positions.len() as u32).collect(),
        _ => (0..rings * (around + 1)).flat_map(|number| [number, number + around + 1]).collect(),
    };
    primitive.topology = topology;
    model
}

/// Relative luminance of a pixel (WCAG 2.1).
fn luminance([r, g, b, _]: [u8; 4]) -> f64 {
    let [r, g, b] = [r, g, b].map(|byte| srgb::to_linear(f64::from(byte) / 255.0));
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// Contrasts between pixels at the outline of what is opaque in `mask`, and their neighbours that are not.
fn contrasts(image: &Image, mask: &Image) -> Vec<f64> {
    let is_figure = |x: u32, y: u32| pixel(mask, x, y)[3] == 255;
    let inner = (1..SIDE - 1).flat_map(|y| (1..SIDE - 1).map(move |x| (x, y)));
    let mut found = Vec::new();
    for (x, y) in inner.filter(|(x, y)| is_figure(*x, *y)) {
        let beside = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
        for (to_x, to_y) in beside.into_iter().filter(|(x, y)| !is_figure(*x, *y)) {
            let [a, b] = [luminance(pixel(image, x, y)), luminance(pixel(image, to_x, to_y))];
            found.push((a.max(b) + 0.05) / (a.min(b) + 0.05));
        }
    }
    found
}

/// The share of the outline that stands out in a look, and the albedo, where it is least.
fn least_share(studio: &mut Studio, model: &Model, camera: &str, look: Look) -> (f64, f32) {
    let look = Look { samples: Some(Samples::One), ..look };
    let scene = |background| Scene { look: Look { background, ..look }, ..from(camera, [SIDE; 2]) };
    let shares = (0_u8..=10).map(|tenth| {
        let albedo = f32::from(tenth) / 10.0;
        let mut model = model.clone();
        model.materials[0].base_color = [albedo, albedo, albedo, 1.0];
        let scenes = [scene(look.background), scene(Background::Transparent)];
        let [image, mask] = studio.draw_all(&model, &scenes).try_into().unwrap();
        let all = contrasts(&image, &mask);
        assert!(all.len() > 100, "an outline of {} pixels", all.len());
        let clear = all.iter().filter(|contrast| **contrast >= CONTRAST).count();
        (clear as f64 / all.len() as f64, albedo)
    });
    shares.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

#[test]
fn every_lit_albedo_stands_out_from_the_default_background() {
    let mut studio = Studio::open();
    for (name, model) in [("a sphere", sphere()), ("a box", cube())] {
        for (camera, quality) in ["auto", "front", "20,50"].into_iter().flat_map(in_all_qualities) {
            let look = Look { quality, ..Look::default() };
            let (share, albedo) = least_share(&mut studio, &model, camera, look);
            let of = format!("{name} of albedo {albedo} from {camera}, {}", quality.name());
            assert!(share >= SHARE, "{of}: {share:.2} of the outline");
        }
    }
    studio.close();
}

/// A camera with each quality.
fn in_all_qualities(camera: &str) -> impl Iterator<Item = (&str, Quality)> {
    Quality::ALL.into_iter().map(move |quality| (camera, quality))
}

#[test]
fn every_albedo_without_light_stands_out_from_any_background() {
    let mut studio = Studio::open();
    let mut unlit_sphere = sphere();
    unlit_sphere.materials[0].unlit = true;
    let figures = [
        ("an unlit sphere", unlit_sphere),
        ("points", sparse(Topology::Points)),
        ("lines", sparse(Topology::Lines)),
    ];
    // Greys of albedos that are drawn, besides the studio.
    let backgrounds = [Background::default(), Background::PAPER, Background::Color([124; 3])];
    for (name, model) in &figures {
        for (background, quality) in backgrounds
            .iter()
            .flat_map(|background| Quality::ALL.into_iter().map(move |quality| (*background, quality)))
        {
            let look = Look { background, quality, ..Look::default() };
            let (share, albedo) = least_share(&mut studio, model, "auto", look);
            let of = format!("{name} of albedo {albedo} on {background}, {}", quality.name());
            assert!(share >= RIMMED_SHARE, "{of}: {share:.3} of the outline");
        }
    }
    studio.close();
}

/// Shadows on the ground can be told from the ground without them.
#[test]
fn shadows_can_be_seen_on_the_default_background() {
    let mut studio = Studio::open();
    let draw =
        |studio: &mut Studio, look: Look| studio.draw(&cube(), &Scene { look, ..from("auto", [SIDE; 2]) });
    let with = draw(&mut studio, Look::default());
    let clear = draw(&mut studio, Look { background: Background::Transparent, ..Look::default() });
    let bands = Background::default().bands(SIDE);
    let rows = bands.iter().flat_map(|(rows, color)| (0..*rows).map(move |_| color.linear()));
    let rows: Vec<f64> = rows.map(|[r, g, b, _]| f64::from(0.2126 * r + 0.7152 * g + 0.0722 * b)).collect();
    // Full shadow of the key light, beside the figure.
    let shaded = (0..SIDE * SIDE).map(|at| (at % SIDE, at / SIDE));
    let shaded = shaded.filter(|(x, y)| (70..100).contains(&pixel(&clear, *x, *y)[3]));
    let contrasts: Vec<f64> =
        shaded.map(|(x, y)| (rows[y as usize] + 0.05) / (luminance(pixel(&with, x, y)) + 0.05)).collect();
    let least = contrasts.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(contrasts.len() > 200 && least > 1.2, "{} pixels, {least}", contrasts.len());
    studio.close();
}
