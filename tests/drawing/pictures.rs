//! Tests that hold for any picture: what is visible, where, which faces, in which order, in which colours. Stored
//! pictures play no part.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;
use crate::studio;

use std::f32::consts::PI;
use std::sync::Arc;

use common::{builtin, scene};
use glam::{DMat4, DQuat, DVec3};
use sinew::camera::{Camera, Orbit, Viewpoint};
use sinew::look::Background;
use sinew::model::{
    AlphaMode, Channel, Clip, Influences, Instance, Interpolation, LocalTransform, Material, Model, Picture,
    Primitive, Projection, Property, Skin, Span, TextureRef, Topology,
};
use sinew::scene::{Processor, Scene};
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::twin::{Skinned, Vertices, skin};
use sinew::skinning::{SkinningMode, centers, ddm_terms, world_from_bind};
use studio::{Studio, from, matte, pixel, square, unlit};

/// Start, end and three times in between of each clip, in each mode.
fn scenes_of_all_clips(model: &Model, size: [u32; 2]) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for (number, clip) in model.clips.iter().enumerate() {
        for quarter in 0..=4 {
            let time_secs = f64::from(clip.duration_secs) * f64::from(quarter) / 4.0;
            let pose = PoseChoice::clip(number, time_secs);
            scenes.extend(SkinningMode::ALL.map(|mode| scene(mode, pose.clone(), size)));
        }
    }
    assert!(!scenes.is_empty(), "there are no clips");
    scenes
}

#[test]
fn the_character_is_in_the_picture_and_never_leaves_it() {
    let mut studio = Studio::open();
    let model = builtin("character");
    let scenes = scenes_of_all_clips(&model, [96, 96]);
    let images = studio.draw_all(&model, &scenes);
    for (scene, image) in scenes.iter().zip(&images) {
        let covered = studio.covered(image);
        let share = covered.iter().filter(|&&covered| covered).count() as f64 / covered.len() as f64;
        assert!((0.05..0.7).contains(&share), "{scene}: {:.1} % of the picture are covered", share * 100.0);
        let rows: Vec<&[bool]> = covered.chunks_exact(96).collect();
        let on_border = |row: &[bool]| row[0] || row[95];
        assert!(!rows.iter().any(|row| on_border(row)), "{scene}: touches the left or right border");
        assert!(!rows[0].contains(&true) && !rows[95].contains(&true), "{scene}: touches top or bottom");
        let mut colours: Vec<&[u8]> = image.rgba.chunks_exact(4).collect();
        colours.sort_unstable();
        colours.dedup();
        assert!(colours.len() > 100, "{scene}: only {} colours, so it is not lit", colours.len());
    }
    studio.close();
}

/// Each vertex is within a pixel of where the CPU's skinning and the camera's matrices put it.
#[test]
fn vertices_are_where_the_cpu_puts_them() {
    let mut studio = Studio::open();
    for (name, size) in [("character", [200, 240]), ("twist", [160, 120]), ("bend", [120, 160])] {
        let mut model = Arc::unwrap_or_clone(builtin(name));
        // Where a fold shows, a triangle's other side does.
        model.materials.iter_mut().for_each(|material| material.double_sided = true);
        let model = Arc::new(model);
        // One clip is enough; the last is the widest.
        let scenes = scenes_of_all_clips(&model, size);
        let scenes = &scenes[scenes.len() - 15..];
        for (scene, (image, outline)) in scenes.iter().zip(studio.draw_framed(&model, scenes)) {
            let points = projected(&model, scene, &outline);
            assert_eq!(misplaced(&points, &studio.covered(&image), size), None, "{name} {scene}");
        }
    }
    studio.close();
}

/// The sensitivity twin: another mode, time or viewpoint puts the vertices elsewhere.
#[test]
fn vertices_elsewhere_are_objected_to() {
    let mut studio = Studio::open();
    let (model, size) = (builtin("twist"), [160, 120]);
    let pose = |time_secs: f64| PoseChoice::clip(0, time_secs);
    let drawn = scene(SkinningMode::Linear, pose(1.0), size);
    let (image, outline) = studio.draw_framed(&model, std::slice::from_ref(&drawn)).remove(0);
    let covered = studio.covered(&image);
    let objection = |scene: &Scene| misplaced(&projected(&model, scene, &outline), &covered, size);
    assert_eq!(objection(&drawn), None);
    let others = [
        Scene { mode: SkinningMode::DualQuat, ..drawn.clone() },
        Scene { pose: pose(0.0), ..drawn.clone() },
        Scene { camera: "30,25".parse::<Orbit>().unwrap().into(), ..drawn.clone() },
    ];
    for other in others {
        assert!(objection(&other).is_some(), "{other} looks like {drawn}");
    }
    studio.close();
}

