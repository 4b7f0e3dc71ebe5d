//! A pose with left and right exchanged, by the names of joints and their positions at rest. It must not depend on edits or
//! clips. It gives each node's transform in the mirrored pose.

use std::collections::HashMap;

use glam::{DMat3, DMat4, DVec3};
use sinew_model::{LocalTransform, Model, Rig};

use crate::ik;
use crate::pose::Pose;

/// Words for the two sides, in each case.
const SIDES: [[&str; 2]; 5] =
    [["left", "right"], ["Left", "Right"], ["LEFT", "RIGHT"], ["l", "r"], ["L", "R"]];

/// Returns each node's counterpart on the other side; a node without one is its own.
pub fn counterparts(rig: &Rig) -> Vec<usize> {
    let mut known: HashMap<&str, Option<usize>> = HashMap::new();
    for (node, name) in rig.names.iter().enumerate().filter(|(node, _)| rig.copy_number(*node).is_none()) {
        // A name of several nodes is ambiguous.
        known.entry(name).and_modify(|node| *node = None).or_insert(Some(node));
    }
    let find = |name: &str| known.get(name).copied().flatten();
    let counterpart = |(node, name): (usize, &String)| {
        find(name)
            .and_then(|_| names_of_other_side(name).iter().find_map(|other| find(other)))
            .unwrap_or(node)
    };
    rig.names.iter().enumerate().map(counterpart).collect()
}

/// Returns the names that a joint of the other side may have: `hand.R` for `hand.L`, `RightHand` for `LeftHand`.
pub fn names_of_other_side(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for sides in SIDES {
        for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            for (at, _) in name.match_indices(side) {
                let (before, after) = (&name[..at], &name[at + side.len()..]);
                if is_word(before, side, after) {
                    found.push(format!("{before}{other}{after}"));
                }
            }
        }
    }
    found
}

/// Returns true if a side's name is a separate word between the text before and after it.
fn is_word(before: &str, side: &str, after: &str) -> bool {
    let (last, next) = (before.chars().next_back(), after.chars().next());
    let is_letter = |c: Option<char>, of: fn(char) -> bool| c.is_some_and(of);
    let starts_low = side.starts_with(char::is_lowercase);
    match side.len() {
        // A single letter is a side between separators, or before a capital at the start: `arm.L`, `l_arm`, `lShoulder`.
        1 => {
            let is_prefix = before.is_empty() && starts_low && is_letter(next, char::is_uppercase);
            is_prefix || (!is_letter(last, char::is_alphanumeric) && !is_letter(next, char::is_alphanumeric))
        }
        // A longer word begins at a change of case: `LeftArm`, `ArmLeft`, `left_arm`, not `cleft`.
        _ if starts_low => !is_letter(last, char::is_alphabetic) && !is_letter(next, char::is_lowercase),
        _ => !is_letter(next, char::is_lowercase),
    }
}

/// Returns each node's transform in its parent in the mirrored pose; `None` if the names have no two sides.
pub fn mirrored(model: &Model, pose: &Pose) -> Option<Vec<LocalTransform>> {
    let rig = &model.rig;
    let counterparts = counterparts(rig);
    let rest = Pose::rest(rig);
    let mirror = plane(&rest, &counterparts)?;
    let mut worlds: Vec<DMat4> = Vec::with_capacity(rig.len());
    for (node, &other) in counterparts.iter().enumerate() {
        let at_rest = *rest.world_from_node.get(node)?;
        let (then, now) = (*rest.world_from_node.get(other)?, *pose.world_from_node.get(other)?);
        // The mirrored motion of the other side from its rest moves this side from its own rest.
        let back = then.inverse();
        worlds.push(if back.is_finite() { mirror * now * back * mirror * at_rest } else { at_rest });
    }
    let local = |(node, world): (usize, &DMat4)| {
        let parent = rig.parents.get(node).copied().flatten().and_then(|parent| worlds.get(parent as usize));
        split(&(parent.map_or(DMat4::IDENTITY, |parent| parent.inverse()) * *world))
    };
    let kept =
        |(node, found): (usize, Option<LocalTransform>)| found.or_else(|| pose.locals.get(node).copied());
    worlds.iter().enumerate().map(local).enumerate().map(kept).collect()
}

/// Returns the mirror that exchanges the sides at rest, across the axis that fits best.
fn plane(rest: &Pose, counterparts: &[usize]) -> Option<DMat4> {
    let place = |node: usize| rest.world_from_node.get(node).map(|world| world.w_axis.truncate());
    let pairs = counterparts.iter().enumerate().filter(|(node, other)| node < *other);
    let pairs: Vec<[DVec3; 2]> =
        pairs.filter_map(|(node, other)| Some([place(node)?, place(*other)?])).collect();
    if pairs.is_empty() {
        return None;
    }
    let across = |axis: usize| {
        let middle = pairs.iter().map(|[a, b]| (a[axis] + b[axis]) * 0.5).sum::<f64>() / pairs.len() as f64;
        let mut scale = DVec3::ONE;
        scale[axis] = -1.0;
        let mut way = DVec3::ZERO;
        way[axis] = 2.0 * middle;
        let mirror = DMat4::from_translation(way) * DMat4::from_scale(scale);
        let off: f64 = pairs.iter().map(|[a, b]| mirror.transform_point3(*a).distance_squared(*b)).sum();
        (mirror, off)
    };
    let best = (0..3).map(across).filter(|(_, off)| off.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1));
    best.map(|(mirror, _)| mirror)
}

