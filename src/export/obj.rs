//! Writes skinned geometry as Wavefront OBJ, one object per primitive; materials would need a second file.

use std::io::{self, Write};

use super::{Export, Number};
use sinew_model::Topology;

pub(super) fn write<T: Number>(export: &Export<'_, T>, out: &mut dyn Write) -> io::Result<()> {
    // OBJ counts vertices and normals from 1, through the whole file.
    let (mut first_vertex, mut first_normal) = (1, 1);
    for (skinned, source) in export.parts() {
        let (mesh, primitive) = (source.instance.mesh, source.primitive.file_index);
        writeln!(out, "o node{}_mesh{mesh}_primitive{primitive}", source.node)?;
        for [x, y, z] in &skinned.positions {
            writeln!(out, "v {x} {y} {z}")?;
        }
        let normals = skinned.normals.as_deref().unwrap_or_default();
        for [x, y, z] in normals {
            writeln!(out, "vn {x} {y} {z}")?;
        }
        let (corners, keyword) = match source.primitive.topology {
            Topology::Triangles => (3, "f"),
            Topology::Lines => (2, "l"),
            Topology::Points => (1, "p"),
        };
        for element in source.primitive.indices.chunks_exact(corners) {
            write!(out, "{keyword}")?;
            for &corner in element {
                let vertex = first_vertex + corner as usize;
                match normals.is_empty() || corners != 3 {
                    true => write!(out, " {vertex}")?,
                    false => write!(out, " {vertex}//{}", first_normal + corner as usize)?,
                }
            }
            writeln!(out)?;
        }
        first_vertex += skinned.positions.len();
        first_normal += normals.len();
    }
    Ok(())
}
