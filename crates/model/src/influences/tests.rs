use proptest::prelude::*;

use super::*;

/// Prepares one vertex with these joints and weights.
fn one(pairs: &[(u16, f32)], joint_count: usize) -> (Influences, Repairs) {
    let sets: Vec<RawSet> = pairs
        .chunks(4)
        .map(|chunk| {
            let mut set = RawSet { joints: vec![[0; 4]], weights: vec![[0.0; 4]] };
            for (at, (joint, weight)) in chunk.iter().enumerate() {
                set.joints[0][at] = *joint;
                set.weights[0][at] = *weight;
            }
            set
        })
        .collect();
    let Prepared { influences, repairs, .. } = prepare(&sets, joint_count).unwrap();
    (influences, repairs)
}

const ONE: Tally = Tally { vertices: 1, first: 0 };

/// Checks that vertices are independent: the last of many is repaired like the first of few.
#[test]
fn stretches_add_up() {
    let many = 2 * AT_ONCE + 3;
    let mut set = RawSet { joints: vec![[1, 2, 0, 0]; many], weights: vec![[0.25, 0.75, 0.0, 0.0]; many] };
    let odd = [AT_ONCE - 1, AT_ONCE + 5, many - 1];
    for vertex in odd {
        set.weights[vertex] = [0.25, f32::NAN, 0.0, 0.0];
    }
    let Prepared { influences, repairs, unequal_sums, first_joints } = prepare(&[set.clone()], 3).unwrap();
    assert_eq!(repairs.weights_not_finite, Tally { vertices: 3, first: AT_ONCE - 1 });
    assert_eq!(unequal_sums, odd.map(|vertex| (vertex as u32, 0.25)));
    let others = (0..many).filter(|vertex| !odd.contains(vertex)).map(|vertex| (vertex as u32, 1));
    assert_eq!(first_joints, others.collect::<Vec<_>>(), "the second slot is the heaviest");
    assert_eq!(influences.spans[0].joints.len(), many);
    for (vertex, joints) in influences.spans[0].joints.iter().enumerate() {
        assert_eq!(*joints, if odd.contains(&vertex) { [1; 4] } else { [2, 1, 1, 1] });
    }
    set.joints[AT_ONCE + 1] = [9, 9, 0, 0];
    set.joints[many - 1] = [8, 8, 0, 0];
    let unknown = prepare(&[set], 3).unwrap_err();
    assert_eq!(unknown, UnknownJoint { set: 0, vertex: AT_ONCE + 1, joint: 9 });
}

#[test]
fn sorts_by_weight_and_fills_unused_slots() {
    let (influences, repairs) = one(&[(3, 0.25), (1, 0.5), (9, 0.0), (2, 0.25)], 4);
    assert_eq!(influences.spans.len(), 1);
    assert_eq!(influences.spans[0].joints, [[1, 3, 2, 2]]);
    assert_eq!(influences.spans[0].weights, [[0.5, 0.25, 0.25, 0.0]]);
    let expected = Repairs { unknown_joints: ONE, idle_joints: ONE, ..Repairs::default() };
    assert_eq!(repairs, expected, "joint 9 has no weight and is not there");
}

#[test]
fn unusable_weights_count_as_zero() {
    let unknown = Repairs { unknown_joints: ONE, idle_joints: ONE, ..Repairs::default() };
    let not_finite = Repairs { weights_not_finite: ONE, ..unknown };
    let negative = Repairs { weights_negative: ONE, ..unknown };
    for (bad, expected) in [
        (f32::NAN, not_finite),
        (f32::INFINITY, not_finite),
        (f32::NEG_INFINITY, not_finite),
        (-0.5, negative),
    ] {
        let (influences, repairs) = one(&[(9, bad), (1, 1.0)], 4);
        assert_eq!(influences.spans[0].joints, [[1; 4]], "{bad}");
        assert_eq!(influences.spans[0].weights, [[1.0, 0.0, 0.0, 0.0]]);
        assert_eq!(repairs, expected);
    }
}