/// Why a picture cannot show these points, if so: the area must cover each within a pixel, and extend no further than
/// all of them together.
fn misplaced(points: &[[f64; 2]], covered: &[bool], size: [u32; 2]) -> Option<String> {
    let [width, height] = size.map(|side| side as usize);
    let rows: Vec<&[bool]> = covered.chunks_exact(width).collect();
    let near = |at: f64, side: usize| (at as usize).saturating_sub(1)..=(at as usize + 1).min(side - 1);
    let hit = |[x, y]: [f64; 2]| near(y, height).any(|row| rows[row][near(x, width)].contains(&true));
    if let Some([x, y]) = points.iter().find(|&&point| !hit(point)) {
        return Some(format!("nothing is drawn at {x:.1}, {y:.1}"));
    }
    let least = |axis: usize| points.iter().map(|point| point[axis]).fold(f64::MAX, f64::min);
    let most = |axis: usize| points.iter().map(|point| point[axis]).fold(f64::MIN, f64::max);
    let (expected, found) = ([least(0), least(1), most(0), most(1)], covered_box(&rows));
    let off = expected.iter().zip(found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    (off >= 1.5).then(|| format!("covers {found:.1?}, not {expected:.1?}"))
}

/// The pixels of the vertices of the model's skinned meshes.
fn projected(model: &Model, scene: &Scene, outline: &[DVec3]) -> Vec<[f64; 2]> {
    let mut pose = Pose::default();
    pose.set(model, &scene.pose);
    let Viewpoint::Orbit(orbit) = &scene.camera else { panic!("{scene} is no look at the model") };
    let camera = Camera::new(orbit, outline, scene.size);
    let clip_from_world = camera.clip_from_view * camera.view_from_world;
    let mut points = Vec::new();
    for instance in &model.instances {
        let palette = world_from_bind(&model.skins[instance.skin.unwrap()], &pose);
        let mut slots = Vec::new();
        scene.mode.slots_into(&palette, &mut slots);
        for (number, primitive) in model.meshes[instance.mesh].primitives.iter().enumerate() {
            let mut positions = primitive.positions.clone();
            let out = Skinned { positions: &mut positions, ..Skinned::default() };
            let centers = centers::of(model, instance.skin.unwrap(), instance.mesh, number);
            let ddm = ddm_terms::of(model, instance.mesh);
            let ddm = ddm.as_deref().map(|rows| (rows, number));
            skin(scene.mode, &slots, &Vertices { centers, ddm, ..Vertices::of(primitive) }, out);
            points.extend(positions.iter().map(|position| {
                let clip = clip_from_world * DVec3::from(position.map(f64::from)).extend(1.0);
                let [width, height] = scene.size.map(f64::from);
                [(clip.x / clip.w * 0.5 + 0.5) * width, (clip.y / clip.w * 0.5 + 0.5) * height]
            }));
        }
    }
    points
}

/// Left, top, right and bottom edge of the covered area.
fn covered_box(rows: &[&[bool]]) -> [f64; 4] {
    let columns = |column: usize| rows.iter().any(|row| row[column]);
    let full = |row: &&&[bool]| row.contains(&true);
    let top = rows.iter().take_while(|row| !full(row)).count();
    let bottom = rows.len() - rows.iter().rev().take_while(|row| !full(row)).count();
    let width = rows[0].len();
    let left = (0..width).take_while(|&column| !columns(column)).count();
    let right = width - (0..width).rev().take_while(|&column| !columns(column)).count();
    [left as f64, top as f64, right as f64, bottom as f64]
}

/// Skins a model with its node as the only joint.
fn skinned(mut model: Model) -> Model {
    let span = Span { joints: vec![[0; 4]; 4], weights: vec![[1.0, 0.0, 0.0, 0.0]; 4] };
    model.meshes[0].primitives[0].influences = Some(Influences { spans: vec![span] });
    let joint_from_bind = [DMat4::IDENTITY].into();
    model.skins = vec![Skin { name: String::new(), joints: vec![0], joint_from_bind, method: None }];
    model.instances[0].skin = Some(0);
    model
}

/// A node's scale does not change which side shows, even if it reverses the winding of triangles.
#[test]
fn mirrored_models_show_the_same_side() {
    let mut studio = Studio::open();
    let flip = |x: f64, y: f64, z: f64| DMat4::from_scale(DVec3::new(x, y, z));
    // The scale of the last two turns the front to −z.
    let cases = [
        (flip(1.0, 1.0, 1.0), true),
        (flip(-1.0, 1.0, 1.0), true),
        (flip(1.0, -1.0, 1.0), true),
        (flip(-1.0, -1.0, 1.0), true),
        (flip(1.0, 1.0, -1.0), false),
        (flip(-1.0, 1.0, -1.0), false),
    ];
    let reference = studio.draw(&square(DMat4::IDENTITY, matte()), &from("front", [24, 24]));
    for (transform, faces_us) in cases {
        let model = square(transform, matte());
        for model in [skinned(model.clone()), model] {
            let scenes: Vec<Scene> =
                mirroring().map(|mode| Scene { mode, ..from("front", [24, 24]) }).collect();
            for (scene, image) in scenes.iter().zip(studio.draw_all(&model, &scenes)) {
                let shows = studio.covered(&image).contains(&true);
                let what = format!("{scene}, skinned: {}, {transform}", model.instances[0].skin.is_some());
                assert_eq!(shows, faces_us, "seen from the front, {what}");
                // A mirrored square is the same square, with the same lighting.
                assert!(!shows || image == reference, "looks otherwise, {what}");
            }
            let behind = studio.draw(&model, &from("back", [24, 24]));
            assert_eq!(studio.covered(&behind).contains(&true), !faces_us, "from behind, {transform}");
        }
        let both_sides = square(transform, Material { double_sided: true, ..matte() });
        for camera in ["front", "back"] {
            let image = studio.draw(&both_sides, &from(camera, [24, 24]));
            assert!(studio.covered(&image).contains(&true), "both sides from the {camera}, {transform}");
        }
    }
    studio.close();
}

/// The modes in which a joint mirrors; without its scale it only turns.
fn mirroring() -> impl Iterator<Item = SkinningMode> {
    SkinningMode::ALL.into_iter().filter(|mode| !mode.facts().drops_scale)
}

/// A mirroring joint reverses its triangles, even if most joints of the skin do not mirror but move nothing.
#[test]
fn joints_that_move_nothing_turn_nothing_round() {
    let mut studio = Studio::open();
    let reference = studio.draw(&square(DMat4::IDENTITY, matte()), &from("front", [24, 24]));
    let mut model = skinned(square(DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0)), matte()));
    add_still_joints(&mut model, 3);
    for skin in [Processor::Gpu, Processor::Compute, Processor::Cpu] {
        for mode in mirroring() {
            let scene = Scene { mode, skin, ..from("front", [24, 24]) };
            assert!(studio.draw(&model, &scene) == reference, "{scene}");
        }
    }
    studio.close();
}

