//! The positions of a vertex in the modes, by the `f64` reference.

use glam::{DAffine3, DVec3};

use super::explanation::{Distance, DualQuaternions, Influence, Moved, Place};
use super::place::{BindPlace, one};
use crate::palette::finite;
use sinew_skinning::SkinningMode;
use sinew_skinning::reference::{JointMotion, Own, blend_dual_quats, blended, transform_normal};

/// Returns the vertex in some modes. Without a skin, all modes move it with its node.
pub fn moved(
    modes: impl Iterator<Item = SkinningMode>,
    slots: &[(JointMotion, f64)],
    has_skin: bool,
    place: &BindPlace,
    own: impl Fn(SkinningMode) -> Own,
    surrounded: impl Fn(SkinningMode) -> Option<DAffine3>,
) -> Vec<Moved> {
    let moved = modes.map(|mode| {
        let b = transform(mode, slots, has_skin, &own, &surrounded);
        let normal = place.normal.map(|normal| transform_normal(&b.matrix3, normal));
        (mode, b.transform_point3(place.position), normal)
    });
    let moved: Vec<_> = moved.collect();
    let distances = |mode: SkinningMode, position: DVec3| {
        let others = moved.iter().filter(|(other, ..)| *other != mode);
        others.map(|&(mode, other, _)| Distance { mode, distance: one(position.distance(other)) }).collect()
    };
    let shown = |&(mode, position, normal): &(SkinningMode, DVec3, Option<DVec3>)| Moved {
        mode,
        place: Place {
            position: finite(position.to_array()),
            normal: normal.and_then(|normal| finite(normal.to_array())),
        },
        distances: distances(mode, position),
    };
    moved.iter().map(shown).collect()
}

/// Returns the transform of a vertex in a mode, from the bind pose.
pub fn transform(
    mode: SkinningMode,
    slots: &[(JointMotion, f64)],
    has_skin: bool,
    own: &impl Fn(SkinningMode) -> Own,
    surrounded: &impl Fn(SkinningMode) -> Option<DAffine3>,
) -> DAffine3 {
    let slots: Vec<(&JointMotion, f64)> = slots.iter().map(|(motion, weight)| (motion, *weight)).collect();
    let used = if has_skin { mode } else { SkinningMode::Rigid };
    let found = if used.facts().needs_ddm { surrounded(used) } else { None };
    found.unwrap_or_else(|| blended(used, &slots, &own(mode)).b)
}

/// Returns the blend of a vertex's quaternions.
pub fn dual_quaternions(slots: &[(JointMotion, f64)], influences: &[Influence]) -> DualQuaternions {
    let slots: Vec<(&JointMotion, f64)> = slots.iter().map(|(motion, weight)| (motion, *weight)).collect();
    let blended = slots.first().map(|(first, _)| blend_dual_quats(first, &slots));
    DualQuaternions {
        length: blended.and_then(|blended| one(blended.length)),
        is_cancelled: blended.is_some_and(|blended| blended.is_cancelled),
        has_tie: influences.iter().any(|influence| influence.sign.is_some_and(|sign| sign.is_tie)),
    }
}
