//! Tests of positions, paths and sides.

use glam::DVec3;

use super::super::bones::Bones;
use super::super::sides::{Side, side, twins};
use super::super::surface::Surface;
use super::super::volume::Closed;
use super::super::walk::Walk;
use super::{built_in, by_hand, cube, primitive};
use sinew_skinning::generator::Generator;
use sinew_skinning::pairing::Tree;

#[test]
fn names_say_sides() {
    let both = [
        ("foot.L", "foot.R"),
        ("Foot_L", "Foot_R"),
        ("foot-l", "foot-r"),
        ("l_foot", "r_foot"),
        ("LeftFoot", "RightFoot"),
        ("mixamorig:LeftFoot", "mixamorig:RightFoot"),
        ("foot left", "foot right"),
        ("foot.L.001", "foot.R.001"),
        ("b_LeftFoot01_017", "b_RightFoot01_021"),
        ("arm_joint_L__4_", "arm_joint_R"),
        ("Bip01 L Foot", "Bip01 R Foot"),
        ("lFoot", "rFoot"),
        ("footL", "footR"),
        ("toe_L1", "toe_R1"),
        ("lf_foot_jnt", "rt_foot_jnt"),
        ("foot_lft", "foot_rgt"),
        ("FootLf", "FootRt"),
        ("LtFoot", "RtFoot"),
        ("LForearm", "RForearm"),
        ("b_LHand_01", "b_RHand_02"),
        ("左腕", "右腕"),
        ("腕左", "腕右"),
        ("腕.L", "腕.R"),
        ("ひじL", "ひじR"),
    ];
    for (left, right) in both {
        let (Some((a, key)), Some((b, other))) = (side(left), side(right)) else { panic!("{left} {right}") };
        assert_eq!((a, b), (Side::Left, Side::Right), "{left} {right}");
        let digits = |key: &str| key.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        assert!(
            key == other || digits(&key).trim_end_matches('_') == digits(&other).trim_end_matches('_'),
            "{key} {other}"
        );
    }
    for name in [
        "spine",
        "hips",
        "roll",
        "lower",
        "rear",
        "ear",
        "",
        "L eft right left",
        "É",
        "leftright",
        "Root",
        "Leg",
        "LowerArm",
        "LOD",
        "RIG",
        "Ribs",
        "sort",
        "self",
        "左右",
    ] {
        let found = side(name);
        assert!(found.is_none() || name.starts_with("L "), "{name} {found:?}");
    }
}

#[test]
fn every_sided_joint_of_the_character_has_its_twin() {
    let model = built_in("character");
    let skin = &model.skins[0];
    let found = twins(&model, skin, &Bones::new(&model, skin));
    let name = |joint: usize| model.rig.names[skin.joints[joint]].as_str();
    assert!(found.iter().all(|[l, r]| name(*l).replace(".L", ".R") == name(*r)));
    let left = (0..skin.joints.len()).filter(|joint| name(*joint).ends_with(".L")).count();
    assert!(left > 10);
    assert_eq!(found.len(), left);
}

#[test]
fn the_way_over_a_surface_is_longer_than_through_the_air() {
    // A strip bent into a U: its ends are 1 apart, and the path is 21.
    let xs = (0..=10).map(|n| [n as f32, 0.0]).chain((0..=10).rev().map(|n| [n as f32, 1.0]));
    let positions: Vec<[f32; 3]> = xs.flat_map(|[x, y]| [[x, y, 0.0], [x, y, 0.1]]).collect();
    let indices: Vec<u32> =
        (0..21_u32).flat_map(|n| [0, 1, 3, 0, 3, 2].map(|corner| 2 * n + corner)).collect();
    let rows = vec![([0; 4], [1.0, 0.0, 0.0, 0.0]); positions.len()];
    let surface = Surface::new(&by_hand(&[0.0], &positions, &indices, &rows), 0, &[0]);
    let mut walk = Walk::new(&surface);
    let last = surface.positions.len() - 1;
    for most in [100.0, 20.0] {
        let mut steps = 1000;
        assert!(walk.go(&surface, std::iter::once(0), most, usize::MAX, |_| true, &mut steps));
        let expected = if most > 21.0 { 21.0 } else { f64::INFINITY };
        assert_eq!(walk.distance(last as u32 - 1), expected);
        assert_eq!(steps, 1000 - if most > 21.0 { last + 1 } else { last - 2 });
    }
    assert!(!walk.go(&surface, std::iter::once(0), 100.0, usize::MAX, |_| true, &mut 7));
    assert_eq!(surface.pieces, 1);
}

