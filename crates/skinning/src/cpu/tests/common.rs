//! Checks runs whose vertices have few joints in common, and directions of any length, against the twin.

use super::dice::Dice;
use super::{levels, slots};
use crate::cpu::cluster::Clusters;
use crate::cpu::{Directions, Order, Out, Prepared, Settings};
use crate::twin::{Skinned, Vertices, skin};
use crate::{SkinningMode, Slot};
use glam::{DMat4, DQuat, Vec3};
use sinew_model::{Influences, Primitive, Span};

/// The number of joints.
const JOINTS: usize = 6;

struct Moved {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
}

impl Moved {
    fn new(count: usize) -> Self {
        let (positions, normals) = (vec![[0.0; 3]; count], vec![[0.0; 3]; count]);
        Self { positions, normals, tangents: vec![[0.0; 4]; count] }
    }
}

/// Returns vertices with up to four of the joints, in any order.
fn mesh(dice: &mut Dice, count: usize) -> Primitive {
    let mut out = Primitive::default();
    let (mut normals, mut tangents, mut span) = (vec![], vec![], Span::default());
    for _ in 0..count {
        let normal = dice.direction();
        out.positions.push(dice.direction().as_vec3().to_array());
        normals.push(normal.as_vec3().to_array());
        tangents.push(normal.any_orthonormal_vector().as_vec3().extend(1.0).to_array());
        let used = 1 + dice.below(4);
        let mut joints: Vec<i32> = (0..JOINTS as i32).collect();
        (0..4).for_each(|place| joints.swap(place, place + dice.below(JOINTS - place)));
        let mut weights = [0; 4];
        weights[..used].iter_mut().for_each(|weight| *weight = 1 + dice.below(1 << 20));
        weights.sort_unstable_by(|a, b| b.cmp(a));
        weights[0] = (1 << 24) - weights[1..].iter().sum::<usize>();
        // A joint without weight is none that the vertex has.
        span.joints.push([0, 1, 2, 3].map(|place| joints[if place < used { place } else { 0 }]));
        span.weights.push(weights.map(|weight| weight as f32 / (1 << 24) as f32));
    }
    out.normals = Some(normals);
    out.tangents = Some(tangents);
    out.influences = Some(Influences { spans: vec![span] });
    out
}

/// Returns joints that turn by up to so many radians.
fn palette(dice: &mut Dice, angle: f64) -> Vec<DMat4> {
    let joint = |_| {
        let turn = DQuat::from_axis_angle(dice.direction(), dice.number() * angle);
        DMat4::from_rotation_translation(turn, dice.direction())
    };
    (0..JOINTS).map(joint).collect()
}

fn by_twin(mode: SkinningMode, slots: &[Slot], vertices: &Vertices) -> Moved {
    let mut out = Moved::new(vertices.positions.len());
    let Moved { positions, normals, tangents } = &mut out;
    skin(mode, slots, vertices, Skinned { positions, normals: Some(normals), tangents: Some(tangents) });
    out
}

fn by_fast(mode: SkinningMode, slots: &[Slot], prepared: &Prepared, settings: &Settings) -> Moved {
    let mut out = Moved::new(prepared.len());
    let Moved { positions, normals, tangents } = &mut out;
    let spans = Out { positions: Some(positions), normals: Some(normals), tangents: Some(tangents) };
    prepared.skin(mode, slots, spans, settings).unwrap();
    out
}

fn is_near(a: &[f32], b: &[f32]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-5)
}

#[test]
fn joints_in_common_are_blended_in_any_order() {
    let mut dice = Dice(5);
    let primitive = mesh(&mut dice, 700);
    let shares: Vec<f32> = (0..700).map(|_| dice.below(9) as f32 / 8.0).collect();
    let vertices = Vertices { shares: Some(&shares), ..Vertices::of(&primitive) };
    let prepared = Prepared::of(&vertices).unwrap();
    let in_common = |run: &&crate::cpu::layout::Run| run.common.count > 0;
    let found: usize =
        prepared.blocks.runs.iter().filter(in_common).map(|run| usize::from(run.vertices)).sum();
    assert!(found > 500, "only {found} vertices");
    // Small turns leave all quaternions on one side; large ones do not, and each vertex has its own pivot.
    for angle in [0.3, 3.1] {
        let palette = palette(&mut dice, angle);
        for mode in SkinningMode::ALL {
            let slots = slots(mode, &palette);
            let want = by_twin(mode, &slots, &vertices);
            for level in levels() {
                let got = by_fast(mode, &slots, &prepared, &Settings { level, ..Settings::default() });
                let name = format!("{mode} by {level}, {angle}");
                let near = |a: &[f32], b: &[f32]| is_near(a, b);
                assert!(near(got.positions.as_flattened(), want.positions.as_flattened()), "{name}");
                assert!(near(got.normals.as_flattened(), want.normals.as_flattened()), "{name}");
                assert!(near(got.tangents.as_flattened(), want.tangents.as_flattened()), "{name}");
            }
        }
    }
}

