//! Rigs about skins: their joints, bind matrices and the nodes around them.

use serde_json::json;

use super::assembly::reorder_nodes;
use super::gltf::Gltf;
use super::tube::{BODY, Binds, JOINT, Tube, moved, turn};
use super::{CASE, File, LBS, OPEN, Recipe, TURNING};

const ORDER: (&str, &str) = (
    "The order of joints is defined by the skin.joints array and it MUST match the order of inverseBindMatrices accessor \
     elements (when the latter is present).",
    "glTF 2.0, 3.7.3.1",
);
const COUNT: (&str, &str) = (
    "The number of elements of the accessor referenced by inverseBindMatrices MUST be greater than or equal to the number of \
     joints elements.",
    "glTF 2.0, 3.7.3.1",
);
const NONE: (&str, &str) = (
    "When undefined, each matrix is a 4x4 identity matrix.",
    "glTF 2.0, Properties Reference, skin.inverseBindMatrices",
);
const SHAPE: (&str, &str) = (
    "The matrix defining how to pose the skin's geometry for use with the joints (also known as \"Bind Shape Matrix\") should \
     be premultiplied to mesh data or to Inverse Bind Matrices.",
    "glTF 2.0, 3.7.3.1",
);
const SKELETON: (&str, &str) = (
    "Although the skeleton property is not needed for computing skinning transforms, it may be used to provide a specific \
     \"pivot point\" for the skinned geometry.",
    "glTF 2.0, 3.7.3.1",
);
const ROOT: (&str, &str) = (
    "When a skin is referenced by a node within a scene, the common root MUST belong to the same scene.",
    "glTF 2.0, 3.7.3.2",
);
const IGNORED: (&str, &str) = (
    "Only the joint transforms are applied to the skinned mesh; the transform of the skinned mesh node MUST be ignored.",
    "glTF 2.0, 3.7.3.2",
);
const HIERARCHY: (&str, &str) = (
    "The joint hierarchy used for controlling skinned mesh pose is simply the node hierarchy, with each node designated as a \
     joint by a reference from the skin.joints array.",
    "glTF 2.0, 3.7.3.2",
);
const ATTACHED: (&str, &str) = (
    "A joint node MAY have other nodes attached to it, even a complete node sub graph with meshes.",
    "glTF 2.0, 3.7.3.2",
);
const GLOBAL: (&str, &str) = (
    "The global transformation matrix of a node is the product of the global transformation matrix of its parent node and its \
     own local transformation matrix.",
    "glTF 2.0, 3.5.3",
);

const OTHER_SKINS: &[&str] = &[
    "other-skin-0",
    "other-skin-1",
    "other-skin-2",
    "other-skin-3",
    "other-skin-4",
    "other-skin-5",
    "other-skin-6",
    "other-skin-7",
];

pub fn all() -> Vec<Recipe> {
    [binds(), mesh_nodes(), nodes(), roots()].into_iter().flatten().collect()
}

/// Inverse bind matrices.
fn binds() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "bind-none",
            tests: "a skin without inverse bind matrices",
            why: "They are the identity then, and not the inverses of the joints' rest pose.",
            source: NONE,
            file: File::Glb(|| Tube { binds: Binds::None, ..Tube::new(3, 2) }.file()),
            ..CASE
        },
        Recipe {
            name: "bind-extra",
            tests: "more inverse bind matrices than joints",
            why: "The accessor may be longer than the list of joints.",
            source: COUNT,
            file: File::Glb(|| {
                let matrices = [0.0, 0.375, 0.75, 1.125, 1.5, 0.0].map(|y| moved([0.0, 0.0 - y, 0.0]));
                Tube { binds: Binds::Given(matrices.concat()), ..Tube::new(4, 2) }.file()
            }),
            ..CASE
        },
        Recipe {
            name: "bind-shape",
            tests: "a mesh in centimetres with z up, which inverse bind matrices turn and scale",
            why: "Inverse bind matrices are any affine matrices. Normals need the whole matrix, bounds of the bind pose the \
                  product.",
            source: SHAPE,
            modes: TURNING,
            made_for: &[("lbs", &["skip-inverse-bind", "transposed", "swapped-order"])],
            file: File::Glb(shaped),
            ..CASE
        },
        Recipe {
            name: "bind-differs-from-rest",
            tests: "the rest pose of the nodes is not the bind pose, and there is no clip",
            why: "Without a clip, nodes stand as the file says, and the mesh follows them.",
            source: HIERARCHY,
            clip: None,
            times: &[0.0],
            modes: TURNING,
            made_for: &[("lbs", &["skip-inverse-bind"])],
            file: File::Glb(|| {
                let posed = Tube::new(3, 2);
                let mut file = posed.clone().still().file();
                for (joint, turns) in posed.joints.iter().enumerate().map(|(joint, of)| (joint, of.turns)) {
                    file.node(JOINT + joint)["rotation"] = json!(turns.map(|turns| turns[2]));
                }
                file
            }),
            ..CASE
        },
    ]
}

