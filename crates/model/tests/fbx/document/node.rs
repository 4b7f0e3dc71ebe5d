//! Nodes of FBX files, and how they are written.

/// A value of a node.
#[derive(Clone, Debug)]
pub enum Value {
    Int(i32),
    Long(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Reals(Vec<f64>),
    Floats(Vec<f32>),
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Int(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Long(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

/// A node of a file, with values and nodes below it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub name: String,
    pub values: Vec<Value>,
    pub below: Vec<Node>,
}

impl Node {
    /// A node without anything below.
    pub fn new(name: &str, values: impl IntoIterator<Item = Value>) -> Self {
        Self { name: name.to_owned(), values: values.into_iter().collect(), below: Vec::new() }
    }

    /// The same with nodes below it.
    pub fn with(mut self, below: impl IntoIterator<Item = Node>) -> Self {
        self.below.extend(below);
        self
    }
}

/// The magic bytes of binary files.
pub const MAGIC: &[u8] = b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0";

/// A binary file of any nodes.
pub fn binary_of(nodes: &[Node]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    nodes.iter().for_each(|node| write_binary(node, &mut out));
    out.extend([0; 13]);
    out
}

/// An ASCII file of any nodes.
pub fn ascii_of(nodes: &[Node]) -> Vec<u8> {
    let mut out = "; FBX 7.4.0 project file\n".to_owned();
    nodes.iter().for_each(|node| write_text(node, 0, &mut out));
    out.into_bytes()
}

fn write_binary(node: &Node, out: &mut Vec<u8>) {
    let begin = out.len();
    out.extend([0; 12]);
    let name = &node.name.as_bytes()[..node.name.len().min(255)];
    out.push(name.len() as u8);
    out.extend(name);
    let values = out.len();
    let array = |kind: u8, count: usize, bytes: Vec<u8>, out: &mut Vec<u8>| {
        out.push(kind);
        for number in [count as u32, 0, bytes.len() as u32] {
            out.extend(number.to_le_bytes());
        }
        out.extend(bytes);
    };
    for value in &node.values {
        match value {
            Value::Int(value) => out.extend([&b"I"[..], &value.to_le_bytes()].concat()),
            Value::Long(value) => out.extend([&b"L"[..], &value.to_le_bytes()].concat()),
            Value::Real(value) => out.extend([&b"D"[..], &value.to_le_bytes()].concat()),
            Value::Text(text) => {
                out.extend([&b"S"[..], &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat());
            }
            Value::Bytes(bytes) => {
                out.extend([&b"R"[..], &(bytes.len() as u32).to_le_bytes(), bytes].concat());
            }
            Value::Ints(list) => {
                array(b'i', list.len(), list.iter().flat_map(|n| n.to_le_bytes()).collect(), out)
            }
            Value::Longs(list) => {
                array(b'l', list.len(), list.iter().flat_map(|n| n.to_le_bytes()).collect(), out)
            }
            Value::Reals(list) => {
                array(b'd', list.len(), list.iter().flat_map(|n| n.to_le_bytes()).collect(), out)
            }
            Value::Floats(list) => {
                array(b'f', list.len(), list.iter().flat_map(|n| n.to_le_bytes()).collect(), out)
            }
        }
    }
    let values = (out.len() - values) as u32;
    if !node.below.is_empty() {
        node.below.iter().for_each(|node| write_binary(node, out));
        out.extend([0; 13]);
    }
    let head = [out.len() as u32, node.values.len() as u32, values];
    for (place, number) in head.into_iter().enumerate() {
        out[begin + place * 4..begin + place * 4 + 4].copy_from_slice(&number.to_le_bytes());
    }
}

fn write_text(node: &Node, depth: usize, out: &mut String) {
    let indent = "\t".repeat(depth);
    let list = |numbers: Vec<String>| {
        format!("*{} {{\n{indent}\ta: {}\n{indent}}}", numbers.len(), numbers.join(","))
    };
    let value = |value: &Value| match value {
        Value::Int(value) => value.to_string(),
        Value::Long(value) => value.to_string(),
        Value::Real(value) => value.to_string(),
        // In text the class comes first.
        Value::Text(text) => match text.split_once("\0\u{1}") {
            Some((name, class)) => format!("\"{class}::{name}\""),
            None => format!("\"{text}\""),
        },
        Value::Bytes(_) => "\"\"".to_owned(),
        Value::Ints(all) => list(all.iter().map(i32::to_string).collect()),
        Value::Longs(all) => list(all.iter().map(i64::to_string).collect()),
        Value::Reals(all) => list(all.iter().map(f64::to_string).collect()),
        Value::Floats(all) => list(all.iter().map(f32::to_string).collect()),
    };
    out.push_str(&format!("{indent}{}: ", node.name));
    for (place, of) in node.values.iter().enumerate() {
        // As Autodesk writes it: three.js reads a space before a number as part of it.
        out.push_str(match (place, of) {
            (0, _) => "",
            (_, Value::Text(_)) => ", ",
            _ => ",",
        });
        out.push_str(&value(of));
    }
    if !node.below.is_empty() || node.values.is_empty() {
        out.push_str(" {\n");
        node.below.iter().for_each(|node| write_text(node, depth + 1, out));
        out.push_str(&format!("{indent}}}"));
    }
    out.push('\n');
}
