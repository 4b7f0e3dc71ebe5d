//! Formats counts, vertices and text from a file for messages.

pub use sinew_gltf_rules::text::{at, moves_text, one_line, quoted, shortened};

use crate::PrimitiveName;

/// A number of things, with the right word for them.
pub fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// A vertex of the primitive at a path, by the name that all messages give it.
pub fn vertex_at(path: &str, vertex: usize) -> String {
    match PrimitiveName::at(path) {
        Some(primitive) => primitive.vertex(vertex).to_string(),
        None => vertex.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        let vertices = |count| counted(count, "vertex", "vertices");
        assert_eq!([vertices(0), vertices(1), vertices(2)], ["0 vertices", "1 vertex", "2 vertices"]);
    }
}
