//! Puts a tube into a file: its mesh, skin, nodes and clip.

use serde_json::{Value, json};

use super::gltf::{F32, Gltf, U8, U16, bytes_of, shorts_of};
use super::tube::{BODY, Binds, JOINT, Quat, TIMES, Tube, moved, parts, texcoords};

impl Tube {
    /// The file.
    pub fn file(&self) -> Gltf {
        let mut file = Gltf::default();
        self.add_mesh(&mut file, "body");
        file.push("nodes", json!({"name": "body", "mesh": 0, "skin": 0}));
        for (number, joint) in self.joints.iter().enumerate() {
            let mut node = json!({"name": joint.name, "translation": joint.translation});
            let children = self.joints.iter().enumerate().filter(|(_, child)| child.parent == Some(number));
            let children: Vec<usize> = children.map(|(child, _)| JOINT + child).collect();
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            file.push("nodes", node);
        }
        let roots = self.joints.iter().enumerate().filter(|(_, joint)| joint.parent.is_none());
        let roots: Vec<usize> = [BODY].into_iter().chain(roots.map(|(root, _)| JOINT + root)).collect();
        file.push("scenes", json!({"nodes": roots}));
        file.json["scene"] = json!(0);
        self.add_skin(&mut file);
        self.add_clip(&mut file);
        file
    }

    /// Adds the mesh; returns its number.
    pub fn add_mesh(&self, file: &mut Gltf, name: &str) -> usize {
        let mut attributes = json!({"POSITION": file.bounded("VEC3", self.positions.as_flattened())});
        if let Some(normals) = &self.normals {
            attributes["NORMAL"] = json!(file.floats("VEC3", normals.as_flattened()));
        }
        if let Some(tangents) = &self.tangents {
            attributes["TANGENT"] = json!(file.floats("VEC4", tangents.as_flattened()));
        }
        let [first, all] = self.numbers.unwrap_or([0, self.positions.len()]);
        let texcoords = texcoords(first, self.positions.len(), all);
        attributes["TEXCOORD_0"] = json!(file.floats("VEC2", texcoords.as_flattened()));
        for set in 0..self.influences.iter().map(Vec::len).max().unwrap_or(0).div_ceil(4) {
            let (joints, weights) = (self.joints_of(set), self.weights_of(set));
            attributes[format!("JOINTS_{set}")] = json!(file.accessor("VEC4", self.joint_type, &joints));
            let accessor = file.accessor("VEC4", self.weight_type, &weights);
            if self.weight_type != F32 {
                file.json["accessors"][accessor]["normalized"] = json!(true);
            }
            attributes[format!("WEIGHTS_{set}")] = json!(accessor);
        }
        let indices = file.accessor("SCALAR", U16, &shorts_of(&self.triangles));
        let primitive = json!({"attributes": attributes, "indices": indices});
        file.push("meshes", json!({"name": name, "primitives": [primitive]}))
    }

    /// A set of four joints a vertex, by their places in the skin.
    pub fn joints_of(&self, set: usize) -> Vec<u8> {
        let place = |joint: u16| {
            self.skin_order.iter().position(|of| *of == usize::from(joint)).expect("the skin has the joint")
                as u16
        };
        let joint =
            |of: &Vec<(u16, f32)>, slot: usize| of.get(4 * set + slot).map_or(0, |(joint, _)| place(*joint));
        let all = self.influences.iter().flat_map(|of| [0, 1, 2, 3].map(|slot| joint(of, slot)));
        match self.joint_type {
            U8 => all.map(|joint| joint as u8).collect(),
            _ => shorts_of(&all.collect::<Vec<u16>>()),
        }
    }

    /// A set of four weights a vertex. Integers sum to the largest one over all sets, if the weights sum to 1.
    pub fn weights_of(&self, set: usize) -> Vec<u8> {
        let slots = [0, 1, 2, 3].map(|slot| 4 * set + slot);
        let whole = match self.weight_type {
            U8 => 255.0,
            U16 => 65535.0,
            _ => {
                let weight =
                    |of: &Vec<(u16, f32)>, slot: usize| of.get(slot).map_or(0.0, |(_, weight)| *weight);
                let all = self.influences.iter().flat_map(|of| slots.map(|slot| weight(of, slot)));
                return bytes_of(&all.collect::<Vec<f32>>());
            }
        };
        let stored = self.influences.iter().flat_map(|of| {
            let all = parts(of, whole);
            slots.map(|slot| all.get(slot).copied().unwrap_or(0))
        });
        match self.weight_type {
            U8 => stored.map(|weight| weight as u8).collect(),
            _ => shorts_of(&stored.map(|weight| weight as u16).collect::<Vec<u16>>()),
        }
    }

