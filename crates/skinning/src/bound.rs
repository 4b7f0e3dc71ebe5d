//! Finds the units and axes in which a skin is bound: the similarity from the mesh as stored to its place under the joints
//! at rest. Exporters bind a mesh in centimetres, or with z up, and let the joints scale and turn it. Measures against the
//! bind pose would count that as a deformation.

use crate::palette::world_from_bind;
use crate::pose::Pose;
use glam::{DAffine3, DMat3, DMat4, DVec3};
use sinew_model::{Model, Skin};

/// Tolerance between two similarities, and between a transform and a similarity, as a share of the scale and of the
/// skeleton's size.
const ALIKE: f64 = 1e-3;

/// A transform this near to the identity is the single-precision rounding of inverse bind matrices.
const ROUNDING: f64 = 1e-4;

/// Returns for each skin the transform from bind space to the place where the skin draws its bind pose: a rotation, a
/// uniform scale and a translation on which most joints agree at rest. If they agree on the scale alone, it is that scale;
/// if on nothing, the identity.
pub fn world_from_bound(model: &Model) -> Vec<DAffine3> {
    let rest = Pose::rest(&model.rig);
    model.skins.iter().map(|skin| of_skin(skin, &rest)).collect()
}

fn of_skin(skin: &Skin, rest: &Pose) -> DAffine3 {
    let matrices = world_from_bind(skin, rest);
    let found: Vec<Similarity> = matrices.iter().filter_map(Similarity::of).collect();
    let half = matrices.len() / 2;
    let reach = reach(skin);
    let is_alike = |a: &Similarity, b: &Similarity| a.is_alike(b, reach);
    if let Some(common) = majority(&found, half, is_alike) {
        return common.settled(reach);
    }
    let has_scale = |a: &Similarity, b: &Similarity| (a.scale / b.scale - 1.0).abs() <= ALIKE;
    match majority(&found, half, has_scale) {
        Some(common) if (common.scale - 1.0).abs() > ALIKE => {
            DAffine3::from_scale(DVec3::splat(common.scale))
        }
        _ => DAffine3::IDENTITY,
    }
}

/// Returns the largest coordinate of a joint's origin in bind space.
fn reach(skin: &Skin) -> f64 {
    let origin = |joint: &DMat4| DAffine3::from_mat4(*joint).inverse().translation.abs().max_element();
    skin.joint_from_bind.iter().map(origin).filter(|reach| reach.is_finite()).fold(0.0, f64::max)
}

/// Returns an item that more than `half` of the items equal, by the vote of Boyer and Moore.
fn majority<T: Copy>(items: &[T], half: usize, is_alike: impl Fn(&T, &T) -> bool) -> Option<T> {
    let (mut candidate, mut lead) = (*items.first()?, 0usize);
    for item in items {
        if lead == 0 {
            candidate = *item;
        }
        lead = if is_alike(item, &candidate) { lead + 1 } else { lead.saturating_sub(1) };
    }
    let votes = items.iter().filter(|item| is_alike(item, &candidate)).count();
    (votes > half).then_some(candidate)
}

/// A transform that keeps all angles.
#[derive(Clone, Copy)]
struct Similarity {
    transform: DAffine3,
    scale: f64,
}

