//! Times the fast CPU path against a plain scalar loop and a copy of the same number of bytes, and prints the
//! tables of `benches/RESULTS.md`. It must not depend on how the fast path works.
//!
//! It has its own harness, because ratios on a shared machine mean something only if both sides run in turn
//! within milliseconds of each other: every round runs each contender once, and the smallest time of all rounds
//! counts. Blend, cor and dqs-blender have no plain loop; their
//! first contender is the twin.
//! `cargo bench --bench skinning` takes some minutes; words after `--` choose the rows that contain all
//! of them, as in `-- dqs 10k`. Models of the folder that `SINEW_CORPUS` names are raced, too.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run has nothing else to say")]
#![allow(clippy::disallowed_methods, reason = "reads the models that it is given")]

mod beside;
mod ddm;
mod growth;
mod job;
mod models;
mod plain;
mod workload;

use sinew::skinning::SkinningMode;
use sinew::skinning::cpu::{Exactness, Level, Order, Out, Prepared, Settings, Threads};
use std::time::{Duration, Instant};
use workload::{Joints, Parts, Spans, Workload};

/// The smallest and the median time of each contender, run in turn.
fn race(budget: Duration, contenders: &mut [&mut dyn FnMut()]) -> Vec<(f64, f64)> {
    let mut times = vec![Vec::new(); contenders.len()];
    let start = Instant::now();
    while start.elapsed() < budget || times[0].len() < 7 {
        for (contender, times) in contenders.iter_mut().zip(&mut times) {
            let begin = Instant::now();
            contender();
            times.push(begin.elapsed().as_secs_f64());
        }
    }
    times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            (times[0], times[times.len() / 2])
        })
        .collect()
}

/// Groups short work, so that each timing lasts at least a hundred microseconds.
fn repeats(vertices: usize) -> usize {
    (40_000 / vertices).max(1)
}

struct Row {
    title: String,
    cells: Vec<String>,
}

fn print(title: &str, columns: &[&str], rows: &[Row]) {
    if rows.is_empty() {
        return;
    }
    println!("\n{title}\n\n| | {} |\n|---|{}", columns.join(" | "), "---:|".repeat(columns.len()));
    for row in rows {
        println!("| {} | {} |", row.title, row.cells.join(" | "));
    }
}

fn main() {
    // Cargo passes `--bench`; other words choose rows.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |title: &str| words.iter().all(|word| title.contains(word.as_str()));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    println!("Best instruction set here: {}.", Level::best());

    small(&is_wanted);
    levels(&is_wanted);
    orders(&is_wanted);
    models::race_all(&is_wanted);
    ddm::race_all(&is_wanted);
    beside::race_all(&is_wanted);
    growth::race_all(&is_wanted);
    large(&is_wanted, &pool);
}

const MODES: [SkinningMode; 2] = [SkinningMode::Linear, SkinningMode::DualQuat];
const SMALL: usize = 10_000;
const LARGE: usize = 2_000_000;

/// Times the plain loop and the fast path with two settings. Their results must agree if the order of vertices
/// is the source's.
fn race_plain(
    title: &str,
    mode: SkinningMode,
    load: &Workload,
    parts: Parts,
    settings: [&Settings; 2],
) -> Vec<(f64, f64)> {
    let prepared = load.prepare(parts);
    let slots = load.slots(mode);
    let palette = plain::Palette::new(&slots);
    let (mut a, mut b, mut c) = (Spans::new(SMALL), Spans::new(SMALL), Spans::new(SMALL));
    let n = repeats(SMALL);
    let fast = |out: &mut Spans, settings| {
        (0..n).for_each(|_| skin(&prepared, mode, &slots, parts, out, settings));
    };
    let times = race(
        Duration::from_millis(400),
        &mut [
            &mut || (0..n).for_each(|_| plain::skin(mode, &palette, load, parts, &mut a)),
            &mut || fast(&mut b, settings[0]),
            &mut || fast(&mut c, settings[1]),
        ],
    );
    for (out, settings) in [(&b, settings[0]), (&c, settings[1])] {
        assert!(settings.order != Order::Source || out.is_near(&a, parts), "{title}: results differ");
    }
    times
}

