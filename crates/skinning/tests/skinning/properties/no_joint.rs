//! Joint −1, "no joint", over random rigs: it acts as a joint that never moves, in every mode, by the twin, the
//! reference and the fast path.

use super::cases::*;
use super::cpu::{fast, levels};
use glam::{DMat4, DVec3};
use proptest::prelude::*;
use sinew_model::Primitive;
use sinew_skinning::SkinningMode;
use sinew_skinning::cpu::{Exactness, Settings};

/// Puts another joint in the slots that `chosen` marks; the pattern repeats.
fn replaced(primitive: &Primitive, chosen: &[bool], joint: i32) -> Primitive {
    let mut out = primitive.clone();
    let spans = out.influences.iter_mut().flat_map(|influences| &mut influences.spans);
    let slots = spans.flat_map(|span| span.joints.as_flattened_mut());
    for (slot, _) in slots.zip(chosen.iter().cycle()).filter(|(_, chosen)| **chosen) {
        *slot = joint;
    }
    out
}

/// The case with "no joint" in some slots, and with a joint that does not move in the same ones.
fn both(case: &Case, chosen: &[bool]) -> (Case, Case) {
    let still = case.world_from_bind.len() as i32;
    let without = Case { primitive: replaced(&case.primitive, chosen, -1), ..case.clone() };
    let mut with = Case { primitive: replaced(&case.primitive, chosen, still), ..case.clone() };
    with.world_from_bind.push(DMat4::IDENTITY);
    (without, with)
}

/// Which slots: any, the first of every span (which rigid follows, and the pivot), or all.
fn chosen() -> impl Strategy<Value = Vec<bool>> {
    prop_oneof![
        prop::collection::vec(any::<bool>(), 1..17),
        Just(vec![true, false, false, false]),
        Just(vec![true]),
    ]
}

