//! Rigs about what joints do: turns by half and whole revolutions, scale, and nodes with matrices.

use serde_json::json;

use super::assembly::animate;
use super::gltf::Gltf;
use super::tube::{JOINT, TIMES, Tube, turn};
use super::{CASE, File, LBS, Recipe, SCALING, TURNING};

const COMPOSED: (&str, &str) = (
    "To compose the local transformation matrix, TRS properties MUST be converted to matrices and postmultiplied in the T * R \
     * S order; first the scale is applied to the vertices, then the rotation, and then the translation.",
    "glTF 2.0, 3.5.3",
);
const GLOBAL: (&str, &str) = (
    "The global transformation matrix of a node is the product of the global transformation matrix of its parent node and its \
     own local transformation matrix.",
    "glTF 2.0, 3.5.3",
);
const LOCAL: (&str, &str) = (
    "Any node MAY define a local space transform either by supplying a matrix property, or any of translation, rotation, and \
     scale properties (also known as TRS properties).",
    "glTF 2.0, 3.5.3",
);
const ZERO: (&str, &str) = (
    "Skinned meshes must not use this optimization unless all of the joints in the skin are scaled to zero simultaneously.",
    "glTF 2.0, 3.5.3",
);
const WINDING: (&str, &str) = (
    "Switching the winding order to clockwise enables mirroring geometry via negative scale transforms.",
    "glTF 2.0, 3.7.4",
);
const BLEND: (&str, &str) = (
    "Then, the per-vertex transformation matrices are computed as weighted linear sums of the joint transformation matrices.",
    "glTF 2.0, 3.7.3.3",
);

pub fn all() -> Vec<Recipe> {
    [turns(), scales(), matrices()].into_iter().flatten().collect()
}

/// Twists about the tube's axis.
fn turns() -> Vec<Recipe> {
    let case = Recipe { source: BLEND, modes: TURNING, ..CASE };
    vec![
        Recipe {
            name: "twist-179.9",
            tests: "a twist by 90° and by 179.9°",
            why: "Linear blending all but collapses the tube, which makes normals sensitive. Dual quaternions keep it.",
            made_for: &[("lbs", &["weights-u8-alone"]), ("dqs", &["no-normalise"])],
            file: File::Glb(|| twist([0.0, 90.0, 179.9])),
            ..case
        },
        Recipe {
            name: "twist-180",
            tests: "a twist by 90° and by 180°",
            why: "Both ways round are equally short, so dual quaternions are not judged here.",
            modes: LBS,
            file: File::Glb(|| twist([0.0, 90.0, 180.0])),
            ..case
        },
        Recipe {
            name: "twist-180.1",
            tests: "a twist by 90° and by 180.1°",
            why: "Dual quaternions turn the other way round from 180° on.",
            made_for: &[("dqs", &["no-normalise"])],
            file: File::Glb(|| twist([0.0, 90.05, 180.1])),
            ..case
        },
        Recipe {
            name: "twist-359",
            tests: "a twist by 179.5° and by 359°",
            why: "359° forwards is 1° backwards for every mode: a joint's matrix does not count revolutions.",
            file: File::Glb(|| twist([0.0, 179.5, 359.0])),
            ..case
        },
        Recipe {
            name: "bend-opposite-signs",
            tests: "four joints that turn by more than half a revolution against each other",
            why: "Which quaternion's sign leads decides how dual quaternions blend. The heaviest influence's does here.",
            made_for: &[("dqs", &["no-antipodal"])],
            file: File::Glb(|| {
                let mut tube = Tube::new(4, 3).still();
                for (joint, degrees) in [(0, 160.0), (1, 130.0), (2, -150.0), (3, 140.0)] {
                    let axis = if joint % 2 == 0 { [0.0, 1.0, 0.25] } else { [0.25, 1.0, 0.5] };
                    let keys = [0.0, 0.5, 1.0].map(|part| turn(axis, part * degrees));
                    tube.joints[joint].turns = Some(keys);
                }
                tube.file()
            }),
            ..case
        },
        Recipe {
            name: "bend-pivot",
            tests: "joints turned to 0°, 100° and 200°, of which neither the lowest nor the first in the file is the heaviest",
            why: "Each of them as the leader makes other signs of the quaternions, and so does their sum so far.",
            made_for: &[("dqs", &["no-antipodal", "pivot-lowest", "pivot-sum"])],
            file: File::Glb(|| {
                let mut tube = Tube::new(3, 3).still();
                let keys = [0.0, 50.0, 100.0].map(|degrees| turn([0.25, 1.0, 0.5], degrees));
                tube.joints[1].turns = Some(keys);
                tube.joints[2].turns = Some(keys);
                tube.weigh(3, |y| vec![0.25, 0.375, 0.5 + 0.25 * y]);
                tube.influences
                    .iter_mut()
                    .for_each(|of| of.sort_by_key(|(joint, _)| [1, 0, 2][usize::from(*joint)]));
                tube.file()
            }),
            ..case
        },
    ]
}

