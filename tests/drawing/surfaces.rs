//! Tests that hold for textures in any picture: placement, filtering, wrapping and encoding. Stored pictures play no
//! part.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::studio;

use std::f32::consts::FRAC_PI_2;

use glam::DMat4;
use sinew::image::Image;
use sinew::model::{
    AlphaMode, Filter, Material, Model, Picture, Sampling, TextureRef, TextureTransform, Topology, Wrap,
};
use studio::{Studio, from, matte, pixel, square, unlit};

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255; 4];
const BLACK: [u8; 4] = [0, 0, 0, 255];

/// No filtering at all.
const SHARP: Sampling = Sampling {
    wrap_s: Wrap::Repeat,
    wrap_t: Wrap::Repeat,
    mag: Filter::Nearest,
    min: Filter::Nearest,
    mip: None,
};

fn picture(width: u32, texels: &[[u8; 4]]) -> Picture {
    Picture { width, height: texels.len() as u32 / width, rgba: texels.as_flattened().to_vec() }
}

/// An unlit square with an image on it.
fn shown(picture: Picture, texture: TextureRef) -> Model {
    let mut model = square(DMat4::IDENTITY, unlit([1.0; 4]));
    model.materials[0].base_color_texture = Some(texture);
    model.pictures = vec![Some(picture)];
    model
}

/// Gives the square other texture coordinates: those of its left, top, right and bottom edges.
fn laid(mut model: Model, [left, top, right, bottom]: [f32; 4]) -> Model {
    model.meshes[0].primitives[0].texcoords[0] =
        vec![[left, bottom], [right, bottom], [right, top], [left, top]];
    model
}

/// The square's left edge and width in pixels, within half a pixel, from the middle row.
fn extent(studio: &Studio, image: &Image) -> (f64, f64) {
    let row = image.height / 2;
    let covered: Vec<bool> = (0..image.width).map(|x| pixel(image, x, row) != studio.background).collect();
    let first = covered.iter().position(|covered| *covered).unwrap() as f64;
    let count = covered.iter().filter(|covered| **covered).count() as f64;
    // The square is centred; its edges lie somewhere within the outermost pixels.
    assert!((first * 2.0 + count - f64::from(image.width)).abs() < 0.5, "not in the middle");
    (first + 0.5, count - 1.0)
}

/// An image of two pixels, repeated three times to each side: every kind of wrapping.
#[test]
fn pictures_go_on_beyond_their_edges_as_the_sampler_says() {
    let mut studio = Studio::open();
    let texel_of = |wrap: Wrap, texel: i64| match wrap {
        Wrap::Repeat => texel.rem_euclid(2),
        Wrap::Mirror => [0, 1, 1, 0][texel.rem_euclid(4) as usize],
        Wrap::Clamp => texel.clamp(0, 1),
    };
    for wrap in [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp] {
        for vertical in [false, true] {
            let mut sampling = SHARP;
            let (width, edges) = match vertical {
                false => (2, [-3.0, 0.0, 4.0, 1.0]),
                true => (1, [0.0, -3.0, 1.0, 4.0]),
            };
            *(if vertical { &mut sampling.wrap_t } else { &mut sampling.wrap_s }) = wrap;
            // The other axis must not matter.
            *(if vertical { &mut sampling.wrap_s } else { &mut sampling.wrap_t }) = Wrap::Clamp;
            let texture = TextureRef { sampling, ..TextureRef::default() };
            let model = laid(shown(picture(width, &[RED, BLUE]), texture), edges);
            let image = studio.draw(&model, &from("front", [120, 120]));
            let (first, length) = extent(&studio, &image);
            let mut seen = 0;
            for at in 0..120u32 {
                // In texels; within a pixel and a half of a boundary either colour is right.
                let place = (f64::from(at) + 0.5 - first) / length * 14.0 - 6.0;
                let margin = 1.5 / length * 14.0;
                let inside = place > -6.0 + margin && place < 8.0 - margin;
                if !inside || (place - place.round()).abs() < margin {
                    continue;
                }
                let (x, y) = if vertical { (60, at) } else { (at, 60) };
                let expected = [RED, BLUE][texel_of(wrap, place.floor() as i64) as usize];
                assert_eq!(pixel(&image, x, y), expected, "{wrap:?} at {x}, {y}: texel {place:.2}");
                seen += 1;
            }
            assert!(seen > 30, "{wrap:?}: only {seen} pixels were looked at");
        }
    }
    studio.close();
}

