//! Compares shading with glTF 2.0, appendix B, computed again in `f64` from the formulas, and lighting with the
//! studio's own definition. Stored pictures play no part.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::environment;
use crate::studio;

use std::f64::consts::PI;

use environment::Vector;
use glam::{DMat4, DQuat, DVec2, DVec3};
use sinew::image::Image;
use sinew::lighting::{KEY_IN_STUDIO, KEY_STRENGTH};
use sinew::look::{Background, Look, Quality, Samples};
use sinew::model::srgb;
use sinew::model::{
    AlphaMode, Clearcoat, Light, LightKind, LocalTransform, Material, Model, NormalMap, Occlusion, Picture,
    Specular, TextureRef,
};
use sinew::scene::Scene;
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::skin_model;
use studio::{Studio, from, matte, pixel, square, unlit};

/// A surface's parameters in the formulas.
#[derive(Clone, Copy)]
struct Surface {
    base: DVec3,
    metallic: f64,
    roughness: f64,
    /// Reflectance of a dielectric, face-on and edge-on.
    f0: DVec3,
    f90: f64,
}

impl Surface {
    fn of(material: &Material) -> Self {
        let [r, g, b, _] = material.base_color.map(f64::from);
        Self {
            base: DVec3::new(r, g, b),
            metallic: material.metallic.into(),
            roughness: f64::from(material.roughness).max(0.05),
            f0: DVec3::splat(0.04),
            f90: 1.0,
        }
    }

    /// Appendix B: the light from `l` that goes to `v`, including the cosine.
    fn answer(&self, n: DVec3, v: DVec3, l: DVec3) -> DVec3 {
        let (n_l, n_v, h) = (n.dot(l), n.dot(v).abs(), (l + v).normalize());
        if n_l <= 0.0 {
            return DVec3::ZERO;
        }
        let a2 = self.roughness.powi(4);
        let d = a2 / (PI * (n.dot(h).powi(2) * (a2 - 1.0) + 1.0).powi(2));
        let masked = |cosine: f64| 1.0 / (cosine + (a2 + (1.0 - a2) * cosine * cosine).sqrt());
        let mirrored = d * masked(n_l) * masked(n_v);
        let schlick = (1.0 - v.dot(h)).powi(5);
        let dielectric = {
            let fresnel = self.f0 + (DVec3::splat(self.f90) - self.f0) * schlick;
            self.base / PI * (DVec3::ONE - fresnel) + fresnel * mirrored
        };
        let metal = (self.base + (DVec3::ONE - self.base) * schlick) * mirrored;
        dielectric.lerp(metal, self.metallic) * n_l
    }

    /// Ambient light, with the shader's fit of the split sum; the studio is integrated again.
    fn ambient(&self, n: DVec3, v: DVec3) -> DVec3 {
        let n_v = n.dot(v).abs();
        let r = self.roughness;
        let (rx, ry, rz, rw) = (1.0 - r, 0.0425 - 0.0275 * r, 1.04 - 0.572 * r, 0.022 * r - 0.04);
        let a = (rx * rx).min((-9.28 * n_v).exp2()) * rx + ry;
        let (scale, bias) = (-1.04 * a + rz, 1.04 * a + rw);
        let mirrored = |f0: DVec3, f90: f64| {
            let once = (f0 * scale + f90 * bias).clamp(DVec3::ZERO, DVec3::ONE);
            once * (1.0 + f0 * (1.0 / (scale + bias) - 1.0))
        };
        let reflected = n * (2.0 * n.dot(v)) - v;
        let image = environment::mirrored(environment::studio, vector(reflected), r);
        let f0 = self.f0.lerp(self.base, self.metallic);
        let on_top = mirrored(f0, self.f90 * (1.0 - self.metallic) + self.metallic) * image;
        let scattered = self.base * (DVec3::ONE - mirrored(self.f0, self.f90)) * on_matt(n);
        scattered * (1.0 - self.metallic) + on_top
    }
}