/// Zero times infinity is not zero, so a vertex must not meet a joint that it lacks.
#[test]
fn an_infinite_joint_spoils_its_own_vertices_alone() {
    let mut dice = Dice(6);
    let primitive = mesh(&mut dice, 700);
    let vertices = Vertices::of(&primitive);
    let prepared = Prepared::of(&vertices).unwrap();
    let palette = palette(&mut dice, 0.3);
    let span = &primitive.influences.as_ref().unwrap().spans[0];
    for mode in SkinningMode::ALL {
        let mut slots = slots(mode, &palette);
        slots[2].columns[1][0] = f32::INFINITY;
        let want = by_twin(mode, &slots, &vertices);
        for level in levels() {
            let got = by_fast(mode, &slots, &prepared, &Settings { level, ..Settings::default() });
            for vertex in 0..prepared.len() {
                let mut influences = span.joints[vertex].iter().zip(span.weights[vertex]);
                if !influences.any(|(&joint, weight)| joint == 2 && weight > 0.0) {
                    let (got, want) = (got.positions[vertex], want.positions[vertex]);
                    assert!(is_near(&got, &want), "{mode} by {level}: {got:?} instead of {want:?}");
                }
            }
        }
    }
}

#[test]
fn directions_of_any_length_point_the_same_way() {
    let mut dice = Dice(7);
    let primitive = mesh(&mut dice, 300);
    let vertices = Vertices::of(&primitive);
    let prepared = Prepared::of(&vertices).unwrap();
    let mut palette = palette(&mut dice, 0.8);
    palette[1] *= DMat4::from_scale((2.0, 0.5, -1.0).into());
    palette[3] *= DMat4::from_scale((2.0, 3.0, 2.0).into());
    let unit = |[x, y, z]: [f32; 3]| Vec3::new(x, y, z).normalize();
    let xyz = |[x, y, z, _]: [f32; 4]| [x, y, z];
    for mode in SkinningMode::ALL {
        let slots = slots(mode, &palette);
        let want = by_twin(mode, &slots, &vertices);
        for (level, order) in levels().flat_map(|level| [(level, Order::Source), (level, Order::Prepared)]) {
            let settings =
                Settings { level, order, directions: Directions::Unnormalised, ..Settings::default() };
            let got = by_fast(mode, &slots, &prepared, &settings);
            let order = prepared.order().filter(|_| order == Order::Prepared);
            for vertex in 0..prepared.len() {
                let source = order.as_ref().map_or(vertex, |order| order[vertex] as usize);
                let (n, t) = (unit(got.normals[vertex]), unit(xyz(got.tangents[vertex])));
                let wanted_n = unit(want.normals[source]);
                let across = (t - wanted_n * wanted_n.dot(t)).normalize();
                let wanted_t = unit(xyz(want.tangents[source]));
                assert!(n.distance(wanted_n) < 2e-5, "{mode} by {level}: normal {n} instead of {wanted_n}");
                assert!(
                    across.distance(wanted_t) < 1e-4,
                    "{mode} by {level}: {across} instead of {wanted_t}"
                );
                assert_eq!(got.tangents[vertex][3], want.tangents[source][3], "{mode} by {level}");
            }
        }
    }
}

#[test]
fn clusters_take_groups_of_few_joints() {
    let mut clusters = Clusters::default();
    let find = |clusters: &mut Clusters, groups: &[(&[u32], usize)]| {
        clusters.find(groups.iter().copied());
        let of = clusters.of_groups().to_vec();
        of.into_iter().map(|of| of.map(|of| clusters.all()[of].joints().to_vec())).collect::<Vec<_>>()
    };
    // Two orders and a part of the same joints make one run, a far group another, and a few vertices none.
    let one = Some(vec![0, 1, 2]);
    let groups: [(&[u32], usize); 5] =
        [(&[0, 1, 2], 9), (&[2, 0, 1], 8), (&[1], 7), (&[40, 41, 42, 43], 30), (&[70, 71, 72, 73, 74], 1)];
    let far = Some(vec![40, 41, 42, 43]);
    assert_eq!(find(&mut clusters, &groups), [one.clone(), one.clone(), one, far, None]);
    // Vertices in random order have nothing in common, so no cluster is sought.
    let random: Vec<[u32; 2]> = (0..500).map(|number| [number, number + 1]).collect();
    let groups: Vec<(&[u32], usize)> = random.iter().map(|joints| (&joints[..], 1)).collect();
    assert!(find(&mut clusters, &groups).iter().all(Option::is_none));
    // More joints than a run can have, and a joint twice.
    let many: Vec<u32> = (0..9).collect();
    let found = find(&mut clusters, &[(&many, 100), (&[5, 5, 6], 100)]);
    assert_eq!(found, [None, Some(vec![5, 6])]);
}
