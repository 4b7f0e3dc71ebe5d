//! Rigs as FBX, which states a skinning method for each skin.

use sinew_conformance::{Class, Part};

use super::document::{Cluster, Document, Node, Value, property, vector};
use super::tube::Tube;
use super::{CASE, EXTENSION, File, Recipe};

const WEIGHT: (&str, &str) = (
    "For each control point that the cluster acts on, the intensity of the cluster's action is modulated by a weight.",
    "FBX SDK 2014 reference, FbxCluster",
);
const DUAL: (&str, &str) = (
    "Convert the transformations to dual quaternions and blend in that space",
    "ufbx 0.11, ufbx.h, UFBX_SKINNING_METHOD_DUAL_QUATERNION",
);
const BLEND: (&str, &str) = (
    "Blend between UFBX_SKINNING_METHOD_LINEAR and UFBX_SKINNING_METHOD_BLENDED_DQ_LINEAR",
    "ufbx 0.11, ufbx.h, UFBX_SKINNING_METHOD_BLENDED_DQ_LINEAR",
);

pub fn all() -> Vec<Recipe> {
    [skins(), others()].into_iter().flatten().collect()
}

/// Skinning methods.
fn skins() -> Vec<Recipe> {
    let case = Recipe { source: WEIGHT, modes: EXTENSION, ..CASE };
    vec![
        Recipe {
            name: "fbx-linear",
            tests: "FBX, binary, with linear skinning",
            why: "The pose comes from Euler angles, and the bind pose from the clusters' matrices.",
            made_for: &[("lbs", &["skip-inverse-bind", "cut-1-renormalised"])],
            file: File::Fbx(|| fbx(&tube(3, 2), "Linear")),
            ..case
        },
        Recipe {
            name: "fbx-text",
            tests: "FBX as text",
            why: "The same model in the other form of the format.",
            file: File::FbxText(|| fbx(&tube(3, 2), "Linear")),
            ..case
        },
        Recipe {
            name: "fbx-influences-05",
            tests: "FBX with five influences a vertex",
            why: "FBX does not limit their number.",
            made_for: &[("lbs", &["cut-4-renormalised", "cut-4-unnormalised"])],
            file: File::Fbx(|| fbx(&tube(5, 5), "Linear")),
            ..case
        },
        Recipe {
            name: "fbx-dual-quaternion",
            tests: "FBX with dual quaternion skinning",
            why: "The file asks for it. An engine without it skins linearly.",
            source: DUAL,
            modes: &[("dqs", Class::Recommended)],
            made_for: &[("dqs", &["no-normalise"])],
            file: File::Fbx(|| fbx(&tube(3, 2), "DualQuaternion")),
            ..case
        },
        Recipe {
            name: "fbx-blend",
            tests: "FBX with a share between linear and dual quaternion skinning for each vertex",
            why: "Artists paint the share where one of the two looks wrong.",
            source: BLEND,
            modes: &[("blend", Class::Recommended)],
            file: File::Fbx(|| fbx(&tube(3, 2), "Blend")),
            ..case
        },
    ]
}

/// Shapes, units and scale.
fn others() -> Vec<Recipe> {
    let case = Recipe { source: WEIGHT, modes: EXTENSION, ..CASE };
    vec![
        Recipe {
            name: "fbx-morph",
            tests: "FBX with a blend shape at 75 % under a skin",
            why: "The shape comes first, as in glTF.",
            made_for: &[("lbs", &["morphs-after", "no-morphs"])],
            file: File::Fbx(|| {
                let tube = tube(3, 2);
                let mut document = Document::new();
                let mesh = add_tube(&mut document, &tube, "Linear", [1.0, 1.0]);
                let moved = |(vertex, [x, y, _]): (usize, &[f32; 3])| {
                    let way = if *x < 0.0 { -0.125 } else { 0.25 };
                    (vertex as i32, [way * (0.5 + f64::from(*y)), 0.125, 0.0])
                };
                let moved: Vec<(i32, [f64; 3])> = tube.positions.iter().enumerate().map(moved).collect();
                document.shape(mesh, "wide", &moved, 75.0);
                document
            }),
            ..case
        },
        Recipe {
            name: "fbx-centimetres",
            tests: "FBX in centimetres",
            why: "Positions, bones and bind matrices must be scaled alike.",
            file: File::Fbx(|| {
                let mut document = Document::new();
                document.unit = 1.0;
                add_tube(&mut document, &tube(3, 2), "Linear", [100.0, 1.0]);
                document
            }),
            ..case
        },
        Recipe {
            name: "fbx-scale",
            tests: "FBX with a bone that grows",
            why: "Bones below it inherit its scale.",
            made_for: &[("lbs", &["node-scale-ignored", "scale-dropped"])],
            file: File::Fbx(|| {
                let mut document = Document::new();
                add_tube(&mut document, &tube(3, 2), "Linear", [1.0, 1.5]);
                document
            }),
            ..case
        },
    ]
}

/// The primitive of every FBX rig.
pub fn part() -> Part {
    Part { node: "body".into(), mesh: "body".into(), primitive: 0, vertices: Tube::new(2, 1).positions.len() }
}