fn vector(v: DVec3) -> Vector {
    Vector(v.x, v.y, v.z)
}

/// The studio's light on a matte surface, over π (`tests/drawing/studio_light.rs` compares it with the integral).
fn on_matt(n: DVec3) -> f64 {
    let numbers = environment::irradiance(environment::studio);
    numbers.iter().zip(environment::basis(vector(n))).map(|(number, basis)| number * basis).sum()
}

/// The Khronos PBR Neutral tone mapping, as published, and the sRGB curve.
fn shown(mut color: DVec3) -> [f64; 3] {
    let x = color.min_element();
    color -= if x < 0.08 { x - 6.25 * x * x } else { 0.04 };
    let peak = color.max_element();
    if peak >= 0.76 {
        let pressed = 1.0 - 0.24 * 0.24 / (peak + 0.24 - 0.76);
        color *= pressed / peak;
        let g = 1.0 - 1.0 / (0.15 * (peak - pressed) + 1.0);
        color = color.lerp(DVec3::splat(pressed), g);
    }
    color.to_array().map(|light| srgb::from_linear(light) * 255.0)
}

/// The direction back to a viewpoint, and from world space to the studio's.
struct View {
    camera: String,
    back: DVec3,
    studio_from_world: DMat4,
}

impl View {
    fn new(yaw: f64, pitch: f64) -> Self {
        let (y, p) = (yaw.to_radians(), pitch.to_radians());
        Self {
            camera: format!("{yaw},{pitch}"),
            back: DVec3::new(y.sin() * p.cos(), p.sin(), y.cos() * p.cos()),
            studio_from_world: DMat4::from_rotation_y(-y),
        }
    }

    fn in_studio(&self, direction: DVec3) -> DVec3 {
        self.studio_from_world.transform_vector3(direction)
    }
}

/// The middle of a picture matches the formulas, within the rounding of the studio's environment map.
fn assert_middle(image: &Image, wanted: DVec3, what: &str) {
    assert_pixel(image, [image.width / 2, image.height / 2], wanted, what);
}

fn assert_pixel(image: &Image, [x, y]: [u32; 2], wanted: DVec3, what: &str) {
    let found = pixel(image, x, y);
    let wanted = shown(wanted);
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((f64::from(*found) - wanted).abs() <= 3.0, "{what}: {found} is not {wanted:.1}");
    }
}

fn key() -> DVec3 {
    KEY_IN_STUDIO.normalize()
}

/// All light on a surface in a draft.
fn lit(surface: &Surface, n: DVec3, view: &View, open: f64) -> DVec3 {
    let (n, v) = (view.in_studio(n), view.in_studio(view.back));
    surface.answer(n, v, key()) * KEY_STRENGTH + surface.ambient(n, v) * open
}

fn materials() -> [Material; 5] {
    [
        Material { base_color: [0.8, 0.8, 0.8, 1.0], ..matte() },
        Material { base_color: [0.6, 0.05, 0.02, 1.0], roughness: 0.35, ..matte() },
        Material { base_color: [0.9, 0.65, 0.3, 1.0], metallic: 1.0, roughness: 0.45, ..matte() },
        Material { base_color: [0.3, 0.4, 0.5, 1.0], metallic: 0.5, roughness: 0.7, ..matte() },
        Material { base_color: [0.02, 0.02, 0.02, 1.0], roughness: 0.2, ..matte() },
    ]
}

#[test]
fn surfaces_are_shaded_as_appendix_b_says() {
    let mut studio = Studio::open();
    for material in materials() {
        for (yaw, pitch) in [(0.0, 0.0), (40.0, 20.0), (-35.0, -25.0)] {
            let view = View::new(yaw, pitch);
            let image =
                studio.draw(&square(DMat4::IDENTITY, material.clone()), &from(&view.camera, [33, 33]));
            let wanted = lit(&Surface::of(&material), DVec3::Z, &view, 1.0);
            assert_middle(&image, wanted, &format!("{:?} from {}", material.base_color, view.camera));
        }
    }
    studio.close();
}

