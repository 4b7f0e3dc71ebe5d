//! Checks *ddm* by its terms against the twin, to the bit: every number of terms, joints that are odd, and points that several
//! vertices share.

use super::dice::{Dice, Joints, palette, primitive};
use super::{Bits, by_fast, by_twin, levels, slots};
use crate::cpu::{Directions, Error, Exactness, Order, Out, Prepared, Settings, Threads};
use crate::twin::Vertices;
use crate::{SkinningMode, Slot, reference};
use glam::{DMat3, DMat4, DQuat, DVec3};
use sinew_model::{DdmRows, DdmTerm};
use std::sync::Arc;

const MODE: SkinningMode = SkinningMode::DirectDeltaMush;

/// Returns terms of vertices, two at a point on average; each point has up to `most`.
fn rows(dice: &mut Dice, count: usize, joints: Joints, most: usize) -> Arc<DdmRows> {
    let points = count.div_ceil(2);
    let mut rows = DdmRows::default();
    for point in 0..points {
        let group = match joints {
            Joints::Coherent => point * 3 / points.max(40),
            Joints::Shuffled => dice.below(5),
            Joints::Random => dice.below(usize::MAX >> 1),
        };
        let terms = if matches!(joints, Joints::Coherent) { most } else { dice.below(most + 1) };
        let weights: Vec<f64> = (0..terms).map(|_| dice.number().abs() + 0.01).collect();
        let sum: f64 = weights.iter().sum();
        for (number, weight) in weights.iter().enumerate() {
            let joint = (group + number * 5) % 24;
            // "No joint" here and there, and points that turn with a single joint.
            let joint = if joint == 23 { -1 } else { joint as i32 };
            let size = if terms == 1 { 0.0 } else { 0.01 * weight / sum };
            let [a, b, c] = [dice.direction(), dice.direction(), dice.direction() * 0.1];
            let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
            let products = (outer(a) + outer(b) + outer(c)) * size;
            let [xx, xy, xz, _, yy, yz, _, _, zz] = products.to_cols_array().map(|number| number as f32);
            let products = [xx, yy, zz, yz, xz, xy];
            let offset = (dice.direction() * size * 3.0).as_vec3().to_array();
            rows.terms.push(DdmTerm { joint, products, offset, weight: (weight / sum) as f32 });
        }
        rows.ends.push(rows.terms.len() as u32);
        rows.centers.push(dice.direction().as_vec3().to_array());
    }
    let point = |vertex: usize, dice: &mut Dice| match joints {
        Joints::Coherent => vertex / 2,
        _ => dice.below(points),
    };
    rows.points = vec![vec![0; 3], (0..count).map(|vertex| point(vertex, dice) as u32).collect()];
    Arc::new(rows)
}

fn twins() -> impl Iterator<Item = Settings> {
    let orders = [(Threads::Caller, Order::Source), (Threads::Pool, Order::Prepared)];
    levels().flat_map(move |level| {
        orders.map(|(threads, order)| Settings {
            level,
            threads,
            order,
            exactness: Exactness::Twin,
            ..Settings::default()
        })
    })
}

#[test]
fn terms_give_the_twins_bits_at_every_level() {
    let mut dice = Dice(11);
    let palette = palette(&mut dice);
    let slots = slots(MODE, &palette);
    for count in [0, 1, 7, 8, 9, 15, 16, 17, 31, 33, 100, 1000] {
        for joints in [Joints::Coherent, Joints::Shuffled, Joints::Random] {
            for most in [0, 1, 2, 7, 21] {
                let primitive = primitive(&mut dice, count, joints, 4);
                let rows = rows(&mut dice, count, joints, most);
                let vertices = Vertices { ddm: Some((&rows, 1)), ..Vertices::of(&primitive) };
                let mut prepared = Prepared::of(&vertices).unwrap();
                prepared.set_ddm(Some((&rows, 1))).unwrap();
                assert!(prepared.has_ddm(&rows) && !prepared.has_ddm(&Arc::new((*rows).clone())));
                let want = by_twin(MODE, &slots, &vertices);
                for settings in twins() {
                    let got = by_fast(MODE, &slots, &prepared, &settings, 1);
                    assert!(got == want, "{count} vertices, {joints:?}, {most} terms, {settings:?}");
                }
            }
        }
    }
}

