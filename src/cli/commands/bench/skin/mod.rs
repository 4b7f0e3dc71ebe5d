//! `sinew bench --only skin`: times the compute kernels of skinning alone, after comparing their results with the CPU twin,
//! and the CPU's fast path beside them.

mod chart;
mod check;
mod cpu;
mod figures;
mod print;
mod time;

use crate::output::{Inputs, Output};
use crate::render::Renderer;
use crate::render::kernels::{Copying, Kernels, MadeUp, Order, Outputs, SlotsIn, Workload};
use crate::skinning::cpu::Exactness;
use crate::skinning::{SkinningMode, Slot};

use self::check::check;
use self::cpu::Cpu;
use self::figures::Figures;
use self::print::{Head, Row, Subject, heading};
use super::rows::Rows;
use super::settings::scene;
use crate::cli::args::BenchArgs;
use crate::cli::machine::vulkan;
use crate::cli::subject::{needs, open};
use crate::cli::terminal::failure::Failure;

/// Bytes of the buffer whose copy is the limit: more than caches hold.
const COPIED: u64 = 128 << 20;

/// Measures every mode, with every choice of outputs, on every subject.
pub fn run(args: &BenchArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let is_made_up = !args.vertices.is_empty();
    let modes = match args.modes.is_empty() {
        true => {
            SkinningMode::ALL.into_iter().filter(|mode| !(is_made_up && mode.facts().needs_ddm)).collect()
        }
        false => args.modes.clone(),
    };
    if let Some(mode) = modes.iter().find(|mode| is_made_up && mode.facts().needs_ddm) {
        let error = format!("--vertices makes no triangles, which {mode} needs; name a model in its place");
        return Err(Failure::Usage(error));
    }
    let palette = match args.palette.as_deref().map(str::parse::<SlotsIn>) {
        Some(Ok(palette)) => palette,
        Some(Err(error)) => return Err(Failure::Usage(error)),
        None => SlotsIn::Storage,
    };
    let prepare = || {
        let model = match args.vertices.is_empty() {
            true => Some(open::model(&args.model, &args.load, &mut inputs)?),
            false => None,
        };
        let scene = model.as_ref().map(|model| scene(args, model, modes[0], None, false, &mut inputs));
        let scene = scene.transpose()?;
        let inputs = inputs.close();
        let chart = args.output.as_ref().map(|path| inputs.output(path)).transpose()?;
        if let Some(model) = &model {
            needs::prepare(model, modes.iter().copied(), &inputs);
        }
        Ok((model.zip(scene), chart))
    };
    vulkan::with_renderer_while(&args.vulkan, prepare, |renderer, (model, chart)| {
        let mut bench = Bench::begin(args, renderer, (&modes, palette))?;
        if let Some((model, scene)) = &model {
            for crowd in args.crowds() {
                let figures = Figures::new(model, scene, crowd);
                figures.check(&open::shown(&args.model))?;
                bench.measure(&figures.workloads(), &figures.subject(), |mode| figures.palettes(mode))?;
            }
        }
        let influences = if args.influences.is_empty() { &[4] } else { args.influences.as_slice() };
        let orders = if args.order.is_empty() { &[Order::Shuffled] } else { args.order.as_slice() };
        for &vertices in &args.vertices {
            for &influences in influences {
                for &order in orders {
                    let made_up = MadeUp::new(vertices, influences, order);
                    let subject = Subject { figures: 1, influences, order: Some(order.name()) };
                    bench.measure(&[made_up.workload()], &subject, |mode| vec![made_up.palette(mode)])?;
                }
            }
        }
        bench.end(chart.as_ref())
    })
}

/// A running benchmark.
struct Bench<'a> {
    renderer: &'a Renderer,
    modes: &'a [SkinningMode],
    palette: SlotsIn,
    /// The exactness of the kernels.
    exactness: &'static [Exactness],
    /// The maximum number of runs of a row.
    runs: u32,
    head: Head,
    table: Rows,
    rows: Vec<Row>,
}

impl<'a> Bench<'a> {
    /// Times the copy, and prints everything above the rows.
    fn begin(
        args: &BenchArgs,
        renderer: &'a Renderer,
        (modes, palette): (&'a [SkinningMode], SlotsIn),
    ) -> Result<Self, Failure> {
        let mut copying = Copying::new(renderer, COPIED)?;
        let measured = time::runs(args.frames, true, |times| copying.run(times))?;
        let physical = renderer.device().physical();
        let head = Head::new(physical, copying.bytes(), &measured);
        let table = Rows::begin(args.json, &head, |out| heading(&head, out))?;
        let exactness: &[_] =
            if args.fast { &[Exactness::Twin, Exactness::Bounds] } else { &[Exactness::Twin] };
        Ok(Self { renderer, modes, palette, exactness, runs: args.frames, head, table, rows: Vec::new() })
    }

    /// Measures a subject in all modes. `palettes` returns each workload's slots, those of all figures in a row.
    fn measure(
        &mut self,
        workloads: &[Workload<'_>],
        subject: &Subject,
        palettes: impl Fn(SkinningMode) -> Vec<Vec<Slot>>,
    ) -> Result<(), Failure> {
        let mut kernels = Kernels::new(self.renderer, workloads, subject.figures, self.palette)?;
        // Fast kernels read rounded weights, and so does the twin that they are compared with.
        let fast = if self.exactness.contains(&Exactness::Bounds) { workloads } else { &[] };
        let rounded: Vec<_> = fast.iter().map(Workload::rounded).collect();
        let fast: Vec<_> = fast.iter().zip(&rounded).map(|(of, rounded)| of.with(rounded.as_ref())).collect();
        let mut cpu = Cpu::new(workloads)?;
        let has = |outputs: Outputs| workloads.iter().any(|workload| outputs.are_of(workload));
        for &mode in self.modes {
            let slots = palettes(mode);
            let kinds = Outputs::ALL.into_iter().filter(|outputs| has(*outputs));
            let kinds = kinds.flat_map(|outputs| self.exactness.iter().map(move |exact| (outputs, *exact)));
            for (outputs, exactness) in kinds {
                kernels.select(self.renderer, (mode, exactness), outputs, &slots)?;
                kernels.run(1)?;
                let is_exact = self.renderer.is_exact() && exactness == Exactness::Twin;
                let compared = if exactness == Exactness::Twin { workloads } else { &fast };
                let bits = check(&kernels, (compared, &slots), subject.figures, (mode, outputs), is_exact)?;
                let measured = time::runs(self.runs, false, |times| kernels.run(times))?;
                let cpu_ns = cpu.ns_per_vertex((workloads, &slots), (mode, exactness, outputs))?;
                let row = Row::new(
                    (mode, exactness, outputs, self.palette),
                    subject,
                    kernels.traffic(),
                    (&measured, &bits, cpu_ns),
                    &self.head,
                );
                self.table.add(std::slice::from_ref(&row), |out| row.line(out))?;
                self.rows.push(row);
            }
        }
        Ok(())
    }

    /// Prints everything below the rows, and draws the chart.
    fn end(self, chart: Option<&Output>) -> Result<(), Failure> {
        self.table.end(print::FOOT)?;
        chart.map_or(Ok(()), |out| chart::draw(&self.head, &self.rows, out))
    }
}