#[test]
fn ior_and_specular_change_what_is_mirrored() {
    let mut studio = Studio::open();
    let view = View::new(-35.0, 30.0);
    let dark = Material { base_color: [0.05, 0.05, 0.05, 1.0], roughness: 0.3, ..matte() };
    let tinted = Specular { factor: 0.5, color: [1.0, 0.4, 0.1], texture: None, color_texture: None };
    let f0 = |ior: f64| DVec3::splat(((ior - 1.0) / (ior + 1.0)).powi(2));
    for (material, f0, f90) in [
        (Material { ior: 2.4, ..dark.clone() }, f0(2.4), 1.0),
        (Material { specular: Some(Box::new(tinted)), ..dark.clone() }, DVec3::new(0.02, 0.008, 0.002), 0.5),
    ] {
        let surface = Surface { f0, f90, ..Surface::of(&material) };
        let image = studio.draw(&square(DMat4::IDENTITY, material), &from(&view.camera, [33, 33]));
        // The second surface also mixes colours in the Fresnel edge, which makes no difference here.
        assert_middle(&image, lit(&surface, DVec3::Z, &view, 1.0), &format!("mirrors {f0}"));
    }
    studio.close();
}

#[test]
fn a_clear_coat_mirrors_on_top_of_what_it_lets_through() {
    let mut studio = Studio::open();
    let view = View::new(20.0, 25.0);
    let coat =
        Clearcoat { factor: 0.8, texture: None, roughness: 0.3, roughness_texture: None, normal: None };
    let material = Material { base_color: [0.5, 0.1, 0.1, 1.0], clearcoat: Some(Box::new(coat)), ..matte() };
    let image = studio.draw(&square(DMat4::IDENTITY, material.clone()), &from(&view.camera, [33, 33]));
    let (n, v) = (view.in_studio(DVec3::Z), view.in_studio(view.back));
    let layer = Surface { base: DVec3::ZERO, roughness: 0.3, ..Surface::of(&matte()) };
    let on_top = layer.answer(n, v, key()) * KEY_STRENGTH + layer.ambient(n, v);
    let mirrored = 0.8 * (0.04 + 0.96 * (1.0 - n.dot(v)).powi(5));
    let below = lit(&Surface::of(&material), DVec3::Z, &view, 1.0);
    assert_middle(&image, below * (1.0 - mirrored) + on_top * 0.8, "coated");
    studio.close();
}

/// An image of one colour.
fn plain(texel: [u8; 4]) -> Picture {
    Picture { width: 1, height: 1, rgba: texel.to_vec() }
}

#[test]
fn maps_of_roughness_metalness_and_occlusion_multiply() {
    let mut studio = Studio::open();
    let view = View::new(25.0, 15.0);
    let texture = Some(TextureRef::default());
    let material = Material { base_color: [0.7, 0.5, 0.3, 1.0], metallic: 0.9, roughness: 0.8, ..matte() };
    let surface = Surface::of(&material);
    let share = |byte: u8| f64::from(byte) / 255.0;

    let mut model =
        square(DMat4::IDENTITY, Material { metallic_roughness_texture: texture, ..material.clone() });
    model.pictures = vec![Some(plain([255, 150, 100, 255]))];
    let image = studio.draw(&model, &from(&view.camera, [33, 33]));
    let mapped = Surface { roughness: 0.8 * share(150), metallic: 0.9 * share(100), ..surface };
    assert_middle(&image, lit(&mapped, DVec3::Z, &view, 1.0), "metallic-roughness");

    let occlusion = Occlusion { texture: TextureRef::default(), strength: 0.75 };
    let mut model = square(DMat4::IDENTITY, Material { occlusion: Some(occlusion), ..material });
    model.pictures = vec![Some(plain([60, 255, 255, 255]))];
    let image = studio.draw(&model, &from(&view.camera, [33, 33]));
    let open = 1.0 + 0.75 * (share(60) - 1.0);
    assert_middle(&image, lit(&surface, DVec3::Z, &view, open), "occlusion");
    studio.close();
}

