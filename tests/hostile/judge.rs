//! The rules for every file: a one-line error or a sound model, within limits of memory and time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use sinew::model::Model;
use sinew::model::gltf::{LoadError, load_bytes};
use sinew::skinning::pose::{Pose, PoseChoice};

use crate::counting::most_held;
use crate::file::glb;
use crate::sound::assert_sound;

/// The longest time for the slowest file, in a build with few optimisations and other tests running beside it.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The most memory that loading a file of that size may take.
pub fn memory_limit(bytes: usize) -> u64 {
    ((256 << 20) + 64 * bytes as u64).min(4 << 30)
}

/// Loads a file and panics if it breaks the rules.
pub fn judge(bytes: &[u8]) -> Result<Model, LoadError> {
    judge_within(memory_limit(bytes.len()), || load_bytes(bytes, None))
}

/// Loads something and panics if it breaks the rules or holds more than `limit` bytes.
pub fn judge_within(limit: u64, load: impl FnOnce() -> Result<Model, LoadError>) -> Result<Model, LoadError> {
    let start = Instant::now();
    let (result, most) = most_held(load);
    let took = start.elapsed();
    assert!(most <= limit, "{most} bytes held at once, but {limit} are allowed");
    assert!(took < TIMEOUT, "it took {took:.1?}");
    match &result {
        Ok(model) => {
            assert_sound(model);
            assert_posable(model);
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
            assert!(text.len() < 4000, "an error of {} bytes", text.len());
        }
    }
    result
}

/// Judges text and data, and returns the verdict in words.
pub fn verdict(text: &str, binary: &[u8]) -> String {
    words(&judge(&glb(text.as_bytes(), binary)))
}

/// The result of loading a file, in words.
pub fn words(result: &Result<Model, LoadError>) -> String {
    match result {
        Ok(model) => model
            .warnings
            .iter()
            .fold("loads".to_owned(), |text, warning| format!("{text}\n{}", warning.message)),
        Err(error) => error.to_string(),
    }
}

/// A document with the given members, one buffer of this many bytes and one view of all of it.
pub fn document(bytes: usize, members: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{bytes}}}],
        "bufferViews":[{{"buffer":0,"byteLength":{bytes}}}],{members}}}"#
    )
}

/// Items of an array, made from their numbers.
pub fn items(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

/// Repeats an item this many times.
pub fn many(count: usize, item: &str) -> String {
    items(count, |_| item.to_owned())
}

/// Poses of a sound model are numbers before their parents multiply them.
fn assert_posable(model: &Model) {
    let mut pose = Pose::default();
    for (clip, data) in model.clips.iter().enumerate().take(3) {
        for part in [0.0, 0.4, 1.0] {
            let time_secs = part * f64::from(data.duration_secs);
            pose.set(model, &PoseChoice::clip(clip, time_secs));
            assert!(pose.locals.iter().all(|local| local.parent_from_node().is_finite()));
            assert!(pose.weights.iter().all(|weight| weight.is_finite()));
        }
    }
}

/// Judges file after file; stores the first that fails, with its seed, for inspection. Returns how many loaded.
pub fn judge_all(name: &str, rounds: u64, mut make: impl FnMut(u64) -> Vec<u8>) -> u64 {
    let mut loaded = 0;
    let mut most = Duration::ZERO;
    for seed in 1..=rounds {
        let bytes = make(seed);
        let start = Instant::now();
        match catch_unwind(AssertUnwindSafe(|| judge(&bytes).is_ok())) {
            Ok(is_ok) => loaded += u64::from(is_ok),
            Err(_) => {
                let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
                let file = folder.join(format!("hostile-{}-{seed}.glb", name.replace(' ', "-")));
                std::fs::write(&file, &bytes).unwrap();
                panic!("{name}: seed {seed} of {rounds}, kept as {}", file.display());
            }
        }
        most = most.max(start.elapsed());
    }
    println!("{name}: {rounds} files, of which {loaded} loaded; the slowest took {most:.1?}");
    loaded
}
