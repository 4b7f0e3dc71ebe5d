//! The modes with distinct results, for lists that have a row or a column per mode. *Blend* equals *dqs* if every share is 1,
//! and the dialects of *dqs* equal it if no joint scales.

use crate::SkinningMode;
use crate::palette::world_from_bind_into;
use crate::pose::{Pose, PoseChoice, Shares};
use glam::{DMat3, DMat4};
use sinew_model::Model;

/// A joint whose `AᵀA` is this near to the identity does not scale: files round transforms to single precision, and chains of
/// joints add that up.
const ROUNDING: f64 = 1e-5;

/// The modes of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distinct {
    /// The modes to list, simplest first.
    pub modes: Vec<SkinningMode>,
    /// The modes that are left out, because they equal *dqs*.
    pub equal_to_dqs: Vec<SkinningMode>,
}

impl Distinct {
    /// Splits all modes; `scales` is true if some joint scales in the listed poses.
    pub fn new(shares: &Shares, scales: bool) -> Self {
        let is_one = shares.is_one();
        let is_equal = |mode: &SkinningMode| match mode {
            SkinningMode::Blended => is_one,
            mode => mode.facts().is_dialect && !scales,
        };
        let (equal_to_dqs, modes) = SkinningMode::ALL.into_iter().partition(is_equal);
        Self { modes, equal_to_dqs }
    }

    /// Returns the names of the modes that are left out.
    pub fn left_out(&self) -> Vec<&'static str> {
        self.equal_to_dqs.iter().map(|mode| mode.name()).collect()
    }

    /// Returns a sentence on the dialects that are left out: `dqs-blender and dqs-rigid equal dqs here: no joint scales.`
    pub fn sentence(&self) -> Option<String> {
        let dialects = self.equal_to_dqs.iter().filter(|mode| mode.facts().is_dialect);
        let names: Vec<&str> = dialects.map(|mode| mode.name()).collect();
        (!names.is_empty()).then(|| format!("{} equal dqs here: no joint scales.", names.join(" and ")))
    }
}

/// Returns true if a joint's transform scales, mirrors or shears.
pub fn is_scaled(world_from_bind: &DMat4) -> bool {
    let a = DMat3::from_mat4(*world_from_bind);
    let off = (a.transpose() * a - DMat3::IDENTITY).to_cols_array();
    // A NaN scales.
    !off.into_iter().all(|number| number.abs() <= ROUNDING) || a.determinant() < 0.0
}

/// Returns true if a joint of any skin scales, mirrors or shears in one of the poses.
pub fn scales(model: &Model, poses: impl IntoIterator<Item = PoseChoice>) -> bool {
    let mut pose = Pose::default();
    let mut matrices = Vec::new();
    poses.into_iter().any(|choice| {
        pose.set(model, &choice);
        model.skins.iter().any(|skin| {
            world_from_bind_into(skin, &pose, &mut matrices);
            matrices.iter().any(is_scaled)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};
    use sinew_model::{LocalTransform, builtin, gltf};

    #[test]
    fn scale_shear_and_mirrors_are_seen_and_rounding_is_not() {
        let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 2.0);
        let scaled = |scale| DMat4::from_scale_rotation_translation(scale, turn, DVec3::splat(1e3));
        for scale in [DVec3::splat(1.0001), DVec3::new(1.0, 0.9, 1.0), -DVec3::ONE, DVec3::NAN] {
            assert!(is_scaled(&scaled(scale)), "{scale}");
        }
        let mut shear = DMat4::IDENTITY;
        shear.y_axis.x = 0.01;
        assert!(is_scaled(&shear));
        for scale in [DVec3::ONE, DVec3::splat(1.0 + 1e-6)] {
            assert!(!is_scaled(&scaled(scale).as_mat4().as_dmat4()), "{scale}");
        }
    }

    #[test]
    fn lists_leave_out_what_equals_dqs() {
        let mut model = gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap();
        let poses = || [PoseChoice::Rest, PoseChoice::clip(0, 0.5)];
        let mut shares = Shares::default();
        assert!(!scales(&model, poses()));
        let found = Distinct::new(&shares, false);
        assert_eq!(found.left_out(), ["blend", "dqs-blender", "dqs-rigid"]);
        let sentence = "dqs-blender and dqs-rigid equal dqs here: no joint scales.";
        assert_eq!(found.sentence().as_deref(), Some(sentence));
        assert_eq!(found.modes.len() + 3, SkinningMode::ALL.len());

        if let LocalTransform::Trs { scale, .. } = &mut model.rig.rest[model.skins[0].joints[1]] {
            scale.y = 1.2;
        }
        assert!(scales(&model, poses()) && !scales(&model, [PoseChoice::Bind]));
        assert!(shares.set_all(0.5));
        let found = Distinct::new(&shares, true);
        assert_eq!((found.modes, found.equal_to_dqs.len()), (SkinningMode::ALL.to_vec(), 0));
    }
}