/// A square whose normal map bends all normals, with and without tangents, with the image the right way round and
/// mirrored, from the front and from behind.
#[test]
fn normals_are_bent_as_the_map_says() {
    let mut studio = Studio::open();
    let texel = [200u8, 90, 210];
    let scale = 0.8;
    let [x, y, z] = texel.map(|byte| f64::from(byte) / 255.0 * 2.0 - 1.0);
    let map = NormalMap { texture: TextureRef::default(), scale: scale as f32 };
    let material = Material {
        base_color: [0.8, 0.6, 0.4, 1.0],
        roughness: 0.6,
        normal: Some(map),
        double_sided: true,
        ..matte()
    };
    for (mirrored, tangents) in [(false, true), (false, false), (true, true), (true, false)] {
        let mut model = square(DMat4::IDENTITY, material.clone());
        model.pictures = vec![Some(plain([texel[0], texel[1], texel[2], 255]))];
        let primitive = &mut model.meshes[0].primitives[0];
        // The direction of growing u: right, or left if the image is mirrored.
        let side = if mirrored { -1.0 } else { 1.0 };
        if mirrored {
            primitive.texcoords[0].iter_mut().for_each(|[u, _]| *u = 1.0 - *u);
        }
        if tangents {
            primitive.tangents = Some(vec![[side as f32, 0.0, 0.0, side as f32]; 4]);
        }
        // Up is the same in both images.
        let bent = DVec3::new(side * x * scale, y * scale, z).normalize();
        for (yaw, faces) in [(20.0, 1.0), (200.0, -1.0)] {
            let view = View::new(yaw, 10.0);
            let image = studio.draw(&model, &from(&view.camera, [33, 33]));
            let wanted = lit(&Surface::of(&material), bent * faces, &view, 1.0);
            let what = format!("mirrored: {mirrored}, tangents: {tangents}, from {yaw}");
            assert_middle(&image, wanted, &what);
        }
    }
    studio.close();
}

/// Full quality, small and without smooth edges.
fn full(camera: &str, side: u32) -> Scene {
    let scene = from(camera, [side, side]);
    let look = Look { quality: Quality::Full, samples: Some(Samples::One), ..scene.look };
    Scene { look, ..scene }
}

/// A model of two squares, each with its transform and material.
fn two([first, second]: [(DMat4, Material); 2]) -> Model {
    let mut model = square(first.0, first.1);
    let other = square(second.0, second.1);
    model.meshes.extend(other.meshes);
    model.meshes[1].primitives[0].material = Some(1);
    model.materials.extend(other.materials);
    model.rig.names.push(String::new());
    model.rig.parents.push(None);
    model.rig.rest.push(LocalTransform::from_matrix(second.0));
    model.rig.file_index.push(1);
    model.instances.push(sinew::model::Instance { node: 1, mesh: 1, skin: None });
    model
}

