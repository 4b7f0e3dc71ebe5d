//! Posing, morphing and skinning by the fast path allocate nothing; a counting allocator checks that.
#![allow(unsafe_code, reason = "an allocator is an unsafe trait; this one hands on to the system's")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use sinew_model::{Channel, Clip, Interpolation, Model, Property, builtin, gltf};
use sinew_skinning::cpu::{Exactness, Order, Out, Prepared, Settings, Source};
use sinew_skinning::pose::{Blend, ClipMix, Pose, PoseChoice};
use sinew_skinning::twin::Vertices;
use sinew_skinning::{SkinningMode, Slot};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn skinning_allocates_nothing() {
    let before = ALLOCATIONS.get();
    drop(Box::new(before));
    assert_eq!(ALLOCATIONS.get(), before + 1, "the allocator does not count");

    // Runs that need sorting, runs of their own, and vertices that share their joints with no other.
    let joints: Vec<[i32; 4]> = (0..5000).map(|v| [v % 7, (v * v) % 31, (v / 100) % 31, 0]).collect();
    let positions = vec![[1.0; 3]; joints.len()];
    let moved = vec![[2.0; 3]; joints.len()];
    let tangents = vec![[1.0; 4]; joints.len()];
    let weights = vec![[0.25; 4]; joints.len()];
    let source = Source {
        positions: &positions,
        normals: Some(&positions),
        tangents: Some(&tangents),
        joints: &[&joints],
        weights: &[&weights],
    };
    let mut prepared = Prepared::new(&source).unwrap();
    let vertices = Vertices {
        positions: &moved,
        normals: Some(&positions),
        tangents: Some(&tangents),
        influences: None,
        shares: None,
        centers: None,
        ddm: None,
    };
    let before = ALLOCATIONS.get();
    let result = prepared.reshape(&vertices);
    assert_eq!(ALLOCATIONS.get(), before);
    result.unwrap();
    let (mut p, mut n, mut t) = (positions.clone(), positions.clone(), tangents.clone());
    let slots = vec![Slot { columns: [[1.0, 2.0, 3.0, 0.0]; 4] }; 31];
    // A thread's first call makes room for results in another order.
    assert!(prepared.order().is_some(), "nothing to copy");
    let out = Out { positions: Some(&mut p), normals: Some(&mut n), tangents: Some(&mut t) };
    prepared.skin(SkinningMode::Linear, &slots, out, &Settings::default()).unwrap();
    for mode in SkinningMode::ALL {
        for (exactness, order) in [(Exactness::Bounds, Order::Source), (Exactness::Twin, Order::Prepared)] {
            let settings = Settings { exactness, order, ..Settings::default() };
            let out = Out { positions: Some(&mut p), normals: Some(&mut n), tangents: Some(&mut t) };
            let before = ALLOCATIONS.get();
            let result = prepared.skin(mode, &slots, out, &settings);
            assert_eq!(ALLOCATIONS.get(), before, "{mode}");
            result.unwrap();
        }
    }
}

/// The built-in figure, with morph weights on a node that a clip of its own moves.
fn morphing_figure() -> Model {
    let mut model = gltf::load_bytes(&builtin::glb("character").unwrap(), None).unwrap();
    let nodes = model.rig.len();
    model.rig.rest_weights = vec![0.5; 10];
    model.rig.weight_ends = (0..nodes).map(|node| if node < 4 { 0 } else { 10 }).collect();
    let channel = Channel {
        node: 4,
        property: Property::Weights,
        interpolation: Interpolation::CubicSpline,
        times: vec![0.0, 1.0],
        values: vec![1.0; 60],
    };
    let one = Channel { property: Property::Weight(3), values: vec![2.0; 6], ..channel.clone() };
    model.clips.push(Clip { name: String::new(), duration_secs: 1.0, channels: vec![channel, one] });
    model
}

#[test]
fn posing_allocates_nothing() {
    let model = morphing_figure();
    let last = model.clips.len() - 1;
    let blends = vec![Blend { clip: 2, weight: 0.3 }, Blend { clip: last, weight: 0.5 }];
    let mix = ClipMix { clips: vec![0, 1, last], blends, ..ClipMix::default() };
    let mut choice = PoseChoice::Clips(mix);
    let mut pose = Pose::default();
    // The first pose of a model allocates room for all others.
    pose.set(&model, &choice);
    for frame in 1..60 {
        if let PoseChoice::Clips(mix) = &mut choice {
            mix.time_secs = f64::from(frame) / 30.0;
        }
        let before = ALLOCATIONS.get();
        pose.set(&model, &choice);
        assert_eq!(ALLOCATIONS.get(), before, "{choice:?}");
    }
    for choice in [PoseChoice::clip(1, 0.5), PoseChoice::Rest, PoseChoice::Bind, choice] {
        let before = ALLOCATIONS.get();
        pose.set(&model, &choice);
        assert_eq!(ALLOCATIONS.get(), before, "{choice:?}");
    }
}
