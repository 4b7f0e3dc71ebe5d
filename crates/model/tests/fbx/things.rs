//! What hangs on nodes besides meshes: cameras, lights, materials with pictures in the file; and nodes that are hidden.

use glam::DVec3;
use sinew_model::{AlphaMode, LightKind, Model, Options, Projection, fbx};

use crate::document::{Document, Node, Value, property, vector};
use crate::sound::assert_sound_types;

const TRIANGLE: [[f64; 3]; 3] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

fn number(name: &str, value: f64) -> Node {
    property(name, "Number", [value.into()])
}

fn int(name: &str, value: i32) -> Node {
    property(name, "int", [value.into()])
}

/// The model of a file, which binary and ASCII agree on.
fn both(document: &Document) -> Model {
    let [binary, text] = [document.binary(), document.ascii()].map(|bytes| {
        let model = fbx::load_bytes(&bytes, None, &Options::default()).unwrap();
        assert_sound_types(&model);
        model
    });
    assert_eq!(format!("{:?}", binary.cameras), format!("{:?}", text.cameras));
    assert_eq!(format!("{:?}", binary.lights), format!("{:?}", text.lights));
    assert_eq!(format!("{:?}", binary.materials), format!("{:?}", text.materials));
    binary
}

/// Where a node's −z and y point in the world.
fn directions(model: &Model, node: usize) -> [DVec3; 2] {
    let mut world = glam::DMat4::IDENTITY;
    let mut at = Some(node);
    while let Some(node) = at {
        world = model.rig.rest[node].parent_from_node() * world;
        at = model.rig.parents[node].map(|parent| parent as usize);
    }
    [DVec3::NEG_Z, DVec3::Y].map(|direction| world.transform_vector3(direction).normalize())
}

#[test]
fn cameras_look_along_x_of_their_node() {
    let mut document = Document::new();
    let ahead = document.node("ahead", "Camera", 0, vec![]);
    // An aperture mode of 1: the angle is the vertical one.
    let lens = |more: Vec<Node>| {
        let common = [int("ApertureMode", 1), number("NearPlane", 0.5), number("FarPlane", 40.0)];
        common.into_iter().chain(more).collect()
    };
    document.attribute(ahead, "Camera", lens(vec![number("FieldOfView", 30.0)]));
    let turned = document.node("turned", "Camera", 0, vec![vector("Lcl Rotation", [0.0, 90.0, 0.0])]);
    let flat = lens(vec![int("CameraProjectionType", 1), number("OrthoZoom", 2.0)]);
    document.attribute(turned, "Camera", flat);
    document.unit = 1.0;
    let model = both(&document);
    let [first, second] = &model.cameras[..] else { panic!("{:?}", model.cameras) };
    let Projection::Perspective { yfov_radians, near, far, .. } = first.projection else {
        panic!("{first:?}")
    };
    assert!((yfov_radians.to_degrees() - 30.0).abs() < 1e-9);
    // In metres, of a file in centimetres.
    assert!((near - 0.005).abs() < 1e-12 && (far.unwrap() - 0.4).abs() < 1e-12);
    let Projection::Orthographic { half_height, .. } = second.projection else { panic!("{second:?}") };
    assert!(half_height > 0.0);
    for (camera, ahead) in [(first, DVec3::X), (second, DVec3::NEG_Z)] {
        let [looks, up] = directions(&model, camera.node);
        assert!(looks.distance(ahead) < 1e-12 && up.distance(DVec3::Y) < 1e-12, "{looks} {up}");
    }
}

#[test]
fn lights_shine_down_their_node() {
    let mut document = Document::new();
    let mut light = |name: &str, properties: Vec<Node>, intensity: f64, kind: i32| {
        let node = document.node(name, "Light", 0, properties);
        let color = property("Color", "Color", [1.0, 0.5, 0.0].map(Value::from));
        let angles = [number("InnerAngle", 20.0), number("OuterAngle", 60.0)];
        let of = [int("LightType", kind), number("Intensity", intensity), color].into_iter().chain(angles);
        document.attribute(node, "Light", of.collect());
    };
    light("sun", vec![vector("Lcl Rotation", [0.0, 0.0, 90.0])], 100.0, 1);
    light("lamp", vec![vector("Lcl Translation", [0.0, 2.0, 0.0])], 50.0, 0);
    light("spot", vec![], 100.0, 2);
    light("off", vec![], 0.0, 1);
    let model = both(&document);
    let names: Vec<&str> = model.lights.iter().map(|light| &*light.name).collect();
    assert_eq!(names, ["Light", "Light", "Light"]);
    let [sun, lamp, spot] = &model.lights[..] else { panic!() };
    assert_eq!(sun.kind, LightKind::Directional);
    // −y, turned by 90° about z, is x.
    assert!(directions(&model, sun.node)[0].distance(DVec3::X) < 1e-12);
    assert_eq!(sun.color, [1.0, 0.5, 0.0]);
    let pi = std::f64::consts::PI;
    assert!((f64::from(sun.intensity) - pi).abs() < 1e-6);
    // Half as bright, and as bright from two metres away.
    assert_eq!(lamp.kind, LightKind::Point);
    assert!((f64::from(lamp.intensity) - 0.5 * pi * 4.0).abs() < 1e-5);
    let LightKind::Spot { inner_cone_radians, outer_cone_radians } = spot.kind else { panic!("{spot:?}") };
    assert!((inner_cone_radians - 10f32.to_radians()).abs() < 1e-6);
    assert!((outer_cone_radians - 30f32.to_radians()).abs() < 1e-6);
    assert!(directions(&model, spot.node)[0].distance(DVec3::NEG_Y) < 1e-12);
}

