//! Computes what modes need of a model on a separate thread, while the window shows another mode.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use sinew_model::{DdmSettings, Model};
use sinew_skinning::Needs;
use sinew_skinning::centers::Watch;
use sinew_system::threads::Task;

/// Computes what a model lacks, and reports progress.
pub type Prepare = Arc<dyn Fn(&Model, Needs, &Watch) + Send + Sync>;

/// The computation for the current model.
pub struct Finding {
    find: Prepare,
    running: Option<Running>,
}

struct Running {
    model: Arc<Model>,
    needs: Needs,
    settings: DdmSettings,
    thread: Task<()>,
    percent: Arc<AtomicU32>,
    is_wanted: Arc<AtomicBool>,
}

impl Default for Finding {
    fn default() -> Self {
        Self::new(Arc::new(|model, needs, watch| {
            needs.prepare(model, watch);
        }))
    }
}

impl Finding {
    pub fn new(find: Prepare) -> Self {
        Self { find, running: None }
    }

    /// Returns the progress in percent; `None` if the model lacks nothing. Starts the computation if it does.
    pub fn percent(&mut self, model: &Arc<Model>, needs: Needs) -> Option<u32> {
        let missing = needs.missing(model);
        let is_of_model = |running: &Running| {
            let is_same = Arc::ptr_eq(&running.model, model) && running.settings == model.ddm.settings();
            is_same && !running.needs.missing(model).is_nothing()
        };
        self.running = self.running.take().filter(|running| missing.is_nothing() || is_of_model(running));
        if missing.is_nothing() && self.running.as_ref().is_none_or(|running| !is_of_model(running)) {
            self.running = None;
            return None;
        }
        if self.running.is_none() {
            self.running = Some(Running::start(Arc::clone(&self.find), Arc::clone(model), missing));
        }
        // A computation that has ended without a result will not produce any.
        let running = self.running.as_ref().filter(|running| !running.thread.is_done())?;
        Some(running.percent.load(Ordering::Relaxed))
    }
}

impl Running {
    fn start(find: Prepare, model: Arc<Model>, needs: Needs) -> Self {
        let percent = Arc::new(AtomicU32::new(0));
        let is_wanted = Arc::new(AtomicBool::new(true));
        let (told, wanted, of) = (Arc::clone(&percent), Arc::clone(&is_wanted), Arc::clone(&model));
        let watch = move |share: f64| {
            told.store((share * 100.0) as u32, Ordering::Relaxed);
            wanted.load(Ordering::Relaxed)
        };
        let settings = model.ddm.settings();
        let thread = Task::begin(move || find(&of, needs, &watch));
        Self { model, needs, settings, thread, percent, is_wanted }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.is_wanted.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_model::{builtin, gltf};
    use std::time::{Duration, Instant};

    const CENTERS: Needs = Needs { centers: true, ddm: false };

    fn wait(until: impl Fn() -> bool) {
        let start = Instant::now();
        while !until() {
            assert!(start.elapsed() < Duration::from_secs(60), "it never comes");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn model() -> Arc<Model> {
        Arc::new(gltf::load_bytes(&builtin::glb("bend").unwrap(), None).unwrap())
    }

    #[test]
    fn centers_are_found_beside_the_window_and_only_where_needed() {
        let mut finding = Finding::default();
        let model = model();
        assert_eq!(finding.percent(&model, Needs::default()), None);
        assert!(finding.running.is_none());
        finding.percent(&model, CENTERS);
        wait(|| model.centers.get().is_some());
        assert_eq!(finding.percent(&model, CENTERS), None);
    }

    #[test]
    fn terms_are_found_anew_for_other_settings() {
        let ddm = Needs { centers: false, ddm: true };
        let (mut finding, model) = (Finding::default(), model());
        for alpha in [0.8, 0.5] {
            model.ddm.set(DdmSettings { alpha, ..DdmSettings::default() });
            assert!(finding.percent(&model, ddm).is_some(), "{alpha}");
            wait(|| model.ddm.get(0).is_some());
            assert_eq!(finding.percent(&model, ddm), None);
        }
    }

    #[test]
    fn a_model_that_is_no_longer_shown_is_left_alone() {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&is_stopped);
        let mut finding = Finding::new(Arc::new(move |_, _, watch| {
            while watch(0.25) {
                std::thread::sleep(Duration::from_millis(1));
            }
            stopped.store(true, Ordering::Relaxed);
        }));
        let (first, second) = (model(), model());
        finding.percent(&first, CENTERS);
        let running = finding.running.as_ref().unwrap();
        wait(|| running.percent.load(Ordering::Relaxed) == 25);
        assert_eq!(
            finding.percent(&first, Needs::default()),
            Some(25),
            "it goes on where the mode has changed meanwhile"
        );
        finding.percent(&second, CENTERS);
        wait(|| is_stopped.load(Ordering::Relaxed));
        assert!(Arc::ptr_eq(&finding.running.as_ref().unwrap().model, &second));
    }
}
