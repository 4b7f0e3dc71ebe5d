//! Models of any number of joints, influences, morph targets, triangles, nodes, copies or clips, as the bytes of `.glb`
//! files.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write;

use serde_json::{Value, json};

use crate::file::{File, glb};

const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;

/// A file whose long lists stand in for marks in its JSON, so that they need not be values.
struct Long {
    file: File,
    lists: Vec<(&'static str, String)>,
}

impl Long {
    fn new(json: Value) -> Self {
        Self { file: File::new(json), lists: Vec::new() }
    }

    /// Puts a list of so many elements in the place of a mark.
    fn list(&mut self, mark: &'static str, count: usize, element: impl Fn(&mut String, usize)) {
        let mut text = String::from("[");
        for number in 0..count {
            if number > 0 {
                text.push(',');
            }
            element(&mut text, number);
        }
        text.push(']');
        self.lists.push((mark, text));
    }

    fn glb(&self) -> Vec<u8> {
        let mut text = self.file.json.to_string();
        for (mark, list) in &self.lists {
            text = text.replacen(&format!("\"{mark}\""), list, 1);
        }
        glb(text.as_bytes(), &self.file.binary)
    }
}

/// A primitive of `count` triangles beside each other, `columns` in a row, whose vertices have these sets of joints and
/// weights. Positions and normals are such that each triangle is seen.
fn triangles(file: &mut File, count: usize, columns: usize) -> Value {
    let mut positions = Vec::with_capacity(count * 9);
    for number in 0..count {
        let [x, y] = [number % columns, number / columns].map(|at| at as f32);
        positions.extend([x, y, 0.0, x + 0.9, y, 0.0, x, y + 0.9, 0.0]);
    }
    let position = file.floats("VEC3", &positions);
    let [wide, high] = [columns.min(count) as f32, count.div_ceil(columns) as f32];
    file.json["accessors"][position]["min"] = json!([0, 0, 0]);
    file.json["accessors"][position]["max"] = json!([wide - 0.1, high - 0.1, 0]);
    json!({"attributes": {"POSITION": position}})
}

fn shorts(values: impl Iterator<Item = usize>) -> Vec<u8> {
    values.flat_map(|value| u16::try_from(value).unwrap().to_le_bytes()).collect()
}

/// A clip that turns a node by half a turn in a second.
fn turn(file: &mut File, node: usize) -> Value {
    let input = file.floats("SCALAR", &[0.0, 1.0]);
    file.json["accessors"][input]["min"] = json!([0]);
    file.json["accessors"][input]["max"] = json!([1]);
    let output = file.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    json!({"samplers": [{"input": input, "output": output}],
        "channels": [{"sampler": 0, "target": {"node": node, "path": "rotation"}}]})
}

/// A skin of `count` joints, all of which move vertices: a tree in which each joint has up to eight children, and a triangle
/// for each, which also follows up to three joints after it.
pub fn joints(count: usize) -> Vec<u8> {
    let columns = (count as f64).sqrt().ceil() as usize;
    let mut long = Long::new(json!({"asset": {"version": "2.0"}, "scene": 0, "nodes": "@nodes",
        "scenes": [{"nodes": [0, 1]}]}));
    let file = &mut long.file;
    let mut primitive = triangles(file, count, columns);
    let influences = count.min(4);
    let of_vertices = || (0..count * 3).map(|vertex| vertex / 3);
    let joint = |vertex: usize, slot: usize| if slot < influences { (vertex + slot) % count } else { 0 };
    let joints: Vec<usize> = of_vertices().flat_map(|at| (0..4).map(move |slot| joint(at, slot))).collect();
    let weights: Vec<f32> = of_vertices()
        .flat_map(|_| (0..4).map(|slot| if slot < influences { 1.0 / influences as f32 } else { 0.0 }))
        .collect();
    let bytes = shorts(joints.into_iter());
    primitive["attributes"]["JOINTS_0"] = file.accessor("VEC4", U16, false, count * 3, &bytes).into();
    primitive["attributes"]["WEIGHTS_0"] = file.floats("VEC4", &weights).into();
    let mut matrices = Vec::with_capacity(count * 16);
    for number in 0..count {
        let [x, y] = [number % columns, number / columns].map(|at| -(at as f32));
        matrices.extend([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, 0.0, 1.0f32]);
    }
    let matrices = file.floats("MAT4", &matrices);
    file.json["skins"] = json!([{"joints": "@joints", "inverseBindMatrices": matrices}]);
    file.json["meshes"] = json!([{"primitives": [primitive]}]);
    let turn = turn(file, 1);
    file.json["animations"] = json!([turn]);
    long.list("@joints", count, |text, number| write!(text, "{}", number + 1).unwrap());
    // Node 0 has the mesh, and joint n is node n + 1.
    long.list("@nodes", count + 1, |text, node| {
        let Some(joint) = node.checked_sub(1) else { return text.push_str(r#"{"mesh":0,"skin":0}"#) };
        let place = |joint: usize| [joint % columns, joint / columns].map(|at| at as f64);
        let parent = joint.checked_sub(1).map_or([0.0; 2], |before| place(before / 8));
        let [x, y] = [0, 1].map(|axis| place(joint)[axis] - parent[axis]);
        let children: Vec<String> = (joint * 8 + 1..joint * 8 + 9)
            .filter(|child| *child < count)
            .map(|c| (c + 1).to_string())
            .collect();
        match children.is_empty() {
            true => write!(text, r#"{{"translation":[{x},{y},0]}}"#).unwrap(),
            false => {
                write!(text, r#"{{"translation":[{x},{y},0],"children":[{}]}}"#, children.join(",")).unwrap();
            }
        }
    });
    long.glb()
}

/// A triangle whose vertices follow `count` joints each, which turn apart.
pub fn influences(count: usize) -> Vec<u8> {
    let mut file = File::new(json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}]}));
    let mut primitive = triangles(&mut file, 1, 1);
    for set in 0..count.div_ceil(4) {
        let slots = || (0..3).flat_map(|_| (0..4).map(|slot| set * 4 + slot));
        let joints: Vec<u8> = slots().map(|slot| if slot < count { slot as u8 } else { 0 }).collect();
        let weight = 1.0 / count as f32;
        let weights: Vec<f32> = slots().map(|slot| if slot < count { weight } else { 0.0 }).collect();
        let joints = file.accessor("VEC4", U8, false, 3, &joints);
        primitive["attributes"][format!("JOINTS_{set}")] = joints.into();
        primitive["attributes"][format!("WEIGHTS_{set}")] = file.floats("VEC4", &weights).into();
    }
    let nodes = (0..count).map(|joint| json!({"rotation": [0, 0, 0, 1], "translation": [joint, 0, 0]}));
    file.json["nodes"] =
        [json!({"mesh": 0, "skin": 0}), json!({"children": (2..count + 2).collect::<Vec<_>>()})]
            .into_iter()
            .chain(nodes)
            .collect();
    file.json["skins"] = json!([{"joints": (2..count + 2).collect::<Vec<_>>()}]);
    file.json["meshes"] = json!([{"primitives": [primitive]}]);
    let turn = turn(&mut file, 2);
    file.json["animations"] = json!([turn]);
    file.glb()
}

/// A triangle with `count` morph targets, all of which move all three vertices, by weights of one `count`th.
pub fn morphs(count: usize) -> Vec<u8> {
    let mut long = Long::new(json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}]}));
    let file = &mut long.file;
    let mut primitive = triangles(file, 1, 1);
    let delta = file.floats("VEC3", &[0.5, 0.25, 0.125, -0.5, 0.75, 0.5, 0.25, -0.25, 1.0]);
    file.json["accessors"][delta]["min"] = json!([-0.5, -0.25, 0.125]);
    file.json["accessors"][delta]["max"] = json!([0.5, 0.75, 1]);
    primitive["targets"] = "@targets".into();
    file.json["meshes"] = json!([{"primitives": [primitive], "weights": "@weights"}]);
    long.list("@targets", count, |text, _| write!(text, r#"{{"POSITION":{delta}}}"#).unwrap());
    let weight = 1.0 / count as f64;
    long.list("@weights", count, |text, _| write!(text, "{weight}").unwrap());
    long.glb()
}

/// A skinned surface of `count` triangles that share vertices.
pub fn surface(count: usize) -> Vec<u8> {
    let columns = ((count / 2) as f64).sqrt().ceil() as usize;
    let rows = (count / 2).div_ceil(columns);
    let mut file = File::new(json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"children": [2]}, {"translation": [0, 0.5, 0]}],
        "skins": [{"joints": [1, 2]}]}));
    let vertices = (columns + 1) * (rows + 1);
    let (mut positions, mut joints) = (Vec::with_capacity(vertices * 3), Vec::with_capacity(vertices * 4));
    let mut weights = Vec::with_capacity(vertices * 4);
    for row in 0..=rows {
        for column in 0..=columns {
            let [x, y] = [column as f32 / columns as f32, row as f32 / rows as f32];
            positions.extend([x, y, 0.1 * (x * 9.0).sin()]);
            joints.extend([0, 1, 0, 0]);
            let second = (y * 255.0).round() as u8;
            weights.extend([255 - second, second, 0, 0]);
        }
    }
    let position = file.floats("VEC3", &positions);
    file.json["accessors"][position]["min"] = json!([0, 0, -0.1]);
    file.json["accessors"][position]["max"] = json!([1, 1, 0.1]);
    let joints = file.accessor("VEC4", U8, false, vertices, &joints);
    let weights = file.accessor("VEC4", U8, true, vertices, &weights);
    let mut indices = Vec::with_capacity(count * 12);
    let corner = |row: usize, column: usize| ((row * (columns + 1)) + column) as u32;
    for number in 0..count {
        let (cell, half) = (number / 2, number % 2);
        let (row, column) = (cell / columns, cell % columns);
        let at = [
            corner(row, column),
            corner(row, column + 1),
            corner(row + 1, column + 1),
            corner(row + 1, column),
        ];
        let triangle = if half == 0 { [at[0], at[1], at[2]] } else { [at[0], at[2], at[3]] };
        indices.extend(triangle.iter().flat_map(|index| index.to_le_bytes()));
    }
    let indices = file.accessor("SCALAR", U32, false, count * 3, &indices);
    file.json["meshes"] = json!([{"primitives": [{"indices": indices,
        "attributes": {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights}}]}]);
    let turn = turn(&mut file, 2);
    file.json["animations"] = json!([turn]);
    file.glb()
}

