//! Writes skinned geometry as ASCII PLY, all primitives as one mesh; PLY has no materials.

use std::io::{self, Write};

use super::{Export, Number};
use sinew_model::Topology;

pub(super) fn write<T: Number>(export: &Export<'_, T>, out: &mut dyn Write) -> io::Result<()> {
    let mut vertices = 0;
    let (mut faces, mut edges) = (Vec::new(), Vec::new());
    for (skinned, source) in export.parts() {
        let number = |corner: &u32| vertices + *corner as usize;
        let indices = &source.primitive.indices;
        match source.primitive.topology {
            Topology::Triangles => {
                faces.extend(indices.chunks_exact(3).map(|f| f.iter().map(number).collect()))
            }
            Topology::Lines => edges.extend(indices.chunks_exact(2).map(|e| e.iter().map(number).collect())),
            // PLY has points as vertices without faces.
            Topology::Points => {}
        }
        vertices += skinned.positions.len();
    }
    let with_normals = export.primitives.iter().any(|primitive| primitive.normals.is_some());
    let number = if size_of::<T>() == 8 { "double" } else { "float" };

    writeln!(out, "ply\nformat ascii 1.0\ncomment {} --mode {}", one_line(export.given), export.mode)?;
    writeln!(out, "element vertex {vertices}")?;
    let properties: &[&str] =
        if with_normals { &["x", "y", "z", "nx", "ny", "nz"] } else { &["x", "y", "z"] };
    for property in properties {
        writeln!(out, "property {number} {property}")?;
    }
    writeln!(out, "element face {}\nproperty list uchar uint vertex_indices", faces.len())?;
    writeln!(out, "element edge {}\nproperty uint vertex1\nproperty uint vertex2\nend_header", edges.len())?;
    for skinned in export.primitives {
        for (vertex, [x, y, z]) in skinned.positions.iter().enumerate() {
            write!(out, "{x} {y} {z}")?;
            if with_normals {
                match skinned.normals.as_ref().and_then(|normals| normals.get(vertex)) {
                    Some([x, y, z]) => write!(out, " {x} {y} {z}")?,
                    None => write!(out, " 0 0 0")?,
                }
            }
            writeln!(out)?;
        }
    }
    let list = |corners: Vec<usize>| corners.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    for face in faces {
        writeln!(out, "3 {}", list(face))?;
    }
    for edge in edges {
        writeln!(out, "{}", list(edge))?;
    }
    Ok(())
}

/// Removes line breaks, which would end a PLY comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
