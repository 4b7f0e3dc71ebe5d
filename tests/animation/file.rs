//! A small animated file that tests may change: three nodes, two of them with a mesh that has two morph
//! targets. It must not know what is tested.

use base64::Engine;
use serde_json::{Value, json};
use sinew::model::gltf::{LoadError, load_bytes};
use sinew::model::{Channel, Model};

pub const FLOAT: u32 = 5126;

/// Scalars at 0, 1 and 2.
pub const TIMES: usize = 0;
/// One vector for each of three keys.
pub const VECTORS: usize = 1;
/// One rotation for each of three keys: none, 90° and 180° about z.
pub const ROTATIONS: usize = 2;
/// Two morph weights for each of three keys.
pub const WEIGHTS: usize = 3;
/// One morph weight for each of three keys.
pub const ONE_WEIGHT: usize = 4;

/// The file's JSON and bytes.
pub struct File {
    pub json: Value,
    pub bytes: Vec<u8>,
}

impl File {
    /// A file whose one clip has these channels; each target comes with the accessor of its values.
    pub fn new(channels: &[(Value, usize)]) -> Self {
        let mut file = Self {
            json: json!({
                "asset": {"version": "2.0"},
                "buffers": [{}], "bufferViews": [], "accessors": [],
                "nodes": [{"mesh": 0}, {"mesh": 0, "weights": [0.25, 0.75]}, {"name": "plain"}],
                "scenes": [{"nodes": [0, 1, 2]}],
            }),
            bytes: Vec::new(),
        };
        let half = std::f32::consts::FRAC_1_SQRT_2;
        file.floats("SCALAR", &[0.0, 1.0, 2.0]);
        file.floats("VEC3", &[1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 6.0, 0.0, 8.0]);
        file.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half, 0.0, 0.0, 1.0, 0.0]);
        file.floats("SCALAR", &[0.0, 1.0, 0.5, 0.5, 1.0, 0.0]);
        file.floats("SCALAR", &[0.0, 0.5, 1.0]);
        let triangle = file.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        file.json["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": triangle},
            "targets": [{"POSITION": triangle}, {"POSITION": triangle}]}]}]);
        let samplers = channels.iter().map(|(_, output)| json!({"input": TIMES, "output": output}));
        let samplers = samplers.collect::<Vec<_>>();
        let target =
            |(number, (target, _)): (usize, &(Value, usize))| json!({"sampler": number, "target": target});
        let channels = channels.iter().enumerate().map(target).collect::<Vec<_>>();
        file.json["animations"] = json!([{"channels": channels, "samplers": samplers}]);
        file
    }

    /// Adds an accessor of floats.
    pub fn floats(&mut self, kind: &str, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.accessor(kind, FLOAT, false, numbers.len() / width(kind), &bytes)
    }

    /// Adds an accessor on a view of its own.
    pub fn accessor(
        &mut self,
        kind: &str,
        component: u32,
        normalized: bool,
        count: usize,
        bytes: &[u8],
    ) -> usize {
        let view = json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let views = self.json["bufferViews"].as_array_mut().unwrap();
        views.push(view);
        let accessor = json!({"bufferView": views.len() - 1, "componentType": component,
            "normalized": normalized, "count": count, "type": kind});
        let accessors = self.json["accessors"].as_array_mut().unwrap();
        accessors.push(accessor);
        accessors.len() - 1
    }

    pub fn load(&self) -> Result<Model, LoadError> {
        let mut json = self.json.clone();
        let data = base64::engine::general_purpose::STANDARD.encode(&self.bytes);
        let uri = format!("data:application/octet-stream;base64,{data}");
        json["buffers"][0] = json!({"byteLength": self.bytes.len(), "uri": uri});
        load_bytes(json.to_string().as_bytes(), None)
    }

    /// The clip's channels and what was warned of in it, each with its code.
    pub fn channels(&self) -> (Vec<Channel>, Vec<String>) {
        let mut model = self.load().unwrap();
        let of_clip = model.warnings.iter().filter(|warning| warning.path.starts_with("animations"));
        let warnings = of_clip.map(|w| format!("{} {}: {}", w.code, w.path, w.message));
        (model.clips.remove(0).channels, warnings.collect())
    }
}

fn width(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC3" => 3,
        "VEC4" => 4,
        other => panic!("{other}"),
    }
}

/// The target of a channel that moves a node's property.
pub fn node(number: usize, path: &str) -> Value {
    json!({"node": number, "path": path})
}

/// The target of a channel with a pointer.
pub fn pointer(pointer: &str) -> Value {
    json!({"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}})
}
