//! Tests the times at which verification checks, and that it misses no fault at any of them. The twin stands in for the
//! GPU.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use serde_json::Value;
use sinew::analysis::verify::{Report, Samples, looks, times, verify};
use sinew::model::{Channel, Clip, Interpolation, LocalTransform, Model, Property};
use sinew::skinning::pose::{Pose, PoseChoice};
use sinew::skinning::posed::{SkinnedPrimitive, skin_model};
use sinew::skinning::{SkinningMode, cpu};

fn time_of(choice: &PoseChoice) -> Option<f64> {
    match choice {
        PoseChoice::Clips(mix) => Some(mix.time_secs),
        _ => None,
    }
}

/// Verifies a GPU that moves the last vertex by a hundredth at the times that are `wrong`.
fn with_fault(model: &Model, samples: Samples, wrong: impl Fn(usize, f64) -> bool) -> Report {
    let skin = |mode: SkinningMode, choice: &PoseChoice| -> Result<Vec<SkinnedPrimitive<f32>>, cpu::Error> {
        let mut pose = Pose::default();
        pose.set(model, choice);
        let mut skinned = skin_model(model, mode, &pose);
        let clip = match choice {
            PoseChoice::Clips(mix) => mix.clips[0],
            _ => usize::MAX,
        };
        if time_of(choice).is_some_and(|time_secs| wrong(clip, time_secs)) {
            let positions = &mut skinned.last_mut().unwrap().positions;
            positions.last_mut().unwrap()[0] += 0.01;
        }
        Ok(skinned)
    };
    verify(model, &SkinningMode::ALL, true, samples, skin, |_, _| ()).unwrap()
}

/// The key times of a clip of a built-in model, where every channel moves something.
fn keys(clip: &Clip) -> Vec<f64> {
    let mut keys: Vec<f64> =
        clip.channels.iter().flat_map(|channel| &channel.times).map(|&t| f64::from(t)).collect();
    keys.sort_by(f64::total_cmp);
    keys.dedup();
    keys
}

#[test]
fn every_key_is_looked_at_and_a_time_between_every_two() {
    for name in ["strip", "character", "twist"] {
        let model = common::builtin(name);
        for clip in &model.clips {
            let all = times(&model, clip, Samples::All);
            assert_eq!(all.chosen.len(), all.of);
            assert!(all.chosen.is_sorted_by(|a, b| a < b));
            let keys = keys(clip);
            assert_eq!(all.of, 2 * keys.len() - 1, "{name} {}", clip.name);
            for pair in keys.windows(2) {
                let within = |time: &&f64| (pair[0]..pair[1]).contains(*time);
                assert_eq!(all.chosen.iter().filter(within).count(), 2, "{name} {} {pair:?}", clip.name);
            }
            assert_eq!(times(&model, clip, Samples::All), all, "the same again");
        }
    }
}

/// A fault at any time is found and located.
#[test]
fn a_fault_at_one_time_is_found() {
    let model = common::builtin("strip");
    let report = with_fault(&model, Samples::default(), |_, _| false);
    assert!(report.rows.iter().all(|row| row.faults.is_empty() && row.times == row.of_times), "{report:?}");
    let keys = keys(&model.clips[0]);
    let at_keys = keys.iter().map(|&key| (key, key));
    let between = keys.windows(2).map(|pair| (pair[0].next_up(), pair[1].next_down()));
    for (from, to) in at_keys.chain(between) {
        let report = with_fault(&model, Samples::default(), |_, time| (from..=to).contains(&time));
        for row in &report.rows {
            assert_eq!(
                row.faults.is_empty(),
                row.pose != "swing",
                "{from} to {to}: {} {}",
                row.mode,
                row.pose
            );
        }
        for worst in &report.worst {
            assert!((from..=to).contains(&worst.time.unwrap()), "{from} to {to}: {worst}");
            assert_eq!((worst.vertex, worst.name.rsplit(':').next()), (9, Some("9")));
            assert!(worst.to_string().contains(&format!(
                "{} in swing at {} s",
                worst.name,
                worst.time.unwrap()
            )));
        }
    }
}

/// Several threads check times in parallel; the report is the same as from one thread.
#[test]
fn reports_do_not_depend_on_threads() {
    let model = common::builtin("character");
    let [one, more] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let report =
            pool.install(|| with_fault(&model, Samples::AtMost(3), |clip, time| clip == 0 && time > 0.5));
        serde_json::to_string(&report).unwrap()
    });
    assert!(one == more);
}

/// The strip with a clip of `count` keys that turn its upper joint.
fn with_keys(count: usize) -> Model {
    let mut model = (*common::builtin("strip")).clone();
    let channel = model.clips[0].channels[0].clone();
    let times: Vec<f32> = (0..count).map(|number| number as f32 / 30.0).collect();
    let values = channel.values[..4].repeat(count);
    let duration_secs = *times.last().unwrap();
    let interpolation = Interpolation::Step;
    model.clips[0] = Clip {
        name: "many".to_owned(),
        duration_secs,
        channels: vec![Channel { times, values, interpolation, ..channel }],
    };
    model
}