/// Windows share points, and have some for themselves.
#[test]
fn threads_share_windows_of_points() {
    let mut dice = Dice(12);
    let slots = slots(MODE, &palette(&mut dice));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let primitive = primitive(&mut dice, 10_011, Joints::Shuffled, 4);
    let rows = rows(&mut dice, 10_011, Joints::Shuffled, 6);
    let vertices = Vertices { ddm: Some((&rows, 1)), ..Vertices::of(&primitive) };
    let mut prepared = Prepared::of(&vertices).unwrap();
    prepared.set_ddm(Some((&rows, 1))).unwrap();
    let want = by_twin(MODE, &slots, &vertices);
    for settings in twins() {
        let got = pool.install(|| by_fast(MODE, &slots, &prepared, &settings, 0));
        assert!(got == want, "{settings:?}");
    }
    // Without terms, vertices follow joints.
    prepared.set_ddm(None).unwrap();
    let settings = Settings { exactness: Exactness::Twin, ..Settings::default() };
    let without = by_fast(MODE, &slots, &prepared, &settings, 0);
    assert!(without == by_twin(MODE, &slots, &Vertices::of(&primitive)) && without != want);
    let other = Arc::new(DdmRows { points: vec![vec![0; 10_010]], ..DdmRows::default() });
    let short = Error::Length { span: "points", given: 10_010, expected: 10_011 };
    assert_eq!(prepared.set_ddm(Some((&other, 0))), Err(short));
}

/// Returns bits in which all numbers that are none are one.
fn without_signs_of_nan(Bits(p, n, t): Bits) -> Bits {
    fn of<const W: usize>(values: Vec<[u32; W]>) -> Vec<[u32; W]> {
        let same = |bits: u32| if f32::from_bits(bits).is_nan() { u32::MAX } else { bits };
        values.into_iter().map(|value| value.map(same)).collect()
    }
    Bits(of(p), of(n), of(t))
}

/// A joint spoils the points that have it, and no others in their block.
#[test]
fn odd_joints_are_the_twins() {
    let mut dice = Dice(13);
    let usual = slots(MODE, &palette(&mut dice));
    let scaled = |x: f64, y: f64, z: f64| MODE.slot(&DMat4::from_scale(DVec3::new(x, y, z)));
    let with = |column: usize, row: usize, number: f32| {
        let mut slot = usual[3];
        slot.columns[column][row] = number;
        slot
    };
    let odd: [Slot; 12] = [
        scaled(0.0, 0.0, 0.0),
        scaled(1.0, 1.0, 0.0),
        scaled(1.0, -1.0, 1.0),
        scaled(1e-30, 1e-30, 1e-30),
        scaled(1e30, 1e30, 1e30),
        with(0, 0, f32::NAN),
        with(1, 2, f32::INFINITY),
        with(2, 3, f32::NEG_INFINITY),
        with(0, 3, f32::NAN),
        with(1, 3, 3e38),
        with(2, 1, -3e38),
        with(3, 3, f32::NAN),
    ];
    // Sums too small to have a direction; the quaternion is another joint's.
    let small = usual[3].columns.map(|row| row.map(|number| number * 1e-38));
    let small = Slot { columns: [small[0], small[1], small[2], usual[4].columns[3]] };
    for joints in [Joints::Coherent, Joints::Random] {
        let primitive = primitive(&mut dice, 300, joints, 4);
        let rows = rows(&mut dice, 300, joints, 6);
        let vertices = Vertices { ddm: Some((&rows, 1)), ..Vertices::of(&primitive) };
        let mut prepared = Prepared::of(&vertices).unwrap();
        prepared.set_ddm(Some((&rows, 1))).unwrap();
        let one = odd.iter().map(|odd| {
            let mut slots = usual.clone();
            slots[5] = *odd;
            slots
        });
        for (number, slots) in one.chain([vec![small; usual.len()]]).enumerate() {
            let want = without_signs_of_nan(by_twin(MODE, &slots, &vertices));
            for settings in twins() {
                let got = without_signs_of_nan(by_fast(MODE, &slots, &prepared, &settings, 0));
                assert!(got == want, "slot {number}, {joints:?}, {settings:?}");
            }
        }
    }
}