/// A tube whose triangles first use its vertices in their order. Readers that number vertices by use then agree with others.
fn tube(joints: usize, influences: usize) -> Tube {
    let mut tube = Tube::new(joints, influences);
    let mut order: Vec<u16> = Vec::new();
    for vertex in &tube.triangles {
        if !order.contains(vertex) {
            order.push(*vertex);
        }
    }
    let old = tube.clone();
    let of = |vertex: &u16| usize::from(*vertex);
    tube.positions = order.iter().map(|vertex| old.positions[of(vertex)]).collect();
    tube.normals = old.normals.map(|normals| order.iter().map(|vertex| normals[of(vertex)]).collect());
    tube.influences = order.iter().map(|vertex| old.influences[of(vertex)].clone()).collect();
    let new = |vertex: &mut u16| *vertex = order.iter().take_while(|known| *known != vertex).count() as u16;
    tube.triangles.iter_mut().for_each(new);
    tube
}

fn fbx(tube: &Tube, method: &str) -> Document {
    let mut document = Document::new();
    add_tube(&mut document, tube, method, [1.0, 1.0]);
    document
}

/// Adds the tube with lengths in a unit, and a clip in which the second bone grows; returns the mesh.
fn add_tube(document: &mut Document, tube: &Tube, method: &str, [unit, growth]: [f64; 2]) -> i64 {
    let long = |place: [f32; 3]| place.map(|value| f64::from(value) * unit);
    let mut bones: Vec<i64> = Vec::new();
    for joint in &tube.joints {
        let parent = joint.parent.map_or(0, |parent| bones[parent]);
        let place = vector("Lcl Translation", long(joint.translation));
        // A bone inherits all of its parent's matrix.
        let inherit = property("InheritType", "enum", [1.into()]);
        bones.push(document.node(&joint.name, "LimbNode", parent, vec![inherit, place]));
    }
    let node = document.node("body", "Mesh", 0, Vec::new());
    let positions: Vec<[f64; 3]> = tube.positions.iter().map(|position| long(*position)).collect();
    let triangles: Vec<[i32; 3]> =
        tube.triangles.as_chunks().0.iter().map(|corners: &[u16; 3]| corners.map(i32::from)).collect();
    let mesh = document.mesh_with(node, "body", &positions, &triangles, layers(tube));
    let clusters = tube.skin_order.iter().map(|joint| cluster(tube, *joint, bones[*joint], unit));
    let clusters: Vec<Cluster> = clusters.collect();
    let shares: Vec<(i32, f64)> = match method {
        "Blend" => {
            (0..tube.positions.len()).map(|vertex| (vertex as i32, [0.25, 0.5, 1.0][vertex % 3])).collect()
        }
        _ => Vec::new(),
    };
    document.skin(mesh, method, &clusters, &shares);

    let layer = document.clip("bend", 1.0);
    for (joint, bone) in bones.iter().enumerate() {
        let full = [[0.0, 30.0, 10.0], [15.0, 15.0, 60.0], [60.0, 30.0, -10.0]][joint % 3];
        let keys = [0.0, 0.5, 1.0].map(|part| (part, full.map(|degrees| part * degrees)));
        document.animate(layer, *bone, "Lcl Rotation", &keys);
    }
    if growth != 1.0 {
        let keys = [0.0, 0.5, 1.0].map(|part| (part, [1.0 + part * (growth - 1.0); 3]));
        document.animate(layer, bones[1], "Lcl Scaling", &keys);
    }
    mesh
}

/// The part of a joint in the skin.
fn cluster(tube: &Tube, joint: usize, bone: i64, unit: f64) -> Cluster {
    let [x, y, z] = tube.place(joint).map(|value| f64::from(value) * unit);
    let moved =
        |[x, y, z]: [f64; 3]| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0];
    let of = |(vertex, of): (usize, &Vec<(u16, f32)>)| {
        let (_, weight) = of.iter().find(|(known, _)| usize::from(*known) == joint)?;
        Some((vertex as i32, f64::from(*weight)))
    };
    Cluster {
        bone,
        weights: tube.influences.iter().enumerate().filter_map(of).collect(),
        bone_from_mesh: moved([-x, -y, -z]),
        world_from_bone: moved([x, y, z]),
    }
}

/// Normals and texture coordinates, a value for each corner.
fn layers(tube: &Tube) -> Vec<Node> {
    let normals = tube.normals.clone().unwrap_or_default();
    let count = tube.positions.len();
    let corners = || tube.triangles.iter().map(|vertex| usize::from(*vertex));
    let normals = corners().flat_map(|vertex| normals[vertex].map(f64::from)).collect();
    let texcoords = (0..count).flat_map(|vertex| [(vertex as f64 + 0.5) / count as f64, 0.5]).collect();
    let indices = corners().map(|vertex| vertex as i32).collect();
    let head = |reference: &str| {
        [
            Node::new("Version", [101.into()]),
            Node::new("Name", ["".into()]),
            Node::new("MappingInformationType", ["ByPolygonVertex".into()]),
            Node::new("ReferenceInformationType", [reference.into()]),
        ]
    };
    let used = |kind: &str| {
        Node::new("LayerElement", [])
            .with([Node::new("Type", [kind.into()]), Node::new("TypedIndex", [0.into()])])
    };
    vec![
        Node::new("LayerElementNormal", [0.into()])
            .with(head("Direct"))
            .with([Node::new("Normals", [Value::Reals(normals)])]),
        Node::new("LayerElementUV", [0.into()])
            .with(head("IndexToDirect"))
            .with([Node::new("UV", [Value::Reals(texcoords)]), Node::new("UVIndex", [Value::Ints(indices)])]),
        Node::new("Layer", [0.into()])
            .with([Node::new("Version", [100.into()])])
            .with([used("LayerElementNormal"), used("LayerElementUV")]),
    ]
}
