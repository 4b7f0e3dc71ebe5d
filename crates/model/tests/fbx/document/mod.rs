//! Writes the small FBX files, binary and ASCII, that tests and seeds need. It must not depend on how files are read.

#![allow(dead_code, reason = "several test programs share this file, and each needs a part of it")]

pub mod node;

pub use node::{Node, Value};

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct Document {
    objects: Vec<Node>,
    connections: Vec<Node>,
    last: i64,
    stack: i64,
    /// The program that says it wrote the file; empty for none.
    pub creator: String,
    /// The unit in centimetres, and up, front and right as FBX numbers axes, with their signs.
    pub unit: f64,
    pub axes: [(i32, i32); 3],
}

/// A bone's part in a skin.
pub struct Cluster {
    /// Its node.
    pub bone: i64,
    /// Vertices with their weights.
    pub weights: Vec<(i32, f64)>,
    /// From the mesh to the bone, and where the bone was, when it was bound.
    pub bone_from_mesh: [f64; 16],
    pub world_from_bone: [f64; 16],
}

/// A key of a curve node: when, what, how it goes on to the next, and four numbers that this takes.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub seconds: f64,
    pub value: [f64; 3],
    flags: i32,
    data: [f32; 4],
}

impl Key {
    /// A line to the next key.
    pub fn line(seconds: f64, value: [f64; 3]) -> Self {
        Self { seconds, value, flags: 0x4, data: [0.0; 4] }
    }

    /// The value up to the next key.
    pub fn held(seconds: f64, value: [f64; 3]) -> Self {
        Self { flags: 0x2, ..Self::line(seconds, value) }
    }

    /// The next key's value from here on.
    pub fn held_next(seconds: f64, value: [f64; 3]) -> Self {
        Self { flags: 0x102, ..Self::line(seconds, value) }
    }

    /// A curve with tangents that follow from the keys.
    pub fn smooth(seconds: f64, value: [f64; 3]) -> Self {
        Self { flags: 0x108, ..Self::line(seconds, value) }
    }

    /// A curve without a slope at its keys.
    pub fn flat(seconds: f64, value: [f64; 3]) -> Self {
        Self { flags: 0x408, ..Self::line(seconds, value) }
    }

    /// A curve with slopes, whose tangents are a third of the interval long.
    pub fn third(seconds: f64, value: [f64; 3]) -> Self {
        Self { flags: 0x408, data: [6.0, -4.0, 0.0, 0.0], ..Self::line(seconds, value) }
    }

    /// The same curve in a file that rounds the third to four digits.
    pub fn rounded(seconds: f64, value: [f64; 3]) -> Self {
        let lengths = f32::from_bits(3333 | 3333 << 16);
        Self { flags: 0x0300_0408, data: [6.0, -4.0, lengths, 0.0], ..Self::line(seconds, value) }
    }
}

/// FBX counts time in these parts of a second.
pub const TICKS: i64 = 46_186_158_000;

fn ticks(seconds: f64) -> i64 {
    (seconds * TICKS as f64).round() as i64
}

/// A property of an object.
pub fn property(name: &str, kind: &str, values: impl IntoIterator<Item = Value>) -> Node {
    let label = match kind {
        "int" => "Integer",
        "double" => "Number",
        "KTime" => "Time",
        "Vector3D" => "Vector",
        _ => "",
    };
    let flags = if kind == "enum" { "" } else { "A" };
    let head = [name, kind, label, flags].map(Value::from);
    Node::new("P", head.into_iter().chain(values))
}

/// A property of three numbers.
pub fn vector(name: &str, [x, y, z]: [f64; 3]) -> Node {
    property(name, "Vector3D", [x.into(), y.into(), z.into()])
}

impl Document {
    /// An empty scene in metres, y up.
    pub fn new() -> Self {
        Self { unit: 100.0, axes: [(1, 1), (2, 1), (0, 1)], ..Self::default() }
    }

    /// Adds an object; returns its number.
    pub fn add(&mut self, kind: &str, name: &str, class: &str, sub: &str, below: Vec<Node>) -> i64 {
        self.last += 1000;
        let named = format!("{name}\0\u{1}{class}");
        let head = [Value::Long(self.last), named.as_str().into(), sub.into()];
        self.objects.push(Node::new(kind, head).with(below));
        self.last
    }