#[test]
fn the_nearest_point_is_found_in_a_tree() {
    let mut generator = Generator::new(3, 0);
    let mut point = || DVec3::new(generator.share(), generator.share(), (generator.share() * 4.0).floor());
    let points: Vec<DVec3> = (0..500).map(|_| point()).chain(vec![DVec3::ONE; 40]).collect();
    let tree = Tree::new(points.iter().copied());
    for _ in 0..300 {
        let to = point();
        let (found, apart) = tree.nearest(to, 10.0).unwrap();
        let best = points.iter().map(|point| point.distance(to)).fold(f64::INFINITY, f64::min);
        assert_eq!(apart, points[found as usize].distance(to));
        assert!((apart - best).abs() < 1e-12);
        assert_eq!(tree.nearest(to, best * 0.99), None);
    }
    assert_eq!(tree.nearest(DVec3::ONE, 0.0), Some((500, 0.0)), "the first of equals");
    assert_eq!(tree.nearest(DVec3::NAN, 1.0), None);
    assert_eq!(Tree::new(std::iter::empty()).nearest(DVec3::ZERO, 1.0), None);
}

#[test]
fn volume_is_that_of_closed_parts() {
    let mut model = cube();
    let places = |model: &super::Model| -> Vec<DVec3> {
        let positions = &model.meshes[0].primitives[0].positions;
        positions.iter().map(|p| DVec3::from_array(p.map(f64::from)) + 1e6).collect()
    };
    let closed = Closed::new(&Surface::new(&model, 0, &[0]));
    assert_eq!(closed.pieces, [0]);
    assert!((closed.volume(0, &places(&model)) - 8.0).abs() < 1e-8);
    primitive(&mut model).indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(0, 1));
    assert!((closed.volume(0, &places(&model)) - 8.0).abs() < 1e-8);
    assert!((Closed::new(&Surface::new(&model, 0, &[0])).volume(0, &places(&model)) + 8.0).abs() < 1e-8);
    // One triangle turned over, then one missing.
    primitive(&mut model).indices.swap(0, 1);
    assert!(Closed::new(&Surface::new(&model, 0, &[0])).pieces.is_empty());
    primitive(&mut model).indices.drain(..3);
    assert!(Closed::new(&Surface::new(&model, 0, &[0])).pieces.is_empty());
}

#[test]
fn random_rotations_are_the_same_everywhere() {
    let mut generator = Generator::new(1, 2);
    let turn = generator.rotation(0.5);
    assert!((turn.length() - 1.0).abs() < 1e-15);
    assert!(turn.xyz().length() / turn.w <= 0.5);
    assert_eq!(Generator::new(1, 2).rotation(0.5), turn);
    assert_ne!(Generator::new(1, 3).rotation(0.5), turn);
    assert_eq!(Generator::new(0, 0).share().to_bits(), FIRST);
    assert_eq!(turn.to_array().map(f64::to_bits), TURN);
    assert_eq!(generator.rotation(0.0).w, 1.0);
}

/// The result of another program in another language.
const FIRST: u64 = 0x3fe4_e0db_a5e9_a32f;
const TURN: [u64; 4] =
    [0x3fc7_ff94_aeec_5991, 0x3fa6_90d3_6e42_492d, 0xbfd4_47d4_15cf_e54e, 0x3fed_b7f0_cea7_3bd1];