/// A plate hangs above a floor: in its shadow, along the light, the floor gets only ambient light.
#[test]
fn what_is_in_the_way_of_the_light_casts_a_shadow() {
    let mut studio = Studio::open();
    let lying = DMat4::from_rotation_x(-PI / 2.0);
    let floor = Material { base_color: [0.5, 0.5, 0.5, 1.0], double_sided: true, ..matte() };
    let height = 0.6;
    let plate =
        DMat4::from_translation(DVec3::new(0.0, height, 0.0)) * DMat4::from_scale(DVec3::splat(0.3)) * lying;
    let model = two([(DMat4::from_scale(DVec3::splat(3.0)) * lying, floor.clone()), (plate, floor.clone())]);
    let image = studio.draw(&model, &full("top", 129));
    let view = View::new(0.0, 90.0);
    let surface = Surface::of(&floor);
    let (n, v) = (DVec3::Y, DVec3::Y);
    let ambient = surface.ambient(n, v);
    let lit = ambient + surface.answer(n, v, key()) * KEY_STRENGTH;
    // The plate's middle, moved down along the light.
    let shadow = -key() * (height / key().y);
    let at = |place: DVec3| {
        let camera = sinew::camera::Camera::new(
            &"top".parse().unwrap(),
            &sinew::framing::hull(&model, &PoseChoice::Rest),
            [129, 129],
        );
        let clip = camera.clip_from_view * camera.view_from_world * place.extend(1.0);
        [clip.x / clip.w, clip.y / clip.w].map(|along| ((along * 0.5 + 0.5) * 129.0) as u32)
    };
    assert!((shadow.x.hypot(shadow.z)) > 0.45, "the shadow lies beside the plate");
    // Near the edges of the picture the view is slightly oblique, which hardly shows on matte surfaces.
    assert_pixel(&image, at(DVec3::new(shadow.x, 0.0, shadow.z)), ambient, "in the shadow");
    assert_pixel(&image, at(DVec3::new(-shadow.x, 0.0, -shadow.z)), lit, "on the other side");
    assert!(view.back.y > 0.99);
    studio.close();
}

/// Every vertex skinned by the CPU casts its shadow on the ground, in every mode; and there is no shadow where no
/// vertex casts one.
#[test]
fn the_shadow_is_that_of_the_skinned_mesh() {
    let mut studio = Studio::open();
    let model = common::builtin("bend");
    let side = 160;
    for mode in SkinningMode::ALL {
        let choice = PoseChoice::clip(0, 1.0);
        let scene = Scene { mode, pose: choice.clone(), ..full("20,50", side) };
        let (image, outline) = studio.draw_framed(&model, std::slice::from_ref(&scene)).remove(0);
        let bare = Scene { look: Look { quality: Quality::Draft, ..scene.look }, ..scene.clone() };
        let covered = {
            let image = studio.draw(&model, &bare);
            studio.covered(&image)
        };
        let mut pose = Pose::default();
        pose.set(&model, &choice);
        let camera = sinew::camera::Camera::new(&"20,50".parse().unwrap(), &outline, [side, side]);
        let ground = outline.iter().map(|point| point.y).fold(f64::INFINITY, f64::min);
        let view = View::new(20.0, 50.0);
        let towards = view.studio_from_world.inverse().transform_vector3(key());
        let shadows: Vec<DVec2> = skin_model(&model, mode, &pose)
            .iter()
            .flat_map(|primitive| primitive.positions.clone())
            .map(|position| {
                let position = DVec3::from(position.map(f64::from));
                let below = position - towards * ((position.y - ground) / towards.y);
                let clip = camera.clip_from_view * camera.view_from_world * below.extend(1.0);
                (DVec2::new(clip.x, clip.y) / clip.w * 0.5 + 0.5) * f64::from(side)
            })
            .collect();
        let background = studio.background;
        let (mut dark, mut light) = (0, 0);
        for y in 0..side {
            for x in 0..side {
                if covered[(y * side + x) as usize] {
                    continue;
                }
                let here = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                let nearest = shadows.iter().map(|at| at.distance(here)).fold(f64::INFINITY, f64::min);
                let shown = pixel(&image, x, y);
                // Vertices are some pixels apart, so inside the shadow there are some on all sides.
                let around = |number: i32| here + DVec2::from_angle(PI * f64::from(number) / 4.0) * 7.0;
                let inside = (0..8).all(|number| shadows.iter().any(|at| at.distance(around(number)) < 4.0));
                if inside && nearest < 4.0 {
                    assert!(shown[0] < background[0] - 20, "{mode}: {x},{y} is {shown:?}");
                    dark += 1;
                } else if nearest > 14.0 {
                    assert!(shown[0] > background[0] - 3, "{mode}: {x},{y} is {shown:?}");
                    light += 1;
                }
            }
        }
        assert!(dark > 100 && light > 5000, "{mode}: {dark} dark, {light} light");
    }
    studio.close();
}

