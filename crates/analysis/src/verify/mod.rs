//! Verification: compares, for every mode, pose and primitive, the GPU with the CPU twin, and both and the fast CPU path
//! with the `f64` reference, and checks the bounds.

mod rows;
mod times;

pub use rows::{Figures, Report, Row, Worst};
pub use times::{NoSamples, Samples, Times, times};

use rows::{Measured, faults, row, worst};
use times::times_of;

use super::compare::{Bits, Error, have_equal_bits, radius};
use super::keys::Keys;
use sinew_model::Model;
use sinew_skinning::SkinningMode;
use sinew_skinning::cpu::{self, Exactness, Settings};
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::{PreparedModel, SkinnedPrimitive, Truth, count_vertices, skin_model_into};
use sinew_skinning::surfaces::{Scratch, Surfaces};

/// A pose or a clip to check.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// `bind`, `rest`, or the clip's name.
    pub name: String,
    /// The pose, or the clip at its times.
    pub choices: Vec<PoseChoice>,
    /// The number of times to choose from.
    pub of_times: usize,
}

/// Returns the poses for checking a model: bind, rest, and each clip at its times.
pub fn looks(model: &Model, samples: Samples) -> Vec<Look> {
    let alone = |name: &str, choice| Look { name: name.to_owned(), choices: vec![choice], of_times: 1 };
    let keys = Keys::new(model);
    let mut looks = vec![alone("bind", PoseChoice::Bind), alone("rest", PoseChoice::Rest)];
    looks.extend(model.clips.iter().enumerate().map(|(number, clip)| {
        let Times { chosen, of } = times_of(&keys, clip, samples);
        Look {
            name: if clip.name.is_empty() { format!("clip {number}") } else { clip.name.clone() },
            choices: chosen.into_iter().map(|time_secs| half_blended(number, time_secs)).collect(),
            of_times: of,
        }
    }));
    looks
}

/// Returns a clip at a time, with shares that make *blend* differ from the modes it blends.
fn half_blended(clip: usize, time_secs: f64) -> PoseChoice {
    let mut mix = ClipMix { clips: vec![clip], time_secs, ..ClipMix::default() };
    mix.edits.shares.set_all(SHARE);
    PoseChoice::Clips(mix)
}

/// The share of dual quaternion skinning for checks of *blend*.
const SHARE: f64 = 0.4;

/// Checks all drawn primitives in some modes. `skin_on_gpu` skins on the GPU. With `exact`, the GPU rounds every operation as the CPU
/// does, so its bits must be the same. `progress` is called with each mode and pose before its check.
pub fn verify<E: From<cpu::Error>>(
    model: &Model,
    modes: &[SkinningMode],
    exact: bool,
    samples: Samples,
    mut skin_on_gpu: impl FnMut(SkinningMode, &PoseChoice) -> Result<Vec<SkinnedPrimitive<f32>>, E>,
    mut progress: impl FnMut(SkinningMode, &str),
) -> Result<Report, E> {
    let looks = looks(model, samples);
    let surfaces = Surfaces::new(model);
    let most = looks.iter().map(|look| look.choices.len()).max().unwrap_or(1);
    let mut workers =
        (0..workers_for(model).min(most)).map(|_| Worker::new(model)).collect::<Result<Vec<_>, _>>()?;
    let mut rows: Vec<Row> = Vec::new();
    for &mode in modes {
        for look in &looks {
            progress(mode, &look.name);
            let first = rows.len();
            for choices in look.choices.chunks(workers.len()) {
                let used = &mut workers[..choices.len()];
                measure_all((model, &surfaces), mode, choices, used, &mut skin_on_gpu)?;
                for worker in used {
                    let measured = worker.measured.take().transpose()?.unwrap_or_default();
                    for (number, measured) in measured.into_iter().enumerate() {
                        match rows.get_mut(first + number) {
                            Some(row) => row.figures.merge(&measured.figures),
                            None => rows.extend(row(model, mode, look, measured)),
                        }
                    }
                }
            }
            for row in rows.iter_mut().skip(first) {
                row.faults = faults(row, mode, exact);
            }
        }
    }
    let worst = modes.iter().filter_map(|mode| worst(model, &rows, mode.name())).collect();
    Ok(Report { rows, worst })
}

/// The number of vertices to keep at once if there is a choice, at several hundred bytes each.
const VERTICES_AT_ONCE: u64 = 1 << 20;

/// Returns the number of times of a model to check at once: enough to keep all processors busy until the GPU's next results
/// arrive, but not so many that a large model takes several times the memory.
fn workers_for(model: &Model) -> usize {
    let room = VERTICES_AT_ONCE / count_vertices(model).max(1);
    (2 * rayon::current_num_threads()).min(usize::try_from(room).unwrap_or(usize::MAX)).max(1)
}