#[test]
fn no_weight_at_all_follows_the_first_slot() {
    let (influences, repairs) = one(&[(2, 0.0), (1, 0.0)], 4);
    assert_eq!(influences.spans[0].joints, [[2; 4]]);
    assert_eq!(influences.spans[0].weights, [[1.0, 0.0, 0.0, 0.0]]);
    assert_eq!(repairs, Repairs { zero_sums: ONE, idle_joints: ONE, ..Repairs::default() });
    let (influences, repairs) = one(&[(70, f32::NAN)], 4);
    assert_eq!(influences.spans[0].joints, [[0; 4]]);
    let expected = Repairs {
        zero_sums: ONE,
        weights_not_finite: ONE,
        unknown_joints: ONE,
        idle_joints: ONE,
        ..Repairs::default()
    };
    assert_eq!(repairs, expected);
    let (influences, _) = one(&[(4, 0.0)], 4);
    assert_eq!(influences.spans[0].joints, [[0; 4]], "joint 4 is one too many");
}

#[test]
fn sums_are_brought_to_one() {
    let (influences, repairs) = one(&[(0, 3.0), (1, 1.0)], 4);
    assert_eq!(influences.spans[0].weights, [[0.75, 0.25, 0.0, 0.0]]);
    assert_eq!(repairs, Repairs { unequal_sums: ONE, most_unequal: 3.0, ..Repairs::default() });
    let third = 1.0 / 3.0;
    let (_, repairs) = one(&[(0, third), (1, third), (2, third + 5e-7)], 4);
    assert_eq!(repairs, Repairs::default(), "5e-7 is rounding");
    for sum in [0.999_99, 1.000_01] {
        let (_, repairs) = one(&[(0, 0.5), (1, sum - 0.5)], 4);
        assert_eq!(repairs.unequal_sums, ONE, "{sum} is not");
        assert!((repairs.most_unequal - 1e-5).abs() < 1e-7);
    }
    let (influences, _) = one(&[(0, f32::MAX), (1, f32::MAX), (2, f32::MIN_POSITIVE)], 4);
    assert_eq!(influences.spans[0].weights, [[0.5, 0.5, 0.0, 0.0]]);
    assert_eq!(influences.spans[0].joints, [[0, 1, 1, 1]]);
    let (influences, _) = one(&[(0, 1e-45)], 4);
    assert_eq!(influences.spans[0].weights, [[1.0, 0.0, 0.0, 0.0]]);
}

#[test]
fn more_than_sixteen_keep_the_largest() {
    let mut pairs: Vec<(u16, f32)> = (0..20).map(|joint| (joint, 1.0 / 32.0)).collect();
    for pair in &mut pairs[8..20] {
        pair.1 = 2.0 / 32.0;
    }
    let (influences, repairs) = one(&pairs, 20);
    assert_eq!(influences.spans.len(), 4);
    assert_eq!(influences.spans[0].joints, [[8, 9, 10, 11]]);
    assert_eq!(influences.spans[3].joints, [[0, 1, 2, 3]]);
    assert_eq!(repairs.dropped, ONE);
    assert!((repairs.most_dropped - 4.0 / 32.0).abs() < 1e-12);
    assert_eq!(repairs.most_dropped, repairs.mean_dropped);
    assert_eq!(influences.spans.iter().flat_map(|s| s.weights[0]).sum::<f32>(), 1.0);
}

#[test]
fn equal_weights_keep_their_order_however_many() {
    let pairs: Vec<(u16, f32)> =
        (0..400).map(|joint| (joint, [0.5, 0.25, 0.125][usize::from(joint) * 7919 % 13 % 3])).collect();
    let (influences, _) = one(&pairs, 400);
    let joints: Vec<i32> = influences.spans.iter().flat_map(|span| span.joints[0]).collect();
    let largest = pairs.iter().filter(|pair| pair.1 == 0.5).map(|pair| i32::from(pair.0));
    assert_eq!(joints, largest.take(16).collect::<Vec<i32>>());
}