#[test]
fn backgrounds_are_the_bytes_that_were_asked_for() {
    let mut studio = Studio::open();
    for bytes in [[0, 0, 0], [255, 255, 255], [1, 2, 3], [18, 52, 86], [250, 128, 7]] {
        let mut scene = full("front", 9);
        scene.look.background = Background::Color(bytes);
        let image = studio.draw(&Model::default(), &scene);
        assert!(image.rgba.chunks_exact(4).all(|pixel| pixel[..3] == bytes && pixel[3] == 255), "{bytes:?}");
    }
    studio.close();
}

/// A transparent picture over the default background, blended in linear light, equals the default picture.
#[test]
fn transparent_pictures_can_be_laid_over_anything() {
    let mut studio = Studio::open();
    let model = common::builtin("character");
    let mut scene = Scene { pose: PoseChoice::clip(0, 0.3), ..full("auto", 128) };
    scene.look.samples = Some(Samples::Four);
    let over = studio.draw(&model, &scene);
    scene.look.background = Background::Transparent;
    let through = studio.draw(&model, &scene);
    let [background, ..] = Background::PAPER.linear().map(f64::from);
    let mut kinds = [0; 3];
    for (over, through) in over.rgba.chunks_exact(4).zip(through.rgba.chunks_exact(4)) {
        let alpha = f64::from(through[3]) / 255.0;
        kinds[match through[3] {
            0 => 0,
            255 => 2,
            _ => 1,
        }] += 1;
        assert_eq!(over[3], 255);
        let mixed = srgb::to_linear(f64::from(through[0]) / 255.0) * alpha + background * (1.0 - alpha);
        let mixed = srgb::from_linear(mixed) * 255.0;
        assert!((mixed - f64::from(over[0])).abs() <= 2.0, "{through:?} over the background is not {over:?}");
    }
    assert!(kinds.iter().all(|count| *count > 500), "nothing, something, everything: {kinds:?}");
    studio.close();
}

/// Glass in front of glass, in either order of the file, blends the near one over the far one.
#[test]
fn what_mixes_is_drawn_from_back_to_front() {
    let mut studio = Studio::open();
    let glass = |color: [f32; 3]| Material {
        alpha: AlphaMode::Blend,
        double_sided: true,
        ..unlit([color[0], color[1], color[2], 0.5])
    };
    let (red, blue) = (glass([1.0, 0.0, 0.0]), glass([0.0, 0.0, 1.0]));
    let at = |z: f64| DMat4::from_translation(DVec3::new(0.0, 0.0, z));
    let orders =
        [two([(at(0.0), red.clone()), (at(0.5), blue.clone())]), two([(at(0.5), blue), (at(0.0), red)])];
    let [behind, ..] = Background::PAPER.linear().map(f64::from);
    for (camera, before, after) in [("front", DVec3::Z, DVec3::X), ("back", DVec3::X, DVec3::Z)] {
        let wanted = before * 0.5 + (after * 0.5 + DVec3::splat(behind) * 0.5) * 0.5;
        for (number, model) in orders.iter().enumerate() {
            let image = studio.draw(model, &from(camera, [17, 17]));
            let found = pixel(&image, 8, 8);
            // The background is not quite grey; compare its red.
            let wanted = srgb::from_linear(wanted.x) * 255.0;
            assert!(
                (f64::from(found[0]) - wanted).abs() <= 1.0,
                "{camera}, {number}: {found:?} not {wanted}"
            );
        }
    }
    studio.close();
}

