//! Rigs with every rotation order, pivot and inherit mode, against matrices worked out by hand: the formula that Autodesk
//! publishes for FBX (FBX SDK, "Computing transformation matrices"), and for segment scale compensation Maya's.

use glam::{DMat3, DMat4, DQuat, DVec3};
use sinew_model::{Model, Options, SkinningMethod, fbx};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::{Pose, PoseChoice};
use sinew_skinning::posed::reference_model;

use super::document::{Cluster, Document, Node, property, vector};

/// What a node has in a file.
#[derive(Clone, Copy)]
struct Local {
    translation: DVec3,
    /// Degrees.
    rotation: DVec3,
    scale: DVec3,
    order: i32,
    pre: DVec3,
    post: DVec3,
    rotation_offset: DVec3,
    rotation_pivot: DVec3,
    scale_offset: DVec3,
    scale_pivot: DVec3,
    /// 0: RrSs, 1: RSrs, 2: Rrs.
    inherit: i32,
}

const PLAIN: Local = Local {
    translation: DVec3::ZERO,
    rotation: DVec3::ZERO,
    scale: DVec3::ONE,
    order: 0,
    pre: DVec3::ZERO,
    post: DVec3::ZERO,
    rotation_offset: DVec3::ZERO,
    rotation_pivot: DVec3::ZERO,
    scale_offset: DVec3::ZERO,
    scale_pivot: DVec3::ZERO,
    inherit: 1,
};

/// The axes in the order in which each rotation order turns about them.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 2, 0], [1, 0, 2], [2, 0, 1], [2, 1, 0]];

fn turned(order: i32, degrees: DVec3) -> DMat3 {
    let about = |axis: usize| {
        DMat3::from_axis_angle([DVec3::X, DVec3::Y, DVec3::Z][axis], degrees[axis].to_radians())
    };
    let [first, second, third] = ORDERS[order as usize];
    about(third) * about(second) * about(first)
}

impl Local {
    fn properties(&self) -> Vec<Node> {
        let int = |name: &str, value: i32| property(name, "int", [value.into()]);
        vec![
            int("RotationActive", 1),
            int("RotationOrder", self.order),
            int("InheritType", self.inherit),
            vector("Lcl Translation", self.translation.to_array()),
            vector("Lcl Rotation", self.rotation.to_array()),
            vector("Lcl Scaling", self.scale.to_array()),
            vector("PreRotation", self.pre.to_array()),
            vector("PostRotation", self.post.to_array()),
            vector("RotationOffset", self.rotation_offset.to_array()),
            vector("RotationPivot", self.rotation_pivot.to_array()),
            vector("ScalingOffset", self.scale_offset.to_array()),
            vector("ScalingPivot", self.scale_pivot.to_array()),
        ]
    }

    fn rotation(&self) -> DMat3 {
        turned(0, self.pre) * turned(self.order, self.rotation) * turned(0, self.post).inverse()
    }

    /// The matrix to its parent, all pivots counted.
    fn whole(&self) -> DMat4 {
        let to = DMat4::from_translation;
        to(self.translation)
            * to(self.rotation_offset)
            * to(self.rotation_pivot)
            * DMat4::from_mat3(self.rotation())
            * to(-self.rotation_pivot)
            * to(self.scale_offset)
            * to(self.scale_pivot)
            * DMat4::from_scale(self.scale)
            * to(-self.scale_pivot)
    }
}

/// Where a chain of nodes stands, each below the one before.
fn worlds(chain: &[Local]) -> Vec<DMat4> {
    let (mut world, mut rotation) = (DMat4::IDENTITY, DMat3::IDENTITY);
    let mut parent_scale = DMat3::IDENTITY;
    let mut out = Vec::new();
    for local in chain {
        let own = DMat3::from_diagonal(local.scale);
        let parent = DMat3::from_mat4(world);
        let turned = rotation * local.rotation();
        let turned_and_scaled = match local.inherit {
            // Scales multiply along their own axes, rotations among themselves.
            0 => turned * (rotation.inverse() * parent) * own,
            1 => parent * local.rotation() * own,
            // The parent's own scale is taken back, as by Maya's segment scale compensation.
            _ => parent * parent_scale.inverse() * local.rotation() * own,
        };
        let place = world.transform_point3(local.whole().w_axis.truncate());
        world = DMat4::from_mat3(turned_and_scaled);
        world.w_axis = place.extend(1.0);
        (rotation, parent_scale) = (turned, own);
        out.push(world);
    }
    out
}