fn light(level: u8) -> f64 {
    let level = f64::from(level) / 255.0;
    if level <= 0.04045 { level / 12.92 } else { ((level + 0.055) / 1.055).powf(2.4) }
}

/// Between a black and a white pixel: a step with one filter, a linear ramp with the other.
#[test]
fn filters_are_the_samplers() {
    let mut studio = Studio::open();
    for filter in [Filter::Nearest, Filter::Linear] {
        let clamp = Wrap::Clamp;
        let sampling =
            Sampling { wrap_s: clamp, wrap_t: clamp, mag: filter, min: Filter::Nearest, mip: None };
        let texture = TextureRef { sampling, ..TextureRef::default() };
        let image = studio.draw(&shown(picture(2, &[BLACK, WHITE]), texture), &from("front", [100, 100]));
        let (first, length) = extent(&studio, &image);
        let mut levels = Vec::new();
        for x in 0..100u32 {
            let u = (f64::from(x) + 0.5 - first) / length;
            if !(0.03..0.97).contains(&u) {
                continue;
            }
            let [level, ..] = pixel(&image, x, 50);
            levels.push(level);
            if filter == Filter::Linear {
                // The ramp goes from one texel's centre to the other's; half a screen pixel changes it by about a
                // hundredth.
                let expected = (u * 2.0 - 0.5).clamp(0.0, 1.0);
                assert!((light(level) - expected).abs() < 0.025, "{u:.2}: {} of {expected:.2}", light(level));
            }
        }
        assert!(levels.is_sorted(), "{filter:?}: {levels:?}");
        levels.dedup();
        match filter {
            Filter::Nearest => assert_eq!(levels, [0, 255]),
            Filter::Linear => assert!(levels.len() > 25, "only {} steps", levels.len()),
        }
    }
    studio.close();
}

/// The four quarters of the square, starting at the top left.
fn quarters(image: &Image) -> [[u8; 4]; 4] {
    let [near, far] = [image.width * 3 / 8, image.width * 5 / 8];
    [(near, near), (far, near), (near, far), (far, far)].map(|(x, y)| pixel(image, x, y))
}

#[test]
fn transforms_move_turn_and_scale_the_coordinates() {
    let mut studio = Studio::open();
    let four = picture(2, &[RED, GREEN, BLUE, WHITE]);
    let none = TextureTransform::default();
    let cases = [
        (none, [RED, GREEN, BLUE, WHITE]),
        // Half an image to the right in texture space is half an image to the left on the surface.
        (TextureTransform { offset: [0.5, 0.0], ..none }, [GREEN, RED, WHITE, BLUE]),
        (TextureTransform { offset: [0.0, 0.5], ..none }, [BLUE, WHITE, RED, GREEN]),
        // The coordinates turn counter-clockwise, so the image turns clockwise.
        (TextureTransform { rotation: FRAC_PI_2, ..none }, [BLUE, RED, WHITE, GREEN]),
        // Only the upper left quarter of the image shows.
        (TextureTransform { scale: [0.5, 0.5], ..none }, [RED; 4]),
        (TextureTransform { scale: [0.5, 1.0], offset: [0.5, 0.0], ..none }, [GREEN, GREEN, WHITE, WHITE]),
        // Scale, then rotation, then offset: u' = v, v' = -u/2 + 1/2.
        (
            TextureTransform { scale: [0.5, 1.0], rotation: FRAC_PI_2, offset: [0.0, 0.5] },
            [RED, RED, GREEN, GREEN],
        ),
    ];
    for (transform, expected) in cases {
        let texture = TextureRef { sampling: SHARP, transform, ..TextureRef::default() };
        let image = studio.draw(&shown(four.clone(), texture), &from("front", [64, 64]));
        assert_eq!(quarters(&image), expected, "{transform:?}");
    }
    studio.close();
}