    /// Hangs an object on another; 0 is the scene.
    pub fn connect(&mut self, child: i64, parent: i64) {
        self.connections.push(Node::new("C", ["OO".into(), child.into(), parent.into()]));
    }

    /// Hangs an object on a property of another.
    pub fn connect_to(&mut self, child: i64, parent: i64, property: &str) {
        self.connections.push(Node::new("C", ["OP".into(), child.into(), parent.into(), property.into()]));
    }

    /// A node of the scene with properties, below another.
    pub fn node(&mut self, name: &str, kind: &str, parent: i64, properties: Vec<Node>) -> i64 {
        let properties = Node::new("Properties70", []).with(properties);
        let model = self.add("Model", name, "Model", kind, vec![properties]);
        self.connect(model, parent);
        model
    }

    /// What makes a node more than a place: a camera or a light.
    pub fn attribute(&mut self, node: i64, kind: &str, properties: Vec<Node>) -> i64 {
        let properties = Node::new("Properties70", []).with(properties);
        let attribute = self.add("NodeAttribute", kind, "NodeAttribute", kind, vec![properties]);
        self.connect(attribute, node);
        attribute
    }

    /// A material of a node.
    pub fn material(&mut self, node: i64, name: &str, model: &str, properties: Vec<Node>) -> i64 {
        let properties = Node::new("Properties70", []).with(properties);
        let below = vec![Node::new("ShadingModel", [model.into()]), properties];
        let material = self.add("Material", name, "Material", "", below);
        self.connect(material, node);
        material
    }

    /// A picture in the file, for a property of a material.
    pub fn picture(&mut self, material: i64, property: &str, name: &str, bytes: &[u8]) {
        let names = || ["FileName", "RelativeFilename"].map(|key| Node::new(key, [name.into()])).to_vec();
        let texture = self.add("Texture", name, "Texture", "", names());
        self.connect_to(texture, material, property);
        let mut below = names();
        below.push(Node::new("Content", [Value::Bytes(bytes.to_vec())]));
        let video = self.add("Video", name, "Video", "Clip", below);
        self.connect(video, texture);
    }

    /// A mesh of triangles on a node.
    pub fn mesh(&mut self, node: i64, vertices: &[[f64; 3]], triangles: &[[i32; 3]]) -> i64 {
        self.mesh_with(node, "", vertices, triangles, Vec::new())
    }

    /// A named mesh with layers, such as normals.
    pub fn mesh_with(
        &mut self,
        node: i64,
        name: &str,
        vertices: &[[f64; 3]],
        triangles: &[[i32; 3]],
        layers: Vec<Node>,
    ) -> i64 {
        let corners = triangles.iter().flat_map(|[a, b, c]| [*a, *b, -1 - *c]).collect();
        let mut below = vec![
            Node::new("Vertices", [Value::Reals(vertices.as_flattened().to_vec())]),
            Node::new("PolygonVertexIndex", [Value::Ints(corners)]),
            Node::new("GeometryVersion", [124.into()]),
        ];
        below.extend(layers);
        let mesh = self.add("Geometry", name, "Geometry", "Mesh", below);
        self.connect(mesh, node);
        mesh
    }

    /// A skin of a mesh. `shares` are painted ones of some vertices.
    pub fn skin(&mut self, mesh: i64, method: &str, clusters: &[Cluster], shares: &[(i32, f64)]) {
        let mut below = vec![Node::new("Version", [101.into()])];
        if !method.is_empty() {
            below.push(Node::new("SkinningType", [method.into()]));
        }
        if !shares.is_empty() {
            below.push(Node::new(
                "Indexes",
                [Value::Ints(shares.iter().map(|(vertex, _)| *vertex).collect())],
            ));
            below.push(Node::new(
                "BlendWeights",
                [Value::Reals(shares.iter().map(|(_, share)| *share).collect())],
            ));
        }
        let skin = self.add("Deformer", "", "Deformer", "Skin", below);
        self.connect(skin, mesh);
        for Cluster { bone, weights, bone_from_mesh, world_from_bone } in clusters {
            let below = vec![
                Node::new("Version", [100.into()]),
                Node::new("Indexes", [Value::Ints(weights.iter().map(|(vertex, _)| *vertex).collect())]),
                Node::new("Weights", [Value::Reals(weights.iter().map(|(_, weight)| *weight).collect())]),
                Node::new("Transform", [Value::Reals(bone_from_mesh.to_vec())]),
                Node::new("TransformLink", [Value::Reals(world_from_bone.to_vec())]),
            ];
            let cluster = self.add("Deformer", "", "SubDeformer", "Cluster", below);
            self.connect(cluster, skin);
            self.connect(*bone, cluster);
        }
    }