const TRIANGLE: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];

/// A file in which every node of a chain has a triangle.
fn chain_file(chain: &[Local]) -> Document {
    let mut document = Document::new();
    let mut parent = 0;
    for (number, local) in chain.iter().enumerate() {
        parent = document.node(&format!("n{number}"), "Mesh", parent, local.properties());
        document.mesh(parent, &TRIANGLE, &[[0, 1, 2]]);
    }
    document
}

/// Both kinds of file.
fn both(document: &Document) -> [Model; 2] {
    [document.binary(), document.ascii()]
        .map(|bytes| fbx::load_bytes(&bytes, None, &Options::default()).unwrap())
}

/// All vertices at rest, by the reference.
fn vertices(model: &Model, mode: SkinningMode) -> Vec<DVec3> {
    let mut pose = Pose::default();
    pose.set(model, &PoseChoice::Rest);
    let skinned = reference_model(model, mode, &pose).into_iter();
    skinned.flat_map(|truth| truth.skinned.positions).map(DVec3::from).collect()
}

fn check(what: &str, got: &[DVec3], want: &[DVec3]) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (got, want) in got.iter().zip(want) {
        // Positions of the file are single precision once they are read.
        assert!(got.distance(*want) <= 1e-6 * want.length().max(1.0), "{what}: {got}, not {want}");
    }
}

fn check_chain(what: &str, chain: &[Local]) {
    let want: Vec<DVec3> = worlds(chain)
        .iter()
        .flat_map(|world| TRIANGLE.map(|at| world.transform_point3(DVec3::from(at))))
        .collect();
    for model in both(&chain_file(chain)) {
        check(what, &vertices(&model, SkinningMode::Linear), &want);
    }
}

#[test]
fn every_rotation_order_and_pivot() {
    let full = Local {
        translation: DVec3::new(1.0, 2.0, 3.0),
        rotation: DVec3::new(20.0, -35.0, 50.0),
        scale: DVec3::new(1.5, 0.5, 2.0),
        pre: DVec3::new(10.0, 20.0, 30.0),
        post: DVec3::new(-15.0, 25.0, 5.0),
        rotation_offset: DVec3::new(0.1, 0.2, 0.3),
        rotation_pivot: DVec3::new(0.4, -0.5, 0.6),
        scale_offset: DVec3::new(-0.7, 0.8, 0.9),
        scale_pivot: DVec3::new(1.0, -1.1, 1.2),
        ..PLAIN
    };
    let moved = Local { translation: full.translation, rotation: full.rotation, scale: full.scale, ..PLAIN };
    for order in 0..6 {
        let alone: [(&str, Local); 8] = [
            ("nothing else", moved),
            ("pre-rotation", Local { pre: full.pre, ..moved }),
            ("post-rotation", Local { post: full.post, ..moved }),
            ("rotation offset", Local { rotation_offset: full.rotation_offset, ..moved }),
            ("rotation pivot", Local { rotation_pivot: full.rotation_pivot, ..moved }),
            ("scale offset", Local { scale_offset: full.scale_offset, ..moved }),
            ("scale pivot", Local { scale_pivot: full.scale_pivot, ..moved }),
            ("all of it", full),
        ];
        for (what, local) in alone {
            let local = Local { order, ..local };
            check_chain(&format!("order {order}, {what}"), &[local, Local { order: 5 - order, ..local }]);
        }
    }
}

