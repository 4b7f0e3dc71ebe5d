//! Races *ddm* of real models against its twin, with each set of instructions.

use crate::models::{all, posed};
use crate::workload::{Parts, Spans, Workload};
use crate::{Row, print, race, skin};
use sinew::model::Model;
use sinew::skinning::cpu::{Exactness, Level, Settings};
use sinew::skinning::twin::{Skinned, Vertices};
use sinew::skinning::{SkinningMode, ddm_terms, matrices_into, twin};
use std::time::Duration;

const MODE: SkinningMode = SkinningMode::DirectDeltaMush;

/// The contenders besides the twin.
const FAST: [(Level, Exactness); 4] = [
    (Level::Avx2, Exactness::Twin),
    (Level::Avx2, Exactness::Bounds),
    (Level::Avx512, Exactness::Twin),
    (Level::Avx512, Exactness::Bounds),
];

/// Races all models.
pub fn race_all(is_wanted: &dyn Fn(&str) -> bool) {
    let mut rows = Vec::new();
    for (name, model) in &all() {
        for parts in Parts::ALL {
            let title = format!("models: {name}, {MODE}, {parts}");
            if is_wanted(&title) {
                rows.extend(race_one(title, model, parts));
            }
        }
    }
    let columns = ["vertices", "twin", "AVX2, twin's bits", "AVX2", "AVX-512, twin's bits", "AVX-512"];
    print("Terms of ddm, nanoseconds per vertex (of medians), one thread", &columns, &rows);
}

/// Races the first skinned primitive of a model.
fn race_one(title: String, model: &Model, parts: Parts) -> Option<Row> {
    let instance = model.instances.iter().find(|instance| instance.skin.is_some())?;
    let primitive = model.meshes.get(instance.mesh)?.primitives.first()?;
    let rows = ddm_terms::of(model, instance.mesh)?;
    let load = Workload::of(primitive)?;
    let mut prepared = load.prepare(parts);
    prepared.set_ddm(Some((&rows, 0))).expect("terms of this mesh");
    let (mut matrices, mut slots) = (Vec::new(), Vec::new());
    matrices_into(model, instance, true, &posed(model), &mut matrices);
    MODE.slots_into(&matrices, &mut slots);
    let vertices = Vertices {
        normals: parts.normals().then_some(&load.normals),
        tangents: parts.tangents().then_some(&load.tangents),
        ddm: Some((&rows, 0)),
        ..Vertices::of(primitive)
    };
    let count = load.positions.len();
    let n = (40_000 / count.max(1)).max(1);
    let by_twin = |out: &mut Spans| {
        let Spans { positions, normals, tangents } = out;
        let (normals, tangents) = (normals.as_mut_slice(), tangents.as_mut_slice());
        let (normals, tangents) = (parts.normals().then_some(normals), parts.tangents().then_some(tangents));
        twin::skin(MODE, &slots, &vertices, Skinned { positions, normals, tangents });
    };
    let fast = |out: &mut Spans, (level, exactness): (Level, Exactness)| {
        if level.is_available() {
            let settings = Settings { level, exactness, ..Settings::default() };
            (0..n).for_each(|_| skin(&prepared, MODE, &slots, parts, out, &settings));
        }
    };
    let mut expected = Spans::new(count);
    let mut outs = vec![Spans::new(count); FAST.len()];
    let [a, b, c, d] = &mut outs[..] else { return None };
    let times = race(
        Duration::from_millis(1000),
        &mut [
            &mut || (0..n).for_each(|_| by_twin(&mut expected)),
            &mut || fast(a, FAST[0]),
            &mut || fast(b, FAST[1]),
            &mut || fast(c, FAST[2]),
            &mut || fast(d, FAST[3]),
        ],
    );
    for (out, (level, _)) in outs.iter().zip(FAST) {
        assert!(!level.is_available() || out.is_near(&expected, parts), "{title}: results differ");
    }
    let nanos = |time: f64| time / (n * count) as f64 * 1e9;
    let cell = |(least, median): (f64, f64)| format!("{:.1} ({:.1})", nanos(least), nanos(median));
    let is_available = [true].into_iter().chain(FAST.map(|(level, _)| level.is_available()));
    let cells = times.into_iter().zip(is_available);
    let cells = cells.map(|(time, is)| if is { cell(time) } else { "not here".to_owned() });
    Some(Row { title, cells: [count.to_string()].into_iter().chain(cells).collect() })
}
