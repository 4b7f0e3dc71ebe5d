//! Angles between the normals of a mode and those of the mesh that it makes.

use glam::DVec3;
use serde::Serialize;
use sinew_model::{Model, VertexIndex};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed::SkinnedPrimitive;
use sinew_skinning::{Drawn, MeshNormals};

/// The angles between moved and recomputed normals, over all drawn vertices that have normals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct NormalAngles {
    /// The largest angle, in degrees.
    pub max_deg: f64,
    /// The root mean square of the angles.
    pub rms_deg: f64,
    /// The vertex of the largest angle, the first of equal ones; `None` if all are zero.
    #[serde(skip)]
    pub worst: Option<VertexIndex>,
}

/// Measures a model in a pose, as a mode skinned it. `recomputed` is memory to reuse.
pub fn normal_angles(
    (model, drawn, normals): (&Model, &Drawn, &MeshNormals),
    pose: &Pose,
    skinned: &[SkinnedPrimitive<f64>],
    recomputed: &mut Vec<SkinnedPrimitive<f64>>,
) -> NormalAngles {
    recomputed.clear();
    recomputed.extend_from_slice(skinned);
    normals.apply(model, pose, recomputed);
    let (mut found, mut squares, mut count) = (NormalAngles::default(), 0.0, 0_u64);
    for ((vertices, a), b) in drawn.primitives().zip(skinned).zip(&*recomputed) {
        let (Some(moved), Some(recomputed)) = (&a.normals, &b.normals) else { continue };
        for vertex in vertices.iter().map(|&vertex| vertex as usize) {
            let (Some(&moved), Some(&recomputed)) = (moved.get(vertex), recomputed.get(vertex)) else {
                continue;
            };
            let degrees = angle(moved.into(), recomputed.into()).to_degrees();
            if !degrees.is_finite() {
                continue;
            }
            squares += degrees * degrees;
            count += 1;
            if degrees > found.max_deg {
                found.max_deg = degrees;
                found.worst = Some(VertexIndex { instance: a.instance, primitive: a.primitive, vertex });
            }
        }
    }
    found.rms_deg = (squares / count.max(1) as f64).sqrt();
    found
}

/// Returns the angle between two vectors, in radians; exact also for small ones.
fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}
