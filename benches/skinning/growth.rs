//! How time grows with vertices, joints and influences. Each slope is that from the row above: 1 where time grows as fast as
//! what there is, 0 where it does not grow.

use crate::workload::{JOINTS, Joints, Parts, Spans, Workload};
use crate::{MODES, Row, print, race, repeats, skin};
use sinew::skinning::cpu::Settings;
use std::time::Duration;

/// Vertices of the tables that vary something else.
const VERTICES: usize = 100_000;

/// With normals, which is what renderers skin.
const PARTS: Parts = Parts(2);

/// Prints all tables.
pub fn race_all(is_wanted: &dyn Fn(&str) -> bool) {
    let row = |name: &str, size: usize, load: &dyn Fn() -> Workload| {
        let title = format!("growth: {size} {name}");
        is_wanted(&title).then(|| (title, size, times(&load(), name == "joints")))
    };
    let vertices = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];
    let of_vertices = |size| row("vertices", size, &|| Workload::new(size, 4, Joints::Coherent));
    table("Vertices (4 influences, 64 joints)", vertices.into_iter().filter_map(of_vertices));
    let joints = [16, 64, 256, 1024, 4096];
    let of_joints =
        |size| row("joints", size, &|| Workload::with_joints(VERTICES, 4, Joints::Coherent, size));
    table("Joints (100,000 vertices, 4 influences)", joints.into_iter().filter_map(of_joints));
    let influences = [1, 2, 4, 8, 16];
    let of_influences = |size| row("influences", size, &|| Workload::new(VERTICES, size, Joints::Coherent));
    table(
        &format!("Influences (100,000 vertices, {JOINTS} joints)"),
        influences.into_iter().filter_map(of_influences),
    );
}

/// The smallest times of skinning and, if wanted, of making slots before it; a mode after the other.
fn times(load: &Workload, with_slots: bool) -> Vec<f64> {
    let prepared = load.prepare(PARTS);
    let vertices = load.positions.len();
    let (mut out, n) = (Spans::new(vertices), repeats(vertices));
    let settings = Settings::default();
    let joints = load.matrices();
    let mut made = Vec::new();
    let of_mode = |mode| {
        let slots = load.slots(mode);
        let times = race(
            Duration::from_millis(400),
            &mut [&mut || (0..n).for_each(|_| mode.slots_into(&joints, &mut made)), &mut || {
                (0..n).for_each(|_| skin(&prepared, mode, &slots, PARTS, &mut out, &settings));
            }],
        );
        let per_call = times.into_iter().map(|(smallest, _)| smallest / n as f64);
        per_call.skip(usize::from(!with_slots)).collect::<Vec<_>>()
    };
    MODES.into_iter().flat_map(of_mode).collect()
}

fn table(title: &str, measured: impl Iterator<Item = (String, usize, Vec<f64>)>) {
    let mut rows: Vec<Row> = Vec::new();
    let mut before: Option<(usize, Vec<f64>)> = None;
    for (title, size, times) in measured {
        let slope = |column: usize| {
            before.as_ref().map_or_else(String::new, |(size_before, times_before)| {
                let grown = (times[column] / times_before[column]).ln();
                format!(" ({:.2})", grown / (size as f64 / *size_before as f64).ln())
            })
        };
        let cells =
            times.iter().enumerate().map(|(column, time)| format!("{:.2}{}", time * 1e6, slope(column)));
        rows.push(Row { title, cells: cells.collect() });
        before = Some((size, times));
    }
    let columns: &[&str] = match rows.first() {
        Some(row) if row.cells.len() == 4 => &["lbs slots, µs", "lbs, µs", "dqs slots, µs", "dqs, µs"],
        _ => &["lbs, µs", "dqs, µs"],
    };
    print(title, columns, &rows);
}