#[test]
fn spans_are_as_many_as_the_widest_vertex_needs() {
    let set = |weights: [f32; 4]| RawSet { joints: vec![[0, 1, 2, 3]; 2], weights: vec![weights, [0.0; 4]] };
    let sets = [set([0.2; 4]), set([0.0; 4]), set([0.05; 4])];
    let Prepared { influences, repairs, unequal_sums, first_joints } = prepare(&sets, 4).unwrap();
    assert_eq!(influences.spans.len(), 2);
    assert_eq!(unequal_sums, [(1, 0.0)], "the first vertex's sum to one");
    assert_eq!(first_joints, []);

    let negative = RawSet { joints: vec![[0; 4]; 3], weights: vec![[1.5, -0.5, 0.0, 0.0]; 3] };
    let bent = RawSet { joints: vec![[0; 4]; 3], weights: vec![[0.0; 4], [0.25; 4], [f32::NAN; 4]] };
    let Prepared { unequal_sums, .. } = prepare(&[negative, bent], 4).unwrap();
    assert_eq!(unequal_sums, [(1, 2.0)], "as stored, negative ones too");

    let idle = |joint| RawSet { joints: vec![[joint, 1, 0, 0]], weights: vec![[0.0, 1.0, 0.0, 0.0]] };
    let first_joints = |joint| prepare(&[idle(joint)], 4).unwrap().first_joints;
    assert_eq!((first_joints(3), first_joints(4)), (vec![(0, 3)], vec![]), "without weight, if it exists");
    assert_eq!(influences.spans[1].joints, [[0, 1, 2, 3], [0; 4]]);
    assert_eq!(repairs.zero_sums, Tally { vertices: 1, first: 1 });
    assert_eq!(repairs.repeated_joints, ONE);
}

#[test]
fn a_weighted_joint_out_of_range_is_an_error() {
    let set = RawSet { joints: vec![[0; 4], [0, 7, 0, 0]], weights: vec![[0.25; 4]; 2] };
    assert_eq!(prepare(&[set], 4), Err(UnknownJoint { set: 0, vertex: 1, joint: 7 }));
}

#[test]
fn no_sets_and_no_vertices_are_fine() {
    assert_eq!(prepare(&[], 4).unwrap().influences.spans.len(), 0);
    assert_eq!(prepare(&[RawSet::default()], 4).unwrap().influences.spans.len(), 1);
}

proptest! {
    #[test]
    fn prepared_influences_hold_what_they_promise(
        pairs in prop::collection::vec((0u16..300, prop_oneof![
            any::<f32>(), 0.0f32..1.0, Just(0.0), Just(1.0 / 3.0), 0.0f32..1e-7
        ]), 1..40)
    ) {
        let (influences, _) = one(&pairs, 300);
        let weights: Vec<f32> = influences.spans.iter().flat_map(|span| span.weights[0]).collect();
        let joints: Vec<i32> = influences.spans.iter().flat_map(|span| span.joints[0]).collect();
        prop_assert!(weights.is_sorted_by(|a, b| a >= b));
        prop_assert_eq!(weights.iter().sum::<f32>(), 1.0);
        prop_assert_eq!(weights.iter().rev().sum::<f32>(), 1.0);
        let used = weights.iter().filter(|weight| **weight > 0.0).count();
        prop_assert!(used > (influences.spans.len() - 1) * 4);
        prop_assert!(joints[used..].iter().all(|joint| *joint == joints[used - 1]));
        for weight in &weights {
            prop_assert_eq!((f64::from(*weight) * f64::from(GRID)).fract(), 0.0);
        }
        // No weight is off by more than one step.
        let mut exact: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.1))
            .filter(|weight| weight.is_finite() && *weight > 0.0).collect();
        exact.sort_by(|a, b| b.total_cmp(a));
        exact.truncate(MAX_INFLUENCES);
        let sum: f64 = exact.iter().sum();
        for (weight, exact) in weights.iter().zip(&exact) {
            prop_assert!((f64::from(*weight) - exact / sum).abs() <= 1.01 / f64::from(GRID));
        }
    }
}