#[test]
fn every_inherit_mode_below_every_other() {
    let of = |number: usize, inherit: i32, scale: DVec3| Local {
        translation: DVec3::new(1.0, number as f64, -0.5),
        rotation: DVec3::new(30.0, 10.0 * number as f64, -20.0),
        scale,
        inherit,
        rotation_pivot: DVec3::new(0.3, -0.2, 0.1 * number as f64),
        scale_offset: DVec3::new(0.0, 0.25, -0.1),
        scale_pivot: DVec3::new(0.5 * number as f64, 0.1, 0.2),
        ..PLAIN
    };
    let long = [
        DVec3::new(2.0, 0.5, 1.5),
        DVec3::splat(1.25),
        DVec3::new(0.75, 1.5, 0.5),
        DVec3::new(3.0, 1.0, 2.0),
    ];
    let even = [2.0, 1.25, 0.75].map(DVec3::splat);
    let mut chains = 0;
    for modes in (0..81).map(|number| [number / 27, number / 9 % 3, number / 3 % 3, number % 3]) {
        // A mode that multiplies scales below one that shears is nobody's: what it means is not written down anywhere.
        let shears = modes.contains(&0) && modes != [0; 4];
        let scale = |number: usize| if shears && number < 3 { even[number] } else { long[number] };
        let chain: Vec<Local> =
            modes.iter().enumerate().map(|(number, inherit)| of(number, *inherit, scale(number))).collect();
        check_chain(&format!("inherit modes {modes:?}"), &chain);
        chains += 1;
    }
    assert_eq!(chains, 81);
}

#[test]
fn geometric_offsets_move_the_mesh_alone() {
    let local = Local { translation: DVec3::X, rotation: DVec3::new(0.0, 0.0, 90.0), ..PLAIN };
    let [offset, degrees, scale] =
        [DVec3::new(0.5, 1.0, 1.5), DVec3::new(10.0, 20.0, 30.0), DVec3::new(2.0, 1.0, 0.5)];
    let mut document = Document::new();
    let mut properties = local.properties();
    properties.extend([
        vector("GeometricTranslation", offset.to_array()),
        vector("GeometricRotation", degrees.to_array()),
        vector("GeometricScaling", scale.to_array()),
    ]);
    let node = document.node("a", "Mesh", 0, properties);
    document.mesh(node, &TRIANGLE, &[[0, 1, 2]]);
    let child = document.node("b", "Mesh", node, PLAIN.properties());
    document.mesh(child, &TRIANGLE, &[[0, 1, 2]]);
    let world = worlds(&[local])[0];
    let geometry =
        DMat4::from_translation(offset) * DMat4::from_mat3(turned(0, degrees)) * DMat4::from_scale(scale);
    let of = |matrix: DMat4| TRIANGLE.map(|at| matrix.transform_point3(DVec3::from(at)));
    let want = [of(world * geometry), of(world)].concat();
    for model in both(&document) {
        let got = vertices(&model, SkinningMode::Linear);
        // What an offset was made into may be drawn after the child.
        let swapped = [&got[3..], &got[..3]].concat();
        let is_swapped = got[0].distance(want[0]) > 1e-3;
        check("geometric offset", if is_swapped { &swapped } else { &got }, &want);
    }
}

#[test]
fn axes_and_units_become_metres_and_y_up() {
    // z up, y to the back, in inches.
    let mut document = chain_file(&[Local { translation: DVec3::new(1.0, 2.0, 3.0), ..PLAIN }]);
    (document.unit, document.axes) = (2.54, [(2, 1), (1, -1), (0, 1)]);
    let turn = |[x, y, z]: [f64; 3]| DVec3::new(x + 1.0, z + 3.0, -(y + 2.0)) * 0.0254;
    for model in both(&document) {
        check("inches, z up", &vertices(&model, SkinningMode::Linear), &TRIANGLE.map(turn));
    }
}

/// Two bones, of which one has turned since it was bound, and a mesh between them.
pub fn skinned(methods: &[&str], shares: &[(i32, f64)]) -> Document {
    let mut document = Document::new();
    let bone = |at: DVec3, degrees: f64| {
        let local = Local { translation: at, rotation: DVec3::new(degrees, 0.0, 0.0), ..PLAIN };
        local.properties()
    };
    let low = document.node("low", "LimbNode", 0, bone(DVec3::ZERO, 0.0));
    let high = document.node("high", "LimbNode", low, bone(DVec3::Y, 90.0));
    for (number, method) in methods.iter().enumerate() {
        let node = document.node(&format!("mesh{number}"), "Mesh", 0, PLAIN.properties());
        let mesh = document.mesh(node, &BETWEEN, &[[0, 1, 2], [1, 3, 2]]);
        let bound = |at: DVec3| DMat4::from_translation(at);
        let cluster = |bone: i64, at: DVec3, weights: [f64; 4]| {
            let weights = (0..).zip(weights).filter(|(_, weight)| *weight > 0.0).collect();
            let link = bound(at);
            let [bone_from_mesh, world_from_bone] =
                [link.inverse(), link].map(|matrix| matrix.to_cols_array());
            Cluster { bone, weights, bone_from_mesh, world_from_bone }
        };
        let clusters = match *method {
            "Rigid" => [
                cluster(low, DVec3::ZERO, [1.0, 1.0, 0.0, 0.0]),
                cluster(high, DVec3::Y, [0.0, 0.0, 1.0, 1.0]),
            ],
            _ => [
                cluster(low, DVec3::ZERO, [1.0, 0.5, 0.5, 0.0]),
                cluster(high, DVec3::Y, [0.0, 0.5, 0.5, 1.0]),
            ],
        };
        let own = if *method == "Blend" { shares } else { &[] };
        document.skin(mesh, method, &clusters, own);
    }
    document
}

