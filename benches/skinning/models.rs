//! Races the fast path on real models, whole frames included: the built-in figure, and files of the corpus where there are
//! any.

use crate::plain::{self, Palette};
use crate::workload::{Parts, Spans, Workload};
use crate::{MODES, Row, print, race, skin};
use sinew::model::{Model, builtin, gltf};
use sinew::skinning::cpu::{Prepared, Settings};
use sinew::skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew::skinning::{SkinningMode, Slot, matrices_into};
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

/// Files below the corpus.
const FILES: [&str; 3] =
    ["models/CesiumMan/CesiumMan.glb", "models/Fox/Fox.glb", "models/RiggedFigure/RiggedFigure.glb"];

/// A part of a model that one skin moves.
pub struct Skinned {
    instance: usize,
    pub load: Workload,
}

/// The skinned primitives of a model.
pub fn parts_of(model: &Model) -> Vec<Skinned> {
    let instances = model.instances.iter().enumerate().filter(|(_, instance)| instance.skin.is_some());
    let primitives = instances.flat_map(|(number, instance)| {
        model.meshes[instance.mesh].primitives.iter().map(move |p| (number, p))
    });
    primitives.filter_map(|(instance, p)| Some(Skinned { instance, load: Workload::of(p)? })).collect()
}

/// A pose in the middle of the first clip, if there is one.
fn choice(model: &Model) -> PoseChoice {
    let Some(clip) = model.clips.first() else { return PoseChoice::Rest };
    PoseChoice::Clips(ClipMix {
        clips: vec![0],
        time_secs: f64::from(clip.duration_secs) / 2.0,
        ..ClipMix::default()
    })
}

/// The palettes of a model's parts.
pub fn slots(model: &Model, parts: &[Skinned], mode: SkinningMode, pose: &Pose) -> Vec<Vec<Slot>> {
    let of = |part: &Skinned| {
        let (mut matrices, mut slots) = (Vec::new(), Vec::new());
        matrices_into(model, &model.instances[part.instance], true, pose, &mut matrices);
        mode.slots_into(&matrices, &mut slots);
        slots
    };
    parts.iter().map(of).collect()
}

/// Returns that pose.
pub fn posed(model: &Model) -> Pose {
    let mut pose = Pose::default();
    pose.set(model, &choice(model));
    pose
}

/// Returns the models, by name.
pub fn all() -> Vec<(String, Model)> {
    let glb = builtin::glb("character").expect("a built-in model");
    let mut models =
        vec![("builtin:character".to_owned(), gltf::load_bytes(&glb, None).expect("a sound model"))];
    if let Some(corpus) = std::env::var_os("SINEW_CORPUS") {
        for file in FILES {
            let bytes = std::fs::read(Path::new(&corpus).join(file)).expect("a file of the corpus");
            let name = file.rsplit('/').next().unwrap_or(file).to_owned();
            models.push((name, gltf::load_bytes(&bytes, None).expect("a sound model")));
        }
    }
    models
}

/// Races all models in all modes.
pub fn race_all(is_wanted: &dyn Fn(&str) -> bool) {
    let models = all();
    let mut rows = Vec::new();
    for (name, model) in &models {
        for mode in MODES {
            for parts in Parts::ALL {
                let title = format!("models: {name}, {mode}, {parts}");
                if is_wanted(&title) {
                    rows.push(race_one(title, model, mode, parts));
                }
            }
        }
    }
    let columns =
        ["vertices", "plain, M/s", "fast, M/s", "ratio (of medians)", "whole frame, µs", "of it skinning"];
    print("Real models, file's order, one thread", &columns, &rows);
}

fn race_one(title: String, model: &Model, mode: SkinningMode, parts: Parts) -> Row {
    let skinned = parts_of(model);
    let vertices: usize = skinned.iter().map(|part| part.load.positions.len()).sum();
    let choice = choice(model);
    let mut pose = Pose::default();
    pose.set(model, &choice);
    let slots = slots(model, &skinned, mode, &pose);
    let palettes: Vec<Palette> = slots.iter().map(|slots| Palette::new(slots)).collect();
    let prepared: Vec<Prepared> = skinned.iter().map(|part| part.load.prepare(parts)).collect();
    let room =
        || -> Vec<Spans> { skinned.iter().map(|part| Spans::new(part.load.positions.len())).collect() };
    let (mut a, mut b, mut c) = (room(), room(), room());
    let n = (40_000 / vertices.max(1)).max(1);
    let settings = Settings::default();
    let (mut matrices, mut own) = (Vec::new(), Vec::new());
    let times = race(
        Duration::from_millis(400),
        &mut [
            &mut || {
                for _ in 0..n {
                    for ((part, palette), out) in skinned.iter().zip(&palettes).zip(&mut a) {
                        plain::skin(mode, palette, &part.load, parts, out);
                    }
                }
            },
            &mut || {
                for _ in 0..n {
                    for ((prepared, slots), out) in prepared.iter().zip(&slots).zip(&mut b) {
                        skin(prepared, mode, slots, parts, out, &settings);
                    }
                }
            },
            &mut || {
                for _ in 0..n {
                    pose.set(black_box(model), &choice);
                    for ((part, prepared), out) in skinned.iter().zip(&prepared).zip(&mut c) {
                        matrices_into(model, &model.instances[part.instance], true, &pose, &mut matrices);
                        mode.slots_into(&matrices, &mut own);
                        skin(prepared, mode, &own, parts, out, &settings);
                    }
                }
            },
        ],
    );
    for (fast, plain) in b.iter().zip(&a) {
        assert!(fast.is_near(plain, parts), "{title}: results differ");
    }
    let rate = |time: f64| format!("{:.0}", (vertices * n) as f64 / time * 1e-6);
    let cells = vec![
        vertices.to_string(),
        rate(times[0].0),
        rate(times[1].0),
        format!("{:.1}× ({:.1}×)", times[0].0 / times[1].0, times[0].1 / times[1].1),
        format!("{:.1}", times[2].0 / n as f64 * 1e6),
        format!("{:.1}", times[1].0 / n as f64 * 1e6),
    ];
    Row { title, cells }
}
