//! Rigs about scenes and instances.

use serde_json::json;

use super::gltf::Gltf;
use super::tube::{BODY, JOINT, Tube};
use super::{CASE, EXTENSION, File, Recipe};

const SCENE: (&str, &str) = (
    "An additional root-level property, scene (note singular), identifies which of the scenes in the array SHOULD be displayed \
     at load time.",
    "glTF 2.0, 3.5.1",
);
const INSTANCE: (&str, &str) = (
    "A skin is instantiated within a node using a combination of the node's mesh and skin properties.",
    "glTF 2.0, 3.7.4",
);
const MESHES: (&str, &str) =
    ("The same mesh could be used by many nodes, which could have different transforms.", "glTF 2.0, 3.7.4");
const COPIES: (&str, &str) = (
    "WorldPosition = NodeWorldXform * InstanceXform * VertexPosition",
    "EXT_mesh_gpu_instancing, Transformation Order",
);
const PRIMITIVES: (&str, &str) = ("Meshes are defined as arrays of primitives.", "glTF 2.0, 3.7.2.1");

pub fn all() -> Vec<Recipe> {
    [nodes(), parts()].into_iter().flatten().collect()
}

/// Scenes, and nodes that share meshes.
fn nodes() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "scene-second",
            tests: "two scenes, of which the second is to be displayed",
            why: "The first has the same joints in another place, and no mesh of the suite.",
            source: SCENE,
            file: File::Glb(|| {
                let mut file = Tube::new(3, 2).file();
                let other = file.push("nodes", json!({"name": "other"}));
                file.push("scenes", json!({"nodes": [BODY, JOINT]}));
                file.json["scenes"][0] = json!({"nodes": [other]});
                file.json["scene"] = json!(1);
                file
            }),
            ..CASE
        },
        Recipe {
            name: "instances-same-skin",
            tests: "two nodes with the same mesh and skin, in different places",
            why: "Both are drawn where the joints are, one on the other.",
            source: MESHES,
            made_for: &[("lbs", &["double-mesh-node", "in-mesh-space"])],
            file: File::Glb(|| {
                let mut file = Tube::new(3, 2).file();
                let twin = json!({"name": "twin", "mesh": 0, "skin": 0, "translation": [1.0, 0.0, 0.0]});
                let twin = file.push("nodes", twin);
                file.json["scenes"][0]["nodes"] = json!([BODY, twin, JOINT]);
                file
            }),
            ..CASE
        },
        Recipe {
            name: "instances-two-skins",
            tests: "one mesh on two skeletons",
            why: "Vertices are shared, and each node's skin poses them.",
            source: INSTANCE,
            file: File::Glb(two_skeletons),
            ..CASE
        },
    ]
}

/// Copies and primitives.
fn parts() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "instances-gpu",
            tests: "copies by EXT_mesh_gpu_instancing of a mesh without a skin, which hangs on a joint",
            why: "Each copy's transform comes first, then the joint's.",
            source: COPIES,
            modes: EXTENSION,
            file: File::Glb(copies),
            ..CASE
        },
        Recipe {
            name: "primitives-two",
            tests: "a mesh of two primitives with different numbers of influences",
            why: "Each primitive has its own attributes, and one skin serves both.",
            source: PRIMITIVES,
            file: File::Glb(|| {
                let mut tube = Tube { numbers: Some([0, 56]), ..Tube::new(4, 2) };
                let mut file = tube.file();
                tube = Tube { numbers: Some([28, 56]), ..Tube::new(4, 4) };
                tube.positions.iter_mut().for_each(|[x, _, z]| (*x, *z) = (0.5 * *x, 0.5 * *z));
                let second = tube.add_mesh(&mut file, "second");
                let primitive = file.json["meshes"][second]["primitives"][0].take();
                file.json["meshes"] = json!([file.json["meshes"][0]]);
                let list =
                    file.json["meshes"][0]["primitives"].as_array_mut().expect("a mesh has primitives");
                list.push(primitive);
                file
            }),
            ..CASE
        },
    ]
}

/// A second chain of joints beside the first, which turns the other way.
fn two_skeletons() -> Gltf {
    let mut tube = Tube::new(2, 2);
    let other = tube.joints.clone();
    for (number, mut joint) in other.into_iter().enumerate() {
        joint.name = format!("other-{number}");
        joint.parent = joint.parent.map(|parent| parent + 2);
        joint.translation[0] = if number == 0 { 1.0 } else { 0.0 };
        joint.turns = joint.turns.map(|keys| keys.map(|[x, y, z, w]| [-x, -y, -z, w]));
        tube.joints.push(joint);
    }
    let mut file = tube.file();
    let binds = file.json["skins"][0]["inverseBindMatrices"].clone();
    let skin = json!({"joints": [JOINT + 2, JOINT + 3], "inverseBindMatrices": binds});
    let skin = file.push("skins", skin);
    let twin = file.push("nodes", json!({"name": "twin", "mesh": 0, "skin": skin}));
    file.json["scenes"][0]["nodes"] = json!([BODY, twin, JOINT, JOINT + 2]);
    file
}

/// A skinned tube, and three copies of a small one on its last joint.
fn copies() -> Gltf {
    let mut file = Tube { numbers: None, ..Tube::new(3, 2) }.file();
    let mut leaf = Tube::with_rings(3, 3, 0);
    leaf.positions.iter_mut().flatten().for_each(|value| *value *= 0.25);
    let mesh = leaf.add_mesh(&mut file, "leaf");
    let places = [[0.5, 0.0, 0.0], [0.0, 0.25, 0.5], [-0.5, 0.5, 0.0]];
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turns = [[0.0, 0.0, 0.0, 1.0], [half, 0.0, 0.0, half], [0.0, 0.0, half, half]];
    let translation = file.floats("VEC3", places.as_flattened());
    let rotation = file.floats("VEC4", turns.as_flattened());
    let attributes = json!({"TRANSLATION": translation, "ROTATION": rotation});
    let extensions = json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    let node = file.push("nodes", json!({"name": "leaf", "mesh": mesh, "extensions": extensions}));
    file.node(JOINT + 2)["children"] = json!([node]);
    file.extension("EXT_mesh_gpu_instancing", true);
    file
}
