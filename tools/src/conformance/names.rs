//! Rigs about names, by which nothing in glTF refers to anything.

use serde_json::{Value, json};

use super::gltf::Gltf;
use super::tube::{BODY, JOINT, Tube};
use super::{CASE, File, Recipe};

const UNIQUE: (&str, &str) = (
    "These property values are not guaranteed to be unique as they are intended to contain values created when the asset was \
     authored.",
    "glTF 2.0, 3.3",
);
const OPTIONAL: (&str, &str) = (
    "Whereas indices are used for internal glTF references, optional names are used for application-specific uses such as \
     display.",
    "glTF 2.0, 3.3",
);

pub fn all() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "names-same",
            tests: "joints that all have the same name",
            why: "An engine that finds bones by name poses all by one, or moves one by all channels.",
            source: UNIQUE,
            file: File::Glb(|| named(["joint"; 5])),
            ..CASE
        },
        Recipe {
            name: "names-mesh-as-joint",
            tests: "the mesh's node has the name of a joint",
            why: "An engine that finds bones by name takes the mesh for the bone.",
            source: UNIQUE,
            file: File::Glb(|| {
                let mut file = Tube::new(3, 2).file();
                file.node(BODY)["name"] = file.node(JOINT + 2)["name"].clone();
                file
            }),
            ..CASE
        },
        Recipe {
            name: "names-none",
            tests: "a file without a single name",
            why: "Joints and channels refer to nodes by number.",
            source: OPTIONAL,
            file: File::Glb(|| {
                let mut file = Tube::new(3, 2).file();
                forget_names(&mut file.json);
                file
            }),
            ..CASE
        },
        Recipe {
            name: "names-odd",
            tests: "names with a slash, a dot, brackets, a colon and a space",
            why: "Engines that write channels as paths split names at these signs, or drop them.",
            source: OPTIONAL,
            file: File::Glb(|| named(["a/b", "a.b", "a[b]", "a:b", "a b"])),
            ..CASE
        },
    ]
}

/// A tube whose joints have these names.
fn named(names: [&str; 5]) -> Gltf {
    let mut file = Tube::new(names.len(), 2).file();
    for (joint, name) in names.into_iter().enumerate() {
        file.node(JOINT + joint)["name"] = json!(name);
    }
    file
}

fn forget_names(json: &mut Value) {
    match json {
        Value::Array(list) => list.iter_mut().for_each(forget_names),
        Value::Object(object) => {
            object.remove("name");
            object.values_mut().for_each(forget_names);
        }
        _ => {}
    }
}