/// 10k vertices, in the cache, one thread: against the plain loop.
fn small(is_wanted: &dyn Fn(&str) -> bool) {
    let plain = [(MODES[0], false), (MODES[1], false), (MODES[1], true), (SkinningMode::DualQuatRigid, true)];
    let twins = [
        (SkinningMode::Blended, false),
        (SkinningMode::CenterOfRotation, false),
        (SkinningMode::DualQuatBlender, true),
    ];
    for (mode, is_stretched) in plain.into_iter().chain(twins) {
        let mut rows = vec![];
        for influences in [1, 2, 4, 8] {
            for parts in Parts::ALL {
                let joints = if is_stretched { ", stretched" } else { "" };
                let title = format!("{mode} 10k{joints}, {influences} influences, {parts}");
                if !is_wanted(&title) {
                    continue;
                }
                let mut load = Workload::new(SMALL, influences, Joints::Coherent);
                if is_stretched {
                    load = load.stretched();
                }
                let twin = Settings { exactness: Exactness::Twin, ..Settings::default() };
                let times = race_plain(&title, mode, &load, parts, [&Settings::default(), &twin]);
                let n = repeats(SMALL);
                let rate = |time: f64| format!("{:.0}", (SMALL * n) as f64 / time * 1e-6);
                let ratio =
                    |i: usize| format!("{:.1}× ({:.1}×)", times[0].0 / times[i].0, times[0].1 / times[i].1);
                let cells = vec![rate(times[0].0), rate(times[1].0), ratio(1), rate(times[2].0), ratio(2)];
                rows.push(Row { title, cells });
            }
        }
        let columns =
            ["plain, M/s", "fast, M/s", "ratio (of medians)", "twin's bits, M/s", "ratio (of medians)"];
        print("10,000 vertices, one thread", &columns, &rows);
    }
}

/// 10k vertices with each set of instructions.
fn levels(is_wanted: &dyn Fn(&str) -> bool) {
    let mut rows = vec![];
    let exactnesses = [(Exactness::Bounds, ""), (Exactness::Twin, ", twin's bits")];
    for (mode, (exactness, bits)) in SkinningMode::ALL.map(|mode| exactnesses.map(|of| (mode, of))).concat() {
        for parts in Parts::ALL {
            let title = format!("levels: {mode} 10k, 4 influences, {parts}{bits}");
            if !is_wanted(&title) {
                continue;
            }
            let load = Workload::new(SMALL, 4, Joints::Coherent);
            let prepared = load.prepare(parts);
            let slots = load.slots(mode);
            let palette = plain::Palette::new(&slots);
            let mut out = vec![Spans::new(SMALL); 4];
            let n = repeats(SMALL);
            let [a, b, c, d] = &mut out[..] else { return };
            let at = |level| Settings { level, exactness, ..Settings::default() };
            let run = |level: Level, out: &mut Spans| {
                if level.is_available() {
                    (0..n).for_each(|_| skin(&prepared, mode, &slots, parts, out, &at(level)));
                }
            };
            let times = race(
                Duration::from_millis(400),
                &mut [
                    &mut || (0..n).for_each(|_| plain::skin(mode, &palette, &load, parts, a)),
                    &mut || run(Level::Portable, b),
                    &mut || run(Level::Avx2, c),
                    &mut || run(Level::Avx512, d),
                ],
            );
            let portable = times[1].0;
            let is_slower =
                times[2..].iter().zip([Level::Avx2, Level::Avx512]).find(|((time, _), _)| *time > portable);
            // A function over vectors that the compiler makes without their instructions costs more than they save.
            assert!(is_slower.is_none(), "{title}: slower than by portable vectors: {is_slower:?}");
            let cell = |(level, time): (Level, &(f64, f64))| match level.is_available() {
                true => format!("{:.1}×", times[0].0 / time.0),
                false => "not here".to_owned(),
            };
            let levels = [Level::Portable, Level::Avx2, Level::Avx512];
            let cells = levels.into_iter().zip(&times[1..]).map(cell).collect();
            rows.push(Row { title, cells });
        }
    }
    print("By instruction set, against the plain loop", &["portable", "AVX2", "AVX-512"], &rows);
}

