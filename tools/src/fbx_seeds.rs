//! Small FBX files with everything in them that sinew reads, for the fuzz target to begin with.

use crate::document::{Cluster, Document, Node, Value, property, vector};

/// A square of two materials, with texture coordinates.
pub const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\nusemtl a\nf 1/1/1 2/2/1 3/3/1\nusemtl \
    b\nf 1/1/1 3/3/1 4/1/1\n";

const SQUARE: [[f64; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
const TRIANGLES: [[i32; 3]; 2] = [[0, 1, 2], [1, 3, 2]];

/// Every seed with its name.
pub fn all() -> [(&'static str, Document); 5] {
    [
        ("skins", skins()),
        ("pivots", pivots()),
        ("shapes", shapes()),
        ("cameras", cameras_and_lights()),
        ("looks", looks()),
    ]
}

fn number(name: &str, value: f64) -> Node {
    property(name, "Number", [value.into()])
}

fn int(name: &str, value: i32) -> Node {
    property(name, "int", [value.into()])
}

/// A matrix that moves.
fn moved([x, y, z]: [f64; 3]) -> [f64; 16] {
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
}

/// Three ways to skin on two bones, of which one turns in a clip.
fn skins() -> Document {
    let mut document = Document::new();
    let low = document.node("low", "LimbNode", 0, vec![]);
    let high = document.node("high", "LimbNode", low, vec![vector("Lcl Translation", [0.0, 1.0, 0.0])]);
    for method in ["Linear", "DualQuaternion", "Blend"] {
        let node = document.node(method, "Mesh", 0, vec![]);
        let mesh = document.mesh(node, &SQUARE, &TRIANGLES);
        let cluster = |bone, at: [f64; 3], weights: Vec<(i32, f64)>| {
            let bone_from_mesh = moved(at.map(|x: f64| -x));
            Cluster { bone, weights, bone_from_mesh, world_from_bone: moved(at) }
        };
        let clusters = [
            cluster(low, [0.0; 3], vec![(0, 1.0), (1, 1.0), (2, 0.5)]),
            cluster(high, [0.0, 1.0, 0.0], vec![(2, 0.5), (3, 1.0)]),
        ];
        let shares = if method == "Blend" { &[(0, 0.25), (3, 0.75)][..] } else { &[] };
        document.skin(mesh, method, &clusters, shares);
    }
    let layer = document.clip("turn", 1.0);
    document.animate(layer, high, "Lcl Rotation", &[(0.0, [0.0; 3]), (1.0, [90.0, 0.0, 45.0])]);
    document.animate(layer, low, "Lcl Scaling", &[(0.25, [1.0; 3]), (0.5, [2.0, 1.0, 1.0])]);
    document
}

/// Nodes with pivots, each scaled in another way by the one above.
fn pivots() -> Document {
    let mut document = Document::new();
    document.axes = [(2, 1), (1, -1), (0, 1)];
    document.unit = 2.54;
    let mut parent = 0;
    for (number, inherit) in (0..).zip([1, 0, 2]) {
        let properties = vec![
            int("RotationActive", 1),
            int("RotationOrder", number),
            int("InheritType", inherit),
            vector("Lcl Translation", [1.0, 2.0, 3.0]),
            vector("Lcl Rotation", [10.0, 20.0, 30.0]),
            vector("Lcl Scaling", [1.0, 2.0, 0.5]),
            vector("PreRotation", [5.0, 0.0, 0.0]),
            vector("PostRotation", [0.0, 5.0, 0.0]),
            vector("RotationPivot", [0.5, 0.0, 0.0]),
            vector("ScalingPivot", [0.0, 0.5, 0.0]),
            vector("GeometricTranslation", [0.0, 0.0, 1.0]),
        ];
        parent = document.node(&format!("n{number}"), "Mesh", parent, properties);
        document.mesh(parent, &SQUARE, &TRIANGLES);
    }
    let layer = document.clip("scale", 0.5);
    document.animate(layer, parent, "Lcl Scaling", &[(0.0, [1.0; 3]), (0.5, [1.0, 3.0, 1.0])]);
    document
}

/// A mesh with two blend shapes, shown twice.
fn shapes() -> Document {
    let mut document = Document::new();
    let node = document.node("face", "Mesh", 0, vec![]);
    let mesh = document.mesh(node, &SQUARE, &TRIANGLES);
    document.shape(mesh, "smile", &[(0, [0.0, 0.0, 0.5]), (2, [0.0, 0.5, 0.0])], 50.0);
    document.shape(mesh, "frown", &[(3, [0.0, -0.5, 0.0])], 0.0);
    let again = document.node("again", "Mesh", 0, vec![vector("Lcl Translation", [2.0, 0.0, 0.0])]);
    document.connect(mesh, again);
    document.node("hidden", "Mesh", again, vec![number("Visibility", 0.0)]);
    document
}

fn cameras_and_lights() -> Document {
    let mut document = Document::new();
    let eye = document.node("eye", "Camera", 0, vec![]);
    let lens = vec![
        int("ApertureMode", 1),
        number("FieldOfView", 30.0),
        number("NearPlane", 0.1),
        number("FarPlane", 9.0),
    ];
    document.attribute(eye, "Camera", lens);
    for kind in 0..3 {
        let node = document.node("light", "Light", eye, vec![vector("Lcl Translation", [0.0, 2.0, 0.0])]);
        let color = property("Color", "Color", [1.0, 0.5, 0.0].map(Value::from));
        let of = vec![int("LightType", kind), number("Intensity", 100.0), number("OuterAngle", 40.0), color];
        document.attribute(node, "Light", of);
    }
    document
}

/// A material with a picture in the file.
fn looks() -> Document {
    let mut document = Document::new();
    let node = document.node("mesh", "Mesh", 0, vec![]);
    document.mesh(node, &SQUARE, &TRIANGLES);
    let color = property("DiffuseColor", "Color", [0.5, 0.25, 1.0].map(Value::from));
    let look = vec![color, number("TransparencyFactor", 0.25), number("ShininessExponent", 20.0)];
    let material = document.material(node, "m", "phong", look);
    let png = crate::pictures::png(png::ColorType::Rgb, [2, 1], &[255, 0, 0, 0, 0, 255]);
    for property in ["DiffuseColor", "TransparentColor", "NormalMap"] {
        document.picture(material, property, "a.png", &png);
    }
    document
}