const BETWEEN: [[f64; 3]; 4] = [[0.5, 0.0, 0.0], [0.5, 1.0, 0.25], [0.5, 1.0, -0.25], [0.5, 2.0, 0.0]];

/// Where both bones at half weight put a vertex: matrices averaged, or the half turn's quaternion.
fn halfway(at: [f64; 3]) -> [DVec3; 2] {
    let at = DVec3::from(at);
    let about = |degrees: f64, at: DVec3| {
        DVec3::Y + DQuat::from_rotation_x(f64::to_radians(degrees)) * (at - DVec3::Y)
    };
    [(at + about(90.0, at)) / 2.0, about(45.0, at)]
}

#[test]
fn files_say_how_they_are_skinned() {
    let turned =
        |at: [f64; 3]| DVec3::Y + DQuat::from_rotation_x(90f64.to_radians()) * (DVec3::from(at) - DVec3::Y);
    let [low, a, b, high] = BETWEEN;
    let of = |pick: &dyn Fn([DVec3; 2], usize) -> DVec3| {
        vec![DVec3::from(low), pick(halfway(a), 1), pick(halfway(b), 2), turned(high)]
    };
    let shares = [(1, 0.25), (2, 0.75)];
    let share = |vertex: usize| shares[vertex - 1].1;
    for (method, authored, mode, want) in [
        ("", SkinningMethod::Linear, SkinningMode::Linear, of(&|[linear, _], _| linear)),
        ("Linear", SkinningMethod::Linear, SkinningMode::Linear, of(&|[linear, _], _| linear)),
        ("DualQuaternion", SkinningMethod::DualQuaternion, SkinningMode::DualQuat, of(&|[_, dual], _| dual)),
        (
            "Blend",
            SkinningMethod::Blended,
            SkinningMode::Blended,
            of(&|[linear, dual], vertex| linear.lerp(dual, share(vertex))),
        ),
        (
            "Rigid",
            SkinningMethod::Rigid,
            SkinningMode::Rigid,
            vec![low.into(), a.into(), turned(b), turned(high)],
        ),
    ] {
        for model in both(&skinned(&[method], &shares)) {
            assert_eq!(model.skins[0].method, Some(authored), "{method}");
            assert_eq!(SkinningMode::authored(&model), Some(mode), "{method}");
            let got = by_point(&model, mode);
            check(method, &got, &want);
        }
    }
    // Skins that differ need blending, each vertex as its own skin says.
    for model in both(&skinned(&["DualQuaternion", "Linear", "Blend"], &shares)) {
        assert_eq!(SkinningMode::authored(&model), Some(SkinningMode::Blended));
        let got = by_point(&model, SkinningMode::Blended);
        check("dual quaternions among others", &got[..4], &of(&|[_, dual], _| dual));
        check("linear among others", &got[4..8], &of(&|[linear, _], _| linear));
        check(
            "blended among others",
            &got[8..],
            &of(&|[linear, dual], vertex| linear.lerp(dual, share(vertex))),
        );
    }
    // What is called rigid and has several joints a vertex is blended.
    let mut several = skinned(&["Linear"], &[]);
    several.rename("Linear", "Rigid");
    for model in both(&several) {
        assert_eq!(model.skins[0].method, Some(SkinningMethod::Linear));
    }
}

/// The vertices of a model's control points, mesh after mesh.
fn by_point(model: &Model, mode: SkinningMode) -> Vec<DVec3> {
    vertices(&model.by_control_points().unwrap(), mode)
}