#[test]
fn a_texture_lies_where_its_own_set_of_coordinates_says() {
    let mut studio = Studio::open();
    for (sets, texcoord, expected) in
        [(2, 0, [RED, GREEN, BLUE, WHITE]), (2, 1, [GREEN, RED, WHITE, BLUE]), (1, 1, [RED; 4])]
    {
        let texture = TextureRef { texcoord, sampling: SHARP, ..TextureRef::default() };
        let mut model = shown(picture(2, &[RED, GREEN, BLUE, WHITE]), texture);
        let first = model.meshes[0].primitives[0].texcoords[0].clone();
        let mirrored = first.iter().map(|[u, v]| [1.0 - u, *v]).collect();
        // Missing coordinates count as zero.
        model.meshes[0].primitives[0].texcoords = vec![first, mirrored];
        model.meshes[0].primitives[0].texcoords.truncate(sets);
        let image = studio.draw(&model, &from("front", [64, 64]));
        assert_eq!(quarters(&image), expected, "set {texcoord} of {sets}");
    }
    studio.close();
}

/// By default the screen shows exactly the values that an image stores.
#[test]
fn colours_of_pictures_are_srgb() {
    let mut studio = Studio::open();
    for level in [0, 1, 2, 10, 64, 127, 128, 188, 254, 255] {
        let texture = TextureRef::default();
        let image =
            studio.draw(&shown(picture(1, &[[level, level, level, 255]]), texture), &from("front", [16, 16]));
        assert_eq!(pixel(&image, 8, 8), [level, level, level, 255]);
    }
    // Half of the light is 187.5 in sRGB: the factor is linear, the image is not.
    let mut half = shown(picture(1, &[WHITE]), TextureRef::default());
    half.materials[0].base_color = [0.5, 0.5, 0.5, 1.0];
    let [level, ..] = pixel(&studio.draw(&half, &from("front", [16, 16])), 8, 8);
    assert!((187..=188).contains(&level), "{level}");
    studio.close();
}

/// A distant chequerboard of black and white gives half the light everywhere, which is 188 in sRGB.
#[test]
fn small_pictures_are_means_in_linear_light() {
    let mut studio = Studio::open();
    let texels: Vec<[u8; 4]> =
        (0..256 * 256).map(|at| if (at % 256 + at / 256) % 2 == 0 { BLACK } else { WHITE }).collect();
    let colours = |studio: &mut Studio, sampling: Sampling| {
        let model = shown(picture(256, &texels), TextureRef { sampling, ..TextureRef::default() });
        let image = studio.draw(&model, &from("front", [32, 32]));
        let mut colours: Vec<[u8; 4]> =
            (8..24).flat_map(|y| (8..24).map(move |x| (x, y))).map(|(x, y)| pixel(&image, x, y)).collect();
        colours.sort_unstable();
        colours.dedup();
        colours
    };
    for mip in [Filter::Nearest, Filter::Linear] {
        for min in [Filter::Nearest, Filter::Linear] {
            let found = colours(&mut studio, Sampling { min, mip: Some(mip), ..Sampling::default() });
            assert_eq!(found, [[188, 188, 188, 255]], "{min:?}, {mip:?}");
        }
    }
    // The sensitivity twin: without mip levels it shows some of the image's own pixels.
    let found = colours(&mut studio, SHARP);
    assert!(found.iter().all(|colour| [BLACK, WHITE].contains(colour)), "{found:?}");
    studio.close();
}

