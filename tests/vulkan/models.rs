//! Models that none of our files holds: one with everything a mesh can have, and one with next to nothing.

use glam::{DMat4, DQuat, DVec3};
use sinew::model::{
    AlphaMode, Deltas, Influences, Instance, LocalTransform, Material, Mesh, Model, Morphs, Picture,
    Primitive, Rig, Sampling, Skin, Span, TextureRef, Topology, Wrap,
};

/// The number of joints in the skin of [`everything`]: one for each influence of a vertex.
const JOINTS: usize = 16;

/// Every stream, every number of spans, every topology and kind of material; a mesh drawn three times: with its
/// skin, without it, and mirrored.
pub fn everything() -> Model {
    let place = |x: f64, scale: f64| LocalTransform::Trs {
        translation: DVec3::new(x, 0.0, 0.0),
        rotation: DQuat::IDENTITY,
        scale: DVec3::new(scale, 1.0, 1.0),
    };
    let mut rest = vec![LocalTransform::IDENTITY, place(3.0, 1.0), place(6.0, -1.0)];
    let joints: Vec<usize> = (rest.len()..rest.len() + JOINTS).collect();
    rest.extend(joints.iter().map(|_| LocalTransform::IDENTITY));
    let textured = |name: &str, alpha: AlphaMode| Material {
        name: name.to_owned(),
        base_color_texture: Some(TextureRef { picture: 0, ..TextureRef::default() }),
        emissive: [0.5, 0.25, 0.125],
        emissive_texture: Some(TextureRef {
            texcoord: 1,
            sampling: Sampling { wrap_t: Wrap::Mirror, mip: None, ..Sampling::default() },
            ..TextureRef::default()
        }),
        alpha,
        ..Material::default()
    };
    let instance = |node: usize, skin: Option<usize>| Instance { node, mesh: 0, skin };
    let mut primitives: Vec<Primitive> = (0..=4).map(square).collect();
    primitives[0].topology = Topology::Lines;
    primitives[1].topology = Topology::Points;
    Model {
        rig: Rig {
            names: vec![String::new(); rest.len()],
            parents: vec![None; rest.len()],
            file_index: (0..rest.len() as u32).collect(),
            // The mesh's nodes are the first three; the bare mesh at the third has no targets.
            rest_weights: vec![0.5, 0.25, 1.0, 0.0, -0.5, 2.0],
            weight_ends: [2, 4].into_iter().chain(vec![6; rest.len() - 2]).collect(),
            rest,
            ..Rig::default()
        },
        meshes: vec![
            Mesh { name: "everything".to_owned(), primitives, target_names: vec![String::new(); 2] },
            Mesh { name: "bare".to_owned(), primitives: vec![bare()], ..Mesh::default() },
            Mesh {
                name: "no vertices".to_owned(),
                primitives: vec![Primitive::default()],
                ..Mesh::default()
            },
            Mesh::default(),
        ],
        skins: vec![Skin {
            name: "skin".to_owned(),
            joint_from_bind: [DMat4::IDENTITY; JOINTS].into(),
            joints,
            method: None,
        }],
        instances: vec![
            instance(0, Some(0)),
            instance(1, None),
            instance(2, Some(0)),
            Instance { node: 2, mesh: 1, skin: None },
            Instance { node: 0, mesh: 2, skin: Some(0) },
            Instance { node: 0, mesh: 3, skin: None },
        ],
        materials: vec![
            textured("opaque", AlphaMode::Opaque),
            textured("mask", AlphaMode::Mask(0.5)),
            textured("blend", AlphaMode::Blend),
            Material { unlit: true, double_sided: true, ..Material::default() },
        ],
        pictures: vec![
            // Sides that are not powers of two.
            Some(Picture { width: 5, height: 3, rgba: (0..60).map(|byte| byte * 4).collect() }),
            None,
        ],
        ..Model::default()
    }
}

/// A square at the height of its number, whose vertices have that many spans of influences.
fn square(spans: usize) -> Primitive {
    let height = spans as f32;
    let corner = |x: f32, y: f32| [x, height + y, 0.25 * x * y];
    let span = |number: usize| {
        let first = number as i32 * 4;
        let weight = 1.0 / (spans as f32 * 4.0);
        Span {
            // Each vertex names its joints in another order.
            joints: (0..4).map(|turn| [0, 1, 2, 3].map(|slot| first + (slot + turn) % 4)).collect(),
            weights: vec![[weight * 1.5, weight, weight, weight * 0.5]; 4],
        }
    };
    Primitive {
        file_index: 0,
        topology: Topology::Triangles,
        indices: vec![0, 1, 2, 0, 2, 3],
        positions: vec![corner(0.0, 0.0), corner(0.9, 0.0), corner(0.9, 0.9), corner(0.0, 0.9)],
        normals: Some(vec![[0.0, 0.0, 1.0], [0.6, 0.0, 0.8], [0.0, 0.6, 0.8], [0.0, 0.0, 1.0]]),
        tangents: Some(vec![
            [1.0, 0.0, 0.0, 1.0],
            [0.8, 0.0, -0.6, -1.0],
            [1.0, 0.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, -1.0],
        ]),
        texcoords: vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [-2.0, 0.5]], vec![[9.0, 9.0]; 4]],
        colors: Some(vec![[1.0, 0.5, 0.0, 1.0], [0.25, 0.125, 1.0, 0.5], [0.0; 4], [1.0; 4]]),
        morphs: Some(morphs()),
        unequal_sums: Vec::new(),
        first_joints: Vec::new(),
        influences: (spans > 0).then(|| Influences { spans: (0..spans).map(span).collect() }),
        material: [Some(0), Some(1), Some(2), Some(3), None].get(spans).copied().flatten(),
        steps: sinew::model::Steps::default(),
        control_points: None,
        shares: None,
    }
}

/// Two targets that move every stream.
fn morphs() -> Morphs {
    fn of<const N: usize>(first: f32, second: f32) -> Option<Deltas<N>> {
        Deltas::new(4, &[vec![(0, [first; N]), (2, [first; N])], vec![(2, [second; N])]])
    }
    Morphs {
        positions: of(0.1, -0.2),
        normals: of(0.3, 0.1),
        tangents: of(0.2, 0.1),
        texcoords: vec![of(0.5, 0.25), of(1.0, 1.0)],
        colors: of(0.5, -0.5),
    }
}

/// A triangle with positions and nothing else.
fn bare() -> Primitive {
    Primitive {
        indices: vec![0, 1, 2],
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        ..Primitive::default()
    }
}
