//! The maximum size of a model to measure; a small file may draw one mesh many times.

use sinew_model::Model;

/// The maximum number of vertices, and of triangles, to measure.
pub const MAX_MEASURED: u64 = 1 << 25;

/// The model draws more than can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the model draws {vertices} vertices and {triangles} triangles; at most {MAX_MEASURED} of each can be measured"
)]
pub struct TooLarge {
    /// The number of vertices that it draws.
    pub vertices: u64,
    /// The number of triangles that it draws.
    pub triangles: u64,
}

/// Checks that a model is small enough.
pub fn check(model: &Model) -> Result<(), TooLarge> {
    let of_mesh: Vec<[u64; 2]> = model
        .meshes
        .iter()
        .map(|mesh| {
            // A primitive takes memory even if it is empty.
            let vertices = mesh.primitives.iter().map(|p| p.positions.len().max(1) as u64).sum();
            let triangles = mesh.primitives.iter().map(|p| p.indices.len() as u64 / 3).sum();
            [vertices, triangles]
        })
        .collect();
    let drawn = model.instances.iter().filter_map(|instance| of_mesh.get(instance.mesh));
    let [vertices, triangles] =
        drawn.fold([0u64; 2], |sum, mesh| [0, 1].map(|of| sum[of].saturating_add(mesh[of])));
    if vertices.max(triangles) > MAX_MEASURED { Err(TooLarge { vertices, triangles }) } else { Ok(()) }
}