#[test]
fn of_many_times_keys_come_first_and_are_spread_evenly() {
    let model = with_keys(100);
    let clip = &model.clips[0];
    let is_key = |time: &&f64| keys(clip).contains(time);
    let last = f64::from(clip.duration_secs);
    for (most, keys) in
        [(2, 2), (3, 3), (64, 64), (100, 100), (130, 100), (198, 100), (199, 100), (5000, 100)]
    {
        let found = times(&model, clip, Samples::AtMost(most));
        assert_eq!((found.chosen.len(), found.of), (most.min(199), 199));
        assert_eq!(found.chosen.iter().filter(is_key).count(), keys, "{most}");
        assert_eq!((found.chosen[0], found.chosen[found.chosen.len() - 1]), (0.0, last));
        assert!(found.chosen.is_sorted_by(|a, b| a < b));
        let widest = found.chosen.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
        let even = last / (found.chosen.len() - 1) as f64;
        assert!(widest < even + 1.0 / 30.0 + 1e-6, "{most}: {widest} apart instead of {even}");
    }
    assert_eq!(times(&model, clip, Samples::All).chosen.len(), 199);
    // At least both ends are checked.
    assert_eq!(times(&model, clip, Samples::AtMost(0)).chosen, [0.0, last]);
}

#[test]
fn only_what_moves_the_picture_counts() {
    let model = common::builtin("strip");
    let before = times(&model, &model.clips[0], Samples::All);
    let with = |node: usize, property: Property| {
        let mut model = (*model).clone();
        // A separate node, and one above the joints.
        model.rig.names.push("aside".to_owned());
        model.rig.parents.push(None);
        model.rig.rest.push(LocalTransform::IDENTITY);
        model.rig.file_index.push(9);
        let numbers = if property == Property::Rotation { 4 } else { 3 };
        let (times, values) = (vec![0.123, 0.456], vec![0.5; 2 * numbers]);
        let interpolation = Interpolation::Linear;
        model.clips[0].channels.push(Channel { node, property, interpolation, times, values });
        times_of(&model)
    };
    fn times_of(model: &Model) -> sinew::analysis::verify::Times {
        times(model, &model.clips[0], Samples::All)
    }
    let root = model.skins[0].joints.iter().find(|joint| model.rig.parents[**joint].is_none());
    let mesh = model.instances[0].node;
    let root = root.copied().unwrap_or_else(|| model.rig.parents[model.skins[0].joints[0]].unwrap() as usize);
    assert_eq!(with(root, Property::Rotation).of, before.of + 4);
    assert_eq!(with(model.rig.len(), Property::Rotation), before, "a node that nothing hangs on");
    assert_eq!(with(mesh, Property::Weights), before, "a mesh without targets");
    if mesh != root {
        assert_eq!(with(mesh, Property::Translation), before, "a node whose mesh follows its joints");
    }
}

#[test]
fn clips_without_keys_or_length_have_their_ends() {
    let mut model = (*common::builtin("strip")).clone();
    model.clips[0].channels.clear();
    assert_eq!(times(&model, &model.clips[0], Samples::All).chosen.len(), 3);
    model.clips[0].duration_secs = 0.0;
    assert_eq!(times(&model, &model.clips[0], Samples::AtMost(2)).chosen, [0.0]);
    let looks = looks(&model, Samples::default());
    assert_eq!(looks.iter().map(|look| look.choices.len()).collect::<Vec<_>>(), [1, 1, 1]);
}

#[test]
fn the_output_says_how_many_times_of_how_many() {
    let table = |flags: &[&str]| {
        let words = ["verify", "builtin:strip"];
        String::from_utf8(common::run_well(&mut common::sinew(words.iter().chain(flags)))).unwrap()
    };
    let json =
        |flags: &[&str]| -> Value { serde_json::from_str(&table(&[&["--json"], flags].concat())).unwrap() };
    let model = common::builtin("strip");
    let of = times(&model, &model.clips[0], Samples::All).of;
    assert!(of > 5 && of <= 400);
    assert!(!table(&[]).contains("checks all"), "all are looked at by default");
    let thinned = table(&["--samples", "5"]);
    assert!(thinned.contains(&format!("  swing: 5 of {of} times; --samples {of} checks all\n")), "{thinned}");
    assert!(thinned.contains(&format!(" 5/{of} ")), "{thinned}");
    for (flags, times) in [(&[][..], of), (&["--samples", "all"], of), (&["--samples", "5"], 5)] {
        let rows = json(flags)["models"][0]["rows"].clone();
        for row in rows.as_array().unwrap() {
            let want = if row["pose"] == "swing" { (times, of) } else { (1, 1) };
            assert_eq!(
                (row["times"].as_u64(), row["of_times"].as_u64()),
                (Some(want.0 as u64), Some(want.1 as u64))
            );
        }
    }
    for wrong in ["0", "1", "-3", "many", ""] {
        let run = common::run(&mut common::sinew(["verify", "builtin:strip", &format!("--samples={wrong}")]));
        assert_eq!(run.code, Some(2), "{wrong}: {}", run.err);
    }
}
