//! Writes skinned geometry as ASCII PLY, all primitives as one mesh; PLY has no materials.

use std::io::{self, Write};

use super::materials::texcoords_of;
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
            // PLY stores points as vertices without faces.
            Topology::Points => {}
        }
        vertices += skinned.positions.len();
    }
    let with_normals = export.primitives.iter().any(|primitive| primitive.normals.is_some());
    let with_texcoords = export.parts().any(|(_, source)| !source.primitive.texcoords.is_empty());
    let number = if size_of::<T>() == 8 { "double" } else { "float" };

    writeln!(out, "ply\nformat ascii 1.0\ncomment {} --mode {}", one_line(export.given), export.mode)?;
    writeln!(out, "element vertex {vertices}")?;
    let normals: &[&str] = if with_normals { &["nx", "ny", "nz"] } else { &[] };
    let texcoords: &[&str] = if with_texcoords { &["s", "t"] } else { &[] };
    for property in ["x", "y", "z"].iter().chain(normals).chain(texcoords) {
        writeln!(out, "property {number} {property}")?;
    }
    writeln!(out, "element face {}\nproperty list uchar uint vertex_indices", faces.len())?;
    writeln!(out, "element edge {}\nproperty uint vertex1\nproperty uint vertex2\nend_header", edges.len())?;
    let surfaces = export.surfaces();
    for (skinned, source) in export.parts() {
        let texcoords = match with_texcoords {
            true => texcoords_of(export.model, source.primitive, &surfaces.texcoords(&source)),
            false => Vec::new(),
        };
        for (vertex, [x, y, z]) in skinned.positions.iter().enumerate() {
            write!(out, "{x} {y} {z}")?;
            if with_normals {
                match skinned.normals.as_ref().and_then(|normals| normals.get(vertex)) {
                    Some([x, y, z]) => write!(out, " {x} {y} {z}")?,
                    None => write!(out, " 0 0 0")?,
                }
            }
            if with_texcoords {
                let [s, t] = texcoords.get(vertex).copied().unwrap_or_default();
                write!(out, " {s} {t}")?;
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