#[test]
fn materials_are_metal_rough() {
    let mut document = Document::new();
    let node = document.node("mesh", "Mesh", 0, vec![]);
    document.mesh(node, &TRIANGLE, &[[0, 1, 2]]);
    let color = |name: &str, rgb: [f64; 3]| property(name, "Color", rgb.map(Value::from));
    let look = vec![
        color("DiffuseColor", [0.5, 0.25, 1.0]),
        number("DiffuseFactor", 0.5),
        color("TransparentColor", [1.0; 3]),
        number("TransparencyFactor", 0.25),
        color("EmissiveColor", [0.0, 1.0, 0.0]),
        number("EmissiveFactor", 0.5),
    ];
    document.material(node, "glass", "lambert", look);
    let model = both(&document);
    let [glass] = &model.materials[..] else { panic!() };
    assert_eq!(model.meshes[0].primitives[0].material, Some(0));
    assert_eq!((glass.name.as_str(), glass.base_color), ("glass", [0.25, 0.125, 0.5, 0.75]));
    assert_eq!((glass.alpha, glass.emissive), (AlphaMode::Blend, [0.0, 0.5, 0.0]));
    assert_eq!(glass.metallic, 0.0);
}

#[test]
fn pictures_in_the_file_are_shown() {
    let mut document = Document::new();
    let node = document.node("mesh", "Mesh", 0, vec![]);
    document.mesh(node, &TRIANGLE, &[[0, 1, 2]]);
    let material = document.material(node, "m", "lambert", vec![]);
    let png = crate::pictures::png(png::ColorType::Rgb, [2, 1], &[255, 0, 0, 0, 0, 255]);
    document.picture(material, "DiffuseColor", "elsewhere/a.png", &png);
    let model = fbx::load_bytes(&document.binary(), None, &Options::default()).unwrap();
    assert_sound_types(&model);
    assert_eq!(model.warnings, []);
    let texture = model.materials[0].base_color_texture.as_ref().unwrap();
    let picture = model.pictures[texture.picture].as_ref().unwrap();
    assert_eq!((picture.width, picture.height), (2, 1));
    assert_eq!(picture.rgba, [255, 0, 0, 255, 0, 0, 255, 255]);
    // One that is broken is left out, in one warning.
    let mut broken = Document::new();
    let node = broken.node("mesh", "Mesh", 0, vec![]);
    broken.mesh(node, &TRIANGLE, &[[0, 1, 2]]);
    let material = broken.material(node, "m", "lambert", vec![]);
    broken.picture(material, "DiffuseColor", "a.png", &png[..20]);
    let model = fbx::load_bytes(&broken.binary(), None, &Options::default()).unwrap();
    assert_eq!((model.warnings.len(), model.materials[0].base_color_texture.is_none()), (1, true));
}

#[test]
fn hidden_nodes_hide_what_hangs_on_them() {
    let mut document = Document::new();
    let hidden = number("Visibility", 0.0);
    let shown = document.node("shown", "Mesh", 0, vec![]);
    let mesh = document.mesh(shown, &TRIANGLE, &[[0, 1, 2]]);
    let off = document.node("off", "Null", 0, vec![hidden]);
    let below = document.node("below", "Mesh", off, vec![]);
    document.connect(mesh, below);
    let again = document.node("again", "Mesh", 0, vec![]);
    document.connect(mesh, again);
    let model = both(&document);
    let names: Vec<&str> =
        model.instances.iter().map(|instance| model.rig.names[instance.node].as_str()).collect();
    assert_eq!((model.meshes.len(), names), (1, vec!["shown", "again"]));
}

#[test]
fn limits_of_angles_are_kept_where_rotation_is_active() {
    let mut document = Document::new();
    let knee = |active: i32, least: f64| {
        vec![
            int("RotationActive", active),
            int("RotationOrder", 1),
            vector("PreRotation", [0.0, 0.0, 90.0]),
            vector("RotationMin", [least, 5.0, -60.0]),
            vector("RotationMax", [120.0, 0.0, 45.0]),
            int("RotationMinX", 1),
            int("RotationMaxX", 1),
            int("RotationMaxZ", 1),
        ]
    };
    document.node("knee", "LimbNode", 0, knee(1, 0.0));
    document.node("inactive", "LimbNode", 0, knee(0, 0.0));
    // The least angle is above the largest: that is no limit.
    document.node("turned round", "LimbNode", 0, knee(1, 130.0));
    document.node("free", "LimbNode", 0, vec![int("RotationActive", 1)]);
    document.node("broken", "LimbNode", 0, knee(1, f64::NAN));
    let model = both(&document);
    let node = |name: &str| model.rig.names.iter().position(|known| known == name).unwrap();
    assert_eq!(model.rig.limits.keys().copied().collect::<Vec<_>>(), [node("knee")]);
    let limits = model.rig.limits[&node("knee")];
    let degrees = |angle: f64| angle.to_radians();
    assert_eq!(limits.least, DVec3::new(0.0, f64::NEG_INFINITY, f64::NEG_INFINITY));
    assert_eq!(limits.most, DVec3::new(degrees(120.0), f64::INFINITY, degrees(45.0)));
    // FBX calls this order XZY: x comes first, and y last, which is on the left of the product.
    assert_eq!(limits.order, glam::EulerRot::YZX);
    assert!(limits.before.angle_between(glam::DQuat::from_rotation_z(degrees(90.0))) < 1e-9);
    assert!(limits.after.angle_between(glam::DQuat::IDENTITY) < 1e-9);
    // The rest rotation is made of the same parts, with all angles at 0.
    let sinew_model::LocalTransform::Trs { rotation, .. } = model.rig.rest[node("knee")] else {
        panic!("a matrix")
    };
    assert!((limits.before * limits.after).angle_between(rotation) < 1e-9);
}
