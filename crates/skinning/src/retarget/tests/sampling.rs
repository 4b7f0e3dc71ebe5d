//! Tests of trees that differ, and of moving nodes without a pair.

use super::rigs::*;
use crate::retarget::{Carried, Dropped};
use glam::DVec3;
use sinew_model::{Clip, Interpolation, Model, Property};

/// Makes the figure below a node that moves, with a joint between spine and arm.
fn richer() -> Vec<Node<'static>> {
    vec![
        ("mover", None, [0.0; 3], turn([1.0, 0.0, 0.0], -90.0)),
        ("hips", Some(0), [0.0, 0.0, 1.0], turn([1.0, 0.0, 0.0], 90.0)),
        ("spine", Some(1), [0.0, 0.4, 0.05], STILL),
        ("shoulder", Some(2), [0.1, 0.1, 0.0], turn([0.0, 0.0, 1.0], 20.0)),
        ("arm", Some(3), [0.2, 0.0, 0.0], STILL),
        ("hand", Some(4), [0.5, 0.0, 0.02], STILL),
        ("foot", Some(1), [0.1, -1.0, 0.0], STILL),
    ]
}

const PAIRS: [(usize, usize); 5] = [(0, 1), (1, 2), (2, 4), (3, 5), (4, 6)];

#[test]
fn nodes_between_are_part_of_what_follows() {
    let target = model(&FIGURE);
    for interpolation in [Interpolation::Linear, Interpolation::CubicSpline] {
        let source = with_turns(model(&richer()), interpolation);
        let found = borrowed(&target, &source);
        let resampled = Carried::Resampled;
        let as_is = Carried::AsIs;
        assert_eq!(found.carried[..5], [resampled, resampled, as_is, resampled, resampled]);
        // Between samples, an arc approximates the motion.
        assert_turns((&target, &found.clip), &source, &PAIRS, 1e-3);
        for time in [0.0, 0.5, 1.0, 1.5] {
            let there = world_turns(&target, &found.clip, time);
            let here = world_turns(&source, &source.clips[0], time);
            for (to, from) in PAIRS {
                let apart = there[to].angle_between(here[from]);
                assert!(apart < 1e-6, "{from} at {time}: {apart}");
            }
        }
    }
}

/// Steps stay steps.
#[test]
fn steps_are_sampled_at_their_keys() {
    let target = model(&FIGURE);
    let source = with_turns(model(&richer()), Interpolation::Step);
    let found = borrowed(&target, &source);
    assert_turns((&target, &found.clip), &source, &PAIRS, 1e-6);
    assert!(found.clip.channels.iter().all(|channel| channel.times.len() == 4));
}

#[test]
fn a_node_above_carries_the_hips() {
    let mut source = with_turns(model(&richer()), Interpolation::Linear);
    let way = [0.0, 0.0, 0.0, 1.0, 0.5, 2.0, -1.0, 0.0, 0.3, 0.0, 0.0, 0.0].map(|v: f32| v).to_vec();
    source.clips[0].channels.push(channel(0, Property::Translation, Interpolation::Linear, way));
    // Twice as large.
    let target = model(
        &FIGURE.map(|(name, parent, place, rotation)| (name, parent, place.map(|v| v * 2.0), rotation)),
    );
    let found = borrowed(&target, &source);
    assert_eq!(found.carried.last(), Some(&Carried::Resampled));
    for time in times() {
        let way = |model: &Model, clip: &Clip, node: usize| -> DVec3 {
            posed(model, Some(clip), time).1[node] - posed(model, None, 0.0).1[node]
        };
        let apart = way(&target, &found.clip, 0) - 2.0 * way(&source, &source.clips[0], 1);
        assert!(apart.length() < 2e-3, "{apart} at {time}");
    }
}

/// The target has joints in another order: a parent in one is a sibling in the other.
#[test]
fn other_trees_turn_alike() {
    let mut nodes = FIGURE;
    nodes[4] = ("foot", Some(2), [0.1, -1.0, 0.0], STILL);
    let target = model(&nodes);
    let source = with_turns(model(&FIGURE), Interpolation::Linear);
    let found = borrowed(&target, &source);
    let all: Vec<_> = (0..5).map(|node| (node, node)).collect();
    assert_turns((&target, &found.clip), &source, &all, 1e-3);
    assert_eq!(
        found.carried,
        [Carried::AsIs, Carried::AsIs, Carried::AsIs, Carried::AsIs, Carried::Resampled]
    );
}

#[test]
fn what_leads_nowhere_is_dropped() {
    let mut nodes = FIGURE.to_vec();
    nodes.push(("tail", Some(0), [0.0, 0.0, -0.3], STILL));
    let source = with_turns(model(&nodes), Interpolation::Linear);
    let target = model(&FIGURE);
    let found = borrowed(&target, &source);
    assert_eq!(found.carried[5], Carried::Dropped(Dropped::NoPair));
    assert_eq!(found.clip.channels.len(), 5);
}
