//! Measures the frames of a motion on all cores, in memory that does not grow with their number.

use rayon::prelude::*;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::posed::count_vertices;

use super::distance::Distance;
use super::recomputed::NormalAngles;

/// A mode in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The mode.
    pub mode: SkinningMode,
    /// The distance from the other mode.
    pub distance: Distance,
    /// The angles between its normals and recomputed ones, if the plan has them.
    pub normals: Option<NormalAngles>,
}

/// One frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The time in seconds.
    pub time: f64,
    /// Each measured mode.
    pub modes: Vec<Measured>,
}

/// The number of frames that each processor measures before results are passed on.
const FRAMES_AHEAD: usize = 16;

/// The number of skinned vertices to keep at once if there is a choice.
const VERTICES_AT_ONCE: u64 = 1 << 22;

/// Measures each time in a worker's memory, which holds the model `copies` times, and calls back with each frame, in order.
pub(super) fn in_order<W: Default + Send, E>(
    model: &Model,
    (times, copies): (&[f64], usize),
    measure: impl Fn(&mut W, f64) -> Vec<Measured> + Sync,
    mut each: impl FnMut(Frame) -> Result<(), E>,
) -> Result<(), E> {
    let vertices = count_vertices(model).saturating_mul(copies as u64).max(1);
    let room = usize::try_from(VERTICES_AT_ONCE / vertices).unwrap_or(usize::MAX);
    let count = rayon::current_num_threads().min(room).clamp(1, times.len().max(1));
    let mut workers: Vec<W> = (0..count).map(|_| W::default()).collect();
    for batch in times.chunks(count * FRAMES_AHEAD) {
        let measured: Vec<Vec<Vec<Measured>>> = workers
            .par_iter_mut()
            .enumerate()
            .map(|(number, worker)| {
                batch.iter().skip(number).step_by(count).map(|&time| measure(worker, time)).collect()
            })
            .collect();
        let mut measured: Vec<_> = measured.into_iter().map(Vec::into_iter).collect();
        for (number, &time) in batch.iter().enumerate() {
            let modes = measured.get_mut(number % count).and_then(Iterator::next);
            let modes = modes.expect("the workers have measured every time of the batch");
            each(Frame { time, modes })?;
        }
    }
    Ok(())
}