/// Two joints, of which the upper one turns about the axis. No weight is near a half, where half a turn flattens the tube.
fn twist(degrees: [f64; 3]) -> Gltf {
    let mut tube = Tube::new(2, 2).turning(1, [0.0, 1.0, 0.0], degrees);
    tube.weigh(2, |y| {
        let upper = (y / 1.5 * 6.0 + 0.4) / 7.0;
        vec![1.0 - upper, upper]
    });
    tube.file()
}

fn scales() -> Vec<Recipe> {
    let case = Recipe { source: COMPOSED, modes: SCALING, ..CASE };
    vec![
        Recipe {
            name: "scale-uniform",
            tests: "a joint that grows, with a joint below it",
            why: "Scale moves what hangs on a joint, too.",
            made_for: &[("lbs", &["node-scale-ignored", "scale-dropped"]), ("dqs", &["scale-dropped"])],
            file: File::Glb(|| scaled(1, [[1.0; 3], [1.25; 3], [1.5; 3]])),
            ..case
        },
        Recipe {
            name: "scale-non-uniform",
            tests: "the last joint stretches along one axis and shrinks along others",
            why: "Normals need the inverse transpose of the blended matrix.",
            made_for: &[("lbs", &["node-scale-ignored", "plain-normals"]), ("dqs", &["scale-after"])],
            file: File::Glb(|| scaled(2, [[1.0; 3], [1.25, 1.0, 0.75], [1.5, 0.75, 0.5]])),
            ..case
        },
        Recipe {
            name: "scale-shear",
            tests: "a joint that turns below one with unequal scale",
            why: "The product shears. No rotation and scale describe it, so engines that take matrices apart lose it.",
            source: GLOBAL,
            made_for: &[("lbs", &["node-scale-ignored", "scale-dropped", "plain-normals"])],
            file: File::Glb(|| scaled(1, [[1.0; 3], [1.25, 1.5, 0.75], [1.5, 2.0, 0.5]])),
            ..case
        },
        Recipe {
            name: "scale-negative",
            tests: "the first joint mirrors the whole figure",
            why: "Mirrored triangles turn their winding, and normals must still point outwards.",
            source: WINDING,
            made_for: &[("lbs", &["node-scale-ignored", "scale-dropped"])],
            file: File::Glb(|| scaled(0, [[-1.0, 1.0, 1.0]; 3])),
            ..case
        },
        Recipe {
            name: "scale-zero",
            tests: "the last joint shrinks to a point",
            why: "Its inverse does not exist, and the rest of the mesh must still be drawn. No vertex is its alone.",
            source: ZERO,
            modes: LBS,
            made_for: &[("lbs", &["node-scale-ignored"])],
            file: File::Glb(|| scaled(2, [[1.0; 3], [0.5; 3], [0.0; 3]])),
            ..case
        },
    ]
}

/// A tube that bends while a joint scales.
fn scaled(joint: usize, scales: [[f32; 3]; 3]) -> Gltf {
    let mut file = Tube::new(3, 2).file();
    animate(&mut file, 0, (JOINT + joint, "scale"), &TIMES, scales.as_flattened(), "LINEAR");
    file
}

fn matrices() -> Vec<Recipe> {
    vec![Recipe {
        name: "node-matrices",
        tests: "nodes with matrices instead of translation, rotation and scale, joints among them",
        why: "Matrices are stored by columns. A clip may move the other joints only.",
        source: LOCAL,
        file: File::Text(|| {
            let mut tube = Tube::new(3, 2);
            tube.joints[0].turns = None;
            tube.joints[2].turns = None;
            let mut file = tube.file();
            for (node, axis, degrees, [x, y, z]) in [
                (JOINT, [0.0, 0.0, 1.0], 40.0, [0.25, 0.125, 0.0]),
                (JOINT + 2, [1.0, 0.5, 0.0], 65.0, [0.0, 0.5, 0.0]),
            ] {
                let [a, b, c] = columns(axis, degrees).map(|column| column.map(|value| 1.25 * value));
                let matrix = [
                    [a[0], a[1], a[2], 0.0],
                    [b[0], b[1], b[2], 0.0],
                    [c[0], c[1], c[2], 0.0],
                    [x, y, z, 1.0],
                ];
                let object = file.node(node).as_object_mut().expect("a node is an object");
                object.remove("translation");
                object.insert("matrix".into(), json!(matrix.as_flattened()));
            }
            file
        }),
        ..CASE
    }]
}

/// The columns of a rotation's matrix.
fn columns(axis: [f64; 3], degrees: f64) -> [[f32; 3]; 3] {
    let [x, y, z, w] = turn(axis, degrees).map(f64::from);
    let columns = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    columns.map(|column| column.map(|value| value as f32))
}
