//! Reads texts as pose files and as joint maps. What is read as a pose is written and read again.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;

mod lines;

use std::sync::OnceLock;

use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};
use serde_json::Value;
use sinew::cli::trial::joint_map;
use sinew::model::{Model, builtin, gltf};
use sinew::pose_file::{parse, write};

/// The model that the seeds' names are of.
fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| {
        let bytes = builtin::glb("strip").expect("it is built in");
        let mut model = gltf::load_bytes(&bytes, None).expect("it loads");
        // It has no morph targets; every node that shows the mesh gets two.
        model.meshes[0].target_names = vec!["smile".to_owned(), "open".to_owned()];
        let shows = |node| model.instances.iter().any(|instance| instance.node == node);
        let ends = (0..model.rig.len()).scan(0, |end, node| {
            *end += if shows(node) { 2 } else { 0 };
            Some(*end)
        });
        model.rig.weight_ends = ends.collect();
        model.rig.rest_weights = vec![0.0; model.rig.weight_ends.last().map_or(0, |end| *end as usize)];
        model
    })
}

fuzz_target!(|text: &[u8]| -> Corpus {
    if let Ok(text) = std::str::from_utf8(text)
        && let Err(error) = joint_map(text)
    {
        lines::assert_one(&error.to_string());
    }
    let mix = match parse(text, model()) {
        Ok(mix) => mix,
        Err(error) => {
            lines::assert_one(&error.to_string());
            return Corpus::Keep;
        }
    };
    let mut written = Vec::new();
    write(&mix, model(), &mut written).expect("what was read can be written");
    let again = parse(&written, model()).expect("what was written can be read");
    // Without clips, the time is nobody's.
    if !mix.clips.is_empty() {
        assert_eq!(format!("{mix:?}"), format!("{again:?}"));
    }
    Corpus::Keep
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    lines::mutate_json(data, size, max_size, seed, |json: &mut Value, random| {
        breaking::break_json(json, random)
    })
});