/// Appends `count` joints that stand still to the skin's only one.
fn add_still_joints(model: &mut Model, count: usize) {
    model.rig.names.push(String::new());
    model.rig.parents.push(None);
    model.rig.rest.push(LocalTransform::from_matrix(DMat4::IDENTITY));
    model.rig.file_index.push(1);
    model.skins[0].joints.extend(vec![1; count]);
    let bind = &mut model.skins[0].joint_from_bind;
    *bind = bind.iter().copied().chain(vec![DMat4::IDENTITY; count]).collect();
}

/// A primitive of which half is mirrored shows the same side everywhere.
#[test]
fn half_a_primitive_can_be_mirrored() {
    let mut studio = Studio::open();
    // Two squares in one place; the first one's joint draws it on the other side of the middle.
    let side_by_side = |scale: f64, offset: f64, material: Material| {
        let transform = DMat4::from_scale_rotation_translation(
            DVec3::new(scale, 1.0, 1.0),
            DQuat::IDENTITY,
            DVec3::X * offset,
        );
        let mut model = skinned(square(transform, material));
        add_still_joints(&mut model, 1);
        let primitive = &mut model.meshes[0].primitives[0];
        primitive.positions.extend_from_within(..);
        primitive.texcoords[0].extend_from_within(..);
        primitive.normals.as_mut().unwrap().extend_from_within(..);
        primitive.indices.extend([4, 5, 6, 4, 6, 7]);
        let span = &mut primitive.influences.as_mut().unwrap().spans[0];
        span.joints = [[[0, -1, -1, -1]; 4], [[1, -1, -1, -1]; 4]].concat();
        span.weights.extend_from_within(..);
        model
    };
    for double_sided in [false, true] {
        let material = Material { double_sided, ..matte() };
        let (mixed, plain) = (side_by_side(-1.0, 1.0, material.clone()), side_by_side(1.0, 1.0, material));
        let skins = [Processor::Gpu, Processor::Compute, Processor::Cpu];
        for (mode, skin) in mirroring().flat_map(|mode| skins.map(|skin| (mode, skin))) {
            for camera in ["front", "back"] {
                let scene = Scene { mode, skin, ..from(camera, [32, 24]) };
                let (image, expected) = (studio.draw(&mixed, &scene), studio.draw(&plain, &scene));
                let shows = studio.covered(&expected).contains(&true);
                assert_eq!(shows, double_sided || camera == "front", "{scene}, double-sided: {double_sided}");
                // Vertices skinned by the CPU no longer tell which are mirrored, so both sides show.
                if shows || skin != Processor::Cpu {
                    let bytes = image.rgba.iter().zip(&expected.rgba);
                    let off = bytes.map(|(a, b)| a.abs_diff(*b)).max();
                    assert!(off <= Some(1), "{scene}, double-sided: {double_sided}: {off:?} levels off");
                }
            }
        }
    }
    studio.close();
}

