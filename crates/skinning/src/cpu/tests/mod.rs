//! Compares the fast path with the twin, to the bit, over every size, order, level and kind of run, and checks the errors
//! for spans that do not fit.

mod common;
mod ddm;
mod dice;

use self::dice::{Dice, Joints, palette, primitive};
use super::*;
use sinew_model::{Influences, Primitive, Span};

use glam::{DMat4, DVec3};

/// Positions, normals and tangents as bits.
#[derive(Debug, PartialEq)]
struct Bits(Vec<[u32; 3]>, Vec<[u32; 3]>, Vec<[u32; 4]>);

fn bits<const W: usize>(values: &[[f32; W]]) -> Vec<[u32; W]> {
    values.iter().map(|value| value.map(f32::to_bits)).collect()
}

fn by_twin(mode: SkinningMode, slots: &[Slot], vertices: &Vertices) -> Bits {
    let count = vertices.positions.len();
    let (mut p, mut n, mut t) = (vec![[0.0; 3]; count], vec![[0.0; 3]; count], vec![[0.0; 4]; count]);
    let out = crate::twin::Skinned { positions: &mut p, normals: Some(&mut n), tangents: Some(&mut t) };
    crate::twin::skin(mode, slots, vertices, out);
    Bits(bits(&p), bits(&n), bits(&t))
}

/// Skins by the fast path, into spans that begin `shift` vertices into an allocation.
fn by_fast(
    mode: SkinningMode,
    slots: &[Slot],
    prepared: &Prepared,
    settings: &Settings,
    shift: usize,
) -> Bits {
    let count = prepared.len() + shift;
    let (mut p, mut n, mut t) = (vec![[7.0; 3]; count], vec![[7.0; 3]; count], vec![[7.0; 4]; count]);
    let out = Out {
        positions: Some(&mut p[shift..]),
        normals: Some(&mut n[shift..]),
        tangents: Some(&mut t[shift..]),
    };
    prepared.skin(mode, slots, out, settings).unwrap();
    assert!(p[..shift].iter().chain(&n[..shift]).flatten().all(|&number| number == 7.0));
    let mut out = Bits(bits(&p[shift..]), bits(&n[shift..]), bits(&t[shift..]));
    if let (Order::Prepared, Some(order)) = (settings.order, prepared.order()) {
        fn back<T: Copy>(values: &[T], order: &[u32]) -> Vec<T> {
            let mut out = values.to_vec();
            values.iter().zip(order).for_each(|(value, &place)| out[place as usize] = *value);
            out
        }
        out = Bits(back(&out.0, &order), back(&out.1, &order), back(&out.2, &order));
    }
    out
}

fn levels() -> impl Iterator<Item = Level> {
    Level::NAMED.into_iter().filter(|level| level.is_available())
}

fn slots(mode: SkinningMode, palette: &[DMat4]) -> Vec<Slot> {
    palette.iter().map(|matrix| mode.slot(matrix)).collect()
}