/// 10k vertices whose joints are not in runs.
fn orders(is_wanted: &dyn Fn(&str) -> bool) {
    let mut rows = vec![];
    for joints in Joints::ALL {
        for mode in MODES {
            for parts in [Parts::ALL[0], Parts::ALL[2]] {
                let title = format!("orders: {mode} 10k, 4 influences, {parts}, {joints}");
                if !is_wanted(&title) {
                    continue;
                }
                let load = Workload::new(SMALL, 4, joints);
                let own = Settings { order: Order::Prepared, ..Settings::default() };
                let times = race_plain(&title, mode, &load, parts, [&Settings::default(), &own]);
                let cells = times[1..].iter().map(|time| format!("{:.1}×", times[0].0 / time.0)).collect();
                rows.push(Row { title, cells });
            }
        }
    }
    print("By order of joints, against the plain loop", &["file's order", "prepared order"], &rows);
}

/// 2M vertices, out of the cache: against a copy of the same number of bytes.
fn large(is_wanted: &dyn Fn(&str) -> bool, pool: &rayon::ThreadPool) {
    for threads in [1, 2] {
        let mut rows = vec![];
        for mode in MODES {
            for influences in [1, 2, 4, 8] {
                for parts in Parts::ALL {
                    let title = format!("{mode} 2M, {influences} influences, {parts}, {threads} threads");
                    if !is_wanted(&title) {
                        continue;
                    }
                    let load = Workload::new(LARGE, influences, Joints::Coherent);
                    let prepared = load.prepare(parts);
                    let slots = load.slots(mode);
                    let mut out = Spans::new(LARGE);
                    let (read, written) = prepared.bytes(true, parts.normals(), parts.tangents());
                    // A copy reads half of the bytes and writes half.
                    let from = vec![1.0_f32; (read + written) / 8];
                    let (mut to, mut streamed_to) = (from.clone(), from.clone());
                    let threads_used = if threads == 1 { Threads::Caller } else { Threads::Pool };
                    let settings = Settings { threads: threads_used, ..Settings::default() };
                    let times = race(
                        Duration::from_millis(if threads == 1 { 500 } else { 1500 }),
                        &mut [
                            &mut || workload::copy(pool, threads, &from, &mut to, false),
                            &mut || workload::copy(pool, threads, &from, &mut streamed_to, true),
                            &mut || {
                                pool.install(|| skin(&prepared, mode, &slots, parts, &mut out, &settings))
                            },
                        ],
                    );
                    let gigabytes = |time: f64| format!("{:.1}", (read + written) as f64 / time * 1e-9);
                    let best_copy = times[0].0.min(times[1].0);
                    let median_copy = times[0].1.min(times[1].1);
                    let ours = times[2].0;
                    let cells = vec![
                        format!("{:.0}", (read + written) as f64 / LARGE as f64),
                        gigabytes(times[0].0),
                        gigabytes(times[1].0),
                        gigabytes(ours),
                        format!("{:.0}", LARGE as f64 / ours * 1e-6),
                        format!(
                            "{:.0} % ({:.0} %)",
                            best_copy / ours * 100.0,
                            median_copy / times[2].1 * 100.0
                        ),
                    ];
                    rows.push(Row { title, cells });
                }
            }
        }
        let columns = [
            "bytes per vertex",
            "copy, GB/s",
            "streamed copy",
            "fast",
            "M/s",
            "of the fastest copy (medians)",
        ];
        print(&format!("2,000,000 vertices, {threads} threads"), &columns, &rows);
    }
}

fn skin(
    prepared: &Prepared,
    mode: SkinningMode,
    slots: &[sinew::skinning::Slot],
    parts: Parts,
    out: &mut Spans,
    settings: &Settings,
) {
    let out = Out {
        positions: Some(&mut out.positions),
        normals: parts.normals().then_some(&mut out.normals),
        tangents: parts.tangents().then_some(&mut out.tangents),
    };
    prepared.skin(mode, slots, out, settings).expect("spans of equal length");
}