/// A matte surface stays dark up to its rim, even where interpolated normals face away.
#[test]
fn dark_surfaces_have_no_white_patches() {
    let mut studio = Studio::open();
    let (rings, sectors) = (6u32, 9u32);
    let ball: Vec<[f32; 3]> = (0..=rings)
        .flat_map(|ring| (0..=sectors).map(move |sector| (ring, sector)))
        .map(|(ring, sector)| {
            let (polar, around) =
                (ring as f32 / rings as f32 * PI, sector as f32 / sectors as f32 * 2.0 * PI);
            [polar.sin() * around.sin(), polar.cos(), polar.sin() * around.cos()]
        })
        .collect();
    let corner = |ring: u32, sector: u32| ring * (sectors + 1) + sector;
    let quads = (0..rings).flat_map(|ring| (0..sectors).map(move |sector| (ring, sector)));
    let indices = quads.flat_map(|(r, s)| {
        let (a, b, c, d) = (corner(r, s), corner(r + 1, s), corner(r + 1, s + 1), corner(r, s + 1));
        [a, b, c, a, c, d]
    });
    let mut model =
        square(DMat4::IDENTITY, Material { base_color: [0.01, 0.02, 0.1, 1.0], roughness: 0.5, ..matte() });
    model.meshes[0].primitives[0] = Primitive {
        indices: indices.collect(),
        normals: Some(ball.clone()),
        positions: ball,
        material: Some(0),
        ..Primitive::default()
    };
    let side = 96;
    for camera in ["front", "auto", "20,-40", "100,60"] {
        let image = studio.draw(&model, &from(camera, [side, side]));
        let covered = studio.covered(&image);
        let inside = |x: u32, y: u32| {
            let around = [(0, 1), (2, 1), (1, 0), (1, 2), (1, 1)];
            around.iter().all(|(dx, dy)| covered[((y + dy - 1) * side + x + dx - 1) as usize])
        };
        let pixels = (1..side - 1).flat_map(|y| (1..side - 1).map(move |x| (x, y)));
        let shown: Vec<[u8; 4]> =
            pixels.filter(|&(x, y)| inside(x, y)).map(|(x, y)| pixel(&image, x, y)).collect();
        assert!(shown.len() > 2000, "{camera}: only {} pixels", shown.len());
        let lightest = shown.iter().map(|pixel| pixel[0]).max();
        // The rim reflects up to a fifth of the studio's soft boxes, whose light is about 1: 0.2 encodes to 123.
        assert!(lightest < Some(130), "{camera}: dark blue has {lightest:?} of red");
    }
    studio.close();
}