    /// Adds the skin; returns its number. Joints only move, so inverse bind matrices move back.
    pub fn add_skin(&self, file: &mut Gltf) -> usize {
        let joints: Vec<usize> = self.skin_order.iter().map(|joint| JOINT + joint).collect();
        let mut skin = json!({"joints": joints});
        let back = |joint: &usize| moved(self.place(*joint).map(|v| 0.0 - v));
        let matrices = match &self.binds {
            Binds::Inverse => self.skin_order.iter().flat_map(back).collect(),
            Binds::None => Vec::new(),
            Binds::Given(matrices) => matrices.clone(),
        };
        if !matrices.is_empty() {
            skin["inverseBindMatrices"] = json!(file.floats("MAT4", &matrices));
        }
        file.push("skins", skin)
    }

    fn add_clip(&self, file: &mut Gltf) {
        let turning = self.joints.iter().enumerate().filter_map(|(joint, of)| Some((joint, of.turns?)));
        let turning: Vec<(usize, [Quat; 3])> = turning.collect();
        if turning.is_empty() {
            return;
        }
        let clip = add_clip(file, "bend");
        let input = file.bounded("SCALAR", &TIMES);
        for (joint, turns) in turning {
            let output = file.floats("VEC4", turns.as_flattened());
            add_channel(file, clip, (JOINT + joint, "rotation"), json!({"input": input, "output": output}));
        }
    }
}

/// Adds a clip; returns its number.
pub fn add_clip(file: &mut Gltf, name: &str) -> usize {
    file.push("animations", json!({"name": name, "channels": [], "samplers": []}))
}

/// Adds a channel of a node's property, with its sampler, to a clip.
pub fn add_channel(file: &mut Gltf, clip: usize, (node, path): (usize, &str), sampler: Value) {
    let clip = &mut file.json["animations"][clip];
    let samplers = clip["samplers"].as_array_mut().expect("the clip has samplers");
    samplers.push(sampler);
    let sampler = samplers.len() - 1;
    let channels = clip["channels"].as_array_mut().expect("the clip has channels");
    channels.push(json!({"sampler": sampler, "target": {"node": node, "path": path}}));
}

/// Moves a node's property by keys of float values.
pub fn animate(
    file: &mut Gltf,
    clip: usize,
    target: (usize, &str),
    times: &[f32],
    values: &[f32],
    way: &str,
) {
    let input = file.bounded("SCALAR", times);
    let kind = match target.1 {
        "rotation" => "VEC4",
        "weights" => "SCALAR",
        _ => "VEC3",
    };
    let output = file.floats(kind, values);
    add_channel(file, clip, target, json!({"input": input, "output": output, "interpolation": way}));
}

/// Gives the nodes other numbers: that at each place of the list is the old number of the node there.
pub fn reorder_nodes(file: &mut Gltf, order: &[usize]) {
    let new = |old: &mut Value| {
        let place = order.iter().position(|of| Some(*of as u64) == old.as_u64());
        *old = json!(place.expect("the order has every node"));
    };
    let all = |list: &mut Value| list.as_array_mut().into_iter().flatten().for_each(new);
    let old = file.json["nodes"].take();
    file.json["nodes"] = order.iter().map(|number| old[*number].clone()).collect();
    for node in file.json["nodes"].as_array_mut().into_iter().flatten() {
        node.get_mut("children").into_iter().for_each(all);
    }
    file.json["scenes"].as_array_mut().into_iter().flatten().for_each(|scene| all(&mut scene["nodes"]));
    file.json["skins"].as_array_mut().into_iter().flatten().for_each(|skin| all(&mut skin["joints"]));
    for clip in file.json["animations"].as_array_mut().into_iter().flatten() {
        let channels = clip["channels"].as_array_mut().into_iter().flatten();
        channels.for_each(|channel| new(&mut channel["target"]["node"]));
    }
}
