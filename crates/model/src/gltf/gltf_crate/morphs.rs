//! Reads morph targets with the crate's primitive reader.

use ::gltf::Primitive as Stored;
use ::gltf::accessor::Dimensions;

use super::numbers::{FLOAT, Format, Numbers};
use crate::gltf::reader::joints::same_count;
use crate::mesh::Primitive;
use crate::morph::{Morphs, Moves};
use crate::reading::error::LoadError;
use crate::reading::repair::{Place, finite_moves, gather};
use crate::reading::warnings::Warnings;

/// Attributes of morph targets that the crate supports.
const NAMES: [&str; 3] = ["POSITION", "NORMAL", "TANGENT"];

/// Reads the moves of a primitive's first `count` targets; `None` if there are none. `base` is the primitive as read.
pub fn read(
    stored: &Stored<'_>,
    base: &Primitive,
    count: usize,
    path: &str,
    numbers: &mut Numbers<'_>,
    warnings: &mut Warnings,
) -> Result<Option<Morphs>, LoadError> {
    let vertices = base.positions.len();
    let path = format!("{path}.targets");
    if stored.morph_targets().len() != count {
        let found = stored.morph_targets().len();
        let message = format!("{found} targets, but the mesh's first primitive has {count}, which counts");
        warnings.add("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", &path, message);
    }
    numbers.budget.charge(&path, count.saturating_mul(3), size_of::<Moves<3>>())?;
    let reader = stored.reader(numbers.source());
    let mut streams: [Vec<Moves<3>>; 3] = Default::default();
    // Tangents go with normals, as they do in the mesh.
    let is_moved = [true, base.normals.is_some(), base.tangents.is_some()];
    let format = Format::new(&[Dimensions::Vec3], FLOAT);
    for (number, target) in stored.morph_targets().enumerate().take(count) {
        let accessors = [target.positions(), target.normals(), target.tangents()];
        for ((accessor, is_moved), name) in accessors.into_iter().zip(is_moved).zip(NAMES) {
            // The crate's reader looks at all of them.
            let Some(accessor) = accessor else { continue };
            let path = format!("{path}[{number}].{name}");
            numbers.check(&accessor, format, &path, size_of::<(u32, [f32; 3])>())?;
            if is_moved {
                same_count(accessor.count(), vertices, &path)?;
            }
        }
    }
    for (number, (positions, normals, tangents)) in reader.read_morph_targets().enumerate().take(count) {
        let all = [positions, normals, tangents].into_iter().zip(is_moved);
        for ((stream, (moves, is_moved)), name) in streams.iter_mut().zip(all).zip(NAMES) {
            let moves = moves.filter(|_| is_moved).into_iter().flatten();
            let moves: Moves<3> = (0_u32..).zip(moves).filter(|(_, delta)| *delta != [0.0; 3]).collect();
            stream.push(finite_moves(moves, Place::of(&format!("{path}[{number}].{name}")), warnings));
        }
    }
    let [positions, normals, tangents] = &streams;
    let budget = &mut numbers.budget;
    let morphs = Morphs {
        positions: gather(positions, vertices, &path, budget)?,
        normals: gather(normals, vertices, &path, budget)?,
        tangents: gather(tangents, vertices, &path, budget)?,
        texcoords: vec![None; base.texcoords.len()],
        colors: None,
    };
    Ok(Some(morphs).filter(|morphs| !morphs.is_empty()))
}
