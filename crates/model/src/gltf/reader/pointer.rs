//! Finds the property that an animation channel sets, by node and path or by `KHR_animation_pointer`.

use serde_json::Value;

use crate::clip::Property;
use crate::gltf::json::ChannelTarget;

/// The extension's name.
pub const EXTENSION: &str = "KHR_animation_pointer";

/// Owner of the property that a channel animates, by its index in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A node.
    Node(usize),
    /// A mesh: every node that shows it without overriding its morph weights.
    Mesh(usize),
}

/// Meaning of a channel's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<'a> {
    /// Something that clips can move.
    Property(Owner, Property),
    /// A path that the format does not have.
    NoPath(&'a str),
    /// A pointer to something else in the file, or to nothing.
    Elsewhere(&'a str),
    /// The extension, but without a pointer.
    NoPointer,
    /// Neither node nor pointer: the target belongs to another extension.
    Nothing,
}

/// Reads a target. The extension counts if the path requests it, or if there is no node.
pub fn find(target: &ChannelTarget) -> Found<'_> {
    match (target.extensions.get(EXTENSION), target.node) {
        (Some(extension), node) if node.is_none() || target.path == "pointer" => {
            match extension.get("pointer").and_then(Value::as_str) {
                Some(pointer) => follow(pointer).unwrap_or(Found::Elsewhere(pointer)),
                None => Found::NoPointer,
            }
        }
        (_, Some(node)) => match target.path.as_str() {
            "translation" => Found::Property(Owner::Node(node), Property::Translation),
            "rotation" => Found::Property(Owner::Node(node), Property::Rotation),
            "scale" => Found::Property(Owner::Node(node), Property::Scale),
            "weights" => Found::Property(Owner::Node(node), Property::Weights),
            other => Found::NoPath(other),
        },
        (_, None) => Found::Nothing,
    }
}

/// A JSON pointer (RFC 6901) by the templates of the glTF 2.0 Asset Object Model.
fn follow(pointer: &str) -> Option<Found<'static>> {
    let mut words = pointer.strip_prefix('/')?.split('/');
    let (kind, number, name) = (words.next()?, index(words.next()?)?, words.next()?);
    let (element, rest) = (words.next(), words.next());
    let owner = match kind {
        "nodes" => Owner::Node(number),
        "meshes" => Owner::Mesh(number),
        _ => return None,
    };
    let property = match (owner, name, element, rest) {
        (Owner::Node(_), "translation", None, None) => Property::Translation,
        (Owner::Node(_), "rotation", None, None) => Property::Rotation,
        (Owner::Node(_), "scale", None, None) => Property::Scale,
        (_, "weights", None, None) => Property::Weights,
        (_, "weights", Some(target), None) => Property::Weight(index(target)?.try_into().ok()?),
        _ => return None,
    };
    Some(Found::Property(owner, property))
}

/// An array index as JSON pointers spell it: digits without a zero in front.
fn index(word: &str) -> Option<usize> {
    let is_plain = word == "0" || !word.starts_with(['0', '+']);
    word.parse().ok().filter(|_| is_plain)
}

/// Returns the common form of pointers to the same property of different objects.
pub fn template(pointer: &str) -> String {
    let word = |word| if index(word).is_some() { "{}" } else { word };
    pointer.split('/').map(word).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_followed_to_nodes_and_weights() {
        let node = |property| Some(Found::Property(Owner::Node(12), property));
        for (pointer, expected) in [
            ("/nodes/12/translation", node(Property::Translation)),
            ("/nodes/12/rotation", node(Property::Rotation)),
            ("/nodes/12/scale", node(Property::Scale)),
            ("/nodes/12/weights", node(Property::Weights)),
            ("/nodes/12/weights/3", node(Property::Weight(3))),
            ("/meshes/0/weights", Some(Found::Property(Owner::Mesh(0), Property::Weights))),
            ("/meshes/0/weights/10", Some(Found::Property(Owner::Mesh(0), Property::Weight(10)))),
            ("", None),
            ("/", None),
            ("nodes/12/scale", None),
            ("/nodes/12", None),
            ("/nodes/12/matrix", None),
            ("/nodes/12/scale/0", None),
            ("/nodes/12/scale/", None),
            ("/nodes/012/scale", None),
            ("/nodes/+12/scale", None),
            ("/nodes/-1/scale", None),
            ("/nodes/99999999999999999999/scale", None),
            ("/nodes/12/weights/4294967296", None),
            ("/nodes/12/weights/0/0", None),
            ("/meshes/0/translation", None),
            ("/materials/0/alphaCutoff", None),
        ] {
            assert_eq!(follow(pointer), expected, "{pointer}");
        }
    }

    #[test]
    fn templates_leave_numbers_out() {
        let pointer = "/materials/7/extensions/KHR_materials_ior/ior";
        assert_eq!(template(pointer), "/materials/{}/extensions/KHR_materials_ior/ior");
        assert_eq!(template("/nodes/0/weights/31"), "/nodes/{}/weights/{}");
        assert_eq!(template("odd"), "odd");
    }
}
