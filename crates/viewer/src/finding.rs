//! Computes a model's centres of rotation on a separate thread, while the window shows another mode.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use sinew_model::Model;
use sinew_skinning::centers::{self, Watch};
use sinew_system::threads::Task;

/// Computes the centres of a model, and reports progress.
pub type FindCenters = Arc<dyn Fn(&Model, &Watch) + Send + Sync>;

/// The computation of centres for the current model.
pub struct Finding {
    find: FindCenters,
    running: Option<Running>,
}

struct Running {
    model: Arc<Model>,
    thread: Task<()>,
    percent: Arc<AtomicU32>,
    is_wanted: Arc<AtomicBool>,
}

impl Default for Finding {
    fn default() -> Self {
        Self::new(Arc::new(|model, watch| {
            centers::prepare(model, watch);
        }))
    }
}

impl Finding {
    pub fn new(find: FindCenters) -> Self {
        Self { find, running: None }
    }

    /// Returns the progress in percent; `None` if the model has its centres or needs none. Starts the computation if
    /// it is needed.
    pub fn percent(&mut self, model: &Arc<Model>, is_needed: bool) -> Option<u32> {
        if model.centers.get().is_some() || !is_needed && self.running.is_none() {
            self.running = None;
            return None;
        }
        if self.running.as_ref().is_none_or(|running| !Arc::ptr_eq(&running.model, model)) {
            self.running = is_needed.then(|| Running::start(Arc::clone(&self.find), Arc::clone(model)));
        }
        // A computation that has ended without centres will not produce any.
        let running = self.running.as_ref().filter(|running| !running.thread.is_done())?;
        Some(running.percent.load(Ordering::Relaxed))
    }
}

impl Running {
    fn start(find: FindCenters, model: Arc<Model>) -> Self {
        let percent = Arc::new(AtomicU32::new(0));
        let is_wanted = Arc::new(AtomicBool::new(true));
        let (told, wanted, of) = (Arc::clone(&percent), Arc::clone(&is_wanted), Arc::clone(&model));
        let watch = move |share: f64| {
            told.store((share * 100.0) as u32, Ordering::Relaxed);
            wanted.load(Ordering::Relaxed)
        };
        let thread = Task::begin(move || find(&of, &watch));
        Self { model, thread, percent, is_wanted }
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
        assert_eq!(finding.percent(&model, false), None);
        assert!(finding.running.is_none());
        finding.percent(&model, true);
        wait(|| model.centers.get().is_some());
        assert_eq!(finding.percent(&model, true), None);
    }

    #[test]
    fn a_model_that_is_no_longer_shown_is_left_alone() {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&is_stopped);
        let mut finding = Finding::new(Arc::new(move |_, watch| {
            while watch(0.25) {
                std::thread::sleep(Duration::from_millis(1));
            }
            stopped.store(true, Ordering::Relaxed);
        }));
        let (first, second) = (model(), model());
        finding.percent(&first, true);
        let running = finding.running.as_ref().unwrap();
        wait(|| running.percent.load(Ordering::Relaxed) == 25);
        assert_eq!(
            finding.percent(&first, false),
            Some(25),
            "it goes on where the mode has changed meanwhile"
        );
        finding.percent(&second, true);
        wait(|| is_stopped.load(Ordering::Relaxed));
        assert!(Arc::ptr_eq(&finding.running.as_ref().unwrap().model, &second));
    }
}