/// The node of the mesh.
fn mesh_nodes() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "mesh-node-moved",
            tests: "the mesh's node and the node above it are moved, turned and scaled",
            why: "The joints alone lead to the world.",
            source: IGNORED,
            made_for: &[("lbs", &["double-mesh-node", "in-mesh-space"])],
            file: File::Glb(|| {
                let mut file = Tube::new(3, 2).file();
                file.node(BODY)["translation"] = json!([0.5, -0.25, 1.0]);
                file.node(BODY)["rotation"] = json!(turn([1.0, 1.0, 0.0], 70.0));
                file.node(BODY)["scale"] = json!([2.0, 2.0, 2.0]);
                let holder = json!({"name": "holder", "translation": [0.25, 0.0, 0.0], "children": [BODY]});
                let holder = file.push("nodes", holder);
                file.json["scenes"][0]["nodes"] = json!([holder, JOINT]);
                file
            }),
            ..CASE
        },
        Recipe {
            name: "mesh-below-joint",
            tests: "the mesh's node is a child of a joint that the clip turns",
            why: "Applied twice, the joint's motion doubles.",
            source: IGNORED,
            made_for: &[("lbs", &["double-mesh-node", "in-mesh-space"])],
            file: File::Glb(|| {
                let mut file = Tube::new(3, 2).file();
                file.node(JOINT + 1)["children"] = json!([JOINT + 2, BODY]);
                file.json["scenes"][0]["nodes"] = json!([JOINT]);
                file
            }),
            ..CASE
        },
        Recipe {
            name: "joints-with-meshes",
            tests: "a joint that also has a mesh without a skin",
            why: "The attached mesh follows its joint's matrix, without the inverse bind matrix.",
            source: ATTACHED,
            file: File::Glb(|| {
                let mut tube = Tube { numbers: Some([0, 40]), ..Tube::new(3, 2) };
                let mut file = tube.file();
                tube = Tube { numbers: Some([28, 40]), ..Tube::with_rings(3, 3, 0) };
                tube.positions.iter_mut().flatten().for_each(|value| *value *= 0.5);
                let mesh = tube.add_mesh(&mut file, "sword");
                file.node(JOINT + 2)["mesh"] = json!(mesh);
                file
            }),
            ..CASE
        },
    ]
}

/// The joints among the nodes.
fn nodes() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "joints-permuted",
            tests: "the skin's joints are not in the order of the nodes",
            why: "Numbers in vertices and inverse bind matrices follow the skin's list.",
            source: ORDER,
            made_for: &[("lbs", &["wrong-node-order"])],
            file: File::Glb(|| Tube { skin_order: vec![2, 0, 3, 1], ..Tube::new(4, 2) }.file()),
            ..CASE
        },
        Recipe {
            name: "parents-after-children",
            tests: "every parent comes after its children in the list of nodes",
            why: "One loop over the nodes finds parents without a world matrix.",
            source: GLOBAL,
            made_for: &[("lbs", &["unsorted-parents"])],
            file: File::Glb(|| {
                let mut file = Tube::new(4, 2).file();
                reorder_nodes(&mut file, &[4, 3, 2, 1, 0]);
                file
            }),
            ..CASE
        },
        Recipe {
            name: "node-between-joints",
            tests: "a moving node between two joints is not a joint itself",
            why: "An engine that builds its skeleton of joints alone loses the node's motion.",
            source: HIERARCHY,
            file: File::Glb(|| {
                let mut tube = Tube { skin_order: vec![0, 1, 3], ..Tube::new(4, 2) };
                let near = |y: f64, at: f64| 1.0 / ((y - at).abs() + 0.25);
                tube.weigh(2, |y| vec![near(y, 0.1), near(y, 0.6), 0.0, near(y, 1.2)]);
                tube.file()
            }),
            ..CASE
        },
        Recipe {
            name: "two-skins",
            tests: "two meshes whose skins share joints, in another order and with other bind matrices",
            why: "One skeleton serves both skins, but each has its own matrices.",
            source: ORDER,
            made_for: &[("lbs", &["other-skin-0", "other-skin-1"])],
            file: File::Glb(two_skins),
            ..CASE
        },
        Recipe {
            name: "skins-eight",
            tests: "eight meshes with a skin each, on the same joints with other bind matrices",
            why: "An engine that keeps one list of matrices per skeleton poses all meshes by one skin's.",
            source: ORDER,
            made_for: &[("lbs", OTHER_SKINS)],
            file: File::Glb(eight_skins),
            ..CASE
        },
    ]
}