#[test]
fn what_is_nearer_hides_what_is_behind() {
    let mut studio = Studio::open();
    let (red, green) = (unlit([1.0, 0.0, 0.0, 1.0]), unlit([0.0, 1.0, 0.0, 1.0]));
    let back = DMat4::from_translation(DVec3::new(0.0, 0.0, -1.0));
    for (nearer, farther) in [(0, 1), (1, 0)] {
        let mut model = square(DMat4::IDENTITY, red.clone());
        model.materials.push(green.clone());
        let mut other = model.meshes[0].clone();
        other.primitives[0].material = Some(1);
        model.meshes.push(other);
        model.rig.rest.push(LocalTransform::from_matrix(back));
        model.rig.parents.push(None);
        model.rig.names.push(String::new());
        model.rig.file_index.push(1);
        model.instances = vec![
            Instance { node: 0, mesh: nearer, skin: None },
            Instance { node: 1, mesh: farther, skin: None },
        ];
        // In either drawing order.
        for _ in 0..2 {
            let image = studio.draw(&model, &from("front", [16, 16]));
            let expected = [[255, 0, 0, 255], [0, 255, 0, 255]][nearer];
            assert_eq!(pixel(&image, 8, 8), expected, "{:?}", model.instances);
            model.instances.reverse();
        }
    }
    studio.close();
}

/// Linear colours become sRGB, textures are the right way up, and alpha follows the material.
#[test]
fn colours_are_the_materials() {
    let mut studio = Studio::open();
    let view = from("front", [32, 32]);
    let mut colour_of = |model: &Model, x: u32, y: u32| pixel(&studio.draw(model, &view), x, y);
    let plain = square(DMat4::IDENTITY, unlit([0.5, 0.0, 1.0, 1.0]));
    let [red, green, blue, alpha] = colour_of(&plain, 16, 16);
    assert!((187..=188).contains(&red), "half of the light is 187.5 in sRGB, not {red}");
    assert_eq!([green, blue, alpha], [0, 255, 255]);

    let texels = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]];
    let mut textured = square(DMat4::IDENTITY, unlit([1.0; 4]));
    textured.materials[0].base_color_texture = Some(TextureRef { picture: 0, ..TextureRef::default() });
    textured.pictures = vec![Some(Picture { width: 2, height: 2, rgba: texels.as_flattened().to_vec() })];
    let corners = [(8, 8), (23, 8), (8, 23), (23, 23)].map(|(x, y)| colour_of(&textured, x, y));
    for (corner, (found, texel)) in corners.iter().zip(texels).enumerate() {
        let off = found.iter().zip(texel).map(|(a, b)| a.abs_diff(b)).max();
        assert!(off < Some(40), "corner {corner} is {found:?}, not {texel:?}");
    }

    let mut coloured = plain.clone();
    coloured.meshes[0].primitives[0].colors = Some(vec![[0.0, 1.0, 1.0, 1.0]; 4]);
    assert_eq!(colour_of(&coloured, 16, 16), [0, 0, 255, 255], "vertex colours multiply");

    let mut glass = plain.clone();
    glass.materials[0].base_color = [1.0, 0.0, 0.0, 0.5];
    assert_eq!(colour_of(&glass, 16, 16), [255, 0, 0, 255], "opaque materials ignore alpha");
    glass.materials[0].alpha = AlphaMode::Mask(0.6);
    let background = colour_of(&Model::default(), 16, 16);
    assert_eq!(colour_of(&glass, 16, 16), background, "below the cutoff is a hole");
    glass.materials[0].alpha = AlphaMode::Blend;
    let [red, green, ..] = colour_of(&glass, 16, 16);
    assert!(red > background[0] && green < background[1] && green > 0, "red glass is {red}, {green}");
    studio.close();
}

