//! Times the CPU's fast path on the vertices that a kernel skins.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::render::kernels::{Outputs, Workload};
use crate::skinning::cpu::{Error, Exactness, Out, Prepared, Settings};
use crate::skinning::{SkinningMode, Slot};

/// Time for the runs of a row, and the minimum number of runs.
const BUDGET: Duration = Duration::from_millis(100);
const MIN_RUNS: usize = 3;

/// One figure's vertices, laid out for one thread of the CPU.
pub struct Cpu(Vec<Part>);

struct Part {
    prepared: Prepared,
    positions: Vec<[f32; 3]>,
    normals: Option<Vec<[f32; 3]>>,
    tangents: Option<Vec<[f32; 4]>>,
}

impl Cpu {
    /// Lays out the workloads.
    ///
    /// # Errors
    /// As for [`Prepared::new`].
    pub fn new(workloads: &[Workload<'_>]) -> Result<Self, Error> {
        let part = |workload: &Workload<'_>| {
            let vertices = &workload.vertices;
            let mut prepared = Prepared::of(vertices)?;
            if let Some((rows, primitive)) = vertices.ddm {
                prepared.set_ddm(Some((&Arc::new(rows.clone()), primitive)))?;
            }
            let count = prepared.len();
            let tangents = vertices.normals.and(vertices.tangents);
            Ok(Part {
                prepared,
                positions: vec![[0.0; 3]; count],
                normals: vertices.normals.map(|_| vec![[0.0; 3]; count]),
                tangents: tangents.map(|_| vec![[0.0; 4]; count]),
            })
        };
        workloads.iter().map(part).collect::<Result<_, Error>>().map(Self)
    }

    /// Returns the median time per vertex of the first figure, in nanoseconds. `slots` has those of each workload.
    ///
    /// # Errors
    /// If the slots are not those of the workloads.
    pub fn ns_per_vertex(
        &mut self,
        (workloads, slots): (&[Workload<'_>], &[Vec<Slot>]),
        (mode, exactness, outputs): (SkinningMode, Exactness, Outputs),
    ) -> Result<f64, Error> {
        let settings = Settings { exactness, ..Settings::default() };
        let mut run = || {
            self.0.iter_mut().zip(workloads).zip(slots).try_for_each(|((part, workload), slots)| {
                let out = Out {
                    positions: Some(&mut part.positions),
                    normals: part.normals.as_deref_mut().filter(|_| outputs >= Outputs::Normals),
                    tangents: part.tangents.as_deref_mut().filter(|_| outputs >= Outputs::Tangents),
                };
                let own = slots.get(..workload.slots as usize).unwrap_or(slots);
                part.prepared.skin(workload.mode(mode), own, out, &settings)
            })
        };
        run()?;
        let (start, mut times) = (Instant::now(), Vec::new());
        while times.len() < MIN_RUNS || start.elapsed() < BUDGET {
            let begin = Instant::now();
            run()?;
            times.push(begin.elapsed().as_secs_f64());
        }
        times.sort_unstable_by(f64::total_cmp);
        let vertices: usize = self.0.iter().map(|part| part.prepared.len()).sum();
        Ok(times[times.len() / 2] * 1e9 / vertices.max(1) as f64)
    }
}