/// The memory for skinning and measuring one pose.
struct Worker {
    prepared: PreparedModel,
    pose: Pose,
    scratch: Scratch,
    truths: Vec<Truth>,
    results: Results,
    measured: Option<Result<Vec<Measured>, cpu::Error>>,
}

impl Worker {
    fn new(model: &Model) -> Result<Self, cpu::Error> {
        Ok(Self {
            prepared: PreparedModel::new(model)?,
            pose: Pose::default(),
            scratch: Scratch::default(),
            truths: Vec::new(),
            results: Results::default(),
            measured: None,
        })
    }

    /// Skins by every CPU path, and compares.
    fn measure(
        &mut self,
        (model, surfaces): (&Model, &Surfaces),
        mode: SkinningMode,
        choice: &PoseChoice,
        gpu: Vec<SkinnedPrimitive<f32>>,
    ) -> Result<Vec<Measured>, cpu::Error> {
        let as_twin = Settings { exactness: Exactness::Twin, ..Settings::default() };
        let Self { prepared, pose, scratch, truths, results, .. } = self;
        pose.set(model, choice);
        results.time_secs = time_of(choice);
        results.gpu = gpu;
        if results.twin.is_empty() {
            results.twin = SkinnedPrimitive::all_of(model);
        }
        skin_model_into(model, mode, pose, &mut results.twin);
        prepared.skin_into(model, mode, pose, &Settings::default(), &mut results.fast)?;
        prepared.skin_into(model, mode, pose, &as_twin, &mut results.fast_as_twin)?;
        surfaces.truths(model, mode, pose, scratch, truths);
        Ok(truths.iter().enumerate().map(|(number, truth)| results.measure(number, truth)).collect())
    }
}

/// Checks as many poses as there are workers: while the GPU skins one, other threads skin and compare those it has finished.
fn measure_all<E: From<cpu::Error>>(
    subject: (&Model, &Surfaces),
    mode: SkinningMode,
    choices: &[PoseChoice],
    workers: &mut [Worker],
    skin_on_gpu: &mut impl FnMut(SkinningMode, &PoseChoice) -> Result<Vec<SkinnedPrimitive<f32>>, E>,
) -> Result<(), E> {
    rayon::in_place_scope(|scope| {
        for (choice, worker) in choices.iter().zip(workers) {
            let gpu = skin_on_gpu(mode, choice)?;
            scope.spawn(move |_| worker.measured = Some(worker.measure(subject, mode, choice, gpu)));
        }
        Ok(())
    })
}

fn time_of(choice: &PoseChoice) -> Option<f64> {
    match choice {
        PoseChoice::Clips(mix) => Some(mix.time_secs),
        PoseChoice::Bind | PoseChoice::Rest | PoseChoice::SkinSpace(_) => None,
    }
}

/// All drawn primitives, skinned by each path.
#[derive(Default)]
struct Results {
    time_secs: Option<f64>,
    gpu: Vec<SkinnedPrimitive<f32>>,
    twin: Vec<SkinnedPrimitive<f32>>,
    fast: Vec<SkinnedPrimitive<f32>>,
    fast_as_twin: Vec<SkinnedPrimitive<f32>>,
}

impl Results {
    fn measure(&self, number: usize, truth: &Truth) -> Measured {
        let (instance, primitive) = (truth.skinned.instance, truth.skinned.primitive);
        // A path that lost a primitive counts as having lost all its vertices, which fails every comparison.
        let lost =
            SkinnedPrimitive { instance, primitive, positions: Vec::new(), normals: None, tangents: None };
        let [gpu, twin, fast, fast_as_twin] = [&self.gpu, &self.twin, &self.fast, &self.fast_as_twin]
            .map(|primitives| primitives.get(number).unwrap_or(&lost));
        let error = |result| {
            let mut error = Error::of(result, truth);
            error.worst_time = self.time_secs;
            error
        };
        let of_twin = error(twin);
        let figures = Figures {
            vertices: truth.skinned.positions.len(),
            radius: radius(truth),
            gpu_twin: Bits::between(gpu, twin),
            gpu_position_distance: Bits::of_positions(gpu, twin).max_abs,
            gpu: if have_equal_bits(gpu, twin) { of_twin } else { error(gpu) },
            twin: of_twin,
            fast_twin: Bits::between(fast_as_twin, twin),
            fast: error(fast),
        };
        Measured { instance, primitive, figures }
    }
}
