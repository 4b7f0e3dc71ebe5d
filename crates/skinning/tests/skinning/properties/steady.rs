//! Normals and tangents of rigs whose joints are scaled a thousandfold against each other and mirrored, which linear
//! blending all but flattens.

use super::cases::*;
use glam::{DMat4, DQuat, DVec3, DVec4};
use sinew_model::{Influences, Primitive, Span};
use sinew_skinning::SkinningMode;

/// A generator of numbers, the same on all machines.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.0 >> 11) as f64) / (1u64 << 53) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        self.between(0.0, count as f64) as usize
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::from([(); 3].map(|()| self.between(-1.0, 1.0)))
    }

    fn unit(&mut self) -> DVec3 {
        self.vector().try_normalize().unwrap_or(DVec3::X)
    }

    /// A joint's transform, scaled by 10^±1.5 along each axis and mirrored along some.
    fn joint(&mut self) -> DMat4 {
        let mut axis = || {
            let size = 10.0_f64.powf(self.between(-1.5, 1.5));
            if self.between(0.0, 1.0) < 0.3 { -size } else { size }
        };
        let scale = DVec3::from([(); 3].map(|()| axis()));
        let turn = DQuat::from_axis_angle(self.unit(), self.between(-3.1, 3.1));
        DMat4::from_scale_rotation_translation(scale, turn, self.vector())
    }

    /// Up to seven joints below each other, bound in one pose and posed in another.
    fn palette(&mut self) -> Vec<DMat4> {
        let (mut bound, mut posed): (Vec<DMat4>, Vec<DMat4>) = (Vec::new(), Vec::new());
        for joint in 0..1 + self.below(7) {
            let parent = self.below(joint.max(1));
            for all in [&mut bound, &mut posed] {
                let above = all.get(parent).copied().unwrap_or(DMat4::IDENTITY);
                all.push(above * self.joint());
            }
        }
        posed.iter().zip(&bound).map(|(posed, bound)| *posed * bound.inverse()).collect()
    }

    fn case(&mut self) -> Case {
        let world_from_bind = self.palette();
        let (mut primitive, mut span) = (Primitive::default(), Span::default());
        let (mut normals, mut tangents) = (Vec::new(), Vec::new());
        for _ in 0..40 {
            primitive.positions.push(self.vector().as_vec3().to_array());
            let normal = self.unit();
            let tangent =
                normal.cross(self.unit()).try_normalize().unwrap_or(normal.any_orthonormal_vector());
            normals.push(normal.as_vec3().to_array());
            tangents.push(tangent.as_vec3().extend(1.0).to_array());
            span.joints.push([(); 4].map(|()| self.below(world_from_bind.len()) as i32));
            let weights = prepared([(); 4].map(|()| self.between(0.001, 1.0)).to_vec());
            span.weights.push([0, 1, 2, 3].map(|slot| weights[slot]));
        }
        (primitive.normals, primitive.tangents) = (Some(normals), Some(tangents));
        primitive.influences = Some(Influences { spans: vec![span] });
        Case { world_from_bind, primitive }
    }
}

fn apart<const N: usize>(got: [f32; N], want: [f64; N]) -> f64 {
    got.iter().zip(want).map(|(got, want)| (f64::from(*got) - want).abs()).fold(0.0, f64::max)
}

/// Returns how rounding alone may turn a direction, as `sinew verify` allows it.
fn allowed(steadiness: f64) -> f64 {
    (4.0 / 16_777_216.0 / steadiness).clamp(2e-5, 2.0)
}

/// In `f32`, a transform that is flat but for rounding may show its other side. The reference says where, and everywhere
/// else the side is that of `f64`.
#[test]
fn only_rounding_turns_a_normal_over_and_the_reference_knows_where() {
    let (mut vertices, mut uncertain, mut turned) = (0, 0, 0);
    for mode in SkinningMode::ALL {
        let mut random = Random(7);
        for rig in 0..3000 {
            let case = random.case();
            if nearest_to_half_turn(&case) < 1e-5 {
                continue;
            }
            let (got, want) = (twin(mode, &case), reference(mode, &case));
            let (normals, tangents) = (want.normals.unwrap(), want.tangents.unwrap());
            for vertex in 0..normals.len() {
                let is_certain = want.is_side_certain[vertex];
                let side = normals[vertex].dot(DVec3::from(got.normals[vertex].map(f64::from))).signum();
                let tangent = tangents[vertex] * DVec4::new(1.0, 1.0, 1.0, side);
                let off = apart(got.normals[vertex], (normals[vertex] * side).to_array())
                    .max(apart(got.tangents[vertex], tangent.to_array()));
                let allowed = allowed(want.steadiness[vertex]);
                assert!(off <= allowed, "{mode} rig {rig} vertex {vertex}: off by {off:e} of {allowed:e}");
                let is_turned = side < 0.0 && allowed < 1.0;
                assert!(!is_turned || !is_certain, "{mode} rig {rig} vertex {vertex}: turned over");
                vertices += 1;
                uncertain += usize::from(!is_certain);
                turned += usize::from(is_turned);
            }
        }
    }
    println!("{turned} of {uncertain} uncertain sides of {vertices} are turned over");
    assert!(turned > 10, "{turned}: the rigs are not flat enough to test anything");
    // The bound counts every rounding at its worst, and these rigs flatten more than any figure does.
    assert!(uncertain < vertices / 10, "{uncertain} of {vertices}");
}