/// Points without normals are not lit, so they show exactly base colour and emission.
#[test]
fn emission_is_factor_times_strength_times_texture() {
    let mut studio = Studio::open();
    let mut drawn = |material: Material, pictures: Vec<Option<Picture>>| {
        let mut model = square(DMat4::IDENTITY, material);
        let primitive = &mut model.meshes[0].primitives[0];
        (primitive.topology, primitive.indices, primitive.normals) =
            (Topology::Points, vec![0, 1, 2, 3], None);
        model.pictures = pictures;
        let image = studio.draw(&model, &from("front", [33, 33]));
        let background = studio.background;
        let pixels: Vec<[u8; 4]> = image.rgba.chunks_exact(4).map(|p| p.try_into().unwrap()).collect();
        // The middle of a point is fully covered, its edge blends with the background.
        let of = |pixel: &[u8; 4]| pixels.iter().filter(|other| *other == pixel).count();
        let full = pixels.iter().filter(|pixel| **pixel != background).max_by_key(|pixel| of(pixel));
        *full.unwrap()
    };
    let glow = Material {
        base_color: [0.0, 0.0, 0.0, 1.0],
        emissive: [0.25, 0.5, 0.0],
        emissive_strength: 2.0,
        ..matte()
    };
    let [red, green, blue, _] = drawn(glow.clone(), Vec::new());
    assert!((187..=188).contains(&red) && green == 255 && blue == 0, "{red}, {green}, {blue}");

    let texture = Some(TextureRef::default());
    let half = || vec![Some(picture(1, &[[255, 188, 255, 255]]))];
    let textured = Material { emissive_texture: texture, ..glow.clone() };
    let [red, green, blue, _] = drawn(textured.clone(), half());
    assert!((187..=188).contains(&red) && green == 188 && blue == 0, "{red}, {green}, {blue}");

    let both = Material { base_color_texture: texture, base_color: [0.0, 0.0, 1.0, 1.0], ..textured.clone() };
    let [_, green, blue, _] = drawn(both, half());
    assert_eq!((green, blue), (188, 255), "the base colour is added");

    let [red, green, ..] = drawn(Material { unlit: true, ..textured }, half());
    assert_eq!((red, green), (0, 0), "unlit materials do not glow");
    studio.close();
}

/// A lit surface also shows its emission.
#[test]
fn lit_surfaces_glow() {
    let mut studio = Studio::open();
    let scene = from("front", [16, 16]);
    let dull = studio.draw(&square(DMat4::IDENTITY, matte()), &scene);
    let red = Material { base_color: [0.2, 0.2, 0.2, 1.0], ..matte() };
    let plain = pixel(&studio.draw(&square(DMat4::IDENTITY, red.clone()), &scene), 8, 8);
    let glowing = Material { emissive: [0.3, 0.0, 0.0], ..red };
    let [r, g, b, _] = pixel(&studio.draw(&square(DMat4::IDENTITY, glowing), &scene), 8, 8);
    assert!(
        r > plain[0] + 20 && g.abs_diff(plain[1]) < 8 && b.abs_diff(plain[2]) < 8,
        "{plain:?} to {r} {g} {b}"
    );
    assert_ne!(pixel(&dull, 8, 8), plain);
    studio.close();
}

#[test]
fn the_alpha_of_a_picture_cuts_and_mixes() {
    let mut studio = Studio::open();
    let texels = [[255, 0, 0, 255], [255, 0, 0, 100]];
    let texture = TextureRef { sampling: SHARP, ..TextureRef::default() };
    let background = studio.background;
    for (alpha, expected) in [
        (AlphaMode::Opaque, Some(RED)),
        (AlphaMode::Mask(100.0 / 255.0 - 0.01), Some(RED)),
        (AlphaMode::Mask(100.0 / 255.0 + 0.01), Some(background)),
        (AlphaMode::Blend, None),
    ] {
        let mut model = shown(picture(2, &texels), texture);
        model.materials[0].alpha = alpha;
        let image = studio.draw(&model, &from("front", [64, 64]));
        let [left, right, ..] = quarters(&image);
        assert_eq!(left, RED, "{alpha:?}");
        match expected {
            Some(expected) => assert_eq!(right, expected, "{alpha:?}"),
            None => {
                assert!(right[0] > background[0] && right[1] < background[1] && right[1] > 0, "{right:?}")
            }
        }
    }
    studio.close();
}

/// Drawing finishes whatever coordinates a file has.
#[test]
fn coordinates_far_away_are_survived() {
    let mut studio = Studio::open();
    for far in [1e6, 1e30, f32::MAX, -f32::MAX] {
        for wrap in [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp] {
            let sampling = Sampling { wrap_s: wrap, wrap_t: wrap, ..Sampling::default() };
            let transform = TextureTransform { offset: [1e6; 2], rotation: 1.0, scale: [1e6, -1e6] };
            let texture = TextureRef { sampling, transform, ..TextureRef::default() };
            let model = shown(picture(2, &[RED, GREEN, BLUE, WHITE]), texture);
            let image = studio.draw(&laid(model, [-far, far, far, 0.0]), &from("front", [16, 16]));
            assert!(studio.covered(&image).contains(&true), "{far} {wrap:?}");
        }
    }
    studio.close();
}
