//! Humans among rigs: which joint is which bone, by the names of the usual schemes or by the shape of the tree, and which
//! joints of two such rigs belong together. This module must not depend on clips, maps or a pairing's other rules.

mod figure;
mod limbs;
mod named;
mod part;
mod shape;
mod skeleton;
mod spread;
mod terms;
mod words;

pub use figure::Figure;
pub use part::Part;
pub use skeleton::Skeleton;
pub use spread::pairs;
pub use words::Words;

use sinew_model::{HumanBone, Side};

/// Returns the bones of a rig. `stated` are bones that the file itself names, as VRM does; they come first, then names,
/// then the shape of the tree. A rig that is no human has none.
pub fn figure(skeleton: &Skeleton, stated: &[(HumanBone, usize)]) -> Figure {
    let mut found = Figure::default();
    let mut bones = stated.to_vec();
    bones.sort_unstable();
    for group in bones.chunk_by(|(one, _), (other, _)| Part::of(*one) == Part::of(*other)) {
        let joints: Vec<usize> = group.iter().map(|(_, joint)| *joint).collect();
        if let Some((bone, _)) = group.first() {
            found.add(Part::of(*bone), &joints, false);
        }
    }
    let named = named::find(skeleton);
    if is_human(skeleton, &named) || !stated.is_empty() {
        named.parts().for_each(|(part, joints)| found.add(part, joints, false));
        return found;
    }
    let shape = shape::find(skeleton);
    if shape.has(Part::Hips) {
        // Names that tell no whole figure may still tell a hand or an eye, but not where a chain ends.
        let is_one = |part: Part| !matches!(part, Part::Torso | Part::Neck | Part::Hips);
        named
            .parts()
            .filter(|(part, _)| is_one(*part))
            .for_each(|(part, joints)| found.add(part, joints, false));
        shape.parts().for_each(|(part, joints)| found.add(part, joints, true));
    }
    found
}

/// Returns true if names tell both arms, and both legs if there are any.
fn is_human(skeleton: &Skeleton, named: &Figure) -> bool {
    let has = |parts: [fn(Side) -> Part; 2]| {
        Side::BOTH.iter().all(|side| parts.iter().all(|part| named.has(part(*side))))
    };
    let is_leg = |words: &Words| {
        use terms::Term::{Ankle, Foot, Hip, Knee, Leg, LowerLeg, Toes, UpperLeg};
        let term = terms::Term::of(&words.stem);
        let legs = [UpperLeg, LowerLeg, Leg, Knee, Ankle, Foot, Toes, Hip];
        words.side.is_some() && term.is_some_and(|term| legs.contains(&term))
    };
    let has_legs = has([Part::UpperLeg, Part::LowerLeg]);
    has([Part::UpperArm, Part::LowerArm]) && (has_legs || !skeleton.words.iter().any(is_leg))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{LocalTransform, Model, Rig};

    /// Bones that a file states come before its names, and names fill in the rest.
    #[test]
    fn stated_bones_come_first() {
        let names = ["a", "b", "c", "d", "LeftArm", "LeftHand", "Head"];
        let count = names.len();
        let rig = Rig {
            names: names.map(str::to_owned).to_vec(),
            parents: (0..count).map(|node| node.checked_sub(1).map(|parent| parent as u32)).collect(),
            rest: vec![LocalTransform::IDENTITY; count],
            ..Rig::default()
        };
        let model = Model { rig, ..Model::default() };
        let skeleton = Skeleton::new(&model, &vec![false; count], &vec![false; count]);
        let left = Side::Left;
        let stated = [
            (HumanBone::LowerArm(left), 4),
            (HumanBone::UpperChest, 3),
            (HumanBone::Hips, 0),
            (HumanBone::Spine, 1),
            (HumanBone::Chest, 2),
        ];
        let found = figure(&skeleton, &stated);
        assert_eq!((found.joints(Part::Hips), found.joints(Part::Torso)), (&[0][..], &[1, 2, 3][..]));
        assert_eq!(found.part_of(4), Some(Part::LowerArm(left)));
        assert_eq!((found.joint(Part::Hand(left)), found.joint(Part::Head)), (Some(5), Some(6)));
        // The names alone make no human, and neither does the shape.
        assert_eq!(figure(&skeleton, &[]).parts().count(), 0);
    }
}