    /// A blend shape of a mesh: what it adds to some vertices at 100 %.
    pub fn shape(&mut self, mesh: i64, name: &str, moved: &[(i32, [f64; 3])], percent: f64) {
        self.weighted_shape(mesh, name, moved, percent, &[100.0]);
    }

    /// A blend shape with the weights, in percent, at which it is whole, or those that Blender writes for its vertices;
    /// returns its channel.
    pub fn weighted_shape(
        &mut self,
        mesh: i64,
        name: &str,
        moved: &[(i32, [f64; 3])],
        percent: f64,
        full: &[f64],
    ) -> i64 {
        let deltas = moved.iter().flat_map(|(_, delta)| *delta).collect();
        let below = vec![
            Node::new("Version", [100.into()]),
            Node::new("Indexes", [Value::Ints(moved.iter().map(|(vertex, _)| *vertex).collect())]),
            Node::new("Vertices", [Value::Reals(deltas)]),
        ];
        let shape = self.add("Geometry", name, "Geometry", "Shape", below);
        let deformer = self.add("Deformer", "", "Deformer", "BlendShape", Vec::new());
        let below = vec![
            Node::new("DeformPercent", [percent.into()]),
            Node::new("FullWeights", [Value::Reals(full.to_vec())]),
        ];
        let channel = self.add("Deformer", name, "SubDeformer", "BlendShapeChannel", below);
        self.connect(shape, channel);
        self.connect(channel, deformer);
        self.connect(deformer, mesh);
        channel
    }

    /// A material with a texture of that name for its colour, on the first node with a mesh.
    pub fn texture(&mut self, name: &str) {
        let is_mesh = |node: &&Node| node.name == "Geometry";
        let mesh = self.objects.iter().find(is_mesh).and_then(|node| node.values.first().cloned());
        let Some(Value::Long(mesh)) = mesh else { return };
        let node = self.connections.iter().find_map(|connection| match connection.values.as_slice() {
            [_, Value::Long(child), Value::Long(parent)] if *child == mesh => Some(*parent),
            _ => None,
        });
        let material =
            self.add("Material", "m", "Material", "", vec![Node::new("ShadingModel", ["lambert".into()])]);
        self.connect(material, node.unwrap_or(0));
        let names = ["FileName", "RelativeFilename"].map(|key| Node::new(key, [name.into()])).to_vec();
        let texture = self.add("Texture", "t", "Texture", "", names);
        self.connect_to(texture, material, "DiffuseColor");
    }

    /// A clip with one layer; returns the layer.
    pub fn clip(&mut self, name: &str, seconds: f64) -> i64 {
        self.clip_between(name, [0.0, seconds])
    }

    /// A clip from one time to another, with one layer; returns the layer.
    pub fn clip_between(&mut self, name: &str, seconds: [f64; 2]) -> i64 {
        let stop = |name: &str, at: f64| property(name, "KTime", [ticks(at).into()]);
        let [start, end] = seconds;
        let times = Node::new("Properties70", []).with([stop("LocalStart", start), stop("LocalStop", end)]);
        self.stack = self.add("AnimationStack", name, "AnimStack", "", vec![times]);
        self.layer(Vec::new())
    }

    /// Another layer of the last clip, over those before.
    pub fn layer(&mut self, properties: Vec<Node>) -> i64 {
        let properties = Node::new("Properties70", []).with(properties);
        let layer = self.add("AnimationLayer", "layer", "AnimLayer", "", vec![properties]);
        self.connect(layer, self.stack);
        layer
    }