/// A triangle that follows the last of `count` nodes: in one long chain, or as the children of one.
pub fn nodes(count: usize, in_chain: bool) -> Vec<u8> {
    let mut long = Long::new(
        json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": "@nodes"}),
    );
    let primitive = triangles(&mut long.file, 1, 1);
    long.file.json["meshes"] = json!([{"primitives": [primitive]}]);
    let turn = turn(&mut long.file, 0);
    long.file.json["animations"] = json!([turn]);
    long.list("@nodes", count, |text, node| match (in_chain, node) {
        (_, node) if node + 1 == count => text.push_str(r#"{"mesh":0}"#),
        (true, _) => write!(text, r#"{{"children":[{}]}}"#, node + 1).unwrap(),
        (false, 0) => {
            text.push_str(r#"{"children":["#);
            for child in 1..count {
                write!(text, "{}{child}", if child > 1 { "," } else { "" }).unwrap();
            }
            text.push_str("]}");
        }
        (false, _) => text.push_str("{}"),
    });
    long.glb()
}

/// 1,000 triangles that each of `count` nodes draws.
pub fn copies(count: usize) -> Vec<u8> {
    let mut long = Long::new(json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": "@nodes"}));
    let primitive = triangles(&mut long.file, 1000, 40);
    long.file.json["meshes"] = json!([{"primitives": [primitive]}]);
    let turn = turn(&mut long.file, 0);
    long.file.json["animations"] = json!([turn]);
    long.list("@nodes", count + 1, |text, node| match node {
        0 => {
            let children: Vec<String> = (1..=count).map(|child| child.to_string()).collect();
            write!(text, r#"{{"children":[{}]}}"#, children.join(",")).unwrap();
        }
        _ => write!(text, r#"{{"mesh":0,"translation":[0,0,{node}]}}"#).unwrap(),
    });
    long.glb()
}

/// A triangle that `count` clips turn.
pub fn clips(count: usize) -> Vec<u8> {
    let mut long = Long::new(json!({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}], "animations": "@clips"}));
    let primitive = triangles(&mut long.file, 1, 1);
    long.file.json["meshes"] = json!([{"primitives": [primitive]}]);
    let clip = turn(&mut long.file, 0).to_string();
    long.list("@clips", count, |text, _| text.push_str(&clip));
    long.glb()
}
