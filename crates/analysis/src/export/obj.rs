//! Writes skinned geometry as Wavefront OBJ, one object per primitive; its materials are a separate file.

use std::io::{self, Write};

use super::materials::texcoords_of;
use super::{Export, Library, Number};
use crate::measure::InFile;
use sinew_model::{Primitive, Topology};

pub(super) fn write<T: Number>(
    export: &Export<'_, T>,
    library: Option<&Library<'_>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    if let Some(library) = library {
        writeln!(out, "mtllib {}", library.file())?;
    }
    let surfaces = export.surfaces();
    let mut first = First { vertex: 1, texcoord: 1, normal: 1 };
    for (skinned, source) in export.parts() {
        let InFile { node, mesh, primitive, .. } = source.in_file;
        writeln!(out, "o node{node}_mesh{mesh}_primitive{primitive}")?;
        for [x, y, z] in &skinned.positions {
            writeln!(out, "v {x} {y} {z}")?;
        }
        let texcoords = texcoords_of(export.model, source.primitive, &surfaces.texcoords(&source));
        for [u, v] in &texcoords {
            writeln!(out, "vt {u} {v}")?;
        }
        let normals = skinned.normals.as_deref().unwrap_or_default();
        for [x, y, z] in normals {
            writeln!(out, "vn {x} {y} {z}")?;
        }
        if let Some(name) = library.and_then(|library| library.name_of(source.primitive)) {
            writeln!(out, "usemtl {name}")?;
        }
        let has = Has { texcoords: !texcoords.is_empty(), normals: !normals.is_empty() };
        elements(source.primitive, &first, &has, out)?;
        first.vertex += skinned.positions.len();
        first.texcoord += texcoords.len();
        first.normal += normals.len();
    }
    Ok(())
}

/// The start indices of an object: OBJ counts each kind from 1, through the whole file.
struct First {
    vertex: usize,
    texcoord: usize,
    normal: usize,
}

/// An object's streams besides vertices.
struct Has {
    texcoords: bool,
    normals: bool,
}

fn elements(primitive: &Primitive, first: &First, has: &Has, out: &mut dyn Write) -> io::Result<()> {
    let (corners, keyword) = match primitive.topology {
        Topology::Triangles => (3, "f"),
        Topology::Lines => (2, "l"),
        Topology::Points => (1, "p"),
    };
    // Points have only vertices, and lines no normals.
    let (texcoords, normals) = (has.texcoords && corners > 1, has.normals && corners > 2);
    for element in primitive.indices.chunks_exact(corners) {
        write!(out, "{keyword}")?;
        for corner in element.iter().map(|&corner| corner as usize) {
            let (vertex, texcoord, normal) =
                (first.vertex + corner, first.texcoord + corner, first.normal + corner);
            match (texcoords, normals) {
                (false, false) => write!(out, " {vertex}")?,
                (true, false) => write!(out, " {vertex}/{texcoord}")?,
                (false, true) => write!(out, " {vertex}//{normal}")?,
                (true, true) => write!(out, " {vertex}/{texcoord}/{normal}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