    /// Moves a property of a node in lines between keys of seconds and x, y, z.
    pub fn animate(&mut self, layer: i64, node: i64, property_name: &str, keys: &[(f64, [f64; 3])]) {
        let keys: Vec<Key> = keys.iter().map(|(seconds, value)| Key::line(*seconds, *value)).collect();
        self.animate_by(layer, node, property_name, &keys);
    }

    /// Moves a property of an object by keys.
    pub fn animate_by(&mut self, layer: i64, node: i64, property_name: &str, keys: &[Key]) {
        // As exporters name it; three.js tells properties by this name.
        let name = match property_name {
            "Lcl Translation" => "T",
            "Lcl Rotation" => "R",
            "Lcl Scaling" => "S",
            other => other,
        };
        let axes = ["d|X", "d|Y", "d|Z"];
        let first = keys.first().map_or([0.0; 3], |key| key.value);
        let values =
            axes.into_iter().zip(first).map(|(axis, value)| property(axis, "Number", [value.into()]));
        let below = vec![Node::new("Properties70", []).with(values)];
        let moved = self.add("AnimationCurveNode", name, "AnimCurveNode", "", below);
        self.connect(moved, layer);
        self.connect_to(moved, node, property_name);
        for (axis, name) in axes.into_iter().enumerate() {
            let times = keys.iter().map(|key| ticks(key.seconds)).collect();
            let values = keys.iter().map(|key| key.value[axis] as f32).collect();
            let data = keys.iter().flat_map(|key| key.data).collect();
            let below = vec![
                Node::new("KeyVer", [4009.into()]),
                Node::new("KeyTime", [Value::Longs(times)]),
                Node::new("KeyValueFloat", [Value::Floats(values)]),
                Node::new("KeyAttrFlags", [Value::Ints(keys.iter().map(|key| key.flags).collect())]),
                Node::new("KeyAttrDataFloat", [Value::Floats(data)]),
                Node::new("KeyAttrRefCount", [Value::Ints(vec![1; keys.len()])]),
            ];
            let curve = self.add("AnimationCurve", "", "AnimCurve", "", below);
            self.connect_to(curve, moved, name);
        }
    }

    /// Changes a text wherever it stands.
    pub fn rename(&mut self, from: &str, to: &str) {
        fn change(node: &mut Node, from: &str, to: &str) {
            for value in &mut node.values {
                if matches!(value, Value::Text(text) if text == from) {
                    *value = to.into();
                }
            }
            node.below.iter_mut().for_each(|node| change(node, from, to));
        }
        self.objects.iter_mut().for_each(|node| change(node, from, to));
    }

    fn nodes(&self) -> Vec<Node> {
        let int = |name: &str, value: i32| property(name, "int", [value.into()]);
        let [(up, up_sign), (front, front_sign), (right, right_sign)] = self.axes;
        let settings = Node::new("Properties70", []).with([
            int("UpAxis", up),
            int("UpAxisSign", up_sign),
            int("FrontAxis", front),
            int("FrontAxisSign", front_sign),
            int("CoordAxis", right),
            int("CoordAxisSign", right_sign),
            property("UnitScaleFactor", "double", [self.unit.into()]),
            property("TimeMode", "enum", [11.into()]),
        ]);
        let mut header = vec![Node::new("FBXVersion", [7400.into()])];
        if !self.creator.is_empty() {
            header.push(Node::new("Creator", [self.creator.as_str().into()]));
        }
        vec![
            Node::new("FBXHeaderExtension", []).with(header),
            Node::new("GlobalSettings", []).with([Node::new("Version", [1000.into()]), settings]),
            Node::new("Objects", []).with(self.objects.clone()),
            Node::new("Connections", []).with(self.connections.clone()),
        ]
    }

    /// The file, binary.
    pub fn binary(&self) -> Vec<u8> {
        node::binary_of(&self.nodes())
    }

    /// The file, as text.
    pub fn ascii(&self) -> Vec<u8> {
        node::ascii_of(&self.nodes())
    }
}