impl Similarity {
    fn of(matrix: &DMat4) -> Option<Self> {
        let transform = DAffine3::from_mat4(*matrix);
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } = transform.matrix3;
        let scale = transform.matrix3.determinant().abs().cbrt();
        let is_off = |cosine: f64, wanted: f64| (cosine / (scale * scale) - wanted).abs() > ALIKE;
        let is_skew = [x.dot(y), y.dot(z), z.dot(x)].into_iter().any(|cosine| is_off(cosine, 0.0));
        let is_uneven = [x, y, z].into_iter().any(|axis| is_off(axis.length_squared(), 1.0));
        let is_sound = transform.is_finite() && scale.is_normal();
        (is_sound && !is_skew && !is_uneven).then_some(Self { transform, scale })
    }

    fn is_alike(&self, other: &Self, reach: f64) -> bool {
        let (a, b) = (self.transform, other.transform);
        let difference = a.matrix3 - b.matrix3;
        let turned =
            difference.to_cols_array().into_iter().fold(0.0, |most: f64, number| most.max(number.abs()));
        let moved = a.translation.distance(b.translation);
        turned <= ALIKE * other.scale && moved <= ALIKE * other.scale * reach
    }

    /// Returns the transform without its rounding noise.
    fn settled(&self, reach: f64) -> DAffine3 {
        let DAffine3 { mut matrix3, mut translation } = self.transform;
        let off = (matrix3 - DMat3::IDENTITY).to_cols_array();
        if off.into_iter().all(|number| number.abs() <= ROUNDING) {
            matrix3 = DMat3::IDENTITY;
        }
        if translation.abs().max_element() <= ROUNDING * self.scale * reach {
            translation = DVec3::ZERO;
        }
        DAffine3 { matrix3, translation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use sinew_model::{LocalTransform, Rig};
    use std::f64::consts::FRAC_PI_2;

    /// Makes a skin of joints in a row. Its rest pose moves the vertices bound at their origins by `drawn`.
    fn model(drawn: &[DAffine3]) -> Model {
        let origin = |joint: usize| DAffine3::from_translation(DVec3::new(0.0, joint as f64, 0.0));
        let rest = drawn.iter().enumerate().map(|(joint, drawn)| *drawn * origin(joint));
        let rig = Rig {
            parents: vec![None; drawn.len()],
            rest: rest.map(LocalTransform::Matrix).collect(),
            ..Rig::default()
        };
        let skin = Skin {
            joints: (0..drawn.len()).collect(),
            joint_from_bind: (0..drawn.len()).map(|joint| DMat4::from(origin(joint).inverse())).collect(),
            ..Skin::default()
        };
        Model { rig, skins: vec![skin], ..Model::default() }
    }

    fn found(drawn: &[DAffine3]) -> DAffine3 {
        world_from_bound(&model(drawn))[0]
    }

    fn placed(scale: f64, turn: DQuat, translation: [f64; 3]) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(DVec3::splat(scale), turn, translation.into())
    }

    #[test]
    fn joints_that_agree_say_in_which_units_and_axes_a_skin_is_bound() {
        let lying = placed(100.0, DQuat::from_rotation_x(-FRAC_PI_2), [3.0, 0.0, -50.0]);
        assert!(found(&[lying; 5]).abs_diff_eq(lying, 1e-9));
        let posed = placed(100.0, DQuat::from_rotation_z(0.4), [0.0, 70.0, 0.0]);
        let flat = DAffine3::from_scale(DVec3::new(1.0, 1.0, 0.0));
        assert!(found(&[lying, posed, lying, flat, lying]).abs_diff_eq(lying, 1e-9), "most agree");
        let mirrored = DAffine3::from_scale(DVec3::new(-0.01, 0.01, 0.01));
        assert!(found(&[mirrored; 2]).abs_diff_eq(mirrored, 1e-12));
    }

    #[test]
    fn joints_that_agree_on_the_scale_alone_give_that() {
        let posed = |angle: f64| placed(0.01, DQuat::from_rotation_z(angle), [angle, 0.0, 0.0]);
        let all = [0.1, 0.5, 0.9, 2.0].map(posed);
        assert!(found(&all).abs_diff_eq(DAffine3::from_scale(DVec3::splat(0.01)), 1e-12));
        let turned = [0.1, 0.5, 0.9].map(|angle| placed(1.0, DQuat::from_rotation_z(angle), [0.0; 3]));
        assert_eq!(found(&turned), DAffine3::IDENTITY);
    }

    #[test]
    fn nothing_in_common_is_nothing() {
        let sizes = [1.0, 2.0, 3.0, 4.0].map(|size| placed(size, DQuat::IDENTITY, [0.0; 3]));
        assert_eq!(found(&sizes), DAffine3::IDENTITY);
        let rounded = placed(1.0 + 1e-6, DQuat::from_rotation_x(1e-6), [1e-6, 0.0, 0.0]);
        assert_eq!(found(&[rounded; 3]), DAffine3::IDENTITY);
        let lost = DAffine3::from_scale(DVec3::NAN);
        assert_eq!([found(&[lost; 3]), found(&[DAffine3::ZERO; 3])], [DAffine3::IDENTITY; 2]);
        assert_eq!(world_from_bound(&Model { skins: vec![Skin::default()], ..Model::default() }).len(), 1);
    }
}