/// Points and vertices that the terms lack follow their joints.
#[test]
fn vertices_without_terms_follow_their_joints() {
    let mut dice = Dice(14);
    let slots = slots(MODE, &palette(&mut dice));
    let primitive = primitive(&mut dice, 100, Joints::Random, 4);
    let mut rows = (*rows(&mut dice, 100, Joints::Random, 6)).clone();
    (10..20).for_each(|vertex| rows.points[1][vertex] = 5000);
    rows.centers.truncate(40);
    let rows = Arc::new(rows);
    let vertices = Vertices { ddm: Some((&rows, 1)), ..Vertices::of(&primitive) };
    let mut prepared = Prepared::of(&vertices).unwrap();
    prepared.set_ddm(Some((&rows, 1))).unwrap();
    let want = by_twin(MODE, &slots, &vertices);
    for settings in twins() {
        assert!(by_fast(MODE, &slots, &prepared, &settings, 0) == want, "{settings:?}");
    }
}

/// Returns joints that turn and shift a little.
fn rigid(dice: &mut Dice) -> Vec<DMat4> {
    let joint = |_| {
        let turn = DQuat::from_axis_angle(dice.direction(), dice.number() * 0.9);
        DMat4::from_rotation_translation(turn, dice.direction() * 0.1)
    };
    (0..23).map(joint).collect()
}

/// Fused or not, results are within the mode's bounds of the definition in `f64`.
#[test]
fn terms_keep_the_bounds() {
    let mut dice = Dice(15);
    for joints in [Joints::Coherent, Joints::Shuffled, Joints::Random] {
        let palette = rigid(&mut dice);
        let slots = slots(MODE, &palette);
        let mut primitive = primitive(&mut dice, 700, joints, 4);
        let rows = rows(&mut dice, 700, joints, 9);
        for (position, point) in primitive.positions.iter_mut().zip(&rows.points[1]) {
            let away = dice.direction().as_vec3() * 0.1;
            *position = (glam::Vec3::from(rows.centers[*point as usize]) + away).to_array();
        }
        let vertices = Vertices { ddm: Some((&rows, 1)), ..Vertices::of(&primitive) };
        let mut prepared = Prepared::of(&vertices).unwrap();
        prepared.set_ddm(Some((&rows, 1))).unwrap();
        let want = reference::skin(MODE, &palette, &vertices);
        let normals = want.normals.as_ref().unwrap();
        for (level, directions) in
            levels().flat_map(|level| [(level, Directions::Unit), (level, Directions::Unnormalised)])
        {
            let settings = Settings { level, directions, ..Settings::default() };
            let (mut p, mut n, mut t) = (vec![[0.0; 3]; 700], vec![[0.0; 3]; 700], vec![[0.0; 4]; 700]);
            let out = Out { positions: Some(&mut p), normals: Some(&mut n), tangents: Some(&mut t) };
            prepared.skin(MODE, &slots, out, &settings).unwrap();
            let far = |(got, want): (&[f32; 3], &DVec3)| DVec3::from(got.map(f64::from)).distance(*want);
            let positions = p.iter().zip(&want.positions).map(far).fold(0.0, f64::max);
            assert!(positions < 1.1 * MODE.facts().bound, "{joints:?} by {level}: {positions:e}");
            let unit = |n: &[f32; 3]| glam::Vec3::from(*n).normalize().to_array();
            let turned = n.iter().map(unit).zip(normals).map(|(n, want)| far((&n, want))).fold(0.0, f64::max);
            assert!(turned < 2e-5, "{joints:?} by {level}: normals by {turned:e}");
        }
    }
}