fn bits(moved: &Moved) -> impl Iterator<Item = u32> {
    let numbers = moved.positions.as_flattened().iter().chain(moved.normals.as_flattened());
    numbers.chain(moved.tangents.as_flattened()).map(|number| number.to_bits())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    /// Whatever the palette does.
    #[test]
    fn a_vertex_without_any_joint_stays(case in case()) {
        let (case, _) = both(&case, &[true]);
        let still = &case.primitive;
        for mode in SkinningMode::ALL {
            let slots = slots(mode, &case.world_from_bind);
            let mut all = vec![("twin".to_owned(), twin(mode, &case))];
            for level in levels() {
                for exactness in [Exactness::Bounds, Exactness::Twin] {
                    let settings = Settings { level, exactness, ..Settings::default() };
                    let moved = fast(mode, &slots, &Own::of(still).vertices(still), &settings);
                    all.push((format!("{level} {exactness:?}"), moved));
                }
            }
            let reference = reference(mode, &case);
            prop_assert_eq!(&reference.positions, &to_f64(&still.positions), "{}", mode);
            for (who, moved) in all {
                prop_assert_eq!(&moved.positions, &still.positions, "{} by {}", mode, &who);
                let turned = largest_turn(&moved, &reference);
                prop_assert!(turned < 2e-5, "{mode} by {who}: turned by {turned:e}");
            }
            let normals = to_f64(still.normals.as_deref().unwrap_or_default());
            for (got, want) in reference.normals.unwrap_or_default().iter().zip(normals) {
                prop_assert!((*got - want).length() < 1e-6, "{mode}");
            }
        }
    }

    /// In the first slot and in others, with much weight and with little.
    #[test]
    fn no_joint_is_a_joint_that_does_not_move(case in case(), chosen in chosen()) {
        let (without, with) = both(&case, &chosen);
        for mode in SkinningMode::ALL {
            prop_assert_eq!(reference(mode, &without), reference(mode, &with), "{}", mode);
            let want = twin(mode, &with);
            prop_assert!(bits(&twin(mode, &without)).eq(bits(&want)), "{mode}");
            let slots = slots(mode, &without.world_from_bind);
            for level in levels() {
                let settings = Settings { level, exactness: Exactness::Twin, ..Settings::default() };
                let got = fast(mode, &slots, &Own::of(&without.primitive).vertices(&without.primitive), &settings);
                prop_assert!(bits(&got).eq(bits(&want)), "{mode} by {level}");
            }
        }
    }

    #[test]
    fn vertices_half_without_a_joint_stay_within_bounds(case in usual_case(), chosen in chosen()) {
        let (without, with) = both(&case, &chosen);
        prop_assume!(nearest_to_half_turn(&with) > 1e-5);
        for mode in SkinningMode::ALL {
            let want = reference(mode, &without);
            for level in levels() {
                let settings = Settings { level, ..Settings::default() };
                let slots = slots(mode, &without.world_from_bind);
                let got = fast(mode, &slots, &Own::of(&without.primitive).vertices(&without.primitive), &settings);
                let compared = compare_positions(&got.positions, &want.positions, 2e-6);
                prop_assert!(compared.is_ok(), "{} by {}: {:?}", mode, level, compared);
                let turned = largest_turn(&got, &want);
                prop_assert!(turned < 2e-5, "{mode} by {level}: turned by {turned:e}");
            }
        }
    }

    /// In linear blending a vertex with half a joint goes half the way.
    #[test]
    fn half_a_joint_goes_half_the_way(case in case(), first in any::<bool>()) {
        let mut case = case;
        let spans = case.primitive.influences.iter_mut().flat_map(|influences| &mut influences.spans);
        for (number, span) in spans.enumerate() {
            for (joints, weights) in span.joints.iter_mut().zip(&mut span.weights) {
                joints[usize::from(!first)] = -1;
                *weights = if number == 0 { [0.5, 0.5, 0.0, 0.0] } else { [0.0; 4] };
            }
        }
        let joints = &case.primitive.influences.as_ref().unwrap().spans[0].joints;
        let moved = |(p, joints): (DVec3, &[i32; 4])| {
            let joint = joints[usize::from(first)] as usize;
            (p + case.world_from_bind[joint].transform_point3(p)) * 0.5
        };
        let want: Vec<DVec3> = to_f64(&case.primitive.positions).into_iter().zip(joints).map(moved).collect();
        let mode = SkinningMode::Linear;
        for got in [to_f64(&twin(mode, &case).positions), reference(mode, &case).positions] {
            for (got, want) in got.iter().zip(&want) {
                prop_assert!((*got - *want).length() <= hostile(mode) * want.length().max(1.0), "{got} {want}");
            }
        }
    }
}

/// In dual quaternion skinning a vertex with half a joint turns half the way: the blend of a turn and of no
/// turn.
#[test]
fn half_a_joint_turns_half_the_way() {
    let mode = SkinningMode::DualQuat;
    for degrees in [-120.0_f64, 30.0, 170.0] {
        let mut case = ring_half_way(degrees);
        case.world_from_bind.remove(0);
        let influences = case.primitive.influences.as_mut().unwrap();
        influences.spans[0].joints.fill([-1, 0, 0, 0]);
        let half = DMat4::from_rotation_y(degrees.to_radians() / 2.0);
        let places = to_f64(&case.primitive.positions);
        let want: Vec<DVec3> = places.iter().map(|p| half.transform_point3(*p)).collect();
        assert_eq!(compare_positions(&twin(mode, &case).positions, &want, 1e-6), Ok(()), "{degrees}°");
    }
}

/// Input that no file has: joints beyond the palette, and spans that are too short.
#[test]
fn what_is_missing_is_no_joint() {
    let mut case = ring_half_way(60.0);
    let still = case.primitive.positions.clone();
    let joints = &mut case.primitive.influences.as_mut().unwrap().spans[0].joints;
    joints.fill([2, i32::MAX, i32::MIN, -1]);
    for mode in SkinningMode::ALL {
        assert_eq!(twin(mode, &case).positions, still, "{mode}");
        assert_eq!(reference(mode, &case).positions, to_f64(&still), "{mode}");
    }
    let span = &mut case.primitive.influences.as_mut().unwrap().spans[0];
    span.joints.truncate(5);
    for mode in SkinningMode::ALL {
        assert_eq!(twin(mode, &case).positions, still, "{mode}");
        assert_eq!(reference(mode, &case).positions, to_f64(&still), "{mode}");
    }
}