#[test]
fn lines_and_points_are_drawn_too() {
    let mut studio = Studio::open();
    // A transparent background leaves out rims.
    let mut scene = from("front", [32, 32]);
    scene.look.background = Background::Transparent;
    for (topology, indices) in [(Topology::Lines, vec![0, 2, 1, 3]), (Topology::Points, vec![0, 1, 2, 3])] {
        let mut model = square(DMat4::from_quat(DQuat::from_rotation_y(0.3)), matte());
        model.meshes[0].primitives[0].topology = topology;
        model.meshes[0].primitives[0].indices = indices;
        let image = studio.draw(&model, &scene);
        let pixels = image.rgba.chunks_exact(4).filter(|pixel| pixel[3] > 0).count();
        assert!((4..200).contains(&pixels), "{topology:?}: {pixels} pixels");

        // Without normals there is no lighting, only base colour and emission.
        model.meshes[0].primitives[0].normals = None;
        model.materials[0].base_color = [1.0, 0.0, 0.0, 1.0];
        model.materials[0].emissive = [0.0, 1.0, 0.0];
        let image = studio.draw(&model, &scene);
        let colours = image.rgba.chunks_exact(4).filter(|pixel| pixel[3] > 0);
        assert!(colours.clone().count() >= 4, "{topology:?} without normals are not drawn");
        for colour in colours {
            let yellow = colour[0] > 240 && colour[1] > 240 && colour[2] < 16;
            assert!(yellow, "{topology:?} without normals are {colour:?}, not yellow");
        }
    }
    studio.close();
}

/// A camera of the file in the place of the program's own viewpoint makes the same picture, also when a clip moved it
/// there.
#[test]
fn cameras_of_the_file_see_what_viewpoints_see() {
    let mut studio = Studio::open();
    let mut model = square(DMat4::from_rotation_y(0.5), matte());
    let front = from("front", [48, 36]);
    let Viewpoint::Orbit(orbit) = front.camera else { panic!("no look at the model") };
    let own = Camera::new(&orbit, &sinew::framing::hull(&model, &PoseChoice::Rest), front.size);
    let expected = studio.draw(&model, &front);

    // Half way through the clip the node is at the eye; its scale must not matter.
    let eye = own.view_from_world.inverse().w_axis.truncate();
    let node = model.rig.len();
    model.rig.names.push("eye".to_owned());
    model.rig.parents.push(None);
    model.rig.file_index.push(node as u32);
    model.rig.rest.push(LocalTransform::Trs {
        translation: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
        scale: DVec3::new(2.0, 3.0, 0.5),
    });
    model.clips = vec![Clip {
        name: String::new(),
        duration_secs: 2.0,
        channels: vec![Channel {
            node,
            property: Property::Translation,
            interpolation: Interpolation::Linear,
            times: vec![0.0, 2.0],
            values: [DVec3::ZERO, eye * 2.0].iter().flat_map(|v| v.to_array().map(|x| x as f32)).collect(),
        }],
    }];
    // The program's own value: see `FIELD_OF_VIEW_DEGREES`.
    let yfov_radians = 28.0_f64.to_radians();
    let near = own.clip_from_view.w_axis.z;
    let projection = |aspect| Projection::Perspective { yfov_radians, aspect, near, far: None };
    let in_file =
        |projection| vec![sinew::model::Camera { name: "".into(), file_index: 0, node, projection }];
    let through = Scene {
        camera: Viewpoint::InFile { camera: 0, given: "0".to_owned() },
        pose: PoseChoice::clip(0, 1.0),
        ..front.clone()
    };
    for aspect in [None, Some(0.5), Some(48.0 / 36.0)] {
        model.cameras = in_file(projection(aspect));
        let image = studio.draw(&model, &through);
        let off = image.rgba.iter().zip(&expected.rgba).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(off <= Some(1), "{aspect:?}: {off:?} levels off");
    }
    // Half a second earlier the camera is elsewhere, and a wider frame makes everything smaller.
    let start = Scene { pose: PoseChoice::clip(0, 0.5), ..through.clone() };
    assert!(studio.draw(&model, &start) != expected);
    model.cameras = in_file(projection(Some(3.0)));
    let smaller = studio.draw(&model, &through);
    let [small, large] = [&smaller, &expected].map(|image| {
        let covered = studio.covered(image);
        covered.iter().filter(|&&covered| covered).count()
    });
    assert!(small > 0 && small * 3 < large, "{small} of {large} pixels");
    studio.close();
}