/// Nodes above the joints.
fn roots() -> Vec<Recipe> {
    let case = Recipe { source: SKELETON, ..CASE };
    vec![
        Recipe {
            name: "armature-moved",
            tests: "a node above the joints is moved, turned and scaled, as in files of Blender",
            why: "It is no joint, but its matrix reaches the world through the joints.",
            source: GLOBAL,
            modes: LBS,
            file: File::Glb(armature),
            ..case
        },
        Recipe {
            name: "skeleton-at-armature",
            tests: "skeleton names the moved node above the joints",
            why: "An engine that takes the skeleton's node for its origin loses that node's matrix.",
            file: File::Glb(|| {
                let mut file = armature();
                file.json["skins"][0]["skeleton"] = json!(JOINT + 3);
                file
            }),
            ..case
        },
        Recipe {
            name: "skeleton-at-joint",
            tests: "skeleton names the first joint, below a moved node",
            why: "The matrices above the skeleton's node count, too.",
            file: File::Glb(|| {
                let mut file = armature();
                file.json["skins"][0]["skeleton"] = json!(JOINT);
                file
            }),
            ..case
        },
        Recipe {
            name: "skin-outside-scene",
            tests: "the joints are not in the scene that draws the mesh",
            why: "Engines that instantiate the scene's nodes alone have no joints. Their matrices exist all the same.",
            source: ROOT,
            is_valid: false,
            modes: OPEN,
            file: File::Glb(|| {
                let mut file = Tube::new(3, 2).file();
                file.json["scenes"][0]["nodes"] = json!([BODY]);
                file
            }),
            ..case
        },
    ]
}

/// A tube below a node that scales, turns and moves it, together with the mesh's node.
fn armature() -> Gltf {
    let mut file = Tube::new(3, 2).file();
    let node = json!({
        "name": "armature",
        "translation": [0.25, 0.5, -0.5],
        "rotation": turn([1.0, 0.0, 0.25], -60.0),
        "scale": [0.5, 0.5, 0.5],
        "children": [BODY, JOINT],
    });
    let node = file.push("nodes", node);
    file.json["scenes"][0]["nodes"] = json!([node]);
    file
}

/// A tube along z in centimetres, which its bind matrices turn upright.
fn shaped() -> Gltf {
    let mut tube = Tube::new(3, 2);
    let down = |[x, y, z]: [f32; 3], scale: f32| [scale * x, 0.0 - scale * z, scale * y];
    tube.positions.iter_mut().for_each(|position| *position = down(*position, 100.0));
    tube.normals.iter_mut().flatten().for_each(|normal| *normal = down(*normal, 1.0));
    let matrices = (0..3).flat_map(|joint| {
        let [x, y, z] = tube.place(joint).map(|value| 0.0 - value);
        [0.01, 0.0, 0.0, 0.0, 0.0, 0.0, -0.01, 0.0, 0.0, 0.01, 0.0, 0.0, x, y, z, 1.0]
    });
    tube.binds = Binds::Given(matrices.collect());
    tube.file()
}

fn two_skins() -> Gltf {
    let mut tube = Tube { numbers: Some([0, 56]), ..Tube::new(3, 2) };
    let mut file = tube.file();
    tube.numbers = Some([28, 56]);
    tube.skin_order = vec![2, 1, 0];
    // Its mesh lies elsewhere, and its bind matrices bring it beside the first.
    tube.positions.iter_mut().for_each(|position| position[0] += 2.0);
    let back = |joint: &usize| {
        let [x, y, z] = tube.place(*joint).map(|value| 0.0 - value);
        moved([x - 1.25, y, z])
    };
    tube.binds = Binds::Given(tube.skin_order.iter().flat_map(back).collect());
    let (mesh, skin) = (tube.add_mesh(&mut file, "sleeve"), tube.add_skin(&mut file));
    let node = file.push("nodes", json!({"name": "sleeve", "mesh": mesh, "skin": skin}));
    file.json["scenes"][0]["nodes"] = json!([BODY, node, JOINT]);
    file
}

/// Strips whose bind matrices spread them out around the joints.
fn eight_skins() -> Gltf {
    let first = Tube { numbers: Some([0, 64]), ..Tube::with_rings(2, 2, 2) };
    let mut file = first.file();
    let mut roots = vec![BODY, JOINT];
    for number in 1..8 {
        let away = 0.5 * number as f32;
        let back = |joint: &usize| moved(first.place(*joint).map(|value| 0.0 - value - 0.25 * away));
        let mut strip = Tube { numbers: Some([8 * number, 64]), ..first.clone() };
        strip.positions.iter_mut().for_each(|position| position[2] += away);
        strip.binds = Binds::Given(strip.skin_order.iter().flat_map(back).collect());
        let name = format!("strip-{number}");
        let (mesh, skin) = (strip.add_mesh(&mut file, &name), strip.add_skin(&mut file));
        roots.push(file.push("nodes", json!({"name": name, "mesh": mesh, "skin": skin})));
    }
    file.json["scenes"][0]["nodes"] = json!(roots);
    file
}
