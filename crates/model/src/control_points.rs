//! Makes one vertex of each control point of an FBX file, as the program that wrote it counts them.

use std::collections::BTreeMap;

use crate::{Deltas, Influences, Mesh, Model, Morphs, Moves, Primitive, Span};

impl Model {
    /// Returns the same model with one primitive per mesh and one vertex per control point, in their order. Control
    /// points without a polygon corner are left out. Vertices have only positions, because corners differ in everything
    /// else. `None` if the file has no control points.
    pub fn by_control_points(&self) -> Option<Self> {
        let mut primitives = self.meshes.iter().flat_map(|mesh| &mesh.primitives);
        primitives
            .any(|primitive| primitive.control_points.is_some())
            .then(|| Self { meshes: self.meshes.iter().map(joined).collect(), ..self.clone() })
    }
}

fn joined(mesh: &Mesh) -> Mesh {
    // The first vertex of each control point, by the numbers of its primitive and its own.
    let mut corners: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (number, primitive) in mesh.primitives.iter().enumerate() {
        for (vertex, point) in primitive.control_points.iter().flatten().enumerate() {
            corners.entry(*point).or_insert((number, vertex));
        }
    }
    let places: BTreeMap<u32, u32> = corners.keys().copied().zip(0..).collect();
    let corners: Vec<(&Primitive, usize)> = corners
        .values()
        .filter_map(|(primitive, vertex)| Some((mesh.primitives.get(*primitive)?, *vertex)))
        .collect();
    let mut out = Primitive {
        positions: corners.iter().filter_map(|(of, vertex)| of.positions.get(*vertex)).copied().collect(),
        influences: influences(&corners),
        morphs: positions_of_targets(&corners, mesh.target_names.len()),
        control_points: Some(places.keys().copied().collect()),
        ..Primitive::default()
    };
    if corners.iter().any(|(of, _)| of.shares.is_some()) {
        let share = |(of, vertex): &(&Primitive, usize)| {
            of.shares.as_ref().and_then(|shares| shares.get(*vertex)).copied().unwrap_or(1.0)
        };
        out.shares = Some(corners.iter().map(share).collect());
    }
    for primitive in &mesh.primitives {
        let points = primitive.control_points.as_deref().unwrap_or_default();
        let place = |index: &u32| places.get(points.get(*index as usize)?).copied();
        out.indices.extend(primitive.indices.iter().filter_map(place));
    }
    Mesh { primitives: vec![out], ..mesh.clone() }
}

fn influences(corners: &[(&Primitive, usize)]) -> Option<Influences> {
    let spans =
        corners.iter().filter_map(|(of, _)| of.influences.as_ref()).map(|all| all.spans.len()).max()?;
    let span = |number: usize| {
        let rows = corners.iter().map(|(of, vertex)| match &of.influences {
            Some(influences) => influences.of_vertex(number, *vertex),
            None => ([-1; 4], [if number == 0 { 1.0 } else { 0.0 }, 0.0, 0.0, 0.0]),
        });
        let (joints, weights) = rows.unzip();
        Span { joints, weights }
    };
    Some(Influences { spans: (0..spans).map(span).collect() })
}

fn positions_of_targets(corners: &[(&Primitive, usize)], targets: usize) -> Option<Morphs> {
    let mut moves: Vec<Moves<3>> = vec![Vec::new(); targets];
    for (place, (of, vertex)) in (0u32..).zip(corners) {
        let deltas = of.morphs.as_ref().and_then(|morphs| morphs.positions.as_ref());
        for (target, delta) in deltas.into_iter().flat_map(|deltas| deltas.of(*vertex)) {
            if let Some(moves) = moves.get_mut(target as usize) {
                moves.push((place, delta));
            }
        }
    }
    let positions = Deltas::new(corners.len(), &moves)?;
    Some(Morphs { positions: Some(positions), ..Morphs::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_of_a_control_point_become_one_vertex() {
        let of = |positions: Vec<[f32; 3]>, points: Vec<u32>, joint: i32, moved: Vec<(u32, [f32; 3])>| {
            let count = positions.len();
            Primitive {
                indices: (0..count as u32).collect(),
                positions,
                influences: Some(Influences {
                    spans: vec![Span {
                        joints: vec![[joint; 4]; count],
                        weights: vec![[1.0, 0.0, 0.0, 0.0]; count],
                    }],
                }),
                morphs: Deltas::new(count, &[moved])
                    .map(|positions| Morphs { positions: Some(positions), ..Morphs::default() }),
                control_points: Some(points),
                ..Primitive::default()
            }
        };
        let at = |x: f32| [x, 0.0, 0.0];
        let first = of(vec![at(5.0), at(2.0), at(5.0)], vec![5, 2, 5], 1, vec![(1, at(1.0))]);
        let second = of(vec![at(3.0), at(2.0), at(5.0)], vec![3, 2, 5], 7, Vec::new());
        let mesh =
            Mesh { primitives: vec![first, second], target_names: vec![String::new()], ..Mesh::default() };
        let model = Model { meshes: vec![mesh], ..Model::default() };
        let joined = model.by_control_points().unwrap();
        let [primitive] = joined.meshes[0].primitives.as_slice() else { panic!("one primitive") };
        assert_eq!(primitive.positions, [2.0, 3.0, 5.0].map(at));
        assert_eq!(primitive.control_points.as_deref(), Some(&[2, 3, 5][..]));
        assert_eq!(primitive.indices, [2, 0, 2, 1, 0, 2]);
        let joints: Vec<i32> =
            primitive.influences.as_ref().unwrap().spans[0].joints.iter().map(|j| j[0]).collect();
        assert_eq!(joints, [1, 7, 1]);
        let deltas = primitive.morphs.as_ref().unwrap().positions.as_ref().unwrap();
        assert_eq!(deltas.by_target(1), [vec![(0, at(1.0))]]);
        assert!(Model::default().by_control_points().is_none());
    }
}
