//! Reads the stored vertices of a glTF file: all drawn primitives, in their order, without skins and the nodes' transforms.

use std::sync::Arc;

use sinew_model::PrimitiveName;
use sinew_model::gltf::load_bytes;
use sinew_skinning::posed::count_vertices;

use super::budget::Budget;
use super::{Given, Options, Part, ReadError, Stored};

/// Memory of a drawn vertex: twelve doubles.
const PER_VERTEX: u64 = 96;

/// Memory of a part besides its vertices.
const PER_PART: u64 = 512;

pub fn read(bytes: &[u8], options: &Options, budget: &mut Budget) -> Result<Given, ReadError> {
    options.frame_of(1)?;
    let model = load_bytes(bytes, None).map_err(|error| ReadError::Model(Arc::new(error)))?;
    budget.charge("its instances", count_vertices(&model), PER_VERTEX)?;
    let mut parts = Vec::new();
    for (number, instance) in model.instances.iter().enumerate() {
        let primitives = model.meshes.get(instance.mesh).map(|mesh| mesh.primitives.as_slice());
        for (index, primitive) in primitives.unwrap_or_default().iter().enumerate() {
            budget.charge("its instances", 1, PER_PART)?;
            parts.push(Part {
                name: Some(PrimitiveName::of(&model, number, index).to_string()),
                positions: wide(&primitive.positions),
                normals: primitive.normals.as_deref().map(wide),
                tangents: primitive.tangents.as_deref().map(wide),
                texcoords: primitive.texcoords.first().map(|rows| wide(rows)),
            });
        }
    }
    Ok(Given { parts, stored: Stored::F32 })
}

fn wide<const N: usize>(rows: &[[f32; N]]) -> Vec<[f64; N]> {
    rows.iter().map(|row| row.map(f64::from)).collect()
}
