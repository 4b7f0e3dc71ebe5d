//! Rigs about morph targets, which move a vertex before its joints do.

use serde_json::json;

use super::assembly::animate;
use super::gltf::Gltf;
use super::tube::{BODY, TIMES, Tube};
use super::{CASE, File, Recipe, TURNING};

const FIRST: (&str, &str) = (
    "Displacements for POSITION, NORMAL, and TANGENT attributes MUST be applied before any transformation matrices affecting \
     the mesh vertices such as skinning or node transforms.",
    "glTF 2.0, 3.7.2.2",
);
const NODE: (&str, &str) = (
    "When an instantiated mesh has morph targets, it MUST use morph weights specified with the node.weights property.",
    "glTF 2.0, 3.7.4",
);
const KEPT: (&str, &str) = (
    "Attributes present in the base mesh primitive but not included in a given morph target MUST retain their original values \
     for the morph target.",
    "glTF 2.0, 3.7.2.2",
);
const FRAMES: (&str, &str) = (
    "These scalar sequences MUST lie end-to-end as a single stream in the output accessor, whose final size is equal to the \
     number of morph targets times the number of animation frames.",
    "glTF 2.0, 3.11",
);

pub fn all() -> Vec<Recipe> {
    let made_for: &[(&str, &[&str])] = &[("lbs", &["morphs-after", "no-morphs"])];
    let case = Recipe { source: FIRST, made_for, ..CASE };
    vec![
        Recipe {
            name: "morph-then-skin",
            tests: "a morph target with the mesh's weight, on a mesh that its joints bend",
            why: "Added after skinning, the displacement points the wrong way.",
            modes: TURNING,
            file: File::Glb(|| {
                let mut file = morphed(&[[0.25, 0.125, 0.0]], false);
                file.json["meshes"][0]["weights"] = json!([0.75]);
                file
            }),
            ..case
        },
        Recipe {
            name: "morph-node-weights",
            tests: "weights of the node, which differ from those of the mesh",
            why: "The node's weights come before the mesh's.",
            source: NODE,
            file: File::Glb(|| {
                let mut file = morphed(&[[0.25, 0.0, 0.0], [0.0, 0.125, 0.25]], false);
                file.json["meshes"][0]["weights"] = json!([1.0, 0.0]);
                file.node(BODY)["weights"] = json!([0.25, 1.5]);
                file
            }),
            ..case
        },
        Recipe {
            name: "morph-animated",
            tests: "a clip that moves the weights of two targets while joints bend",
            why: "Weights of all targets lie end to end in one accessor, key by key.",
            source: FRAMES,
            file: File::Glb(|| {
                let mut file = morphed(&[[0.25, 0.0, 0.0], [0.0, 0.125, 0.25]], false);
                let weights = [0.0, 1.0, 0.5, 0.25, 1.0, -0.5];
                animate(&mut file, 0, (BODY, "weights"), &TIMES, &weights, "LINEAR");
                file
            }),
            ..case
        },
        Recipe {
            name: "morph-normals",
            tests: "one target that moves normals, and one that does not",
            why: "Displaced normals are normalised after the sum, and a target without normals keeps them.",
            source: KEPT,
            file: File::Glb(|| {
                let mut file = morphed(&[[0.25, 0.125, 0.0], [0.0, 0.125, 0.25]], true);
                file.json["meshes"][0]["weights"] = json!([0.75, 0.5]);
                file
            }),
            ..case
        },
    ]
}

/// A tube with targets that push its vertices along these ways, the more the higher they are. The first target may turn
/// normals, too.
fn morphed(ways: &[[f32; 3]], has_normals: bool) -> Gltf {
    let tube = Tube::new(3, 2);
    let mut file = tube.file();
    let mut targets = Vec::new();
    for (number, way) in ways.iter().enumerate() {
        let deltas: Vec<f32> = tube
            .positions
            .iter()
            .flat_map(|[x, y, _]| way.map(|value| value * (0.5 + y) * if *x < 0.0 { -0.5 } else { 1.0 }))
            .collect();
        let mut target = json!({"POSITION": file.bounded("VEC3", &deltas)});
        if has_normals && number == 0 {
            let deltas = tube.positions.iter().flat_map(|[_, y, z]| [0.25 * y, -0.5, *z]);
            target["NORMAL"] = json!(file.floats("VEC3", &deltas.collect::<Vec<f32>>()));
        }
        targets.push(target);
    }
    file.primitive()["targets"] = json!(targets);
    file.json["meshes"][0]["weights"] = json!(vec![0.0; ways.len()]);
    file
}
