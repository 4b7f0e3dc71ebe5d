//! Races the fast path with [`job`](crate::job), in the file's order and in the layout's.

use crate::models::{self, Skinned};
use crate::workload::{Joints, Parts, Spans, Workload};
use crate::{Row, SMALL, job, print, race, repeats, skin};
use sinew::skinning::Slot;
use sinew::skinning::cpu::{Directions, Level, Order, Prepared, Settings};
use std::time::Duration;

const LEVELS: [Level; 2] = [Level::Avx2, Level::Avx512];

/// The file's order, the layout's, and the layout's with directions like those of a job.
const WAYS: [(Order, Directions); 3] = [
    (Order::Source, Directions::Unit),
    (Order::Prepared, Directions::Unit),
    (Order::Prepared, Directions::Unnormalised),
];

/// A part of a mesh, and its palette.
type Load<'a> = (&'a Workload, Vec<Slot>);

/// Races made-up meshes and real models.
pub fn race_all(is_wanted: &dyn Fn(&str) -> bool) {
    let mut rows = Vec::new();
    let mut add = |name: &str, loads: &[Load]| {
        for parts in Parts::ALL {
            let title = format!("beside: {name}, {parts}");
            if is_wanted(&title) {
                rows.push(race_one(title, loads, parts));
            }
        }
    };
    for joints in Joints::ALL {
        let load = Workload::new(SMALL, 4, joints);
        add(&format!("10k {joints}"), &[(&load, load.slots(job::MODE))]);
    }
    for (name, model) in models::all() {
        let skinned: Vec<Skinned> = models::parts_of(&model);
        let slots = models::slots(&model, &skinned, job::MODE, &models::posed(&model));
        let loads: Vec<_> = skinned.iter().map(|part| &part.load).zip(slots).collect();
        add(&name, &loads);
    }
    let ways = ["file's order", "layout's", "not normalised"];
    let columns = LEVELS.iter().flat_map(|level| ways.map(|way| format!("{level}, {way}")));
    let columns: Vec<String> =
        ["job, M/s", "partitioned"].map(str::to_owned).into_iter().chain(columns).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    print("Linear blending beside a job, one thread", &columns, &rows);
}

fn race_one(title: String, loads: &[Load], parts: Parts) -> Row {
    let vertices: usize = loads.iter().map(|(load, _)| load.positions.len()).sum();
    let palettes: Vec<_> = loads.iter().map(|(_, slots)| job::matrices(slots)).collect();
    let groups = |is_partitioned| -> Vec<_> {
        loads.iter().map(|(load, _)| job::groups(load, is_partitioned)).collect()
    };
    let (whole, partitioned) = (groups(false), groups(true));
    let prepared: Vec<Prepared> = loads.iter().map(|(load, _)| load.prepare(parts)).collect();
    let n = repeats(vertices);
    let lengths = || loads.iter().map(|(load, _)| load.positions.len());
    let mut moved: Vec<job::Moved> = lengths().map(job::Moved::new).collect();
    let mut moved_by_group = moved.clone();
    let mut ours: Vec<Vec<Spans>> = vec![lengths().map(Spans::new).collect(); LEVELS.len() * WAYS.len()];
    let by_job = |jobs: &[Vec<job::Group>], out: &mut [job::Moved]| {
        for _ in 0..n {
            for ((groups, palette), out) in jobs.iter().zip(&palettes).zip(&mut *out) {
                job::skin(groups, palette, parts, out);
            }
        }
    };
    let by_layout = |level: Level, (order, directions): (Order, Directions), out: &mut [Spans]| {
        let settings = Settings { level, order, directions, ..Settings::default() };
        for _ in 0..if level.is_available() { n } else { 0 } {
            for ((prepared, (_, slots)), out) in prepared.iter().zip(loads).zip(&mut *out) {
                skin(prepared, job::MODE, slots, parts, out, &settings);
            }
        }
    };
    let mut contenders: Vec<Box<dyn FnMut() + '_>> =
        vec![Box::new(|| by_job(&whole, &mut moved)), Box::new(|| by_job(&partitioned, &mut moved_by_group))];
    let ways = LEVELS.iter().flat_map(|level| WAYS.map(|way| (*level, way)));
    for ((level, way), out) in ways.zip(&mut ours) {
        contenders.push(Box::new(move || by_layout(level, way, out)));
    }
    let mut runs: Vec<&mut dyn FnMut()> = contenders.iter_mut().map(|run| &mut **run as _).collect();
    let times = race(Duration::from_millis(800), &mut runs);
    drop(contenders);
    for (ours, job) in ours[0].iter().zip(&moved) {
        let mut near = ours.positions.as_flattened().iter().zip(job.positions.as_flattened());
        assert!(near.all(|(a, b)| (a - b).abs() < 1e-3), "{title}: results differ");
    }
    let rate = |time: f64| format!("{:.0}", (vertices * n) as f64 / time * 1e-6);
    let (job, best_job) = (times[0].0, times[0].0.min(times[1].0));
    let mut cells = vec![rate(times[0].0), rate(times[1].0)];
    for (level, times) in LEVELS.into_iter().zip(times[2..].chunks(WAYS.len())) {
        for (time, beside) in times.iter().zip([job, best_job, best_job]) {
            cells.push(match level.is_available() {
                true => format!("{} ({:.2}×)", rate(time.0), beside / time.0),
                false => "not here".to_owned(),
            });
        }
    }
    Row { title, cells }
}