#[test]
fn the_twins_bits_at_every_level_in_every_order() {
    let mut dice = Dice(1);
    let palette = palette(&mut dice);
    for count in [0, 1, 7, 8, 9, 15, 16, 17, 31, 100, 1000] {
        for joints in [Joints::Coherent, Joints::Shuffled, Joints::Random] {
            for influences in [1, 2, 4, 5, 8, 16] {
                let primitive = primitive(&mut dice, count, joints, influences);
                let shares: Vec<f32> = (0..count).map(|_| dice.below(9) as f32 / 8.0).collect();
                let centers: Vec<_> = (0..count).map(|_| dice.direction().as_vec3().to_array()).collect();
                let (shares, centers) = (Some(&shares[..]), Some(&centers[..]));
                let vertices = Vertices { shares, centers, ..Vertices::of(&primitive) };
                let prepared = Prepared::of(&vertices).unwrap();
                assert_eq!(prepared.len(), count);
                for mode in SkinningMode::ALL {
                    let slots = slots(mode, &palette);
                    let want = by_twin(mode, &slots, &vertices);
                    for level in levels() {
                        let all = [
                            (Threads::Caller, Order::Source, 0),
                            (Threads::Caller, Order::Prepared, 1),
                            (Threads::Pool, Order::Source, 3),
                            (Threads::Pool, Order::Prepared, 0),
                        ];
                        for (threads, order, shift) in all {
                            let settings = Settings {
                                level,
                                threads,
                                order,
                                exactness: Exactness::Twin,
                                ..Settings::default()
                            };
                            let got = by_fast(mode, &slots, &prepared, &settings, shift);
                            assert!(
                                got == want,
                                "{mode}, {count} vertices, {joints:?}, {influences} influences, {settings:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Shares and centres are set and removed with their layout.
#[test]
fn shares_and_centers_are_set_and_taken_away() {
    let mut dice = Dice(3);
    let palette = palette(&mut dice);
    let primitive = primitive(&mut dice, 100, Joints::Shuffled, 4);
    let plain = Vertices::of(&primitive);
    let mut prepared = Prepared::of(&plain).unwrap();
    let shares: Vec<f32> = (0..100).map(|number| number as f32 / 100.0).collect();
    let centers = vec![[0.5, -0.25, 3.0]; 100];
    let settings = Settings { exactness: Exactness::Twin, ..Settings::default() };
    let mut seen = Vec::new();
    for (shares, centers) in [(None, None), (Some(&shares[..]), Some(&centers[..])), (None, None)] {
        prepared.set_shares(shares).unwrap();
        prepared.set_centers(centers).unwrap();
        assert_eq!(prepared.has_centers(), centers.is_some());
        for mode in [SkinningMode::Blended, SkinningMode::CenterOfRotation] {
            let slots = slots(mode, &palette);
            let got = by_fast(mode, &slots, &prepared, &settings, 0);
            assert!(got == by_twin(mode, &slots, &Vertices { shares, centers, ..plain }), "{mode}");
            seen.push(got);
        }
    }
    assert!(seen[0] != seen[2] && seen[1] != seen[3] && seen[0] == seen[4] && seen[1] == seen[5]);
    assert!(matches!(prepared.set_shares(Some(&shares[..99])), Err(Error::Length { span: "shares", .. })));
    assert!(matches!(prepared.set_centers(Some(&centers[..1])), Err(Error::Length { span: "centers", .. })));
}

/// Windows in the file's order and sorted ones meet within one call, on one thread or many.
#[test]
fn windows_in_the_files_order_and_sorted_ones_meet() {
    let mut dice = Dice(9);
    let palette = palette(&mut dice);
    let mut all = Primitive::default();
    let (mut normals, mut tangents, mut span) = (vec![], vec![], Span::default());
    for (count, joints) in [
        (layout::WINDOW, Joints::Coherent),
        (layout::WINDOW, Joints::Shuffled),
        (layout::WINDOW, Joints::Coherent),
        (1003, Joints::Shuffled),
    ] {
        let part = primitive(&mut dice, count, joints, 4);
        all.positions.extend(part.positions);
        normals.extend(part.normals.unwrap());
        tangents.extend(part.tangents.unwrap());
        let own = part.influences.unwrap();
        span.joints.extend(&own.spans[0].joints);
        span.weights.extend(&own.spans[0].weights);
    }
    (all.normals, all.tangents) = (Some(normals), Some(tangents));
    all.influences = Some(Influences { spans: vec![span] });
    let vertices = Vertices::of(&all);
    let prepared = Prepared::of(&vertices).unwrap();
    let is_sorted: Vec<bool> = prepared.blocks.windows.iter().map(|window| window.places.is_some()).collect();
    assert_eq!(is_sorted, [false, true, false, true]);
    for mode in [SkinningMode::Linear, SkinningMode::DualQuat] {
        let slots = slots(mode, &palette);
        let want = by_twin(mode, &slots, &vertices);
        for level in levels() {
            for threads in [Threads::Caller, Threads::Pool] {
                for order in [Order::Source, Order::Prepared] {
                    let settings =
                        Settings { level, threads, order, exactness: Exactness::Twin, ..Settings::default() };
                    assert!(by_fast(mode, &slots, &prepared, &settings, 1) == want, "{mode}, {settings:?}");
                }
            }
        }
    }
}

/// Joints whose difference overflows `f32` are blended without it.
#[test]
fn joints_at_both_ends_of_the_numbers_are_blended() {
    let far = |x: f64| DMat4::from_translation(DVec3::X * x);
    let positions = vec![[0.0, 1.0, 0.0]; 40];
    let (joints, weights) = (vec![[0, 1, 0, 0]; 40], vec![[0.5, 0.5, 0.0, 0.0]; 40]);
    let prepared = Prepared::new(&Source {
        positions: &positions,
        joints: &[&joints],
        weights: &[&weights],
        ..Source::default()
    })
    .unwrap();
    assert_eq!(prepared.blocks.runs[0].kind, layout::Kind::Uniform { derived: true });
    let slots = slots(SkinningMode::Linear, &[far(3e38), far(-3e38)]);
    for level in levels() {
        let mut skinned = vec![[7.0; 3]; 40];
        let out = Out { positions: Some(&mut skinned), ..Out::default() };
        prepared.skin(SkinningMode::Linear, &slots, out, &Settings { level, ..Settings::default() }).unwrap();
        assert!(skinned.iter().all(|at| *at == [0.0, 1.0, 0.0]), "{level}: {skinned:?}");
    }
}

/// Reshaped vertices give the same result as a new layout of them.
#[test]
fn reshaped_vertices_are_skinned_like_their_own_layout() {
    let mut dice = Dice(7);
    let palette = palette(&mut dice);
    for joints in [Joints::Coherent, Joints::Shuffled, Joints::Random] {
        for count in [0, 1, 17, 1000] {
            let own = primitive(&mut dice, count, joints, 4);
            let mut other = primitive(&mut dice, count, joints, 4);
            other.influences.clone_from(&own.influences);
            let mut prepared = Prepared::of(&Vertices::of(&own)).unwrap();
            let vertices = Vertices::of(&other);
            prepared.reshape(&vertices).unwrap();
            for mode in SkinningMode::ALL {
                let slots = slots(mode, &palette);
                let settings = Settings { exactness: Exactness::Twin, ..Settings::default() };
                let got = by_fast(mode, &slots, &prepared, &settings, 0);
                assert!(got == by_twin(mode, &slots, &vertices), "{mode}, {count} vertices, {joints:?}");
            }
            if count > 0 {
                let longer = primitive(&mut dice, count + 1, joints, 4);
                assert!(matches!(prepared.reshape(&Vertices::of(&longer)), Err(Error::Length { .. })));
                let without = Vertices { normals: None, ..vertices };
                assert!(matches!(prepared.reshape(&without), Err(Error::Length { .. })));
            }
        }
    }
}

/// The parts of several threads meet within runs, and within the source's order.
#[test]
fn threads_share_large_meshes() {
    let mut dice = Dice(2);
    let palette = palette(&mut dice);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for joints in [Joints::Coherent, Joints::Shuffled, Joints::Random] {
        let primitive = primitive(&mut dice, 20_011, joints, 4);
        let vertices = Vertices::of(&primitive);
        let prepared = Prepared::of(&vertices).unwrap();
        let slots = slots(SkinningMode::DualQuat, &palette);
        let want = by_twin(SkinningMode::DualQuat, &slots, &vertices);
        for order in [Order::Source, Order::Prepared] {
            let (threads, exactness) = (Threads::Pool, Exactness::Twin);
            let settings = Settings { threads, order, exactness, ..Settings::default() };
            let got = pool.install(|| by_fast(SkinningMode::DualQuat, &slots, &prepared, &settings, 1));
            assert!(got == want, "{joints:?}, {order:?}");
        }
    }
}

#[test]
fn vertices_are_grouped_as_their_joints_allow() {
    let mut dice = Dice(3);
    let prepare = |joints, dice: &mut Dice| {
        let primitive = primitive(dice, 1000, joints, 4);
        Prepared::of(&Vertices::of(&primitive)).unwrap()
    };
    let coherent = prepare(Joints::Coherent, &mut dice);
    assert_eq!(coherent.order(), None);
    assert_eq!(coherent.blocks.runs.len(), 7);
    let shuffled = prepare(Joints::Shuffled, &mut dice);
    let mut order = shuffled.order().unwrap();
    order.sort_unstable();
    assert!(order.into_iter().eq(0..1000));
    // Four of a block's rows are weights in mixed runs, three in uniform ones.
    let uniform = shuffled.blocks.runs.iter().filter(|run| run.kind != layout::Kind::Mixed);
    assert!(uniform.map(|run| u32::from(run.vertices)).sum::<u32>() > 950);
}

/// No joint in the first slot, in other slots and alone; in vertices that share it and in mixed ones.
#[test]
fn no_joint_is_the_twins_no_joint() {
    let mut dice = Dice(4);
    let palette = palette(&mut dice);
    let slots_gone: [&[usize]; 5] = [&[0], &[1], &[3], &[0, 2], &[0, 1, 2, 3]];
    for (gone, joints) in slots_gone
        .into_iter()
        .flat_map(|gone| [Joints::Coherent, Joints::Shuffled, Joints::Random].map(|joints| (gone, joints)))
    {
        let mut primitive = primitive(&mut dice, 200, joints, 4);
        for (vertex, joints) in primitive.influences.as_mut().unwrap().spans[0].joints.iter_mut().enumerate()
        {
            if vertex % 3 != 2 {
                gone.iter().for_each(|&slot| joints[slot] = -1);
            }
        }
        let vertices = Vertices::of(&primitive);
        let prepared = Prepared::of(&vertices).unwrap();
        for mode in SkinningMode::ALL {
            let slots = slots(mode, &palette);
            let want = by_twin(mode, &slots, &vertices);
            for level in levels() {
                let settings = Settings { level, exactness: Exactness::Twin, ..Settings::default() };
                assert!(
                    by_fast(mode, &slots, &prepared, &settings, 0) == want,
                    "{mode}, {level}, slots {gone:?}, {joints:?}"
                );
            }
        }
    }
}

/// The palette is so large that a joint has the index that mixed runs use for "no joint".
#[test]
fn no_joint_is_none_of_a_large_palette() {
    let positions = [[1.0, 2.0, 3.0]; 4];
    let joints = [[65_535, -1, 0, 0], [-1, 65_535, 0, 0], [65_534, -1, 0, 0], [-1, 65_534, 0, 0]];
    let weights = [[0.75, 0.25, 0.0, 0.0]; 4];
    let source =
        Source { positions: &positions, joints: &[&joints], weights: &[&weights], ..Source::default() };
    let prepared = Prepared::new(&source).unwrap();
    let kinds: Vec<_> = prepared.blocks.runs.iter().map(|run| run.kind).collect();
    assert!(kinds.contains(&layout::Kind::Mixed), "{kinds:?}");
    let influences = Influences { spans: vec![Span { joints: joints.to_vec(), weights: weights.to_vec() }] };
    let vertices = Vertices {
        positions: &positions,
        normals: None,
        tangents: None,
        influences: Some(&influences),
        shares: None,
        centers: None,
        ddm: None,
    };
    for mode in SkinningMode::ALL {
        let mut slots = vec![mode.slot(&DMat4::from_translation(DVec3::X)); 65_536];
        slots[65_535] = mode.slot(&DMat4::from_rotation_z(1.0));
        let mut want = positions;
        let out = crate::twin::Skinned { positions: &mut want, ..Default::default() };
        crate::twin::skin(mode, &slots, &vertices, out);
        for level in levels() {
            let settings = Settings { level, exactness: Exactness::Twin, ..Settings::default() };
            let mut got = positions;
            let out = Out { positions: Some(&mut got), ..Out::default() };
            prepared.skin(mode, &slots, out, &settings).unwrap();
            assert_eq!(got, want, "{mode}, {level}");
        }
    }
}

#[test]
fn without_influences_the_first_slot_moves_all() {
    let mut dice = Dice(5);
    let mut primitive = primitive(&mut dice, 40, Joints::Coherent, 4);
    primitive.influences = None;
    let vertices = Vertices::of(&primitive);
    let prepared = Prepared::of(&vertices).unwrap();
    assert_eq!(prepared.palette(), 1);
    let settings = Settings { exactness: Exactness::Twin, ..Settings::default() };
    for mode in SkinningMode::ALL {
        let slots = slots(mode, &palette(&mut dice)[..1]);
        let want = by_twin(mode, &slots, &vertices);
        assert!(by_fast(mode, &slots, &prepared, &settings, 0) == want, "{mode}");
    }
}

/// Spans that do not fit give an error, and nothing is written.
#[test]
fn spans_that_do_not_fit_are_errors() {
    let mut dice = Dice(6);
    let primitive = primitive(&mut dice, 20, Joints::Coherent, 4);
    let prepared = Prepared::of(&Vertices::of(&primitive)).unwrap();
    let slots = slots(SkinningMode::Linear, &palette(&mut dice));
    let skin = |slots: &[Slot], out| prepared.skin(SkinningMode::Linear, slots, out, &Settings::default());

    let (mut short, mut long) = ([[0.0; 3]; 19], [[0.0; 4]; 21]);
    let out = Out { positions: Some(&mut short), ..Out::default() };
    let error = skin(&slots, out).unwrap_err();
    assert_eq!(error.to_string(), "19 positions for 20 vertices");
    let out = Out { tangents: Some(&mut long), ..Out::default() };
    assert_eq!(skin(&slots, out), Err(Error::Length { span: "tangents", given: 21, expected: 20 }));
    let needed = prepared.palette();
    let error = skin(&slots[..needed - 1], Out::default());
    assert_eq!(error, Err(Error::Palette { given: needed - 1, needed }));
    assert_eq!(skin(&slots, Out::default()), Ok(()));

    let positions = &primitive.positions[..];
    let bare = Prepared::new(&Source { positions, ..Source::default() }).unwrap();
    let mut normals = [[0.0; 3]; 20];
    let out = Out { normals: Some(&mut normals), ..Out::default() };
    let error = bare.skin(SkinningMode::Linear, &slots, out, &Settings::default());
    assert_eq!(error, Err(Error::Missing { span: "normals" }));

    let (joints, weights) = (vec![[0; 4]; 19], vec![[0.25; 4]; 20]);
    let joints: &[&[[i32; 4]]] = &[joints.as_slice(); 5];
    let weights: &[&[[f32; 4]]] = &[weights.as_slice(); 5];
    let prepare = |joints, weights| {
        Prepared::new(&Source { positions, joints, weights, ..Source::default() }).map(|_| ())
    };
    let short = Error::Length { span: "joints", given: 19, expected: 20 };
    assert_eq!(prepare(&joints[..1], &weights[..1]), Err(short));
    assert_eq!(prepare(&joints[..1], &weights[..2]), Err(Error::Spans { joints: 1, weights: 2 }));
    assert_eq!(prepare(joints, weights), Err(Error::Spans { joints: 5, weights: 5 }));
}

/// Joints too large for 16 bits and NaN weights neither panic nor stop the work.
#[test]
fn odd_joints_and_weights_are_survived() {
    let positions = [[1.0, 2.0, 3.0]; 3];
    let joints = [[70_000, 1, 1, 1], [0, i32::MIN, 2, 2], [1, 0, 1, 0]];
    let weights = [[0.5, 0.5, 0.0, 0.0], [f32::NAN, 1.0, -1.0, f32::INFINITY], [0.0; 4]];
    let source =
        Source { positions: &positions, joints: &[&joints], weights: &[&weights], ..Source::default() };
    let prepared = Prepared::new(&source).unwrap();
    assert_eq!(prepared.palette(), 70_001);
    for mode in SkinningMode::ALL {
        let slots = vec![mode.slot(&DMat4::IDENTITY); 70_001];
        for level in levels() {
            let mut out = [[0.0; 3]; 3];
            let settings = Settings { level, ..Settings::default() };
            let span = Out { positions: Some(&mut out), ..Out::default() };
            prepared.skin(mode, &slots, span, &settings).unwrap();
            assert_eq!(out[0], positions[0], "{mode}, {level}");
        }
    }
}

/// Each result is the same alone and together with others.
#[test]
fn any_combination_of_results() {
    let mut dice = Dice(8);
    let palette = palette(&mut dice);
    let primitive = primitive(&mut dice, 100, Joints::Shuffled, 4);
    let prepared = Prepared::of(&Vertices::of(&primitive)).unwrap();
    let slots = slots(SkinningMode::DualQuat, &palette);
    let all = by_fast(SkinningMode::DualQuat, &slots, &prepared, &Settings::default(), 0);
    for wanted in 0..8 {
        let (mut p, mut n, mut t) = (vec![[0.0; 3]; 100], vec![[0.0; 3]; 100], vec![[0.0; 4]; 100]);
        let out = Out {
            positions: (wanted & 1 != 0).then_some(&mut p),
            normals: (wanted & 2 != 0).then_some(&mut n),
            tangents: (wanted & 4 != 0).then_some(&mut t),
        };
        prepared.skin(SkinningMode::DualQuat, &slots, out, &Settings::default()).unwrap();
        assert!(wanted & 1 == 0 || bits(&p) == all.0);
        assert!(wanted & 2 == 0 || bits(&n) == all.1);
        assert!(wanted & 4 == 0 || bits(&t) == all.2);
    }
}