/// Splits a matrix into translation, rotation and scale along its axes; `None` if it has none.
fn split(matrix: &DMat4) -> Option<LocalTransform> {
    let linear = DMat3::from_mat4(*matrix);
    let rotation = ik::rotation_of(linear);
    let own = DMat3::from_quat(rotation.conjugate()) * linear;
    let (translation, scale) =
        (matrix.w_axis.truncate(), DVec3::new(own.x_axis.x, own.y_axis.y, own.z_axis.z));
    let is_finite = translation.is_finite() && scale.is_finite() && rotation.is_finite();
    is_finite.then_some(LocalTransform::Trs { translation, rotation, scale })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::{ClipMix, Edits, PoseChoice, rotation_from_degrees};

    #[test]
    fn names_tell_the_sides() {
        for (name, other) in [
            ("hand.L", "hand.R"),
            ("hand_r", "hand_l"),
            ("L_hand", "R_hand"),
            ("Bip01 L Thigh", "Bip01 R Thigh"),
            ("mixamorig:LeftArm", "mixamorig:RightArm"),
            ("b_RightLeg01_015", "b_LeftLeg01_015"),
            ("ArmLeft", "ArmRight"),
            ("left_arm", "right_arm"),
            ("lShldr", "rShldr"),
            ("LEFT_FOOT", "RIGHT_FOOT"),
            ("upper_arm.L.001", "upper_arm.R.001"),
        ] {
            assert!(
                names_of_other_side(name).contains(&other.to_owned()),
                "{name}: {:?}",
                names_of_other_side(name)
            );
            assert!(names_of_other_side(other).contains(&name.to_owned()), "{other}");
        }
        for none in
            ["", "hip", "cleft", "brightness", "Roll", "tail", "root", "Leftover", "ear", "larynx", "é.ß"]
        {
            assert!(names_of_other_side(none).is_empty(), "{none}: {:?}", names_of_other_side(none));
        }
    }

    /// Makes a spine with an arm to each side. The right one's axes differ by a rotation, as in real rigs.
    fn arms() -> Model {
        let local = |x: f64, y: f64, degrees: [f64; 3]| LocalTransform::Trs {
            translation: DVec3::new(x, y, 0.0),
            rotation: rotation_from_degrees(degrees),
            scale: DVec3::ONE,
        };
        let rig = Rig {
            names: ["spine", "arm.L", "hand.L", "arm.R", "hand.R"].map(String::from).to_vec(),
            parents: vec![None, Some(0), Some(1), Some(0), Some(3)],
            rest: vec![
                local(0.1, 1.0, [0.0; 3]),
                local(0.5, 0.5, [0.0; 3]),
                local(1.0, 0.0, [0.0; 3]),
                local(-0.5, 0.5, [0.0, 0.0, 180.0]),
                local(1.0, 0.0, [0.0; 3]),
            ],
            file_index: (0..5).collect(),
            ..Rig::default()
        };
        Model { rig, ..Model::default() }
    }

    fn posed(model: &Model, edits: Edits) -> Pose {
        let mut pose = Pose::default();
        pose.set(model, &PoseChoice::Clips(ClipMix { edits, ..ClipMix::default() }));
        pose
    }

    fn place(pose: &Pose, node: usize) -> DVec3 {
        pose.world_from_node[node].w_axis.truncate()
    }

    #[test]
    fn sides_are_exchanged_and_twice_is_never() {
        let model = arms();
        assert_eq!(counterparts(&model.rig), [0, 3, 4, 1, 2]);
        let mut edits = Edits::default();
        edits.set_rotation(&model, 0, rotation_from_degrees([5.0, 10.0, 20.0]));
        edits.set_rotation(&model, 1, rotation_from_degrees([30.0, -20.0, 70.0]));
        edits.set_scale(&model, 2, DVec3::new(1.0, 2.0, 1.0));
        edits.set_translation(&model, 0, DVec3::new(0.4, 1.2, 0.3));
        let pose = posed(&model, edits);
        let mirror = |pose: &Pose| {
            let mut other = Pose::rest(&model.rig);
            other.locals = mirrored(&model, pose).unwrap();
            other.update_world(&model.rig);
            other
        };
        let other = mirror(&pose);
        // The mirror is at x = 0.1, the spine's position at rest.
        let seen = |place: DVec3| DVec3::new(0.2 - place.x, place.y, place.z);
        for (node, counterpart) in [(0, 0), (1, 3), (2, 4), (3, 1), (4, 2)] {
            assert!(seen(place(&pose, node)).distance(place(&other, counterpart)) < 1e-12, "{node}");
        }
        assert!(place(&other, 4).distance(place(&pose, 4)) > 0.5, "it has changed");
        let twice = mirror(&other);
        for (a, b) in pose.world_from_node.iter().zip(&twice.world_from_node) {
            assert!(a.abs_diff_eq(*b, 1e-12), "{a}\n{b}");
        }
        // At rest there is nothing to exchange.
        let rest = Pose::rest(&model.rig);
        for (local, mirrored) in rest.locals.iter().zip(mirrored(&model, &rest).unwrap()) {
            assert!(local.parent_from_node().abs_diff_eq(mirrored.parent_from_node(), 1e-12));
        }
    }

    #[test]
    fn names_without_sides_have_no_mirror() {
        let mut model = arms();
        model.rig.names = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
        assert!(mirrored(&model, &Pose::rest(&model.rig)).is_none());
        // Names of two nodes are ambiguous.
        model.rig.names = ["arm.L", "arm.L", "arm.R", "d", "e"].map(String::from).to_vec();
        assert!(mirrored(&model, &Pose::rest(&model.rig)).is_none());
        assert_eq!(counterparts(&model.rig), [0, 1, 2, 3, 4]);
    }
}
