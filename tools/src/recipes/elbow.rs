//! The rod `bend` with a corrective shape: a morph target that makes up for what linear blending loses, with weights that the
//! angle of the joint drives.

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use sinew_model::{
    Channel, Deltas, Driver, Interpolation, LocalTransform, Model, Morphs, Moves, Primitive, Property,
};

use super::rod;

/// The bend at which the shape was made, in degrees.
const MADE_AT: f64 = 90.0;

/// The joint at a bend: the middle of the hinge, its turn, and the turn of a share of it as dual quaternions have it.
struct Hinge {
    middle: DVec3,
    half: f64,
}

impl Hinge {
    fn turn(&self, half: f64) -> DMat3 {
        let v = DVec3::NEG_Z * libm::sin(half);
        DMat3::from_quat(DQuat::from_xyzw(v.x, v.y, v.z, libm::cos(half)))
    }

    /// The matrix of linear blending, where the upper joint has this weight.
    fn linear(&self, upper: f64) -> DMat3 {
        DMat3::IDENTITY * (1.0 - upper) + self.turn(self.half) * upper
    }

    /// The rotation of the blended and normalised dual quaternion. Both joints keep the middle where it is.
    fn smooth(&self, upper: f64) -> DMat3 {
        let (sine, cosine) = (upper * libm::sin(self.half), 1.0 - upper + upper * libm::cos(self.half));
        self.turn(libm::atan2(sine, cosine))
    }
}

/// The rod. Its shape takes linear blending to where dual quaternions move a vertex at 90 degrees.
pub fn elbow() -> Model {
    let mut model = rod::bend();
    model.rig.names[0] = "elbow".into();
    model.meshes[0].name = "elbow".into();
    model.skins[0].name = "elbow".into();
    let LocalTransform::Trs { translation: middle, .. } = model.rig.rest[2] else { return model };
    let body = &model.meshes[0].primitives[0];
    let shape = Shape::new(body, &Hinge { middle, half: MADE_AT / 180.0 * PI / 2.0 });
    let moves = |all: &[DVec3]| -> [Moves<3>; 1] {
        [(0..).zip(all.iter().map(|delta| delta.as_vec3().to_array())).collect()]
    };
    let count = body.positions.len();
    let morphs = Morphs {
        positions: Deltas::new(count, &moves(&shape.positions)),
        normals: Deltas::new(count, &moves(&shape.normals)),
        tangents: Deltas::new(count, &moves(&shape.tangents)),
        texcoords: vec![None],
        ..Morphs::default()
    };
    let keys = (0..=rod::KEYS).map(|key| {
        let share = f64::from(key) / f64::from(rod::KEYS);
        let weight = shape.best_weight(body, &Hinge { middle, half: PI / 2.0 * share });
        [180.0 * share, f64::from(weight as f32)]
    });
    let keys: Vec<[f64; 2]> = keys.collect();
    let channel = Channel {
        node: 0,
        property: Property::Weights,
        interpolation: Interpolation::Linear,
        times: model.clips[0].channels[0].times.clone(),
        values: keys.iter().map(|key| key[1] as f32).collect(),
    };
    model.clips[0].channels.push(channel);
    model.meshes[0].primitives[0].morphs = Some(morphs);
    model.meshes[0].target_names = vec!["corrective".into()];
    model.rig.rest_weights = vec![0.0];
    model.rig.drivers = vec![Driver { node: 0, target: 0, joint: 2, axis: DVec3::NEG_Z, keys }];
    model.rig.weight_ends = vec![1; model.rig.parents.len()];
    model
}

/// The weight of the upper joint, and the place of each vertex.
fn vertices(body: &Primitive) -> impl Iterator<Item = (f64, DVec3)> {
    let spans = body.influences.iter().flat_map(|all| &all.spans);
    let upper = spans.flat_map(|span| span.joints.iter().zip(&span.weights)).map(|(joints, weights)| {
        let both = joints.iter().zip(weights);
        both.filter(|(joint, _)| **joint == 1).map(|(_, weight)| f64::from(*weight)).sum()
    });
    upper.zip(body.positions.iter().map(|at| DVec3::from_array(at.map(f64::from))))
}

/// The moves of each vertex, in bind space.
struct Shape {
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    tangents: Vec<DVec3>,
}

impl Shape {
    fn new(body: &Primitive, hinge: &Hinge) -> Self {
        let mut shape = Self { positions: Vec::new(), normals: Vec::new(), tangents: Vec::new() };
        let normals = body.normals.iter().flatten().map(|normal| DVec3::from_array(normal.map(f64::from)));
        let tangents =
            body.tangents.iter().flatten().map(|[x, y, z, _]| DVec3::from_array([*x, *y, *z].map(f64::from)));
        for (((upper, at), normal), tangent) in vertices(body).zip(normals).zip(tangents) {
            let (linear, smooth) = (hinge.linear(upper), hinge.smooth(upper));
            if upper == 0.0 || upper == 1.0 {
                // Both are one joint's.
                for all in [&mut shape.positions, &mut shape.normals, &mut shape.tangents] {
                    all.push(DVec3::ZERO);
                }
                continue;
            }
            let (back, from_middle) = (linear.inverse(), at - hinge.middle);
            shape.positions.push(back * (smooth * from_middle) - from_middle);
            // Blending moves normals by the inverse transpose.
            shape.normals.push((linear.transpose() * (smooth * normal)).normalize() - normal);
            shape.tangents.push((back * (smooth * tangent)).normalize() - tangent);
        }
        shape
    }

    /// Returns the weight that leaves the least squares of distances at another bend.
    fn best_weight(&self, body: &Primitive, hinge: &Hinge) -> f64 {
        let (mut along, mut length) = (0.0, 0.0);
        for ((upper, at), delta) in vertices(body).zip(&self.positions) {
            let from_middle = at - hinge.middle;
            let missing = (hinge.smooth(upper) - hinge.linear(upper)) * from_middle;
            let moved = hinge.linear(upper) * *delta;
            along += missing.dot(moved);
            length += moved.length_squared();
        }
        if length > 0.0 { along / length } else { 0.0 }
    }
}