/// A directional light of the file replaces the key light, and other kinds light as well; each is set up to be as
/// bright as the key light.
#[test]
fn the_files_lights_light_it() {
    let mut studio = Studio::open();
    let material = Material { base_color: [0.6, 0.5, 0.4, 1.0], ..matte() };
    let surface = Surface::of(&material);
    let view = View::new(0.0, 0.0);
    let light = |kind| Light {
        name: "".into(),
        node: 1,
        kind,
        color: [1.0, 0.5, 0.25],
        intensity: 800.0,
        range: None,
    };
    let color = DVec3::new(1.0, 0.5, 0.25) * KEY_STRENGTH;
    // From the upper right, 2 m in front of the square; it shines along −z.
    let place = DVec3::new(1.0, 1.0, 2.0);
    let at_place = |shines: DVec3| {
        DMat4::from_rotation_translation(DQuat::from_rotation_arc(DVec3::NEG_Z, shines.normalize()), place)
    };
    let lit_by = |light: Light, world_from_light: DMat4| {
        let mut model = square(DMat4::IDENTITY, material.clone());
        model.rig.names.push(String::new());
        model.rig.parents.push(None);
        model.rig.rest.push(LocalTransform::from_matrix(world_from_light));
        model.rig.file_index.push(1);
        model.lights = vec![light];
        model
    };
    let ambient = surface.ambient(DVec3::Z, DVec3::Z);
    let spot = LightKind::Spot { inner_cone_radians: 0.2, outer_cone_radians: 0.4 };
    for kind in [LightKind::Directional, LightKind::Point, spot] {
        let model = lit_by(light(kind), at_place(-place));
        let image = studio.draw(&model, &full("front", 33));
        let wanted = surface.answer(DVec3::Z, DVec3::Z, place.normalize()) * color + ambient;
        assert_middle(&image, wanted, &format!("{kind:?}"));
    }
    // A spot turned away leaves only ambient light.
    let model = lit_by(light(spot), at_place(place));
    let image = studio.draw(&model, &full("front", 33));
    let by_key = surface.answer(DVec3::Z, view.back, key()) * KEY_STRENGTH;
    assert_middle(&image, by_key + ambient, "a light that reaches nothing leaves the key light");
    studio.close();
}

/// A draft has the key light whatever lights the file has, and a model of a single point is also lit.
#[test]
fn drafts_have_a_light_and_points_are_not_black() {
    let mut studio = Studio::open();
    let mut model = square(DMat4::IDENTITY, matte());
    let light = Light {
        name: "".into(),
        node: 0,
        kind: LightKind::Point,
        color: [1.0; 3],
        intensity: 50.0,
        range: Some(1e-3),
    };
    let dark = studio.draw(&model, &from("front", [17, 17]));
    model.lights = vec![light];
    let lit = studio.draw(&model, &from("front", [17, 17]));
    assert_eq!(dark, lit);

    let place = DMat4::from_translation(DVec3::splat(5.0)) * DMat4::from_scale(DVec3::ZERO);
    let mut point = square(place, Material { base_color: [0.8, 0.8, 0.8, 1.0], ..matte() });
    point.meshes[0].primitives[0].topology = sinew::model::Topology::Points;
    let image = studio.draw(&point, &full("front", 17));
    let shown = image.rgba.chunks_exact(4).map(|pixel| pixel[0]).min().unwrap();
    assert!(shown > 60, "a point is {shown}");
    studio.close();
}

#[test]
fn one_sample_has_two_colours_and_four_have_more() {
    let mut studio = Studio::open();
    let model = square(DMat4::from_rotation_z(0.3), unlit([0.0, 1.0, 0.0, 1.0]));
    for (samples, smooth) in [(Samples::One, false), (Samples::Four, true)] {
        // Without a background there is no rim.
        let mut scene = from("front", [33, 33]);
        (scene.look.samples, scene.look.background) = (Some(samples), Background::Transparent);
        let image = studio.draw(&model, &scene);
        let mut colours: Vec<&[u8]> = image.rgba.chunks_exact(4).collect();
        colours.sort_unstable();
        colours.dedup();
        assert_eq!(colours.len() > 2, smooth, "{colours:?}");
    }
    studio.close();
}
