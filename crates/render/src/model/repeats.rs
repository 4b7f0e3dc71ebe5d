//! Finds duplicate primitives. Drawing them again changes nothing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};

use sinew_model::{Model, Primitive};

/// Returns for each primitive of each mesh: true if it duplicates an earlier one.
pub fn find_repeats(model: &Model) -> Vec<Vec<bool>> {
    let hashes = RandomState::new();
    model.meshes.iter().map(|mesh| in_mesh(model, &mesh.primitives, &hashes)).collect()
}

fn in_mesh(model: &Model, primitives: &[Primitive], hashes: &RandomState) -> Vec<bool> {
    if primitives.len() == 1 {
        // May be large, and has no counterpart.
        return vec![false];
    }
    let mut firsts: HashMap<u64, &Primitive> = HashMap::new();
    let mut repeats = Vec::with_capacity(primitives.len());
    for primitive in primitives {
        let material = primitive.material.and_then(|number| model.materials.get(number));
        // Blending shows each repetition.
        let is_solid = material.is_none_or(|material| !material.is_blended());
        let positions: &[u8] = bytemuck::cast_slice(&primitive.positions);
        repeats.push(
            match firsts.entry(hashes.hash_one((primitive.material, &primitive.indices, positions))) {
                Entry::Occupied(first) => is_solid && draws_the_same(first.get(), primitive),
                Entry::Vacant(free) => {
                    free.insert(primitive);
                    false
                }
            },
        );
    }
    repeats
}

fn draws_the_same(a: &Primitive, b: &Primitive) -> bool {
    let Primitive {
        file_index: _,
        topology,
        indices,
        positions,
        normals,
        tangents,
        texcoords,
        colors,
        influences,
        // Repairs are part of the influences.
        unequal_sums: _,
        first_joints: _,
        morphs,
        material,
        shares,
        // Positions and influences are on these grids.
        steps: _,
        // Names do not matter.
        control_points: _,
    } = a;
    *topology == b.topology
        && *material == b.material
        && *indices == b.indices
        && *positions == b.positions
        && *normals == b.normals
        && *tangents == b.tangents
        && *texcoords == b.texcoords
        && *colors == b.colors
        && *influences == b.influences
        && *morphs == b.morphs
        && *shares == b.shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{AlphaMode, Material, Mesh};

    #[test]
    fn only_the_same_solid_triangles_are_repeats() {
        let first = Primitive {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            indices: vec![0, 1, 2],
            ..Primitive::default()
        };
        let of_material = |material| Primitive { material: Some(material), ..first.clone() };
        let colored = Primitive { colors: Some(vec![[0.5; 4]; 3]), ..first.clone() };
        let turned = Primitive { indices: vec![0, 2, 1], ..first.clone() };
        let later = Primitive { file_index: 9, ..first.clone() };
        let primitives = [
            first.clone(),
            of_material(1),
            colored,
            turned,
            later,
            of_material(0),
            of_material(0),
            of_material(1),
        ];
        let blended = Material { alpha: AlphaMode::Blend, ..Material::default() };
        let mesh = |primitives: &[Primitive]| Mesh { primitives: primitives.to_vec(), ..Mesh::default() };
        let model = Model {
            meshes: vec![mesh(&primitives), mesh(&primitives[..1]), mesh(&[])],
            materials: vec![blended, Material::default()],
            ..Model::default()
        };
        let found = find_repeats(&model);
        assert_eq!(found[0], [false, false, false, false, true, false, false, true]);
        assert_eq!(found[1..], [vec![false], vec![]]);
    }
}
